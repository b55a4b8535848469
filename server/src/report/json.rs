//! The report for machines. Its format is [`model`]; it is described in `docs/report.schema.json`.

use super::{Report, model, statistics};
use crate::codes;
use crate::load::relative;
use crate::settings;
use crate::verdict::{
    Category, FieldVerdict, FileId, Flow, MethodName, MockingPoint, Place, Reason, SinkKind, SourceUse, Statistics, Step, UnmockableSource, World,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use std::io::{self, Write};
use std::path::Path;

/// The version of the format.
pub const VERSION: u32 = 1;

/// Prints the report as one JSON object and a line break.
pub fn print(out: &mut dyn Write, report: &Report<'_>, statistics: &Statistics) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &report.model(statistics))?;
    writeln!(out)
}

/// The JSON schema of what [`print()`] writes, with a line break at its end.
pub fn schema() -> String {
    schema_of::<model::Report<'static>>()
}

/// The JSON schema of a type that is printed, with a line break at its end.
pub(crate) fn schema_of<T: JsonSchema>() -> String {
    // Of the two contracts that schemars knows: keys whose value may be null are always there in what is printed.
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    // A schema is a JSON value; printing one cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

impl<'a> Report<'a> {
    /// The report in the form in which it is printed.
    pub fn model(&self, statistics: &'a Statistics) -> model::Report<'a> {
        let verdicts = &self.linked.verdicts;
        let settings = self.linked.settings;
        model::Report {
            version: VERSION,
            tool: tool(),
            root: relative(Path::new(""), self.root),
            precision: precision(settings.precision),
            world: world(settings.world),
            tier: tier(settings.tier),
            mocking_points: verdicts.mocking_points.iter().map(|it| self.point(it)).collect(),
            fields: verdicts.fields.iter().map(|it| self.field(it)).collect(),
            unmockable_sources: verdicts.unmockable.iter().map(|it| self.unmockable(it)).collect(),
            statistics: statistics::json::model(statistics),
            files: self.files(statistics),
        }
    }

    fn point(&self, point: &'a MockingPoint) -> model::MockingPoint<'a> {
        model::MockingPoint {
            method: method(&point.method),
            categories: point.categories.iter().map(|&it| category(it)).collect(),
            flow: match point.flow {
                Flow::Intra => model::Flow::Intra,
                Flow::Inter => model::Flow::Inter,
                Flow::None => model::Flow::None,
            },
            file: self.path_from_root(point.place.file),
            range: self.range(point.place),
            sources: point.sources.iter().map(|it| self.source(it)).collect(),
            sinks: (point.sinks.iter())
                .map(|it| model::Sink { kind: sink_kind(it.kind), file: self.path_from_root(it.place.file), range: self.range(it.place) })
                .collect(),
            path: self.steps(&point.path),
            lost_writes: (point.lost.iter())
                .map(|it| model::LostWrite {
                    what: &it.what,
                    file: self.path_from_root(it.place.file),
                    range: self.range(it.place),
                    path: self.steps(&it.path),
                })
                .collect(),
        }
    }

    fn source(&self, it: &'a SourceUse) -> model::Source<'a> {
        model::Source {
            category: category(it.category),
            what: &it.what,
            file: self.path_from_root(it.place.file),
            range: self.range(it.place),
            via: it.via.as_deref(),
            dependency: it.dependency.as_ref().map(|it| model::Dependency { kind: it.kind, component: it.component, mock: &it.mock }),
        }
    }

    fn unmockable(&self, it: &'a UnmockableSource) -> model::UnmockableSource<'a> {
        model::UnmockableSource {
            class: &it.class,
            within: codes::within(it.within),
            source: self.source(&it.read),
            fields: it.fields.iter().map(|it| it.field.as_str()).collect(),
        }
    }

    fn steps(&self, steps: &'a [Step]) -> Vec<model::Step<'a>> {
        steps.iter().map(|it| model::Step { file: self.path_from_root(it.place.file), range: self.range(it.place), note: &it.note }).collect()
    }

    fn field(&self, field: &'a FieldVerdict) -> model::Field<'a> {
        model::Field {
            class: &field.class,
            name: &field.name,
            is_static: field.is_static,
            is_final: field.is_final,
            bean: field.bean,
            verdict: if field.ruled_out.is_some() { model::FieldKind::RuledOut } else { model::FieldKind::Modified },
            reason: field.ruled_out.map(reason),
            modifiers: (field.modifiers.iter())
                .map(|it| model::Modifier { method: &it.method, file: self.path_from_root(it.place.file), range: self.range(it.place), called: it.called })
                .collect(),
            flips_in: field.flips_in.map(world),
            file: self.path_from_root(field.place.file),
            range: self.range(field.place),
        }
    }

    fn files(&self, statistics: &Statistics) -> model::Files<'a> {
        let files = &self.linked.files;
        let numbered = || (0..).zip(files);
        model::Files {
            total: files.len() as u64,
            lines: statistics.lines,
            with_errors: numbered()
                .filter(|(_, it)| it.facts.errors > 0)
                .map(|(id, it)| model::FileErrors {
                    file: self.path_from_root(id),
                    errors: it.facts.errors,
                    first: it.facts.first_error.map(|range| self.position(id, range.start)),
                })
                .collect(),
            problems: (self.problems.iter())
                .map(|it| model::Problem {
                    file: relative(self.root, &it.path),
                    position: it.position.map(|at| model::Position { line: at.line + 1, column: at.column + 1 }),
                    message: &it.message,
                })
                .collect(),
            notes: numbered().filter_map(|(id, it)| it.note.map(|message| model::Remark { file: self.path_from_root(id), message })).collect(),
        }
    }

    pub(super) fn range(&self, place: Place) -> model::Range {
        model::Range { start: self.position(place.file, place.range.start), end: self.position(place.file, place.range.end) }
    }

    fn position(&self, file: FileId, byte: u32) -> model::Position {
        let (line, column) = self.line_column(file, byte);
        model::Position { line, column }
    }
}

pub(super) fn method(it: &MethodName) -> model::Method<'_> {
    model::Method { class: &it.class, binary_class: &it.binary_class, name: &it.name, parameters: &it.parameters, returns: &it.returns }
}

/// What made the report.
pub(super) fn tool() -> model::Tool {
    model::Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") }
}

pub(super) fn precision(it: settings::Precision) -> model::Precision {
    match it {
        settings::Precision::Refined => model::Precision::Refined,
        settings::Precision::Paper => model::Precision::Paper,
    }
}

pub(super) fn tier(it: settings::Tier) -> model::Tier {
    match it {
        settings::Tier::Core => model::Tier::Core,
        settings::Tier::OptIn => model::Tier::OptIn,
    }
}

fn category(it: Category) -> model::Category {
    match it {
        Category::System => model::Category::System,
        Category::Internal => model::Category::Internal,
        Category::External => model::Category::External,
        Category::WhiteList => model::Category::WhiteList,
    }
}

fn sink_kind(it: SinkKind) -> model::SinkKind {
    match it {
        SinkKind::Return => model::SinkKind::Return,
        SinkKind::Branch => model::SinkKind::Branch,
        SinkKind::Throw => model::SinkKind::Throw,
    }
}

pub(super) fn reason(it: Reason) -> model::Reason {
    match it {
        Reason::Constant => model::Reason::Constant,
        Reason::NoModifier => model::Reason::NoModifier,
        Reason::ModifierNeverCalled => model::Reason::ModifierNeverCalled,
        Reason::StartUpOnly => model::Reason::StartUpOnly,
        Reason::LazyConstant => model::Reason::LazyConstant,
        Reason::Injected => model::Reason::Injected,
        Reason::Declared => model::Reason::Declared,
    }
}

pub(super) fn world(it: World) -> model::World {
    match it {
        World::Application => model::World::Application,
        World::Library => model::World::Library,
        World::WithTests => model::World::WithTests,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;
    use std::{env, fs};

    #[test]
    fn the_schema_in_docs_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/report.schema.json");
        if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
            fs::write(path, schema()).expect("docs can be written");
        }
        let checked_in = fs::read_to_string(path).unwrap_or_default();
        assert!(checked_in == schema(), "docs/report.schema.json is old: run the test again with UPDATE_SCHEMA=1");
    }

    fn text(value: impl serde::Serialize) -> String {
        serde_json::to_value(value).ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
    }

    #[test]
    fn words_are_those_of_messages() {
        for it in Category::ALL {
            assert_eq!(text(category(it)), codes::category(it));
        }
        for it in [SinkKind::Return, SinkKind::Branch, SinkKind::Throw] {
            assert_eq!(text(sink_kind(it)), codes::sink(it));
        }
        for it in
            [Reason::Constant, Reason::NoModifier, Reason::ModifierNeverCalled, Reason::StartUpOnly, Reason::LazyConstant, Reason::Injected, Reason::Declared]
        {
            assert_eq!(text(reason(it)), codes::reason(it));
        }
        for it in [World::Application, World::Library, World::WithTests] {
            assert_eq!(text(world(it)), codes::world(it));
        }
    }
}

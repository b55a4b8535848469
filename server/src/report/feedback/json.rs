//! What failures tell, for machines. The format is in `model`; `docs/feedback.schema.json` describes it.

use super::{remark, verdict};
use crate::load::relative;
use crate::report::{Report, json, model};
use crate::verdict::feedback::{Diagnosis, Feedback, Remark, Row, RowKind, Suspect, Unclear};
use std::io::{self, Write};
use std::path::Path;

/// The version of the format.
pub const VERSION: u32 = 1;

/// Prints what failures tell as one JSON object and a line break.
pub fn print(out: &mut dyn Write, report: &Report<'_>, feedback: &Feedback) -> io::Result<()> {
    let model = model::FeedbackReport {
        version: VERSION,
        tool: json::tool(),
        root: relative(Path::new(""), report.root),
        failures: feedback.failures.iter().map(|it| report.failure(it)).collect(),
        rows: feedback.rows.iter().map(|it| report.white_list_row(it)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &model)?;
    writeln!(out)
}

/// The JSON schema of what [`print()`] writes, with a line break at its end.
pub fn schema() -> String {
    json::schema_of::<model::FeedbackReport<'static>>()
}

impl Report<'_> {
    fn failure<'a>(&self, failure: &'a Diagnosis) -> model::Failure<'a> {
        model::Failure {
            title: &failure.title,
            methods: failure.suspects.iter().map(|it| self.suspect(it)).collect(),
            foreign_frames: failure.foreign,
            unclear_frames: failure.remarks.iter().map(unclear).collect(),
        }
    }

    fn suspect<'a>(&self, it: &'a Suspect) -> model::Suspect<'a> {
        let lost = it.lost.iter().map(|it| model::LostCall {
            method: &it.method,
            what: &it.write.what,
            file: self.path_from_root(it.write.place.file),
            range: self.range(it.write.place),
        });
        let unknown = it.unknown.iter().map(|it| model::UnknownCall { name: &it.name, file: self.path_from_root(it.place.file), range: self.range(it.place) });
        let fields = it.fields.iter().map(|it| model::ReadField {
            field: &it.name,
            reason: json::reason(it.reason),
            file: self.path_from_root(it.place.file),
            range: self.range(it.place),
        });
        model::Suspect {
            method: json::method(&it.method),
            file: self.path_from_root(it.place.file),
            range: self.range(it.place),
            mocking_point: it.point.is_some(),
            message: verdict(it),
            lost_writes: lost.collect(),
            unknown_calls: unknown.collect(),
            ruled_out_fields: fields.collect(),
        }
    }

    fn white_list_row<'a>(&self, row: &'a Row) -> model::Row<'a> {
        let uses = row.uses.iter().map(|it| model::Use { method: &it.method, file: self.path_from_root(it.place.file), range: self.range(it.place) });
        model::Row {
            table: match row.kind {
                RowKind::MockingPoint => model::RowTable::MockingPoint,
                RowKind::Source => model::RowTable::Source,
                RowKind::EntryPoint => model::RowTable::EntryPoint,
            },
            ty: &row.ty,
            member: &row.member,
            reason: &row.reason,
            likely: row.likely,
            uses: uses.collect(),
            failures: row.failures.clone(),
        }
    }
}

fn unclear(it: &Remark) -> model::UnclearFrame<'_> {
    model::UnclearFrame {
        frame: &it.frame,
        kind: match it.why {
            Unclear::NoClass => model::UnclearKind::UnknownClass,
            Unclear::SeveralClasses => model::UnclearKind::AmbiguousClass,
            Unclear::NoMethod => model::UnclearKind::UnknownMethod,
            Unclear::Overloads => model::UnclearKind::Overloads,
            Unclear::NoLine => model::UnclearKind::AmbiguousMethod,
            Unclear::Test => model::UnclearKind::Test,
        },
        message: remark(it),
        candidates: &it.candidates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs};

    #[test]
    fn the_schema_of_feedback_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/feedback.schema.json");
        if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
            fs::write(path, schema()).expect("docs can be written");
        }
        let checked_in = fs::read_to_string(path).unwrap_or_default();
        assert!(checked_in == schema(), "docs/feedback.schema.json is old: run the test again with UPDATE_SCHEMA=1");
    }

    #[test]
    fn words_of_tables_are_those_of_the_file() {
        for (kind, table) in [
            (RowKind::MockingPoint, model::RowTable::MockingPoint),
            (RowKind::Source, model::RowTable::Source),
            (RowKind::EntryPoint, model::RowTable::EntryPoint),
        ] {
            assert_eq!(serde_json::to_value(table).ok().and_then(|it| it.as_str().map(str::to_owned)).as_deref(), Some(kind.table()));
        }
    }
}

//! Findings as diagnostics, whether they are sent or asked for.

use super::convert::{range, uri_of};
use super::initialize::Setup;
use super::moment::Moment;
use super::settings::{EditorSettings, Tag};
use crate::codes;
use crate::config::Severity;
use crate::host::Findings;
use crate::verdict::{CarrierField, FieldVerdict, KeptIn, MockingPoint, Modifier, Place, Reason, Step, UnmockableSource};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::path::PathBuf;
use tower_lsp::lsp_types::*;

/// What shows as the origin of our diagnostics.
pub(super) const SOURCE: &str = "mockpoint";

/// What diagnostics are made of: findings, and how the client wants to hear of them.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) setup: &'a Setup,
    pub(super) findings: &'a Findings,
    /// The client's spelling of open documents.
    pub(super) uris: &'a FxHashMap<PathBuf, Url>,
    pub(super) settings: &'a EditorSettings,
}

impl Moment {
    /// The diagnostics of a file.
    pub(super) fn diagnostics(&self, findings: &Findings) -> Vec<Diagnostic> {
        Context { setup: &self.setup, findings, uris: &self.uris, settings: self.settings.of(&findings.file().path) }.all()
    }
}

impl Context<'_> {
    /// All of a file, in the order of their places.
    fn all(self) -> Vec<Diagnostic> {
        let points = self.findings.points.iter().map(|it| self.point(it));
        let fields = self.findings.fields.iter().filter(|it| is_shown(it)).map(|it| self.field(it));
        let effects = self.findings.points.iter().filter_map(|it| self.side_effect(it));
        let unmockable = self.findings.unmockable.iter().map(|it| self.unmockable(it));
        let carriers = self.findings.carriers().iter().map(|it| self.carrier(it));
        let mut res: Vec<Diagnostic> = points.chain(fields).chain(effects).chain(unmockable).chain(carriers).filter(|it| it.severity.is_some()).collect();
        res.sort_by_key(|it| it.range.start);
        res
    }

    /// One diagnostic a method. Related are the path, then the other reads.
    pub(super) fn point(self, point: &MockingPoint) -> Diagnostic {
        let data = json!({ "code": codes::MOCKING_POINT, "class": point.method.class, "name": point.method.name });
        let mut res = self.diagnostic(point.place, codes::MOCKING_POINT, codes::point_message(point), data);
        let mut steps = point.path.clone();
        for source in &point.sources {
            if !steps.iter().any(|it| it.place == source.place) {
                let via = source.via.as_ref().map_or_else(String::new, |via| format!(" through field {via}"));
                let verb = if source.dependency.is_some() { "calls" } else { "reads" };
                steps.push(Step { place: source.place, note: format!("{verb} {}{via} as well", source.what) });
            }
        }
        res.related_information = self.related(&steps);
        res
    }

    /// The warning on what a mocking point writes, at the first write.
    pub(super) fn side_effect(self, point: &MockingPoint) -> Option<Diagnostic> {
        let first = point.lost.first()?;
        let data = json!({ "code": codes::LOST_SIDE_EFFECT, "class": point.method.class, "name": point.method.name });
        let mut res = self.diagnostic(first.place, codes::LOST_SIDE_EFFECT, codes::side_effect_message(point), data);
        let others = point.lost.iter().skip(1).map(|it| Step { place: it.place, note: format!("{} as well", it.what) });
        let steps: Vec<Step> = first.path.iter().skip(1).cloned().chain(others).collect();
        res.related_information = self.related(&steps);
        Some(res)
    }

    /// What is said of a field. Related is what modifies it.
    pub(super) fn field(self, field: &FieldVerdict) -> Diagnostic {
        let code = codes::field_code(field);
        let data = json!({ "code": code, "class": field.class, "name": field.name });
        let mut res = self.diagnostic(field.place, code, codes::field_message(field), data);
        let step = |it: &Modifier| Step { place: it.place, note: format!("{} modifies it{}", it.method, if it.called { "" } else { "; nothing calls that" }) };
        res.related_information = self.related(&field.modifiers.iter().map(step).collect::<Vec<_>>());
        res
    }

    /// What is said of a read where no method can be mocked. Related are the fields that keep it.
    pub(super) fn unmockable(self, it: &UnmockableSource) -> Diagnostic {
        let data = json!({ "code": codes::UNMOCKABLE_SOURCE, "class": it.class, "name": it.read.what });
        let mut res = self.diagnostic(it.read.place, codes::UNMOCKABLE_SOURCE, codes::unmockable_message(it), data);
        let step = |kept: &KeptIn| Step { place: kept.place, note: format!("field {} keeps it", kept.field) };
        res.related_information = self.related(&it.fields.iter().map(step).collect::<Vec<_>>());
        res
    }

    /// What is said of a field that carries state. Related is how it gets there.
    pub(super) fn carrier(self, it: &CarrierField) -> Diagnostic {
        let data = json!({ "code": codes::CARRIER_FIELD, "class": it.class, "name": it.name });
        let mut res = self.diagnostic(it.place, codes::CARRIER_FIELD, codes::carrier_message(it), data);
        res.related_information = self.related(&it.carried.iter().flat_map(|it| it.path.iter().cloned()).collect::<Vec<_>>());
        res
    }

    fn diagnostic(self, place: Place, code: &str, message: String, data: Value) -> Diagnostic {
        Diagnostic {
            range: range(&self.findings.file().lines, place.range, self.setup.encoding),
            severity: self.severity(code),
            code: Some(NumberOrString::String(code.to_owned())),
            code_description: page(self.setup, code),
            source: Some(SOURCE.to_owned()),
            message,
            tags: tags(self.setup, self.settings, code),
            data: Some(data),
            ..Diagnostic::default()
        }
    }

    /// How serious a code is: by the person, the project, or as usual. `None` if nobody is to be told.
    fn severity(self, code: &str) -> Option<DiagnosticSeverity> {
        let of_person = self.settings.diagnostics.severity.get(code).copied();
        shown_severity(code, of_person.or_else(|| self.findings.linked.linked.listed.severity(self.findings.id, code)))
    }

    fn related(self, steps: &[Step]) -> Option<Vec<DiagnosticRelatedInformation>> {
        if !self.setup.related_information || steps.is_empty() {
            return None;
        }
        let related = |step: &Step| {
            let file = self.findings.file_of(step.place)?;
            let uri = self.uris.get(&file.path).cloned().or_else(|| uri_of(&file.path))?;
            let location = Location { uri, range: range(&file.lines, step.place.range, self.setup.encoding) };
            Some(DiagnosticRelatedInformation { location, message: step.note.clone() })
        };
        Some(steps.iter().filter_map(related).collect())
    }
}

/// A constant says itself that it never changes.
pub(super) fn is_shown(field: &FieldVerdict) -> bool {
    field.ruled_out != Some(Reason::Constant)
}

/// The page about a code, if the client can open one.
pub(super) fn page(setup: &Setup, code: &str) -> Option<CodeDescription> {
    let page = codes::documentation(code).filter(|_| setup.code_description)?;
    Url::parse(&page).ok().map(|href| CodeDescription { href })
}

/// How a person wants findings of a code drawn, as far as the client can.
pub(super) fn tags(setup: &Setup, settings: &EditorSettings, code: &str) -> Option<Vec<DiagnosticTag>> {
    let tag = match settings.diagnostics.tags.get(code)? {
        Tag::None => return None,
        Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        Tag::Deprecated => DiagnosticTag::DEPRECATED,
    };
    setup.tags.contains(&tag).then(|| vec![tag])
}

/// How serious a code is: as wanted, or as usual. `None` if nobody is to be told.
pub(super) fn shown_severity(code: &str, wanted: Option<Severity>) -> Option<DiagnosticSeverity> {
    match wanted.unwrap_or_else(|| usual_severity(code)) {
        Severity::Error => Some(DiagnosticSeverity::ERROR),
        Severity::Warning => Some(DiagnosticSeverity::WARNING),
        Severity::Information => Some(DiagnosticSeverity::INFORMATION),
        Severity::Hint => Some(DiagnosticSeverity::HINT),
        Severity::Off => None,
    }
}

fn usual_severity(code: &str) -> Severity {
    match code {
        codes::MOCKING_POINT => Severity::Information,
        codes::LOST_SIDE_EFFECT | codes::UNRESOLVED_CONFIGURATION => Severity::Warning,
        _ => Severity::Hint,
    }
}

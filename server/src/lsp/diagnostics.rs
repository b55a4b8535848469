//! `textDocument/publishDiagnostics`: findings as diagnostics.

use super::convert::{range, uri_of};
use super::initialize::Setup;
use crate::codes;
use crate::config::Severity;
use crate::host::{Findings, View};
use crate::verdict::{FieldVerdict, MockingPoint, Place, Reason, Step};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::path::PathBuf;
use tower_lsp::lsp_types::*;

/// What shows as the origin of our diagnostics.
const SOURCE: &str = "mockpoint";

/// The diagnostics of an open file, in the order of their places. `uris` has the client's spelling of open documents.
pub(super) fn diagnostics(setup: &Setup, view: &View, findings: &Findings, uris: &FxHashMap<PathBuf, Url>) -> Vec<Diagnostic> {
    let points = findings.points.iter().map(|it| point(setup, view, findings, it, uris));
    let fields = findings.fields.iter().filter(|it| is_shown(it)).map(|it| field(setup, view, it));
    let effects = findings.points.iter().filter_map(|it| side_effect(setup, view, findings, it, uris));
    let mut res: Vec<Diagnostic> = points.chain(fields).chain(effects).collect();
    for it in &mut res {
        if let Some(NumberOrString::String(code)) = &it.code
            && let Some(wanted) = findings.linked.linked.listed.severity(findings.id, code)
        {
            it.severity = severity(wanted);
        }
    }
    res.sort_by_key(|it| it.range.start);
    res
}

/// What the project says of a code.
fn severity(wanted: Severity) -> Option<DiagnosticSeverity> {
    Some(match wanted {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
        Severity::Off => return None,
    })
}

/// A constant says itself that it never changes.
pub(super) fn is_shown(field: &FieldVerdict) -> bool {
    field.ruled_out != Some(Reason::Constant)
}

pub(super) fn point(setup: &Setup, view: &View, findings: &Findings, point: &MockingPoint, uris: &FxHashMap<PathBuf, Url>) -> Diagnostic {
    let data = json!({ "code": codes::MOCKING_POINT, "class": point.method.class, "name": point.method.name });
    let mut res = diagnostic(setup, view, point.place, codes::MOCKING_POINT, codes::point_message(point), data);
    res.severity = Some(DiagnosticSeverity::INFORMATION);
    if setup.related_information && !point.path.is_empty() {
        res.related_information = Some(point.path.iter().filter_map(|it| related(setup, findings, it, uris)).collect());
    }
    res
}

/// The warning on what a mocking point writes, at the first write.
pub(super) fn side_effect(setup: &Setup, view: &View, findings: &Findings, point: &MockingPoint, uris: &FxHashMap<PathBuf, Url>) -> Option<Diagnostic> {
    let first = point.lost.first()?;
    let data = json!({ "code": codes::LOST_SIDE_EFFECT, "class": point.method.class, "name": point.method.name });
    let mut res = diagnostic(setup, view, first.place, codes::LOST_SIDE_EFFECT, codes::side_effect_message(point), data);
    res.severity = Some(DiagnosticSeverity::WARNING);
    if setup.related_information {
        let others = point.lost.iter().skip(1).map(|it| Step { place: it.place, note: format!("{} as well", it.what) });
        let steps: Vec<Step> = first.path.iter().skip(1).cloned().chain(others).collect();
        let related: Vec<_> = steps.iter().filter_map(|it| related(setup, findings, it, uris)).collect();
        res.related_information = (!related.is_empty()).then_some(related);
    }
    Some(res)
}

pub(super) fn field(setup: &Setup, view: &View, field: &FieldVerdict) -> Diagnostic {
    let code = codes::field_code(field);
    let data = json!({ "code": code, "class": field.class, "name": field.name });
    diagnostic(setup, view, field.place, code, codes::field_message(field), data)
}

fn diagnostic(setup: &Setup, view: &View, place: Place, code: &str, message: String, data: Value) -> Diagnostic {
    let page = codes::documentation(code).filter(|_| setup.code_description).and_then(|it| Url::parse(&it).ok());
    Diagnostic {
        range: range(&view.file.lines, place.range, setup.encoding),
        severity: Some(DiagnosticSeverity::HINT),
        code: Some(NumberOrString::String(code.to_owned())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        data: Some(data),
        ..Diagnostic::default()
    }
}

fn related(setup: &Setup, findings: &Findings, step: &Step, uris: &FxHashMap<PathBuf, Url>) -> Option<DiagnosticRelatedInformation> {
    let file = findings.file_of(step.place)?;
    let uri = uris.get(&file.path).cloned().or_else(|| uri_of(&file.path))?;
    let location = Location { uri, range: range(&file.lines, step.place.range, setup.encoding) };
    Some(DiagnosticRelatedInformation { location, message: step.note.clone() })
}

//! Make all fields final that are never modified: of the file, or of the workspace.

use super::{Asked, Change, Fix, Subject, make_final};
use crate::codes;
use crate::host::declaration::named_at;
use crate::host::{Findings, View};
use crate::rewrite::Edit;
use tower_lsp::lsp_types::CodeActionKind;

pub(super) fn fixes(asked: &Asked<'_>) -> Vec<Fix> {
    let mut found = Vec::new();
    let here = finals(asked.view, asked.findings, asked.text);
    if !here.is_empty() {
        let title = "Make all never-modified fields of this file final".to_owned();
        found.push(Fix { kind: CodeActionKind::SOURCE_FIX_ALL, ..Fix::quick(title, here) });
    }
    found
}

fn finals(view: &View, findings: &Findings, text: &str) -> Vec<Edit> {
    let mut found: Vec<Edit> = Vec::new();
    for field in findings.fields.iter().filter(|it| it.ruled_out.is_some() && it.can_be_final) {
        let Some(declaration) = named_at(&view.file, field.place.range.start as usize).map(|it| it.start() as usize) else { continue };
        let subject = Subject { view, findings, text, place: field.place, declaration, code: codes::NEVER_MODIFIED_FIELD, name: &field.name };
        let fix = make_final::fix(&subject);
        for change in fix.into_iter().flat_map(|it| it.changes) {
            if let Change::Here(edits) = change {
                // Fields of one declaration have one `final`.
                found.extend(edits.into_iter().filter(|it| !found.contains(it)).collect::<Vec<_>>());
            }
        }
    }
    found
}

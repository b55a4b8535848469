//! Make all fields final that are never modified: of the file, or of the workspace.

use super::{Asked, Fix, Subject, make_final};
use crate::codes;
use crate::host::Findings;
use crate::host::declaration::named_at;
use crate::lsp::commands::FINAL_EVERYWHERE;
use crate::lsp::moment::Moment;
use crate::rewrite::Edit;
use crate::workspace::SourceFile;
use tower_lsp::lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Command};

/// Not a part of `source.fixAll`: who runs that whenever a file is saved means the file.
pub(super) const EVERYWHERE: CodeActionKind = CodeActionKind::new("source.mockpoint.finalEverywhere");

pub(super) fn fixes(asked: &Asked<'_>) -> Vec<Fix<'static>> {
    let mut found = Vec::new();
    let here = finals(&asked.view.file, asked.findings, asked.text);
    if !here.is_empty() {
        let title = "Make all never-modified fields of this file final".to_owned();
        found.push(Fix { kind: CodeActionKind::SOURCE_FIX_ALL, ..Fix::quick(title, here) });
    }
    found
}

/// The same for the workspace, as a command: its edit is worked out when it is chosen.
pub(super) fn everywhere(moment: &Moment) -> Option<CodeActionOrCommand> {
    let fields = &moment.snapshot.linked.verdicts.fields;
    if !moment.setup.applies_edits || !moment.complete || !fields.iter().any(|it| it.ruled_out.is_some() && it.can_be_final) {
        return None;
    }
    let title = "Make all never-modified fields of the workspace final".to_owned();
    let command = Command { title: title.clone(), command: FINAL_EVERYWHERE.to_owned(), arguments: None };
    Some(CodeActionOrCommand::CodeAction(CodeAction { title, kind: Some(EVERYWHERE), command: Some(command), ..CodeAction::default() }))
}

/// The edits of one file, whose text is `text`.
pub(in crate::lsp) fn finals(file: &SourceFile, findings: &Findings, text: &str) -> Vec<Edit> {
    let mut found: Vec<Edit> = Vec::new();
    for field in findings.fields.iter().filter(|it| it.ruled_out.is_some() && it.can_be_final) {
        let Some(declaration) = named_at(file, field.place.range.start as usize).map(|it| it.start() as usize) else { continue };
        let subject = Subject { file, findings, text, place: field.place, declaration, code: codes::NEVER_MODIFIED_FIELD, name: &field.name };
        // Fields of one declaration have one `final`.
        found.extend(make_final::edit(&subject).filter(|it| !found.contains(it)));
    }
    found
}

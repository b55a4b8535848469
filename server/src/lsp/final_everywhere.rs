//! `mockpoint.makeFinalEverywhere`: `final` for all fields of the workspace that are never modified, where that compiles.

use super::code_action::finals;
use super::convert::{edit_of_documents, range};
use super::moment::Moment;
use crate::host::Findings;
use crate::rewrite::Edit;
use crate::text::{LineIndex, decode};
use serde_json::{Value, json};
use std::fs;
use tokio::runtime::Handle;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::*;

/// Asks the client to apply the edit, and answers how many files and places it has. Called within the runtime; does not wait for the client.
pub(super) fn run(moment: &Moment, client: &Client) -> Result<Value> {
    if !moment.setup.applies_edits {
        return Err(Error { message: "the client applies no edits".into(), ..Error::invalid_request() });
    }
    let documents = edits(moment);
    let (n_files, n_places) = (documents.len(), documents.iter().map(|it| it.edits.len()).sum::<usize>());
    if n_files > 0 {
        let edit = edit_of_documents(documents, moment.setup.document_changes);
        let client = client.clone();
        Handle::current().spawn(async move {
            match client.apply_edit(edit).await {
                Ok(answer) if !answer.applied => {
                    let why = answer.failure_reason.map(|it| format!(": {it}")).unwrap_or_default();
                    client.show_message(MessageType::WARNING, format!("the fields were not made final{why}")).await;
                }
                Ok(_) => {}
                Err(err) => tracing::warn!("the client did not apply an edit: {err}"),
            }
        });
    }
    Ok(json!({ "files": n_files, "places": n_places }))
}

fn edits(moment: &Moment) -> Vec<TextDocumentEdit> {
    let encoding = moment.setup.encoding;
    let mut found = Vec::new();
    for findings in moment.all_findings() {
        let file = findings.file();
        let view = moment.snapshot.view(&file.path);
        let text = match view {
            Some(view) => view.rope.to_string(),
            None => match on_disk(&findings) {
                Some(text) => text,
                None => continue,
            },
        };
        let here = finals(file, &findings, &text);
        let Some(uri) = moment.uri(&file.path).filter(|_| !here.is_empty()) else { continue };
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version: view.map(|it| it.version) };
        let edit = |it: Edit| OneOf::Left(TextEdit { range: range(&file.lines, it.bytes, encoding), new_text: it.text });
        found.push(TextDocumentEdit { text_document, edits: here.into_iter().map(edit).collect() });
    }
    found
}

/// The text of a file that is not open, if it is the one that was linked: each field is still where it was found.
fn on_disk(findings: &Findings) -> Option<String> {
    let file = findings.file();
    let mut fields = findings.fields.iter().filter(|it| it.ruled_out.is_some() && it.can_be_final).peekable();
    fields.peek()?;
    let text = decode(fs::read(&file.path).ok()?).text;
    let is_same = same_lines(&LineIndex::new(&text), &file.lines)
        && fields.all(|it| text.get(it.place.range.start as usize..it.place.range.end as usize) == Some(&it.name));
    is_same.then_some(text)
}

/// Whether all lines begin at the same bytes.
fn same_lines(left: &LineIndex, right: &LineIndex) -> bool {
    let n = left.line_count();
    n == right.line_count() && (0..n).all(|it| left.line_range(it) == right.line_range(it))
}

//! `textDocument/codeAction`: fixes for our diagnostics. Each kind of fix has a file of its own.

mod annotations;
mod make_final;
mod suppress;

use super::convert::{overlap, range};
use super::diagnostics::{self, Context};
use super::initialize::Setup;
use super::moment::Moment;
use crate::codes;
use crate::host::declaration::named_at;
use crate::host::{Findings, View};
use crate::java::decls::Range as Bytes;
use crate::verdict::Place;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::path::Path;
use tower_lsp::lsp_types::*;

/// A fix in terms of the text.
#[derive(Debug, PartialEq, Eq)]
struct Fix {
    title: String,
    edit: Edit,
    is_preferred: bool,
}

/// A piece of text that replaces another.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    bytes: Bytes,
    text: String,
}

impl Edit {
    fn insert(at: usize, text: impl Into<String>) -> Option<Edit> {
        let at = u32::try_from(at).ok()?;
        Some(Edit { bytes: Bytes { start: at, end: at }, text: text.into() })
    }
}

/// A finding that fixes are wanted for.
struct Subject<'a> {
    view: &'a View,
    findings: &'a Findings,
    text: &'a str,
    /// Its name.
    place: Place,
    /// Where its declaration begins, with its modifiers and annotations.
    declaration: usize,
    code: &'static str,
    name: &'a str,
}

pub(super) fn code_actions(moment: &Moment, path: &Path, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let wants_fixes = params.context.only.as_ref().is_none_or(|only| only.iter().any(is_quickfix));
    let setup = &*moment.setup;
    let (view, findings) = moment.open(path).filter(|_| wants_fixes)?;
    let text = view.rope.to_string();
    // The answer speaks of the document by the name that the request used.
    let uri = &params.text_document.uri;
    let spelling = FxHashMap::from_iter([(path.to_owned(), uri.clone())]);
    let context = Context { setup, findings, uris: &spelling, settings: moment.settings.of(path) };
    let is_here = |place: Place| overlap(range(&view.file.lines, place.range, setup.encoding), params.range);
    let mut res = Vec::new();
    let mut add = |subject: Subject<'_>, diagnostic: &Diagnostic| {
        let fixes = [make_final::fix(&subject), suppress::annotation(&subject), suppress::comment(&subject)];
        res.extend(fixes.into_iter().flatten().map(|fix| action(setup, view, uri, fix, diagnostic)));
    };
    for point in findings.points.iter().filter(|it| is_here(it.place)) {
        let diagnostic = context.point(point);
        let declaration = point.declaration.range.start as usize;
        add(Subject { view, findings, text: &text, place: point.place, declaration, code: codes::MOCKING_POINT, name: &point.method.name }, &diagnostic);
    }
    for field in findings.fields.iter().filter(|it| diagnostics::is_shown(it) && is_here(it.place)) {
        let diagnostic = context.field(field);
        let found = named_at(&view.file, field.place.range.start as usize);
        let Some(declaration) = found.map(|it| it.start() as usize) else { continue };
        add(Subject { view, findings, text: &text, place: field.place, declaration, code: codes::field_code(field), name: &field.name }, &diagnostic);
    }
    Some(res)
}

/// Kinds are hierarchical: who asks for the whole gets its parts.
fn is_quickfix(kind: &CodeActionKind) -> bool {
    kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX
}

fn action(setup: &Setup, view: &View, uri: &Url, fix: Fix, diagnostic: &Diagnostic) -> CodeActionOrCommand {
    let edit = TextEdit { range: range(&view.file.lines, fix.edit.bytes, setup.encoding), new_text: fix.edit.text };
    let edit = if setup.document_changes {
        let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: Some(view.version) };
        let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] }]);
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    } else {
        WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), vec![edit])])), ..WorkspaceEdit::default() }
    };
    CodeActionOrCommand::CodeAction(CodeAction {
        title: fix.title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(edit),
        is_preferred: fix.is_preferred.then_some(true),
        ..CodeAction::default()
    })
}

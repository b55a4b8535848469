//! Between the protocol's types and ours. Nothing here fails on what a client sends.

use crate::java::decls::Range as Bytes;
use crate::text::{self, Encoding, LineIndex};
use std::path::{Path, PathBuf};
use tower_lsp::lsp_types::{
    AnnotatedTextEdit, DocumentChanges, OneOf, Position, Range, TextDocumentContentChangeEvent, TextDocumentEdit, TextEdit, Url, WorkspaceEdit,
};

/// The path that stands for a document. Documents that were never saved have one that is nowhere on the disk.
/// `None` for what is no text of a workspace: old versions, parts of archives, what other servers made.
pub(super) fn path_of(uri: &Url) -> Option<PathBuf> {
    match uri.scheme() {
        "file" => uri.to_file_path().ok(),
        "untitled" => Some(PathBuf::from(uri.as_str())),
        _ => None,
    }
}

/// The address of a path that no client has spelled.
pub(super) fn uri_of(path: &Path) -> Option<Url> {
    Url::from_file_path(path).or_else(|()| Url::parse(&path.to_string_lossy()).map_err(|_| ())).ok()
}

pub(super) fn position(at: Position) -> text::Position {
    text::Position::new(at.line, at.character)
}

/// Where bytes of a text are.
pub(super) fn range(lines: &LineIndex, bytes: Bytes, encoding: Encoding) -> Range {
    let at = |offset: u32| {
        let text::Position { line, column } = lines.position(offset as usize, encoding);
        Position::new(line, column)
    };
    Range::new(at(bytes.start), at(bytes.end))
}

pub(super) fn change(change: TextDocumentContentChangeEvent) -> text::Change {
    text::Change { range: change.range.map(|it| (position(it.start), position(it.end))), text: change.text }
}

/// The edit of these documents; for clients that know nothing of versions, without them.
pub(super) fn edit_of_documents(documents: Vec<TextDocumentEdit>, with_versions: bool) -> WorkspaceEdit {
    if with_versions {
        return WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(documents)), ..WorkspaceEdit::default() };
    }
    let plain = |it: OneOf<TextEdit, AnnotatedTextEdit>| match it {
        OneOf::Left(edit) => edit,
        OneOf::Right(edit) => edit.text_edit,
    };
    let changes = documents.into_iter().map(|it| (it.text_document.uri, it.edits.into_iter().map(plain).collect())).collect();
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Whether two ranges have a place in common; touching is enough.
pub(super) fn overlap(left: Range, right: Range) -> bool {
    left.start <= right.end && right.start <= left.end
}

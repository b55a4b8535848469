//! Between the protocol's types and ours. Nothing here fails on what a client sends.

use crate::java::decls::Range as Bytes;
use crate::text::{self, Encoding, LineIndex};
use std::path::{Path, PathBuf};
use tower_lsp::lsp_types::{Position, Range, TextDocumentContentChangeEvent, Url};

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

/// Whether two ranges have a place in common; touching is enough.
pub(super) fn overlap(left: Range, right: Range) -> bool {
    left.start <= right.end && right.start <= left.end
}

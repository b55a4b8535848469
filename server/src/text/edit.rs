//! The text of an open file and the changes that a client makes to it.

use ropey::{Rope, RopeSlice};

use super::encoding::{Encoding, Position, to_u32, to_usize};

/// An open file: the client's text of it, which counts instead of the one on the disk.
#[derive(Clone, Debug)]
pub struct Document {
    /// The text. Cheap to clone: clones share what they have in common.
    pub rope: Rope,
    /// The version that the client gave to this text; it grows with each change.
    pub version: i32,
}

/// One change of a `textDocument/didChange`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is replaced, in the text that the previous change left; all of it if `None`.
    pub range: Option<(Position, Position)>,
    /// What comes in its place.
    pub text: String,
}

/// One change in bytes, as `Tree::edit` of tree-sitter wants it.
///
/// It describes what happened to the text that the *parser* sees (`parse_text`). There a CR is a line break only
/// if no LF follows, so a change right behind a CR can change the CR as well; then the edit begins at the CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteEdit {
    /// The first byte that may differ.
    pub start: usize,
    /// The end of the replaced bytes in the text before.
    pub old_end: usize,
    /// The end of the new bytes in the text after.
    pub new_end: usize,
    /// Row and column in bytes of `start`: rows end as LF ends them in the parser's text.
    pub start_point: (usize, usize),
    /// Row and column of `old_end` in the text before.
    pub old_end_point: (usize, usize),
    /// Row and column of `new_end` in the text after.
    pub new_end_point: (usize, usize),
}

/// What [`Document::apply`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// These edits, in this order, each in the text that the one before left. Empty if nothing changed.
    Edits(Vec<ByteEdit>),
    /// The whole text was replaced; an old tree is of no use.
    Whole,
}

impl Document {
    /// A document with the text and version of `textDocument/didOpen`.
    pub fn new(text: &str, version: i32) -> Self {
        Document { rope: Rope::from_str(text), version }
    }

    /// Applies changes in their order. Does not touch the version: whether a change is newer than the text is for
    /// the caller to say.
    ///
    /// The ranges are clamped to the text and a range with its ends exchanged is taken the right way round.
    pub fn apply(&mut self, changes: &[Change], encoding: Encoding) -> Applied {
        // What came before the last replacement of everything has no effect.
        let last_whole = changes.iter().rposition(|change| change.range.is_none());
        let (mut res, rest) = match last_whole {
            Some(idx) => {
                self.rope = Rope::from_str(&changes[idx].text);
                (Applied::Whole, &changes[idx + 1..])
            }
            None => (Applied::Edits(Vec::new()), changes),
        };
        for change in rest {
            let Some((a, b)) = change.range else { continue };
            let (a, b) = (self.offset(a, encoding), self.offset(b, encoding));
            let edit = self.replace(a.min(b), a.max(b), &change.text);
            if let (Applied::Edits(edits), Some(edit)) = (&mut res, edit) {
                edits.push(edit);
            }
        }
        res
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.rope.to_string()
    }

    /// The byte offset of a position, clamped as [`LineIndex::offset`](super::LineIndex::offset) clamps it.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = to_usize(position.line);
        if self.rope.len_lines() <= line {
            return self.rope.len_bytes();
        }
        let content = line_content(&self.rope, line);
        let column = to_usize(position.column);
        // Each of the three rounds down within a character.
        let char_idx = match encoding {
            Encoding::Utf8 => content.byte_to_char(column.min(content.len_bytes())),
            Encoding::Utf16 => content.utf16_cu_to_char(column.min(content.len_utf16_cu())),
            Encoding::Utf32 => column.min(content.len_chars()),
        };
        self.rope.line_to_byte(line) + content.char_to_byte(char_idx)
    }

    /// The position of a byte offset, clamped as [`LineIndex::position`](super::LineIndex::position) clamps it.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.rope.len_bytes());
        let line = self.rope.byte_to_line(offset);
        let content = line_content(&self.rope, line);
        let in_line = (offset - self.rope.line_to_byte(line)).min(content.len_bytes());
        let char_idx = content.byte_to_char(in_line);
        let column = match encoding {
            Encoding::Utf8 => content.char_to_byte(char_idx),
            Encoding::Utf16 => content.char_to_utf16_cu(char_idx),
            Encoding::Utf32 => char_idx,
        };
        Position { line: to_u32(line), column: to_u32(column) }
    }

    /// Replaces bytes `start..end`, which are offsets of characters in the text. `None` if that changes nothing.
    fn replace(&mut self, start: usize, end: usize, text: &str) -> Option<ByteEdit> {
        if start == end && text.is_empty() {
            return None;
        }
        // See `ByteEdit`: the CR may have been a line break of its own and no longer be one, or the reverse.
        let edit_start = match start.checked_sub(1) {
            Some(before) if self.rope.byte(before) == b'\r' => before,
            _ => start,
        };
        let start_point = point(&self.rope, edit_start);
        let old_end_point = point(&self.rope, end);
        let start_char = self.rope.byte_to_char(start);
        let end_char = self.rope.byte_to_char(end);
        self.rope.remove(start_char..end_char);
        self.rope.insert(start_char, text);
        let new_end = start + text.len();
        let new_end_point = point(&self.rope, new_end);
        Some(ByteEdit { start: edit_start, old_end: end, new_end, start_point, old_end_point, new_end_point })
    }
}

/// A line without what ends it. `line` is less than the number of lines.
fn line_content(rope: &Rope, line: usize) -> RopeSlice<'_> {
    let slice = rope.line(line);
    let n_bytes = slice.len_bytes();
    let byte_from_end = |n: usize| n_bytes.checked_sub(n).map(|idx| slice.byte(idx));
    let break_len = match (byte_from_end(2), byte_from_end(1)) {
        (Some(b'\r'), Some(b'\n')) => 2,
        (_, Some(b'\n' | b'\r')) => 1,
        _ => 0,
    };
    slice.byte_slice(..n_bytes - break_len)
}

/// Row and column as tree-sitter counts them in the parser's text. Its rows end at LF; as a CR alone is an LF there
/// and CR LF ends with one, these are the rope's lines.
fn point(rope: &Rope, offset: usize) -> (usize, usize) {
    let row = rope.byte_to_line(offset);
    (row, offset - rope.line_to_byte(row))
}

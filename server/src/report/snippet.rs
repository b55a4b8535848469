//! Source lines with carets below what they are about.

use crate::text::{LineIndex, decode};
use crate::verdict::{FileId, Place};
use crate::workspace::{MAX_FILE, SourceFile};
use std::collections::VecDeque;
use std::fs;
use std::sync::Arc;

/// Texts that are kept at a time. A path rarely goes through more files.
const KEPT: usize = 8;
/// Longer lines are cut around the place, in terminal cells.
const MAX_CELLS: usize = 160;
/// What is shown before the place on a cut line, in bytes.
const LEAD: usize = 80;
const TAB: usize = 4;

/// The texts of files, read again when a line of them is shown: compiled files do not keep theirs.
pub(super) struct Sources<'a> {
    files: &'a [Arc<SourceFile>],
    kept: VecDeque<(FileId, Option<String>)>,
}

/// A line and the part of it that matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Snippet {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The line as a terminal can show it: tabs are spaces, control characters are replaced.
    pub(super) text: String,
    /// Cells before the carets.
    pub(super) before: usize,
    /// Carets, at least one.
    pub(super) carets: usize,
}

impl<'a> Sources<'a> {
    pub(super) fn new(files: &'a [Arc<SourceFile>]) -> Self {
        Sources { files, kept: VecDeque::new() }
    }

    /// The first line of a place. `None` if the file changed since it was compiled, or is gone.
    pub(super) fn snippet(&mut self, place: Place) -> Option<Snippet> {
        let file = self.files.get(place.file as usize)?;
        let text = self.text(place.file)?;
        Some(cut(text, &file.lines, place))
    }

    fn text(&mut self, id: FileId) -> Option<&str> {
        let at = match self.kept.iter().position(|it| it.0 == id) {
            Some(at) => at,
            None => {
                if self.kept.len() == KEPT {
                    self.kept.pop_front();
                }
                self.kept.push_back((id, self.files.get(id as usize).and_then(|it| read(it))));
                self.kept.len() - 1
            }
        };
        self.kept.get(at)?.1.as_deref()
    }
}

/// The text of a file if its lines are still where they were.
fn read(file: &SourceFile) -> Option<String> {
    let data = fs::metadata(&file.path).ok()?;
    if !data.is_file() || data.len() > MAX_FILE {
        return None;
    }
    let text = decode(fs::read(&file.path).ok()?).text;
    (LineIndex::new(&text) == *file.lines).then_some(text)
}

fn cut(text: &str, lines: &LineIndex, place: Place) -> Snippet {
    let line = lines.line_of(place.range.start as usize);
    let range = lines.line_range(line);
    let from = (place.range.start as usize).clamp(range.start, range.end);
    let to = (place.range.end as usize).clamp(from, range.end);
    let mut at = range.start;
    let mut shown = String::new();
    if from - range.start > MAX_CELLS - LEAD / 2 {
        at = (range.start..=from - LEAD).rev().find(|&idx| text.is_char_boundary(idx)).unwrap_or(range.start);
        shown.push('…');
    }
    let mut cells = shown.chars().count();
    let mut before = cells;
    let mut end = None;
    for c in text.get(at..range.end).unwrap_or_default().chars() {
        if cells >= MAX_CELLS {
            shown.push('…');
            break;
        }
        if at <= from {
            before = cells;
        }
        if at >= to && end.is_none() {
            end = Some(cells);
        }
        at += c.len_utf8();
        if c == '\t' {
            let n = TAB - cells % TAB;
            shown.extend(std::iter::repeat_n(' ', n));
            cells += n;
        } else if c != '\u{feff}' {
            shown.push(visible(c));
            cells += width(c);
        }
    }
    if at <= from {
        before = cells;
    }
    let carets = end.unwrap_or(cells).saturating_sub(before).max(1);
    shown.truncate(shown.trim_end().len());
    Snippet { line: line + 1, text: shown, before, carets }
}

/// A text without the characters that a terminal obeys.
pub(super) fn harmless(text: &str) -> String {
    // Nearly every text is of plain letters, and the path of a file stands in every line.
    if text.bytes().all(|it| (b' '..=b'~').contains(&it)) {
        return text.to_owned();
    }
    text.chars().map(visible).collect()
}

/// Control characters move the cursor, and those of bidirectional writing make code look like other code.
fn visible(c: char) -> char {
    let is_bidi = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || is_bidi { '\u{fffd}' } else { c }
}

/// The cells that a character takes; exact for what stands before names in Java sources, Chinese comments included.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::decls::Range;

    fn show(text: &str, name: &str) -> (String, String) {
        let start = text.find(name).unwrap_or(0) as u32;
        let place = Place { file: 0, range: Range { start, end: start + name.len() as u32 } };
        let it = cut(text, &LineIndex::new(text), place);
        (it.text, " ".repeat(it.before) + &"^".repeat(it.carets))
    }

    fn pair(line: &str, carets: &str) -> (String, String) {
        (line.to_owned(), carets.to_owned())
    }

    #[test]
    fn carets() {
        assert_eq!(show("a\n  int foo = 1;\nb", "foo"), pair("  int foo = 1;", "      ^^^"));
        assert_eq!(show("\t\tfoo", "foo"), pair("        foo", "        ^^^"));
        assert_eq!(show("/* 中文 */ foo()", "foo"), pair("/* 中文 */ foo()", "           ^^^"));
        assert_eq!(show("\u{feff}foo", "foo"), pair("foo", "^^^"));
        assert_eq!(show("f\u{1b}[0m foo\u{202e}", "foo"), pair("f\u{fffd}[0m foo\u{fffd}", "      ^^^"));
    }

    #[test]
    fn more_than_a_line() {
        assert_eq!(show("x = foo(\n1);", "foo(\n1)"), pair("x = foo(", "    ^^^^"));
    }

    #[test]
    fn empty_places() {
        assert_eq!(show("", ""), pair("", "^"));
        assert_eq!(show("foo", ""), pair("foo", "^"));
    }

    #[test]
    fn long_lines_are_cut() {
        let text = format!("{}foo{}", "é+".repeat(400), "+1".repeat(4000));
        let (line, carets) = show(&text, "foo");
        assert!(line.starts_with('…') && line.ends_with('…') && line.chars().count() <= MAX_CELLS + 1);
        let at = carets.find('^').unwrap_or(0);
        assert_eq!(line.chars().skip(at).take(3).collect::<String>(), "foo");
        assert_eq!(carets.len() - at, 3);
    }
}

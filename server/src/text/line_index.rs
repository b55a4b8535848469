//! Offsets to positions and back for a text that does not change, without keeping the text.

use std::ops::Range;

use super::encoding::{Encoding, Position, to_u32, to_usize};

/// Where the lines of a text begin and where its characters are wider than one byte.
///
/// Built once per text; then offsets convert to positions, in every [`Encoding`], without the text. It takes about
/// four bytes a line and twelve for each run of equally wide characters, so one can be kept for every file of a
/// workspace. Texts beyond 4 GiB are indexed up to there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The offset of each line's first byte. Never empty: the first line begins at 0.
    starts: Vec<u32>,
    /// The length of the text in bytes.
    len: u32,
    /// How many bytes end most lines: 2 in files with CR LF, 1 in others.
    usual_break: u32,
    /// The lines, ascending, that the other number of bytes ends.
    unusual_breaks: Vec<u32>,
    /// Runs of characters beyond ASCII, ascending. A run lies within one line.
    wide: Vec<WideRun>,
}

/// Neighbouring characters that take equally many bytes. Comments in Chinese are long runs of three-byte ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WideRun {
    start: u32,
    n_chars: u32,
    char_bytes: u8,
}

impl WideRun {
    fn end(self) -> usize {
        to_usize(self.start) + to_usize(self.n_chars) * usize::from(self.char_bytes)
    }
}

/// The runs of characters beyond ASCII. A line break is no such character, so none goes on behind it.
fn wide_runs(bytes: &[u8]) -> Vec<WideRun> {
    let mut runs: Vec<WideRun> = Vec::new();
    let mut idx = 0;
    while let Some(&lead) = bytes.get(idx) {
        if lead < 0x80 {
            idx += 1;
            continue;
        }
        let char_bytes = utf8_len(lead);
        match runs.last_mut() {
            Some(run) if run.end() == idx && run.char_bytes == char_bytes => run.n_chars += 1,
            _ => runs.push(WideRun { start: to_u32(idx), n_chars: 1, char_bytes }),
        }
        idx += usize::from(char_bytes);
    }
    runs
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let text = &text[..floor_char_boundary(text, to_usize(u32::MAX))];
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut short_breaks = Vec::new();
        let mut long_breaks = Vec::new();
        for idx in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let breaks = match (bytes[idx], bytes.get(idx + 1)) {
                (b'\r', Some(b'\n')) => continue,
                (b'\n', _) if idx > 0 && bytes[idx - 1] == b'\r' => &mut long_breaks,
                _ => &mut short_breaks,
            };
            breaks.push(to_u32(starts.len() - 1));
            starts.push(to_u32(idx + 1));
        }
        let mut wide = if text.is_ascii() { Vec::new() } else { wide_runs(bytes) };
        let (usual_break, mut unusual_breaks) = if short_breaks.len() < long_breaks.len() { (2, short_breaks) } else { (1, long_breaks) };
        unusual_breaks.shrink_to_fit();
        starts.shrink_to_fit();
        wide.shrink_to_fit();
        LineIndex { starts, len: to_u32(text.len()), usual_break, unusual_breaks, wide }
    }

    /// The length of the text in bytes.
    pub fn text_len(&self) -> usize {
        to_usize(self.len)
    }

    /// The number of lines; a text that ends with a line break has an empty line behind it.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The line that `offset` lies on, from 0. Offsets past the end lie on the last one.
    pub fn line_of(&self, offset: usize) -> usize {
        // The first line begins at 0, so at least one start is not greater.
        self.starts.partition_point(|&start| to_usize(start) <= offset) - 1
    }

    /// The bytes of a line without what ends it. A line past the end is empty and lies at the end of the text.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else {
            return self.text_len()..self.text_len();
        };
        let end = match self.starts.get(line + 1) {
            Some(&next) => to_usize(next - self.break_len(line)),
            None => self.text_len(),
        };
        to_usize(start)..end
    }

    /// The position of a byte offset. Past the end it is the end; in a character, the character's begin; between
    /// a CR and its LF, the place before both.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let line = self.line_of(offset);
        let range = self.line_range(line);
        let offset = offset.min(range.end);
        let mut column = 0;
        let mut done = range.start;
        for run in self.wide_runs(&range) {
            let run_start = to_usize(run.start);
            if offset <= run_start {
                break;
            }
            let char_bytes = usize::from(run.char_bytes);
            let n_chars = (offset.min(run.end()) - run_start) / char_bytes;
            column += (run_start - done) + n_chars * encoding.width_of_bytes(char_bytes);
            done = run.end();
        }
        // Zero if the offset lies in a run: what the run gave is all of it.
        column += offset.saturating_sub(done);
        Position { line: to_u32(line), column: to_u32(column) }
    }

    /// The byte offset of a position. A line past the end gives the end of the text, a column past the end of its
    /// line the place before the line break, and a column within a character the character's begin.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let range = self.line_range(to_usize(position.line));
        let mut columns_left = to_usize(position.column);
        let mut done = range.start;
        for run in self.wide_runs(&range) {
            let run_start = to_usize(run.start);
            let n_narrow = run_start - done;
            if columns_left <= n_narrow {
                break;
            }
            columns_left -= n_narrow;
            let char_bytes = usize::from(run.char_bytes);
            let width = encoding.width_of_bytes(char_bytes);
            let run_width = to_usize(run.n_chars) * width;
            if columns_left < run_width {
                return run_start + columns_left / width * char_bytes;
            }
            columns_left -= run_width;
            done = run.end();
        }
        done.saturating_add(columns_left).min(range.end)
    }

    fn break_len(&self, line: usize) -> u32 {
        match self.unusual_breaks.binary_search(&to_u32(line)) {
            Ok(_) => 3 - self.usual_break,
            Err(_) => self.usual_break,
        }
    }

    /// The runs that lie in `range`, which is a line.
    fn wide_runs(&self, range: &Range<usize>) -> impl Iterator<Item = WideRun> + '_ {
        let first = self.wide.partition_point(|run| to_usize(run.start) < range.start);
        let end = range.end;
        self.wide.iter().skip(first).copied().take_while(move |run| to_usize(run.start) < end)
    }
}

/// The bytes of the character that begins with `lead`, which begins one of more than one byte.
fn utf8_len(lead: u8) -> u8 {
    match lead {
        ..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

fn floor_char_boundary(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    (0..=limit).rev().find(|&idx| text.is_char_boundary(idx)).unwrap_or(0)
}

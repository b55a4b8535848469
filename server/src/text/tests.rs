//! The conversions against the plainest implementation that could be right, over texts of every awkward kind.

use super::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// One, two, three and four bytes, a combining mark, the three line ends, and three that end lines elsewhere but
/// not here (U+2028, NEL, form feed).
const ALPHABET: [&str; 12] = ["a", "é", "中", "😀", "\n", "\r\n", "\r", "\u{2028}", "\u{85}", "e\u{301}", "\u{c}", "bc"];

/// Marsaglia's generator: random enough, and the same on every machine.
struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn text(&mut self, max_parts: usize) -> String {
        let n_parts = self.below(max_parts + 1);
        (0..n_parts).map(|_| ALPHABET[self.below(ALPHABET.len())]).collect()
    }

    fn position(&mut self, n_lines: usize) -> Position {
        let column = if self.below(40) == 0 { u32::MAX } else { self.below(12) as u32 };
        Position::new(self.below(n_lines + 2) as u32, column)
    }
}

/// The lines of a text: offset of the first byte, and the content.
fn naive_lines(text: &str) -> Vec<(usize, &str)> {
    let mut res = Vec::new();
    let mut start = 0;
    while let Some(len) = text[start..].find(['\n', '\r']) {
        let end = start + len;
        res.push((start, &text[start..end]));
        start = end + if text[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    res.push((start, &text[start..]));
    res
}

fn naive_offset(text: &str, position: Position, encoding: Encoding) -> usize {
    let lines = naive_lines(text);
    let Some(&(mut offset, content)) = lines.get(position.line as usize) else {
        return text.len();
    };
    let mut left = position.column as usize;
    for c in content.chars() {
        if left < encoding.width(c) {
            break;
        }
        left -= encoding.width(c);
        offset += c.len_utf8();
    }
    offset
}

fn naive_position(text: &str, offset: usize, encoding: Encoding) -> Position {
    let lines = naive_lines(text);
    let line = lines.iter().rposition(|&(start, _)| start <= offset).unwrap();
    let (start, content) = lines[line];
    let column: usize = content.char_indices().take_while(|&(idx, c)| start + idx + c.len_utf8() <= offset).map(|(_, c)| encoding.width(c)).sum();
    Position::new(line as u32, column as u32)
}

#[test]
fn conversions_agree_with_the_naive_ones() {
    let mut random = XorShift(0x2545_f491_4f6c_dd1d);
    for _ in 0..3_000 {
        let text = random.text(30);
        let index = LineIndex::new(&text);
        let document = Document::new(&text, 1);
        let n_lines = naive_lines(&text).len();
        assert_eq!(index.line_count(), n_lines, "{text:?}");
        assert_eq!(index.text_len(), text.len());
        for encoding in ENCODINGS {
            for _ in 0..12 {
                let position = random.position(n_lines);
                let want = naive_offset(&text, position, encoding);
                assert_eq!(index.offset(position, encoding), want, "{text:?} {position:?} {encoding:?}");
                assert_eq!(document.offset(position, encoding), want, "{text:?} {position:?} {encoding:?}");
            }
            for offset in 0..text.len() + 3 {
                let want = naive_position(&text, offset, encoding);
                assert_eq!(index.position(offset, encoding), want, "{text:?} {offset} {encoding:?}");
                assert_eq!(document.position(offset, encoding), want, "{text:?} {offset} {encoding:?}");
            }
        }
    }
}

#[test]
fn offsets_of_characters_survive_the_round_trip() {
    let mut random = XorShift(99);
    for _ in 0..2_000 {
        let text = random.text(40);
        let index = LineIndex::new(&text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            if 0 < offset && text.as_bytes()[offset - 1..].starts_with(b"\r\n") {
                // No position names the place between the two.
                continue;
            }
            for encoding in ENCODINGS {
                let position = index.position(offset, encoding);
                assert_eq!(index.offset(position, encoding), offset, "{text:?} {offset} {encoding:?}");
            }
        }
    }
}

#[test]
fn conversions_need_no_valid_input() {
    let index = LineIndex::new("");
    assert_eq!(index.offset(Position::new(7, 7), Encoding::Utf16), 0);
    assert_eq!(index.position(usize::MAX, Encoding::Utf16), Position::new(0, 0));
    assert_eq!(index.line_range(5), 0..0);
    let document = Document::new("x\r\n😀", 1);
    assert_eq!(document.offset(Position::new(u32::MAX, u32::MAX), Encoding::Utf8), 7);
    assert_eq!(document.position(usize::MAX, Encoding::Utf16), Position::new(1, 2));
    // Half of the pair, and three of the four bytes.
    assert_eq!(document.offset(Position::new(1, 1), Encoding::Utf16), 3);
    assert_eq!(document.offset(Position::new(1, 3), Encoding::Utf8), 3);
    assert_eq!(document.offset(Position::new(0, 9), Encoding::Utf16), 1);
}

#[test]
fn line_ranges_leave_out_every_kind_of_break() {
    let text = "a\r\nb\nc\rd\r\n\r\ne";
    let index = LineIndex::new(text);
    let lines: Vec<&str> = (0..index.line_count()).map(|line| &text[index.line_range(line)]).collect();
    assert_eq!(lines, ["a", "b", "c", "d", "", "e"]);
    assert_eq!(index.line_of(2), 0);
    assert_eq!(index.line_of(3), 1);
    assert_eq!(index.line_of(1_000), 5);
}

/// `range` as ((line, column), (line, column)).
fn change(range: ((u32, u32), (u32, u32)), text: &str) -> Change {
    let position = |(line, column)| Position::new(line, column);
    Change { range: Some((position(range.0), position(range.1))), text: text.to_owned() }
}

fn whole(text: &str) -> Change {
    Change { range: None, text: text.to_owned() }
}

fn check_changes(before: &str, changes: &[Change], after: &str) -> Applied {
    let mut document = Document::new(before, 1);
    let res = document.apply(changes, Encoding::Utf16);
    assert_eq!(document.text(), after, "{before:?} {changes:?}");
    res
}

#[test]
fn changes_apply_in_order() {
    let no_edits = Applied::Edits(Vec::new());
    assert_eq!(check_changes("class A {}", &[], "class A {}"), no_edits);
    assert_eq!(check_changes("class A {}", &[change(((0, 3), (0, 3)), "")], "class A {}"), no_edits);
    // Each range is meant in the text that the one before left.
    check_changes("one\ntwo\n", &[change(((0, 0), (0, 0)), "zero\n"), change(((1, 0), (1, 3)), "1")], "zero\n1\ntwo\n");
    // Several cursors, from the last to the first, as editors send them.
    let cursors = [change(((2, 0), (2, 0)), ";"), change(((1, 0), (1, 0)), ";"), change(((0, 0), (0, 0)), ";")];
    check_changes("a\nb\nc", &cursors, ";a\n;b\n;c");
    // A line is joined with the next, whatever ended it.
    check_changes("a\r\nb", &[change(((0, 1), (1, 0)), "")], "ab");
    check_changes("a\rb", &[change(((0, 1), (1, 0)), "")], "ab");
    // After the emoji, which is two columns wide.
    check_changes("s = \"😀x\";", &[change(((0, 7), (0, 8)), "y")], "s = \"😀y\";");
}

#[test]
fn unreasonable_ranges_are_clamped() {
    check_changes("ab\ncd", &[change(((0, 2), (0, 1)), "X")], "aX\ncd");
    check_changes("ab\ncd", &[change(((9, 9), (7, 0)), "\nef")], "ab\ncd\nef");
    check_changes("ab\ncd", &[change(((0, 99), (0, 99)), "!")], "ab!\ncd");
    check_changes("ab\r\ncd", &[change(((0, 3), (0, 99)), "!")], "ab!\r\ncd");
    check_changes("😀", &[change(((0, 1), (0, 1)), "x")], "x😀");
    check_changes("", &[change(((3, 1), (0, 5)), "new")], "new");
}

#[test]
fn a_whole_text_wins_over_what_came_before_it() {
    let changes = [change(((0, 0), (0, 1)), "x"), whole("lost"), whole("kept\n"), change(((1, 0), (1, 0)), "end")];
    assert_eq!(check_changes("abc", &changes, "kept\nend"), Applied::Whole);
    assert_eq!(check_changes("abc", &[whole("")], ""), Applied::Whole);
}

#[test]
fn an_edit_tells_bytes_and_points() {
    let res = check_changes("é\nab\n", &[change(((1, 1), (1, 2)), "中\nz")], "é\na中\nz\n");
    let want = ByteEdit { start: 4, old_end: 5, new_end: 9, start_point: (1, 1), old_end_point: (1, 2), new_end_point: (2, 1) };
    assert_eq!(res, Applied::Edits(vec![want]));
}

/// Twenty thousand random changes, alone and in groups: the text is the one that plain strings give, the version
/// stays, and everything of the parser's text that an edit does not name is unchanged.
#[test]
fn random_changes_agree_with_plain_strings() {
    let mut random = XorShift(0x9e37_79b9_7f4a_7c15);
    let mut n_changes = 0;
    while n_changes < 20_000 {
        let mut text = random.text(40);
        let mut document = Document::new(&text, 7);
        for _ in 0..25 {
            let encoding = ENCODINGS[random.below(3)];
            let n_lines = naive_lines(&text).len();
            let changes: Vec<Change> = (0..1 + random.below(3))
                .map(|_| Change { range: (random.below(50) != 0).then(|| (random.position(n_lines), random.position(n_lines))), text: random.text(4) })
                .collect();
            n_changes += changes.len();
            let before = text.clone();
            let mut steps = Vec::new();
            for change in &changes {
                let Some((a, b)) = change.range else {
                    text = change.text.clone();
                    continue;
                };
                let (a, b) = (naive_offset(&text, a, encoding), naive_offset(&text, b, encoding));
                if a != b || !change.text.is_empty() {
                    let old = text.clone();
                    text.replace_range(a.min(b)..a.max(b), &change.text);
                    steps.push((old, text.clone()));
                }
            }
            let applied = document.apply(&changes, encoding);
            assert_eq!(document.text(), text, "{before:?} {changes:?} {encoding:?}");
            match applied {
                Applied::Whole => assert!(changes.iter().any(|change| change.range.is_none())),
                Applied::Edits(edits) => {
                    assert_eq!(edits.len(), steps.len());
                    for (edit, (old, new)) in edits.iter().zip(&steps) {
                        check_edit(edit, &parse_text(old), &parse_text(new));
                    }
                }
            }
        }
        assert_eq!(document.version, 7);
    }
}

fn check_edit(edit: &ByteEdit, old: &str, new: &str) {
    let context = format!("{edit:?} {old:?} {new:?}");
    assert_eq!(old.as_bytes()[..edit.start], new.as_bytes()[..edit.start], "{context}");
    assert_eq!(old.as_bytes()[edit.old_end..], new.as_bytes()[edit.new_end..], "{context}");
    assert_eq!(edit.start_point, naive_point(old, edit.start), "{context}");
    assert_eq!(edit.old_end_point, naive_point(old, edit.old_end), "{context}");
    assert_eq!(edit.new_end_point, naive_point(new, edit.new_end), "{context}");
}

fn naive_point(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset];
    let row = before.iter().filter(|&&byte| byte == b'\n').count();
    let row_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |idx| idx + 1);
    (row, offset - row_start)
}

#[test]
fn bytes_of_every_kind_decode() {
    let check = |bytes: &[u8], text: &str, note: Option<&'static str>| {
        assert_eq!(decode(bytes.to_vec()), Decoded { text: text.to_owned(), note }, "{bytes:?}");
    };
    check(b"", "", None);
    check("class Ä {}".as_bytes(), "class Ä {}", None);
    check(b"\xef\xbb\xbfclass A {}", "\u{feff}class A {}", None);
    check(b"\xff\xfea\0\x3d\xd8\x00\xde", "a😀", Some("UTF-16 file, read as such"));
    check(b"\xfe\xff\0a\xd8\x3d\xde\x00", "a😀", Some("UTF-16 file, read as such"));
    check(b"\xff\xfea\0\x3d\xd8b", "a\u{fffd}\u{fffd}", Some("UTF-16 file, read as such"));
    check(b"// caf\xe9 \x80", "// café \u{80}", Some("not UTF-8, read as Latin-1"));
    for first in 0..=255 {
        for second in 0..=255 {
            decode(vec![first, second, b'x']);
        }
    }
}

#[test]
fn only_a_lone_cr_is_rewritten_for_the_parser() {
    for same in ["", "a\nb", "a\r\nb\r\n", "\r\n", "é中😀"] {
        assert!(matches!(parse_text(same), std::borrow::Cow::Borrowed(text) if text == same), "{same:?}");
    }
    assert_eq!(parse_text("a\rb"), "a\nb");
    assert_eq!(parse_text("\r"), "\n");
    assert_eq!(parse_text("\r\r\n\ré\r"), "\n\r\n\né\n");
}

//! Any text under any edits: the document is what the edits say, and while it has no syntax errors the facts are those
//! of a fresh compile, the verdicts those of a fresh link.
//!
//! The input is the text, then a byte 0xff, then the edits; without 0xff it is all text, so any file is a seed. In the
//! text a byte 1 with the byte behind it stands for a snippet of Java. What bytes mean is in [`Input`].
//!
//! `MOCKPOINT_TRACE` prints the text and each edit, for reading a crash.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mockpoint::host::Host;
use mockpoint::analysis;
use mockpoint::settings::Settings;
use mockpoint::text::{Change, Encoding, LineIndex, Position};
use mockpoint::workspace::SourceFile;
use std::path::Path;
use std::sync::{Arc, Once};

const PATH: &str = "/w/p/A.java";
const MAX_TEXT: usize = 16 << 10;
const MAX_EDITS: usize = 48;

/// Whole things, halves of things, and characters of every width.
const SNIPPETS: &[&str] = &[
    "{", "}", "(", ")", "[", "]", ";", ",", "\"", "'", "\"\"\"", "/*", "*/", "//", "\n", "\r\n", "\r", " ", "\t", "x", ".", "@A ", "=", "<", ">", "->", "::", "?", ":", "...", "\\", "\u{feff}",
    "\u{0}", "\u{1a}", "\\u0022", "é", "订单", "😀", "e\u{301}", "\u{2028}", "1", "0x1p-3", "1_000L", "'\\''", "return ", "if (x) {", "else ", "try {", "catch (E e) {", "finally {", "switch (x) {",
    "case 1 -> ", "case A(var b) when b > 1 -> ", "default: ", "yield x;", "throw new E();", "for (var i : l) ", "while (x) ", "do { ", "} while (x);", "break a;", "a: ", "synchronized (this) {", "assert x;",
    "class X {", "class X extends Y {", "interface I {", "enum E { A, B }", "enum E { A { int f() { return 1; } }; ", "record R(int a) {}", "record R(int a, int b) { R { a = 1; } }", "@interface A { int v() default 1; }",
    "sealed interface S permits T {}", "static int q;\n", "final int r = 3;\n", "static { q = 2; }\n", "{ q = 1; }\n", "long t = System.nanoTime();\n", "\n    int fresh() { return 1; }\n", "\n    // é\n",
    "new Object() { int z() { return 2; } }", "import java.util.*;\n", "import static java.lang.Math.max;\n", "import module java.base;\n", "package p;\n", "public ", "private static ", "final ", "List<String> l;\n",
    "@SuppressWarnings(\"mockpoint\")\n", "// mockpoint:ignore\n", "x -> x + 1", "(a, b) -> { return a; }", "this::f", "int[][] a = {{1}, {}};", "void broken( {\n", "X() { this(1); }", "int f(int... a) { return a[0]; }\n",
    "if (System.currentTimeMillis() > 3) { return 1; }\n", "String s = \"a\" + 'b' + \"\"\"\n  t\"\"\";\n", "l.stream().map(x -> x.toString()).forEach(y -> { use(y); });\n", "int g() { return q++ + ++q; }\n",
    "Random rnd = new Random(7);\n", "(String) o instanceof String s && s.isEmpty()", "class L { int h() { return x; } }\n", "void main() { }\n", "Map<String, List<? super T>> m;\n", "static long now() { return System.currentTimeMillis(); }\n",
];

/// The bytes of a case. Past the end everything is 0.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn byte(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first)
    }

    /// Less than `n`, which may be as small as 0.
    fn below(&mut self, n: usize) -> usize {
        (self.byte() << 8 | self.byte()) % n.max(1)
    }

    fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn snippet(&mut self) -> &'static str {
        SNIPPETS[self.byte() % SNIPPETS.len()]
    }
}

fn text_of(mut input: Input) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    while !input.0.is_empty() && bytes.len() < MAX_TEXT {
        match input.byte() {
            1 => bytes.extend(input.snippet().bytes()),
            byte => bytes.push(byte as u8),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Where a position is: slow and obvious, to compare with.
fn offset(text: &str, position: Position, encoding: Encoding) -> usize {
    let (mut start, mut line) = (0, 0);
    while line < position.line {
        let rest = &text[start..];
        let Some(end) = rest.find(['\n', '\r']) else { return text.len() };
        start += end + if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        line += 1;
    }
    let mut column = 0;
    for (at, c) in text[start..].char_indices() {
        let width = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        column += width;
        if c == '\n' || c == '\r' || (position.column as usize) < column {
            return start + at;
        }
    }
    text.len()
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

/// A change of bytes `start..end`, made to the text as well.
fn replace(text: &mut String, start: usize, end: usize, new: &str, encoding: Encoding) -> Change {
    let lines = LineIndex::new(text);
    let [start, end] = [start, end.max(start)].map(|it| lines.position(floor(text, it), encoding));
    replace_positions(text, start, end, new, encoding)
}

fn replace_positions(text: &mut String, start: Position, end: Position, new: &str, encoding: Encoding) -> Change {
    let (from, to) = (offset(text, start, encoding), offset(text, end, encoding));
    text.replace_range(from.min(to)..from.max(to), new);
    Change { range: Some((start, end)), text: new.to_owned() }
}

/// From the first difference to the last.
fn minimal(text: &mut String, target: &str, encoding: Encoding) -> Change {
    let start = text.bytes().zip(target.bytes()).take_while(|(left, right)| left == right).count();
    let start = floor(target, floor(text, start));
    let lines = LineIndex::new(text);
    // A position cannot lie between CR and LF.
    let position = lines.position(start, encoding);
    let start = offset(text, position, encoding);
    let end = lines.position(text.len(), encoding);
    replace_positions(text, position, end, &target[start..], encoding)
}

struct Case {
    host: Host,
    text: String,
    version: i32,
    undo: Vec<String>,
    trace: bool,
}

impl Case {
    fn send(&mut self, changes: &[Change], encoding: Encoding) {
        if self.trace {
            eprintln!("{encoding:?} {changes:?}");
        }
        self.version += 1;
        assert!(self.host.change(Path::new(PATH), self.version, changes, encoding), "refused");
        self.check();
    }

    fn check(&mut self) {
        let snapshot = self.host.snapshot();
        let view = snapshot.view(Path::new(PATH)).expect("the file is open");
        assert_eq!(view.rope.to_string(), self.text, "text");
        assert_eq!(*view.file.lines, LineIndex::new(&self.text), "lines");
        assert!(view.findings().is_some(), "the quick pass panicked");
        let fresh = fresh(&self.text);
        let now = &view.file.facts;
        if fresh.facts.errors == 0 {
            assert_eq!(now.errors, 0, "errors where there are none in\n{}", self.text);
            assert!(**now == *fresh.facts, "facts differ in\n{}\n{now:#?}\n{:#?}", self.text, fresh.facts);
        } else {
            assert_ne!(now.errors, 0, "no errors where there are some in\n{}", self.text);
        }
    }

    fn settle(&mut self) {
        self.host.settle();
        let linked = Arc::clone(self.host.last_link());
        let again = analysis::analyse(linked.files.clone(), Settings::default(), None);
        assert!(linked.verdicts == again.verdicts, "an incremental link differs from a whole one in\n{}\n{:#?}\n{:#?}", self.text, linked.verdicts, again.verdicts);
        let fresh = fresh(&self.text);
        if fresh.facts.errors == 0 {
            let fresh = analysis::analyse(vec![Arc::new(fresh)], Settings::default(), None);
            assert!(linked.verdicts == fresh.verdicts, "verdicts differ in\n{}\n{:#?}\n{:#?}", self.text, linked.verdicts, fresh.verdicts);
        }
    }

    fn edit(&mut self, input: &mut Input) {
        let op = input.byte();
        let encoding = [Encoding::Utf16, Encoding::Utf8, Encoding::Utf32][op / 16 % 3];
        let n_changes = if op >= 240 { 3 } else { 1 };
        let before = self.text.clone();
        let mut changes = Vec::new();
        for _ in 0..n_changes {
            let text = &mut self.text;
            let at = input.below(text.len() + 1);
            let change = match op % 16 {
                0..=2 => replace(text, at, at, input.snippet(), encoding),
                3 => replace(text, at, at + input.byte() % 12, "", encoding),
                4 => replace(text, at, at + input.below(400), "", encoding),
                5 => replace(text, at, at + input.byte() % 24, input.snippet(), encoding),
                6 => {
                    let n = input.byte() % 24;
                    let new = String::from_utf8_lossy(input.bytes(n)).into_owned();
                    replace(text, at, at, &new, encoding)
                }
                // A copy of what stands elsewhere, as by paste.
                7 => {
                    let from = floor(text, input.below(text.len() + 1));
                    let to = floor(text, from + input.below(300));
                    let copied = text[from..to.max(from)].to_owned();
                    replace(text, at, at, &copied, encoding)
                }
                // Behind a brace or semicolon, where whole things belong.
                8 | 9 => {
                    let places: Vec<usize> = text.match_indices(['{', '}', ';']).map(|it| it.0 + 1).collect();
                    let at = places.get(at % places.len().max(1)).copied().unwrap_or(0);
                    replace(text, at, at, input.snippet(), encoding)
                }
                10 | 11 if !self.undo.is_empty() => {
                    let n_back = 1 + input.byte() % 4;
                    let target = self.undo[self.undo.len().saturating_sub(n_back)].clone();
                    minimal(text, &target, encoding)
                }
                12 if !self.undo.is_empty() => {
                    let n_back = 1 + input.byte() % 4;
                    text.clone_from(&self.undo[self.undo.len().saturating_sub(n_back)]);
                    Change { range: None, text: text.clone() }
                }
                // Key by key.
                13 if n_changes == 1 => {
                    let lines = LineIndex::new(text);
                    let mut at = lines.offset(lines.position(floor(text, at), encoding), encoding);
                    for c in input.snippet().chars() {
                        let change = replace(&mut self.text, at, at, c.encode_utf8(&mut [0; 4]), encoding);
                        at += c.len_utf8();
                        self.send(&[change], encoding);
                    }
                    break;
                }
                14 => {
                    self.settle();
                    break;
                }
                // Positions that may be anywhere, also past the ends of lines and of the text, and exchanged.
                _ => {
                    let mut position = || Position::new(input.byte() as u32, input.byte() as u32);
                    let (start, end) = (position(), position());
                    replace_positions(text, start, end, input.snippet(), encoding)
                }
            };
            changes.push(change);
        }
        self.undo.push(before);
        if !changes.is_empty() {
            self.send(&changes, encoding);
        }
    }
}

fn fresh(text: &str) -> SourceFile {
    SourceFile::from_text(PATH.into(), Path::new("/w/p"), text, None, true).0
}

static ONE_THREAD: Once = Once::new();

fuzz_target!(|data: &[u8]| {
    ONE_THREAD.call_once(|| rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("there is no pool yet"));
    let end = data.iter().position(|&it| it == 0xff).unwrap_or(data.len());
    let text = text_of(Input(&data[..end]));
    let mut host = Host::default();
    host.open(PATH.into(), &text, 1);
    host.settle();
    let trace = std::env::var_os("MOCKPOINT_TRACE").is_some();
    if trace {
        eprintln!("{text}\n----");
    }
    let mut case = Case { host, text, version: 1, undo: Vec::new(), trace };
    case.check();
    let mut input = Input(data.get(end + 1..).unwrap_or_default());
    for _ in 0..MAX_EDITS {
        if input.0.is_empty() || MAX_TEXT * 2 < case.text.len() {
            break;
        }
        case.edit(&mut input);
    }
    case.settle();
});

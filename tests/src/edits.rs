//! Random edits of a text, as clients send them.

use mockpoint::text::{ByteEdit, Change, Encoding, LineIndex, Shift};
use std::path::PathBuf;

/// What is typed into a text: whole things, halves of things, and characters of every width.
const SNIPPETS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "/*",
    "*/",
    "//",
    "\n",
    "\r\n",
    "\r",
    " ",
    "x",
    ".",
    "@A ",
    "=",
    "<",
    "return ",
    "if (x) {",
    "try {",
    "é",
    "订单",
    "😀",
    "class X {",
    "static int q;\n",
    "long t = System.nanoTime();\n",
    "\n    int fresh() { return 1; }\n",
    "\n    // é\n",
    "static { q = 2; }\n",
    "final ",
    "new Object() { int z() { return 2; } }",
    "import java.util.*;\n",
    "public ",
    "List<String> l;\n",
    "@SuppressWarnings(\"mockpoint\")\n",
    "// mockpoint:ignore\n",
    "x -> x + 1",
    "void broken( {\n",
    "enum E { A, B }\n",
    "record R(int a) {}\n",
];

/// What is typed key by key, as people do.
pub const STATEMENTS: &[&str] = &[
    "\n        if (System.currentTimeMillis() > 3) { return; }\n",
    "\n        String s = \"a\" + 'b';\n",
    "\n        for (int i = 0; i < 3; i++) { use(i); }\n",
    "\n        list.stream().map(x -> x.toString()).forEach(y -> { use(y); });\n",
    "\n        /* a comment */ int a = 1; // another\n",
];

/// Numbers that follow from a seed.
pub struct Random(u64);

impl Random {
    /// Numbers that follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % n.max(1)
    }

    /// One of some items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A file of the workspace as a simple model: its text and what it was before.
pub struct Model {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// The version of its text.
    pub version: i32,
    /// The texts before, oldest first.
    undo: Vec<String>,
    /// What is still to be typed, and where.
    typing: Option<(usize, Vec<char>)>,
    /// What the last change did, as far as it replaced less than the whole.
    edits: Vec<ByteEdit>,
    /// The last change replaced the whole.
    whole: bool,
}

impl Model {
    /// A file that was just opened.
    pub fn new(path: PathBuf, text: String) -> Model {
        Model { path, text, version: 1, undo: Vec::new(), typing: None, edits: Vec::new(), whole: false }
    }

    /// The ways in which the last change, to the text `before`, moved what it left alone.
    pub fn shifts(&self, before: &str) -> Vec<Shift> {
        let mut res = vec![Shift::between(before, &self.text)];
        if !self.whole {
            res.push(Shift::of(&self.edits));
        }
        res
    }

    /// Makes one change, the next version, of several edits: each replaces the first text like the one on the left, in
    /// what the edits before have left.
    pub fn change_words(&mut self, edits: &[(&str, &str)]) -> Vec<Change> {
        self.begin();
        let mut changes = Vec::new();
        for (old, new) in edits {
            let start = self.text.find(old).expect("what is replaced is there");
            changes.push(replace(self, start, start + old.len(), new, Encoding::Utf16));
        }
        changes
    }

    /// Makes a change that sends the whole text.
    pub fn change_whole(&mut self, text: &str) -> Vec<Change> {
        self.begin();
        self.whole = true;
        text.clone_into(&mut self.text);
        vec![Change { range: None, text: text.to_owned() }]
    }

    fn begin(&mut self) {
        self.version += 1;
        self.undo.push(self.text.clone());
        self.edits.clear();
        self.whole = false;
    }

    /// Makes a change of one edit, which is the next version.
    pub fn change(&mut self, start: usize, end: usize, text: &str, encoding: Encoding) -> Change {
        self.begin();
        replace(self, start, end, text, encoding)
    }
}

/// Makes one change notification, and changes the model by it.
pub fn edit(random: &mut Random, model: &mut Model, pasted: &str, encoding: Encoding) -> Vec<Change> {
    model.begin();
    if let Some((at, mut left)) = model.typing.take()
        && let Some(c) = left.pop()
    {
        let at = at.min(model.text.len());
        if model.text.is_char_boundary(at) {
            if !left.is_empty() {
                model.typing = Some((at + c.len_utf8(), left));
            }
            return vec![replace(model, at, at, &c.to_string(), encoding)];
        }
    }
    let n_changes = if random.below(5) == 0 { 3 } else { 1 };
    let mut changes = Vec::new();
    for _ in 0..n_changes {
        let len = model.text.len();
        let any = random.below(len + 1);
        let boundary = *boundaries(&model.text).get(random.below(40)).unwrap_or(&any);
        match random.below(12) {
            0..=3 => {
                let snippet = *random.pick(SNIPPETS);
                changes.push(replace(model, any, any, snippet, encoding));
            }
            4 => changes.push(replace(model, any, any + random.below(12), "", encoding)),
            5 => changes.push(replace(model, any, any + random.below(300), "", encoding)),
            6 => {
                let snippet = *random.pick(SNIPPETS);
                changes.push(replace(model, any, any + random.below(20), snippet, encoding));
            }
            7 => changes.push(replace(model, boundary, boundary, pasted, encoding)),
            8 if n_changes == 1 => {
                let typed: Vec<char> = random.pick(STATEMENTS).chars().rev().collect();
                model.typing = Some((boundary, typed));
                changes.push(replace(model, boundary, boundary, "", encoding));
            }
            // Undo, of several steps more often than not: that is how broken texts become whole again.
            _ => {
                let n_back = 1 + random.below(4);
                let target = model.undo[model.undo.len().saturating_sub(n_back + 1)].clone();
                if random.below(3) == 0 {
                    model.text.clone_from(&target);
                    model.whole = true;
                    changes.push(Change { range: None, text: target });
                } else {
                    changes.push(minimal(model, &target, encoding));
                }
            }
        }
    }
    changes
}

/// The places behind braces and semicolons.
fn boundaries(text: &str) -> Vec<usize> {
    text.match_indices(['{', '}', ';']).map(|it| it.0 + 1).collect()
}

fn minimal(model: &mut Model, target: &str, encoding: Encoding) -> Change {
    let start = model.text.bytes().zip(target.bytes()).take_while(|(left, right)| left == right).count();
    let start = floor(&model.text, start.min(model.text.len()));
    // From here to the end, so that it is right whatever is shared at the end.
    let start = floor(target, start);
    replace(model, start, model.text.len(), &target[start..], encoding)
}

fn replace(model: &mut Model, start: usize, end: usize, text: &str, encoding: Encoding) -> Change {
    let lines = LineIndex::new(&model.text);
    // A position cannot lie in a character or between CR and LF.
    let place = |offset: usize| {
        let position = lines.position(floor(&model.text, offset.min(model.text.len())), encoding);
        (position, lines.offset(position, encoding))
    };
    let ((start_position, start), (end_position, end)) = (place(start), place(end.max(start)));
    model.text.replace_range(start..end, text);
    let nowhere = (0, 0);
    model.edits.push(ByteEdit { start, old_end: end, new_end: start + text.len(), start_point: nowhere, old_end_point: nowhere, new_end_point: nowhere });
    Change { range: Some((start_position, end_position)), text: text.to_owned() }
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

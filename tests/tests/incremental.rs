//! Incremental equals fresh: random edits drive a [`Host`], and after each one it must know what a run from scratch
//! over the same texts knows.
//!
//! While the text has no syntax errors, text, facts and verdicts are compared with those of the text compiled and
//! linked from scratch. While it has some, what was known of members that the edit did not touch must stand, and
//! nothing that nobody wrote may come up.
//!
//! `MOCKPOINT_CASES` asks for more cases, `MOCKPOINT_SEED` for one certain case, which is what a failure names.

use mockpoint::analysis;
use mockpoint::facts::{FileFacts, Member, MemberFacts, OWN_CLASS};
use mockpoint::host::{Host, Shift};
use mockpoint::intern::Sym;
use mockpoint::java::decls::MemberKind;
use mockpoint::settings::Settings;
use mockpoint::text::{Change, Encoding, LineIndex, Position};
use mockpoint::verdict::MockingPoint;
use mockpoint::workspace::SourceFile;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const N_CASES: u64 = 60;
const N_STEPS: usize = 40;

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
const STATEMENTS: &[&str] = &[
    "\n        if (System.currentTimeMillis() > 3) { return; }\n",
    "\n        String s = \"a\" + 'b';\n",
    "\n        for (int i = 0; i < 3; i++) { use(i); }\n",
    "\n        list.stream().map(x -> x.toString()).forEach(y -> { use(y); });\n",
    "\n        /* a comment */ int a = 1; // another\n",
];

const EXTRA: &str = "package p;\n\nimport java.util.ArrayList;\nimport java.util.List;\n\npublic class Extra {\n    private static int count;\n    private static final List<String> SEEN = new ArrayList<>();\n\n    static int next() {\n        return ++count;\n    }\n\n    static class Inner {\n        long at = System.currentTimeMillis();\n\n        boolean late() {\n            return at > 10;\n        }\n    }\n\n    void see(String s) {\n        SEEN.add(s);\n        Runnable r = new Runnable() {\n            public void run() {\n                see(\"again\");\n            }\n        };\n        r.run();\n    }\n\n    int limit() {\n        return SEEN.size();\n    }\n}\n";

struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % n.max(1)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A file of the workspace as a simple model: its text and what it was before.
struct Model {
    path: PathBuf,
    text: String,
    version: i32,
    undo: Vec<String>,
    /// What is still to be typed, and where.
    typing: Option<(usize, Vec<char>)>,
}

#[test]
#[expect(clippy::print_stdout, reason = "cargo shows it only if the test fails, and then it is what one wants to know")]
fn incremental_equals_fresh() {
    let sources = sources();
    let seed = std::env::var("MOCKPOINT_SEED").ok().and_then(|it| it.parse().ok());
    let n_cases = std::env::var("MOCKPOINT_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(N_CASES);
    let seeds = match seed {
        Some(seed) => seed..seed + 1,
        None => 0..n_cases,
    };
    for seed in seeds {
        println!("seed {seed}");
        case(seed, &sources);
    }
}

fn case(seed: u64, sources: &[String]) {
    let mut random = Random::new(seed);
    let mut host = Host::new(Settings::default());
    let n_files = 1 + random.below(3);
    let mut models: Vec<Model> = (0..n_files)
        .map(|idx| {
            let text = random.pick(sources).clone();
            Model { path: PathBuf::from(format!("/w/F{idx}.java")), text, version: 1, undo: Vec::new(), typing: None }
        })
        .collect();
    for model in &models {
        host.open(model.path.clone(), &model.text, model.version);
    }
    host.settle();
    let mut written = Written::default();
    for step in 0..N_STEPS {
        models.iter().for_each(|model| written.note(&host, model));
        let at = format!("seed {seed}, step {step}");
        let idx = random.below(models.len());
        let encoding = *random.pick(&[Encoding::Utf8, Encoding::Utf16, Encoding::Utf32]);
        let before = Before::of(&mut host, &models[idx]);
        let pasted = pasted(&mut random, &models, &host);
        let changes = edit(&mut random, &mut models[idx], pasted, encoding);
        let model = &models[idx];
        assert!(host.change(&model.path, model.version, &changes, encoding), "{at}: refused");
        check_file(&at, &mut host, model, &before, &changes, &written);
        if random.below(4) == 0 {
            host.settle();
            check_link(&at, &host, &models);
        }
    }
}

/// What is known of a file before an edit.
struct Before {
    text: String,
    facts: Arc<FileFacts>,
    points: Vec<MockingPoint>,
}

impl Before {
    fn of(host: &mut Host, model: &Model) -> Before {
        let snapshot = host.snapshot();
        let view = snapshot.view(&model.path).expect("the file is open");
        let points = view.findings().expect("no panic").points.clone();
        Before { text: model.text.clone(), facts: Arc::clone(&view.file.facts), points }
    }
}

/// A whole member of one of the files, or of nothing.
fn pasted(random: &mut Random, models: &[Model], host: &Host) -> String {
    let model = random.pick(models);
    let members = host.file(&model.path).map_or_else(Vec::new, |it| members(&it.facts));
    if members.is_empty() {
        return "\n    int pasted() { return 3; }\n".to_owned();
    }
    let member = random.pick(&members).member;
    format!("\n    {}\n", model.text.get(range(member)).unwrap_or("int other;"))
}

/// Makes one change notification, and changes the model by it.
fn edit(random: &mut Random, model: &mut Model, pasted: String, encoding: Encoding) -> Vec<Change> {
    model.version += 1;
    model.undo.push(model.text.clone());
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
            7 => changes.push(replace(model, boundary, boundary, &pasted, encoding)),
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
    Change { range: Some((start_position, end_position)), text: text.to_owned() }
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

/// The text that each member's facts were made of. Facts that stand while a text is broken may have lost their place
/// when much was replaced at once.
#[derive(Default)]
struct Written(HashMap<*const MemberFacts, (Arc<MemberFacts>, String)>);

impl Written {
    fn note(&mut self, host: &Host, model: &Model) {
        let file = host.file(&model.path).expect("it is open");
        for it in members(&file.facts) {
            let text = || model.text.get(range(it.member)).unwrap_or_default().to_owned();
            self.0.entry(Arc::as_ptr(&it.member.facts)).or_insert_with(|| (Arc::clone(&it.member.facts), text()));
        }
    }

    fn is_in_place(&self, member: &Member, text: &str) -> bool {
        self.0.get(&Arc::as_ptr(&member.facts)).is_some_and(|it| text.get(range(member)) == Some(&it.1))
    }
}

fn check_file(at: &str, host: &mut Host, model: &Model, before: &Before, changes: &[Change], written: &Written) {
    let snapshot = host.snapshot();
    let view = snapshot.view(&model.path).expect("the file is open");
    assert_eq!(view.rope.to_string(), model.text, "{at}: text");
    assert_eq!(*view.file.lines, LineIndex::new(&model.text), "{at}: lines");
    assert_eq!(view.version, model.version, "{at}: version");
    let fresh = fresh(&model.path, &model.text);
    let now = &view.file.facts;
    if fresh.facts.errors == 0 {
        assert_eq!(now.errors, 0, "{at}: errors where there are none, after {changes:?} in\n{}", model.text);
        assert_eq!(**now, *fresh.facts, "{at}: facts, after {changes:?} in\n{}", model.text);
        return;
    }
    assert_ne!(now.errors, 0, "{at}: no errors where there are some, after {changes:?} in\n{}", model.text);
    let shift = Shift::between(&before.text, &model.text);
    let kept = members(now);
    for old in members(&before.facts) {
        let touched = is_touched(&shift, old.member, &before.text, &model.text);
        // What a component says depends on the whole head of its record.
        let is_component = old.member.facts.methods.first().is_some_and(|it| it.head.kind == MemberKind::Component);
        if touched || is_component || !written.is_in_place(old.member, &before.text) {
            continue;
        }
        let start = shift.apply(old.member.start);
        // An annotation typed before a member is part of it from then on: the member was edited after all.
        let has_grown = |it: &Member| it.start < start && start < it.start + it.len;
        if kept.iter().any(|it| it.class == old.class && name(it.member) == name(old.member) && has_grown(it.member)) {
            continue;
        }
        let stands = kept.iter().any(|it| it.class == old.class && it.member.start == start && it.member.facts == old.member.facts);
        let known: Vec<_> = kept.iter().map(|it| (&it.class, name(it.member), it.member.start)).collect();
        assert!(
            stands,
            "{at}: {:?} of {:?} at {} is lost, should be at {start}; there are {known:?}, after {changes:?} in\n{}",
            name(old.member),
            old.class,
            old.member.start,
            model.text
        );
    }
    // While nothing that is known changes, nothing that is reported changes.
    let suppressed = |facts: &FileFacts| facts.suppressions.iter().map(|it| (it.code, it.range.end - it.range.start)).collect::<Vec<_>>();
    let same = |left: &FileFacts, right: &FileFacts| {
        let list = |facts: &FileFacts| members(facts).into_iter().map(|it| (it.class, Arc::as_ptr(&it.member.facts))).collect::<Vec<_>>();
        list(left) == list(right) && suppressed(left) == suppressed(right) && left.imports == right.imports && left.package == right.package
    };
    let in_place = members(&before.facts).iter().all(|it| written.is_in_place(it.member, &before.text));
    if in_place && same(&before.facts, now) {
        let list = |points: &[MockingPoint]| {
            points.iter().map(|it| (it.method.clone(), it.categories.clone(), it.flow, it.sources.len(), it.sinks.len())).collect::<Vec<_>>()
        };
        let points = &view.findings().expect("no panic").points;
        assert_eq!(list(points), list(&before.points), "{at}: findings, after {changes:?} in\n{}", model.text);
    }
}

/// Whether an edit, known by the texts before and after, changed a member or what stands right beside it.
fn is_touched(shift: &Shift, member: &Member, before: &str, after: &str) -> bool {
    let old = range(member);
    let start = shift.apply(member.start) as usize;
    // What stands before a member may become part of it.
    let text = |text: &str, start: usize, end: usize| text.as_bytes().get(start.saturating_sub(40)..text.len().min(end + 8)).map(<[u8]>::to_vec);
    let same = text(before, old.start, old.end) == text(after, start, start + old.len());
    let moved = shift.apply(member.start + member.len) as usize - start;
    !same || moved != old.len()
}

fn check_link(at: &str, host: &Host, models: &[Model]) {
    let linked = host.last_link();
    let again = analysis::analyse(linked.files.clone(), Settings::default(), None);
    assert_eq!(linked.verdicts, again.verdicts, "{at}: an incremental link differs from a whole one");
    let fresh: Vec<Arc<SourceFile>> = models.iter().map(|it| Arc::new(fresh(&it.path, &it.text))).collect();
    if fresh.iter().all(|it| it.facts.errors == 0) {
        let fresh = analysis::analyse(fresh, Settings::default(), None);
        assert_eq!(linked.verdicts, fresh.verdicts, "{at}: verdicts differ from those of a run from scratch");
    }
}

fn fresh(path: &Path, text: &str) -> SourceFile {
    SourceFile::from_text(path.to_owned(), Path::new("/w"), text, None, true).0
}

struct Known<'a> {
    class: Vec<Sym>,
    member: &'a Member,
}

fn members(facts: &FileFacts) -> Vec<Known<'_>> {
    let mut res = Vec::new();
    for class in &facts.types {
        let mut path = vec![class.head.name];
        let mut outer = class.outer;
        while let Some(around) = outer {
            let around = &facts.types[around as usize];
            path.push(around.head.name);
            outer = around.outer;
        }
        res.extend(class.members.iter().map(|member| Known { class: path.clone(), member }));
    }
    res
}

fn name(member: &Member) -> Option<Sym> {
    let method = member.facts.methods.iter().find(|it| it.owner == OWN_CLASS).map(|it| it.head.name);
    method.or(member.facts.fields.first().map(|it| it.head.name))
}

fn range(member: &Member) -> std::ops::Range<usize> {
    member.start as usize..(member.start + member.len) as usize
}

/// Fixtures that came after the cases were drawn. A case picks its sources by number, so these would turn every case
/// into another one; they are tried by cases of their own once the list is drawn anew.
const LATER: [&str; 3] = ["carrier_null_test.java", "static_init_helper.java", "static_private_name.java"];

/// The Java files of the fixtures, and one of our own.
fn sources() -> Vec<String> {
    let mut res = vec![EXTRA.to_owned()];
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(&folder).expect("fixtures can be listed").flatten().map(|it| it.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "java")
                && !LATER.iter().any(|it| path.ends_with(it))
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                res.push(text);
            }
        }
    }
    res
}

/// Typing a statement key by key into one method never takes anything from another.
#[test]
fn typing_in_one_method_leaves_the_others_alone() {
    for statement in STATEMENTS {
        let mut host = Host::new(Settings::default());
        let path = PathBuf::from("/w/Extra.java");
        let mut model = Model { path: path.clone(), text: EXTRA.to_owned(), version: 1, undo: Vec::new(), typing: None };
        host.open(path.clone(), EXTRA, 1);
        host.settle();
        let known: Vec<Arc<_>> = members(&host.file(&path).expect("it is open").facts).iter().map(|it| Arc::clone(&it.member.facts)).collect();
        let mut at = EXTRA.find("see(String s) {").expect("it is there") + "see(String s) {".len();
        let mut written = Written::default();
        for c in statement.chars() {
            written.note(&host, &model);
            let before = Before::of(&mut host, &model);
            model.version += 1;
            let change = replace(&mut model, at, at, &c.to_string(), Encoding::Utf16);
            at += c.len_utf8();
            assert!(host.change(&path, model.version, std::slice::from_ref(&change), Encoding::Utf16));
            let at = format!("{c:?} of {statement:?}");
            check_file(&at, &mut host, &model, &before, &[change], &written);
            let now = host.file(&path).expect("it is open");
            let n_others = members(&now.facts).iter().filter(|it| known.iter().any(|old| Arc::ptr_eq(old, &it.member.facts))).count();
            assert!(known.len() - 1 <= n_others, "{at}: {} of {} stand", n_others, known.len());
            let names: Vec<_> = members(&now.facts).iter().map(|it| (it.class.clone(), name(it.member))).collect();
            assert!(names.len() <= known.len(), "{at}: something was made up: {names:?}, in\n{}", model.text);
        }
    }
}

/// A host takes whatever comes in whatever order.
#[test]
fn odd_sequences() {
    let mut host = Host::new(Settings::default());
    let path = Path::new("/nowhere/A.java");
    let change = Change { range: Some((Position::new(9, 9), Position::new(0, 0))), text: "class B {}".to_owned() };
    assert!(!host.change(path, 1, std::slice::from_ref(&change), Encoding::Utf16), "it is not open");
    host.close(path);
    host.removed(path);
    host.open(path.to_owned(), "class A {}", 3);
    assert!(!host.change(path, 3, std::slice::from_ref(&change), Encoding::Utf16), "no newer version");
    assert!(host.change(path, 7, &[change], Encoding::Utf16));
    assert_eq!(host.snapshot().view(path).map(|it| it.rope.to_string()).as_deref(), Some("class B {}"));
    // Opened again without a close: the new text counts.
    host.open(path.to_owned(), "class C {}", 1);
    assert_eq!(host.snapshot().view(path).map(|it| it.version), Some(1));
    host.removed(Path::new("/nowhere"));
    assert!(host.snapshot().view(path).is_none(), "deleted");
    host.disk_changed([path.to_owned()]);
    assert!(host.snapshot().view(path).is_some(), "made again");
    host.close(path);
    host.settle();
    assert_eq!(host.paths().count(), 0);
}

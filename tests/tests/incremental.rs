//! Incremental equals fresh: random edits drive a [`Host`], and after each one it must know what a run from scratch
//! over the same texts knows.
//!
//! While the text has no syntax errors, text, facts and verdicts are compared with those of the text compiled and
//! linked from scratch. While it has some, what was known of members that the edit did not touch must stand, and
//! nothing that nobody wrote may come up.
//!
//! `MOCKPOINT_CASES` asks for more cases, `MOCKPOINT_SEED` for one certain case, which is what a failure names; both, for
//! cases from that one on.

use mockpoint::analysis;
use mockpoint::facts::{FileFacts, Member, MemberFacts, OWN_CLASS};
use mockpoint::host::Host;
use mockpoint::intern::Sym;
use mockpoint::java::patterns::Suppression;
use mockpoint::settings::Settings;
use mockpoint::text::{Change, Encoding, LineIndex, Position, Shift};
use mockpoint::verdict::MockingPoint;
use mockpoint::workspace::SourceFile;
use mockpoint_tests::edits::{Model, Random, STATEMENTS, edit};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const N_CASES: u64 = 60;
const N_STEPS: usize = 40;

const EXTRA: &str = "package p;\n\nimport java.util.ArrayList;\nimport java.util.List;\n\npublic class Extra {\n    private static int count;\n    private static final List<String> SEEN = new ArrayList<>();\n\n    static int next() {\n        return ++count;\n    }\n\n    static class Inner {\n        long at = System.currentTimeMillis();\n\n        boolean late() {\n            return at > 10;\n        }\n    }\n\n    void see(String s) {\n        SEEN.add(s);\n        Runnable r = new Runnable() {\n            public void run() {\n                see(\"again\");\n            }\n        };\n        r.run();\n    }\n\n    int limit() {\n        return SEEN.size();\n    }\n}\n";

#[test]
#[expect(clippy::print_stdout, reason = "cargo shows it only if the test fails, and then it is what one wants to know")]
fn incremental_equals_fresh() {
    let sources = sources();
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (first, n_cases) = (number("MOCKPOINT_SEED"), number("MOCKPOINT_CASES"));
    let start = first.unwrap_or(0);
    let seeds = start..start + n_cases.unwrap_or(if first.is_some() { 1 } else { N_CASES });
    for seed in seeds {
        println!("seed {seed}");
        case(seed, &sources);
    }
}

fn case(seed: u64, sources: &[String]) {
    let mut random = Random::new(seed);
    let mut host = Host::default();
    let n_files = 1 + random.below(3);
    let mut models: Vec<Model> = (0..n_files)
        .map(|idx| {
            let text = random.pick(sources).clone();
            Model::new(PathBuf::from(format!("/w/F{idx}.java")), text)
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
        let changes = edit(&mut random, &mut models[idx], &pasted, encoding);
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
    let shifts = model.shifts(&before.text);
    let places = |old: std::ops::Range<usize>| places(&shifts, old, &before.text, &model.text);
    let kept = members(now);
    let list = |it: &Known<'_>| (it.class.clone(), name(it.member), range(it.member), it.member.broken);
    let known: [Vec<_>; 2] = [members(&before.facts).iter().map(list).collect(), kept.iter().map(list).collect()];
    for old in members(&before.facts) {
        let starts = places(range(old.member));
        if starts.is_empty() || !written.is_in_place(old.member, &before.text) {
            continue;
        }
        // An annotation typed before a member is part of it from then on: the member was edited after all.
        let has_grown = |it: &Member| starts.iter().any(|&start| it.start < start && start < it.start + it.len);
        // One that was edited before may have lost its first words to what is broken above it, and ends as it did.
        let has_shrunk = |it: &Member| old.member.broken && starts.iter().any(|&start| start < it.start && it.start + it.len == start + old.member.len);
        let is_other = |it: &Member| has_grown(it) || has_shrunk(it);
        if kept.iter().any(|it| it.class == old.class && name(it.member) == name(old.member) && is_other(it.member)) {
            continue;
        }
        let is_it = |it: &Known<'_>| {
            it.class == old.class && starts.contains(&it.member.start) && it.member.len == old.member.len && it.member.facts == old.member.facts
        };
        assert!(
            kept.iter().any(is_it),
            "{at}: {:?} of {:?} at {} is lost, should be at {starts:?}; there were and are {known:?}, after {changes:?} to\n{}\n=====\n{}",
            name(old.member),
            old.class,
            old.member.start,
            before.text,
            model.text
        );
        // A suppression covers the same members as before, whatever the parser takes for them.
        for it in before.facts.suppressions.iter().filter(|it| it.range.start == old.member.start && it.range.end == old.member.start + old.member.len) {
            let stands = |now: &Suppression| now.code == it.code && starts.contains(&now.range.start) && now.range.end - now.range.start == old.member.len;
            assert!(
                now.suppressions.iter().any(stands),
                "{at}: {it:?} is lost, there are {:?}, after {changes:?} to\n{}\n=====\n{}",
                now.suppressions,
                before.text,
                model.text
            );
        }
    }
    // While nothing that is known changes, nothing that is reported changes.
    let suppressed = |facts: &FileFacts| facts.suppressions.iter().map(|it| (it.code, it.range.end - it.range.start)).collect::<Vec<_>>();
    let same = |left: &FileFacts, right: &FileFacts| {
        let list = |facts: &FileFacts| members(facts).into_iter().map(|it| (it.class, Arc::as_ptr(&it.member.facts))).collect::<Vec<_>>();
        list(left) == list(right) && suppressed(left) == suppressed(right) && left.imports == right.imports && left.package == right.package
    };
    let in_place = members(&before.facts).iter().all(|it| written.is_in_place(it.member, &before.text));
    // A comment covers lines, and on which line what was edited stands is a guess.
    let is_exact = now.suppressions.is_empty() || kept.iter().all(|it| !it.member.broken);
    if in_place && is_exact && same(&before.facts, now) {
        let list = |points: &[MockingPoint]| {
            let mut res: Vec<_> = points.iter().map(|it| (it.method.clone(), it.categories.clone(), it.flow, it.sources.len(), it.sinks.len())).collect();
            // They are reported by place, and the place of what was edited just now is a guess.
            res.sort_by(|left, right| left.0.cmp(&right.0));
            res
        };
        let points = &view.findings().expect("no panic").points;
        assert_eq!(
            list(points),
            list(&before.points),
            "{at}: findings; suppressed were and are {:?}, members {:?}, after {changes:?} to\n{}\n=====\n{}",
            [&before.facts.suppressions, &now.suppressions],
            known,
            before.text,
            model.text
        );
    }
}

/// Where a range of the text before is now if the edit left it alone, by each way to see the edit.
fn places(shifts: &[Shift], old: std::ops::Range<usize>, before: &str, after: &str) -> Vec<u32> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'$' || !it.is_ascii();
    let is_joined = |at: usize| at > 0 && after.as_bytes().get(at - 1..=at).is_some_and(|it| it.iter().all(|it| is_word(*it)));
    let place = |shift: &Shift| {
        let (start, end) = (shift.apply(old.start as u32), shift.apply_end(old.end as u32));
        let now = start as usize..end as usize;
        let same = after.as_bytes().get(now.clone()) == before.as_bytes().get(old.clone());
        (same && !is_joined(now.start) && !is_joined(now.end)).then_some(start)
    };
    shifts.iter().filter_map(place).collect()
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
    let field = member.facts.fields.iter().find(|it| it.owner == OWN_CLASS).map(|it| it.head.name);
    field.or_else(|| member.facts.methods.iter().find(|it| it.owner == OWN_CLASS).map(|it| it.head.name))
}

fn range(member: &Member) -> std::ops::Range<usize> {
    member.start as usize..(member.start + member.len) as usize
}

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
        let mut host = Host::default();
        let path = PathBuf::from("/w/Extra.java");
        let mut model = Model::new(path.clone(), EXTRA.to_owned());
        host.open(path.clone(), EXTRA, 1);
        host.settle();
        let known: Vec<Arc<_>> = members(&host.file(&path).expect("it is open").facts).iter().map(|it| Arc::clone(&it.member.facts)).collect();
        let mut at = EXTRA.find("see(String s) {").expect("it is there") + "see(String s) {".len();
        let mut written = Written::default();
        for c in statement.chars() {
            written.note(&host, &model);
            let before = Before::of(&mut host, &model);
            let change = model.change(at, at, &c.to_string(), Encoding::Utf16);
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
    let mut host = Host::default();
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

//! Generate tests for a method: a new test class, or methods for the one that is there. No file is overwritten.

mod subject;
mod world;

use super::{Asked, Change, Fix, GENERATE, Work};
use crate::link::symbols::{MethodId, UNKNOWN};
use crate::rewrite::Source;
use crate::rewrite::skeleton::{Existing, Subject, are_possible, existing, tests};
use crate::text::LineIndex;
use crate::verdict::Place;
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};
use world::Tables;

/// A larger test class is not read.
const MAX_FILE: u64 = 1 << 20;

pub(super) fn fixes<'a>(asked: &'a Asked<'_>, is_here: impl Fn(Place) -> bool) -> Vec<Fix<'a>> {
    let findings = asked.findings;
    let linked = &findings.linked;
    let file = &asked.view.file;
    // What the tables say must be about this text.
    if file.is_test || !file.path.is_absolute() || !asked.is_linked() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut classes = Classes::default();
    for method in linked.linked.symbols.methods_of_file(findings.id) {
        let (facts, start) = linked.linked.symbols.method(&linked.files, method);
        let name = facts.name.absolute(start);
        if !facts.head.has_body || !is_here(Place { file: findings.id, range: name }) {
            continue;
        }
        let Some(source) = asked.source() else { return found };
        let Some(subject) = subject::subject(linked, method) else { continue };
        found.extend(fix(asked, source, subject, method, name.start as usize, &mut classes));
    }
    found
}

/// The test classes that were looked at for one question.
type Classes = FxHashMap<PathBuf, There>;

/// What is at the path of a test class.
enum There {
    Nothing,
    /// A class that tests cannot safely be added to.
    Closed,
    Open(Existing),
}

impl There {
    fn at(asked: &Asked<'_>, path: &Path, class: &str) -> There {
        match text_of(asked, path) {
            Some((text, _)) => Source::new(&text).and_then(|it| existing(&it, class)).map_or(There::Closed, There::Open),
            None if path.symlink_metadata().is_ok() => There::Closed,
            None => There::Nothing,
        }
    }
}

/// Where tests of a method would go. They are written when the fix is chosen.
fn fix<'a>(asked: &'a Asked<'_>, source: &'a Source<'_>, subject: Subject, method: MethodId, at: usize, classes: &mut Classes) -> Option<Fix<'a>> {
    let linked = &asked.findings.linked;
    let folder = test_folder(asked.view.file.path.parent()?)?;
    let base = subject.class.name.replace('.', "");
    let names = [format!("{base}Test"), format!("{base}MockpointTest")].into_iter().chain((2..10).map(|n| format!("{base}Mockpoint{n}Test")));
    let tables = Tables::new(linked, method, &subject.class.package);
    for class in names {
        let path = folder.join(format!("{class}.java"));
        let (there, how) = match classes.entry(path.clone()).or_insert_with(|| There::at(asked, &path, &class)) {
            // Nothing that is there is lost: tests are added, or go elsewhere.
            There::Closed => continue,
            There::Open(it) if it.methods.is_empty() => (Some(&*it), "in"),
            There::Open(it) => (Some(&*it), "into"),
            There::Nothing if tables.symbols().qualified(&qualified(&subject.class.package, &class)) != UNKNOWN => continue,
            There::Nothing => (None, "in a new"),
        };
        if !are_possible(source, &subject, at, &tables, &class, there) {
            return None;
        }
        let title = format!("Generate tests for `{}` {how} `{class}`", subject.name);
        let makes_file = there.is_none();
        let run = move || written(asked, source, &subject, &Tables::new(linked, method, &subject.class.package), at, path, &class).map(|it| vec![it]);
        return Some(Fix { title, kind: GENERATE, work: Work::Later { makes_file, run: Box::new(run) }, is_preferred: false });
    }
    None
}

/// The tests, in a file that is there or in a new one.
fn written(asked: &Asked<'_>, source: &Source<'_>, subject: &Subject, tables: &Tables<'_>, at: usize, path: PathBuf, class: &str) -> Option<Change> {
    let Some((text, version)) = text_of(asked, &path) else {
        let text = tests(source, subject, at, tables, class, None)?.file(&subject.class.package, class);
        return Some(Change::New { path, text });
    };
    let there = existing(&Source::new(&text)?, class)?;
    let edits = there.add(&tests(source, subject, at, tables, class, Some(&there))?)?;
    Some(Change::Other { lines: LineIndex::new(&text), version, path, edits })
}

fn qualified(package: &str, class: &str) -> String {
    if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") }
}

/// The text of a file that is there, and its version if it is open.
fn text_of(asked: &Asked<'_>, path: &Path) -> Option<(String, Option<i32>)> {
    if let Some(view) = asked.moment.snapshot.view(path) {
        return Some((view.rope.to_string(), Some(view.version)));
    }
    if path.metadata().ok()?.len() > MAX_FILE {
        return None;
    }
    std::fs::read_to_string(path).ok().map(|it| (it, None))
}

/// Where the tests of a source folder are: `src/test/java` for `src/main/java`, else beside it.
fn test_folder(folder: &Path) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = folder.components().collect();
    let is = |at: usize, name: &str| parts.get(at).is_some_and(|it| it.as_os_str() == name);
    let main = (0..parts.len()).rev().find(|&at| is(at, "src") && is(at + 1, "main") && is(at + 2, "java"));
    let Some(main) = main else { return Some(folder.to_owned()) };
    let mut res: PathBuf = parts[..=main].iter().collect();
    res.push("test");
    res.extend(&parts[main + 2..]);
    Some(res)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn folders_of_tests() {
        let of = |path: &str| test_folder(Path::new(path)).map(|it| it.to_string_lossy().into_owned());
        assert_eq!(of("/a/src/main/java/p/q").as_deref(), Some("/a/src/test/java/p/q"));
        assert_eq!(of("/a/src/main/java/p/src/main/x").as_deref(), Some("/a/src/test/java/p/src/main/x"));
        assert_eq!(of("/a/p").as_deref(), Some("/a/p"));
    }
}

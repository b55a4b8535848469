//! Generate tests for a method: a new test class, or methods for the one that is there. No file is overwritten.

mod subject;
mod world;

use super::{Asked, Change, Fix, GENERATE};
use crate::link::symbols::UNKNOWN;
use crate::rewrite::Source;
use crate::rewrite::skeleton::{Existing, Subject, existing, tests};
use crate::text::LineIndex;
use crate::verdict::Place;
use std::path::{Component, Path, PathBuf};
use world::Tables;

/// A larger test class is not read.
const MAX_FILE: u64 = 1 << 20;

pub(super) fn fixes(asked: &Asked<'_>, is_here: impl Fn(Place) -> bool) -> Vec<Fix> {
    let findings = asked.findings;
    let linked = &findings.linked;
    let file = &asked.view.file;
    // What the tables say must be about this text.
    if file.is_test || !file.path.is_absolute() || !asked.is_linked() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for method in linked.linked.symbols.methods_of_file(findings.id) {
        let (facts, start) = linked.linked.symbols.method(&linked.files, method);
        let name = facts.name.absolute(start);
        if !facts.head.has_body || !is_here(Place { file: findings.id, range: name }) {
            continue;
        }
        let Some(source) = asked.source() else { return found };
        let Some(subject) = subject::subject(linked, method) else { continue };
        let tables = Tables::new(linked, method, &subject.class.package);
        found.extend(fix(asked, source, &subject, name.start as usize, &tables));
    }
    found
}

fn fix(asked: &Asked<'_>, source: &Source<'_>, subject: &Subject, at: usize, tables: &Tables<'_>) -> Option<Fix> {
    let folder = test_folder(asked.view.file.path.parent()?)?;
    let base = subject.class.name.replace('.', "");
    let names = [format!("{base}Test"), format!("{base}MockpointTest")].into_iter().chain((2..10).map(|n| format!("{base}Mockpoint{n}Test")));
    for class in names {
        let path = folder.join(format!("{class}.java"));
        if let Some((text, version)) = text_of(asked, &path) {
            // Nothing that is there is lost: tests are added, or go elsewhere.
            let Some((there, edits)) = added(&text, source, subject, at, tables, &class) else { continue };
            let change = Change::Other { lines: LineIndex::new(&text), version, path, edits };
            return Some(generated(subject, &class, if there.methods.is_empty() { "in" } else { "into" }, change));
        }
        let is_elsewhere = tables.symbols().qualified(&qualified(&subject.class.package, &class)) != UNKNOWN;
        if path.symlink_metadata().is_ok() || is_elsewhere {
            continue;
        }
        let text = tests(source, subject, at, tables, &class, None)?.file(&subject.class.package, &class);
        return Some(generated(subject, &class, "in a new", Change::New { path, text }));
    }
    None
}

fn added(text: &str, source: &Source<'_>, subject: &Subject, at: usize, tables: &Tables<'_>, class: &str) -> Option<(Existing, Vec<crate::rewrite::Edit>)> {
    let there = existing(&Source::new(text)?, class)?;
    let edits = there.add(&tests(source, subject, at, tables, class, Some(&there))?)?;
    Some((there, edits))
}

fn generated(subject: &Subject, class: &str, how: &str, change: Change) -> Fix {
    let title = format!("Generate tests for `{}` {how} `{class}`", subject.name);
    Fix { title, kind: GENERATE, changes: vec![change], is_preferred: false }
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

//! Finds the Java files below folders, and the files that may wire them together.

use super::root::{Roots, real};
use super::{Problem, describe, path_order, relative};
use crate::workspace::{is_java, is_source_name, is_walked};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Error, WalkBuilder, WalkState};
use parking_lot::Mutex;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What `--exclude` leaves out. Its patterns mean what they mean in a `.gitignore` at the root.
#[derive(Clone)]
pub(super) struct Excluder(Gitignore);

impl Excluder {
    /// Leaves nothing out.
    pub(super) fn empty() -> Excluder {
        Excluder(Gitignore::empty())
    }

    /// Whether a path, given from the root on, is left out; with `parents`, also because a folder above it is.
    fn excludes(&self, below_root: &str, is_dir: bool, parents: bool) -> bool {
        if self.0.is_empty() || below_root.is_empty() || below_root.starts_with('/') {
            return false;
        }
        let matched = if parents { self.0.matched_path_or_any_parents(below_root, is_dir) } else { self.0.matched(below_root, is_dir) };
        matched.is_ignore()
    }
}

/// Reads the patterns of `--exclude`.
pub(super) fn excluder(globs: &[String]) -> Result<Excluder, String> {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    for glob in globs {
        builder.add_line(None, glob).map_err(|err| format!("cannot exclude `{glob}`: {err}"))?;
    }
    builder.build().map(Excluder).map_err(|err| err.to_string())
}

/// The files at or below the paths that have the names of such, sorted, each once.
pub(super) fn walk(roots: &Roots, excluder: &Excluder, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    // Two arguments may overlap or be spelled differently; where the files really are tells them apart.
    let mut found: Vec<(Option<PathBuf>, PathBuf)> = Vec::new();
    let is_single = roots.paths.len() == 1;
    for argument in &roots.paths {
        let is_dir = argument.is_dir();
        if excluder.excludes(&relative(&roots.root, argument), is_dir, true) {
            continue;
        }
        let files = if is_dir { below(argument, roots, excluder, problems) } else { explicit(argument, problems) };
        if is_single {
            found.extend(files.into_iter().map(|it| (None, it)));
        } else {
            let place = real(argument);
            found.extend(files.into_iter().map(|it| (Some(inside(&place, argument, &it)), it)));
        }
    }
    if !is_single {
        found.sort_unstable();
        found.dedup_by(|later, first| later.0 == first.0);
    }
    let mut res: Vec<PathBuf> = found.into_iter().map(|it| it.1).collect();
    res.sort_unstable_by(|left, right| path_order(left, right));
    res
}

/// Where `file`, found by walking `argument`, is if that really is `place`. Links are not followed below an argument.
fn inside(place: &Path, argument: &Path, file: &Path) -> PathBuf {
    let prefix = if argument == Path::new(".") { Path::new("") } else { argument };
    match file.strip_prefix(prefix) {
        Ok(rest) if !rest.as_os_str().is_empty() => place.join(rest),
        _ => place.to_owned(),
    }
}

/// An argument that is no folder.
fn explicit(argument: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let message = match fs::metadata(argument) {
        Ok(data) if !data.is_file() => "not a regular file".to_owned(),
        Ok(_) if !is_source_name(argument) => "not a .java file, passed over".to_owned(),
        Ok(_) => return vec![argument.to_owned()],
        Err(err) => describe(&err, "no such file or directory"),
    };
    problems.push(Problem::of_file(argument.to_owned(), message));
    Vec::new()
}

/// The files below a folder, in no order.
fn below(argument: &Path, roots: &Roots, excluder: &Excluder, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    let excluder = excluder.clone();
    let root = roots.root.clone();
    let keep = move |entry: &DirEntry| {
        let is_dir = entry.file_type().is_some_and(|it| it.is_dir());
        entry.depth() == 0 || !excluder.excludes(&relative(&root, without_dot(entry.path())), is_dir, false)
    };
    let mut builder = WalkBuilder::new(argument);
    // A user's own ignore file must not change what is found in the same tree elsewhere.
    builder.git_global(false).require_git(false).follow_links(false).threads(rayon::current_num_threads()).filter_entry(keep);
    let found = Mutex::new((Vec::new(), Vec::new()));
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            match entry.map_err(|err| problem(&err, argument)).and_then(|it| file(&it, &roots.root)) {
                Ok(Some(path)) => found.lock().0.push(path),
                Ok(None) => {}
                Err(problem) => found.lock().1.push(problem),
            }
            WalkState::Continue
        })
    });
    let (files, new_problems) = found.into_inner();
    problems.extend(new_problems);
    files
}

/// The path of an entry if it is to be read; a problem if it has the name of a Java file but cannot be read as one.
fn file(entry: &DirEntry, root: &Path) -> Result<Option<PathBuf>, Problem> {
    let path = without_dot(entry.path());
    let Some(kind) = entry.file_type() else { return Ok(None) };
    if kind.is_dir() || entry.depth() == 0 {
        return Ok(None);
    }
    if kind.is_symlink() {
        // What a link points to is mostly in the tree as well. One that points nowhere is worth a word.
        return match fs::metadata(entry.path()) {
            Err(err) if is_java(path) => Err(Problem::of_file(path.to_owned(), link_message(&err))),
            _ => Ok(None),
        };
    }
    match kind.is_file() {
        true => Ok(is_walked(path, root).then(|| path.to_owned())),
        false if is_java(path) => Err(Problem::of_file(path.to_owned(), "not a regular file".to_owned())),
        false => Ok(None),
    }
}

fn link_message(err: &io::Error) -> String {
    // `ErrorKind::FilesystemLoop` is not stable; the system's message is the same on all of them.
    if err.to_string().to_lowercase().contains("symbolic link") { "link that leads back to itself".to_owned() } else { describe(err, "dangling link") }
}

/// Walking `.` gives `./a`; everything else says `a`.
fn without_dot(path: &Path) -> &Path {
    path.strip_prefix("./").unwrap_or(path)
}

/// What the walker could not do, usually to list a folder.
fn problem(err: &Error, argument: &Path) -> Problem {
    match err {
        Error::WithPath { path, err } => problem(err, without_dot(path)),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => problem(err, argument),
        Error::Loop { child, .. } => Problem::of_file(child.clone(), "link that leads back to itself".to_owned()),
        Error::Io(err) => Problem::of_file(argument.to_owned(), describe(err, "vanished before it was read")),
        other => Problem::of_file(argument.to_owned(), other.to_string()),
    }
}

//! Finds the Java files below a root and what may wire them together, by the rules of [`crate::load`]: the editor must not see other files than the
//! command line.

use crate::workspace::is_walked;
use ignore::WalkBuilder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files below `root` that no ignore file excludes; of those, if `only` is given, the ones in it.
pub(super) fn files(root: &Path, only: Option<&BTreeSet<PathBuf>>) -> Vec<PathBuf> {
    let only = only.cloned();
    let mut walk = WalkBuilder::new(root);
    walk.git_global(false).require_git(false).follow_links(false).filter_entry(move |entry| {
        // Of the folders only those on the way to a wanted file are entered, so that the same rules decide
        // about one file as about all. What lies below a path comes right behind it in the order.
        only.as_ref().is_none_or(|only| only.range(entry.path().to_owned()..).next().is_some_and(|it| it.starts_with(entry.path())))
    });
    let found = walk.build().filter_map(|entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(err) => {
                tracing::warn!("{err}");
                return None;
            }
        };
        (is_walked(entry.path(), root) && entry.file_type().is_some_and(|it| it.is_file())).then(|| entry.into_path())
    });
    found.collect()
}

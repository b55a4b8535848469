//! The job of reading files from the disk.

use super::discover::files;
use super::is_below;
use super::quarantine::Quarantine;
use crate::load::read_wiring;
use crate::text::{Encoding, decode};
use crate::workspace::{MAX_FILE, SourceFile, WiringFile, is_java};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// If more files than this changed on the disk, all of the workspace is looked through instead.
pub(super) const MANY_PATHS: usize = 500;

/// What is to be read.
#[derive(Default)]
pub(super) struct Wanted {
    /// Folders to look through for files.
    pub(super) roots: BTreeSet<PathBuf>,
    /// Files that may have changed.
    pub(super) paths: BTreeSet<PathBuf>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty() && self.paths.is_empty()
    }
}

/// Files to find, read and compile. Runs anywhere, on all cores.
pub struct IndexJob {
    pub(super) wanted: Wanted,
    pub(super) roots: Vec<PathBuf>,
    pub(super) open: FxHashSet<PathBuf>,
    pub(super) quarantine: Quarantine,
}

/// What an [`IndexJob`] read. By default nothing, which is what a job that failed brings back.
#[derive(Default)]
pub struct IndexResult {
    pub(super) files: Vec<(PathBuf, Outcome)>,
    /// The folders that were looked through.
    pub(super) scanned: BTreeSet<PathBuf>,
}

pub(super) enum Outcome {
    Compiled(Arc<SourceFile>),
    Wiring(Arc<WiringFile>),
    /// It is not there, cannot be read, is ignored, or wires nothing together.
    Gone,
    /// The text with this hash made the analysis panic.
    Panicked(u64),
}

impl IndexJob {
    /// Whether it looks through folders, which takes long, rather than reading a few files again.
    pub fn is_scan(&self) -> bool {
        !self.wanted.roots.is_empty()
    }

    /// Does it. `progress` is called after each file with how many are done, and how many there are.
    pub fn run(self, progress: &(dyn Fn(usize, usize) + Sync)) -> IndexResult {
        let Wanted { roots: scanned, paths } = self.wanted;
        let mut found: BTreeSet<PathBuf> = scanned.iter().flat_map(|root| files(root, None)).collect();
        for root in &self.roots {
            if paths.iter().any(|it| it.starts_with(root)) {
                found.extend(files(root, Some(&paths)));
            }
        }
        let found: Vec<PathBuf> = found.into_iter().filter(|it| !self.open.contains(it)).collect();
        let n_done = AtomicUsize::new(0);
        progress(0, found.len());
        let read = |path: &PathBuf| {
            let outcome = read(path, is_below(&self.roots, path).unwrap_or(path), &self.quarantine);
            progress(n_done.fetch_add(1, Ordering::Relaxed) + 1, found.len());
            (path.clone(), outcome)
        };
        let mut files: Vec<(PathBuf, Outcome)> = found.par_iter().map(read).collect();
        let gone = paths.into_iter().filter(|it| found.binary_search(it).is_err());
        files.extend(gone.map(|it| (it, Outcome::Gone)));
        IndexResult { files, scanned }
    }
}

fn read(path: &Path, root: &Path, quarantine: &Quarantine) -> Outcome {
    if !is_java(path) {
        return wiring(path, root);
    }
    let is_large = std::fs::metadata(path).is_ok_and(|it| MAX_FILE < it.len());
    if is_large {
        tracing::warn!("{} is too large and is passed over", path.display());
        return Outcome::Gone;
    }
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(err) => {
            tracing::warn!("{} cannot be read: {err}", path.display());
            return Outcome::Gone;
        }
    };
    let decoded = decode(bytes);
    let compile = || SourceFile::from_text(path.to_owned(), root, &decoded.text, None, false).0;
    match quarantine.run(path, &decoded.text, compile) {
        Ok(file) => Outcome::Compiled(Arc::new(SourceFile { note: file.note.or(decoded.note), ..file })),
        Err(hash) => Outcome::Panicked(hash),
    }
}

fn wiring(path: &Path, root: &Path) -> Outcome {
    match read_wiring(path, root) {
        Ok(Some(file)) => {
            for problem in file.facts.problems.iter().filter(|_| !file.is_test) {
                let at = file.lines.position(problem.range.start as usize, Encoding::Utf16);
                tracing::warn!("{}:{}:{}: {}", path.display(), at.line + 1, at.column + 1, problem.message);
            }
            Outcome::Wiring(Arc::new(file))
        }
        Ok(None) => Outcome::Gone,
        Err(message) => {
            tracing::warn!("{}: {message}", path.display());
            Outcome::Gone
        }
    }
}

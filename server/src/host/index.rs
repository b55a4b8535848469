//! The job of reading files from the disk.

use super::discover::files;
use super::is_below;
use super::quarantine::Quarantine;
use crate::config::{self, Project};
use crate::load::{Problem, config_problems, read_wiring, wiring_problems};
use crate::text::decode;
use crate::workspace::{MAX_FILE, SourceFile, WiringFile, is_java};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// If more files than this changed on the disk, all of the workspace is looked through instead.
pub(super) const MANY_PATHS: usize = 500;

/// What is to be read.
#[derive(Clone, Default)]
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
    /// All files of the workspace so far, if folders are looked through: what holds for them is looked for too.
    pub(super) known: Vec<PathBuf>,
    /// What the project says, unless folders are looked through.
    pub(super) project: Arc<Project>,
    pub(super) quarantine: Quarantine,
    pub(super) cancelled: Arc<AtomicBool>,
}

/// What an [`IndexJob`] read. By default nothing, which is what a job that failed brings back.
#[derive(Default)]
pub struct IndexResult {
    pub(super) files: Vec<(PathBuf, Outcome)>,
    /// The folders that were looked through.
    pub(super) scanned: BTreeSet<PathBuf>,
    /// What the project says, if folders were looked through.
    pub(super) project: Option<Arc<Project>>,
    /// Somebody stopped it: this was wanted, and nothing has been read.
    pub(super) left: Option<Wanted>,
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

    /// Whoever sets this stops the job: it then brings back nothing, and what it was to read is wanted as before.
    pub fn stopper(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Does it. `progress` is called after each file with how many are done, and how many there are.
    pub fn run(self, progress: &(dyn Fn(usize, usize) + Sync)) -> IndexResult {
        let IndexJob { cancelled, wanted, .. } = &self;
        let left = || IndexResult { left: Some(wanted.clone()), ..IndexResult::default() };
        let is_stopped = || cancelled.load(Ordering::Relaxed);
        let Wanted { roots: scanned, paths } = wanted.clone();
        let mut found: BTreeSet<PathBuf> = scanned.iter().flat_map(|root| files(root, None)).collect();
        for root in &self.roots {
            if paths.iter().any(|it| it.starts_with(root)) {
                found.extend(files(root, Some(&paths)));
            }
        }
        let looked_for = (!scanned.is_empty()).then(|| Arc::new(config::above(&self.roots).with(self.known.iter().chain(&found).map(PathBuf::as_path))));
        looked_for.iter().flat_map(|it| config_problems(it)).for_each(|it| tell(&it));
        let project = looked_for.as_ref().unwrap_or(&self.project);
        let found: Vec<PathBuf> = found.into_iter().filter(|it| !self.open.contains(it) && !project.excludes(it)).collect();
        let n_done = AtomicUsize::new(0);
        progress(0, found.len());
        let read = |path: &PathBuf| {
            if is_stopped() {
                return (PathBuf::new(), Outcome::Gone);
            }
            let outcome = read(path, is_below(&self.roots, path).unwrap_or(path), project, &self.quarantine);
            progress(n_done.fetch_add(1, Ordering::Relaxed) + 1, found.len());
            (path.clone(), outcome)
        };
        let mut files: Vec<(PathBuf, Outcome)> = found.par_iter().map(read).collect();
        if is_stopped() {
            return left();
        }
        let gone = paths.into_iter().filter(|it| found.binary_search(it).is_err());
        files.extend(gone.map(|it| (it, Outcome::Gone)));
        IndexResult { files, scanned, project: looked_for, left: None }
    }
}

fn read(path: &Path, root: &Path, project: &Project, quarantine: &Quarantine) -> Outcome {
    if !is_java(path) {
        return wiring(path, root, project);
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
    let compile = || SourceFile::from_text(path.to_owned(), root, &decoded.text, project.queries(path), false).0;
    match quarantine.run(path, &decoded.text, compile) {
        Ok(file) => Outcome::Compiled(Arc::new(SourceFile { note: file.note.or(decoded.note), ..file.placed(project) })),
        Err(hash) => Outcome::Panicked(hash),
    }
}

/// Logs what is wrong with a file that is no Java.
fn tell(problem: &Problem) {
    let at = problem.position.map(|at| format!(":{}:{}", at.line + 1, at.column + 1)).unwrap_or_default();
    tracing::warn!("{}{at}: {}", problem.path.display(), problem.message);
}

fn wiring(path: &Path, root: &Path, project: &Project) -> Outcome {
    match read_wiring(path, root) {
        Ok(Some(file)) => {
            let file = file.placed(project);
            wiring_problems(&file).for_each(|it| tell(&it));
            Outcome::Wiring(Arc::new(file))
        }
        Ok(None) => Outcome::Gone,
        Err(message) => {
            tracing::warn!("{}: {message}", path.display());
            Outcome::Gone
        }
    }
}

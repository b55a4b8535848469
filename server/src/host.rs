//! The workspace as it changes: files on the disk, open documents, settings, and the last link.
//!
//! One owner (a task of the language server, a test) holds the [`Host`] and tells it what happened. Long work is
//! handed out as jobs, [`IndexJob`] and [`LinkJob`], which run elsewhere and whose results are brought back. What
//! others read is a [`Snapshot`]: immutable, cheap, and consistent in itself.
//!
//! It knows no protocol: files are paths, places are bytes; only the changes of a document come as a client writes
//! them. A file is what its editor says while it is open and what the disk says otherwise, never neither. Trees are
//! kept of open files only, since a tree takes more than ten times its source.

pub mod declaration;
mod discover;
mod index;
mod link_job;
mod overlay;
mod quarantine;
mod view;

pub use index::{IndexJob, IndexResult};
pub use link_job::{LinkJob, LinkResult};
pub use quarantine::Fault;
pub use view::{Findings, Snapshot, View};

use crate::analysis::{self, Analysis};
use crate::config::{Project, Run, is_config};
use crate::load::path_order;
use crate::text::{Change, Encoding};
use crate::verdict::FileId;
use crate::workspace::{SourceFile, WiringFile};
use index::{Outcome, Wanted};
use overlay::Overlay;
use quarantine::Quarantine;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The state of a workspace; see the module.
pub struct Host {
    /// The settings that a client asks for.
    asked: Run,
    /// What the project says, of all roots.
    project: Arc<Project>,
    roots: Vec<PathBuf>,
    /// All files. The order is that of paths, part by part, so that what a folder holds comes right behind it.
    files: BTreeMap<PathBuf, Entry>,
    /// What wires them together. An editor's text of such a file counts when it is saved.
    wiring: BTreeMap<PathBuf, Arc<WiringFile>>,
    /// The same as it is linked; made when it is asked for.
    wiring_list: Option<Arc<[Arc<WiringFile>]>>,
    linked: Arc<Analysis>,
    /// All files of the workspace have been linked at least once.
    complete: bool,
    /// Grows whenever what would be linked changes.
    revision: u64,
    /// The revision that the last link, good or bad, was made of.
    linked_revision: u64,
    linking: bool,
    wanted: Wanted,
    /// The running index job looks for files instead of reading known ones.
    indexing: Option<bool>,
    /// Somebody stopped looking through folders: nothing is read until it is asked for again.
    held: bool,
    quarantine: Quarantine,
    snapshot: Option<Arc<Snapshot>>,
}

enum Entry {
    /// As the disk has it.
    Closed(Arc<SourceFile>),
    /// As its editor has it.
    Open(Box<Overlay>),
}

impl Entry {
    /// What is to be linked of it.
    fn file(&self) -> Option<&Arc<SourceFile>> {
        match self {
            Entry::Closed(file) => Some(file),
            Entry::Open(overlay) => overlay.counts().then_some(&overlay.file),
        }
    }
}

/// A workspace without files.
impl Default for Host {
    fn default() -> Host {
        Host {
            asked: Run::default(),
            project: Arc::default(),
            roots: Vec::new(),
            files: BTreeMap::new(),
            wiring: BTreeMap::new(),
            wiring_list: None,
            linked: Arc::new(analysis::analyse(Vec::new(), Run::default().settings(), None)),
            complete: false,
            revision: 0,
            linked_revision: 0,
            linking: false,
            wanted: Wanted::default(),
            indexing: None,
            held: false,
            quarantine: Quarantine::default(),
            snapshot: None,
        }
    }
}

impl Host {
    /// Calls `fault` before each analysis of a file. Tests let it panic.
    pub fn with_fault(mut self, fault: Option<Fault>) -> Host {
        self.quarantine.fault = fault;
        self
    }

    /// Changes the settings, which go before what the project says; the findings follow with the next link.
    pub fn ask(&mut self, asked: Run) {
        if self.asked != asked {
            self.asked = asked;
            self.touch();
        }
    }

    /// Makes the files below `root` part of the workspace, once they are indexed.
    pub fn add_root(&mut self, root: PathBuf) {
        if !self.roots.contains(&root) {
            self.roots.push(root.clone());
            self.wanted.roots.insert(root);
        }
    }

    /// Takes the files below `root` out of the workspace, except those that are open or also below another root.
    pub fn remove_root(&mut self, root: &Path) {
        self.roots.retain(|it| it != root);
        self.wanted.roots.remove(root);
        let roots = std::mem::take(&mut self.roots);
        let stays = |path: &Path| !path.starts_with(root) || is_below(&roots, path).is_some();
        self.files.retain(|path, entry| matches!(entry, Entry::Open(_)) || stays(path));
        self.wiring.retain(|path, _| stays(path));
        self.wiring_list = None;
        self.roots = roots;
        self.touch();
    }

    /// The text of `path` is now what an editor says.
    pub fn open(&mut self, path: PathBuf, text: &str, version: i32) {
        let root = self.root_of(&path);
        let mut overlay = Overlay::new(path.clone(), &root, text, version, &self.project, &mut self.quarantine);
        overlay.place(&root, &self.project, &mut self.quarantine);
        self.files.insert(path, Entry::Open(Box::new(overlay)));
        self.touch();
    }

    /// Changes the text of an open file. False, and nothing changes, if it is not open or `version` is not newer.
    pub fn change(&mut self, path: &Path, version: i32, changes: &[Change], encoding: Encoding) -> bool {
        let Some(Entry::Open(overlay)) = self.files.get_mut(path) else { return false };
        if version <= overlay.document.version {
            tracing::warn!("a change of {} comes with version {version}, but {} is known", path.display(), overlay.document.version);
            return false;
        }
        let is_back = std::mem::take(&mut overlay.gone);
        if overlay.change(version, changes, encoding, &mut self.quarantine) || is_back {
            self.touch();
        } else {
            // The version is new all the same.
            self.snapshot = None;
        }
        true
    }

    /// The editor lets go of a file: the disk counts again. What was typed stands until the disk has been read.
    pub fn close(&mut self, path: &Path) {
        let Some(Entry::Open(overlay)) = self.files.remove(path) else { return };
        if is_below(&self.roots, path).is_some() {
            self.wanted.paths.insert(path.to_owned());
            if overlay.counts() {
                self.files.insert(path.to_owned(), Entry::Closed(overlay.file));
            }
        }
        self.touch();
    }

    /// Files were made or changed on the disk. Open ones keep the text of their editor.
    pub fn disk_changed(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            if is_config(&path) {
                self.look_again();
                continue;
            }
            match self.files.get_mut(&path) {
                Some(Entry::Open(overlay)) => {
                    if std::mem::take(&mut overlay.gone) {
                        self.touch();
                    }
                }
                _ => {
                    if is_below(&self.roots, &path).is_some() {
                        self.wanted.paths.insert(path);
                    }
                }
            }
        }
        // Someone has switched branches. Looking through everything once is cheaper than looking for each.
        if self.wanted.paths.len() > index::MANY_PATHS {
            self.wanted.paths.clear();
            self.look_again();
        }
    }

    /// Everything is to be read again, also if somebody stopped that before.
    pub fn read_again(&mut self) {
        self.held = false;
        self.look_again();
    }

    /// Whether nothing is left to do: all that is known has been read and linked.
    pub fn is_settled(&self) -> bool {
        let is_read = self.held || (self.indexing.is_none() && self.wanted.is_empty());
        is_read && !self.linking && !self.wants_link()
    }

    /// Everything is to be looked through: what the project says may have changed which files there are.
    fn look_again(&mut self) {
        self.wanted.roots.extend(self.roots.iter().cloned());
    }

    /// Folders came to be: whatever is in them is looked for.
    pub fn folders_changed(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if let Some(root) = is_below(&self.roots, path)
                && path.is_dir()
            {
                self.wanted.roots.insert(root.to_owned());
            }
        }
    }

    /// A file, or a folder with all that is in it, is gone from the disk.
    ///
    /// An open file is left out of the workspace until it is changed or comes back.
    pub fn removed(&mut self, path: &Path) {
        // With a folder its own configuration goes, and nothing else that it says counts.
        if is_config(path) {
            self.look_again();
        }
        let below: Vec<PathBuf> = self.files.range(path.to_owned()..).map(|it| it.0).take_while(|it| it.starts_with(path)).cloned().collect();
        let n_wiring = self.wiring.len();
        self.wiring.retain(|it, _| !it.starts_with(path));
        if below.is_empty() && n_wiring == self.wiring.len() {
            return;
        }
        self.wiring_list = None;
        for path in below {
            if let Some(Entry::Open(overlay)) = self.files.get_mut(&path) {
                overlay.gone = true;
            } else {
                self.files.remove(&path);
            }
        }
        self.touch();
    }

    /// Files to read, unless there are none or a job is running already.
    pub fn index_job(&mut self) -> Option<IndexJob> {
        if self.held || self.indexing.is_some() || self.wanted.is_empty() {
            return None;
        }
        let wanted = std::mem::take(&mut self.wanted);
        self.indexing = Some(!wanted.roots.is_empty());
        let open = self.files.iter().filter(|it| matches!(it.1, Entry::Open(_))).map(|it| it.0.clone()).collect();
        let known = if wanted.roots.is_empty() { Vec::new() } else { self.files.keys().chain(self.wiring.keys()).cloned().collect() };
        Some(IndexJob {
            wanted,
            roots: self.roots.clone(),
            open,
            known,
            project: Arc::clone(&self.project),
            quarantine: self.quarantine.clone(),
            cancelled: Arc::default(),
        })
    }

    /// Takes in what an index job read. Files that were opened meanwhile keep the text of their editor.
    pub fn indexed(&mut self, res: IndexResult) {
        self.indexing = None;
        if let Some(left) = res.left {
            self.held = true;
            self.wanted.roots.extend(left.roots);
            self.wanted.paths.extend(left.paths);
            return;
        }
        if let Some(project) = res.project {
            self.project = project;
            let roots = &self.roots;
            for (path, entry) in &mut self.files {
                if let Entry::Open(overlay) = entry {
                    overlay.place(is_below(roots, path).or(path.parent()).unwrap_or(path), &self.project, &mut self.quarantine);
                }
            }
        }
        let found: FxHashSet<&Path> = res.files.iter().map(|it| it.0.as_path()).collect();
        let roots = &self.roots;
        // A file below a root that was looked through and not found there is no more, or is now ignored.
        let scanned = |path: &Path| is_below(roots, path).is_some_and(|root| res.scanned.contains(root));
        let stays = |path: &Path| found.contains(path) || !scanned(path);
        self.files.retain(|path, entry| matches!(entry, Entry::Open(_)) || stays(path));
        self.wiring.retain(|path, _| stays(path));
        self.wiring_list = None;
        for (path, outcome) in res.files {
            if matches!(self.files.get(&path), Some(Entry::Open(_))) {
                continue;
            }
            // The root may have been removed while the job ran.
            let file = match outcome {
                Outcome::Compiled(file) if is_below(&self.roots, &path).is_some() => file,
                Outcome::Wiring(file) if is_below(&self.roots, &path).is_some() => {
                    self.wiring.insert(path, file);
                    continue;
                }
                Outcome::Panicked(hash) => {
                    self.quarantine.note(&path, hash);
                    self.files.remove(&path);
                    continue;
                }
                _ => {
                    self.files.remove(&path);
                    self.wiring.remove(&path);
                    continue;
                }
            };
            self.files.insert(path, Entry::Closed(file));
        }
        self.touch();
    }

    /// Whether there is something to link: not if nothing changed, if a link is running, or if the workspace is still
    /// being looked through. A field that nothing modifies in half of the workspace may be modified in the other half.
    pub fn wants_link(&self) -> bool {
        !self.linking && !self.is_looking() && (!self.complete || self.linked_revision != self.revision)
    }

    /// Whether folders are being looked through or are still to be.
    pub fn is_looking(&self) -> bool {
        self.indexing == Some(true) || !self.wanted.roots.is_empty()
    }

    /// Everything to link, if it [wants](Host::wants_link) to be.
    pub fn link_job(&mut self) -> Option<LinkJob> {
        if !self.wants_link() {
            return None;
        }
        self.linking = true;
        let files = self.files.values().filter_map(Entry::file).cloned().collect();
        let wiring = self.wiring();
        let previous = Arc::clone(&self.linked);
        let settings = self.asked.or(self.project.run()).settings();
        Some(LinkJob { files, wiring, project: Arc::clone(&self.project), settings, previous, revision: self.revision })
    }

    /// Takes in a finished link.
    pub fn linked(&mut self, res: LinkResult) {
        self.linking = false;
        self.linked_revision = res.revision;
        // If it failed the last one stands; it is tried again when something has changed.
        self.complete = true;
        if let Some(linked) = res.linked {
            self.linked = linked;
        }
        self.snapshot = None;
    }

    /// Runs all jobs here and now: for those who have nothing else to do.
    pub fn settle(&mut self) {
        loop {
            if let Some(job) = self.index_job() {
                let res = job.run(&|_, _| {});
                self.indexed(res);
            } else if let Some(job) = self.link_job() {
                let res = job.run();
                self.linked(res);
            } else {
                return;
            }
        }
    }

    /// The last link.
    pub fn last_link(&self) -> &Arc<Analysis> {
        &self.linked
    }

    /// Whether all files of the workspace have been linked at least once.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What is known of a file now.
    pub fn file(&self, path: &Path) -> Option<&Arc<SourceFile>> {
        self.files.get(path)?.file()
    }

    /// What wires the files together, sorted by path. The same list until one of them changes.
    pub fn wiring(&mut self) -> Arc<[Arc<WiringFile>]> {
        let list = self.wiring_list.get_or_insert_with(|| {
            let mut list: Vec<Arc<WiringFile>> = self.wiring.values().cloned().collect();
            list.sort_by(|left, right| path_order(&left.path, &right.path));
            list.into()
        });
        Arc::clone(list)
    }

    /// The paths of all files that would be linked.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|it| it.1.file().is_some()).map(|it| it.0.as_path())
    }

    /// The workspace as it is now. The same one until something changes.
    pub fn snapshot(&mut self) -> Arc<Snapshot> {
        if let Some(snapshot) = &self.snapshot {
            return Arc::clone(snapshot);
        }
        let mut open = BTreeMap::new();
        for (path, entry) in &mut self.files {
            if let Entry::Open(overlay) = entry
                && overlay.counts()
            {
                open.insert(path.clone(), overlay.view(&self.linked));
            }
        }
        let snapshot = Arc::new(Snapshot { linked: Arc::clone(&self.linked), open });
        self.snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }

    fn touch(&mut self) {
        self.revision += 1;
        self.snapshot = None;
    }

    /// The root that a file belongs to; a file of no root is one for itself.
    fn root_of(&self, path: &Path) -> PathBuf {
        is_below(&self.roots, path).or(path.parent()).unwrap_or(path).to_owned()
    }
}

/// The innermost of `roots` that `path` lies below.
fn is_below<'a>(roots: &'a [PathBuf], path: &Path) -> Option<&'a Path> {
    let around = roots.iter().filter(|root| path.starts_with(root));
    around.max_by_key(|root| root.components().count()).map(PathBuf::as_path)
}

/// The number of a file in a link, if it took part.
pub fn file_id(linked: &Analysis, path: &Path) -> Option<FileId> {
    let found = linked.files.binary_search_by(|it| path_order(&it.path, path)).ok()?;
    FileId::try_from(found).ok()
}

//! What an answer may depend on, at one moment.

use super::convert::{range, uri_of};
use super::initialize::Setup;
use super::settings::EditorSettings;
use crate::host::{Findings, Snapshot, View};
use crate::verdict::{FileId, Place};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp::lsp_types::{Location, Url};

/// The workspace, the settings and the names of things, as the messages before a request left them.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) setup: Arc<Setup>,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) settings: Arc<FolderSettings>,
    /// The documents that are open, as the client spells them.
    pub(super) uris: Arc<FxHashMap<PathBuf, Url>>,
    /// All files have been linked at least once.
    pub(super) complete: bool,
    /// The folder that paths in a report start from.
    pub(super) root: PathBuf,
}

impl Moment {
    /// A document as the client spells it.
    pub(super) fn uri(&self, path: &Path) -> Option<Url> {
        self.uris.get(path).cloned().or_else(|| uri_of(path))
    }

    /// An open file and what was found in it.
    pub(super) fn open(&self, path: &Path) -> Option<(&Arc<View>, &Arc<Findings>)> {
        let view = self.snapshot.view(path)?;
        Some((view, view.findings()?))
    }

    /// What was found in a file of the workspace, by its text if it is open.
    pub(super) fn findings(&self, path: &Path) -> Option<Arc<Findings>> {
        if let Some(view) = self.snapshot.view(path) {
            return view.findings().cloned();
        }
        // What is open and has no view was deleted or is left out, whatever the last link had of it.
        if self.uris.contains_key(path) {
            return None;
        }
        let id = crate::host::file_id(&self.snapshot.linked, path)?;
        Findings::linked(&self.snapshot.linked, id).map(Arc::new)
    }

    /// A place that findings name, as the client knows it.
    pub(super) fn location(&self, findings: &Findings, place: Place) -> Option<Location> {
        let file = findings.file_of(place)?;
        Some(Location { uri: self.uri(&file.path)?, range: range(&file.lines, place.range, self.setup.encoding) })
    }

    /// The files that have findings or are open, each once: those that are not open as they were linked.
    pub(super) fn all_findings(&self) -> Vec<Arc<Findings>> {
        let linked = &self.snapshot.linked;
        let is_open = |id: FileId| linked.files.get(id as usize).is_some_and(|it| self.uris.contains_key(&it.path));
        let closed = linked.files_with_findings().into_iter().filter(|&id| !is_open(id)).filter_map(|id| Findings::linked(linked, id).map(Arc::new));
        let mut res: Vec<Arc<Findings>> = closed.chain(self.snapshot.open.values().filter_map(|it| it.findings().cloned())).collect();
        res.sort_by(|left, right| left.file().path.cmp(&right.file().path));
        res
    }
}

/// The settings, which may differ from folder to folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FolderSettings {
    /// Where no folder says anything, and for the workspace as a whole.
    pub(super) all: EditorSettings,
    pub(super) folders: Vec<(PathBuf, EditorSettings)>,
}

impl FolderSettings {
    /// Those of a file: of the innermost folder around it.
    pub(super) fn of(&self, path: &Path) -> &EditorSettings {
        let around = self.folders.iter().filter(|it| path.starts_with(&it.0));
        around.max_by_key(|it| it.0.components().count()).map_or(&self.all, |it| &it.1)
    }

    /// Whether something holds anywhere.
    pub(super) fn any(&self, holds: impl Fn(&EditorSettings) -> bool) -> bool {
        holds(&self.all) || self.folders.iter().any(|it| holds(&it.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_folder_decides() {
        let with = |enable| {
            let mut res = EditorSettings::default();
            res.inlay_hints.enable = enable;
            res
        };
        let settings = FolderSettings { all: with(false), folders: vec![("/a".into(), with(true)), ("/a/b".into(), with(false)), ("/ab".into(), with(true))] };
        let of = |path: &str| settings.of(Path::new(path)).inlay_hints.enable;
        assert_eq!([of("/x/C.java"), of("/a/C.java"), of("/a/b/c/C.java"), of("/a/bc/C.java"), of("untitled:C")], [false, true, false, true, false]);
        assert!(settings.any(|it| it.inlay_hints.enable) && !settings.any(|it| !it.code_lens.enable));
    }
}

//! The link: joins the facts of all files into verdicts.

use crate::settings::Settings;
use crate::verdict::{FieldVerdict, FileId, MockingPoint, Verdicts};
use crate::workspace::SourceFile;
use std::sync::Arc;

/// A linked workspace: immutable, shared by whoever reads it.
pub struct Linked {
    /// The files that were linked, sorted by path; [`FileId`] is an index into them.
    pub files: Vec<Arc<SourceFile>>,
    /// The settings that were used.
    pub settings: Settings,
    /// What came out.
    pub verdicts: Verdicts,
}

/// Links `files`, which must be sorted by path. What did not change since `previous` is taken from it.
pub fn link(files: Vec<Arc<SourceFile>>, settings: Settings, _previous: Option<&Linked>) -> Linked {
    Linked { files, settings, verdicts: Verdicts::default() }
}

impl Linked {
    /// Findings of one file after an edit, from the per-method pass alone: `file` replaces the linked file with the
    /// same id; everything else is as it was linked. Cheap enough for every keystroke.
    pub fn quick(&self, id: FileId, _file: &Arc<SourceFile>) -> (Vec<MockingPoint>, Vec<FieldVerdict>) {
        self.findings(id)
    }

    /// Findings of one file as linked.
    pub fn findings(&self, id: FileId) -> (Vec<MockingPoint>, Vec<FieldVerdict>) {
        let points = self.verdicts.mocking_points.iter().filter(|it| it.place.file == id).cloned().collect();
        let fields = self.verdicts.fields.iter().filter(|it| it.place.file == id).cloned().collect();
        (points, fields)
    }
}

//! What may be read of a workspace while it goes on changing.

use super::file_id;
use super::quarantine::panic_text;
use crate::analysis::{self, Analysis};
use crate::text::Document;
use crate::verdict::{CarrierField, FieldVerdict, FileId, MockingPoint, Place, UnmockableSource, Verdicts};
use crate::workspace::{SourceFile, Sources};
use ropey::Rope;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A workspace at one moment.
pub struct Snapshot {
    /// The last link. The text of open files may be newer.
    pub linked: Arc<Analysis>,
    /// The open files that are part of the workspace: neither deleted nor left out.
    pub open: BTreeMap<PathBuf, Arc<View>>,
}

impl Snapshot {
    /// An open file.
    pub fn view(&self, path: &Path) -> Option<&Arc<View>> {
        self.open.get(path)
    }
}

/// An open file at one moment.
pub struct View {
    /// What it says.
    pub file: Arc<SourceFile>,
    /// Its text.
    pub rope: Rope,
    /// The version of its text.
    pub version: i32,
    /// The last link, for all that is outside of the file.
    pub linked: Arc<Analysis>,
    findings: OnceLock<Option<Arc<Findings>>>,
}

/// What was found in one open file.
pub struct Findings {
    /// The number of the file in `linked`.
    pub id: FileId,
    /// What all other files are that places name.
    pub linked: Arc<Analysis>,
    /// The file's mocking points.
    pub points: Vec<MockingPoint>,
    /// What is said of the file's fields.
    pub fields: Vec<FieldVerdict>,
    /// The file's reads where no method can be mocked.
    pub unmockable: Vec<UnmockableSource>,
    carriers: OnceLock<Vec<CarrierField>>,
    /// The file itself, whose text may be newer than the one that was linked.
    file: Arc<SourceFile>,
}

impl View {
    pub(super) fn new(document: &Document, file: &Arc<SourceFile>, linked: &Arc<Analysis>) -> View {
        View { file: Arc::clone(file), rope: document.rope.clone(), version: document.version, linked: Arc::clone(linked), findings: OnceLock::new() }
    }

    /// The findings for exactly this text: as linked if this text was linked, by the quick pass otherwise. Worked out
    /// once, by whoever asks first. `None` if that panicked.
    pub fn findings(&self) -> Option<&Arc<Findings>> {
        let work_out = || {
            catch_unwind(AssertUnwindSafe(|| Arc::new(self.work_out())))
                .map_err(|payload| tracing::error!("the quick pass over {} panicked: {}", self.file.path.display(), panic_text(payload.as_ref())))
                .ok()
        };
        self.findings.get_or_init(work_out).as_ref()
    }

    fn work_out(&self) -> Findings {
        let file = Arc::clone(&self.file);
        let Some(id) = file_id(&self.linked, &file.path) else {
            // It is not part of the link yet. Until it is, it is a small workspace of its own, which says nothing of
            // its fields: others may modify them.
            let linked =
                Arc::new(analysis::analyse(Sources::alone(&file, &self.linked.linked.wiring, &self.linked.linked.listed.project), self.linked.settings, None));
            let found = Verdicts { fields: Vec::new(), ..linked.findings(0) };
            return Findings::of(found, 0, linked, file);
        };
        let as_linked = self.linked.files.get(id as usize).is_some_and(|it| Arc::ptr_eq(it, &file));
        let found = if as_linked { self.linked.findings(id) } else { self.linked.quick(id, &file) };
        Findings::of(found, id, Arc::clone(&self.linked), file)
    }
}

impl Findings {
    /// Those of a file that was linked.
    pub fn linked(linked: &Arc<Analysis>, id: FileId) -> Option<Findings> {
        let file = Arc::clone(linked.files.get(id as usize)?);
        Some(Findings::of(linked.findings(id), id, Arc::clone(linked), file))
    }

    fn of(found: Verdicts, id: FileId, linked: Arc<Analysis>, file: Arc<SourceFile>) -> Findings {
        let Verdicts { mocking_points: points, fields, unmockable, .. } = found;
        Findings { id, linked, points, fields, unmockable, carriers: OnceLock::new(), file }
    }

    /// The file's fields that carry state. Worked out once, by whoever asks first: most who look at all files do not. None if that
    /// panicked.
    pub fn carriers(&self) -> &[CarrierField] {
        self.carriers.get_or_init(|| {
            catch_unwind(AssertUnwindSafe(|| self.linked.carriers(self.id, &self.file))).unwrap_or_else(|payload| {
                tracing::error!("the carriers of {} made it panic: {}", self.file.path.display(), panic_text(payload.as_ref()));
                Vec::new()
            })
        })
    }

    /// The file that they are about.
    pub fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// The file that a place is in, as the text that the place counts in.
    pub fn file_of(&self, place: Place) -> Option<&Arc<SourceFile>> {
        if place.file == self.id { Some(&self.file) } else { self.linked.files.get(place.file as usize) }
    }
}

//! The job of linking a workspace.

use super::quarantine::panic_text;
use crate::analysis::{self, Analysis};
use crate::config::Project;
use crate::load::path_order;
use crate::settings::Settings;
use crate::workspace::{SourceFile, Sources, WiringFile};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Files to link. Runs anywhere.
pub struct LinkJob {
    pub(super) files: Vec<Arc<SourceFile>>,
    pub(super) wiring: Arc<[Arc<WiringFile>]>,
    pub(super) project: Arc<Project>,
    pub(super) settings: Settings,
    pub(super) previous: Arc<Analysis>,
    pub(super) revision: u64,
}

/// What a [`LinkJob`] made.
pub struct LinkResult {
    /// `None` if it panicked.
    pub(super) linked: Option<Arc<Analysis>>,
    pub(super) revision: u64,
}

impl LinkJob {
    /// Does it.
    pub fn run(self) -> LinkResult {
        let LinkJob { mut files, wiring, project, settings, previous, revision } = self;
        files.sort_by(|left, right| path_order(&left.path, &right.path));
        let n_files = files.len();
        let previous = (previous.settings == settings).then_some(previous);
        let res = catch_unwind(AssertUnwindSafe(|| analysis::analyse(Sources { files, wiring, project }, settings, previous.as_deref())));
        let linked = match res {
            Ok(linked) => Some(Arc::new(linked)),
            Err(payload) => {
                tracing::error!("the link of {n_files} files panicked: {}", panic_text(payload.as_ref()));
                None
            }
        };
        LinkResult { linked, revision }
    }
}

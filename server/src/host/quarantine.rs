//! Keeps a file that makes the analysis panic from doing so again and again.

use crate::workspace::SourceFile;
use rustc_hash::{FxHashMap, FxHasher};
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Called with the path and the text of a file before it is analysed.
pub type Fault = Arc<dyn Fn(&Path, &str) + Send + Sync>;

/// A text that panicked this often is not tried again.
const MAX_PANICS: u8 = 2;

/// The files that made the analysis panic.
#[derive(Clone, Default)]
pub(super) struct Quarantine {
    /// The hash of the text that panicked last, and how often it did.
    cases: FxHashMap<PathBuf, (u64, u8)>,
    pub(super) fault: Option<Fault>,
}

impl Quarantine {
    /// Runs the analysis of one text. `Err` with the hash of the text if it panicked, or did too often before.
    pub(super) fn run<T>(&self, path: &Path, text: &str, analyse: impl FnOnce() -> T) -> Result<T, u64> {
        // Hashing takes time, and nearly always nothing has ever panicked.
        if let Some(&(hash, count)) = self.cases.get(path)
            && MAX_PANICS <= count
            && hash == hash_of(text)
        {
            return Err(hash);
        }
        let guarded = AssertUnwindSafe(|| {
            if let Some(fault) = &self.fault {
                fault(path, text);
            }
            analyse()
        });
        catch_unwind(guarded).map_err(|payload| {
            tracing::error!("the analysis of {} panicked: {}", path.display(), panic_text(payload.as_ref()));
            hash_of(text)
        })
    }

    /// Notes that a text panicked.
    pub(super) fn note(&mut self, path: &Path, hash: u64) {
        let case = self.cases.entry(path.to_owned()).or_insert((hash, 0));
        if case.0 != hash {
            *case = (hash, 0);
        }
        case.1 = case.1.saturating_add(1);
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What a panic said.
pub(super) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// A file of which nothing is known but its text.
pub(super) fn unknown(path: PathBuf, text: &str, is_test: bool, note: &'static str) -> SourceFile {
    SourceFile {
        path,
        facts: Arc::new(crate::facts::FileFacts::empty()),
        lines: Arc::new(crate::text::LineIndex::new(text)),
        is_test,
        note: Some(note),
        queries: None,
    }
}

//! What is wrong with a file, as far as anyone wants to read.

use super::WiringProblem;
use crate::java::decls::Range;

/// What comes after so many follows from them, or is garbage.
const MAX_PROBLEMS: usize = 10;

/// Collects problems.
#[derive(Default)]
pub(super) struct Problems(Vec<WiringProblem>);

impl Problems {
    pub(super) fn add(&mut self, range: Range, message: impl Into<String>) {
        if self.0.len() < MAX_PROBLEMS {
            self.0.push(WiringProblem { range, message: message.into() });
        }
    }

    /// In the order of their places.
    pub(super) fn into_list(mut self) -> Vec<WiringProblem> {
        self.0.sort_by_key(|it| it.range.start);
        self.0
    }
}

/// A name from the file, cut so that it fits into a message.
pub(super) fn short(name: &str) -> &str {
    match name.char_indices().nth(60) {
        Some((at, _)) => &name[..at],
        None => name,
    }
}

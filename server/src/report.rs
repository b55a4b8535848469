//! Reports: what a run says, one file a format.

pub mod feedback;
pub mod human;
pub mod json;
pub mod model;
pub mod sarif;
mod snippet;
pub mod statistics;

use crate::analysis::Analysis;
use crate::load::{Problem, relative};
use crate::text::Encoding;
use crate::verdict::{FileId, Place};
use std::path::Path;

/// All that a report speaks of.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The verdicts and the files they are about.
    pub linked: &'a Analysis,
    /// What could not be read.
    pub problems: &'a [Problem],
    /// The folder that paths in a machine's report start from.
    pub root: &'a Path,
}

impl Report<'_> {
    /// The path of a file as it was found, for people. Without control characters, which a terminal would obey.
    fn found_path(&self, file: FileId) -> String {
        self.linked.files.get(file as usize).map(|it| snippet::harmless(&it.path.to_string_lossy())).unwrap_or_default()
    }

    /// The path of a file from the root on, with `/`.
    pub(crate) fn path_from_root(&self, file: FileId) -> String {
        self.linked.files.get(file as usize).map(|it| relative(self.root, &it.path)).unwrap_or_default()
    }

    /// Line and column of a byte, both from 1, the column in UTF-16 code units.
    pub(crate) fn line_column(&self, file: FileId, byte: u32) -> (u32, u32) {
        let position = self.linked.files.get(file as usize).map(|it| it.lines.position(byte as usize, Encoding::Utf16)).unwrap_or_default();
        (position.line + 1, position.column + 1)
    }

    /// `path:line:column` of where a place begins, for people.
    pub(crate) fn location(&self, place: Place) -> String {
        let (line, column) = self.line_column(place.file, place.range.start);
        format!("{}:{line}:{column}", self.found_path(place.file))
    }
}

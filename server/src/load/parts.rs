//! Which of the paths of a command line each file belongs to.

use super::root::{real, tidy};
use super::{path_order, relative};
use crate::workspace::SourceFile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The paths of a command line as parts of what was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The paths, each place once, in order; none if there is one only.
    pub names: Vec<String>,
    /// Of each file the part that it is in: the innermost one.
    pub of_file: Vec<usize>,
}

/// Tells which of `paths` each file belongs to.
pub fn parts(paths: &[PathBuf], files: &[Arc<SourceFile>]) -> Parts {
    let mut places: Vec<(PathBuf, PathBuf)> = paths.iter().map(|it| (tidy(it), real(it))).collect();
    places.sort_by(|a, b| path_order(&a.0, &b.0));
    let mut known: Vec<PathBuf> = Vec::new();
    // The same place may be spelled in several ways.
    places.retain(|it| {
        !known.contains(&it.1) && {
            known.push(it.1.clone());
            true
        }
    });
    if places.len() < 2 {
        return Parts::default();
    }
    let of = |file: &Path| {
        let file = real(file);
        let around = (0..).zip(&places).filter(|(_, it)| file.starts_with(&it.1));
        around.max_by_key(|(_, it)| it.1.components().count()).map_or(usize::MAX, |it| it.0)
    };
    Parts { of_file: files.iter().map(|it| of(&it.path)).collect(), names: places.iter().map(|it| relative(Path::new(""), &it.0)).collect() }
}

//! `.mockpoint/queries/*.scm`: queries of the project, each file with the folder that it holds for.

use super::ConfigProblem;
use super::project::ConfigSource;
use crate::java::queries::{Queries, check};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of such files, below the one that they hold for.
pub const QUERY_FOLDER: &str = ".mockpoint/queries";

/// Whether a path is one of a file with queries, or of a folder that such files are in.
pub(super) fn is_query(path: &Path) -> bool {
    let ends = |path: &Path, with: &str| path.ends_with(with);
    ends(path, ".mockpoint")
        || ends(path, QUERY_FOLDER)
        || (path.extension().is_some_and(|it| it == "scm") && path.parent().is_some_and(|it| ends(it, QUERY_FOLDER)))
}

/// A file and the folder for whose source files it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryFile {
    /// Where it is, and what is wrong with it.
    pub source: Arc<ConfigSource>,
    /// The folder, spelled as paths of sources are; empty for all.
    pub folder: PathBuf,
    /// How many folders above that one it belongs to.
    pub above: usize,
    /// What it says; empty if it cannot be run.
    text: String,
}

impl QueryFile {
    /// Reads the text of a file. What is wrong costs the file, or the capture that it is in.
    pub fn new(path: PathBuf, text: &str, folder: PathBuf, above: usize) -> QueryFile {
        let (problems, runs) = check(text);
        let problems = problems.into_iter().map(|(range, message)| ConfigProblem { range, message }).collect();
        let source = Arc::new(ConfigSource::other(path, text, problems));
        QueryFile { source, folder, above, text: if runs { text.to_owned() } else { String::new() } }
    }

    /// How messages about other files name it.
    fn name(&self) -> String {
        format!("{QUERY_FOLDER}/{}", self.source.path.file_name().unwrap_or_default().to_string_lossy())
    }

    /// A file that could not be read.
    pub(super) fn failed(path: PathBuf, message: String, folder: PathBuf) -> QueryFile {
        QueryFile { source: Arc::new(ConfigSource::failed(path, message)), folder, above: 0, text: String::new() }
    }
}

/// What the files that hold in a folder say together, if anything. `files` are sorted, the outer ones first.
pub(super) fn in_folder(files: &[QueryFile], folder: &Path) -> Option<Arc<Queries>> {
    let holding = files.iter().filter(|it| folder.starts_with(&it.folder) && !it.text.is_empty());
    let names: Vec<(String, &str)> = holding.map(|it| (it.name(), it.text.as_str())).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|it| (it.0.as_str(), it.1)).collect();
    if files.is_empty() { None } else { Queries::new(&files).map(Arc::new) }
}

//! What `mockpoint.toml`s say of a run, and what is wrong with them.

use super::Problem;
use super::root::Roots;
use crate::config::{self, Project, Run};
use crate::text::Encoding;
use std::path::PathBuf;

/// What the project says of a whole run over these paths.
pub fn run_of(paths: &[PathBuf]) -> Run {
    config::find(&[Roots::new(paths).root], std::iter::empty()).run()
}

/// What is wrong, with line and column.
pub fn problems(project: &Project) -> impl Iterator<Item = Problem> + '_ {
    project.sources().flat_map(|source| {
        source.problems.iter().map(|it| Problem { path: source.path.clone(), position: source.position(it, Encoding::Utf16), message: it.message.clone() })
    })
}

//! What `mockpoint.toml`s say of a run, and what is wrong with them.

use super::Problem;
use crate::config::{ConfigProblem, ConfigSource, Project};
use crate::text::Encoding;

/// What is wrong, with line and column.
pub fn problems(project: &Project) -> impl Iterator<Item = Problem> + '_ {
    project.sources().flat_map(|source| source.problems.iter().map(|it| problem(source, it)))
}

/// One of them.
pub fn problem(source: &ConfigSource, it: &ConfigProblem) -> Problem {
    Problem { path: source.path.clone(), position: source.position(it, Encoding::Utf16), message: it.message.clone() }
}

//! Explains one class, method or field.

use super::Step;
use crate::link::Linked;

/// The explanation of one method or field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// `method pkg.Class.m(int)` or `static field pkg.Class.f`.
    pub title: String,
    /// The verdict and why, as sentences; one line each.
    pub lines: Vec<String>,
    /// The path, if there is one.
    pub path: Vec<Step>,
}

/// Explains what `query` names: `Class`, `pkg.Class`, `Class#method` or `Class#field`. Empty if nothing has that name.
pub fn explain(_linked: &Linked, _query: &str) -> Vec<Explanation> {
    Vec::new()
}

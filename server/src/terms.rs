//! The field's terms that every layer speaks (`semantics.md` §1).

use schemars::JsonSchema;
use serde::Deserialize;

/// A file, as an index into the workspace's list of files, which is sorted by path.
pub type FileId = u32;

/// What kind of state a verdict is about (`semantics.md` §1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Category {
    /// The operating system, the clock, random seeds, the environment, the host, the process.
    System,
    /// Static fields, and what they own, that are modified while the service runs.
    Internal,
    /// Databases, other services, brokers, caches, files.
    External,
    /// What the project's white list names.
    WhiteList,
}

impl Category {
    /// All of them, in the order in which they are told.
    pub const ALL: [Category; 4] = [Category::System, Category::Internal, Category::External, Category::WhiteList];
}

/// Why a field is ruled out (`semantics.md` §7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// `final`, and its type has no state.
    Constant,
    /// Nothing modifies it after initialisation.
    NoModifier,
    /// What modifies it is never called.
    ModifierNeverCalled,
    /// Only start-up code modifies it.
    StartUpOnly,
    /// Set once, under a check that it is not set yet, to a value that depends on no state.
    LazyConstant,
    /// Only injected.
    Injected,
    /// The project says so.
    Declared,
}

/// What is assumed about callers outside the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, JsonSchema, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// Production sources are all there is.
    #[default]
    Application,
    /// Public and protected members count as called.
    Library,
    /// Test sources count as callers.
    WithTests,
}

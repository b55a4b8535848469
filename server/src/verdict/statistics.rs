//! Counts of an analysis (`semantics.md` §12).

/// What was found and what was not understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Java files read, test sources included.
    pub files: u64,
    /// Lines of those files.
    pub lines: u64,
    /// Files with syntax errors.
    pub files_with_errors: u64,
    /// Types declared in production sources.
    pub types: u64,
    /// Methods with a body in production sources.
    pub methods: u64,
    /// Mocking points of each category: system, internal, external, white list.
    pub points: [u64; 4],
    /// All mocking points (a method may have several categories).
    pub mocking_points: u64,
    /// Methods that read a system source.
    pub system_all: u64,
    /// Of those, mocking points in themselves.
    pub system_intra: u64,
    /// Of those, mocking points by way of callees.
    pub system_inter: u64,
    /// Static fields that could hold state.
    pub fields_all: u64,
    /// Of those, fields that something modifies.
    pub fields_with_modifier: u64,
    /// Of those, fields that something called modifies.
    pub fields_modified: u64,
    /// Branches on state that guard nothing but logging and the like.
    pub benign_branches: u64,
    /// Call sites.
    pub calls: u64,
    /// Call sites whose receiver's type could not be resolved.
    pub unresolved_receivers: u64,
}

//! Counts of an analysis (`semantics.md` §12).

use super::judge::readers;
use super::points::may_be_point;
use super::view::View;
use super::{Category, FieldVerdict, Flow, MockingPoint, Reason};
use rayon::prelude::*;

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
    /// Mocking points that write to objects of their callers.
    pub side_effects: u64,
    /// Branches on state that guard nothing but logging and the like.
    pub benign_branches: u64,
    /// Call sites.
    pub calls: u64,
    /// Call sites whose receiver's type could not be resolved.
    pub unresolved_receivers: u64,
}

pub(super) fn count(view: &View<'_>, points: &[MockingPoint], fields: &[FieldVerdict]) -> Statistics {
    let link = view.link();
    let symbols = view.symbols();
    let mut found = Statistics { files: link.files.len() as u64, ..Default::default() };
    for file in &link.files {
        found.lines += file.lines.line_count() as u64;
        found.files_with_errors += u64::from(file.facts.errors > 0);
    }
    found.types = symbols.types.iter().filter(|it| !link.files[it.file as usize].is_test).count() as u64;
    for id in 0..symbols.methods.len() as u32 {
        if view.is_test(id) {
            continue;
        }
        let resolved = &link.resolved[id as usize];
        found.methods += u64::from(may_be_point(view, id));
        found.calls += resolved.calls.len() as u64;
        found.unresolved_receivers += u64::from(resolved.unresolved);
    }
    found.mocking_points = points.len() as u64;
    found.side_effects = points.iter().filter(|it| !it.lost.is_empty()).count() as u64;
    for point in points {
        for category in &point.categories {
            found.points[*category as usize] += 1;
        }
        let system = point.categories.contains(&Category::System);
        found.system_inter += u64::from(system && point.flow == Flow::Inter);
    }
    let (all, intra, benign) = readers(view)
        .map(|(system, intra, benign)| (u64::from(system), u64::from(intra), benign as u64))
        .reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    (found.system_all, found.system_intra, found.benign_branches) = (all, intra, benign);
    for field in fields {
        found.fields_all += u64::from(field.ruled_out != Some(Reason::Constant));
        found.fields_with_modifier += u64::from(!field.modifiers.is_empty());
        found.fields_modified += u64::from(field.ruled_out.is_none());
    }
    found
}

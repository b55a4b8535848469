//! Counts of an analysis: what Table 2 and Figures 10 and 11 of the paper count, and what it does not (`semantics.md` §12).
//!
//! They are taken on demand: an editor has no use for them, and some need a look at every call.

mod invoked;
mod reads;

use super::points::may_be_point;
use super::view::View;
use super::{Category, FieldVerdict, MockingPoint};
use crate::analysis::Analysis;
use std::collections::BTreeMap;

/// What was found and what was not understood, of a workspace or a part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Java files read, test sources included.
    pub files: u64,
    /// Lines of those files.
    pub lines: u64,
    /// Lines of test sources among them.
    pub test_lines: u64,
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
    /// Different methods that production sources call, those of the JDK left out: #C of Table 2.
    pub invoked_methods: u64,
    /// System state.
    pub reads: Reads,
    /// Internal state as the paper counts it: static fields without `final`, and all fields of beans.
    pub fields: Fields,
    /// Fields beyond those: `final` static fields whose type has state, fields of other shared objects.
    pub more_fields: Fields,
    /// External state: for each component its kind and the mocking points that call it, most points first.
    pub components: Vec<Component>,
    /// Mocking points with a warning that they write to objects of their callers.
    pub side_effects: u64,
    /// Branches on state that guard nothing but logging and the like.
    pub benign_branches: u64,
    /// Call sites.
    pub calls: u64,
    /// Call sites whose receiver's type could not be resolved.
    pub unresolved_receivers: u64,
}

/// Reads of system state: the places that call what Table 1 lists (Figure 10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reads {
    /// All.
    pub all: u64,
    /// Those that make a mocking point of the method that they are in, by that method alone.
    pub intra: u64,
    /// Those that make a mocking point by way of other methods or of fields.
    pub inter: u64,
}

/// Fields that could hold internal state (Figure 11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fields {
    /// All.
    pub all: u64,
    /// Those that some method modifies after construction.
    pub with_modifier: u64,
    /// Those that are modified while the service runs.
    pub modified: u64,
}

/// Something outside the process that mocking points call.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Component {
    /// Its kind: `db`, `cache`, `mq`, `rpc`, ...
    pub kind: &'static str,
    /// What speaks to it: `Spring Data Redis`.
    pub name: &'static str,
    /// Mocking points that call it.
    pub points: u64,
}

/// Counts of a workspace and of its parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Of everything.
    pub total: Statistics,
    /// Of each part.
    pub parts: Vec<Statistics>,
}

impl Reads {
    /// Those that need no mocking.
    pub fn filtered(self) -> u64 {
        self.all.saturating_sub(self.intra + self.inter)
    }
}

impl Fields {
    /// Those that need no mocking.
    pub fn filtered(self) -> u64 {
        self.all.saturating_sub(self.modified)
    }
}

/// Counts. `part_of` says of each file which of `n_parts` parts it is in. Findings that the source suppresses count, but
/// not the warnings that it suppresses.
pub fn count(analysis: &Analysis, n_parts: usize, part_of: &[usize]) -> Counted {
    let view = View::linked(&analysis.linked);
    let verdicts = &analysis.verdicts;
    // A file of no part counts in the total.
    let part = |file: u32| part_of.get(file as usize).copied().unwrap_or(TOTAL);
    let mut counter = Counter { total: Statistics::default(), parts: vec![Statistics::default(); n_parts] };
    sizes(&view, &mut counter, &part);
    let mut outside = Outside::new();
    for it in verdicts.mocking_points.iter().chain(&verdicts.suppressed.mocking_points) {
        let of = part(it.place.file);
        counter.add(of, |count| point(count, it));
        components(&mut outside, TOTAL, it);
        if of < n_parts {
            components(&mut outside, of, it);
        }
    }
    for it in &verdicts.mocking_points {
        counter.add(part(it.place.file), |count| count.side_effects += u64::from(!it.lost.is_empty()));
    }
    for it in verdicts.fields.iter().chain(&verdicts.suppressed.fields) {
        counter.add(part(it.place.file), |count| field(count, it));
    }
    for (file, reads, benign) in reads::count(&view) {
        counter.add(part(file), |count| {
            count.reads.all += reads.all;
            count.reads.intra += reads.intra;
            count.reads.inter += reads.inter;
            count.benign_branches += benign;
        });
    }
    let Counter { mut total, mut parts } = counter;
    let invoked = invoked::count(&view, n_parts, &part);
    (total.invoked_methods, total.components) = (invoked.0, listed(&outside, TOTAL));
    for (index, (count, invoked)) in parts.iter_mut().zip(invoked.1).enumerate() {
        (count.invoked_methods, count.components) = (invoked, listed(&outside, index));
    }
    Counted { total, parts }
}

struct Counter {
    total: Statistics,
    parts: Vec<Statistics>,
}

impl Counter {
    fn add(&mut self, part: usize, mut f: impl FnMut(&mut Statistics)) {
        f(&mut self.total);
        self.parts.get_mut(part).into_iter().for_each(f);
    }
}

fn sizes(view: &View<'_>, counter: &mut Counter, part: &impl Fn(u32) -> usize) {
    let link = view.link();
    let symbols = view.symbols();
    for (id, file) in (0..).zip(&link.files) {
        counter.add(part(id), |count| {
            // What a last line break leaves behind it is no line.
            let n = file.lines.line_count();
            let lines = (n - usize::from(file.lines.line_range(n - 1).is_empty())) as u64;
            count.files += 1;
            count.lines += lines;
            count.test_lines += if file.is_test { lines } else { 0 };
            count.files_with_errors += u64::from(file.facts.errors > 0);
        });
    }
    for it in symbols.types.iter().filter(|it| !link.files[it.file as usize].is_test) {
        counter.add(part(it.file), |count| count.types += 1);
    }
    for id in (0..symbols.methods.len() as u32).filter(|&id| !view.is_test(id)) {
        let resolved = &link.resolved[id as usize];
        let has_body = may_be_point(view, id);
        counter.add(part(view.file_of(id)), |count| {
            count.methods += u64::from(has_body);
            count.calls += resolved.calls.len() as u64;
            count.unresolved_receivers += u64::from(resolved.unresolved);
        });
    }
}

fn point(count: &mut Statistics, point: &MockingPoint) {
    count.mocking_points += 1;
    for &category in &point.categories {
        count.points[category as usize] += 1;
    }
}

fn field(count: &mut Statistics, field: &FieldVerdict) {
    let of_paper = field.bean || (field.is_static && !field.is_final);
    let fields = if of_paper { &mut count.fields } else { &mut count.more_fields };
    // What is final and has no state is no candidate at all, unless it is one to the paper.
    if !of_paper && field.ruled_out == Some(super::Reason::Constant) {
        return;
    }
    fields.all += 1;
    fields.with_modifier += u64::from(!field.modifiers.is_empty());
    fields.modified += u64::from(field.ruled_out.is_none());
}

/// No part: everything.
const TOTAL: usize = usize::MAX;

/// Points of a component in a part.
type Outside = BTreeMap<(usize, &'static str, &'static str), u64>;

fn components(outside: &mut Outside, part: usize, point: &MockingPoint) {
    let external = point.sources.iter().filter(|it| it.category == Category::External);
    let mut found: Vec<(&str, &str)> = external.filter_map(|it| it.dependency.as_ref()).map(|it| (it.kind, it.component)).collect();
    found.sort_unstable();
    found.dedup();
    for (kind, name) in found {
        *outside.entry((part, kind, name)).or_default() += 1;
    }
}

fn listed(outside: &Outside, part: usize) -> Vec<Component> {
    let of_part = outside.iter().filter(|it| it.0.0 == part);
    let mut found: Vec<Component> = of_part.map(|(&(_, kind, name), &points)| Component { kind, name, points }).collect();
    found.sort_by(|a, b| b.points.cmp(&a.points).then_with(|| a.cmp(b)));
    found
}

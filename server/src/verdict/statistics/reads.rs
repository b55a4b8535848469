//! Reads of system state, and which of them make mocking points: the bars of Figure 10.
//!
//! A read makes one where it reaches a sink in its own method, or where what it is written to, passed to or handed on as
//! ends in a sink elsewhere. So the ways of state form a graph, which is walked backwards from the sinks.

use super::Reads;
use crate::link::eval::Part;
use crate::link::symbols::{FieldId, MethodId};
use crate::link::taint::{Ends, Entry, LiftId, Source, SourceKey};
use crate::settings::Precision;
use crate::terms::{Category, FileId};
use crate::verdict::points::may_be_point;
use crate::verdict::view::View;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where state is on its way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// A read, by its method and place in it.
    Read(MethodId, SourceKey),
    /// A field that carries it, or what is inside the field's object.
    Field(FieldId, Part),
    /// What a callee hands on.
    Lift(LiftId),
    /// A port (a bit of it) of a method that it is passed at.
    Port(MethodId, u8),
}

/// One step of state through a method.
struct Step {
    from: Way,
    ends: Ends,
}

/// Reads and benign branches, by file; a file may come several times.
pub(super) fn count(view: &View<'_>) -> Vec<(FileId, Reads, u64)> {
    let mut steps: Vec<Step> = (view.taint().readers.par_iter().with_min_len(16)).flat_map_iter(|&id| of_reader(view, id)).collect();
    let mut ports: Vec<(MethodId, u8)> = Vec::new();
    for ((method, category), passed) in &view.taint().passed {
        if *category == Category::System {
            ports.extend(passed.iter().map(|it| (*method, it.0)));
        }
    }
    ports.sort_unstable();
    let of_ports = (ports.par_iter().with_min_len(16))
        .map(|&(id, port)| Step { from: Way::Port(id, port), ends: view.context().ends(view.taint(), id, Entry::Port(port, Category::System)) });
    steps.par_extend(of_ports);
    let alive = alive(&steps);
    let mut found: Vec<(FileId, Reads, u64)> = Vec::new();
    for step in &steps {
        if let Way::Read(id, _) = step.from {
            let alone = step.ends.reached == Some(true);
            let reads = Reads { all: 1, intra: u64::from(alone), inter: u64::from(!alone && alive.contains(&step.from)) };
            found.push((view.file_of(id), reads, 0));
        }
    }
    found.extend(wrappers(view));
    found.par_extend(view.taint().readers.par_iter().with_min_len(16).map(|&id| (view.file_of(id), Reads::default(), benign(view, id))));
    found
}

/// The steps of all system state that a method reads.
fn of_reader(view: &View<'_>, id: MethodId) -> Vec<Step> {
    let context = view.context();
    let taint = view.taint();
    let can_be_point = may_be_point(view, id);
    let sources = context.sources(taint, id);
    let system = sources.into_iter().filter(|it| it.category == Category::System);
    let each = system.flat_map(|source| [Some(source), inside(view, source)]).flatten();
    (context.ends_of_each(taint, id, each.collect()).into_iter())
        .map(|(source, mut ends)| {
            let from = match source.key {
                SourceKey::Field(_, field) => Way::Field(field, Part::Value),
                SourceKey::Inside(_, field) => Way::Field(field, Part::Inside),
                SourceKey::Lifted(_, _, lift) => Way::Lift(lift),
                key => Way::Read(id, key),
            };
            // A callee that answers from the record hands nothing on.
            let is_recorded = matches!(from, Way::Lift(lift) if view.is_point_in_itself(taint.lifts[lift as usize].origin.method));
            if !can_be_point || is_recorded {
                ends.reached = None;
            }
            Step { from, ends }
        })
        .collect()
}

/// A field that a source is written to is one for all that it holds. A source that is only put into it goes less far.
fn inside(view: &View<'_>, source: Source) -> Option<Source> {
    let SourceKey::Field(node, field) = source.key else { return None };
    let content = view.link().settings.precision == Precision::Refined;
    Some(Source { key: SourceKey::Inside(node, field), content, ..source })
}

/// Where state is that ends in a sink.
fn alive(steps: &[Step]) -> FxHashSet<Way> {
    let mut back: FxHashMap<Way, Vec<Way>> = FxHashMap::default();
    let mut open: Vec<Way> = Vec::new();
    for Step { from, ends } in steps {
        if ends.reached.is_some() {
            open.push(*from);
        }
        let fields = ends.fields.iter().map(|&(field, part)| Way::Field(field, part));
        let ports = ends.passed.iter().map(|&(method, port)| Way::Port(method, port));
        let lifts = ends.lifts.iter().map(|&it| Way::Lift(it));
        for to in fields.chain(ports).chain(lifts) {
            back.entry(to).or_default().push(*from);
        }
    }
    let mut alive: FxHashSet<Way> = FxHashSet::default();
    while let Some(way) = open.pop() {
        if alive.insert(way) {
            open.extend(back.get(&way).into_iter().flatten());
        }
    }
    alive
}

/// Calls of library wrappers, which are mocking points themselves (Table 1, No. 21 and 22).
fn wrappers(view: &View<'_>) -> Vec<(FileId, Reads, u64)> {
    let of_method = |id| {
        // What only the project lists is no system state.
        let n = view.link().resolved[id as usize].calls.iter().filter(|it| it.wrapped() == Some(None)).count() as u64;
        (view.file_of(id), Reads { all: n, intra: n, inter: 0 }, 0)
    };
    view.wrapper_callers().map(of_method).collect()
}

/// Branches of a method on state that guard nothing that matters.
fn benign(view: &View<'_>, id: MethodId) -> u64 {
    if !may_be_point(view, id) {
        return 0;
    }
    view.context().evaluate(view.taint(), id).iter().map(|it| it.benign() as u64).sum()
}

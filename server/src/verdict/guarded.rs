//! Branches that would not count if some calls had no effect on results (`semantics.md` §3, the benign branch).

use super::Place;
use super::points::may_be_point;
use super::view::View;
use crate::link::taint::Reached;
use crate::settings::Precision;
use crate::terms::FileId;

/// Calls that one would have to know more of.
const MAX_CALLS: usize = 3;

/// A branch on state that counts for the sake of some calls alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarded {
    /// The condition.
    pub branch: Place,
    /// What it guards, as reports spell it, with the places; each method once, a few at most.
    pub calls: Vec<(String, Place)>,
}

/// Those of the method whose name is at `name`, in source order.
pub fn guarded(view: &View<'_>, file: FileId, name: Place) -> Vec<Guarded> {
    // The paper knows of no benign branches.
    if view.link().settings.precision == Precision::Paper {
        return Vec::new();
    }
    let symbols = view.symbols();
    let mut methods = symbols.methods_of_file(file).filter(|&id| view.has_unit(symbols.methods[id as usize].unit));
    let Some(id) = methods.find(|&id| may_be_point(view, id) && view.name_place(id) == name) else { return Vec::new() };
    let mut found: Vec<Guarded> = Vec::new();
    for evaluated in view.context().evaluate(view.taint(), id) {
        let eval = &evaluated.eval;
        for &(reached, ..) in evaluated.reached() {
            let Reached::Sink(index) = reached else { continue };
            let sink = &eval.graph.sinks[index as usize];
            let Some(obstacles) = eval.obstacles(sink) else { continue };
            let mut calls: Vec<(String, Place)> = Vec::new();
            for call in obstacles {
                let what = view.described(id, call, false).what.clone();
                if !calls.iter().any(|it| it.0 == what) {
                    calls.push((what, view.place(id, eval.graph.calls[call as usize].at)));
                }
            }
            let new = Guarded { branch: view.place(id, sink.at), calls };
            if new.calls.len() <= MAX_CALLS && !found.contains(&new) {
                found.push(new);
            }
        }
    }
    found.sort_by_key(|it| it.branch);
    found
}

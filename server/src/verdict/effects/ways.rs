//! From a call that changes an object down to the write that does it.
//!
//! Each parameter that a method changes has one way on: its own write if there is one, else its first call that
//! changes it. Ways are worked out when asked for, once for each method, whatever leads there.

use super::super::Step;
use super::super::view::View;
use crate::facts::graph::{NONE, WriteKind};
use crate::link::changes::{By, Change, changes};
use crate::link::eval::{Eval, Holder};
use crate::link::symbols::{FieldId, MethodId};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Calls are followed this deep to the write itself.
const MAX_DEPTH: usize = 12;

/// How one change is made.
#[derive(Clone)]
pub(super) struct Way {
    method: MethodId,
    by: By,
    /// What is called and does it, and at which of its ports.
    into: Option<(MethodId, u8)>,
}

impl Way {
    pub(super) fn of(method: MethodId, change: &Change) -> Way {
        Way { method, by: change.by, into: change.callee }
    }
}

/// The ways of methods, by the port that is changed.
#[derive(Default)]
pub struct Ways(RwLock<FxHashMap<MethodId, OfMethod>>);

/// The ways of one method.
type OfMethod = Arc<[(u8, Way)]>;

impl Ways {
    /// The path of a change, and the field that is written in the end, if it is one and is known.
    pub(super) fn follow(&self, view: &View<'_>, first: Way) -> (Vec<Step>, Option<FieldId>) {
        let mut path: Vec<Step> = Vec::new();
        let mut next = Some(first);
        while let Some(way) = next {
            let graph = &view.facts(way.method).graph;
            match way.by {
                By::Write(index) => {
                    let write = &graph.writes[index as usize];
                    let field = view.context().resolved.get(way.method).writes[index as usize];
                    let field = (field != NONE && write.kind != WriteKind::Element).then_some(field);
                    let note = match field {
                        Some(field) => format!("field {} is written", view.field_name(field)),
                        None if write.kind == WriteKind::Element => "an element is stored".to_owned(),
                        None => format!("field {} is written", write.name),
                    };
                    path.push(Step { place: view.place(way.method, write.at), note });
                    return (path, field);
                }
                By::Call(index) => {
                    let call = &graph.calls[index as usize];
                    path.push(Step { place: view.place(way.method, call.at), note: format!("`{}` changes it", call.name) });
                }
                // No object changes by that.
                By::Return(_) => return (path, None),
            }
            next = way.into.filter(|_| path.len() <= MAX_DEPTH).and_then(|(callee, port)| {
                let ways = self.of_method(view, callee);
                ways.iter().find(|it| it.0 == port).map(|it| it.1.clone())
            });
        }
        (path, None)
    }

    fn of_method(&self, view: &View<'_>, id: MethodId) -> OfMethod {
        if let Some(known) = self.0.read().get(&id) {
            return Arc::clone(known);
        }
        // Two at once may do the same work, and come to the same.
        let ways: OfMethod = work_out(view, id).into();
        Arc::clone(self.0.write().entry(id).or_insert(ways))
    }
}

fn work_out(view: &View<'_>, id: MethodId) -> Vec<(u8, Way)> {
    let context = view.context();
    let mut eval = Eval::new(view.symbols(), &view.facts(id).graph, context.resolved.get(id), &view.link().globals, view.link().settings.precision);
    eval.run();
    let mut ways: Vec<(u8, Way)> = Vec::new();
    for change in changes(&eval) {
        for root in &change.roots {
            if let Holder::Port(port) = root.of
                && ways.iter().all(|it| it.0 != port)
            {
                ways.push((port, Way::of(id, &change)));
            }
        }
    }
    ways
}

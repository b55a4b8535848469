//! Tables in which each value stands under itself: what they give for one is equal to it, whatever was put there before.

use super::Modification;
use crate::facts::MethodFacts;
use crate::facts::graph::{Graph, Node, NodeId, NodeKind};
use crate::java::ops::CallForm;
use crate::link::changes::By;
use crate::link::resolve::{Ref, Resolved, Target};
use crate::link::symbols::{FieldId, MethodId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What is known of all methods.
pub(super) struct Input<'i, F> {
    pub resolved: &'i [Arc<Resolved>],
    pub facts: &'i F,
}

impl<'i, 'a: 'i, F: Fn(MethodId) -> &'a MethodFacts + Sync> Input<'i, F> {
    /// The fields among these that hold such a table: all that changes it puts something there under itself where it found
    /// nothing, and does nothing else there; and nobody asks it for anything but a value.
    pub fn fields(&self, modifications: &FxHashMap<FieldId, Vec<Modification>>) -> FxHashSet<FieldId> {
        let interns = |field: FieldId, it: &Modification| matches!(it.by, By::Call(call) if self.interns(field, it.method, call));
        let mut found: FxHashSet<FieldId> = modifications.iter().filter(|(field, all)| all.iter().all(|it| interns(**field, it))).map(|it| *it.0).collect();
        if !found.is_empty() {
            let others: Vec<FieldId> =
                (0..self.resolved.len() as MethodId).into_par_iter().with_min_len(256).flat_map_iter(|it| self.shown(&found, it)).collect();
            others.iter().for_each(|it| _ = found.remove(it));
        }
        found
    }

    /// Whether a call puts a value under itself into the table that a field holds, in a branch that does nothing else, where a test
    /// found nothing there. What gives a truth value may tell whether it was there.
    fn interns(&self, field: FieldId, method: MethodId, index: u32) -> bool {
        let (facts, resolved) = ((self.facts)(method), &self.resolved[method as usize]);
        let graph = &facts.graph;
        let call = &graph.calls[index as usize];
        let is_pair = matches!(*graph.list(call.args), [key, value] if graph.untyped(key) == graph.untyped(value));
        if !is_pair || !is_asked(graph, resolved, field, index) || call.name.as_str() == "get" {
            return false;
        }
        let around = (0..).zip(&graph.groups).filter(|it| !it.1.statement && (it.1.from..it.1.to).contains(&index));
        let Some((group, branch)) = around.min_by_key(|it| it.1.to - it.1.from) else { return false };
        let is_test = graph.sinks.iter().any(|it| it.group == group && it.null_test);
        let tells = facts.head.returns.is_some_and(|it| matches!(it.name().as_str(), "boolean" | "Boolean" | "int" | "long"));
        is_test && !tells && (branch.from..branch.to).all(|it| is_asked(graph, resolved, field, it))
    }

    /// Those of these fields of which a method reads more than single values.
    fn shown(&self, fields: &FxHashSet<FieldId>, method: MethodId) -> Vec<FieldId> {
        let (graph, resolved) = (&(self.facts)(method).graph, &self.resolved[method as usize]);
        let reads = (0..).zip(&resolved.refs).filter_map(|(node, it)| if let Ref::Field(field) = it { Some((node, *field)) } else { None });
        reads.filter(|&(node, field)| fields.contains(&field) && !is_only_asked(graph, resolved, field, node)).map(|it| it.1).collect()
    }
}

/// Whether a call asks the table that a field holds for one value, or puts one there.
fn is_asked(graph: &Graph, resolved: &Resolved, field: FieldId, index: u32) -> bool {
    let (call, site) = (&graph.calls[index as usize], &resolved.calls[index as usize]);
    call.form == CallForm::On
        && site.target == Target::Library
        && matches!(call.name.as_str(), "get" | "put" | "putIfAbsent")
        && resolved.refs.get(call.recv as usize) == Some(&Ref::Field(field))
}

/// Whether all that is done with what was read from a field is that.
fn is_only_asked(graph: &Graph, resolved: &Resolved, field: FieldId, node: NodeId) -> bool {
    let of_call = |it: &Node| matches!(it.kind, NodeKind::Call(_) | NodeKind::After(..) | NodeKind::Gained(..));
    let asks = |it: u32| !graph.list(graph.calls[it as usize].args).contains(&node) && is_asked(graph, resolved, field, it);
    !graph.uses(node, of_call, asks)
}

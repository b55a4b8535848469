//! Functions that run later than the method in which they are written: it hands them to a thread, a timer, a listener, or
//! keeps them. What they do is no part of the start that the method may belong to.

use super::resolve::{Resolved, Target};
use super::symbols::{MethodId, Scope, Symbols};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::{At, Graph, NodeId, NodeKind, SinkKind, WriteKind};
use crate::java::ops::CallForm;
use smallvec::SmallVec;
use std::sync::Arc;

/// A function that is handed on from method to method is followed this far.
const MAX_DEPTH: u32 = 4;

/// What is asked about.
pub struct Later<'a, F> {
    /// All declarations.
    pub symbols: &'a Symbols,
    /// Every method, resolved.
    pub resolved: &'a [Arc<Resolved>],
    /// Their facts.
    pub facts: &'a F,
}

/// The functions of one method that run later.
#[derive(Default)]
pub struct Functions {
    /// Calls in their bodies, from and to.
    bodies: SmallVec<[(u32, u32); 2]>,
    /// Their text.
    spans: SmallVec<[At; 2]>,
    /// References to methods.
    references: SmallVec<[u32; 2]>,
}

impl Functions {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.references.is_empty()
    }

    /// Whether a call is made by one of them.
    pub fn makes(&self, call: u32) -> bool {
        self.references.contains(&call) || self.bodies.iter().any(|it| (it.0..it.1).contains(&call))
    }

    /// Whether what stands here is in the body of one.
    pub fn covers(&self, at: At) -> bool {
        self.spans.iter().any(|it| it.start <= at.start && at.start < it.start + it.len)
    }

    /// The functions of a method for which this holds.
    pub fn of(graph: &Graph, runs_later: impl Fn(NodeId) -> bool) -> Functions {
        let mut found = Functions::default();
        if !has_functions(graph) {
            return found;
        }
        for (id, node) in (0..).zip(&graph.nodes) {
            match node.kind {
                NodeKind::Lambda(lambda) if runs_later(id) => {
                    let lambda = &graph.lambdas[lambda as usize];
                    found.bodies.push((lambda.from, lambda.to));
                    found.spans.push(node.at);
                }
                NodeKind::Call(call) if graph.calls[call as usize].form == CallForm::Reference && runs_later(id) => found.references.push(call),
                _ => {}
            }
        }
        found
    }
}

fn has_functions(graph: &Graph) -> bool {
    !graph.lambdas.is_empty() || graph.calls.iter().any(|it| it.form == CallForm::Reference)
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts> Later<'_, F> {
    /// The functions of a method that run later.
    pub fn functions(&self, method: MethodId) -> Functions {
        Functions::of(&(self.facts)(method).graph, |node| self.is_kept(method, node, 0))
    }

    /// Whether a method, or what it calls, keeps a value that may be a function.
    fn is_kept(&self, method: MethodId, node: NodeId, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let (facts, resolved) = ((self.facts)(method), &self.resolved[method as usize]);
        let graph = &facts.graph;
        let mut same: SmallVec<[NodeId; 4]> = SmallVec::from_slice(&[node]);
        for (id, it) in (0..).zip(&graph.nodes) {
            let is_it = match it.kind {
                NodeKind::Phi(list) => graph.list(list).iter().any(|it| same.contains(it)),
                NodeKind::Call(call) => resolved.calls[call as usize].gives_back(graph, call).is_some_and(|it| same.contains(&it)),
                _ => graph.same_object(id).is_some_and(|it| same.contains(&it)),
            };
            if is_it {
                same.push(id);
            }
        }
        if same.iter().any(|it| resolved.kept.binary_search(it).is_ok()) {
            return true;
        }
        if graph.writes.iter().any(|it| it.kind != WriteKind::Capture && same.contains(&it.value)) {
            return true;
        }
        let is_returned = graph.sinks.iter().any(|it| it.kind == SinkKind::Return && same.contains(&it.value));
        if is_returned && depth == 0 {
            return !self.gives_start_up(method, facts);
        }
        // A function that is called in the body of one that runs later runs later.
        let is_param = matches!(graph.nodes[node as usize].kind, NodeKind::Param(_));
        if is_param && !graph.lambdas.is_empty() {
            let around = Functions::of(graph, |it| it != node && self.is_kept(method, it, depth + 1));
            if (0..).zip(&graph.calls).any(|(index, it)| same.contains(&it.recv) && around.makes(index)) {
                return true;
            }
        }
        for (call, site) in graph.calls.iter().zip(&resolved.calls) {
            if !matches!(site.target, Target::Method(..) | Target::Many(..) | Target::Among(..)) {
                continue;
            }
            for (at, _) in graph.list(call.args).iter().enumerate().filter(|it| same.contains(it.1)) {
                for &callee in resolved.targets(&site.target).0 {
                    let graph = &(self.facts)(callee).graph;
                    let param = graph.nodes.iter().position(|it| it.kind == NodeKind::Param(at as u32));
                    if param.is_some_and(|it| self.is_kept(callee, it as NodeId, depth + 1)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether what a method returns is something that the container runs once when it starts.
    fn gives_start_up(&self, method: MethodId, facts: &MethodFacts) -> bool {
        let Some(returns) = facts.head.returns else { return false };
        let info = &self.symbols.methods[method as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(method) };
        catalogue().callbacks.starts(self.symbols.type_name(self.symbols.resolve(scope, returns.name())))
    }
}

//! Which calls are made before the first request: by initialisers, start-up methods and what only they call, and under a test
//! that something is an event of the start.

use super::called::is_entry_later;
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::Under;
use crate::link::beans::Beans;
use crate::link::later::{Functions, Later};
use crate::link::symbols::{MethodId, Symbols};

/// A call of production: the caller, the callee, the number of the call.
pub(super) struct Edge {
    pub caller: MethodId,
    pub callee: MethodId,
    pub call: u32,
}

/// Whether what is done under these tests is done before the first request.
pub(super) fn is_at_start(under: Under) -> bool {
    let simple = |it: &'static str| it.rsplit('.').next().unwrap_or(it);
    under.of_type.is_some_and(|it| catalogue().callbacks.is_of_start(simple(it.name().as_str())))
}

/// Tells calls before the first request from others.
pub(super) struct Starts<'s, F, P> {
    /// In the order of callers.
    pub edges: &'s [Edge],
    pub symbols: &'s Symbols,
    pub beans: &'s Beans,
    pub facts: &'s F,
    pub later: &'s Later<'s, F>,
    /// Initialisers of classes and of shared objects, which run once whatever calls them.
    pub pinned: &'s P,
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts, P: Fn(MethodId) -> bool> Starts<'_, F, P> {
    /// What initialisers and start-up methods call runs once as well, unless anything else calls it too or they only hand
    /// it to somebody who runs it later.
    pub fn split(&self, start_up: &mut [bool], production: &mut [bool]) {
        let n = production.len();
        let is_entry = |id: MethodId| is_entry_later(self.symbols, self.beans, id, (self.facts)(id));
        let mut open: Vec<MethodId> = Vec::new();
        for id in 0..n as MethodId {
            let role = self.beans.role(id, (self.facts)(id));
            if (self.pinned)(id) || (role.start_up && !role.entry) {
                open.push(id);
            }
        }
        let mut once = vec![false; n];
        let mut deferred = vec![false; self.edges.len()];
        // Under a test that says so, whatever runs the caller.
        let is_started = |it: &Edge| {
            let under = (self.facts)(it.caller).graph.calls[it.call as usize].under;
            is_at_start(under) && !self.later.functions(it.caller).makes(it.call)
        };
        let started: Vec<bool> = self.edges.iter().map(is_started).collect();
        open.extend(self.edges.iter().zip(&started).filter(|it| *it.1 && !is_entry(it.0.callee)).map(|it| it.0.callee));
        open.iter().for_each(|&it| once[it as usize] = true);
        while let Some(caller) = open.pop() {
            let range = self.of(caller);
            let functions = if range.is_empty() { Functions::default() } else { self.later.functions(caller) };
            for at in range {
                let Edge { callee, call, .. } = self.edges[at];
                deferred[at] = functions.makes(call);
                if !deferred[at] && !once[callee as usize] && !is_entry(callee) {
                    once[callee as usize] = true;
                    open.push(callee);
                }
            }
        }
        let is_once = |at: usize, once: &[bool]| started[at] || (once[self.edges[at].caller as usize] && !deferred[at]);
        let taken_back = |id: MethodId, once: &mut Vec<bool>| once[id as usize] && !(self.pinned)(id) && std::mem::replace(&mut once[id as usize], false);
        for (at, edge) in self.edges.iter().enumerate() {
            if !is_once(at, &once) && taken_back(edge.callee, &mut once) {
                open.push(edge.callee);
            }
        }
        while let Some(caller) = open.pop() {
            for at in self.of(caller).filter(|&it| !started[it]) {
                if taken_back(self.edges[at].callee, &mut once) {
                    open.push(self.edges[at].callee);
                }
            }
        }
        for (at, edge) in self.edges.iter().enumerate() {
            if is_once(at, &once) {
                start_up[edge.callee as usize] = true;
            } else {
                production[edge.callee as usize] = true;
            }
        }
    }

    /// The calls that a method makes.
    fn of(&self, caller: MethodId) -> std::ops::Range<usize> {
        let from = self.edges.partition_point(|it| it.caller < caller);
        from..from + self.edges[from..].partition_point(|it| it.caller == caller)
    }
}

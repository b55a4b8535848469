//! Which calls are made before the first request: by initialisers, start-up methods and what only they call.

use super::called::is_entry_later;
use crate::facts::MethodFacts;
use crate::link::beans::Beans;
use crate::link::later::{Functions, Later};
use crate::link::symbols::{MethodId, Symbols};

/// A call of production: the caller, the callee, the number of the call.
pub(super) struct Edge {
    pub caller: MethodId,
    pub callee: MethodId,
    pub call: u32,
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
        open.iter().for_each(|&it| once[it as usize] = true);
        let mut deferred = vec![false; self.edges.len()];
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
        let taken_back = |id: MethodId, once: &mut Vec<bool>| once[id as usize] && !(self.pinned)(id) && std::mem::replace(&mut once[id as usize], false);
        for (at, edge) in self.edges.iter().enumerate() {
            if (deferred[at] || !once[edge.caller as usize]) && taken_back(edge.callee, &mut once) {
                open.push(edge.callee);
            }
        }
        while let Some(caller) = open.pop() {
            for at in self.of(caller) {
                if taken_back(self.edges[at].callee, &mut once) {
                    open.push(self.edges[at].callee);
                }
            }
        }
        for (at, edge) in self.edges.iter().enumerate() {
            let at_start = once[edge.caller as usize] && !deferred[at];
            if at_start {
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

//! Changes of what belongs to an object: of an element, of what a getter gives, of the builder that a chain goes on with.
//!
//! Whether what changes does belong to a local's object is known when names are resolved. Here it only looks as if it did: it
//! was reached from that by calls, fields and elements. So the local keeps its value, and gets [`NodeKind::Gained`] over it.

use super::Flow;
use crate::facts::graph::{NONE, NodeId, NodeKind, STORED};
use crate::java::ops::CallForm;
use crate::java::types::is_value;
use smallvec::{SmallVec, smallvec};

/// What a changed object was reached from is looked for no further than this.
const MAX_STEPS: usize = 16;

/// Calls whose names begin like this are taken to leave the object that they are made on as it is.
const READS: &[&str] = &["get", "is", "has", "to", "equals", "hash", "size", "length", "contains", "indexOf", "substring", "trim", "starts", "ends", "compare"];

/// Calls that give the elements which their function got.
const HANDS_ON: &[&str] = &["peek", "filter", "doOnNext", "doOnEach", "takeWhile", "dropWhile"];

/// Calls whose names begin like this are taken to put what they are given into a container. What setters get is held in a field,
/// which is a carrier of its own.
const TAKES: &[&str] = &["add", "put", "push", "offer"];

/// Objects that were put into others: no more are looked at in one method.
const MAX_TAKEN: usize = 64;

impl Flow<'_> {
    /// The first node that is the same object as this new one.
    pub(super) fn object_of(&self, id: NodeId) -> NodeId {
        let of = |it: NodeId| self.objects.get(it as usize).copied().unwrap_or(id);
        match self.nodes[id as usize].kind {
            NodeKind::Typed(object, _) | NodeKind::Stored(object, _) => of(object),
            NodeKind::After(call, port) => self.passed(call, port as u16).map_or(id, of),
            NodeKind::Gained(_, _, pair) => of(self.lists[pair as usize]),
            NodeKind::Phi(list) => {
                let mut objects = self.lists[list.start as usize..(list.start + list.len) as usize].iter().map(|&it| of(it));
                let first = objects.next().unwrap_or(id);
                if objects.all(|it| it == first) { first } else { id }
            }
            _ => id,
        }
    }

    fn passed(&self, call: u32, port: u16) -> Option<NodeId> {
        let call = &self.calls[call as usize];
        match port.checked_sub(1) {
            None => (call.recv != NONE).then_some(call.recv),
            Some(arg) => self.lists[call.args.start as usize..(call.args.start + call.args.len) as usize].get(arg as usize).copied(),
        }
    }

    /// A call may have changed `part`, which it has at `port`; with [`STORED`] a write did. `after` is what locals hold since then
    /// that held just this.
    pub(super) fn changed(&mut self, part: NodeId, after: Option<NodeId>, by: u32, port: u16) {
        if port != STORED && !self.may_reach(part, by, port) {
            return;
        }
        let direct = self.objects[part as usize];
        for holder in self.holders(part) {
            if let NodeKind::LambdaParam(lambda, _) = self.nodes[holder as usize].kind {
                self.given.push((lambda, by, port));
            }
            let object = self.objects[holder as usize];
            for slot in 0..self.state.env.len() {
                let held = self.state.env[slot];
                if self.objects[held as usize] != object || self.vars[slot].ty.is_some_and(is_value) || (object == direct && Some(held) == after) {
                    continue;
                }
                if let NodeKind::Gained(last, at, pair) = self.nodes[self.root(held) as usize].kind
                    && (last, at, self.lists[pair as usize + 1]) == (by, port, holder)
                {
                    continue;
                }
                let pair = self.list(&[held, holder]);
                let gained = self.node(NodeKind::Gained(by, port, pair.start));
                let gained = self.typed(gained, self.local_type(held));
                self.set(slot, gained);
            }
            if !self.taken.is_empty() {
                self.pass_on(object);
            }
        }
    }

    /// A call may have put what locals hold into an object that another local holds: what changes it later is in that object too.
    pub(super) fn note_taken(&mut self, call: u32, recv: NodeId, args: &[NodeId]) {
        let call = &self.calls[call as usize];
        let takes = || TAKES.iter().any(|it| call.name.as_str().starts_with(it));
        let taker = if recv == NONE { NONE } else { self.objects[recv as usize] };
        if args.is_empty() || call.form != CallForm::On || call.benign || self.now(taker).is_none() || !takes() {
            return;
        }
        for &arg in args {
            let pair = (self.objects[arg as usize], taker);
            if pair.0 != taker && self.may_change(arg) && self.now(pair.0).is_some() && self.taken.len() < MAX_TAKEN && !self.taken.contains(&pair) {
                self.taken.push(pair);
            }
        }
    }

    /// What a local that holds an object holds.
    fn now(&self, object: NodeId) -> Option<NodeId> {
        self.state.env.iter().copied().find(|&it| self.objects.get(it as usize) == Some(&object))
    }

    /// An object has changed: locals with objects that it was put into hold it as it is now.
    fn pass_on(&mut self, object: NodeId) {
        let Some(now) = self.now(object) else { return };
        for at in 0..self.taken.len() {
            let (given, taker) = self.taken[at];
            if given != object {
                continue;
            }
            for slot in 0..self.state.env.len() {
                let held = self.state.env[slot];
                if self.objects.get(held as usize) == Some(&taker) {
                    let after = self.node(NodeKind::Stored(held, now));
                    let after = self.typed(after, self.local_type(held));
                    self.set(slot, after);
                }
            }
        }
    }

    /// What lambdas do to what they are given, they do to elements of the object that the call which takes them is made on. The
    /// result of the call, with what it has of them.
    pub(super) fn run_lambdas(&mut self, recv: NodeId, args: &[NodeId], mut result: NodeId) -> NodeId {
        if self.given.is_empty() || recv == NONE {
            return result;
        }
        let hands_on = matches!(self.nodes[result as usize].kind, NodeKind::Call(call) if HANDS_ON.contains(&self.calls[call as usize].name.as_str()));
        for &arg in args {
            let NodeKind::Lambda(lambda) = self.nodes[self.root(arg) as usize].kind else { continue };
            let (own, others) = std::mem::take(&mut self.given).into_iter().partition(|it| it.0 == lambda);
            self.given = others;
            let own: Vec<(u32, u32, u16)> = own;
            for (_, by, port) in own {
                self.changed(recv, None, by, port);
                if hands_on {
                    let pair = self.list(&[result, recv]);
                    result = self.node(NodeKind::Gained(by, port, pair.start));
                }
            }
        }
        result
    }

    /// Whether it is worth asking what a call does to those that a part of it was reached from: not where its name says that it
    /// only reads, nor for the result of a call that a call on something else gets (`log.info(order.id())`).
    fn may_reach(&self, part: NodeId, call: u32, port: u16) -> bool {
        let call = &self.calls[call as usize];
        if port == 0 {
            let name = call.name.as_str();
            let only_reads = call.form == CallForm::On && READS.iter().any(|it| name.starts_with(it));
            return !(call.benign || only_reads);
        }
        let of_result = call.recv != NONE && matches!(self.nodes[self.root(part) as usize].kind, NodeKind::Call(_));
        !(call.benign || of_result)
    }

    /// The values that a node was reached from, itself first.
    fn holders(&self, part: NodeId) -> SmallVec<[NodeId; MAX_STEPS]> {
        let mut found = SmallVec::new();
        let mut open: SmallVec<[NodeId; 8]> = smallvec![part];
        while let Some(node) = open.pop() {
            let node = self.root(node);
            if found.contains(&node) || found.len() >= MAX_STEPS {
                continue;
            }
            found.push(node);
            match self.nodes[node as usize].kind {
                NodeKind::Select(object, _) | NodeKind::Component(object, ..) | NodeKind::Element(object) | NodeKind::Stored(object, _) => open.push(object),
                NodeKind::Phi(list) => open.extend_from_slice(&self.lists[list.start as usize..(list.start + list.len) as usize]),
                NodeKind::After(call, port) => open.extend(self.passed(call, port as u16)),
                NodeKind::Gained(_, _, pair) => open.push(self.lists[pair as usize]),
                NodeKind::Call(call) if self.calls[call as usize].form == CallForm::On => open.extend(self.passed(call, 0)),
                _ => {}
            }
        }
        found
    }
}

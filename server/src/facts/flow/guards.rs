//! Tests whether a field has a value yet, or of what type something is, and what is done under them.

use super::Flow;
use crate::facts::graph::{Call, List, NONE, NodeId, NodeKind, Under};
use crate::intern::{Sym, Ty};
use crate::java::ops::CallForm;
use smallvec::SmallVec;

/// What a condition asks: what is known where it holds, and where it does not.
#[derive(Clone, Default)]
pub(super) struct Test {
    pub holds: SmallVec<[Guard; 2]>,
    pub fails: SmallVec<[Guard; 2]>,
}

/// What is known where a test says so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// The field has no value yet: it may be written.
    NoValue(Sym),
    /// The element with this number of the array that this field of the object itself holds has no value yet, likewise.
    NoElement(Sym, NodeId),
    /// Which of two forms the value of the field has: only the value in another form may be written.
    Form(Sym),
    /// Something has this type.
    Type(Ty),
    /// This value is null.
    Null(NodeId),
}

impl Test {
    /// The test of the opposite.
    pub fn not(self) -> Test {
        Test { holds: self.fails, fails: self.holds }
    }

    /// What `&&` of two conditions asks.
    pub fn and(mut self, other: Test) -> Test {
        self.holds.extend(other.holds);
        self.fails.retain(|it| other.fails.contains(it));
        self
    }
}

impl Flow<'_> {
    /// A condition asks whether something is null or has what stands for no value; with `false` whether it has not.
    pub(super) fn asks_for_value(&mut self, condition: NodeId, tested: NodeId, equal: bool) {
        // What a reference to an object holds has no value where the reference has none.
        let held = match self.nodes[self.root(tested) as usize].kind {
            NodeKind::Call(call) => Some(self.calls[call as usize]).filter(|it| it.name.as_str() == "get" && it.args.len == 0 && it.recv != NONE),
            _ => None,
        };
        let field = self.field_at(held.map_or(tested, |it| it.recv));
        let element = self.own_element(tested).map(|(array, index)| Guard::NoElement(array, index));
        let null = (self.null_test == condition).then_some(Guard::Null(tested));
        let test = Test { holds: field.map(Guard::NoValue).into_iter().chain(element).chain(null).collect(), ..Test::default() };
        self.test = Some((condition, if equal { test } else { test.not() }));
    }

    /// A condition asks for the type of something, which may be what a field holds.
    pub(super) fn asks_for_type(&mut self, condition: NodeId, tested: NodeId, ty: Option<Ty>) {
        let form = self.field_at(tested).map(Guard::Form);
        let test = Test { holds: form.into_iter().chain(ty.map(Guard::Type)).collect(), fails: form.into_iter().collect() };
        self.test = Some((condition, test));
    }

    /// Tests say from here on what these guards say: a local of which they say so holds null.
    pub(super) fn assume(&mut self, guards: &[Guard]) {
        for guard in guards {
            self.guards.push(*guard);
            let Guard::Null(tested) = *guard else { continue };
            for slot in 0..self.state.env.len().min(self.vars.len()) {
                // Null without a type would fit whatever takes it.
                if self.state.env[slot] == tested && self.vars[slot].ty.is_some() {
                    let null = self.node(NodeKind::Null);
                    let null = self.typed(null, self.vars[slot].ty);
                    self.nulls.push((null, tested));
                    self.state.env[slot] = null;
                }
            }
        }
    }

    /// The value of a local that one of these is where a test found it null, and the other where it did not.
    pub(super) fn tested_for_null(&self, one: NodeId, other: NodeId) -> Option<NodeId> {
        let is_pair = |it: &&(NodeId, NodeId)| **it == (one, other) || **it == (other, one);
        self.nulls.iter().rev().find(is_pair).map(|it| it.1)
    }

    /// What a condition asks.
    pub(super) fn test_of(&self, condition: NodeId) -> Test {
        self.test.as_ref().filter(|it| it.0 == condition).map(|it| it.1.clone()).unwrap_or_default()
    }

    /// What tests say of where the pass is.
    pub(super) fn under(&self) -> Under {
        let nearest = self.guards.iter().rev();
        Under {
            no_value: nearest.clone().find_map(|it| if let Guard::NoValue(field) = it { Some(*field) } else { None }),
            of_type: nearest.clone().find_map(|it| if let Guard::Type(ty) = it { Some(*ty) } else { None }),
        }
    }

    /// The field that a value was read from. What a function is given counts as one, which nothing else can name.
    pub(super) fn field_at(&self, node: NodeId) -> Option<Sym> {
        if node == NONE {
            return None;
        }
        match self.nodes[self.root(node) as usize].kind {
            NodeKind::Name(name) | NodeKind::Select(_, name) => Some(name),
            NodeKind::LambdaParam(lambda, i) => Some(Sym::new(&format!("->{lambda}.{i}"))),
            _ => None,
        }
    }

    /// The field of the object itself that holds an array.
    pub(super) fn own_array(&self, array: NodeId) -> Option<Sym> {
        match self.nodes[self.root(array) as usize].kind {
            NodeKind::Name(name) => Some(name),
            NodeKind::Select(object, name) if self.nodes[object as usize].kind == NodeKind::This => Some(name),
            _ => None,
        }
    }

    /// The array of the object itself that a value is an element of, and which one, as the pass makes it of an index.
    fn own_element(&self, value: NodeId) -> Option<(Sym, NodeId)> {
        let items = |list: List| &self.lists[list.start as usize..(list.start + list.len) as usize];
        let NodeKind::Phi(list) = self.nodes[self.root(value) as usize].kind else { return None };
        let &[element, derived] = items(list) else { return None };
        let NodeKind::Derive(list) = self.nodes[derived as usize].kind else { return None };
        match (self.nodes[element as usize].kind, items(list)) {
            (NodeKind::Element(array), &[of, index]) if of == element => Some((self.own_array(array)?, index)),
            _ => None,
        }
    }

    /// Whether a function gives what it is given, and what it makes only where that has no value.
    fn only_fills(&self, function: NodeId) -> bool {
        let NodeKind::Lambda(lambda) = self.nodes[self.root(function) as usize].kind else { return false };
        let items = |list: List| &self.lists[list.start as usize..(list.start + list.len) as usize];
        let mut open = items(self.lambdas[lambda as usize].results).to_vec();
        let mut given = None;
        let mut made = Vec::new();
        for _ in 0..16 {
            let Some(node) = open.pop() else { break };
            let object = self.objects[node as usize];
            match self.nodes[object as usize].kind {
                NodeKind::Phi(list) => open.extend(items(list)),
                NodeKind::LambdaParam(of, 0) if of == lambda => given = self.field_at(object),
                NodeKind::Call(call) => made.push(self.calls[call as usize].under.no_value),
                _ => return false,
            }
        }
        open.is_empty() && given.is_some() && made.iter().all(|it| *it == given)
    }

    /// Whether a call only gives a first value to the field that it is made on, or to what that holds.
    pub(super) fn is_lazy(&self, name: Sym, recv: NodeId, args: &[NodeId]) -> bool {
        let from_null = |&first: &NodeId| match name.as_str() {
            "compareAndSet" | "weakCompareAndSet" | "compareAndExchange" => self.nodes[first as usize].kind == NodeKind::Null,
            "updateAndGet" | "getAndUpdate" => self.only_fills(first),
            _ => false,
        };
        // Few calls stand under a test, and all of a file come by here.
        let is_under_test = || !self.guards.is_empty() && self.field_at(recv).is_some_and(|it| self.guards.contains(&Guard::NoValue(it)));
        recv != NONE && (args.first().is_some_and(from_null) || is_under_test())
    }

    /// Whether a value is that of a field in another form: what calls and casts make of it and of nothing else.
    pub(super) fn is_made_of(&self, value: NodeId, field: Sym) -> bool {
        let mut open = vec![value];
        let mut next = 0;
        while let Some(&node) = open.get(next) {
            next += 1;
            let mut add = |it: NodeId| {
                if !open.contains(&it) {
                    open.push(it);
                }
            };
            match self.nodes[node as usize].kind {
                NodeKind::Typed(inner, _) => add(inner),
                NodeKind::Phi(list) => self.lists[list.start as usize..(list.start + list.len) as usize].iter().for_each(|&it| add(it)),
                NodeKind::Call(call) if self.calls[call as usize].form == CallForm::On => {
                    let Call { recv, args, .. } = self.calls[call as usize];
                    let is_type = self.field_at(recv).is_some_and(|it| it.as_str().starts_with(char::is_uppercase));
                    if !is_type {
                        add(recv);
                    }
                    self.lists[args.start as usize..(args.start + args.len) as usize].iter().for_each(|&it| add(it));
                }
                // The object after a call that converts it is the object.
                NodeKind::After(call, 0) => add(self.calls[call as usize].recv),
                NodeKind::After(call, port) => {
                    let args = self.calls[call as usize].args;
                    self.lists[args.start as usize..(args.start + args.len) as usize].get(port as usize - 1).copied().into_iter().for_each(&mut add);
                }
                NodeKind::Name(name) | NodeKind::Select(_, name) if name == field => {}
                _ => return false,
            }
            if next > 32 {
                return false;
            }
        }
        true
    }
}

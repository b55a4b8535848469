//! Tests whether a field has a value yet, and what is written under them.

use super::Flow;
use crate::facts::graph::{Call, NONE, NodeId, NodeKind};
use crate::intern::Sym;
use crate::java::ops::CallForm;

/// What a condition asks of a field.
#[derive(Clone, Copy)]
pub(super) enum Test {
    /// Whether it is null; with `false` whether it is not.
    Null(bool),
    /// Whether it has a type.
    Type,
}

/// What may be written to a field where a test of it says so: with `true` only its own value in another form.
pub(super) type Guard = bool;

impl Test {
    pub fn where_it_holds(self) -> Option<Guard> {
        match self {
            Test::Null(equal) => equal.then_some(false),
            Test::Type => Some(true),
        }
    }

    pub fn elsewhere(self) -> Option<Guard> {
        match self {
            Test::Null(equal) => (!equal).then_some(false),
            Test::Type => Some(true),
        }
    }
}

impl Flow<'_> {
    /// The field that a condition compares with null, or with what stands for no value, or whose type it asks for.
    pub(super) fn null_test_of(&self, condition: NodeId) -> Option<(Sym, Test)> {
        if let Some((_, tested)) = self.type_test.filter(|it| it.0 == condition) {
            return self.field_at(tested).map(|it| (it, Test::Type));
        }
        let (tested, equal) = self.guard_at(condition)?;
        // What a reference to an object holds has no value where the reference has none.
        let held = match self.nodes[self.root(tested) as usize].kind {
            NodeKind::Call(call) => Some(self.calls[call as usize]).filter(|it| it.name.as_str() == "get" && it.args.len == 0 && it.recv != NONE),
            _ => None,
        };
        self.field_at(held.map_or(tested, |it| it.recv)).map(|it| (it, Test::Null(equal)))
    }

    /// The field that a value was read from.
    pub(super) fn field_at(&self, node: NodeId) -> Option<Sym> {
        if node == NONE {
            return None;
        }
        match self.nodes[self.root(node) as usize].kind {
            NodeKind::Name(name) | NodeKind::Select(_, name) => Some(name),
            _ => None,
        }
    }

    /// Whether a call only gives a first value to the field that it is made on, or to what that holds.
    pub(super) fn is_lazy(&self, name: Sym, recv: NodeId, args: &[NodeId]) -> bool {
        let from_null = matches!(name.as_str(), "compareAndSet" | "weakCompareAndSet" | "compareAndExchange")
            && args.first().is_some_and(|&it| self.nodes[it as usize].kind == NodeKind::Null);
        recv != NONE && (from_null || self.field_at(recv).is_some_and(|it| self.null_guards.contains(&(it, false))))
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

//! Assignments: to locals, to fields, to elements of arrays.

use super::Flow;
use super::guards::Guard;
use crate::facts::graph::{NONE, NodeId, NodeKind, STORED, Write, WriteKind};
use crate::intern::Sym;
use crate::java::ops::Target;

impl Flow<'_> {
    pub(super) fn assign(&mut self, target: Target, compound: bool) {
        let value = self.pop();
        let result = match target {
            Target::Name(name) => match self.slot(name) {
                Some(slot) => {
                    self.harm_local(slot, true);
                    let value = if compound { self.derived(&[self.state.env[slot], value]) } else { value };
                    let node = self.typed(value, self.vars[slot].ty);
                    self.set(slot, node);
                    node
                }
                None => {
                    let value = if compound {
                        let old = self.node(NodeKind::Name(name));
                        self.derived(&[old, value])
                    } else {
                        value
                    };
                    self.write(NONE, name, value)
                }
            },
            Target::Select(name) => {
                let obj = self.pop();
                let value = if compound {
                    let old = self.node(NodeKind::Select(obj, name));
                    self.derived(&[old, value])
                } else {
                    value
                };
                self.write(obj, name, value)
            }
            Target::Index => {
                let index = self.pop();
                self.indices.push(index);
                let array = self.pop();
                let value = if compound {
                    let old = self.node(NodeKind::Element(array));
                    self.derived(&[old, value])
                } else {
                    value
                };
                self.store(array, index, value);
                value
            }
        };
        self.stack.push(result);
    }

    pub(super) fn increment(&mut self, target: Target) {
        let old = match target {
            Target::Name(name) => match self.slot(name) {
                // `i++` leaves what the local came from as it was.
                Some(slot) => {
                    self.harm_local(slot, false);
                    self.state.env[slot]
                }
                None => {
                    let old = self.node(NodeKind::Name(name));
                    let value = self.derived(&[old]);
                    self.write(NONE, name, value);
                    value
                }
            },
            Target::Select(name) => {
                let obj = self.pop();
                let old = self.node(NodeKind::Select(obj, name));
                let value = self.derived(&[old]);
                self.write(obj, name, value);
                value
            }
            Target::Index => {
                let index = self.pop();
                self.indices.push(index);
                let array = self.pop();
                let old = self.node(NodeKind::Element(array));
                let value = self.derived(&[old]);
                self.store(array, index, value);
                value
            }
        };
        self.stack.push(old);
    }

    pub(super) fn derived(&mut self, operands: &[NodeId]) -> NodeId {
        self.derive(operands);
        self.pop()
    }

    pub(super) fn write(&mut self, obj: NodeId, name: Sym, value: NodeId) -> NodeId {
        self.harm();
        let value = self.fresh(value);
        self.note_fresh(obj, name, value);
        let lazy = self.guards.contains(&Guard::NoValue(name)) || (self.guards.contains(&Guard::Form(name)) && self.is_made_of(value, name));
        let write = self.writes.len() as u32;
        self.writes.push(Write { kind: WriteKind::Assign, lazy, under: self.under(), obj, name, value, index: NONE, at: self.at });
        if obj != NONE && self.nodes[self.root(obj) as usize].kind != NodeKind::This {
            self.changed(obj, None, write, STORED);
        }
        value
    }

    pub(super) fn store(&mut self, array: NodeId, index: NodeId, value: NodeId) {
        self.harm();
        let name = Sym::new("");
        let write = self.writes.len() as u32;
        let lazy = !self.guards.is_empty() && self.own_array(array).is_some_and(|it| self.guards.contains(&Guard::NoElement(it, index)));
        let index = if lazy { index } else { NONE };
        self.writes.push(Write { kind: WriteKind::Element, lazy, under: self.under(), obj: array, name, value, index, at: self.at });
        let after = self.held_by_local(array).then(|| {
            let held = self.root(array);
            let after = self.node(NodeKind::Stored(held, value));
            self.replace(held, after);
            after
        });
        // `grid[i][j] = x` leaves x in `grid` too.
        self.changed(array, after, write, STORED);
    }

    /// All locals that hold `old` hold `new` from here on: they are the same object.
    pub(super) fn replace(&mut self, old: NodeId, new: NodeId) {
        let old = self.root(old);
        for slot in 0..self.state.env.len() {
            if self.root(self.state.env[slot]) == old {
                self.set(slot, new);
            }
        }
    }

    pub(super) fn held_by_local(&self, node: NodeId) -> bool {
        let root = self.root(node);
        self.state.env.iter().any(|&it| self.root(it) == root)
    }
}

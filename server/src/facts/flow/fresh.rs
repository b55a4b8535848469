//! Fields that a constructor has just assigned: what it reads of them is what it wrote, since nobody else has the object yet.
//!
//! Only values are told: where the object that a field holds is handed on, the field is what changes with it.

use super::Flow;
use crate::facts::graph::{Call, NONE, NodeId, NodeKind};
use crate::intern::Sym;
use crate::java::ops::CallForm;

impl Flow<'_> {
    /// A field of the object that is made has this value from here on, as long as nothing else runs.
    pub(super) fn note_fresh(&mut self, obj: NodeId, name: Sym, value: NodeId) {
        self.fresh.retain(|it| it.0 != name);
        if self.input.constructs && obj != NONE && self.nodes[obj as usize].kind == NodeKind::This {
            self.fresh.push((name, value));
        }
    }

    /// What a value is that may be read from such a field.
    pub(super) fn fresh(&self, node: NodeId) -> NodeId {
        let field = match self.nodes[node as usize].kind {
            NodeKind::Name(name) => name,
            NodeKind::Select(obj, name) if self.nodes[obj as usize].kind == NodeKind::This => name,
            _ => return node,
        };
        self.fresh.iter().find(|it| it.0 == field).map_or(node, |it| it.1)
    }

    /// A call may change what objects hold, and one that has the new object also its fields.
    pub(super) fn outdate_fresh(&mut self, call: &Call, args: &[NodeId]) {
        let is_this = |it: &NodeId| self.nodes[*it as usize].kind == NodeKind::This;
        let is_elsewhere = matches!(call.form, CallForm::On | CallForm::New) && call.body.is_none();
        if !is_elsewhere || std::iter::once(&call.recv).filter(|it| **it != NONE).chain(args).any(is_this) {
            self.fresh.clear();
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.retain(|it| !self.may_change(it.1));
        self.fresh = fresh;
    }
}

//! Whether a value is null, and what that depends on.

use super::Eval;
use super::mask::Mask;
use crate::facts::graph::{NodeId, NodeKind};
use crate::java::ops::CallForm;
use crate::link::resolve::Ref;
use smallvec::SmallVec;

/// Values that a tested one may be which are looked at one by one.
const MAX_LEAVES: usize = 32;

impl Eval<'_> {
    /// What a comparison with null depends on. Where `new` made the object there is one, whatever it was made of, and a field
    /// that always holds one does so whatever happens to the object.
    pub(super) fn presence(&self, operands: &[NodeId]) -> Mask {
        let mut open: SmallVec<[NodeId; 8]> = SmallVec::from_slice(operands);
        let mut mask = Mask::default();
        let mut next = 0;
        while let Some(&id) = open.get(next) {
            next += 1;
            if next > MAX_LEAVES {
                return self.union(operands).shape();
            }
            let mut follow = |it: NodeId| {
                if !open.contains(&it) {
                    open.push(it);
                }
            };
            match self.graph.nodes[id as usize].kind {
                NodeKind::Typed(..) | NodeKind::After(..) | NodeKind::Gained(..) => self.graph.same_object(id).into_iter().for_each(follow),
                NodeKind::Phi(list) => self.graph.list(list).iter().for_each(|&it| follow(it)),
                NodeKind::Call(call) if self.graph.calls[call as usize].form == CallForm::New => {}
                NodeKind::Name(_) | NodeKind::Select(..) if matches!(self.resolved.refs[id as usize], Ref::Field(_)) => {
                    mask.join(self.mask(id).without(self.present).shape());
                }
                _ => mask.join(self.mask(id).shape()),
            }
        }
        mask
    }
}

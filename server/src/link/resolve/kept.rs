//! Which arguments libraries keep to run them later: lambdas, references to methods, parameters that may be functions.

use super::functions::Wanted;
use super::{Resolver, Target};
use crate::catalogue::{Feed, ResultRule, Slot, catalogue};
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::java::ops::CallForm;
use smallvec::SmallVec;

/// A value that may be so many others is no function that anybody hands on.
const MAX_SAME: usize = 32;

impl Resolver<'_> {
    /// Arguments of calls of library members that keep them, sorted.
    pub(super) fn kept_functions(&self) -> Vec<NodeId> {
        let mut found = Vec::new();
        for (index, call) in (0..).zip(&self.graph.calls) {
            let is_outside = |target: Target| matches!(target, Target::Library | Target::Unresolved);
            if call.form == CallForm::Reference || !self.sites[index as usize].is_some_and(|it| is_outside(it.target)) {
                continue;
            }
            let args = self.graph.list(call.args).iter().enumerate();
            found.extend(args.filter(|it| self.may_be_function(*it.1) && self.is_kept(index, it.0)).map(|it| *it.1));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a factory of a bean puts into it as a reference to a method is run by the bean, or by who gets it: nothing goes
    /// outside where it is made.
    pub(super) fn leave_to_product(&mut self, kept: &[NodeId]) {
        if !self.scope.method.is_some_and(|it| self.beans.is_factory(it)) {
            return;
        }
        for &node in kept {
            if let NodeKind::Call(call) = self.graph.nodes[node as usize].kind
                && let Some(site) = self.sites[call as usize].as_mut()
            {
                site.external = NONE;
            }
        }
    }

    fn may_be_function(&self, node: NodeId) -> bool {
        let mut same: SmallVec<[NodeId; 8]> = SmallVec::from_slice(&[node]);
        let mut next = 0;
        while let Some(&node) = same.get(next).filter(|_| next < MAX_SAME) {
            next += 1;
            let mut add = |it: NodeId| {
                if !same.contains(&it) {
                    same.push(it);
                }
            };
            match self.graph.nodes[node as usize].kind {
                NodeKind::Lambda(_) | NodeKind::Param(_) => return true,
                NodeKind::Call(call) if self.graph.calls[call as usize].form == CallForm::Reference => return true,
                NodeKind::Call(call) => self.sites[call as usize].and_then(|it| it.gives_back(self.graph, call)).into_iter().for_each(add),
                NodeKind::Phi(list) => self.graph.list(list).iter().copied().for_each(add),
                _ => self.graph.same_object(node).into_iter().for_each(&mut add),
            }
        }
        false
    }

    /// Whether a call keeps an argument: the table says so, or it is put into something as it is.
    fn is_kept(&self, index: u32, at: usize) -> bool {
        let call = &self.graph.calls[index as usize];
        let is_new = matches!(call.form, CallForm::New | CallForm::SuperConstructor);
        if is_new {
            return true;
        }
        let owners = self.owner_of(call).map_or(&[][..], |it| self.lib_owners(it, false));
        let known = catalogue();
        if known.deferred.defers(owners, call.name) {
            return true;
        }
        let Some(site) = self.sites[index as usize] else { return false };
        let rule = known.rules.rule(site.rule);
        let takes_in = |from: Feed| from == Feed::Args || matches!(from, Feed::Arg(arg) if usize::from(arg) == at);
        let is_put =
            rule.effects.iter().any(|it| it.into == Slot::Recv && takes_in(it.from)) || matches!(rule.result, ResultRule::Elements | ResultRule::Pairs);
        is_put && !matches!(self.wanted_by_call(index, at), Wanted::Function { .. })
    }
}

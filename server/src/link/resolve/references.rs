//! What method references refer to.

use super::functions::Wanted;
use super::{Ref, Resolver, Site, Target};
use crate::catalogue::{LibTypeId, catalogue};
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::link::symbols::UNKNOWN;
use crate::link::types::{NOTHING, Value};

impl Resolver<'_> {
    pub(super) fn reference(&mut self, index: u32) -> (Site, Value) {
        let call = &self.graph.calls[index as usize];
        let recv = self.values[call.recv as usize];
        let unknown = Site::to(Target::Unresolved);
        if recv.id == UNKNOWN || recv.dims > 0 {
            self.unresolved += u32::from(recv.dims == 0);
            return (unknown, NOTHING);
        }
        let wanted = self.wanted_of_reference(index);
        if self.symbols.is_own(recv.id) {
            let found = if call.name.as_str() == "<init>" {
                self.symbols.declared_methods(recv.id, call.name).to_vec()
            } else {
                self.symbols.find_methods(recv.id, call.name)
            };
            if found.is_empty() && call.name.as_str() == "<init>" {
                return (Site { target: Target::Default(recv.id), own_receiver: true, ..unknown }, NOTHING);
            }
            let found = self.taking(self.nearest(found), call.recv, wanted.arity());
            if !found.is_empty() {
                let site = self.own_site(&found, found.len() == 1 && self.is_virtual(found[0]));
                return (site, NOTHING);
            }
        }
        // Which overload is meant depends on the functional interface; what takes arguments there is not the
        // overload without any.
        let known = catalogue();
        let ancestors = self.lib_owners(recv.id, call.name.as_str() == "<init>");
        let takes_arguments = self.reference_takes_arguments(index, ancestors, wanted);
        let is_type = self.refs[call.recv as usize] == Ref::NoValue;
        let mut source = NONE;
        if known.rules.may_be_source(ancestors, call.name) {
            let params = if takes_arguments && is_type { None } else { Some("()") };
            let argc = usize::from(takes_arguments);
            source = known.rules.source_of(ancestors, None, call.name, argc, params, self.opt_in).unwrap_or(NONE);
        }
        let rule = known.rules.transfer(ancestors, call.name, 0, None);
        let target = if ancestors.is_empty() { Target::Unresolved } else { Target::Library };
        let external = self.row_of(recv, call.name, usize::from(takes_arguments), None, ancestors);
        (Site { rule, source, external, ..Site::to(target) }, NOTHING)
    }

    /// The function that a reference stands for.
    fn wanted_of_reference(&self, index: u32) -> Wanted {
        let node = self.graph.nodes.iter().position(|it| it.kind == NodeKind::Call(index));
        node.map_or(Wanted::Unknown, |it| self.wanted(it as NodeId, self.graph.calls[index as usize].outer))
    }

    /// Whether a reference to a method of a library is used where the function gets arguments. Where nothing tells, methods
    /// of the JDK do that are called like the one that takes it; and what has no overload with parameters takes none.
    fn reference_takes_arguments(&self, index: u32, owners: &[LibTypeId], wanted: Wanted) -> bool {
        let (call, library) = (&self.graph.calls[index as usize], &catalogue().library);
        let mut overloads = owners.iter().flat_map(|&it| library.declared(it, call.name)).peekable();
        if overloads.peek().is_some() && overloads.all(|it| it.params.is_empty()) {
            return false;
        }
        match wanted {
            Wanted::Function { arity: Some(arity), .. } => 0 < arity,
            Wanted::Object => false,
            _ if call.outer == NONE => {
                let returned = self.facts.head.returns.and_then(|it| self.wanted_by(it).arity());
                returned.is_some_and(|it| 0 < it)
            }
            _ => {
                let outer = &self.graph.calls[call.outer as usize];
                let is_it = |node: NodeId| matches!(self.graph.nodes[node as usize].kind, NodeKind::Call(call) if call == index);
                let at = self.graph.list(outer.args).iter().position(|&it| is_it(it));
                at.is_some_and(|at| library.gives_arguments(outer.name, at))
            }
        }
    }
}

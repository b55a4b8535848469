//! What method references refer to.

use super::{Ref, Resolver, Site, Target};
use crate::catalogue::catalogue;
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::intern::Ty;
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
        if self.symbols.is_own(recv.id) {
            let found = if call.name.as_str() == "<init>" {
                self.symbols.declared_methods(recv.id, call.name).to_vec()
            } else {
                self.symbols.find_methods(recv.id, call.name)
            };
            if found.is_empty() && call.name.as_str() == "<init>" {
                return (Site { target: Target::Default(recv.id), own_receiver: true, ..unknown }, NOTHING);
            }
            if !found.is_empty() {
                let site = self.own_site(&found, found.len() == 1 && self.is_virtual(found[0]));
                return (site, NOTHING);
            }
        }
        // Which overload is meant depends on the functional interface; what takes arguments there is not the
        // overload without any.
        let known = catalogue();
        let ancestors = self.lib_owners(recv.id, call.name.as_str() == "<init>");
        let takes_arguments = self.reference_takes_arguments(index);
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

    /// Whether a reference is used where the function gets arguments: what a declared type or the method that takes it
    /// says.
    fn reference_takes_arguments(&self, index: u32) -> bool {
        let outer = self.graph.calls[index as usize].outer;
        let is_it = |node: NodeId| matches!(self.graph.nodes[node as usize].kind, NodeKind::Call(call) if call == index);
        if outer == NONE {
            let typed = self.graph.nodes.iter().find_map(|it| if let NodeKind::Typed(inner, ty) = it.kind { is_it(inner).then_some(ty) } else { None });
            return typed.or(self.facts.head.returns).and_then(|it| self.function_arity(it)).is_some_and(|it| 0 < it);
        }
        let outer = &self.graph.calls[outer as usize];
        let at = self.graph.list(outer.args).iter().position(|&it| is_it(it));
        at.is_some_and(|at| catalogue().library.gives_arguments(outer.name, at))
    }

    /// How many arguments the function gets that a type of a library stands for.
    fn function_arity(&self, ty: Ty) -> Option<usize> {
        let lib = self.symbols.lib(self.symbols.resolve(self.scope, ty.name()))?;
        catalogue().library.function_arity(lib)
    }
}

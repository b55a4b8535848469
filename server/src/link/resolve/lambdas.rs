//! What lambdas get and give, as far as types tell: a parameter has the type that whoever takes the lambda says.

use super::Resolver;
use crate::catalogue::{LibMethod, catalogue};
use crate::facts::graph::{Call, NONE, NodeId, NodeKind};
use crate::intern::Ty;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};
use crate::link::types::{NOTHING, Value, is_primitive};

impl Resolver<'_> {
    /// A parameter of a lambda. Elements of the receiver are what most lambdas of the library get: `list.forEach`, `stream.map`,
    /// `map.forEach`.
    pub(super) fn lambda_param(&mut self, lambda: u32, i: u32) -> Value {
        let info = self.graph.lambdas[lambda as usize];
        if info.call == NONE {
            let declared = self.declared_function(lambda).map_or(NOTHING, |ty| self.types.here(ty));
            return self.function_param(declared, i as usize);
        }
        let call = self.graph.calls[info.call as usize];
        let taker = self.taker_of(&call, info.arg as usize);
        if let Some(found) = taker.map(|it| self.function_param(it, i as usize)).filter(|it| *it != NOTHING) {
            return found;
        }
        if call.recv == NONE { NOTHING } else { self.types.argument(self.values[call.recv as usize], i as usize) }
    }

    /// The type that a lambda is declared with which is no argument.
    fn declared_function(&self, lambda: u32) -> Option<Ty> {
        let node = self.graph.nodes.iter().position(|it| it.kind == NodeKind::Lambda(lambda))? as NodeId;
        self.graph.nodes.iter().find_map(|it| if let NodeKind::Typed(inner, ty) = it.kind { (inner == node).then_some(ty) } else { None })
    }

    /// The type of the parameter that a call to a method of the workspace gives a lambda to. Of several overloads nothing is said.
    fn taker_of(&mut self, call: &Call, at: usize) -> Option<Value> {
        let owner = self.owner_of(call);
        let mut takers = self.own_takers(call, owner);
        takers.retain(|&it| self.may_take(it, at));
        let &[method] = &takers[..] else { return None };
        let ty = *self.symbols.params[method as usize].get(at)?;
        let recv = if call.recv == NONE { self.types.plain(self.scope.class) } else { self.values[call.recv as usize] };
        let args = self.args(call);
        Some(self.types.at_call(ty, Some(self.scope_of(method)), recv, &args))
    }

    fn scope_of(&self, method: MethodId) -> Scope {
        let info = &self.symbols.methods[method as usize];
        Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(method) }
    }

    /// The type of a parameter of the function that an interface stands for.
    fn function_param(&mut self, function: Value, i: usize) -> Value {
        if function.id == UNKNOWN || function.dims > 0 {
            return NOTHING;
        }
        if let Some(method) = self.symbols.function_method(function.id) {
            let ty = self.symbols.params[method as usize].get(i).copied();
            return ty.map_or(NOTHING, |ty| self.types.at_call(ty, Some(self.scope_of(method)), function, &[]));
        }
        // The tables have erased parameters. By custom type arguments are in the order of the parameters, the result last; where
        // there is only one, all parameters have it.
        let Some(method) = self.lib_function(function.id) else { return NOTHING };
        if method.params.get(i).is_none_or(|it| is_primitive(it.0.as_str())) {
            return NOTHING;
        }
        let n = function.ty.map_or(0, |it| it.data().args.len());
        self.types.argument(function, if n == 1 { 0 } else { i })
    }

    fn lib_function(&self, function: TypeId) -> Option<&'static LibMethod> {
        catalogue().library.function_method(self.symbols.lib(function)?)
    }

    /// What a call gives whose result is a type parameter of the method that a lambda says: `cached(key, () -> load(key))`.
    pub(super) fn given_by_function(&self, method: MethodId, returns: Ty, call: &Call) -> Value {
        let is_variable = self.symbols.type_parameters(method).iter().any(|it| it.0 == returns.name());
        if !is_variable || returns.data().dims > 0 {
            return NOTHING;
        }
        let (params, ids) = (&self.symbols.params[method as usize], self.symbols.param_types(method));
        for ((&arg, param), &id) in self.graph.list(call.args).iter().zip(params).zip(ids) {
            let NodeKind::Lambda(lambda) = self.graph.nodes[arg as usize].kind else { continue };
            let given = self.argument_given(id).and_then(|k| param.data().args.get(k).copied());
            if given.is_none_or(|it| it.name() != returns.name()) {
                continue;
            }
            let results = self.graph.list(self.graph.lambdas[lambda as usize].results).iter().map(|&it| self.values[it as usize]);
            let results: Vec<Value> = results.filter(|it| it.id != UNKNOWN).collect();
            if let Some(&first) = results.first().filter(|first| results.iter().all(|it| (it.id, it.dims) == (first.id, first.dims))) {
                return first;
            }
        }
        NOTHING
    }

    /// Which of its type arguments a function gives.
    fn argument_given(&self, function: TypeId) -> Option<usize> {
        if let Some(method) = self.symbols.function_method(function) {
            let returns = self.symbols.returns[method as usize].filter(|it| it.data().dims == 0)?;
            let owner = self.symbols.own(self.symbols.methods[method as usize].owner)?;
            return owner.head.get().type_params.iter().position(|it| it.0 == returns.name());
        }
        self.lib_function(function)?.returns.name().as_str().strip_prefix('$')?.parse().ok()
    }
}

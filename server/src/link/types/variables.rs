//! Type variables: the type arguments that a value has as one of its supertypes, and what the type parameters of a generic
//! method stand for in a call.

use super::{BOXES, Context, NOTHING, Types, Value};
use crate::catalogue::catalogue;
use crate::intern::{Sym, Ty};
use crate::java::decls::Flags;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};

/// Type arguments within type arguments are looked into this deep.
const MAX_NESTED: u32 = 3;

impl Types<'_> {
    /// A value as the type that declares what is called on it, if that has type parameters.
    pub(super) fn as_declared(&mut self, value: Value, class: TypeId) -> Value {
        let is_generic = value.id != class && self.symbols.own(class).is_some_and(|it| !it.head.get().type_params.is_empty());
        if is_generic { self.seen_as(value, class) } else { value }
    }

    /// A value as one of its supertypes, with the type arguments that it has there.
    pub(super) fn seen_as(&mut self, value: Value, owner: TypeId) -> Value {
        if value.id == owner {
            return value;
        }
        // Types on the way up, each with the one below it.
        let mut found: Vec<(TypeId, Option<Ty>, usize)> = vec![(value.id, None, 0)];
        let mut at = 0;
        while at < found.len() && found[at].0 != owner {
            let id = found[at].0;
            let ups: Vec<(TypeId, Ty)> = match self.symbols.lib(id) {
                Some(lib) => {
                    let of = &catalogue().library.types[lib as usize];
                    of.super_ids.iter().map(|&it| TypeId(it)).zip(of.supers.iter().copied()).collect()
                }
                None => self.symbols.own(id).map_or_else(Vec::new, |info| {
                    let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
                    info.head.get().supers.iter().map(|&it| (self.symbols.resolve(scope, it.name()), it)).collect()
                }),
            };
            for (up, ty) in ups {
                if up != UNKNOWN && found.iter().all(|it| it.0 != up) {
                    found.push((up, Some(ty), at));
                }
            }
            at += 1;
        }
        if at == found.len() {
            return value;
        }
        let mut way = Vec::new();
        while at != 0 {
            way.push(at);
            at = found[at].2;
        }
        let mut seen = value;
        for step in way.into_iter().rev() {
            let scope = self.symbols.own(seen.id).map(|info| Scope { class: seen.id, unit: info.unit, file: info.file, method: None });
            self.contexts.push(Context::Call { scope, recv: seen, args: Vec::new(), own: Vec::new() });
            seen = Value { id: found[step].0, dims: 0, ty: found[step].1, context: (self.contexts.len() - 1) as u32 };
        }
        seen
    }

    /// What the type parameters of a generic method stand for: what is written, else as far as its arguments tell.
    pub(super) fn variables_of(&mut self, scope: Scope, given: Option<Ty>, args: &[Value]) -> Vec<(Sym, Value)> {
        let symbols = self.symbols;
        let Some(method) = scope.method else { return Vec::new() };
        let mut one = |i: usize, name: Sym| match given.and_then(|it| it.data().args.get(i).copied()) {
            Some(written) => self.here(written),
            None => self.variable_of(name, method, scope, args),
        };
        symbols.type_parameters(method).iter().enumerate().map(|(i, &(name, _))| (name, one(i, name))).collect()
    }

    fn variable_of(&mut self, name: Sym, method: MethodId, scope: Scope, args: &[Value]) -> Value {
        let params = &self.symbols.params[method as usize];
        let Some(last) = params.len().checked_sub(1) else { return NOTHING };
        let is_spread = self.symbols.methods[method as usize].flags.has(Flags::VARARGS);
        let mut found: Option<Value> = None;
        for (i, &arg) in args.iter().enumerate() {
            let param = params[i.min(last)];
            let param = if is_spread && last <= i && arg.dims < param.data().dims { param.element().unwrap_or(param) } else { param };
            let Some(said) = self.said(name, param, arg, scope, 0) else { continue };
            let common = found.map_or(said, |it| self.common(it, said));
            if common == NOTHING {
                // What they have in common is not worked out: nothing is known.
                return NOTHING;
            }
            found = Some(common);
        }
        found.unwrap_or(NOTHING)
    }

    /// What an argument says of a type variable that the type of its parameter has in it.
    fn said(&mut self, name: Sym, param: Ty, arg: Value, scope: Scope, depth: u32) -> Option<Value> {
        let data = param.data();
        if arg.id == UNKNOWN && arg.ty.is_none() {
            return None;
        }
        if data.name == name {
            let mut ty = arg.ty;
            for _ in 0..data.dims {
                ty = ty.and_then(Ty::element);
            }
            let dims = arg.dims.checked_sub(data.dims)?;
            return Some(self.boxed(Value { dims, ty, ..arg }));
        }
        if data.args.is_empty() || depth == MAX_NESTED || arg.dims != data.dims {
            return None;
        }
        let class = self.symbols.resolve(scope, data.name);
        let seen = if class == UNKNOWN { arg } else { self.seen_as(arg, class) };
        data.args.iter().enumerate().find_map(|(i, &it)| {
            let given = self.argument(seen, i);
            self.said(name, it, given, scope, depth + 1)
        })
    }

    fn boxed(&self, value: Value) -> Value {
        let name = value.ty.filter(|_| value.id == UNKNOWN && value.dims == 0).map(|it| it.name());
        let boxed = name.and_then(|name| BOXES.iter().find(|it| it.0 == name.as_str()));
        boxed.map_or(value, |it| self.plain(self.symbols.qualified(it.1)))
    }

    /// That of two types which the other one is below; nothing if they have another one in common.
    fn common(&self, a: Value, b: Value) -> Value {
        if a.dims != b.dims {
            NOTHING
        } else if a.id == b.id {
            if a.ty.is_some_and(|it| !it.data().args.is_empty()) { a } else { b }
        } else if a.id != UNKNOWN && self.symbols.is_subtype(b.id, a.id) {
            a
        } else if b.id != UNKNOWN && self.symbols.is_subtype(a.id, b.id) {
            b
        } else {
            NOTHING
        }
    }
}

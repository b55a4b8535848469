//! Which of several methods of one name a call means, told by the number and the types of its arguments.

use super::Resolver;
use crate::catalogue::{LibMethod, LibTypeId, catalogue};
use crate::facts::graph::{Call, NodeId, NodeKind};
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, TypeId, UNKNOWN};
use crate::link::types::{Fit, Value, is_primitive, is_wider};
use smallvec::SmallVec;

/// A library overload that a call means.
pub struct LibTarget<'a> {
    /// Its owner as called.
    pub ancestors: &'a [LibTypeId],
    /// The overload, if it is the only one that fits, the most special one, or one of several that give the same.
    pub method: Option<&'static LibMethod>,
    /// Whether it is that overload, and not another one that gives the same.
    pub sure: bool,
}

impl LibTarget<'_> {
    /// The erased parameters of the overload, if it is known which one it is.
    pub fn params(&self) -> Option<&'static str> {
        self.method.filter(|_| self.sure).map(|it| it.text)
    }
}

/// An argument as overloads are asked whether it fits: what is the same for each of them.
struct Arg {
    value: Value,
    /// The primitive type that it has.
    primitive: Option<&'static str>,
    /// Its type is what the parameter wants.
    is_function: bool,
}

/// How much an overload goes before another one that needs a step more: boxing, or an array for its last parameter.
const PHASE: u32 = 1000;

impl<'a> Resolver<'a> {
    /// The primitive type of an argument, if it is known to have one.
    pub(super) fn primitive(&self, node: NodeId) -> Option<&'static str> {
        let ty = match self.graph.nodes[node as usize].kind {
            NodeKind::Const(ty) => ty?,
            NodeKind::Typed(_, ty) => ty,
            NodeKind::Param(i) => self.facts.head.params.get(i as usize)?.ty,
            _ => self.values[node as usize].ty?,
        };
        let data = ty.data();
        let name = data.name.as_str();
        (data.dims == 0 && is_primitive(name)).then_some(name)
    }

    /// Whether an argument is a lambda or a reference to a method: its type is what the parameter wants.
    fn is_function(&self, node: NodeId) -> bool {
        match self.graph.nodes[node as usize].kind {
            NodeKind::Lambda(_) => true,
            NodeKind::Call(call) => self.graph.calls[call as usize].form == CallForm::Reference,
            _ => false,
        }
    }

    fn arguments(&self, call: &Call, args: &[Value]) -> SmallVec<[Arg; 4]> {
        let nodes = self.graph.list(call.args).iter().zip(args);
        nodes.map(|(&node, &value)| Arg { value, primitive: self.primitive(node), is_function: self.is_function(node) }).collect()
    }

    /// Whether an argument may be passed where this type is written.
    fn fits(&self, arg: &Arg, name: &str, id: TypeId, dims: u8) -> Fit {
        if arg.is_function { self.function_fits(id, name, dims) } else { self.types.fits(arg.value, arg.primitive, name, id, dims) }
    }

    /// Whether the parameters of a method have the very types of the arguments, as far as that is told at a glance.
    fn is_exact(&self, method: MethodId, args: &[Arg]) -> bool {
        let mut params = self.symbols.params[method as usize].iter().zip(self.symbols.param_types(method)).zip(args);
        params.all(|((ty, &id), arg)| match arg.primitive {
            Some(primitive) => !arg.is_function && ty.data().dims == 0 && ty.name().as_str() == primitive,
            None => !arg.is_function && id != UNKNOWN && id == arg.value.id && ty.data().dims == arg.value.dims,
        })
    }

    /// A function fits an interface, and perhaps a type of which nothing is known or a type parameter, erased to `Object`.
    pub(super) fn function_fits(&self, param: TypeId, name: &str, dims: u8) -> Fit {
        if dims > 0 || is_primitive(name) {
            return Fit::No;
        }
        let kind = match self.symbols.own(param) {
            Some(info) => Some(info.head.get().kind),
            None => self.symbols.lib(param).and_then(|it| catalogue().library.kind(it)),
        };
        match kind {
            Some(TypeKind::Interface) => Fit::Loose,
            Some(_) if name != "java.lang.Object" => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// The library types whose members a call on this type may mean: those above it, or for a constructor itself.
    pub(super) fn lib_owners(&self, recv: TypeId, constructor: bool) -> &'a [LibTypeId] {
        match (constructor, self.symbols.lib(recv)) {
            (false, _) => self.symbols.lib_ancestors(recv),
            (true, Some(_)) => &self.symbols.lib_ancestors(recv)[..1],
            (true, None) => &[],
        }
    }

    /// The library overload that a call on this type means.
    pub(super) fn library_target(&self, recv: TypeId, name: Sym, call: &Call, args: &[Value]) -> LibTarget<'a> {
        let library = &catalogue().library;
        let ancestors = self.lib_owners(recv, call.form == CallForm::New);
        let args = self.arguments(call, args);
        let mut best: Vec<(&'static LibMethod, u32)> = Vec::new();
        let mut all_known = true;
        for &owner in ancestors {
            for method in library.declared(owner, name) {
                let n = method.params.len();
                let fixed = n == args.len();
                let spread = method.varargs && args.len() + 1 >= n;
                if !fixed && !spread {
                    continue;
                }
                if let Some(known) = best.iter_mut().find(|it| it.0.text == method.text) {
                    // Of two interfaces that have it, the one that says more of the result is meant.
                    if gives_more(method, known.0) {
                        known.0 = method;
                    }
                    continue;
                }
                let mut score = 0;
                let mut possible = true;
                // An overload that needs no spreading goes before one that does (JLS 15.12.2).
                let mut as_written = fixed;
                let mut boxed = false;
                for (i, arg) in args.iter().enumerate() {
                    let (base, dims) = method.params[i.min(n - 1)];
                    let (dims, loose) =
                        if method.varargs && i + 1 >= n && !(fixed && arg.value.dims == dims) { (dims.saturating_sub(1), true) } else { (dims, false) };
                    as_written &= !loose;
                    let fit = self.fits(arg, base.as_str(), self.symbols.named(base), dims);
                    possible &= fit != Fit::No;
                    all_known &= fit != Fit::Unknown;
                    boxed |= fit.is_boxed();
                    score += match fit {
                        Fit::Exact if !loose => 4,
                        Fit::Exact | Fit::Loose | Fit::Boxed => 2,
                        Fit::BoxedLoosely => 1,
                        Fit::Unknown | Fit::No => 0,
                    };
                }
                if possible {
                    let phases = u32::from(as_written) + u32::from(as_written && !boxed);
                    best.push((method, score + phases * PHASE));
                }
            }
        }
        let top = best.iter().map(|it| it.1).max();
        let mut winners = best.iter().filter(|it| Some(it.1) == top);
        let (method, sure) = match (winners.next(), winners.next()) {
            (Some(only), None) => (Some(only.0), true),
            // Overloads in several types of the hierarchy: the nearest declares what runs.
            (Some(first), Some(second)) if first.0.owner != second.0.owner => (Some(first.0), true),
            (Some(first), Some(_)) => {
                let tied = || best.iter().filter(|it| Some(it.1) == top).map(|it| it.0);
                match most_specific(tied()) {
                    Some(found) => (Some(found), all_known),
                    None => (tied().all(|it| it.returns == first.0.returns).then_some(first.0), false),
                }
            }
            _ => (None, false),
        };
        LibTarget { ancestors, method, sure }
    }

    /// The methods that a call may mean: those whose arity and parameter types fit best; of overriding ones the nearest.
    pub(super) fn pick(&self, candidates: Vec<MethodId>, call: &Call, args: &[Value]) -> Vec<MethodId> {
        let n = args.len();
        let fixed: Vec<MethodId> = candidates.iter().copied().filter(|&it| self.symbols.methods[it as usize].arity as usize == n).collect();
        if fixed.len() == 1 {
            return fixed;
        }
        let args = self.arguments(call, args);
        // Nothing fits better than the same types, and visitors have hundreds of overloads.
        let exact: Vec<MethodId> = fixed.iter().copied().filter(|&it| self.is_exact(it, &args)).collect();
        let fitting = if !exact.is_empty() {
            exact
        } else if !fixed.is_empty() {
            fixed
        } else {
            let spreads = |it: &MethodId| {
                let info = &self.symbols.methods[*it as usize];
                info.flags.has(Flags::VARARGS) && n + 1 >= info.arity as usize
            };
            candidates.into_iter().filter(spreads).collect()
        };
        if fitting.len() <= 1 {
            return fitting;
        }
        let mut scored: Vec<(MethodId, u32)> = Vec::new();
        for &method in &fitting {
            let info = &self.symbols.methods[method as usize];
            let (params, ids) = (&self.symbols.params[method as usize], self.symbols.param_types(method));
            let mut score = 0;
            let mut possible = true;
            let (mut boxed, mut spread) = (false, false);
            for ((ty, &id), arg) in params.iter().zip(ids).zip(&args) {
                let data = ty.data();
                let name = data.name.as_str();
                let (name, id) = if id == UNKNOWN || is_primitive(name) { (name, UNKNOWN) } else { (self.symbols.type_name(id), id) };
                let fit = self.fits(arg, name, id, data.dims);
                possible &= fit != Fit::No || info.flags.has(Flags::VARARGS);
                boxed |= fit.is_boxed();
                spread |= fit == Fit::No;
                score += match fit {
                    Fit::Exact => 4,
                    Fit::Loose | Fit::Boxed => 2,
                    Fit::BoxedLoosely | Fit::Unknown => 1,
                    Fit::No => 0,
                };
            }
            if possible {
                let phases = u32::from(!spread) + u32::from(!spread && !boxed);
                scored.push((method, score + phases * PHASE));
            }
        }
        let Some(top) = scored.iter().map(|it| it.1).max() else { return fitting };
        let mut best: Vec<MethodId> = Vec::new();
        for &(method, score) in &scored {
            if score < top {
                continue;
            }
            // A method of a class further up that is overridden nearer does not run.
            let params = |it: MethodId| self.symbols.params[it as usize].iter().map(|it| it.name()).collect::<Vec<_>>();
            let overridden = best
                .iter()
                .any(|&near| self.symbols.methods[near as usize].owner != self.symbols.methods[method as usize].owner && params(near) == params(method));
            if !overridden {
                best.push(method);
            }
        }
        // Generic parameters hide overriding: the nearest class decides.
        let nearest = self.symbols.methods[best[0] as usize].owner;
        if best.iter().any(|&it| self.symbols.methods[it as usize].owner != nearest) && self.facts.head.kind != MemberKind::Field {
            best.retain(|&it| self.symbols.methods[it as usize].owner == nearest);
        }
        best
    }
}

/// Of overloads that fit alike the one whose parameters are all at least as special as those of each other one (JLS
/// 15.12.2.5).
fn most_specific(methods: impl Iterator<Item = &'static LibMethod> + Clone) -> Option<&'static LibMethod> {
    let special = |a: &LibMethod, b: &LibMethod| a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(a, b)| is_below(*a, *b));
    methods.clone().find(|it| methods.clone().all(|other| special(it, other)))
}

/// Whether a written type, with its dimensions, is another one or below it.
fn is_below(a: (Sym, u8), b: (Sym, u8)) -> bool {
    let library = &catalogue().library;
    let any = |it: Sym| it.as_str() == "java.lang.Object";
    match (library.find(a.0), library.find(b.0)) {
        _ if a == b => true,
        _ if a.1 == 0 && b.1 == 0 && is_primitive(a.0.as_str()) => is_wider(a.0.as_str(), b.0.as_str()),
        (Some(a_id), Some(b_id)) if a.1 == b.1 => library.is_subtype(a_id, b_id),
        _ => any(b.0) && b.1 == 0 && (0 < a.1 || library.find(a.0).is_some()),
    }
}

/// Whether what a method gives is below what another one gives.
fn gives_more(method: &LibMethod, other: &LibMethod) -> bool {
    let library = &catalogue().library;
    let (ty, above) = (method.returns.name(), other.returns.name());
    let up = library.find(above).filter(|_| ty != above);
    up.is_some_and(|up| library.find(ty).is_some_and(|it| it != up && library.ancestors(it).contains(&up)))
}

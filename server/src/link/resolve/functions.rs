//! What functions get and give where a lambda or a reference to a method is written: that says which overload a reference
//! means, and whether anyone gets what the body of a lambda gives.

use super::{Ref, Resolver, Site, Target};
use crate::catalogue::{Function, catalogue};
use crate::facts::graph::{Call, NONE, NodeId, NodeKind, SinkKind, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};
use crate::link::types::Fit;

/// What is known of the function that a place wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Nothing.
    Unknown,
    /// It wants no function but any object: what the function is follows from a type argument.
    Object,
    /// This one; of overloads that want different functions what they agree in.
    Function { arity: Option<usize>, is_void: Option<bool> },
}

impl Wanted {
    fn of(function: Option<Function>) -> Wanted {
        function.map_or(Wanted::Object, |it| Wanted::Function { arity: Some(it.arity), is_void: Some(it.is_void) })
    }

    /// What two overloads agree in.
    fn and(self, other: Wanted) -> Wanted {
        match (self, other) {
            (Wanted::Function { arity, is_void }, Wanted::Function { arity: arity2, is_void: is_void2 }) => {
                Wanted::Function { arity: arity.filter(|_| arity == arity2), is_void: is_void.filter(|_| is_void == is_void2) }
            }
            (one, other) if one == other => one,
            _ => Wanted::Unknown,
        }
    }

    fn all(mut wanted: impl Iterator<Item = Wanted>) -> Wanted {
        wanted.next().map_or(Wanted::Unknown, |first| wanted.fold(first, Wanted::and))
    }

    /// How many arguments the function gets.
    pub fn arity(self) -> Option<usize> {
        if let Wanted::Function { arity, .. } = self { arity } else { None }
    }
}

impl Resolver<'_> {
    /// The function that a place wants which takes the value of a node: a declared type, that of a field, or the parameter
    /// of the call that it is an argument of.
    pub(super) fn wanted(&self, node: NodeId, outer: u32) -> Wanted {
        let is_it = |it: NodeId| it == node;
        let typed = self.graph.nodes.iter().find_map(|it| if let NodeKind::Typed(inner, ty) = it.kind { is_it(inner).then_some(ty) } else { None });
        if let Some(ty) = typed {
            return self.wanted_by(ty);
        }
        if outer != NONE {
            let at = self.graph.list(self.graph.calls[outer as usize].args).iter().position(|&it| is_it(it));
            return at.map_or(Wanted::Unknown, |at| self.wanted_by_call(outer, at));
        }
        let is_returned = self.graph.sinks.iter().any(|it| it.kind == SinkKind::Return && is_it(it.value));
        self.facts.head.returns.filter(|_| is_returned).map_or_else(|| self.wanted_by_field(node), |it| self.wanted_by(it))
    }

    pub(super) fn wanted_by(&self, ty: Ty) -> Wanted {
        let value = self.types.here(ty);
        if value.id == UNKNOWN || value.dims > 0 { Wanted::Unknown } else { Wanted::of(self.symbols.function(value.id)) }
    }

    /// The function that a call takes as an argument: what all methods say that it may mean, as far as that is known by now.
    pub(super) fn wanted_by_call(&self, outer: u32, at: usize) -> Wanted {
        let call = &self.graph.calls[outer as usize];
        if let Some(Site { target: target @ (Target::Method(..) | Target::Many(..) | Target::Among(..)), .. }) = &self.sites[outer as usize] {
            return Wanted::all(self.targets(target).iter().map(|&it| self.wanted_by_parameter(it, at)));
        }
        let n = call.args.len as usize;
        let owner = self.owner_of(call);
        let own = self.own_takers(call, owner);
        if !own.is_empty() {
            return Wanted::all(own.iter().filter(|&&it| self.may_take(it, at)).map(|&it| self.wanted_by_parameter(it, at)));
        }
        let library = &catalogue().library;
        let owners = owner.map_or(&[][..], |it| self.lib_owners(it, call.name.as_str() == "<init>"));
        // An overload that wants something else is not meant.
        let fits = |(name, dims): (Sym, u8)| self.function_fits(self.symbols.named(name), name.as_str(), dims) != Fit::No;
        let takers = owners.iter().flat_map(|&it| library.declared(it, call.name)).filter(|it| it.params.len() == n && fits(it.params[at]));
        Wanted::all(takers.map(|it| {
            let (name, dims) = it.params[at];
            Wanted::of(library.find(name).filter(|_| dims == 0).and_then(|it| library.function(it)))
        }))
    }

    fn targets<'b>(&'b self, target: &'b Target) -> &'b [MethodId] {
        match target {
            Target::Method(method, _) => std::slice::from_ref(method),
            Target::Many(from, to) | Target::Among(from, to) => &self.many[*from as usize..*to as usize],
            Target::Unresolved | Target::Library | Target::Default(_) => &[],
        }
    }

    /// The type whose member a call means that is not resolved yet.
    pub(super) fn owner_of(&self, call: &Call) -> Option<TypeId> {
        match call.form {
            CallForm::New => call.ty.map(|it| self.types.here(it).id),
            CallForm::ThisConstructor | CallForm::Plain => Some(self.scope.class),
            CallForm::SuperConstructor | CallForm::Super => Some(self.super_class()),
            CallForm::On | CallForm::Reference => self.values.get(call.recv as usize).filter(|it| it.dims == 0).map(|it| it.id),
        }
    }

    /// Methods of the workspace that a call may mean by its name and the number of its arguments.
    pub(super) fn own_takers(&self, call: &Call, owner: Option<TypeId>) -> Vec<MethodId> {
        let Some(owner) = owner else { return Vec::new() };
        let named = |class: TypeId| match call.name.as_str() {
            "<init>" => self.symbols.declared_methods(class, call.name).to_vec(),
            _ => self.symbols.find_methods(class, call.name),
        };
        let mut found = named(owner);
        let mut class = owner;
        while let (true, CallForm::Plain, Some(info)) = (found.is_empty(), call.form, self.symbols.own(class)) {
            class = info.outer;
            found = named(class);
        }
        if found.is_empty() && call.form == CallForm::Plain {
            found = self.symbols.static_imports(self.scope.file, call.name).flat_map(named).collect();
        }
        found.retain(|&it| self.symbols.methods[it as usize].arity == call.args.len);
        found
    }

    pub(super) fn may_take(&self, method: MethodId, at: usize) -> bool {
        let Some(data) = self.symbols.params[method as usize].get(at).map(|it| it.data()) else { return false };
        self.function_fits(self.symbols.param_types(method)[at], data.name.as_str(), data.dims) != Fit::No
    }

    fn wanted_by_parameter(&self, method: MethodId, at: usize) -> Wanted {
        let Some(ty) = self.symbols.params[method as usize].get(at) else { return Wanted::Unknown };
        let id = self.symbols.param_types(method)[at];
        if id == UNKNOWN || ty.data().dims > 0 { Wanted::Unknown } else { Wanted::of(self.symbols.function(id)) }
    }

    /// Functions that are written where nobody gets what they give, as nodes.
    pub(super) fn void_functions(&self) -> Vec<NodeId> {
        let mut found = Vec::new();
        for (id, node) in (0..).zip(&self.graph.nodes) {
            let outer = match node.kind {
                NodeKind::Lambda(lambda) => self.graph.lambdas[lambda as usize].call,
                NodeKind::Call(call) if self.graph.calls[call as usize].form == CallForm::Reference => self.graph.calls[call as usize].outer,
                _ => continue,
            };
            if matches!(self.wanted(id, outer), Wanted::Function { is_void: Some(true), .. }) {
                found.push(id);
            }
        }
        found
    }

    /// The function that a field wants which a node is written to.
    fn wanted_by_field(&self, node: NodeId) -> Wanted {
        let Some(write) = self.graph.writes.iter().find(|it| it.value == node) else { return Wanted::Unknown };
        let field = match write.kind {
            WriteKind::Init => self.symbols.find_field(self.scope.class, write.name),
            WriteKind::Assign if write.obj == NONE => self.field_by_name(write.name).map(|it| it.0),
            WriteKind::Assign => self.field_of_node(write.obj, write.name),
            WriteKind::Element | WriteKind::Capture => None,
        };
        let Some(field) = field else { return Wanted::Unknown };
        let info = &self.symbols.fields[field as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
        let id = self.symbols.resolve(scope, info.ty.name());
        if id == UNKNOWN || info.ty.data().dims > 0 { Wanted::Unknown } else { Wanted::of(self.symbols.function(id)) }
    }

    /// Of methods that a reference may mean those that take what the function gets; all of them if none does.
    pub(super) fn taking(&self, found: Vec<MethodId>, recv: NodeId, arity: Option<usize>) -> Vec<MethodId> {
        let Some(arity) = arity.filter(|_| found.len() > 1) else { return found };
        // A reference that is written with a type gets the receiver as well.
        let of_type = self.refs[recv as usize] == Ref::NoValue;
        let takes = |it: &MethodId| {
            let info = &self.symbols.methods[*it as usize];
            let is_on = of_type && !info.flags.has(Flags::STATIC) && info.name.as_str() != "<init>";
            let n = info.arity as usize + usize::from(is_on);
            n == arity || (info.flags.has(Flags::VARARGS) && n <= arity + 1)
        };
        let left: Vec<MethodId> = found.iter().copied().filter(takes).collect();
        if left.is_empty() { found } else { left }
    }

    /// Of methods that a class has or inherits those that no other one overrides.
    pub(super) fn nearest(&self, mut found: Vec<MethodId>) -> Vec<MethodId> {
        let hidden: Vec<MethodId> = found.iter().filter_map(|it| self.symbols.overridden.get(it)).flatten().copied().collect();
        found.retain(|it| !hidden.contains(it));
        found
    }
}

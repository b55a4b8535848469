//! Calls that go to another process: which row says so.

use super::{Ref, Resolver, Site, Target};
use crate::catalogue::{ExternalHow, LibTypeId, catalogue};
use crate::facts::graph::{Call, NONE, NodeId, NodeKind, SinkKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::TypeKind;
use crate::java::ops::CallForm;
use crate::link::symbols::{FieldId, UNKNOWN};
use crate::link::types::{NOTHING, Value};

/// What a receiver stands for outside of the process.
#[derive(Clone, Copy)]
struct Holder {
    row: u32,
    /// The library type whose members say what does not go there: settings of a stub.
    base: Option<LibTypeId>,
}

/// Whether a library type may have a member. A setter that it is not known to have is one of a subtype: rows for every
/// member are about interfaces of operations, and what implements them is set up.
fn may_have(owner: LibTypeId, name: Sym) -> bool {
    let library = &catalogue().library;
    let declares = || library.ancestors(owner).iter().any(|&it| library.declared(it, name).next().is_some());
    let is_setter = || name.as_str().strip_prefix("set").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    !is_setter() || declares()
}

impl Resolver<'_> {
    /// The row of external state for a library member. That a member makes something outside does not take its call there.
    pub(super) fn row_of(&self, recv: Value, name: Sym, argc: usize, params: Option<&str>, ancestors: &[LibTypeId]) -> u32 {
        let externals = &catalogue().externals;
        let itself: Vec<LibTypeId>;
        let owners = if name.as_str() == "<init>" {
            itself = self.symbols.lib(recv.id).into_iter().collect();
            &itself
        } else {
            ancestors
        };
        if !externals.may_call(owners, name) {
            return NONE;
        }
        let has = |owner| may_have(owner, name);
        externals.call(owners, name, argc, params, self.opt_in, has).filter(|&it| externals.row(it).how != ExternalHow::Makes).unwrap_or(NONE)
    }

    /// The field that a receiver was read from.
    pub(super) fn field_of(&self, node: NodeId) -> Option<FieldId> {
        match self.refs[self.untyped(node)? as usize] {
            Ref::Field(field) => Some(field),
            _ => None,
        }
    }

    /// A node without casts and declared types around it.
    fn untyped(&self, mut node: NodeId) -> Option<NodeId> {
        while node != NONE {
            let NodeKind::Typed(inner, _) = self.graph.nodes[node as usize].kind else { return Some(node) };
            node = inner;
        }
        None
    }

    /// What a call is, and the type of its result.
    pub(super) fn resolve_call(&mut self, index: u32) -> (Site, Value) {
        let call = self.graph.calls[index as usize];
        if !matches!(call.form, CallForm::On | CallForm::Reference) {
            let (mut site, result) = self.resolve_form(index);
            if call.form == CallForm::Plain {
                self.of_itself(&mut site);
            }
            return (site, result);
        }
        let declared = self.values[call.recv as usize];
        let field = self.field_of(call.recv);
        let holder = self.holder(call.recv, declared, field);
        if holder.is_none()
            && let Some(held) = field.and_then(|it| self.beans.narrowed(it))
            && call.form == CallForm::On
        {
            self.values[call.recv as usize].id = held;
            let found = self.resolve_form(index);
            self.values[call.recv as usize] = declared;
            return found;
        }
        let (mut site, mut result) = self.resolve_form(index);
        if site.external != NONE {
            return (site, result);
        }
        if result == NOTHING && call.form == CallForm::On {
            result = self.generated_stub(&call, declared).unwrap_or(NOTHING);
        }
        let outside = &self.beans.outside;
        let by_method = match site.target {
            Target::Method(method, _) => outside.method(method),
            Target::Many(..) => self.many.last().and_then(|&it| outside.method(it)),
            _ => None,
        };
        // A default method runs here.
        let runs_here = matches!(site.target, Target::Method(method, _) if outside.runs_here(method));
        let stays = holder.is_some_and(|it| self.stays(it, declared, &call, &site));
        let row = holder.filter(|_| !runs_here && !stays).map(|it| it.row);
        site.external = row.or(by_method).unwrap_or(NONE);
        match site.target {
            // What implements it here, a fallback, is not what answers.
            Target::Method(method, true) if site.external != NONE => site.target = Target::Method(method, false),
            // The name of the type is all that is known of it, but it is known what it is.
            Target::Unresolved if holder.is_some() => site.target = Target::Library,
            _ => {}
        }
        if stays && result.id == UNKNOWN && self.is_setting(holder, &call) {
            result = declared;
        }
        (site, result)
    }

    /// A method with a body in an interface that is outside calls one of its own without: a query.
    fn of_itself(&self, site: &mut Site) {
        let Target::Method(method, _) = site.target else { return };
        let (symbols, outside) = (self.symbols, &self.beans.outside);
        let owner = symbols.methods[method as usize].owner;
        if site.external != NONE || symbols.type_kind(owner) != TypeKind::Interface || outside.runs_here(method) {
            return;
        }
        let mut class = self.scope.class;
        while let Some(info) = symbols.own(class).filter(|_| !symbols.is_subtype(class, owner)) {
            class = info.outer;
        }
        if let Some(row) = outside.class(symbols, class).or_else(|| outside.method(method)) {
            site.external = row;
            site.target = Target::Method(method, false);
        }
    }

    fn holder(&self, recv: NodeId, declared: Value, field: Option<FieldId>) -> Option<Holder> {
        let outside = &self.beans.outside;
        let plain = |row| Holder { row, base: None };
        let by_param = || match self.graph.nodes[self.untyped(recv)? as usize].kind {
            NodeKind::Param(i) => outside.param(self.scope.method?, i as usize),
            _ => None,
        };
        let found = field.and_then(|it| outside.field(it)).or_else(|| outside.class(self.symbols, declared.id)).or_else(by_param).map(plain);
        found.or_else(|| self.generated(declared)).or_else(|| self.made(recv).map(plain))
    }

    /// A type that a generator makes and that is not among the sources, told by its name.
    fn generated(&self, declared: Value) -> Option<Holder> {
        if declared.dims > 0 || self.symbols.is_own(declared.id) || self.symbols.lib(declared.id).is_some() {
            return None;
        }
        let (row, base) = catalogue().externals.generated(self.written(declared)?)?;
        Some(Holder { row, base: Some(base) })
    }

    /// The stub that a generated class makes which is not among the sources.
    fn generated_stub(&self, call: &Call, declared: Value) -> Option<Value> {
        if declared.dims > 0 || self.symbols.is_own(declared.id) {
            return None;
        }
        let path = || self.paths.iter().rfind(|it| it.0 == call.recv).map(|it| it.1.as_str());
        let name = catalogue().externals.generated_by(self.written(declared).filter(|it| !it.is_empty()).or_else(path)?, call.name)?;
        Some(Value { ty: Some(Ty::simple(&name)), ..NOTHING })
    }

    /// The row of something outside that a method gives.
    pub(super) fn given_outside(&self) -> Option<u32> {
        let mut open: Vec<NodeId> = self.graph.sinks.iter().filter(|it| it.kind == SinkKind::Return).map(|it| it.value).collect();
        let mut seen = Vec::new();
        while let Some(node) = open.pop() {
            if seen.contains(&node) {
                continue;
            }
            seen.push(node);
            if let Some(row) = self.made(node) {
                return Some(row);
            }
            match self.graph.nodes[node as usize].kind {
                NodeKind::Phi(list) => open.extend(self.graph.list(list)),
                _ => open.extend(self.graph.same_object(node)),
            }
        }
        None
    }

    /// The name of a type of which only that is known.
    pub(super) fn written(&self, value: Value) -> Option<&'static str> {
        if value.id == UNKNOWN { value.ty.map(|it| it.name().as_str()) } else { Sym::find(self.symbols.type_name(value.id)).map(Sym::as_str) }
    }

    /// The row of the library call that made a value, if what that makes is outside: a proxy.
    fn made(&self, node: NodeId) -> Option<u32> {
        let NodeKind::Call(index) = self.graph.nodes[self.untyped(node)? as usize].kind else { return None };
        let call = self.graph.calls[index as usize];
        let externals = &catalogue().externals;
        if !externals.may_make(call.name) || call.recv == NONE {
            return None;
        }
        let ancestors = self.symbols.lib_ancestors(self.values[call.recv as usize].id);
        externals
            .call(ancestors, call.name, call.args.len as usize, None, self.opt_in, |owner| may_have(owner, call.name))
            .filter(|&it| externals.row(it).how == ExternalHow::Makes)
    }

    /// Whether a call on something outside is answered here: what every object has, and settings.
    fn stays(&self, holder: Holder, declared: Value, call: &Call, site: &Site) -> bool {
        let above = match (holder.base, site.target) {
            (Some(base), _) => catalogue().library.ancestors(base),
            (None, Target::Library) => self.symbols.lib_ancestors(declared.id),
            _ => &[],
        };
        catalogue().externals.stays(above, call.name)
    }

    /// Whether a call gives the receiver back with another setting.
    fn is_setting(&self, holder: Option<Holder>, call: &Call) -> bool {
        let library = &catalogue().library;
        let base = holder.and_then(|it| it.base);
        base.is_some_and(|base| library.ancestors(base).iter().any(|&it| library.declared(it, call.name).any(|it| it.of_receiver)))
    }
}

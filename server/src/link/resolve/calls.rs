//! What calls call: methods of the workspace, members of libraries, constructors that nobody wrote.

use super::{Ref, Resolver, Site, Target};
use crate::catalogue::{LibMethod, LibTypeId, catalogue};
use crate::facts::generated::SELF;
use crate::facts::graph::{Call, NONE, NodeId, NodeKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};
use crate::link::types::{NOTHING, Value};

/// Whether a library method must do something that no rule tells: it gives no result, or it calls a function. What a
/// constructor gives is the object.
fn acts(method: &LibMethod, name: Sym) -> bool {
    let owner = catalogue().library.types[method.owner as usize].name.as_str();
    let gives_nothing = method.returns.name().as_str() == "void" && name.as_str() != "<init>";
    gives_nothing || owner.starts_with("java.util.function.") || owner == "java.util.concurrent.Callable"
}

impl Resolver<'_> {
    pub(super) fn site(&mut self, call: u32) {
        if self.sites[call as usize].is_some() {
            return;
        }
        let (site, result) = self.resolve_call(call);
        let marked = self.graph.calls[call as usize].mark.any();
        let site = if marked { Self::with_marks(&self.graph.calls[call as usize], site) } else { site };
        let mut site = self.with_rows(&self.graph.calls[call as usize], site);
        site.benign |= self.is_made_logger(&self.graph.calls[call as usize]);
        site.target = self.narrowed(&self.graph.calls[call as usize], site.target);
        let last = self.graph.list(self.graph.calls[call as usize].args).last();
        site.spread = last.is_some_and(|&it| self.is_no_array(it));
        self.sites[call as usize] = Some(site);
        self.results[call as usize] = result;
    }

    /// Whether a value is known to be no array: it has a type that is none, or is declared with one of which nothing else is known,
    /// as with a type variable.
    fn is_no_array(&self, node: NodeId) -> bool {
        let value = self.values[node as usize];
        let declared = match (self.graph.nodes[node as usize].kind, self.refs[node as usize]) {
            (NodeKind::Typed(_, ty), _) => Some(ty),
            (NodeKind::Param(index), _) => self.facts.head.params.get(index as usize).map(|it| it.ty),
            (_, Ref::Field(field)) => Some(self.symbols.fields[field as usize].ty),
            _ => None,
        };
        let is_known = || value.id != UNKNOWN || self.primitive(node).is_some() || declared.is_some_and(|it| it.data().dims == 0);
        value.dims == 0 && is_known()
    }

    fn is_made_logger(&self, call: &Call) -> bool {
        let recv = self.graph.nodes.get(call.recv as usize).map(|it| it.kind);
        matches!(recv, Some(NodeKind::Name(name)) if self.symbols.is_made_logger(self.scope, name))
    }

    pub(super) fn args(&self, call: &Call) -> Vec<Value> {
        self.graph.list(call.args).iter().map(|&it| self.values[it as usize]).collect()
    }

    fn library_site(&mut self, recv: Value, name: Sym, call: &Call, args: &[Value]) -> (Site, Value) {
        let target = self.library_target(recv.id, name, call, args);
        let known = catalogue();
        let params = target.params();
        let argc = args.len();
        let rule = known.rules.transfer(target.ancestors, name, argc, params);
        let source = if known.rules.may_be_source(target.ancestors, name) {
            known.rules.source_of(target.ancestors, target.method.map(|it| it.owner), name, argc, params, self.opt_in).unwrap_or(NONE)
        } else {
            NONE
        };
        let benign = call.benign || known.rules.is_benign(target.ancestors, name);
        let method = target.method.or_else(|| self.of_each_enum(recv.id, name));
        let result = match method {
            Some(method) if call.form != CallForm::New => self.types.result(method, recv, args),
            _ => NOTHING,
        };
        let own_receiver = self.symbols.is_own(recv.id);
        let external = self.row_of(recv, name, argc, params, target.ancestors);
        // What a class of the workspace inherits may be a framework's, of which the rules do not say all.
        let is_ruled = |it: &LibMethod| known.library.types[it.owner as usize].ruled;
        let is_inherited = own_receiver && !method.is_some_and(is_ruled);
        let acts = method.is_some_and(|it| acts(it, name)) || is_inherited;
        let (made, is_new) = if call.form == CallForm::New { (recv, true) } else { (result, false) };
        let frozen = known.rules.rule(rule).frozen || self.is_frozen(made, is_new);
        (Site { rule, source, benign, own_receiver, acts, frozen, external, ..Site::to(Target::Library) }, result)
    }

    /// Whether a value of a library type has no state that changes. An object that is no more than that may be anything,
    /// unless it is new.
    pub(super) fn is_frozen(&self, value: Value, is_new: bool) -> bool {
        let Some(lib) = self.symbols.lib(value.id).filter(|&it| value.dims == 0 && (is_new || it != self.object())) else { return false };
        let (rules, library) = (&catalogue().rules, &catalogue().library);
        rules.is_value(library.ancestors(lib), library)
    }

    /// The member of this name that each enum has.
    fn of_each_enum(&self, class: TypeId, name: Sym) -> Option<&'static LibMethod> {
        let library = &catalogue().library;
        let base = self.symbols.lib(self.symbols.qualified("java.lang.Enum")).filter(|_| self.symbols.type_kind(class) == TypeKind::Enum)?;
        library.declared(base, name).next()
    }

    pub(super) fn resolve_form(&mut self, index: u32) -> (Site, Value) {
        let call = self.graph.calls[index as usize];
        let args = self.args(&call);
        match call.form {
            CallForm::New => self.new_site(&call, &args),
            CallForm::ThisConstructor => self.constructor_site(self.scope.class, &call, &args),
            CallForm::SuperConstructor => {
                let class = self.super_class();
                self.constructor_site(class, &call, &args)
            }
            CallForm::Plain => self.plain_site(&call, &args),
            CallForm::Super => {
                let class = self.super_class();
                let found = self.pick(self.super_methods(class, call.name), &call, &args);
                let implicit = Site { implicit_this: true, ..self.own_site(&found, false) };
                if found.is_empty() {
                    let recv = self.types.plain(if class == UNKNOWN { self.scope.class } else { class });
                    let (site, result) = self.library_site(recv, call.name, &call, &args);
                    return (Site { implicit_this: true, ..site }, result);
                }
                let result = self.result_of(&found, self.types.plain(class), &call, &args);
                (implicit, result)
            }
            CallForm::On => {
                let recv = self.values[call.recv as usize];
                self.on(recv, &call, &args)
            }
            CallForm::Reference => self.reference(index),
        }
    }

    pub(super) fn super_class(&self) -> TypeId {
        let Some(info) = self.symbols.own(self.scope.class) else { return UNKNOWN };
        let is_class = |id: &&TypeId| !matches!(self.symbols.type_kind(**id), TypeKind::Interface);
        info.supers.iter().find(is_class).or(info.supers.first()).copied().unwrap_or(UNKNOWN)
    }

    /// Candidates of `super.m()`: the superclass's and, for `Iface.super.m()`, those of interfaces.
    fn super_methods(&self, class: TypeId, name: Sym) -> Vec<MethodId> {
        let mut found = self.symbols.find_methods(class, name);
        for &up in self.symbols.own(self.scope.class).into_iter().flat_map(|it| &it.supers) {
            if up != class {
                found.extend(self.symbols.find_methods(up, name));
            }
        }
        found
    }

    pub(super) fn own_site(&mut self, found: &[MethodId], is_virtual: bool) -> Site {
        let target = match found {
            [] => Target::Unresolved,
            [one] => Target::Method(*one, is_virtual),
            _ => {
                let from = self.many.len() as u32;
                self.many.extend_from_slice(found);
                Target::Many(from, self.many.len() as u32)
            }
        };
        Site { own_receiver: true, ..Site::to(target) }
    }

    fn result_of(&mut self, found: &[MethodId], recv: Value, call: &Call, args: &[Value]) -> Value {
        let Some(&first) = found.first() else { return NOTHING };
        let info = &self.symbols.methods[first as usize];
        let Some(ty) = self.return_type(first) else { return NOTHING };
        if ty.name().as_str() == SELF {
            return recv;
        }
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(first) };
        let result = self.types.at_call_given(call.ty, ty, scope, recv, args);
        if result == NOTHING { self.given_by_function(first, ty, call) } else { result }
    }

    fn return_type(&self, method: MethodId) -> Option<Ty> {
        let info = &self.symbols.methods[method as usize];
        self.symbols.returns[method as usize].or_else(|| {
            // A generated accessor returns its component.
            let head = self.symbols.own(info.owner)?.head.get();
            head.components.iter().find(|it| it.0 == info.name).map(|it| it.1)
        })
    }

    fn new_site(&mut self, call: &Call, args: &[Value]) -> (Site, Value) {
        let base = call.ty.map_or(NOTHING, |it| self.types.here(it));
        if let Some(body) = call.body
            && let Some(unit) = self.scope.unit
            && let Some(class) = self.symbols.nested_type(unit, body)
        {
            // An anonymous class: its own initialisers run, and the constructor of what it extends.
            let value = Value { id: class, ..base };
            let constructors = self.pick(self.symbols.declared_methods(base.id, call.name).to_vec(), call, args);
            let mut site = self.own_site(&constructors, false);
            if constructors.is_empty() {
                site.target = Target::Default(class);
            }
            return (site, value);
        }
        let (site, _) = self.constructor_site(base.id, call, args);
        (site, base)
    }

    fn constructor_site(&mut self, class: TypeId, call: &Call, args: &[Value]) -> (Site, Value) {
        if self.symbols.is_own(class) {
            let declared = self.symbols.declared_methods(class, call.name).to_vec();
            let found = self.pick(declared, call, args);
            let mut site = self.own_site(&found, false);
            if found.is_empty() {
                site.target = Target::Default(class);
            }
            site.implicit_this = call.form != CallForm::New;
            // `class MyRandom extends Random`: making one is making what it extends.
            if call.form == CallForm::New && found.is_empty() && args.is_empty() {
                site.source = self.inherited_constructor_source(class);
            }
            return (site, self.types.plain(class));
        }
        if class == UNKNOWN {
            self.unresolved += u32::from(call.form == CallForm::New);
            let rule = 0;
            return (Site { rule, implicit_this: call.form != CallForm::New, ..Site::to(Target::Unresolved) }, NOTHING);
        }
        let recv = self.types.plain(class);
        let (site, _) = self.library_site_of_constructor(recv, call, args);
        (Site { implicit_this: call.form != CallForm::New, ..site }, recv)
    }

    fn library_site_of_constructor(&mut self, recv: Value, call: &Call, args: &[Value]) -> (Site, Value) {
        let as_new = Call { form: CallForm::New, ..*call };
        self.library_site(recv, call.name, &as_new, args)
    }

    fn inherited_constructor_source(&self, class: TypeId) -> u32 {
        let known = catalogue();
        let up = self.symbols.ancestors(class).find_map(|it| self.symbols.lib(it).filter(|lib| known.library.types[*lib as usize].kind != TypeKind::Interface));
        up.and_then(|lib| known.rules.source_of(&[lib], None, Sym::new("<init>"), 0, Some("()"), self.opt_in)).unwrap_or(NONE)
    }

    /// `m(..)`: a method of the class or of one around it, or a static import.
    fn plain_site(&mut self, call: &Call, args: &[Value]) -> (Site, Value) {
        let mut class = self.scope.class;
        let mut open = false;
        for depth in 0..32 {
            let Some(info) = self.symbols.own(class) else { break };
            let (outer, is_open) = (info.outer, info.open);
            let candidates = self.symbols.find_methods(class, call.name);
            if !candidates.is_empty() {
                let found = self.pick(candidates, call, args);
                if !found.is_empty() {
                    let is_virtual = found.len() == 1 && self.is_virtual(found[0]);
                    let site = Site { implicit_this: depth == 0, ..self.own_site(&found, is_virtual) };
                    let recv = self.types.plain(class);
                    let result = self.result_of(&found, recv, call, args);
                    return (site, result);
                }
            }
            if depth == 0 || !self.symbols.own(class).is_some_and(|it| it.supers.is_empty()) {
                let target = self.library_target(class, call.name, call, args);
                let is_inherited = target.method.is_some_and(|it| it.owner != self.object() || !open);
                let recv = self.types.plain(class);
                // Of some library types it is known what goes outside, and no more. A row for every member does not tell what is one.
                let row = |row: u32| row != NONE && catalogue().externals.row(row).member == call.name.as_str();
                let goes_outside = || row(self.row_of(recv, call.name, args.len(), None, target.ancestors));
                if is_inherited || self.of_each_enum(class, call.name).is_some() || (target.method.is_none() && goes_outside()) {
                    let (site, result) = self.library_site(recv, call.name, call, args);
                    return (Site { implicit_this: true, ..site }, result);
                }
            }
            open |= is_open;
            class = outer;
        }
        for ty in self.symbols.static_imports(self.scope.file, call.name).collect::<Vec<_>>() {
            let recv = self.types.plain(ty);
            if self.symbols.is_own(ty) {
                let found = self.pick(self.symbols.find_methods(ty, call.name), call, args);
                if !found.is_empty() {
                    let site = self.own_site(&found, false);
                    let result = self.result_of(&found, recv, call, args);
                    return (site, result);
                }
            } else if let Some(lib) = self.symbols.lib(ty) {
                let library = &catalogue().library;
                let listed = library.types[lib as usize].listed;
                if !listed || library.declared(lib, call.name).next().is_some() {
                    return self.library_site(recv, call.name, call, args);
                }
            }
        }
        self.unresolved += u32::from(!open);
        let rule = catalogue().rules.unknown_transfer(call.name, args.len());
        (Site { rule, benign: call.benign, implicit_this: open, guessed: true, ..Site::to(Target::Unresolved) }, NOTHING)
    }

    fn object(&self) -> LibTypeId {
        self.symbols.named(Sym::new("java.lang.Object")).0
    }

    /// Whether a call on a type of the workspace has no effect on results: by its name the catalogue says so of the type or
    /// of one above it, or the type is called a logger and the call looks like one of those. A capturing stream is none.
    fn is_benign(&self, recv: TypeId, call: &Call) -> bool {
        let name = self.symbols.type_name(recv);
        let is_logger = name.ends_with("Logger") || name.ends_with("Log");
        let rules = &catalogue().rules;
        if is_logger && (call.benign || rules.is_benign(self.symbols.lib_ancestors(recv), call.name)) {
            return true;
        }
        let listed = &self.symbols.listed;
        !listed.is_empty() && self.symbols.ancestors(recv).any(|it| listed.get(&it).is_some_and(|&it| rules.is_benign(&[it], call.name)))
    }

    fn on(&mut self, recv: Value, call: &Call, args: &[Value]) -> (Site, Value) {
        if recv.dims > 0 {
            // `array.clone()`, `array.getClass()`.
            let site = Site::to(Target::Library);
            return (site, if call.name.as_str() == "clone" { recv } else { NOTHING });
        }
        if recv.id == UNKNOWN {
            self.unresolved += u32::from(!call.benign);
            let rule = catalogue().rules.unknown_transfer(call.name, args.len());
            return (Site { rule, benign: call.benign, guessed: true, ..Site::to(Target::Unresolved) }, NOTHING);
        }
        if let Some(info) = self.symbols.own(recv.id) {
            let open = info.open;
            let candidates = self.symbols.find_methods(recv.id, call.name);
            let found = self.pick(candidates, call, args);
            if !found.is_empty() {
                let is_virtual = found.len() == 1 && self.is_virtual(found[0]);
                let site = Site { benign: self.is_benign(recv.id, call), ..self.own_site(&found, is_virtual) };
                let result = self.result_of(&found, recv, call, args);
                return (site, result);
            }
            let target = self.library_target(recv.id, call.name, call, args);
            if target.method.is_none() && open && !catalogue().rules.may_be_source(target.ancestors, call.name) {
                // Inherited from a class that is not here.
                let rule = catalogue().rules.transfer(target.ancestors, call.name, args.len(), None);
                let external = self.row_of(recv, call.name, args.len(), None, target.ancestors);
                return (Site { rule, benign: call.benign, own_receiver: true, acts: true, external, ..Site::to(Target::Library) }, NOTHING);
            }
        }
        if self.symbols.lib(recv.id).is_none() && !self.symbols.is_own(recv.id) {
            // A type that only an import names.
            let rule = catalogue().rules.unknown_transfer(call.name, args.len());
            return (Site { rule, benign: call.benign, guessed: true, acts: true, ..Site::to(Target::Library) }, NOTHING);
        }
        let (mut site, result) = self.library_site(recv, call.name, call, args);
        let lib = self.symbols.lib(recv.id);
        if site.rule == 0 && site.external == NONE && lib.is_some_and(|it| !catalogue().library.types[it as usize].ruled) {
            site.rule = catalogue().rules.unknown_transfer(call.name, args.len());
            site.guessed = true;
        }
        (site, result)
    }

    pub(super) fn is_virtual(&self, method: MethodId) -> bool {
        let info = &self.symbols.methods[method as usize];
        !info.flags.has(Flags::STATIC) && !info.flags.has(Flags::PRIVATE)
    }
}

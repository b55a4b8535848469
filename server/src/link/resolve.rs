//! Resolves one method: what its names mean, and what its calls call.
//!
//! The result depends on the method's facts, the symbol table, the beans that fields hold and the rows of the project,
//! so it stays valid while none of them changes.

mod describe;
mod outside;
mod overload;
mod rows;

pub use describe::Describer;

use super::beans::Beans;
use super::listed::Listed;
use super::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use super::types::{NOTHING, Types, Value};
use crate::catalogue::{How, LibMethod, LibTypeId, catalogue};
use crate::config::RowId;
use crate::facts::MethodFacts;
use crate::facts::generated::SELF;
use crate::facts::graph::{Call, Graph, NONE, NodeId, NodeKind, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::settings::Tier;

/// What a node refers to besides its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ref {
    /// Nothing of its own.
    None,
    /// A field of the workspace.
    Field(FieldId),
    /// A type or a package: no value.
    NoValue,
    /// A library field that the table of sources has, by row.
    Source(u32),
    /// A library field that a row of the project is about.
    Listed(RowId),
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The receiver's type is not known.
    Unresolved,
    /// A library member.
    Library,
    /// A method of the workspace, and with `true` what overrides it.
    Method(MethodId, bool),
    /// One of several methods of the workspace, as a slice of [`Resolved::many`].
    Many(u32, u32),
    /// A constructor that nobody wrote: runs the initialisers of this class.
    Default(TypeId),
}

/// A resolved call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it calls.
    pub target: Target,
    /// For library members: the rule, as a number of the catalogue.
    pub rule: u32,
    /// The source row, or [`NONE`].
    pub source: u32,
    /// Has no effect on results.
    pub benign: bool,
    /// The receiver (or the new object) is of a workspace type.
    pub own_receiver: bool,
    /// The receiver is the method's own `this`, unwritten.
    pub implicit_this: bool,
    /// The rule was told by the member's name alone.
    pub guessed: bool,
    /// It must do something that no rule tells.
    pub acts: bool,
    /// It leaves the process: the row that says so, or [`NONE`].
    pub external: u32,
    /// What the project says of it.
    pub listing: Listing,
}

impl Site {
    /// A call of which nothing is known but what it calls.
    fn to(target: Target) -> Site {
        Site {
            target,
            rule: 0,
            source: NONE,
            benign: false,
            own_receiver: false,
            implicit_this: false,
            guessed: false,
            acts: false,
            external: NONE,
            listing: Listing::None,
        }
    }

    /// Whether it does nothing but give a result, as far as rules go.
    pub fn is_quiet(&self) -> bool {
        let is_library = self.target == Target::Library && !self.own_receiver;
        is_library && !self.acts && self.external == NONE && catalogue().rules.rule(self.rule).effects.is_empty()
    }

    /// Whether it calls a library method that is a mocking point itself, as a wrapper of system state (paper §3.1.1) or
    /// because the project lists it; then with the row that does.
    pub fn wrapped(&self) -> Option<Option<RowId>> {
        let is_wrapper = |source: u32| source != NONE && catalogue().rules.source(source).how == How::Wrapper;
        match self.listing {
            Listing::Wrapper(row) => Some(Some(row)),
            _ => (self.target == Target::Library && is_wrapper(self.source)).then_some(None),
        }
    }
}

/// What the project says of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Listing {
    /// Nothing.
    #[default]
    None,
    /// Its value is state: white-list.
    Source(RowId),
    /// It reaches a mocking point for which nothing in the workspace has a body: white-list.
    Point(RowId),
    /// It is a library method that is a mocking point itself: white-list.
    Wrapper(RowId),
    /// Its result carries nothing.
    Sanitized,
}

/// A resolved method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resolved {
    /// Of each node of the graph.
    pub refs: Box<[Ref]>,
    /// Of each call of the graph.
    pub calls: Box<[Site]>,
    /// Of each write of the graph: the field, or [`NONE`].
    pub writes: Box<[FieldId]>,
    /// Methods of ambiguous calls.
    pub many: Box<[MethodId]>,
    /// Calls whose receiver's type is not known.
    pub unresolved: u32,
}

impl Resolved {
    /// The methods that a call may call, before overriding; with `true` what overrides them as well.
    pub fn targets(&self, target: Target) -> (&[MethodId], bool) {
        match target {
            Target::Many(from, to) => (&self.many[from as usize..to as usize], true),
            _ => (&[], false),
        }
    }
}

/// What meaning is given from besides the facts of the method.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// All declarations.
    pub symbols: &'a Symbols,
    /// What fields hold.
    pub beans: &'a Beans,
    /// What the project says.
    pub listed: &'a Listed,
    /// Which rows of the catalogue count.
    pub tier: Tier,
}

/// Resolves a method.
pub fn resolve(meaning: Meaning<'_>, id: MethodId, facts: &MethodFacts) -> Resolved {
    Resolver::new(meaning, id, facts).run()
}

struct Resolver<'a> {
    symbols: &'a Symbols,
    beans: &'a Beans,
    listed: &'a Listed,
    facts: &'a MethodFacts,
    graph: &'a Graph,
    scope: Scope,
    types: Types<'a>,
    opt_in: bool,
    /// Per node.
    values: Vec<Value>,
    refs: Vec<Ref>,
    /// Dotted text of names that may be packages.
    paths: Vec<(NodeId, String)>,
    sites: Vec<Option<Site>>,
    results: Vec<Value>,
    many: Vec<MethodId>,
    unresolved: u32,
}

/// Whether a library method must do something that no rule tells: it gives no result, or it calls a function.
fn acts(method: &LibMethod) -> bool {
    let owner = catalogue().library.types[method.owner as usize].name.as_str();
    method.returns.name().as_str() == "void" || owner.starts_with("java.util.function.") || owner == "java.util.concurrent.Callable"
}

impl<'a> Resolver<'a> {
    fn new(meaning: Meaning<'a>, id: MethodId, facts: &'a MethodFacts) -> Self {
        let Meaning { symbols, beans, listed, tier } = meaning;
        let info = &symbols.methods[id as usize];
        let unit = &symbols.units[info.unit as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: unit.file, method: Some(id) };
        let graph = &facts.graph;
        Resolver {
            symbols,
            beans,
            listed,
            facts,
            graph,
            scope,
            types: Types::new(symbols, scope, Some(&facts.head)),
            opt_in: tier == Tier::OptIn,
            values: vec![NOTHING; graph.nodes.len()],
            refs: vec![Ref::None; graph.nodes.len()],
            paths: Vec::new(),
            sites: vec![None; graph.calls.len()],
            results: vec![NOTHING; graph.calls.len()],
            many: Vec::new(),
            unresolved: 0,
        }
    }

    fn run(mut self) -> Resolved {
        self.all_nodes();
        let writes = self.graph.writes.iter().map(|write| match write.kind {
            WriteKind::Element => NONE,
            WriteKind::Capture => {
                let unit = self.scope.unit.map(|it| self.symbols.units[it as usize]);
                let nested = unit.and_then(|unit| self.nested_type(unit.first_type, write.obj));
                nested.and_then(|class| self.symbols.find_field(class, write.name)).unwrap_or(NONE)
            }
            WriteKind::Init => self.symbols.find_field(self.scope.class, write.name).unwrap_or(NONE),
            WriteKind::Assign => {
                let found = if write.obj == NONE { self.field_by_name(write.name).map(|it| it.0) } else { self.field_of_node(write.obj, write.name) };
                found.unwrap_or(NONE)
            }
        });
        let writes = writes.collect();
        Resolved { refs: self.refs.into(), calls: self.sites.into_iter().flatten().collect(), writes, many: self.many.into(), unresolved: self.unresolved }
    }

    fn all_nodes(&mut self) {
        for id in 0..self.graph.nodes.len() as u32 {
            self.node(id);
        }
        for call in 0..self.graph.calls.len() as u32 {
            self.site(call);
        }
    }

    /// The type that graphs of this member call `number`.
    fn nested_type(&self, first: TypeId, number: u32) -> Option<TypeId> {
        let unit = self.scope.unit?;
        // Numbers follow the order of declaration; members of nested types stand between them.
        let mut at = 0;
        let mut id = first;
        while let Some(info) = self.symbols.own(id).filter(|it| it.unit == Some(unit)) {
            if let super::symbols::HeadRef::Nested(facts, index) = &info.head
                && facts.types[*index as usize].number == Some(number as u16)
            {
                return Some(id);
            }
            at += 1;
            id = TypeId(first.0 + at);
        }
        None
    }

    fn node(&mut self, id: NodeId) {
        let node = self.graph.nodes[id as usize];
        let value = match node.kind {
            NodeKind::Const(ty) => ty.map_or(NOTHING, |it| self.types.here(it)),
            NodeKind::Param(i) => self.facts.head.params.get(i as usize).map_or(NOTHING, |it| self.types.here(it.ty)),
            NodeKind::This => self.types.plain(self.scope.class),
            NodeKind::OuterThis(name) => self.types.plain(self.symbols.resolve(self.scope, name)),
            NodeKind::Name(name) => self.name(id, name),
            NodeKind::Type(ty) => {
                self.refs[id as usize] = Ref::NoValue;
                self.types.here(ty)
            }
            NodeKind::Select(obj, name) => self.select(id, obj, name),
            NodeKind::Component(_, ty, i) => {
                let record = self.types.here(ty);
                let component = self.symbols.own(record.id).and_then(|it| it.head.get().components.get(i as usize).copied());
                match component.and_then(|it| self.symbols.find_field(record.id, it.0)) {
                    Some(field) => {
                        self.refs[id as usize] = Ref::Field(field);
                        self.field_value(field, record)
                    }
                    None => NOTHING,
                }
            }
            NodeKind::Element(array) => self.types.element(self.values[array as usize]),
            NodeKind::Phi(list) => self
                .graph
                .list(list)
                .iter()
                .map(|&it| self.values[it as usize])
                .find(|it| it.id != UNKNOWN)
                .or_else(|| self.graph.list(list).iter().map(|&it| self.values[it as usize]).find(|it| it.ty.is_some()))
                .unwrap_or(NOTHING),
            NodeKind::Typed(inner, ty) => {
                let declared = self.types.here(ty);
                // What is known of the value may say more than its declaration: `Object o = new Foo()`; type
                // arguments of a declaration say more than a diamond.
                let known = self.values[inner as usize];
                if declared.id == UNKNOWN && (known.id != UNKNOWN || known.ty.is_some()) { known } else { declared }
            }
            NodeKind::Stored(array, _) => self.values[array as usize],
            NodeKind::Array(_, ty) | NodeKind::Sized(_, ty) => self.types.here(ty),
            NodeKind::Call(call) => {
                self.site(call);
                self.results[call as usize]
            }
            NodeKind::After(call, k) => {
                let call = &self.graph.calls[call as usize];
                let base = if k == 0 { call.recv } else { self.graph.list(call.args)[k as usize - 1] };
                self.values[base as usize]
            }
            NodeKind::LambdaParam(lambda, i) => self.lambda_param(lambda, i),
            NodeKind::Caught(ty) => ty.map_or(NOTHING, |it| self.types.here(it)),
            // A string and anything else make a string.
            NodeKind::Derive(list) if list.len > 1 && !self.graph.list(list).iter().any(|&it| self.graph.nodes[it as usize].kind == NodeKind::Null) => {
                let string = self
                    .graph
                    .list(list)
                    .iter()
                    .map(|&it| self.values[it as usize])
                    .find(|it| it.dims == 0 && self.symbols.type_name(it.id) == "java.lang.String");
                string.unwrap_or(NOTHING)
            }
            NodeKind::Null | NodeKind::Derive(_) | NodeKind::Lambda(_) => NOTHING,
        };
        self.values[id as usize] = value;
    }

    /// Elements of the receiver are what most lambdas of the library get: `list.forEach`, `stream.map`, `map.forEach`.
    fn lambda_param(&self, lambda: u32, i: u32) -> Value {
        let call = self.graph.lambdas[lambda as usize].call;
        if call == NONE {
            return NOTHING;
        }
        let recv = self.graph.calls[call as usize].recv;
        if recv == NONE { NOTHING } else { self.types.argument(self.values[recv as usize], i as usize) }
    }

    fn field_value(&mut self, field: FieldId, recv: Value) -> Value {
        let info = &self.symbols.fields[field as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
        let ty = info.ty;
        self.types.at_call(ty, Some(scope), recv, &[])
    }

    /// A field by its simple name: of the class, of classes around it, or imported statically.
    fn field_by_name(&self, name: Sym) -> Option<(FieldId, TypeId)> {
        let mut class = self.scope.class;
        for _ in 0..32 {
            let Some(info) = self.symbols.own(class) else { break };
            if let Some(field) = self.symbols.find_field(class, name) {
                return Some((field, class));
            }
            class = info.outer;
        }
        self.symbols.static_imports(self.scope.file, name).find_map(|ty| self.symbols.find_field(ty, name).map(|field| (field, ty)))
    }

    fn name(&mut self, id: NodeId, name: Sym) -> Value {
        if let Some((field, class)) = self.field_by_name(name) {
            self.refs[id as usize] = Ref::Field(field);
            let recv = self.types.plain(class);
            return self.field_value(field, recv);
        }
        if let Some(value) = self.lib_field_by_name(id, name) {
            return value;
        }
        let class = self.symbols.resolve(self.scope, name);
        if class != UNKNOWN {
            self.refs[id as usize] = Ref::NoValue;
            return self.types.plain(class);
        }
        self.paths.push((id, name.as_str().to_owned()));
        NOTHING
    }

    /// A field inherited from a library class, or imported statically from one.
    fn lib_field_by_name(&mut self, id: NodeId, name: Sym) -> Option<Value> {
        let imported = self.symbols.static_imports(self.scope.file, name).find_map(|ty| self.lib_field(id, ty, name));
        if imported.is_some() {
            return imported;
        }
        let open_class = self.symbols.own(self.scope.class).is_some_and(|it| !it.supers.is_empty());
        if !open_class {
            return None;
        }
        self.lib_field(id, self.scope.class, name)
    }

    fn lib_field(&mut self, id: NodeId, class: TypeId, name: Sym) -> Option<Value> {
        let known = catalogue();
        let listed = self.listed_field(class, name);
        if let Some((owner, ty)) = self.symbols.find_lib_field(class, name) {
            if let Some(row) = known.rules.source_of(&[owner], None, name, 0, None, self.opt_in) {
                self.refs[id as usize] = Ref::Source(row);
            }
            if let Some(row) = listed {
                self.refs[id as usize] = Ref::Listed(row);
            }
            return Some(self.types.at_call(ty, None, NOTHING, &[]));
        }
        if let Some(row) = listed {
            self.refs[id as usize] = Ref::Listed(row);
            return Some(NOTHING);
        }
        let lib = self.symbols.lib(class)?;
        if !known.library.types[lib as usize].listed && name.as_str().chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric()) {
            // Constants of third-party types: only the rows that stand for every member can mean them.
            if let Some(row) = known.rules.source_of(&[lib], None, name, 0, None, self.opt_in) {
                self.refs[id as usize] = Ref::Source(row);
                return Some(NOTHING);
            }
        }
        None
    }

    fn select(&mut self, id: NodeId, obj: NodeId, name: Sym) -> Value {
        let recv = self.values[obj as usize];
        if recv.dims > 0 {
            return NOTHING;
        }
        if recv.id != UNKNOWN {
            if let Some(field) = self.symbols.find_field(recv.id, name) {
                self.refs[id as usize] = Ref::Field(field);
                return self.field_value(field, recv);
            }
            if self.refs[obj as usize] == Ref::NoValue {
                if let Some(value) = self.lib_field(id, recv.id, name) {
                    return value;
                }
                let nested = self.symbols.member_type(recv.id, name);
                if nested != UNKNOWN {
                    self.refs[id as usize] = Ref::NoValue;
                    return self.types.plain(nested);
                }
            }
            if let Some(row) = self.listed_field(recv.id, name) {
                self.refs[id as usize] = Ref::Listed(row);
            }
            return NOTHING;
        }
        // Perhaps a qualified name.
        let Some(at) = self.paths.iter().rposition(|it| it.0 == obj) else { return NOTHING };
        let path = format!("{}.{name}", self.paths[at].1);
        let class = self.symbols.qualified(&path);
        if class != UNKNOWN {
            self.refs[id as usize] = Ref::NoValue;
            return self.types.plain(class);
        }
        self.paths.push((id, path));
        NOTHING
    }

    fn field_of_node(&self, obj: NodeId, name: Sym) -> Option<FieldId> {
        let recv = self.values[obj as usize];
        if recv.id == UNKNOWN || recv.dims > 0 { None } else { self.symbols.find_field(recv.id, name) }
    }

    fn site(&mut self, call: u32) {
        if self.sites[call as usize].is_some() {
            return;
        }
        let (site, result) = self.resolve_call(call);
        let site = self.with_rows(&self.graph.calls[call as usize], site);
        self.sites[call as usize] = Some(site);
        self.results[call as usize] = result;
    }

    fn args(&self, call: &Call) -> Vec<Value> {
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
        let result = match target.method {
            Some(method) if call.form != CallForm::New => self.types.result(method, recv, args),
            _ => NOTHING,
        };
        let own_receiver = self.symbols.is_own(recv.id);
        let external = self.row_of(recv, name, argc, params, target.ancestors);
        let acts = target.method.is_some_and(acts);
        (Site { rule, source, benign, own_receiver, acts, external, ..Site::to(Target::Library) }, result)
    }

    fn resolve_form(&mut self, index: u32) -> (Site, Value) {
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
                let result = self.result_of(&found, self.types.plain(class), &args);
                (implicit, result)
            }
            CallForm::On => {
                let recv = self.values[call.recv as usize];
                self.on(recv, &call, &args)
            }
            CallForm::Reference => self.reference(index),
        }
    }

    fn super_class(&self) -> TypeId {
        let Some(info) = self.symbols.own(self.scope.class) else { return UNKNOWN };
        let is_class = |id: &&TypeId| !matches!(self.symbols.type_kind(**id), crate::java::decls::TypeKind::Interface);
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

    fn own_site(&mut self, found: &[MethodId], is_virtual: bool) -> Site {
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

    fn result_of(&mut self, found: &[MethodId], recv: Value, args: &[Value]) -> Value {
        let Some(&first) = found.first() else { return NOTHING };
        let info = &self.symbols.methods[first as usize];
        let Some(ty) = self.return_type(first) else { return NOTHING };
        if ty.name().as_str() == SELF {
            return recv;
        }
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(first) };
        self.types.at_call(ty, Some(scope), recv, args)
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
        {
            let first = self.symbols.units[unit as usize].first_type;
            if let Some(class) = self.nested_type(first, u32::from(body)) {
                // An anonymous class: its own initialisers run, and the constructor of what it extends.
                let value = Value { id: class, ..base };
                let constructors = self.pick(self.symbols.declared_methods(base.id, call.name).to_vec(), call, args);
                let mut site = self.own_site(&constructors, false);
                if constructors.is_empty() {
                    site.target = Target::Default(class);
                }
                return (site, value);
            }
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
        let up = self
            .symbols
            .ancestors(class)
            .find_map(|it| self.symbols.lib(it).filter(|lib| known.library.types[*lib as usize].kind != crate::java::decls::TypeKind::Interface));
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
                    let result = self.result_of(&found, recv, args);
                    return (site, result);
                }
            }
            if depth == 0 || !self.symbols.own(class).is_some_and(|it| it.supers.is_empty()) {
                let target = self.library_target(class, call.name, call, args);
                if target.method.is_some() && target.method.is_some_and(|it| it.owner != self.object() || !open) {
                    let recv = self.types.plain(class);
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
                    let result = self.result_of(&found, recv, args);
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
                let site = self.own_site(&found, is_virtual);
                let result = self.result_of(&found, recv, args);
                return (site, result);
            }
            let target = self.library_target(recv.id, call.name, call, args);
            if target.method.is_none() && open && !catalogue().rules.may_be_source(target.ancestors, call.name) {
                // Inherited from a class that is not here.
                let rule = catalogue().rules.transfer(target.ancestors, call.name, args.len(), None);
                return (Site { rule, benign: call.benign, own_receiver: true, ..Site::to(Target::Library) }, NOTHING);
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

    fn reference(&mut self, index: u32) -> (Site, Value) {
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

    fn is_virtual(&self, method: MethodId) -> bool {
        let info = &self.symbols.methods[method as usize];
        !info.flags.has(Flags::STATIC) && !info.flags.has(Flags::PRIVATE)
    }
}

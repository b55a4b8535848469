//! Fields as internal state (paper §3.2), static ones and those of shared objects: who modifies them, and who calls those.

mod confirm;

use super::beans::Beans;
use super::eval::{Eval, Holder};
use super::resolve::{Listing, Resolved, Target};
use super::summary::{By, Globals, changes};
use super::symbols::{FieldId, MethodId, Symbols, TypeId};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, WriteKind};
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::java::ops::CallForm;
use crate::settings::{Precision, Settings};
use crate::terms::{Category, FileId, Reason, World};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A place where a method modifies a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modification {
    /// The method.
    pub method: MethodId,
    /// What does it.
    pub by: By,
    /// An assignment under a check that the field has no value yet.
    pub lazy: bool,
    /// What is called and does it, and at which of its ports, if the method does not do it itself.
    pub into: Option<(MethodId, u8)>,
}

/// Who is called.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Called {
    production: Vec<bool>,
    /// Called by start-up code.
    start_up: Vec<bool>,
    tests: Vec<bool>,
    unresolved: FxHashSet<(Sym, u32)>,
    unresolved_in_tests: FxHashSet<(Sym, u32)>,
    /// Unresolved calls with their files: a private method can only be meant in its own.
    unresolved_in_file: FxHashSet<(FileId, Sym, u32)>,
    constructed: FxHashSet<TypeId>,
    constructed_in_tests: FxHashSet<TypeId>,
}

/// What the link knows of fields.
#[derive(Default, Clone)]
pub struct FieldStates {
    /// Which objects are shared.
    pub beans: Arc<Beans>,
    /// Modifications outside construction, in the order of methods; only of candidates.
    pub modifications: FxHashMap<FieldId, Vec<Modification>>,
    /// Fields that are assigned anywhere but in their initialiser.
    pub assigned: FxHashSet<FieldId>,
    /// Names that unresolved writes have.
    pub assigned_names: FxHashSet<Sym>,
    /// Fields that are never modified, since the project says so.
    pub declared: FxHashSet<FieldId>,
    /// Fields that only ever hold generators made from a seed.
    pub seeded: FxHashSet<FieldId>,
    /// Who is called.
    pub called: Called,
}

/// What one method does to static fields.
#[derive(Default)]
struct Found {
    modifications: Vec<(FieldId, Modification)>,
    assigned: Vec<FieldId>,
    assigned_names: Vec<Sym>,
    generators: Vec<(FieldId, bool)>,
    /// What is assigned to candidates.
    values: Vec<(FieldId, NodeId)>,
}

/// Who calls what.
#[derive(Clone, Copy)]
pub struct Calls<'a> {
    /// Every method, resolved.
    pub resolved: &'a [Arc<Resolved>],
    /// The methods that may call each.
    pub callers: &'a [Vec<MethodId>],
}

/// Collects what all methods do.
pub fn collect<'a>(
    symbols: &Symbols,
    calls: Calls<'_>,
    globals: &Globals,
    settings: Settings,
    beans: Arc<Beans>,
    facts: &(impl Fn(MethodId) -> &'a MethodFacts + Sync),
    is_test: &(impl Fn(MethodId) -> bool + Sync),
) -> FieldStates {
    let Calls { resolved, callers } = calls;
    let found: Vec<Found> = (0..symbols.methods.len() as u32)
        .into_par_iter()
        .with_min_len(256)
        .map(|id| {
            let method = facts(id);
            let graph = &method.graph;
            if graph.calls.is_empty() && graph.writes.is_empty() {
                return Found::default();
            }
            let mut eval = Eval::new(symbols, graph, &resolved[id as usize], globals, settings.precision);
            eval.masks = vec![Default::default(); graph.nodes.len()];
            of_method(&eval, &beans, id, method, is_test(id))
        })
        .collect();
    let mut states = FieldStates::default();
    let mut generators: FxHashMap<FieldId, bool> = FxHashMap::default();
    let mut values: FxHashMap<FieldId, Vec<(MethodId, NodeId)>> = FxHashMap::default();
    for (id, it) in found.into_iter().enumerate() {
        for (field, value) in it.values {
            values.entry(field).or_default().push((id as MethodId, value));
        }
        for (field, modification) in it.modifications {
            states.modifications.entry(field).or_default().push(modification);
        }
        states.assigned.extend(it.assigned);
        states.assigned_names.extend(it.assigned_names);
        for (field, seeded) in it.generators {
            *generators.entry(field).or_insert(true) &= seeded;
        }
    }
    let confirm =
        confirm::Input { symbols, resolved, globals, precision: settings.precision, callers, facts, values: &values, assigned_names: &states.assigned_names };
    let unchanged: FxHashSet<FieldId> =
        states.modifications.par_iter().filter(|(field, all)| !confirm.is_changed(**field, all)).map(|it| *it.0).collect::<Vec<_>>().into_iter().collect();
    states.modifications.retain(|field, _| !unchanged.contains(field));
    states.seeded = generators.into_iter().filter(|it| it.1).map(|it| it.0).collect();
    states.called = called(symbols, resolved, &beans, facts, is_test);
    states.beans = beans;
    states
}

fn of_method(eval: &Eval<'_>, beans: &Beans, id: MethodId, method: &MethodFacts, is_test: bool) -> Found {
    let symbols = eval.symbols;
    let mut found = Found::default();
    let class = symbols.methods[id as usize].owner;
    // Construction is no modification; but a constructor that writes a static field runs again and again.
    let is_static = method.head.flags.has(Flags::STATIC);
    let constructs_class = is_static && matches!(method.head.kind, MemberKind::StaticInit | MemberKind::Field | MemberKind::EnumConstant);
    let constructs_object = is_construction(method) && !is_static;
    let construction = |field: FieldId| {
        let info = &symbols.fields[field as usize];
        if info.flags.has(Flags::STATIC) { constructs_class } else { constructs_object && (info.owner == class || symbols.above(class).contains(&info.owner)) }
    };
    let tracked = |field: FieldId| field != NONE && !is_test && beans.is_candidate(symbols, field) && !construction(field);
    for (index, write) in eval.graph.writes.iter().enumerate() {
        let field = eval.resolved.writes[index];
        if write.kind == WriteKind::Assign && field == NONE && write.obj != NONE {
            found.assigned_names.push(write.name);
        }
        if matches!(write.kind, WriteKind::Assign | WriteKind::Init) && field != NONE {
            if write.kind == WriteKind::Assign {
                found.assigned.push(field);
            }
            found.generators.extend(generator(eval, write.value).map(|seeded| (field, seeded)));
            if beans.is_candidate(symbols, field) {
                found.values.push((field, write.value));
            }
        }
        if write.kind == WriteKind::Assign && tracked(field) {
            found.modifications.push((field, Modification { method: id, by: By::Write(index as u32), lazy: write.lazy, into: None }));
        }
    }
    if constructs_class || is_test {
        return found;
    }
    for change in changes(eval) {
        // A bean that changes itself is no change of what holds it.
        if change.callee.is_some_and(|(callee, port)| beans.is_managed(type_at(symbols, callee, port))) {
            continue;
        }
        for root in change.roots {
            if let Holder::Field(field) = root.of
                && tracked(field)
                && !beans.is_managed(own_type(symbols, field))
                && !holds_no_state(symbols, field)
                && !((guessed(eval, change.by) || goes_outside(eval, change.by)) && beans.is_injected(field))
            {
                found.modifications.push((field, Modification { method: id, by: change.by, lazy: false, into: change.callee }));
            }
        }
    }
    found
}

/// The declared type of a parameter; of port 0 the class of the method.
fn type_at(symbols: &Symbols, method: MethodId, port: u8) -> TypeId {
    let info = &symbols.methods[method as usize];
    match port.checked_sub(1) {
        None => info.owner,
        Some(index) => {
            let scope = super::symbols::Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(method) };
            let ty = symbols.params[method as usize].get(index as usize).map(|it| it.data());
            ty.filter(|it| it.dims == 0).map_or(super::symbols::UNKNOWN, |it| symbols.resolve(scope, it.name))
        }
    }
}

/// Whether what a field holds has no state in our sense, whatever is done to it: a number, a logger, whose level is set.
fn holds_no_state(symbols: &Symbols, field: FieldId) -> bool {
    let library = &catalogue().library;
    let data = symbols.fields[field as usize].ty.data();
    if data.dims == 0 && is_primitive(data.name.as_str()) {
        return true;
    }
    // The JDK's own sources declare the types that the catalogue knows.
    let ty = own_type(symbols, field);
    let of_jdk = || symbols.own(ty).filter(|it| it.name.starts_with("java.")).and_then(|it| library.find(Sym::new(&it.name)));
    let Some(lib) = symbols.lib(ty).or_else(of_jdk) else { return false };
    // As an object without a type it may be anything.
    library.types[lib as usize].name.as_str() != "java.lang.Object" && catalogue().rules.is_value(library.ancestors(lib), library)
}

/// A change of which nothing but the name of the method speaks.
fn guessed(eval: &Eval<'_>, by: By) -> bool {
    matches!(by, By::Call(call) if eval.resolved.calls[call as usize].guessed)
}

/// A call to another process changes what is there, not what holds the client.
fn goes_outside(eval: &Eval<'_>, by: By) -> bool {
    matches!(by, By::Call(call) if {
        let site = &eval.resolved.calls[call as usize];
        site.external != NONE || matches!(site.listing, Listing::Point(_) | Listing::Wrapper(_) | Listing::Marked(Category::External))
    })
}

/// The declared type of a field; unknown for an array.
pub(crate) fn own_type(symbols: &Symbols, field: FieldId) -> TypeId {
    let info = &symbols.fields[field as usize];
    let data = info.ty.data();
    if data.dims > 0 {
        return super::symbols::UNKNOWN;
    }
    let scope = super::symbols::Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: None };
    symbols.resolve(scope, data.name)
}

/// Constructors and initialisers of objects and classes.
pub(super) fn is_construction(method: &MethodFacts) -> bool {
    matches!(
        method.head.kind,
        MemberKind::Constructor
            | MemberKind::CompactConstructor
            | MemberKind::StaticInit
            | MemberKind::InstanceInit
            | MemberKind::Field
            | MemberKind::EnumConstant
    )
}

/// Whether a value is a new generator, and then whether it has a seed of its own.
fn generator(eval: &Eval<'_>, value: u32) -> Option<bool> {
    use crate::facts::graph::NodeKind;
    let mut node = value;
    while let NodeKind::Typed(inner, _) = eval.graph.nodes[node as usize].kind {
        node = inner;
    }
    match eval.graph.nodes[node as usize].kind {
        NodeKind::Call(call) if eval.graph.calls[call as usize].form == CallForm::New => {
            let site = &eval.resolved.calls[call as usize];
            Some(site.source == NONE && eval.graph.calls[call as usize].args.len > 0)
        }
        NodeKind::Const(_) | NodeKind::Null => None,
        _ => Some(false),
    }
}

/// How many calls deep start-up is followed: helpers of an initialiser, and helpers of those.
const MAX_START_DEPTH: usize = 16;

fn called<'a>(
    symbols: &Symbols,
    resolved: &[Arc<Resolved>],
    beans: &Beans,
    facts: &impl Fn(MethodId) -> &'a MethodFacts,
    is_test: &impl Fn(MethodId) -> bool,
) -> Called {
    let n = symbols.methods.len();
    let mut called = Called { production: vec![false; n], start_up: vec![false; n], tests: vec![false; n], ..Default::default() };
    // Who calls whom in production: caller, callee.
    let mut edges: Vec<(MethodId, MethodId)> = Vec::new();
    for (caller, it) in resolved.iter().enumerate() {
        let caller = caller as MethodId;
        let in_test = is_test(caller);
        let graph = &facts(caller).graph;
        let (names, constructed) =
            if in_test { (&mut called.unresolved_in_tests, &mut called.constructed_in_tests) } else { (&mut called.unresolved, &mut called.constructed) };
        let mut reach = |method: MethodId, is_virtual: bool| {
            let overriders = if is_virtual { symbols.overriders.get(&method).map_or(&[][..], Vec::as_slice) } else { &[] };
            for &callee in std::iter::once(&method).chain(overriders) {
                // That a method calls itself does not make it run.
                if callee == caller {
                    continue;
                }
                if in_test {
                    called.tests[callee as usize] = true;
                } else {
                    edges.push((caller, callee));
                }
            }
        };
        for (index, site) in it.calls.iter().enumerate() {
            match site.target {
                Target::Method(..) | Target::Many(..) | Target::Among(..) => {
                    let (methods, is_virtual) = it.targets(&site.target);
                    methods.iter().for_each(|&method| reach(method, is_virtual));
                }
                Target::Default(class) => {
                    constructed.insert(class);
                }
                Target::Unresolved => {
                    let call = &graph.calls[index];
                    let arity = if call.form == CallForm::Reference { u32::MAX } else { call.args.len };
                    names.insert((call.name, arity));
                    if !in_test {
                        let file = symbols.file_of_unit(symbols.methods[caller as usize].unit);
                        called.unresolved_in_file.insert((file, call.name, arity));
                    }
                }
                Target::Library => {}
            }
        }
    }
    // Static initialisers, constructors of beans and start-up methods run once, and so does what only they call.
    let at_start = |id: MethodId| {
        let method = facts(id);
        let role = beans.role(id, method);
        let once = method.head.flags.has(Flags::STATIC) || beans.shared(symbols.methods[id as usize].owner).is_some();
        (is_construction(method) && once) || (role.start_up && !role.entry)
    };
    let mut once: Vec<bool> = (0..n as MethodId).map(at_start).collect();
    for _ in 0..MAX_START_DEPTH {
        called.production.fill(false);
        for &(caller, callee) in &edges {
            if once[caller as usize] {
                called.start_up[callee as usize] = true;
            } else {
                called.production[callee as usize] = true;
            }
        }
        let mut changed = false;
        for (id, once) in once.iter_mut().enumerate() {
            if called.start_up[id] && !called.production[id] && !*once && !is_entry(symbols, beans, id as MethodId, facts(id as MethodId)) {
                *once = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    called
}

impl Called {
    /// Whether a call of production is known to mean a method.
    fn is_known_call(&self, id: MethodId) -> bool {
        self.production[id as usize] || self.start_up[id as usize]
    }

    /// Whether anything may call a method in this world.
    pub fn is_called(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        self.start_up[id as usize] || self.is_called_later(symbols, beans, id, method, world)
    }

    /// Whether anything but start-up code may.
    fn is_called_later(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        let info = &symbols.methods[id as usize];
        let by_name = |names: &FxHashSet<(Sym, u32)>| names.contains(&(info.name, info.arity)) || names.contains(&(info.name, u32::MAX));
        let is_init = matches!(method.head.kind, MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::InstanceInit);
        if self.production[id as usize] || is_entry(symbols, beans, id, method) {
            return true;
        }
        if is_init {
            // Frameworks make objects of annotated classes; subclasses call constructors without saying so.
            let class = symbols.own(info.owner);
            let made = self.constructed.contains(&info.owner)
                || beans.shared(info.owner).is_some()
                || class.is_some_and(|it| !it.subs.is_empty() || !it.head.get().annotations.is_empty() || it.head.get().kind == TypeKind::Enum);
            let constructors = symbols.declared_methods(info.owner, Sym::new("<init>"));
            if made || constructors.iter().any(|&it| self.production[it as usize]) {
                return true;
            }
        } else if info.flags.has(Flags::PRIVATE) {
            let file = symbols.file_of_unit(info.unit);
            if [info.arity, u32::MAX].iter().any(|&arity| self.unresolved_in_file.contains(&(file, info.name, arity))) {
                return true;
            }
        } else if by_name(&self.unresolved) {
            return true;
        }
        match world {
            World::Application => false,
            World::Library => is_api(symbols, id),
            World::WithTests => {
                self.tests[id as usize]
                    || (by_name(&self.unresolved_in_tests) && !info.flags.has(Flags::PRIVATE))
                    || (is_init && self.constructed_in_tests.contains(&info.owner))
            }
        }
    }
}

impl Called {
    /// Whether only start-up code calls a method.
    fn at_start_only(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        self.start_up[id as usize] && !self.is_called_later(symbols, beans, id, method, world)
    }
}

/// Public and protected members of public types.
fn is_api(symbols: &Symbols, id: MethodId) -> bool {
    let info = &symbols.methods[id as usize];
    let open = |flags: Flags| flags.has(Flags::PUBLIC) || flags.has(Flags::PROTECTED);
    let mut class = info.owner;
    for _ in 0..32 {
        let Some(own) = symbols.own(class) else { break };
        let in_interface = symbols.own(own.outer).is_some_and(|it| it.head.get().kind == TypeKind::Interface);
        if !open(own.head.get().flags) && !in_interface {
            return false;
        }
        class = own.outer;
    }
    open(info.flags)
}

/// Whether something outside the workspace calls a method: `main`, handlers, overrides of library methods.
pub fn is_entry(symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts) -> bool {
    let info = &symbols.methods[id as usize];
    let role = beans.role(id, method);
    if role.entry || role.start_up || is_main(symbols, id, method) {
        return true;
    }
    if method.head.kind != MemberKind::Method || info.flags.has(Flags::STATIC) || info.flags.has(Flags::PRIVATE) {
        return false;
    }
    let library = &catalogue().library;
    let overrides = symbols.lib_ancestors(info.owner).iter().any(|&owner| library.declared(owner, info.name).any(|it| it.params.len() == info.arity as usize));
    if overrides {
        return true;
    }
    let open = symbols.own(info.owner).is_some_and(|it| it.open);
    open && info.flags.has(Flags::OVERRIDE)
        && !symbols
            .above(info.owner)
            .iter()
            .copied()
            .any(|up| symbols.declared_methods(up, info.name).iter().any(|&it| symbols.methods[it as usize].arity == info.arity))
}

/// Whether a method can be a mocking point: constructors, initialisers, `main` and methods without a body never are.
pub fn may_be_point(symbols: &Symbols, id: MethodId, method: &MethodFacts) -> bool {
    let info = &symbols.methods[id as usize];
    // An accessor that was written out is not made.
    let exists = method.head.kind == MemberKind::Method || symbols.declared_methods(info.owner, info.name).contains(&id);
    exists && matches!(method.head.kind, MemberKind::Method | MemberKind::Component) && method.head.has_body && !is_main(symbols, id, method)
}

/// `main`, also that of a compact source file.
pub fn is_main(symbols: &Symbols, id: MethodId, method: &MethodFacts) -> bool {
    let info = &symbols.methods[id as usize];
    if info.name.as_str() != "main" || method.head.kind != MemberKind::Method || method.head.returns.is_some() {
        return false;
    }
    let args = match &method.head.params[..] {
        [] => true,
        [one] => one.ty.data().dims == 1,
        _ => false,
    };
    args && (info.flags.has(Flags::STATIC)
        || symbols.own(info.owner).is_some_and(|it| it.outer == super::symbols::UNKNOWN && it.head.get().flags.has(Flags::FINAL)))
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short")
}

/// `final`, and of a type without state.
pub fn is_constant(symbols: &Symbols, field: FieldId) -> bool {
    let info = &symbols.fields[field as usize];
    if !info.flags.has(Flags::FINAL) {
        return false;
    }
    let data = info.ty.data();
    if data.dims > 0 {
        return info.is_empty_array();
    }
    if is_primitive(data.name.as_str()) {
        return true;
    }
    let unit = &symbols.units[info.unit as usize];
    let scope = super::symbols::Scope { class: info.owner, unit: Some(info.unit), file: unit.file, method: None };
    let id = symbols.resolve(scope, data.name);
    if let Some(lib) = symbols.lib(id) {
        let known = catalogue();
        return known.rules.is_value(known.library.ancestors(lib), &known.library) || known.library.types[lib as usize].kind == TypeKind::Enum;
    }
    symbols.own(id).is_some_and(|it| it.head.get().kind == TypeKind::Enum)
}

impl FieldStates {
    /// Whether a modification happens at all. Before recording starts the container calls what injects, whatever else
    /// would call it.
    fn runs<'a>(&self, symbols: &Symbols, it: &Modification, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> bool {
        let (beans, method) = (&*self.beans, facts(it.method));
        if beans.role(it.method, method).injected {
            return false;
        }
        // Of a setter that the container calls for its properties, only calls that certainly mean it count besides.
        let by_name = !beans.is_wired_setter(it.method) || world != World::Application;
        if by_name { self.called.is_called(symbols, beans, it.method, method, world) } else { self.called.is_known_call(it.method) }
    }

    /// Whether a modification happens before the first request only.
    fn runs_at_start<'a>(&self, symbols: &Symbols, it: &Modification, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> bool {
        let (beans, method) = (&*self.beans, facts(it.method));
        beans.role(it.method, method).start_up || self.called.at_start_only(symbols, beans, it.method, method, world)
    }

    /// The modification that shows best that a field is state: the first that happens while the service runs.
    pub fn telling<'a>(&self, symbols: &Symbols, field: FieldId, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> Option<Modification> {
        let all = self.modifications.get(&field)?;
        let runs = |it: &&Modification| self.runs(symbols, it, world, facts);
        let later = all.iter().filter(runs).find(|it| !self.runs_at_start(symbols, it, world, facts));
        later.or_else(|| all.iter().find(runs)).or(all.first()).copied()
    }

    /// Why a field is no state in this world; `None` if it is. `tainted`: a source reaches it.
    pub fn ruled_out<'a>(
        &self,
        symbols: &Symbols,
        field: FieldId,
        world: World,
        precision: Precision,
        tainted: bool,
        facts: &impl Fn(MethodId) -> &'a MethodFacts,
    ) -> Option<Reason> {
        let beans = &*self.beans;
        if self.declared.contains(&field) {
            return Some(Reason::Declared);
        }
        if beans.pushed(field).is_some() {
            return None;
        }
        let all = self.modifications.get(&field).map_or(&[][..], Vec::as_slice);
        if all.is_empty() {
            return Some(if is_constant(symbols, field) {
                Reason::Constant
            } else if beans.is_injected(field) {
                Reason::Injected
            } else {
                Reason::NoModifier
            });
        }
        let called: Vec<&Modification> = all.iter().filter(|it| self.runs(symbols, it, world, facts)).collect();
        if called.is_empty() {
            let late = all.iter().filter(|it| !beans.role(it.method, facts(it.method)).injected);
            let injected = late.into_iter().all(|it| beans.is_wired_setter(it.method));
            return Some(if injected { Reason::Injected } else { Reason::ModifierNeverCalled });
        }
        if called.iter().all(|it| self.runs_at_start(symbols, it, world, facts)) {
            return Some(Reason::StartUpOnly);
        }
        if precision == Precision::Refined && !tainted && called.iter().all(|it| it.lazy) {
            return Some(Reason::LazyConstant);
        }
        None
    }
}

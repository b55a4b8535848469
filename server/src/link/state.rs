//! Fields as internal state (paper §3.2), static ones and those of shared objects: what modifies them.

mod arrays;
mod called;
mod confirm;
mod guarded;
mod interned;
mod ruled;
mod starts;
mod steady;

pub use called::{Called, called, is_entry, is_main, may_be_point};
pub use ruled::is_constant;

use super::beans::Beans;
use super::changes::{By, changes};
use super::eval::{Eval, Holder};
use super::later::{Functions, Later};
use super::resolve::{Listing, Resolved};
use super::summary::Globals;
use super::symbols::{FieldId, MethodId, Symbols, TypeId};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, NodeKind, Under, WriteKind};
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind};
use crate::java::ops::CallForm;
use crate::settings::{Precision, Settings};
use crate::terms::Category;
use guarded::Guarded;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;
use steady::Steady;

/// A place where a method modifies a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modification {
    /// The method.
    pub method: MethodId,
    /// What does it.
    pub by: By,
    /// Under a check that the field has no value yet.
    pub lazy: bool,
    /// A function does it that runs later than the method in which it is written.
    pub later: bool,
    /// Under a test that something is an event of the start.
    pub at_start: bool,
    /// It assigns the field, and does not change what is there.
    pub replaces: bool,
    /// It changes elements of an array, and not which array there is.
    pub fills: bool,
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
    /// Fields that something is assigned to which may be null.
    pub nullable: FxHashSet<FieldId>,
    /// Fields that are never modified, since the project says so.
    pub declared: FxHashSet<FieldId>,
    /// Fields that only ever hold generators made from a seed.
    pub seeded: FxHashSet<FieldId>,
    /// Fields that hold the same array all the time, of which elements change.
    pub filled: FxHashSet<FieldId>,
    /// Who is called.
    pub called: Called,
}

/// What one method does to static fields.
#[derive(Default)]
struct Found {
    modifications: Vec<(FieldId, Modification)>,
    assigned: Vec<FieldId>,
    assigned_names: Vec<Sym>,
    nullable: Vec<FieldId>,
    generators: Vec<(FieldId, bool)>,
    /// What is assigned to candidates.
    values: Vec<(FieldId, NodeId)>,
    /// Fields of objects that change after construction, or what they hold.
    changing: Vec<FieldId>,
}

/// Who calls what.
pub struct Calls<'a> {
    /// Every method, resolved.
    pub resolved: &'a [Arc<Resolved>],
    /// The methods that may call each.
    pub callers: &'a [Vec<MethodId>],
    /// Who is called at all.
    pub called: Called,
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
    let Calls { resolved, callers, called } = calls;
    let later = Later { symbols, resolved, facts };
    let guarded = Guarded { symbols, resolved, callers, called: &called, facts };
    let found: Vec<Found> = (0..symbols.methods.len() as u32)
        .into_par_iter()
        .with_min_len(256)
        .map(|id| {
            let method = facts(id);
            let graph = &method.graph;
            if graph.calls.is_empty() && graph.writes.is_empty() {
                return Found::default();
            }
            // It is not run: only where objects come from matters, not what reaches them.
            let eval = Eval::new(symbols, graph, &resolved[id as usize], globals, settings.precision);
            of_method(&eval, &later, &guarded, &beans, id, method, is_test(id))
        })
        .collect();
    let mut states = FieldStates::default();
    let mut generators: FxHashMap<FieldId, bool> = FxHashMap::default();
    let mut values: FxHashMap<FieldId, Vec<(MethodId, NodeId)>> = FxHashMap::default();
    let mut steady = Steady::default();
    for (id, it) in found.into_iter().enumerate() {
        it.changing.into_iter().for_each(|it| steady.add(symbols, it));
        for (field, value) in it.values {
            values.entry(field).or_default().push((id as MethodId, value));
        }
        for (field, modification) in it.modifications {
            states.modifications.entry(field).or_default().push(modification);
        }
        states.assigned.extend(it.assigned);
        states.nullable.extend(it.nullable);
        states.assigned_names.extend(it.assigned_names);
        for (field, seeded) in it.generators {
            *generators.entry(field).or_insert(true) &= seeded;
        }
    }
    steady.add_named(symbols, &states.assigned_names);
    let confirm = confirm::Input {
        symbols,
        resolved,
        globals,
        precision: settings.precision,
        callers,
        facts,
        values: &values,
        assigned_names: &states.assigned_names,
        steady: &steady,
    };
    let mut unchanged: FxHashSet<FieldId> =
        states.modifications.par_iter().filter(|(field, all)| !confirm.is_changed(**field, all)).map(|it| *it.0).collect::<Vec<_>>().into_iter().collect();
    if settings.precision == Precision::Refined {
        unchanged.extend(interned::Input { resolved, facts }.fields(&states.modifications));
    }
    states.modifications.retain(|field, _| !unchanged.contains(field));
    let filled = states.modifications.iter().filter(|it| it.1.iter().all(|it| it.fills)).map(|it| *it.0);
    states.filled = filled.filter(|&it| !states.assigned_names.contains(&symbols.fields[it as usize].name)).collect();
    states.seeded = generators.into_iter().filter(|it| it.1).map(|it| it.0).collect();
    states.called = called;
    states.beans = beans;
    states
}

fn of_method<'a, F: Fn(MethodId) -> &'a MethodFacts>(
    eval: &Eval<'_>,
    later: &Later<'_, F>,
    guarded: &Guarded<'_, F>,
    beans: &Beans,
    id: MethodId,
    method: &MethodFacts,
    is_test: bool,
) -> Found {
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
    // Nor is what functions do an initialiser's that it hands to somebody who runs them later.
    let functions = if is_test { Functions::default() } else { later.functions(id) };
    let runs_later = |by: By| match by {
        By::Call(call) => functions.makes(call),
        By::Write(write) => functions.covers(eval.graph.writes[write as usize].at),
        By::Return(_) => false,
    };
    let counts = |field: FieldId, by: By| field != NONE && !is_test && (!construction(field) || runs_later(by));
    let tracked = |field: FieldId, by: By| counts(field, by) && beans.is_candidate(symbols, field);
    let changes_object =
        |field: FieldId, by: By| counts(field, by) && !symbols.fields[field as usize].flags.has(Flags::STATIC) && !steady::is_own_memo(eval, id, by);
    for (index, write) in eval.graph.writes.iter().enumerate() {
        let field = eval.resolved.writes[index];
        if write.kind == WriteKind::Assign && field == NONE && write.obj != NONE {
            found.assigned_names.push(write.name);
        }
        if matches!(write.kind, WriteKind::Assign | WriteKind::Init) && field != NONE {
            if write.kind == WriteKind::Assign {
                found.assigned.push(field);
            }
            if may_be_null(eval, write.value) {
                found.nullable.push(field);
            }
            found.generators.extend(generator(eval, write.value).map(|seeded| (field, seeded)));
            if beans.is_candidate(symbols, field) {
                found.values.push((field, write.value));
            }
        }
        let by = By::Write(index as u32);
        if write.kind == WriteKind::Assign && changes_object(field, by) {
            found.changing.push(field);
        }
        if write.kind == WriteKind::Assign && tracked(field, by) {
            let lazy = write.lazy || guarded.gives_first_value(id, field);
            let at_start = starts::is_at_start(write.under);
            found.modifications.push((field, Modification { method: id, by, lazy, later: runs_later(by), at_start, replaces: true, fills: false }));
        }
    }
    if (constructs_class && functions.is_empty()) || is_test {
        return found;
    }
    for change in &changes(eval) {
        // A bean that changes itself is no change of what holds it.
        if change.callee.is_some_and(|(callee, port)| beans.is_managed(type_at(symbols, callee, port))) {
            continue;
        }
        for root in &change.roots {
            if let Holder::Field(field) = root.of
                && changes_object(field, change.by)
            {
                found.changing.push(field);
            }
            if let Holder::Field(field) = root.of
                && tracked(field, change.by)
                && !beans.is_managed(own_type(symbols, field))
                && !holds_no_state(symbols, field)
                && !((guessed(eval, change.by) || goes_outside(eval, change.by)) && beans.is_injected(field))
            {
                let later = runs_later(change.by);
                let (lazy, under) = match change.by {
                    By::Call(call) => (eval.graph.calls[call as usize].lazy, eval.graph.calls[call as usize].under),
                    By::Write(write) => (false, eval.graph.writes[write as usize].under),
                    By::Return(_) => (false, Under::default()),
                };
                let lazy = lazy || guarded.gives_first_value(id, field);
                let at_start = starts::is_at_start(under);
                let fills = arrays::fills(eval, field, change);
                found.modifications.push((field, Modification { method: id, by: change.by, lazy, later, at_start, replaces: false, fills }));
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

/// Whether a value may be null for another reason than that nothing was assigned yet: what `new` and operators make is not.
fn may_be_null(eval: &Eval<'_>, value: NodeId) -> bool {
    let mut open: SmallVec<[NodeId; 8]> = SmallVec::from_slice(&[value]);
    let mut next = 0;
    while let Some(&id) = open.get(next) {
        next += 1;
        match eval.graph.nodes[id as usize].kind {
            NodeKind::Typed(inner, _) => open.push(inner),
            NodeKind::Phi(list) if next < 16 => {
                open.extend(eval.graph.list(list).iter().filter(|it| !open.contains(it)).copied().collect::<SmallVec<[NodeId; 4]>>())
            }
            NodeKind::Call(call) if eval.graph.calls[call as usize].form == CallForm::New => {}
            NodeKind::Const(_) | NodeKind::Null | NodeKind::Array(..) | NodeKind::Sized(..) | NodeKind::Lambda(_) | NodeKind::This => {}
            NodeKind::Derive(_) | NodeKind::Same(_) => {}
            _ => return true,
        }
    }
    false
}

/// Whether a value is a new generator, and then whether it has a seed of its own.
fn generator(eval: &Eval<'_>, value: u32) -> Option<bool> {
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

fn is_primitive(name: &str) -> bool {
    matches!(name, "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short")
}

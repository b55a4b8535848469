//! Which methods are called, by whom, and when: a modifier that nobody calls modifies nothing (paper §3.2.3).

use super::is_construction;
use super::starts::{Edge, Starts};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::java::ops::CallForm;
use crate::link::beans::{Beans, Shared};
use crate::link::later::Later;
use crate::link::resolve::{Resolved, Target};
use crate::link::symbols::{MethodId, Symbols, TypeId, TypeInfo, UNKNOWN};
use crate::terms::{FileId, World};
use rustc_hash::FxHashSet;
use std::sync::Arc;

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

/// Finds out who is called.
pub fn called<'a>(
    symbols: &Symbols,
    resolved: &[Arc<Resolved>],
    beans: &Beans,
    facts: &impl Fn(MethodId) -> &'a MethodFacts,
    is_test: &impl Fn(MethodId) -> bool,
) -> Called {
    let n = symbols.methods.len();
    let mut called = Called { production: vec![false; n], start_up: vec![false; n], tests: vec![false; n], ..Default::default() };
    let mut edges: Vec<Edge> = Vec::new();
    for (caller, it) in resolved.iter().enumerate() {
        let caller = caller as MethodId;
        let in_test = is_test(caller);
        let graph = &facts(caller).graph;
        let (names, constructed) =
            if in_test { (&mut called.unresolved_in_tests, &mut called.constructed_in_tests) } else { (&mut called.unresolved, &mut called.constructed) };
        let mut reach = |method: MethodId, is_virtual: bool, call: usize| {
            let overriders = if is_virtual { symbols.overriders.get(&method).map_or(&[][..], Vec::as_slice) } else { &[] };
            for &callee in std::iter::once(&method).chain(overriders) {
                // That a method calls itself does not make it run.
                if callee == caller {
                    continue;
                }
                if in_test {
                    called.tests[callee as usize] = true;
                } else {
                    edges.push(Edge { caller, callee, call: call as u32 });
                }
            }
        };
        for (index, site) in it.calls.iter().enumerate() {
            match site.target {
                Target::Method(..) | Target::Many(..) | Target::Among(..) => {
                    let (methods, is_virtual) = it.targets(&site.target);
                    methods.iter().for_each(|&method| reach(method, is_virtual, index));
                }
                Target::Default(class) => {
                    constructed.insert(class);
                }
                Target::Unresolved => {
                    let call = &graph.calls[index];
                    let arity = if call.form == CallForm::Reference { u32::MAX } else { call.args.len };
                    if call.form == CallForm::Plain {
                        // It means what the class, or one around it, inherits from outside.
                        overriding(symbols, symbols.methods[caller as usize].owner, call.name, arity).for_each(|it| reach(it, false, index));
                    } else {
                        names.insert((call.name, arity));
                    }
                    if !in_test {
                        let file = symbols.file_of_unit(symbols.methods[caller as usize].unit);
                        called.unresolved_in_file.insert((file, call.name, arity));
                    }
                }
                Target::Library => {}
            }
        }
    }
    let pinned = |id: MethodId| {
        let method = facts(id);
        let once = method.head.flags.has(Flags::STATIC) || beans.shared(symbols.methods[id as usize].owner).is_some();
        is_construction(method) && once
    };
    let later = Later { symbols, resolved, facts };
    let starts = Starts { edges: &edges, symbols, beans, facts, later: &later, pinned: &pinned };
    starts.split(&mut called.start_up, &mut called.production);
    called
}

/// The methods of this name in a class, in those around it and in all that extend them.
fn overriding(symbols: &Symbols, class: TypeId, name: Sym, arity: u32) -> impl Iterator<Item = MethodId> + '_ {
    let mut classes: Vec<TypeId> = std::iter::successors(Some(class), |&it| symbols.own(it).map(|it| it.outer)).take_while(|&it| symbols.is_own(it)).collect();
    // A base class may have thousands of classes below it.
    let mut seen: FxHashSet<TypeId> = classes.iter().copied().collect();
    let mut next = 0;
    while let Some(&class) = classes.get(next) {
        next += 1;
        classes.extend(symbols.own(class).into_iter().flat_map(|it| &it.subs).copied().filter(|&it| seen.insert(it)));
    }
    let named = classes.into_iter().flat_map(move |it| symbols.declared_methods(it, name).iter().copied());
    named.filter(move |&it| symbols.methods[it as usize].arity == arity)
}

impl Called {
    /// Whether a call of production is known to mean a method.
    pub(super) fn is_known_call(&self, id: MethodId) -> bool {
        self.production[id as usize] || self.start_up[id as usize]
    }

    /// Whether a call in the file of a method that is not resolved may mean it.
    pub(super) fn is_named_in_file(&self, symbols: &Symbols, id: MethodId) -> bool {
        let info = &symbols.methods[id as usize];
        let file = symbols.file_of_unit(info.unit);
        [info.arity, u32::MAX].iter().any(|&arity| self.unresolved_in_file.contains(&(file, info.name, arity)))
    }

    /// Whether anything may call a method in this world.
    pub fn is_called(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        let starts = self.start_up[id as usize] || beans.role(id, method).start_up;
        starts || self.is_called_later(symbols, beans, id, method, world)
    }

    /// Whether anything but start-up code may.
    fn is_called_later(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        let info = &symbols.methods[id as usize];
        let by_name = |names: &FxHashSet<(Sym, u32)>| names.contains(&(info.name, info.arity)) || names.contains(&(info.name, u32::MAX));
        // The class is used: what its initialiser lets run later runs.
        if is_construction(method) && method.head.flags.has(Flags::STATIC) {
            return true;
        }
        let is_init = matches!(method.head.kind, MemberKind::Field | MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::InstanceInit);
        if self.production[id as usize] || is_entry_later(symbols, beans, id, method) {
            return true;
        }
        // The container calls it: of other calls only those count that certainly mean it.
        if beans.role(id, method).start_up {
            return world == World::WithTests && self.tests[id as usize];
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
            if self.is_named_in_file(symbols, id) {
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
    /// Whether only start-up code, or what starts it, calls a method.
    pub(super) fn at_start_only(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts, world: World) -> bool {
        if self.is_made_by_container(symbols, beans, id, method) {
            return true;
        }
        (self.start_up[id as usize] || beans.role(id, method).start_up) && !self.is_called_later(symbols, beans, id, method, world)
    }

    /// Whether a constructor or initialiser runs once, since nothing but the container makes the only object.
    fn is_made_by_container(&self, symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts) -> bool {
        let owner = symbols.methods[id as usize].owner;
        is_construction(method)
            && !method.head.flags.has(Flags::STATIC)
            && beans.shared(owner) == Some(Shared::Bean)
            && !self.constructed.contains(&owner)
            && !symbols.declared_methods(owner, Sym::new("<init>")).iter().any(|&it| self.production[it as usize])
            && symbols.own(owner).is_some_and(|it| it.subs.is_empty())
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
    beans.role(id, method).start_up || is_entry_later(symbols, beans, id, method)
}

/// Whether something outside the workspace calls a method while the service runs.
pub(super) fn is_entry_later(symbols: &Symbols, beans: &Beans, id: MethodId, method: &MethodFacts) -> bool {
    let info = &symbols.methods[id as usize];
    let role = beans.role(id, method);
    if role.entry || is_main(symbols, id, method) {
        return true;
    }
    // That of a library which it overrides is what starts it.
    if role.start_up {
        return false;
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

/// `main`, also that of a compact source file, and one that the launcher calls on an object which it makes.
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
    let is_launched = |it: &TypeInfo| it.outer == UNKNOWN && matches!(it.head.get().kind, TypeKind::Class | TypeKind::Enum | TypeKind::Record);
    args && (info.flags.has(Flags::STATIC) || (!info.flags.has(Flags::PRIVATE) && symbols.own(info.owner).is_some_and(is_launched)))
}

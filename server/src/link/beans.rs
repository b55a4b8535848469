//! Beans: which classes have one object for the whole process, and what the container sets in them (`semantics.md` §7).
//!
//! Besides beans, the constants of enums and classes that make their only objects themselves have fields that last as
//! long as the process does.

mod annotated;
mod callbacks;
mod clients;
mod given;
mod inject;
mod marks;
pub mod outside;
mod products;
mod pushed;
mod scans;
mod wired;

use super::listed::Listed;
use super::symbols::{FieldId, MethodId, Symbols, TypeId};
use crate::facts::{FieldFacts, MethodFacts, Role};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::wiring::WiringFacts;
use crate::workspace::{SourceFile, WiringFile};
pub use given::Given;
use outside::Outside;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A bean of a class of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bean {
    /// Its class.
    pub class: TypeId,
    /// Its names; the first one is the main one.
    pub names: Vec<Sym>,
    /// Meant where nothing else is said.
    pub primary: bool,
    /// It may not be there: a condition or a profile decides.
    pub conditional: bool,
    /// One object for the process.
    pub singleton: bool,
}

/// Why the fields of a class's objects last as long as the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// It is a singleton bean, or a superclass of one.
    Bean,
    /// Its objects are constants of an enum, or objects that it made itself and keeps in static fields.
    Constant,
}

/// What is known of beans.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Beans {
    /// All of them, in the order in which they were found.
    pub all: Vec<Bean>,
    shared: FxHashMap<TypeId, Shared>,
    /// Types that some bean or constant has: their state is their own affair, not that of the fields that hold them.
    managed: FxHashSet<TypeId>,
    /// Fields that the container sets.
    injected: FxHashSet<FieldId>,
    /// Fields that a configuration service sets while the service runs, with the annotation that says so.
    pushed: FxHashMap<FieldId, Sym>,
    /// Injected fields of which it is known which class they hold.
    narrowed: FxHashMap<FieldId, TypeId>,
    /// Who calls methods, as far as their own text does not say.
    roles: FxHashMap<MethodId, Role>,
    /// Methods that are called before the first request although they look like others that are called later.
    start_ups: FxHashSet<MethodId>,
    /// Methods that the container calls to make beans.
    factories: FxHashSet<MethodId>,
    /// Setters that the container calls because a file of wiring says so.
    setters: FxHashSet<MethodId>,
    /// Who gets what factory methods make of types of libraries.
    given: FxHashMap<MethodId, Given>,
    /// What stands for other processes.
    pub outside: Outside,
}

/// What beans are collected from.
pub struct Input<'a> {
    /// The symbol table.
    pub symbols: &'a Symbols,
    /// The Java files, in the order of their ids.
    pub files: &'a [Arc<SourceFile>],
    /// Facts of all methods.
    pub facts: &'a [&'a MethodFacts],
    /// The files that wire beans together.
    pub wiring: &'a [Arc<WiringFile>],
    /// What the project says.
    pub listed: &'a Listed,
    /// Opt-in rows of the catalogue count.
    pub opt_in: bool,
}

impl<'a> Input<'a> {
    fn method(&self, id: MethodId) -> &'a MethodFacts {
        self.facts[id as usize]
    }

    fn field(&self, id: FieldId) -> &'a FieldFacts {
        self.symbols.field(self.files, id).0
    }

    /// Whether a type is declared in test sources.
    fn is_test(&self, id: TypeId) -> bool {
        self.symbols.own(id).is_some_and(|it| self.files[it.file as usize].is_test)
    }

    /// The wiring of production.
    fn wiring(&self) -> impl Iterator<Item = &'a WiringFacts> {
        self.wiring.iter().filter(|it| !it.is_test).map(|it| &*it.facts)
    }
}

impl Beans {
    /// Collects them.
    pub fn collect(input: &Input<'_>) -> Beans {
        let mut beans = Beans::default();
        let found = annotated::collect(input, &mut beans);
        let wired = wired::collect(input, &found, &mut beans);
        let products = products::add(input, &mut beans);
        beans.share(input);
        let injected = inject::inject(input, &found, &wired, &mut beans);
        let clients = clients::collect(input, &found, &products, &beans);
        beans.outside = outside::collect(input, &found, &wired, outside::Places { injected: &injected, clients: &clients }, &beans);
        for &method in input.listed.entries() {
            beans.roles.entry(method).or_default().entry = true;
        }
        callbacks::inherit(input, &mut beans);
        beans
    }

    /// Fields of which classes last as long as the process.
    fn share(&mut self, input: &Input<'_>) {
        let symbols = input.symbols;
        for bean in &self.all {
            for up in symbols.ancestors(bean.class).filter(|&it| symbols.is_own(it)) {
                self.managed.insert(up);
                if bean.singleton {
                    self.shared.insert(up, Shared::Bean);
                }
            }
        }
        for index in 0..symbols.types.len() as u32 {
            let id = TypeId(symbols.n_lib + index);
            // The body of a constant is a class below its enum.
            let is_enum = |it: TypeId| symbols.is_own(it) && symbols.type_kind(it) == TypeKind::Enum;
            let is_constant = is_enum(id) || symbols.own(id).is_some_and(|it| it.supers.iter().any(|&up| is_enum(up)));
            if is_constant && !input.is_test(id) {
                self.shared.insert(id, Shared::Constant);
                self.managed.insert(id);
            }
        }
    }

    /// Adds singletons that are no beans.
    pub fn add_constants(&mut self, classes: &[TypeId]) {
        for &class in classes {
            self.shared.insert(class, Shared::Constant);
            self.managed.insert(class);
        }
    }

    /// Whether the instance fields of a class last as long as the process, and why.
    pub fn shared(&self, class: TypeId) -> Option<Shared> {
        self.shared.get(&class).copied()
    }

    /// Whether a field can hold state that a verdict is owed for: static or of a shared object, no enum constant.
    pub fn is_candidate(&self, symbols: &Symbols, field: FieldId) -> bool {
        let info = &symbols.fields[field as usize];
        (info.flags.has(Flags::STATIC) || self.shared.contains_key(&info.owner)) && !info.enum_constant && !info.captured
    }

    /// Whether a field is one of a bean's objects.
    pub fn is_bean_field(&self, symbols: &Symbols, field: FieldId) -> bool {
        let info = &symbols.fields[field as usize];
        !info.flags.has(Flags::STATIC) && self.shared(info.owner) == Some(Shared::Bean)
    }

    /// Whether beans or constants have this type.
    pub fn is_managed(&self, class: TypeId) -> bool {
        self.managed.contains(&class)
    }

    /// Whether the container sets a field.
    pub fn is_injected(&self, field: FieldId) -> bool {
        self.injected.contains(&field)
    }

    /// The annotation by which a field is set from outside while the service runs.
    pub fn pushed(&self, field: FieldId) -> Option<Sym> {
        self.pushed.get(&field).copied()
    }

    /// Who gets from the container what a factory method makes.
    pub fn given(&self, factory: MethodId) -> Option<&Given> {
        self.given.get(&factory)
    }

    /// All fields that are, sorted.
    pub fn all_pushed(&self) -> Vec<FieldId> {
        let mut found: Vec<FieldId> = self.pushed.keys().copied().collect();
        found.sort_unstable();
        found
    }

    /// The class of what an injected field holds, where it is told more exactly than by its type.
    pub fn narrowed(&self, field: FieldId) -> Option<TypeId> {
        self.narrowed.get(&field).copied()
    }

    /// Whether calls would be resolved alike.
    pub fn resolve_alike(&self, other: &Beans) -> bool {
        self.narrowed == other.narrowed && self.outside == other.outside && self.factories == other.factories
    }

    /// Whether the container calls a method to make a bean.
    pub fn is_factory(&self, id: MethodId) -> bool {
        self.factories.contains(&id)
    }

    /// Whether the container calls a setter because a file of wiring says so.
    pub fn is_wired_setter(&self, id: MethodId) -> bool {
        self.setters.contains(&id)
    }

    /// Who calls a method besides the workspace: as its text says, and as beans say.
    pub fn role(&self, id: MethodId, method: &MethodFacts) -> Role {
        let own = method.role;
        self.roles.get(&id).map_or(own, |it| Role {
            entry: (own.entry | it.entry) && !self.start_ups.contains(&id),
            start_up: own.start_up | it.start_up,
            injected: own.injected | it.injected,
            mock: own.mock,
        })
    }
}

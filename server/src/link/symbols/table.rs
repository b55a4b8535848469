//! Builds the symbol table from the facts of all files.

use super::{FieldId, FieldInfo, FileScope, HeadRef, MethodId, MethodInfo, Place, Symbols, TypeId, TypeInfo, UNKNOWN, Unit, UnitId};
use crate::catalogue::catalogue;
use crate::facts::generated::builder_class;
use crate::facts::{MemberFacts, OWN_CLASS};
use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::{Flags, MemberKind, TypeHead, TypeKind};
use crate::terms::FileId;
use crate::workspace::SourceFile;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The methods of each class by their names.
type MethodsOf = FxHashMap<(TypeId, Sym), SmallVec<[MethodId; 2]>>;

fn is_callable(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Method | MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::Component | MemberKind::Made)
}

impl Symbols {
    /// Builds the table. `files` are in the order of their ids; `named` are types that the project speaks of.
    pub fn build(files: &[Arc<SourceFile>], named: impl Iterator<Item = Sym>) -> Symbols {
        let mut table = Symbols {
            n_lib: catalogue().library.types.len() as u32,
            types: Vec::new(),
            listed: FxHashMap::default(),
            externals: Vec::new(),
            units: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            returns: Vec::new(),
            params: Vec::new(),
            first_unit: Vec::new(),
            scopes: Vec::new(),
            by_package: FxHashMap::default(),
            by_name: FxHashMap::default(),
            nested: FxHashMap::default(),
            local: FxHashMap::default(),
            field_of: FxHashMap::default(),
            methods_of: FxHashMap::default(),
            overriders: FxHashMap::default(),
            overridden: FxHashMap::default(),
            above: Vec::new(),
            lib_above: Vec::new(),
            java_lang: Sym::new("java.lang"),
        };
        table.reserve(files);
        for (id, file) in files.iter().enumerate() {
            table.add_file(id as FileId, file);
        }
        table.name_builders(files);
        table.index_members(files);
        table.externals_from_imports(files);
        table.externals_by_name(named);
        table.scopes = files.par_iter().with_min_len(32).map(|file| table.file_scope(file)).collect();
        table.resolve_supers();
        table.mark_open();
        table.find_ancestors();
        table.find_overriders();
        table
    }

    fn type_id(&self, index: usize) -> TypeId {
        TypeId(self.n_lib + index as u32)
    }

    /// Makes room, so that nothing is moved while it grows.
    fn reserve(&mut self, files: &[Arc<SourceFile>]) {
        let count = |file: &Arc<SourceFile>| {
            let members = || file.facts.types.iter().flat_map(|it| &it.members).map(|it| &it.facts);
            let sum = |it: &dyn Fn(&MemberFacts) -> usize| members().map(|member| it(member)).sum::<usize>();
            [file.facts.types.len() + sum(&|it| it.types.len()), sum(&|_| 1), sum(&|it| it.fields.len()), sum(&|it| it.methods.len())]
        };
        let add = |a: [usize; 4], b: [usize; 4]| [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
        let [types, units, fields, methods] = files.par_iter().with_min_len(64).map(count).reduce(|| [0; 4], add);
        self.types.reserve(types);
        self.by_name.reserve(types);
        self.by_package.reserve(types);
        self.units.reserve(units);
        self.fields.reserve(fields);
        self.methods.reserve(methods);
    }

    fn add_file(&mut self, id: FileId, file: &Arc<SourceFile>) {
        self.first_unit.push(self.units.len() as UnitId);
        let facts = &file.facts;
        let package = facts.package.as_str();
        let first = self.types.len();
        for (i, found) in facts.types.iter().enumerate() {
            let simple = found.head.name.as_str();
            let outer = found.outer.map_or(UNKNOWN, |outer| self.type_id(first + outer as usize));
            let (name, binary) = match self.own(outer) {
                Some(outer) => (format!("{}.{simple}", outer.name), format!("{}${simple}", outer.binary)),
                None if package.is_empty() => (simple.to_owned(), simple.to_owned()),
                None => (format!("{package}.{simple}"), format!("{package}.{simple}")),
            };
            let type_id = self.type_id(first + i);
            if outer == UNKNOWN {
                // The same type twice (a copied module): the first one is the one that names mean.
                self.by_package.entry((facts.package, found.head.name)).or_insert(type_id);
            } else {
                self.nested.entry((outer, found.head.name)).or_insert(type_id);
            }
            let sym = Sym::new(&name);
            self.by_name.entry(sym).or_insert(type_id);
            if let Some(lib) = catalogue().library.find(sym) {
                self.listed.insert(type_id, lib);
            }
            self.types.push(TypeInfo {
                name,
                binary,
                head: HeadRef::Own(Arc::clone(&found.head)),
                file: id,
                outer,
                unit: None,
                supers: Vec::new(),
                open: false,
                subs: Vec::new(),
            });
        }
        // Anonymous and local classes are numbered within the outermost class, as javac does.
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for (i, found) in facts.types.iter().enumerate() {
            for (m, member) in found.members.iter().enumerate() {
                let unit = self.units.len() as UnitId;
                let class = self.type_id(first + i);
                let first_type = self.types.len();
                self.units.push(Unit {
                    file: id,
                    ty: i as u32,
                    member: m as u32,
                    class,
                    first_method: self.methods.len() as u32,
                    first_field: self.fields.len() as u32,
                    first_type: self.type_id(first_type),
                });
                for (n, nested) in member.facts.types.iter().enumerate() {
                    let outer = match nested.outer {
                        Some(outer) => self.type_id(first_type + outer as usize),
                        None => match member.facts.methods.get(nested.method as usize).map(|it| it.owner) {
                            Some(owner) if owner != OWN_CLASS => self.type_id(first_type + owner as usize),
                            _ => class,
                        },
                    };
                    let (base, binary_base) = self.own(outer).map_or_else(Default::default, |it| (it.name.clone(), it.binary.clone()));
                    let simple = nested.head.name.as_str();
                    let (name, binary) = if nested.outer.is_some() && !simple.is_empty() {
                        (format!("{base}.{simple}"), format!("{binary_base}${simple}"))
                    } else {
                        let count = counts.entry(format!("{binary_base}#{simple}")).or_insert(0);
                        *count += 1;
                        (format!("{base}${count}{simple}"), format!("{binary_base}${count}{simple}"))
                    };
                    let type_id = self.type_id(self.types.len());
                    if !simple.is_empty() {
                        if nested.outer.is_some() {
                            self.nested.entry((outer, nested.head.name)).or_insert(type_id);
                        } else {
                            self.local.entry((unit, nested.head.name)).or_insert(type_id);
                        }
                    }
                    let head = HeadRef::Nested(Arc::clone(&member.facts), n as u16);
                    self.types.push(TypeInfo { name, binary, head, file: id, outer, unit: Some(unit), supers: Vec::new(), open: false, subs: Vec::new() });
                }
                let owner_of = |owner: u16| if owner == OWN_CLASS { class } else { TypeId(self.n_lib + first_type as u32 + u32::from(owner)) };
                for (n, field) in member.facts.fields.iter().enumerate() {
                    let owner = owner_of(field.owner);
                    let head = &field.head;
                    let mut flags = head.flags;
                    let in_interface = self
                        .types
                        .get((owner.0 - self.n_lib) as usize)
                        .is_some_and(|it| matches!(it.head.get().kind, TypeKind::Interface | TypeKind::Annotation));
                    if in_interface {
                        flags.add(Flags::STATIC);
                        flags.add(Flags::FINAL);
                        flags.add(Flags::PUBLIC);
                    }
                    self.fields.push(FieldInfo {
                        owner,
                        unit,
                        index: n as u32,
                        name: head.name,
                        ty: head.ty,
                        flags,
                        enum_constant: head.enum_constant,
                        captured: field.captured,
                        init_empty: head.init_empty,
                    });
                }
                for (n, method) in member.facts.methods.iter().enumerate() {
                    let owner = owner_of(method.owner);
                    let head = &method.head;
                    let mut flags = head.flags;
                    if self.types.get((owner.0 - self.n_lib) as usize).is_some_and(|it| it.head.get().kind == TypeKind::Interface) && !flags.has(Flags::PRIVATE)
                    {
                        flags.add(Flags::PUBLIC);
                    }
                    self.methods.push(MethodInfo { owner, unit, index: n as u32, name: head.name, flags, arity: head.params.len() as u32 });
                }
            }
        }
    }

    /// A builder is taken as the object that it builds, unless its class is written out.
    fn name_builders(&mut self, files: &[Arc<SourceFile>]) {
        let builder = |annotations: &[Annotation], class: Sym| {
            annotations.iter().find(|it| matches!(it.name.as_str(), "Builder" | "SuperBuilder")).map(|it| builder_class(class, it))
        };
        let mut found = Vec::new();
        for (index, info) in self.types.iter().enumerate() {
            let head = info.head.get();
            found.extend(builder(&head.annotations, head.name).map(|name| (self.type_id(index), name)));
        }
        for (id, info) in (0..).zip(&self.methods) {
            if info.name.as_str() == "<init>"
                && let Some(class) = self.own(info.owner)
            {
                let name = builder(&self.method(files, id).0.head.annotations, class.head.get().name);
                found.extend(name.map(|name| (info.owner, name)));
            }
        }
        for (class, name) in found {
            self.nested.entry((class, name)).or_insert(class);
        }
    }

    /// What is found by name, and the written types.
    fn index_members(&mut self, files: &[Arc<SourceFile>]) {
        let table: &Symbols = self;
        let head = |id: u32| &table.method(files, id).0.head;
        let methods_of = || {
            let mut found: MethodsOf = FxHashMap::default();
            found.reserve(table.methods.len());
            for (id, info) in (0..).zip(&table.methods) {
                if is_callable(head(id).kind) {
                    found.entry((info.owner, info.name)).or_default().push(id);
                }
            }
            table.drop_hidden_accessors(&mut found);
            table.drop_replaced(&mut found, |id| head(id).accessor.is_some() || head(id).kind == MemberKind::Made);
            found
        };
        let field_of = || {
            let mut found: FxHashMap<(TypeId, Sym), FieldId> = FxHashMap::default();
            found.reserve(table.fields.len());
            for (id, info) in (0..).zip(&table.fields) {
                found.entry((info.owner, info.name)).or_insert(id);
            }
            found
        };
        let ids = || (0..table.methods.len() as u32).into_par_iter().with_min_len(2048);
        let types = || -> (Vec<_>, Vec<_>) { ids().map(|id| (head(id).returns, head(id).params.iter().map(|it| it.ty).collect())).unzip() };
        let (methods_of, (field_of, (returns, params))) = rayon::join(methods_of, || rayon::join(field_of, types));
        (self.methods_of, self.field_of, self.returns, self.params) = (methods_of, field_of, returns, params);
    }

    /// A record that writes an accessor or its canonical constructor itself has no generated one.
    fn drop_hidden_accessors(&self, methods_of: &mut MethodsOf) {
        for (index, info) in self.types.iter().enumerate() {
            let TypeHead { kind, components, .. } = info.head.get();
            if *kind != TypeKind::Record {
                continue;
            }
            let n = components.len() as u32;
            let names = components.iter().map(|it| (it.0, 0)).chain([(Sym::new("<init>"), n)]);
            for (name, arity) in names {
                if let Some(found) = methods_of.get_mut(&(self.type_id(index), name)) {
                    // Components come first among the members of a record.
                    let written = found.iter().skip(1).any(|&it| self.methods[it as usize].arity == arity);
                    if written {
                        found.remove(0);
                    }
                }
            }
        }
    }

    /// What a tool would make is not made where the class has a method of that name with as many parameters.
    fn drop_replaced(&self, methods_of: &mut MethodsOf, made: impl Fn(MethodId) -> bool) {
        for (id, info) in (0..).zip(&self.methods).filter(|it| made(it.0)) {
            if let Some(found) = methods_of.get_mut(&(info.owner, info.name))
                && found.iter().any(|&other| !made(other) && self.methods[other as usize].arity == info.arity)
            {
                found.retain(|other| *other != id);
            }
        }
    }

    /// Types that are imported by name and found nowhere get a number of their own.
    fn externals_from_imports(&mut self, files: &[Arc<SourceFile>]) {
        let library = &catalogue().library;
        for file in files {
            for import in file.facts.imports.iter().filter(|it| !it.on_demand && !it.is_static && !it.module) {
                if !self.by_name.contains_key(&import.name) && library.find(import.name).is_none() {
                    let id = TypeId(self.n_lib + self.types.len() as u32 + self.externals.len() as u32);
                    self.by_name.insert(import.name, id);
                    self.externals.push(import.name);
                }
            }
        }
    }

    /// Types that the project speaks of and that are found nowhere are known by all the ways to write their names.
    fn externals_by_name(&mut self, named: impl Iterator<Item = Sym>) {
        for name in named {
            let mut id = self.qualified(name.as_str());
            if id == UNKNOWN {
                id = TypeId(self.n_lib + self.types.len() as u32 + self.externals.len() as u32);
                self.by_name.insert(name, id);
                self.externals.push(name);
            }
            if self.lib(id).is_none()
                && !self.is_own(id)
                && let Some((around, simple)) = name.as_str().rsplit_once('.')
            {
                let outer = self.qualified(around);
                if outer == UNKNOWN {
                    self.by_package.entry((Sym::new(around), Sym::new(simple))).or_insert(id);
                } else {
                    self.nested.entry((outer, Sym::new(simple))).or_insert(id);
                }
            }
        }
    }

    fn file_scope(&self, file: &SourceFile) -> FileScope {
        let mut scope = FileScope {
            package: file.facts.package,
            single: FxHashMap::default(),
            on_demand: Vec::new(),
            static_single: FxHashMap::default(),
            static_on_demand: Vec::new(),
        };
        for import in file.facts.imports.iter() {
            let whole = self.qualified(import.name.as_str());
            if import.module {
                // Every package of the module: in practice java.base, whose packages are those people use.
                for package in [
                    "java.util",
                    "java.io",
                    "java.time",
                    "java.math",
                    "java.net",
                    "java.util.concurrent",
                    "java.util.function",
                    "java.util.stream",
                    "java.util.concurrent.atomic",
                    "java.nio.file",
                    "java.security",
                    "java.text",
                    "java.util.random",
                ] {
                    scope.on_demand.push(Place::Package(Sym::new(package)));
                }
                continue;
            }
            match (import.is_static, import.on_demand) {
                (false, false) => {
                    let simple = import.name.as_str().rsplit('.').next().unwrap_or_default();
                    if whole != UNKNOWN {
                        scope.single.insert(Sym::new(simple), whole);
                    }
                }
                (false, true) => scope.on_demand.push(if whole == UNKNOWN { Place::Package(import.name) } else { Place::Type(whole) }),
                (true, false) => {
                    if let Some((ty, member)) = import.name.as_str().rsplit_once('.') {
                        let ty = self.qualified(ty);
                        if ty != UNKNOWN {
                            scope.static_single.entry(Sym::new(member)).or_default().push(ty);
                        }
                    }
                }
                (true, true) => {
                    if whole != UNKNOWN {
                        scope.static_on_demand.push(whole);
                    }
                }
            }
        }
        scope
    }

    fn resolve_supers(&mut self) {
        let table: &Symbols = self;
        let supers: Vec<(Vec<TypeId>, bool)> = (0..table.types.len())
            .into_par_iter()
            .map(|index| {
                let info = &table.types[index];
                let scope = super::Scope { class: info.outer, unit: info.unit, file: info.file, method: None };
                let own = super::Scope { class: table.type_id(index), ..scope };
                let mut open = false;
                let mut found = Vec::new();
                for ty in &info.head.get().supers {
                    // A type's own members are no candidates for its supertypes' names, but its type parameters are.
                    let mut id = table.resolve(scope, ty.name());
                    if id == UNKNOWN && info.head.get().type_params.is_empty() {
                        id = table.resolve(own, ty.name());
                    }
                    if id == UNKNOWN || id == table.type_id(index) {
                        open = true;
                    } else {
                        open |= table.lib(id).is_none() && !table.is_own(id);
                        open |= table.lib(id).is_some_and(|it| !catalogue().library.types[it as usize].listed);
                        found.push(id);
                    }
                }
                (found, open)
            })
            .collect();
        for (index, (found, open)) in supers.into_iter().enumerate() {
            let id = self.type_id(index);
            for up in &found {
                let at = up.0.wrapping_sub(self.n_lib) as usize;
                if let Some(info) = self.types.get_mut(at) {
                    info.subs.push(id);
                }
            }
            self.types[index].supers = found;
            self.types[index].open = open;
        }
    }

    /// A type below an open one is open.
    fn mark_open(&mut self) {
        let mut work: Vec<TypeId> = (0..self.types.len()).filter(|&it| self.types[it].open).map(|it| self.type_id(it)).collect();
        while let Some(id) = work.pop() {
            let subs = self.own(id).map_or_else(Vec::new, |it| it.subs.clone());
            for sub in subs {
                let at = (sub.0 - self.n_lib) as usize;
                if !self.types[at].open {
                    self.types[at].open = true;
                    work.push(sub);
                }
            }
        }
    }

    /// Whether two methods of one name have the same parameters, as far as their written types tell: a type variable
    /// may stand for anything.
    pub fn same_parameters(&self, a: u32, b: u32) -> bool {
        let (first, second) = (&self.params[a as usize], &self.params[b as usize]);
        first.len() == second.len()
            && first.iter().zip(second.iter()).all(|(x, y)| {
                let (x, y) = (x.data(), y.data());
                (x.dims == y.dims && (x.name == y.name || last_segment(x.name) == last_segment(y.name)))
                    || self.is_variable(a, x.name)
                    || self.is_variable(b, y.name)
            })
    }

    fn is_variable(&self, method: u32, name: Sym) -> bool {
        let text = name.as_str();
        // Type variables are short by custom; others are looked for only where the class has some.
        if !text.contains('.') && text.len() <= 2 && text.starts_with(|c: char| c.is_uppercase()) {
            return true;
        }
        let mut class = self.methods[method as usize].owner;
        for _ in 0..8 {
            let Some(info) = self.own(class) else { return false };
            if info.head.get().type_params.iter().any(|it| it.0 == name) {
                return true;
            }
            class = info.outer;
        }
        false
    }

    /// Supertypes of all types, once for all look-ups.
    fn find_ancestors(&mut self) {
        let table: &Symbols = self;
        let ids = (0..table.types.len()).into_par_iter().with_min_len(256).map(|index| table.type_id(index));
        let above: Vec<Box<[TypeId]>> = ids.map(|id| table.find_above(id)).collect();
        self.above = above;
        let table: &Symbols = self;
        let ids = (0..table.types.len()).into_par_iter().with_min_len(256).map(|index| table.type_id(index));
        self.lib_above = ids.map(|id| table.find_lib_above(id)).collect();
    }

    /// Looks from each method up to those that it overrides: hierarchies are wide and not high.
    fn find_overriders(&mut self) {
        let table: &Symbols = self;
        let found: Vec<(u32, Vec<u32>)> = (0..table.methods.len() as u32)
            .into_par_iter()
            .with_min_len(256)
            .filter_map(|id| {
                let info = &table.methods[id as usize];
                let above = table.above(info.owner);
                if above.is_empty() || info.flags.has(Flags::STATIC) || info.name.as_str().starts_with('<') {
                    return None;
                }
                let overrides = |&base: &u32| {
                    let flags = table.methods[base as usize].flags;
                    let never = flags.has(Flags::STATIC) || flags.has(Flags::PRIVATE) || flags.has(Flags::FINAL);
                    !never && table.same_parameters(base, id)
                };
                let bases = above.iter().flat_map(|&up| table.declared_methods(up, info.name)).copied();
                let bases: Vec<u32> = bases.filter(overrides).collect();
                // An accessor that was written out overrides nothing.
                (!bases.is_empty() && table.declared_methods(info.owner, info.name).contains(&id)).then_some((id, bases))
            })
            .collect();
        for (id, bases) in &found {
            for &base in bases {
                self.overriders.entry(base).or_default().push(*id);
            }
        }
        self.overridden = found.into_iter().collect();
    }
}

fn last_segment(name: Sym) -> &'static str {
    let text = name.as_str();
    text.rsplit('.').next().unwrap_or(text)
}

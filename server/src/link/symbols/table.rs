//! Builds the symbol table from the facts of all files.

mod hierarchy;
mod made;
mod scopes;

pub(in crate::link) use made::NOT_MADE;

use super::{FieldId, FieldInfo, HeadRef, MethodId, MethodInfo, Symbols, TypeId, TypeInfo, UNKNOWN, Unit, UnitId};
use crate::catalogue::{LibTypeId, catalogue};
use crate::config::Project;
use crate::facts::generated::Lombok;
use crate::facts::{FileFacts, MemberFacts, OWN_CLASS};
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind, MethodHead, TypeKind};
use crate::terms::FileId;
use crate::workspace::SourceFile;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, OnceLock};

/// The methods of each class by their names.
type MethodsOf = FxHashMap<(TypeId, Sym), SmallVec<[MethodId; 2]>>;

/// What a member type is called.
struct Names {
    name: String,
    binary: String,
    /// The name once more.
    sym: Sym,
    /// The library type of that name.
    listed: Option<LibTypeId>,
}

/// The names of the types of a file, without those in bodies.
fn names(facts: &FileFacts) -> Vec<Names> {
    let package = facts.package.as_str();
    let mut found: Vec<Names> = Vec::with_capacity(facts.types.len());
    for ty in &facts.types {
        let simple = ty.head.name.as_str();
        let (name, binary) = match ty.outer.and_then(|it| found.get(it as usize)) {
            Some(outer) => (format!("{}.{simple}", outer.name), format!("{}${simple}", outer.binary)),
            None if package.is_empty() => (simple.to_owned(), simple.to_owned()),
            None => (format!("{package}.{simple}"), format!("{package}.{simple}")),
        };
        let sym = Sym::new(&name);
        found.push(Names { name, binary, sym, listed: catalogue().library.find(sym) });
    }
    found
}

fn is_callable(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Method | MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::Component | MemberKind::Made)
}

impl Symbols {
    /// Builds the table. `files` are in the order of their ids; `project` speaks of types, and of names that Lombok makes.
    pub fn build(files: &[Arc<SourceFile>], project: &Project) -> Symbols {
        let mut table = Symbols {
            n_lib: catalogue().library.types.len() as u32,
            types: Vec::new(),
            listed: FxHashMap::default(),
            externals: Vec::new(),
            units: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            returns: Vec::new(),
            generics: FxHashMap::default(),
            params: Vec::new(),
            param_ids: Vec::new(),
            shapes: Vec::new(),
            first_unit: Vec::new(),
            scopes: Vec::new(),
            by_simple: FxHashMap::default(),
            by_name: FxHashMap::default(),
            nested: FxHashMap::default(),
            local: FxHashMap::default(),
            field_of: FxHashMap::default(),
            methods_of: FxHashMap::default(),
            overriders: FxHashMap::default(),
            overridden: FxHashMap::default(),
            above: Vec::new(),
            lib_above: Vec::new(),
            log_fields: FxHashMap::default(),
            java_lang: Sym::new("java.lang"),
            init: Sym::new("<init>"),
        };
        table.reserve(files);
        let names: Vec<Vec<Names>> = files.par_iter().with_min_len(32).map(|it| names(&it.facts)).collect();
        for ((id, file), names) in (0..).zip(files).zip(names) {
            table.add_file(id, file, names, project.lombok(&file.path));
        }
        table.name_builders(files, project);
        table.index_members(files);
        table.externals_from_imports(files);
        table.externals_from_supers();
        table.externals_by_name(project.names());
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
        self.by_simple.reserve(types);
        self.units.reserve(units);
        self.fields.reserve(fields);
        self.methods.reserve(methods);
    }

    /// The same type twice (a copied module): the first one is the one that names mean.
    fn add_to_package(&mut self, package: Sym, simple: Sym, id: TypeId) {
        let alike = self.by_simple.entry(simple).or_default();
        if !alike.iter().any(|it| it.0 == package) {
            alike.push((package, id));
        }
    }

    fn add_file(&mut self, id: FileId, file: &Arc<SourceFile>, names: Vec<Names>, lombok: Option<&Lombok>) {
        self.log_fields.extend(lombok.and_then(|it| it.log_field).map(|it| (id, it)));
        self.first_unit.push(self.units.len() as UnitId);
        let facts = &file.facts;
        let first = self.types.len();
        for ((i, found), Names { name, binary, sym, listed }) in facts.types.iter().enumerate().zip(names) {
            let outer = found.outer.map_or(UNKNOWN, |outer| self.type_id(first + outer as usize));
            let type_id = self.type_id(first + i);
            if outer == UNKNOWN {
                self.add_to_package(facts.package, found.head.name, type_id);
            } else {
                self.nested.entry((outer, found.head.name)).or_insert(type_id);
            }
            self.by_name.entry(sym).or_insert(type_id);
            self.listed.extend(listed.map(|it| (type_id, it)));
            self.types.push(TypeInfo {
                name,
                binary,
                head: HeadRef::Own(Arc::clone(&found.head)),
                file: id,
                outer,
                unit: None,
                supers: Vec::new(),
                open: false,
                open_above: false,
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
                    self.types.push(TypeInfo {
                        name,
                        binary,
                        head,
                        file: id,
                        outer,
                        unit: Some(unit),
                        supers: Vec::new(),
                        open: false,
                        open_above: false,
                        subs: Vec::new(),
                    });
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
                    if lombok.is_some_and(|it| it.makes_final(head)) {
                        flags.add(Flags::FINAL);
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
                        made: head.made,
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
                    let name = lombok.map_or(head.name, |it| self.name_of(&member.facts, method, owner, it));
                    self.methods.push(MethodInfo { owner, unit, index: n as u32, name, flags, arity: head.params.len() as u32 });
                }
            }
        }
    }

    /// What is found by name, and the written types.
    fn index_members(&mut self, files: &[Arc<SourceFile>]) {
        let table: &Symbols = self;
        let heads: Vec<&MethodHead> = (0..table.methods.len() as u32).into_par_iter().with_min_len(2048).map(|id| &table.method(files, id).0.head).collect();
        let head = |id: u32| heads[id as usize];
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
        let count = table.methods.len() as u32;
        let ids = || (0..count).into_par_iter().with_min_len(2048);
        let types = || -> (Vec<_>, Vec<_>) { ids().map(|id| (head(id).returns, head(id).params.iter().map(|it| it.ty).collect())).unzip() };
        let is_generic = |id: &u32| !head(*id).type_params.is_empty();
        let generics = || ids().filter(is_generic).map(|id| (id, head(id).type_params.as_slice().into())).collect::<Vec<_>>();
        let (methods_of, (field_of, ((returns, params), generics))) = rayon::join(methods_of, || rayon::join(field_of, || rayon::join(types, generics)));
        self.generics = generics.into_iter().collect();
        (self.methods_of, self.field_of, self.returns, self.params) = (methods_of, field_of, returns, params);
        self.param_ids.resize_with(count as usize, OnceLock::new);
        let table: &Symbols = self;
        self.shapes = ids().map(|id| table.shape_of_parameters(id, &table.params[id as usize])).collect();
    }
}

//! What stands for other processes: clients, mappers, repositories, references to services (paper §3.3).

mod references;

use super::annotated::Annotated;
use super::clients::Client;
use super::inject::Injected;
use super::wired::Wired;
use super::{Beans, Input};
use crate::catalogue::catalogue;
use crate::intern::Sym;
use crate::java::decls::{MemberKind, TypeKind};
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// What stands for what is outside. Rows are numbers of the catalogue's table of external state.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Outside {
    /// Types of the workspace whose methods go outside.
    classes: FxHashMap<TypeId, u32>,
    /// Types of which only the name is known.
    names: FxHashMap<Sym, u32>,
    /// Fields whose value is outside, whatever their type.
    fields: FxHashMap<FieldId, u32>,
    /// Parameters whose value is outside.
    params: FxHashMap<(MethodId, usize), u32>,
    /// Methods that go outside.
    methods: FxHashMap<MethodId, u32>,
    /// Methods with a body in interfaces that go outside, and those that a class of the workspace answers.
    here: FxHashSet<MethodId>,
    /// Methods that are mocking points whatever they call: those of data access objects, and of services in another
    /// module of the same process.
    points: FxHashMap<MethodId, u32>,
}

impl Outside {
    /// The row of a field whose value is outside.
    pub fn field(&self, field: FieldId) -> Option<u32> {
        self.fields.get(&field).copied()
    }

    /// The row of a parameter whose value is outside.
    pub fn param(&self, method: MethodId, param: usize) -> Option<u32> {
        if self.params.is_empty() { None } else { self.params.get(&(method, param)).copied() }
    }

    /// The row of a type that is outside.
    pub fn class(&self, symbols: &Symbols, class: TypeId) -> Option<u32> {
        if class == UNKNOWN {
            return None;
        }
        if symbols.is_own(class) {
            return self.classes.get(&class).copied();
        }
        if self.names.is_empty() || symbols.lib(class).is_some() {
            return None;
        }
        self.names.get(&Sym::find(symbols.type_name(class))?).copied()
    }

    /// The row of a method that goes outside, whatever its receiver is.
    pub fn method(&self, method: MethodId) -> Option<u32> {
        self.methods.get(&method).copied()
    }

    /// Whether a method of an interface that goes outside runs here.
    pub fn runs_here(&self, method: MethodId) -> bool {
        self.here.contains(&method)
    }

    /// The row by which a method is a mocking point whatever it calls.
    pub fn point(&self, method: MethodId) -> Option<u32> {
        self.points.get(&method).copied()
    }

    /// All methods that are, sorted.
    pub fn points(&self) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = self.points.keys().copied().collect();
        found.sort_unstable();
        found
    }
}

/// The annotation that stands for MyBatis.
const MYBATIS: &str = "org.apache.ibatis.annotations.Mapper";

/// Where the container puts what is outside.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// Who gets which bean.
    pub injected: &'a Injected,
    /// Beans that are proxies.
    pub clients: &'a [Client],
}

struct Collector<'a> {
    input: &'a Input<'a>,
    symbols: &'a Symbols,
    beans: &'a Beans,
    places: Places<'a>,
    /// Interfaces of which a class of the workspace answers what a repository inherits.
    fragments: FxHashSet<TypeId>,
    found: Outside,
}

/// Collects it.
pub(super) fn collect(input: &Input<'_>, annotated: &Annotated, wired: &Wired, places: Places<'_>, beans: &Beans) -> Outside {
    let (fragments, found) = (FxHashSet::default(), Outside::default());
    let mut collector = Collector { input, symbols: input.symbols, beans, places, fragments, found };
    let packages: Vec<(Sym, Option<Sym>)> = annotated.mapper_packages.iter().chain(&wired.mapper_packages).copied().collect();
    collector.types(&packages, wired);
    let services = collector.services(annotated, wired);
    collector.annotated_fields(&services);
    let mut made = collector.annotated_methods(annotated, &services);
    made.extend(collector.clients());
    made.extend(places.clients.iter().map(|it| (it.name, it.interface, it.row, false, collector.module(it.file))));
    collector.references(wired, made, &services);
    collector.methods();
    collector.found
}

impl<'a> Collector<'a> {
    fn client_row(&self, name: &str) -> Option<u32> {
        catalogue().externals.client_annotation(name, &catalogue().library, self.input.opt_in)
    }

    fn reference_row(&self, name: &str) -> Option<u32> {
        catalogue().externals.reference_annotation(name, &catalogue().library, self.input.opt_in)
    }

    /// Clients, mappers and repositories.
    fn types(&mut self, packages: &[(Sym, Option<Sym>)], wired: &Wired) {
        let externals = &catalogue().externals;
        let mapper = self.client_row(MYBATIS);
        let named: FxHashSet<Sym> = wired.mappers.iter().copied().collect();
        for index in 0..self.symbols.types.len() as u32 {
            let id = TypeId(self.symbols.n_lib + index);
            let Some(info) = self.symbols.own(id).filter(|_| !self.input.is_test(id)) else { continue };
            let head = info.head.get();
            let is_interface = head.kind == TypeKind::Interface;
            let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
            let mut row = head.annotations.iter().find_map(|it| self.client_row(self.symbols.annotation(it, scope).1));
            if row.is_none() && !info.supers.is_empty() {
                let above = self.symbols.lib_ancestors(id);
                let base = if is_interface { externals.repository_base(above, self.input.opt_in) } else { None };
                if base.is_some() {
                    self.fragments(id);
                }
                row = base.or_else(|| externals.client_base(above, self.input.opt_in));
            }
            if row.is_none() && is_interface {
                let is_mapper = Sym::find(&info.name).is_some_and(|it| named.contains(&it))
                    || packages.iter().any(|(package, only)| in_package(&info.name, package.as_str()) && only.is_none_or(|it| self.has(id, it, scope)));
                row = mapper.filter(|_| is_mapper);
            }
            if let Some(row) = row {
                self.found.classes.insert(id, row);
            }
        }
    }

    /// Fragments of a repository: interfaces above it with a class that is called like them or like the repository, and
    /// `Impl`.
    fn fragments(&mut self, repository: TypeId) {
        let symbols = self.symbols;
        let simple = |id: TypeId| symbols.own(id).map_or("", |it| it.head.get().name.as_str());
        for &fragment in symbols.above(repository) {
            let subs = symbols.own(fragment).map_or(&[][..], |it| &it.subs);
            let is_impl = |sub: TypeId| {
                let stem = simple(sub).strip_suffix("Impl").filter(|_| symbols.type_kind(sub) == TypeKind::Class);
                stem.is_some_and(|it| it == simple(fragment) || it == simple(repository))
            };
            if subs.iter().any(|&it| is_impl(it)) {
                self.fragments.insert(fragment);
            }
        }
    }

    /// Whether a type has an annotation or a supertype.
    fn has(&self, id: TypeId, name: Sym, scope: Scope) -> bool {
        let marker = self.symbols.qualified(name.as_str());
        let annotated = self.symbols.own(id).is_some_and(|it| it.head.get().annotations.iter().any(|it| self.symbols.annotation(it, scope).1 == name.as_str()));
        annotated || (marker != UNKNOWN && self.symbols.is_subtype(id, marker))
    }

    /// Methods with an annotation that says so, default methods, and those of data access objects.
    fn methods(&mut self) {
        let externals = &catalogue().externals;
        let mut daos: FxHashMap<TypeId, Option<u32>> = FxHashMap::default();
        for (id, info) in self.symbols.methods.iter().enumerate() {
            let id = id as MethodId;
            let owner = info.owner;
            let method = || self.input.method(id);
            let is_interface = self.symbols.type_kind(owner) == TypeKind::Interface;
            if is_interface && (method().head.has_body || self.fragments.contains(&owner)) {
                self.found.here.insert(id);
            }
            if is_interface && !method().head.has_body && !method().head.annotations.is_empty() {
                let scope = Scope { class: owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(id) };
                let row = method()
                    .head
                    .annotations
                    .iter()
                    .find_map(|it| externals.annotated_method(self.symbols.annotation(it, scope).1, &catalogue().library, self.input.opt_in));
                if let Some(row) = row {
                    self.found.methods.insert(id, row);
                }
            }
            let dao = *daos.entry(owner).or_insert_with(|| {
                let is_class = self.symbols.type_kind(owner) == TypeKind::Class && !self.input.is_test(owner);
                if is_class { externals.dao_base(self.symbols.lib_ancestors(owner), self.input.opt_in) } else { None }
            });
            if let Some(row) = dao.filter(|_| method().head.kind == MemberKind::Method) {
                self.found.points.insert(id, row);
            }
        }
    }
}

/// Whether a type is in a package or below it; `*` stands for one segment, `**` for any number of them, as Spring's
/// pattern of folders has it.
fn in_package(name: &str, package: &str) -> bool {
    let Some((own, _)) = name.rsplit_once('.') else { return package.is_empty() };
    let package = package.trim_end_matches(".**").trim_end_matches(".*");
    let (own, wanted): (Vec<&str>, Vec<&str>) = (own.split('.').collect(), package.split('.').collect());
    let (mut at, mut want) = (0, 0);
    // After `**`, what follows is tried one segment further each time that it does not fit.
    let mut again: Option<(usize, usize)> = None;
    loop {
        match (wanted.get(want), own.get(at)) {
            (None, _) => return true,
            (Some(&"**"), _) => {
                want += 1;
                again = Some((want, at));
            }
            (Some(&segment), Some(&is)) if segment == "*" || segment == is => (want, at) = (want + 1, at + 1),
            _ => match again {
                Some((after, from)) if from < own.len() => {
                    again = Some((after, from + 1));
                    (want, at) = (after, from + 1);
                }
                _ => return false,
            },
        }
    }
}

/// What is before the `src` of a path; the folder if there is none.
fn module_of(path: &Path) -> &Path {
    path.ancestors().find(|it| it.file_name().is_some_and(|it| it == "src")).and_then(Path::parent).or(path.parent()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_with_and_without_wildcards() {
        assert!(in_package("a.b.c.Mapper", "a.b"));
        assert!(in_package("a.b.c.Mapper", "a.*.c"));
        assert!(in_package("a.b.mapper.Mapper", "a.**.mapper"));
        assert!(in_package("a.mapper.deep.Mapper", "a.**.mapper"));
        assert!(in_package("a.b.dao.c.mapper.Mapper", "**.dao.**.mapper"));
        assert!(in_package("a.b.Mapper", "**"));
        assert!(!in_package("a.b.c.Mapper", "a.**.mapper"));
        assert!(!in_package("a.b.c.Mapper", "**.mapper"));
        assert!(!in_package("b.mapper.Mapper", "a.**.mapper"));
        assert!(!in_package("a.bc.Mapper", "a.b"));
        assert!(!in_package("a.Mapper", "a.b"));
    }

    #[test]
    fn a_module_is_what_is_before_its_sources() {
        assert_eq!(module_of(Path::new("shop/pay/src/main/java/p/A.java")), Path::new("shop/pay"));
        assert_eq!(module_of(Path::new("shop/pay/src/main/resources/a.xml")), Path::new("shop/pay"));
        assert_eq!(module_of(Path::new("pay/A.java")), Path::new("pay"));
    }
}

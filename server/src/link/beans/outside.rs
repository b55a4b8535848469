//! What stands for other processes: clients, mappers, repositories, references to services (paper §3.3).

use super::annotated::Annotated;
use super::wired::Wired;
use super::{Beans, Input};
use crate::catalogue::catalogue;
use crate::intern::Sym;
use crate::java::decls::{MemberKind, TypeKind};
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use crate::wiring::Framework;
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
    /// Methods that go outside.
    methods: FxHashMap<MethodId, u32>,
    /// Methods with a body in interfaces that go outside.
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

/// The annotation that stands for the services of a framework.
fn annotation_of(framework: Framework) -> &'static str {
    match framework {
        Framework::Sofa => "com.alipay.sofa.runtime.api.annotation.SofaReference",
        Framework::Hsf => "com.alibaba.boot.hsf.annotation.HSFConsumer",
        Framework::Dubbo | Framework::Motan | Framework::Cxf => "org.apache.dubbo.config.annotation.DubboReference",
    }
}

/// The annotation that stands for MyBatis.
const MYBATIS: &str = "org.apache.ibatis.annotations.Mapper";

struct Collector<'a> {
    input: &'a Input<'a>,
    symbols: &'a Symbols,
    beans: &'a Beans,
    found: Outside,
}

/// Collects it.
pub(super) fn collect(input: &Input<'_>, annotated: &Annotated, wired: &Wired, beans: &Beans) -> Outside {
    let mut collector = Collector { input, symbols: input.symbols, beans, found: Outside::default() };
    let packages: Vec<(Sym, Option<Sym>)> = annotated.mapper_packages.iter().chain(&wired.mapper_packages).copied().collect();
    collector.types(&packages, wired);
    let services = collector.services(annotated, wired);
    collector.annotated_fields(&services);
    collector.references(wired, &services);
    collector.methods();
    collector.found
}

/// A service of the workspace: the interface by its name, and the class that answers.
type Services = FxHashMap<Sym, Vec<TypeId>>;

impl Collector<'_> {
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
            let method = self.input.method(id);
            let is_interface = self.symbols.type_kind(owner) == TypeKind::Interface;
            if is_interface && method.head.has_body {
                self.found.here.insert(id);
            }
            if is_interface && !method.head.has_body && !method.head.annotations.is_empty() {
                let scope = Scope { class: owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(id) };
                let row = method
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
            if let (Some(row), MemberKind::Method) = (dao, method.head.kind) {
                self.found.points.insert(id, row);
            }
        }
    }

    /// Services that the workspace itself offers.
    fn services(&self, annotated: &Annotated, wired: &Wired) -> Services {
        let mut found = Services::default();
        for &(_, name, _, class) in &wired.services {
            found.entry(name).or_default().push(class);
        }
        for &class in &annotated.exported {
            for up in self.symbols.above(class).iter().copied() {
                found.entry(Sym::new(self.symbols.type_name(up))).or_default().push(class);
            }
        }
        found
    }

    /// Fields with an annotation that says that they are outside.
    fn annotated_fields(&mut self, services: &Services) {
        for id in 0..self.symbols.fields.len() as FieldId {
            let info = &self.symbols.fields[id as usize];
            let head = &self.input.field(id).head;
            if head.annotations.is_empty() || self.input.is_test(info.owner) {
                continue;
            }
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
            for annotation in &head.annotations {
                let name = self.symbols.annotation(annotation, scope).1;
                let Some(row) = self.reference_row(name) else { continue };
                let bindings: Vec<&str> = annotation.values(&["binding.bindingType"]).map(Sym::as_str).collect();
                let in_process = if annotation.name.as_str() == "SofaReference" {
                    bindings.iter().all(|it| it.eq_ignore_ascii_case("jvm"))
                } else {
                    annotation.value(&["injvm"]).is_some_and(|it| it.as_str() == "true")
                };
                let interface = self.symbols.resolve(scope, info.ty.name());
                let written = if interface == UNKNOWN { info.ty.name() } else { Sym::new(self.symbols.type_name(interface)) };
                self.reference(Some(id), written, row, in_process, self.symbols.file_of_unit(info.unit), services);
            }
        }
    }

    /// A field that holds a service.
    fn reference(&mut self, field: Option<FieldId>, interface: Sym, row: u32, in_process: bool, file: u32, services: &Services) {
        match services.get(&interface) {
            Some(classes) if in_process => {
                // It stays in the process. What another module answers is a black box (paper §3.3.3).
                let own = self.module(file).to_owned();
                for &class in classes {
                    if self.symbols.own(class).is_some_and(|it| self.module(it.file) != own) {
                        self.proximal(class, interface, row);
                    }
                }
            }
            _ => {
                self.found.fields.extend(field.map(|it| (it, row)));
            }
        }
    }

    /// The methods by which a class answers for an interface.
    fn proximal(&mut self, class: TypeId, interface: Sym, row: u32) {
        let interface = self.symbols.qualified(interface.as_str());
        for (id, info) in self.symbols.methods.iter().enumerate().filter(|it| it.1.owner == interface) {
            for method in self.symbols.find_methods(class, info.name).into_iter().filter(|&it| self.symbols.same_parameters(id as MethodId, it)) {
                if self.input.method(method).head.has_body {
                    self.found.points.insert(method, row);
                }
            }
        }
    }

    /// The module of a file: what is before its source folder.
    fn module(&self, file: u32) -> &Path {
        module_of(&self.input.files[file as usize].path)
    }

    /// Whether a bean of a class of this module implements an interface.
    fn has_bean(&self, interface: TypeId, module: &Path) -> bool {
        let mut beans = self.beans.all.iter().filter(|it| self.symbols.own(it.class).is_some_and(|it| self.module(it.file) == module));
        beans.any(|it| self.symbols.is_subtype(it.class, interface))
    }

    /// References in files of wiring: fields that are injected with them, and all calls of interfaces that nothing in
    /// the workspace implements.
    fn references(&mut self, wired: &Wired, services: &Services) {
        // Name of the bean, interface, row, in the process, module.
        let mut found: Vec<(Option<Sym>, Sym, u32, bool, &Path)> = Vec::new();
        for file in self.input.wiring.iter().filter(|it| !it.is_test) {
            for reference in &file.facts.references {
                let (Some(interface), Some(row)) = (reference.interface, self.reference_row(annotation_of(reference.framework))) else { continue };
                let in_process = match reference.framework {
                    Framework::Sofa => reference.bindings.iter().all(|it| it.as_str() == "jvm"),
                    _ => reference.jvm_first == Some(true),
                };
                found.push((reference.id, interface, row, in_process, module_of(&file.path)));
            }
        }
        for &(name, interface, annotation) in &wired.proxies {
            found.extend(self.reference_row(annotation.as_str()).map(|row| (name, interface, row, false, Path::new(""))));
        }
        if found.is_empty() {
            return;
        }
        let mut by_interface: FxHashMap<Sym, Vec<FieldId>> = FxHashMap::default();
        for &field in &self.beans.injected {
            let info = &self.symbols.fields[field as usize];
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
            let declared = self.symbols.resolve(scope, info.ty.name());
            if declared != UNKNOWN {
                by_interface.entry(Sym::new(self.symbols.type_name(declared))).or_default().push(field);
            }
        }
        for (name, interface, row, in_process, module) in found {
            if in_process && let Some(classes) = services.get(&interface) {
                for &class in classes {
                    if self.symbols.own(class).is_some_and(|it| self.module(it.file) != module) {
                        self.proximal(class, interface, row);
                    }
                }
                continue;
            }
            let known = self.symbols.qualified(interface.as_str());
            let implemented = self.beans.is_managed(known);
            if !implemented {
                if self.symbols.is_own(known) {
                    self.found.classes.entry(known).or_insert(row);
                } else {
                    self.found.names.entry(interface).or_insert(row);
                }
                continue;
            }
            // Some bean of the workspace implements it too: the field's name or what it is wired with decides, and in a
            // module that has the reference and no such bean, that there is no other.
            let mut only_here: Option<bool> = None;
            for &field in by_interface.get(&interface).into_iter().flatten() {
                let info = &self.symbols.fields[field as usize];
                let by_name = Some(info.name) == name;
                let by_ref = wired.refs.get(&field).copied() == name && name.is_some();
                let mut by_type =
                    || self.module(self.symbols.file_of_unit(info.unit)) == module && *only_here.get_or_insert_with(|| !self.has_bean(known, module));
                if by_ref || (!wired.refs.contains_key(&field) && (by_name || by_type())) {
                    self.found.fields.insert(field, row);
                }
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

//! References to services: what bears an annotation or stands in a file of wiring, and where it goes from there.

use super::super::Bean;
use super::super::annotated::Annotated;
use super::super::inject::Injected;
use super::super::wired::Wired;
use super::{Collector, module_of};
use crate::catalogue::{ExternalHow, catalogue};
use crate::intern::{Sym, Ty};
use crate::java::annotations::Annotation;
use crate::java::decls::TypeKind;
use crate::link::symbols::{FieldId, MethodId, Scope, TypeId, UNKNOWN};
use crate::wiring::Framework;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::path::Path;

/// The annotation that stands for the services of a framework.
fn annotation_of(framework: Framework) -> &'static str {
    match framework {
        Framework::Sofa => "com.alipay.sofa.runtime.api.annotation.SofaReference",
        Framework::Hsf => "com.alibaba.boot.hsf.annotation.HSFConsumer",
        Framework::Dubbo | Framework::Motan | Framework::Cxf => "org.apache.dubbo.config.annotation.DubboReference",
    }
}

/// A reference to a service: the bean's name, the interface, the row, whether it stays in the process, the module.
pub(super) type Reference<'a> = (Option<Sym>, Sym, u32, bool, &'a Path);

/// A service of the workspace: the interface by its name, and the class that answers.
pub(super) type Services = FxHashMap<Sym, Vec<TypeId>>;

impl<'a> Collector<'a> {
    /// Interfaces that clients take their methods from: who gets one gets the client where nothing else is there. A class that
    /// is a client shares its interface with the server.
    pub(super) fn clients(&self) -> Vec<Reference<'a>> {
        let symbols = self.symbols;
        let mut found: Vec<(TypeId, TypeId, u32)> = Vec::new();
        let is_interface = |id: TypeId| symbols.is_own(id) && symbols.type_kind(id) == TypeKind::Interface;
        let is_client = |row: u32| catalogue().externals.row(row).how == ExternalHow::Client;
        for (&client, &row) in self.found.classes.iter().filter(|it| is_interface(*it.0) && is_client(*it.1)) {
            let is_other = |it: TypeId| is_interface(it) && !self.found.classes.contains_key(&it);
            let is_answered = |it: TypeId| self.is_implemented(it) && !self.beans.all.iter().any(|bean| self.answers(bean, it));
            found.extend(symbols.above(client).iter().filter(|&&it| is_other(it) && !is_answered(it)).map(|&it| (client, it, row)));
        }
        found.sort_unstable();
        let file = |client: TypeId| symbols.own(client).map_or(0, |it| it.file);
        found.into_iter().map(|(client, up, row)| (None, Sym::new(symbols.type_name(up)), row, false, self.module(file(client)))).collect()
    }

    /// Services that the workspace itself offers.
    pub(super) fn services(&self, annotated: &Annotated, wired: &Wired) -> Services {
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
    pub(super) fn annotated_fields(&mut self, services: &Services) {
        for id in 0..self.symbols.fields.len() as FieldId {
            let info = &self.symbols.fields[id as usize];
            let head = &self.input.field(id).head;
            if head.annotations.is_empty() || self.input.is_test(info.owner) {
                continue;
            }
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
            for annotation in &head.annotations {
                if let Some((row, in_process)) = self.annotated_reference(annotation, scope) {
                    let written = self.written(info.ty, scope);
                    self.reference(&[id], written, row, in_process, scope.file, services);
                }
            }
        }
    }

    /// The row of an annotation that says that something is outside, and whether it stays in the process.
    fn annotated_reference(&self, annotation: &Annotation, scope: Scope) -> Option<(u32, bool)> {
        if !catalogue().externals.may_be_reference(annotation.name) {
            return None;
        }
        let row = self.reference_row(self.symbols.annotation(annotation, scope).1)?;
        let in_process = if annotation.name.as_str() == "SofaReference" {
            annotation.values(&["binding.bindingType"]).all(|it| it.as_str().eq_ignore_ascii_case("jvm"))
        } else {
            annotation.value(&["injvm"]).is_some_and(|it| it.as_str() == "true")
        };
        Some((row, in_process))
    }

    /// The qualified name of a type, as far as it is known.
    fn written(&self, ty: Ty, scope: Scope) -> Sym {
        match self.symbols.resolve(scope, ty.name()) {
            UNKNOWN => ty.name(),
            class => Sym::new(self.symbols.type_name(class)),
        }
    }

    /// Parameters and setters with such an annotation. Gives the beans that methods with one make.
    pub(super) fn annotated_methods(&mut self, annotated: &Annotated, services: &Services) -> Vec<Reference<'a>> {
        let symbols = self.symbols;
        let mut beans = Vec::new();
        // Few methods have one, and most have other annotations.
        let input = self.input;
        let may_have = |id: &MethodId| {
            let head = &input.method(*id).head;
            let mut all = head.annotations.iter().chain(head.param_annotations.iter().map(|it| &it.1));
            all.any(|it| catalogue().externals.may_be_reference(it.name)) && !input.is_test(symbols.methods[*id as usize].owner)
        };
        let ids: Vec<MethodId> = (0..symbols.methods.len() as MethodId).into_par_iter().with_min_len(1024).filter(may_have).collect();
        for id in ids {
            let info = &symbols.methods[id as usize];
            let head = &input.method(id).head;
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(id) };
            let on_params = head.param_annotations.iter().map(|it| (usize::from(it.0), &it.1));
            // One on a setter is about what it gets.
            let on_method = head.annotations.iter().map(|it| (0, it)).filter(|_| head.params.len() == 1);
            for (i, annotation) in on_params.chain(on_method) {
                let Some((row, in_process)) = self.annotated_reference(annotation, scope) else { continue };
                let Some(param) = head.params.get(i) else { continue };
                let written = self.written(param.ty, scope);
                let fields: Vec<FieldId> = self.places.injected.kept.iter().filter(|it| it.method == id && it.param == i).map(|it| it.field).collect();
                if self.reference(&fields, written, row, in_process, scope.file, services) {
                    self.found.params.insert((id, i), row);
                }
            }
            if !head.params.is_empty() {
                continue;
            }
            for annotation in &head.annotations {
                let Some((row, in_process)) = self.annotated_reference(annotation, scope) else { continue };
                let Some(factory) = annotated.factories.iter().find(|it| it.method == id) else { continue };
                // `ReferenceBean<T>` stands for a T.
                let made = head.returns.map(|it| it.data().args.first().copied().unwrap_or(it));
                let file = scope.file;
                beans.extend(made.map(|it| (factory.names.first().copied(), self.written(it, scope), row, in_process, file)));
            }
        }
        beans.into_iter().map(|(name, interface, row, in_process, file)| (name, interface, row, in_process, self.module(file))).collect()
    }

    /// Fields that hold a service. Gives whether it is outside.
    fn reference(&mut self, fields: &[FieldId], interface: Sym, row: u32, in_process: bool, file: u32, services: &Services) -> bool {
        match services.get(&interface) {
            Some(classes) if in_process => {
                // It stays in the process. What another module answers is a black box (paper §3.3.3).
                let own = self.module(file).to_owned();
                for &class in classes {
                    if self.symbols.own(class).is_some_and(|it| self.module(it.file) != own) {
                        self.proximal(class, interface, row);
                    }
                }
                false
            }
            _ => {
                self.found.fields.extend(fields.iter().map(|&it| (it, row)));
                self.everywhere(interface, row);
                true
            }
        }
    }

    /// What no class of the workspace implements is outside wherever it goes from the field.
    fn everywhere(&mut self, interface: Sym, row: u32) {
        let known = self.symbols.qualified(interface.as_str());
        let Some(info) = self.symbols.own(known) else {
            if interface.as_str().contains('.') && !self.beans.all.iter().any(|it| self.symbols.is_subtype(it.class, known)) {
                self.found.names.entry(interface).or_insert(row);
            }
            return;
        };
        if info.head.get().kind == TypeKind::Interface && !self.is_implemented(known) {
            self.found.classes.entry(known).or_insert(row);
        }
    }

    /// Whether a class outside of tests is below an interface.
    fn is_implemented(&self, interface: TypeId) -> bool {
        let mut below = vec![interface];
        let mut next = 0;
        while let Some(&id) = below.get(next) {
            next += 1;
            for &sub in self.symbols.own(id).into_iter().flat_map(|it| &it.subs).filter(|&&it| !self.input.is_test(it)) {
                if self.symbols.type_kind(sub) != TypeKind::Interface {
                    return true;
                }
                if !below.contains(&sub) {
                    below.push(sub);
                }
            }
        }
        false
    }

    /// The methods by which a class answers for an interface and for those that it extends.
    fn proximal(&mut self, class: TypeId, interface: Sym, row: u32) {
        let interface = self.symbols.qualified(interface.as_str());
        let interfaces: Vec<TypeId> = self.symbols.ancestors(interface).collect();
        for (id, info) in self.symbols.methods.iter().enumerate().filter(|it| interfaces.contains(&it.1.owner)) {
            for method in self.symbols.find_methods(class, info.name).into_iter().filter(|&it| self.symbols.same_parameters(id as MethodId, it)) {
                if self.input.method(method).head.has_body {
                    self.found.points.insert(method, row);
                }
            }
        }
    }

    /// The module of a file: what is before its source folder.
    pub(super) fn module(&self, file: u32) -> &'a Path {
        module_of(&self.input.files[file as usize].path)
    }

    /// Whether a bean of a class of this module implements an interface.
    fn has_bean(&self, interface: TypeId, module: &Path) -> bool {
        let mut beans = self.beans.all.iter().filter(|it| self.symbols.own(it.class).is_some_and(|it| self.module(it.file) == module));
        beans.any(|it| self.answers(it, interface))
    }

    /// Whether a bean is an object of a class of the workspace that implements an interface. Of a method of the
    /// configuration it may only be known that it gives the interface.
    fn answers(&self, bean: &Bean, interface: TypeId) -> bool {
        self.symbols.type_kind(bean.class) != TypeKind::Interface && self.symbols.is_subtype(bean.class, interface)
    }

    /// References in files of wiring: fields that are injected with them, and all calls of interfaces that nothing in
    /// the workspace implements.
    pub(super) fn references(&mut self, wired: &Wired, made: Vec<Reference<'a>>, services: &Services) {
        let mut found = made;
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
            let implemented = self.beans.is_managed(known) && self.beans.all.iter().any(|it| self.answers(it, known));
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
                let Injected { qualifiers, places, .. } = self.places.injected;
                let by_name = Some(places.get(&field).copied().unwrap_or(info.name)) == name;
                let by_ref = qualifiers.get(&field).copied() == name && name.is_some();
                let mut by_type =
                    || self.module(self.symbols.file_of_unit(info.unit)) == module && *only_here.get_or_insert_with(|| !self.has_bean(known, module));
                if by_ref || (!qualifiers.contains_key(&field) && (by_name || by_type())) {
                    self.found.fields.insert(field, row);
                }
            }
        }
    }
}

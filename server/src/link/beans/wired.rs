//! Beans that files of wiring make, and what those say of the beans of annotations.

use super::annotated::{Annotated, Exports, default_name, returned};
use super::{Bean, Beans, Input, marks};
use crate::catalogue::catalogue;
use crate::facts::graph::{NodeKind, WriteKind};
use crate::intern::Sym;
use crate::java::decls::Flags;
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use crate::wiring::{Autowire, BeanDef, Framework, Value, WiringFacts};
use rustc_hash::FxHashMap;

/// Parents of parents of definitions are followed this far: they may go in circles.
const MAX_PARENTS: usize = 16;

/// What files of wiring say besides beans.
#[derive(Default)]
pub struct Wired {
    /// Fields that setters and constructors fill.
    pub fields: Vec<FieldId>,
    /// The names of the beans that they get.
    pub refs: FxHashMap<FieldId, Sym>,
    /// Interfaces of services that this process offers: interface, its name as written, framework, class.
    pub services: Vec<(TypeId, Sym, Framework, TypeId)>,
    /// Proxies told by the class of the bean: the bean's name, the interface, the row's type or annotation.
    pub proxies: Vec<(Option<Sym>, Sym, Sym)>,
    /// Mapper interfaces.
    pub mappers: Vec<Sym>,
    /// Packages of mappers, with an annotation or a supertype that they must have.
    pub mapper_packages: Vec<(Sym, Option<Sym>)>,
}

/// A definition and the file it is in.
type Def<'a> = (&'a WiringFacts, &'a BeanDef);

struct Collector<'a> {
    symbols: &'a Symbols,
    input: &'a Input<'a>,
    by_name: FxHashMap<Sym, Vec<Def<'a>>>,
    exports: Exports,
    /// Methods that beans of libraries call by their names.
    called: Vec<(TypeId, Sym)>,
    wired: Wired,
}

/// Adds the beans and the roles of their methods.
pub(super) fn collect(input: &Input<'_>, annotated: &Annotated, beans: &mut Beans) -> Wired {
    let mut collector =
        Collector { symbols: input.symbols, input, by_name: FxHashMap::default(), exports: Exports::default(), called: Vec::new(), wired: Wired::default() };
    for facts in input.wiring() {
        for def in &facts.beans {
            for name in def.all_names() {
                collector.by_name.entry(name).or_default().push((facts, def));
            }
        }
        for &(name, alias) in &facts.aliases {
            let meant = collector.by_name.get(&name).cloned().unwrap_or_default();
            collector.by_name.entry(alias).or_default().extend(meant);
        }
    }
    for facts in input.wiring() {
        for def in &facts.beans {
            collector.bean((facts, def), beans);
        }
        for service in &facts.services {
            collector.service(facts, service, beans);
        }
        for entry in &facts.entries {
            let class = match entry.inner.and_then(|it| facts.beans.get(it as usize)) {
                Some(def) => collector.class_of((facts, def)),
                None => collector.named(entry.bean, beans),
            };
            if let Some(method) = entry.method {
                for id in collector.symbols.find_methods(class, method) {
                    beans.roles.entry(id).or_default().entry = true;
                }
            }
        }
        collector.wired.mappers.extend(facts.mappers.iter().filter(|_| facts.kind != crate::wiring::WiringKind::IBatisSqlMap).filter_map(|it| it.namespace));
        for scan in facts.mapper_scans.iter().filter(|it| it.module.as_str() == "mybatis") {
            let only = scan.annotation.or(scan.marker);
            collector.wired.mapper_packages.extend(scan.packages.iter().map(|&it| (it, only)));
        }
    }
    for (class, method) in std::mem::take(&mut collector.called) {
        for id in collector.symbols.find_methods(class, method) {
            beans.roles.entry(id).or_default().entry = true;
        }
    }
    for &(bean, method) in &annotated.callbacks {
        let class = collector.named(Some(bean), beans);
        for id in collector.symbols.find_methods(class, method) {
            beans.roles.entry(id).or_default().entry = true;
        }
    }
    collector.exports.note(collector.symbols, beans);
    collector.wired
}

impl<'a> Collector<'a> {
    fn parent(&self, def: Def<'a>) -> Option<Def<'a>> {
        let named = self.by_name.get(&def.1.parent?)?;
        named.iter().copied().find(|it| !std::ptr::eq(it.1, def.1))
    }

    /// A definition and those that it inherits from.
    fn lineage(&self, def: Def<'a>) -> Vec<Def<'a>> {
        let mut found = vec![def];
        while found.len() < MAX_PARENTS
            && let Some(up) = self.parent(found[found.len() - 1])
        {
            found.push(up);
        }
        found
    }

    /// The class of the object that a definition makes.
    fn class_of(&self, def: Def<'a>) -> TypeId {
        let lineage = self.lineage(def);
        let class = lineage.iter().find_map(|it| it.1.class).map_or(UNKNOWN, |it| self.class(it));
        let Some(made_by) = lineage.iter().find_map(|it| it.1.factory_method) else { return class };
        let maker = match lineage.iter().find_map(|it| it.1.factory_bean) {
            Some(bean) => match self.by_name.get(&bean).and_then(|it| it.first()) {
                // A factory that is made by a factory is not followed.
                Some(factory) => self.lineage(*factory).iter().find_map(|it| it.1.class).map_or(UNKNOWN, |it| self.class(it)),
                None => UNKNOWN,
            },
            None => class,
        };
        for id in self.symbols.find_methods(maker, made_by) {
            let info = &self.symbols.methods[id as usize];
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(id) };
            let method = self.input.method(id);
            let mut made = returned(&method.graph).into_iter().chain(method.head.returns).map(|it| self.symbols.resolve(scope, it.name()));
            if let Some(made) = made.find(|&it| self.symbols.is_own(it)) {
                return made;
            }
        }
        UNKNOWN
    }

    /// The class of this name, nested ones with `$`.
    fn class(&self, name: Sym) -> TypeId {
        let text = name.as_str();
        self.symbols.qualified(&text.replace('$', "."))
    }

    /// The class of the bean of this name, also of one that annotations make.
    fn named(&self, name: Option<Sym>, beans: &Beans) -> TypeId {
        let Some(name) = name else { return UNKNOWN };
        let defined = self.by_name.get(&name).and_then(|it| it.first()).map(|it| self.class_of(*it));
        defined.or_else(|| beans.all.iter().find(|it| it.names.contains(&name)).map(|it| it.class)).unwrap_or(UNKNOWN)
    }

    fn bean(&mut self, def: Def<'a>, beans: &mut Beans) {
        let lineage = self.lineage(def);
        let written = lineage.iter().find_map(|it| it.1.class);
        self.proxy(def, written, beans);
        let class = self.class_of(def);
        if !self.symbols.is_own(class) || def.1.is_abstract {
            return;
        }
        let scope = lineage.iter().find_map(|it| it.1.scope);
        let mut names: Vec<Sym> = def.1.all_names().collect();
        if names.is_empty() {
            names.push(default_name(self.symbols, class));
        }
        let bean = Bean { class, names, primary: def.1.primary, conditional: false, singleton: scope.is_none_or(|it| marks::is_shared(it.as_str())) };
        if !beans.all.contains(&bean) {
            beans.all.push(bean);
        }
        let first = |of: fn(&BeanDef) -> Option<Sym>| lineage.iter().find_map(|it| of(it.1));
        for name in first(|it| it.init_method).or(first(|it| it.default_init)).into_iter() {
            for id in self.own_methods(class, name) {
                beans.roles.entry(id).or_default().start_up = true;
            }
        }
        for name in first(|it| it.destroy_method).or(first(|it| it.default_destroy)).into_iter() {
            for id in self.own_methods(class, name) {
                beans.roles.entry(id).or_default().entry = true;
            }
        }
        for (_, up) in &lineage {
            for property in &up.properties {
                let held = if let Value::Ref(name) = &property.value { Some(*name) } else { None };
                self.property(class, property.name, held, beans);
            }
            for arg in &up.constructor_args {
                if let (Value::Ref(name), Some(param)) = (&arg.value, arg.name.or_else(|| self.parameter(class, arg.index))) {
                    self.wired.refs.extend(self.symbols.find_field(class, param).map(|it| (it, *name)));
                }
            }
        }
        if lineage.iter().any(|it| matches!(it.1.autowire, Autowire::ByName | Autowire::ByType | Autowire::Autodetect)) {
            self.autowire(class, beans);
        }
    }

    /// Methods without parameters, as the container calls them.
    fn own_methods(&self, class: TypeId, name: Sym) -> Vec<MethodId> {
        let found = self.symbols.find_methods(class, name).into_iter();
        found.filter(|&it| self.symbols.methods[it as usize].arity == 0).take(1).collect()
    }

    /// The name of a constructor's parameter.
    fn parameter(&self, class: TypeId, index: Option<u32>) -> Option<Sym> {
        let constructors = self.symbols.declared_methods(class, Sym::new("<init>"));
        let found = constructors.iter().find_map(|&it| self.input.method(it).head.params.get(index? as usize));
        found.map(|it| it.name)
    }

    /// A property: its setter is called by the container.
    fn property(&mut self, class: TypeId, name: Sym, held: Option<Sym>, beans: &mut Beans) {
        for id in self.symbols.find_methods(class, setter_name(name)).into_iter().filter(|&it| self.symbols.methods[it as usize].arity == 1) {
            beans.setters.insert(id);
            let info = &self.symbols.methods[id as usize];
            let graph = &self.input.method(id).graph;
            for write in graph.writes.iter().filter(|it| it.kind == WriteKind::Assign) {
                let mut node = write.value;
                while let NodeKind::Typed(inner, _) = graph.nodes[node as usize].kind {
                    node = inner;
                }
                let field = self.symbols.find_field(info.owner, write.name).filter(|&it| !self.symbols.fields[it as usize].flags.has(Flags::STATIC));
                if let (NodeKind::Param(0), Some(field)) = (graph.nodes[node as usize].kind, field) {
                    self.wired.fields.push(field);
                    self.wired.refs.extend(held.map(|it| (field, it)));
                }
            }
        }
    }

    /// Every setter is called that something could be found for.
    fn autowire(&mut self, class: TypeId, beans: &mut Beans) {
        let classes: Vec<TypeId> = self.symbols.ancestors(class).filter(|&it| self.symbols.is_own(it)).collect();
        let fields: Vec<Sym> = self.symbols.fields.iter().filter(|it| classes.contains(&it.owner) && !it.flags.has(Flags::STATIC)).map(|it| it.name).collect();
        for name in fields {
            let setter = self.symbols.find_methods(class, setter_name(name));
            // Values without a bean of that name are left alone.
            let known = self.by_name.contains_key(&name) || self.is_reference(name) || beans.all.iter().any(|it| it.names.contains(&name));
            if known && !setter.is_empty() {
                self.property(class, name, Some(name), beans);
            }
        }
    }

    fn is_reference(&self, name: Sym) -> bool {
        self.input.wiring().any(|it| it.references.iter().any(|it| it.id == Some(name)))
    }

    /// The class of the bean that a value means.
    fn held(&self, def: Def<'a>, value: &Value, beans: &Beans) -> TypeId {
        match value {
            Value::Ref(name) => self.named(Some(*name), beans),
            Value::Inner(index) => def.0.beans.get(*index as usize).map_or(UNKNOWN, |it| self.class_of((def.0, it))),
            _ => UNKNOWN,
        }
    }

    /// A bean whose class says that it stands for something else.
    fn proxy(&mut self, def: Def<'a>, class: Option<Sym>, beans: &Beans) {
        let Some(class) = class else { return };
        for row in catalogue().proxies.iter().filter(|it| it.class == class.as_str()) {
            let property = |name: &str| def.1.properties.iter().find(|it| it.name.as_str() == name).map(|it| &it.value);
            if row.role == "entry" {
                let (name, usual) = row.property.split_once('=').unwrap_or((row.property, ""));
                let method = if let Some(Value::Text(said)) = property(name) { *said } else { Sym::new(usual) };
                let target = property(row.row).or_else(|| def.1.constructor_args.first().map(|it| &it.value));
                let class = target.map_or(UNKNOWN, |it| self.held(def, it, beans));
                self.called.push((class, method));
                continue;
            }
            let Some(Value::Text(said)) = property(row.property) else { continue };
            match row.role {
                "reference" => self.wired.proxies.push((def.1.name(), *said, Sym::new(row.row))),
                "mapper" => self.wired.mappers.push(*said),
                "mapper-scan" => {
                    let only = ["annotationClass", "markerInterface"].iter().find_map(|it| match property(it) {
                        Some(Value::Text(name)) => Some(*name),
                        _ => None,
                    });
                    let packages = said.as_str().split([',', ';', ' ', '\n', '\t']).map(str::trim).filter(|it| !it.is_empty());
                    self.wired.mapper_packages.extend(packages.map(|it| (Sym::new(it), only)));
                }
                "service" => {
                    let target = property(row.row).map_or(UNKNOWN, |it| self.held(def, it, beans));
                    self.export(*said, target, Framework::Hsf);
                }
                _ => {}
            }
        }
    }

    fn service(&mut self, facts: &'a WiringFacts, service: &crate::wiring::Service, beans: &Beans) {
        let target = match (service.inner.and_then(|it| facts.beans.get(it as usize)), service.class) {
            (Some(def), _) => self.class_of((facts, def)),
            (None, Some(class)) => self.class(class),
            (None, None) => self.named(service.target, beans),
        };
        if let Some(interface) = service.interface {
            self.export(interface, target, service.framework);
        }
    }

    fn export(&mut self, interface: Sym, class: TypeId, framework: Framework) {
        let known = self.class(interface);
        if self.symbols.is_own(class) {
            if self.symbols.is_own(known) {
                self.exports.class_as(class, known);
            } else {
                self.exports.class(self.symbols, class);
            }
        }
        self.wired.services.push((known, interface, framework, class));
    }
}

/// `setName` for `name`.
pub(super) fn setter_name(property: Sym) -> Sym {
    let text = property.as_str();
    let mut chars = text.chars();
    let first = chars.next().map(|it| it.to_uppercase().collect::<String>()).unwrap_or_default();
    Sym::new(&format!("set{first}{}", chars.as_str()))
}

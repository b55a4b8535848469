//! Beans that annotations make.

use super::given::Factory;
use super::marks::{self, Marks, Reader};
use super::{Bean, Beans, Input, callbacks, pushed, scans, wired};
use crate::catalogue::{Role as AnnotationRole, catalogue};
use crate::facts::Role;
use crate::facts::graph::{Graph, NodeKind, SinkKind};
use crate::intern::{Sym, Ty};
use crate::java::annotations::Annotation;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::java::ops::CallForm;
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What annotations say of fields: who sets them.
pub struct Annotated {
    /// Fields with an annotation that says something.
    pub fields: Vec<(FieldId, Marks)>,
    /// Parameters with one, and setters as their only parameter.
    pub params: Vec<(MethodId, usize, Marks)>,
    /// Packages of MyBatis mappers, with the annotation or interface that mappers in them have.
    pub mapper_packages: Vec<(Sym, Option<Sym>)>,
    /// Factory methods: what they make is a bean.
    pub factories: Vec<Factory>,
    /// Classes whose interfaces are called from outside.
    pub exported: Vec<TypeId>,
    /// Methods of beans that a reference to a service calls: the bean's name, the method's.
    pub callbacks: Vec<(Sym, Sym)>,
}

/// Arguments of a Dubbo reference that name a method: `@DubboReference(methods = @Method(onreturn = "bean.method"))`.
const CALLBACKS: &[&str] = &["methods.oninvoke", "methods.onreturn", "methods.onthrow"];

/// Arguments of Lombok's `@Setter` with annotations that the setter gets: `@Setter(onMethod_ = @Autowired)`.
const ON_SETTER: &[&str] = &["onMethod_.@", "onMethod__.@", "onMethod.@", "onMethod.value.@"];

/// What has annotations that say something, outside of test sources, each list by number.
struct Marked {
    types: Vec<(TypeId, Marks)>,
    methods: Vec<(MethodId, Marks)>,
    fields: Vec<(FieldId, Marks)>,
    params: Vec<(MethodId, usize, Marks)>,
}

impl Marked {
    fn read(input: &Input<'_>, reader: &Reader<'_>) -> Marked {
        let symbols = input.symbols;
        let says = |marks: Marks| (marks != Marks::default()).then_some(marks);
        let of_type = |index: u32| {
            let id = TypeId(symbols.n_lib + index);
            let info = symbols.own(id)?;
            let head = info.head.get();
            let is_marked = head.flags.has(Flags::MARKED_BEAN);
            if (head.annotations.is_empty() && !is_marked) || head.kind == TypeKind::Annotation || input.is_test(id) {
                return None;
            }
            let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
            let mut marks = reader.read(&head.annotations, scope);
            marks.bean |= is_marked;
            Some((id, says(marks)?))
        };
        let of_method = |id: MethodId| {
            let head = &input.method(id).head;
            if head.annotations.is_empty() || head.kind != MemberKind::Method || input.is_test(symbols.methods[id as usize].owner) {
                return None;
            }
            Some((id, says(reader.read(&head.annotations, method_scope(symbols, id)))?))
        };
        let of_field = |id: FieldId| {
            let info = &symbols.fields[id as usize];
            let head = &input.field(id).head;
            if head.annotations.is_empty() || info.enum_constant || input.is_test(info.owner) {
                return None;
            }
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: None };
            // A setter that Lombok makes may be what is injected.
            let marks = reader.read(&head.annotations, scope);
            let on_setter = head.annotations.iter().any(|it| it.values(ON_SETTER).next().is_some());
            if on_setter { Some((id, marks)) } else { Some((id, says(marks)?)) }
        };
        let of_params = |id: MethodId| {
            let head = &input.method(id).head;
            if head.param_annotations.is_empty() || input.is_test(symbols.methods[id as usize].owner) {
                return Vec::new();
            }
            let each = head.param_annotations.iter().map(|it| (id, usize::from(it.0), reader.read(std::slice::from_ref(&it.1), method_scope(symbols, id))));
            each.collect()
        };
        Marked {
            types: (0..symbols.types.len() as u32).into_par_iter().with_min_len(256).filter_map(of_type).collect(),
            methods: (0..symbols.methods.len() as u32).into_par_iter().with_min_len(1024).filter_map(of_method).collect(),
            fields: (0..symbols.fields.len() as u32).into_par_iter().with_min_len(1024).filter_map(of_field).collect(),
            params: (0..symbols.methods.len() as u32).into_par_iter().with_min_len(1024).flat_map_iter(of_params).collect(),
        }
    }
}

fn method_scope(symbols: &Symbols, id: MethodId) -> Scope {
    let info = &symbols.methods[id as usize];
    Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(id) }
}

/// Adds the beans, and what pushes into fields.
pub(super) fn collect(input: &Input<'_>, beans: &mut Beans) -> Annotated {
    let symbols = input.symbols;
    let scans::Included { annotations: named, classes: included } = scans::included(input);
    let reader = Reader::new(symbols, input.listed, &named);
    let Marked { types, methods, fields, params } = Marked::read(input, &reader);
    let mut found = Annotated { fields: Vec::new(), params, mapper_packages: Vec::new(), factories: Vec::new(), exported: Vec::new(), callbacks: Vec::new() };
    let mut pushed_properties = None;
    let mut exports = Exports::default();
    let mut refreshed: Vec<TypeId> = Vec::new();
    let mut pushed_types: Vec<(TypeId, Sym)> = Vec::new();
    for (id, marks) in types {
        let Some(info) = symbols.own(id) else { continue };
        let head = info.head.get();
        let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
        if marks.pushed_properties {
            pushed_properties = Some(Sym::new("EnableApolloConfig"));
        }
        if marks.refreshed {
            refreshed.push(id);
        }
        if let Some(by) = marks.pushed {
            pushed_types.push((id, by));
        }
        beans.note_calls(symbols, &marks.calls, scope);
        for &name in &marks.imports {
            let class = symbols.resolve(scope, name);
            if symbols.is_own(class) {
                add(beans, symbols, class, &Marks::default());
            }
        }
        if let Some(packages) = &marks.mapper_packages {
            let own_package = info.name.rsplit_once('.').map_or("", |it| it.0);
            let named = packages.iter().map(|&it| {
                // A class stands for its package.
                let class = if it.as_str().ends_with(|c: char| c.is_alphanumeric()) { symbols.resolve(scope, it) } else { UNKNOWN };
                symbols.own(class).and_then(|it| it.name.rsplit_once('.')).map_or(it, |it| Sym::new(it.0))
            });
            let only = marks.mapper_only.map(|it| match symbols.resolve(scope, it) {
                UNKNOWN => it,
                class => Sym::new(symbols.type_name(class)),
            });
            found.mapper_packages.extend(named.map(|it| (it, only)));
            if packages.is_empty() {
                found.mapper_packages.push((Sym::new(own_package), only));
            }
        }
        if marks.bean && matches!(head.kind, TypeKind::Class | TypeKind::Record) {
            add(beans, symbols, id, &marks);
            if marks.export {
                exports.class(symbols, id);
                found.exported.push(id);
            }
        }
    }
    exports.note(symbols, beans);
    for class in included {
        add(beans, symbols, class, &Marks::default());
    }
    for (id, mut marks) in methods {
        let method = input.method(id);
        let info = &symbols.methods[id as usize];
        let scope = method_scope(symbols, id);
        beans.note_calls(symbols, &marks.calls, scope);
        if marks.entry || marks.start_up || marks.inject {
            let role = beans.roles.entry(id).or_default();
            *role = Role { entry: role.entry | marks.entry, start_up: role.start_up | marks.start_up, injected: role.injected | marks.inject, mock: role.mock };
        }
        if let Some(by) = marks.pushed.or_else(|| refreshed.contains(&info.owner).then(|| Sym::new("RefreshScope")).filter(|_| marks.inject)) {
            pushed::by_method(input, id, by, beans);
        }
        if marks.factory {
            marks.narrow |= marks.unscoped && !marks.bean;
            marks.conditional |= symbols.own(info.owner).is_some_and(|it| marks::is_conditional(&it.head.get().annotations));
            if marks.names.is_empty() {
                marks.names.push(info.name);
            }
            let declared = method.head.returns.map_or(UNKNOWN, |it| symbols.resolve(scope, it.name()));
            let mut classes: Vec<TypeId> = returned(&method.graph).into_iter().map(|it| symbols.resolve(scope, it.name())).collect();
            if !classes.iter().any(|&it| symbols.is_own(it)) {
                classes.push(declared);
            }
            classes.sort_unstable();
            classes.dedup();
            for class in classes.into_iter().filter(|&it| symbols.is_own(it)) {
                add(beans, symbols, class, &marks);
                life_cycle(beans, symbols, class, &method.head.annotations);
            }
            beans.factories.insert(id);
            found.factories.push(Factory { method: id, names: marks.names, primary: marks.primary, conditional: marks.conditional });
        } else if info.arity == 1 && (marks.inject || marks.qualifier.is_some()) {
            found.params.push((id, 0, marks));
        }
    }
    for (id, mut marks) in fields {
        let info = &symbols.fields[id as usize];
        let has_value = crate::java::annotations::has(&input.field(id).head.annotations, "Value");
        if let Some(by) = marks.pushed.or(pushed_properties.filter(|_| has_value && marks.inject)) {
            beans.pushed.insert(id, by);
        } else if refreshed.contains(&info.owner) && has_value {
            beans.pushed.insert(id, Sym::new("RefreshScope"));
        }
        let setters: Vec<Sym> = input.field(id).head.annotations.iter().flat_map(|it| it.values(ON_SETTER)).collect();
        if setters.iter().any(|&it| catalogue().annotations.of(it).iter().any(|it| it.role == AnnotationRole::Inject)) {
            marks.inject = true;
            let made = symbols.find_methods(info.owner, wired::setter_name(info.name));
            made.into_iter().for_each(|it| beans.roles.entry(it).or_default().injected = true);
        }
        let named = input.field(id).head.annotations.iter().flat_map(|it| it.values(CALLBACKS));
        found.callbacks.extend(named.filter_map(|it| it.as_str().rsplit_once('.')).map(|it| (Sym::new(it.0), Sym::new(it.1))));
        found.fields.push((id, marks));
    }
    pushed::bound_properties(input, beans, &refreshed);
    pushed::made_anew(input, beans, &refreshed);
    pushed::properties(input, beans, &pushed_types);
    aware_setters(input, beans);
    callbacks::of_interfaces(input, beans);
    callbacks::of_annotations(input, beans);
    found
}

/// `setX` of a class below an interface `XAware`: the container calls it, as the convention of Spring and SOFA has it.
fn aware_setters(input: &Input<'_>, beans: &mut Beans) {
    let symbols = input.symbols;
    for (id, info) in symbols.methods.iter().enumerate().filter(|it| it.1.arity == 1) {
        let Some(what) = info.name.as_str().strip_prefix("set").filter(|it| !it.is_empty()) else { continue };
        let Some(aware) = Sym::find(&format!("{what}Aware")) else { continue };
        let is_aware = |up: &TypeId| symbols.type_name(*up).rsplit('.').next() == Some(aware.as_str());
        if symbols.ancestors(info.owner).any(|up| is_aware(&up)) {
            beans.roles.entry(id as MethodId).or_default().injected = true;
        }
    }
}

/// `@Bean(initMethod = "open", destroyMethod = "close")`: the container calls these methods of what is made.
fn life_cycle(beans: &mut Beans, symbols: &Symbols, class: TypeId, annotations: &[Annotation]) {
    let mut note = |key: &'static str, note: fn(&mut Role)| {
        for name in annotations.iter().filter_map(|it| it.value(&[key])) {
            for id in symbols.find_methods(class, name).into_iter().filter(|&it| symbols.methods[it as usize].arity == 0) {
                note(beans.roles.entry(id).or_default());
            }
        }
    };
    note("initMethod", |it| it.start_up = true);
    note("destroyMethod", |it| it.entry = true);
}

/// Adds a bean; a class that has one of the same name already is the same bean.
fn add(beans: &mut Beans, symbols: &Symbols, class: TypeId, marks: &Marks) {
    let names = if marks.names.is_empty() { vec![default_name(symbols, class)] } else { marks.names.clone() };
    let bean = Bean { class, names, primary: marks.primary, conditional: marks.conditional, singleton: !marks.narrow };
    if !beans.all.contains(&bean) {
        beans.all.push(bean);
    }
}

/// The name that a bean has if nobody gives it one: its class's, decapitalised as `java.beans.Introspector` does it.
pub(super) fn default_name(symbols: &Symbols, class: TypeId) -> Sym {
    let name = symbols.own(class).map_or("", |it| it.head.get().name.as_str());
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_uppercase() => Sym::new(name),
        (Some(first), _) => Sym::new(&first.to_lowercase().chain(name.chars().skip(1)).collect::<String>()),
        (None, _) => Sym::new(""),
    }
}

/// Classes that callers outside the process call, each with the interfaces that they know it by.
#[derive(Default)]
pub(super) struct Exports {
    by_interface: FxHashMap<TypeId, Vec<TypeId>>,
    /// Of these, an interface is not here: any public method may be meant.
    open: FxHashSet<TypeId>,
}

impl Exports {
    /// A class by all its interfaces.
    pub fn class(&mut self, symbols: &Symbols, class: TypeId) {
        for up in symbols.above(class).iter().copied() {
            if symbols.is_own(up) && symbols.type_kind(up) == TypeKind::Interface {
                self.class_as(class, up);
            }
        }
        if symbols.own(class).is_some_and(|it| it.open) {
            self.open.insert(class);
        }
    }

    /// A class by one interface.
    pub fn class_as(&mut self, class: TypeId, interface: TypeId) {
        self.by_interface.entry(interface).or_default().push(class);
    }

    /// Notes that their methods are called.
    pub fn note(&self, symbols: &Symbols, beans: &mut Beans) {
        if self.by_interface.is_empty() && self.open.is_empty() {
            return;
        }
        for (id, info) in symbols.methods.iter().enumerate() {
            let id = id as MethodId;
            if self.open.contains(&info.owner) && info.flags.has(Flags::PUBLIC) {
                beans.roles.entry(id).or_default().entry = true;
            }
            for &class in self.by_interface.get(&info.owner).into_iter().flatten() {
                for method in symbols.find_methods(class, info.name).into_iter().filter(|&it| symbols.same_parameters(id, it)) {
                    beans.roles.entry(method).or_default().entry = true;
                }
            }
        }
    }
}

/// The classes of the new objects that a method returns.
pub(super) fn returned(graph: &Graph) -> Vec<Ty> {
    let mut found = Vec::new();
    for sink in graph.sinks.iter().filter(|it| it.kind == SinkKind::Return) {
        let mut open = vec![sink.value];
        let mut seen = Vec::new();
        while let Some(node) = open.pop() {
            if seen.contains(&node) || node as usize >= graph.nodes.len() {
                continue;
            }
            seen.push(node);
            match graph.nodes[node as usize].kind {
                NodeKind::Typed(..) | NodeKind::After(_, 0) | NodeKind::Gained(..) => open.extend(graph.same_object(node)),
                NodeKind::Phi(list) => open.extend(graph.list(list)),
                NodeKind::Call(call) if graph.calls[call as usize].form == CallForm::New => found.extend(graph.calls[call as usize].ty),
                _ => {}
            }
        }
    }
    found
}

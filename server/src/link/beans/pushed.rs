//! Fields that get other values while the service runs, since a configuration service sets them or their bean is made anew.

use super::{Beans, Input};
use crate::facts::graph::{NodeKind, WriteKind};
use crate::intern::Sym;
use crate::java::annotations;
use crate::java::decls::Flags;
use crate::link::symbols::{FieldId, MethodId, TypeId};

/// What a method writes to fields of its class as it gets it is pushed.
pub(super) fn by_method(input: &Input<'_>, id: MethodId, by: Sym, beans: &mut Beans) {
    let symbols = input.symbols;
    let info = &symbols.methods[id as usize];
    let graph = &input.method(id).graph;
    for write in graph.writes.iter().filter(|it| it.kind == WriteKind::Assign) {
        let mut node = write.value;
        while let NodeKind::Typed(inner, _) = graph.nodes[node as usize].kind {
            node = inner;
        }
        let NodeKind::Param(index) = graph.nodes[node as usize].kind else { continue };
        let field = symbols.find_field(info.owner, write.name).filter(|&it| !symbols.fields[it as usize].flags.has(Flags::STATIC));
        // Beans that it gets stay what they are; only configured values are others.
        if let Some(field) = field.filter(|_| is_setting(input, id, index)) {
            beans.pushed.insert(field, by);
        }
    }
}

/// Whether a parameter has a type that configured values have.
fn is_setting(input: &Input<'_>, id: MethodId, index: u32) -> bool {
    let Some(param) = input.method(id).head.params.get(index as usize) else { return false };
    let name = param.ty.data().name.as_str();
    let is_number = |it: &str| matches!(it, "int" | "long" | "boolean" | "double" | "float" | "short" | "byte" | "char" | "BigDecimal");
    let is_boxed = |it: &str| matches!(it, "Integer" | "Long" | "Boolean" | "Double" | "Float" | "Short" | "String");
    let is_other = |it: &str| matches!(it, "List" | "Set" | "Map" | "Duration" | "DataSize" | "URI" | "URL");
    let simple = name.rsplit('.').next().unwrap_or(name);
    is_number(simple) || is_boxed(simple) || is_other(simple)
}

/// A bean that is made anew when the configuration changes gets other values in its constructor.
pub(super) fn made_anew(input: &Input<'_>, beans: &mut Beans, refreshed: &[TypeId]) {
    if refreshed.is_empty() {
        return;
    }
    let symbols = input.symbols;
    for (id, info) in symbols.methods.iter().enumerate().filter(|it| refreshed.contains(&it.1.owner)) {
        if symbols.is_named_init(id as MethodId) && info.arity > 0 {
            by_method(input, id as MethodId, Sym::new("RefreshScope"), beans);
        }
    }
}

/// Properties that are bound by name: their setters are called by the container.
pub(super) fn bound_properties(input: &Input<'_>, beans: &mut Beans, refreshed: &[TypeId]) {
    let symbols = input.symbols;
    let is_bound = |class: TypeId| symbols.own(class).is_some_and(|it| annotations::has(&it.head.get().annotations, "ConfigurationProperties"));
    for (id, info) in symbols.methods.iter().enumerate() {
        if info.arity == 1 && info.name.as_str().starts_with("set") && is_bound(info.owner) {
            beans.setters.insert(id as MethodId);
        }
    }
    for (id, info) in symbols.fields.iter().enumerate().filter(|it| refreshed.contains(&it.1.owner)) {
        if is_bound(info.owner) {
            beans.pushed.insert(id as FieldId, Sym::new("RefreshScope"));
        }
    }
}

/// Classes of which a configuration service sets all properties, each with the annotation that says so.
pub(super) fn properties(input: &Input<'_>, beans: &mut Beans, classes: &[(TypeId, Sym)]) {
    let is_property = |flags: Flags| !flags.has(Flags::STATIC) && !flags.has(Flags::FINAL);
    for &(class, by) in classes {
        let own = input.symbols.fields.iter().enumerate().filter(|it| it.1.owner == class && is_property(it.1.flags));
        beans.pushed.extend(own.map(|it| (it.0 as FieldId, by)));
    }
}

//! One bean: its attributes, and the elements directly in it.

use super::values::{reference_or_text, take_all, take_first, take_pairs};
use super::{Spring, elements, list};
use crate::intern::Sym;
use crate::wiring::namespaces::Ns;
use crate::wiring::xml::{NONE, cut};
use crate::wiring::{Arg, Autowire, BeanDef, Lookup, Property, Value};

pub(super) fn autowire(text: &str) -> Autowire {
    match text {
        "byName" => Autowire::ByName,
        "byType" => Autowire::ByType,
        "constructor" => Autowire::Constructor,
        "autodetect" => Autowire::Autodetect,
        _ => Autowire::No,
    }
}

/// Reads the start tag of a bean.
pub(super) fn head(spring: &mut Spring<'_, '_>, element: usize) {
    let Some(index) = spring.bean(element) else { return };
    let (tree, it) = (spring.tree, &spring.tree.elements[element]);
    let class = elements::class(tree, element);
    let scope = &spring.scopes[spring.scope_of[element] as usize];
    let sym = |name: &str| tree.get(element, name).map(Sym::new);
    // `default` asks for what `<beans>` says.
    let get = |name: &str| tree.get(element, name).filter(|it| *it != "default");
    let is = |name: &str, default: bool| get(name).map_or(default, |it| it == "true");
    let prototype = get("singleton").filter(|it| *it == "false").map(|_| Sym::new("prototype"));
    let mut bean = BeanDef {
        id: sym("id"),
        names: if it.ns == Ns::Beans { tree.get(element, "name").map(list).unwrap_or_default() } else { Vec::new() },
        class: class.map(Sym::new).or_else(|| sym("class")),
        parent: sym("parent"),
        is_abstract: is("abstract", false),
        scope: sym("scope").or(prototype),
        factory_bean: sym("factory-bean"),
        factory_method: sym("factory-method"),
        init_method: sym("init-method"),
        destroy_method: sym("destroy-method"),
        default_init: scope.init,
        default_destroy: scope.destroy,
        lazy: is("lazy-init", scope.lazy),
        primary: is("primary", false),
        autowire_candidate: is("autowire-candidate", true),
        qualifiers: Vec::new(),
        profiles: scope.profiles.clone(),
        autowire: get("autowire").map_or(scope.autowire, autowire),
        outer: Some(spring.within[element]).filter(|it| *it != NONE),
        range: it.range,
        class_range: spring.value_range(element, "class"),
        ..BeanDef::default()
    };
    short_forms(spring, element, &mut bean);
    if it.ns != Ns::Beans {
        bean.properties.extend(elements::properties(tree, element));
        if elements::is_collection(it) {
            collection(spring, element, &mut bean);
        }
    }
    spring.facts.beans[index as usize] = bean;
}

/// The attributes `p:name`, `p:name-ref`, `c:name`, `c:_0` and `c:_0-ref`.
fn short_forms(spring: &Spring<'_, '_>, element: usize, bean: &mut BeanDef) {
    for attribute in spring.tree.attributes(element) {
        let (name, is_reference) = attribute.local.strip_suffix("-ref").map_or((attribute.local, false), |it| (it, true));
        let text = || Sym::new(cut(&attribute.value));
        let value = || if is_reference { Value::Ref(Sym::new(attribute.value.trim())) } else { Value::Text(text()) };
        match attribute.ns {
            Ns::P => bean.properties.push(Property { name: Sym::new(&elements::camel(name)), value: value(), range: attribute.range }),
            Ns::C => {
                let index = name.strip_prefix('_').and_then(|it| it.parse().ok());
                let name = if name.starts_with('_') { None } else { Some(Sym::new(&elements::camel(name))) };
                bean.constructor_args.push(Arg { index, name, ty: None, value: value(), range: attribute.range });
            }
            _ => {}
        }
    }
}

/// What a `<util:list>` and the like holds, as the property of the factory bean that it stands for.
fn collection(spring: &mut Spring<'_, '_>, element: usize, bean: &mut BeanDef) {
    let local = spring.tree.elements[element].local;
    let (name, value) = match local {
        "list" => ("sourceList", Value::Many(take_all(spring, element))),
        "set" => ("sourceSet", Value::Many(take_all(spring, element))),
        "map" => ("sourceMap", Value::Map(take_pairs(spring, element))),
        _ => ("properties", Value::Map(take_pairs(spring, element))),
    };
    bean.properties.push(Property { name: Sym::new(name), value, range: bean.range });
}

/// Whether an element of this name, directly in a bean, says something about it.
pub(super) fn is_part(local: &str) -> bool {
    matches!(local, "property" | "constructor-arg" | "lookup-method" | "replaced-method" | "qualifier")
}

/// Reads an element directly in a bean.
pub(super) fn part(spring: &mut Spring<'_, '_>, element: usize) {
    let Some(bean) = spring.parent_bean(element) else { return };
    let it = &spring.tree.elements[element];
    let (local, range) = (it.local, it.range);
    let name = spring.sym(element, "name");
    match local {
        "property" => {
            let value = value(spring, element);
            if let Some(name) = name {
                spring.facts.beans[bean].properties.push(Property { name, value, range });
            }
        }
        "constructor-arg" => {
            let index = spring.tree.get(element, "index").and_then(|it| it.parse().ok());
            let ty = spring.sym(element, "type");
            let value = value(spring, element);
            spring.facts.beans[bean].constructor_args.push(Arg { index, name, ty, value, range });
        }
        "lookup-method" => {
            let target = spring.sym(element, "bean");
            spring.facts.beans[bean].lookups.extend(name.map(|method| Lookup { method, bean: target }));
        }
        "replaced-method" => {
            let replacer = spring.sym(element, "replacer");
            spring.facts.beans[bean].replaced.extend(name.zip(replacer));
        }
        _ => {
            let value = spring.sym(element, "value");
            spring.facts.beans[bean].qualifiers.extend(value);
        }
    }
}

fn value(spring: &mut Spring<'_, '_>, element: usize) -> Value {
    let given = reference_or_text(spring, element, "ref", "value");
    given.or_else(|| take_first(spring, element)).unwrap_or(Value::Unknown)
}

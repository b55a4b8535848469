//! Methods of beans that a framework calls: by the clock, on a message, around other calls.
//!
//! Every namespace has elements for this, and all of them name the bean with `ref` and the method with `method`. So
//! that is the rule, whatever the element is called.

use super::Spring;
use crate::intern::Sym;
use crate::wiring::namespaces::Ns;
use crate::wiring::{Aop, Entry};

/// Notes what an element, none of Spring's own, lets a framework call.
pub(super) fn entry(spring: &mut Spring<'_, '_>, element: usize) {
    let it = &spring.tree.elements[element];
    if it.ns == Ns::Aop {
        advice(spring, element);
        return;
    }
    let (reference, method) = (spring.sym(element, "ref"), spring.sym(element, "method"));
    let is_listener = it.local == "listener" && matches!(it.ns, Ns::Rabbit | Ns::Jms | Ns::RedisListener | Ns::Sofa);
    let range = it.range;
    match (reference, method) {
        (Some(bean), method) if method.is_some() || is_listener => add(spring, Entry { bean: Some(bean), inner: None, method, aop: None, range }),
        (None, Some(_)) => {
            // `<int:service-activator method="x"><bean class="..."/></int:service-activator>`
            let tree = spring.tree;
            let inner = tree.children(element).find_map(|child| spring.bean(child).filter(|_| tree.elements[child].ns == Ns::Beans));
            if inner.is_some() {
                add(spring, Entry { bean: None, inner, method, aop: None, range });
            }
        }
        _ => {}
    }
    if it.ns == Ns::Dubbo && it.local == "method" {
        callbacks(spring, element);
    }
}

/// `<aop:before method="..."/>` in `<aop:aspect ref="...">`.
fn advice(spring: &mut Spring<'_, '_>, element: usize) {
    let it = &spring.tree.elements[element];
    let aop = match it.local {
        "before" => Aop::Before,
        "after" | "after-returning" | "after-throwing" => Aop::After,
        "around" => Aop::Around,
        _ => return,
    };
    let aspect = spring.parent(element).filter(|&it| spring.tree.elements[it].local == "aspect");
    let bean = aspect.and_then(|it| spring.sym(it, "ref"));
    let method = spring.sym(element, "method");
    if bean.is_some() && method.is_some() {
        add(spring, Entry { bean, inner: None, method, aop: Some(aop), range: it.range });
    }
}

/// `<dubbo:method onreturn="bean.method"/>`.
fn callbacks(spring: &mut Spring<'_, '_>, element: usize) {
    for name in ["oninvoke", "onreturn", "onthrow"] {
        let Some((bean, method)) = spring.tree.get(element, name).and_then(|it| it.rsplit_once('.')) else { continue };
        let (bean, method, range) = (Sym::new(bean), Sym::new(method), spring.value_range(element, name));
        add(spring, Entry { bean: Some(bean), inner: None, method: Some(method), aop: None, range });
    }
}

fn add(spring: &mut Spring<'_, '_>, entry: Entry) {
    spring.facts.entries.push(entry);
}

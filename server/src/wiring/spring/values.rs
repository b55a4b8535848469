//! Values: what is injected, from the innermost elements outwards.

use super::Spring;
use crate::intern::Sym;
use crate::wiring::Value;
use crate::wiring::namespaces::Ns;
use crate::wiring::xml::cut;

/// What an element stands for inside another one.
#[derive(Default)]
pub(super) enum Slot {
    /// Nothing, or it has been taken.
    #[default]
    None,
    Value(Value),
    /// `<entry>` and `<prop>`.
    Pair(Value, Value),
    /// `<key>`.
    Key(Value),
}

/// The second pass: gives each element its value. An element's children come behind it, so theirs are there.
pub(super) fn fill(spring: &mut Spring<'_, '_>) {
    for element in (0..spring.tree.elements.len()).rev() {
        let slot = slot(spring, element);
        spring.values[element] = slot;
    }
}

fn slot(spring: &mut Spring<'_, '_>, element: usize) -> Slot {
    let tree = spring.tree;
    let it = &tree.elements[element];
    let sym = |name: &str| tree.get(element, name).map(Sym::new);
    let named = || ["bean", "local", "parent"].into_iter().find_map(sym);
    if let Some(bean) = spring.bean(element) {
        return Slot::Value(Value::Inner(bean));
    }
    match (it.ns, it.local) {
        (Ns::Beans, "ref") => Slot::Value(named().map_or(Value::Unknown, Value::Ref)),
        (Ns::Beans, "idref") => Slot::Value(named().map_or(Value::Unknown, Value::Text)),
        (Ns::Beans, "value") => Slot::Value(Value::Text(text(&it.text))),
        (Ns::Beans, "null") => Slot::Value(Value::Null),
        (Ns::Beans | Ns::Util, "list" | "set") | (Ns::Beans, "array") => Slot::Value(Value::Many(take_all(spring, element))),
        (Ns::Beans | Ns::Util, "map") | (Ns::Beans, "props") | (Ns::Util, "properties") => Slot::Value(Value::Map(take_pairs(spring, element))),
        (Ns::Beans, "prop") => Slot::Pair(Value::Text(sym("key").unwrap_or_else(|| Sym::new(""))), Value::Text(text(&it.text))),
        (Ns::Beans, "key") => Slot::Key(take_first(spring, element).unwrap_or(Value::Unknown)),
        (Ns::Beans, "entry") => {
            let key = reference_or_text(spring, element, "key-ref", "key").or_else(|| take_key(spring, element));
            let value = reference_or_text(spring, element, "value-ref", "value").or_else(|| take_first(spring, element));
            Slot::Pair(key.unwrap_or(Value::Unknown), value.unwrap_or(Value::Unknown))
        }
        // These say something about the element around them.
        (Ns::Beans, _) => Slot::None,
        _ => Slot::Value(Value::Unknown),
    }
}

/// Text between tags, in which white space around it is layout.
fn text(text: &str) -> Sym {
    Sym::new(text.trim())
}

/// The value of one of two attributes. An empty text is a value.
pub(super) fn reference_or_text(spring: &Spring<'_, '_>, element: usize, reference: &str, text: &str) -> Option<Value> {
    let found = spring.tree.get(element, reference).map(|it| Value::Ref(Sym::new(it)));
    found.or_else(|| spring.tree.attribute(element, text).map(|it| Value::Text(Sym::new(cut(&it.value)))))
}

/// The first value directly in an element.
pub(super) fn take_first(spring: &mut Spring<'_, '_>, element: usize) -> Option<Value> {
    let tree = spring.tree;
    let found = tree.children(element).find(|&it| matches!(spring.values[it], Slot::Value(_)))?;
    match std::mem::take(&mut spring.values[found]) {
        Slot::Value(value) => Some(value),
        _ => None,
    }
}

fn take_key(spring: &mut Spring<'_, '_>, element: usize) -> Option<Value> {
    let tree = spring.tree;
    let found = tree.children(element).find(|&it| matches!(spring.values[it], Slot::Key(_)))?;
    match std::mem::take(&mut spring.values[found]) {
        Slot::Key(value) => Some(value),
        _ => None,
    }
}

/// All values directly in an element.
pub(super) fn take_all(spring: &mut Spring<'_, '_>, element: usize) -> Vec<Value> {
    let (tree, values) = (spring.tree, &mut spring.values);
    let taken = tree.children(element).filter_map(|it| match std::mem::take(&mut values[it]) {
        Slot::Value(value) => Some(value),
        _ => None,
    });
    taken.collect()
}

/// All pairs directly in an element.
pub(super) fn take_pairs(spring: &mut Spring<'_, '_>, element: usize) -> Vec<(Value, Value)> {
    let (tree, values) = (spring.tree, &mut spring.values);
    let taken = tree.children(element).filter_map(|it| match std::mem::take(&mut values[it]) {
        Slot::Pair(key, value) => Some((key, value)),
        _ => None,
    });
    taken.collect()
}

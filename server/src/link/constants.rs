//! Singletons that are no beans: classes that make all their objects in static initialisers or in a getter that keeps
//! the object, and hold them in static fields. Their fields last as long as the process does.

use super::beans::Beans;
use super::resolve::{Resolved, Target};
use super::state::{is_construction, own_type};
use super::symbols::{MethodId, Symbols, TypeId};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// These classes, sorted. Beans are none of them.
pub(super) fn classes<'a>(
    symbols: &Symbols,
    resolved: &[Arc<Resolved>],
    beans: &Beans,
    facts: &impl Fn(MethodId) -> &'a MethodFacts,
    is_test: &impl Fn(MethodId) -> bool,
) -> Vec<TypeId> {
    let keepers = keepers(symbols);
    // Whether a class makes objects, and makes them at other times as well.
    let mut often: FxHashMap<TypeId, bool> = FxHashMap::default();
    for (id, it) in resolved.iter().enumerate() {
        let id = id as MethodId;
        for (index, site) in it.calls.iter().enumerate() {
            let class = match site.target {
                Target::Default(class) => class,
                Target::Method(callee, false) if symbols.methods[callee as usize].name.as_str() == "<init>" => symbols.methods[callee as usize].owner,
                Target::Many(..) => {
                    // Ambiguous constructors are of one class.
                    let first = it.targets(&site.target).0.first().map(|&it| &symbols.methods[it as usize]);
                    match first.filter(|it| it.name.as_str() == "<init>") {
                        Some(first) => first.owner,
                        None => continue,
                    }
                }
                _ => continue,
            };
            if is_test(id) || !keepers.contains(&class) {
                continue;
            }
            let method = facts(id);
            let once = match method.graph.calls[index].form {
                // What a subclass constructs is an object of the subclass.
                CallForm::SuperConstructor | CallForm::ThisConstructor => continue,
                CallForm::New => (is_construction(method) && method.head.flags.has(Flags::STATIC)) || kept(symbols, it, method, index as u32, class),
                _ => false,
            };
            *often.entry(class).or_default() |= !once;
        }
    }
    let mut found: Vec<TypeId> = often.into_iter().filter(|it| !it.1 && beans.shared(it.0).is_none()).map(|it| it.0).collect();
    found.sort_unstable();
    found
}

/// Classes with a static field, of their own or of a class in them, that holds one of their objects.
fn keepers(symbols: &Symbols) -> FxHashSet<TypeId> {
    let statics = symbols.fields.iter().enumerate().filter(|it| it.1.flags.has(Flags::STATIC) && !it.1.enum_constant);
    let held = statics.map(|(id, info)| (own_type(symbols, id as u32), info.owner));
    let is_class = |class: TypeId| symbols.own(class).is_some_and(|it| it.subs.is_empty() && it.head.get().kind == TypeKind::Class);
    held.filter(|&(held, holder)| is_class(held) && symbols.is_around(held, holder)).map(|it| it.0).collect()
}

/// Whether the new object of a call is assigned to a static field of its class.
fn kept(symbols: &Symbols, resolved: &Resolved, method: &MethodFacts, call: u32, class: TypeId) -> bool {
    method.graph.writes.iter().enumerate().any(|(index, write)| {
        let field = resolved.writes[index];
        field != NONE && symbols.fields[field as usize].flags.has(Flags::STATIC) && own_type(symbols, field) == class && reaches(method, write.value, call)
    })
}

/// Whether the result of a call is a value, as it is.
fn reaches(method: &MethodFacts, value: NodeId, call: u32) -> bool {
    let mut open = vec![value];
    let mut seen: Vec<NodeId> = Vec::new();
    while let Some(node) = open.pop() {
        if node == NONE || seen.contains(&node) {
            continue;
        }
        seen.push(node);
        match method.graph.nodes[node as usize].kind {
            NodeKind::Typed(inner, _) => open.push(inner),
            NodeKind::Phi(list) => open.extend(method.graph.list(list)),
            NodeKind::Call(found) if found == call => return true,
            _ => {}
        }
    }
    false
}

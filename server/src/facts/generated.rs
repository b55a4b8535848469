//! Accessors that Lombok makes: treated as if they were in the source (`semantics.md` §4).

use super::Graph;
use super::graph::{At, NONE, Node, NodeKind, Sink, SinkKind, Write, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::annotations;
use crate::java::decls::{FieldHead, Flags, MemberKind, MethodHead, Param, TypeHead};

/// The getter and setter that annotations of a class or field ask for.
pub(super) fn accessors(owner: &TypeHead, field: &FieldHead) -> Vec<MethodHead> {
    if field.flags.has(Flags::STATIC) || field.enum_constant {
        return Vec::new();
    }
    let asks = |on_class: &[&str], on_field: &str| {
        owner.annotations.iter().any(|it| on_class.contains(&it.name.as_str())) || annotations::has(&field.annotations, on_field)
    };
    let mut made = Vec::new();
    let is_boolean = field.ty.data().dims == 0 && field.ty.name().as_str() == "boolean";
    let name = field.name.as_str();
    // `boolean isOpen` has the accessors of `open`.
    let stem = match name.strip_prefix("is") {
        Some(rest) if is_boolean && rest.starts_with(|c: char| c.is_uppercase()) => rest,
        _ => name,
    };
    if asks(&["Data", "Getter", "Value"], "Getter") {
        made.push(head(&format!("{}{}", if is_boolean { "is" } else { "get" }, capitalised(stem)), field, MemberKind::Component, Vec::new(), Some(field.ty)));
    }
    if asks(&["Data", "Setter"], "Setter") && !field.flags.has(Flags::FINAL) {
        let param = Param { name: field.name, ty: field.ty };
        // With `@Accessors(chain = true)` it returns the object; elsewhere nobody looks at what it returns.
        made.push(head(&format!("set{}", capitalised(stem)), field, MemberKind::Setter, vec![param], Some(Ty::new(owner.name, &[], 0))));
    }
    made
}

fn head(name: &str, field: &FieldHead, kind: MemberKind, params: Vec<Param>, returns: Option<Ty>) -> MethodHead {
    MethodHead {
        name: Sym::new(name),
        kind,
        flags: Flags::PUBLIC,
        annotations: Vec::new(),
        type_params: Vec::new(),
        params,
        returns,
        has_body: true,
        accessor: Some(field.name),
    }
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `this.name = name; return this;`
pub(super) fn setter(name: Sym, at: At) -> Graph {
    let nodes = [Node { kind: NodeKind::Param(0), at }, Node { kind: NodeKind::This, at }];
    let write = Write { kind: WriteKind::Assign, lazy: false, obj: 1, name, value: 0, at };
    let sink = Sink { kind: SinkKind::Return, value: 1, group: NONE, only_throws: false, null_test: false, at };
    Graph { nodes: nodes.into(), writes: [write].into(), sinks: [sink].into(), ..Default::default() }
}

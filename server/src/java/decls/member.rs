//! Reads one member: its heads, and the operations of what it runs.

use super::list::{children, parameter_annotations, parameters, slice, type_parameters};
use super::parts::Parts;
use super::{FieldHead, Flags, MemberKind, MemberNode, MethodHead, Param, Range, TypeHead, TypeKind};
use crate::intern::{Sym, Ty};
use crate::java::annotations::{self, Annotation};
use crate::java::body::{BodyWalker, NestedType, spread_parameter};
use crate::java::kinds::{FieldName, Kind, child, kind};
use crate::java::ops::Op;
use crate::java::types::parse_type;
use tree_sitter::Node;

/// A member that was read: its heads, and the operations of what it runs.
pub struct MemberBody<'t> {
    /// The fields it declares.
    pub fields: Vec<(FieldHead, Range)>,
    /// The method it is, if it runs anything or can be called: head, range of the name, operations.
    pub method: Option<(MethodHead, Range, Vec<Op>)>,
    /// Classes declared in its bodies.
    pub(crate) nested: Vec<NestedType<'t>>,
    /// Where calls without effect on results start, in the file; sorted.
    pub benign: Vec<u32>,
}

/// Reads one member of a type with this head.
pub fn read_member<'t>(owner: &TypeHead, member: &MemberNode<'t>, text: &str) -> MemberBody<'t> {
    let node = member.node;
    let base = node.start_byte();
    let (mut nested, mut benign) = (Vec::new(), Vec::new());
    let parts = Parts::of(node, text);
    let (mut flags, annotations) = parts.modifiers(text);
    // Lombok makes all members of such a class static.
    if matches!(member.kind, MemberKind::Field | MemberKind::Method) && annotations::has(&owner.annotations, "UtilityClass") {
        flags.add(Flags::STATIC);
    }
    let mut fields = Vec::new();
    let method = match member.kind {
        MemberKind::Method | MemberKind::Constructor | MemberKind::CompactConstructor => {
            let mut head = MethodHead {
                name: Sym::new("<init>"),
                kind: member.kind,
                flags,
                annotations,
                type_params: Vec::new(),
                params: Vec::new(),
                param_annotations: Box::default(),
                returns: None,
                has_body: false,
                accessor: None,
            };
            if let Some(list) = parts.get(FieldName::TypeParameters) {
                head.type_params = type_parameters(list, text);
            }
            if let Some(list) = parts.get(FieldName::Parameters) {
                let (params, spreads) = parameters(list, text);
                head.params = params;
                head.param_annotations = parameter_annotations(list, text);
                if spreads {
                    head.flags.add(Flags::VARARGS);
                }
            }
            let name = parts.get(FieldName::Name);
            if member.kind == MemberKind::Method {
                head.name = Sym::new(name.map_or("", |it| slice(it, text)));
                let returns = parts.get(FieldName::Type).map(|it| slice(it, text)).filter(|it| *it != "void");
                head.returns = returns.map(|it| parse_type(it).with_dims(parts.dimensions(text)));
            }
            if member.kind == MemberKind::CompactConstructor {
                head.params = owner.components.iter().map(|(name, ty)| Param { name: *name, ty: *ty }).collect();
            }
            let mut ops = Vec::new();
            if let Some(body) = parts.get(FieldName::Body) {
                head.has_body = true;
                let walker = BodyWalker::new(text, base, &mut nested, &mut benign);
                ops = if member.kind == MemberKind::CompactConstructor {
                    let names: Vec<Sym> = owner.components.iter().map(|it| it.0).collect();
                    walker.compact(body, &names)
                } else {
                    walker.block(body)
                };
            }
            let name = name.map_or(Range::of(node), Range::of);
            Some((head, name.relative(base as u32), ops))
        }
        MemberKind::StaticInit | MemberKind::InstanceInit => {
            let is_static = member.kind == MemberKind::StaticInit;
            let body = if is_static { children(node).into_iter().find(|it| kind(it.kind_id()) == Kind::Block) } else { Some(node) };
            let ops = body.map_or_else(Vec::new, |body| BodyWalker::new(text, base, &mut nested, &mut benign).block(body));
            Some((initialiser(member.kind, is_static), Range { start: 0, end: 1 }, ops))
        }
        MemberKind::Field => {
            let mut declarators = Vec::new();
            declared(&parts, text, flags, &annotations, |head, name, declarator| {
                declarators.push((head.name, declarator, head.ty));
                fields.push((head, Range::of(name).relative(base as u32)));
            });
            let ops = BodyWalker::new(text, base, &mut nested, &mut benign).fields(&declarators);
            let is_static = flags.has(Flags::STATIC) || matches!(owner.kind, TypeKind::Interface | TypeKind::Annotation);
            (!ops.is_empty()).then(|| (initialiser(MemberKind::Field, is_static), Range { start: 0, end: 1 }, ops))
        }
        MemberKind::EnumConstant => {
            let name = parts.get(FieldName::Name).unwrap_or(node);
            let ty = Ty::new(owner.name, &[], 0);
            let mut flags = Flags::PUBLIC;
            flags.add(Flags::STATIC);
            flags.add(Flags::FINAL);
            let head =
                FieldHead { name: Sym::new(slice(name, text)), ty, flags, annotations, has_init: true, init_empty: false, made: None, enum_constant: true };
            let ops = BodyWalker::new(text, base, &mut nested, &mut benign).enum_constant(node, head.name, ty);
            fields.push((head, Range::of(name).relative(base as u32)));
            Some((initialiser(MemberKind::EnumConstant, true), Range { start: 0, end: 1 }, ops))
        }
        MemberKind::Component | MemberKind::Made => {
            let name = parts.get(FieldName::Name).or_else(|| spread_parameter(node, text).map(|it| it.0)).unwrap_or(node);
            let symbol = Sym::new(slice(name, text));
            let ty = owner.components.iter().find(|it| it.0 == symbol).map_or(Ty::simple("java.lang.Object"), |it| it.1);
            let mut flags = Flags::PRIVATE;
            flags.add(Flags::FINAL);
            let range = Range::of(name).relative(base as u32);
            fields.push((
                FieldHead { name: symbol, ty, flags, annotations: annotations.clone(), has_init: false, init_empty: false, made: None, enum_constant: false },
                range,
            ));
            let head = MethodHead {
                name: symbol,
                kind: MemberKind::Component,
                flags: Flags::PUBLIC,
                annotations,
                type_params: Vec::new(),
                params: Vec::new(),
                param_annotations: Box::default(),
                returns: Some(ty),
                has_body: true,
                accessor: None,
            };
            Some((head, range, Vec::new()))
        }
    };
    benign.sort_unstable();
    MemberBody { fields, method, nested, benign }
}

/// The number of the parameter of a method that has an annotation of this simple name.
pub fn annotated_parameter(member: &MemberNode<'_>, text: &str, annotation: &str) -> Option<usize> {
    let list = child(member.node, FieldName::Parameters)?;
    let params = children(list).into_iter().filter(|it| matches!(kind(it.kind_id()), Kind::FormalParameter | Kind::SpreadParameter));
    params.map(|it| Parts::of(it, text).modifiers(text).1).position(|it| annotations::has(&it, annotation))
}

/// The fields that a member declares, without what they are set to.
pub fn field_heads(owner: &TypeHead, member: &MemberNode<'_>, text: &str) -> Vec<FieldHead> {
    if member.kind == MemberKind::Component {
        return read_member(owner, member, text).fields.into_iter().map(|it| it.0).collect();
    }
    let parts = Parts::of(member.node, text);
    let (flags, annotations) = parts.modifiers(text);
    let mut found = Vec::new();
    declared(&parts, text, flags, &annotations, |head, _, _| found.push(head));
    found
}

/// Calls `found` with each field of a declaration, its name and its declarator.
fn declared<'t>(parts: &Parts<'t>, text: &str, flags: Flags, annotations: &[Annotation], mut found: impl FnMut(FieldHead, Node<'t>, Node<'t>)) {
    let ty = parts.get(FieldName::Type).map_or(Ty::simple("java.lang.Object"), |it| parse_type(slice(it, text)));
    let mut n_before = 0;
    for declarator in parts.of_kind(Kind::VariableDeclarator) {
        let parts = Parts::of(declarator, text);
        let Some(name) = parts.get(FieldName::Name) else { continue };
        let init = parts.get(FieldName::Value);
        let head = FieldHead {
            name: Sym::new(slice(name, text)),
            ty: ty.with_dims(parts.dimensions(text)),
            flags,
            annotations: annotations.to_vec(),
            has_init: init.is_some(),
            init_empty: init.is_some_and(|it| is_empty_array(it, text)),
            made: init.and_then(|it| made(it, text)).filter(|it| !it.1 || n_before == 0),
            enum_constant: false,
        };
        found(head, name, declarator);
        n_before += 1;
    }
}

fn initialiser(kind: MemberKind, is_static: bool) -> MethodHead {
    MethodHead {
        name: Sym::new(if is_static { "<clinit>" } else { "<init>" }),
        kind,
        flags: if is_static { Flags::STATIC } else { Flags::default() },
        annotations: Vec::new(),
        type_params: Vec::new(),
        params: Vec::new(),
        param_annotations: Box::default(),
        returns: None,
        has_body: true,
        accessor: None,
    }
}

/// Whether an expression makes an array without elements: `{}`, `new T[0]`, `new T[] {}`.
pub fn is_empty_array(node: Node<'_>, text: &str) -> bool {
    match kind(node.kind_id()) {
        Kind::ArrayInitializer => node.named_child_count() == 0,
        Kind::ArrayCreation => match child(node, FieldName::Value) {
            Some(value) => is_empty_array(value, text),
            None => child(node, FieldName::Dimensions).is_some_and(|it| slice(it, text) == "[0]"),
        },
        _ => false,
    }
}

/// The type of an object that an expression makes, and whether it makes it of an anonymous class.
fn made(node: Node<'_>, text: &str) -> Option<(Ty, bool)> {
    // Classes are numbered as they come: one in the arguments would be the first.
    let arguments = child(node, FieldName::Arguments).filter(|_| kind(node.kind_id()) == Kind::ObjectCreation)?;
    if slice(arguments, text).contains('{') {
        return None;
    }
    let has_body = node.named_child(node.named_child_count().checked_sub(1)? as u32).is_some_and(|it| kind(it.kind_id()) == Kind::ClassBody);
    Some((parse_type(slice(child(node, FieldName::Type)?, text)), has_body))
}

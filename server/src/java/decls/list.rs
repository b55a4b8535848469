//! Lists the types of a file and their members, without reading any.

use super::parts::Parts;
use super::{FileNode, Flags, Import, MemberKind, MemberNode, Param, Range, TypeHead, TypeKind, TypeNode};
use crate::intern::{Sym, Ty};
use crate::java::annotations::{self, Annotation};
use crate::java::body::{NestedType, spread_parameter};
use crate::java::kinds::{FieldName, Kind, child, kind};
use crate::java::types::parse_type;
use tree_sitter::{Node, Tree};

/// Lists what a file declares. `stem` names the implicit class of a compact source file.
pub fn list<'t>(tree: &'t Tree, text: &str, stem: &str) -> FileNode<'t> {
    let root = tree.root_node();
    let mut file = FileNode { package: Sym::new(""), imports: Vec::new(), types: Vec::new(), errors: 0, first_error: None };
    let mut loose: Vec<MemberNode<'t>> = Vec::new();
    let mut open: Vec<(Node<'t>, Option<usize>)> = Vec::new();
    let mut tops = children(root);
    tops.reverse();
    while let Some(node) = tops.pop() {
        match kind(node.kind_id()) {
            Kind::Package => {
                if let Some(name) = children(node).into_iter().find(|it| matches!(kind(it.kind_id()), Kind::Identifier | Kind::ScopedIdentifier)) {
                    file.package = dotted(name, text);
                }
            }
            Kind::Import => file.imports.extend(import(node, text)),
            Kind::Class | Kind::Interface | Kind::Enum | Kind::Record | Kind::AnnotationType => open.push((node, None)),
            Kind::Method => loose.push(member(MemberKind::Method, node)),
            Kind::LocalVariable | Kind::Field => loose.push(member(MemberKind::Field, node)),
            // What was swallowed by an error is still there below it.
            Kind::Other if node.is_error() => {
                let mut inner = children(node);
                inner.reverse();
                tops.extend(inner);
            }
            _ => {}
        }
    }
    open.reverse();
    types_below(text, open, &mut file.types);
    if !root.has_error() && loose.iter().any(|it| it.kind == MemberKind::Method) {
        // The other types of the file are members of the implicit class.
        for found in &mut file.types {
            found.outer = Some(found.outer.map_or(0, |it| it + 1));
        }
        file.types.insert(0, compact(stem, root, loose));
    }
    if root.has_error() {
        (file.errors, file.first_error) = errors(root);
    }
    file
}

/// Reads the types on the work list and all member types below them.
fn types_below<'t>(text: &str, mut open: Vec<(Node<'t>, Option<usize>)>, types: &mut Vec<TypeNode<'t>>) {
    while let Some((node, outer)) = open.pop() {
        let Some(found) = type_node(node, outer, text) else { continue };
        let index = types.len();
        types.push(found);
        let mut nested = list_members(node, text, &mut types[index]);
        nested.reverse();
        open.extend(nested.into_iter().map(|it| (it, Some(index))));
    }
}

/// The implicit class of a compact source file.
fn compact<'t>(stem: &str, root: Node<'t>, members: Vec<MemberNode<'t>>) -> TypeNode<'t> {
    let head = TypeHead {
        name: Sym::new(stem),
        kind: TypeKind::Class,
        flags: Flags::FINAL,
        annotations: Vec::new(),
        type_params: Vec::new(),
        supers: Vec::new(),
        extends: false,
        components: Vec::new(),
    };
    let start = members.first().map_or(0, |it| it.node.start_byte()) as u32;
    TypeNode { head, outer: None, name: Range { start, end: start }, range: Range::of(root), members }
}

/// The types declared by a nested declaration or class body in a method, with their member types.
pub(crate) fn nested_types<'t>(nested: &NestedType<'t>, text: &str) -> Vec<TypeNode<'t>> {
    let mut types = Vec::new();
    if kind(nested.node.kind_id()) == Kind::ClassBody {
        let node = nested.node;
        let head = TypeHead {
            name: Sym::new(""),
            kind: TypeKind::Anonymous,
            flags: Flags::FINAL,
            annotations: Vec::new(),
            type_params: Vec::new(),
            supers: nested.base.into_iter().collect(),
            extends: true,
            components: Vec::new(),
        };
        let at = node.start_byte() as u32;
        types.push(TypeNode { head, outer: None, name: Range { start: at, end: at + 1 }, range: Range::of(node), members: Vec::new() });
        let inner = body_members(node, &mut types[0]);
        let mut open: Vec<_> = inner.into_iter().map(|it| (it, Some(0))).collect();
        open.reverse();
        types_below(text, open, &mut types);
    } else {
        types_below(text, vec![(nested.node, None)], &mut types);
    }
    types
}

pub(in crate::java) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

pub(super) fn slice<'a>(node: Node<'_>, text: &'a str) -> &'a str {
    text.get(node.byte_range()).unwrap_or_default()
}

fn member(kind: MemberKind, node: Node<'_>) -> MemberNode<'_> {
    MemberNode { kind, node, broken: node.has_error() }
}

/// A dotted name without the white space and comments that may stand in it.
fn dotted(node: Node<'_>, text: &str) -> Sym {
    let raw = slice(node, text);
    if raw.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$')) { Sym::new(raw) } else { parse_type(raw).name() }
}

fn import(node: Node<'_>, text: &str) -> Option<Import> {
    let (mut is_static, mut on_demand, mut module, mut name) = (false, false, false, None);
    let mut cursor = node.walk();
    for part in node.children(&mut cursor) {
        match kind(part.kind_id()) {
            Kind::Static => is_static = true,
            Kind::Module => module = true,
            Kind::Asterisk => on_demand = true,
            Kind::Identifier | Kind::ScopedIdentifier => name = Some(dotted(part, text)),
            _ => {}
        }
    }
    Some(Import { name: name?, is_static, on_demand, module })
}

fn type_node<'t>(node: Node<'t>, outer: Option<usize>, text: &str) -> Option<TypeNode<'t>> {
    let type_kind = match kind(node.kind_id()) {
        Kind::Class => TypeKind::Class,
        Kind::Interface => TypeKind::Interface,
        Kind::Enum => TypeKind::Enum,
        Kind::Record => TypeKind::Record,
        Kind::AnnotationType => TypeKind::Annotation,
        _ => return None,
    };
    let parts = Parts::of(node, text);
    let name = parts.get(FieldName::Name)?;
    let (flags, annotations) = parts.modifiers(text);
    let (mut supers, mut extends) = (Vec::new(), false);
    let mut type_params = Vec::new();
    for part in children(node) {
        match kind(part.kind_id()) {
            Kind::Superclass => {
                supers.extend(part.named_child(0).map(|it| parse_type(slice(it, text))));
                extends = true;
            }
            Kind::SuperInterfaces | Kind::ExtendsInterfaces => {
                for list in children(part) {
                    supers.extend(children(list).into_iter().filter(|it| !is_comment(*it)).map(|it| parse_type(slice(it, text))));
                }
            }
            Kind::TypeParameters => type_params = type_parameters(part, text),
            _ => {}
        }
    }
    let mut head = TypeHead { name: Sym::new(slice(name, text)), kind: type_kind, flags, annotations, type_params, supers, extends, components: Vec::new() };
    if type_kind == TypeKind::Record
        && let Some(list) = parts.get(FieldName::Parameters)
    {
        head.components = parameters(list, text).0.into_iter().map(|it| (it.name, it.ty)).collect();
    }
    Some(TypeNode { head, outer, name: Range::of(name), range: Range::of(node), members: Vec::new() })
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(kind(node.kind_id()), Kind::LineComment | Kind::BlockComment)
}

/// Lists the members of a type declaration; returns the types declared in it.
fn list_members<'t>(node: Node<'t>, _text: &str, found: &mut TypeNode<'t>) -> Vec<Node<'t>> {
    if let Some(list) = child(node, FieldName::Parameters) {
        for component in children(list) {
            if matches!(kind(component.kind_id()), Kind::FormalParameter | Kind::SpreadParameter) {
                found.members.push(member(MemberKind::Component, component));
            }
        }
    }
    child(node, FieldName::Body).map_or_else(Vec::new, |body| body_members(body, found))
}

fn body_members<'t>(body: Node<'t>, found: &mut TypeNode<'t>) -> Vec<Node<'t>> {
    let mut nested = Vec::new();
    let mut open = children(body);
    open.reverse();
    while let Some(node) = open.pop() {
        let member_kind = match kind(node.kind_id()) {
            Kind::Method => MemberKind::Method,
            Kind::Constructor => MemberKind::Constructor,
            Kind::CompactConstructor => MemberKind::CompactConstructor,
            Kind::StaticInitializer => MemberKind::StaticInit,
            Kind::Block => MemberKind::InstanceInit,
            Kind::Field | Kind::Constant => MemberKind::Field,
            Kind::EnumConstant => MemberKind::EnumConstant,
            Kind::Class | Kind::Interface | Kind::Enum | Kind::Record | Kind::AnnotationType => {
                nested.push(node);
                continue;
            }
            Kind::EnumBodyDeclarations => {
                let mut inner = children(node);
                inner.reverse();
                open.extend(inner);
                continue;
            }
            Kind::Other if node.is_error() => {
                let mut inner = children(node);
                inner.reverse();
                open.extend(inner);
                continue;
            }
            _ => continue,
        };
        found.members.push(member(member_kind, node));
    }
    nested
}

pub(super) fn type_parameters(node: Node<'_>, text: &str) -> Vec<(Sym, Option<Ty>)> {
    let mut found = Vec::new();
    for parameter in children(node).into_iter().filter(|it| kind(it.kind_id()) == Kind::TypeParameter) {
        let (mut name, mut bound) = (None, None);
        for part in children(parameter) {
            match kind(part.kind_id()) {
                Kind::TypeIdentifier | Kind::Identifier => name = Some(Sym::new(slice(part, text))),
                Kind::TypeBound => bound = part.named_child(0).map(|it| parse_type(slice(it, text))),
                _ => {}
            }
        }
        if let Some(name) = name {
            found.push((name, bound));
        }
    }
    found
}

/// The parameters of a list, and whether the last one takes any number of arguments.
pub(super) fn parameters(list: Node<'_>, text: &str) -> (Vec<Param>, bool) {
    let (mut found, mut spreads) = (Vec::new(), false);
    for node in children(list) {
        match kind(node.kind_id()) {
            Kind::FormalParameter => {
                let parts = Parts::of(node, text);
                let (Some(name), Some(ty)) = (parts.get(FieldName::Name), parts.get(FieldName::Type)) else { continue };
                found.push(Param { name: Sym::new(slice(name, text)), ty: parse_type(slice(ty, text)).with_dims(parts.dimensions(text)) });
            }
            Kind::SpreadParameter => {
                spreads = true;
                if let Some((name, ty)) = spread_parameter(node, text) {
                    found.push(Param { name: Sym::new(slice(name, text)), ty });
                }
            }
            _ => {}
        }
    }
    (found, spreads)
}

/// Annotations of parameters that somebody asks about, with the number of the parameter.
pub(super) fn parameter_annotations(list: Node<'_>, text: &str) -> Box<[(u8, Annotation)]> {
    // Most parameters have none, and most lists are short.
    if !slice(list, text).contains('@') {
        return Box::default();
    }
    let mut found = Vec::new();
    let params = children(list).into_iter().filter(|it| matches!(kind(it.kind_id()), Kind::FormalParameter | Kind::SpreadParameter));
    for (i, param) in (0..=u8::MAX).zip(params) {
        let modifiers = children(param).into_iter().filter(|it| kind(it.kind_id()) == Kind::Modifiers).flat_map(children);
        found.extend(modifiers.filter(|&it| annotations::keeps_arguments(it, text)).filter_map(|it| annotations::read(it, text)).map(|it| (i, it)));
    }
    found.into()
}

/// How many places of a tree are errors, and the first one. Enters only subtrees that have some.
fn errors(root: Node<'_>) -> (u32, Option<Range>) {
    let (mut count, mut first) = (0, None);
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            count += 1;
            first = first.or(Some(Range::of(node)));
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (count, first);
            }
        }
    }
}

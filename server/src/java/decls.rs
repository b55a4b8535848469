//! What a file declares: package, imports, types and their members.
//!
//! Members are listed without being read: a member is the unit that is compiled again when its text changes.
//! The walk over declarations is a loop with a list of open bodies, and enters no method body.

use super::annotations::{self, Annotation};
use super::body::{BodyWalker, NestedType, spread_parameter};
use super::kinds::{FieldName, Kind, child, kind};
use super::ops::Op;
use super::types::parse_type;
use crate::intern::{Sym, Ty};
use tree_sitter::{Node, Tree};

/// Modifiers, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Flags(pub u16);

#[allow(missing_docs)]
impl Flags {
    pub const PUBLIC: Flags = Flags(1);
    pub const PROTECTED: Flags = Flags(2);
    pub const PRIVATE: Flags = Flags(4);
    pub const STATIC: Flags = Flags(8);
    pub const FINAL: Flags = Flags(16);
    pub const ABSTRACT: Flags = Flags(32);
    pub const DEFAULT: Flags = Flags(64);
    pub const VOLATILE: Flags = Flags(128);
    pub const VARARGS: Flags = Flags(256);
    pub const OVERRIDE: Flags = Flags(512);
    pub const NATIVE: Flags = Flags(1024);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub fn add(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// What kind of type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TypeKind {
    /// A class.
    Class,
    /// An interface.
    Interface,
    /// An enum.
    Enum,
    /// A record.
    Record,
    /// An annotation type.
    Annotation,
    /// The class body of a `new` or of an enum constant.
    Anonymous,
}

/// What kind of member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MemberKind {
    /// A method.
    Method,
    /// A constructor.
    Constructor,
    /// A record's compact constructor.
    CompactConstructor,
    /// A static initialiser block.
    StaticInit,
    /// An instance initialiser block.
    InstanceInit,
    /// A field declaration, with all its declarators.
    Field,
    /// An enum constant.
    EnumConstant,
    /// A component of a record, or a field that a tool makes a getter for: a field and its accessor.
    Component,
    /// Anything else that a tool makes, and that is no getter: a setter, a part of a builder.
    Made,
}

/// A range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Range {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Range {
    fn of(node: Node<'_>) -> Range {
        Range { start: node.start_byte() as u32, end: node.end_byte() as u32 }
    }

    /// The same range, counted from `base`.
    pub fn relative(self, base: u32) -> Range {
        Range { start: self.start.saturating_sub(base), end: self.end.saturating_sub(base) }
    }

    /// The same range, moved by `base`.
    pub fn absolute(self, base: u32) -> Range {
        Range { start: self.start + base, end: self.end + base }
    }
}

/// An import.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Import {
    /// The dotted name, without `.*`.
    pub name: Sym,
    /// `import static`.
    pub is_static: bool,
    /// `.*`
    pub on_demand: bool,
    /// `import module`.
    pub module: bool,
}

/// The head of a type: everything but its members.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct TypeHead {
    /// The simple name; empty for anonymous classes.
    pub name: Sym,
    /// Its kind.
    pub kind: TypeKind,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Type parameters with their first bounds.
    pub type_params: Vec<(Sym, Option<Ty>)>,
    /// The superclass and the interfaces, in source order; for an anonymous class the type it is made of.
    pub supers: Vec<Ty>,
    /// A record's components.
    pub components: Vec<(Sym, Ty)>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Param {
    /// Its name.
    pub name: Sym,
    /// Its type.
    pub ty: Ty,
}

/// The head of a method, constructor or initialiser.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MethodHead {
    /// Its name: `<init>` for constructors and instance initialisers, `<clinit>` for static ones.
    pub name: Sym,
    /// What it comes from.
    pub kind: MemberKind,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Type parameters with their first bounds.
    pub type_params: Vec<(Sym, Option<Ty>)>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result; `None` for `void` and constructors.
    pub returns: Option<Ty>,
    /// Whether it has a body.
    pub has_body: bool,
    /// For an accessor that nobody wrote: the field it is for.
    pub accessor: Option<Sym>,
}

/// A declared field.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FieldHead {
    /// Its name.
    pub name: Sym,
    /// Its type.
    pub ty: Ty,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Whether it has an initialiser.
    pub has_init: bool,
    /// Whether that makes an array without elements.
    pub init_empty: bool,
    /// Whether it is an enum constant.
    pub enum_constant: bool,
}

/// A member that was found, to be read when needed.
pub struct MemberNode<'t> {
    /// Its kind.
    pub kind: MemberKind,
    /// Its node.
    pub node: Node<'t>,
    /// Whether its text has syntax errors.
    pub broken: bool,
}

/// A type with its members.
pub struct TypeNode<'t> {
    /// Its head.
    pub head: TypeHead,
    /// The type it is nested in, as an index into the same list.
    pub outer: Option<usize>,
    /// The range of its name.
    pub name: Range,
    /// Its whole range.
    pub range: Range,
    /// Its members in source order.
    pub members: Vec<MemberNode<'t>>,
}

/// What a whole file declares.
pub struct FileNode<'t> {
    /// Its package; empty for the unnamed one.
    pub package: Sym,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Its types, outer ones before those nested in them.
    pub types: Vec<TypeNode<'t>>,
    /// Syntax errors: places where the grammar gave up or missed something.
    pub errors: u32,
    /// Where the first of them is.
    pub first_error: Option<Range>,
}

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

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

fn slice<'a>(node: Node<'_>, text: &'a str) -> &'a str {
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
    let name = child(node, FieldName::Name)?;
    let (flags, annotations) = modifiers(node, text);
    let mut supers = Vec::new();
    let mut type_params = Vec::new();
    for part in children(node) {
        match kind(part.kind_id()) {
            Kind::Superclass => supers.extend(part.named_child(0).map(|it| parse_type(slice(it, text)))),
            Kind::SuperInterfaces | Kind::ExtendsInterfaces => {
                for list in children(part) {
                    supers.extend(children(list).into_iter().filter(|it| !is_comment(*it)).map(|it| parse_type(slice(it, text))));
                }
            }
            Kind::TypeParameters => type_params = type_parameters(part, text),
            _ => {}
        }
    }
    let mut head = TypeHead { name: Sym::new(slice(name, text)), kind: type_kind, flags, annotations, type_params, supers, components: Vec::new() };
    if type_kind == TypeKind::Record
        && let Some(list) = child(node, FieldName::Parameters)
    {
        head.components = parameters(list, text).into_iter().map(|it| (it.name, it.ty)).collect();
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

fn modifiers(node: Node<'_>, text: &str) -> (Flags, Vec<Annotation>) {
    let mut flags = Flags::default();
    let mut annotations: Vec<Annotation> = Vec::new();
    // `modifiers` is among the first children; annotations may also stand before the result type.
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        match kind(part.kind_id()) {
            Kind::Modifiers => {
                let mut inner = part.walk();
                for modifier in part.named_children(&mut inner) {
                    match kind(modifier.kind_id()) {
                        Kind::MarkerAnnotation | Kind::Annotation => annotations.extend(annotations::read(modifier, text)),
                        _ => flags.add(flag(slice(modifier, text))),
                    }
                }
            }
            Kind::MarkerAnnotation | Kind::Annotation => annotations.extend(annotations::read(part, text)),
            Kind::LineComment | Kind::BlockComment => {}
            _ => break,
        }
    }
    if annotations::has(&annotations, "Override") {
        flags.add(Flags::OVERRIDE);
    }
    (flags, annotations)
}

fn flag(text: &str) -> Flags {
    match text {
        "public" => Flags::PUBLIC,
        "protected" => Flags::PROTECTED,
        "private" => Flags::PRIVATE,
        "static" => Flags::STATIC,
        "final" => Flags::FINAL,
        "abstract" => Flags::ABSTRACT,
        "default" => Flags::DEFAULT,
        "volatile" => Flags::VOLATILE,
        "native" => Flags::NATIVE,
        _ => Flags::default(),
    }
}

fn type_parameters(node: Node<'_>, text: &str) -> Vec<(Sym, Option<Ty>)> {
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

fn parameters(list: Node<'_>, text: &str) -> Vec<Param> {
    let mut found = Vec::new();
    for node in children(list) {
        match kind(node.kind_id()) {
            Kind::FormalParameter => {
                let (Some(name), Some(ty)) = (child(node, FieldName::Name), child(node, FieldName::Type)) else { continue };
                let dims = child(node, FieldName::Dimensions).map_or(0, |it| slice(it, text).matches('[').count());
                found.push(Param { name: Sym::new(slice(name, text)), ty: parse_type(slice(ty, text)).with_dims(dims as u8) });
            }
            Kind::SpreadParameter => {
                if let Some((name, ty)) = spread_parameter(node, text) {
                    found.push(Param { name: Sym::new(slice(name, text)), ty });
                }
            }
            _ => {}
        }
    }
    found
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
    let (flags, annotations) = modifiers(node, text);
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
                returns: None,
                has_body: false,
                accessor: None,
            };
            if let Some(list) = child(node, FieldName::TypeParameters) {
                head.type_params = type_parameters(list, text);
            }
            if let Some(list) = child(node, FieldName::Parameters) {
                head.params = parameters(list, text);
                if children(list).iter().any(|it| kind(it.kind_id()) == Kind::SpreadParameter) {
                    head.flags.add(Flags::VARARGS);
                }
            }
            let name = child(node, FieldName::Name);
            if member.kind == MemberKind::Method {
                head.name = Sym::new(name.map_or("", |it| slice(it, text)));
                let dims = child(node, FieldName::Dimensions).map_or(0, |it| slice(it, text).matches('[').count());
                head.returns = child(node, FieldName::Type).map(|it| slice(it, text)).filter(|it| *it != "void").map(|it| parse_type(it).with_dims(dims as u8));
            }
            if member.kind == MemberKind::CompactConstructor {
                head.params = owner.components.iter().map(|(name, ty)| Param { name: *name, ty: *ty }).collect();
            }
            let mut ops = Vec::new();
            if let Some(body) = child(node, FieldName::Body) {
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
            declared(node, text, flags, &annotations, |head, name, declarator| {
                declarators.push((head.name, declarator, head.ty));
                fields.push((head, Range::of(name).relative(base as u32)));
            });
            let ops = BodyWalker::new(text, base, &mut nested, &mut benign).fields(&declarators);
            let is_static = flags.has(Flags::STATIC) || matches!(owner.kind, TypeKind::Interface | TypeKind::Annotation);
            (!ops.is_empty()).then(|| (initialiser(MemberKind::Field, is_static), Range { start: 0, end: 1 }, ops))
        }
        MemberKind::EnumConstant => {
            let name = child(node, FieldName::Name).unwrap_or(node);
            let ty = Ty::new(owner.name, &[], 0);
            let mut flags = Flags::PUBLIC;
            flags.add(Flags::STATIC);
            flags.add(Flags::FINAL);
            let head = FieldHead { name: Sym::new(slice(name, text)), ty, flags, annotations, has_init: true, init_empty: false, enum_constant: true };
            let ops = BodyWalker::new(text, base, &mut nested, &mut benign).enum_constant(node, head.name, ty);
            fields.push((head, Range::of(name).relative(base as u32)));
            Some((initialiser(MemberKind::EnumConstant, true), Range { start: 0, end: 1 }, ops))
        }
        MemberKind::Component | MemberKind::Made => {
            let name = child(node, FieldName::Name).or_else(|| spread_parameter(node, text).map(|it| it.0)).unwrap_or(node);
            let symbol = Sym::new(slice(name, text));
            let ty = owner.components.iter().find(|it| it.0 == symbol).map_or(Ty::simple("java.lang.Object"), |it| it.1);
            let mut flags = Flags::PRIVATE;
            flags.add(Flags::FINAL);
            let range = Range::of(name).relative(base as u32);
            fields.push((
                FieldHead { name: symbol, ty, flags, annotations: annotations.clone(), has_init: false, init_empty: false, enum_constant: false },
                range,
            ));
            let head = MethodHead {
                name: symbol,
                kind: MemberKind::Component,
                flags: Flags::PUBLIC,
                annotations,
                type_params: Vec::new(),
                params: Vec::new(),
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
    params.map(|it| modifiers(it, text).1).position(|it| annotations::has(&it, annotation))
}

/// The fields that a member declares, without what they are set to.
pub fn field_heads(owner: &TypeHead, member: &MemberNode<'_>, text: &str) -> Vec<FieldHead> {
    if member.kind == MemberKind::Component {
        return read_member(owner, member, text).fields.into_iter().map(|it| it.0).collect();
    }
    let (flags, annotations) = modifiers(member.node, text);
    let mut found = Vec::new();
    declared(member.node, text, flags, &annotations, |head, _, _| found.push(head));
    found
}

/// Calls `found` with each field of a declaration, its name and its declarator.
fn declared<'t>(node: Node<'t>, text: &str, flags: Flags, annotations: &[Annotation], mut found: impl FnMut(FieldHead, Node<'t>, Node<'t>)) {
    let ty = child(node, FieldName::Type).map_or(Ty::simple("java.lang.Object"), |it| parse_type(slice(it, text)));
    for declarator in children(node).into_iter().filter(|it| kind(it.kind_id()) == Kind::VariableDeclarator) {
        let Some(name) = child(declarator, FieldName::Name) else { continue };
        let dims = child(declarator, FieldName::Dimensions).map_or(0, |it| slice(it, text).matches('[').count());
        let init = child(declarator, FieldName::Value);
        let head = FieldHead {
            name: Sym::new(slice(name, text)),
            ty: ty.with_dims(dims as u8),
            flags,
            annotations: annotations.to_vec(),
            has_init: init.is_some(),
            init_empty: init.is_some_and(|it| is_empty_array(it, text)),
            enum_constant: false,
        };
        found(head, name, declarator);
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
        returns: None,
        has_body: true,
        accessor: None,
    }
}

/// Whether an expression makes an array without elements: `{}`, `new T[0]`, `new T[] {}`.
fn is_empty_array(node: Node<'_>, text: &str) -> bool {
    match kind(node.kind_id()) {
        Kind::ArrayInitializer => node.named_child_count() == 0,
        Kind::ArrayCreation => match child(node, FieldName::Value) {
            Some(value) => is_empty_array(value, text),
            None => child(node, FieldName::Dimensions).is_some_and(|it| slice(it, text) == "[0]"),
        },
        _ => false,
    }
}

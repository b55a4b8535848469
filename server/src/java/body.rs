//! From the tree of a body to its [`Op`]s: one walk with a cursor and an explicit stack.
//!
//! The walk knows three moments: a node is entered, a child of it is about to be visited or was visited, and a node
//! is left. Everything a statement or expression means is said at one of them.

mod binders;
mod enter;
mod leave;
mod plain;

use super::kinds::{FieldName, Kind, child as in_field, field, kind};
use super::ops::{BranchKind, CallForm, Op, OpKind, Target};
use super::types::parse_type;
use crate::intern::{Sym, Ty};
use std::sync::LazyLock;
use tree_sitter::Node;

/// Names that the walk itself speaks of.
struct Known {
    init: Sym,
    this: Sym,
    string: Ty,
    class: Ty,
    int: Ty,
    long: Ty,
    float: Ty,
    double: Ty,
    boolean: Ty,
    char: Ty,
    object: Ty,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| Known {
    init: Sym::new("<init>"),
    this: Sym::new("this"),
    string: Ty::simple("java.lang.String"),
    class: Ty::simple("java.lang.Class"),
    int: Ty::simple("int"),
    long: Ty::simple("long"),
    float: Ty::simple("float"),
    double: Ty::simple("double"),
    boolean: Ty::simple("boolean"),
    char: Ty::simple("char"),
    object: Ty::simple("java.lang.Object"),
});

/// A node that is being visited.
struct Frame<'t> {
    kind: Kind,
    node: Node<'t>,
    /// Where it ends in the file, in bytes.
    end: usize,
    /// The field this node has in its parent.
    role: FieldName,
    /// Children counted so far, or a mark in the op list, as the kind needs it.
    n: u32,
    /// A second mark in the op list.
    mark: u32,
    /// Whether the decisive token or part was seen.
    flag: bool,
    /// Whether `super` stands among its children.
    has_super: bool,
    /// Arguments of a call, once its argument list was left.
    argc: u16,
    /// The class body of a `new`.
    body: Option<u16>,
    sym: Option<Sym>,
    ty: Option<Ty>,
    target: Option<Target>,
}

impl<'t> Frame<'t> {
    fn new(node: Node<'t>, kind: Kind, role: FieldName) -> Frame<'t> {
        let end = node.end_byte();
        Frame { kind, node, end, role, n: 0, mark: 0, flag: false, has_super: false, argc: 0, body: None, sym: None, ty: None, target: None }
    }
}

/// A class found inside a body, to be read as a type of its own.
pub(crate) struct NestedType<'t> {
    /// Its declaration, or the class body of an anonymous one.
    pub node: Node<'t>,
    /// The written type of `new T() { .. }`.
    pub base: Option<Ty>,
}

/// Lowers bodies of one member.
pub(super) struct BodyWalker<'a, 't> {
    text: &'a str,
    /// Start of the member: positions are relative to it.
    base: usize,
    ops: Vec<Op>,
    stack: Vec<Frame<'t>>,
    /// Classes declared inside, in source order; indices into the member's types.
    nested: &'a mut Vec<NestedType<'t>>,
    /// Where calls without effect on results start, in the file.
    benign: &'a mut Vec<u32>,
}

enum Visit {
    Children,
    Skip,
}

impl<'a, 't> BodyWalker<'a, 't> {
    pub(super) fn new(text: &'a str, base: usize, nested: &'a mut Vec<NestedType<'t>>, benign: &'a mut Vec<u32>) -> Self {
        BodyWalker { text, base, ops: Vec::new(), stack: Vec::new(), nested, benign }
    }

    /// The operations of a block or constructor body.
    pub(super) fn block(mut self, body: Node<'t>) -> Vec<Op> {
        self.walk(body, FieldName::Other);
        self.ops
    }

    /// The operations of a compact constructor: the parameters are written to the components at its end.
    pub(super) fn compact(mut self, body: Node<'t>, components: &[Sym]) -> Vec<Op> {
        self.ops.push(Op { kind: OpKind::ScopeBegin, start: 0, len: 0 });
        let mut cursor = body.walk();
        for statement in body.named_children(&mut cursor) {
            self.walk(statement, FieldName::Other);
        }
        for &name in components {
            self.ops.push(Op { kind: OpKind::Name(name), start: 0, len: 0 });
            self.ops.push(Op { kind: OpKind::InitField(name), start: 0, len: 0 });
        }
        self.ops
    }

    /// The operations of field declarators: each initialiser is written to its field.
    pub(super) fn fields(mut self, declarators: &[(Sym, Node<'t>, Ty)]) -> Vec<Op> {
        for (name, declarator, ty) in declarators {
            if let Some(value) = in_field(*declarator, FieldName::Value) {
                if kind(value.kind_id()) == Kind::ArrayInitializer {
                    self.array_initializer(value, *ty);
                } else {
                    self.walk(value, FieldName::Value);
                }
                self.emit(OpKind::InitField(*name), *declarator);
            }
        }
        self.ops
    }

    /// The operations of an enum constant: a `new` of the enum (or of its body) written to the constant.
    pub(super) fn enum_constant(mut self, node: Node<'t>, name: Sym, ty: Ty) -> Vec<Op> {
        let mut argc = 0;
        if let Some(arguments) = in_field(node, FieldName::Arguments) {
            let mut cursor = arguments.walk();
            for argument in arguments.named_children(&mut cursor) {
                if !is_comment(argument) {
                    self.walk(argument, FieldName::Other);
                    argc += 1;
                }
            }
        }
        let body = in_field(node, FieldName::Body).map(|body| self.nest(body, Some(ty)));
        self.emit(OpKind::Call { form: CallForm::New, name: KNOWN.init, argc, ty: Some(ty), body }, node);
        self.emit(OpKind::InitField(name), node);
        self.ops
    }

    fn array_initializer(&mut self, node: Node<'t>, ty: Ty) {
        self.walk(node, FieldName::Value);
        if let Some(Op { kind: OpKind::NewArray(written, _), .. }) = self.ops.last_mut() {
            *written = ty;
        }
    }

    fn nest(&mut self, node: Node<'t>, base: Option<Ty>) -> u16 {
        self.nested.push(NestedType { node, base });
        (self.nested.len() - 1) as u16
    }

    fn str(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn sym(&self, node: Node<'_>) -> Sym {
        Sym::new(self.str(node))
    }

    fn ty(&self, node: Node<'_>) -> Ty {
        parse_type(self.str(node))
    }

    fn emit(&mut self, kind: OpKind, node: Node<'_>) {
        self.emit_span(kind, node.start_byte(), node.end_byte());
    }

    fn emit_span(&mut self, kind: OpKind, start: usize, end: usize) {
        let start_rel = start.saturating_sub(self.base) as u32;
        self.ops.push(Op { kind, start: start_rel, len: end.saturating_sub(start) as u32 });
    }

    /// Visits `root` and everything below it without recursion.
    fn walk(&mut self, root: Node<'t>, role: FieldName) {
        let bottom = self.stack.len();
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let is_named = node.is_named();
            let visit = if is_named {
                // The cursor looks it up anew each time, and tokens do not need it.
                let role = if self.stack.len() == bottom {
                    role
                } else if self.stack.last().is_some_and(|it| it.kind.is_list()) {
                    FieldName::Other
                } else {
                    field(cursor.field_id())
                };
                self.enter(node, role)
            } else {
                self.token(node)
            };
            if let Visit::Children = visit {
                if self.goto_part(&mut cursor, node) {
                    continue;
                }
                self.leave_top();
                if self.stack.len() == bottom {
                    return;
                }
            } else if self.stack.len() == bottom {
                return;
            }
            let mut last = is_named.then_some(node);
            loop {
                let is_over = last.zip(self.stack.last()).is_some_and(|(last, whole)| ends_behind(self.text, last, whole.end));
                if !is_over && cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                last = self.stack.last().map(|it| it.node);
                self.leave_top();
                if self.stack.len() == bottom {
                    return;
                }
            }
        }
    }

    /// Brackets with nothing between them, as of a call without arguments.
    fn is_bare(&self, node: Node<'_>) -> bool {
        node.byte_range().len() == 2 && matches!(self.text.as_bytes().get(node.start_byte()), Some(b'(' | b'{'))
    }

    fn leave_top(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.leave(&frame);
            if let Some(parent) = self.stack.len().checked_sub(1) {
                self.after_child(parent, frame.kind, frame.role);
            }
        }
    }

    /// An anonymous token: only a few say something.
    fn token(&mut self, node: Node<'t>) -> Visit {
        let Some(parent) = self.stack.last_mut() else { return Visit::Skip };
        match (parent.kind, kind(node.kind_id())) {
            (Kind::Binary, operator @ (Kind::AndAnd | Kind::OrOr)) => {
                parent.flag = true;
                let (start, end) = (parent.node.start_byte(), node.start_byte());
                self.emit_span(OpKind::Dup, start, end);
                self.emit_span(OpKind::Branch(BranchKind::ShortCircuit), start, end);
                self.emit(OpKind::ShortBegin(operator == Kind::AndAnd), node);
            }
            (Kind::MethodReference, Kind::ColonColon) => parent.flag = true,
            (Kind::MethodReference, Kind::New) => parent.sym = Some(KNOWN.init),
            (Kind::ObjectCreation, Kind::New) => parent.flag = true,
            _ => {}
        }
        Visit::Skip
    }
}

/// Whether no more than a closing bracket or a semicolon is left of what ends at `end` behind a part of it. To look at the
/// text costs less than a step of the cursor.
pub(super) fn ends_behind(text: &str, part: Node<'_>, end: usize) -> bool {
    let rest = text.as_bytes().get(part.end_byte()..end);
    rest.is_some_and(|it| matches!(it.trim_ascii_start(), [] | [b')' | b']' | b'}' | b';']))
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(kind(node.kind_id()), Kind::LineComment | Kind::BlockComment)
}

/// Name and type of `T... name`.
pub(super) fn spread_parameter<'t>(node: Node<'t>, text: &str) -> Option<(Node<'t>, Ty)> {
    let mut cursor = node.walk();
    let declarator = node.named_children(&mut cursor).find(|it| kind(it.kind_id()) == Kind::VariableDeclarator)?;
    let name = in_field(declarator, FieldName::Name)?;
    let ty = in_field(node, FieldName::Type).and_then(|it| text.get(it.byte_range())).map_or(KNOWN.object, parse_type);
    Some((name, ty.with_dims(1)))
}

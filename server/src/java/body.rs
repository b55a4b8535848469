//! From the tree of a body to its [`Op`]s: one walk with a cursor and an explicit stack.
//!
//! The walk knows three moments: a node is entered, a child of it is about to be visited or was visited, and a node
//! is left. Everything a statement or expression means is said at one of them.

mod binders;

use super::kinds::{FieldName, Kind, child as in_field, field, kind};
use super::ops::{BranchKind, CallForm, Op, OpKind, Target};
use super::patterns::is_benign;
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
    double: Ty::simple("double"),
    boolean: Ty::simple("boolean"),
    char: Ty::simple("char"),
    object: Ty::simple("java.lang.Object"),
});

/// A node that is being visited.
struct Frame<'t> {
    kind: Kind,
    node: Node<'t>,
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
        let mut role = role;
        loop {
            let node = cursor.node();
            let visit = if node.is_named() { self.enter(node, role) } else { self.token(node) };
            if let Visit::Children = visit {
                if cursor.goto_first_child() {
                    role = field(cursor.field_id());
                    continue;
                }
                self.leave_top();
                if self.stack.len() == bottom {
                    return;
                }
            } else if self.stack.len() == bottom {
                return;
            }
            loop {
                if cursor.goto_next_sibling() {
                    role = field(cursor.field_id());
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.leave_top();
                if self.stack.len() == bottom {
                    return;
                }
            }
        }
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
            (Kind::Binary, Kind::AndAnd | Kind::OrOr) => {
                parent.flag = true;
                let (start, end) = (parent.node.start_byte(), node.start_byte());
                self.emit_span(OpKind::Branch(BranchKind::ShortCircuit), start, end);
                self.emit(OpKind::ShortBegin, node);
            }
            (Kind::MethodReference, Kind::ColonColon) => parent.flag = true,
            (Kind::MethodReference, Kind::New) => parent.sym = Some(KNOWN.init),
            (Kind::ObjectCreation, Kind::New) => parent.flag = true,
            _ => {}
        }
        Visit::Skip
    }

    fn enter(&mut self, node: Node<'t>, role: FieldName) -> Visit {
        let kind = kind(node.kind_id());
        let parent = self.stack.last().map(|it| it.kind);
        self.before_child(role);
        if let Some(visit) = self.enter_as_child(node, kind, parent, role) {
            return visit;
        }
        let visit = self.enter_node(node, kind);
        if let Visit::Children = visit {
            self.stack.push(Frame { kind, node, role, n: 0, mark: 0, flag: false, has_super: false, argc: 0, body: None, sym: None, ty: None, target: None });
            self.entered(node, kind);
        } else if let Some(parent) = self.stack.len().checked_sub(1) {
            self.after_child(parent, kind, role);
        }
        visit
    }

    /// What a node means by its place in its parent; `None` if it is to be read as it stands.
    fn enter_as_child(&mut self, node: Node<'t>, kind: Kind, parent: Option<Kind>, role: FieldName) -> Option<Visit> {
        use FieldName as F;
        let top = self.stack.len().checked_sub(1)?;
        match (parent?, role) {
            (Kind::Assignment, F::Left) | (Kind::Update, _) => {
                // `(x) = 1` writes to x as well.
                let mut left = node;
                while super::kinds::kind(left.kind_id()) == Kind::Parenthesized {
                    left = left.named_child(0)?;
                }
                match super::kinds::kind(left.kind_id()) {
                    Kind::Identifier => {
                        self.stack[top].target = Some(Target::Name(self.sym(left)));
                        return Some(Visit::Skip);
                    }
                    Kind::FieldAccess if kind == Kind::FieldAccess => {
                        let name = in_field(left, FieldName::Field).map(|it| self.sym(it))?;
                        self.stack[top].target = Some(Target::Select(name));
                        self.push_lvalue(node, kind, role);
                        return Some(Visit::Children);
                    }
                    Kind::ArrayAccess if kind == Kind::ArrayAccess => {
                        self.stack[top].target = Some(Target::Index);
                        self.push_lvalue(node, kind, role);
                        return Some(Visit::Children);
                    }
                    _ => return None,
                }
            }
            (Kind::MethodInvocation, F::Name) => self.stack[top].sym = Some(self.sym(node)),
            (Kind::FieldAccess, F::Field) => self.stack[top].sym = Some(if kind == Kind::This { KNOWN.this } else { self.sym(node) }),
            (Kind::MethodReference, _) => {
                if self.stack[top].flag {
                    if kind == Kind::Identifier {
                        self.stack[top].sym = Some(self.sym(node));
                    }
                } else if matches!(
                    kind,
                    Kind::GenericType
                        | Kind::ArrayType
                        | Kind::ScopedTypeIdentifier
                        | Kind::TypeIdentifier
                        | Kind::IntegralType
                        | Kind::FloatingPointType
                        | Kind::BooleanType
                        | Kind::AnnotatedType
                ) {
                    let ty = self.ty(node);
                    self.emit(OpKind::TypeName(ty), node);
                } else {
                    return None;
                }
            }
            (Kind::ObjectCreation, F::Type) => self.stack[top].ty = Some(self.ty(node)),
            (Kind::ObjectCreation, _) if kind == Kind::ClassBody => {
                let base = self.stack[top].ty;
                self.stack[top].body = Some(self.nest(node, base));
            }
            (Kind::ArrayCreation, F::Type) => self.stack[top].ty = Some(self.ty(node)),
            (Kind::Cast, F::Type) => {
                if self.stack[top].ty.is_none() {
                    self.stack[top].ty = Some(self.ty(node));
                }
            }
            (Kind::InstanceOf, F::Right) => self.stack[top].ty = Some(self.ty(node)),
            (Kind::InstanceOf, F::Name) => self.stack[top].sym = Some(self.sym(node)),
            (Kind::InstanceOf, F::Pattern) => {
                self.emit(OpKind::Dup, node);
                self.bind_pattern(node);
            }
            (Kind::LocalVariable | Kind::Resource | Kind::EnhancedFor, F::Type) => self.stack[top].ty = self.declared(node),
            (Kind::EnhancedFor | Kind::Resource | Kind::VariableDeclarator, F::Name) => self.stack[top].sym = Some(self.sym(node)),
            (Kind::LocalVariable | Kind::VariableDeclarator | Kind::EnhancedFor | Kind::Resource, F::Dimensions) => {
                let dims = self.str(node).matches('[').count() as u8;
                self.stack[top].n = u32::from(dims);
            }
            (Kind::Break | Kind::Continue, _) if kind == Kind::Identifier => self.stack[top].sym = Some(self.sym(node)),
            (Kind::Labeled, _) if kind == Kind::Identifier => {
                let label = self.sym(node);
                self.emit(OpKind::LabelBegin(label), node);
            }
            (Kind::Lambda, F::Parameters) => self.lambda_parameters(node, kind),
            (Kind::Catch, _) if kind == Kind::CatchParameter => self.catch_parameter(node),
            (Kind::SwitchLabel, _) if !matches!(kind, Kind::Pattern | Kind::Guard) => {
                // Constants: `case FOO`. They are compared, not computed.
            }
            (Kind::SwitchLabel, _) if kind == Kind::Pattern => {
                if let Some(pattern) = node.named_child(0) {
                    self.emit(OpKind::Subject, pattern);
                    self.bind_pattern(pattern);
                }
            }
            (Kind::ExplicitConstructor, F::Constructor) => self.stack[top].flag = kind == Kind::Super,
            _ => return None,
        }
        Some(Visit::Skip)
    }

    fn push_lvalue(&mut self, node: Node<'t>, kind: Kind, role: FieldName) {
        self.stack.push(Frame { kind, node, role, n: 0, mark: 0, flag: true, has_super: false, argc: 0, body: None, sym: None, ty: None, target: None });
    }

    /// The type of a declaration; `None` for `var`.
    fn declared(&self, node: Node<'_>) -> Option<Ty> {
        let text = self.str(node);
        (text != "var").then(|| parse_type(text))
    }

    /// What a node means in itself, before its children.
    fn enter_node(&mut self, node: Node<'t>, kind: Kind) -> Visit {
        let known = &*KNOWN;
        let op = match kind {
            Kind::Identifier => OpKind::Name(self.sym(node)),
            Kind::This => OpKind::This,
            Kind::Super => return Visit::Skip,
            Kind::StringLiteral => OpKind::Literal(known.string),
            Kind::CharacterLiteral => OpKind::Literal(known.char),
            Kind::DecimalInteger | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
                OpKind::Literal(if self.str(node).ends_with(['l', 'L']) { known.long } else { known.int })
            }
            Kind::DecimalFloat | Kind::HexFloat => OpKind::Literal(known.double),
            Kind::True | Kind::False => OpKind::Literal(known.boolean),
            Kind::ClassLiteral => OpKind::Literal(class_of(self.str(node), known.class)),
            Kind::Null => OpKind::Null,
            Kind::Class | Kind::Interface | Kind::Enum | Kind::Record | Kind::AnnotationType => OpKind::LocalType(self.nest(node, None)),
            Kind::LineComment
            | Kind::BlockComment
            | Kind::Modifiers
            | Kind::MarkerAnnotation
            | Kind::Annotation
            | Kind::TypeArguments
            | Kind::Dimensions
            | Kind::GenericType
            | Kind::TypeIdentifier
            | Kind::ScopedTypeIdentifier
            | Kind::ArrayType
            | Kind::AnnotatedType
            | Kind::IntegralType
            | Kind::FloatingPointType
            | Kind::BooleanType
            | Kind::VoidType
            | Kind::FormalParameters
            | Kind::InferredParameters
            | Kind::Underscore => return Visit::Skip,
            _ => return Visit::Children,
        };
        self.emit(op, node);
        Visit::Skip
    }

    /// What is said before the first child.
    fn entered(&mut self, node: Node<'t>, kind: Kind) {
        match kind {
            Kind::Block | Kind::ConstructorBody | Kind::For | Kind::EnhancedFor => self.emit(OpKind::ScopeBegin, node),
            Kind::ExpressionStatement => self.emit(OpKind::StatementBegin, node),
            Kind::If | Kind::Ternary => self.emit(OpKind::CondBegin, node),
            Kind::While | Kind::Do => self.emit(OpKind::LoopBegin, node),
            Kind::Try => self.emit(OpKind::TryBegin, node),
            Kind::TryWithResources => {
                self.emit(OpKind::TryBegin, node);
                self.emit(OpKind::ScopeBegin, node);
            }
            Kind::Finally => self.emit(OpKind::FinallyBegin, node),
            Kind::SwitchGroup | Kind::SwitchRule => self.emit(OpKind::CaseBegin(kind == Kind::SwitchRule), node),
            Kind::Assignment => {
                let frame = self.stack.len() - 1;
                let operator = in_field(node, FieldName::Operator);
                self.stack[frame].flag = operator.is_some_and(|it| self.str(it) != "=");
            }
            _ => {}
        }
    }

    /// What is said after a child of the frame at `parent` was visited.
    fn after_child(&mut self, parent: usize, child: Kind, role: FieldName) {
        use FieldName as F;
        if child == Kind::Super {
            self.stack[parent].has_super = true;
        }
        if matches!(child, Kind::LineComment | Kind::BlockComment | Kind::Modifiers | Kind::Dimensions) {
            return;
        }
        let (kind, node) = (self.stack[parent].kind, self.stack[parent].node);
        let condition = || in_field(node, FieldName::Condition).unwrap_or(node);
        match (kind, role) {
            (Kind::If, F::Condition) => {
                self.emit(OpKind::Branch(BranchKind::If), condition());
                self.emit(OpKind::Then, node);
            }
            (Kind::If, F::Consequence) if in_field(node, FieldName::Alternative).is_some() => self.emit(OpKind::Else, node),
            (Kind::Ternary, F::Condition) => {
                self.emit(OpKind::Branch(BranchKind::Ternary), condition());
                self.emit(OpKind::Then, node);
            }
            (Kind::Ternary, F::Consequence) => self.emit(OpKind::Else, node),
            (Kind::While, F::Condition) => {
                self.emit(OpKind::Branch(BranchKind::Loop), condition());
                self.emit(OpKind::LoopBody, node);
            }
            (Kind::Do, F::Body) => self.emit(OpKind::LoopContinue, node),
            (Kind::Do, F::Condition) => self.emit(OpKind::Branch(BranchKind::Loop), condition()),
            (Kind::For, F::Init) if child != Kind::LocalVariable => self.emit(OpKind::Pop, node),
            (Kind::For, F::Condition) => {
                self.emit(OpKind::Branch(BranchKind::Loop), condition());
                self.emit(OpKind::LoopBody, node);
            }
            (Kind::For, F::Update) => self.emit(OpKind::Pop, node),
            (Kind::EnhancedFor, F::Value) => {
                let value = in_field(node, FieldName::Value).unwrap_or(node);
                self.emit(OpKind::Dup, value);
                self.emit(OpKind::Branch(BranchKind::ForEach), value);
                self.emit(OpKind::Element, value);
                self.emit(OpKind::LoopBegin, node);
                let frame = &self.stack[parent];
                let ty = frame.ty.map(|it| it.with_dims(frame.n as u8));
                // The element is a fresh read in every round: it is declared inside the loop.
                if let (Some(name), start) = (frame.sym, in_field(node, FieldName::Name).unwrap_or(node)) {
                    self.emit(OpKind::Declare { name, ty, init: true }, start);
                }
                self.emit(OpKind::LoopBody, node);
            }
            (Kind::Switch, F::Condition) => {
                self.emit(OpKind::Dup, condition());
                self.emit(OpKind::Branch(BranchKind::Switch), condition());
                self.emit(OpKind::SwitchBegin, node);
            }
            (Kind::Try, F::Body) => self.emit(OpKind::TryEnd, node),
            (Kind::TryWithResources, F::Body) => {
                self.emit(OpKind::ScopeEnd, node);
                self.emit(OpKind::TryEnd, node);
            }
            (Kind::Guard, _) => self.emit(OpKind::Branch(BranchKind::Switch), node),
            (Kind::Assert, _) => {
                let frame = &mut self.stack[parent];
                frame.n += 1;
                let op = if frame.n == 1 { OpKind::Branch(BranchKind::Assert) } else { OpKind::Pop };
                self.emit(op, node);
            }
            (Kind::Synchronized, _) if child == Kind::Parenthesized => self.emit(OpKind::Pop, node),
            (Kind::ArgumentList | Kind::ArrayInitializer | Kind::Template, _) => self.stack[parent].n += 1,
            (Kind::ArrayCreation, _) if child == Kind::DimensionsExpr => self.stack[parent].n += 1,
            (Kind::MethodInvocation, F::Object) => {
                // Whether there is an object, and whether it is another than `super`.
                (self.stack[parent].n, self.stack[parent].mark) = (1, u32::from(child != Kind::Super));
                if child == Kind::Identifier
                    && let Some(Op { kind: OpKind::Name(object), .. }) = self.ops.last()
                    && is_benign(node, *object, self.text)
                {
                    self.benign.push(node.start_byte() as u32);
                }
            }
            _ => {}
        }
    }

    /// What is said before a child: only `for` needs it, whose parts are all optional.
    fn before_child(&mut self, role: FieldName) {
        let Some(frame) = self.stack.last_mut().filter(|it| it.kind == Kind::For) else { return };
        let node = frame.node;
        let here = self.ops.len() as u32;
        match role {
            FieldName::Condition | FieldName::Update | FieldName::Body if !frame.flag => {
                frame.flag = true;
                (frame.n, frame.mark) = (here + 1, here + 1);
                self.emit(OpKind::LoopBegin, node);
            }
            _ => {}
        }
        let (here, Some(frame)) = (self.ops.len() as u32, self.stack.last_mut()) else { return };
        match role {
            // The updates are the operations between these marks.
            FieldName::Update => frame.n = frame.n.min(here),
            FieldName::Body => frame.mark = here,
            FieldName::Condition => (frame.n, frame.mark) = (u32::MAX, u32::MAX),
            _ => {}
        }
    }

    /// What is said after the last child.
    fn leave(&mut self, frame: &Frame<'t>) {
        let (node, kind) = (frame.node, frame.kind);
        match kind {
            Kind::Block | Kind::ConstructorBody => self.emit(OpKind::ScopeEnd, node),
            Kind::ExpressionStatement => {
                let in_rule = self.stack.last().is_some_and(|it| it.kind == Kind::SwitchRule);
                self.emit(if in_rule { OpKind::CaseValue } else { OpKind::Pop }, node);
                self.emit(OpKind::StatementEnd, node);
            }
            Kind::If => self.emit(OpKind::EndIf, node),
            Kind::Ternary => self.emit(OpKind::EndTernary, node),
            Kind::While => self.emit(OpKind::LoopEnd(false), node),
            Kind::Do => self.emit(OpKind::LoopEnd(true), node),
            Kind::For => self.leave_for(frame),
            Kind::EnhancedFor => {
                self.emit(OpKind::LoopEnd(false), node);
                self.emit(OpKind::ScopeEnd, node);
            }
            Kind::Labeled => self.emit(OpKind::LabelEnd, node),
            Kind::Break => self.emit(OpKind::Break(frame.sym), node),
            Kind::Continue => self.emit(OpKind::Continue(frame.sym), node),
            Kind::Return => self.emit(OpKind::Return(has_value(node)), node),
            Kind::Yield => self.emit(OpKind::Yield, node),
            Kind::Throw => self.emit(OpKind::Throw, node),
            Kind::Catch => self.emit(OpKind::CatchEnd, node),
            Kind::Finally => self.emit(OpKind::FinallyEnd, node),
            Kind::Try | Kind::TryWithResources => self.emit(OpKind::TryDone, node),
            Kind::Switch => {
                let total = switch_takes_everything(node, self.text);
                self.emit(OpKind::SwitchEnd(total), node);
                if !is_expression_place(self.stack.last()) {
                    self.emit(OpKind::Pop, node);
                }
            }
            Kind::SwitchGroup | Kind::SwitchRule => self.emit(OpKind::CaseEnd(kind == Kind::SwitchRule), node),
            Kind::VariableDeclarator => self.leave_declarator(frame),
            Kind::Resource => {
                if let Some(name) = frame.sym {
                    let name_node = in_field(node, FieldName::Name).unwrap_or(node);
                    self.emit(OpKind::Declare { name, ty: frame.ty, init: true }, name_node);
                } else {
                    self.emit(OpKind::Pop, node);
                }
            }
            _ => self.leave_expression(frame),
        }
    }

    /// The update part stands before the body in the source and runs after it.
    fn leave_for(&mut self, frame: &Frame<'t>) {
        if !frame.flag {
            // `for (;;);` has no part at all.
            self.emit(OpKind::LoopBegin, frame.node);
        }
        let body = (frame.mark as usize).min(self.ops.len());
        let update = (frame.n as usize).min(body);
        self.ops[update..].rotate_left(body - update);
        let at = self.ops.len() - (body - update);
        let start = frame.node.start_byte().saturating_sub(self.base) as u32;
        self.ops.insert(at, Op { kind: OpKind::LoopContinue, start, len: 0 });
        self.emit(OpKind::LoopEnd(false), frame.node);
        self.emit(OpKind::ScopeEnd, frame.node);
    }

    fn leave_declarator(&mut self, frame: &Frame<'t>) {
        let node = frame.node;
        let Some(name) = frame.sym else { return };
        let parent = self.stack.last();
        let ty = parent.and_then(|it| it.ty).map(|it| it.with_dims(frame.n as u8));
        let value = in_field(node, FieldName::Value);
        if let (Some(value), Some(ty)) = (value, ty)
            && kind(value.kind_id()) == Kind::ArrayInitializer
            && let Some(Op { kind: OpKind::NewArray(written, _), .. }) = self.ops.last_mut()
        {
            *written = ty;
        }
        let name_node = in_field(node, FieldName::Name).unwrap_or(node);
        self.emit(OpKind::Declare { name, ty, init: value.is_some() }, name_node);
    }

    fn leave_expression(&mut self, frame: &Frame<'t>) {
        let (node, kind) = (frame.node, frame.kind);
        let op = match kind {
            Kind::FieldAccess if frame.flag => return,
            Kind::ArrayAccess if frame.flag => return,
            Kind::FieldAccess => match frame.sym {
                Some(name) if name == KNOWN.this => OpKind::OuterThis,
                Some(name) if frame.has_super => {
                    // `super.f` is the receiver's own field.
                    self.emit(OpKind::This, node);
                    OpKind::Select(name)
                }
                Some(name) => OpKind::Select(name),
                None => return,
            },
            Kind::ArrayAccess => OpKind::Index,
            Kind::Assignment => match frame.target {
                Some(target) => OpKind::Assign(target, frame.flag),
                None => OpKind::Derive(2),
            },
            Kind::Update => match frame.target {
                Some(target) => OpKind::Increment(target),
                None => OpKind::Derive(1),
            },
            Kind::Binary if frame.flag => OpKind::ShortEnd,
            Kind::Binary => match in_field(node, FieldName::Operator).map(|it| self.str(it)) {
                Some("==") => OpKind::Equals(true),
                Some("!=") => OpKind::Equals(false),
                Some("+") if has_string_literal(node) => {
                    self.emit(OpKind::Derive(2), node);
                    OpKind::Cast(KNOWN.string)
                }
                _ => OpKind::Derive(2),
            },
            Kind::Unary => OpKind::Derive(1),
            Kind::Cast => OpKind::Cast(frame.ty.unwrap_or(KNOWN.object)),
            Kind::InstanceOf => {
                if let (Some(name), Some(ty)) = (frame.sym, frame.ty) {
                    self.emit(OpKind::Dup, node);
                    self.emit(OpKind::Declare { name, ty: Some(ty), init: true }, node);
                }
                OpKind::Derive(1)
            }
            Kind::Template => OpKind::Derive(frame.n.min(u32::from(u16::MAX)) as u16),
            Kind::ArgumentList => {
                let n = frame.n;
                if let Some(parent) = self.stack.last_mut() {
                    parent.argc = n.min(u32::from(u16::MAX)) as u16;
                }
                return;
            }
            Kind::MethodInvocation => {
                let argc = frame.argc;
                let form = match frame.n {
                    _ if frame.has_super => CallForm::Super,
                    0 => CallForm::Plain,
                    _ => CallForm::On,
                };
                if form == CallForm::Super && frame.mark == 1 {
                    // `Iface.super.m()`: the interface's name lies below the arguments; the call takes it as its first.
                    OpKind::Call { form, name: frame.sym.unwrap_or(KNOWN.init), argc: argc.saturating_add(1), ty: None, body: None }
                } else {
                    OpKind::Call { form, name: frame.sym.unwrap_or(KNOWN.init), argc, ty: None, body: None }
                }
            }
            Kind::ExplicitConstructor => {
                let form = if frame.flag { CallForm::SuperConstructor } else { CallForm::ThisConstructor };
                self.emit(OpKind::Call { form, name: KNOWN.init, argc: frame.argc, ty: None, body: None }, node);
                if in_field(node, FieldName::Object).is_some() {
                    self.emit(OpKind::Nip, node);
                }
                OpKind::Pop
            }
            Kind::ObjectCreation => {
                let outer =
                    node.child(0).is_some_and(|first| first.is_named() && super::kinds::kind(first.kind_id()) != Kind::ArgumentList && !is_annotation(first));
                let call = OpKind::Call { form: CallForm::New, name: KNOWN.init, argc: frame.argc, ty: frame.ty, body: frame.body };
                if outer {
                    self.emit(call, node);
                    OpKind::Nip
                } else {
                    call
                }
            }
            Kind::MethodReference => {
                if frame.has_super {
                    self.emit(OpKind::This, node);
                }
                OpKind::Call { form: CallForm::Reference, name: frame.sym.unwrap_or(KNOWN.init), argc: 0, ty: None, body: None }
            }
            Kind::ArrayCreation => {
                let ty = frame.ty.unwrap_or(KNOWN.object);
                let dims: usize = (0..node.child_count())
                    .filter_map(|i| node.child(i))
                    .map(|child| match super::kinds::kind(child.kind_id()) {
                        Kind::DimensionsExpr => 1,
                        Kind::Dimensions => self.str(child).matches('[').count(),
                        _ => 0,
                    })
                    .sum();
                let ty = ty.with_dims(dims.min(255) as u8);
                if in_field(node, FieldName::Value).is_some() {
                    if let Some(Op { kind: OpKind::NewArray(written, _), .. }) = self.ops.last_mut() {
                        *written = ty;
                    }
                    return;
                }
                OpKind::SizedArray(ty, frame.n.min(u32::from(u16::MAX)) as u16)
            }
            Kind::ArrayInitializer => OpKind::NewArray(KNOWN.object.with_dims(1), frame.n.min(u32::from(u16::MAX)) as u16),
            Kind::Lambda => {
                let body = in_field(node, FieldName::Body);
                OpKind::LambdaEnd(body.is_some_and(|it| super::kinds::kind(it.kind_id()) != Kind::Block))
            }
            _ => return,
        };
        self.emit(op, node);
    }
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(kind(node.kind_id()), Kind::LineComment | Kind::BlockComment)
}

fn is_annotation(node: Node<'_>) -> bool {
    matches!(kind(node.kind_id()), Kind::MarkerAnnotation | Kind::Annotation)
}

fn has_value(node: Node<'_>) -> bool {
    (0..node.named_child_count() as u32).filter_map(|i| node.named_child(i)).any(|child| !is_comment(child))
}

/// Whether an operand of `+` is a string literal, so that the sum is a string.
fn has_string_literal(node: Node<'_>) -> bool {
    [FieldName::Left, FieldName::Right].into_iter().filter_map(|it| in_field(node, it)).any(|it| kind(it.kind_id()) == Kind::StringLiteral)
}

/// Whether the value of a switch in this place is used.
fn is_expression_place(parent: Option<&Frame<'_>>) -> bool {
    match parent {
        None => true,
        Some(frame) => !matches!(
            frame.kind,
            Kind::Block
                | Kind::ConstructorBody
                | Kind::SwitchGroup
                | Kind::If
                | Kind::While
                | Kind::Do
                | Kind::For
                | Kind::EnhancedFor
                | Kind::Labeled
                | Kind::Other
        ),
    }
}

/// Whether one label of the switch is `default` or a pattern without a guard (which takes everything in practice).
fn switch_takes_everything(node: Node<'_>, text: &str) -> bool {
    let Some(body) = in_field(node, FieldName::Body) else { return false };
    let mut cursor = body.walk();
    body.named_children(&mut cursor).any(|group| {
        let mut cursor = group.walk();
        group
            .named_children(&mut cursor)
            .filter(|it| kind(it.kind_id()) == Kind::SwitchLabel)
            .any(|label| text.get(label.byte_range()).is_some_and(|it| it.contains("default")))
    })
}

/// Name and type of `T... name`.
pub(super) fn spread_parameter<'t>(node: Node<'t>, text: &str) -> Option<(Node<'t>, Ty)> {
    let mut cursor = node.walk();
    let declarator = node.named_children(&mut cursor).find(|it| kind(it.kind_id()) == Kind::VariableDeclarator)?;
    let name = in_field(declarator, FieldName::Name)?;
    let ty = in_field(node, FieldName::Type).and_then(|it| text.get(it.byte_range())).map_or(KNOWN.object, parse_type);
    Some((name, ty.with_dims(1)))
}

/// The type of `User.class`: `Class<User>`.
fn class_of(literal: &str, class: Ty) -> Ty {
    literal.strip_suffix("class").and_then(|it| it.trim_end().strip_suffix('.')).map_or(class, |it| Ty::new(class.name(), &[parse_type(it)], 0))
}

//! What is said when a node is entered: by its place in its parent, or as it stands.

use super::{BodyWalker, Frame, KNOWN, Visit};
use crate::intern::Ty;
use crate::java::kinds::{FieldName, Kind, child as in_field, kind};
use crate::java::ops::{OpKind, Target};
use crate::java::types::{SEEDED_ALGORITHM, parse_type};
use tree_sitter::Node;

impl<'t> BodyWalker<'_, 't> {
    pub(super) fn enter(&mut self, node: Node<'t>, role: FieldName) -> Visit {
        let kind = kind(node.kind_id());
        let parent = self.stack.last().map(|it| it.kind);
        self.before_child(role);
        if let Some(visit) = self.enter_as_child(node, kind, parent, role) {
            return visit;
        }
        let visit = self.enter_node(node, kind);
        if let Visit::Children = visit {
            self.stack.push(Frame::new(node, kind, role));
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
                while crate::java::kinds::kind(left.kind_id()) == Kind::Parenthesized {
                    left = left.named_child(0)?;
                }
                match crate::java::kinds::kind(left.kind_id()) {
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
            (Kind::MethodInvocation, F::TypeArguments) => self.stack[top].ty = Some(parse_type(&format!("given{}", self.str(node)))),
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
                    let group = top.checked_sub(1).map(|it| self.stack[it].node);
                    if let Some(ty) = group.and_then(|it| self.only_type(it, pattern)) {
                        self.emit(OpKind::CaseType(ty), pattern);
                    }
                }
            }
            (Kind::ExplicitConstructor, F::Constructor) => self.stack[top].flag = kind == Kind::Super,
            _ => return None,
        }
        Some(Visit::Skip)
    }

    fn push_lvalue(&mut self, node: Node<'t>, kind: Kind, role: FieldName) {
        self.stack.push(Frame { flag: true, ..Frame::new(node, kind, role) });
    }

    /// The type of a declaration; `None` for `var`.
    pub(super) fn declared(&self, node: Node<'_>) -> Option<Ty> {
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
            Kind::StringLiteral if self.str(node) == "\"SHA1PRNG\"" => OpKind::Literal(*SEEDED_ALGORITHM),
            Kind::StringLiteral => OpKind::Literal(known.string),
            Kind::CharacterLiteral => OpKind::Literal(known.char),
            Kind::DecimalInteger | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
                OpKind::Literal(if self.str(node).ends_with(['l', 'L']) { known.long } else { known.int })
            }
            Kind::DecimalFloat | Kind::HexFloat => OpKind::Literal(if self.str(node).ends_with(['f', 'F']) { known.float } else { known.double }),
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
    pub(super) fn entered(&mut self, node: Node<'t>, kind: Kind) {
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
}

/// The type of `User.class`: `Class<User>`.
fn class_of(literal: &str, class: Ty) -> Ty {
    literal.strip_suffix("class").and_then(|it| it.trim_end().strip_suffix('.')).map_or(class, |it| Ty::new(class.name(), &[parse_type(it)], 0))
}

//! What is said around the children of a node, and when it is left.

use super::{BodyWalker, Frame, KNOWN, is_comment};
use crate::java::decls::is_empty_array;
use crate::java::kinds::{FieldName, Kind, child as in_field, kind};
use crate::java::ops::{BranchKind, CallForm, Op, OpKind};
use crate::java::patterns::is_benign;
use tree_sitter::Node;

impl<'t> BodyWalker<'_, 't> {
    /// What is said after a child of the frame at `parent` was visited.
    pub(super) fn after_child(&mut self, parent: usize, child: Kind, role: FieldName) {
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
    pub(super) fn before_child(&mut self, role: FieldName) {
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
    pub(super) fn leave(&mut self, frame: &Frame<'t>) {
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
                let used = is_expression_place(self.stack.last());
                self.emit(OpKind::SwitchEnd { total, used }, node);
                if !used {
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
            Kind::Unary if in_field(node, FieldName::Operator).is_some_and(|it| self.str(it) == "!") => OpKind::Not,
            Kind::Unary => OpKind::Derive(1),
            Kind::Cast => OpKind::Cast(frame.ty.unwrap_or(KNOWN.object)),
            Kind::InstanceOf => {
                if let (Some(name), Some(ty)) = (frame.sym, frame.ty) {
                    self.emit(OpKind::Dup, node);
                    self.emit(OpKind::Declare { name, ty: Some(ty), init: true }, node);
                }
                OpKind::TypeTest(frame.ty)
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
                    OpKind::Call { form, name: frame.sym.unwrap_or(KNOWN.init), argc, ty: frame.ty, body: None }
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
                let outer = node
                    .child(0)
                    .is_some_and(|first| first.is_named() && crate::java::kinds::kind(first.kind_id()) != Kind::ArgumentList && !is_annotation(first));
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
                    .map(|child| match crate::java::kinds::kind(child.kind_id()) {
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
                if frame.n == 1 && is_empty_array(node, self.text) {
                    self.ops.pop();
                    OpKind::NewArray(ty, 0)
                } else {
                    OpKind::SizedArray(ty, frame.n.min(u32::from(u16::MAX)) as u16)
                }
            }
            Kind::ArrayInitializer => OpKind::NewArray(KNOWN.object.with_dims(1), frame.n.min(u32::from(u16::MAX)) as u16),
            Kind::Lambda => {
                let body = in_field(node, FieldName::Body);
                OpKind::LambdaEnd(body.is_some_and(|it| crate::java::kinds::kind(it.kind_id()) != Kind::Block))
            }
            _ => return,
        };
        self.emit(op, node);
    }
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

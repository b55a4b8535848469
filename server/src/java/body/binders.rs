//! Names that are bound inside expressions and handlers: lambda parameters, caught exceptions, patterns.

use super::{BodyWalker, spread_parameter};
use crate::intern::{Sym, Ty};
use crate::java::kinds::{FieldName, Kind, child as in_field, kind as node_kind};
use crate::java::ops::OpKind;
use tree_sitter::Node;

impl<'t> BodyWalker<'_, 't> {
    pub(super) fn lambda_parameters(&mut self, node: Node<'t>, kind: Kind) {
        let lambda = self.stack.last().map_or(node, |it| it.node);
        let mut parameters: Vec<(Sym, Option<Ty>, Node<'t>)> = Vec::new();
        if kind == Kind::Identifier {
            parameters.push((self.sym(node), None, node));
        } else {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match node_kind(child.kind_id()) {
                    Kind::Identifier | Kind::Underscore => parameters.push((self.sym(child), None, child)),
                    Kind::FormalParameter => {
                        let name = in_field(child, FieldName::Name).unwrap_or(child);
                        let ty = in_field(child, FieldName::Type).and_then(|it| self.declared(it));
                        parameters.push((self.sym(name), ty, name));
                    }
                    Kind::SpreadParameter => {
                        if let Some((name, ty)) = spread_parameter(child, self.text) {
                            parameters.push((Sym::new(self.str(name)), Some(ty), name));
                        }
                    }
                    _ => {}
                }
            }
        }
        self.emit(OpKind::LambdaBegin(parameters.len() as u16), lambda);
        for (i, (name, ty, node)) in parameters.into_iter().enumerate() {
            self.emit(OpKind::LambdaParam(name, ty, i as u16), node);
        }
    }

    pub(super) fn catch_parameter(&mut self, node: Node<'t>) {
        self.emit(OpKind::CatchBegin, node);
        let mut cursor = node.walk();
        let ty = node.named_children(&mut cursor).find(|it| node_kind(it.kind_id()) == Kind::CatchType).and_then(|it| it.named_child(0)).map(|it| self.ty(it));
        if let Some(name) = in_field(node, FieldName::Name) {
            let name_sym = self.sym(name);
            self.emit(OpKind::Declare { name: name_sym, ty, init: false }, name);
        }
    }

    /// The type that a pattern asks for, if no other label of its group takes anything else.
    pub(super) fn only_type(&self, group: Node<'t>, pattern: Node<'t>) -> Option<Ty> {
        let of_kind = |node: Node<'t>, kind: Kind| {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).filter(|it| node_kind(it.kind_id()) == kind).collect::<Vec<_>>()
        };
        let [label] = of_kind(group, Kind::SwitchLabel)[..] else { return None };
        let [_] = of_kind(label, Kind::Pattern)[..] else { return None };
        let mut cursor = pattern.walk();
        let ty = pattern.named_children(&mut cursor).find(|it| node_kind(it.kind_id()) != Kind::Modifiers)?;
        self.declared(ty)
    }

    /// Binds the names of a type or record pattern; the matched value is on the stack and is popped.
    pub(super) fn bind_pattern(&mut self, pattern: Node<'t>) {
        // Each entry is a pattern with the path of components that leads to it from the value.
        let mut open: Vec<(Node<'t>, Vec<(Ty, u16)>)> = vec![(pattern, Vec::new())];
        while let Some((node, path)) = open.pop() {
            let mut ty = None;
            let mut name = None;
            let mut inner = None;
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match node_kind(child.kind_id()) {
                    Kind::Modifiers | Kind::Underscore | Kind::LineComment | Kind::BlockComment => {}
                    Kind::RecordPatternBody => inner = Some(child),
                    Kind::RecordPattern | Kind::TypePattern | Kind::RecordPatternComponent => open.push((child, path.clone())),
                    Kind::Identifier if ty.is_none() && node_kind(node.kind_id()) == Kind::RecordPattern => ty = self.declared(child),
                    Kind::Identifier => name = Some(child),
                    _ => ty = self.declared(child),
                }
            }
            if let (Some(body), Some(record)) = (inner, ty) {
                let mut cursor = body.walk();
                let components =
                    body.named_children(&mut cursor).filter(|it| matches!(node_kind(it.kind_id()), Kind::RecordPattern | Kind::RecordPatternComponent));
                for (i, component) in components.enumerate() {
                    let mut path = path.clone();
                    path.push((record, i as u16));
                    open.push((component, path));
                }
            } else if let Some(name) = name {
                self.emit(OpKind::Dup, name);
                for (record, i) in path {
                    self.emit(OpKind::Component(record, i), name);
                }
                let name_sym = self.sym(name);
                self.emit(OpKind::Declare { name: name_sym, ty, init: true }, name);
            }
        }
        self.emit(OpKind::Pop, pattern);
    }
}

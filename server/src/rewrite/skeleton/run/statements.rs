//! Statements.

use super::{Frame, Known, MAX_DEPTH, Run, Stop};
use crate::java::kinds::{FieldName, Kind, child};
use crate::rewrite::skeleton::values::{Value, What};
use crate::rewrite::source::{children, kind_of};
use tree_sitter::Node;

impl<'s> Run<'s, '_> {
    pub(super) fn block(&mut self, block: Node<'s>, frame: &mut Frame) -> Known<()> {
        let outer: Vec<String> = frame.locals.keys().cloned().collect();
        let res = children(block).into_iter().try_for_each(|it| self.statement(it, frame));
        frame.locals.retain(|name, _| outer.contains(name));
        res
    }

    fn statement(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<()> {
        self.step(node)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH * 2 {
            self.depth -= 1;
            return Err(self.unclear(node));
        }
        let res = self.one(node, frame);
        self.depth -= 1;
        res
    }

    fn one(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<()> {
        match kind_of(node) {
            Kind::LineComment | Kind::BlockComment | Kind::Class | Kind::Record | Kind::Interface | Kind::Enum => Ok(()),
            Kind::Block => self.block(node, frame),
            Kind::LocalVariable => {
                let ty = self.source.field(node, FieldName::Type).unwrap_or_default();
                for declarator in children(node).into_iter().filter(|it| kind_of(*it) == Kind::VariableDeclarator) {
                    let value = match child(declarator, FieldName::Value) {
                        Some(it) => adapted(self.value(it, frame)?, ty),
                        None => Value::unknown(),
                    };
                    if let Some(name) = self.source.field(declarator, FieldName::Name) {
                        frame.locals.insert(name.to_owned(), value);
                    }
                }
                Ok(())
            }
            Kind::ExpressionStatement => children(node).first().map_or(Ok(()), |it| self.value(*it, frame).map(drop)),
            Kind::ExplicitConstructor => {
                let is_plain = child(node, FieldName::Constructor).is_some_and(|it| kind_of(it) == Kind::Super)
                    && child(node, FieldName::Arguments).is_some_and(|it| children(it).is_empty());
                if is_plain { Ok(()) } else { Err(self.unclear(node)) }
            }
            Kind::Return => {
                let value = match children(node).into_iter().find(|it| !matches!(kind_of(*it), Kind::LineComment | Kind::BlockComment)) {
                    Some(it) => self.value(it, frame)?,
                    None => Value::unknown(),
                };
                Err(Stop::Returns(value))
            }
            Kind::Throw => {
                let thrown = children(node).first().copied();
                match thrown.filter(|it| kind_of(*it) == Kind::ObjectCreation) {
                    Some(made) => {
                        self.value(made, frame)?;
                        Err(Stop::Throws(self.source.field(made, FieldName::Type).unwrap_or_default().to_owned()))
                    }
                    None => Err(self.unclear(node)),
                }
            }
            Kind::If => {
                let Some(condition) = child(node, FieldName::Condition) else { return Err(self.unclear(node)) };
                let What::Bool(is_true) = self.value(condition, frame)?.what else { return self.either(node, frame) };
                let side = if is_true { FieldName::Consequence } else { FieldName::Alternative };
                child(node, side).map_or(Ok(()), |it| self.statement(it, frame))
            }
            Kind::While => {
                let Some(condition) = child(node, FieldName::Condition) else { return Err(self.unclear(node)) };
                match self.value(condition, frame)?.what {
                    What::Bool(false) => Ok(()),
                    _ => Err(self.unclear(node)),
                }
            }
            Kind::EnhancedFor => self.each(node, frame),
            Kind::Synchronized => child(node, FieldName::Body).map_or(Ok(()), |it| self.block(it, frame)),
            Kind::Try => self.tried(node, frame),
            _ if node.kind() == ";" => Ok(()),
            _ => Err(self.unclear(node)),
        }
    }

    /// A condition that is not known does not matter where both sides do nothing but log.
    fn either(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<()> {
        let sides: Vec<Node<'s>> = [FieldName::Consequence, FieldName::Alternative].into_iter().filter_map(|it| child(node, it)).collect();
        let before = self.calls.len();
        let locals = frame.locals.clone();
        let fields = self.fields.clone();
        for side in sides {
            let mut copy = frame.clone();
            let res = self.statement(side, &mut copy);
            let same = |left: &Value, right: &Value| left.text == right.text && std::mem::discriminant(&left.what) == std::mem::discriminant(&right.what);
            let is_quiet = self.calls.len() == before
                && locals.iter().all(|(name, it)| copy.locals.get(name).is_some_and(|new| same(it, new)))
                && fields.len() == self.fields.len()
                && fields.iter().all(|(name, it)| self.fields.get(name).is_some_and(|new| same(it, new)));
            self.calls.truncate(before);
            if res.is_err() || !is_quiet {
                self.fields = fields;
                return Err(child(node, FieldName::Condition).map_or_else(|| self.unclear(node), |it| self.unclear(it)));
            }
        }
        Ok(())
    }

    fn each(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<()> {
        let (Some(values), Some(name), Some(body)) = (child(node, FieldName::Value), self.source.field(node, FieldName::Name), child(node, FieldName::Body))
        else {
            return Err(self.unclear(node));
        };
        let ty = self.source.field(node, FieldName::Type).unwrap_or_default();
        let values = match self.value(values, frame)?.what {
            What::List(values) => values,
            What::Null => return Err(Stop::Throws("NullPointerException".to_owned())),
            _ => return Err(self.unclear(node)),
        };
        // What breaks out of the loop, or goes on with it, is not followed.
        if !values.is_empty() && self.has_jump(body) {
            return Err(self.unclear(node));
        }
        let before = frame.locals.get(name).cloned();
        for value in values {
            frame.locals.insert(name.to_owned(), adapted(value, ty));
            self.statement(body, frame)?;
        }
        match before {
            Some(before) => frame.locals.insert(name.to_owned(), before),
            None => frame.locals.remove(name),
        };
        Ok(())
    }

    fn has_jump(&self, body: Node<'s>) -> bool {
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            if matches!(kind_of(node), Kind::Break | Kind::Continue) {
                return true;
            }
            open.extend(children(node));
        }
        false
    }

    fn tried(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<()> {
        let Some(body) = child(node, FieldName::Body) else { return Err(self.unclear(node)) };
        let res = self.block(body, frame);
        let has_catch = children(node).iter().any(|it| kind_of(*it) == Kind::Catch);
        if matches!(res, Err(Stop::Unclear(_))) || (has_catch && matches!(res, Err(Stop::Throws(_)))) {
            return if let Err(Stop::Unclear(_)) = res { res } else { Err(self.unclear(node)) };
        }
        let last = children(node).into_iter().find(|it| kind_of(*it) == Kind::Finally);
        if let Some(block) = last.and_then(|it| children(it).into_iter().find(|it| kind_of(*it) == Kind::Block)) {
            self.block(block, frame)?;
        }
        res
    }
}

/// A value as a variable of a type holds it: numbers may be written otherwise there.
pub(super) fn adapted(value: Value, ty: &str) -> Value {
    let is_number = matches!(value.what, What::Int(_) | What::Unknown);
    match (ty, &value.text) {
        ("long", Some(text)) if is_number && text.bytes().all(|it| it.is_ascii_digit()) => Value { text: Some(format!("{text}L")), ..value },
        ("int" | "boolean" | "String", _) => value,
        (_, Some(text)) if is_number && text.starts_with(|it: char| it.is_ascii_digit() || it == '-' || it == '(' || it == '\'') => {
            Value { text: None, ..value }
        }
        _ => value,
    }
}

//! Expressions.

use super::statements::adapted;
use super::{Frame, Known, MAX_DEPTH, Run, Stop};
use crate::java::kinds::{FieldName, Kind, child};
use crate::rewrite::skeleton::types::{Kind as TypeKind, Type};
use crate::rewrite::skeleton::values::{Value, What};
use crate::rewrite::source::{children, kind_of};
use tree_sitter::Node;

/// What a name stands for.
pub(super) enum Meaning {
    Value(Value),
    Type(Type),
}

impl<'s> Run<'s, '_> {
    pub(super) fn value(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        self.step(node)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH * 2 {
            self.depth -= 1;
            return Err(self.unclear(node));
        }
        let res = self.expression(node, frame);
        self.depth -= 1;
        res
    }

    fn part(&mut self, part: Option<Node<'s>>, whole: Node<'s>, frame: &mut Frame) -> Known<Value> {
        match part {
            Some(part) => self.value(part, frame),
            None => Err(self.unclear(whole)),
        }
    }

    fn expression(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        if let Some(value) = self.literal(node) {
            return Ok(value);
        }
        match kind_of(node) {
            Kind::Parenthesized => self.part(children(node).last().copied(), node, frame),
            Kind::This => Ok(Value::of(What::This)),
            Kind::Identifier | Kind::FieldAccess => match self.meaning(node, frame)? {
                Meaning::Value(value) => Ok(value),
                Meaning::Type(_) => Err(self.unclear(node)),
            },
            Kind::MethodInvocation => self.call(node, frame),
            Kind::ObjectCreation => self.made(node, frame),
            Kind::Lambda | Kind::MethodReference | Kind::ClassLiteral => Ok(Value::object()),
            Kind::ArrayCreation | Kind::ArrayInitializer => {
                for inner in children(node) {
                    match kind_of(inner) {
                        Kind::DimensionsExpr => {
                            let size = children(inner).first().map(|it| self.value(*it, frame)).transpose()?;
                            if !size.is_some_and(|it| matches!(it.what, What::Int(n) if n >= 0)) {
                                return Err(self.unclear(node));
                            }
                        }
                        Kind::ArrayInitializer => drop(self.value(inner, frame)?),
                        _ if kind_of(node) == Kind::ArrayInitializer => drop(self.value(inner, frame)?),
                        _ => {}
                    }
                }
                Ok(Value::object())
            }
            Kind::Unary => {
                let value = self.part(child(node, FieldName::Operand), node, frame)?;
                let operator = self.source.field(node, FieldName::Operator).unwrap_or_default();
                Ok(match (operator, value.what) {
                    ("!", What::Bool(is_true)) => Value::written((!is_true).to_string(), What::Bool(!is_true)),
                    ("-", What::Int(n)) => Value { text: value.text.map(|it| format!("-{it}")), what: What::Int(-n) },
                    (_, What::Null) => return Err(Stop::Throws("NullPointerException".to_owned())),
                    _ => Value::unknown(),
                })
            }
            Kind::Binary => self.binary(node, frame),
            Kind::Ternary => {
                let [condition, yes, no] = [FieldName::Condition, FieldName::Consequence, FieldName::Alternative].map(|it| child(node, it));
                let (Some(condition), Some(yes), Some(no)) = (condition, yes, no) else { return Err(self.unclear(node)) };
                match self.value(condition, frame)?.what {
                    What::Bool(is_true) => Ok(adapted(self.value(if is_true { yes } else { no }, frame)?, "")),
                    _ if [yes, no].iter().all(|it| kind_of(*it) == Kind::Identifier || self.literal(*it).is_some()) => Ok(Value::unknown()),
                    _ => Err(self.unclear(node)),
                }
            }
            Kind::Assignment => self.assignment(node, frame),
            Kind::Update => {
                let target = children(node).first().copied();
                if let Some(target) = target.filter(|it| matches!(kind_of(*it), Kind::Identifier | Kind::FieldAccess)) {
                    let value = self.value(target, frame)?;
                    if matches!(value.what, What::Null) {
                        return Err(Stop::Throws("NullPointerException".to_owned()));
                    }
                    self.assign(target, Value::unknown(), frame)?;
                    return Ok(Value::unknown());
                }
                Err(self.unclear(node))
            }
            Kind::Cast => {
                let ty = child(node, FieldName::Type);
                let value = self.part(child(node, FieldName::Value), node, frame)?;
                let is_number = ty.is_some_and(|it| matches!(kind_of(it), Kind::IntegralType | Kind::FloatingPointType));
                match value.what {
                    What::Null if !is_number => Ok(value),
                    What::Int(_) | What::Unknown if is_number => Ok(Value::unknown()),
                    _ => Err(self.unclear(node)),
                }
            }
            Kind::InstanceOf if child(node, FieldName::Name).is_none() && child(node, FieldName::Pattern).is_none() => {
                self.part(child(node, FieldName::Left), node, frame)?;
                Ok(Value::unknown())
            }
            _ => Err(self.unclear(node)),
        }
    }

    pub(super) fn literal(&self, node: Node<'_>) -> Option<Value> {
        let text = self.source.of(node);
        Some(match kind_of(node) {
            Kind::StringLiteral => match text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
                Some(inner) if !text.starts_with("\"\"\"") && !inner.contains('\\') => Value::written(text, What::Text(inner.to_owned())),
                Some(_) if !text.starts_with("\"\"\"") => Value::written(text, What::Object(Some(string()))),
                _ => Value::of(What::Object(Some(string()))),
            },
            Kind::DecimalInteger => {
                let n = text.trim_end_matches(['l', 'L']).replace('_', "").parse();
                Value::written(text, n.map_or(What::Unknown, What::Int))
            }
            Kind::CharacterLiteral | Kind::DecimalFloat | Kind::HexFloat | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
                Value::written(text, What::Unknown)
            }
            Kind::True => Value::written("true", What::Bool(true)),
            Kind::False => Value::written("false", What::Bool(false)),
            Kind::Null => Value::of(What::Null),
            _ => return None,
        })
    }

    /// What a name or a dotted name stands for.
    pub(super) fn meaning(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Meaning> {
        let text = self.source.of(node);
        if kind_of(node) == Kind::Identifier {
            if let Some(value) = frame.locals.get(text) {
                return Ok(Meaning::Value(value.clone()));
            }
            if let Some(value) = self.field(text, frame.is_static) {
                return Ok(Meaning::Value(value));
            }
            return self.arrange.world.named(text).map(Meaning::Type).ok_or_else(|| self.unclear(node));
        }
        if kind_of(node) != Kind::FieldAccess {
            return self.value(node, frame).map(Meaning::Value);
        }
        let (Some(object), Some(name)) = (child(node, FieldName::Object), self.source.field(node, FieldName::Field)) else {
            return Err(self.unclear(node));
        };
        if kind_of(object) == Kind::This {
            return self.field(name, false).map(Meaning::Value).ok_or_else(|| self.unclear(node));
        }
        match self.meaning(object, frame) {
            Ok(Meaning::Type(ty)) => {
                if ty.kind == TypeKind::Enum && ty.args.is_empty() {
                    return Ok(Meaning::Value(Value::of(What::Object(Some(ty)))));
                }
                let is_own = ty == self.subject.class;
                if is_own && let Some(value) = self.field(name, true) {
                    return Ok(Meaning::Value(value));
                }
                if ty.package.starts_with("java.") {
                    return Ok(Meaning::Value(Value::object()));
                }
                Ok(Meaning::Value(Value::unknown()))
            }
            Ok(Meaning::Value(value)) => match value.what {
                What::Null => Err(Stop::Throws("NullPointerException".to_owned())),
                What::Object(_) if name == "length" => Ok(Meaning::Value(Value::unknown())),
                _ => Err(self.unclear(node)),
            },
            Err(_) => self.arrange.world.named(text).map(Meaning::Type).ok_or_else(|| self.unclear(node)),
        }
    }

    fn binary(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        let (Some(left), Some(right)) = (child(node, FieldName::Left), child(node, FieldName::Right)) else { return Err(self.unclear(node)) };
        let operator = self.source.field(node, FieldName::Operator).unwrap_or_default();
        let first = self.value(left, frame)?;
        if matches!(operator, "&&" | "||") {
            let is_and = operator == "&&";
            return match first.what {
                What::Bool(is_true) if is_true == is_and => self.value(right, frame),
                What::Bool(is_true) => Ok(Value::written(is_true.to_string(), What::Bool(is_true))),
                // Whether the right side is asked is not known: it must do nothing.
                _ => {
                    let before = self.calls.len();
                    let second = self.value(right, frame);
                    if self.calls.len() != before || second.is_err() {
                        self.calls.truncate(before);
                        return Err(self.unclear(left));
                    }
                    match second?.what {
                        What::Bool(is_true) if is_true != is_and => Ok(Value::written(is_true.to_string(), What::Bool(is_true))),
                        _ => Ok(Value::unknown()),
                    }
                }
            };
        }
        let second = self.value(right, frame)?;
        let truth = |is_true: bool| Value::written(is_true.to_string(), What::Bool(is_true));
        Ok(match (operator, &first.what, &second.what) {
            ("==" | "!=", left, right) => same(left, right).map_or_else(Value::unknown, |it| truth(it == (operator == "=="))),
            ("<", What::Int(a), What::Int(b)) => truth(a < b),
            ("<=", What::Int(a), What::Int(b)) => truth(a <= b),
            (">", What::Int(a), What::Int(b)) => truth(a > b),
            (">=", What::Int(a), What::Int(b)) => truth(a >= b),
            ("+", What::Text(a), What::Text(b)) => Value::written(format!("\"{a}{b}\""), What::Text(format!("{a}{b}"))),
            ("+", What::Text(_) | What::Object(_), _) | ("+", _, What::Text(_)) => Value::of(What::Object(Some(string()))),
            (_, What::Null, _) | (_, _, What::Null) => return Err(Stop::Throws("NullPointerException".to_owned())),
            ("+", What::Int(a), What::Int(b)) => small(a.checked_add(*b)),
            ("-", What::Int(a), What::Int(b)) => small(a.checked_sub(*b)),
            ("*", What::Int(a), What::Int(b)) => small(a.checked_mul(*b)),
            ("/" | "%", _, What::Int(n)) if *n != 0 => Value::unknown(),
            ("/" | "%", ..) => return Err(self.unclear(node)),
            _ => Value::unknown(),
        })
    }

    fn assignment(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        let (Some(target), Some(value)) = (child(node, FieldName::Left), child(node, FieldName::Right)) else { return Err(self.unclear(node)) };
        let is_plain = self.source.field(node, FieldName::Operator) == Some("=");
        let old = if is_plain { None } else { Some(self.value(target, frame)?) };
        let value = self.value(value, frame)?;
        let value = if is_plain {
            adapted(value, "")
        } else if matches!(old, Some(Value { what: What::Null, .. })) && !matches!(value.what, What::Text(_)) {
            return Err(self.unclear(node));
        } else {
            Value::unknown()
        };
        self.assign(target, value.clone(), frame)?;
        Ok(value)
    }

    fn assign(&mut self, target: Node<'s>, value: Value, frame: &mut Frame) -> Known<()> {
        let name = match kind_of(target) {
            Kind::Identifier => self.source.of(target),
            Kind::FieldAccess if child(target, FieldName::Object).is_some_and(|it| kind_of(it) == Kind::This) => {
                let name = self.source.field(target, FieldName::Field).unwrap_or_default();
                self.fields.insert(name.to_owned(), value);
                return Ok(());
            }
            _ => return Err(self.unclear(target)),
        };
        if let Some(local) = frame.locals.get_mut(name) {
            *local = value;
        } else if self.subject.fields.iter().any(|it| it.name == name) {
            self.fields.insert(name.to_owned(), value);
        } else {
            return Err(self.unclear(target));
        }
        Ok(())
    }
}

/// Whether two values are the same, if that is known.
fn same(left: &What, right: &What) -> Option<bool> {
    match (left, right) {
        (What::Int(a), What::Int(b)) => Some(a == b),
        (What::Bool(a), What::Bool(b)) => Some(a == b),
        (What::Null, What::Null) => Some(true),
        (What::Mock(a), What::Mock(b)) => Some(a == b),
        (What::Unknown, _) | (_, What::Unknown) => None,
        (What::Null, _) | (_, What::Null) => Some(false),
        _ => None,
    }
}

/// A number that is the same for every type that it may have.
fn small(n: Option<i64>) -> Value {
    match n {
        Some(n) if i32::try_from(n).is_ok() => Value::of(What::Int(n)),
        _ => Value::unknown(),
    }
}

pub(super) fn string() -> Type {
    Type { package: "java.lang".to_owned(), name: "String".to_owned(), args: Vec::new(), dims: 0, kind: TypeKind::Class, is_generic: false }
}

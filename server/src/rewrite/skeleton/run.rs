//! Runs a method in the mind, on values that a test prepares: which calls reach mocks, and what comes out.
//!
//! It follows only what surely happens. Where the way depends on something that it does not know, it stops: what was
//! called until then was called, and what the method gives is left for the author of the test.

mod calls;
mod expressions;
mod library;
mod statements;

use super::Subject;
use super::types::Type;
use super::values::{Arrange, Value, What};
use crate::java::kinds::{FieldName, Kind, child};
use crate::rewrite::Source;
use crate::rewrite::source::{children, kind_of};
use std::collections::{BTreeSet, HashMap};
use tree_sitter::Node;

/// Methods are entered no deeper than this, and expressions nest no deeper.
const MAX_DEPTH: u32 = 40;
/// Steps of one run.
const MAX_STEPS: u32 = 2_000;

/// Why a run ends.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It gives this.
    Returns(Value),
    /// It throws an exception of this type, as the source names it.
    Throws(String),
    /// Nobody knows, from this piece of the source on.
    Unclear(String),
}

/// What a method comes to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It gives a value.
    Gives(Value),
    /// It ends without a result.
    Ends,
    /// It throws an exception of this type.
    Throws(String),
    /// It cannot be told from this piece of the source on.
    Unclear(String),
}

/// A call of a method of a mock.
#[derive(Clone, Debug)]
pub struct MockCall {
    pub mock: usize,
    pub method: String,
    pub args: Vec<Value>,
    pub params: Vec<Type>,
}

/// What a method of a mock gives.
#[derive(Clone, Debug)]
pub struct Stub {
    pub call: MockCall,
    /// The arguments as the test writes them; `None` for any.
    pub key: Vec<Option<String>>,
    pub result: Value,
    pub returns: Type,
}

/// A static method that is answered while the method runs.
#[derive(Clone, Debug)]
pub struct StaticStub {
    pub class: Type,
    pub method: String,
    pub args: Vec<String>,
    pub result: Value,
}

/// What a run knows of locals.
#[derive(Default, Clone)]
struct Frame {
    locals: HashMap<String, Value>,
    is_static: bool,
}

/// A run.
pub struct Run<'s, 'a> {
    pub source: &'s Source<'s>,
    pub subject: &'s Subject,
    /// The body of the class.
    pub class: Node<'s>,
    pub arrange: Arrange<'a>,
    pub calls: Vec<MockCall>,
    pub stubs: Vec<Stub>,
    pub statics: Vec<StaticStub>,
    /// What a reader of the test should know.
    pub notes: BTreeSet<String>,
    /// Fields of the object, where they are known.
    pub fields: HashMap<String, Value>,
    depth: u32,
    steps: u32,
}

type Known<T> = Result<T, Stop>;

impl<'s, 'a> Run<'s, 'a> {
    pub fn new(source: &'s Source<'s>, subject: &'s Subject, class: Node<'s>, arrange: Arrange<'a>) -> Self {
        Run {
            source,
            subject,
            class,
            arrange,
            calls: Vec::new(),
            stubs: Vec::new(),
            statics: Vec::new(),
            notes: BTreeSet::new(),
            fields: HashMap::new(),
            depth: 0,
            steps: 0,
        }
    }

    /// Runs a method or constructor with these arguments.
    pub fn method(&mut self, method: Node<'s>, args: &[Value]) -> Outcome {
        match self.invoke(method, args) {
            Ok(()) => Outcome::Ends,
            Err(Stop::Returns(value)) => Outcome::Gives(value),
            Err(Stop::Throws(ty)) => Outcome::Throws(ty),
            Err(Stop::Unclear(at)) => Outcome::Unclear(at),
        }
    }

    fn invoke(&mut self, method: Node<'s>, args: &[Value]) -> Known<()> {
        let Some(body) = child(method, FieldName::Body) else { return Err(self.unclear(method)) };
        if self.depth > MAX_DEPTH {
            return Err(self.unclear(method));
        }
        let mut frame = Frame { is_static: self.source.has_modifier(method, "static"), ..Frame::default() };
        let parameters = child(method, FieldName::Parameters).map(children).unwrap_or_default();
        let names: Vec<&str> = parameters.iter().filter_map(|it| self.parameter_name(*it)).collect();
        if names.len() != args.len() {
            return Err(self.unclear(method));
        }
        for (name, arg) in names.into_iter().zip(args) {
            frame.locals.insert(name.to_owned(), arg.clone());
        }
        self.depth += 1;
        let res = self.block(body, &mut frame);
        self.depth -= 1;
        res
    }

    fn parameter_name(&self, parameter: Node<'_>) -> Option<&'s str> {
        match kind_of(parameter) {
            Kind::FormalParameter => self.source.field(parameter, FieldName::Name),
            Kind::SpreadParameter => {
                let declarator = children(parameter).into_iter().find(|it| kind_of(*it) == Kind::VariableDeclarator)?;
                self.source.field(declarator, FieldName::Name)
            }
            _ => None,
        }
    }

    /// The end of what is known, with the piece of the source that it ends at.
    fn unclear(&self, node: Node<'_>) -> Stop {
        let text: Vec<&str> = self.source.of(node).split_whitespace().collect();
        let text = text.join(" ");
        let text: String = text.split(" {").next().unwrap_or_default().chars().filter(|it| !it.is_control()).take(80).collect();
        Stop::Unclear(text.replace("*/", "* /"))
    }

    fn step(&mut self, node: Node<'_>) -> Known<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(self.unclear(node)) } else { Ok(()) }
    }

    /// The value of a field of the object, or of a constant of the class.
    fn field(&mut self, name: &str, is_static: bool) -> Option<Value> {
        let subject = self.subject;
        let is_constant = |it: &Node<'_>| kind_of(*it) == Kind::EnumConstant && self.source.field(*it, FieldName::Name) == Some(name);
        if children(self.class).iter().any(is_constant) {
            return Some(Value::of(What::Object(Some(subject.class.clone()))));
        }
        let field = subject.fields.iter().find(|it| it.name == name)?;
        if !field.is_static {
            if is_static {
                return None;
            }
            return Some(self.fields.get(name).cloned().unwrap_or_else(Value::unknown));
        }
        if !field.is_final {
            return Some(Value::unknown());
        }
        let initial = self.initialiser(name);
        let made = initial.filter(|it| kind_of(*it) == Kind::ObjectCreation).and_then(|it| self.source.field(it, FieldName::Type));
        let made = made.and_then(|it| self.arrange.world.named(it.split('<').next().unwrap_or(it)));
        if let Some(ty) = made {
            return Some(Value::of(What::Object(Some(ty))));
        }
        let value = initial.map(|it| self.literal(it));
        Some(match value {
            Some(Some(value)) => value,
            // A constant that something makes is never null.
            _ if field.ty.is_primitive() => Value::unknown(),
            Some(None) => Value::of(What::Object(Some(field.ty.clone()))),
            None => Value::unknown(),
        })
    }

    /// The members of the class; those of an enum stand behind its constants.
    pub fn members(&self) -> Vec<Node<'s>> {
        let (later, mut members): (Vec<_>, Vec<_>) = children(self.class).into_iter().partition(|it| kind_of(*it) == Kind::EnumBodyDeclarations);
        members.extend(later.into_iter().flat_map(children));
        members
    }

    /// The expression that a field of the class begins with.
    pub fn initialiser(&self, name: &str) -> Option<Node<'s>> {
        let fields = self.members().into_iter().filter(|it| kind_of(*it) == Kind::Field);
        let declarators = fields.flat_map(children).filter(|it| kind_of(*it) == Kind::VariableDeclarator);
        let mut found = declarators.filter(|it| self.source.field(*it, FieldName::Name) == Some(name));
        found.next().and_then(|it| child(it, FieldName::Value))
    }
}

impl<'s> Run<'s, '_> {
    /// What an initialiser of a field gives, if that surely ends well.
    pub fn initial(&mut self, node: Node<'s>) -> Option<Value> {
        self.value(node, &mut Frame::default()).ok()
    }
}

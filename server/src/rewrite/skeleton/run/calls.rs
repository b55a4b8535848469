//! Calls: of mocks, of the class itself, of what a test can answer, and of what is known to do no harm.

use super::expressions::Meaning;
use super::library::{object_method, static_method};
use super::{Frame, Known, MockCall, Run, StaticStub, Stop, Stub};
use crate::java::kinds::{FieldName, Kind, child};
use crate::rewrite::skeleton::types::Type;
use crate::rewrite::skeleton::values::{Value, What, lower_first};
use crate::rewrite::source::{children, kind_of};
use tree_sitter::Node;

impl<'s> Run<'s, '_> {
    pub(super) fn call(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        let Some(name) = self.source.field(node, FieldName::Name) else { return Err(self.unclear(node)) };
        let receiver = match child(node, FieldName::Object) {
            None => Meaning::Value(Value::of(What::This)),
            Some(it) if kind_of(it) == Kind::Super => return Err(self.unclear(node)),
            Some(it) => self.meaning(it, frame)?,
        };
        let args = self.arguments(node, frame)?;
        match receiver {
            Meaning::Type(ty) if ty == self.subject.class => self.own(node, name, &args, true),
            Meaning::Type(ty) => self.of_class(node, &ty, name, &args),
            Meaning::Value(receiver) => match &receiver.what {
                What::This => self.own(node, name, &args, frame.is_static && child(node, FieldName::Object).is_none()),
                What::Null => Err(Stop::Throws("NullPointerException".to_owned())),
                What::Mock(mock) => self.of_mock(node, *mock, name, args),
                _ => match object_method(&receiver, name, &args) {
                    Some(value) => Ok(value),
                    None => match &receiver.what {
                        What::Object(Some(ty)) if self.is_quiet(ty, name, args.len(), false) => Ok(Value::unknown()),
                        _ => Err(self.unclear(node)),
                    },
                },
            },
        }
    }

    fn arguments(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Vec<Value>> {
        let list = child(node, FieldName::Arguments).map(children).unwrap_or_default();
        list.into_iter().filter(|it| !matches!(kind_of(*it), Kind::LineComment | Kind::BlockComment)).map(|it| self.value(it, frame)).collect()
    }

    /// A method of the class itself, if it is the only one that can be meant.
    fn own(&mut self, node: Node<'s>, name: &str, args: &[Value], is_static: bool) -> Known<Value> {
        let named = |it: &Node<'s>| kind_of(*it) == Kind::Method && self.source.field(*it, FieldName::Name) == Some(name);
        let methods: Vec<Node<'s>> = self.members().into_iter().filter(named).collect();
        let n_params = |it: &Node<'_>| child(*it, FieldName::Parameters).map_or(0, |it| children(it).len());
        let fitting: Vec<Node<'s>> = methods.into_iter().filter(|it| n_params(it) == args.len()).collect();
        let [method] = fitting[..] else { return Err(self.unclear(node)) };
        if is_static && !self.source.has_modifier(method, "static") {
            return Err(self.unclear(node));
        }
        match self.invoke(method, args) {
            Ok(()) => Ok(Value::unknown()),
            Err(Stop::Returns(value)) => Ok(super::statements::adapted(value, self.source.field(method, FieldName::Type).unwrap_or_default())),
            Err(it) => Err(it),
        }
    }

    fn of_class(&mut self, node: Node<'s>, class: &Type, name: &str, args: &[Value]) -> Known<Value> {
        if class.is("java.lang.System") && matches!(name, "currentTimeMillis" | "nanoTime" | "getenv" | "getProperty") {
            let what = match name {
                "currentTimeMillis" => "Mockito cannot answer System.currentTimeMillis(): with a java.time.Clock in the class, this test could set the time.",
                "nanoTime" => "Mockito cannot answer System.nanoTime().",
                "getenv" => "Reads the environment: the test cannot set it.",
                _ => "Reads a system property: System.setProperty sets it.",
            };
            self.notes.insert(what.to_owned());
            return Ok(Value::unknown());
        }
        let is_now = class.package == "java.time" && name == "now" || class.is("java.util.UUID") && name == "randomUUID";
        if is_now && args.is_empty() {
            return self.answered(node, class, name, args, class.clone());
        }
        if let Some(value) = static_method(class, name, args) {
            return Ok(value);
        }
        if let [signature] = &self.arrange.world.methods(class, name, args.len())[..]
            && signature.is_state
            && signature.is_static
            && !signature.varargs
            && !signature.returns.is_void()
        {
            return self.answered(node, class, name, args, signature.returns.clone());
        }
        if self.is_quiet(class, name, args.len(), true) { Ok(Value::unknown()) } else { Err(self.unclear(node)) }
    }

    /// Whether a method does nothing but to read or set fields.
    fn is_quiet(&self, class: &Type, name: &str, n: usize, is_static: bool) -> bool {
        let found = if class.dims == 0 { self.arrange.world.methods(class, name, n) } else { Vec::new() };
        matches!(&found[..], [it] if it.is_quiet && it.is_static == is_static && !it.varargs)
    }

    /// A static method that reads state: the test answers it.
    fn answered(&mut self, node: Node<'s>, class: &Type, name: &str, args: &[Value], returns: Type) -> Known<Value> {
        let texts: Option<Vec<String>> = args.iter().map(|it| it.text.clone()).collect();
        let Some(texts) = texts.filter(|_| self.arrange.world.is_visible(class)) else { return Err(self.unclear(node)) };
        if let Some(known) = self.statics.iter().find(|it| it.class == *class && it.method == name && it.args == texts) {
            return Ok(known.result.clone());
        }
        let Some(result) = self.result(name, &returns) else { return Err(self.unclear(node)) };
        self.statics.push(StaticStub { class: class.clone(), method: name.to_owned(), args: texts, result: result.clone() });
        Ok(result)
    }

    fn of_mock(&mut self, node: Node<'s>, mock: usize, name: &str, args: Vec<Value>) -> Known<Value> {
        if matches!((name, args.len()), ("equals", 1) | ("hashCode" | "toString" | "getClass", 0)) {
            return Ok(Value::unknown());
        }
        let ty = self.arrange.mocks[mock].ty.clone();
        let found = self.arrange.world.methods(&ty, name, args.len());
        let [signature] = &found[..] else { return Err(self.unclear(node)) };
        if signature.is_static || signature.varargs {
            return Err(self.unclear(node));
        }
        let call = MockCall { mock, method: name.to_owned(), args, params: signature.params.clone() };
        if signature.returns.is_void() {
            self.calls.push(call);
            return Ok(Value::unknown());
        }
        let key: Vec<Option<String>> = call.args.iter().map(|it| it.text.clone()).collect();
        let of_method: Vec<&Stub> = self.stubs.iter().filter(|it| it.call.mock == mock && it.call.method == name && it.key.len() == key.len()).collect();
        if let Some(known) = of_method.iter().find(|it| it.key == key) {
            let result = known.result.clone();
            self.calls.push(call);
            return Ok(result);
        }
        // Answers for any arguments and for some would get in each other's way.
        let any = |key: &[Option<String>]| key.iter().any(Option::is_none);
        if !of_method.is_empty() && (any(&key) || of_method.iter().any(|it| any(&it.key))) {
            return Err(self.unclear(node));
        }
        self.calls.push(call.clone());
        // What cannot be made is what a mock gives by itself: null.
        let Some(result) = self.result(name, &signature.returns) else { return Ok(Value::of(What::Null)) };
        self.stubs.push(Stub { call, key, result: result.clone(), returns: signature.returns.clone() });
        Ok(result)
    }

    /// A value that a method gives.
    fn result(&mut self, method: &str, ty: &Type) -> Option<Value> {
        let stripped =
            ["get", "find", "fetch", "load", "read"].iter().find_map(|it| method.strip_prefix(it)).filter(|it| it.starts_with(|it: char| it.is_uppercase()));
        let hint = match (stripped, ty.kind) {
            (Some(it), _) => lower_first(it),
            (None, crate::rewrite::skeleton::types::Kind::Primitive) => method.to_owned(),
            (None, _) if ty.is("java.lang.String") => method.to_owned(),
            (None, _) => lower_first(ty.name.rsplit('.').next().unwrap_or(&ty.name)),
        };
        if ty.is_primitive() || ty.is("java.lang.String") { self.arrange.inline(&hint, ty) } else { self.arrange.local(&hint, ty) }
    }

    pub(super) fn made(&mut self, node: Node<'s>, frame: &mut Frame) -> Known<Value> {
        let args = self.arguments(node, frame)?;
        let ty = self.source.field(node, FieldName::Type).unwrap_or_default();
        let bare = ty.split('<').next().unwrap_or(ty);
        let Some(ty) = self.arrange.world.named(bare) else { return Err(self.unclear(node)) };
        let shape = self.arrange.world.shape(&ty);
        let is_harmless = if args.is_empty() { shape.has_plain_constructor } else { shape.components.as_ref().is_some_and(|it| it.len() == args.len()) };
        let is_known = ty.package.starts_with("java.")
            && (args.is_empty() && !ty.name.ends_with("Scanner")
                || ty.name.ends_with("Exception")
                || ty.name.ends_with("Error")
                || matches!(ty.name.as_str(), "BigDecimal") && matches!(args[..], [Value { what: What::Text(ref it), .. }] if it.parse::<f64>().is_ok())
                || matches!(ty.name.as_str(), "AtomicLong" | "AtomicInteger" | "AtomicBoolean" | "AtomicReference" | "Date"));
        let is_exception = ty.name.ends_with("Exception") && !ty.package.starts_with("java.") && child(node, FieldName::Body).is_none();
        if is_harmless || is_known || is_exception {
            return Ok(Value::of(What::Object(Some(ty))));
        }
        Err(self.unclear(node))
    }
}

//! The object that is tested: made by the constructor of its class where that surely works, with its fields set else.

use super::names::Names;
use super::run::{Outcome, Run};
use super::types::{Kind, Type};
use super::values::{Value, What, lower_first};
use super::{Constructor, Field};
use crate::java::kinds::{FieldName, Kind as NodeKind, child};
use crate::rewrite::source::{children, kind_of};
use tree_sitter::Node;

/// Adds what makes the object to what is arranged. What the test calls the method on; `None` if there is no way.
pub(super) fn prepare(run: &mut Run<'_, '_>) -> Option<String> {
    let subject = run.subject;
    let class = run.arrange.names.class(&subject.class)?;
    if subject.is_static {
        return Some(class);
    }
    let hint = lower_first(subject.class.name.rsplit('.').next().unwrap_or(&subject.class.name));
    match subject.class.kind {
        Kind::Enum => {
            let constant = run.arrange.world.shape(&subject.class).first_constant?;
            let name = run.arrange.names.local(&hint);
            run.arrange.lines.push(format!("{class} {name} = {class}.{constant};"));
            return Some(name);
        }
        Kind::Record if run.arrange.world.shape(&subject.class).components.is_some() => {
            let name = run.arrange.local(&hint, &subject.class)?.text;
            for (component, ty) in run.arrange.world.shape(&subject.class).components.unwrap_or_default() {
                run.fields.insert(component.clone(), placeholder(&component, ty));
            }
            return name;
        }
        Kind::Class if !subject.is_abstract => {
            if let Some(name) = made(run, &class, &hint) {
                return Some(name);
            }
        }
        Kind::Class | Kind::Interface | Kind::Record => {}
        Kind::Primitive | Kind::External => return None,
    }
    if run.arrange.world.shape(&subject.class).is_sealed {
        return None;
    }
    let name = run.arrange.names.local(&hint);
    let (mock, calls) = (run.arrange.names.of_mockito("mock"), run.arrange.names.of_mockito("CALLS_REAL_METHODS"));
    if subject.class.kind == Kind::Class {
        run.arrange.lines.push(
            if subject.is_abstract { "// Its own methods are not mocked." } else { "// Made without its constructor, which needs more than placeholders." }
                .to_owned(),
        );
    }
    run.arrange.lines.push(format!("{class} {name} = {mock}({class}.class, {calls});"));
    // Nothing ran that would have given the fields their values.
    for field in subject.fields.iter().filter(|it| !it.is_static) {
        run.fields.insert(field.name.clone(), Value::unknown());
    }
    if subject.class.kind == Kind::Class {
        let unset: Vec<&Field> =
            subject.fields.iter().filter(|it| !it.is_static && it.ty.kind != Kind::Primitive && run.initialiser(&it.name).is_none()).collect();
        unset.into_iter().try_for_each(|it| inject(run, &class, &name, it))?;
    }
    Some(name)
}

/// What a component of a record holds that was made of placeholders.
fn placeholder(name: &str, ty: Type) -> Value {
    match ty.name.as_str() {
        _ if ty.is("java.lang.String") => Value::written(format!("\"{name}\""), What::Text(name.to_owned())),
        "int" | "long" | "short" | "byte" if ty.dims == 0 => Value::of(What::Int(1)),
        "boolean" if ty.dims == 0 => Value::written("true", What::Bool(true)),
        _ if ty.is_primitive() => Value::unknown(),
        _ => Value::of(What::Object(Some(ty))),
    }
}

/// The object as the class's own constructor makes it, and the fields that a container would set.
fn made(run: &mut Run<'_, '_>, class: &str, hint: &str) -> Option<String> {
    let subject = run.subject;
    if !subject.has_plain_super {
        return None;
    }
    let constructor = subject.constructors.iter().max_by_key(|it| (it.is_injected, it.params.len()))?;
    let before = (run.arrange.lines.len(), run.arrange.mocks.len(), run.arrange.names.clone(), run.notes.clone());
    let found = constructed(run, class, hint, constructor);
    if found.is_none() {
        run.arrange.lines.truncate(before.0);
        run.arrange.mocks.truncate(before.1);
        run.arrange.names = before.2;
        run.notes = before.3;
        run.fields.clear();
        run.calls.clear();
        run.stubs.clear();
        run.statics.clear();
    }
    found
}

fn constructed(run: &mut Run<'_, '_>, class: &str, hint: &str, constructor: &Constructor) -> Option<String> {
    let subject = run.subject;
    let mut args = Vec::new();
    for (name, ty) in &constructor.params {
        args.push(run.arrange.local(name, ty)?);
    }
    if !initialise(run) {
        return None;
    }
    match constructor.at.and_then(|it| constructor_at(run, it)) {
        Some(node) => {
            let outcome = run.method(node, &args);
            // What it reads of mocks would have to be answered before; what it asks of static methods cannot be.
            if !matches!(outcome, Outcome::Ends) || !run.statics.is_empty() || !run.stubs.is_empty() {
                return None;
            }
        }
        // Made of the fields by their names.
        None => {
            for ((name, _), value) in constructor.params.iter().zip(&args) {
                run.fields.insert(name.clone(), value.clone());
            }
        }
    }
    let texts: Vec<String> = args.into_iter().filter_map(|it| it.text).collect();
    let name = run.arrange.names.local(hint);
    let diamond = if subject.class.is_generic { "<>" } else { "" };
    let declared = if subject.class.is_generic { "var" } else { class };
    run.arrange.lines.push(format!("{declared} {name} = new {class}{diamond}({});", texts.join(", ")));
    let injected: Vec<&Field> = subject.fields.iter().filter(|it| it.is_injected && !it.is_static && !it.is_final).collect();
    for field in injected {
        let is_set = run.fields.get(&field.name).is_some_and(|it| it.text.is_some());
        if !is_set {
            inject(run, class, &name, field)?;
        }
    }
    Some(name)
}

/// Gives fields what they begin with. False if that may fail, or if more than fields is there to run.
fn initialise(run: &mut Run<'_, '_>) -> bool {
    let subject = run.subject;
    if run.members().into_iter().any(|it| kind_of(it) == NodeKind::Block) {
        return false;
    }
    for field in subject.fields.iter().filter(|it| !it.is_static) {
        let value = match run.initialiser(&field.name) {
            Some(node) => match run.initial(node) {
                Some(value) => value,
                None => return false,
            },
            None => match field.ty.name.as_str() {
                _ if field.ty.kind != Kind::Primitive || field.ty.dims > 0 => Value::of(What::Null),
                "boolean" => Value::written("false", What::Bool(false)),
                "int" | "long" | "short" | "byte" => Value::of(What::Int(0)),
                _ => Value::unknown(),
            },
        };
        run.fields.insert(field.name.clone(), value);
    }
    true
}

fn constructor_at<'s>(run: &Run<'s, '_>, at: usize) -> Option<Node<'s>> {
    let constructors = run.members().into_iter().filter(|it| kind_of(*it) == NodeKind::Constructor);
    let mut found = constructors.filter(|it| child(*it, FieldName::Name).is_some_and(|it| it.start_byte() == at));
    found.next()
}

/// Sets a field: through its setter, itself, or by reflection.
fn inject(run: &mut Run<'_, '_>, class: &str, object: &str, field: &Field) -> Option<()> {
    // What cannot be made stays null.
    let Some(value) = run.arrange.local(&field.name, &field.ty) else { return Some(()) };
    let text = value.text.clone()?;
    let setter = setter(run, field);
    let names = &mut run.arrange.names;
    if let Some(setter) = setter {
        run.arrange.lines.push(format!("{object}.{setter}({text});"));
    } else if !field.is_private && !field.is_final {
        run.arrange.lines.push(format!("{object}.{} = {text};", field.name));
    } else {
        let (ty, local) = (names.qualified("java.lang.reflect.Field"), local(names, &field.name));
        run.arrange.lines.push(format!("{ty} {local} = {class}.class.getDeclaredField(\"{}\");", field.name));
        run.arrange.lines.push(format!("{local}.setAccessible(true);"));
        run.arrange.lines.push(format!("{local}.set({object}, {text});"));
    }
    run.fields.insert(field.name.clone(), value);
    Some(())
}

fn local(names: &mut Names<'_>, field: &str) -> String {
    names.local(&format!("{field}Field"))
}

/// A method that does nothing but to set the field.
fn setter(run: &Run<'_, '_>, field: &Field) -> Option<String> {
    let mut letters = field.name.chars();
    let name: String = "set".chars().chain(letters.next()?.to_uppercase()).chain(letters).collect();
    let source = run.source;
    let mut methods = run.members().into_iter().filter(|it| kind_of(*it) == NodeKind::Method && source.field(*it, FieldName::Name) == Some(&name));
    let method = methods.next().filter(|_| methods.next().is_none())?;
    if source.has_modifier(method, "private") || source.has_modifier(method, "static") {
        return None;
    }
    let [parameter] = children(child(method, FieldName::Parameters)?)[..] else { return None };
    let [statement] = children(child(method, FieldName::Body)?)[..] else { return None };
    let value = source.field(parameter, FieldName::Name)?;
    let text: String = source.of(statement).split_whitespace().collect();
    (text == format!("this.{}={value};", field.name) || (value != field.name && text == format!("{}={value};", field.name))).then_some(name)
}

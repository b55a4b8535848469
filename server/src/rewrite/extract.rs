//! Extracts an expression into a method of its own.
//!
//! What reads the state is then a method without side effects, which can be recorded and answered: the seam that the
//! paper asks for where a mocking point does more than it returns (§3.5).

use super::Edit;
use super::source::{Source, children, is_class, kind_of};
use super::variables::{self, Variable};
use crate::java::kinds::{FieldName, Kind, child};
use std::ops::Range;
use tree_sitter::Node;

/// What is known of the expression besides its text.
pub struct Known<'a> {
    /// The method that it calls, or the class that it makes an object of: another call may stand for what was read
    /// inside it, and to take that one out helps nobody.
    pub calls: Option<&'a str>,
    /// Its type as this text may write it, if that is known.
    pub ty: Option<String>,
    /// It may throw checked exceptions.
    pub may_throw: bool,
    /// Whether a class has, or inherits, or may inherit a method of a name.
    pub is_taken: &'a dyn Fn(&str) -> bool,
}

/// The edits that put the expression at `bytes` into a method behind the member it is in, and the method's name.
/// `None` where the result might not compile.
pub fn extract(source: &Source<'_>, bytes: Range<usize>, known: &Known<'_>) -> Option<(String, Vec<Edit>)> {
    let around = source.around(&bytes);
    let at = around.iter().position(|it| it.byte_range() == bytes && matches!(kind_of(*it), Kind::MethodInvocation | Kind::ObjectCreation))?;
    let expression = around[at];
    let called = match kind_of(expression) {
        Kind::MethodInvocation => source.field(expression, FieldName::Name).map(str::to_owned),
        _ => source.field(expression, FieldName::Type).map(simple),
    };
    if known.calls.is_some_and(|it| called.as_deref() != Some(it)) {
        return None;
    }
    let member_at = around[..at].iter().rposition(|it| is_member(*it))?;
    let (member, class) = (around[member_at], *around[..member_at].iter().rfind(|it| is_body(**it) || is_class(**it)).filter(|it| is_class(**it))?);
    let path = &around[member_at..=at];
    if path.iter().any(|it| kind_of(*it) == Kind::EnumConstant) {
        return None;
    }
    let is_static =
        source.has_modifier(member, "static") || kind_of(member) == Kind::StaticInitializer || path.iter().any(|it| kind_of(*it) == Kind::ExplicitConstructor);
    let is_inner = around[..member_at].iter().filter(|it| is_class(**it)).count() > 1 && kind_of(class) == Kind::Class && !source.has_modifier(class, "static");
    if is_static && is_inner {
        // Before Java 16 an inner class has no static members.
        return None;
    }
    let variables = variables::used(source, path, expression)?;
    let ty = result_type(source, path, expression, known)?;
    let throws = if known.may_throw || calls_more(expression) { thrown(source, path)? } else { Vec::new() };
    if generic_names(source, member).iter().any(|name| ty == *name || variables.iter().any(|it| has_word(&it.ty, name)) || has_word(&ty, name)) {
        return None;
    }
    let name = free_name(source, expression, known)?;
    let arguments: Vec<&str> = variables.iter().map(|it| it.name.as_str()).collect();
    let call = Edit::replace(bytes, format!("{name}({})", arguments.join(", ")))?;
    let method = Method { name: &name, ty: &ty, variables: &variables, throws: &throws, is_static };
    let declaration = Edit::insert(member.end_byte(), method.text(source, class, member, expression))?;
    Some((name, vec![call, declaration]))
}

fn is_member(node: Node<'_>) -> bool {
    matches!(kind_of(node), Kind::Method | Kind::Constructor | Kind::CompactConstructor | Kind::StaticInitializer | Kind::Field)
}

/// Where members stand that are no class of their own: anonymous classes and interfaces.
fn is_body(node: Node<'_>) -> bool {
    matches!(kind_of(node), Kind::ObjectCreation | Kind::EnumConstant | Kind::Interface | Kind::AnnotationType)
}

struct Method<'a> {
    name: &'a str,
    ty: &'a str,
    variables: &'a [Variable],
    throws: &'a [String],
    is_static: bool,
}

impl Method<'_> {
    fn text(&self, source: &Source<'_>, class: Node<'_>, member: Node<'_>, expression: Node<'_>) -> String {
        let line = source.line_break();
        let outer = source.indentation(class.start_byte());
        let indent = source.indentation(member.start_byte());
        let step = source.step(outer, indent);
        let parameters: Vec<String> = self.variables.iter().map(|it| format!("{} {}", it.ty, it.name)).collect();
        let modifier = if self.is_static { "static " } else { "" };
        let throws = if self.throws.is_empty() { String::new() } else { format!(" throws {}", self.throws.join(", ")) };
        let keyword = if self.ty == "void" { "" } else { "return " };
        let (ty, name, value) = (self.ty, self.name, source.of(expression));
        let head = format!("{modifier}{ty} {name}({}){throws} {{", parameters.join(", "));
        format!("{line}{line}{indent}{head}{line}{indent}{step}{keyword}{value};{line}{indent}}}")
    }
}

/// The type of the expression: as it is known, or as its place asks for.
fn result_type(source: &Source<'_>, path: &[Node<'_>], expression: Node<'_>, known: &Known<'_>) -> Option<String> {
    let parent = path[path.len().checked_sub(2)?];
    if kind_of(parent) == Kind::ExpressionStatement {
        return Some("void".to_owned());
    }
    if kind_of(expression) == Kind::ObjectCreation {
        let ty = source.field(expression, FieldName::Type)?;
        if child(expression, FieldName::Object).is_none() && !ty.contains("<>") {
            return Some(ty.to_owned());
        }
    } else if known.ty.is_some() {
        return known.ty.clone();
    }
    let is_value = child(parent, FieldName::Value).is_some_and(|it| it.id() == expression.id());
    match kind_of(parent) {
        Kind::VariableDeclarator if is_value && child(parent, FieldName::Dimensions).is_none() => {
            let declaration = path[path.len().checked_sub(3)?];
            source.field(declaration, FieldName::Type).filter(|it| *it != "var").map(str::to_owned)
        }
        Kind::Return if !path.iter().any(|it| kind_of(*it) == Kind::Lambda) => source.field(path[0], FieldName::Type).map(str::to_owned),
        _ => None,
    }
}

/// Whether calls stand inside the expression.
fn calls_more(expression: Node<'_>) -> bool {
    let mut open = children(expression);
    while let Some(node) = open.pop() {
        if matches!(kind_of(node), Kind::MethodInvocation | Kind::ObjectCreation) {
            return true;
        }
        open.extend(children(node));
    }
    false
}

/// The exceptions that may leave an expression where it stands: those that the method declares and those that are caught
/// around it. `None` if a tool hides them, or if it is the interface of a lambda that allows them.
fn thrown(source: &Source<'_>, path: &[Node<'_>]) -> Option<Vec<String>> {
    let member = path[0];
    if source.has_annotation(member, "SneakyThrows") || path.iter().any(|it| kind_of(*it) == Kind::Lambda) {
        return None;
    }
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        for name in text.split(['|', ',']).map(str::trim).filter(|it| !it.is_empty() && !it.ends_with("RuntimeException")) {
            if !found.iter().any(|it| it == name) {
                found.push(name.to_owned());
            }
        }
    };
    for pair in path.windows(2) {
        let is_try = matches!(kind_of(pair[0]), Kind::Try | Kind::TryWithResources);
        if is_try && !matches!(kind_of(pair[1]), Kind::Catch | Kind::Finally) {
            let catches = children(pair[0]).into_iter().filter(|it| kind_of(*it) == Kind::Catch);
            let types = catches.flat_map(children).filter(|it| kind_of(*it) == Kind::CatchParameter).flat_map(children);
            types.filter(|it| kind_of(*it) == Kind::CatchType).for_each(|it| add(source.of(it)));
        }
    }
    let throws = children(member).into_iter().find(|it| it.kind() == "throws");
    add(throws.map_or("", |it| source.of(it).trim_start_matches("throws")));
    Some(found)
}

/// The type parameters that a method declares.
fn generic_names<'t>(source: &'t Source<'_>, member: Node<'t>) -> Vec<&'t str> {
    let parameters = child(member, FieldName::TypeParameters).map(children).unwrap_or_default();
    parameters
        .into_iter()
        .filter_map(|it| children(it).into_iter().find(|it| matches!(kind_of(*it), Kind::TypeIdentifier | Kind::Identifier)))
        .map(|it| source.of(it))
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).any(|it| it == word)
}

/// A name that says what is read, and that nothing has.
fn free_name(source: &Source<'_>, expression: Node<'_>, known: &Known<'_>) -> Option<String> {
    let name = if kind_of(expression) == Kind::ObjectCreation {
        format!("new{}", simple(source.field(expression, FieldName::Type)?))
    } else {
        let name = source.field(expression, FieldName::Name)?;
        match child(expression, FieldName::Object) {
            // `LocalDate.now()` says more by its type.
            Some(object) if name == "now" && kind_of(object) == Kind::Identifier => format!("current{}", source.of(object)),
            _ => name.to_owned(),
        }
    };
    let names = std::iter::once(name.clone()).chain(["Value".to_owned(), "Call".to_owned()].into_iter().map(|it| format!("{name}{it}")));
    // A call without a receiver could mean the new method.
    let called = |name: &str| source.text.contains(&format!("{name} (")) || unqualified(source.text, name);
    names.into_iter().find(|it| !called(it) && !(known.is_taken)(it))
}

/// Whether `name(` stands anywhere without a dot before it: a declaration, or a call of a method around.
fn unqualified(text: &str, name: &str) -> bool {
    let pattern = format!("{name}(");
    text.match_indices(&pattern)
        .any(|(at, _)| !text[..at].trim_end().ends_with('.') && !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$'))
}

fn simple(ty: &str) -> String {
    let raw = ty.split('<').next().unwrap_or(ty);
    raw.rsplit('.').next().unwrap_or(raw).trim().to_owned()
}

#[cfg(test)]
mod tests;

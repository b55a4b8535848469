//! Makes the result of a static call a parameter: the method is told what it asked the system for, and its callers ask.

use super::Edit;
use super::source::{Source, children, is_class, kind_of};
use crate::java::kinds::{FieldName, Kind, child};
use std::ops::Range;
use tree_sitter::Node;

/// What a method would be told.
pub struct Parameter {
    /// The name of the method.
    pub method: String,
    /// Where that name begins.
    pub at: usize,
    /// The name of the new parameter.
    pub name: String,
    /// The call behind the name of its type: `now()`.
    pub call: String,
    /// What the source of the method becomes.
    pub edits: Vec<Edit>,
}

/// Annotations that nobody but compilers and readers looks at.
const HARMLESS: &[&str] = &["SuppressWarnings", "Deprecated", "Nullable", "NonNull", "NotNull", "VisibleForTesting", "SafeVarargs", "CheckReturnValue"];

/// Makes the call at `bytes`, of a static method of the type `owner` whose result is of type `ty`, a parameter of the
/// method around it. `None` where that might not compile, or where it might mean something else: in a loop or a lambda,
/// which ask again and again.
pub fn parameter(source: &Source<'_>, bytes: Range<usize>, owner: &str, ty: &str) -> Option<Parameter> {
    let around = source.around(&bytes);
    let at = around.iter().position(|it| it.byte_range() == bytes && kind_of(*it) == Kind::MethodInvocation)?;
    let expression = around[at];
    let call = constant_call(source, expression, owner)?;
    let method_at = around[..at].iter().rposition(|it| kind_of(*it) == Kind::Method)?;
    let method = around[method_at];
    let asks_again = |it: &Node<'_>| {
        matches!(
            kind_of(*it),
            Kind::Lambda | Kind::While | Kind::Do | Kind::For | Kind::EnhancedFor | Kind::Class | Kind::ObjectCreation | Kind::Record | Kind::Enum
        )
    };
    if around[method_at..at].iter().any(asks_again)
        || !around[..method_at].iter().rfind(|it| is_class(**it) || kind_of(**it) == Kind::ObjectCreation).is_some_and(|it| is_class(*it))
    {
        return None;
    }
    let modifiers = children(method).into_iter().find(|it| kind_of(*it) == Kind::Modifiers);
    let is_harmless = |it: Node<'_>| source.field(it, FieldName::Name).is_some_and(|it| HARMLESS.contains(&it));
    let annotations = modifiers.map(children).unwrap_or_default().into_iter().filter(|it| matches!(kind_of(*it), Kind::Annotation | Kind::MarkerAnnotation));
    if annotations.into_iter().any(|it| !is_harmless(it)) {
        return None;
    }
    let parameters = child(method, FieldName::Parameters)?;
    let list = children(parameters);
    if list.iter().any(|it| kind_of(*it) != Kind::FormalParameter) {
        return None;
    }
    let name_node = child(method, FieldName::Name)?;
    let name = free_name(source, method, source.field(expression, FieldName::Name)?)?;
    let separator = if list.is_empty() { "" } else { ", " };
    let edits = vec![Edit::insert(parameters.end_byte() - 1, format!("{separator}{ty} {name}"))?, Edit::replace(bytes, name.clone())?];
    Some(Parameter { method: source.of(name_node).to_owned(), at: name_node.start_byte(), name, call, edits })
}

/// A call on the name of its class that every place can make: `now()` for `LocalDate.now()`.
fn constant_call(source: &Source<'_>, expression: Node<'_>, owner: &str) -> Option<String> {
    let object = child(expression, FieldName::Object)?;
    let written: String = source.of(object).split_whitespace().collect();
    let simple = owner.rsplit('.').next()?;
    if written != owner && !(written == simple && source.means(simple, owner)) {
        return None;
    }
    let arguments = child(expression, FieldName::Arguments)?;
    let is_literal = |it: Node<'_>| matches!(kind_of(it), Kind::StringLiteral | Kind::CharacterLiteral | Kind::DecimalInteger | Kind::True | Kind::False);
    if child(expression, FieldName::TypeArguments).is_some() || !children(arguments).into_iter().all(is_literal) {
        return None;
    }
    Some(format!("{}{}", source.field(expression, FieldName::Name)?, source.of(arguments)))
}

fn free_name(source: &Source<'_>, method: Node<'_>, called: &str) -> Option<String> {
    let name = match called {
        "currentTimeMillis" | "now" => "now",
        "nanoTime" => "nanos",
        "randomUUID" => "id",
        "getenv" | "getProperty" => "setting",
        _ => "given",
    };
    let names = [name.to_owned(), format!("{name}Given"), format!("the{}{}", name[..1].to_uppercase(), &name[1..])];
    names.into_iter().find(|it| !source.has_word_in(it, method.byte_range()))
}

/// The edits that make the call of `method` at `bytes` hand in one more argument: `call` on the type `owner`.
pub fn argument(source: &Source<'_>, bytes: Range<usize>, method: &str, owner: &str, call: &str) -> Option<Vec<Edit>> {
    let around = source.around(&bytes);
    let node = *around.iter().find(|it| it.byte_range() == bytes && kind_of(**it) == Kind::MethodInvocation)?;
    if source.field(node, FieldName::Name) != Some(method) {
        return None;
    }
    let arguments = child(node, FieldName::Arguments)?;
    let has_some = children(arguments).iter().any(|it| !matches!(kind_of(*it), Kind::LineComment | Kind::BlockComment));
    let (ty, import) = source.name_of(owner);
    let separator = if has_some { ", " } else { "" };
    let mut edits = vec![Edit::insert(arguments.end_byte() - 1, format!("{separator}{ty}.{call}"))?];
    edits.extend(import);
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::applied;

    fn given(text: &str, expression: &str, owner: &str, ty: &str) -> Option<String> {
        let source = Source::new(text)?;
        let at = text.find(expression)?;
        parameter(&source, at..at + expression.len(), owner, ty).map(|it| applied(text, it.edits))
    }

    #[test]
    fn parameters() {
        let text = "import java.time.LocalDate;\nclass A { int age(P p) { return p.born(LocalDate.now()); } }";
        let date = |text: &str| given(text, "LocalDate.now()", "java.time.LocalDate", "LocalDate");
        assert_eq!(date(text).as_deref(), Some("import java.time.LocalDate;\nclass A { int age(P p, LocalDate now) { return p.born(now); } }"));
        let text = text.replace("P p", "").replace("p.born", "born");
        assert!(date(&text).is_some_and(|it| it.contains("age(LocalDate now) { return born(now)")));
        // The name means something else there, or is another type.
        assert!(date(&text.replace("return ", "int now = 1; return ")).is_some_and(|it| it.contains("LocalDate nowGiven")));
        assert_eq!(date(&text.replace("java.time", "other")), None);
        let wrong = [("return born", "for (;;) return born"), ("int age", "@Override int age"), ("int age()", "int age(int... n)"), ("class", "interface")];
        for (from, to) in wrong {
            assert_eq!(date(&text.replace(from, to)), None, "{to}");
        }
        assert_eq!(date(&text.replace("return born(LocalDate.now())", "run(() -> LocalDate.now())")), None);
        let text = "class A { String f(String k) { return System.getenv(k); } }";
        assert_eq!(given(text, "System.getenv(k)", "java.lang.System", "String"), None);
        let text = text.replace("getenv(k)", "getenv(\"k\")");
        assert!(given(&text, "System.getenv(\"k\")", "java.lang.System", "String").is_some_and(|it| it.contains("String k, String setting")));
    }

    #[test]
    fn arguments() {
        let text = "package p;\nclass B { int f(A a) { return a.age(1) + a.age(); } }";
        let source = Source::new(text).expect("it is Java");
        let at = |call: &str| text.find(call).map(|it| it..it + call.len()).expect("it is there");
        let edits = argument(&source, at("a.age(1)"), "age", "java.time.LocalDate", "now()").expect("a call");
        let after = applied(text, edits);
        assert!(after.contains("a.age(1, LocalDate.now())") && after.contains("import java.time.LocalDate;"), "{after}");
        let edits = argument(&source, at("a.age()"), "age", "java.lang.System", "nanoTime()").expect("a call");
        assert!(applied(text, edits).contains("a.age(System.nanoTime())"));
        assert_eq!(argument(&source, at("a.age()"), "old", "java.lang.System", "nanoTime()"), None);
    }
}

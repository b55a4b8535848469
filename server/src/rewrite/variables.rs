//! The locals and parameters that an expression uses, with their declared types.

use super::source::{Source, children, kind_of};
use crate::java::kinds::{FieldName, Kind, child};
use tree_sitter::Node;

/// A local or parameter.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: String,
}

/// The variables that `expression` takes from the member around it, in the order of their first use. `path` leads from
/// the member to the expression. `None` if the type of one is not written, or if the expression changes one.
pub(super) fn used<'t>(source: &'t Source<'t>, path: &[Node<'t>], expression: Node<'t>) -> Option<Vec<Variable>> {
    let names = names(source, expression)?;
    let member = *path.first()?;
    let mut found: Vec<Variable> = Vec::new();
    for name in names {
        if found.iter().any(|it| it.name == name) {
            continue;
        }
        match declared(source, path, name) {
            Found::Typed(ty) => found.push(Variable { name: name.to_owned(), ty }),
            Found::Untyped => return None,
            // A name that a pattern binds somewhere in the member may be that.
            Found::Nowhere if binds(source, member, name) => return None,
            Found::Nowhere => {}
        }
    }
    Some(found)
}

/// The simple names that an expression reads. `None` if it declares or changes any: then it is more than a value.
fn names<'t>(source: &Source<'t>, expression: Node<'t>) -> Option<Vec<&'t str>> {
    let mut found = Vec::new();
    let mut open = vec![expression];
    while let Some(node) = open.pop() {
        match kind_of(node) {
            Kind::Lambda | Kind::ClassBody | Kind::Assignment | Kind::Update | Kind::InstanceOf | Kind::Switch => return None,
            Kind::Identifier => found.push(source.of(node)),
            Kind::MethodInvocation => {
                open.extend(child(node, FieldName::Arguments));
                open.extend(child(node, FieldName::Object));
            }
            Kind::FieldAccess => open.extend(child(node, FieldName::Object)),
            Kind::MethodReference => open.extend(children(node).first().copied()),
            _ => {
                let mut inner = children(node);
                inner.reverse();
                open.extend(inner);
            }
        }
    }
    Some(found)
}

enum Found {
    Typed(String),
    /// `var`, or the parameter of a lambda without a type.
    Untyped,
    Nowhere,
}

/// The innermost declaration of a name that is in scope at the end of `path`.
fn declared(source: &Source<'_>, path: &[Node<'_>], name: &str) -> Found {
    for pair in path.windows(2).rev() {
        let (around, below) = (pair[0], pair[1]);
        let mut found = Found::Nowhere;
        let mut see = |declaration: Node<'_>| {
            if let Some(it) = declares(source, declaration, name) {
                found = it;
            }
        };
        match kind_of(around) {
            Kind::Lambda => {
                if let Some(parameters) = child(around, FieldName::Parameters) {
                    if kind_of(parameters) == Kind::Identifier {
                        see(parameters);
                    } else {
                        children(parameters).into_iter().for_each(&mut see);
                    }
                }
            }
            Kind::Method | Kind::Constructor => {
                if let Some(parameters) = child(around, FieldName::Parameters) {
                    children(parameters).into_iter().for_each(&mut see);
                }
            }
            Kind::EnhancedFor => see(around),
            Kind::TryWithResources => {
                if let Some(resources) = child(around, FieldName::Resources) {
                    children(resources).into_iter().filter(|it| it.end_byte() <= below.start_byte()).for_each(&mut see);
                }
            }
            _ => children(around).into_iter().filter(|it| it.end_byte() <= below.start_byte()).for_each(&mut see),
        }
        if !matches!(found, Found::Nowhere) {
            return found;
        }
    }
    Found::Nowhere
}

fn declares(source: &Source<'_>, node: Node<'_>, name: &str) -> Option<Found> {
    let typed = |ty: Option<&str>, dims: &str| match ty {
        Some("var") | None => Found::Untyped,
        Some(ty) => Found::Typed(format!("{ty}{dims}")),
    };
    match kind_of(node) {
        Kind::Identifier => (source.of(node) == name).then_some(Found::Untyped),
        Kind::LocalVariable => {
            let ty = source.field(node, FieldName::Type);
            let declarators = children(node).into_iter().filter(|it| kind_of(*it) == Kind::VariableDeclarator);
            let mut named = declarators.filter(|it| source.field(*it, FieldName::Name) == Some(name));
            named.next().map(|it| typed(ty, source.field(it, FieldName::Dimensions).unwrap_or("")))
        }
        Kind::FormalParameter | Kind::Resource | Kind::EnhancedFor => {
            let is_it = source.field(node, FieldName::Name) == Some(name);
            is_it.then(|| typed(source.field(node, FieldName::Type), source.field(node, FieldName::Dimensions).unwrap_or("")))
        }
        Kind::SpreadParameter => {
            let declarator = children(node).into_iter().find(|it| kind_of(*it) == Kind::VariableDeclarator)?;
            (source.field(declarator, FieldName::Name) == Some(name)).then(|| {
                let ty = children(node).into_iter().find(|it| !matches!(kind_of(*it), Kind::Modifiers | Kind::VariableDeclarator));
                typed(ty.map(|it| source.of(it)), "[]")
            })
        }
        Kind::CatchParameter => {
            let is_it = source.field(node, FieldName::Name) == Some(name);
            let ty = children(node).into_iter().find(|it| kind_of(*it) == Kind::CatchType).map(|it| source.of(it));
            is_it.then(|| typed(ty.filter(|it| !it.contains('|')), ""))
        }
        _ => None,
    }
}

/// Whether a pattern in a member binds a name.
fn binds(source: &Source<'_>, member: Node<'_>, name: &str) -> bool {
    let mut open = vec![member];
    while let Some(node) = open.pop() {
        let is_it = |field| source.field(node, field) == Some(name);
        match kind_of(node) {
            Kind::InstanceOf if is_it(FieldName::Name) => return true,
            Kind::TypePattern | Kind::RecordPatternComponent if children(node).iter().any(|it| source.of(*it) == name) => return true,
            _ => open.extend(children(node)),
        }
    }
    false
}

//! Annotations: their simple names, and the arguments of those that anybody asks about.

use super::decls::children;
use super::kinds::{FieldName, Kind, child, kind};
use crate::intern::Sym;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use tree_sitter::Node;

/// An annotation of a declaration.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Annotation {
    /// Its simple name.
    pub name: Sym,
    /// Its name as it is written, with a package where that is.
    pub path: Sym,
    /// Its arguments, in source order; one entry for each element of an array. Strings come without quotes, class
    /// literals without `.class`, anything else as it is written. Of an annotation in an argument the arguments have
    /// keys `outer.inner`; one without arguments is `outer.@` with its simple name.
    pub args: Box<[(Sym, Sym)]>,
}

impl Annotation {
    /// The first value of any of these arguments.
    pub fn value(&self, keys: &[&str]) -> Option<Sym> {
        self.values(keys).next()
    }

    /// All values of these arguments.
    pub fn values<'a>(&'a self, keys: &'a [&str]) -> impl Iterator<Item = Sym> + 'a {
        self.args.iter().filter(move |it| keys.contains(&it.0.as_str())).map(|it| it.1)
    }
}

/// Whether one of the annotations has this simple name.
pub fn has(annotations: &[Annotation], name: &str) -> bool {
    annotations.iter().any(|it| it.name.as_str() == name)
}

/// Annotations by which mappers to JSON are told under which name a property is written, with the argument that has it.
pub(crate) const WRITTEN_AS: &[(&str, &str)] =
    &[("JsonProperty", "value"), ("JsonGetter", "value"), ("JSONField", "name"), ("SerializedName", "value"), ("JsonbProperty", "value")];

/// Simple names of the annotations that the catalogue has rows for which ask for arguments, and of those that name what is written.
/// Those of all others (API documentation, names of columns) would cost memory and decide nothing.
static ASKED: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    let rows = include_str!("../../catalogue/annotations.tsv").lines().filter(|it| !it.starts_with('#'));
    let asked = rows.filter_map(|it| it.split_once('\t')).filter(|it| !matches!(it.0, "entry" | "start-up"));
    asked.map(|it| it.1.rsplit('.').next().unwrap_or(it.1)).chain(WRITTEN_AS.iter().map(|it| it.0)).collect()
});

/// Whether a modifier is an annotation that somebody asks about, whose arguments are kept.
pub(super) fn keeps_arguments(node: Node<'_>, text: &str) -> bool {
    matches!(kind(node.kind_id()), Kind::MarkerAnnotation | Kind::Annotation)
        && child(node, FieldName::Name).and_then(|it| text.get(it.byte_range())).is_some_and(|it| ASKED.contains(it.rsplit('.').next().unwrap_or(it).trim()))
}

/// Longer arguments decide nothing either.
const MAX_ARGUMENT: usize = 200;

/// Annotations within an annotation are read this deep.
const MAX_DEPTH: usize = 3;

/// Reads an annotation.
pub(super) fn read(node: Node<'_>, text: &str) -> Option<Annotation> {
    let path = text.get(child(node, FieldName::Name)?.byte_range())?.trim();
    let name = path.rsplit('.').next().unwrap_or(path).trim();
    let mut args = Vec::new();
    if ASKED.contains(name) {
        arguments(node, text, &mut args);
    }
    Some(Annotation { name: Sym::new(name), path: Sym::new(path), args: args.into() })
}

fn arguments(annotation: Node<'_>, text: &str, found: &mut Vec<(Sym, Sym)>) {
    // What is left to read: a node, the key it has, how deep it is.
    let mut open: Vec<(Node<'_>, String, usize)> = vec![(annotation, String::new(), 0)];
    while let Some((node, key, depth)) = open.pop() {
        match kind(node.kind_id()) {
            Kind::Annotation if depth < MAX_DEPTH => {
                let Some(list) = child(node, FieldName::Arguments) else { continue };
                for part in children(list).into_iter().rev() {
                    let (name, value) = match child(part, FieldName::Key) {
                        Some(name) => (text.get(name.byte_range()).unwrap_or_default(), child(part, FieldName::Value)),
                        None => ("value", Some(part)),
                    };
                    let key = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                    open.extend(value.map(|it| (it, key, depth + 1)));
                }
            }
            Kind::ElementValueArray => open.extend(children(node).into_iter().rev().map(|it| (it, key.clone(), depth))),
            Kind::MarkerAnnotation if depth > 0 => {
                let name = child(node, FieldName::Name).and_then(|it| text.get(it.byte_range())).unwrap_or_default();
                found.push((Sym::new(&format!("{key}.@")), Sym::new(name.rsplit('.').next().unwrap_or(name))));
            }
            Kind::Annotation | Kind::MarkerAnnotation | Kind::LineComment | Kind::BlockComment => {}
            other => {
                let Some(written) = text.get(node.byte_range()).filter(|it| it.len() <= MAX_ARGUMENT) else { continue };
                let value = match other {
                    Kind::StringLiteral => written.trim_matches('"'),
                    Kind::ClassLiteral => written.strip_suffix(".class").unwrap_or(written).trim(),
                    _ => written,
                };
                found.push((Sym::new(&key), Sym::new(value)));
            }
        }
    }
}

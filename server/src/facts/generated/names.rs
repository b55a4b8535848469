//! Names of members that Lombok makes, as annotations ask for them; `lombok.config` is not read.

use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::{FieldHead, TypeHead};

/// `@Accessors` of the field, or else of the class.
fn accessors<'a>(owner: &'a TypeHead, field: &'a FieldHead) -> Option<&'a Annotation> {
    field.annotations.iter().chain(&owner.annotations).find(|it| it.name.as_str() == "Accessors")
}

fn is_fluent(owner: &TypeHead, field: &FieldHead) -> bool {
    accessors(owner, field).and_then(|it| it.value(&["fluent"])).is_some_and(|it| it.as_str() == "true")
}

/// The name of a field without its prefix; `None` if it has none of the prefixes, since then nothing is made for it.
pub(super) fn stem(owner: &TypeHead, field: &FieldHead) -> Option<String> {
    let name = field.name.as_str();
    let prefixes: Vec<&str> = accessors(owner, field).into_iter().flat_map(|it| it.values(&["prefix"])).map(Sym::as_str).collect();
    if prefixes.is_empty() {
        return Some(name.to_owned());
    }
    prefixes.iter().find_map(|prefix| {
        let rest = name.strip_prefix(prefix)?;
        // After a prefix of letters a new word begins: `f` is no prefix of `from`.
        let begins = !prefix.ends_with(char::is_alphabetic) || !rest.starts_with(char::is_lowercase);
        if prefix.is_empty() {
            return Some(name.to_owned());
        }
        let mut chars = rest.chars();
        let first = chars.next().filter(|_| begins)?;
        Some(first.to_lowercase().chain(chars).collect())
    })
}

fn is_boolean(field: &FieldHead) -> bool {
    field.ty.data().dims == 0 && field.ty.name().as_str() == "boolean"
}

/// `boolean isOpen` has the accessors of `open`.
fn without_is<'a>(stem: &'a str, field: &FieldHead) -> &'a str {
    stem.strip_prefix("is").filter(|it| is_boolean(field) && it.starts_with(char::is_uppercase)).unwrap_or(stem)
}

/// The name of a getter; `None` if the field gets none.
pub(super) fn getter_name(owner: &TypeHead, field: &FieldHead) -> Option<Sym> {
    let stem = stem(owner, field)?;
    if is_fluent(owner, field) {
        return Some(Sym::new(&stem));
    }
    let prefix = if is_boolean(field) { "is" } else { "get" };
    Some(Sym::new(&format!("{prefix}{}", capitalised(without_is(&stem, field)))))
}

/// The name of a setter; `None` if the field gets none.
pub(super) fn setter_name(owner: &TypeHead, field: &FieldHead) -> Option<Sym> {
    let stem = stem(owner, field)?;
    if is_fluent(owner, field) {
        return Some(Sym::new(&stem));
    }
    Some(Sym::new(&format!("set{}", capitalised(without_is(&stem, field)))))
}

/// The name of the class of a builder.
pub fn builder_class(class: Sym, asked: &Annotation) -> Sym {
    asked.value(&["builderClassName"]).unwrap_or_else(|| Sym::new(&format!("{class}Builder")))
}

/// What one of several is called: `entries` are `entry`, `items` are `item`.
pub(super) fn singular(plural: &str) -> String {
    match (plural.strip_suffix("ies"), plural.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (_, Some(stem)) => stem.to_owned(),
        _ => plural.to_owned(),
    }
}

pub(super) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

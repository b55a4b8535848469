//! Names of members that Lombok makes, as annotations ask for them and, where these say nothing, `lombok.config`.

use super::is_final;
use crate::intern::Sym;
use crate::java::annotations::{self, Annotation};
use crate::java::decls::{AccessorKind, FieldHead, Flags, TypeHead};

/// What a `lombok.config` says that changes names or what is made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lombok {
    /// `lombok.accessors.prefix`.
    pub prefix: Vec<String>,
    /// `lombok.accessors.fluent`.
    pub fluent: bool,
    /// `lombok.accessors.capitalization = beanspec`: `getaTime` rather than `getATime`.
    pub beanspec: bool,
    /// `lombok.getter.noIsPrefix`.
    pub no_is_prefix: bool,
    /// `lombok.fieldDefaults.defaultFinal`.
    pub default_final: bool,
    /// `lombok.log.fieldName`.
    pub log_field: Option<Sym>,
    /// `lombok.builder.className`, in which `*` is the name of what is built.
    pub builder_class: Option<String>,
}

impl Lombok {
    /// Whether a field without `final` is final all the same.
    pub fn makes_final(&self, field: &FieldHead) -> bool {
        let may_be = !field.flags.has(Flags::STATIC) || field.has_init;
        self.default_final && may_be && !field.enum_constant && !annotations::has(&field.annotations, "NonFinal")
    }
}

/// `@Accessors` of the field, or else of the class. What it leaves out a `lombok.config` may say.
fn accessors<'a>(owner: &'a TypeHead, field: &'a FieldHead) -> Option<&'a Annotation> {
    field.annotations.iter().chain(&owner.annotations).find(|it| it.name.as_str() == "Accessors")
}

fn is_fluent(owner: &TypeHead, field: &FieldHead, lombok: &Lombok) -> bool {
    accessors(owner, field).and_then(|it| it.value(&["fluent"])).map_or(lombok.fluent, |it| it.as_str() == "true")
}

/// The name of a field without its prefix; `None` if it has none of the prefixes, since then nothing is made for it.
fn stem(owner: &TypeHead, field: &FieldHead, lombok: &Lombok) -> Option<String> {
    let name = field.name.as_str();
    let asked = accessors(owner, field).map(|it| it.values(&["prefix"]).map(Sym::as_str).collect::<Vec<_>>()).filter(|it| !it.is_empty());
    let prefixes = asked.unwrap_or_else(|| lombok.prefix.iter().map(String::as_str).collect());
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

/// The name of what is made for a field; `None` if nothing is.
pub fn accessor_name(kind: AccessorKind, owner: &TypeHead, field: &FieldHead, lombok: &Lombok) -> Option<Sym> {
    let is_boolean = !lombok.no_is_prefix && field.ty.data().dims == 0 && field.ty.name().as_str() == "boolean";
    let usual = |prefix: &str, may_be_fluent: bool| {
        let stem = stem(owner, field, lombok)?;
        if may_be_fluent && is_fluent(owner, field, lombok) {
            return Some(stem);
        }
        // `boolean isOpen` has the accessors of `open`.
        let bare = stem.strip_prefix("is").filter(|it| is_boolean && it.starts_with(|c: char| !c.is_lowercase()));
        Some(format!("{prefix}{}", bare.map_or_else(|| capitalised_as(&stem, lombok), str::to_owned)))
    };
    let is_final = |owner: &TypeHead, field: &FieldHead| is_final(owner, field) || lombok.makes_final(field);
    let of_builder = |name: &dyn Fn(&str) -> String| {
        let asked = owner.annotations.iter().find(|it| matches!(it.name.as_str(), "Builder" | "SuperBuilder"))?;
        if field.has_init && is_final(owner, field) {
            return None;
        }
        let name = name(&stem(owner, field, lombok).unwrap_or_else(|| field.name.as_str().to_owned()));
        let prefix = asked.value(&["setterPrefix"]).map_or("", Sym::as_str);
        Some(if prefix.is_empty() { name } else { format!("{prefix}{}", capitalised_as(&name, lombok)) })
    };
    let name = match kind {
        AccessorKind::Getter => usual(if is_boolean { "is" } else { "get" }, true),
        AccessorKind::Setter if is_final(owner, field) => None,
        AccessorKind::Setter => usual("set", true),
        AccessorKind::With => usual("with", false),
        AccessorKind::BuilderSetter => of_builder(&str::to_owned),
        AccessorKind::BuilderAdder => {
            let singular_of = field.annotations.iter().find(|it| it.name.as_str() == "Singular")?;
            of_builder(&|stem| singular_of.value(&["value"]).map_or_else(|| singular(stem), |it| it.as_str().to_owned()))
        }
    };
    name.map(|it| Sym::new(&it))
}

/// The name of the class of a builder.
pub fn builder_class(class: Sym, asked: &Annotation, lombok: &Lombok) -> Sym {
    let usual = lombok.builder_class.as_deref().unwrap_or("*Builder");
    asked.value(&["builderClassName"]).unwrap_or_else(|| Sym::new(&usual.replacen('*', class.as_str(), 1)))
}

/// What one of several is called: `entries` are `entry`, `items` are `item`.
fn singular(plural: &str) -> String {
    match (plural.strip_suffix("ies"), plural.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (_, Some(stem)) => stem.to_owned(),
        _ => plural.to_owned(),
    }
}

fn capitalised_as(name: &str, lombok: &Lombok) -> String {
    let mut chars = name.chars();
    let Some(first) = chars.next() else { return String::new() };
    if lombok.beanspec && chars.clone().next().is_some_and(|it| it.is_uppercase() || it.is_ascii_digit()) {
        return name.to_owned();
    }
    first.to_uppercase().chain(chars).collect()
}

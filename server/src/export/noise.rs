//! What of the answers of handlers comes from the clock, random numbers or the environment: what a comparison of two
//! answers should leave out where no mocking point answers for it.

use super::entry::Entry;
use super::handlers::Handlers;
use crate::intern::{Sym, Ty};
use crate::java::annotations::{Annotation, WRITTEN_AS};
use crate::java::decls::Flags;
use crate::link::symbols::{FieldId, MethodId, Scope, TypeId, UNKNOWN};
use crate::link::types::Types;
use crate::report::json::schema_of;
use crate::terms::Category;
use crate::verdict::view::View;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is printed.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "Noise in answers")]
#[serde(transparent)]
pub struct Noise(pub Vec<Operation>);

/// A handler whose answers are never the same.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Operation {
    /// Its path, as its annotations have it.
    pub operation: String,
    /// `pkg.Class.method`.
    pub method: String,
    /// Ways from the top of the answer to such values, by names of fields and getters; `*` is any key of a map. Lists are no step.
    pub exclusions: Vec<Vec<String>>,
}

/// Answers are followed down to this depth.
const MAX_DEPTH: usize = 6;

/// Ways that are followed in one answer at most.
const MAX_WAYS: usize = 4096;

/// The JSON schema of what is printed.
pub fn schema() -> String {
    schema_of::<Noise>()
}

/// A type with its arguments, as far as they matter.
#[derive(Clone, Debug)]
struct Shape {
    id: TypeId,
    arguments: Vec<Shape>,
}

/// What of a class changes by itself, and what it holds besides.
#[derive(Default)]
struct Class {
    changing: Vec<Sym>,
    fields: Vec<(Sym, FieldId)>,
}

/// Finds them: handlers in the order of their paths. `entries` are all mocking points.
pub fn find(view: &View<'_>, entries: &[Entry<'_>], handlers: &Handlers) -> Noise {
    let classes = classes(view, entries);
    let mut found: BTreeMap<(String, String), Vec<Vec<String>>> = BTreeMap::new();
    for (path, id) in &handlers.web {
        let ways = ways(view, &classes, *id);
        if !ways.is_empty() {
            found.insert((path.clone(), view.method_name(*id)), ways);
        }
    }
    Noise(found.into_iter().map(|((operation, method), exclusions)| Operation { operation, method, exclusions }).collect())
}

/// Prints it.
pub fn print(noise: &Noise) -> String {
    // Printing text and lists of text cannot fail.
    serde_json::to_string_pretty(noise).unwrap_or_default() + "\n"
}

/// Classes by what is written of their objects: getters that are mocking points, fields that carry what was read.
fn classes(view: &View<'_>, entries: &[Entry<'_>]) -> FxHashMap<TypeId, Class> {
    let symbols = view.symbols();
    let mut found: FxHashMap<TypeId, Class> = FxHashMap::default();
    for (index, field) in symbols.fields.iter().enumerate().filter(|it| !it.1.flags.has(Flags::STATIC)) {
        let Some(name) = written(field.name, of_field(view, index as FieldId)) else { continue };
        let class = found.entry(field.owner).or_default();
        match view.taint().carriers.contains_key(&(index as FieldId, Category::System)) {
            true => class.changing.push(name),
            false => class.fields.push((name, index as FieldId)),
        }
    }
    for entry in entries.iter().filter(|it| it.point.categories.contains(&Category::System)) {
        let is_getter = !entry.flags.has(Flags::STATIC) && !entry.is_void() && entry.parameters.as_ref().is_some_and(Vec::is_empty);
        if let Some((name, id)) = property(&entry.name).zip(entry.id).filter(|_| is_getter) {
            let name = Sym::new(&name);
            // What is said of the field holds for its property.
            let field = symbols.find_field(entry.owner, name).map(|it| of_field(view, it)).unwrap_or_default();
            let said = field.iter().chain(view.facts(id).head.annotations.iter());
            if let Some(name) = written(name, said) {
                found.entry(entry.owner).or_default().changing.push(name);
            }
        }
    }
    found
}

fn of_field<'v>(view: &'v View<'_>, id: FieldId) -> &'v [Annotation] {
    let field = &view.symbols().fields[id as usize];
    // What a record or Lombok adds has no annotations of its own.
    view.member(field.unit).facts.fields.get(field.index as usize).map_or(&[], |it| &it.head.annotations)
}

/// Under which name a property is written, by its annotations; `None` if it is left out.
fn written<'v>(name: Sym, annotations: impl IntoIterator<Item = &'v Annotation>) -> Option<Sym> {
    let mut found = name;
    for annotation in annotations {
        let simple = annotation.name.as_str();
        if matches!(simple, "JsonIgnore" | "JsonbTransient") {
            return None;
        }
        let given = WRITTEN_AS.iter().find(|it| it.0 == simple).and_then(|it| annotation.value(&[it.1]));
        found = given.filter(|it| !it.as_str().is_empty()).unwrap_or(found);
    }
    Some(found)
}

/// The property that a getter is for, as Jackson names it.
fn property(getter: &str) -> Option<String> {
    let rest = getter.strip_prefix("get").or_else(|| getter.strip_prefix("is"))?;
    let upper = rest.len() - rest.trim_start_matches(char::is_uppercase).len();
    (upper > 0).then(|| rest[..upper].to_lowercase() + &rest[upper..])
}

fn ways(view: &View<'_>, classes: &FxHashMap<TypeId, Class>, id: MethodId) -> Vec<Vec<String>> {
    let symbols = view.symbols();
    let head = &view.facts(id).head;
    let info = &symbols.methods[id as usize];
    let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(id) };
    let Some(returns) = head.returns else { return Vec::new() };
    let map = symbols.qualified("java.util.Map");
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut open: Vec<(Shape, Vec<String>, Vec<TypeId>)> = vec![(shape(&Types::new(symbols, scope, Some(head)), returns, &[], 0), Vec::new(), Vec::new())];
    let mut n = 0;
    while let Some((at, way, above)) = open.pop() {
        n += 1;
        if n > MAX_WAYS || way.len() > MAX_DEPTH || above.contains(&at.id) {
            continue;
        }
        let Some(own) = symbols.own(at.id) else {
            // What a library's class is made of is what its arguments are: a list, an answer with a body, a page.
            let is_map = at.id != UNKNOWN && map != UNKNOWN && symbols.is_subtype(at.id, map);
            for argument in at.arguments.iter().skip(usize::from(is_map)) {
                let mut way = way.clone();
                way.extend(is_map.then(|| "*".to_owned()));
                open.push((argument.clone(), way, above.clone()));
            }
            continue;
        };
        let step = |name: Sym| way.iter().cloned().chain([name.as_str().to_owned()]).collect::<Vec<_>>();
        let variables: Vec<(Sym, Shape)> = own.head.get().type_params.iter().map(|it| it.0).zip(at.arguments.iter().cloned()).collect();
        let below: Vec<TypeId> = above.iter().copied().chain([at.id]).collect();
        for class in symbols.ancestors(at.id) {
            let Some(parts) = classes.get(&class) else { continue };
            found.extend(parts.changing.iter().map(|&it| step(it)));
            for &(name, field) in &parts.fields {
                let info = &symbols.fields[field as usize];
                let scope = Scope { class, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: None };
                open.push((shape(&Types::new(symbols, scope, None), info.ty, &variables, 0), step(name), below.clone()));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The shape of a type as written; variables of the class around are what its arguments say. Arguments of arguments are
/// told down to a depth, so that this ends.
fn shape(types: &Types<'_>, ty: Ty, variables: &[(Sym, Shape)], depth: usize) -> Shape {
    let data = ty.data();
    if let Some(known) = variables.iter().find(|it| it.0 == data.name) {
        return known.1.clone();
    }
    let arguments = if depth < MAX_DEPTH { data.args.iter().map(|&it| shape(types, it, variables, depth + 1)).collect() } else { Vec::new() };
    Shape { id: types.here(ty).id, arguments }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_getters() {
        for (getter, expected) in [
            ("getAge", Some("age")),
            ("isOpen", Some("open")),
            ("get", None),
            ("getaway", None),
            ("age", None),
            ("getURL", Some("url")),
            ("isÄlter", Some("älter")),
        ] {
            assert_eq!(property(getter).as_deref(), expected, "{getter}");
        }
    }
}

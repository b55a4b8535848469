//! Who gets from the container what factory methods of the project (`@Bean`) make of types that are not its own, such as a
//! `Clock`. The container calls the factory before the first request: what it read is there in whoever holds the result.

use super::annotated::Annotated;
use super::{Beans, Input};
use crate::intern::{Sym, Ty};
use crate::java::decls::MemberKind;
use crate::link::eval::port_number;
use crate::link::symbols::{FieldId, MethodId, Scope, TypeId, UNKNOWN};
use rustc_hash::FxHashMap;

/// Who gets the result of a factory.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Given {
    /// Fields that the container sets.
    pub fields: Vec<FieldId>,
    /// Constructors, injected setters and other factories, with the port of the parameter.
    pub params: Vec<(MethodId, u8)>,
}

/// A factory that makes something of a type of a library.
pub(super) struct Factory {
    pub method: MethodId,
    pub names: Vec<Sym>,
    pub primary: bool,
    /// It may not be there.
    pub conditional: bool,
}

/// A type by its number, or by its name as it is written where it has none.
type Key = (TypeId, Option<Sym>);

/// Types of which the container gives something else than the only bean of that type, or of which there are too many.
const NOT_GIVEN: &[&str] =
    &["java.lang.String", "java.lang.Object", "java.util.List", "java.util.Set", "java.util.Map", "java.util.Collection", "java.util.Optional"];

fn key(input: &Input<'_>, ty: Ty, scope: Scope) -> Option<Key> {
    let name = ty.name();
    if ty.data().dims > 0 || !name.as_str().contains(|it: char| it.is_ascii_uppercase()) {
        return None;
    }
    match input.symbols.resolve(scope, name) {
        UNKNOWN => Some((UNKNOWN, Some(name))),
        id if input.symbols.is_own(id) || NOT_GIVEN.contains(&input.symbols.type_name(id)) => None,
        id => Some((id, None)),
    }
}

/// Finds out who gets what. `qualifiers` says which bean a field wants, `of_params` which one a parameter wants.
pub(super) fn collect(
    input: &Input<'_>,
    annotated: &Annotated,
    qualifiers: &FxHashMap<FieldId, Sym>,
    of_params: &FxHashMap<(MethodId, usize), Sym>,
    beans: &Beans,
) -> FxHashMap<MethodId, Given> {
    let symbols = input.symbols;
    let mut found: FxHashMap<MethodId, Given> = FxHashMap::default();
    let mut made: FxHashMap<Key, Vec<&Factory>> = FxHashMap::default();
    for factory in &annotated.factories {
        let returns = input.method(factory.method).head.returns;
        if let Some(key) = returns.and_then(|it| key(input, it, method_scope(input, factory.method))) {
            made.entry(key).or_default().push(factory);
        }
    }
    if made.is_empty() {
        return found;
    }
    for &field in &beans.injected {
        let info = &symbols.fields[field as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: None };
        for factory in meant(key(input, info.ty, scope).and_then(|it| made.get(&it)), qualifiers.get(&field).copied(), info.name) {
            found.entry(factory).or_default().fields.push(field);
        }
    }
    for id in 0..symbols.methods.len() as u32 {
        let method = input.method(id);
        let is_given = method.head.kind == MemberKind::Constructor || beans.role(id, method).injected;
        let is_factory = || annotated.factories.iter().any(|it| it.method == id);
        if method.head.params.is_empty() || !(is_given && beans.managed.contains(&symbols.methods[id as usize].owner) || is_factory()) {
            continue;
        }
        let scope = method_scope(input, id);
        for (index, param) in method.head.params.iter().enumerate() {
            for factory in meant(key(input, param.ty, scope).and_then(|it| made.get(&it)), of_params.get(&(id, index)).copied(), param.name) {
                found.entry(factory).or_default().params.push((id, port_number(index + 1)));
            }
        }
    }
    for given in found.values_mut() {
        given.fields.sort_unstable();
    }
    found
}

fn method_scope(input: &Input<'_>, id: MethodId) -> Scope {
    let info = &input.symbols.methods[id as usize];
    Scope { class: info.owner, unit: Some(info.unit), file: input.symbols.file_of_unit(info.unit), method: Some(id) }
}

/// Of several beans of a type the one that is named, the primary one, or the one that is called like the place; else any may be.
fn meant(factories: Option<&Vec<&Factory>>, qualifier: Option<Sym>, place: Sym) -> Vec<MethodId> {
    let all = factories.map_or(&[][..], Vec::as_slice);
    let chosen = match (qualifier, all) {
        (Some(name), _) => all.iter().find(|it| it.names.contains(&name)),
        (None, [only]) => Some(only),
        (None, _) => match all.iter().find(|it| it.primary) {
            // One that may not be there excludes no other.
            Some(it) if it.conditional => None,
            primary => primary.or_else(|| all.iter().find(|it| it.names.contains(&place))),
        },
    };
    match chosen {
        Some(it) => vec![it.method],
        None if qualifier.is_some() => Vec::new(),
        None => all.iter().map(|it| it.method).collect(),
    }
}

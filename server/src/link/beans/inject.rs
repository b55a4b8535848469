//! Injection: which fields the container sets, and which bean an injected field holds.

use super::annotated::Annotated;
use super::wired::Wired;
use super::{Beans, Input, given};
use crate::facts::graph::{NodeKind, WriteKind};
use crate::intern::Sym;
use crate::java::annotations;
use crate::java::decls::{Flags, MemberKind};
use crate::link::symbols::{FieldId, MethodId, Scope, TypeId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A field that keeps what a constructor or a setter gets from the container.
pub(super) struct Kept {
    pub field: FieldId,
    pub method: MethodId,
    pub param: usize,
}

/// Who gets which bean.
pub(super) struct Injected {
    pub kept: Vec<Kept>,
    /// Which bean a field gets, where something says it.
    pub qualifiers: FxHashMap<FieldId, Sym>,
    /// The parameter that a field gets it by: where nothing else tells, its name is that of a bean.
    pub places: FxHashMap<FieldId, Sym>,
}

/// Fills in what is injected.
pub(super) fn inject(input: &Input<'_>, found: &Annotated, wired: &Wired, beans: &mut Beans) -> Injected {
    let mut qualifiers: FxHashMap<FieldId, Sym> = FxHashMap::default();
    for (field, marks) in &found.fields {
        if marks.inject {
            beans.injected.insert(*field);
        }
        qualifiers.extend(marks.qualifier.map(|it| (*field, it)));
    }
    qualifiers.extend(&wired.refs);
    beans.injected.extend(wired.fields.iter().copied());
    let kept = by_constructors(input, beans);
    let of_params: FxHashMap<(MethodId, usize), Sym> = found.params.iter().filter_map(|it| Some(((it.0, it.1), it.2.qualifier?))).collect();
    let mut places: FxHashMap<FieldId, Sym> = FxHashMap::default();
    for it in &kept {
        if let Some(&name) = of_params.get(&(it.method, it.param)) {
            qualifiers.entry(it.field).or_insert(name);
        }
        places.extend(input.method(it.method).head.params.get(it.param).map(|param| (it.field, param.name)));
    }
    by_lombok(input, beans);
    narrow(input, &qualifiers, &places, beans);
    beans.given = given::collect(input, found, &qualifiers, &of_params, beans);
    Injected { kept, qualifiers, places }
}

/// Constructors and injected setters of beans that keep a parameter.
fn by_constructors(input: &Input<'_>, beans: &mut Beans) -> Vec<Kept> {
    let all = (0..input.symbols.methods.len() as MethodId).into_par_iter().with_min_len(1024);
    let found: Vec<Kept> = all.flat_map_iter(|id| kept_by(input, beans, id)).collect();
    beans.injected.extend(found.iter().map(|it| it.field));
    found
}

/// What one method keeps, if the container calls it.
fn kept_by(input: &Input<'_>, beans: &Beans, id: MethodId) -> Vec<Kept> {
    let symbols = input.symbols;
    let info = &symbols.methods[id as usize];
    let mut found = Vec::new();
    if !beans.managed.contains(&info.owner) {
        return found;
    }
    let method = input.method(id);
    if method.head.kind != MemberKind::Constructor && !beans.role(id, method).injected {
        return found;
    }
    for write in method.graph.writes.iter().filter(|it| it.kind == WriteKind::Assign) {
        let mut node = write.value;
        while let NodeKind::Typed(inner, _) = method.graph.nodes[node as usize].kind {
            node = inner;
        }
        if let NodeKind::Param(param) = method.graph.nodes[node as usize].kind {
            let field = symbols.find_field(info.owner, write.name).filter(|&it| !symbols.fields[it as usize].flags.has(Flags::STATIC));
            found.extend(field.map(|field| Kept { field, method: id, param: param as usize }));
        }
    }
    found
}

/// Constructors that Lombok makes.
fn by_lombok(input: &Input<'_>, beans: &mut Beans) {
    let symbols = input.symbols;
    let mut found = Vec::new();
    for id in 0..symbols.fields.len() as u32 {
        let info = &symbols.fields[id as usize];
        if info.flags.has(Flags::STATIC) || !beans.managed.contains(&info.owner) {
            continue;
        }
        let Some(class) = symbols.own(info.owner) else { continue };
        let on_class = &class.head.get().annotations;
        let head = &input.field(id).head;
        let required = annotations::has(on_class, "RequiredArgsConstructor") || annotations::has(on_class, "Data");
        let needed = !head.has_init && (head.flags.has(Flags::FINAL) || annotations::has(&head.annotations, "NonNull"));
        if (required && needed) || (annotations::has(on_class, "AllArgsConstructor") && !(head.has_init && head.flags.has(Flags::FINAL))) {
            found.push(id);
        }
    }
    beans.injected.extend(found);
}

/// An injected interface holds the bean that is meant: the only one, the one that is named, or the primary one.
fn narrow(input: &Input<'_>, qualifiers: &FxHashMap<FieldId, Sym>, places: &FxHashMap<FieldId, Sym>, beans: &mut Beans) {
    let symbols = input.symbols;
    let mut below: FxHashMap<TypeId, Vec<usize>> = FxHashMap::default();
    for (index, bean) in beans.all.iter().enumerate() {
        for up in symbols.ancestors(bean.class).filter(|&it| symbols.is_own(it)) {
            below.entry(up).or_default().push(index);
        }
    }
    let mut narrowed = FxHashMap::default();
    for &field in &beans.injected {
        let info = &symbols.fields[field as usize];
        if info.ty.data().dims > 0 {
            continue;
        }
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: None };
        let declared = symbols.resolve(scope, info.ty.name());
        let Some(candidates) = below.get(&declared) else { continue };
        let named = |name: Sym| candidates.iter().copied().find(|&it| beans.all[it].names.contains(&name));
        let chosen = match (qualifiers.get(&field), &candidates[..]) {
            (Some(&name), _) => named(name),
            (None, &[only]) => Some(only),
            (None, _) => {
                let primary = candidates.iter().copied().find(|&it| beans.all[it].primary);
                // One that may not be there excludes no other.
                match primary {
                    Some(it) if beans.all[it].conditional => None,
                    primary => primary.or_else(|| named(places.get(&field).copied().unwrap_or(info.name))),
                }
            }
        };
        if let Some(chosen) = chosen {
            narrowed.insert(field, beans.all[chosen].class);
        }
    }
    beans.narrowed = narrowed;
}

//! Static and bean fields: modified while the service runs, or ruled out, and why (paper §3.2.3).

use super::view::View;
use super::{FieldVerdict, Modifier, World};
use crate::java::decls::{Flags, TypeKind};
use crate::link::beans::Shared;
use crate::link::state::is_constant;
use crate::link::symbols::FieldId;

/// The verdict on a field, if one is owed.
pub fn field(view: &View<'_>, id: FieldId) -> Option<FieldVerdict> {
    let symbols = view.symbols();
    let info = &symbols.fields[id as usize];
    let states = &view.link().states;
    if !states.beans.is_candidate(symbols, id) || view.link().files[symbols.file_of_unit(info.unit) as usize].is_test || !view.has_unit(info.unit) {
        return None;
    }
    let settings = view.link().settings;
    let tainted = view.taint().is_carrier(id);
    let facts = |it| view.facts(it);
    let reason = |world| states.ruled_out(symbols, id, world, settings.precision, tainted, &facts);
    let ruled_out = reason(settings.world);
    // Constants are everywhere; of their fields only those that do change are worth a word.
    if ruled_out.is_some() && !info.flags.has(Flags::STATIC) && states.beans.shared(info.owner) == Some(Shared::Constant) {
        return None;
    }
    let flips_in = [World::Library, World::WithTests, World::Application]
        .into_iter()
        .find(|&world| world != settings.world && reason(world).is_none() != ruled_out.is_none());
    let mut modifiers: Vec<Modifier> = Vec::new();
    for it in states.modifications.get(&id).into_iter().flatten() {
        let method = view.method_name(it.method);
        if modifiers.iter().all(|known| known.method != method) {
            let called = states.called.is_called(symbols, &states.beans, it.method, view.facts(it.method), settings.world);
            modifiers.push(Modifier { method, place: view.by_place(it.method, it.by), called });
        }
    }
    if let Some(by) = states.beans.pushed(id) {
        modifiers.push(Modifier { method: format!("@{by}"), place: view.field_place(id), called: true });
    }
    Some(FieldVerdict {
        class: symbols.type_name(info.owner).to_owned(),
        name: info.name.as_str().to_owned(),
        place: view.field_place(id),
        is_static: info.flags.has(Flags::STATIC),
        is_final: info.flags.has(Flags::FINAL),
        bean: states.beans.is_bean_field(symbols, id),
        ruled_out,
        modifiers,
        flips_in,
        can_be_final: ruled_out.is_some() && can_be_final(view, id),
    })
}

/// Whether `final` compiles: it has an initialiser, and nothing else assigns it, as far as names tell.
fn can_be_final(view: &View<'_>, id: FieldId) -> bool {
    let symbols = view.symbols();
    let info = &symbols.fields[id as usize];
    let states = &view.link().states;
    let head = &view.member(info.unit).facts.fields[info.index as usize].head;
    // All declarators of a declaration become final together.
    let alone = view.member(info.unit).facts.fields.len() == 1;
    let in_interface = symbols.own(info.owner).is_some_and(|it| matches!(it.head.get().kind, TypeKind::Interface | TypeKind::Annotation));
    head.has_init
        && alone
        && !in_interface
        && !head.flags.has(Flags::FINAL)
        && !head.flags.has(Flags::VOLATILE)
        && !is_constant(symbols, id)
        && !states.assigned.contains(&id)
        && !states.assigned_names.contains(&info.name)
}

//! Reads of state where no method can be mocked: constructors, initialisers and `main` (`semantics.md` §4 and §6).
//!
//! Only reads that matter are told: what is dropped, or does nothing but log, needs no mocking anywhere. What a method
//! hands to such code is told where the method reads it.

use super::path::{is_own_read, origin_of};
use super::points::{dependency, place_of};
use super::view::View;
use super::{Category, KeptIn, SourceUse, UnmockableSource, Within};
use crate::java::decls::{Flags, MemberKind};
use crate::link::state::is_main;
use crate::link::symbols::{FieldId, MethodId};
use crate::link::taint::{Source, SourceKey};

/// The reads of a method that is none; nothing for methods that can be mocked.
pub(super) fn sources(view: &View<'_>, id: MethodId) -> Vec<UnmockableSource> {
    let Some(within) = within(view, id) else { return Vec::new() };
    if view.is_test(id) {
        return Vec::new();
    }
    let owner = view.symbols().methods[id as usize].owner;
    let Some(class) = view.symbols().own(owner) else { return Vec::new() };
    let mut found: Vec<UnmockableSource> = Vec::new();
    for evaluated in view.context().evaluate(view.taint(), id) {
        let kept = evaluated.kept();
        for source in &evaluated.sources {
            let matters = source.needs_no_flow || source.bit & kept.bits != 0;
            if !matters || !is_own_read(view, source.key, source.category) || is_of_its_making(view, id, within, source) {
                continue;
            }
            let (what, via) = origin_of(view, id, source);
            let place = view.place(id, place_of(&evaluated, source.key));
            let dependency = dependency(view, id, source.key, source.category);
            let read = SourceUse { category: source.category, what, place, via, dependency };
            if found.iter().any(|it| it.read == read) {
                continue;
            }
            let fields = kept.fields.iter().filter(|it| it.1 & source.bit != 0).map(|it| it.0);
            let fields = fields.filter(|&it| !reads(source.key, it)).map(|it| KeptIn { field: view.field_name(it), place: view.field_place(it) });
            let mut fields: Vec<KeptIn> = fields.collect();
            fields.sort_unstable();
            fields.dedup();
            found.push(UnmockableSource { read, within, class: class.name.clone(), binary_class: class.binary.clone(), fields });
        }
    }
    found
}

/// What code it is, if it is no method that can be mocked.
fn within(view: &View<'_>, id: MethodId) -> Option<Within> {
    let facts = view.facts(id);
    match facts.head.kind {
        MemberKind::Constructor | MemberKind::CompactConstructor => Some(Within::Constructor),
        MemberKind::StaticInit => Some(Within::StaticInitialiser),
        MemberKind::InstanceInit => Some(Within::InstanceInitialiser),
        MemberKind::Field => Some(Within::FieldInitialiser),
        MemberKind::EnumConstant => Some(Within::EnumConstant),
        MemberKind::Method => is_main(view.symbols(), id, facts).then_some(Within::Main),
        MemberKind::Component | MemberKind::Made => None,
    }
}

/// A field of the object, or of the class, that is being made: what is in it there was put in by what makes it.
fn is_of_its_making(view: &View<'_>, id: MethodId, within: Within, source: &Source) -> bool {
    let SourceKey::Field(_, field) = source.key else { return false };
    if source.category != Category::Internal {
        return false;
    }
    let symbols = view.symbols();
    let info = &symbols.fields[field as usize];
    if !info.flags.has(Flags::STATIC) {
        return within != Within::Main;
    }
    let method = &symbols.methods[id as usize];
    let runs_once = within == Within::StaticInitialiser || within == Within::EnumConstant || method.flags.has(Flags::STATIC);
    within != Within::Main && runs_once && info.owner == method.owner
}

/// Whether it is a field that is read: to write it again keeps nothing anew.
fn reads(key: SourceKey, field: FieldId) -> bool {
    matches!(key, SourceKey::Field(_, it) | SourceKey::Inside(_, it) if it == field)
}

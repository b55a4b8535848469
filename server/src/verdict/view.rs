//! A linked workspace as verdicts see it: as linked, or with one file as it was edited since.

use super::described::{Described, Descriptions};
use super::effects::Ways;
use super::{FileId, Place};
use crate::facts::MethodFacts;
use crate::facts::graph::At;
use crate::java::decls::Range;
use crate::link::Linked;
use crate::link::changes::By;
use crate::link::resolve::{Describer, Resolved};
use crate::link::symbols::{FieldId, MethodId, Symbols, UnitId};
use crate::link::taint::{Context, Table, Taint};
use crate::workspace::SourceFile;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// See the module.
pub struct View<'a> {
    linked: &'a Linked,
    edited: Option<Edited<'a>>,
    /// How methods change what they are given.
    pub ways: Ways,
    /// What calls mean.
    descriptions: Descriptions,
}

/// A file that was edited since the link.
pub struct Edited<'a> {
    /// Its id.
    pub file: FileId,
    /// As it is now.
    pub now: &'a Arc<SourceFile>,
    /// For each of its units the member that it is now, if it still is one.
    pub units: Vec<Option<(u32, u32)>>,
    /// Its changed methods, resolved.
    pub resolved: FxHashMap<MethodId, Arc<Resolved>>,
}

impl<'a> View<'a> {
    /// As linked.
    pub fn linked(linked: &'a Linked) -> View<'a> {
        View { linked, edited: None, ways: Ways::default(), descriptions: Descriptions::default() }
    }

    /// With one file as it is now.
    pub fn edited(linked: &'a Linked, edited: Edited<'a>) -> View<'a> {
        View { linked, edited: Some(edited), ways: Ways::default(), descriptions: Descriptions::default() }
    }

    /// The symbol table.
    pub fn symbols(&self) -> &'a Symbols {
        &self.linked.symbols
    }

    /// The fixed point.
    pub fn taint(&self) -> &'a Taint {
        &self.linked.taint
    }

    /// The link.
    pub fn link(&self) -> &'a Linked {
        self.linked
    }

    /// Whether the member of a unit is still there.
    pub fn has_unit(&self, unit: UnitId) -> bool {
        match &self.edited {
            Some(edited) if self.symbols().units[unit as usize].file == edited.file => edited.units[self.slot(edited, unit)].is_some(),
            _ => true,
        }
    }

    fn slot(&self, edited: &Edited<'_>, unit: UnitId) -> usize {
        (unit - self.symbols().first_unit[edited.file as usize]) as usize
    }

    /// The member of a unit.
    pub fn member(&self, unit: UnitId) -> &crate::facts::Member {
        if let Some(edited) = &self.edited
            && self.symbols().units[unit as usize].file == edited.file
            && let Some((ty, member)) = edited.units[self.slot(edited, unit)]
        {
            return &edited.now.facts.types[ty as usize].members[member as usize];
        }
        self.symbols().member(&self.linked.files, unit)
    }

    /// Facts of a method.
    pub fn facts(&self, id: MethodId) -> &MethodFacts {
        let info = &self.symbols().methods[id as usize];
        &self.member(info.unit).facts.methods[info.index as usize]
    }

    /// Facts of a method as they were linked: what the link recorded of it (origins, modifications) speaks of these.
    pub fn linked_facts(&self, id: MethodId) -> &MethodFacts {
        self.symbols().method(&self.linked.files, id).0
    }

    /// What evaluation needs.
    pub fn context<'v>(&'v self) -> Context<'v, impl Fn(MethodId) -> &'v MethodFacts + Sync> {
        Context {
            symbols: self.symbols(),
            resolved: Table { linked: &self.linked.resolved, edited: self.edited.as_ref().map(|it| &it.resolved) },
            globals: &self.linked.globals,
            states: &self.linked.states,
            listed: &self.linked.listed,
            settings: self.linked.settings,
            facts: |id| self.facts(id),
            initialisers: &self.linked.initialisers,
        }
    }

    /// Methods that may call library methods that are mocking points themselves: those that did when it was linked, and
    /// those of the edited file.
    pub fn wrapper_callers(&self) -> impl Iterator<Item = MethodId> + '_ {
        let edited = self.edited.as_ref().map_or(0..0, |it| self.symbols().methods_of_file(it.file));
        let elsewhere = self.linked.wrapper_callers.iter().copied().filter({
            let edited = edited.clone();
            move |it| !edited.contains(it)
        });
        edited.chain(elsewhere)
    }

    /// Says what calls of a method mean, as it is or as it was linked.
    pub fn describer(&self, id: MethodId, as_linked: bool) -> Describer<'_> {
        let facts = if as_linked { self.linked_facts(id) } else { self.facts(id) };
        Describer::new(self.linked.meaning(), id, facts)
    }

    /// What a method refers to, as it is or as it was linked.
    pub fn resolved(&self, id: MethodId, as_linked: bool) -> &Resolved {
        if as_linked { &self.linked.resolved[id as usize] } else { self.context().resolved.get(id) }
    }

    /// What a call of a method means, for messages.
    pub(super) fn described(&self, id: MethodId, call: u32, as_linked: bool) -> Arc<Described> {
        // What was not edited is as it was linked.
        let as_linked = as_linked || self.edited.as_ref().is_none_or(|it| it.file != self.file_of(id));
        self.descriptions.of((id, as_linked, call), &self.resolved(id, as_linked).calls, || self.describer(id, as_linked))
    }

    /// Whether a method is in test sources.
    pub fn is_test(&self, id: MethodId) -> bool {
        self.linked.files[self.file_of(id) as usize].is_test
    }

    /// The file of a method.
    pub fn file_of(&self, id: MethodId) -> FileId {
        self.symbols().file_of_unit(self.symbols().methods[id as usize].unit)
    }

    /// Where a method starts in its file.
    pub fn start(&self, id: MethodId) -> u32 {
        let info = &self.symbols().methods[id as usize];
        let member = self.member(info.unit);
        member.start + member.facts.methods[info.index as usize].offset
    }

    /// A place in a method.
    pub fn place(&self, id: MethodId, at: At) -> Place {
        let start = self.start(id) + at.start;
        Place { file: self.file_of(id), range: Range { start, end: start + at.len } }
    }

    /// The name of a method.
    pub fn name_place(&self, id: MethodId) -> Place {
        Place { file: self.file_of(id), range: self.facts(id).name.absolute(self.start(id)) }
    }

    /// The name of a field.
    pub fn field_place(&self, id: FieldId) -> Place {
        let info = &self.symbols().fields[id as usize];
        let member = self.member(info.unit);
        Place { file: self.symbols().file_of_unit(info.unit), range: member.facts.fields[info.index as usize].name.absolute(member.start) }
    }

    /// Where something happens in a method.
    pub fn by_place(&self, id: MethodId, by: By) -> Place {
        let graph = &self.linked_facts(id).graph;
        let at = match by {
            By::Call(call) => graph.calls.get(call as usize).map(|it| it.at),
            By::Write(write) => graph.writes.get(write as usize).map(|it| it.at),
            By::Return(sink) => graph.sinks.get(sink as usize).map(|it| it.at),
        };
        self.place(id, at.unwrap_or_default())
    }

    /// `pkg.Class.field`.
    pub fn field_name(&self, id: FieldId) -> String {
        let info = &self.symbols().fields[id as usize];
        format!("{}.{}", self.symbols().type_name(info.owner), info.name)
    }

    /// `pkg.Class.method`.
    pub fn method_name(&self, id: MethodId) -> String {
        let info = &self.symbols().methods[id as usize];
        format!("{}.{}", self.symbols().type_name(info.owner), info.name)
    }

    /// Whether a method is a mocking point by the sources that it reads itself.
    pub fn is_point_in_itself(&self, id: MethodId) -> bool {
        self.linked.taint.points.contains(&id)
    }
}

//! The link: joins the facts of all files into verdicts.
//!
//! Link is a pure function of the facts. What it takes from an earlier link is only what would come out the same:
//! the symbol table while no declaration changed, and the resolution of methods whose facts did not change.

pub mod eval;
pub mod resolve;
pub mod state;
pub mod summary;
pub mod symbols;
pub mod taint;
pub mod types;

use crate::facts::{MemberFacts, MethodFacts};
use crate::java::decls::{Flags, MemberKind};
use crate::settings::Settings;
use crate::verdict::view::{Edited, View};
use crate::verdict::{FieldVerdict, FileId, MockingPoint, Verdicts, judge};
use crate::workspace::SourceFile;
use rayon::prelude::*;
use resolve::Resolved;
use rustc_hash::{FxHashMap, FxHashSet};
use state::FieldStates;
use std::sync::Arc;
use summary::Globals;
use symbols::{MethodId, Symbols, TypeId};
use taint::{Context, Table, Taint};

/// A linked workspace: immutable, shared by whoever reads it.
pub struct Linked {
    /// The files that were linked, sorted by path; [`FileId`] is an index into them.
    pub files: Vec<Arc<SourceFile>>,
    /// The settings that were used.
    pub settings: Settings,
    /// What came out.
    pub verdicts: Verdicts,
    /// All types, fields and methods.
    pub symbols: Arc<Symbols>,
    /// Every method, resolved.
    pub resolved: Vec<Arc<Resolved>>,
    /// Summaries of all methods.
    pub globals: Globals,
    /// What is known of static fields.
    pub states: FieldStates,
    /// Sources, carriers and lifts.
    pub taint: Taint,
    /// Instance initialisers of each class.
    pub initialisers: FxHashMap<TypeId, Vec<MethodId>>,
    /// Methods that are mocking points by what they read themselves.
    pub points: FxHashSet<MethodId>,
}

/// Links `files`, which must be sorted by path. What did not change since `previous` is taken from it.
pub fn link(files: Vec<Arc<SourceFile>>, settings: Settings, previous: Option<&Linked>) -> Linked {
    let previous = previous.filter(|it| it.settings.tier == settings.tier && same_shape(&it.files, &files));
    let symbols = previous.map_or_else(|| Arc::new(Symbols::build(&files)), |it| Arc::clone(&it.symbols));
    let facts = |id: MethodId| symbols.method(&files, id).0;
    let is_test = |id: MethodId| files[symbols.file_of_unit(symbols.methods[id as usize].unit) as usize].is_test;
    let resolved: Vec<Arc<Resolved>> = (0..symbols.methods.len() as u32)
        .into_par_iter()
        .with_min_len(64)
        .map(|id| {
            if let Some(previous) = previous {
                let unit = symbols.methods[id as usize].unit;
                if Arc::ptr_eq(&symbols.member(&previous.files, unit).facts, &symbols.member(&files, unit).facts) {
                    return Arc::clone(&previous.resolved[id as usize]);
                }
            }
            Arc::new(resolve::resolve(&symbols, id, facts(id), settings.tier))
        })
        .collect();
    let callers = summary::callers(&symbols, &resolved);
    let globals = summary::summarise(&symbols, &resolved, &callers, settings.precision, &facts);
    let states = state::collect(&symbols, &resolved, &globals, settings, &facts, &is_test);
    let initialisers = initialisers(&symbols, &facts);
    let context = Context { symbols: &symbols, resolved: Table { linked: &resolved, edited: None }, globals: &globals, states: &states, settings, facts, initialisers: &initialisers };
    let taint = taint::propagate(&context, &callers, &is_test);
    let mut linked = Linked { verdicts: Verdicts::default(), symbols: Arc::clone(&symbols), resolved, globals, states, taint, initialisers, points: FxHashSet::default(), settings, files };
    linked.points = judge::points_in_themselves(&View::linked(&linked));
    linked.verdicts = judge::verdicts(&View::linked(&linked));
    linked
}

fn same_shape(a: &[Arc<SourceFile>], b: &[Arc<SourceFile>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || (a.path == b.path && a.is_test == b.is_test && state::same_shape(&a.facts, &b.facts)))
}

fn initialisers<'a>(symbols: &Symbols, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> FxHashMap<TypeId, Vec<MethodId>> {
    let mut found: FxHashMap<TypeId, Vec<MethodId>> = FxHashMap::default();
    for (id, info) in symbols.methods.iter().enumerate() {
        let kind = facts(id as MethodId).head.kind;
        if matches!(kind, MemberKind::Field | MemberKind::InstanceInit) && !info.flags.has(Flags::STATIC) {
            found.entry(info.owner).or_default().push(id as MethodId);
        }
    }
    found
}

impl Linked {
    /// Findings of one file after an edit, from the per-method pass alone: `file` replaces the linked file with the
    /// same id; everything else is as it was linked. Cheap enough for every keystroke.
    ///
    /// Members that are new since the link have no findings until the next one.
    pub fn quick(&self, id: FileId, file: &Arc<SourceFile>) -> (Vec<MockingPoint>, Vec<FieldVerdict>) {
        let old = &self.files[id as usize];
        let units = self.match_units(old, file);
        let first = self.symbols.first_unit[id as usize];
        let mut resolved: FxHashMap<MethodId, Arc<Resolved>> = FxHashMap::default();
        for method in self.symbols.methods_of_file(id) {
            let info = &self.symbols.methods[method as usize];
            let Some((ty, member)) = units[(info.unit - first) as usize] else { continue };
            let now = &file.facts.types[ty as usize].members[member as usize].facts;
            if !Arc::ptr_eq(now, &self.symbols.member(&self.files, info.unit).facts) {
                let it = resolve::resolve(&self.symbols, method, &now.methods[info.index as usize], self.settings.tier);
                resolved.insert(method, Arc::new(it));
            }
        }
        let view = View::edited(self, Edited { file: id, now: file, units, resolved });
        judge::of_file(&view, id, &file.facts.suppressions)
    }

    /// For each unit of a linked file the member that it is in the edited one.
    fn match_units(&self, old: &SourceFile, new: &SourceFile) -> Vec<Option<(u32, u32)>> {
        if state::same_shape(&old.facts, &new.facts) {
            let all = new.facts.types.iter().enumerate().flat_map(|(t, it)| (0..it.members.len()).map(move |m| Some((t as u32, m as u32))));
            return all.collect();
        }
        // Declarations came or went: members with the same facts are the same, then those of the same type with the
        // same heads. The link will tell about the others.
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (t, ty) in new.facts.types.iter().enumerate() {
            open.extend((0..ty.members.len()).map(|m| (t as u32, m as u32)));
        }
        let member = |at: (u32, u32)| &new.facts.types[at.0 as usize].members[at.1 as usize].facts;
        let mut units: Vec<Option<(u32, u32)>> = Vec::new();
        let mut by_facts: FxHashMap<*const MemberFacts, Vec<(u32, u32)>> = FxHashMap::default();
        for &at in open.iter().rev() {
            by_facts.entry(Arc::as_ptr(member(at))).or_default().push(at);
        }
        for it in old.facts.types.iter().flat_map(|it| &it.members) {
            units.push(by_facts.get_mut(&Arc::as_ptr(&it.facts)).and_then(Vec::pop));
        }
        let taken: FxHashSet<(u32, u32)> = units.iter().flatten().copied().collect();
        open.retain(|it| !taken.contains(it));
        let old_members = old.facts.types.iter().flat_map(|ty| ty.members.iter().map(move |member| (ty, member)));
        for (slot, (ty, it)) in units.iter_mut().zip(old_members) {
            if slot.is_none()
                && let Some(at) = open.iter().position(|&at| new.facts.types[at.0 as usize].head.name == ty.head.name && state::same_member(&it.facts, member(at)))
            {
                *slot = Some(open.remove(at));
            }
        }
        units
    }

    /// Findings of one file as linked.
    pub fn findings(&self, id: FileId) -> (Vec<MockingPoint>, Vec<FieldVerdict>) {
        let points = self.verdicts.mocking_points.iter().filter(|it| it.place.file == id).cloned().collect();
        let fields = self.verdicts.fields.iter().filter(|it| it.place.file == id).cloned().collect();
        (points, fields)
    }
}

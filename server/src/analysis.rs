//! A whole analysis: files linked and judged, and the quick answer for one file that was edited since.

use crate::facts::MemberFacts;
use crate::link::resolve::{self, Resolved};
use crate::link::symbols::MethodId;
use crate::link::{self, Linked, shape};
use crate::log::Stages;
use crate::settings::Settings;
use crate::verdict::view::{Edited, View};
use crate::verdict::{self, CarrierField, FileId, Guarded, Place, Suppressed, Verdicts, judge};
use crate::workspace::{SourceFile, Sources};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// An analysed workspace: immutable, shared by whoever reads it.
pub struct Analysis {
    /// The files, sorted by path; [`FileId`] is an index into them.
    pub files: Vec<Arc<SourceFile>>,
    /// The settings that were used.
    pub settings: Settings,
    /// What came out.
    pub verdicts: Verdicts,
    /// What it follows from.
    pub linked: Linked,
}

/// Analyses files, which must be sorted by path. What did not change since `previous` is taken from it.
pub fn analyse(sources: impl Into<Sources>, settings: Settings, previous: Option<&Analysis>) -> Analysis {
    let sources = sources.into();
    let files = sources.files.clone();
    let linked = link::link(sources, settings, previous.map(|it| &it.linked));
    let mut stages = Stages::start();
    let verdicts = judge::verdicts(&View::linked(&linked));
    stages.done("verdicts");
    Analysis { files, settings, verdicts, linked }
}

impl Analysis {
    /// Findings of one file after an edit, from the per-method pass alone: `file` replaces the linked file with the
    /// same id; everything else is as it was linked. Cheap enough for every keystroke.
    ///
    /// Members that are new since the link have no findings until the next one.
    pub fn quick(&self, id: FileId, file: &Arc<SourceFile>) -> Verdicts {
        judge::of_file(&self.edited(id, file), id, &file.facts.suppressions)
    }

    /// The fields of one file that carry state, as it was linked or edited since. Apart from the rest, since reports do not have them.
    pub fn carriers(&self, id: FileId, file: &Arc<SourceFile>) -> Vec<CarrierField> {
        let as_linked = Arc::ptr_eq(&self.files[id as usize], file);
        let view = if as_linked { View::linked(&self.linked) } else { self.edited(id, file) };
        judge::carriers(&view, id, &file.facts.suppressions)
    }

    /// Branches of a method that count for the sake of some calls alone: `name` is where its name is in `file`, which is as it was linked or edited since.
    pub fn guarded(&self, id: FileId, file: &Arc<SourceFile>, name: Place) -> Vec<Guarded> {
        verdict::guarded(&self.edited(id, file), id, name)
    }

    /// The workspace with one file as it is now.
    fn edited<'a>(&'a self, id: FileId, file: &'a Arc<SourceFile>) -> View<'a> {
        let old = &self.files[id as usize];
        let units = self.match_units(old, file);
        let first = self.linked.symbols.first_unit[id as usize];
        let mut resolved: FxHashMap<MethodId, Arc<Resolved>> = FxHashMap::default();
        for method in self.linked.symbols.methods_of_file(id) {
            let info = &self.linked.symbols.methods[method as usize];
            let Some((ty, member)) = units[(info.unit - first) as usize] else { continue };
            let now = &file.facts.types[ty as usize].members[member as usize].facts;
            if !Arc::ptr_eq(now, &self.linked.symbols.member(&self.files, info.unit).facts) {
                let it = resolve::resolve(self.linked.meaning(), method, &now.methods[info.index as usize]);
                resolved.insert(method, Arc::new(it));
            }
        }
        View::edited(&self.linked, Edited { file: id, now: file, units, resolved })
    }

    /// For each unit of a linked file the member that it is in the edited one.
    fn match_units(&self, old: &SourceFile, new: &SourceFile) -> Vec<Option<(u32, u32)>> {
        if shape::same_shape(&old.facts, &new.facts) {
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
        // Whoever types a new name for a method should not see its findings go and come.
        type Alike = fn(&Arc<MemberFacts>, &Arc<MemberFacts>) -> bool;
        let alike: [Alike; 2] = [shape::same_member, |a, b| shape::is_renamed(a, b)];
        for alike in alike {
            let old_members = old.facts.types.iter().flat_map(|ty| ty.members.iter().map(move |member| (ty, member)));
            for (slot, (ty, it)) in units.iter_mut().zip(old_members) {
                if slot.is_none()
                    && let Some(at) = open.iter().position(|&at| new.facts.types[at.0 as usize].head.name == ty.head.name && alike(&it.facts, member(at)))
                {
                    *slot = Some(open.remove(at));
                }
            }
        }
        units
    }

    /// Findings of one file as linked, without those that it suppresses.
    pub fn findings(&self, id: FileId) -> Verdicts {
        let Verdicts { mocking_points, fields, unmockable, .. } = &self.verdicts;
        Verdicts {
            mocking_points: of_file(mocking_points, id, |it| it.place.file).to_vec(),
            fields: of_file(fields, id, |it| it.place.file).to_vec(),
            unmockable: of_file(unmockable, id, |it| it.read.place.file).to_vec(),
            suppressed: Suppressed::default(),
        }
    }

    /// The files that have findings, or fields that carry state, sorted.
    pub fn files_with_findings(&self) -> Vec<FileId> {
        let Verdicts { mocking_points, fields, unmockable, .. } = &self.verdicts;
        let mut ids: Vec<FileId> = mocking_points.iter().map(|it| it.place.file).collect();
        ids.extend(fields.iter().map(|it| it.place.file));
        ids.extend(unmockable.iter().map(|it| it.read.place.file));
        let symbols = &self.linked.symbols;
        ids.extend(self.linked.taint.carrying().map(|it| symbols.file_of_unit(symbols.fields[it as usize].unit)));
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// Those of a list, sorted by file, that are of one file.
fn of_file<T>(list: &[T], id: FileId, file: impl Fn(&T) -> FileId) -> &[T] {
    let start = list.partition_point(|it| file(it) < id);
    let end = list.partition_point(|it| file(it) <= id);
    &list[start..end]
}

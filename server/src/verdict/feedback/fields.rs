//! Fields that a method reads, that are ruled out, and that code may write which nobody has read.

use super::calls::{BIT, is_spoken_of, unread, way};
use super::{Candidate, Findings, Rank, ReadField, RowKind};
use crate::catalogue::catalogue;
use crate::facts::graph::{Graph, NONE, NodeId, NodeKind, WriteKind};
use crate::intern::Sym;
use crate::link::resolve::{Ref, Resolved, Target};
use crate::link::state::{is_constant, own_type};
use crate::link::symbols::{FieldId, MethodId};
use crate::link::taint::{Entry, Source, SourceKey};
use crate::terms::{Category, Reason};
use crate::verdict::ruled;
use crate::verdict::view::View;
use crate::verdict::{FieldVerdict, Place};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Writes that the analysis cannot see through.
#[derive(Default)]
pub(super) struct Unseen {
    /// Assignments to a field of this name of something unknown: the first one, and its method.
    assigned: FxHashMap<Sym, (Place, MethodId)>,
    /// Fields whose value is handed to code that nobody has read: the first call, and what it calls.
    handed: FxHashMap<FieldId, (Place, String)>,
}

impl Unseen {
    /// Those of production sources.
    pub(super) fn collect(view: &View<'_>) -> Unseen {
        let methods = 0..view.symbols().methods.len() as MethodId;
        let found: Vec<Unseen> =
            methods.into_par_iter().with_min_len(64).filter(|&id| !view.is_test(id)).map(|id| of_method(view, id)).filter(|it| !it.is_empty()).collect();
        let mut all = Unseen::default();
        for it in found {
            it.assigned.into_iter().for_each(|(name, at)| {
                all.assigned.entry(name).or_insert(at);
            });
            it.handed.into_iter().for_each(|(field, at)| {
                all.handed.entry(field).or_insert(at);
            });
        }
        all
    }

    fn is_empty(&self) -> bool {
        self.assigned.is_empty() && self.handed.is_empty()
    }
}

fn of_method(view: &View<'_>, id: MethodId) -> Unseen {
    let resolved = &view.link().resolved[id as usize];
    let graph = &view.facts(id).graph;
    let mut found = Unseen::default();
    for (index, write) in graph.writes.iter().enumerate() {
        if write.kind == WriteKind::Assign && resolved.writes[index] == NONE && write.obj != NONE {
            found.assigned.entry(write.name).or_insert_with(|| (view.place(id, write.at), id));
        }
    }
    let mut describer = None;
    for (index, site) in resolved.calls.iter().enumerate() {
        let call = &graph.calls[index];
        let fields: Vec<FieldId> = graph.list(call.args).iter().filter_map(|&it| field_of(graph, resolved, it)).collect();
        if fields.is_empty() || site.benign || !matches!(site.target, Target::Library | Target::Unresolved) {
            continue;
        }
        let what = if site.target == Target::Library {
            let receiver = describer.get_or_insert_with(|| view.describer(id, false)).receiver_type(index as u32);
            let Some(ty) = unread(view, receiver).filter(|&ty| !is_spoken_of(view, ty, site, call.name)) else { continue };
            format!("{}.{}", view.symbols().type_name(ty), call.name)
        } else {
            format!("`{}` of something unknown", call.name)
        };
        for field in fields {
            found.handed.entry(field).or_insert_with(|| (view.place(id, call.at), what.clone()));
        }
    }
    found
}

/// The field that an argument was read from.
fn field_of(graph: &Graph, resolved: &Resolved, node: NodeId) -> Option<FieldId> {
    let mut node = node;
    loop {
        if let Ref::Field(field) = resolved.refs[node as usize] {
            return Some(field);
        }
        let NodeKind::Typed(inner, _) = graph.nodes[node as usize].kind else { return None };
        node = inner;
    }
}

/// Looks at the fields that a method reads.
pub(super) fn look(view: &View<'_>, unseen: &Unseen, id: MethodId, found: &mut Findings) {
    let resolved = &view.link().resolved[id as usize];
    let mut seen: FxHashSet<FieldId> = FxHashSet::default();
    for (node, reference) in (0..).zip(&resolved.refs) {
        if let Ref::Field(field) = *reference
            && seen.insert(field)
            && let Some(verdict) = ruled::field(view, field)
            && let Some(reason) = verdict.ruled_out
        {
            let place = view.place(id, view.facts(id).graph.nodes[node as usize].at);
            if reason != Reason::Constant {
                found.fields.push(ReadField { name: view.field_name(field), reason, place });
            }
            found.candidates.extend(of_field(view, unseen, id, (node, field), &verdict, reason));
        }
    }
    found.fields.sort_by_key(|it| it.place);
}

fn of_field(view: &View<'_>, unseen: &Unseen, id: MethodId, (node, field): (NodeId, FieldId), verdict: &FieldVerdict, reason: Reason) -> Vec<Candidate> {
    let symbols = view.symbols();
    let (key, category) = (SourceKey::Field(node, field), Category::WhiteList);
    let present = view.context().is_present(view.taint(), key, category);
    let source = Source { key, category, bit: BIT, deep: true, content: false, present, needs_no_flow: false };
    let ends = view.context().ends(view.taint(), id, Entry::Source(source));
    let Some(way) = way(view, &ends) else { return Vec::new() };
    let method = view.method_name(id);
    let place = view.place(id, view.facts(id).graph.nodes[node as usize].at);
    let new = |kind: RowKind, ty: &str, member: &str, reason: String| Candidate {
        kind,
        ty: ty.to_owned(),
        member: member.to_owned(),
        reason,
        rank: Rank::Field,
        place,
    };
    let name = view.field_name(field);
    let of_field = |why: String| new(RowKind::Source, &verdict.class, &verdict.name, format!("{why}, and what it holds {way} {method}"));
    if reason == Reason::ModifierNeverCalled {
        let of_modifier = |modifier: &crate::verdict::Modifier| {
            let (class, member) = modifier.method.rsplit_once('.')?;
            Some(new(RowKind::EntryPoint, class, member, format!("changes {name}, which {way} {method}; nothing in the sources calls it")))
        };
        return verdict.modifiers.iter().filter(|it| !it.called).filter_map(of_modifier).collect();
    }
    if let Some((_, writer)) = unseen.assigned.get(&symbols.fields[field as usize].name)
        && reason != Reason::Constant
    {
        return vec![of_field(format!("{} assigns a field of this name of something unknown", view.method_name(*writer)))];
    }
    if let Some((_, what)) = unseen.handed.get(&field)
        && can_change(view, field)
    {
        return vec![of_field(format!("it is handed to {what}, which may change it"))];
    }
    Vec::new()
}

/// Whether what a field holds can change behind it: it is neither a value nor an object whose own fields are judged.
fn can_change(view: &View<'_>, field: FieldId) -> bool {
    let symbols = view.symbols();
    let ty = own_type(symbols, field);
    let data = symbols.fields[field as usize].ty.data();
    if data.dims > 0 {
        return true;
    }
    let is_primitive = matches!(data.name.as_str(), "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short");
    let known = catalogue();
    let is_value = symbols.lib(ty).is_some_and(|it| known.rules.is_value(known.library.ancestors(it), &known.library));
    !is_primitive && !is_value && !is_constant(symbols, field) && !symbols.is_own(ty)
}

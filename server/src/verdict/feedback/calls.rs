//! Calls that no row speaks of: what a method asks of code that nobody has read.

use super::{Candidate, Findings, Rank, RowKind, Unknown};
use crate::catalogue::catalogue;
use crate::catalogue::rules::DEFAULT_RULE;
use crate::facts::graph::{Graph, NONE, NodeId, NodeKind};
use crate::java::ops::CallForm;
use crate::link::eval::FIRST_SOURCE;
use crate::link::resolve::{Listing, Ref, Resolved, Site, Target};
use crate::link::symbols::{MethodId, TypeId, UNKNOWN};
use crate::link::taint::{Ends, Entry, Source, SourceKey};
use crate::terms::Category;
use crate::verdict::view::View;

/// The bit of the one source that is asked about.
pub(super) const BIT: u64 = 1 << FIRST_SOURCE;

/// Looks at the calls of a method. `entered` is what it had called when the replay failed, if that is other code.
pub(super) fn look(view: &View<'_>, id: MethodId, entered: Option<&str>) -> Findings {
    let resolved = &view.link().resolved[id as usize];
    let graph = &view.facts(id).graph;
    let mut found = Findings::default();
    let mut describer = None;
    for (index, site) in resolved.calls.iter().enumerate() {
        let call = &graph.calls[index];
        let place = view.place(id, call.at);
        match site.target {
            // What the JDK lends every class, and what is marked as without effect, is nothing to ask about.
            Target::Unresolved if call.form == CallForm::On && !site.benign => found.unknown.push(Unknown { name: call.name.as_str().to_owned(), place }),
            Target::Library => {
                let receiver = describer.get_or_insert_with(|| view.describer(id, false)).receiver_type(index as u32);
                let Some(ty) = unread(view, receiver) else { continue };
                if !is_spoken_of(view, ty, site, graph.calls[index].name) {
                    let is_inside = entered.is_some_and(|it| it == call.name.as_str());
                    found.candidates.extend(candidate(view, id, index as u32, ty, is_inside));
                }
            }
            _ => {}
        }
    }
    found
}

/// The type outside the workspace and the JDK that a call is made on.
pub(super) fn unread(view: &View<'_>, receiver: TypeId) -> Option<TypeId> {
    let symbols = view.symbols();
    let is_outside = |id: &TypeId| *id != UNKNOWN && !symbols.is_own(*id) && symbols.lib(*id).is_none_or(|it| !catalogue().library.is_jdk(it));
    symbols.ancestors(receiver).into_iter().find(is_outside)
}

/// Whether a row of the catalogue or of the project says what the call does, or that it is harmless.
pub(super) fn is_spoken_of(view: &View<'_>, ty: TypeId, site: &Site, member: crate::intern::Sym) -> bool {
    let known = catalogue();
    let ancestors = view.symbols().lib_ancestors(ty);
    let has_rule = site.rule != DEFAULT_RULE && !site.guessed;
    site.source != NONE
        || site.external != NONE
        || site.benign
        || site.listing != Listing::None
        || has_rule
        || known.externals.knows(ancestors, member)
        || view.symbols().lib(ty).is_some() && known.rules.is_value(ancestors, &known.library)
}

fn candidate(view: &View<'_>, id: MethodId, index: u32, ty: TypeId, is_inside: bool) -> Option<Candidate> {
    let graph = &view.facts(id).graph;
    let resolved = &view.link().resolved[id as usize];
    let call = &graph.calls[index as usize];
    let name = |kind: RowKind, rank: Rank, reason: String| Candidate {
        kind,
        ty: view.symbols().type_name(ty).to_owned(),
        member: call.name.as_str().to_owned(),
        reason,
        rank,
        place: view.place(id, call.at),
    };
    let method = view.method_name(id);
    if is_inside {
        return Some(name(RowKind::MockingPoint, Rank::Inside, format!("a replay failed in it, called by {method}")));
    }
    let asked = asked_of(graph, resolved, call.recv, call.form);
    // What is made here, or was got from another call, holds what came with it.
    if asked == Asked::Passing || call.form == CallForm::New {
        return None;
    }
    let source =
        Source { key: SourceKey::Call(index), category: Category::WhiteList, bit: BIT, deep: false, content: false, present: false, needs_no_flow: false };
    let ends = view.context().ends(view.taint(), id, Entry::Source(source));
    let Some(way) = way(view, &ends) else {
        return Some(name(RowKind::MockingPoint, Rank::Unlikely, format!("{method} calls it, and no row says what it does; its result decides nothing there")));
    };
    let lasts = asked == Asked::Lasting || (asked == Asked::Nothing && call.args.len == 0);
    let rank = if lasts { Rank::Decides } else { Rank::Unlikely };
    Some(name(RowKind::Source, rank, format!("no row says what it does, and its result {way} {method}")))
}

/// How a value ends that matters, as a clause that the method's name follows.
pub(super) fn way(view: &View<'_>, ends: &Ends) -> Option<String> {
    if ends.reached.is_some() {
        return Some("decides or leaves".to_owned());
    }
    if let Some(&(field, _)) = ends.fields.first() {
        return Some(format!("is written to {} by", view.field_name(field)));
    }
    (!ends.lifts.is_empty()).then(|| "reaches the callers of".to_owned())
}

/// What a call is made on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// A class, or the object itself.
    Nothing,
    /// What a field holds: it was there before the call.
    Lasting,
    /// A parameter.
    Given,
    /// What was made in the method, or what another call gave.
    Passing,
}

fn asked_of(graph: &Graph, resolved: &Resolved, recv: NodeId, form: CallForm) -> Asked {
    if recv == NONE || !matches!(form, CallForm::On | CallForm::Reference) {
        return Asked::Nothing;
    }
    let mut open = vec![recv];
    let mut seen: Vec<NodeId> = Vec::new();
    let mut found = Asked::Passing;
    while let Some(node) = open.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        match graph.nodes[node as usize].kind {
            NodeKind::Name(_) | NodeKind::Select(..) => match resolved.refs[node as usize] {
                Ref::NoValue => return Asked::Nothing,
                _ => return Asked::Lasting,
            },
            NodeKind::This | NodeKind::OuterThis(_) => return Asked::Nothing,
            NodeKind::Param(_) | NodeKind::LambdaParam(..) => found = Asked::Given,
            NodeKind::Element(inner) => open.push(inner),
            NodeKind::Phi(list) => open.extend(graph.list(list)),
            NodeKind::Typed(..) | NodeKind::After(..) | NodeKind::Gained(..) => open.extend(graph.same_object(node)),
            NodeKind::Call(index) => {
                let (call, site) = (&graph.calls[index as usize], &resolved.calls[index as usize]);
                match site.target {
                    // A method of the workspace that gives what it has: `client().rate()`.
                    Target::Method(..) | Target::Many(..) | Target::Among(..) if call.form != CallForm::New => found = Asked::Lasting,
                    // What a known container holds: `clients.get(name).rate()`.
                    Target::Library if site.rule != DEFAULT_RULE && !site.guessed && call.recv != NONE => open.push(call.recv),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

//! Where a value came from: the chain of source, carriers and sinks that every verdict can show.

use super::points::place_of;
use super::view::View;
use super::{Category, Place, Step};
use crate::facts::graph::{At, NONE, NodeId, NodeKind, STORED, SinkKind};
use crate::link::changes::By;
use crate::link::eval::Eval;
use crate::link::listed::MARKED;
use crate::link::resolve::{Listing, Ref};
use crate::link::symbols::{FieldId, MethodId};
use crate::link::taint::{Carry, Evaluated, Origin, Reached, Source, SourceKey};
use std::collections::VecDeque;

/// Of longer chains the middle is left out: nobody reads them, but everybody wants to know where they begin.
const MAX_CHAIN: usize = 12;

/// No chain is as long as this: each link was recorded before the one that follows from it.
const ENDLESS: usize = 10_000;

/// What a source reads in the end, and the carrier that brought it last.
pub fn origin_of(view: &View<'_>, id: MethodId, source: &Source) -> (String, Option<String>) {
    if let SourceKey::Call(call) = source.key {
        return (view.described(id, call, false).what.clone(), None);
    }
    let via = match source.key {
        SourceKey::Lifted(..) => lifted_via(view, source.key),
        key => carrier(view, key, source.category).map(|it| view.field_name(it.0)),
    };
    (ultimate(view, Origin { method: id, key: source.key }, source.category, false), via)
}

/// How a field came to carry a category, itself or inside what it holds.
pub fn carry_of(view: &View<'_>, field: FieldId, category: Category) -> Option<Carry> {
    let taint = view.taint();
    taint.carriers.get(&(field, category)).or_else(|| taint.inside.get(&(field, category))).copied()
}

/// What a carrier brings, as text, and the way from there to the field.
pub fn brought(view: &View<'_>, field: FieldId, carry: Carry, category: Category) -> (String, Vec<Step>) {
    let mut steps = chain(view, carry.origin, category, true);
    steps.push(arrival(view, field, carry));
    (ultimate(view, carry.origin, category, true), dedup(steps))
}

/// The step that takes state to a field.
fn arrival(view: &View<'_>, field: FieldId, carry: Carry) -> Step {
    let name = view.field_name(field);
    let note = match carry.by {
        By::Write(_) => format!("is written to field {name}"),
        By::Call(_) => format!("goes into field {name}"),
        By::Return(_) => format!("is the bean in field {name}"),
    };
    Step { place: view.by_place(carry.origin.method, carry.by), note }
}

/// The field that a key reads, and how it came to carry a category; `None` if it is a source itself.
fn carrier(view: &View<'_>, key: SourceKey, category: Category) -> Option<(FieldId, Carry)> {
    let taint = view.taint();
    let (field, carriers) = match key {
        SourceKey::Field(_, field) => (field, &taint.carriers),
        SourceKey::Inside(_, field) => (field, &taint.inside),
        _ => return None,
    };
    if category == Category::Internal && taint.internal.contains(&field) {
        return None;
    }
    carriers.get(&(field, category)).map(|&it| (field, it))
}

/// Whether a method reads the source itself, and not what another one read before.
pub fn is_own_read(view: &View<'_>, key: SourceKey, category: Category) -> bool {
    match key {
        SourceKey::Call(_) | SourceKey::LibField(_) => true,
        SourceKey::Field(..) => carrier(view, key, category).is_none(),
        SourceKey::Inside(..) | SourceKey::Lifted(..) | SourceKey::Itself | SourceKey::Passed(_) => false,
    }
}

/// Who passes a category to a port of a method.
fn passed(view: &View<'_>, method: MethodId, port: u8, category: Category) -> Option<Carry> {
    view.taint().passed.get(&(method, category))?.iter().find(|it| it.0 == port).map(|it| it.1)
}

fn lifted_via(view: &View<'_>, key: SourceKey) -> Option<String> {
    let SourceKey::Lifted(_, _, lift) = key else { return None };
    let lift = view.taint().lifts[lift as usize];
    let key = lift.origin.key;
    carrier(view, key, lift.category).map_or_else(|| lifted_via(view, key), |it| Some(view.field_name(it.0)))
}

/// The first source of a chain, as text. `recorded` as for [`chain`].
fn ultimate(view: &View<'_>, origin: Origin, category: Category, recorded: bool) -> String {
    let (mut origin, mut category) = (origin, category);
    for step in 0..ENDLESS {
        // The first one is of the method as it is; the link recorded the others.
        let as_linked = recorded || step > 0;
        match origin.key {
            SourceKey::Call(call) => return view.described(origin.method, call, as_linked).what.clone(),
            SourceKey::LibField(node) => return lib_field(view, origin.method, node, as_linked),
            SourceKey::Itself => return view.method_name(origin.method),
            SourceKey::Field(_, field) | SourceKey::Inside(_, field) => match carrier(view, origin.key, category) {
                Some((_, carry)) => origin = carry.origin,
                None => return view.field_name(field),
            },
            SourceKey::Lifted(_, _, lift) => {
                let lift = view.taint().lifts[lift as usize];
                (origin, category) = (lift.origin, lift.category);
            }
            SourceKey::Passed(port) => match passed(view, origin.method, port, category) {
                Some(carry) => origin = carry.origin,
                None => break,
            },
        }
    }
    String::new()
}

/// What the project says of a call.
fn listing_of(view: &View<'_>, id: MethodId, call: u32, as_linked: bool) -> Listing {
    view.resolved(id, as_linked).calls.get(call as usize).map(|it| it.listing).unwrap_or_default()
}

fn lib_field(view: &View<'_>, id: MethodId, node: NodeId, as_linked: bool) -> String {
    let graph = if as_linked { &view.linked_facts(id).graph } else { &view.facts(id).graph };
    let known = crate::catalogue::catalogue();
    let owner = match view.resolved(id, as_linked).refs[node as usize] {
        Ref::Source(row) => known.library.types[known.rules.source(row).owner as usize].name,
        Ref::Listed(row) => view.link().listed.row(row).ty,
        _ => return String::new(),
    };
    match graph.nodes[node as usize].kind {
        NodeKind::Name(name) | NodeKind::Select(_, name) => format!("{owner}.{name}"),
        _ => owner.as_str().to_owned(),
    }
}

/// The path of the source at `first`, from where it is read to the sink it reaches.
pub fn path_of(view: &View<'_>, id: MethodId, evaluated: &Evaluated<'_>, reached: &[(Reached, u64, u64)], first: Place) -> Vec<Step> {
    let place = |it: &Source| if it.key == SourceKey::Itself { view.name_place(id) } else { view.place(id, place_of(evaluated, it.key)) };
    let counts = |it: &Source| it.needs_no_flow || reached.iter().any(|r| r.1 & it.bit != 0);
    let Some(source) = evaluated.sources.iter().find(|it| place(it) == first && counts(it)) else {
        return Vec::new();
    };
    let mut steps = chain(view, Origin { method: id, key: source.key }, source.category, false);
    if source.needs_no_flow {
        return dedup(steps);
    }
    let Some(&(sink, ..)) = reached.iter().find(|it| it.1 & source.bit != 0) else { return steps };
    let eval = &evaluated.eval;
    let (target, last) = match sink {
        Reached::Sink(index) => {
            let sink = &eval.graph.sinks[index as usize];
            let note = match sink.kind {
                SinkKind::Return => "is returned",
                SinkKind::Branch(_) => "decides a branch",
                SinkKind::Throw => "is thrown",
            };
            (vec![sink.value], Step { place: view.place(id, sink.at), note: note.to_owned() })
        }
        Reached::Callee(call) | Reached::Thrown(call) => {
            let does = if matches!(sink, Reached::Thrown(_)) { "is thrown by" } else { "decides a branch inside" };
            let site = &eval.graph.calls[call as usize];
            let mut nodes = eval.graph.list(site.args).to_vec();
            nodes.extend((site.recv != NONE).then_some(site.recv));
            (nodes, Step { place: view.place(id, site.at), note: format!("{does} `{}`", site.name) })
        }
    };
    steps.extend(inside(view, id, eval, source, &target));
    steps.push(last);
    dedup(steps)
}

/// The steps that bring a source to its method: where it is read first, and what carries it. `recorded`: the link recorded the origin itself too,
/// so that it speaks of the method as it was then.
fn chain(view: &View<'_>, origin: Origin, category: Category, recorded: bool) -> Vec<Step> {
    let mut links: Vec<(Origin, Category)> = Vec::new();
    let mut next = Some((origin, category));
    while let Some((origin, category)) = next {
        if links.len() >= ENDLESS {
            break;
        }
        links.push((origin, category));
        next = match origin.key {
            SourceKey::Field(..) | SourceKey::Inside(..) => carrier(view, origin.key, category).map(|it| (it.1.origin, category)),
            SourceKey::Lifted(_, _, lift) => {
                let lift = view.taint().lifts[lift as usize];
                Some((lift.origin, lift.category))
            }
            SourceKey::Passed(port) => passed(view, origin.method, port, category).map(|it| (it.origin, category)),
            _ => None,
        };
    }
    let mut steps: Vec<Step> = Vec::new();
    let n_left_out = links.len().saturating_sub(MAX_CHAIN);
    let left_out = links.len() - 1 - n_left_out..links.len() - 1;
    for (number, (origin, category)) in links.into_iter().enumerate().rev() {
        if left_out.contains(&number) {
            continue;
        }
        let first_new = steps.len();
        let as_linked = recorded || number > 0;
        let graph = if as_linked { &view.linked_facts(origin.method).graph } else { &view.facts(origin.method).graph };
        let at = |at: At| view.place(origin.method, at);
        match origin.key {
            SourceKey::Call(call) => {
                let what = &view.described(origin.method, call, as_linked).what;
                let listing =
                    Some(listing_of(view, origin.method, call, as_linked)).filter(|it| category == Category::WhiteList || *it == Listing::Marked(category));
                let listing = listing.unwrap_or_default();
                let does = if category == Category::External || matches!(listing, Listing::Point(_)) { "calls" } else { "reads" };
                let why = match listing {
                    Listing::Source(row) | Listing::Point(row) => format!("; {}", view.link().listed.note(row)),
                    Listing::Marked(_) => format!("; {}", view.link().listed.note(MARKED)),
                    _ => String::new(),
                };
                steps.extend(graph.calls.get(call as usize).map(|it| Step { place: at(it.at), note: format!("{does} {what}{why}") }));
            }
            SourceKey::Itself => {
                let listed = view.link().listed.point(origin.method).filter(|_| category == Category::WhiteList);
                let note = listed.map_or_else(|| "stands for something outside the process as a whole".to_owned(), |it| view.link().listed.note(it));
                steps.push(Step { place: view.name_place(origin.method), note });
            }
            SourceKey::LibField(node) => {
                let what = lib_field(view, origin.method, node, as_linked);
                steps.extend(graph.nodes.get(node as usize).map(|it| Step { place: at(it.at), note: format!("reads {what}") }));
            }
            SourceKey::Field(node, field) | SourceKey::Inside(node, field) => {
                let name = view.field_name(field);
                match carrier(view, origin.key, category) {
                    Some((_, carry)) => {
                        steps.push(arrival(view, field, carry));
                        steps.extend(graph.nodes.get(node as usize).map(|it| Step { place: at(it.at), note: format!("field {name} is read") }));
                    }
                    None => {
                        let (symbols, world) = (view.symbols(), view.link().settings.world);
                        if let Some(modification) = view.link().states.telling(symbols, field, world, &|it| view.facts(it)) {
                            let who = view.method_name(modification.method);
                            steps.push(Step { place: view.by_place(modification.method, modification.by), note: format!("{who} modifies field {name}") });
                        }
                        steps.extend(graph.nodes.get(node as usize).map(|it| Step { place: at(it.at), note: format!("field {name} is read") }));
                    }
                }
            }
            SourceKey::Passed(port) => {
                if let Some(carry) = passed(view, origin.method, port, category) {
                    let note = format!("is passed to {}", view.method_name(origin.method));
                    steps.push(Step { place: view.by_place(carry.origin.method, carry.by), note });
                }
            }
            SourceKey::Lifted(call, ..) => {
                let name = graph.calls.get(call as usize).map_or("", |it| it.name.as_str());
                let what = if name == "<init>" { "a constructor brings it here".to_owned() } else { format!("`{name}` brings it here") };
                steps.extend(graph.calls.get(call as usize).map(|it| Step { place: at(it.at), note: what }));
            }
        }
        if n_left_out > 0
            && number + 1 == left_out.start
            && let Some(it) = steps.get_mut(first_new)
        {
            it.note = format!("{} ({n_left_out} steps before it are left out)", it.note);
        }
    }
    steps
}

/// The steps inside the method, from the source to one of `targets`: a shortest way through the graph.
fn inside(view: &View<'_>, id: MethodId, eval: &Eval<'_>, source: &Source, targets: &[NodeId]) -> Vec<Step> {
    let has = |node: NodeId| {
        let mask = eval.mask(node);
        (mask.whole() | if source.deep { mask.deep } else { 0 }) & source.bit != 0
    };
    let is_start = |node: NodeId| match (source.key, eval.graph.nodes[node as usize].kind) {
        (SourceKey::Field(at, _) | SourceKey::Inside(at, _) | SourceKey::LibField(at), _) => at == node,
        (SourceKey::Call(call) | SourceKey::Lifted(call, None, _), NodeKind::Call(it)) => call == it,
        (SourceKey::Call(call), NodeKind::After(it, _)) => call == it,
        (SourceKey::Call(call), NodeKind::Gained(it, port, _)) => call == it && port != STORED,
        (SourceKey::Lifted(call, Some(port), _), NodeKind::After(it, at)) => call == it && u32::from(port) == at,
        (SourceKey::Lifted(call, Some(port), _), NodeKind::Gained(it, at, _)) => call == it && u16::from(port) == at,
        _ => false,
    };
    let mut came_from: rustc_hash::FxHashMap<NodeId, NodeId> = rustc_hash::FxHashMap::default();
    let mut queue: VecDeque<NodeId> = VecDeque::new();
    for &target in targets.iter().filter(|it| has(**it)) {
        came_from.insert(target, NONE);
        queue.push_back(target);
    }
    let mut start = None;
    while let Some(node) = queue.pop_front() {
        if is_start(node) {
            start = Some(node);
            break;
        }
        eval.graph.operands(&eval.graph.nodes[node as usize], |operand| {
            if has(operand) && !came_from.contains_key(&operand) {
                came_from.insert(operand, node);
                queue.push_back(operand);
            }
        });
    }
    let mut steps = Vec::new();
    let mut before = start;
    let mut at = start.and_then(|it| came_from.get(&it).copied()).filter(|it| *it != NONE);
    while let Some(node) = at {
        let it = &eval.graph.nodes[node as usize];
        let note = match it.kind {
            NodeKind::Typed(..) => Some("is held here".to_owned()),
            NodeKind::Call(call) => Some(format!("goes through `{}`", eval.graph.calls[call as usize].name)),
            // What the object had before is neither stored nor left in it here.
            _ if eval.graph.same_object(node) == before => None,
            NodeKind::Stored(..) | NodeKind::Gained(_, STORED, _) => Some("is stored here".to_owned()),
            NodeKind::After(call, _) | NodeKind::Gained(call, ..) => Some(format!("is left behind by `{}`", eval.graph.calls[call as usize].name)),
            _ => None,
        };
        steps.extend(note.map(|note| Step { place: view.place(id, it.at), note }));
        before = at;
        at = came_from.get(&node).copied().filter(|it| *it != NONE);
    }
    steps
}

/// Neighbouring steps at one place say the same thing twice.
fn dedup(steps: Vec<Step>) -> Vec<Step> {
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        if kept.last().is_none_or(|last| last.place != step.place) {
            kept.push(step);
        }
    }
    kept
}

//! Mocking points (paper §3.1.3, `semantics.md` §6): a method that reads a source which reaches a branch or return.

use super::effects;
use super::path::{origin_of, path_of};
use super::view::View;
use super::{Category, Dependency, Flow, MethodName, MockingPoint, SinkKind, SinkUse, SourceUse};
use crate::catalogue::catalogue;
use crate::codes;
use crate::config::QUERY_FOLDER;
use crate::facts::graph;
use crate::intern::Sym;
use crate::link::resolve::Listing;
use crate::link::state;
use crate::link::symbols::MethodId;
use crate::link::taint::{Evaluated, Reached, SourceKey};
use crate::link::types::type_text;

/// The verdict on one method, if it is a mocking point.
pub fn point(view: &View<'_>, id: MethodId) -> Option<MockingPoint> {
    let method = view.facts(id);
    if !may_be_point(view, id) {
        return None;
    }
    let mut sources: Vec<SourceUse> = Vec::new();
    let mut sinks: Vec<SinkUse> = Vec::new();
    let (mut flows, mut intra) = (false, false);
    let batches = view.context().evaluate(view.taint(), id);
    for evaluated in &batches {
        let reached = evaluated.reached();
        let bits = reached.iter().fold(0, |bits, it| bits | it.1);
        for source in evaluated.sources.iter().filter(|it| it.bit & bits != 0 || it.needs_no_flow) {
            // A callee that answers from the record hands nothing on.
            if let SourceKey::Lifted(_, _, lift) = source.key
                && view.is_point_in_itself(view.taint().lifts[lift as usize].origin.method)
            {
                continue;
            }
            let (what, via) = origin_of(view, id, source);
            let place = if source.key == SourceKey::Itself { view.name_place(id) } else { view.place(id, place_of(evaluated, source.key)) };
            sources.push(SourceUse { category: source.category, what, place, via, dependency: dependency(view, id, source.key, source.category) });
            if source.needs_no_flow {
                continue;
            }
            flows = true;
            intra |= reached.iter().any(|it| it.2 & source.bit != 0);
            sinks.extend(reached.iter().filter(|it| it.1 & source.bit != 0).map(|it| sink_use(view, id, evaluated, it.0)));
        }
    }
    sources.sort_by(|a, b| (a.place, a.category, &a.what, &a.via).cmp(&(b.place, b.category, &b.what, &b.via)));
    sources.dedup();
    let first = sources.first()?;
    let mut categories: Vec<Category> = sources.iter().map(|it| it.category).collect();
    categories.sort_unstable();
    categories.dedup();
    sinks.sort_by_key(|it| (it.place, it.kind));
    sinks.dedup();
    let path = batches.iter().map(|it| path_of(view, id, it, it.reached(), first.place)).find(|it| !it.is_empty()).unwrap_or_default();
    // An object that only notes what follows from itself loses nothing: to tell, what comes in has to be followed too.
    let whole = |it: &Evaluated<'_>| view.context().evaluate_whole(view.taint(), id, &it.sources);
    let lost = batches.first().map(|it| effects::lost_writes(view, id, &whole(it).eval)).unwrap_or_default();
    Some(MockingPoint {
        method: method_name(view, id),
        place: view.name_place(id),
        declaration: view.place(id, graph::At { start: 0, len: method.len }),
        categories,
        flow: if !flows {
            Flow::None
        } else if intra {
            Flow::Intra
        } else {
            Flow::Inter
        },
        sources,
        sinks,
        path,
        lost,
    })
}

/// What is outside, and what a unit test would mock to be without it.
pub fn dependency(view: &View<'_>, id: MethodId, key: SourceKey, category: Category) -> Option<Dependency> {
    if category == Category::WhiteList {
        return listed_dependency(view, id, key);
    }
    let row = match key {
        SourceKey::Call(call) => {
            let site = view.context().resolved.get(id).calls[call as usize];
            if category == Category::External && site.listing == Listing::Marked(category) {
                return Some(Dependency { kind: codes::category(category), component: QUERY_FOLDER, mock: mocked(view, id, key) });
            }
            site.external
        }
        SourceKey::Itself => view.link().states.beans.outside.point(id)?,
        SourceKey::Lifted(_, _, lift) => {
            let origin = view.taint().lifts[lift as usize].origin;
            return if category == Category::External { dependency(view, origin.method, origin.key, category) } else { None };
        }
        _ => return None,
    };
    if row == graph::NONE {
        return None;
    }
    let known = &catalogue().externals;
    let row = known.row(row);
    Some(Dependency { kind: row.kind.as_str(), component: row.component, mock: mocked(view, id, key) })
}

/// The same for what the project lists as a mocking point.
fn listed_dependency(view: &View<'_>, id: MethodId, key: SourceKey) -> Option<Dependency> {
    let listed = &view.link().listed;
    let row = match key {
        SourceKey::Call(call) => match view.context().resolved.get(id).calls[call as usize].listing {
            Listing::Point(row) => row,
            _ => return None,
        },
        SourceKey::Itself => listed.point(id)?,
        SourceKey::Lifted(_, _, lift) => {
            let origin = view.taint().lifts[lift as usize].origin;
            return listed_dependency(view, origin.method, origin.key);
        }
        _ => return None,
    };
    let kind = listed.kind(row).map_or(codes::category(Category::WhiteList), Sym::as_str);
    Some(Dependency { kind, component: listed.component(row), mock: mocked(view, id, key) })
}

/// What a unit test would mock.
fn mocked(view: &View<'_>, id: MethodId, key: SourceKey) -> String {
    match key {
        SourceKey::Call(call) => view.described(id, call, false).receiver.clone(),
        _ => view.symbols().type_name(view.symbols().methods[id as usize].owner).to_owned(),
    }
}

/// Whether a method can be a mocking point; nothing in test sources is one.
pub fn may_be_point(view: &View<'_>, id: MethodId) -> bool {
    !view.is_test(id) && state::may_be_point(view.symbols(), id, view.facts(id))
}

/// Where a source is read.
pub fn place_of(evaluated: &Evaluated<'_>, key: SourceKey) -> graph::At {
    match key {
        SourceKey::Call(call) | SourceKey::Lifted(call, ..) => evaluated.eval.graph.calls[call as usize].at,
        SourceKey::LibField(node) | SourceKey::Field(node, _) | SourceKey::Inside(node, _) => evaluated.eval.graph.nodes[node as usize].at,
        SourceKey::Passed(_) | SourceKey::Itself => graph::At::default(),
    }
}

fn sink_use(view: &View<'_>, id: MethodId, evaluated: &Evaluated<'_>, reached: Reached) -> SinkUse {
    match reached {
        Reached::Sink(index) => {
            let sink = &evaluated.eval.graph.sinks[index as usize];
            let kind = match sink.kind {
                graph::SinkKind::Return => SinkKind::Return,
                graph::SinkKind::Branch(_) => SinkKind::Branch,
                graph::SinkKind::Throw => SinkKind::Throw,
            };
            SinkUse { kind, place: view.place(id, sink.at) }
        }
        // The branch is in the callee; what this method shows is the call.
        Reached::Callee(call) | Reached::Thrown(call) => {
            let kind = if matches!(reached, Reached::Thrown(_)) { SinkKind::Throw } else { SinkKind::Branch };
            SinkUse { kind, place: view.place(id, evaluated.eval.graph.calls[call as usize].at) }
        }
    }
}

/// A method's name as reports print it.
pub fn method_name(view: &View<'_>, id: MethodId) -> MethodName {
    let symbols = view.symbols();
    let info = &symbols.methods[id as usize];
    let head = &view.facts(id).head;
    let (class, binary_class) = symbols.own(info.owner).map_or_else(Default::default, |it| (it.name.clone(), it.binary.clone()));
    MethodName {
        class,
        binary_class,
        name: info.name.as_str().to_owned(),
        parameters: head.params.iter().map(|it| type_text(symbols, id, head, it.ty)).collect(),
        returns: head.returns.map_or_else(|| "void".to_owned(), |it| type_text(symbols, id, head, it)),
    }
}

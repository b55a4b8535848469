//! Calls that may be made after the request has been answered: by methods that run on a thread of their own, and in lambdas
//! given to an executor. Recorders that end with the request neither record nor answer them, so in replay they are made.

use super::entry::Entry;
use super::{Remark, Tool};
use crate::java::annotations;
use crate::link::later::Functions;
use crate::link::summary;
use crate::link::symbols::MethodId;
use crate::verdict::view::View;
use rustc_hash::FxHashMap;

/// Methods that lead to calls are not followed beyond this number.
const MAX_CALLERS: usize = 512;

/// Says so of entries that reach the outside. AREX follows threads and needs no such warning.
pub fn apply(view: &View<'_>, tool: Tool, entries: &[Entry<'_>], remarks: &mut Vec<Remark>) {
    if !matches!(tool, Tool::Repeater | Tool::Moonbox) {
        return;
    }
    let callers = summary::callers(view.symbols(), &view.link().resolved);
    let mut starts: FxHashMap<(MethodId, MethodId), bool> = FxHashMap::default();
    for entry in entries.iter().filter(|it| it.point.sources.iter().any(|it| it.dependency.is_some())) {
        let Some((by, how)) = entry.id.and_then(|id| starter(view, &callers, &mut starts, id)) else { continue };
        remarks.push(Remark {
            place: entry.place,
            method: entry.short.clone(),
            text: format!("{} {how}: what is called after the request has been answered is not recorded, and is done again in replay", view.method_name(by)),
            left_out: false,
        });
    }
}

/// The nearest method, upwards from one, that runs later or lets it run later, and how.
fn starter(view: &View<'_>, callers: &[Vec<MethodId>], starts: &mut FxHashMap<(MethodId, MethodId), bool>, id: MethodId) -> Option<(MethodId, &'static str)> {
    let symbols = view.symbols();
    let mut seen = vec![id];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        next += 1;
        if annotations::has(&view.facts(at).head.annotations, "Async") {
            return Some((at, "is @Async"));
        }
        let above = symbols.overridden.get(&at).into_iter().flatten().copied();
        for by in above.chain([at]).flat_map(|it| &callers[it as usize]).copied().filter(|&it| !view.is_test(it)) {
            if *starts.entry((by, at)).or_insert_with(|| lets_run(view, by, at)) {
                return Some((by, "gives it to another thread"));
            }
            if seen.len() < MAX_CALLERS && !seen.contains(&by) {
                seen.push(by);
            }
        }
    }
    None
}

/// Whether all calls of `callee` in a method are in lambdas, or are references, that are given to an executor.
fn lets_run(view: &View<'_>, by: MethodId, callee: MethodId) -> bool {
    let graph = &view.facts(by).graph;
    let resolved = view.context().resolved.get(by);
    let is_meant = |&it: &usize| resolved.targets(&resolved.calls[it].target).0.contains(&callee);
    let mut calls = (0..resolved.calls.len()).filter(is_meant).peekable();
    let functions = Functions::of(graph, |it| resolved.kept.binary_search(&it).is_ok());
    calls.peek().is_some() && calls.all(|it| functions.makes(it as u32))
}

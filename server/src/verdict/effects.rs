//! Side effects that are lost when a mocking point is answered from the record (paper §3.5, Figure 9).
//!
//! Whoever reads a static field or a field of a bean that is modified is a mocking point itself, and gets what was
//! recorded. So writes to those are not lost on anyone; writes to all other objects are.

use super::view::View;
use super::{LostWrite, Step};
use crate::facts::graph::{NONE, WriteKind};
use crate::java::decls::Flags;
use crate::link::eval::{Eval, Root};
use crate::link::resolve::Listing;
use crate::link::summary::{By, Change, changes};
use crate::link::symbols::MethodId;

/// Calls are followed this deep to the write itself.
const MAX_DEPTH: usize = 12;

/// The writes that are lost with a call of a method, each object once, in source order.
pub fn lost_writes(view: &View<'_>, id: MethodId, eval: &Eval<'_>) -> Vec<LostWrite> {
    let mut found: Vec<(Root, LostWrite)> = Vec::new();
    for change in changes(eval) {
        // What a call changes outside, and that a draw advances a generator, is what is recorded.
        let recorded = matches!(change.by, By::Call(call) if {
            let site = &eval.resolved.calls[call as usize];
            site.external != NONE || site.source != NONE || !matches!(site.listing, Listing::None | Listing::Sanitized)
        });
        if recorded {
            continue;
        }
        for &root in &change.roots {
            if !is_lost(view, id, root) || found.iter().any(|it| it.0 == root && same_field(eval, &it.1, &change)) {
                continue;
            }
            let mut path = Vec::new();
            let what = describe(view, id, eval, &change, root, &mut path);
            let Some(place) = path.first().map(|it: &Step| it.place) else { continue };
            if !found.iter().any(|it| it.1.what == what) {
                found.push((root, LostWrite { what, place, path }));
            }
        }
    }
    found.sort_by_key(|it| it.1.place);
    found.into_iter().map(|it| it.1).collect()
}

/// Only direct writes to different fields of one object are worth telling apart.
fn same_field(eval: &Eval<'_>, known: &LostWrite, change: &Change) -> bool {
    match change.by {
        By::Write(write) if eval.resolved.writes[write as usize] != NONE => known.what.contains(eval.graph.writes[write as usize].name.as_str()),
        _ => true,
    }
}

/// Whether what changes belongs to the caller, and no reader of it is a mocking point by that.
fn is_lost(view: &View<'_>, id: MethodId, root: Root) -> bool {
    let symbols = view.symbols();
    let beans = &view.link().states.beans;
    match root {
        Root::Port(0) | Root::PartOf(0) => {
            let info = &symbols.methods[id as usize];
            !info.flags.has(Flags::STATIC) && beans.shared(info.owner).is_none()
        }
        Root::Port(_) | Root::PartOf(_) => true,
        // The port that the object was reached from stands for it.
        Root::Field(_) => false,
    }
}

/// What is written; fills the path from the method to the write itself.
fn describe(view: &View<'_>, id: MethodId, eval: &Eval<'_>, change: &Change, root: Root, path: &mut Vec<Step>) -> String {
    let written = trace(view, id, eval, change, path, MAX_DEPTH);
    let port = match root {
        Root::Port(port) | Root::PartOf(port) => port as usize,
        Root::Field(_) => 0,
    };
    let of = match port.checked_sub(1).and_then(|it| view.facts(id).head.params.get(it)) {
        Some(param) => format!("parameter `{}`", param.name),
        None => "the object that it is called on".to_owned(),
    };
    match written {
        Some(field) => format!("field {field} of {of}"),
        None => of,
    }
}

/// Follows a change to the write that makes it; the field that is written, if it is one.
fn trace(view: &View<'_>, id: MethodId, eval: &Eval<'_>, change: &Change, path: &mut Vec<Step>, depth: usize) -> Option<String> {
    match change.by {
        By::Write(index) => {
            let write = &eval.graph.writes[index as usize];
            let field = eval.resolved.writes[index as usize];
            let name = (field != NONE).then(|| view.field_name(field));
            let note = match (&name, write.kind) {
                (_, WriteKind::Element) => "an element is stored".to_owned(),
                (Some(name), _) => format!("field {name} is written"),
                (None, _) => format!("field {} is written", write.name),
            };
            path.push(Step { place: view.place(id, write.at), note });
            name
        }
        By::Call(index) => {
            let call = &eval.graph.calls[index as usize];
            path.push(Step { place: view.place(id, call.at), note: format!("`{}` changes it", call.name) });
            if depth == 0 {
                return None;
            }
            // Which of its parameters the callee changes, and where.
            for (callee, summary) in eval.callees(index) {
                let n_args = call.args.len as usize;
                let ports = (0..=n_args).map(|it| if it == 0 { 0 } else { eval.port_of(callee, it - 1) });
                let changed = ports.filter(|&it| it < 31 && summary.mutated & (1 << it) != 0 && eval_port_is(eval, index, it, &change.roots, callee));
                for port in changed {
                    if let Some(found) = inside(view, callee, port as u8, path, depth - 1) {
                        return Some(found);
                    }
                }
            }
            None
        }
    }
}

/// Whether what a call passes at a callee's port is what changes.
fn eval_port_is(eval: &Eval<'_>, call: u32, port: usize, roots: &[Root], callee: MethodId) -> bool {
    let n_args = eval.graph.calls[call as usize].args.len as usize;
    (0..=n_args).any(|it| {
        let reached = if it == 0 { 0 } else { eval.port_of(callee, it - 1) };
        reached == port && eval.port_roots(call, it).iter().any(|it| roots.contains(it))
    })
}

/// The write within a callee.
fn inside(view: &View<'_>, callee: MethodId, port: u8, path: &mut Vec<Step>, depth: usize) -> Option<String> {
    let context = view.context();
    let mut eval = Eval {
        symbols: view.symbols(),
        graph: &view.facts(callee).graph,
        resolved: context.resolved.get(callee),
        globals: &view.link().globals,
        precision: view.link().settings.precision,
        node_seeds: Vec::new(),
        call_seeds: Vec::new(),
        lifted: 0,
        masks: Vec::new(),
        latest: Default::default(),
    };
    eval.run();
    let found = changes(&eval).into_iter().find(|it| it.roots.iter().any(|it| matches!(it, Root::Port(at) | Root::PartOf(at) if *at == port)))?;
    trace(view, callee, &eval, &found, path, depth)
}

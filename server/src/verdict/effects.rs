//! Side effects that are lost when a mocking point is answered from the record (paper §3.5, Figure 9).
//!
//! Whoever reads a static field or a field of a bean that is modified is a mocking point itself, and gets what was
//! recorded. So writes to those are not lost on anyone; writes to all other objects are.

mod ways;

pub use ways::Ways;

use super::view::View;
use super::{LostWrite, Step};
use crate::catalogue::{Feed, catalogue};
use crate::facts::graph::NONE;
use crate::java::decls::Flags;
use crate::link::changes::{By, Change, Feeds, changes};
use crate::link::eval::{Eval, Holder, Root};
use crate::link::resolve::{Listing, Site};
use crate::link::symbols::MethodId;
use ways::Way;

/// The writes that are lost with a call of a method, each object once, in source order.
pub fn lost_writes(view: &View<'_>, id: MethodId, eval: &Eval<'_>) -> Vec<LostWrite> {
    let mut found: Vec<(Root, LostWrite)> = Vec::new();
    for change in changes(eval) {
        // What a call changes outside, and that a draw advances a generator, is what is recorded. What it fills is not.
        let recorded = matches!(change.by, By::Call(call) if {
            let site = &eval.resolved.calls[call as usize];
            (site.external != NONE || site.source != NONE) && (change.port == 0 || is_drawn_from(site, &change)) || !matches!(site.listing, Listing::None | Listing::Sanitized)
        });
        if recorded {
            continue;
        }
        for &root in &change.roots {
            if !is_lost(view, id, root) || found.iter().any(|it| it.0 == root && same_field(eval, &it.1, &change)) {
                continue;
            }
            let (what, path) = describe(view, id, &change, root);
            let Some(place) = path.first().map(|it| it.place) else { continue };
            if !found.iter().any(|it| it.1.what == what) {
                found.push((root, LostWrite { what, place, path }));
            }
        }
    }
    found.sort_by_key(|it| it.1.place);
    found.into_iter().map(|it| it.1).collect()
}

/// Whether a source draws from the argument that changes, for the sake of another one.
fn is_drawn_from(site: &Site, change: &Change) -> bool {
    let effects = &catalogue().rules.rule(site.rule).effects;
    change.feeds == Feeds::Nothing && effects.iter().any(|it| matches!(it.from, Feed::Arg(from) if from as usize + 1 == change.port))
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
    match root.of {
        Holder::Port(0) => {
            let info = &symbols.methods[id as usize];
            !info.flags.has(Flags::STATIC) && beans.shared(info.owner).is_none()
        }
        Holder::Port(_) => true,
        // The port that the object was reached from stands for it.
        Holder::Field(_) => false,
    }
}

/// What is written, and the path from the method to the write itself.
fn describe(view: &View<'_>, id: MethodId, change: &Change, root: Root) -> (String, Vec<Step>) {
    let (path, written) = view.ways.follow(view, Way::of(id, change));
    let port = match root.of {
        Holder::Port(port) => port as usize,
        Holder::Field(_) => 0,
    };
    let of = match port.checked_sub(1).and_then(|it| view.facts(id).head.params.get(it)) {
        Some(param) => format!("parameter `{}`", param.name),
        None => "the object that it is called on".to_owned(),
    };
    let what = match written {
        Some(field) => format!("field {} of {of}", view.field_name(field)),
        None => of,
    };
    (what, path)
}

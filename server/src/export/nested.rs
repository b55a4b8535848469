//! Points that are reached through other points only. A recorder keeps the outermost call, so they would never be asked.

use super::entry::Entry;
use super::{Options, Remark};
use crate::link::summary;
use crate::link::symbols::MethodId;
use crate::verdict::view::View;
use rustc_hash::FxHashMap;

/// Takes those out of the list; with `all` they stay, and it is said.
pub fn apply(view: &View<'_>, options: &Options, entries: &mut Vec<Entry<'_>>, remarks: &mut Vec<Remark>) {
    // A method in which calls are replaced is run: what it calls is reached. So is one that the tool gives up.
    let is_recorded = |it: &&Entry<'_>| it.replaces.is_empty() && !it.is_doubtful;
    let listed: FxHashMap<MethodId, String> = entries.iter().filter(is_recorded).filter_map(|it| Some((it.id?, it.short.clone()))).collect();
    let inner = inner(view, &|id| listed.contains_key(&id));
    entries.retain(|it| {
        let Some(around) = it.id.and_then(|id| inner.get(&id)).and_then(|it| listed.get(it)) else { return true };
        remarks.push(Remark {
            place: it.place,
            method: it.short.clone(),
            text: format!("it is only called while {around} runs, and only the outermost call is recorded"),
            left_out: !options.all,
        });
        options.all
    });
}

/// Listed methods that are called while another listed one runs and not otherwise, each with one such.
fn inner(view: &View<'_>, is_listed: &impl Fn(MethodId) -> bool) -> FxHashMap<MethodId, MethodId> {
    let link = view.link();
    let symbols = view.symbols();
    let callers = summary::callers(symbols, &link.resolved);
    // A call of a method may run what overrides it.
    let callers_of = |id: MethodId| {
        let above = symbols.overridden.get(&id).into_iter().flatten().copied();
        above.chain([id]).flat_map(|it| &callers[it as usize]).copied().filter(move |&it| it != id && !view.is_test(it))
    };
    // Backwards from each listed method through those that are not listed: somewhere there must be an end.
    let mut found = FxHashMap::default();
    for id in (0..symbols.methods.len() as MethodId).filter(|&it| is_listed(it)) {
        let mut seen = vec![id];
        let mut next = 0;
        let mut around = None;
        let mut is_outermost = false;
        while let Some(&at) = seen.get(next) {
            next += 1;
            if at != id && is_listed(at) {
                around = around.or(Some(at));
                continue;
            }
            let before = seen.len();
            let mut n_callers = 0;
            for it in callers_of(at) {
                n_callers += 1;
                if !seen[..before].contains(&it) && !seen[before..].contains(&it) {
                    seen.push(it);
                }
            }
            let facts = view.facts(at);
            // Initialisers run when a class is loaded or an object made, which is no call that the table has.
            let starts = n_callers == 0 || facts.head.name.as_str().starts_with('<') || is_entry(view, at);
            if starts || seen.len() > MAX_CALLERS {
                is_outermost = true;
                break;
            }
        }
        if let Some(around) = around.filter(|_| !is_outermost) {
            found.insert(id, around);
        }
    }
    // Two that call each other and that nobody else calls are no reason to leave out both.
    let ends = |id: MethodId| {
        let mut at = id;
        for _ in 0..=found.len() {
            match found.get(&at) {
                Some(&around) => at = around,
                None => return true,
            }
        }
        false
    };
    let circles: Vec<MethodId> = found.keys().copied().filter(|&it| !ends(it)).collect();
    found.retain(|id, _| !circles.contains(id));
    found
}

/// Of methods with more callers than this it is assumed that some of them is reached from outside.
const MAX_CALLERS: usize = 512;

fn is_entry(view: &View<'_>, id: MethodId) -> bool {
    crate::link::state::is_entry(view.symbols(), &view.link().states.beans, id, view.facts(id))
}

//! How much a mocking point does besides reading state: what is answered from the record is not run.

use crate::facts::graph::NONE;
use crate::intern::Sym;
use crate::java::decls::Flags;
use crate::link::symbols::{MethodId, TypeId};
use crate::verdict::view::View;
use rustc_hash::FxHashSet;

/// A point that reaches as many different calls to the outside may be too much.
const MANY_CALLS_OUT: usize = 3;

/// And it is if it reaches as many other methods, or this share of its class.
const MANY_METHODS: usize = 5;
const LARGE_SHARE: (usize, usize) = (1, 3);

/// Methods that a point reaches are not followed beyond this number.
const MAX_REACHED: usize = 256;

/// Whether a method does nothing but read state: it writes nothing, and calls no other method of the workspace than what it
/// reads and accessors.
pub fn is_thin(view: &View<'_>, id: MethodId) -> bool {
    let graph = &view.facts(id).graph;
    let resolved = view.context().resolved.get(id);
    let mut n_out = 0;
    let mut works = !graph.writes.is_empty();
    for site in &resolved.calls {
        n_out += usize::from(site.external != NONE || site.source != NONE);
        works |= resolved.targets(&site.target).0.iter().any(|&it| has_work(view, it));
    }
    !works && n_out <= 1
}

/// Whether a method has a body that is more than a return.
fn has_work(view: &View<'_>, id: MethodId) -> bool {
    let facts = view.facts(id);
    let graph = &facts.graph;
    facts.head.has_body && (!graph.calls.is_empty() || graph.sinks.len() > 1)
}

/// Says so if a point that is answered takes much else with it.
pub fn swallowed(view: &View<'_>, id: MethodId) -> Option<String> {
    let symbols = view.symbols();
    let mut out: FxHashSet<(u32, Sym, u32)> = FxHashSet::default();
    let mut seen = vec![id];
    let mut known: FxHashSet<MethodId> = seen.iter().copied().collect();
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        next += 1;
        let graph = &view.facts(at).graph;
        let resolved = view.context().resolved.get(at);
        for (call, site) in graph.calls.iter().zip(&resolved.calls) {
            let targets = resolved.targets(&site.target).0;
            if site.external != NONE {
                // The same method is the same call, wherever it is.
                out.insert((site.external, call.name, targets.first().copied().unwrap_or(NONE)));
                continue;
            }
            for &it in targets {
                if seen.len() < MAX_REACHED && view.facts(it).head.has_body && known.insert(it) {
                    seen.push(it);
                }
            }
        }
    }
    if out.len() < MANY_CALLS_OUT {
        return None;
    }
    let others = seen.iter().skip(1).filter(|&&it| has_work(view, it)).count();
    let owner = symbols.methods[id as usize].owner;
    let size = |it: MethodId| view.facts(it).len as usize;
    let of_class: usize = methods_of(view, owner).map(size).sum();
    let own: usize = seen.iter().copied().filter(|&it| symbols.methods[it as usize].owner == owner).map(size).sum();
    let is_large = own * LARGE_SHARE.1 >= of_class * LARGE_SHARE.0;
    (others >= MANY_METHODS || is_large).then(|| {
        format!(
            "it takes much with it: {} calls to the outside, {others} other methods, {} % of its class; none of that is run in replay",
            out.len(),
            own * 100 / of_class.max(1),
        )
    })
}

/// The methods with a body that a class declares.
fn methods_of<'a>(view: &'a View<'_>, owner: TypeId) -> impl Iterator<Item = MethodId> + 'a {
    let symbols = view.symbols();
    let file = symbols.own(owner).map_or(0, |it| it.file);
    symbols.methods_of_file(file).filter(move |&it| {
        let info = &symbols.methods[it as usize];
        info.owner == owner && view.facts(it).head.has_body && !info.flags.has(Flags::ABSTRACT)
    })
}

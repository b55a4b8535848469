//! Different methods that are called: the column #C of Table 2, which leaves out those of `rt.jar`.
//!
//! A call counts as bytecode names it: by the type of its receiver, its name and, where nothing more is known, the number
//! of its arguments. Calls whose receiver has no known type are left out, since they may be the JDK's.

use crate::catalogue::catalogue;
use crate::intern::Sym;
use crate::link::resolve::Target;
use crate::link::symbols::{MethodId, TypeId, UNKNOWN};
use crate::verdict::view::View;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// A method that is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Invoked {
    /// One of the workspace.
    Own(MethodId),
    /// The constructor that nobody wrote.
    Default(TypeId),
    /// One of a library: type, name, number of arguments.
    Library(TypeId, Sym, u32),
}

/// How many of them production sources call, and how many each part does.
pub(super) fn count(view: &View<'_>, n_parts: usize, part: &(impl Fn(u32) -> usize + Sync)) -> (u64, Vec<u64>) {
    let methods = 0..view.symbols().methods.len() as MethodId;
    let found: Vec<(usize, Vec<Invoked>)> = methods
        .into_par_iter()
        .with_min_len(64)
        .filter(|&id| !view.is_test(id))
        .map(|id| (part(view.file_of(id)), of_method(view, id)))
        .filter(|it| !it.1.is_empty())
        .collect();
    let mut all: FxHashSet<Invoked> = FxHashSet::default();
    let mut parts: Vec<FxHashSet<Invoked>> = vec![FxHashSet::default(); n_parts];
    for (part, invoked) in found {
        all.extend(&invoked);
        if let Some(set) = parts.get_mut(part) {
            set.extend(invoked);
        }
    }
    (all.len() as u64, parts.into_iter().map(|it| it.len() as u64).collect())
}

fn of_method(view: &View<'_>, id: MethodId) -> Vec<Invoked> {
    let resolved = &view.link().resolved[id as usize];
    let graph = &view.facts(id).graph;
    let mut describer = None;
    let mut found = Vec::new();
    for (index, site) in resolved.calls.iter().enumerate() {
        found.extend(match site.target {
            Target::Method(method, _) => Some(Invoked::Own(method)),
            // One of several overloads, or what is declared.
            Target::Many(from, _) | Target::Among(from, _) => Some(Invoked::Own(resolved.many[from as usize])),
            Target::Default(class) => Some(Invoked::Default(class)),
            Target::Library => {
                let receiver = describer.get_or_insert_with(|| view.describer(id, false)).receiver_type(index as u32);
                let call = &graph.calls[index];
                library_type(view, receiver).map(|ty| Invoked::Library(ty, call.name, call.args.len))
            }
            Target::Unresolved => None,
        });
    }
    found
}

/// The type of a library that a call on a receiver is made on; nothing if that is the JDK's or not known.
fn library_type(view: &View<'_>, receiver: TypeId) -> Option<TypeId> {
    let symbols = view.symbols();
    let is_outside = |id: &TypeId| *id != UNKNOWN && !symbols.is_own(*id) && symbols.lib(*id).is_none_or(|it| !catalogue().library.is_jdk(it));
    // A class of the workspace that inherits the method.
    symbols.ancestors(receiver).into_iter().find(is_outside)
}

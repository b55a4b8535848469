//! What calls mean, for messages. Many findings speak of one call, and to tell what it means the types of its whole method
//! are needed: that is found once for all calls of a method that findings speak of.

use crate::facts::graph::NONE;
use crate::link::resolve::{Describer, Listing, Site};
use crate::link::symbols::MethodId;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A call of a method, as it is or as it was linked.
pub(super) type CallKey = (MethodId, bool, u32);

/// What a call means.
#[derive(Debug)]
pub(super) struct Described {
    /// What it calls: `java.time.LocalDate.now()`.
    pub(super) what: String,
    /// The name of the type that it is made on, as it is written if that is all that is known.
    pub(super) receiver: String,
}

/// See the module.
#[derive(Default)]
pub(super) struct Descriptions(RwLock<FxHashMap<CallKey, Arc<Described>>>);

impl Descriptions {
    /// What a call means; `describer` is of its method, and `sites` are that method's.
    pub(super) fn of<'a>(&self, key: CallKey, sites: &[Site], describer: impl FnOnce() -> Describer<'a>) -> Arc<Described> {
        if let Some(found) = self.0.read().get(&key) {
            return Arc::clone(found);
        }
        let (id, as_linked, call) = key;
        let describer = describer();
        let describe = |call: u32| Arc::new(Described { what: describer.describe(call), receiver: describer.receiver(call) });
        let asked = describe(call);
        let others = (0..).zip(sites).filter(|&(it, site)| it != call && is_told_of(site)).map(|(it, _)| it);
        let others: Vec<(CallKey, Arc<Described>)> = others.map(|it| ((id, as_linked, it), describe(it))).collect();
        let mut known = self.0.write();
        known.extend(others);
        known.insert(key, Arc::clone(&asked));
        asked
    }
}

/// Whether findings may speak of a call: it is a source, leaves the process, or the project says something of it.
fn is_told_of(site: &Site) -> bool {
    site.source != NONE || site.external != NONE || site.listing != Listing::None
}

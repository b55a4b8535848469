//! Methods that the next round of a fixed point evaluates.

use super::symbols::MethodId;

/// A set of methods. Each is in it once, however many reasons there are to evaluate it.
pub(super) struct Dirty {
    in_set: Vec<bool>,
    list: Vec<MethodId>,
}

impl Dirty {
    /// An empty set; what `never` says so of is never in it.
    pub fn new(n_methods: usize, never: impl Fn(MethodId) -> bool) -> Dirty {
        Dirty { in_set: (0..n_methods as MethodId).map(never).collect(), list: Vec::new() }
    }

    /// Adds a method.
    pub fn add(&mut self, id: MethodId) {
        if !std::mem::replace(&mut self.in_set[id as usize], true) {
            self.list.push(id);
        }
    }

    /// Adds methods.
    pub fn extend<'a>(&mut self, ids: impl IntoIterator<Item = &'a MethodId>) {
        ids.into_iter().for_each(|&it| self.add(it));
    }

    /// Empties the set; what was in it, sorted.
    pub fn take(&mut self) -> Vec<MethodId> {
        let mut list = std::mem::take(&mut self.list);
        list.iter().for_each(|&it| self.in_set[it as usize] = false);
        list.sort_unstable();
        list
    }
}

//! Methods that the next round of a fixed point evaluates.

use super::symbols::MethodId;

/// A set of methods. Each is in it once, however many reasons there are to evaluate it.
pub(super) struct Dirty {
    in_set: Vec<bool>,
    list: Vec<MethodId>,
}

/// Such a set of which the methods of the lowest level come first.
pub(super) struct Levelled {
    in_set: Vec<bool>,
    level: Vec<u32>,
    lists: Vec<Vec<MethodId>>,
    /// No lower level has a method.
    lowest: usize,
}

impl Levelled {
    /// A set with all methods; `level` says of each where it stands.
    pub fn all(level: Vec<u32>) -> Levelled {
        let highest = level.iter().copied().max().unwrap_or(0);
        let mut lists = vec![Vec::new(); highest as usize + 1];
        for (id, &level) in level.iter().enumerate() {
            lists[level as usize].push(id as MethodId);
        }
        Levelled { in_set: vec![true; level.len()], level, lists, lowest: 0 }
    }

    /// Adds methods.
    pub fn extend<'a>(&mut self, ids: impl IntoIterator<Item = &'a MethodId>) {
        for &id in ids {
            if !std::mem::replace(&mut self.in_set[id as usize], true) {
                let level = self.level[id as usize] as usize;
                self.lists[level].push(id);
                self.lowest = self.lowest.min(level);
            }
        }
    }

    /// Takes what is in the set of the lowest level, sorted; nothing if the set is empty.
    pub fn take(&mut self) -> Vec<MethodId> {
        while self.lists.get(self.lowest).is_some_and(Vec::is_empty) {
            self.lowest += 1;
        }
        let Some(list) = self.lists.get_mut(self.lowest) else { return Vec::new() };
        let mut list = std::mem::take(list);
        list.iter().for_each(|&it| self.in_set[it as usize] = false);
        list.sort_unstable();
        list
    }
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

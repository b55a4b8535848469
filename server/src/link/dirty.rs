//! Methods that the next round of a fixed point evaluates.

use super::symbols::MethodId;

/// A set of methods, of which those of the lowest level come first. Each is in it once, however many reasons there are to
/// evaluate it.
pub(super) struct Dirty<'a> {
    in_set: Vec<bool>,
    level: &'a [u32],
    lists: Vec<Vec<MethodId>>,
    /// No lower level has a method.
    lowest: usize,
}

impl<'a> Dirty<'a> {
    /// An empty set; `level` says of each method where it stands, and what `never` says so of is never in the set.
    pub fn new(level: &'a [u32], never: impl Fn(MethodId) -> bool) -> Dirty<'a> {
        let in_set = (0..level.len() as MethodId).map(never).collect();
        let highest = level.iter().copied().max().unwrap_or(0);
        Dirty { in_set, level, lists: vec![Vec::new(); highest as usize + 1], lowest: 0 }
    }

    /// Adds a method.
    pub fn add(&mut self, id: MethodId) {
        if !std::mem::replace(&mut self.in_set[id as usize], true) {
            let level = self.level[id as usize] as usize;
            self.lists[level].push(id);
            self.lowest = self.lowest.min(level);
        }
    }

    /// Adds methods.
    pub fn extend<'b>(&mut self, ids: impl IntoIterator<Item = &'b MethodId>) {
        ids.into_iter().for_each(|&it| self.add(it));
    }

    /// Takes what is in the set of the lowest level, sorted, and of the levels above it until these are at least so many;
    /// nothing if the set is empty.
    pub fn take(&mut self, least: usize) -> Vec<MethodId> {
        let mut taken = Vec::new();
        while taken.len() < least
            && let Some(list) = self.lists.get_mut(self.lowest)
        {
            taken.append(list);
            self.lowest += 1;
        }
        taken.iter().for_each(|&it| self.in_set[it as usize] = false);
        taken.sort_unstable();
        taken
    }
}

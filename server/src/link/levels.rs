//! In which order a fixed point over the call graph looks at methods: callees first, so that most are looked at once.

use super::resolve::Resolved;
use super::symbols::{MethodId, Symbols};
use std::sync::Arc;

/// Of each method, how high it stands above those that it calls; calls back into a cycle do not count.
pub(super) fn levels(symbols: &Symbols, resolved: &[Arc<Resolved>]) -> Vec<u32> {
    let n = resolved.len();
    let edges = Edges::new(symbols, resolved);
    // A node from n on is a method with what overrides it.
    let mut level = vec![0; 2 * n];
    let mut seen = vec![false; 2 * n];
    let mut open: Vec<(u32, u32)> = Vec::new();
    for start in 0..n as u32 {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        open.push((start, 0));
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if let Some(child) = edges.get(node, *next) {
                *next += 1;
                if !std::mem::replace(&mut seen[child as usize], true) {
                    open.push((child, 0));
                } else {
                    // One that is still open counts as it is known so far.
                    level[node as usize] = level[node as usize].max(level[child as usize] + 1);
                }
                continue;
            }
            open.pop();
            if let Some(&(above, _)) = open.last() {
                level[above as usize] = level[above as usize].max(level[node as usize] + 1);
            }
        }
    }
    level.truncate(n);
    level
}

/// Who calls whom.
struct Edges<'a> {
    symbols: &'a Symbols,
    n: u32,
    /// Of each method, where its callees begin in `to`.
    from: Vec<u32>,
    to: Vec<u32>,
}

impl<'a> Edges<'a> {
    fn new(symbols: &'a Symbols, resolved: &[Arc<Resolved>]) -> Edges<'a> {
        let n = resolved.len() as u32;
        let mut from = Vec::with_capacity(resolved.len() + 1);
        let mut to = Vec::new();
        for it in resolved {
            from.push(to.len() as u32);
            for site in &it.calls {
                let (callees, is_virtual) = it.targets(&site.target);
                let overridden = |it: MethodId| is_virtual && symbols.overriders.contains_key(&it);
                to.extend(callees.iter().map(|&it| if overridden(it) { n + it } else { it }));
            }
        }
        from.push(to.len() as u32);
        Edges { symbols, n, from, to }
    }

    /// What a node calls, by number.
    fn get(&self, node: u32, index: u32) -> Option<u32> {
        let Some(base) = node.checked_sub(self.n) else {
            let range = self.from[node as usize]..self.from[node as usize + 1];
            return self.to[range.start as usize..range.end as usize].get(index as usize).copied();
        };
        match index.checked_sub(1) {
            None => Some(base),
            Some(index) => self.symbols.overriders.get(&base)?.get(index as usize).copied(),
        }
    }
}

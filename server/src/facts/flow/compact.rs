//! The last step of the pass: joins of one value disappear, and so do values that nothing uses.

use super::Draft;
use crate::facts::graph::{Call, Graph, Group, Lambda, List, NONE, Node, NodeId, NodeKind, Sink, Write, WriteKind};

/// Chains of loops make joins trivial one after the other; deeper ones than this keep a harmless join.
const ROUNDS: usize = 4;

/// Builds the final graph. `left` are values that locals have after a group, and `indices` are used besides what the graph says.
pub(super) fn compact(old: &Draft, left: &[(u32, NodeId)], indices: &[NodeId]) -> Graph {
    let alias = trivial_joins(&old.nodes, &old.lists);
    let mut build = Build { alias, number: vec![NONE; old.nodes.len()], n_used: 0, old, lists: Vec::with_capacity(old.lists.len()), harmed: Vec::new() };
    build.mark(left, indices);
    build.finish()
}

/// For each node the node it stands for: itself, or the only value that a join joins.
fn trivial_joins(nodes: &[Node], lists: &[NodeId]) -> Vec<NodeId> {
    let mut alias: Vec<NodeId> = (0..nodes.len() as u32).collect();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (id, node) in nodes.iter().enumerate() {
            let NodeKind::Phi(list) = node.kind else { continue };
            if alias[id] != id as u32 {
                continue;
            }
            let mut only = None;
            let trivial = lists[list.start as usize..(list.start + list.len) as usize].iter().all(|&operand| {
                let operand = find(&alias, operand);
                operand == id as u32 || *only.get_or_insert(operand) == operand
            });
            if let (true, Some(only)) = (trivial, only) {
                alias[id] = only;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for id in 0..alias.len() {
        alias[id] = find(&alias, id as u32);
    }
    alias
}

fn find(alias: &[NodeId], mut node: NodeId) -> NodeId {
    while alias[node as usize] != node {
        node = alias[node as usize];
    }
    node
}

struct Build<'a> {
    alias: Vec<NodeId>,
    /// New numbers; [`NONE`] for nodes that nothing uses.
    number: Vec<u32>,
    /// Nodes that something uses.
    n_used: u32,
    old: &'a Draft,
    lists: Vec<NodeId>,
    /// Groups that write a local whose value is used afterwards.
    harmed: Vec<u32>,
}

impl Build<'_> {
    /// Finds what sinks, writes and calls need, and numbers it in the old order.
    fn mark(&mut self, left: &[(u32, NodeId)], indices: &[NodeId]) {
        let old = self.old;
        let mut open: Vec<NodeId> = Vec::new();
        let mut used = vec![false; old.nodes.len()];
        for sink in &old.sinks {
            open.push(sink.value);
        }
        for write in &old.writes {
            open.push(write.value);
            if write.index != NONE {
                open.push(write.index);
            }
            if write.kind != WriteKind::Capture && write.obj != NONE {
                open.push(write.obj);
            }
        }
        for call in &old.calls {
            if call.recv != NONE {
                open.push(call.recv);
            }
            open.extend(old.view().list(call.args));
        }
        for lambda in &old.lambdas {
            open.extend(old.view().list(lambda.results));
        }
        self.reach(open, &mut used);
        for (id, used) in used.iter().enumerate() {
            if *used {
                self.number[id] = self.n_used;
                self.n_used += 1;
            }
        }
        if !left.is_empty() {
            self.reach(indices.to_vec(), &mut used);
            self.harmed = left.iter().filter(|it| used[self.alias[it.1 as usize] as usize]).map(|it| it.0).collect();
        }
    }

    /// Marks these nodes and all that they are made of.
    fn reach(&self, mut open: Vec<NodeId>, used: &mut [bool]) {
        while let Some(node) = open.pop() {
            let node = self.alias[node as usize];
            if std::mem::replace(&mut used[node as usize], true) {
                continue;
            }
            self.old.view().operands(&self.old.nodes[node as usize], |operand| open.push(operand));
        }
    }

    fn id(&self, node: NodeId) -> NodeId {
        if node == NONE { NONE } else { self.number[self.alias[node as usize] as usize] }
    }

    fn list(&mut self, list: List) -> List {
        let start = self.lists.len() as u32;
        for &node in self.old.view().list(list) {
            let id = self.id(node);
            self.lists.push(id);
        }
        List { start, len: list.len }
    }

    fn kind(&mut self, kind: NodeKind) -> NodeKind {
        match kind {
            NodeKind::Select(obj, name) => NodeKind::Select(self.id(obj), name),
            NodeKind::Component(obj, ty, i) => NodeKind::Component(self.id(obj), ty, i),
            NodeKind::Element(array) => NodeKind::Element(self.id(array)),
            NodeKind::Typed(value, ty) => NodeKind::Typed(self.id(value), ty),
            NodeKind::Stored(array, value) => NodeKind::Stored(self.id(array), self.id(value)),
            NodeKind::Gained(call, port, start) => NodeKind::Gained(call, port, self.list(List { start, len: 2 }).start),
            NodeKind::Derive(list) => NodeKind::Derive(self.list(list)),
            NodeKind::Same(list) => NodeKind::Same(self.list(list)),
            NodeKind::Phi(list) => NodeKind::Phi(self.list(list)),
            NodeKind::Array(list, ty) => NodeKind::Array(self.list(list), ty),
            NodeKind::Sized(list, ty) => NodeKind::Sized(self.list(list), ty),
            other => other,
        }
    }

    fn finish(mut self) -> Graph {
        let old = self.old;
        let mut nodes = Vec::with_capacity(self.n_used as usize);
        for (id, node) in old.nodes.iter().enumerate() {
            if self.number[id] != NONE {
                nodes.push(Node { kind: self.kind(node.kind), at: node.at });
            }
        }
        let calls = old.calls.iter().map(|call| Call { recv: self.id(call.recv), args: self.list(call.args), ..*call }).collect();
        let writes = old
            .writes
            .iter()
            .map(|write| Write {
                obj: if write.kind == WriteKind::Capture { write.obj } else { self.id(write.obj) },
                value: self.id(write.value),
                index: self.id(write.index),
                ..*write
            })
            .collect();
        let lambdas = old.lambdas.iter().map(|lambda| Lambda { results: self.list(lambda.results), ..*lambda }).collect();
        let (groups, group_number) = self.groups();
        let sinks = old
            .sinks
            .iter()
            .map(|sink| Sink { value: self.id(sink.value), group: if sink.group == NONE { NONE } else { group_number[sink.group as usize] }, ..*sink })
            .collect();
        Graph { nodes: nodes.into(), lists: self.lists.into(), calls, writes, sinks, groups, lambdas }
    }

    /// The groups that sinks lie in, with those around them, and their new numbers.
    fn groups(&self) -> (Box<[Group]>, Vec<u32>) {
        let old = &self.old.groups;
        let mut number = vec![NONE; old.len()];
        for sink in &self.old.sinks {
            let mut group = sink.group;
            while group != NONE && number[group as usize] == NONE {
                number[group as usize] = 0;
                group = old[group as usize].parent;
            }
        }
        for (next, slot) in number.iter_mut().filter(|it| **it != NONE).enumerate() {
            *slot = next as u32;
        }
        let renumber = |group: u32| if group == NONE { NONE } else { number[group as usize] };
        let kept = (0..).zip(old).zip(&number).filter(|it| *it.1 != NONE);
        let kept =
            kept.map(|((at, group), _)| Group { parent: renumber(group.parent), harmless: group.harmless && !self.harmed.contains(&at), ..*group }).collect();
        (kept, number)
    }
}

//! Generators whose seed is known: what is drawn from them repeats itself, and depends on nothing but the seed.
//!
//! That holds for what is made by `new` with a seed, and for the one algorithm whose numbers follow from what is set as its seed
//! before the first of them is drawn (`SHA1PRNG`); others only add such a seed to what the system gave them.

use super::Context;
use crate::catalogue::{Feed, Slot, catalogue};
use crate::facts::MethodFacts;
use crate::facts::graph::{Call, Graph, NONE, Node, NodeId, NodeKind};
use crate::java::ops::CallForm;
use crate::java::types::SEEDED_ALGORITHM;
use crate::link::resolve::{Ref, Site, Target};
use crate::link::symbols::MethodId;
use crate::settings::Precision;

/// A generator of keys is given one of numbers, which is not given another: what is deeper than this is nothing known.
const MAX_DEPTH: u32 = 2;

impl<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync> Context<'a, F> {
    /// A draw from a generator whose seed is known and which is held in a local (or, as internal state, in a field), or the making
    /// of one.
    pub(super) fn is_seeded(&self, id: MethodId, index: u32) -> bool {
        if self.settings.precision == Precision::Paper {
            return false;
        }
        let graph = &(self.facts)(id).graph;
        let site = self.resolved.get(id).calls[index as usize];
        let call = &graph.calls[index as usize];
        if catalogue().rules.source(site.source).kind != "random" || call.recv == NONE || call.form == CallForm::New {
            return false;
        }
        if makes_seedable(graph, call) {
            return is_seeded_at_once(graph, index);
        }
        self.follows_seed(id, self.generator(graph, call, &site), 0)
    }

    /// Whether all that a node may hold is a generator with a known seed.
    fn follows_seed(&self, id: MethodId, generator: NodeId, depth: u32) -> bool {
        let graph = &(self.facts)(id).graph;
        // With each whether it is as it was when its seed had just been set.
        let mut open = vec![(generator, false)];
        let mut seen = Vec::new();
        let mut any = false;
        while let Some((node, is_fresh)) = open.pop() {
            if seen.contains(&(node, is_fresh)) {
                continue;
            }
            seen.push((node, is_fresh));
            match graph.nodes[node as usize].kind {
                NodeKind::After(call, 0) if self.takes_generator(id, call) => {
                    let given = graph.list(graph.calls[call as usize].args);
                    if depth == MAX_DEPTH || !given.iter().any(|&it| self.follows_seed(id, it, depth + 1)) {
                        return false;
                    }
                    any = true;
                }
                NodeKind::After(call, 0) => {
                    let sets_seed = graph.calls[call as usize].name.as_str() == "setSeed";
                    open.extend(graph.same_object(node).map(|it| (it, sets_seed)));
                }
                NodeKind::Typed(..) | NodeKind::Gained(..) => open.extend(graph.same_object(node).map(|it| (it, is_fresh))),
                NodeKind::Phi(list) => open.extend(graph.list(list).iter().map(|&it| (it, is_fresh))),
                NodeKind::Call(made) => {
                    let made_call = &graph.calls[made as usize];
                    let site = self.resolved.get(id).calls[made as usize];
                    // What a generator splits off follows from its own seed.
                    if made_call.form == CallForm::On && is_random(&site) && !makes_seedable(graph, made_call) {
                        open.push((made_call.recv, false));
                        continue;
                    }
                    let is_made_so = made_call.form == CallForm::New && made_call.args.len != 0 && site.source == NONE;
                    let is_set_so = is_fresh && is_random(&site) && makes_seedable(graph, made_call);
                    if !(is_made_so || is_set_so) {
                        return false;
                    }
                    any = true;
                }
                NodeKind::Name(_) | NodeKind::Select(..) => match self.resolved.get(id).refs[node as usize] {
                    Ref::Field(field) if self.states.seeded.contains(&field) => any = true,
                    _ => return false,
                },
                _ => return false,
            }
        }
        any
    }

    /// Whether a call tells a generator of keys how to make them, and with which numbers: `KeyGenerator.init(128, random)`.
    fn takes_generator(&self, id: MethodId, call: u32) -> bool {
        let is_setup = matches!((self.facts)(id).graph.calls[call as usize].name.as_str(), "init" | "initialize");
        is_setup && self.resolved.get(id).calls[call as usize].target == Target::Library
    }

    /// The generator that a call draws from: its receiver, or what is drawn from for the sake of another argument
    /// (`Collections.shuffle`).
    fn generator(&self, graph: &Graph, call: &Call, site: &Site) -> NodeId {
        let effects = if site.target == Target::Library { &catalogue().rules.rule(site.rule).effects[..] } else { &[] };
        let argument = effects.iter().find_map(|it| match (it.into, it.from) {
            (Slot::Arg(_), Feed::Arg(from)) => graph.list(call.args).get(from as usize).copied(),
            _ => None,
        });
        argument.unwrap_or(call.recv)
    }
}

/// Whether a call is a source of random numbers.
fn is_random(site: &Site) -> bool {
    site.source != NONE && catalogue().rules.source(site.source).kind == "random"
}

/// Whether a call makes a generator of the algorithm that a seed alone decides.
fn makes_seedable(graph: &Graph, call: &Call) -> bool {
    let first = graph.list(call.args).first().map(|&it| graph.nodes[it as usize].kind);
    call.name.as_str() == "getInstance" && matches!(first, Some(NodeKind::Const(Some(ty))) if ty == *SEEDED_ALGORITHM)
}

/// Whether all that is done with what a call makes is to set its seed: who uses it after that uses what the seed made of it.
fn is_seeded_at_once(graph: &Graph, made: u32) -> bool {
    let mut same: Vec<NodeId> = Vec::new();
    for (id, node) in (0..).zip(&graph.nodes) {
        match node.kind {
            NodeKind::Call(call) if call == made => same.push(id),
            NodeKind::Typed(value, _) if same.contains(&value) => same.push(id),
            _ => {}
        }
    }
    let mut setters = (0..).zip(&graph.calls).filter(|it| same.contains(&it.1.recv) && it.1.name.as_str() == "setSeed").map(|it| it.0);
    let (Some(setter), None) = (setters.next(), setters.next()) else { return false };
    let is_result = |it: &Node| matches!(it.kind, NodeKind::Typed(..)) || matches!(it.kind, NodeKind::After(call, 0) if call == setter);
    !same.iter().any(|&it| graph.uses(it, is_result, |call| call == setter))
}

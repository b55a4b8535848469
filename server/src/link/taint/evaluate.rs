//! A method with its sources, evaluated: which of its sinks they reach.

use super::{BATCH, Context, Source, SourceKey, Taint};
use crate::catalogue::{Feed, ResultRule, catalogue};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, SinkKind};
use crate::link::changes::{Change, changes_with};
use crate::link::eval::{Eval, GIVEN, Mask, PORTS, Part, slot_port};
use crate::link::resolve::Target;
use crate::link::symbols::{FieldId, MethodId};
use crate::settings::Precision;
use crate::terms::Category;
use std::cell::OnceCell;

/// A method with its sources, evaluated.
pub struct Evaluated<'a> {
    /// Masks of its nodes.
    pub eval: Eval<'a>,
    /// Its sources.
    pub sources: Vec<Source>,
    /// The bits of those that are content only.
    content: u64,
    /// The bits of those that are answered at start-up: they decide nothing here.
    pub(super) at_start: u64,
    reached: OnceCell<Vec<(Reached, u64, u64)>>,
    changes: OnceCell<Vec<Change>>,
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync> Context<'a, F> {
    /// Evaluates a method with its sources, as many at a time as there are bits. Nothing if it has none.
    pub fn evaluate(&self, taint: &Taint, id: MethodId) -> Vec<Evaluated<'a>> {
        self.sources(taint, id).chunks(BATCH).map(|batch| self.evaluate_with(taint, id, batch.to_vec(), 0)).collect()
    }

    /// Evaluates a method with sources, as many as have a bit, and with all that comes in.
    pub fn evaluate_whole(&self, taint: &Taint, id: MethodId, sources: &[Source]) -> Evaluated<'a> {
        self.evaluate_with(taint, id, sources.to_vec(), PORTS)
    }

    /// With these sources and what comes in at these ports (bits).
    pub(super) fn evaluate_with(&self, taint: &Taint, id: MethodId, sources: Vec<Source>, ports: u64) -> Evaluated<'a> {
        let graph = &(self.facts)(id).graph;
        let mut node_seeds: Vec<(NodeId, u64, Part)> = Vec::new();
        let mut call_seeds: Vec<(u32, Option<u8>, u64, Part)> = Vec::new();
        for source in &sources {
            match source.key {
                SourceKey::Call(call) => match self.changed_port(id, call) {
                    Some(port) => call_seeds.push((call, Some(port), source.bit, Part::Inside)),
                    None => call_seeds.push((call, None, source.bit, self.part_of_result(id, call, source.category))),
                },
                SourceKey::Field(node, field) if source.category == Category::Internal && self.is_filled(taint, field) => {
                    node_seeds.push((node, source.bit, Part::Inside));
                }
                SourceKey::LibField(node) | SourceKey::Field(node, _) => node_seeds.push((node, source.bit, Part::Value)),
                SourceKey::Inside(node, _) => node_seeds.push((node, source.bit, Part::Inside)),
                SourceKey::Lifted(call, port, lift) => {
                    let part = taint.lifts[lift as usize].part;
                    call_seeds.push((call, if part == Part::Given { Some(GIVEN) } else { port }, source.bit, part));
                }
                SourceKey::Passed(_) | SourceKey::Itself => {}
            }
        }
        let mut eval = Eval::new(self.symbols, graph, self.resolved.get(id), self.globals, self.settings.precision);
        eval.ports = ports;
        eval.node_seeds = node_seeds;
        eval.call_seeds = call_seeds;
        eval.lifted = sources.iter().filter(|it| matches!(it.key, SourceKey::Lifted(..))).fold(0, |bits, it| bits | it.bit);
        let bits = |has: fn(&Source) -> bool| sources.iter().filter(|it| has(it)).fold(0, |bits, it| bits | it.bit);
        let content = bits(|it| it.content);
        eval.deep = bits(|it| it.deep);
        eval.present = bits(|it| it.present || it.content);
        eval.run();
        let at_start = |it: &&Source| matches!(it.key, SourceKey::Lifted(_, _, lift) if taint.lifts[lift as usize].at_start);
        let at_start = sources.iter().filter(at_start).fold(0, |bits, it| bits | it.bit);
        Evaluated { eval, sources, content, at_start, reached: OnceCell::new(), changes: OnceCell::new() }
    }

    /// Whether all that changes of what a field holds are elements of an array.
    fn is_filled(&self, taint: &Taint, field: FieldId) -> bool {
        self.settings.precision == Precision::Refined && taint.internal.contains(&field) && self.states.filled.contains(&field)
    }

    /// How what a source reads belongs to its result: a random name is inside of what has it.
    fn part_of_result(&self, id: MethodId, call: u32, category: Category) -> Part {
        let row = self.resolved.get(id).calls[call as usize].source;
        let is_name = self.settings.precision == Precision::Refined && category == Category::System && row != NONE;
        if is_name && catalogue().rules.source(row).kind == "name" { Part::Inside } else { Part::Value }
    }

    /// The port of what a source changes instead of giving a result, as `Collections.shuffle` and `Random.nextBytes` do.
    fn changed_port(&self, id: MethodId, call: u32) -> Option<u8> {
        let site = &self.resolved.get(id).calls[call as usize];
        let rule = catalogue().rules.rule(site.rule);
        if site.target != Target::Library || rule.result != ResultRule::None {
            return None;
        }
        // What takes something in, not the generator that it is drawn from.
        let effects = &rule.effects;
        let changed = |how: fn(&Feed) -> bool| effects.iter().filter(|it| how(&it.from)).map(|it| slot_port(it.into) as u8).find(|&it| it != 0);
        changed(|it| *it != Feed::Nothing).or_else(|| changed(|it| *it == Feed::Nothing))
    }
}

impl Evaluated<'_> {
    /// The bits of sources that a mask has, deep ones by way of fields too.
    pub fn bits(&self, mask: Mask) -> u64 {
        (mask.m | (mask.deep & self.eval.deep)) & !PORTS
    }

    /// The same for what is inside it.
    pub fn inside(&self, mask: Mask) -> u64 {
        (mask.inside() | (mask.below & self.eval.deep)) & !PORTS
    }

    /// Origins that reach sinks: sink index or call index, bits, bits that went through the method alone.
    pub fn reached(&self) -> &[(Reached, u64, u64)] {
        self.reached.get_or_init(|| self.find_reached())
    }

    /// What the method changes with its sources, and with what comes in.
    pub(super) fn changes(&self) -> &[Change] {
        self.changes.get_or_init(|| changes_with(&self.eval, Some(!PORTS | self.eval.ports)))
    }

    fn find_reached(&self) -> Vec<(Reached, u64, u64)> {
        let mut found = Vec::new();
        let eval = &self.eval;
        for (index, sink) in eval.graph.sinks.iter().enumerate() {
            if sink.kind == SinkKind::Throw && eval.precision == Precision::Paper {
                continue;
            }
            let mask = eval.mask(sink.value);
            let mut bits = self.bits(mask);
            if sink.null_test {
                bits &= !self.content;
            }
            if !matches!(sink.kind, SinkKind::Branch(_)) {
                // An object that leaves takes along what it holds.
                bits |= self.inside(mask) | (mask.held & !PORTS);
            }
            bits &= !self.at_start;
            if bits != 0 && !(eval.precision == Precision::Refined && eval.is_benign(sink)) {
                found.push((Reached::Sink(index as u32), bits, bits & mask.intra));
            }
        }
        for index in (0..eval.graph.calls.len() as u32).filter(|&it| !eval.is_aside(it) && eval.brings(it) & !PORTS != 0) {
            let (mut bits, mut decides) = (0, 0);
            for (callee, summary) in eval.callees(index) {
                if summary.branch | summary.branch_deep != 0 {
                    bits |= self.bits(Mask { deep: 0, ..eval.through_ports(index, callee, u64::from(summary.branch)) });
                    bits |= self.bits(Mask { m: 0, ..eval.through_ports(index, callee, u64::from(summary.branch | summary.branch_deep)) });
                    decides |= self.bits(eval.through_ports(index, callee, u64::from(summary.decides)));
                }
            }
            bits &= !self.at_start;
            let each = [(Reached::Callee(index), bits & decides), (Reached::Thrown(index), bits & !decides)];
            found.extend(each.into_iter().filter(|it| it.1 != 0).map(|it| (it.0, it.1, 0)));
        }
        found
    }

    /// Benign branches that a source reaches.
    pub fn benign(&self) -> usize {
        let eval = &self.eval;
        eval.graph.sinks.iter().filter(|sink| self.bits(eval.mask(sink.value)) != 0 && eval.is_benign(sink)).count()
    }
}

/// What a source reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// A sink of the method, by its index.
    Sink(u32),
    /// A branch inside a callee, by the call's index.
    Callee(u32),
    /// A `throw` inside a callee, and no branch there, likewise.
    Thrown(u32),
}

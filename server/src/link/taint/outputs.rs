//! What one method hands on: carriers it fills, sources it passes to callees, lifts to its callers.

use super::{Carry, Context, Evaluated, Lift, Origin, Source, SourceKey, Taint};
use crate::facts::MethodFacts;
use crate::facts::graph::NONE;
use crate::link::eval::{Mask, Root};
use crate::link::summary::{By, Feeds, changes};
use crate::link::symbols::{FieldId, MethodId};
use crate::terms::Category;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// What a method hands on.
#[derive(Default)]
pub(super) struct Outputs {
    pub fields: Vec<(FieldId, Category, Carry)>,
    /// Callee, whether what overrides it may run instead, port.
    pub passed: Vec<(MethodId, bool, u8, Category, Carry)>,
    pub lifts: Vec<Lift>,
}

/// A category with all bits that stand for it, and what each of them means.
struct Carried {
    category: Category,
    /// It flows from method to method. What needs no flow makes a mocking point where it comes in, so only fields that
    /// start-up code fills with it bring it to anyone else.
    flows: bool,
    bits: u64,
    keys: SmallVec<[(u64, SourceKey); 4]>,
}

/// The kinds of state that flow from method to method.
pub(super) const FLOWING: [Category; 3] = [Category::System, Category::Internal, Category::WhiteList];

/// Those that flow into fields, and whether it is the part of it that flows.
const CARRIED: [(Category, bool); 5] =
    [(Category::System, true), (Category::Internal, true), (Category::WhiteList, true), (Category::External, false), (Category::WhiteList, false)];

pub(super) fn outputs<'a>(
    context: &Context<'a, impl Fn(MethodId) -> &'a MethodFacts + Sync>,
    taint: &Taint,
    evaluated: &Evaluated<'_>,
    id: MethodId,
    method: &MethodFacts,
) -> Outputs {
    let mut out = Outputs::default();
    let symbols = context.symbols;
    let beans = &context.states.beans;
    let eval = &evaluated.eval;
    let origin = |source: &Source| Origin { method: id, key: source.key };
    // For each category the bits that stand for it, and what each means.
    let mut carriers: Vec<Carried> = Vec::new();
    for (category, flows) in CARRIED {
        // Read from a field, it needs a flow whatever it was.
        let is_meant = |it: &&Source| it.category == category && (category == Category::External || it.needs_no_flow != flows);
        let mut keys: SmallVec<[(u64, SourceKey); 4]> = evaluated.sources.iter().filter(is_meant).map(|it| (it.bit, it.key)).collect();
        for &(port, _) in taint.passed.get(&(id, category)).into_iter().flatten().filter(|_| flows) {
            keys.push((crate::link::eval::port_bit(port as usize), SourceKey::Passed(port)));
        }
        let bits = keys.iter().fold(0, |bits, it| bits | it.0);
        if bits != 0 {
            carriers.push(Carried { category, flows, bits, keys });
        }
    }
    let value_bits = |mask: Mask| evaluated.bits(mask) | (mask.m & crate::link::eval::PORTS);
    let mut fields: FxHashSet<(FieldId, Category)> = FxHashSet::default();
    let mut carry = |field: FieldId, bits: u64, by: By| {
        for Carried { category, flows, bits: all, keys } in &carriers {
            if bits & all == 0 || taint.is_known(field, *category) || !(*flows || beans.is_candidate(symbols, field)) {
                continue;
            }
            // A field that is read to be written is no news.
            let key = keys.iter().find(|it| it.0 & bits != 0 && !matches!(it.1, SourceKey::Field(_, it) if it == field));
            if let Some(&(_, key)) = key
                && fields.insert((field, *category))
            {
                out.fields.push((field, *category, Carry { origin: Origin { method: id, key }, by }));
            }
        }
    };
    for (index, write) in eval.graph.writes.iter().enumerate() {
        let field = eval.resolved.writes[index];
        if field != NONE {
            carry(field, value_bits(eval.mask(write.value)), By::Write(index as u32));
        }
    }
    for index in 0..eval.graph.calls.len() as u32 {
        for (callee, is_virtual) in eval.callee_ids(index) {
            let n_args = eval.graph.calls[index as usize].args.len as usize;
            for arg in 0..n_args {
                let port = eval.port_of(callee, arg).min(31) as u8;
                let bits = value_bits(eval.passed(index, arg + 1));
                for Carried { category, bits: all, keys, .. } in carriers.iter().filter(|it| it.flows) {
                    let Some(&(_, key)) = keys.iter().find(|it| it.0 & bits & all != 0) else { continue };
                    if !taint.is_passed(callee, is_virtual, port, *category) {
                        let carry = Carry { origin: Origin { method: id, key }, by: By::Call(index) };
                        out.passed.push((callee, is_virtual, port, *category, carry));
                    }
                }
            }
        }
    }
    let is_constructor = method.head.name.as_str() == "<init>";
    // Whoever calls a mocking point gets what was recorded.
    let outside = evaluated.sources.iter().filter(|it| it.needs_no_flow).fold(0, |bits, it| bits | it.bit);
    let reached = evaluated.reached();
    let decided = if is_constructor { 0 } else { reached.iter().fold(outside, |bits, it| bits | it.1) };
    let mut lifted: SmallVec<[(u8, u64, bool); 8]> = SmallVec::new();
    for change in changes(eval) {
        let Feeds::Mask(mask) = change.feeds else { continue };
        let bits = evaluated.bits(mask);
        let held = mask.held & !crate::link::eval::PORTS;
        let value = value_bits(mask);
        for root in &change.roots {
            match *root {
                Root::Port(port) => lifted.extend([(port, bits & !decided, false), (port, held & !decided, true)]),
                Root::PartOf(port) => lifted.push((port, (bits | held) & !decided, true)),
                Root::Field(field) if !change.own_type => carry(field, value, change.by),
                Root::Field(_) => {}
            }
        }
    }
    // What callees left in objects that came from outside.
    for source in &evaluated.sources {
        if let SourceKey::Lifted(call, Some(port), lift) = source.key {
            let held = taint.lifts[lift as usize].held;
            for root in eval.port_roots(call, port as usize) {
                match root {
                    Root::Port(port) => lifted.push((port, source.bit & !decided, held)),
                    Root::PartOf(port) => lifted.push((port, source.bit & !decided, true)),
                    Root::Field(field) if !held => carry(field, source.bit, By::Call(call)),
                    Root::Field(_) => {}
                }
            }
        }
    }
    if is_constructor {
        // What decides in a constructor decides what the object is.
        for (_, bits, _) in reached {
            lifted.push((0, bits, true));
        }
        lifted.push((0, outside, true));
    }
    let known = taint.lifts_of.get(&id).map_or(&[][..], Vec::as_slice);
    for (port, bits, held) in lifted {
        for source in evaluated.source_of_bit(bits) {
            let lift = Lift { port, category: source.category, origin: origin(source), held, needs_no_flow: source.needs_no_flow };
            if !taint.has_kind(known, &lift) && !out.lifts.iter().any(|it| it.kind() == lift.kind()) {
                out.lifts.push(lift);
            }
        }
    }
    out
}

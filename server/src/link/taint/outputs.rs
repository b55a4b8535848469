//! What one method hands on: carriers it fills, sources it passes to callees, lifts to its callers.

use super::{Carry, Context, Evaluated, Lift, Origin, Source, SourceKey, Taint};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, Sink, SinkKind};
use crate::java::ops::CallForm;
use crate::link::changes::{By, Feeds};
use crate::link::eval::{Holder, Mask, PORTS, Part, Root, Roots, inside_bit, port_bit};
use crate::link::symbols::{FieldId, MethodId};
use crate::terms::Category;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// What a method hands on.
#[derive(Default)]
pub(super) struct Outputs {
    pub fields: Vec<(FieldId, Category, Part, Carry)>,
    /// Callee, whether what overrides it may run instead, bit of the port.
    pub passed: Vec<(MethodId, bool, u8, Category, Carry)>,
    pub lifts: Vec<Lift>,
    /// What a mocking point returns to start-up code.
    pub answers: Vec<Lift>,
    /// The method is a mocking point by what it reads itself, if it can be one: nothing of that is lifted.
    pub is_point: bool,
    /// Some source decides something in it, or leaves it; one that a callee read counts too.
    pub decides: bool,
}

impl Outputs {
    /// Adds what follows from other sources of the same method.
    pub(super) fn extend(&mut self, other: Outputs) {
        self.fields.extend(other.fields);
        self.passed.extend(other.passed);
        self.lifts.extend(other.lifts);
        self.answers.extend(other.answers);
        self.is_point |= other.is_point;
        self.decides |= other.decides;
    }
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

/// Which outputs are asked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// Those that the fixed point does not know yet, of the sources and of all that callers pass.
    News,
    /// All, of the sources and of what comes in with this category at this port, if any.
    All(Option<(u8, Category)>),
}

impl Wanted {
    /// Whether only what is new counts.
    fn is_news(self) -> bool {
        matches!(self, Self::News)
    }

    /// Ports of a method that any source comes in at, as bits.
    pub(super) fn port_bits(self, taint: &Taint, id: MethodId) -> u64 {
        FLOWING.into_iter().flat_map(|it| self.ports(taint, id, it)).fold(0, |bits, port| bits | 1 << port)
    }

    /// Ports of a method that sources of a category come in at.
    fn ports(self, taint: &Taint, id: MethodId, category: Category) -> SmallVec<[u8; 4]> {
        match self {
            Self::News => taint.passed.get(&(id, category)).into_iter().flatten().map(|it| it.0).collect(),
            Self::All(entry) => entry.into_iter().filter(|it| it.1 == category).map(|it| it.0).collect(),
        }
    }
}

/// What a method hands on of `sources`, which are all that it was evaluated with or some of them.
pub(super) fn outputs<'a>(
    context: &Context<'a, impl Fn(MethodId) -> &'a MethodFacts + Sync>,
    taint: &Taint,
    evaluated: &Evaluated<'_>,
    sources: &[Source],
    id: MethodId,
    wanted: Wanted,
) -> Outputs {
    let method = (context.facts)(id);
    let mut out = Outputs::default();
    let symbols = context.symbols;
    let beans = &context.states.beans;
    let eval = &evaluated.eval;
    let origin = |source: &Source| Origin { method: id, key: source.key };
    let of_bits = |bits: u64| sources.iter().filter(move |it| it.bit & bits != 0);
    // For each category the bits that stand for it, and what each means.
    let mut carriers: Vec<Carried> = Vec::new();
    for (category, flows) in CARRIED {
        // Read from a field, it needs a flow whatever it was.
        let is_meant = |it: &&Source| it.category == category && (category == Category::External || it.needs_no_flow != flows);
        let mut keys: SmallVec<[(u64, SourceKey); 4]> = sources.iter().filter(is_meant).map(|it| (it.bit, it.key)).collect();
        if flows {
            keys.extend(wanted.ports(taint, id, category).into_iter().map(|port| (1 << port, SourceKey::Passed(port))));
        }
        let bits = keys.iter().fold(0, |bits, it| bits | it.0);
        if bits != 0 {
            carriers.push(Carried { category, flows, bits, keys });
        }
    }
    let value_bits = |mask: Mask| evaluated.bits(mask) | (mask.m & PORTS);
    let inside_bits = |mask: Mask| evaluated.inside(mask) | (mask.inside() & PORTS);
    let mut fields: FxHashSet<(FieldId, Category, Part)> = FxHashSet::default();
    let mut carry = |field: FieldId, bits: u64, part: Part, by: By| {
        for Carried { category, flows, bits: all, keys } in &carriers {
            let is_known = wanted.is_news() && taint.is_known(field, *category, part, by);
            if bits & all == 0 || is_known || !(*flows || beans.is_candidate(symbols, field)) {
                continue;
            }
            // A field that is read to be written is no news.
            let is_here = |bit: u64| bit & evaluated.at_start == 0 || beans.is_candidate(symbols, field);
            let key =
                keys.iter().find(|it| it.0 & bits != 0 && is_here(it.0) && !matches!(it.1, SourceKey::Field(_, it) | SourceKey::Inside(_, it) if it == field));
            if let Some(&(_, key)) = key
                && fields.insert((field, *category, part))
            {
                out.fields.push((field, *category, part, Carry { origin: Origin { method: id, key }, by }));
            }
        }
    };
    for (index, write) in eval.graph.writes.iter().enumerate() {
        let field = eval.resolved.writes[index];
        if field != NONE {
            let value = eval.mask(write.value);
            carry(field, value_bits(value), Part::Value, By::Write(index as u32));
            carry(field, inside_bits(value), Part::Inside, By::Write(index as u32));
        }
    }
    let flowing = carriers.iter().filter(|it| it.flows).fold(0, |bits, it| bits | it.bits) & !evaluated.at_start;
    for index in 0..eval.graph.calls.len() as u32 {
        if eval.brings(index) & flowing == 0 || eval.is_aside(index) {
            continue;
        }
        let bits = |it: Mask| (value_bits(it) & flowing, inside_bits(it) & flowing);
        let call = &eval.graph.calls[index as usize];
        let args: SmallVec<[(u64, u64); 8]> = eval.graph.list(call.args).iter().map(|&it| bits(eval.mask(it))).collect();
        let given = (call.form == CallForm::Reference).then(|| bits(eval.surely_given(index)));
        for (callee, is_virtual) in eval.callee_ids(index) {
            // A reference passes what the call around it is known to give it.
            let given = given.into_iter().flat_map(|bits| eval.reference_ports(callee).map(move |port| (port, bits)));
            let args = args.iter().enumerate().map(|(arg, &bits)| (eval.port_of(callee, arg), bits));
            for (port, (value, inside)) in args.chain(given).filter(|it| it.1.0 | it.1.1 != 0) {
                // What goes into an array that is made for the call is inside of it.
                let (value, inside) = if eval.is_spread(index, callee, port) { (0, value | inside) } else { (value, inside) };
                let parts = [(port_bit(port), value), (inside_bit(port), inside)];
                for (port, bits) in parts.map(|it| (it.0.trailing_zeros() as u8, it.1)) {
                    for Carried { category, bits: all, keys, .. } in carriers.iter().filter(|it| it.flows) {
                        let Some(&(_, key)) = keys.iter().find(|it| it.0 & bits & all != 0) else { continue };
                        if !(wanted.is_news() && taint.is_passed(callee, is_virtual, port, *category)) {
                            let carry = Carry { origin: Origin { method: id, key }, by: By::Call(index) };
                            out.passed.push((callee, is_virtual, port, *category, carry));
                        }
                    }
                }
            }
        }
    }
    let is_constructor = method.head.name.as_str() == "<init>";
    // Whoever calls a mocking point gets what was recorded.
    let outside = sources.iter().filter(|it| it.needs_no_flow).fold(0, |bits, it| bits | it.bit);
    let reached = evaluated.reached();
    let decides = reached.iter().fold(outside, |bits, it| bits | it.1);
    out.decides = decides != 0;
    out.is_point = of_bits(decides).any(|it| !matches!(it.key, SourceKey::Lifted(..)));
    let decided = if is_constructor { 0 } else { decides };
    let mut lifted: SmallVec<[(u8, u64, Part); 8]> = SmallVec::new();
    for change in evaluated.changes() {
        let Feeds::Mask(mask) = change.feeds else { continue };
        let new = !(PORTS | decided | evaluated.at_start);
        for root in &change.roots {
            let part = mask.within(root.part, eval.deep);
            match root.of {
                Holder::Port(port) => {
                    let held = if root.part == Part::Held { evaluated.bits(mask) | part.held } else { part.held };
                    let parts = [(Part::Value, evaluated.bits(part)), (Part::Inside, evaluated.inside(part)), (Part::Held, held)];
                    lifted.extend(parts.map(|(part, bits)| (port, bits & new, part)));
                }
                Holder::Field(field) if !change.own_type => {
                    carry(field, value_bits(part), Part::Value, change.by);
                    carry(field, inside_bits(part), Part::Inside, change.by);
                }
                Holder::Field(_) => {}
            }
        }
    }
    // What functions that came from outside are called with.
    for (index, call) in (0..).zip(&eval.graph.calls).filter(|it| it.1.form == CallForm::On) {
        let given = eval.graph.list(call.args).iter().map(|&it| eval.mask(it)).fold(0, |bits, it| bits | evaluated.bits(it) | evaluated.inside(it));
        let bits = given & !(PORTS | decided | evaluated.at_start);
        let roots = if bits == 0 { Roots::new() } else { eval.port_roots(index, 0) };
        for root in roots {
            if let Root { of: Holder::Port(port), part: Part::Value } = root
                && context.runs_parameter(id, eval.resolved, index, call.name, port)
            {
                lifted.push((port, bits, Part::Given));
            }
        }
    }
    // What callees left in objects that came from outside.
    for source in sources {
        if let SourceKey::Lifted(call, Some(port), lift) = source.key {
            let part = taint.lifts[lift as usize].part;
            for root in eval.port_roots(call, port as usize) {
                let is_shared = part == Part::Held && root.part == Part::Held;
                let part = part.max(root.part);
                match root.of {
                    // What a field holds outlives the call: what that holds in turn is the business of who reads it.
                    Holder::Port(_) if is_shared => {}
                    Holder::Port(port) => lifted.push((port, source.bit & !decided, part)),
                    Holder::Field(field) if part < Part::Held => carry(field, source.bit, part, By::Call(call)),
                    Holder::Field(_) => {}
                }
            }
        }
    }
    if is_constructor {
        // What decides in a constructor decides what the object is.
        for &(_, bits, _) in reached {
            lifted.push((0, bits, Part::Held));
        }
        lifted.push((0, outside, Part::Held));
    }
    let known = taint.lifts_of.get(&id).map_or(&[][..], Vec::as_slice);
    for (port, bits, part) in lifted {
        for source in of_bits(bits) {
            let lift = Lift { port, category: source.category, origin: origin(source), part, needs_no_flow: source.needs_no_flow, at_start: false };
            let is_known = wanted.is_news() && taint.has_kind(known, &lift);
            if !is_known && !out.lifts.iter().any(|it| it.kind() == lift.kind()) {
                out.lifts.push(lift);
            }
        }
    }
    if !is_constructor && taint.asked_at_start.contains_key(&id) {
        let returned = |it: &&Sink| it.kind == SinkKind::Return;
        let returned =
            eval.graph.sinks.iter().filter(returned).fold(0, |bits, it| bits | evaluated.bits(eval.mask(it.value)) | evaluated.inside(eval.mask(it.value)));
        // What changes while the service runs is not yet there.
        for source in of_bits(returned & decided & !evaluated.at_start).filter(|it| it.category != Category::Internal) {
            out.answers.push(Lift { port: 0, category: source.category, origin: origin(source), part: Part::Value, needs_no_flow: false, at_start: true });
        }
    }
    if let Some(given) = beans.given(id) {
        for (index, sink) in eval.graph.sinks.iter().enumerate().filter(|it| it.1.kind == SinkKind::Return) {
            let bits = value_bits(eval.mask(sink.value));
            for Carried { category, bits: all, keys, .. } in carriers.iter().filter(|it| it.flows) {
                let Some(&(_, key)) = keys.iter().find(|it| it.0 & bits & all != 0) else { continue };
                let carry = Carry { origin: Origin { method: id, key }, by: By::Return(index as u32) };
                let fields = given.fields.iter().filter(|&&it| !(wanted.is_news() && taint.is_known(it, *category, Part::Value, carry.by)));
                out.fields.extend(fields.map(|&it| (it, *category, Part::Value, carry)));
                let params = given.params.iter().filter(|it| !(wanted.is_news() && taint.is_passed(it.0, false, it.1, *category)));
                out.passed.extend(params.map(|&(method, port)| (method, false, port, *category, carry)));
            }
        }
    }
    out
}

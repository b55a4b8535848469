//! Summaries of methods: what flows from their parameters where, and what they change (paper §3.1.3).
//!
//! They depend on no source, so they are computed once per link, to a fixed point over the call graph: every round
//! evaluates the lowest methods whose callees changed, all against the summaries of the round before.

use super::changes::{By, Change, Feeds, changes};
use super::dirty::Dirty;
use super::eval::{Eval, Holder, LAST_PORT, Mask, PORTS, Part, Root, THIS, inside_bit, port_bit};
use super::resolve::{Listing, Ref, Resolved, Site};
use super::symbols::{FieldId, MethodId, Symbols};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, Sink, SinkKind, WriteKind};
use crate::java::decls::Flags;
use crate::java::types::is_value;
use crate::settings::Precision;
use rayon::prelude::*;

/// A result that may be more fields than this is none of them: it is what any implementation of an interface of everybody
/// (`Function`, `Message`) gives. A getter has one.
const MAX_ALIASES: usize = 64;

/// In rounds of fewer methods than this each may go to another core: they stand high in the call graph, and are long.
const FEW: usize = 64;

/// So many methods a round of the fixed point has at least, if there are as many. Methods that call each other in a knot stand
/// hardly two at a time on one level, and one core would wait for the other; what is evaluated in vain that way is little.
const LEAST: usize = 32;

/// What ends up in a port.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Out {
    /// Which: 0 is the receiver.
    pub port: u8,
    /// What its value absorbs.
    pub absorbed: u32,
    /// What its fields hold.
    pub held: u32,
    /// What is put inside it.
    pub inside: u32,
}

/// What one method does with its parameters. Bit 0 is the receiver, bit i + 1 parameter i; the upper half stands for
/// what is inside them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Reach the result or a branch.
    pub ret: u32,
    /// Likewise, also by reading fields of them.
    pub ret_deep: u32,
    /// Are held by the result.
    pub ret_held: u32,
    /// Are inside the result.
    pub ret_inside: u32,
    /// Reach a branch or throw.
    pub branch: u32,
    /// Likewise, also by reading fields of them.
    pub branch_deep: u32,
    /// Of these, those that reach a branch indeed.
    pub decides: u32,
    /// Are changed. Of a parameter that takes any number of arguments (`Object... args`) it is told apart whether the
    /// array is, or what is inside it.
    pub mutated: u32,
    /// Are the result, or hold it.
    pub alias: u32,
    /// Fields that hold the result, and how it belongs to what is there.
    pub alias_fields: Vec<(FieldId, Part)>,
    /// There are so many of these that none is told.
    pub alias_any: bool,
    /// End up in another port; sorted by port.
    pub out: Vec<Out>,
    /// It does more than give a result, or it may: a branch around a call of it is not benign.
    pub acts: bool,
}

impl Summary {
    /// What ends up in a port.
    pub fn out_of(&self, port: u8) -> Out {
        self.out.iter().find(|it| it.port == port).copied().unwrap_or_default()
    }

    fn add_out(&mut self, out: Out) -> bool {
        if out.absorbed | out.held | out.inside == 0 {
            return false;
        }
        match self.out.binary_search_by_key(&out.port, |it| it.port) {
            Ok(at) => {
                let known = &mut self.out[at];
                set(&mut known.absorbed, out.absorbed) | set(&mut known.held, out.held) | set(&mut known.inside, out.inside)
            }
            Err(at) => {
                self.out.insert(at, out);
                true
            }
        }
    }

    /// Of more fields than there is room for the first ones stay, in whichever order they come.
    fn add_alias(&mut self, field: (FieldId, Part)) -> bool {
        let Err(at) = self.alias_fields.binary_search(&field) else { return false };
        if at > MAX_ALIASES {
            return false;
        }
        self.alias_fields.insert(at, field);
        self.alias_fields.truncate(MAX_ALIASES + 1);
        true
    }

    /// Joins another summary into this one; whether anything changed.
    pub fn join(&mut self, other: &Summary) -> bool {
        let mut changed = set(&mut self.ret, other.ret)
            | set(&mut self.ret_deep, other.ret_deep)
            | set(&mut self.ret_held, other.ret_held)
            | set(&mut self.ret_inside, other.ret_inside)
            | set(&mut self.branch, other.branch)
            | set(&mut self.branch_deep, other.branch_deep)
            | set(&mut self.decides, other.decides)
            | set(&mut self.mutated, other.mutated)
            | set(&mut self.alias, other.alias)
            | (other.acts && !std::mem::replace(&mut self.acts, true));
        for &field in &other.alias_fields {
            changed |= self.add_alias(field);
        }
        for &out in &other.out {
            changed |= self.add_out(out);
        }
        changed
    }
}

/// Adds bits; whether any was new.
fn set(word: &mut u32, bits: u32) -> bool {
    let before = *word;
    *word |= bits;
    *word != before
}

/// The summaries of all methods.
#[derive(Default, Clone)]
pub struct Globals {
    /// Each method alone.
    pub own: Vec<Summary>,
    /// Of each method, where its summary with what overrides it stands; [`NONE`] if nothing does.
    joined_of: Vec<u32>,
    /// Those summaries.
    joined: Vec<Summary>,
}

static EMPTY: Summary = Summary {
    ret: 0,
    ret_deep: 0,
    ret_held: 0,
    ret_inside: 0,
    branch: 0,
    branch_deep: 0,
    decides: 0,
    mutated: 0,
    alias: 0,
    alias_fields: Vec::new(),
    alias_any: false,
    out: Vec::new(),
    acts: true,
};

impl Globals {
    /// The summary that a call sees.
    pub fn summary(&self, method: MethodId, is_virtual: bool) -> &Summary {
        if is_virtual && let Some(joined) = self.joined_at(method) {
            return &self.joined[joined];
        }
        self.own.get(method as usize).unwrap_or(&EMPTY)
    }

    /// Forgets fields of results that may be too many. What follows from them is known by then: it would hang on the order
    /// of evaluation otherwise.
    fn forget_many(&mut self) {
        for summary in self.own.iter_mut().chain(&mut self.joined).filter(|it| it.alias_fields.len() > MAX_ALIASES) {
            (summary.alias_fields, summary.alias_any) = (Vec::new(), true);
        }
    }

    fn joined_at(&self, method: MethodId) -> Option<usize> {
        self.joined_of.get(method as usize).filter(|&&it| it != NONE).map(|&it| it as usize)
    }
}

/// Who calls whom: for each method, the methods with a call that may reach it.
pub fn callers(symbols: &Symbols, resolved: &[std::sync::Arc<Resolved>]) -> Vec<Vec<MethodId>> {
    let mut callers: Vec<Vec<MethodId>> = vec![Vec::new(); symbols.methods.len()];
    for (caller, it) in resolved.iter().enumerate() {
        let mut add = |callee: MethodId| {
            let list = &mut callers[callee as usize];
            if list.last() != Some(&(caller as MethodId)) {
                list.push(caller as MethodId);
            }
        };
        for site in &it.calls {
            it.targets(&site.target).0.iter().for_each(|&it| add(it));
        }
    }
    callers
}

/// Computes all summaries.
pub fn summarise<'a>(
    symbols: &Symbols,
    resolved: &[std::sync::Arc<Resolved>],
    callers: &[Vec<MethodId>],
    levels: &[u32],
    precision: Precision,
    facts: &(impl Fn(MethodId) -> &'a MethodFacts + Sync),
) -> Globals {
    let n = symbols.methods.len();
    let mut joined_of = vec![NONE; n];
    for (at, &base) in (0..).zip(symbols.overriders.keys()) {
        joined_of[base as usize] = at;
    }
    let mut globals = Globals { own: vec![Summary::default(); n], joined_of, joined: vec![Summary::default(); symbols.overriders.len()] };
    let mut dirty = Dirty::new(levels, |_| false);
    (0..n as MethodId).for_each(|it| dirty.add(it));
    let mut round = dirty.take(LEAST);
    while !round.is_empty() {
        let fresh: Vec<(MethodId, Summary)> = round
            .par_iter()
            .with_min_len(if round.len() < FEW { 1 } else { 8 })
            .filter_map(|&id| {
                let method = facts(id);
                let graph = &method.graph;
                let is_empty = graph.nodes.is_empty() && graph.calls.is_empty() && graph.writes.is_empty();
                if is_empty && method.head.has_body {
                    return None;
                }
                let eval = Eval::new(symbols, graph, &resolved[id as usize], &globals, precision);
                let summary = if is_empty { unwritten(symbols, id, method) } else { one(eval, method) };
                (summary != globals.own[id as usize]).then_some((id, summary))
            })
            .collect();
        for (id, summary) in fresh {
            // Joining keeps the iteration monotone even where a list is cut off.
            if !globals.own[id as usize].join(&summary) {
                continue;
            }
            dirty.extend(&callers[id as usize]);
            // The joined summaries that the method is part of.
            for &base in std::iter::once(&id).chain(symbols.overridden.get(&id).into_iter().flatten()) {
                if let Some(joined) = globals.joined_at(base)
                    && globals.joined[joined].join(&globals.own[id as usize])
                {
                    dirty.extend(&callers[base as usize]);
                }
            }
        }
        round = dirty.take(LEAST);
    }
    globals.forget_many();
    globals
}

/// The parameters that nothing can change, as bits of ports, even if a call seems to mean something that would.
fn unchangeable(method: &MethodFacts) -> u64 {
    let params = &method.head.params;
    let fixed = if method.head.flags.has(Flags::VARARGS) { params.len().saturating_sub(1) } else { params.len() };
    let plain = params.iter().take(fixed.min(LAST_PORT - 1)).enumerate().filter(|it| is_value(it.1.ty));
    plain.fold(0, |bits, (index, _)| bits | port_bit(index + 1))
}

/// Whether a method does more than give a result: it writes, throws, or calls what does. One that reads a source may be a
/// mocking point itself, so that its calls are recorded. What a tool writes nobody knows.
fn acts(eval: &Eval<'_>, method: &MethodFacts) -> bool {
    let (graph, resolved) = (eval.graph, eval.resolved);
    let is_source = |site: &Site| site.source != NONE || !matches!(site.listing, Listing::None | Listing::Sanitized);
    let is_state = |it: &Ref| match it {
        Ref::Source(_) | Ref::Listed(_) => true,
        Ref::Field(field) => {
            let flags = eval.symbols.fields[*field as usize].flags;
            flags.has(Flags::STATIC) && !flags.has(Flags::FINAL)
        }
        Ref::None | Ref::NoValue | Ref::Frozen => false,
    };
    let n_calls = graph.calls.len() as u32;
    !method.head.has_body
        || graph.writes.iter().any(|it| it.kind != WriteKind::Capture)
        || graph.sinks.iter().any(|it| it.kind == SinkKind::Throw)
        || resolved.calls.iter().any(is_source)
        || resolved.refs.iter().any(is_state)
        || (0..n_calls).any(|it| !eval.is_harmless(it, 0..n_calls))
}

/// A method without a body. What an interface gives that stands for a function is what the function gives, which its value is.
fn unwritten(symbols: &Symbols, id: MethodId, method: &MethodFacts) -> Summary {
    let is_function = method.head.returns.is_some() && symbols.function(symbols.methods[id as usize].owner).is_some();
    let ret = if is_function { (THIS | inside_bit(0)) as u32 } else { 0 };
    Summary { acts: true, ret, ret_deep: ret, ..Summary::default() }
}

/// Whether all that a branch decides is whether calls run that change what static fields hold, and nothing else: what the method
/// gives does not depend on that, and what those fields hold is a source of its own wherever it is read.
fn only_notes(eval: &Eval<'_>, sink: &Sink, changes: &[Change]) -> bool {
    let is_static = |root: &Root| matches!(root.of, Holder::Field(field) if eval.symbols.fields[field as usize].flags.has(Flags::STATIC));
    let is_note = |it: &Change| matches!(it.by, By::Call(_)) && it.roots.iter().all(is_static);
    let notes = |&call: &u32| {
        let mut made = changes.iter().filter(|it| it.by == By::Call(call)).peekable();
        made.peek().is_some() && made.all(is_note)
    };
    // Few methods note anything.
    eval.precision == Precision::Refined && changes.iter().any(is_note) && eval.obstacles(sink).is_some_and(|calls| calls.iter().all(notes))
}

fn one(mut eval: Eval<'_>, method: &MethodFacts) -> Summary {
    eval.run();
    let changes = changes(&eval);
    let mut summary = Summary::default();
    let low = |bits: u64| (bits & PORTS) as u32;
    for sink in &eval.graph.sinks {
        let mask = eval.mask(sink.value);
        match sink.kind {
            SinkKind::Return => {
                summary.ret |= low(mask.m);
                summary.ret_deep |= low(mask.deep);
                summary.ret_held |= low(mask.held);
                summary.ret_inside |= low(mask.inside());
                if method.head.returns.is_some_and(|it| !is_value(it)) {
                    for root in eval.roots(sink.value) {
                        match root.of {
                            Holder::Port(port) if root.part == Part::Inside => summary.alias |= inside_bit(port as usize) as u32,
                            Holder::Port(port) => summary.alias |= port_bit(port as usize) as u32,
                            Holder::Field(field) => {
                                summary.add_alias((field, root.part));
                            }
                        }
                    }
                }
            }
            SinkKind::Throw if eval.precision == Precision::Paper => {}
            SinkKind::Branch(_) if eval.precision == Precision::Refined && eval.is_benign(sink) => {}
            SinkKind::Branch(_) | SinkKind::Throw => {
                summary.branch |= low(mask.m);
                summary.branch_deep |= low(mask.deep);
                if sink.kind != SinkKind::Throw {
                    summary.decides |= low(mask.m | mask.deep);
                }
                let throws = sink.only_throws || sink.kind == SinkKind::Throw;
                if eval.precision == Precision::Paper || !(throws || only_notes(&eval, sink, &changes)) {
                    summary.ret |= low(mask.m);
                    summary.ret_deep |= low(mask.deep);
                }
            }
        }
    }
    for index in (0..eval.graph.calls.len() as u32).filter(|&it| !eval.is_aside(it)) {
        for (callee, other) in eval.callees(index) {
            if other.branch | other.branch_deep != 0 {
                let decided = low(eval.through_ports(index, callee, u64::from(other.branch)).m);
                let deep = low(eval.through_ports(index, callee, u64::from(other.branch | other.branch_deep)).deep);
                summary.branch |= decided;
                summary.branch_deep |= deep;
                let decides = eval.through_ports(index, callee, u64::from(other.decides));
                summary.decides |= low(decides.m | decides.deep) & (decided | deep);
                if eval.precision == Precision::Paper {
                    summary.ret |= decided;
                    summary.ret_deep |= deep;
                }
            }
        }
    }
    summary.acts = acts(&eval, method);
    summary.ret_deep |= summary.ret;
    let spread_port = if method.head.flags.has(Flags::VARARGS) { method.head.params.len() as u32 } else { 0 };
    let unchangeable = unchangeable(method);
    for change in changes {
        let mask = if let Feeds::Mask(mask) = change.feeds { mask } else { Mask::default() };
        for root in change.roots {
            let Holder::Port(port) = root.of else { continue };
            if port_bit(port as usize) & unchangeable != 0 {
                continue;
            }
            let is_inside = root.part != Part::Value && port > 0 && u32::from(port) == spread_port;
            summary.mutated |= if is_inside { inside_bit(port as usize) } else { port_bit(port as usize) } as u32;
            // What it brings itself is no news.
            let itself = (port_bit(port as usize) | inside_bit(port as usize)) as u32;
            let news = |bits: u64| low(bits) & !itself;
            let mask = mask.within(root.part, 0);
            summary.add_out(Out { port, absorbed: news(mask.m), held: news(mask.held), inside: news(mask.inside()) });
        }
    }
    summary
}

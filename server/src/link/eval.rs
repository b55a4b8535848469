//! Evaluates the value graph of one method against what is known of its callees.
//!
//! Origins are bits, and a node's [`Mask`] is the set of origins that reach it.

mod library;
mod mask;
mod presence;
mod roots;

pub use mask::{FIRST_SOURCE, LAST_PORT, Mask, PORTS, Part, THIS, inside_bit, parameter_of, port_bit, port_number};
pub use roots::{Holder, Root, Roots};

use super::resolve::{Listing, Ref, Resolved, Target};
use super::summary::{Globals, Summary};
use super::symbols::{FieldId, MethodId, Symbols};
use crate::catalogue::{MODIFIES, Slot, catalogue};
use crate::facts::graph::{Graph, Group, NONE, NodeId, NodeKind, STORED, Sink, SinkKind, WriteKind};
use crate::intern::{Ty, TyData};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::settings::Precision;
use smallvec::SmallVec;
use std::cell::{Cell, OnceCell};
use std::ops::Range;

/// Graphs with more rounds than this are joined as they are; structured code needs two or three.
const MAX_ROUNDS: usize = 24;

/// The port at which a call gives something to the functions that it gets, in [`Eval::call_seeds`].
pub const GIVEN: u8 = u8::MAX;

/// A method that is evaluated.
pub struct Eval<'a> {
    /// The symbol table.
    pub symbols: &'a Symbols,
    /// Its values.
    pub graph: &'a Graph,
    /// What its names and calls mean.
    pub resolved: &'a Resolved,
    /// Summaries of callees.
    pub globals: &'a Globals,
    /// The reading.
    pub precision: Precision,
    /// Bits of sources, per node.
    pub node_seeds: Vec<(NodeId, u64, Part)>,
    /// Bits of sources that a call brings: call, port (`None` for the result), bit.
    pub call_seeds: Vec<(u32, Option<u8>, u64, Part)>,
    /// Those of these bits that a callee read: they are never the method's alone.
    pub lifted: u64,
    /// The bits of what callers bring that anybody wants to know of: all by itself.
    pub ports: u64,
    /// Those of these bits that are objects which change as a whole: what is read from them is state as well.
    pub deep: u64,
    /// Those of these bits that are fields of which neither whether they hold an object nor which one depends on the source: no test for
    /// null or of the type of such a field does.
    pub present: u64,
    /// Fields of the receiver that hold null or an array without elements: nothing is reached by way of them.
    pub empty: SmallVec<[FieldId; 2]>,
    /// The origins of each node.
    pub masks: Vec<Mask>,
    /// The writes that are captures of locals by classes that stand in the method.
    captures: SmallVec<[u32; 2]>,
    /// For each node the one that holds the same object from the start, once somebody asked for roots.
    bases: OnceCell<Vec<NodeId>>,
    /// The last node that was asked for while masks are computed.
    latest: Cell<NodeId>,
}

impl<'a> Eval<'a> {
    /// A method without sources, before it is run: nothing reaches anything yet.
    pub fn new(symbols: &'a Symbols, graph: &'a Graph, resolved: &'a Resolved, globals: &'a Globals, precision: Precision) -> Eval<'a> {
        Eval {
            symbols,
            graph,
            resolved,
            globals,
            precision,
            node_seeds: Vec::new(),
            call_seeds: Vec::new(),
            lifted: 0,
            ports: PORTS,
            deep: 0,
            present: 0,
            empty: SmallVec::new(),
            masks: Vec::new(),
            captures: (0..).zip(&graph.writes).filter(|it| it.1.kind == WriteKind::Capture).map(|it| it.0).collect(),
            bases: OnceCell::new(),
            latest: Cell::default(),
        }
    }

    /// Computes the masks of all nodes.
    pub fn run(&mut self) {
        self.masks = vec![Mask::default(); self.graph.nodes.len()];
        for &(node, bit, part) in &self.node_seeds {
            self.masks[node as usize].join(Mask::seed(bit, part));
        }
        // Nodes that need later ones, as loops do. Before the first of them that finds something new, nothing changes any more.
        let mut looking_ahead: Vec<NodeId> = Vec::new();
        let mut from = 0;
        for _ in 0..MAX_ROUNDS {
            looking_ahead.retain(|&it| it < from);
            for id in from..self.graph.nodes.len() as NodeId {
                self.latest.set(0);
                let mask = self.transfer(id);
                if self.latest.get() > id {
                    looking_ahead.push(id);
                }
                self.masks[id as usize].join(mask);
            }
            let has_news = |id: NodeId| self.masks[id as usize].with(self.transfer(id)) != self.masks[id as usize];
            match looking_ahead.iter().copied().find(|&it| has_news(it)) {
                Some(id) => from = id,
                None => return,
            }
        }
    }

    /// The mask of a node; nothing for no node.
    pub fn mask(&self, node: NodeId) -> Mask {
        if node == NONE {
            return Mask::default();
        }
        // A node may not need itself: numbers here are one higher, so that it counts as a later one.
        self.latest.set(self.latest.get().max(node + 1));
        self.masks.get(node as usize).copied().unwrap_or_default()
    }

    fn union(&self, nodes: &[NodeId]) -> Mask {
        let mut mask = Mask::default();
        for &node in nodes {
            mask.join(self.mask(node));
        }
        mask
    }

    fn transfer(&self, id: NodeId) -> Mask {
        let graph = self.graph;
        match graph.nodes[id as usize].kind {
            NodeKind::Param(i) => self.port(i as usize + 1),
            NodeKind::This => self.port(0),
            NodeKind::Name(_) => match self.resolved.refs[id as usize] {
                Ref::Field(field) if !self.symbols.fields[field as usize].flags.has(Flags::STATIC) => Mask::of(THIS & self.ports).field(),
                _ => Mask::default(),
            },
            NodeKind::Select(obj, name) => match self.resolved.refs[id as usize] {
                Ref::NoValue => Mask::default(),
                Ref::Field(_) => self.mask(obj).field(),
                _ if name.as_str() == "length" => self.mask(obj).shape(),
                _ => self.mask(obj).flat().value(),
            },
            NodeKind::Component(obj, ..) => match self.resolved.refs[id as usize] {
                Ref::Field(_) => self.mask(obj).field(),
                _ => self.mask(obj).flat().value(),
            },
            NodeKind::Element(obj) => self.mask(obj).element(),
            NodeKind::Typed(obj, _) => self.mask(obj),
            NodeKind::Derive(list) => {
                let operands = graph.list(list);
                // Whether there is an object does not depend on what is inside it (to the paper, it does).
                let null_test = self.precision == Precision::Refined && operands.iter().any(|&it| graph.nodes[it as usize].kind == NodeKind::Null);
                if null_test { self.presence(operands) } else { self.derived(operands) }
            }
            NodeKind::Same(list) => self.union(graph.list(list)).flat().value(),
            NodeKind::Phi(list) => self.union(graph.list(list)),
            NodeKind::Sized(list, _) => self.union(graph.list(list)).flat().value(),
            NodeKind::Array(list, _) => self.union(graph.list(list)).as_element(),
            NodeKind::Stored(array, value) => self.mask(array).with(self.mask(value).as_element()),
            NodeKind::Lambda(_) if self.gives_nothing(id) => Mask::default(),
            NodeKind::Lambda(lambda) => self.union(graph.list(graph.lambdas[lambda as usize].results)),
            NodeKind::LambdaParam(lambda, i) => match graph.lambdas[lambda as usize].call {
                NONE => Mask::default(),
                call => self.given(call, i),
            },
            NodeKind::Call(call) if self.graph.calls[call as usize].form == CallForm::Reference && self.gives_nothing(id) => Mask::default(),
            NodeKind::Call(call) => self.result(call),
            NodeKind::After(call, port) => self.after(call, port),
            NodeKind::Gained(by, port, pair) => {
                let (object, holder) = graph.pair(pair);
                self.mask(object).with(self.gained(by, port, holder))
            }
            NodeKind::Const(_) | NodeKind::Null | NodeKind::OuterThis(_) | NodeKind::Type(_) | NodeKind::Caught(_) => Mask::default(),
        }
    }

    /// What is computed from these. A text that has a random name inside makes longer names of that kind.
    fn derived(&self, operands: &[NodeId]) -> Mask {
        let mut mask = Mask::default();
        for &operand in operands {
            let of = self.mask(operand);
            mask.join(if of.elem != 0 && self.is_text(operand) { of } else { of.flat() });
        }
        mask.value()
    }

    /// Whether a value is declared to be a text, or made of one that is.
    fn is_text(&self, node: NodeId) -> bool {
        let is_string = |ty: Ty| matches!(ty.data(), TyData { name, dims: 0, .. } if matches!(name.as_str(), "String" | "java.lang.String"));
        match (self.graph.nodes[node as usize].kind, self.resolved.refs[node as usize]) {
            (NodeKind::Typed(_, ty), _) => is_string(ty),
            (NodeKind::Name(_) | NodeKind::Select(..), Ref::Field(field)) => is_string(self.symbols.fields[field as usize].ty),
            // Nothing else that is computed has anything inside.
            (kind, _) => matches!(kind, NodeKind::Derive(_)),
        }
    }

    /// What callers bring at a port, as far as anybody asks.
    fn port(&self, port: usize) -> Mask {
        if self.ports == 0 { Mask::default() } else { Mask::port(port).without(!self.ports) }
    }

    /// Whether a lambda or a reference stands for a function without a result.
    fn gives_nothing(&self, node: NodeId) -> bool {
        self.resolved.voids.binary_search(&node).is_ok()
    }

    /// What a call passes at a port: 0 is the receiver. A reference is called with what the call around it works on: as
    /// arguments, and if it is written with a type as the receiver.
    pub fn passed(&self, index: u32, port: usize) -> Mask {
        let site = &self.resolved.calls[index as usize];
        let call = &self.graph.calls[index as usize];
        if port == 0 {
            if call.form == CallForm::Reference && self.is_of_type(index) {
                self.given_to_reference(index)
            } else if call.recv != NONE {
                self.mask(call.recv)
            } else if site.implicit_this {
                self.port(0)
            } else {
                Mask::default()
            }
        } else {
            self.graph.list(call.args).get(port - 1).map_or(Mask::default(), |&it| self.mask(it))
        }
    }

    /// All origins of what a call passes: where there are none, what its callees do with it is of no account.
    pub fn brings(&self, call: u32) -> u64 {
        let site = &self.graph.calls[call as usize];
        match site.form {
            CallForm::Reference => self.passed(call, 0).any() | self.given_to_reference(call).any(),
            _ => self.graph.list(site.args).iter().fold(self.passed(call, 0).any(), |bits, &it| bits | self.mask(it).any()),
        }
    }

    /// Whether it passes any.
    fn brings_any(&self, call: u32) -> bool {
        let site = &self.graph.calls[call as usize];
        match site.form {
            CallForm::Reference => self.brings(call) != 0,
            _ => self.passed(call, 0).any() != 0 || self.graph.list(site.args).iter().any(|&it| self.mask(it).any() != 0),
        }
    }

    fn all_args(&self, call: u32) -> Mask {
        match self.graph.calls[call as usize].form {
            CallForm::Reference => self.given_to_reference(call),
            _ => self.union(self.graph.list(self.graph.calls[call as usize].args)),
        }
    }

    /// Whether a reference is written with a type, so that it may get its receiver as the first argument.
    fn is_of_type(&self, reference: u32) -> bool {
        let recv = self.graph.calls[reference as usize].recv;
        self.resolved.refs.get(recv as usize) == Some(&Ref::NoValue)
    }

    fn seeds(&self, call: u32, port: Option<u8>) -> Mask {
        let mut mask = Mask::default();
        for &(_, _, bit, part) in self.call_seeds.iter().filter(|it| it.0 == call && it.1 == port) {
            let seed = Mask::seed(bit, part);
            mask.join(Mask { intra: seed.intra & !self.lifted, ..seed });
        }
        mask
    }

    /// The callees of a call in the workspace, with their summaries (overriding methods joined in).
    pub fn callees(&self, call: u32) -> impl Iterator<Item = (MethodId, &'a Summary)> + use<'a> {
        let globals = self.globals;
        self.callee_ids(call).map(|(it, is_virtual)| (it, globals.summary(it, is_virtual)))
    }

    /// The same if anything reaches the call: if not, nothing comes of it.
    fn reached_callees(&self, call: u32) -> impl Iterator<Item = (MethodId, &'a Summary)> + use<'a> {
        let callees = if self.brings_any(call) { Some(self.callees(call)) } else { None };
        callees.into_iter().flatten()
    }

    /// The callees of a call in the workspace, and whether what overrides them may run instead.
    pub fn callee_ids(&self, call: u32) -> impl Iterator<Item = (MethodId, bool)> + use<'a> {
        let resolved = self.resolved;
        let (callees, is_virtual) = resolved.targets(&resolved.calls[call as usize].target);
        callees.iter().map(move |&it| (it, is_virtual))
    }

    /// Which port of the callee each argument of a call reaches.
    pub fn port_of(&self, callee: MethodId, arg: usize) -> usize {
        let info = &self.symbols.methods[callee as usize];
        if info.flags.has(Flags::VARARGS) { (arg + 1).min(info.arity.max(1) as usize) } else { arg + 1 }
    }

    /// The ports of a callee that a reference to it passes arguments at.
    pub fn reference_ports(&self, callee: MethodId) -> std::ops::RangeInclusive<usize> {
        1..=self.symbols.methods[callee as usize].arity as usize
    }

    /// Whether what a call passes at a port of its callee goes into an array that is made for the call.
    pub fn is_spread(&self, call: u32, callee: MethodId, callee_port: usize) -> bool {
        let info = &self.symbols.methods[callee as usize];
        let n_args = self.graph.calls[call as usize].args.len;
        info.flags.has(Flags::VARARGS) && callee_port == info.arity as usize && (n_args != info.arity || self.resolved.calls[call as usize].spread)
    }

    /// What a value of the callee that is computed from `bits` (ports) is computed from at a call, and what those hold.
    pub fn through_ports(&self, call: u32, callee: MethodId, bits: u64) -> Mask {
        let mut mask = Mask::default();
        if bits == 0 {
            return mask;
        }
        let mut add = |port: usize, passed: Mask| {
            let value = bits & port_bit(port) != 0;
            let inside = bits & inside_bit(port) != 0;
            if value || inside {
                let of = |bits: u64| if value { bits } else { 0 };
                let below = |bits: u64| if inside { bits } else { 0 };
                mask.join(Mask {
                    m: of(passed.m) | below(passed.inside()),
                    deep: of(passed.deep) | below(passed.below),
                    held: of(passed.held),
                    ..passed.shape()
                });
            }
        };
        if bits & (THIS | inside_bit(0)) != 0 {
            add(0, self.passed(call, 0));
        }
        if bits & !(THIS | inside_bit(0)) != 0 {
            let site = &self.graph.calls[call as usize];
            if site.form == CallForm::Reference {
                let given = self.given_to_reference(call);
                self.reference_ports(callee).for_each(|port| add(port, given));
            } else {
                for (i, &arg) in self.graph.list(site.args).iter().enumerate() {
                    let port = self.port_of(callee, i);
                    let arg = self.mask(arg);
                    add(port, if self.is_spread(call, callee, port) { arg.as_element() } else { arg });
                }
            }
        }
        mask
    }

    /// What an object holds that keeps a value.
    pub fn kept(&self, value: Mask) -> u64 {
        value.as_held(self.deep).held
    }

    /// The mask of what a call returns or makes.
    pub fn result(&self, call: u32) -> Mask {
        let site = &self.resolved.calls[call as usize];
        if site.listing == Listing::Sanitized {
            return Mask::default();
        }
        let mut mask = self.seeds(call, None);
        if !self.captures.is_empty() {
            mask.join(self.captured(call));
        }
        match site.target {
            Target::Library | Target::Unresolved => mask.join(self.library_result(call, site)),
            Target::Method(..) | Target::Many(..) | Target::Among(..) | Target::Default(_) => {
                let form = self.graph.calls[call as usize].form;
                if matches!(site.target, Target::Default(_)) {
                    // Nobody wrote this constructor: if it takes anything, a tool made it and it keeps it.
                    mask.held |= self.kept(self.all_args(call));
                }
                for (callee, summary) in self.reached_callees(call) {
                    let (mut bits, mut deep) = (u64::from(summary.ret), u64::from(summary.ret_deep));
                    let mut held = u64::from(summary.ret_held);
                    let mut inside = u64::from(summary.ret_inside);
                    // The new object holds what its constructor keeps, and a fluent setter returns the object that has
                    // just absorbed its argument.
                    let is_new = form == CallForm::New || (form == CallForm::Reference && self.graph.calls[call as usize].name.as_str() == "<init>");
                    if is_new {
                        // What decides in a constructor decides what its fields are.
                        held |= bits;
                        (bits, deep) = (0, 0);
                    }
                    for out in &summary.out {
                        if (is_new && out.port == 0) || u64::from(summary.alias) & port_bit(out.port as usize) != 0 {
                            bits |= u64::from(out.absorbed);
                            held |= u64::from(out.held);
                            inside |= u64::from(out.inside);
                        }
                    }
                    let through = self.through_ports(call, callee, bits);
                    mask.m |= through.m;
                    mask.deep |= through.deep | self.through_ports(call, callee, deep).deep;
                    // What is returned as it is brings what it holds; what is kept becomes part of what is returned.
                    mask.held |= self.through_ports(call, callee, u64::from(summary.alias)).held | self.kept(self.through_ports(call, callee, held));
                    let inside = self.through_ports(call, callee, inside);
                    mask.elem |= inside.m;
                    mask.inner |= inside.m;
                    mask.below |= inside.deep;
                }
            }
        }
        mask
    }

    /// What an object that a call makes holds of the locals around its class, if that stands in the method.
    fn captured(&self, index: u32) -> Mask {
        let call = &self.graph.calls[index as usize];
        let mut mask = Mask::default();
        if call.form != CallForm::New {
            return mask;
        }
        let class = match self.resolved.calls[index as usize].target {
            Target::Default(class) => Some(class),
            Target::Method(constructor, _) => Some(self.symbols.methods[constructor as usize].owner),
            _ => None,
        };
        for &write in &self.captures {
            let (it, field) = (&self.graph.writes[write as usize], self.resolved.writes[write as usize]);
            let is_its = match call.body {
                Some(body) => it.obj == u32::from(body),
                None => field != NONE && class == Some(self.symbols.fields[field as usize].owner),
            };
            if is_its {
                mask.join(self.mask(it.value).within(Part::Held, self.deep));
            }
        }
        mask
    }

    fn after(&self, call: u32, port: u32) -> Mask {
        let was = if self.goes_by_rule(call) { self.absorbed(call, port as usize) } else { self.passed(call, port as usize) };
        was.with(self.added(call, port))
    }

    /// What an object gets by a call or write that changes what belongs to it, which was reached from `holder`.
    fn gained(&self, by: u32, port: u16, holder: NodeId) -> Mask {
        let (added, part) = if port == STORED {
            let write = &self.graph.writes[by as usize];
            let value = self.mask(write.value);
            let belongs = if write.kind == WriteKind::Element { Part::Inside } else { Part::Held };
            (value.within(belongs, self.deep), Some(write.obj))
        } else {
            let by_rule = if self.goes_by_rule(by) { self.all_taken(by, port as usize).0 } else { Mask::default() };
            (by_rule.with(self.added(by, u32::from(port))), self.graph.passed(by, u32::from(port)))
        };
        let mut mask = Mask::default();
        if added.any() != 0
            && let Some(part) = part
        {
            for part in self.belongs(part, holder) {
                mask.join(added.within(part, self.deep));
            }
        }
        mask
    }

    /// Whether the rules of the catalogue say what a call does to its objects.
    fn goes_by_rule(&self, call: u32) -> bool {
        let site = &self.resolved.calls[call as usize];
        matches!(site.target, Target::Library | Target::Unresolved) || site.rule == MODIFIES
    }

    /// What callees of the workspace, and sources, add to an object at a port.
    fn added(&self, call: u32, port: u32) -> Mask {
        let mut mask = self.seeds(call, Some(port.min(u32::from(GIVEN) - 1) as u8));
        if matches!(self.resolved.calls[call as usize].target, Target::Library | Target::Unresolved) {
            return mask;
        }
        for (callee, summary) in self.reached_callees(call) {
            let callee_port = if port == 0 { 0 } else { self.port_of(callee, port as usize - 1) };
            let out = summary.out_of(port_number(callee_port));
            let through = self.through_ports(call, callee, u64::from(out.absorbed));
            let inside = self.through_ports(call, callee, u64::from(out.inside));
            mask.m |= through.m;
            mask.deep |= through.deep;
            mask.held |= through.held | self.kept(self.through_ports(call, callee, u64::from(out.held)));
            mask.elem |= inside.m;
            mask.inner |= inside.m;
            mask.below |= inside.deep;
        }
        mask
    }

    /// Whether what a call of a method of the workspace does is of no account: it logs, or the like. Its result counts.
    pub fn is_aside(&self, call: u32) -> bool {
        self.precision == Precision::Refined && self.resolved.calls[call as usize].benign
    }

    /// Whether a sink guards nothing but benign calls, so that it is none in the refined reading.
    pub fn is_benign(&self, sink: &Sink) -> bool {
        matches!(sink.kind, SinkKind::Branch(_)) && sink.group != NONE && self.group_is_benign(&self.graph.groups[sink.group as usize])
    }

    /// The calls that keep a branch from being benign. `None` if something else does, or if nothing does.
    pub fn obstacles(&self, sink: &Sink) -> Option<Vec<u32>> {
        if !matches!(sink.kind, SinkKind::Branch(_)) {
            return None;
        }
        let mut found: Vec<u32> = Vec::new();
        let mut next = sink.group;
        while let Some(group) = self.graph.groups.get(next as usize) {
            let calls = (group.from..group.to.max(group.from)).filter(|&it| !self.is_harmless(it, group.from..group.to));
            found.extend(calls);
            if group.statement {
                break;
            }
            if !group.harmless {
                return None;
            }
            next = group.parent;
        }
        found.sort_unstable();
        found.dedup();
        (!found.is_empty()).then_some(found)
    }

    /// Whether nothing that is left after these calls depends on whether this one of them ran: it logs, or it only gives a
    /// result, for which it changes no more than objects that were made among them.
    pub fn is_harmless(&self, call: u32, among: Range<u32>) -> bool {
        let site = &self.resolved.calls[call as usize];
        let form = self.graph.calls[call as usize].form;
        if site.benign || self.graph.calls[call as usize].benign {
            return true;
        }
        match site.target {
            Target::Library => {
                let effects = &catalogue().rules.rule(site.rule).effects;
                site.is_still() && effects.iter().all(|it| self.is_made_by(self.port_node(call, slot_port(it.into)), among.clone()))
            }
            // What runs besides a constructor when an object is made is not looked at.
            Target::Method(..) | Target::Many(..) | Target::Among(..) => {
                matches!(form, CallForm::On | CallForm::Plain | CallForm::Super) && self.callees(call).all(|it| !it.1.acts)
            }
            Target::Default(_) | Target::Unresolved => false,
        }
    }

    /// Whether an object was made by one of these calls.
    fn is_made_by(&self, node: NodeId, calls: Range<u32>) -> bool {
        let bases = self.bases.get_or_init(|| self.same_objects());
        let Some(base) = bases.get(node as usize).and_then(|&it| self.graph.nodes.get(it as usize)) else { return false };
        matches!(base.kind, NodeKind::Call(made) if calls.contains(&made) && self.graph.calls[made as usize].form == CallForm::New)
    }

    /// The object at a port of a call; [`NONE`] if nothing is written there.
    fn port_node(&self, call: u32, port: usize) -> NodeId {
        let call = &self.graph.calls[call as usize];
        if port == 0 { call.recv } else { self.graph.list(call.args).get(port - 1).copied().unwrap_or(NONE) }
    }

    fn group_is_benign(&self, group: &Group) -> bool {
        let mut any = false;
        for call in group.from..group.to.max(group.from) {
            any |= self.resolved.calls[call as usize].benign;
            if !self.is_harmless(call, group.from..group.to) {
                return false;
            }
        }
        // A statement of its own decides alone: it is a call of a logger, with its arguments.
        if group.statement {
            return any;
        }
        group.harmless && (group.parent == NONE || self.group_is_benign(&self.graph.groups[group.parent as usize]))
    }
}

/// The port that a slot of a rule is.
pub fn slot_port(slot: Slot) -> usize {
    match slot {
        Slot::Recv => 0,
        Slot::Arg(i) => i as usize + 1,
    }
}

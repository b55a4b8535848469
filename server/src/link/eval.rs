//! Evaluates the value graph of one method against what is known of its callees.
//!
//! Origins are bits: the lower half of a word stands for the receiver and the parameters, the upper half for the
//! sources that the method reads. A node's word is the set of origins that reach it.

use super::resolve::{Listing, Ref, Resolved, Site, Target};
use super::summary::{Globals, Summary};
use super::symbols::{FieldId, MethodId, Symbols};
use crate::catalogue::{Effect, Feed, MODIFIES, ResultRule, Slot, catalogue};
use crate::facts::graph::{Graph, Group, NONE, NodeId, NodeKind, Sink, SinkKind};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::settings::Precision;
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;

/// The receiver's bit; parameter i has the bit above i.
pub const THIS: u64 = 1;
/// All bits of receiver and parameters.
pub const PORTS: u64 = 0xffff_ffff;
/// The first bit of a source.
pub const FIRST_SOURCE: u32 = 32;
/// Graphs with more rounds than this are joined as they are; structured code needs two or three.
const MAX_ROUNDS: usize = 24;

/// The origins of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mask {
    /// That it was computed from.
    pub m: u64,
    /// Also those whose object's fields it was read from: state that changes as a whole taints what is read from it.
    pub deep: u64,
    /// As `deep`, without what went through a callee of the workspace.
    pub intra: u64,
    /// Held in a field of the object, which is not tainted itself: it leaves with the object and goes nowhere else,
    /// since the field is a source wherever it is read.
    pub held: u64,
}

impl Mask {
    fn of(bit: u64) -> Mask {
        Mask { m: bit, deep: bit, intra: bit, held: 0 }
    }

    fn held(bit: u64) -> Mask {
        Mask { held: bit, ..Mask::default() }
    }

    /// What the object brings with it: its own origins and those of what it holds.
    pub fn whole(self) -> u64 {
        self.m | self.held
    }

    /// All of it as merely held.
    pub fn as_held(self) -> Mask {
        Mask::held(self.whole())
    }

    /// Without what is merely held.
    fn value(self) -> Mask {
        Mask { held: 0, ..self }
    }

    fn join(&mut self, other: Mask) {
        self.m |= other.m;
        self.deep |= other.deep;
        self.intra |= other.intra;
        self.held |= other.held;
    }
}

/// The bit of a parameter or (0) the receiver.
pub fn port_bit(port: usize) -> u64 {
    1 << port.min(31)
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Root {
    /// The receiver (0) or a parameter (1..).
    Port(u8),
    /// What a field of the receiver or of a parameter holds.
    PartOf(u8),
    /// A field, or a part of what it holds.
    Field(FieldId),
}

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
    pub node_seeds: Vec<(NodeId, u64)>,
    /// Bits of sources that a call brings: call, port (`None` for the result), bit, and whether it is merely held.
    pub call_seeds: Vec<(u32, Option<u8>, u64, bool)>,
    /// Those of these bits that a callee read: they are never the method's alone.
    pub lifted: u64,
    /// The origins of each node.
    pub masks: Vec<Mask>,
    /// The last node that was asked for while masks are computed.
    pub latest: Cell<NodeId>,
}

/// Where an object comes from: mostly one place.
pub type Roots = SmallVec<[Root; 2]>;

/// Nodes on the way to roots, each with whether what is meant is only what a field of it holds.
type Open = SmallVec<[(NodeId, bool); 8]>;

impl<'a> Eval<'a> {
    /// Computes the masks of all nodes.
    pub fn run(&mut self) {
        self.masks = vec![Mask::default(); self.graph.nodes.len()];
        for &(node, bit) in &self.node_seeds {
            self.masks[node as usize].join(Mask::of(bit));
        }
        for _ in 0..MAX_ROUNDS {
            let (mut changed, mut forward) = (false, true);
            for id in 0..self.graph.nodes.len() {
                let mut mask = self.masks[id];
                self.latest.set(0);
                mask.join(self.transfer(id as NodeId));
                forward &= self.latest.get() <= id as NodeId;
                if mask != self.masks[id] {
                    self.masks[id] = mask;
                    changed = true;
                }
            }
            // Where no node needs a later one, another round would find the same.
            if !changed || forward {
                return;
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
        self.masks[node as usize]
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
            NodeKind::Param(i) => Mask::of(port_bit(i as usize + 1)),
            NodeKind::This => Mask::of(THIS),
            NodeKind::Name(_) => match self.resolved.refs[id as usize] {
                Ref::Field(field) if !self.symbols.fields[field as usize].flags.has(Flags::STATIC) => Mask { m: 0, deep: THIS, intra: THIS, held: 0 },
                _ => Mask::default(),
            },
            NodeKind::Select(obj, _) | NodeKind::Component(obj, ..) => match self.resolved.refs[id as usize] {
                Ref::NoValue => Mask::default(),
                Ref::Field(_) => Mask { m: 0, ..self.mask(obj).value() },
                _ => self.mask(obj).value(),
            },
            NodeKind::Element(obj) => self.mask(obj).value(),
            NodeKind::Typed(obj, _) => self.mask(obj),
            NodeKind::Derive(list) => self.union(graph.list(list)).value(),
            NodeKind::Phi(list) | NodeKind::Array(list, _) => self.union(graph.list(list)),
            NodeKind::Stored(array, value) => self.union(&[array, value]),
            NodeKind::Lambda(lambda) => self.union(graph.list(graph.lambdas[lambda as usize].results)),
            NodeKind::LambdaParam(lambda, _) => {
                let call = graph.lambdas[lambda as usize].call;
                if call == NONE {
                    return Mask::default();
                }
                let call = &graph.calls[call as usize];
                let mut mask = self.mask(call.recv);
                for &arg in graph.list(call.args) {
                    if !matches!(graph.nodes[arg as usize].kind, NodeKind::Lambda(_)) {
                        mask.join(self.mask(arg));
                    }
                }
                mask.value()
            }
            NodeKind::Call(call) => self.result(call),
            NodeKind::After(call, port) => self.after(call, port),
            NodeKind::Const(_) | NodeKind::Null | NodeKind::OuterThis(_) | NodeKind::Type(_) | NodeKind::Caught(_) => Mask::default(),
        }
    }

    /// What a call passes at a port: 0 is the receiver.
    pub fn passed(&self, call: u32, port: usize) -> Mask {
        let site = &self.resolved.calls[call as usize];
        let call = &self.graph.calls[call as usize];
        if port == 0 {
            if call.recv != NONE {
                self.mask(call.recv)
            } else if site.implicit_this {
                Mask::of(THIS)
            } else {
                Mask::default()
            }
        } else {
            self.graph.list(call.args).get(port - 1).map_or(Mask::default(), |&it| self.mask(it))
        }
    }

    fn all_args(&self, call: u32) -> Mask {
        self.union(self.graph.list(self.graph.calls[call as usize].args))
    }

    fn seeds(&self, call: u32, port: Option<u8>) -> Mask {
        let mut mask = Mask::default();
        for &(_, _, bit, held) in self.call_seeds.iter().filter(|it| it.0 == call && it.1 == port) {
            mask.join(if held { Mask::held(bit) } else { Mask { intra: bit & !self.lifted, ..Mask::of(bit) } });
        }
        mask
    }

    /// The callees of a call in the workspace, with their summaries (overriding methods joined in).
    pub fn callees(&self, call: u32) -> impl Iterator<Item = (MethodId, &'a Summary)> + use<'a> {
        let globals = self.globals;
        self.callee_ids(call).map(|(it, is_virtual)| (it, globals.summary(it, is_virtual)))
    }

    /// The callees of a call in the workspace, and whether what overrides them may run instead.
    pub fn callee_ids(&self, call: u32) -> impl Iterator<Item = (MethodId, bool)> + use<'a> {
        let resolved = self.resolved;
        let (callees, is_virtual): (&'a [MethodId], bool) = match &resolved.calls[call as usize].target {
            Target::Method(method, is_virtual) => (std::slice::from_ref(method), *is_virtual),
            target => resolved.targets(*target),
        };
        callees.iter().map(move |&it| (it, is_virtual))
    }

    /// Which port of the callee each argument of a call reaches.
    pub fn port_of(&self, callee: MethodId, arg: usize) -> usize {
        let info = &self.symbols.methods[callee as usize];
        if info.flags.has(Flags::VARARGS) { (arg + 1).min(info.arity.max(1) as usize) } else { arg + 1 }
    }

    /// Joins what the callee's `bits` (ports) get from a call.
    pub fn through_ports(&self, call: u32, callee: MethodId, bits: u64) -> Mask {
        let mut mask = Mask::default();
        if bits & THIS != 0 {
            mask.join(self.passed(call, 0));
        }
        if bits & !THIS != 0 {
            let site = &self.graph.calls[call as usize];
            if site.form == CallForm::Reference {
                // Called later with what the outer call works on.
                if site.outer != NONE {
                    mask.join(self.passed(site.outer, 0));
                }
            } else {
                for (i, &arg) in self.graph.list(site.args).iter().enumerate() {
                    if bits & port_bit(self.port_of(callee, i)) != 0 {
                        mask.join(self.mask(arg));
                    }
                }
            }
        }
        mask
    }

    fn result(&self, call: u32) -> Mask {
        let site = &self.resolved.calls[call as usize];
        if site.listing == Listing::Sanitized {
            return Mask::default();
        }
        let mut mask = self.seeds(call, None);
        match site.target {
            Target::Library | Target::Unresolved => mask.join(self.library_result(call, site)),
            Target::Method(..) | Target::Many(..) | Target::Default(_) => {
                let form = self.graph.calls[call as usize].form;
                if matches!(site.target, Target::Default(_)) {
                    // Nobody wrote this constructor: if it takes anything, a tool made it and it keeps it.
                    mask.held |= self.all_args(call).whole();
                }
                for (callee, summary) in self.callees(call) {
                    let mut bits = u64::from(summary.ret);
                    let mut held = u64::from(summary.ret_held);
                    // The new object holds what its constructor keeps, and a fluent setter returns the object that has
                    // just absorbed its argument.
                    let is_new = form == CallForm::New || (form == CallForm::Reference && self.graph.calls[call as usize].name.as_str() == "<init>");
                    for (port, absorbed, kept) in &summary.out {
                        if (is_new && *port == 0) || u64::from(summary.alias) & port_bit(*port as usize) != 0 {
                            bits |= u64::from(*absorbed);
                            held |= u64::from(*kept);
                        }
                    }
                    let through = self.through_ports(call, callee, bits);
                    let deep = self.through_ports(call, callee, u64::from(summary.ret_deep)).deep;
                    mask.m |= through.m;
                    mask.deep |= through.deep | deep;
                    // What is returned as it is brings what it holds; what is kept becomes part of what is returned.
                    mask.held |= self.through_ports(call, callee, u64::from(summary.alias)).held | self.through_ports(call, callee, held).whole();
                }
            }
        }
        mask
    }

    fn library_result(&self, call: u32, site: &Site) -> Mask {
        let rule = catalogue().rules.rule(site.rule);
        let recv = || self.passed(call, 0);
        match rule.result {
            ResultRule::Default => {
                let mut mask = recv();
                mask.join(self.all_args(call));
                Mask { held: self.made_by_functions(call), ..mask }
            }
            ResultRule::RecvOnly | ResultRule::Old => recv().value(),
            ResultRule::Whole => {
                let mut mask = recv();
                mask.m |= mask.held;
                mask.deep |= mask.held;
                mask.intra |= mask.held;
                mask.join(self.all_args(call));
                mask
            }
            ResultRule::Args => self.all_args(call).value(),
            ResultRule::Recv => self.absorbed(call, 0),
            ResultRule::Arg(i) => self.passed(call, i as usize + 1),
            ResultRule::Part => {
                let mut mask = self.absorbed(call, 0);
                mask.join(self.all_args(call));
                Mask { held: self.made_by_functions(call), ..mask }
            }
            ResultRule::None => Mask::default(),
        }
    }

    /// What the results of functions hold that a library call gets: it may hand them back as they are (`orElseGet`).
    fn made_by_functions(&self, call: u32) -> u64 {
        let args = self.graph.list(self.graph.calls[call as usize].args).iter();
        let functions = args.filter(|&&arg| match self.graph.nodes[arg as usize].kind {
            NodeKind::Lambda(_) => true,
            NodeKind::Call(inner) => self.graph.calls[inner as usize].form == CallForm::Reference,
            _ => false,
        });
        functions.fold(0, |held, &arg| held | self.mask(arg).held)
    }

    /// What a library call leaves at a port.
    fn absorbed(&self, call: u32, port: usize) -> Mask {
        let site = &self.resolved.calls[call as usize];
        let mut mask = self.passed(call, port);
        let mut overwritten = false;
        let mut taken = Mask::default();
        for effect in &catalogue().rules.rule(site.rule).effects {
            if slot_port(effect.into) == port {
                overwritten |= effect.overwrites;
                // What a setter of an unknown type sets is held by the object; its other properties are not that.
                taken.join(if site.guessed { self.fed(call, effect).as_held() } else { self.fed(call, effect) });
            }
        }
        if overwritten {
            mask = Mask::default();
        }
        mask.join(taken);
        mask
    }

    /// What an effect feeds into its slot.
    pub fn fed(&self, call: u32, effect: &Effect) -> Mask {
        match effect.from {
            Feed::Nothing => Mask::default(),
            Feed::Args => self.all_args(call),
            Feed::Recv => self.passed(call, 0),
            Feed::Arg(i) => {
                let args = self.graph.list(self.graph.calls[call as usize].args);
                let last = slot_of_varargs(args.len(), i as usize);
                self.union(args.get(i as usize..last).unwrap_or_default())
            }
        }
    }

    fn after(&self, call: u32, port: u32) -> Mask {
        let site = &self.resolved.calls[call as usize];
        let mut mask = match site.target {
            Target::Library | Target::Unresolved => self.absorbed(call, port as usize),
            _ => {
                let mut mask = if site.rule == MODIFIES { self.absorbed(call, port as usize) } else { self.passed(call, port as usize) };
                for (callee, summary) in self.callees(call) {
                    let callee_port = if port == 0 { 0 } else { self.port_of(callee, port as usize - 1) };
                    let (absorbed, kept) = summary.out_of(callee_port as u8);
                    let through = self.through_ports(call, callee, u64::from(absorbed));
                    mask.m |= through.m;
                    mask.deep |= through.deep;
                    mask.held |= through.held | self.through_ports(call, callee, u64::from(kept)).whole();
                }
                mask
            }
        };
        mask.join(self.seeds(call, Some(port.min(255) as u8)));
        mask
    }

    /// Whether a sink guards nothing but benign calls, so that it is none in the refined reading.
    pub fn is_benign(&self, sink: &Sink) -> bool {
        matches!(sink.kind, SinkKind::Branch(_)) && sink.group != NONE && self.group_is_benign(&self.graph.groups[sink.group as usize])
    }

    fn group_is_benign(&self, group: &Group) -> bool {
        let calls = group.from as usize..group.to.max(group.from) as usize;
        let mut any = false;
        for (site, call) in self.resolved.calls[calls.clone()].iter().zip(&self.graph.calls[calls]) {
            any |= site.benign;
            let harmless =
                site.benign || call.benign || (site.target == Target::Library && !site.own_receiver && catalogue().rules.rule(site.rule).effects.is_empty());
            if !harmless {
                return false;
            }
        }
        // A statement of its own decides alone: it is a call of a logger, with its arguments.
        if group.statement {
            return any;
        }
        group.harmless && (group.parent == NONE || self.group_is_benign(&self.graph.groups[group.parent as usize]))
    }

    /// Where the object that a node holds comes from.
    pub fn roots(&self, node: NodeId) -> Roots {
        let mut found = Roots::new();
        let mut seen: Open = SmallVec::new();
        let mut open: Open = smallvec![(node, false)];
        while let Some((id, part)) = open.pop() {
            if id == NONE || seen.contains(&(id, part)) || seen.len() > 64 {
                continue;
            }
            seen.push((id, part));
            let mut add = |root: Root| {
                if !found.contains(&root) {
                    found.push(root);
                }
            };
            let port = |port: u8| if part { Root::PartOf(port) } else { Root::Port(port) };
            match self.graph.nodes[id as usize].kind {
                NodeKind::Param(i) => add(port((i + 1).min(31) as u8)),
                NodeKind::This => add(port(0)),
                NodeKind::Name(_) => {
                    if let Ref::Field(field) = self.resolved.refs[id as usize] {
                        add(Root::Field(field));
                        if !self.symbols.fields[field as usize].flags.has(Flags::STATIC) {
                            add(Root::PartOf(0));
                        }
                    }
                }
                NodeKind::Select(obj, _) | NodeKind::Component(obj, ..) => match self.resolved.refs[id as usize] {
                    Ref::Field(field) => {
                        add(Root::Field(field));
                        if !self.symbols.fields[field as usize].flags.has(Flags::STATIC) {
                            open.push((obj, true));
                        }
                    }
                    Ref::NoValue => {}
                    _ => open.push((obj, part)),
                },
                NodeKind::Element(obj) | NodeKind::Typed(obj, _) | NodeKind::Stored(obj, _) => open.push((obj, part)),
                NodeKind::Phi(list) => open.extend(self.graph.list(list).iter().map(|&it| (it, part))),
                NodeKind::After(call, port) => {
                    let call = &self.graph.calls[call as usize];
                    open.push((if port == 0 { call.recv } else { self.graph.list(call.args)[port as usize - 1] }, part));
                }
                NodeKind::LambdaParam(lambda, _) => {
                    let call = self.graph.lambdas[lambda as usize].call;
                    if call != NONE {
                        open.push((self.graph.calls[call as usize].recv, part));
                    }
                }
                NodeKind::Call(call) => self.call_roots(call, part, &mut open, &mut found),
                _ => {}
            }
        }
        found
    }

    fn call_roots(&self, index: u32, part: bool, open: &mut Open, found: &mut Roots) {
        let site = &self.resolved.calls[index as usize];
        let call = &self.graph.calls[index as usize];
        let args = self.graph.list(call.args);
        let mut add = |root: Root| {
            if !found.contains(&root) {
                found.push(root);
            }
        };
        let this = if part { Root::PartOf(0) } else { Root::Port(0) };
        match site.target {
            Target::Library | Target::Unresolved => match catalogue().rules.rule(site.rule).result {
                ResultRule::Recv | ResultRule::Part | ResultRule::Old => {
                    if call.recv != NONE {
                        open.push((call.recv, part));
                    } else if site.implicit_this {
                        add(this);
                    }
                }
                ResultRule::Arg(i) => open.extend(args.get(i as usize).map(|&it| (it, part))),
                _ => {}
            },
            _ => {
                for (callee, summary) in self.callees(index) {
                    for &field in &summary.alias_fields {
                        add(Root::Field(field));
                    }
                    // A getter returns a part of its receiver.
                    let part = part || !summary.alias_fields.is_empty();
                    if u64::from(summary.alias) & THIS != 0 {
                        if call.recv != NONE {
                            open.push((call.recv, part));
                        } else if site.implicit_this {
                            add(if part { Root::PartOf(0) } else { Root::Port(0) });
                        }
                    }
                    for (i, &arg) in args.iter().enumerate() {
                        if u64::from(summary.alias) & port_bit(self.port_of(callee, i)) != 0 {
                            open.push((arg, part));
                        }
                    }
                }
            }
        }
    }

    /// The object at a port of a call, and the roots of it.
    pub fn port_roots(&self, index: u32, port: usize) -> Roots {
        let call = &self.graph.calls[index as usize];
        if port == 0 {
            if call.recv != NONE {
                return self.roots(call.recv);
            }
            return if self.resolved.calls[index as usize].implicit_this { smallvec![Root::Port(0)] } else { Roots::new() };
        }
        self.graph.list(call.args).get(port - 1).map_or_else(Roots::new, |&it| self.roots(it))
    }
}

/// The port that a slot of a rule is.
pub fn slot_port(slot: Slot) -> usize {
    match slot {
        Slot::Recv => 0,
        Slot::Arg(i) => i as usize + 1,
    }
}

/// The last argument of a varargs member stands for all from there on; rules name fixed ones by number, and a call
/// has more arguments than a rule speaks of only there.
fn slot_of_varargs(n_args: usize, i: usize) -> usize {
    if i == 1 && n_args > 3 { n_args } else { (i + 1).min(n_args) }
}

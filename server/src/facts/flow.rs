//! The intra-procedural pass (paper §3.1.3, Algorithm 1 lines 10-25): operations in, value graph out.
//!
//! One forward pass keeps, for each local, the node that holds its value: an assignment replaces it (a strong
//! update, which the paper does not have), branches join, loops get a node for each local at their head whose second
//! operand is known at their end. That is the least fixed point without iterating.

mod calls;
mod compact;
mod control;
mod fresh;
mod guards;
mod holders;
mod writes;

use super::graph::{At, Call, Graph, Group, Lambda, List, NONE, Node, NodeId, NodeKind, Sink, SinkKind, View, Write, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::Param;
use crate::java::ops::{BranchKind, Op, OpKind};
use crate::java::queries::Marked;
use control::Frame;
use guards::{Guard, Test};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::Cell;

/// What the pass knows besides the operations.
pub struct Input<'a> {
    /// Parameters of the method.
    pub params: &'a [Param],
    /// Names that each nested type of the member uses: the locals it may capture.
    pub free_names: &'a [FxHashSet<Sym>],
    /// The member's number of this body's first nested type.
    pub first_nested: u16,
    /// Starts of the calls that the query of benign calls matched, in the file; sorted.
    pub benign: &'a [u32],
    /// What queries of the project mark in the file.
    pub marked: &'a Marked,
    /// Where positions count from, in the file.
    pub base: u32,
    /// Whether it is the body of a constructor.
    pub constructs: bool,
}

/// A local that a nested type captures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The nested type, as an index into the member's types.
    pub nested: u16,
    /// The local's name.
    pub name: Sym,
    /// Its declared type.
    pub ty: Option<Ty>,
}

struct Var {
    name: Sym,
    ty: Option<Ty>,
}

/// The values of all locals at one point; `dead` if control cannot get there.
#[derive(Clone)]
struct State {
    env: Vec<NodeId>,
    dead: bool,
}

/// A graph as the pass leaves it, before what nothing uses is dropped.
#[derive(Default)]
struct Draft {
    nodes: Vec<Node>,
    objects: Vec<NodeId>,
    lists: Vec<NodeId>,
    calls: Vec<Call>,
    writes: Vec<Write>,
    sinks: Vec<Sink>,
    groups: Vec<Group>,
    lambdas: Vec<Lambda>,
}

thread_local! {
    /// The room of the last draft, which the next one of the thread takes: bodies are many and short.
    static ROOM: Cell<Option<Draft>> = const { Cell::new(None) };
}

impl Draft {
    fn view(&self) -> View<'_> {
        View { lists: &self.lists, calls: &self.calls, writes: &self.writes, lambdas: &self.lambdas }
    }

    /// It is no longer needed.
    fn leave_room(mut self) {
        self.nodes.clear();
        self.objects.clear();
        self.lists.clear();
        self.calls.clear();
        self.writes.clear();
        self.sinks.clear();
        self.groups.clear();
        self.lambdas.clear();
        ROOM.set(Some(self));
    }
}

struct Flow<'a> {
    input: &'a Input<'a>,
    nodes: Vec<Node>,
    /// For each node the first one that is the same object: what a local holds stays that however it changes.
    objects: Vec<NodeId>,
    lists: Vec<NodeId>,
    calls: Vec<Call>,
    writes: Vec<Write>,
    sinks: Vec<Sink>,
    groups: Vec<Group>,
    lambdas: Vec<Lambda>,
    captures: Vec<Capture>,
    /// Changes to what lambdas were given: the lambda, the call and its port. They become known to whoever calls it.
    given: Vec<(u32, u32, u16)>,
    /// Objects that were put into others.
    taken: Vec<(NodeId, NodeId)>,
    vars: Vec<Var>,
    state: State,
    stack: Vec<NodeId>,
    frames: Vec<Frame>,
    /// Open groups, innermost last.
    open_groups: Vec<u32>,
    /// The last comparison with null.
    null_test: NodeId,
    /// The last condition that asks whether there is a value, or for a type, and what it asks.
    test: Option<(NodeId, Test)>,
    /// What tests say that must be true here.
    guards: Vec<Guard>,
    /// What locals hold where a test found them null, and what they held before.
    nulls: Vec<(NodeId, NodeId)>,
    /// Fields that a constructor has just assigned, and their values.
    fresh: Vec<(Sym, NodeId)>,
    /// Locals that open groups write: group, slot.
    written: Vec<(u32, usize)>,
    /// What such a local is after its group: if anything uses that, the group matters.
    left: Vec<(u32, NodeId)>,
    /// Indices of elements that are written: nothing else says that they are used.
    indices: Vec<NodeId>,
    /// The last statement that left the normal way was a `throw`.
    threw: bool,
    at: At,
}

/// Runs the pass over one body.
pub fn run(ops: &[Op], input: &Input<'_>) -> (Graph, Vec<Capture>) {
    let Draft { nodes, objects, lists, calls, writes, sinks, groups, lambdas } = ROOM.take().unwrap_or_default();
    let mut flow = Flow {
        input,
        nodes,
        objects,
        lists,
        calls,
        writes,
        sinks,
        groups,
        lambdas,
        captures: Vec::new(),
        given: Vec::new(),
        taken: Vec::new(),
        vars: Vec::new(),
        state: State { env: Vec::new(), dead: false },
        stack: Vec::new(),
        frames: Vec::new(),
        open_groups: Vec::new(),
        null_test: NONE,
        test: None,
        guards: Vec::new(),
        nulls: Vec::new(),
        fresh: Vec::new(),
        written: Vec::new(),
        left: Vec::new(),
        indices: Vec::new(),
        threw: false,
        at: At::default(),
    };
    for (i, param) in input.params.iter().enumerate() {
        let node = flow.node(NodeKind::Param(i as u32));
        flow.declare(param.name, Some(param.ty), node);
    }
    for op in ops {
        flow.at = At { start: op.start, len: op.len };
        flow.step(op.kind);
    }
    flow.finish()
}

impl Flow<'_> {
    fn finish(self) -> (Graph, Vec<Capture>) {
        let Flow { nodes, objects, lists, calls, writes, sinks, groups, lambdas, captures, .. } = self;
        let draft = Draft { nodes, objects, lists, calls, writes, sinks, groups, lambdas };
        let graph = compact::compact(&draft, &self.left, &self.indices);
        draft.leave_room();
        (graph, captures)
    }

    fn node(&mut self, kind: NodeKind) -> NodeId {
        self.nodes.push(Node { kind, at: self.at });
        let id = (self.nodes.len() - 1) as NodeId;
        let object = self.object_of(id);
        self.objects.push(object);
        id
    }

    fn list(&mut self, items: &[NodeId]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(items);
        List { start, len: items.len() as u32 }
    }

    fn push(&mut self, kind: NodeKind) {
        let node = self.node(kind);
        self.stack.push(node);
    }

    /// Broken code may leave fewer values than an operation wants; nothing is known of those.
    fn pop(&mut self) -> NodeId {
        match self.stack.pop() {
            Some(node) => node,
            None => self.node(NodeKind::Const(None)),
        }
    }

    fn pop_n(&mut self, n: usize) -> SmallVec<[NodeId; 8]> {
        let at = self.stack.len().saturating_sub(n);
        let popped = SmallVec::from_slice(&self.stack[at..]);
        self.stack.truncate(at);
        popped
    }

    fn declare(&mut self, name: Sym, ty: Option<Ty>, node: NodeId) {
        self.vars.push(Var { name, ty });
        self.state.env.push(node);
    }

    fn slot(&self, name: Sym) -> Option<usize> {
        self.vars.iter().rposition(|var| var.name == name)
    }

    /// Writes a local. Handlers of enclosing `try` blocks may see this value.
    fn set(&mut self, slot: usize, node: NodeId) {
        self.state.env[slot] = node;
        for frame in &mut self.frames {
            if let Frame::Try { written, open: true, .. } = frame {
                written.push((slot, node));
            }
        }
    }

    /// A value under the type of the local that takes it.
    fn typed(&mut self, value: NodeId, ty: Option<Ty>) -> NodeId {
        match ty {
            Some(ty) if !matches!(self.nodes[value as usize].kind, NodeKind::Const(_)) => self.node(NodeKind::Typed(value, ty)),
            _ => value,
        }
    }

    /// The node behind declared types: equal roots are the same object.
    fn root(&self, mut node: NodeId) -> NodeId {
        while let NodeKind::Typed(inner, _) = self.nodes[node as usize].kind {
            node = inner;
        }
        node
    }

    /// Something happened that matters whatever is logged: no open group is harmless any more.
    fn harm(&mut self) {
        self.harm_from(0);
    }

    /// The same for the inner groups alone, from this one on.
    fn harm_from(&mut self, first: usize) {
        for &group in &self.open_groups[first..] {
            self.groups[group as usize].harmless = false;
        }
    }

    /// A local outside the innermost groups was written. `later`: whether that matters follows from what uses the value that
    /// the local has after the group; a handler may see others.
    fn harm_local(&mut self, slot: usize, later: bool) {
        let later = later && !self.frames.iter().any(|it| matches!(it, Frame::Try { .. }));
        for frame in &self.frames {
            match frame {
                Frame::Cond { vars, group, .. } | Frame::Switch { vars, group, .. } if slot < *vars && later => self.written.push((*group, slot)),
                Frame::Cond { vars, group, .. } | Frame::Switch { vars, group, .. } | Frame::Statement { vars, group, .. } if slot < *vars => {
                    self.groups[*group as usize].harmless = false;
                }
                _ => {}
            }
        }
    }

    /// Notes what locals are after a group that writes them.
    fn note_written(&mut self, group: u32) {
        let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.written).into_iter().partition(|it| it.0 == group);
        self.written = others;
        let nodes = own.iter().filter_map(|&(_, slot)| self.state.env.get(slot)).map(|&it| (group, it));
        self.left.extend(nodes);
    }

    fn sink(&mut self, kind: SinkKind, value: NodeId, group: u32) {
        if !matches!(self.nodes[value as usize].kind, NodeKind::Const(_) | NodeKind::Null) {
            let only_throws = kind == SinkKind::Branch(BranchKind::Assert);
            self.sinks.push(Sink { kind, value, group, only_throws, null_test: self.null_test == value, at: self.at });
        }
    }

    fn step(&mut self, op: OpKind) {
        match op {
            OpKind::Literal(ty) => self.push(NodeKind::Const(Some(ty))),
            OpKind::Null => self.push(NodeKind::Null),
            OpKind::This => self.push(NodeKind::This),
            OpKind::OuterThis => {
                let class = self.pop();
                let kind = match self.nodes[class as usize].kind {
                    NodeKind::Name(name) | NodeKind::Select(_, name) => NodeKind::OuterThis(name),
                    _ => NodeKind::This,
                };
                self.push(kind);
            }
            OpKind::Name(name) => match self.slot(name) {
                Some(slot) => self.stack.push(self.state.env[slot]),
                None => self.push(NodeKind::Name(name)),
            },
            OpKind::TypeName(ty) => self.push(NodeKind::Type(ty)),
            OpKind::Select(name) => {
                let obj = self.pop();
                self.push(NodeKind::Select(obj, name));
            }
            OpKind::Index => {
                let index = self.pop();
                let array = self.pop();
                let element = self.node(NodeKind::Element(array));
                if matches!(self.nodes[index as usize].kind, NodeKind::Const(_)) {
                    self.stack.push(element);
                } else {
                    let list = self.list(&[element, index]);
                    let derived = self.node(NodeKind::Derive(list));
                    // The element keeps its identity; the index only adds where it came from.
                    let list = self.list(&[element, derived]);
                    self.push(NodeKind::Phi(list));
                }
            }
            OpKind::Derive(n) => {
                let operands = self.pop_n(n as usize);
                self.derive(&operands);
            }
            OpKind::Equals(equal) => {
                let (right, left) = (self.pop(), self.pop());
                let tested = match (self.nodes[left as usize].kind, self.nodes[right as usize].kind) {
                    (_, NodeKind::Null) => Some((left, right)),
                    (NodeKind::Null, _) => Some((right, left)),
                    _ => None,
                };
                match tested {
                    Some((tested, null)) if !matches!(self.nodes[tested as usize].kind, NodeKind::Const(_) | NodeKind::Null) => {
                        let list = self.list(&[tested, null]);
                        let node = self.node(NodeKind::Derive(list));
                        self.stack.push(node);
                        self.null_test = node;
                        self.asks_for_value(node, tested, equal);
                    }
                    _ => {
                        let is_constant = |it: NodeId| matches!(self.nodes[it as usize].kind, NodeKind::Const(_) | NodeKind::Null);
                        if is_constant(left) || is_constant(right) {
                            let (constant, tested) = if is_constant(left) { (left, right) } else { (right, left) };
                            // 0 and -1 stand for no value; what is `false` may well become so again.
                            let constant = self.nodes[constant as usize].kind;
                            let is_number = matches!(constant, NodeKind::Const(ty) if ty.is_none_or(|it| matches!(it.name().as_str(), "int" | "long")));
                            self.derive(&[left, right]);
                            if let (true, Some(&node)) = (is_number, self.stack.last()) {
                                self.asks_for_value(node, tested, equal);
                            }
                        } else {
                            let list = self.list(&[left, right]);
                            self.push(NodeKind::Same(list));
                        }
                    }
                }
            }
            OpKind::TypeTest(ty) => {
                let tested = self.pop();
                let node = self.which(tested);
                self.stack.push(node);
                self.asks_for_type(node, tested, ty);
            }
            OpKind::Not => {
                let operand = self.pop();
                self.derive(&[operand]);
                if let Some(&node) = self.stack.last() {
                    self.test = Some((node, self.test_of(operand).not()));
                }
            }
            OpKind::Cast(ty) => {
                let value = self.pop();
                let node = self.typed(value, Some(ty));
                self.stack.push(node);
            }
            OpKind::Assign(target, compound) => self.assign(target, compound),
            OpKind::Increment(target) => self.increment(target),
            OpKind::Call { form, name, argc, ty, body } => self.call(form, name, argc, ty, body),
            OpKind::SizedArray(ty, n) => {
                let sizes = self.pop_n(n as usize);
                let list = self.list(&sizes);
                self.push(NodeKind::Sized(list, ty));
            }
            OpKind::NewArray(ty, n) => {
                let items = self.pop_n(n as usize);
                let list = self.list(&items);
                self.push(NodeKind::Array(list, ty));
            }
            OpKind::Pop => {
                self.pop();
            }
            OpKind::Dup => {
                let top = self.pop();
                self.stack.extend([top, top]);
            }
            OpKind::Nip => {
                let top = self.pop();
                self.pop();
                self.stack.push(top);
            }
            OpKind::Component(ty, i) => {
                let record = self.pop();
                self.push(NodeKind::Component(record, ty, i));
            }
            OpKind::Declare { name, ty, init } => {
                let value = if init {
                    self.pop()
                } else if self.in_catch() {
                    self.node(NodeKind::Caught(ty))
                } else {
                    self.node(NodeKind::Const(ty))
                };
                let node = self.typed(value, ty);
                self.declare(name, ty, node);
            }
            OpKind::LocalType(nested) => self.capture(nested + self.input.first_nested),
            OpKind::Element => {
                let iterable = self.pop();
                self.push(NodeKind::Element(iterable));
            }
            OpKind::InitField(name) => {
                let value = self.pop();
                self.writes.push(Write { kind: WriteKind::Init, lazy: false, under: self.under(), obj: NONE, name, value, index: NONE, at: self.at });
            }
            control => {
                if !matches!(control, OpKind::ScopeBegin | OpKind::ScopeEnd | OpKind::StatementBegin | OpKind::StatementEnd) {
                    self.fresh.clear();
                }
                self.control(control);
            }
        }
    }

    /// What follows from which object there is, as a comparison with null does, and from nothing that is in it.
    fn which(&mut self, object: NodeId) -> NodeId {
        if matches!(self.nodes[object as usize].kind, NodeKind::Const(_) | NodeKind::Null) {
            return self.node(NodeKind::Const(None));
        }
        let null = self.node(NodeKind::Null);
        let list = self.list(&[object, null]);
        self.node(NodeKind::Derive(list))
    }

    fn derive(&mut self, operands: &[NodeId]) {
        let mut kept: SmallVec<[NodeId; 8]> = SmallVec::new();
        for it in operands.iter().map(|&it| self.fresh(it)) {
            if !matches!(self.nodes[it as usize].kind, NodeKind::Const(_) | NodeKind::Null) && !kept.contains(&it) {
                kept.push(it);
            }
        }
        if kept.is_empty() {
            self.push(NodeKind::Const(None));
        } else {
            let list = self.list(&kept);
            self.push(NodeKind::Derive(list));
        }
    }
}

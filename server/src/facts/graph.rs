//! The symbolic summary of a method body: a graph of values.
//!
//! Every value that can carry an origin is a node; its operands are the values it is made of. Locals are gone: the
//! flow pass has already decided which value each use sees, and where paths meet there is a [`NodeKind::Phi`].
//! What the graph means (which call is a source, which name is a field) is decided when files are linked.

use crate::intern::{Sym, Ty};
use crate::java::ops::{BranchKind, CallForm};
use crate::java::queries::Mark;

/// Index of a node in its graph.
pub type NodeId = u32;
/// No node.
pub const NONE: u32 = u32::MAX;

/// In place of a port in [`NodeKind::Gained`]: what changed is an element of an array or a field of an object, by a write.
pub const STORED: u16 = u16::MAX;

/// Bytes of the source, counted from the start of the member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct At {
    /// First byte.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

/// A slice of [`Graph::lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct List {
    /// Where it starts.
    pub start: u32,
    /// How many.
    pub len: u32,
}

/// A value and where the source computes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Node {
    /// How it is made.
    pub kind: NodeKind,
    /// Where.
    pub at: At,
}

/// How a value is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NodeKind {
    /// A literal of this type, or anything else that depends on nothing.
    Const(Option<Ty>),
    /// `null`.
    Null,
    /// The parameter with this number.
    Param(u32),
    /// The receiver.
    This,
    /// An enclosing instance, by its class name.
    OuterThis(Sym),
    /// A simple name that is no local: a field, a type, a package.
    Name(Sym),
    /// A type where an expression stands (`int[]::new`).
    Type(Ty),
    /// A field of a value, or a part of a qualified name.
    Select(NodeId, Sym),
    /// Component number of a record of this type.
    Component(NodeId, Ty, u16),
    /// An element of an array or iterable.
    Element(NodeId),
    /// Computed from these. [`NodeKind::Null`] is among them where something is compared with it, or its type is asked for.
    Derive(List),
    /// Whether these two are the same. [`NodeKind::Derive`] has the comparisons with null.
    Same(List),
    /// One of these.
    Phi(List),
    /// The same value under a declared type: a cast, or a local with that type.
    Typed(NodeId, Ty),
    /// An array after an element was stored: the array, the element.
    Stored(NodeId, NodeId),
    /// A new array made of these.
    Array(List, Ty),
    /// A new array of these sizes.
    Sized(List, Ty),
    /// The result of a call, by its index.
    Call(u32),
    /// The receiver (0) or argument (1..) of a call as the call leaves it.
    After(u32, u32),
    /// An object after a call that was given something which belongs to it: the call, the receiver (0) or argument (1..) that is
    /// or was reached from the object, and in [`Graph::lists`] from here the object and the value that this was reached from.
    /// With [`STORED`], after a write of an element or a field, by the index of the write.
    Gained(u32, u16, u32),
    /// A lambda, by its index: stands for what it returns.
    Lambda(u32),
    /// Parameter of a lambda: lambda, number.
    LambdaParam(u32, u32),
    /// An exception that a handler caught.
    Caught(Option<Ty>),
}

/// What tests around a place say that must be true where it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Under {
    /// This field has no value yet, as the nearest such test says.
    pub no_value: Option<Sym>,
    /// Something has this type, likewise.
    pub of_type: Option<Ty>,
}

/// A call site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Call {
    /// The method's name; `<init>` for constructors.
    pub name: Sym,
    /// How it is written.
    pub form: CallForm,
    /// Marked by the query of benign calls.
    pub benign: bool,
    /// Only made where a null check of the field that it is made on, or of what that holds, says that there is no value yet.
    pub lazy: bool,
    /// Where it is made.
    pub under: Under,
    /// What queries of the project say of it.
    pub mark: Mark,
    /// The receiver; [`NONE`] if there is none.
    pub recv: NodeId,
    /// The arguments.
    pub args: List,
    /// The type of a `new`; of a call with explicit type arguments one that has these.
    pub ty: Option<Ty>,
    /// The class body of a `new`, as an index into the member's types.
    pub body: Option<u16>,
    /// For references: the call that they are an argument of.
    pub outer: u32,
    /// Where.
    pub at: At,
}

/// How a field or element is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum WriteKind {
    /// `=` and compound assignment.
    Assign,
    /// A field initialiser.
    Init,
    /// An element of an array: `obj` is the array.
    Element,
    /// A local that a nested class captures: the class is `obj` as an index into the member's types.
    Capture,
}

/// A write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Write {
    /// How.
    pub kind: WriteKind,
    /// Only done where a null check of the same field, or of the same element of an array, says that it has no value yet.
    pub lazy: bool,
    /// Where it is done.
    pub under: Under,
    /// The object whose field it is; [`NONE`] for a simple name.
    pub obj: NodeId,
    /// The field.
    pub name: Sym,
    /// What is written.
    pub value: NodeId,
    /// Of an element that a null check says to have no value yet, the number of it; else [`NONE`].
    pub index: NodeId,
    /// Where.
    pub at: At,
}

/// Where a value decides or leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SinkKind {
    /// A `return` operand.
    Return,
    /// A condition.
    Branch(BranchKind),
    /// A `throw` operand.
    Throw,
}

/// A sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sink {
    /// Its kind.
    pub kind: SinkKind,
    /// What reaches it.
    pub value: NodeId,
    /// What it guards, as an index into [`Graph::groups`]; [`NONE`] if that may matter.
    pub group: u32,
    /// A branch that does nothing but throw on one side: a result, if there is one, does not depend on it.
    pub only_throws: bool,
    /// A branch that only asks whether something is null.
    pub null_test: bool,
    /// Where.
    pub at: At,
}

/// What a condition guards: the calls in it decide whether the branch is benign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Group {
    /// The group this one lies in, which must be benign as well; [`NONE`] if it stands alone.
    pub parent: u32,
    /// The first call.
    pub from: u32,
    /// One past the last call.
    pub to: u32,
    /// False as soon as something is assigned, returned, thrown or left.
    pub harmless: bool,
    /// An expression statement: benign only if it is a benign call.
    pub statement: bool,
}

/// A lambda.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Lambda {
    /// What it returns.
    pub results: List,
    /// The call it is an argument of; [`NONE`] if none.
    pub call: u32,
    /// Which argument.
    pub arg: u32,
    /// The first call in its body.
    pub from: u32,
    /// One past the last call in its body.
    pub to: u32,
}

/// The value graph of one method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// Values, operands mostly before their users.
    pub nodes: Box<[Node]>,
    /// Operand lists.
    pub lists: Box<[NodeId]>,
    /// Calls in source order.
    pub calls: Box<[Call]>,
    /// Writes in source order.
    pub writes: Box<[Write]>,
    /// Sinks in source order.
    pub sinks: Box<[Sink]>,
    /// Guarded groups.
    pub groups: Box<[Group]>,
    /// Lambdas.
    pub lambdas: Box<[Lambda]>,
}

/// What operands are found by, of a graph that is finished or still being made.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) lists: &'a [NodeId],
    pub(super) calls: &'a [Call],
    pub(super) writes: &'a [Write],
    pub(super) lambdas: &'a [Lambda],
}

impl Graph {
    fn view(&self) -> View<'_> {
        View { lists: &self.lists, calls: &self.calls, writes: &self.writes, lambdas: &self.lambdas }
    }

    /// The nodes of a list.
    pub fn list(&self, list: List) -> &[NodeId] {
        self.view().list(list)
    }

    /// The two nodes of a [`NodeKind::Gained`]: the object, and what the changed part was reached from.
    pub fn pair(&self, at: u32) -> (NodeId, NodeId) {
        self.view().pair(at)
    }

    /// Calls `f` with every operand of a node that its value is made of.
    pub fn operands(&self, node: &Node, f: impl FnMut(NodeId)) {
        self.view().operands(node, f);
    }

    /// The object that a node is, if it is one as something else left it.
    pub fn same_object(&self, node: NodeId) -> Option<NodeId> {
        match self.nodes[node as usize].kind {
            NodeKind::Typed(object, _) | NodeKind::Stored(object, _) => Some(object),
            NodeKind::After(call, port) => self.passed(call, port),
            NodeKind::Gained(_, _, pair) => Some(self.pair(pair).0),
            _ => None,
        }
    }

    /// The value behind declared types and casts.
    pub fn untyped(&self, mut node: NodeId) -> NodeId {
        while let NodeKind::Typed(inner, _) = self.nodes[node as usize].kind {
            node = inner;
        }
        node
    }

    /// The receiver (0) or argument (1..) of a call.
    pub fn passed(&self, call: u32, port: u32) -> Option<NodeId> {
        let call = &self.calls[call as usize];
        match port.checked_sub(1) {
            None => (call.recv != NONE).then_some(call.recv),
            Some(arg) => self.list(call.args).get(arg as usize).copied(),
        }
    }

    /// Whether anything takes a node as it is, but the nodes and the calls (by their index) that these accept.
    pub fn uses(&self, node: NodeId, but: impl Fn(&Node) -> bool, but_call: impl Fn(u32) -> bool) -> bool {
        let takes = |it: &Node| {
            let mut found = false;
            self.operands(it, |operand| found |= operand == node);
            found
        };
        self.nodes.iter().any(|it| takes(it) && !but(it))
            || (0..).zip(&self.calls).any(|(index, it)| (it.recv == node || self.list(it.args).contains(&node)) && !but_call(index))
            || self.writes.iter().any(|it| it.obj == node || it.value == node)
            || self.sinks.iter().any(|it| it.value == node)
            || self.lambdas.iter().any(|it| self.list(it.results).contains(&node))
    }
}

impl<'a> View<'a> {
    pub(super) fn list(self, list: List) -> &'a [NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    fn pair(self, at: u32) -> (NodeId, NodeId) {
        (self.lists[at as usize], self.lists[at as usize + 1])
    }

    fn operands_of_call(self, call: u32, mut f: impl FnMut(NodeId)) {
        let call = &self.calls[call as usize];
        if call.recv != NONE {
            f(call.recv);
        }
        self.list(call.args).iter().copied().for_each(f);
    }

    /// [`Graph::operands`].
    pub(super) fn operands(self, node: &Node, mut f: impl FnMut(NodeId)) {
        match node.kind {
            NodeKind::Select(obj, _) | NodeKind::Component(obj, ..) | NodeKind::Element(obj) | NodeKind::Typed(obj, _) => f(obj),
            NodeKind::Derive(list) | NodeKind::Same(list) | NodeKind::Phi(list) | NodeKind::Array(list, _) | NodeKind::Sized(list, _) => {
                self.list(list).iter().copied().for_each(f)
            }
            NodeKind::Stored(array, value) => {
                f(array);
                f(value);
            }
            NodeKind::Lambda(lambda) => self.list(self.lambdas[lambda as usize].results).iter().copied().for_each(f),
            NodeKind::Call(call) | NodeKind::After(call, _) => self.operands_of_call(call, f),
            NodeKind::Gained(by, port, pair) => {
                let (object, holder) = self.pair(pair);
                f(object);
                f(holder);
                if port == STORED {
                    let write = &self.writes[by as usize];
                    f(write.obj);
                    f(write.value);
                } else {
                    self.operands_of_call(by, f);
                }
            }
            NodeKind::LambdaParam(lambda, _) => {
                let call = self.lambdas[lambda as usize].call;
                if call != NONE {
                    let call = &self.calls[call as usize];
                    if call.recv != NONE {
                        f(call.recv);
                    }
                }
            }
            NodeKind::Const(_)
            | NodeKind::Null
            | NodeKind::Param(_)
            | NodeKind::This
            | NodeKind::OuterThis(_)
            | NodeKind::Name(_)
            | NodeKind::Type(_)
            | NodeKind::Caught(_) => {}
        }
    }
}

//! The graphs of members that nobody wrote.

use crate::facts::Graph;
use crate::facts::graph::{At, Call, List, NONE, Node, NodeKind, Sink, SinkKind, Under, Write, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::Param;
use crate::java::ops::CallForm;
use crate::java::queries::Mark;

/// The name of a constructor that a tool has for itself: none that is written has it.
const OWN_CONSTRUCTOR: &str = "<made>";

fn returned(value: u32, at: At) -> Box<[Sink]> {
    [Sink { kind: SinkKind::Return, value, group: NONE, only_throws: false, null_test: false, at }].into()
}

fn nodes(kinds: &[NodeKind], at: At) -> Box<[Node]> {
    kinds.iter().map(|&kind| Node { kind, at }).collect()
}

fn write(kind: WriteKind, obj: u32, name: Sym, value: u32, at: At) -> Box<[Write]> {
    [Write { kind, lazy: false, under: Under::default(), obj, name, value, index: NONE, at }].into()
}

fn new(name: &str, class: Sym, args: List, at: At) -> Box<[Call]> {
    let ty = Some(Ty::new(class, &[], 0));
    [Call {
        name: Sym::new(name),
        form: CallForm::New,
        benign: false,
        lazy: false,
        under: Under::default(),
        mark: Mark::default(),
        recv: NONE,
        args,
        ty,
        body: None,
        outer: NONE,
        at,
    }]
    .into()
}

/// `return this.name;`, or of the class.
pub(super) fn getter(name: Sym, is_static: bool, at: At) -> Graph {
    if is_static {
        return Graph { nodes: nodes(&[NodeKind::Name(name)], at), sinks: returned(0, at), ..Default::default() };
    }
    Graph { nodes: nodes(&[NodeKind::This, NodeKind::Select(0, name)], at), sinks: returned(1, at), ..Default::default() }
}

/// `this.name = name; return this;`, or of the class.
pub(super) fn setter(name: Sym, is_static: bool, at: At) -> Graph {
    if is_static {
        return Graph { nodes: nodes(&[NodeKind::Param(0)], at), writes: write(WriteKind::Assign, NONE, name, 0, at), ..Default::default() };
    }
    let nodes = nodes(&[NodeKind::Param(0), NodeKind::This], at);
    Graph { nodes, writes: write(WriteKind::Assign, 1, name, 0, at), sinks: returned(1, at), ..Default::default() }
}

/// Likewise, as a part of construction.
pub(super) fn builder_setter(name: Sym, at: At) -> Graph {
    let nodes = nodes(&[NodeKind::Param(0), NodeKind::This], at);
    Graph { nodes, writes: write(WriteKind::Init, NONE, name, 0, at), sinks: returned(1, at), ..Default::default() }
}

/// One more element of a field of a builder.
pub(super) fn builder_adder(name: Sym, n_params: usize, element: Ty, at: At) -> Graph {
    let n = n_params as u32;
    let mut kinds: Vec<NodeKind> = (0..n).map(NodeKind::Param).collect();
    kinds.extend([NodeKind::Array(List { start: 0, len: n }, element.with_dims(1)), NodeKind::This]);
    Graph {
        nodes: nodes(&kinds, at),
        lists: (0..n).collect(),
        writes: write(WriteKind::Init, NONE, name, n, at),
        sinks: returned(n + 1, at),
        ..Default::default()
    }
}

/// A constructor that writes each parameter to the field of its name.
pub(super) fn keeps_parameters(params: &[Param], at: At) -> Graph {
    let nodes = (0..params.len() as u32).map(|i| Node { kind: NodeKind::Param(i), at }).collect();
    let writes = params.iter().zip(0..).map(|(it, i)| Write {
        kind: WriteKind::Init,
        lazy: false,
        under: Under::default(),
        obj: NONE,
        name: it.name,
        value: i,
        index: NONE,
        at,
    });
    Graph { writes: writes.collect(), nodes, ..Default::default() }
}

/// `return new Class(parameters);`
pub(super) fn creation(class: Sym, n_params: usize, at: At) -> Graph {
    let n = n_params as u32;
    let kinds: Vec<NodeKind> = (0..n).map(NodeKind::Param).chain([NodeKind::Call(0)]).collect();
    Graph {
        nodes: nodes(&kinds, at),
        lists: (0..n).collect(),
        calls: new("<init>", class, List { start: 0, len: n }, at),
        sinks: returned(n, at),
        ..Default::default()
    }
}

/// A new object; with `from_this` one that has what the receiver has.
pub(super) fn begin(class: Sym, from_this: bool, at: At) -> Graph {
    let n = u32::from(from_this);
    let kinds: &[NodeKind] = if from_this { &[NodeKind::This, NodeKind::Call(0)] } else { &[NodeKind::Call(0)] };
    Graph {
        nodes: nodes(kinds, at),
        lists: (0..n).collect(),
        calls: new(OWN_CONSTRUCTOR, class, List { start: 0, len: n }, at),
        sinks: returned(n, at),
        ..Default::default()
    }
}

/// A new object of a type that is made of all parameters.
pub(super) fn mapped(ty: Ty, n_params: usize, at: At) -> Graph {
    let n = n_params as u32;
    let kinds: Vec<NodeKind> = (0..n).map(NodeKind::Param).chain([NodeKind::Call(0)]).collect();
    let call = Call { ty: Some(ty), ..new(OWN_CONSTRUCTOR, ty.name(), List { start: 0, len: n }, at)[0] };
    Graph { nodes: nodes(&kinds, at), lists: (0..n).collect(), calls: [call].into(), sinks: returned(n, at), ..Default::default() }
}

/// The parameter `target` gets what the others are, and may be returned.
pub(super) fn filled(target: usize, n_params: usize, field: Sym, is_returned: bool, at: At) -> Graph {
    let (target, n) = (target as u32, n_params as u32);
    let kinds: Vec<NodeKind> = (0..n).map(NodeKind::Param).chain([NodeKind::Derive(List { start: 0, len: n.saturating_sub(1) })]).collect();
    Graph {
        nodes: nodes(&kinds, at),
        lists: (0..n).filter(|&it| it != target).collect(),
        writes: write(WriteKind::Assign, target, field, n, at),
        sinks: if is_returned { returned(target, at) } else { Box::default() },
        ..Default::default()
    }
}

/// `return this;`
pub(super) fn itself(at: At) -> Graph {
    Graph { nodes: nodes(&[NodeKind::This], at), sinks: returned(0, at), ..Default::default() }
}

/// A new object that has what the receiver has, but for one field.
pub(super) fn copy_with(class: Sym, name: Sym, at: At) -> Graph {
    let kinds = [NodeKind::Param(0), NodeKind::This, NodeKind::Call(0)];
    Graph {
        nodes: nodes(&kinds, at),
        lists: [0, 1].into(),
        calls: new(OWN_CONSTRUCTOR, class, List { start: 0, len: 2 }, at),
        writes: write(WriteKind::Init, 2, name, 0, at),
        sinks: returned(2, at),
        ..Default::default()
    }
}

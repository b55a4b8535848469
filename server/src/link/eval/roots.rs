//! Where objects come from: what is changed when one is.

use super::{Eval, Part, inside_bit, port_bit, port_number};
use crate::catalogue::{ResultRule, catalogue};
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::link::resolve::{Ref, Target};
use crate::link::symbols::{FieldId, MethodId};
use smallvec::{SmallVec, smallvec};

/// What an object was reached from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Holder {
    /// The receiver (0) or a parameter (1..).
    Port(u8),
    /// A field.
    Field(FieldId),
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Root {
    /// What it was reached from.
    pub of: Holder,
    /// How it belongs to that: it is that itself, an element, or what a field of it holds.
    pub part: Part,
}

/// Where an object comes from: mostly one place.
pub type Roots = SmallVec<[Root; 2]>;

/// Nodes yet to be looked at, with how the object belongs to each.
type Open = SmallVec<[(NodeId, Part); 8]>;

impl Root {
    /// The receiver (0) or a parameter itself.
    pub fn port(port: u8) -> Root {
        Root { of: Holder::Port(port), part: Part::Value }
    }
}

fn add(found: &mut Roots, of: Holder, part: Part) {
    let root = Root { of, part };
    if !found.contains(&root) {
        found.push(root);
    }
}

impl Eval<'_> {
    /// For each node the one that holds the same object from the start: a chain of calls on one builder is as long as a
    /// method, and each of them asks where the builder comes from.
    pub(super) fn same_objects(&self) -> Vec<NodeId> {
        let mut bases: Vec<NodeId> = Vec::with_capacity(self.graph.nodes.len());
        for (id, node) in self.graph.nodes.iter().enumerate() {
            let same = match node.kind {
                NodeKind::Call(call) if self.gives_receiver(call) => self.graph.calls[call as usize].recv,
                _ => self.graph.same_object(id as NodeId).unwrap_or(NONE),
            };
            // What comes later in the list is followed when it is asked for.
            bases.push(bases.get(same as usize).copied().unwrap_or(id as NodeId));
        }
        bases
    }

    /// Whether a call of a library method gives the object that it was called on, or a view of it.
    fn gives_receiver(&self, call: u32) -> bool {
        let site = &self.resolved.calls[call as usize];
        matches!(site.target, Target::Library | Target::Unresolved)
            && matches!(catalogue().rules.rule(site.rule).result, ResultRule::Recv | ResultRule::View | ResultRule::Keys | ResultRule::Entries)
    }

    /// Where the object that a node holds comes from.
    pub fn roots(&self, node: NodeId) -> Roots {
        // Most of what calls get is a parameter, or was computed.
        match self.graph.nodes.get(node as usize).map(|it| it.kind) {
            Some(NodeKind::Param(i)) => smallvec![Root::port(port_number(i as usize + 1))],
            Some(NodeKind::This) => smallvec![Root::port(0)],
            Some(NodeKind::Const(_) | NodeKind::Null | NodeKind::Type(_) | NodeKind::Derive(_) | NodeKind::Same(_)) => Roots::new(),
            _ => self.reach(node, NONE).0,
        }
    }

    /// How the object that a node holds belongs to the one that another holds which it was reached from.
    pub(super) fn belongs(&self, node: NodeId, holder: NodeId) -> SmallVec<[Part; 2]> {
        self.reach(node, holder).1
    }

    /// The roots of a node, and how it belongs to `wanted`: a way that leads there ends there.
    fn reach(&self, node: NodeId, wanted: NodeId) -> (Roots, SmallVec<[Part; 2]>) {
        let bases = self.bases.get_or_init(|| self.same_objects());
        let wanted = bases.get(wanted as usize).copied().unwrap_or(NONE);
        let mut found = Roots::new();
        let mut parts = SmallVec::new();
        let mut seen: Open = SmallVec::new();
        let mut open: Open = smallvec![(node, Part::Value)];
        while let Some((id, part)) = open.pop() {
            let Some(&id) = bases.get(id as usize) else { continue };
            if seen.contains(&(id, part)) || seen.len() > 64 {
                continue;
            }
            seen.push((id, part));
            if id == wanted {
                parts.push(part);
                continue;
            }
            match self.graph.nodes[id as usize].kind {
                NodeKind::Param(i) => add(&mut found, Holder::Port(port_number(i as usize + 1)), part),
                NodeKind::This => add(&mut found, Holder::Port(0), part),
                NodeKind::Name(_) => {
                    if let Ref::Field(field) = self.resolved.refs[id as usize]
                        && !self.empty.contains(&field)
                        && self.field_root(field, part, &mut found)
                    {
                        add(&mut found, Holder::Port(0), Part::Held);
                    }
                }
                NodeKind::Select(obj, _) | NodeKind::Component(obj, ..) => match self.resolved.refs[id as usize] {
                    Ref::Field(field) => {
                        let is_own = self.graph.nodes[obj as usize].kind == NodeKind::This;
                        if !(is_own && self.empty.contains(&field)) && self.field_root(field, part, &mut found) {
                            open.push((obj, Part::Held));
                        }
                    }
                    Ref::NoValue => {}
                    _ => open.push((obj, part)),
                },
                NodeKind::Element(obj) => open.push((obj, part.max(Part::Inside))),
                NodeKind::Typed(..) | NodeKind::Stored(..) | NodeKind::After(..) | NodeKind::Gained(..) => {
                    if let Some(object) = self.graph.same_object(id) {
                        open.push((object, part));
                    }
                }
                NodeKind::Phi(list) => open.extend(self.graph.list(list).iter().map(|&it| (it, part))),
                NodeKind::LambdaParam(lambda, _) => {
                    let call = self.graph.lambdas[lambda as usize].call;
                    if call != NONE {
                        open.push((self.graph.calls[call as usize].recv, part.max(Part::Inside)));
                    }
                }
                NodeKind::Call(call) => self.call_roots(call, part, &mut open, &mut found),
                _ => {}
            }
        }
        (found, parts)
    }

    /// Adds a field; whether the object that has the field is a root as well. An array without elements is always what
    /// it was.
    fn field_root(&self, field: FieldId, part: Part, found: &mut Roots) -> bool {
        let info = &self.symbols.fields[field as usize];
        if info.is_empty_array() {
            return false;
        }
        add(found, Holder::Field(field), part);
        !info.flags.has(Flags::STATIC)
    }

    fn call_roots(&self, index: u32, part: Part, open: &mut Open, found: &mut Roots) {
        let site = &self.resolved.calls[index as usize];
        let call = &self.graph.calls[index as usize];
        let args = self.graph.list(call.args);
        let receiver = |part: Part, found: &mut Roots, open: &mut Open| {
            if call.recv != NONE {
                open.push((call.recv, part));
            } else if site.implicit_this {
                add(found, Holder::Port(0), part);
            }
        };
        match site.target {
            Target::Library | Target::Unresolved => match catalogue().rules.rule(site.rule).result {
                ResultRule::Recv | ResultRule::View | ResultRule::Keys | ResultRule::Entries => receiver(part, found, open),
                ResultRule::Part | ResultRule::Old => receiver(part.max(Part::Inside), found, open),
                // A copy is an object of its own; its elements are not.
                ResultRule::Clone | ResultRule::Collected if part != Part::Value => receiver(part, found, open),
                ResultRule::Copy if part != Part::Value => open.extend(args.iter().map(|&it| (it, part))),
                ResultRule::Arg(i) => open.extend(args.get(i as usize).map(|&it| (it, part))),
                _ => {}
            },
            _ => {
                for (callee, summary) in self.callees(index) {
                    for &(field, of_field) in &summary.alias_fields {
                        add(found, Holder::Field(field), part.max(of_field));
                    }
                    // A getter returns a part of its receiver.
                    let part = if summary.alias_fields.is_empty() && !summary.alias_any { part } else { Part::Held };
                    let alias = |port: usize, open: &mut Open, found: &mut Roots, arg: Option<NodeId>| {
                        for (bit, part) in [(port_bit(port), part), (inside_bit(port), part.max(Part::Inside))] {
                            if u64::from(summary.alias) & bit != 0 {
                                match arg {
                                    Some(arg) => open.push((arg, part)),
                                    None => receiver(part, found, open),
                                }
                            }
                        }
                    };
                    alias(0, open, found, None);
                    for (i, &arg) in args.iter().enumerate() {
                        alias(self.port_of(callee, i), open, found, Some(arg));
                    }
                }
            }
        }
    }

    /// Whether what a reference to a method gets at a port is what the call hands to it which takes the reference: the receiver
    /// where the reference is written with a type (`Node::up`), else the first parameter (`this::up`).
    fn is_given(&self, index: u32, port: usize) -> bool {
        let call = &self.graph.calls[index as usize];
        // What a constructor is called on is new.
        if port == 0 && call.name.as_str() == "<init>" {
            return false;
        }
        let of_type = self.is_of_type(index);
        let is_static = |(method, _): (MethodId, bool)| self.symbols.methods[method as usize].flags.has(Flags::STATIC);
        match port {
            0 => of_type && !self.callee_ids(index).any(is_static),
            1 => !of_type || self.callee_ids(index).all(is_static),
            _ => false,
        }
    }

    /// What functions get that a method of this object is given: mostly its elements.
    fn element_roots(&self, object: NodeId) -> Roots {
        if object == NONE {
            return Roots::new();
        }
        let mut found = self.roots(object);
        found.iter_mut().for_each(|it| it.part = it.part.max(Part::Inside));
        found
    }

    /// The object at a port of a call, and the roots of it.
    pub fn port_roots(&self, index: u32, port: usize) -> Roots {
        let call = &self.graph.calls[index as usize];
        if call.form == CallForm::Reference && call.outer != NONE && self.is_given(index, port) {
            return self.element_roots(self.graph.calls[call.outer as usize].recv);
        }
        if port == 0 {
            if call.recv != NONE {
                return self.roots(call.recv);
            }
            return if self.resolved.calls[index as usize].implicit_this { smallvec![Root::port(0)] } else { Roots::new() };
        }
        self.graph.list(call.args).get(port - 1).map_or_else(Roots::new, |&it| self.roots(it))
    }
}

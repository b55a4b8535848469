//! Whether an object that a field holds is changed indeed, by the classes that the object can have.
//!
//! A summary speaks of all methods that a call may run, whoever calls. What a field holds is often known better: an object
//! that its initialiser makes. So where nothing but calls is said to change it, they are followed down to a write, through
//! methods that an object of these classes runs, and through parameters that can take it.

use super::{Modification, own_type, type_at};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, NodeKind, SinkKind};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::eval::{Eval, Holder, LAST_PORT, Part, Root, inside_bit, port_bit};
use crate::link::resolve::{Ref, Resolved, Target};
use crate::link::summary::{By, Globals, changes};
use crate::link::symbols::{FieldId, MethodId, Symbols, TypeId, UNKNOWN};
use crate::settings::Precision;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Classes that an object is said to have one by one.
const MAX_CLASSES: usize = 16;
/// Methods that are looked at for one field; after that many it is changed.
const MAX_METHODS: usize = 300;
/// How far a value is followed to where it is made.
const MAX_DEPTH: u32 = 8;
/// Callers of a constructor that are looked at.
const MAX_CALLERS: usize = 64;

/// The classes that an object may have; `None` if any.
type Classes = Option<SmallVec<[TypeId; 4]>>;

/// What is asked about.
pub(super) struct Input<'a, F> {
    pub symbols: &'a Symbols,
    pub resolved: &'a [Arc<Resolved>],
    pub globals: &'a Globals,
    pub precision: Precision,
    pub callers: &'a [Vec<MethodId>],
    pub facts: &'a F,
    /// All that is assigned to candidates.
    pub values: &'a FxHashMap<FieldId, Vec<(MethodId, NodeId)>>,
    /// Names of fields that something assigns of which the class is not known.
    pub assigned_names: &'a FxHashSet<Sym>,
}

/// Methods to look at: at which port the object is, and which classes it may have, as a number.
#[derive(Default)]
struct Walk {
    classes: Vec<Classes>,
    seen: FxHashSet<(MethodId, u8, usize)>,
    open: Vec<(MethodId, u8, usize)>,
}

impl Walk {
    fn number(&mut self, classes: Classes) -> usize {
        self.classes.iter().position(|it| *it == classes).unwrap_or_else(|| {
            self.classes.push(classes);
            self.classes.len() - 1
        })
    }
}

impl<'i, 'a: 'i, F: Fn(MethodId) -> &'a MethodFacts> Input<'i, F> {
    /// Whether one of these modifications changes what a field holds.
    pub fn is_changed(&self, field: FieldId, modifications: &[Modification]) -> bool {
        if modifications.iter().any(|it| it.into.is_none()) {
            return true;
        }
        let Some(classes) = self.of_field(field, 0) else { return true };
        let mut walk = Walk { classes: vec![Some(classes)], ..Walk::default() };
        if modifications.iter().any(|it| self.changes(&mut walk, it.method, Holder::Field(field), 0, Some(it.by))) {
            return true;
        }
        while let Some((method, port, classes)) = walk.open.pop() {
            if walk.seen.len() > MAX_METHODS || self.changes(&mut walk, method, Holder::Port(port), classes, None) {
                return true;
            }
        }
        false
    }

    /// Whether a method changes the object itself. Adds to the walk what it calls that may.
    fn changes(&self, walk: &mut Walk, method: MethodId, object: Holder, classes: usize, only: Option<By>) -> bool {
        let eval = self.eval(method);
        for change in changes(&eval) {
            let ours = |it: &&Root| it.of == object;
            let root = change.roots.iter().filter(ours).min_by_key(|it| it.part);
            let Some(root) = root.filter(|_| only.is_none_or(|it| it == change.by)) else { continue };
            let (Some((callee, port)), By::Call(call)) = (change.callee, change.by) else { return true };
            let node = match change.port {
                0 => eval.graph.calls[call as usize].recv,
                port => eval.graph.list(eval.graph.calls[call as usize].args).get(port - 1).copied().unwrap_or(NONE),
            };
            let classes = if root.part == Part::Value && (node == NONE || is_itself(&eval, node)) {
                classes
            } else {
                walk.number(field_at(&eval, node).and_then(|it| self.of_field(it, 0)))
            };
            let is_virtual = eval.callee_ids(call).any(|it| it == (callee, true));
            let bits = (port_bit(port as usize) | inside_bit(port as usize)) as u32;
            for runs in self.runs(callee, is_virtual, port, walk.classes[classes].as_deref()) {
                if self.globals.own[runs as usize].mutated & bits != 0 && walk.seen.insert((runs, port, classes)) {
                    walk.open.push((runs, port, classes));
                }
            }
        }
        false
    }

    /// The methods that a call may run which has an object of these classes at a port.
    fn runs(&self, callee: MethodId, is_virtual: bool, port: u8, classes: Option<&[TypeId]>) -> Vec<MethodId> {
        let symbols = self.symbols;
        let overriders = if is_virtual { symbols.overriders.get(&callee).map_or(&[][..], Vec::as_slice) } else { &[] };
        let all = || std::iter::once(callee).chain(overriders.iter().copied());
        let Some(classes) = classes else { return all().collect() };
        let info = &symbols.methods[callee as usize];
        if port == 0 && !info.flags.has(Flags::STATIC) && info.name.as_str() != "<init>" {
            let able = classes.iter().copied().filter(|&it| symbols.is_subtype(it, info.owner));
            if !is_virtual {
                return able.take(1).map(|_| callee).collect();
            }
            let mut found: Vec<MethodId> = Vec::new();
            for class in able {
                match symbols.find_methods(class, info.name).into_iter().find(|&it| it == callee || overriders.contains(&it)) {
                    Some(runs) if found.contains(&runs) => {}
                    Some(runs) => found.push(runs),
                    None => return all().collect(),
                }
            }
            return found;
        }
        let takes = |method: MethodId| {
            let ty = if port == 0 || usize::from(port) >= LAST_PORT { UNKNOWN } else { type_at(symbols, method, port) };
            let is_open = |it: TypeId| !symbols.is_own(ty) && symbols.own(it).is_none_or(|it| it.open);
            ty == UNKNOWN || classes.iter().any(|&it| symbols.is_subtype(it, ty) || is_open(it))
        };
        all().filter(|&it| takes(it)).collect()
    }

    /// The classes of what a field holds.
    fn of_field(&self, field: FieldId, depth: u32) -> Classes {
        let info = &self.symbols.fields[field as usize];
        let values = self.values.get(&field).filter(|_| !self.assigned_names.contains(&info.name) && info.ty.data().dims == 0);
        let made = values.filter(|_| depth < MAX_DEPTH).and_then(|all| union(all.iter().map(|&(method, node)| self.of_value(method, node, depth + 1))));
        // A field that nothing sets may be set by what is not seen.
        made.filter(|it| !it.is_empty()).or_else(|| self.below(own_type(self.symbols, field)))
    }

    /// A class of the workspace and all below it.
    fn below(&self, class: TypeId) -> Classes {
        let mut found: SmallVec<[TypeId; 4]> = SmallVec::new();
        found.push(class);
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            for &sub in &self.symbols.own(id)?.subs {
                if !found.contains(&sub) {
                    found.push(sub);
                }
            }
            if found.len() > MAX_CLASSES {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The classes of a value of a method.
    fn of_value(&self, method: MethodId, node: NodeId, depth: u32) -> Classes {
        if depth > MAX_DEPTH {
            return None;
        }
        let (graph, resolved) = (&(self.facts)(method).graph, &self.resolved[method as usize]);
        match graph.nodes.get(node as usize)?.kind {
            NodeKind::Typed(inner, _) => self.of_value(method, inner, depth + 1),
            NodeKind::Null => Some(SmallVec::new()),
            NodeKind::Phi(list) => union(graph.list(list).iter().map(|&it| self.of_value(method, it, depth + 1))),
            NodeKind::Name(_) | NodeKind::Select(..) => match resolved.refs[node as usize] {
                Ref::Field(field) if self.values.contains_key(&field) => self.of_field(field, depth + 1),
                _ => None,
            },
            NodeKind::Call(call) => {
                let (call, target) = (&graph.calls[call as usize], &resolved.calls[call as usize].target);
                match (call.form, target) {
                    (CallForm::New, Target::Default(class)) => Some(SmallVec::from_slice(&[*class])),
                    (CallForm::New, Target::Method(made, _)) if call.body.is_none() => {
                        Some(SmallVec::from_slice(&[self.symbols.methods[*made as usize].owner]))
                    }
                    (CallForm::On | CallForm::Plain, &Target::Method(callee, _)) if self.symbols.methods[callee as usize].flags.has(Flags::STATIC) => {
                        let returned = (self.facts)(callee).graph.sinks.iter().filter(|it| it.kind == SinkKind::Return);
                        union(returned.map(|it| self.of_value(callee, it.value, depth + 1)))
                    }
                    _ => None,
                }
            }
            NodeKind::Param(index) => self.of_argument(method, index as usize, depth + 1),
            _ => None,
        }
    }

    /// The classes of what an enum passes to its constructor.
    fn of_argument(&self, constructor: MethodId, index: usize, depth: u32) -> Classes {
        let info = &self.symbols.methods[constructor as usize];
        let callers = &self.callers[constructor as usize];
        let all_known = info.name.as_str() == "<init>" && self.symbols.type_kind(info.owner) == TypeKind::Enum && !info.flags.has(Flags::VARARGS);
        if !all_known || callers.len() > MAX_CALLERS {
            return None;
        }
        let mut found = Vec::new();
        for &caller in callers {
            let (graph, resolved) = (&(self.facts)(caller).graph, &self.resolved[caller as usize]);
            for (call, site) in graph.calls.iter().zip(&resolved.calls) {
                if resolved.targets(&site.target).0.contains(&constructor) {
                    found.push(graph.list(call.args).get(index).and_then(|&it| self.of_value(caller, it, depth + 1)));
                }
            }
        }
        union(found.into_iter())
    }

    fn eval(&self, id: MethodId) -> Eval<'i> {
        let graph = &(self.facts)(id).graph;
        let mut eval = Eval::new(self.symbols, graph, &self.resolved[id as usize], self.globals, self.precision);
        eval.run();
        eval
    }
}

/// All of these, if all are known.
fn union(all: impl Iterator<Item = Classes>) -> Classes {
    let mut found: SmallVec<[TypeId; 4]> = SmallVec::new();
    for classes in all {
        found.extend(classes?);
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Whether a node is the object that it comes from, as it is.
fn is_itself(eval: &Eval<'_>, node: NodeId) -> bool {
    let mut open: SmallVec<[NodeId; 8]> = SmallVec::from_slice(&[node]);
    let mut next = 0;
    while let Some(&id) = open.get(next) {
        next += 1;
        let mut add = |it: NodeId| {
            if it != NONE && !open.contains(&it) {
                open.push(it);
            }
        };
        match eval.graph.nodes[id as usize].kind {
            NodeKind::Typed(..) | NodeKind::After(..) | NodeKind::Gained(..) => eval.graph.same_object(id).into_iter().for_each(add),
            NodeKind::Phi(list) => eval.graph.list(list).iter().for_each(|&it| add(it)),
            // What a call returns may be in the object, or hold it.
            NodeKind::Call(_) | NodeKind::Element(_) | NodeKind::LambdaParam(..) => return false,
            _ => {}
        }
        if open.len() > 64 {
            return false;
        }
    }
    true
}

/// The field that a node reads, as it is.
fn field_at(eval: &Eval<'_>, mut node: NodeId) -> Option<FieldId> {
    while node != NONE {
        match (eval.graph.nodes[node as usize].kind, eval.resolved.refs[node as usize]) {
            (NodeKind::Typed(inner, _), _) => node = inner,
            (NodeKind::Name(_) | NodeKind::Select(..), Ref::Field(field)) => return Some(field),
            _ => return None,
        }
    }
    None
}

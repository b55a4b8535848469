//! Whether an object that a field holds is changed indeed, by the classes that the object can have.
//!
//! A summary speaks of all methods that a call may run, whoever calls. What a field holds is often known better: an object
//! that its initialiser makes. So where nothing but calls is said to change it, they are followed down to a write, through
//! methods that an object of these classes runs, and through parameters that can take it. Of a call by a library's interface
//! the class decides as well: one that cannot be changed throws. Of a class of which nothing changes any field no object changes.

use super::steady::Steady;
use super::{Modification, own_type, type_at};
use crate::catalogue::{MODIFIES, ResultRule, catalogue};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, NodeKind, SinkKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::changes::{By, changes};
use crate::link::eval::{Eval, Holder, LAST_PORT, Part, Root, inside_bit, port_bit, port_number};
use crate::link::resolve::{Ref, Resolved, Target};
use crate::link::summary::Globals;
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use crate::settings::Precision;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// Classes that an object is said to have one by one.
const MAX_CLASSES: usize = 16;
/// Methods that are looked at for one field; after that many it is changed.
const MAX_METHODS: usize = 300;
/// How far a value is followed to where it is made.
const MAX_DEPTH: u32 = 8;
/// Callers of a constructor that are looked at.
const MAX_CALLERS: usize = 64;
/// Values that are looked at for the classes of one.
const MAX_VALUES: u32 = 500;

/// The number of the classes of what the field holds, in [`Walk::classes`].
const ITSELF: usize = 0;

/// The class of an object of a library that cannot be changed.
const FROZEN: TypeId = UNKNOWN;

/// The classes that an object may have, of the workspace or [`FROZEN`]; `None` if any.
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
    /// Classes whose objects stay what they are.
    pub steady: &'a Steady,
}

/// Methods to look at: at which port the object is, and which classes it may have, as a number. What the field holds itself has
/// the number [`ITSELF`], which no part of it has.
#[derive(Default)]
struct Walk {
    classes: Vec<Classes>,
    /// Fields of what the field holds that hold null or an array without elements.
    empty: SmallVec<[FieldId; 2]>,
    seen: FxHashSet<(MethodId, u8, usize)>,
    open: Vec<(MethodId, u8, usize)>,
}

/// Where a value is looked at.
#[derive(Clone, Copy)]
struct Place<'p> {
    method: MethodId,
    /// What is known there.
    given: Given<'p>,
    /// Values that may still be looked at.
    left: &'p Cell<u32>,
}

/// What is known where a value is looked at.
#[derive(Clone, Copy)]
enum Given<'p> {
    /// Nothing but the program.
    Nothing,
    /// The classes of one object.
    Object(Holder, &'p Classes),
    /// The call that runs the method, where it stands, and the classes of what it is made on.
    Call(u32, &'p Place<'p>, &'p Classes),
}

impl Walk {
    fn number(&mut self, classes: Classes) -> usize {
        let known = self.classes.iter().skip(ITSELF + 1).position(|it| *it == classes).map(|it| it + ITSELF + 1);
        known.unwrap_or_else(|| {
            self.classes.push(classes);
            self.classes.len() - 1
        })
    }
}

impl<'i, 'a: 'i, F: Fn(MethodId) -> &'a MethodFacts> Input<'i, F> {
    /// Whether one of these modifications changes what a field holds.
    pub fn is_changed(&self, field: FieldId, modifications: &[Modification]) -> bool {
        if modifications.iter().any(|it| !matches!(it.by, By::Call(_))) {
            return true;
        }
        let Some(classes) = self.of_field(field, &Cell::new(MAX_VALUES), 0) else { return true };
        let empty = self.empty_parts(field);
        if !classes.is_empty() && classes.iter().all(|&it| self.steady.has(self.symbols, it, &empty)) {
            return false;
        }
        let mut walk = Walk { classes: vec![Some(classes)], empty, ..Walk::default() };
        if modifications.iter().any(|it| self.changes(&mut walk, it.method, Holder::Field(field), ITSELF, Some(it.by))) {
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
        let mut eval = self.eval(method);
        if object == Holder::Port(0) && classes == ITSELF {
            eval.empty.clone_from(&walk.empty);
        }
        for change in changes(&eval) {
            let ours = |it: &&Root| it.of == object;
            let root = change.roots.iter().filter(ours).min_by_key(|it| it.part);
            let Some(root) = root.filter(|_| only.is_none_or(|it| it == change.by)) else { continue };
            let By::Call(call) = change.by else { return true };
            let node = match change.port {
                0 => eval.graph.calls[call as usize].recv,
                port => eval.graph.list(eval.graph.calls[call as usize].args).get(port - 1).copied().unwrap_or(NONE),
            };
            let classes = if root.part == Part::Value && (node == NONE || is_itself(&eval, node, object)) {
                classes
            } else {
                let known = walk.classes[classes].clone();
                let place = Place { method, given: Given::Object(object, &known), left: &Cell::new(MAX_VALUES) };
                walk.number(self.of_value(place, node, 0))
            };
            let known = walk.classes[classes].as_deref();
            if classes != ITSELF && known.is_some_and(|it| it.iter().all(|&it| self.steady.has(self.symbols, it, &[]))) {
                continue;
            }
            let (runs, port) = match change.callee {
                Some((callee, port)) => {
                    let is_virtual = eval.callee_ids(call).any(|it| it == (callee, true));
                    (self.runs(callee, is_virtual, port, known), port)
                }
                None => match self.runs_for_library(&eval, call, change.port, known) {
                    Some(runs) => (runs, port_number(change.port)),
                    None => return true,
                },
            };
            let bits = (port_bit(port as usize) | inside_bit(port as usize)) as u32;
            for runs in runs {
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
            let may_be = |it: TypeId| !symbols.is_own(ty) && (it == FROZEN || symbols.may_be_below(it, ty));
            ty == UNKNOWN || classes.iter().any(|&it| symbols.is_subtype(it, ty) || may_be(it))
        };
        all().filter(|&it| takes(it)).collect()
    }

    /// The methods of the workspace that a call of a library method runs on an object of these classes at a port; `None` if it
    /// may be the library's own, or one that the project says to change the object.
    fn runs_for_library(&self, eval: &Eval<'_>, index: u32, port: usize, classes: Option<&[TypeId]>) -> Option<Vec<MethodId>> {
        let (call, site) = (&eval.graph.calls[index as usize], &eval.resolved.calls[index as usize]);
        if site.rule == MODIFIES {
            return None;
        }
        let mut own = classes?.iter().copied().filter(|&it| it != FROZEN).peekable();
        if own.peek().is_some() && (port != 0 || call.form != CallForm::On) {
            return None;
        }
        own.map(|class| self.method_of(class, call.name, call.args.len)).collect()
    }

    /// The only method with a body that objects of a class have of this name and number of parameters.
    fn method_of(&self, class: TypeId, name: Sym, arity: u32) -> Option<MethodId> {
        let found = self.symbols.find_methods(class, name);
        let mut fits = found.into_iter().filter(|&it| self.symbols.methods[it as usize].arity == arity);
        fits.next().filter(|&it| fits.next().is_none() && (self.facts)(it).head.has_body)
    }

    /// The fields of the only object that a field ever holds which hold null or an array without elements: its constructor was given
    /// that.
    fn empty_parts(&self, field: FieldId) -> SmallVec<[FieldId; 2]> {
        let mut found = SmallVec::new();
        let Some(&[(method, value)]) = self.values.get(&field).map(Vec::as_slice) else { return found };
        let (graph, resolved) = (&(self.facts)(method).graph, &self.resolved[method as usize]);
        let NodeKind::Call(made) = graph.nodes[graph.untyped(value) as usize].kind else { return found };
        let call = &graph.calls[made as usize];
        let Target::Method(constructor, _) = resolved.calls[made as usize].target else { return found };
        if call.form != CallForm::New || call.body.is_some() || self.symbols.methods[constructor as usize].flags.has(Flags::VARARGS) {
            return found;
        }
        let is_empty = |arg: NodeId| match (graph.nodes[arg as usize].kind, resolved.refs[arg as usize]) {
            (NodeKind::Array(items, _), _) => items.len == 0,
            (_, Ref::Field(constant)) => self.symbols.fields[constant as usize].is_empty_array(),
            (kind, _) => kind == NodeKind::Null,
        };
        let (body, names) = (&(self.facts)(constructor).graph, &self.resolved[constructor as usize]);
        for (write, &written) in body.writes.iter().zip(&names.writes) {
            if let NodeKind::Param(index) = body.nodes[write.value as usize].kind
                && written != NONE
                && self.symbols.fields[written as usize].flags.has(Flags::FINAL)
                && graph.list(call.args).get(index as usize).is_some_and(|&it| is_empty(graph.untyped(it)))
            {
                found.push(written);
            }
        }
        found
    }

    /// The classes of what a field holds.
    fn of_field(&self, field: FieldId, left: &Cell<u32>, depth: u32) -> Classes {
        let info = &self.symbols.fields[field as usize];
        let values = self.values.get(&field).filter(|_| !self.assigned_names.contains(&info.name) && info.ty.data().dims == 0);
        let assigned = |&(method, node): &(MethodId, NodeId)| self.of_value(Place { method, given: Given::Nothing, left }, node, depth + 1);
        let made = values.filter(|_| depth < MAX_DEPTH).and_then(|all| union(all.iter().map(assigned)));
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
    fn of_value(&self, place: Place<'_>, node: NodeId, depth: u32) -> Classes {
        place.left.set(place.left.get().checked_sub(1)?);
        if depth > MAX_DEPTH {
            return None;
        }
        let (graph, resolved) = (&(self.facts)(place.method).graph, &self.resolved[place.method as usize]);
        match graph.nodes.get(node as usize)?.kind {
            NodeKind::Typed(inner, ty) => self.of_value(place, inner, depth + 1).or_else(|| self.of_type(place.method, ty)),
            NodeKind::Stored(..) | NodeKind::After(..) | NodeKind::Gained(..) => self.of_value(place, graph.same_object(node)?, depth + 1),
            NodeKind::Null => Some(SmallVec::new()),
            NodeKind::Phi(list) => union(graph.list(list).iter().map(|&it| self.of_value(place, it, depth + 1))),
            NodeKind::Name(_) | NodeKind::Select(..) => match (resolved.refs[node as usize], place.given) {
                (Ref::Field(field), Given::Object(Holder::Field(it), classes)) if it == field => classes.clone(),
                (Ref::Field(field), _) => self.of_field(field, place.left, depth + 1),
                (Ref::Frozen, _) => Some(SmallVec::from_slice(&[FROZEN])),
                _ => None,
            },
            NodeKind::This => self.of_receiver(place),
            NodeKind::Param(index) => match place.given {
                Given::Object(Holder::Port(port), classes) if u32::from(port) == index + 1 => classes.clone(),
                Given::Call(call, caller, _) if !self.symbols.methods[place.method as usize].flags.has(Flags::VARARGS) => {
                    let graph = &(self.facts)(caller.method).graph;
                    let &arg = graph.list(graph.calls[call as usize].args).get(index as usize)?;
                    self.of_value(*caller, arg, depth + 1)
                }
                _ => self.of_argument(place, index as usize, depth + 1),
            },
            NodeKind::Call(call) => self.of_call(place, call, depth + 1),
            _ => None,
        }
    }

    /// The classes of the object that a method is called on.
    fn of_receiver(&self, place: Place<'_>) -> Classes {
        match place.given {
            Given::Object(Holder::Port(0), classes) | Given::Call(_, _, classes) => classes.clone(),
            _ => self.below(self.symbols.methods[place.method as usize].owner),
        }
    }

    /// The classes of what a call gives.
    fn of_call(&self, place: Place<'_>, index: u32, depth: u32) -> Classes {
        let graph = &(self.facts)(place.method).graph;
        let resolved = &self.resolved[place.method as usize];
        let (call, site) = (&graph.calls[index as usize], &resolved.calls[index as usize]);
        if call.form == CallForm::New {
            let unit = self.symbols.methods[place.method as usize].unit;
            let made = match (&site.target, call.body) {
                (_, Some(body)) => self.symbols.nested_type(unit, body)?,
                (Target::Default(class), None) => *class,
                (Target::Method(made, _), None) => self.symbols.methods[*made as usize].owner,
                (Target::Library, None) if site.frozen => FROZEN,
                _ => return None,
            };
            return Some(SmallVec::from_slice(&[made]));
        }
        if !matches!(call.form, CallForm::On | CallForm::Plain | CallForm::Super) {
            return None;
        }
        let on = || match call.recv {
            NONE if site.implicit_this => self.of_receiver(place),
            NONE => Some(SmallVec::new()),
            recv => self.of_value(place, recv, depth),
        };
        if site.target == Target::Library {
            if site.frozen {
                return Some(SmallVec::from_slice(&[FROZEN]));
            }
            return match catalogue().rules.rule(site.rule).result {
                ResultRule::Recv => on(),
                // A view of what cannot be changed cannot be changed either; a class of the workspace may make anything.
                ResultRule::View | ResultRule::Keys | ResultRule::Entries => on().filter(|it| it.iter().all(|&it| it == FROZEN)),
                ResultRule::Arg(at) => self.of_value(place, *graph.list(call.args).get(usize::from(at))?, depth),
                _ => None,
            };
        }
        let (callees, is_virtual) = resolved.targets(&site.target);
        if callees.is_empty() {
            return None;
        }
        let on = if callees.iter().all(|&it| self.symbols.methods[it as usize].flags.has(Flags::STATIC)) { Some(SmallVec::new()) } else { on() };
        let runs = callees.iter().flat_map(|&it| self.runs(it, is_virtual, 0, on.as_deref()));
        union(runs.map(|it| {
            let method = (self.facts)(it);
            let returned = method.graph.sinks.iter().filter(|it| it.kind == SinkKind::Return);
            let inner = Place { method: it, given: Given::Call(index, &place, &on), ..place };
            // What is generated, or written elsewhere, may give anything of its type.
            let given = method.head.has_body.then(|| union(returned.map(|it| self.of_value(inner, it.value, depth)))).flatten();
            given.or_else(|| self.of_type(it, method.head.returns?))
        }))
    }

    /// The classes of what is declared in a method with this type.
    fn of_type(&self, method: MethodId, ty: Ty) -> Classes {
        let data = ty.data();
        let info = &self.symbols.methods[method as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(method) };
        self.below((data.dims == 0).then(|| self.symbols.resolve(scope, data.name))?)
    }

    /// The classes of what an enum passes to its constructor.
    fn of_argument(&self, place: Place<'_>, index: usize, depth: u32) -> Classes {
        let constructor = place.method;
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
                    let caller = Place { method: caller, given: Given::Nothing, ..place };
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

/// Whether a node is the object that it comes from, as it is; else it is another object.
fn is_itself(eval: &Eval<'_>, node: NodeId, object: Holder) -> bool {
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
            NodeKind::Call(call) if gives_field(eval, call, object) => {}
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

/// Whether a call of a method of the workspace gives what a field holds, if it gives anything of that.
fn gives_field(eval: &Eval<'_>, call: u32, object: Holder) -> bool {
    let Holder::Field(field) = object else { return false };
    let brings = |port: usize| eval.port_roots(call, port).iter().any(|it| it.of == object);
    let mut fields = eval.callees(call).flat_map(|it| &it.1.alias_fields).filter(|it| it.0 == field).peekable();
    fields.peek().is_some() && fields.all(|it| it.1 == Part::Value) && !(0..=eval.graph.calls[call as usize].args.len as usize).any(brings)
}

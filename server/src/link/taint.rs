//! Sources through the workspace: Algorithm 1 of the paper, lines 1 to 9, over the graphs of all methods.
//!
//! A method that reads a source is evaluated. Fields that the source reaches become sources themselves, and their
//! readers are evaluated in turn, until nothing changes. What a constructor reads, and what a callee hands on without
//! being a mocking point, is lifted to whoever calls it (`semantics.md` §5 and §6).

mod ends;
mod outputs;

pub use ends::{Ends, Entry};
use outputs::{FLOWING, Outputs, Wanted, outputs};

use super::dirty::Dirty;
use super::eval::{Eval, FIRST_SOURCE, Mask, Part, slot_port};
use super::listed::Listed;
use super::resolve::{Listing, Ref, Resolved, Target};
use super::state::FieldStates;
use super::summary::{By, Globals};
use super::symbols::{FieldId, MethodId, Symbols, TypeId};
use crate::catalogue::{Feed, How, catalogue};
use crate::facts::MethodFacts;
use crate::facts::graph::{NONE, NodeId, NodeKind, SinkKind};
use crate::intern::Sym;
use crate::java::decls::MemberKind;
use crate::java::ops::CallForm;
use crate::settings::{Precision, Settings};
use crate::terms::Category;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Sources that are followed at a time: as many as there are bits.
const BATCH: usize = 32;

/// Sources of one method that are followed at all; a method with more of them is a mocking point by any of these.
const MAX_SOURCES: usize = 512;

/// A lift, as an index into [`Taint::lifts`].
pub type LiftId = u32;

/// A source within one method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SourceKey {
    /// A call that the table of sources has.
    Call(u32),
    /// A read of a library field that the table has.
    LibField(NodeId),
    /// A read of a field that is a source.
    Field(NodeId, FieldId),
    /// A read of a field that has a source inside what it holds.
    Inside(NodeId, FieldId),
    /// A call that brings what its callee read: call, port (`None`: the result), lift.
    Lifted(u32, Option<u8>, LiftId),
    /// The method as a whole: a data access object's, or what another module answers.
    Itself,
    /// What a caller passes, by its bit: the receiver, a parameter, or what is inside it. No source of the method
    /// itself, but fields that it writes to carry it.
    Passed(u8),
}

/// A source of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Which.
    pub key: SourceKey,
    /// What kind of state.
    pub category: Category,
    /// Its bit.
    pub bit: u64,
    /// All that is read from its object is tainted as well: a static object that changes.
    pub deep: bool,
    /// Only what the object contains is tainted: whether there is one does not depend on it.
    pub content: bool,
    /// It makes its method a mocking point wherever its result goes: a call that leaves the process (paper §3.3), or
    /// what the project says is one (§3.4).
    pub needs_no_flow: bool,
}

/// A source of some method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The method.
    pub method: MethodId,
    /// The source in it.
    pub key: SourceKey,
}

/// How a field came to carry a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carry {
    /// Whose source.
    pub origin: Origin,
    /// What writes it, in the method of the origin.
    pub by: By,
}

/// What a callee hands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lift {
    /// Where it ends up: 0 is the receiver or the new object.
    pub port: u8,
    /// What kind of state.
    pub category: Category,
    /// Where it was read.
    pub origin: Origin,
    /// How it belongs to what is there.
    pub part: Part,
    /// It makes a mocking point of who gets it, wherever it goes.
    pub needs_no_flow: bool,
}

impl Lift {
    /// One of each kind names the dependency.
    fn kind(&self) -> (u8, Category, Part, bool) {
        (self.port, self.category, self.part, self.needs_no_flow)
    }
}

/// The fixed point.
#[derive(Default, Clone)]
pub struct Taint {
    /// Static fields that are modified while the service runs.
    pub internal: FxHashSet<FieldId>,
    /// Carriers, by category.
    pub carriers: FxHashMap<(FieldId, Category), Carry>,
    /// Fields that carry it inside what they hold.
    pub inside: FxHashMap<(FieldId, Category), Carry>,
    /// Ports (bits of them) that some caller passes a source to, by category.
    pub passed: FxHashMap<(MethodId, Category), Vec<(u8, Carry)>>,
    /// All lifts.
    pub lifts: Vec<Lift>,
    /// Lifts of each method that has some.
    pub lifts_of: FxHashMap<MethodId, Vec<LiftId>>,
    /// Methods that read a source, sorted.
    pub readers: Vec<MethodId>,
    /// Of each method that is overridden, the lifts of what overrides it: one of each kind.
    lifts_below: FxHashMap<MethodId, Vec<LiftId>>,
    /// Ports that virtual calls pass a source to: what overrides the method knows of it too.
    passed_below: FxHashSet<(MethodId, Category, u8)>,
    /// Of each field that is a source, what it is: to most questions about fields the answer is no.
    kinds: Vec<u16>,
}

/// [`Taint::internal`] has a field, as a bit of [`Taint::kinds`].
const IS_INTERNAL: u16 = 1;

/// [`Taint::carriers`] has a field with this category, as a bit of [`Taint::kinds`].
fn carries(category: Category) -> u16 {
    2 << category as u16
}

/// [`Taint::inside`] has it.
fn has_inside(category: Category) -> u16 {
    0x20 << category as u16
}

impl Taint {
    fn kinds_of(&self, field: FieldId) -> u16 {
        self.kinds.get(field as usize).copied().unwrap_or(0)
    }

    fn add_kind(&mut self, field: FieldId, kind: u16) {
        if self.kinds.len() <= field as usize {
            self.kinds.resize(field as usize + 1, 0);
        }
        self.kinds[field as usize] |= kind;
    }

    fn add_internal(&mut self, field: FieldId) {
        self.internal.insert(field);
        self.add_kind(field, IS_INTERNAL);
    }

    /// Whether it is known that a field is a source of a category.
    fn is_known(&self, field: FieldId, category: Category, part: Part) -> bool {
        let inside = if part == Part::Inside { has_inside(category) } else { 0 };
        let kinds = carries(category) | inside | if category == Category::Internal { IS_INTERNAL } else { 0 };
        self.kinds_of(field) & kinds != 0
    }

    /// Whether it is known that a call of this kind passes a source to a port.
    fn is_passed(&self, callee: MethodId, is_virtual: bool, port: u8, category: Category) -> bool {
        match is_virtual {
            true => self.passed_below.contains(&(callee, category, port)),
            false => self.passed.get(&(callee, category)).is_some_and(|it| it.iter().any(|it| it.0 == port)),
        }
    }

    /// Whether one of `lifts` is of the kind of this one: more of a kind would only repeat it.
    fn has_kind(&self, lifts: &[LiftId], lift: &Lift) -> bool {
        lifts.iter().any(|&it| self.lifts[it as usize].kind() == lift.kind())
    }

    /// Adds a lift of a method; whether it is the first of its kind.
    fn add_lift(&mut self, symbols: &Symbols, method: MethodId, lift: Lift) -> bool {
        if self.lifts_of.get(&method).is_some_and(|it| self.has_kind(it, &lift)) {
            return false;
        }
        let id = self.lifts.len() as LiftId;
        self.lifts.push(lift);
        self.lifts_of.entry(method).or_default().push(id);
        for &base in symbols.overridden.get(&method).into_iter().flatten() {
            if !self.lifts_below.get(&base).is_some_and(|it| self.has_kind(it, &lift)) {
                self.lifts_below.entry(base).or_default().push(id);
            }
        }
        true
    }

    /// Whether any source reaches a field.
    pub fn is_carrier(&self, field: FieldId) -> bool {
        let all = [Category::System, Category::Internal, Category::External, Category::WhiteList];
        all.iter().any(|&it| self.carriers.contains_key(&(field, it)) || self.inside.contains_key(&(field, it)))
    }
}

/// What evaluation needs of the rest of the link.
pub struct Context<'a, F> {
    /// The symbol table.
    pub symbols: &'a Symbols,
    /// Every method, resolved.
    pub resolved: Table<'a>,
    /// Summaries.
    pub globals: &'a Globals,
    /// Static fields.
    pub states: &'a FieldStates,
    /// What the project says.
    pub listed: &'a Listed,
    /// Settings.
    pub settings: Settings,
    /// Facts of a method.
    pub facts: F,
    /// Initialisers of each class, which its constructors run.
    pub initialisers: &'a FxHashMap<TypeId, Vec<MethodId>>,
}

/// Resolved methods; those of a file that is being edited come first.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// As linked.
    pub linked: &'a [Arc<Resolved>],
    /// As edited since.
    pub edited: Option<&'a FxHashMap<MethodId, Arc<Resolved>>>,
}

impl<'a> Table<'a> {
    /// A method.
    pub fn get(self, id: MethodId) -> &'a Resolved {
        match self.edited.and_then(|it| it.get(&id)) {
            Some(edited) => edited,
            None => &self.linked[id as usize],
        }
    }
}

/// A method with its sources, evaluated.
pub struct Evaluated<'a> {
    /// Masks of its nodes.
    pub eval: Eval<'a>,
    /// Its sources.
    pub sources: Vec<Source>,
    /// The bits of deep sources.
    deep: u64,
    /// The bits of those that are content only.
    content: u64,
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync> Context<'a, F> {
    /// The sources of a method, in the order of the source text's calls and nodes.
    pub fn sources(&self, taint: &Taint, id: MethodId) -> Vec<Source> {
        let method = (self.facts)(id);
        let resolved = self.resolved.get(id);
        let file = self.symbols.file_of_unit(self.symbols.methods[id as usize].unit);
        // With each whether it is deep and whether it needs no flow.
        let mut found: Vec<(SourceKey, Category, bool, bool)> = Vec::new();
        let mut lifts = Vec::new();
        if self.states.beans.outside.point(id).is_some() {
            found.push((SourceKey::Itself, Category::External, false, true));
        }
        if self.listed.point(id).is_some() {
            found.push((SourceKey::Itself, Category::WhiteList, false, true));
        }
        for (index, site) in resolved.calls.iter().enumerate() {
            let index = index as u32;
            if site.source != NONE && catalogue().rules.source(site.source).how == How::Source && !self.is_seeded(id, index) {
                found.push((SourceKey::Call(index), Category::System, false, false));
            }
            if site.external != NONE {
                found.push((SourceKey::Call(index), Category::External, false, true));
            }
            match site.listing {
                Listing::Source(_) => found.push((SourceKey::Call(index), Category::WhiteList, false, false)),
                Listing::Point(_) => found.push((SourceKey::Call(index), Category::WhiteList, false, true)),
                Listing::Wrapper(_) | Listing::Sanitized | Listing::None => {}
            }
            self.lifts_at(taint, id, index, &mut lifts);
            for &lift in &lifts {
                let what = &taint.lifts[lift as usize];
                let form = method.graph.calls[index as usize].form;
                let port = if what.port == 0 && matches!(form, CallForm::New | CallForm::Reference) { None } else { Some(what.port) };
                found.push((SourceKey::Lifted(index, port, lift), what.category, false, what.needs_no_flow));
            }
        }
        for (node, reference) in resolved.refs.iter().enumerate() {
            match reference {
                Ref::Source(_) => found.push((SourceKey::LibField(node as NodeId), Category::System, false, false)),
                Ref::Listed(_) => found.push((SourceKey::LibField(node as NodeId), Category::WhiteList, false, false)),
                Ref::Field(field) => {
                    let (key, kinds) = (SourceKey::Field(node as NodeId, *field), taint.kinds_of(*field));
                    for category in [Category::System, Category::External, Category::WhiteList, Category::Internal] {
                        if category == Category::Internal && kinds & IS_INTERNAL != 0 {
                            found.push((key, category, true, false));
                        } else if kinds & carries(category) != 0 {
                            found.push((key, category, false, false));
                        } else if kinds & has_inside(category) != 0 {
                            found.push((SourceKey::Inside(node as NodeId, *field), category, false, false));
                        }
                    }
                    if self.listed.field(file, *field).is_some() && kinds & carries(Category::WhiteList) == 0 {
                        found.push((key, Category::WhiteList, true, false));
                    }
                }
                _ => {}
            }
        }
        found.truncate(MAX_SOURCES);
        // Each has a bit of its own within its batch.
        let bit = |i: usize| 1 << (FIRST_SOURCE + (i % BATCH) as u32);
        found
            .into_iter()
            .enumerate()
            .map(|(i, (key, category, deep, needs_no_flow))| {
                let content = self.is_content(taint, key, category);
                Source { key, category, bit: bit(i), deep, content, needs_no_flow }
            })
            .collect()
    }

    /// A carrier that no assignment made one: something was put into what it holds.
    fn is_content(&self, taint: &Taint, key: SourceKey, category: Category) -> bool {
        let refined = self.settings.precision == Precision::Refined;
        let field = match key {
            SourceKey::Field(_, field) => field,
            SourceKey::Inside(..) => return refined,
            _ => return false,
        };
        refined && !taint.internal.contains(&field) && matches!(taint.carriers.get(&(field, category)), Some(Carry { by: By::Call(_), .. }))
    }

    /// A draw from a generator whose seed is known and which is held in a local (or, as internal state, in a field).
    fn is_seeded(&self, id: MethodId, call: u32) -> bool {
        if self.settings.precision == Precision::Paper {
            return false;
        }
        let method = (self.facts)(id);
        let site = self.resolved.get(id).calls[call as usize];
        let call = &method.graph.calls[call as usize];
        let row = catalogue().rules.source(site.source);
        if row.kind != "random" || call.recv == NONE || call.form == CallForm::New {
            return false;
        }
        let mut open = vec![call.recv];
        let mut seen = Vec::new();
        let mut any = false;
        while let Some(node) = open.pop() {
            if seen.contains(&node) {
                continue;
            }
            seen.push(node);
            match method.graph.nodes[node as usize].kind {
                NodeKind::Typed(inner, _) => open.push(inner),
                NodeKind::Phi(list) => open.extend(method.graph.list(list)),
                NodeKind::After(call, 0) => open.push(method.graph.calls[call as usize].recv),
                NodeKind::Call(made) => {
                    let made_call = &method.graph.calls[made as usize];
                    let site = self.resolved.get(id).calls[made as usize];
                    if made_call.form != CallForm::New || made_call.args.len == 0 || site.source != NONE {
                        return false;
                    }
                    any = true;
                }
                NodeKind::Name(_) | NodeKind::Select(..) => match self.resolved.get(id).refs[node as usize] {
                    Ref::Field(field) if self.states.seeded.contains(&field) => any = true,
                    _ => return false,
                },
                _ => return false,
            }
        }
        any
    }

    /// What the callees of a call hand on: sets `found`.
    fn lifts_at(&self, taint: &Taint, id: MethodId, call: u32, found: &mut Vec<LiftId>) {
        found.clear();
        let resolved = self.resolved.get(id);
        let site = &resolved.calls[call as usize];
        if taint.lifts.is_empty() || matches!(site.target, Target::Library | Target::Unresolved) {
            return;
        }
        let mut add = |method: MethodId| {
            if let Some(lifts) = taint.lifts_of.get(&method) {
                found.extend(lifts);
            }
        };
        let callees: &[MethodId] = match &site.target {
            Target::Method(method, _) => std::slice::from_ref(method),
            Target::Many(..) => resolved.targets(site.target).0,
            _ => &[],
        };
        let is_virtual = !matches!(site.target, Target::Method(_, false));
        callees.iter().for_each(|&it| add(it));
        let made = match site.target {
            Target::Default(class) => Some((class, None)),
            Target::Method(callee, _) if self.is_constructor(callee) => Some((self.symbols.methods[callee as usize].owner, Some(callee))),
            _ => None,
        };
        if let Some((class, constructor)) = made {
            self.constructed(class, constructor, &mut |it| add(it));
        }
        if is_virtual {
            found.extend(callees.iter().filter_map(|it| taint.lifts_below.get(it)).flatten());
        }
        if found.len() <= 1 {
            return;
        }
        found.sort_unstable();
        let mut kept = 0;
        for i in 0..found.len() {
            if !taint.has_kind(&found[..kept], &taint.lifts[found[i] as usize]) {
                found[kept] = found[i];
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        matches!((self.facts)(method).head.kind, MemberKind::Constructor | MemberKind::CompactConstructor)
    }

    /// The initialisers that run when an object of a class is made, and constructors that are called silently.
    fn constructed(&self, class: TypeId, constructor: Option<MethodId>, add: &mut impl FnMut(MethodId)) {
        let (mut class, mut constructor) = (class, constructor);
        for _ in 0..32 {
            let explicit = |form: CallForm| constructor.is_some_and(|it| (self.facts)(it).graph.calls.iter().any(|it| it.form == form));
            if explicit(CallForm::ThisConstructor) {
                return;
            }
            self.initialisers.get(&class).into_iter().flatten().for_each(|&it| add(it));
            if explicit(CallForm::SuperConstructor) {
                return;
            }
            let Some(up) = self.symbols.own(class).and_then(|it| {
                it.supers.iter().copied().find(|&up| self.symbols.own(up).is_some_and(|it| it.head.get().kind == crate::java::decls::TypeKind::Class))
            }) else {
                return;
            };
            class = up;
            constructor = self.symbols.declared_methods(class, Sym::new("<init>")).iter().copied().find(|&it| self.symbols.methods[it as usize].arity == 0);
            if let Some(constructor) = constructor {
                add(constructor);
            }
        }
    }

    /// Evaluates a method with its sources, as many at a time as there are bits. Nothing if it has none.
    pub fn evaluate(&self, taint: &Taint, id: MethodId) -> Vec<Evaluated<'a>> {
        self.sources(taint, id).chunks(BATCH).map(|batch| self.evaluate_with(taint, id, batch.to_vec())).collect()
    }

    fn evaluate_with(&self, taint: &Taint, id: MethodId, sources: Vec<Source>) -> Evaluated<'a> {
        let graph = &(self.facts)(id).graph;
        let mut node_seeds: Vec<(NodeId, u64, Part)> = Vec::new();
        let mut call_seeds: Vec<(u32, Option<u8>, u64, Part)> = Vec::new();
        for source in &sources {
            match source.key {
                SourceKey::Call(call) => match self.changed_port(id, call) {
                    Some(port) => call_seeds.push((call, Some(port), source.bit, Part::Inside)),
                    None => call_seeds.push((call, None, source.bit, Part::Value)),
                },
                SourceKey::LibField(node) | SourceKey::Field(node, _) => node_seeds.push((node, source.bit, Part::Value)),
                SourceKey::Inside(node, _) => node_seeds.push((node, source.bit, Part::Inside)),
                SourceKey::Lifted(call, port, lift) => call_seeds.push((call, port, source.bit, taint.lifts[lift as usize].part)),
                SourceKey::Passed(_) | SourceKey::Itself => {}
            }
        }
        let mut eval = Eval {
            symbols: self.symbols,
            graph,
            resolved: self.resolved.get(id),
            globals: self.globals,
            precision: self.settings.precision,
            node_seeds,
            call_seeds,
            lifted: sources.iter().filter(|it| matches!(it.key, SourceKey::Lifted(..))).fold(0, |bits, it| bits | it.bit),
            masks: Vec::new(),
            latest: Default::default(),
        };
        eval.run();
        let bits = |has: fn(&Source) -> bool| sources.iter().filter(|it| has(it)).fold(0, |bits, it| bits | it.bit);
        let (deep, content) = (bits(|it| it.deep), bits(|it| it.content));
        Evaluated { eval, sources, deep, content }
    }

    /// The port of what a source changes instead of giving a result, as `Collections.shuffle` does.
    fn changed_port(&self, id: MethodId, call: u32) -> Option<u8> {
        let site = &self.resolved.get(id).calls[call as usize];
        let effects = if site.target == Target::Library { &catalogue().rules.rule(site.rule).effects[..] } else { &[] };
        let mut changed = effects.iter().filter(|it| it.from == Feed::Nothing).map(|it| slot_port(it.into) as u8);
        changed.find(|&it| it != 0)
    }
}

impl Evaluated<'_> {
    /// The bits of sources that a mask has, deep ones by way of fields too.
    pub fn bits(&self, mask: Mask) -> u64 {
        (mask.m | (mask.deep & self.deep)) & !super::eval::PORTS
    }

    /// The same for what is inside it.
    pub fn inside(&self, mask: Mask) -> u64 {
        (mask.inside() | (mask.below & self.deep)) & !super::eval::PORTS
    }

    /// Origins that reach sinks: sink index or call index, bits, bits that went through the method alone.
    pub fn reached(&self) -> Vec<(Reached, u64, u64)> {
        let mut found = Vec::new();
        let eval = &self.eval;
        for (index, sink) in eval.graph.sinks.iter().enumerate() {
            if sink.kind == SinkKind::Throw && eval.precision == Precision::Paper {
                continue;
            }
            let mask = eval.mask(sink.value);
            let mut bits = self.bits(mask);
            if sink.null_test {
                bits &= !self.content;
            }
            if !matches!(sink.kind, SinkKind::Branch(_)) {
                // An object that leaves takes along what it holds.
                bits |= self.inside(mask) | (mask.held & !super::eval::PORTS);
            }
            if bits != 0 && !(eval.precision == Precision::Refined && eval.is_benign(sink)) {
                found.push((Reached::Sink(index as u32), bits, bits & mask.intra));
            }
        }
        for index in 0..eval.graph.calls.len() as u32 {
            let mut bits = 0;
            for (callee, summary) in eval.callees(index) {
                if summary.branch | summary.branch_deep != 0 {
                    bits |= self.bits(Mask { deep: 0, ..eval.through_ports(index, callee, u64::from(summary.branch)) });
                    bits |= self.bits(Mask { m: 0, ..eval.through_ports(index, callee, u64::from(summary.branch | summary.branch_deep)) });
                }
            }
            if bits != 0 {
                found.push((Reached::Callee(index), bits, 0));
            }
        }
        found
    }

    /// Benign branches that a source reaches.
    pub fn benign(&self) -> usize {
        let eval = &self.eval;
        eval.graph.sinks.iter().filter(|sink| self.bits(eval.mask(sink.value)) != 0 && eval.is_benign(sink)).count()
    }

    fn source_of_bit(&self, bits: u64) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(move |it| it.bit & bits != 0)
    }
}

/// What a source reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// A sink of the method, by its index.
    Sink(u32),
    /// A branch inside a callee, by the call's index.
    Callee(u32),
}

/// Computes the fixed point. `is_test` methods take no part.
pub fn propagate<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync>(
    context: &Context<'a, F>,
    callers: &[Vec<MethodId>],
    is_test: &(impl Fn(MethodId) -> bool + Sync),
) -> Taint {
    let symbols = context.symbols;
    let mut taint = Taint::default();
    let mut field_readers: FxHashMap<FieldId, Vec<MethodId>> = FxHashMap::default();
    let mut constructs: FxHashMap<TypeId, Vec<MethodId>> = FxHashMap::default();
    let mut dirty = Dirty::new(symbols.methods.len(), is_test);
    for id in 0..symbols.methods.len() as u32 {
        if is_test(id) {
            continue;
        }
        let resolved = context.resolved.get(id);
        let file = symbols.file_of_unit(symbols.methods[id as usize].unit);
        for reference in &resolved.refs {
            match reference {
                Ref::Field(field) => {
                    let list = field_readers.entry(*field).or_default();
                    if list.last() != Some(&id) {
                        list.push(id);
                    }
                    if context.listed.field(file, *field).is_some() {
                        dirty.add(id);
                    }
                }
                Ref::Source(_) | Ref::Listed(_) => dirty.add(id),
                _ => {}
            }
        }
        if context.states.beans.outside.point(id).is_some() || context.listed.point(id).is_some() {
            dirty.add(id);
        }
        for site in &resolved.calls {
            if site.source != NONE || site.external != NONE || matches!(site.listing, Listing::Source(_) | Listing::Point(_)) {
                dirty.add(id);
            }
            let class = match site.target {
                Target::Default(class) => class,
                Target::Method(callee, _) if context.is_constructor(callee) => symbols.methods[callee as usize].owner,
                _ => continue,
            };
            constructs.entry(class).or_default().push(id);
        }
    }
    for &field in context.states.modifications.keys().chain(&context.states.beans.all_pushed()) {
        if context.states.beans.is_candidate(symbols, field)
            && context.states.ruled_out(symbols, field, context.settings.world, context.settings.precision, false, &context.facts).is_none()
        {
            taint.add_internal(field);
            dirty.extend(field_readers.get(&field).into_iter().flatten());
        }
    }
    let mut readers: FxHashSet<MethodId> = FxHashSet::default();
    loop {
        let round = dirty.take();
        if round.is_empty() {
            // A field set once is a constant only if no source reaches it.
            let late: Vec<FieldId> = context
                .states
                .modifications
                .keys()
                .copied()
                .filter(|&it| {
                    context.states.beans.is_candidate(symbols, it)
                        && !taint.internal.contains(&it)
                        && taint.is_carrier(it)
                        && context.states.ruled_out(symbols, it, context.settings.world, context.settings.precision, true, &context.facts).is_none()
                })
                .collect();
            if late.is_empty() {
                break;
            }
            for field in late {
                taint.add_internal(field);
                dirty.extend(field_readers.get(&field).into_iter().flatten());
            }
            continue;
        }
        let found: Vec<(MethodId, bool, Outputs)> = round
            .par_iter()
            .with_min_len(16)
            .filter_map(|&id| {
                let sources = context.sources(&taint, id);
                let reads = !sources.is_empty();
                if !reads && !FLOWING.iter().any(|it| taint.passed.contains_key(&(id, *it))) {
                    return None;
                }
                let mut all = Outputs::default();
                let batches: Vec<&[Source]> = if reads { sources.chunks(BATCH).collect() } else { vec![&[]] };
                for batch in batches {
                    let evaluated = context.evaluate_with(&taint, id, batch.to_vec());
                    let out = outputs(context, &taint, &evaluated, id, (context.facts)(id), Wanted::News);
                    all.fields.extend(out.fields);
                    all.passed.extend(out.passed);
                    all.lifts.extend(out.lifts);
                }
                Some((id, reads, all))
            })
            .collect();
        for (id, reads, out) in found {
            if reads {
                readers.insert(id);
            }
            for (callee, is_virtual, port, category, carry) in out.passed {
                let is_new = is_virtual && taint.passed_below.insert((callee, category, port));
                let below = if is_new { symbols.overriders.get(&callee).map_or(&[][..], Vec::as_slice) } else { &[] };
                for &callee in std::iter::once(&callee).chain(below) {
                    if is_test(callee) {
                        continue;
                    }
                    let known = taint.passed.entry((callee, category)).or_default();
                    if !known.iter().any(|it| it.0 == port) {
                        known.push((port, carry));
                        dirty.add(callee);
                    }
                }
            }
            for (field, category, part, carry) in out.fields {
                if category == Category::Internal && taint.internal.contains(&field) {
                    continue;
                }
                let (carriers, kind) = match part {
                    Part::Inside => (&mut taint.inside, has_inside(category)),
                    _ => (&mut taint.carriers, carries(category)),
                };
                if let std::collections::hash_map::Entry::Vacant(slot) = carriers.entry((field, category)) {
                    slot.insert(carry);
                    taint.add_kind(field, kind);
                    dirty.extend(field_readers.get(&field).into_iter().flatten());
                }
            }
            let mut grew = false;
            for lift in out.lifts {
                grew |= taint.add_lift(symbols, id, lift);
            }
            if grew {
                dirty.extend(&callers[id as usize]);
                for &base in symbols.overridden.get(&id).into_iter().flatten() {
                    dirty.extend(&callers[base as usize]);
                }
                let info = &symbols.methods[id as usize];
                if info.name.as_str() == "<init>" {
                    let mut work = vec![info.owner];
                    let mut seen: FxHashSet<TypeId> = FxHashSet::default();
                    while let Some(class) = work.pop() {
                        if seen.insert(class) {
                            dirty.extend(constructs.get(&class).into_iter().flatten());
                            work.extend(symbols.own(class).into_iter().flat_map(|it| it.subs.iter().copied()));
                        }
                    }
                }
            }
        }
    }
    taint.readers = readers.into_iter().collect();
    taint.readers.sort_unstable();
    taint
}

/// Methods that are mocking points by what they read themselves: nothing of theirs is lifted.
pub fn points_in_themselves<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync>(
    context: &Context<'a, F>,
    taint: &Taint,
    is_test: &(impl Fn(MethodId) -> bool + Sync),
) -> FxHashSet<MethodId> {
    let reads = |id: MethodId| {
        context.evaluate(taint, id).iter().any(|evaluated| {
            let bits = evaluated.reached().iter().fold(0, |bits, it| bits | it.1);
            evaluated.sources.iter().any(|it| (it.bit & bits != 0 || it.needs_no_flow) && !matches!(it.key, SourceKey::Lifted(..)))
        })
    };
    let may_be = |id: MethodId| !is_test(id) && super::state::may_be_point(context.symbols, id, (context.facts)(id));
    taint.readers.par_iter().with_min_len(16).copied().filter(|&id| may_be(id) && reads(id)).collect()
}

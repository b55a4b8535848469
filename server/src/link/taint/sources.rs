//! The sources of one method: what it reads itself, fields that carry something, and what its callees hand on.

use super::{BATCH, Context, IS_INTERNAL, IS_STEADY, LiftId, Source, SourceKey, Taint, assigns, carries, has_inside};
use crate::catalogue::{How, ResultRule, catalogue};
use crate::facts::MethodFacts;
use crate::facts::graph::{Graph, Lambda, NONE, NodeId, NodeKind};
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::java::ops::CallForm;
use crate::link::eval::FIRST_SOURCE;
use crate::link::resolve::{Listing, Ref, Resolved, Target};
use crate::link::symbols::{FieldId, MethodId, TypeId};
use crate::settings::Precision;
use crate::terms::Category;

/// Sources of one method that are followed at all; a method with more of them is a mocking point by any of these.
const MAX_SOURCES: usize = 512;

/// Gives each source a bit of its own within its batch.
pub(super) fn numbered(mut sources: Vec<Source>) -> Vec<Source> {
    sources.chunks_mut(BATCH).for_each(|batch| (FIRST_SOURCE..).zip(batch).for_each(|(bit, it)| it.bit = 1 << bit));
    sources
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
        let asks_at_start = !taint.answers.is_empty() && self.runs_at_start(id);
        for (index, site) in resolved.calls.iter().enumerate() {
            let index = index as u32;
            if site.source != NONE && catalogue().rules.source(site.source).how == How::Source && !self.is_seeded(id, index) {
                found.push((SourceKey::Call(index), Category::System, false, false));
            }
            if site.external != NONE {
                found.push((SourceKey::Call(index), Category::External, true, true));
            }
            match site.listing {
                Listing::Source(_) => found.push((SourceKey::Call(index), Category::WhiteList, false, false)),
                Listing::Point(_) => found.push((SourceKey::Call(index), Category::WhiteList, false, true)),
                Listing::Marked(category) => found.push((SourceKey::Call(index), category, false, category == Category::External)),
                Listing::Wrapper(_) | Listing::Sanitized | Listing::None => {}
            }
            self.lifts_at(taint, id, index, &mut lifts);
            for &lift in &lifts {
                let what = &taint.lifts[lift as usize];
                let form = method.graph.calls[index as usize].form;
                let port = if what.port == 0 && matches!(form, CallForm::New | CallForm::Reference) { None } else { Some(what.port) };
                found.push((SourceKey::Lifted(index, port, lift), what.category, false, what.needs_no_flow));
            }
            if asks_at_start && !self.is_kept(&method.graph, resolved, index) {
                for callee in self.callees(id, index) {
                    for &lift in taint.answers.get(&callee).into_iter().flatten() {
                        found.push((SourceKey::Lifted(index, None, lift), taint.lifts[lift as usize].category, true, false));
                    }
                }
            }
        }
        for (node, reference) in resolved.refs.iter().enumerate() {
            match reference {
                Ref::Source(_) => found.push((SourceKey::LibField(node as NodeId), Category::System, false, false)),
                Ref::Listed(_) => found.push((SourceKey::LibField(node as NodeId), Category::WhiteList, false, false)),
                Ref::Field(field) => {
                    let (key, kinds) = (SourceKey::Field(node as NodeId, *field), taint.kinds_of(*field));
                    let is_listed = self.listed.field(file, *field).is_some();
                    if kinds == 0 && !is_listed {
                        continue;
                    }
                    for category in [Category::System, Category::External, Category::WhiteList, Category::Internal] {
                        if category == Category::Internal && kinds & IS_INTERNAL != 0 {
                            if self.is_only_compared(&method.graph, node as NodeId, *field) {
                                continue;
                            }
                            found.push((key, category, true, false));
                        } else if kinds & carries(category) != 0 {
                            found.push((key, category, false, false));
                        } else if kinds & has_inside(category) != 0 {
                            found.push((SourceKey::Inside(node as NodeId, *field), category, false, false));
                        }
                    }
                    if is_listed && kinds & carries(Category::WhiteList) == 0 {
                        found.push((key, Category::WhiteList, true, false));
                    }
                }
                _ => {}
            }
        }
        found.truncate(MAX_SOURCES);
        let sources = found.into_iter().map(|(key, category, deep, needs_no_flow)| {
            let content = self.is_content(taint, key, category);
            let present = self.is_present(taint, key, category);
            Source { key, category, bit: 0, deep, content, present, needs_no_flow }
        });
        numbered(sources.collect())
    }

    /// A read of a field that always holds the same object, only to see whether another one, or null, is that object: what
    /// changes in the object does not matter.
    fn is_only_compared(&self, graph: &Graph, node: NodeId, field: FieldId) -> bool {
        let is_same = self.settings.precision == Precision::Refined && self.symbols.fields[field as usize].flags.has(Flags::FINAL);
        let is_null = |it: NodeId| graph.nodes[it as usize].kind == NodeKind::Null;
        let is_comparison = |kind: NodeKind| match kind {
            NodeKind::Same(list) => graph.list(list).contains(&node),
            NodeKind::Derive(list) => graph.list(list).contains(&node) && graph.list(list).iter().any(|&it| is_null(it)),
            _ => false,
        };
        is_same && graph.nodes.iter().any(|it| is_comparison(it.kind)) && !graph.uses(node, |it| is_comparison(it.kind), |_| false)
    }

    /// A carrier that no assignment made one: something was put into what it holds.
    fn is_content(&self, taint: &Taint, key: SourceKey, category: Category) -> bool {
        let refined = self.settings.precision == Precision::Refined;
        let field = match key {
            SourceKey::Field(_, field) => field,
            SourceKey::Inside(..) => return refined,
            _ => return false,
        };
        refined && taint.kinds_of(field) & (IS_INTERNAL | carries(category) | assigns(category)) == carries(category)
    }

    /// A read of a field that holds an object, whatever the source is: what changes it changes the object, or all that is ever
    /// assigned was made by `new`.
    pub fn is_present(&self, taint: &Taint, key: SourceKey, category: Category) -> bool {
        let SourceKey::Field(_, field) = key else { return false };
        let kinds = taint.kinds_of(field);
        let steady = kinds & IS_INTERNAL == 0 || kinds & IS_STEADY != 0;
        // What carries it as a value got it by an assignment, or into what it holds.
        let carried = || kinds & carries(category) == 0 || !self.states.may_be_null(self.symbols, field);
        self.settings.precision == Precision::Refined && steady && carried()
    }

    /// What the callees of a call hand on: sets `found`.
    fn lifts_at(&self, taint: &Taint, id: MethodId, call: u32, found: &mut Vec<LiftId>) {
        found.clear();
        let resolved = self.resolved.get(id);
        let site = &resolved.calls[call as usize];
        if taint.lifts.is_empty() || matches!(site.target, Target::Library | Target::Unresolved) {
            return;
        }
        let (callees, is_virtual) = resolved.targets(&site.target);
        callees.iter().for_each(|&it| found.extend(taint.lifts_at(it, is_virtual)));
        if let Target::Default(class) = site.target {
            self.constructed(class, None, &mut |it| found.extend(taint.lifts_at(it, false)));
        }
        for &callee in callees.iter().filter(|&&it| self.is_constructor(it)) {
            self.constructed(self.symbols.methods[callee as usize].owner, Some(callee), &mut |it| found.extend(taint.lifts_at(it, false)));
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

    /// Whether a method runs before the first request, when no call is answered from a record: initialisers of classes, what makes
    /// shared objects, and what the container calls to make or start them.
    pub(super) fn runs_at_start(&self, id: MethodId) -> bool {
        let info = &self.symbols.methods[id as usize];
        let beans = &self.states.beans;
        match info.name.as_str() {
            "<clinit>" => true,
            "<init>" => beans.shared(info.owner).is_some(),
            _ => beans.given(id).is_some() || beans.role(id, (self.facts)(id)).start_up,
        }
    }

    /// Whether a call happens in a function (or is a reference) that goes into a field or a new container: it does not run
    /// where it is written.
    pub(super) fn is_kept(&self, graph: &Graph, resolved: &Resolved, index: u32) -> bool {
        let keeps = |taker: u32| {
            let Some(site) = resolved.calls.get(taker as usize) else { return true };
            site.target == Target::Library && matches!(catalogue().rules.rule(site.rule).result, ResultRule::Elements | ResultRule::Pairs)
        };
        let call = &graph.calls[index as usize];
        let is_in = |it: &&Lambda| (it.from..it.to).contains(&index);
        (call.form == CallForm::Reference && keeps(call.outer)) || graph.lambdas.iter().filter(is_in).any(|it| keeps(it.call))
    }

    /// Whether a call runs the function that a parameter of a method (by its port) stands for. Where classes of the
    /// workspace implement the interface, what they get is known without that.
    pub(super) fn runs_parameter(&self, id: MethodId, resolved: &Resolved, call: u32, name: Sym, port: u8) -> bool {
        let library = &catalogue().library;
        match resolved.calls[call as usize].target {
            Target::Library => {
                let ty = (port as usize).checked_sub(1).and_then(|it| self.symbols.param_types(id).get(it));
                let Some(lib) = ty.and_then(|it| self.symbols.lib(*it)).filter(|&it| library.function(it).is_some()) else { return false };
                library.ancestors(lib).iter().any(|&it| library.abstract_methods(it).any(|it| it.0 == name))
            }
            Target::Method(callee, _) => port != 0 && !(self.facts)(callee).head.has_body && !self.symbols.overriders.contains_key(&callee),
            _ => false,
        }
    }

    /// The methods that a call may run.
    pub(super) fn callees(&self, id: MethodId, call: u32) -> impl Iterator<Item = MethodId> + '_ {
        let resolved = self.resolved.get(id);
        let (callees, is_virtual) = resolved.targets(&resolved.calls[call as usize].target);
        let below = move |it: &MethodId| if is_virtual { self.symbols.overriders.get(it).map_or(&[][..], Vec::as_slice) } else { &[] };
        callees.iter().flat_map(move |it| std::iter::once(it).chain(below(it))).copied()
    }

    pub(super) fn is_constructor(&self, method: MethodId) -> bool {
        let may_be = self.symbols.is_named_init(method);
        may_be && matches!((self.facts)(method).head.kind, MemberKind::Constructor | MemberKind::CompactConstructor)
    }

    /// The initialisers that run when an object of a class is made, and constructors that are called silently.
    pub(super) fn constructed(&self, class: TypeId, constructor: Option<MethodId>, add: &mut impl FnMut(MethodId)) {
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
            let Some(up) = self
                .symbols
                .own(class)
                .and_then(|it| it.supers.iter().copied().find(|&up| self.symbols.own(up).is_some_and(|it| it.head.get().kind == TypeKind::Class)))
            else {
                return;
            };
            class = up;
            constructor = self.symbols.declared_methods(class, self.symbols.init).iter().copied().find(|&it| self.symbols.methods[it as usize].arity == 0);
            if let Some(constructor) = constructor {
                add(constructor);
            }
        }
    }
}

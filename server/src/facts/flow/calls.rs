//! Calls: what they are made on, what they get, and what may have changed behind them.

use super::{Capture, Flow, Var};
use crate::facts::graph::{Call, NONE, NodeId, NodeKind, Write, WriteKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::Range;
use crate::java::ops::CallForm;
use crate::java::queries::Mark;
use crate::java::types::is_value;
use rustc_hash::FxHashMap;

impl Flow<'_> {
    pub(super) fn call(&mut self, form: CallForm, name: Sym, argc: u16, ty: Option<Ty>, body: Option<u16>) {
        let args = self.pop_n(argc as usize);
        let recv = match form {
            CallForm::On | CallForm::Reference => self.pop(),
            _ => NONE,
        };
        if form == CallForm::On && argc == 0 && name.as_str() == "getClass" {
            // Nobody can override it.
            let class = self.which(recv);
            let class = self.typed(class, Some(Ty::simple("java.lang.Class")));
            self.stack.push(class);
            return;
        }
        let index = self.calls.len() as u32;
        let body = body.map(|it| it + self.input.first_nested);
        let list = self.list(&args);
        let benign = form == CallForm::On && self.input.benign.binary_search(&(self.input.base + self.at.start)).is_ok();
        let own = Range { start: self.at.start, end: self.at.start + self.at.len }.absolute(self.input.base);
        let mark = if self.input.marked.is_empty() { Mark::default() } else { self.input.marked.of(own) };
        let lazy = self.is_lazy(name, recv, &args);
        let call = Call { name, form, benign, lazy, under: self.under(), mark, recv, args: list, ty, body, outer: NONE, at: self.at };
        self.outdate_fresh(&call, &args);
        self.calls.push(call);
        for (i, &arg) in args.iter().enumerate() {
            match self.nodes[self.root(arg) as usize].kind {
                NodeKind::Lambda(lambda) => {
                    let lambda = &mut self.lambdas[lambda as usize];
                    if lambda.call == NONE {
                        (lambda.call, lambda.arg) = (index, i as u32);
                    }
                }
                NodeKind::Call(inner) if self.calls[inner as usize].form == CallForm::Reference => self.calls[inner as usize].outer = index,
                _ => {}
            }
        }
        if let Some(nested) = body {
            self.capture(nested);
        }
        let mut result = self.node(NodeKind::Call(index));
        if let [tested] = args[..]
            && matches!(name.as_str(), "isNull" | "nonNull")
            && (recv == NONE || self.field_at(recv).is_some_and(|it| matches!(it.as_str(), "Objects" | "ObjectUtil" | "ObjectUtils")))
        {
            self.asks_for_value(result, tested, name.as_str() == "isNull");
        }
        if form != CallForm::Reference {
            let parts = std::iter::once(recv).chain(args.iter().copied()).enumerate();
            for (i, part) in parts.filter(|it| it.1 != NONE) {
                self.may_have_changed(part, index, i as u16);
            }
            self.note_taken(index, recv, &args);
            result = self.run_lambdas(recv, &args, result);
            self.run_references(index, &args);
        }
        self.stack.push(result);
    }

    /// A call may leave the object that it has at a port as another one than it was.
    pub(super) fn may_have_changed(&mut self, part: NodeId, call: u32, port: u16) {
        if !self.may_change(part) {
            return;
        }
        let after = self.held_by_local(part).then(|| {
            let after = self.node(NodeKind::After(call, u32::from(port)));
            let after = self.typed(after, self.local_type(part));
            self.replace(self.root(part), after);
            after
        });
        self.changed(part, after, call, port);
    }

    /// What is referred to runs where a call takes the reference: `each.forEach(found::add)`.
    pub(super) fn run_references(&mut self, outer: u32, args: &[NodeId]) {
        for &arg in args {
            if let NodeKind::Call(inner) = self.nodes[self.root(arg) as usize].kind {
                let Call { form, recv, outer: taker, .. } = self.calls[inner as usize];
                if form == CallForm::Reference && taker == outer && recv != NONE {
                    self.may_have_changed(recv, inner, 0);
                }
            }
        }
    }

    /// Whether a callee could change the object itself: not for primitives and strings.
    pub(super) fn may_change(&self, node: NodeId) -> bool {
        match self.nodes[node as usize].kind {
            NodeKind::Const(_) | NodeKind::Null | NodeKind::Derive(_) | NodeKind::Same(_) | NodeKind::This | NodeKind::Lambda(_) => false,
            NodeKind::Typed(_, ty) => !is_value(ty),
            NodeKind::Param(i) => self.input.params.get(i as usize).is_none_or(|it| !is_value(it.ty)),
            _ => true,
        }
    }

    pub(super) fn local_type(&self, node: NodeId) -> Option<Ty> {
        match self.nodes[node as usize].kind {
            NodeKind::Typed(_, ty) => Some(ty),
            NodeKind::Param(i) => self.input.params.get(i as usize).map(|it| it.ty),
            _ => None,
        }
    }

    /// The locals that a nested type uses are fields of it, written here.
    pub(super) fn capture(&mut self, nested: u16) {
        let Some(free) = self.input.free_names.get(nested as usize) else { return };
        let mut seen: FxHashMap<Sym, ()> = FxHashMap::default();
        for slot in (0..self.vars.len()).rev() {
            let Var { name, ty } = self.vars[slot];
            if free.contains(&name) && seen.insert(name, ()).is_none() {
                let value = self.state.env[slot];
                self.writes.push(Write {
                    kind: WriteKind::Capture,
                    lazy: false,
                    under: self.under(),
                    obj: u32::from(nested),
                    name,
                    value,
                    index: NONE,
                    at: self.at,
                });
                self.captures.push(Capture { nested, name, ty });
            }
        }
    }
}

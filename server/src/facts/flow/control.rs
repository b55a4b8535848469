//! Control flow of the pass: what joins where.

use super::guards::{Guard, Test};
use super::{Flow, State};
use crate::facts::graph::{Group, Lambda, List, NONE, NodeId, NodeKind, SinkKind};
use crate::intern::Sym;
use crate::java::ops::{BranchKind, OpKind};

/// A construct that is open. `vars` is always the number of locals before it.
pub(super) enum Frame {
    /// A block; `guards` is the number of null guards before it.
    Scope {
        vars: usize,
        guards: usize,
    },
    /// `if` or `? :`.
    Cond {
        vars: usize,
        group: u32,
        /// The state after the condition; `None` while the condition itself is read.
        saved: Option<State>,
        then: Option<State>,
        /// What its condition asks.
        test: Test,
        guards: usize,
        /// A `? :` whose value is used outside a statement of its own: its branch always matters.
        used: bool,
    },
    /// The right side of `&&` or `||`.
    Short {
        saved: State,
        group: u32,
        /// It is `&&`.
        and: bool,
        /// What its left side asks; of `||` the opposite.
        left: Test,
        guards: usize,
    },
    Loop {
        vars: usize,
        phis: Vec<NodeId>,
        entry: State,
        breaks: Vec<State>,
        continues: Vec<State>,
        exit: Option<State>,
    },
    Switch {
        vars: usize,
        /// What its selector guards.
        group: u32,
        subject: NodeId,
        guards: usize,
        start: State,
        breaks: Vec<State>,
        values: Vec<NodeId>,
    },
    Label {
        vars: usize,
        name: Sym,
        breaks: Vec<State>,
    },
    Try {
        vars: usize,
        start: State,
        written: Vec<(usize, NodeId)>,
        open: bool,
        ends: Vec<State>,
    },
    Catch {
        vars: usize,
    },
    Finally {
        dead: bool,
    },
    Lambda {
        vars: usize,
        saved: State,
        results: Vec<NodeId>,
        index: u32,
    },
    /// An expression statement; `height` is the number of values before it.
    Statement {
        vars: usize,
        group: u32,
        height: usize,
    },
}

/// Takes the innermost frame of this shape, and drops what broken code left open inside it.
macro_rules! pop_frame {
    ($flow:expr, $shape:pat) => {{
        let at = $flow.frames.iter().rposition(|it| matches!(it, $shape));
        at.and_then(|at| {
            $flow.frames.truncate(at + 1);
            $flow.frames.pop()
        })
    }};
}

/// The innermost frame of this shape.
macro_rules! find_frame {
    ($flow:expr, $shape:pat) => {
        $flow.frames.iter_mut().rev().find(|it| matches!(it, $shape))
    };
}

impl Flow<'_> {
    pub(super) fn control(&mut self, op: OpKind) {
        match op {
            OpKind::ScopeBegin => self.frames.push(Frame::Scope { vars: self.vars.len(), guards: self.guards.len() }),
            OpKind::ScopeEnd => {
                if let Some(Frame::Scope { vars, guards }) = pop_frame!(self, Frame::Scope { .. }) {
                    self.drop_vars(vars);
                    self.guards.truncate(guards);
                }
            }
            OpKind::CondBegin => {
                let group = self.open_group(&[], false);
                self.frames.push(Frame::Cond {
                    vars: self.vars.len(),
                    group,
                    saved: None,
                    then: None,
                    test: Test::default(),
                    guards: self.guards.len(),
                    used: false,
                });
            }
            OpKind::Branch(kind) => self.branch(kind),
            OpKind::Then => self.then(),
            OpKind::Else => self.otherwise(),
            OpKind::EndIf => self.end_if(),
            OpKind::EndTernary => {
                let (no, yes) = (self.pop(), self.pop());
                self.end_if();
                let node = self.join(&[yes, no]);
                self.stack.push(node);
            }
            OpKind::ShortBegin(and) => self.short_begin(and),
            OpKind::ShortEnd => {
                let mut test = Test::default();
                if let Some(Frame::Short { saved, group, and, left, guards }) = pop_frame!(self, Frame::Short { .. }) {
                    self.close_group(group);
                    self.guards.truncate(guards);
                    self.merge(saved);
                    // `a || b` is what `!(!a && !b)` is.
                    let right = self.stack.last().map(|&it| self.test_of(it)).unwrap_or_default();
                    test = if and { left.and(right) } else { left.and(right.not()).not() };
                }
                let (right, left) = (self.pop(), self.pop());
                let node = self.derived(&[left, right]);
                self.stack.push(node);
                self.test = Some((node, test));
            }
            OpKind::LoopBegin => self.loop_begin(),
            OpKind::LoopBody => {
                let state = self.state.clone();
                if let Some(Frame::Loop { exit, .. }) = find_frame!(self, Frame::Loop { .. }) {
                    *exit = Some(state);
                }
            }
            OpKind::LoopContinue => {
                if let Some(Frame::Loop { continues, .. }) = find_frame!(self, Frame::Loop { .. }) {
                    std::mem::take(continues).into_iter().for_each(|state| self.merge(state));
                }
            }
            OpKind::LoopEnd(exit_here) => self.loop_end(exit_here),
            OpKind::LabelBegin(name) => self.frames.push(Frame::Label { vars: self.vars.len(), name, breaks: Vec::new() }),
            OpKind::LabelEnd => {
                if let Some(Frame::Label { breaks, vars, .. }) = pop_frame!(self, Frame::Label { .. }) {
                    self.drop_vars(vars);
                    breaks.into_iter().for_each(|state| self.merge(state));
                }
            }
            OpKind::Break(label) => self.jump(label, true),
            OpKind::Continue(label) => self.jump(label, false),
            OpKind::SwitchBegin => {
                let subject = self.pop();
                let group = self.open_group(&[], false);
                if let Some(sink) = self.sinks.last_mut().filter(|it| it.kind == SinkKind::Branch(BranchKind::Switch) && it.value == subject) {
                    sink.group = group;
                }
                let (start, guards) = (self.state.clone(), self.guards.len());
                self.frames.push(Frame::Switch { vars: self.vars.len(), group, subject, guards, start, breaks: Vec::new(), values: Vec::new() });
                // Nothing falls into the first group.
                self.state.dead = true;
            }
            OpKind::Subject => match find_frame!(self, Frame::Switch { .. }) {
                Some(Frame::Switch { subject, .. }) => {
                    let subject = *subject;
                    self.stack.push(subject);
                }
                _ => self.push(NodeKind::Const(None)),
            },
            OpKind::CaseBegin(arrow) => {
                if let Some(Frame::Switch { start, vars, guards, .. }) = find_frame!(self, Frame::Switch { .. }) {
                    let (start, vars) = (start.clone(), *vars);
                    self.guards.truncate(*guards);
                    self.drop_vars(vars);
                    if arrow || self.state.dead {
                        self.state = start;
                    } else {
                        self.merge(start);
                    }
                }
            }
            OpKind::CaseType(ty) => self.guards.push(Guard::Type(ty)),
            OpKind::CaseValue | OpKind::Yield => {
                let value = self.pop();
                if let Some(Frame::Switch { values, .. }) = find_frame!(self, Frame::Switch { .. }) {
                    values.push(value);
                }
                if op == OpKind::Yield {
                    self.harm();
                    self.leave_switch();
                }
            }
            OpKind::CaseEnd(true) => self.leave_switch(),
            OpKind::SwitchEnd { total, used } => self.switch_end(total, used),
            OpKind::TryBegin => {
                self.frames.push(Frame::Try { vars: self.vars.len(), start: self.state.clone(), written: Vec::new(), open: true, ends: Vec::new() });
            }
            OpKind::TryEnd => {
                let state = self.state.clone();
                if let Some(Frame::Try { open, ends, .. }) = find_frame!(self, Frame::Try { .. }) {
                    *open = false;
                    ends.push(state);
                }
            }
            OpKind::CatchBegin => {
                self.state = self.inside_try();
                self.frames.push(Frame::Catch { vars: self.vars.len() });
            }
            OpKind::CatchEnd => {
                if let Some(Frame::Catch { vars }) = pop_frame!(self, Frame::Catch { .. }) {
                    self.drop_vars(vars);
                }
                let state = self.state.clone();
                if let Some(Frame::Try { ends, .. }) = find_frame!(self, Frame::Try { .. }) {
                    ends.push(state);
                }
            }
            OpKind::FinallyBegin => {
                self.join_try();
                let dead = self.state.dead;
                if dead {
                    // It still runs, on the way out.
                    self.state = self.inside_try();
                }
                self.frames.push(Frame::Finally { dead });
            }
            OpKind::FinallyEnd => {
                if let Some(Frame::Finally { dead }) = pop_frame!(self, Frame::Finally { .. }) {
                    self.state.dead |= dead;
                }
            }
            OpKind::TryDone => {
                self.join_try();
                if let Some(Frame::Try { vars, .. }) = pop_frame!(self, Frame::Try { .. }) {
                    self.drop_vars(vars);
                }
            }
            OpKind::Return(has_value) => {
                self.harm();
                if has_value {
                    let value = self.pop();
                    match find_frame!(self, Frame::Lambda { .. }) {
                        Some(Frame::Lambda { results, .. }) => results.push(value),
                        _ => self.sink(SinkKind::Return, value, NONE),
                    }
                }
                self.state.dead = true;
                self.threw = false;
            }
            OpKind::Throw => {
                self.harm();
                let value = self.pop();
                self.sink(SinkKind::Throw, value, NONE);
                self.state.dead = true;
                self.threw = true;
            }
            OpKind::LambdaBegin(_) => {
                let index = self.lambdas.len() as u32;
                let from = self.calls.len() as u32;
                self.lambdas.push(Lambda { results: List::default(), call: NONE, arg: 0, from, to: from });
                self.frames.push(Frame::Lambda { vars: self.vars.len(), saved: self.state.clone(), results: Vec::new(), index });
            }
            OpKind::LambdaParam(name, ty, i) => {
                if let Some(Frame::Lambda { index, .. }) = find_frame!(self, Frame::Lambda { .. }) {
                    let kind = NodeKind::LambdaParam(*index, u32::from(i));
                    let node = self.node(kind);
                    let node = self.typed(node, ty);
                    self.declare(name, ty, node);
                }
            }
            OpKind::LambdaEnd(expression) => self.lambda_end(expression),
            OpKind::StatementBegin => {
                let group = self.open_group(&[], true);
                self.frames.push(Frame::Statement { vars: self.vars.len(), group, height: self.stack.len() });
            }
            OpKind::StatementEnd => {
                if let Some(Frame::Statement { group, height, .. }) = pop_frame!(self, Frame::Statement { .. }) {
                    self.close_group(group);
                    self.stack.truncate(height);
                }
            }
            _ => {}
        }
    }

    fn drop_vars(&mut self, vars: usize) {
        self.vars.truncate(vars);
        self.state.env.truncate(vars);
    }

    fn open_group(&mut self, parent: &[u32], statement: bool) -> u32 {
        let from = self.calls.len() as u32;
        self.groups.push(Group { parent: parent.last().copied().unwrap_or(NONE), from, to: from, harmless: true, statement });
        let group = (self.groups.len() - 1) as u32;
        self.open_groups.push(group);
        group
    }

    fn close_group(&mut self, group: u32) {
        if let Some(at) = self.open_groups.iter().rposition(|it| *it == group) {
            self.open_groups.truncate(at);
        }
        self.groups[group as usize].to = self.calls.len() as u32;
    }

    /// The right side of `&&` is guarded by the left one; alone it is never benign, since its value is used.
    fn short_begin(&mut self, and: bool) {
        let parent = self.open_groups.clone();
        let group = self.open_group(&parent, false);
        if parent.is_empty() {
            self.groups[group as usize].harmless = false;
        }
        if let Some(sink) = self.sinks.last_mut()
            && sink.kind == SinkKind::Branch(BranchKind::ShortCircuit)
            && sink.group == NONE
        {
            sink.group = group;
        }
        let left = self.stack.last().map(|&it| self.test_of(it)).unwrap_or_default();
        let left = if and { left } else { left.not() };
        let (guards, saved) = (self.guards.len(), self.state.clone());
        self.assume(&left.holds);
        self.frames.push(Frame::Short { saved, group, and, left, guards });
    }

    pub(super) fn branch(&mut self, kind: BranchKind) {
        let value = self.pop();
        let mut group = NONE;
        if matches!(kind, BranchKind::If | BranchKind::Ternary) {
            let test = self.test_of(value);
            let enclosing = self.open_groups.iter().rev().nth(1).copied();
            if let Some(Frame::Cond { group: own, test: slot, used, .. }) = self.frames.last_mut() {
                group = *own;
                *slot = test;
                if kind == BranchKind::Ternary {
                    *used = enclosing.is_none();
                    self.groups[group as usize].parent = enclosing.unwrap_or(NONE);
                }
            }
        }
        self.sink(SinkKind::Branch(kind), value, group);
    }

    fn then(&mut self) {
        let state = self.state.clone();
        let calls = self.calls.len() as u32;
        if let Some(Frame::Cond { saved, group, test, used, .. }) = self.frames.last_mut() {
            *saved = Some(state);
            // The condition runs in any case: only what it guards must be harmless.
            self.written.retain(|it| it.0 != *group);
            let group = &mut self.groups[*group as usize];
            group.from = calls;
            group.harmless = !*used;
            let known = test.holds.clone();
            self.assume(&known);
        }
    }

    fn otherwise(&mut self) {
        if let Some(Frame::Cond { saved: Some(saved), then, test, guards, vars, .. }) = find_frame!(self, Frame::Cond { .. }) {
            let (start, vars) = (saved.clone(), *vars);
            *then = Some(std::mem::replace(&mut self.state, start));
            self.guards.truncate(*guards);
            let known = test.fails.clone();
            // Names bound by patterns in the condition stay visible on both sides.
            let keep = self.vars.len().min(self.state.env.len()).max(vars.min(self.vars.len()));
            self.drop_vars(keep);
            self.assume(&known);
        }
    }

    fn end_if(&mut self) {
        let Some(Frame::Cond { group, saved, then, test, guards, .. }) = pop_frame!(self, Frame::Cond { .. }) else { return };
        self.close_group(group);
        self.guards.truncate(guards);
        let one_sided = then.is_none();
        let (first_dead, second_dead) = then.as_ref().map_or((self.state.dead, false), |it| (it.dead, self.state.dead));
        if one_sided && first_dead && self.threw {
            let groups = &self.groups;
            let lies_in = |mut it: u32| loop {
                if it == group || it == NONE {
                    return it == group;
                }
                it = groups[it as usize].parent;
            };
            self.sinks.iter_mut().filter(|it| it.group != NONE && lies_in(it.group)).for_each(|it| it.only_throws = true);
        }
        if let Some(other) = then.or(saved) {
            self.merge(other);
        }
        self.note_written(group);
        // `if (f != null) return f;` leaves f null for the rest of the block.
        match (first_dead, second_dead) {
            (true, false) => self.assume(&test.fails),
            (false, true) => self.assume(&test.holds),
            _ => {}
        }
    }

    /// Joins another state into the current one.
    fn merge(&mut self, other: State) {
        if other.dead {
            return;
        }
        let n = self.vars.len().min(other.env.len());
        if self.state.dead {
            self.state = other;
            self.drop_vars(n);
            return;
        }
        let n = n.min(self.state.env.len());
        self.drop_vars(n);
        for slot in 0..n {
            let (a, b) = (self.state.env[slot], other.env[slot]);
            if a != b {
                // A join makes no new value: enclosing handlers have seen both.
                self.state.env[slot] = self.tested_for_null(a, b).unwrap_or_else(|| self.join(&[a, b]));
            }
        }
    }

    fn join(&mut self, nodes: &[NodeId]) -> NodeId {
        let mut distinct: Vec<NodeId> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            if !distinct.contains(&node) {
                distinct.push(node);
            }
        }
        if let [one] = distinct[..] {
            return one;
        }
        let list = self.list(&distinct);
        self.node(NodeKind::Phi(list))
    }

    fn loop_begin(&mut self) {
        let entry = self.state.clone();
        let phis: Vec<NodeId> = (0..self.vars.len()).map(|_| self.node(NodeKind::Phi(List::default()))).collect();
        for (&phi, &before) in phis.iter().zip(&entry.env) {
            self.objects[phi as usize] = self.objects[before as usize];
        }
        self.state.env.clone_from(&phis);
        self.frames.push(Frame::Loop { vars: self.vars.len(), phis, entry, breaks: Vec::new(), continues: Vec::new(), exit: None });
    }

    fn loop_end(&mut self, exit_here: bool) {
        let Some(Frame::Loop { vars, phis, entry, breaks, continues, exit }) = pop_frame!(self, Frame::Loop { .. }) else { return };
        continues.into_iter().for_each(|state| self.merge(state));
        let exit = if exit_here { Some(self.state.clone()) } else { exit };
        for (slot, &phi) in phis.iter().enumerate() {
            let mut operands = vec![entry.env[slot]];
            match self.state.env.get(slot) {
                Some(&back) if !self.state.dead && back != phi && !operands.contains(&back) => operands.push(back),
                _ => {}
            }
            let list = self.list(&operands);
            self.nodes[phi as usize].kind = NodeKind::Phi(list);
        }
        // `for (;;)` has no end of its own: only a break leaves it.
        self.state = exit.unwrap_or(State { env: phis, dead: true });
        self.drop_vars(vars);
        breaks.into_iter().for_each(|state| self.merge(state));
    }

    /// `break` and `continue`: what runs next is decided here, so no condition around it is harmless. Leaving a switch decides
    /// what runs in it, and nothing else.
    fn jump(&mut self, label: Option<Sym>, is_break: bool) {
        self.threw = false;
        let target = match label {
            Some(label) => self.frames.iter().rposition(|it| matches!(it, Frame::Label { name, .. } if *name == label)),
            None => self.frames.iter().rposition(|it| matches!(it, Frame::Loop { .. }) || (is_break && matches!(it, Frame::Switch { .. }))),
        };
        // `continue label` goes on with the loop that the label names.
        let target = match target {
            Some(at) if label.is_some() && !is_break => self.frames[at..].iter().position(|it| matches!(it, Frame::Loop { .. })).map(|it| at + it),
            target => target,
        };
        let left = match target.map(|at| &self.frames[at]) {
            Some(Frame::Switch { group, .. }) => self.open_groups.iter().position(|it| it == group).map_or(0, |it| it + 1),
            _ => 0,
        };
        self.harm_from(left);
        let state = self.state.clone();
        match target.map(|at| &mut self.frames[at]) {
            Some(Frame::Loop { continues, .. }) if !is_break => continues.push(state),
            Some(Frame::Loop { breaks, .. } | Frame::Switch { breaks, .. } | Frame::Label { breaks, .. }) => breaks.push(state),
            _ => {}
        }
        self.state.dead = true;
    }

    /// Goes to the end of the innermost switch.
    fn leave_switch(&mut self) {
        let state = self.state.clone();
        if let Some(Frame::Switch { breaks, .. }) = find_frame!(self, Frame::Switch { .. }) {
            breaks.push(state);
            self.state.dead = true;
        }
    }

    fn switch_end(&mut self, total: bool, used: bool) {
        let node = match pop_frame!(self, Frame::Switch { .. }) {
            Some(Frame::Switch { start, breaks, values, vars, group, guards, .. }) => {
                self.guards.truncate(guards);
                self.groups[group as usize].harmless &= !used;
                self.close_group(group);
                self.drop_vars(vars);
                breaks.into_iter().for_each(|state| self.merge(state));
                if !total {
                    self.merge(start);
                } else if self.state.dead {
                    self.state.env = start.env;
                }
                self.note_written(group);
                (!values.is_empty()).then(|| self.join(&values))
            }
            _ => None,
        };
        match node {
            Some(node) => self.stack.push(node),
            None => self.push(NodeKind::Const(None)),
        }
    }

    /// The state in a handler: each local has its value from before the block or any that was written in it.
    fn inside_try(&mut self) -> State {
        let Some(Frame::Try { start, written, vars, .. }) = find_frame!(self, Frame::Try { .. }) else {
            return self.state.clone();
        };
        let (start, written, vars) = (start.clone(), written.clone(), *vars);
        self.drop_vars(vars);
        let mut env = start.env;
        for (slot, value) in env.iter_mut().enumerate() {
            let mut values = vec![*value];
            values.extend(written.iter().filter(|it| it.0 == slot).map(|it| it.1));
            if values.len() > 1 {
                *value = self.join(&values);
            }
        }
        State { env, dead: false }
    }

    fn join_try(&mut self) {
        let Some(Frame::Try { ends, vars, .. }) = find_frame!(self, Frame::Try { .. }) else { return };
        let (ends, vars) = (std::mem::take(ends), *vars);
        let mut ends = ends.into_iter();
        if let Some(first) = ends.next() {
            self.drop_vars(vars);
            self.state = first;
            self.state.env.truncate(vars);
        }
        ends.for_each(|state| self.merge(state));
    }

    pub(super) fn in_catch(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::Catch { .. }))
    }

    fn lambda_end(&mut self, expression: bool) {
        let value = expression.then(|| self.pop());
        let Some(Frame::Lambda { vars, saved, mut results, index }) = pop_frame!(self, Frame::Lambda { .. }) else {
            return self.push(NodeKind::Const(None));
        };
        results.extend(value);
        self.drop_vars(vars);
        // It runs later, often or never.
        let dead = saved.dead;
        self.state.dead = false;
        self.merge(State { dead: false, ..saved });
        self.state.dead = dead;
        let results = self.list(&results);
        let to = self.calls.len() as u32;
        let lambda = &mut self.lambdas[index as usize];
        (lambda.results, lambda.to) = (results, to);
        self.push(NodeKind::Lambda(index));
    }
}

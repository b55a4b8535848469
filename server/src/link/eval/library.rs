//! What calls of library members do to values: the rules of the catalogue, applied.

use super::mask::Mask;
use super::{Eval, GIVEN, slot_port};
use crate::catalogue::{Effect, Feed, Given, ResultRule, Takes, catalogue};
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::java::ops::CallForm;
use crate::link::resolve::{Site, Target};

impl Eval<'_> {
    /// The mask of a result.
    pub(super) fn library_result(&self, call: u32, site: &Site) -> Mask {
        let rule = catalogue().rules.rule(site.rule);
        let recv = || self.passed(call, 0);
        let args = || self.all_args(call).flat();
        match rule.result {
            ResultRule::Default => Mask { held: self.made_by_functions(call), ..recv().flat().with(args()) },
            ResultRule::RecvOnly => recv().shape(),
            ResultRule::Shape => recv().shape().with(args().value()),
            ResultRule::Old => recv().element(),
            ResultRule::Whole => {
                let recv = recv();
                let held = Mask { m: recv.held, deep: recv.held, intra: recv.held, ..Mask::default() };
                recv.flat().with(held).with(args())
            }
            ResultRule::Args => args().value(),
            ResultRule::ArgsOnly => self.all_args(call).shape(),
            ResultRule::Recv => self.absorbed(call, 0),
            ResultRule::Arg(i) => self.passed(call, i as usize + 1),
            ResultRule::Copy => self.all_args(call),
            ResultRule::Part => Mask { held: self.made_by_functions(call), ..self.absorbed(call, 0).element().with(args()) },
            ResultRule::View | ResultRule::Clone => {
                let view = self.absorbed(call, 0);
                Mask { held: view.held | self.made_by_functions(call), ..view.with(args()) }
            }
            ResultRule::Keys => {
                let keys = recv().shape();
                Mask { elem: keys.m, below: keys.deep, ..keys }
            }
            ResultRule::Entries => {
                let map = recv();
                Mask { elem: map.m, inner: map.inside(), held: 0, ..map }
            }
            ResultRule::Made => self.made(call),
            ResultRule::Tested => recv().shape().with(self.made(call).flat().value()),
            ResultRule::Collected => self.collected(call),
            ResultRule::Elements => {
                let args = self.all_args(call);
                Mask { elem: args.content(), ..args.as_element() }
            }
            ResultRule::Pairs => {
                let mut pairs = Mask::default();
                for (i, &arg) in self.graph.list(self.graph.calls[call as usize].args).iter().enumerate() {
                    let arg = self.mask(arg);
                    pairs.join(if i % 2 == 0 { arg.flat() } else { arg.as_element() });
                }
                pairs
            }
            ResultRule::None => Mask::default(),
        }
    }

    /// As many as the receiver has, each made by the functions that the call gets.
    fn made(&self, call: u32) -> Mask {
        let recv = self.passed(call, 0);
        let args = self.graph.list(self.graph.calls[call as usize].args);
        let functions = self.union(args);
        let mut made = Mask { elem: functions.content(), inner: functions.inside(), held: functions.held, ..recv.shape() };
        made.below |= functions.deep | functions.below;
        made.intra |= functions.intra;
        if !args.iter().all(|&it| self.is_function(it, call)) {
            // What the function does is not known here.
            made.elem |= recv.content();
            made.inner |= recv.inside();
            made.below |= recv.below;
        }
        made
    }

    /// A collection of the elements. A collector that says nothing of itself makes keys, sums or texts of them.
    fn collected(&self, call: u32) -> Mask {
        let recv = self.passed(call, 0);
        let args = self.graph.list(self.graph.calls[call as usize].args);
        let copies = |&arg: &NodeId| match self.graph.nodes[arg as usize].kind {
            NodeKind::Call(collector) => {
                let site = &self.resolved.calls[collector as usize];
                site.target == Target::Library && catalogue().rules.rule(site.rule).result == ResultRule::Copy
            }
            _ => false,
        };
        let whole = if args.len() == 1 && args.iter().all(copies) { recv } else { recv.with(recv.flat()) };
        Mask { held: recv.held | self.made_by_functions(call), ..whole.with(self.all_args(call).flat()) }
    }

    /// Whether an argument is a function that is written out, so that its result is known.
    fn is_function(&self, arg: NodeId, call: u32) -> bool {
        let mut arg = arg;
        while let NodeKind::Typed(inner, _) = self.graph.nodes[arg as usize].kind {
            arg = inner;
        }
        match self.graph.nodes[arg as usize].kind {
            NodeKind::Lambda(_) => true,
            NodeKind::Call(inner) => self.graph.calls[inner as usize].form == CallForm::Reference && self.graph.calls[inner as usize].outer == call,
            _ => false,
        }
    }

    /// What the results of functions hold that a library call gets: it may hand them back as they are (`orElseGet`).
    fn made_by_functions(&self, call: u32) -> u64 {
        let args = self.graph.list(self.graph.calls[call as usize].args);
        args.iter().filter(|&&it| self.is_function(it, call)).fold(0, |held, &arg| held | self.mask(arg).held)
    }

    /// What a call gives the function that it gets as an argument, as parameter `i` of it: elements of the receiver and
    /// of the other arguments, where no rule says otherwise.
    pub(super) fn given(&self, call: u32, i: u32) -> Mask {
        let site = &self.resolved.calls[call as usize];
        if matches!(site.target, Target::Library | Target::Unresolved)
            && let Some((_, given)) = catalogue().rules.rule(site.rule).functions.iter().find(|it| u32::from(it.0) == i)
        {
            return match *given {
                Given::Keys => self.passed(call, 0).shape(),
                Given::Arg(arg) => self.passed(call, arg as usize + 1).value(),
            };
        }
        let is_own = !matches!(site.target, Target::Library | Target::Unresolved);
        let mut mask = self.passed(call, 0).element().with(self.seeds(call, Some(GIVEN)));
        for &arg in self.graph.list(self.graph.calls[call as usize].args) {
            if !self.is_function(arg, call) {
                let arg = self.mask(arg).value();
                mask.join(arg.with(arg.element()));
            }
        }
        // What a method of the workspace calls the function with has been through that method.
        if is_own { Mask { intra: 0, ..mask } } else { mask }
    }

    /// What a method reference may get when it is called.
    pub(super) fn given_to_reference(&self, call: u32) -> Mask {
        match self.graph.calls[call as usize].outer {
            NONE => Mask::default(),
            outer => self.given(outer, 0).with(self.given(outer, 1)),
        }
    }

    /// What it is known to get: what a library works on, and what a method of the workspace calls its function with. What else
    /// such a method has it may use for something else.
    pub fn surely_given(&self, call: u32) -> Mask {
        match self.graph.calls[call as usize].outer {
            NONE => Mask::default(),
            outer if self.goes_by_rule(outer) => self.given_to_reference(call),
            outer => self.seeds(outer, Some(GIVEN)),
        }
    }

    /// What a library call leaves at a port.
    pub(super) fn absorbed(&self, call: u32, port: usize) -> Mask {
        let (taken, overwritten) = self.all_taken(call, port);
        if overwritten { taken } else { self.passed(call, port).with(taken) }
    }

    /// What the object at a port gets of a library call, and whether nothing is left of what it was.
    pub(super) fn all_taken(&self, call: u32, port: usize) -> (Mask, bool) {
        let (mut taken, mut overwritten) = (Mask::default(), false);
        for effect in &catalogue().rules.rule(self.resolved.calls[call as usize].rule).effects {
            if slot_port(effect.into) == port {
                overwritten |= effect.how == Takes::Becomes;
                taken.join(self.taken(call, effect));
            }
        }
        (taken, overwritten)
    }

    /// What the slot of an effect has of it.
    pub fn taken(&self, call: u32, effect: &Effect) -> Mask {
        let fed = match effect.from {
            Feed::Nothing => return Mask::default(),
            Feed::Args | Feed::Arg(_) if self.graph.calls[call as usize].form == CallForm::Reference => self.surely_given(call),
            Feed::Args => self.all_args(call),
            Feed::Recv => self.passed(call, 0),
            Feed::Arg(i) => {
                let args = self.graph.list(self.graph.calls[call as usize].args);
                let last = slot_of_varargs(args.len(), i as usize);
                self.union(args.get(i as usize..last).unwrap_or_default())
            }
        };
        // What a setter of an unknown type sets is a property too.
        let how = if self.resolved.calls[call as usize].guessed { Takes::Property } else { effect.how };
        match how {
            Takes::Absorbs => fed.flat(),
            Takes::Becomes | Takes::Elements => fed,
            Takes::Element => fed.as_element(),
            Takes::Filling => fed.as_filling(),
            Takes::Property => Mask { intra: fed.intra, ..fed.as_held(self.deep) },
        }
    }
}

/// The last argument of a varargs member stands for all from there on; rules name fixed ones by number, and a call
/// has more arguments than a rule speaks of only there.
fn slot_of_varargs(n_args: usize, i: usize) -> usize {
    if i == 1 && n_args > 3 { n_args } else { (i + 1).min(n_args) }
}

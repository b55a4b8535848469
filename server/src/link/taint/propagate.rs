//! The fixed point: who has to be looked at again, and what comes of it.

use super::outputs::{FLOWING, Outputs, Wanted, outputs};
use super::sources::numbered;
use super::start::Start;
use super::{BATCH, Context, Source, Taint};
use crate::facts::MethodFacts;
use crate::link::dirty::Dirty;
use crate::link::state::may_be_point;
use crate::link::symbols::{FieldId, MethodId, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that are evaluated in a round, at least: enough for all cores to be busy.
const ROUND: usize = 64;

/// Computes the fixed point. `is_test` methods take no part.
///
/// Callees come before their callers, by `levels`: most methods are evaluated once, and what turns out to be a mocking point
/// does so before anybody is told what it reads.
pub fn propagate<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync>(
    context: &Context<'a, F>,
    callers: &[Vec<MethodId>],
    levels: &[u32],
    is_test: &(impl Fn(MethodId) -> bool + Sync),
) -> Taint {
    let symbols = context.symbols;
    let mut taint = Taint::default();
    let mut dirty = Dirty::new(levels, is_test);
    let Start { reading, readers, makers, asked_at_start } = Start::of(context, is_test);
    dirty.extend(&reading);
    for (callee, asking) in asked_at_start {
        taint.asked_at_start.entry(callee).or_default().push(asking);
    }
    for &field in context.states.modifications.keys().chain(&context.states.beans.all_pushed()) {
        if context.states.beans.is_candidate(symbols, field)
            && context.states.ruled_out(symbols, field, context.settings.world, context.settings.precision, false, &context.facts).is_none()
        {
            taint.add_internal(field, context.states.is_steady(symbols, field, context.settings.world, &context.facts));
            dirty.extend(readers.of(field));
        }
    }
    let mut known: FxHashMap<MethodId, Known> = FxHashMap::default();
    loop {
        let round = dirty.take(ROUND);
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
                taint.add_internal(field, context.states.is_steady(symbols, field, context.settings.world, &context.facts));
                dirty.extend(readers.of(field));
            }
            continue;
        }
        let found: Vec<(MethodId, Inputs, Outputs)> = round
            .par_iter()
            .with_min_len(4)
            .filter_map(|&id| {
                let inputs = Inputs::of(context, &taint, id);
                let before = known.get(&id).map(|it| &it.inputs);
                let sources = numbered(inputs.new_sources(before));
                let is_passed_more = inputs.passed != before.map_or([0; FLOWING.len()], |it| it.passed);
                if sources.is_empty() && !is_passed_more {
                    return None;
                }
                let ports = if is_passed_more { Wanted::News.port_bits(&taint, id) } else { 0 };
                let evaluate = |batch: &[Source], ports| {
                    let evaluated = context.evaluate_with(&taint, id, batch.to_vec(), ports);
                    outputs(context, &taint, &evaluated, batch, id, Wanted::News)
                };
                // What comes in at ports goes the same way whichever sources are looked at.
                let (first, more) = sources.split_at(sources.len().min(BATCH));
                let mut all = evaluate(first, ports);
                let others: Vec<Outputs> = more.par_chunks(BATCH).map(|it| evaluate(it, 0)).collect();
                others.into_iter().for_each(|it| all.extend(it));
                Some((id, inputs, all))
            })
            .collect();
        let mut grown = Vec::new();
        for (id, inputs, out) in found {
            let before = known.get(&id).map_or((false, false), |it| (it.is_point, it.decides));
            known.insert(id, Known { inputs, is_point: out.is_point | before.0, decides: out.decides | before.1 });
            for (callee, is_virtual, port, category, carry) in out.passed {
                let is_new = is_virtual && taint.passed_below.insert((callee, category, port));
                let below = if is_new { context.handed_below(callee) } else { &[] };
                for &callee in std::iter::once(&callee).chain(below) {
                    if is_test(callee) {
                        continue;
                    }
                    let ports = taint.passed.entry((callee, category)).or_default();
                    if !ports.iter().any(|it| it.0 == port) {
                        ports.push((port, carry));
                        dirty.add(callee);
                    }
                }
            }
            for (field, category, part, carry) in out.fields {
                if taint.add_carrier(field, category, part, carry) {
                    dirty.extend(readers.of(field));
                }
            }
            for answer in out.answers {
                if taint.add_answer(id, answer) {
                    dirty.extend(taint.asked_at_start.get(&id).into_iter().flatten());
                }
            }
            out.lifts.into_iter().for_each(|it| taint.add_lift(context, id, it, &mut grown));
            if !grown.is_empty() {
                grown.drain(..).for_each(|it| dirty.extend(&callers[it as usize]));
                let info = &symbols.methods[id as usize];
                if info.name.as_str() == "<init>" {
                    let mut work = vec![info.owner];
                    let mut seen: FxHashSet<TypeId> = FxHashSet::default();
                    while let Some(class) = work.pop() {
                        if seen.insert(class) {
                            dirty.extend(makers.of(class));
                            work.extend(symbols.own(class).into_iter().flat_map(|it| it.subs.iter().copied()));
                        }
                    }
                }
            }
        }
    }
    let those = |has: fn(&Known) -> bool| known.iter().filter(move |it| has(it.1)).map(|it| *it.0);
    taint.readers = those(|it| !it.inputs.sources.is_empty()).collect();
    taint.readers.sort_unstable();
    taint.deciders = those(|it| it.decides).collect();
    taint.deciders.sort_unstable();
    taint.points = those(|it| it.is_point).filter(|&it| may_be_point(symbols, it, (context.facts)(it))).collect();
    taint
}

/// A method as it was last evaluated.
struct Known {
    inputs: Inputs,
    /// That makes it a mocking point by itself.
    is_point: bool,
    /// That may make it one, what callees read included.
    decides: bool,
}

/// What the outputs of a method follow from. Each source goes its own way, so that only those that are new bring anything new.
struct Inputs {
    sources: Vec<Source>,
    /// How many ports callers pass a source of each kind to.
    passed: [usize; FLOWING.len()],
}

impl Inputs {
    fn of<'a>(context: &Context<'a, impl Fn(MethodId) -> &'a MethodFacts + Sync>, taint: &Taint, id: MethodId) -> Inputs {
        let passed = FLOWING.map(|it| taint.passed.get(&(id, it)).map_or(0, Vec::len));
        Inputs { sources: context.sources(taint, id), passed }
    }

    /// The sources that were not there before, or were not the same.
    fn new_sources(&self, before: Option<&Inputs>) -> Vec<Source> {
        let mut old = before.map_or(&[][..], |it| &it.sources);
        let is_new = |source: &&Source| {
            // Both lists have the order of the source text.
            let found = old.iter().position(|it| Source { bit: source.bit, ..*it } == **source);
            old = found.map_or(old, |at| &old[at + 1..]);
            found.is_none()
        };
        self.sources.iter().filter(is_new).copied().collect()
    }
}

//! The fixed point: who has to be looked at again, and what comes of it.

use super::outputs::{FLOWING, Outputs, Wanted, outputs};
use super::{BATCH, Context, Source, SourceKey, Taint, carries, has_inside};
use crate::facts::MethodFacts;
use crate::facts::graph::NONE;
use crate::link::dirty::Dirty;
use crate::link::eval::Part;
use crate::link::resolve::{Listing, Ref, Target};
use crate::link::state::may_be_point;
use crate::link::symbols::{FieldId, MethodId, TypeId};
use crate::terms::Category;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

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
    let mut dirty = Dirty::new(vec![0; symbols.methods.len()], is_test);
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
        let at_start = context.runs_at_start(id);
        for (index, site) in resolved.calls.iter().enumerate() {
            if at_start && !context.is_kept(&(context.facts)(id).graph, resolved, index as u32) {
                for callee in context.callees(id, index as u32).filter(|&it| !context.is_constructor(it)) {
                    taint.asked_at_start.entry(callee).or_default().push(id);
                }
            }
            if site.source != NONE || site.external != NONE || matches!(site.listing, Listing::Source(_) | Listing::Point(_) | Listing::Marked(_)) {
                dirty.add(id);
            }
            let mut made = resolved.targets(&site.target).0.iter().filter(|&&it| context.is_constructor(it)).map(|&it| symbols.methods[it as usize].owner);
            let class = if let Target::Default(class) = site.target { Some(class) } else { made.next() };
            if let Some(class) = class {
                constructs.entry(class).or_default().push(id);
            }
        }
    }
    for &field in context.states.modifications.keys().chain(&context.states.beans.all_pushed()) {
        if context.states.beans.is_candidate(symbols, field)
            && context.states.ruled_out(symbols, field, context.settings.world, context.settings.precision, false, &context.facts).is_none()
        {
            taint.add_internal(field, context.states.is_steady(symbols, field, context.settings.world, &context.facts));
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
                taint.add_internal(field, context.states.is_steady(symbols, field, context.settings.world, &context.facts));
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
                    all.answers.extend(out.answers);
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
            for answer in out.answers {
                if taint.add_answer(id, answer) {
                    dirty.extend(taint.asked_at_start.get(&id).into_iter().flatten());
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
    let may_be = |id: MethodId| !is_test(id) && may_be_point(context.symbols, id, (context.facts)(id));
    taint.readers.par_iter().with_min_len(16).copied().filter(|&id| may_be(id) && reads(id)).collect()
}

//! Where one source of a method ends, apart from all others.
//!
//! The fixed point remembers one way for each field and port, which is enough to explain a verdict. Whoever counts
//! sources needs all ways of each.

use super::outputs::{Wanted, outputs};
use super::sources::numbered;
use super::{BATCH, Context, Evaluated, LiftId, Source, SourceKey, Taint};
use crate::facts::MethodFacts;
use crate::link::eval::Part;
use crate::link::symbols::{FieldId, MethodId};
use crate::terms::Category;

/// What a method gets state from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// One of its sources.
    Source(Source),
    /// State of a category that a caller passes at a port (the bit of it).
    Port(u8, Category),
}

/// Where state ends that a method got from one entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ends {
    /// It reaches a sink of the method; with `true` in the method alone.
    pub reached: Option<bool>,
    /// Fields that it is written to, or put into.
    pub fields: Vec<(FieldId, Part)>,
    /// Ports (bits of them) of callees that it is passed at.
    pub passed: Vec<(MethodId, u8)>,
    /// What callers get of it.
    pub lifts: Vec<LiftId>,
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts + Sync> Context<'a, F> {
    /// Where state ends that a method got from one entry.
    pub fn ends(&self, taint: &Taint, id: MethodId, entry: Entry) -> Ends {
        let (sources, port) = match entry {
            Entry::Source(source) => (vec![source], None),
            Entry::Port(port, category) => (Vec::new(), Some((port, category))),
        };
        let wanted = Wanted::All(port);
        let evaluated = self.evaluate_with(taint, id, sources, wanted.port_bits(taint, id));
        self.ends_of(taint, &evaluated, &evaluated.sources, id, wanted)
    }

    /// Where the state ends that a method got from each of these sources. They get other bits.
    pub fn ends_of_each(&self, taint: &Taint, id: MethodId, sources: Vec<Source>) -> Vec<(Source, Ends)> {
        let mut found = Vec::with_capacity(sources.len());
        for batch in numbered(sources).chunks(BATCH) {
            let evaluated = self.evaluate_with(taint, id, batch.to_vec(), 0);
            found.extend(evaluated.sources.chunks(1).map(|it| (it[0], self.ends_of(taint, &evaluated, it, id, Wanted::All(None)))));
        }
        found
    }

    /// Where the state ends that a method got from `sources`, which are one or none.
    fn ends_of(&self, taint: &Taint, evaluated: &Evaluated<'_>, sources: &[Source], id: MethodId, wanted: Wanted) -> Ends {
        let out = outputs(self, taint, evaluated, sources, id, wanted);
        let known = taint.lifts_of.get(&id).map_or(&[][..], Vec::as_slice);
        // Each lift of a kind stands for all of it: so do the callers' sources.
        let lifts = out.lifts.iter().filter_map(|lift| known.iter().copied().find(|&it| taint.lifts[it as usize].kind() == lift.kind()));
        let mut passed = Vec::new();
        for &(callee, is_virtual, port, ..) in &out.passed {
            let below = if is_virtual { self.handed_below(callee) } else { &[] };
            passed.extend(std::iter::once(&callee).chain(below).map(|&it| (it, port)));
        }
        Ends {
            reached: sources.first().and_then(|it| reached(evaluated, it)),
            fields: out.fields.iter().map(|it| (it.0, it.2)).collect(),
            passed,
            lifts: lifts.collect(),
        }
    }
}

fn reached(evaluated: &Evaluated<'_>, source: &Source) -> Option<bool> {
    let reached = evaluated.reached();
    let alone = reached.iter().any(|it| it.2 & source.bit != 0) && !matches!(source.key, SourceKey::Lifted(..));
    reached.iter().any(|it| it.1 & source.bit != 0).then_some(alone)
}

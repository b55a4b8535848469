//! Which sources of a method make a difference to anyone.

use super::Evaluated;
use crate::facts::graph::NONE;
use crate::link::changes::{Feeds, changes};
use crate::link::eval::PORTS;
use crate::link::symbols::FieldId;

/// What becomes of the sources of a method.
#[derive(Default)]
pub struct Kept {
    /// The bits of those that reach a sink, a field, an object from outside, or a method of the workspace.
    pub bits: u64,
    /// Fields that the method writes, each with the bits that reach it.
    pub fields: Vec<(FieldId, u64)>,
}

impl Evaluated<'_> {
    /// What becomes of the sources.
    pub fn kept(&self) -> Kept {
        let eval = &self.eval;
        let mut kept = Kept { bits: self.reached().iter().fold(0, |bits, it| bits | it.1), fields: Vec::new() };
        for (index, write) in eval.graph.writes.iter().enumerate() {
            let field = eval.resolved.writes[index];
            if field != NONE {
                let value = eval.mask(write.value);
                let bits = self.bits(value) | self.inside(value) | (value.held & !PORTS);
                kept.bits |= bits;
                if bits != 0 {
                    kept.fields.push((field, bits));
                }
            }
        }
        for change in changes(eval) {
            if let Feeds::Mask(mask) = change.feeds {
                kept.bits |= self.bits(mask) | self.inside(mask) | (mask.held & !PORTS);
            }
        }
        for index in (0..eval.graph.calls.len() as u32).filter(|&it| !eval.is_aside(it) && eval.callee_ids(it).next().is_some()) {
            for arg in 0..eval.graph.calls[index as usize].args.len as usize {
                let value = eval.passed(index, arg + 1);
                kept.bits |= self.bits(value) | self.inside(value);
            }
        }
        kept
    }
}

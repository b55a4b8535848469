//! Arrays that a field holds all the time: their elements change, how many there are does not.

use super::own_type;
use crate::catalogue::catalogue;
use crate::facts::graph::{NONE, NodeId, NodeKind};
use crate::link::changes::{By, Change};
use crate::link::eval::Eval;
use crate::link::symbols::{FieldId, Symbols};
use smallvec::SmallVec;

/// Whether a change of what a field holds is one of the elements of an array, which the field holds itself or for each thread.
pub(super) fn fills(eval: &Eval<'_>, field: FieldId, change: &Change) -> bool {
    if eval.symbols.fields[field as usize].ty.data().dims > 0 {
        return true;
    }
    is_array_of_thread(eval.symbols, field)
        && match change.by {
            By::Write(_) => true,
            By::Call(call) => is_got(eval, eval.graph.passed(call, change.port as u32).unwrap_or(NONE)),
            By::Return(_) => false,
        }
}

/// Whether a field is a `ThreadLocal` of an array.
fn is_array_of_thread(symbols: &Symbols, field: FieldId) -> bool {
    let args = &symbols.fields[field as usize].ty.data().args;
    let is_local = |it: u32| catalogue().library.types[it as usize].name.as_str() == "java.lang.ThreadLocal";
    matches!(args[..], [item] if item.data().dims > 0) && symbols.lib(own_type(symbols, field)).is_some_and(is_local)
}

/// Whether a value is what `get` gave, on every way by which it comes here.
fn is_got(eval: &Eval<'_>, node: NodeId) -> bool {
    let mut open: SmallVec<[NodeId; 8]> = SmallVec::from_slice(&[node]);
    let mut next = 0;
    while let Some(&id) = open.get(next) {
        next += 1;
        let mut follow = |it: NodeId| {
            if !open.contains(&it) {
                open.push(it);
            }
        };
        match eval.graph.nodes.get(id as usize).map(|it| it.kind) {
            Some(NodeKind::Call(call)) if eval.graph.calls[call as usize].name.as_str() == "get" => {}
            Some(NodeKind::Phi(list)) => eval.graph.list(list).iter().for_each(|&it| follow(it)),
            Some(_) => match eval.graph.same_object(id) {
                Some(same) => follow(same),
                None => return false,
            },
            None => return false,
        }
    }
    true
}

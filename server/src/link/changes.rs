//! What a method changes of objects that are not its own: by writes, by calls of library methods that have rules, and by calls
//! of methods with summaries.

use super::eval::{Eval, Holder, Mask, Part, Root, Roots, THIS, inside_bit, port_bit, port_number, slot_port};
use super::resolve::Target;
use super::symbols::MethodId;
use crate::catalogue::{Feed, MODIFIES, catalogue};
use crate::facts::graph::{NONE, NodeId, NodeKind, Write, WriteKind};
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::settings::Precision;
use smallvec::{SmallVec, smallvec};

/// A write to an object: the roots of the object, what is written.
pub struct Change {
    /// The object's roots.
    pub roots: Roots,
    /// What it absorbs; [`Feeds::Nothing`] for a change without content.
    pub feeds: Feeds,
    /// The call or write that does it.
    pub by: By,
    /// Of a call, which of its objects changes: 0 for the receiver, the arguments from 1.
    pub port: usize,
    /// The object is of a workspace type: its own fields say what it holds.
    pub own_type: bool,
    /// What changes it is a method of the workspace, at this port of it: the callee, 0 for its receiver.
    pub callee: Option<(MethodId, u8)>,
}

/// What an object absorbs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feeds {
    /// Origins.
    Mask(Mask),
    /// It changes, that is all.
    Nothing,
}

/// What changes an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A call, by its index.
    Call(u32),
    /// A write, by its index.
    Write(u32),
    /// The container hands on what a factory method returns, by the index of the sink.
    Return(u32),
}

/// Whether an object only notes what follows from itself, in a field of its own that has no value yet: it stays what it is. So it
/// does if it notes for each number what follows from itself and the number, in an array.
fn is_memo(eval: &Eval<'_>, write: &Write) -> bool {
    let is_this = |it: NodeId| it == NONE || eval.graph.nodes[it as usize].kind == NodeKind::This;
    let is_own = match (write.kind, eval.graph.nodes.get(write.obj as usize).map(|it| it.kind)) {
        (WriteKind::Element, Some(NodeKind::Select(object, _))) => is_this(object),
        (WriteKind::Element, array) => matches!(array, Some(NodeKind::Name(_))),
        _ => is_this(write.obj),
    };
    let known = THIS | inside_bit(0) | eval.mask(write.index).whole();
    eval.precision == Precision::Refined && write.lazy && is_own && eval.mask(write.value).whole() & !known == 0
}

/// The same of a call that puts it into what the object holds: into a reference that is still empty, or a map that was just made.
fn fills_memo(eval: &Eval<'_>, index: u32) -> bool {
    let of_itself = THIS | inside_bit(0);
    let call = &eval.graph.calls[index as usize];
    let follows = |it: &NodeId| eval.mask(*it).whole() & !of_itself == 0;
    eval.precision == Precision::Refined && call.lazy && eval.graph.list(call.args).iter().all(follows)
}

/// What an object holds, to its methods.
const OF_ITSELF: Root = Root { of: Holder::Port(0), part: Part::Held };

/// All changes that a method makes to objects that are not its own.
pub fn changes(eval: &Eval<'_>) -> Vec<Change> {
    changes_with(eval, None)
}

/// Those of them that put something into an object that one of these origins reaches: all of them without any given.
pub fn changes_with(eval: &Eval<'_>, origins: Option<u64>) -> Vec<Change> {
    let mut found = Vec::new();
    let counts = |feeds: Feeds| match (origins, feeds) {
        (None, _) => true,
        (Some(origins), Feeds::Mask(mask)) => mask.any() & origins != 0,
        (Some(_), Feeds::Nothing) => false,
    };
    for (index, write) in eval.graph.writes.iter().enumerate() {
        let by = By::Write(index as u32);
        match write.kind {
            WriteKind::Element => {
                let feeds = Feeds::Mask(eval.mask(write.value).as_element());
                if !counts(feeds) {
                    continue;
                }
                let mut roots = eval.roots(write.obj);
                if is_memo(eval, write) {
                    roots.retain(|it| *it != OF_ITSELF);
                }
                found.push(Change { roots, feeds, by, port: 0, own_type: false, callee: None });
            }
            WriteKind::Assign | WriteKind::Init => {
                let field = eval.resolved.writes[index];
                let is_static = field != NONE && eval.symbols.fields[field as usize].flags.has(Flags::STATIC);
                // The object holds it; the field that does is a carrier of its own.
                let feeds = Feeds::Mask(eval.mask(write.value).as_held(eval.deep));
                if is_static || !counts(feeds) || is_memo(eval, write) {
                    continue;
                }
                let roots = if write.obj == NONE { if field == NONE { Roots::new() } else { smallvec![Root::port(0)] } } else { eval.roots(write.obj) };
                if !roots.is_empty() {
                    found.push(Change { roots, feeds, by, port: 0, own_type: true, callee: None });
                }
            }
            WriteKind::Capture => {}
        }
    }
    for index in 0..eval.graph.calls.len() as u32 {
        let site = &eval.resolved.calls[index as usize];
        let by = By::Call(index);
        let by_rule = matches!(site.target, Target::Library | Target::Unresolved) || site.rule == MODIFIES;
        let is_reached = origins.is_none_or(|it| eval.brings(index) & it != 0);
        if is_reached && by_rule && eval.graph.calls[index as usize].form != CallForm::New {
            for effect in &catalogue().rules.rule(site.rule).effects {
                let port = slot_port(effect.into);
                let feeds = if effect.from == Feed::Nothing { Feeds::Nothing } else { Feeds::Mask(eval.taken(index, effect)) };
                if !counts(feeds) {
                    continue;
                }
                let mut roots = eval.port_roots(index, port);
                if port == 0 && fills_memo(eval, index) {
                    roots.retain(|it| *it != OF_ITSELF);
                }
                if !roots.is_empty() {
                    found.push(Change { roots, feeds, by, port, own_type: port == 0 && site.own_receiver, callee: None });
                }
            }
        }
        if by_rule && eval.graph.calls[index as usize].form == CallForm::SuperConstructor {
            // What a constructor of a library makes of what it gets is the object; of unknown classes, what it keeps.
            let made = eval.result(index);
            let feeds = Feeds::Mask(if site.target == Target::Library { made } else { made.as_held(eval.deep) });
            found.push(Change { roots: smallvec![Root::port(0)], feeds, by, port: 0, own_type: true, callee: None });
        }
        if !is_reached || !matches!(site.target, Target::Method(..) | Target::Many(..) | Target::Among(..)) || eval.is_aside(index) {
            continue;
        }
        // A reference gets arguments where it is called; the first one is known.
        let is_reference = eval.graph.calls[index as usize].form == CallForm::Reference;
        let n_args = if is_reference { 1 } else { eval.graph.calls[index as usize].args.len as usize };
        // An ambiguous call has many callees, and most calls have none that changes anything.
        let mut known_roots: SmallVec<[Option<Roots>; 8]> = SmallVec::new();
        for (callee, summary) in eval.callees(index) {
            if summary.mutated == 0 && summary.out.is_empty() {
                continue;
            }
            for port in 0..=n_args {
                let callee_port = if port == 0 { 0 } else { eval.port_of(callee, port - 1) };
                let out = summary.out_of(port_number(callee_port));
                // An argument that goes into an array of the call's own is not changed where that array is.
                let whole = if eval.is_spread(index, callee, callee_port) { 0 } else { port_bit(callee_port) };
                let mutated = u64::from(summary.mutated) & (whole | inside_bit(callee_port)) != 0;
                if !mutated && out.absorbed | out.held | out.inside == 0 {
                    continue;
                }
                let mut mask = eval.through_ports(index, callee, u64::from(out.absorbed));
                mask.held |= eval.kept(eval.through_ports(index, callee, u64::from(out.held)));
                let inside = eval.through_ports(index, callee, u64::from(out.inside));
                mask.join(Mask { elem: inside.m, inner: inside.m, m: 0, held: 0, ..inside });
                if !counts(Feeds::Mask(mask)) {
                    continue;
                }
                if known_roots.is_empty() {
                    known_roots.resize(n_args + 1, None);
                }
                let roots = known_roots[port].get_or_insert_with(|| eval.port_roots(index, port));
                if roots.is_empty() {
                    continue;
                }
                let roots = roots.clone();
                let callee = Some((callee, port_number(callee_port)));
                found.push(Change { roots, feeds: Feeds::Mask(mask), by, port, own_type: false, callee });
            }
        }
    }
    found
}

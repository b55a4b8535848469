//! Sources through the workspace: Algorithm 1 of the paper, lines 1 to 9, over the graphs of all methods.
//!
//! A method that reads a source is evaluated. Fields that the source reaches become sources themselves, and their
//! readers are evaluated in turn, until nothing changes. What a constructor reads, and what a callee hands on without
//! being a mocking point, is lifted to whoever calls it (`semantics.md` §5 and §6).

mod ends;
mod evaluate;
mod kept;
mod outputs;
mod propagate;
mod seeded;
mod sources;
mod start;

pub use ends::{Ends, Entry};
pub use evaluate::{Evaluated, Reached};
pub use kept::Kept;
pub use propagate::propagate;

use super::changes::By;
use super::eval::Part;
use super::listed::Listed;
use super::resolve::Resolved;
use super::state::FieldStates;
use super::summary::Globals;
use super::symbols::{FieldId, MethodId, Symbols, TypeId};
use crate::facts::graph::NodeId;
use crate::settings::{Precision, Settings};
use crate::terms::Category;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Sources that are followed at a time: as many as there are bits.
const BATCH: usize = 32;

/// More methods than this that a call may run are any of an interface of everybody (`accept` of a node, `writeTo` of a message):
/// which of them gets what the call passes, or leaves something in it, nobody can say of any one of them.
const MAX_BELOW: usize = 32;

/// A lift, as an index into [`Taint::lifts`].
pub type LiftId = u32;

/// A source within one method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SourceKey {
    /// A call that the table of sources has.
    Call(u32),
    /// A read of a library field that the table has.
    LibField(NodeId),
    /// A read of a field that is a source.
    Field(NodeId, FieldId),
    /// A read of a field that has a source inside what it holds.
    Inside(NodeId, FieldId),
    /// A call that brings what its callee read: call, port (`None`: the result), lift.
    Lifted(u32, Option<u8>, LiftId),
    /// The method as a whole: a data access object's, or what another module answers.
    Itself,
    /// What a caller passes, by its bit: the receiver, a parameter, or what is inside it. No source of the method
    /// itself, but fields that it writes to carry it.
    Passed(u8),
}

/// A source of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Which.
    pub key: SourceKey,
    /// What kind of state.
    pub category: Category,
    /// Its bit.
    pub bit: u64,
    /// All that is read from its object is tainted as well: a static object that changes.
    pub deep: bool,
    /// Only what the object contains is tainted: whether there is one does not depend on it.
    pub content: bool,
    /// A read of a field that holds an object, whatever the source is.
    pub present: bool,
    /// It makes its method a mocking point wherever its result goes: a call that leaves the process (paper §3.3), or
    /// what the project says is one (§3.4).
    pub needs_no_flow: bool,
}

/// A source of some method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The method.
    pub method: MethodId,
    /// The source in it.
    pub key: SourceKey,
}

/// How a field came to carry a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carry {
    /// Whose source.
    pub origin: Origin,
    /// What writes it, in the method of the origin.
    pub by: By,
}

/// What a callee hands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lift {
    /// Where it ends up: 0 is the receiver or the new object.
    pub port: u8,
    /// What kind of state.
    pub category: Category,
    /// Where it was read.
    pub origin: Origin,
    /// How it belongs to what is there.
    pub part: Part,
    /// It makes a mocking point of who gets it, wherever it goes.
    pub needs_no_flow: bool,
    /// The callee is a mocking point, and the caller runs at start-up, when no call is answered from a record: what it puts into
    /// fields is there for whoever reads them. It makes no mocking point of the caller.
    pub at_start: bool,
}

impl Lift {
    /// One of each kind names the dependency.
    fn kind(&self) -> (u8, Category, Part, bool) {
        (self.port, self.category, self.part, self.needs_no_flow)
    }
}

/// The fixed point.
#[derive(Default, Clone)]
pub struct Taint {
    /// Static fields that are modified while the service runs.
    pub internal: FxHashSet<FieldId>,
    /// Carriers, by category.
    pub carriers: FxHashMap<(FieldId, Category), Carry>,
    /// Fields that carry it inside what they hold.
    pub inside: FxHashMap<(FieldId, Category), Carry>,
    /// Ports (bits of them) that some caller passes a source to, by category.
    pub passed: FxHashMap<(MethodId, Category), Vec<(u8, Carry)>>,
    /// All lifts.
    pub lifts: Vec<Lift>,
    /// Lifts of each method that has some.
    pub lifts_of: FxHashMap<MethodId, Vec<LiftId>>,
    /// Methods that run at start-up call these: callee, callers.
    asked_at_start: FxHashMap<MethodId, Vec<MethodId>>,
    /// What mocking points that are called at start-up return.
    answers: FxHashMap<MethodId, Vec<LiftId>>,
    /// Methods that read a source, sorted.
    pub readers: Vec<MethodId>,
    /// Those in which one decides something, or that one leaves: no other method is a mocking point.
    pub deciders: Vec<MethodId>,
    /// Those that are mocking points by what they read themselves: nothing of it is lifted.
    pub points: FxHashSet<MethodId>,
    /// Of each method that is overridden, the lifts of what overrides it: one of each kind.
    lifts_below: FxHashMap<MethodId, Vec<LiftId>>,
    /// Ports that virtual calls pass a source to: what overrides the method knows of it too.
    passed_below: FxHashSet<(MethodId, Category, u8)>,
    /// Of each field that is a source, what it is: to most questions about fields the answer is no.
    kinds: Vec<u16>,
    /// Of each method whether [`Taint::lifts_of`] (1) or [`Taint::lifts_below`] (2) has it, for the same reason.
    lifting: Vec<u8>,
}

/// [`Taint::internal`] has a field, as a bit of [`Taint::kinds`].
const IS_INTERNAL: u16 = 1;

/// [`Taint::lifts_of`] has a method, as a bit of [`Taint::lifting`].
const HAS_LIFTS: u8 = 1;

/// [`Taint::lifts_below`] has it.
const HAS_LIFTS_BELOW: u8 = 2;

/// A field of [`Taint::internal`] holds the same object all the time, as another bit: the object is modified.
const IS_STEADY: u16 = 0x200;

/// [`Taint::carriers`] has a field with this category, as a bit of [`Taint::kinds`].
fn carries(category: Category) -> u16 {
    2 << category as u16
}

/// An assignment made it one, and not only what was put into what the field holds.
fn assigns(category: Category) -> u16 {
    0x400 << category as u16
}

/// [`Taint::inside`] has it.
fn has_inside(category: Category) -> u16 {
    0x20 << category as u16
}

impl By {
    /// What it makes of a field that it writes state to, as a bit of [`Taint::kinds`].
    fn makes(self, category: Category) -> u16 {
        if matches!(self, By::Call(_)) { carries(category) } else { assigns(category) }
    }
}

impl Taint {
    fn kinds_of(&self, field: FieldId) -> u16 {
        self.kinds.get(field as usize).copied().unwrap_or(0)
    }

    fn add_kind(&mut self, field: FieldId, kind: u16) {
        if self.kinds.len() <= field as usize {
            self.kinds.resize(field as usize + 1, 0);
        }
        self.kinds[field as usize] |= kind;
    }

    fn add_lifting(&mut self, method: MethodId, bit: u8) {
        if self.lifting.len() <= method as usize {
            self.lifting.resize(method as usize + 1, 0);
        }
        self.lifting[method as usize] |= bit;
    }

    /// What a method hands on, and with `below` what overrides it does.
    fn lifts_at(&self, method: MethodId, below: bool) -> impl Iterator<Item = LiftId> + '_ {
        let bits = self.lifting.get(method as usize).copied().unwrap_or(0);
        let own = if bits & HAS_LIFTS != 0 { self.lifts_of.get(&method) } else { None };
        let below = if below && bits & HAS_LIFTS_BELOW != 0 { self.lifts_below.get(&method) } else { None };
        own.into_iter().chain(below).flatten().copied()
    }

    fn add_internal(&mut self, field: FieldId, steady: bool) {
        self.internal.insert(field);
        self.add_kind(field, if steady { IS_INTERNAL | IS_STEADY } else { IS_INTERNAL });
    }

    /// Whether it is known that what writes a field makes it a source of a category.
    fn is_known(&self, field: FieldId, category: Category, part: Part, by: By) -> bool {
        let kinds = match part {
            Part::Inside => carries(category) | has_inside(category),
            _ => by.makes(category),
        };
        let internal = if category == Category::Internal { IS_INTERNAL } else { 0 };
        self.kinds_of(field) & (kinds | internal) != 0
    }

    /// Adds a carrier; whether that is news. The first way to it is the one that is told, unless that only fills what the field
    /// holds, and now it is assigned: then this one is, if it reads the source itself, since another one might lead back to the field.
    fn add_carrier(&mut self, field: FieldId, category: Category, part: Part, carry: Carry) -> bool {
        if self.is_known(field, category, part, carry.by) {
            return false;
        }
        let (carriers, kinds) = match part {
            Part::Inside => (&mut self.inside, has_inside(category)),
            _ => (&mut self.carriers, carries(category) | carry.by.makes(category)),
        };
        if matches!(carry.origin.key, SourceKey::Call(_) | SourceKey::LibField(_) | SourceKey::Itself) {
            carriers.insert((field, category), carry);
        } else {
            carriers.entry((field, category)).or_insert(carry);
        }
        self.add_kind(field, kinds);
        true
    }

    /// Whether it is known that a call of this kind passes a source to a port.
    fn is_passed(&self, callee: MethodId, is_virtual: bool, port: u8, category: Category) -> bool {
        match is_virtual {
            true => self.passed_below.contains(&(callee, category, port)),
            false => self.passed.get(&(callee, category)).is_some_and(|it| it.iter().any(|it| it.0 == port)),
        }
    }

    /// Whether one of `lifts` is of the kind of this one: more of a kind would only repeat it.
    fn has_kind(&self, lifts: &[LiftId], lift: &Lift) -> bool {
        lifts.iter().any(|&it| self.lifts[it as usize].kind() == lift.kind())
    }

    /// Adds what a mocking point returns at start-up; whether it is the first of its kind.
    fn add_answer(&mut self, method: MethodId, lift: Lift) -> bool {
        if self.answers.get(&method).is_some_and(|it| self.has_kind(it, &lift)) {
            return false;
        }
        self.answers.entry(method).or_default().push(self.lifts.len() as LiftId);
        self.lifts.push(lift);
        true
    }

    /// Adds a lift of a method, if it is the first of its kind; to `grown` the methods whose calls may bring it now.
    fn add_lift(&mut self, context: &Context<'_, impl Sized>, method: MethodId, lift: Lift, grown: &mut Vec<MethodId>) {
        if self.lifts_of.get(&method).is_some_and(|it| self.has_kind(it, &lift)) {
            return;
        }
        grown.push(method);
        let id = self.lifts.len() as LiftId;
        self.lifts.push(lift);
        self.lifts_of.entry(method).or_default().push(id);
        self.add_lifting(method, HAS_LIFTS);
        for &base in context.symbols.overridden.get(&method).into_iter().flatten() {
            let is_told = lift.port == 0 || !context.handed_below(base).is_empty();
            if is_told && !self.lifts_below.get(&base).is_some_and(|it| self.has_kind(it, &lift)) {
                self.lifts_below.entry(base).or_default().push(id);
                self.add_lifting(base, HAS_LIFTS_BELOW);
                grown.push(base);
            }
        }
    }

    /// The fields that any source reaches, some of them more than once.
    pub fn carrying(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.carriers.keys().chain(self.inside.keys()).map(|it| it.0)
    }

    /// Whether any source reaches a field.
    pub fn is_carrier(&self, field: FieldId) -> bool {
        Category::ALL.iter().any(|&it| self.carriers.contains_key(&(field, it)) || self.inside.contains_key(&(field, it)))
    }
}

/// What evaluation needs of the rest of the link.
pub struct Context<'a, F> {
    /// The symbol table.
    pub symbols: &'a Symbols,
    /// Every method, resolved.
    pub resolved: Table<'a>,
    /// Summaries.
    pub globals: &'a Globals,
    /// Static fields.
    pub states: &'a FieldStates,
    /// What the project says.
    pub listed: &'a Listed,
    /// Settings.
    pub settings: Settings,
    /// Facts of a method.
    pub facts: F,
    /// Initialisers of each class, which its constructors run.
    pub initialisers: &'a FxHashMap<TypeId, Vec<MethodId>>,
}

impl<F> Context<'_, F> {
    /// The methods that override one and get what a call of that passes, and hand back what they leave in it.
    fn handed_below(&self, base: MethodId) -> &[MethodId] {
        let below = self.symbols.overriders.get(&base).map_or(&[][..], Vec::as_slice);
        if self.settings.precision == Precision::Refined && below.len() > MAX_BELOW { &[] } else { below }
    }
}

/// Resolved methods; those of a file that is being edited come first.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// As linked.
    pub linked: &'a [Arc<Resolved>],
    /// As edited since.
    pub edited: Option<&'a FxHashMap<MethodId, Arc<Resolved>>>,
}

impl<'a> Table<'a> {
    /// A method.
    pub fn get(self, id: MethodId) -> &'a Resolved {
        match self.edited.and_then(|it| it.get(&id)) {
            Some(edited) => edited,
            None => &self.linked[id as usize],
        }
    }
}

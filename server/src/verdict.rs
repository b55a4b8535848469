//! Verdicts: what the analysis says about methods and fields, with the path of each.
//!
//! These types are what reports and the language server speak of. Positions are bytes in a file; turning them into
//! lines and columns is the business of whoever prints them.

mod carriers;
mod described;
mod effects;
mod explain;
pub mod feedback;
mod guarded;
pub(crate) mod judge;
mod path;
mod points;
mod ruled;
pub mod statistics;
mod unmockable;
pub(crate) mod view;

pub use explain::{Explanation, Query, explain};
pub use guarded::{Guarded, guarded};
pub use statistics::{Counted, Statistics};

pub use crate::terms::{Category, FileId, Reason, World};

use crate::java::decls::Range;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The bytes in it.
    pub range: Range,
}

/// How a source reaches a sink of the method that reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Flow {
    /// In the method alone.
    Intra,
    /// By way of callees.
    Inter,
    /// No flow is asked for: the method itself is the dependency.
    None,
}

/// A method's name as reports print it.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct MethodName {
    /// Source name of its class: `pkg.Outer.Inner`; anonymous classes are `pkg.Outer$1`.
    pub class: String,
    /// Binary name of its class: `pkg.Outer$Inner`.
    pub binary_class: String,
    /// Its simple name.
    pub name: String,
    /// Erased parameter types, qualified where known.
    pub parameters: Vec<String>,
    /// Erased result type; `void` for none.
    pub returns: String,
}

impl MethodName {
    /// `pkg.Class.method`.
    pub fn short(&self) -> String {
        format!("{}.{}", self.class, self.name)
    }
}

/// A read of state.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct SourceUse {
    /// What kind of state.
    pub category: Category,
    /// What is read: `java.time.LocalDate.now()`, or the field `pkg.Class.field`.
    pub what: String,
    /// Where the method reads it (for a carrier: where the carrier is read).
    pub place: Place,
    /// The field that brought it here, if any: `pkg.Class.field`.
    pub via: Option<String>,
    /// For external state: what is outside.
    pub dependency: Option<Dependency>,
}

/// Something outside the process.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Dependency {
    /// Its kind: `db`, `cache`, `mq`, `rpc`, ...
    pub kind: &'static str,
    /// What speaks to it: `Spring Data Redis`.
    pub component: &'static str,
    /// The type that a unit test would mock, and a replay tool intercept: `pkg.OrderMapper`.
    pub mock: String,
}

/// Where a value decides or leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SinkKind {
    /// A `return` operand.
    Return,
    /// A condition.
    Branch,
    /// A `throw` operand.
    Throw,
}

/// A sink that a source reaches.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct SinkUse {
    /// Its kind.
    pub kind: SinkKind,
    /// Where.
    pub place: Place,
}

/// One step of a path, in the order in which the value goes.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// What happens there, as a short clause without a full stop.
    pub note: String,
}

/// A method whose call is to be recorded and answered.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MockingPoint {
    /// The method.
    pub method: MethodName,
    /// Its name in the source (for a library wrapper: its first call).
    pub place: Place,
    /// Its whole declaration.
    pub declaration: Place,
    /// What kinds of state, sorted, at least one.
    pub categories: Vec<Category>,
    /// The shortest way a source takes.
    pub flow: Flow,
    /// The reads that reach a sink, in source order.
    pub sources: Vec<SourceUse>,
    /// The sinks they reach, in source order.
    pub sinks: Vec<SinkUse>,
    /// The path of the first source: source, what carries it, sink.
    pub path: Vec<Step>,
    /// What a call writes to objects of its caller, which is lost when the call is answered from the record.
    pub lost: Vec<LostWrite>,
}

/// A side effect of a mocking point (paper §3.5).
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct LostWrite {
    /// What is written: ``field pkg.Class.field of parameter `order` ``.
    pub what: String,
    /// Where the mocking point writes it, or calls what does.
    pub place: Place,
    /// From there to the write itself.
    pub path: Vec<Step>,
}

/// A method that modifies a field.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Modifier {
    /// `pkg.Class.method`.
    pub method: String,
    /// Where it modifies the field.
    pub place: Place,
    /// Whether anything calls it.
    pub called: bool,
}

/// What is said of a static field or of a field of a shared object.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FieldVerdict {
    /// Source name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its name in the source.
    pub place: Place,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is `final`.
    pub is_final: bool,
    /// Whether it is a field of a singleton bean.
    pub bean: bool,
    /// `None`: it is modified while the service runs. Otherwise why it is ruled out.
    pub ruled_out: Option<Reason>,
    /// All methods that modify it, in source order; for a modified field at least one is called.
    pub modifiers: Vec<Modifier>,
    /// A world in which the verdict would be the other one.
    pub flips_in: Option<World>,
    /// Whether writing `final` before it compiles.
    pub can_be_final: bool,
}

/// A read of state in code that is no method, so that no call of a method can be answered in its place.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct UnmockableSource {
    /// The read.
    pub read: SourceUse,
    /// What code it is in.
    pub within: Within,
    /// Source name of its class.
    pub class: String,
    /// Binary name of its class.
    pub binary_class: String,
    /// Fields that the value is written to there, in the order of their names.
    pub fields: Vec<KeptIn>,
}

/// Code that is no method that can be mocked (`semantics.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Within {
    /// `main`.
    Main,
    /// A constructor.
    Constructor,
    /// A static initialiser block.
    StaticInitialiser,
    /// An instance initialiser block.
    InstanceInitialiser,
    /// What a field is initialised with.
    FieldInitialiser,
    /// The arguments or the body of an enum constant.
    EnumConstant,
}

/// A field that a value is written to.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct KeptIn {
    /// `pkg.Class.field`.
    pub field: String,
    /// The field's name where it is declared.
    pub place: Place,
}

/// A field that carries state: it is none by itself, but state was written to it.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct CarrierField {
    /// Source name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its name in the source.
    pub place: Place,
    /// What it carries: one of each category, at least one.
    pub carried: Vec<Carried>,
}

/// State that a field carries.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Carried {
    /// What kind of state.
    pub category: Category,
    /// What was read: `java.time.LocalDate.now()`.
    pub what: String,
    /// From where it is read to where it is written to the field.
    pub path: Vec<Step>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// Sorted by file, then position, then name.
    pub mocking_points: Vec<MockingPoint>,
    /// Sorted by file, then position.
    pub fields: Vec<FieldVerdict>,
    /// Sorted by file, then position.
    pub unmockable: Vec<UnmockableSource>,
    /// What the source suppresses, which is in none of these lists: nobody is told, but it is counted.
    pub suppressed: Suppressed,
}

/// Findings that are not shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suppressed {
    /// Sorted as those that are.
    pub mocking_points: Vec<MockingPoint>,
    /// Sorted as those that are.
    pub fields: Vec<FieldVerdict>,
}

//! The types of the JSON report. `docs/report.schema.json` is generated from them; their comments are its text.

mod feedback;
mod statistics;

pub use feedback::*;
pub use statistics::*;

use schemars::JsonSchema;
use serde::Serialize;

/// What `mockpoint check --format json` prints.
///
/// Lines and columns count from 1; columns are UTF-16 code units. The end of a range is the place behind its last
/// character. Paths are relative to `root` and have `/` between their parts. The order of all lists is fixed: the
/// same sources give the same bytes.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "mockpoint report")]
pub struct Report<'a> {
    /// The version of this format. It changes when a reader of the former could misread the new one; keys may be
    /// added without that.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// What made the report.
    pub tool: Tool,
    /// The folder that was analysed, as it was given on the command line.
    pub root: String,
    /// The reading of the rules.
    pub precision: Precision,
    /// What was assumed about callers outside the sources.
    pub world: World,
    /// Which rows of the catalogue were sources.
    pub tier: Tier,
    /// The methods whose calls are to be recorded and answered, by file and position.
    pub mocking_points: Vec<MockingPoint<'a>>,
    /// The fields that could hold state, by file and position.
    pub fields: Vec<Field<'a>>,
    /// The reads of state where no method can be mocked, by file and position.
    pub unmockable_sources: Vec<UnmockableSource<'a>>,
    /// Counts. `mockpoint stats` prints them with their shares, and for each path.
    pub statistics: Statistics<'a>,
    /// What was read.
    pub files: Files<'a>,
}

/// What made a report.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// The reading of the rules.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// With the refinements that go beyond the paper.
    Refined,
    /// The paper's own rules.
    Paper,
}

/// What is assumed about callers outside the sources.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// Production sources are all there is.
    Application,
    /// Public and protected members count as called.
    Library,
    /// Test sources count as callers.
    WithTests,
}

/// Which rows of the catalogue are sources.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Those that are worth reading by default.
    Core,
    /// All.
    OptIn,
}

/// A kind of state.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// The operating system, the clock, random seeds, the environment, the host, the process.
    System,
    /// Fields, and what they own, that are modified while the service runs.
    Internal,
    /// Databases, other services, brokers, caches, files.
    External,
    /// What the project's white list names.
    WhiteList,
}

/// How a source reaches a sink.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// In the method alone.
    Intra,
    /// By way of callees.
    Inter,
    /// No flow is asked for: the method itself is the dependency.
    None,
}

/// A method whose calls are to be recorded and answered.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MockingPoint<'a> {
    /// The method.
    pub method: Method<'a>,
    /// The kinds of state that it depends on, at least one.
    pub categories: Vec<Category>,
    /// The shortest way from a source to a sink.
    pub flow: Flow,
    /// The file of `range`.
    pub file: String,
    /// The name of the method; for a wrapper without source its first call.
    pub range: Range,
    /// The reads that reach a sink.
    pub sources: Vec<Source<'a>>,
    /// The sinks that they reach.
    pub sinks: Vec<Sink>,
    /// The way of the first source: source, what carries it, sink.
    pub path: Vec<Step<'a>>,
    /// What a call writes to objects of its caller: lost when the call is answered from the record.
    pub lost_writes: Vec<LostWrite<'a>>,
}

/// A side effect of a mocking point.
#[derive(Serialize, JsonSchema, Debug)]
pub struct LostWrite<'a> {
    /// What is written: ``field pkg.Class.field of parameter `order` ``.
    pub what: &'a str,
    /// The file of `range`.
    pub file: String,
    /// Where the mocking point writes it, or calls what does.
    pub range: Range,
    /// From there to the write itself.
    pub path: Vec<Step<'a>>,
}

/// A method.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Method<'a> {
    /// The name of its class in the source: `pkg.Outer.Inner`.
    pub class: &'a str,
    /// The binary name of its class: `pkg.Outer$Inner`.
    pub binary_class: &'a str,
    /// Its simple name.
    pub name: &'a str,
    /// Its erased parameter types, qualified where known.
    pub parameters: &'a [String],
    /// Its erased result type; `void` for none.
    pub returns: &'a str,
}

/// A read of state.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Source<'a> {
    /// The kind of state.
    pub category: Category,
    /// What is read: `java.time.LocalDate.now()`, or a field as `pkg.Class.field`.
    pub what: &'a str,
    /// The file of `range`.
    pub file: String,
    /// Where the method reads it.
    pub range: Range,
    /// The field that brought it there, if any: `pkg.Class.field`.
    pub via: Option<&'a str>,
    /// What is outside the process; only for external state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependency: Option<Dependency<'a>>,
}

/// Something outside the process.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Dependency<'a> {
    /// What kind of thing it is: `db`, `cache`, `mq`, `rpc`, `http`, `config`, `coordination`, `search`, `cloud`, `file`,
    /// `socket`, `mail`, `ldap`, `device` or `job`.
    pub kind: &'a str,
    /// What speaks to it: `Spring Data Redis`.
    pub component: &'a str,
    /// The type that a unit test would mock and a replay tool intercept; empty if it is not known.
    pub mock: &'a str,
}

/// Where a value decides or leaves.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Sink {
    /// What it is.
    pub kind: SinkKind,
    /// The file of `range`.
    pub file: String,
    /// Where.
    pub range: Range,
}

/// What a sink is.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum SinkKind {
    /// The operand of a `return`.
    Return,
    /// A condition.
    Branch,
    /// The operand of a `throw`.
    Throw,
}

/// One step of a path.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Step<'a> {
    /// The file of `range`.
    pub file: String,
    /// Where.
    pub range: Range,
    /// What happens there.
    pub note: &'a str,
}

/// A read of state where no method can be mocked.
#[derive(Serialize, JsonSchema, Debug)]
pub struct UnmockableSource<'a> {
    /// The name of the class in the source: `pkg.Outer.Inner`.
    pub class: &'a str,
    /// What code it is in: `main`, `constructor`, `static initialiser`, `instance initialiser`, `field initialiser` or
    /// `enum constant`.
    pub within: &'static str,
    /// The read.
    pub source: Source<'a>,
    /// The fields that the value is written to there: `pkg.Class.field`.
    pub fields: Vec<&'a str>,
}

/// A field that could hold state.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Field<'a> {
    /// The name of its class in the source: `pkg.Outer.Inner`.
    pub class: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Whether it is static.
    #[serde(rename = "static")]
    pub is_static: bool,
    /// Whether it is `final`.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Whether it is a field of a singleton bean.
    pub bean: bool,
    /// Whether it holds state.
    pub verdict: FieldKind,
    /// Why it is ruled out; null for a modified field.
    pub reason: Option<Reason>,
    /// All methods that modify it.
    pub modifiers: Vec<Modifier<'a>>,
    /// A world in which the verdict would be the other one.
    pub flips_in: Option<World>,
    /// The file of `range`.
    pub file: String,
    /// The name of the field.
    pub range: Range,
}

/// Whether a field holds state.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// It is modified while the service runs.
    Modified,
    /// It is not: it needs no mocking.
    RuledOut,
}

/// Why a field is ruled out.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
pub enum Reason {
    /// It is `final`, and its type has no state.
    #[serde(rename = "constant")]
    Constant,
    /// Nothing modifies it after initialisation.
    #[serde(rename = "no modifier")]
    NoModifier,
    /// What modifies it is never called.
    #[serde(rename = "modifier never called")]
    ModifierNeverCalled,
    /// Only start-up code modifies it.
    #[serde(rename = "start-up only")]
    StartUpOnly,
    /// It is set once, under a check that it is not set yet, to a value that depends on no state.
    #[serde(rename = "lazy constant")]
    LazyConstant,
    /// It is only injected.
    #[serde(rename = "injected")]
    Injected,
    /// The project's `mockpoint.toml` says that it is never modified.
    #[serde(rename = "declared")]
    Declared,
}

/// A method that modifies a field.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Modifier<'a> {
    /// `pkg.Class.method`.
    pub method: &'a str,
    /// The file of `range`.
    pub file: String,
    /// Where it modifies the field.
    pub range: Range,
    /// Whether anything calls it.
    pub called: bool,
}

/// A part of a file.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Range {
    /// Its first character.
    pub start: Position,
    /// The place behind its last character.
    pub end: Position,
}

/// A place in a file.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Position {
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The column, from 1, in UTF-16 code units.
    #[schemars(range(min = 1))]
    pub column: u32,
}

/// What was read.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Files<'a> {
    /// Java files read.
    pub total: u64,
    /// Lines of those files.
    pub lines: u64,
    /// Files with syntax errors: findings in them may be missing.
    pub with_errors: Vec<FileErrors>,
    /// What could not be read, and what is wrong with files that wire beans together.
    pub problems: Vec<Problem<'a>>,
    /// What was odd about files that were read, such as their encoding.
    pub notes: Vec<Remark<'a>>,
}

/// Syntax errors of a file.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FileErrors {
    /// The file.
    pub file: String,
    /// How many.
    pub errors: u32,
    /// Where the first one is, where that is known.
    pub first: Option<Position>,
}

/// What could not be read of a file.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Problem<'a> {
    /// The file.
    pub file: String,
    /// Where in it, if it is not all of it.
    pub position: Option<Position>,
    /// What.
    pub message: &'a str,
}

/// Something to know about a file.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Remark<'a> {
    /// The file.
    pub file: String,
    /// What.
    pub message: &'a str,
}

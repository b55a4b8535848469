//! The types of what `mockpoint feedback --format json` prints. `docs/feedback.schema.json` is generated from them.

use super::{Method, Range, Reason, Tool};
use schemars::JsonSchema;
use serde::Serialize;

/// What `mockpoint feedback --format json` prints: what replays that failed tell, and rows for `mockpoint.toml`.
///
/// Places are as in the report of `mockpoint check`.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "mockpoint feedback")]
pub struct FeedbackReport<'a> {
    /// The version of this format. It changes when a reader of the former could misread the new one; keys may be
    /// added without that.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// What made the report.
    pub tool: Tool,
    /// The folder that was analysed, as it was given on the command line.
    pub root: String,
    /// The failures, in the order in which they came.
    pub failures: Vec<Failure<'a>>,
    /// What is proposed, the most likely first.
    pub rows: Vec<Row<'a>>,
}

/// A replay that failed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Failure<'a> {
    /// The exception, or the method as it was written.
    pub title: &'a str,
    /// Methods of production sources that were running, innermost first.
    pub methods: Vec<Suspect<'a>>,
    /// Frames of other code.
    pub foreign_frames: u64,
    /// Frames that do not name one method of production sources. Of a stack trace, classes that are not in the sources
    /// are not listed.
    pub unclear_frames: Vec<UnclearFrame<'a>>,
}

/// A frame that does not name one method.
#[derive(Serialize, JsonSchema, Debug)]
pub struct UnclearFrame<'a> {
    /// The frame: `pkg.Class.method`.
    pub frame: &'a str,
    /// Why it does not.
    pub kind: UnclearKind,
    /// The same in words.
    pub message: String,
    /// Some of what may be meant: classes, or methods.
    pub candidates: &'a [String],
}

/// Why a frame does not name one method.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum UnclearKind {
    /// No class has this name.
    UnknownClass,
    /// Several classes have this name. None is looked at.
    AmbiguousClass,
    /// The class has no method of this name.
    UnknownMethod,
    /// Several methods fit, and only a line would tell which. None is looked at.
    AmbiguousMethod,
    /// Several methods have this name. All are looked at.
    Overloads,
    /// The method is in test sources.
    Test,
}

/// A method that was running.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Suspect<'a> {
    /// The method.
    pub method: Method<'a>,
    /// The file of `range`.
    pub file: String,
    /// Its name in the source.
    pub range: Range,
    /// Whether it is a mocking point already; then no row is proposed for it.
    pub mocking_point: bool,
    /// What is to be done about it.
    pub message: String,
    /// Mocking points among it and what it calls whose side effects are lost in replay: a likely cause.
    pub lost_writes: Vec<LostCall<'a>>,
    /// Calls that no row can name, since the type of their receiver is not known.
    pub unknown_calls: Vec<UnknownCall<'a>>,
    /// Fields that it reads and that are ruled out, but for constants; none if it is a mocking point.
    pub ruled_out_fields: Vec<ReadField<'a>>,
}

/// A field that is ruled out and is read.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ReadField<'a> {
    /// `pkg.Class.field`.
    pub field: &'a str,
    /// Why it is ruled out.
    pub reason: Reason,
    /// The file of `range`.
    pub file: String,
    /// Where it is first read.
    pub range: Range,
}

/// A mocking point whose side effects are lost.
#[derive(Serialize, JsonSchema, Debug)]
pub struct LostCall<'a> {
    /// The mocking point: `pkg.Class.method`.
    pub method: &'a str,
    /// The first of its writes that are lost.
    pub what: &'a str,
    /// The file of `range`.
    pub file: String,
    /// Where it writes that.
    pub range: Range,
}

/// A call on something unknown.
#[derive(Serialize, JsonSchema, Debug)]
pub struct UnknownCall<'a> {
    /// The name of what is called.
    pub name: &'a str,
    /// The file of `range`.
    pub file: String,
    /// The call.
    pub range: Range,
}

/// A row for `mockpoint.toml`.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Row<'a> {
    /// Its table.
    pub table: RowTable,
    /// The type, as in the row.
    #[serde(rename = "type")]
    pub ty: &'a str,
    /// The member, as in the row.
    pub member: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Whether it is worth trying first.
    pub likely: bool,
    /// Where the methods that were running use it.
    pub uses: Vec<Use<'a>>,
    /// The failures that it may explain, by their index from 0.
    pub failures: Vec<usize>,
}

/// A table of `mockpoint.toml`.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum RowTable {
    /// The call itself is to be recorded.
    MockingPoint,
    /// What is read is state: who decides by it is to be recorded.
    Source,
    /// Something outside the sources calls the method, so that a field changes.
    EntryPoint,
}

/// Where something is called or read.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Use<'a> {
    /// The method that does: `pkg.Class.method`.
    pub method: &'a str,
    /// The file of `range`.
    pub file: String,
    /// Where.
    pub range: Range,
}

//! The types of counts, and of what `mockpoint stats --format json` prints. `docs/stats.schema.json` is generated from them.

use super::{Precision, Tier, Tool, World};
use schemars::JsonSchema;
use serde::Serialize;

/// What `mockpoint stats --format json` prints.
///
/// It counts what Table 2 and Figures 10 and 11 of the paper count, and what the analysis did not understand. The same
/// sources give the same bytes, but for `seconds`.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "mockpoint statistics")]
pub struct StatisticsReport<'a> {
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
    /// How long reading and analysing took, in seconds. The only value that differs from run to run.
    pub seconds: f64,
    /// Of all sources.
    pub total: Counts<'a>,
    /// Of each path of the command line, if there are several, by path. A file counts for the innermost one. A method that
    /// several call is counted for each in `invoked_methods`, and once in the total.
    pub paths: Vec<PathCounts<'a>>,
    /// What the paper reports for its ten services together.
    pub paper: Paper,
}

/// Counts of one path.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PathCounts<'a> {
    /// The path.
    pub path: &'a str,
    /// Its counts.
    #[serde(flatten)]
    pub counts: Counts<'a>,
}

/// Counts with their shares.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Counts<'a> {
    /// The counts.
    pub statistics: Statistics<'a>,
    /// What part of what they are.
    pub shares: Shares,
}

/// Shares from 0 to 1, rounded to four digits; null where there is nothing to be a part of.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Shares {
    /// Of the mocking points, those of the white list: White% of Table 2.
    pub white_list: Option<f64>,
    /// Mocking points for each method that is called: #T/#C of Table 2.
    pub points_of_invoked: Option<f64>,
    /// Of the reads of system state, those that need no mocking.
    pub system_filtered: Option<f64>,
    /// Of the fields that could hold internal state, those that need no mocking.
    pub internal_filtered: Option<f64>,
    /// Of the call sites, those whose receiver's type could not be resolved.
    pub unresolved: Option<f64>,
}

/// The paper's totals (Table 2, Figures 10 and 11, section 4.2).
#[derive(Serialize, JsonSchema, Debug)]
pub struct Paper {
    /// Lines of the services.
    pub lines: u64,
    /// How long the analysis took, in seconds.
    pub seconds: u64,
    /// Mocking points of each category; each has one.
    pub points: Points,
    /// All mocking points.
    pub mocking_points: u64,
    /// Different methods that are called, without those of the JDK.
    pub invoked_methods: u64,
    /// System state.
    pub reads: Reads,
    /// Internal state.
    pub fields: Fields,
    /// The shares; the paper gives no `unresolved`.
    pub shares: Shares,
}

/// Counts of an analysis.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Statistics<'a> {
    /// Java files read, test sources included.
    pub files: u64,
    /// Lines of those files: LOC of Table 2.
    pub lines: u64,
    /// Lines of test sources among them.
    pub test_lines: u64,
    /// Files with syntax errors.
    pub files_with_errors: u64,
    /// Types declared in production sources.
    pub types: u64,
    /// Methods with a body in production sources.
    pub methods: u64,
    /// Mocking points of each category; a method may have several.
    pub points: Points,
    /// All mocking points: #T of Table 2.
    pub mocking_points: u64,
    /// Different methods that production sources call, without those of the JDK and those of receivers whose type is not
    /// known: #C of Table 2.
    pub invoked_methods: u64,
    /// System state (Figure 10): reads of what the catalogue lists.
    pub reads: Reads,
    /// Internal state (Figure 11): static fields without `final`, and all fields of beans.
    pub fields: Fields,
    /// Fields that the paper leaves out: `final` static fields whose type has state, and fields of other shared objects.
    pub more_fields: Fields,
    /// External state: mocking points by what they call, most points first.
    pub components: Vec<Component<'a>>,
    /// Mocking points with a warning that they write to objects of their callers.
    pub side_effects: u64,
    /// Branches on state that guard nothing but logging and the like.
    pub benign_branches: u64,
    /// Call sites.
    pub calls: u64,
    /// Call sites whose receiver's type could not be resolved.
    pub unresolved_receivers: u64,
}

/// Mocking points of each category.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub struct Points {
    /// Of system state: #S of Table 2.
    pub system: u64,
    /// Of internal state: #I of Table 2.
    pub internal: u64,
    /// Of external state: #E of Table 2.
    pub external: u64,
    /// Of the project's white list: #W of Table 2.
    pub white_list: u64,
}

/// Reads of system state.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Reads {
    /// All.
    pub all: u64,
    /// Those that make a mocking point of the method that they are in, by that method alone.
    pub intra: u64,
    /// Those that make a mocking point by way of other methods or of fields.
    pub inter: u64,
}

/// Fields that could hold internal state.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Fields {
    /// All.
    pub all: u64,
    /// Those that some method modifies after construction.
    pub with_modifier: u64,
    /// Those that are modified while the service runs: what is left after refinement.
    pub modified: u64,
}

/// Something outside the process.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Component<'a> {
    /// What speaks to it: `Spring Data Redis`.
    pub component: &'a str,
    /// What kind of thing it is, as in `sources` of the report: `db`.
    pub kind: &'a str,
    /// Mocking points that call it.
    pub points: u64,
}

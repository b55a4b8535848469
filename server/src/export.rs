//! Exports: the mocking points in the forms that record-and-replay and mocking tools take, one file a tool.
//!
//! First the points become [`entry`] values, with all that a tool may ask about a method. [`cautions`] says what a tool
//! cannot do with each, [`covered`] what a plug-in of the tool does already, [`nested`] which are never reached but
//! through another one. What is left is printed. It decides nothing about what a mocking point is.

pub mod api;
pub mod arex;
mod business;
mod cautions;
mod covered;
mod csv;
mod diffblue;
pub mod entry;
mod handlers;
mod java;
mod later;
mod mockito;
mod mocks;
pub mod moonbox;
mod names;
mod nested;
pub mod noise;
mod placement;
pub mod repeater;
mod testable_mock;

use crate::codes;
use crate::report::{Report, sarif};
use crate::verdict::view::View;
use crate::verdict::{Category, Place};
use entry::Entry;
pub use placement::Placement;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// A tool that takes a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// AREX: dynamic classes.
    Arex,
    /// jvm-sandbox-repeater: its configuration.
    Repeater,
    /// MoonBox: its two lists of mocks.
    Moonbox,
    /// Diffblue Cover: options of its command.
    Diffblue,
    /// TestableMock: test classes.
    TestableMock,
    /// Mockito: base classes of tests.
    Mockito,
    /// What of answers changes by itself, for tools that compare them.
    Noise,
    /// A table for spreadsheets and scripts.
    Csv,
    /// SARIF, as `check` prints it.
    Sarif,
}

impl Tool {
    /// Its name in `tool_plugins.tsv` and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Arex => "arex",
            Tool::Repeater => "repeater",
            Tool::Moonbox => "moonbox",
            Tool::Diffblue => "diffblue",
            Tool::TestableMock => "testable-mock",
            Tool::Mockito => "mockito",
            Tool::Noise => "noise",
            Tool::Csv => "csv",
            Tool::Sarif => "sarif",
        }
    }
}

impl Tool {
    /// All tools.
    pub const ALL: [Tool; 9] =
        [Tool::Arex, Tool::Repeater, Tool::Moonbox, Tool::Diffblue, Tool::TestableMock, Tool::Mockito, Tool::Noise, Tool::Csv, Tool::Sarif];

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether it records calls and answers them.
    fn records(self) -> bool {
        matches!(self, Tool::Arex | Tool::Repeater | Tool::Moonbox)
    }
}

/// The syntax of what is printed, for tools that take more than one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Syntax {
    /// JSON.
    #[default]
    Json,
    /// YAML.
    Yaml,
}

/// What to export.
#[derive(Clone, Debug)]
pub struct Options {
    /// For whom.
    pub tool: Tool,
    /// Points with one of these categories only; empty for all.
    pub categories: Vec<Category>,
    /// Points in these packages and below only; empty for all.
    pub packages: Vec<String>,
    /// Also what a plug-in of the tool covers, what is nested in another point and what the tool cannot record.
    pub all: bool,
    /// Where points are put.
    pub placement: Placement,
    /// The name of the application in the tool.
    pub app: String,
    /// The syntax.
    pub syntax: Syntax,
}

/// Something that a person should know about an entry.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Remark {
    /// The method.
    pub place: Place,
    /// `pkg.Class.method`.
    pub method: String,
    /// What about it; a clause without a full stop.
    pub text: String,
    /// It is not in the export for that.
    pub left_out: bool,
}

/// A file of an export that has several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Where it belongs below the folder of test sources, with `/`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// An export.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// The content of the file; of several files one after another, each below a line with its path.
    pub text: String,
    /// The files, if there are several.
    pub files: Vec<File>,
    /// How many entries are in it.
    pub n_entries: usize,
    /// How many points were left out.
    pub n_left_out: usize,
    /// What to know about entries, by place.
    pub remarks: Vec<Remark>,
    /// What to know about the export as a whole, a line each.
    pub notes: Vec<String>,
}

/// Makes an export.
pub fn export(report: &Report<'_>, options: &Options) -> Exported {
    let linked = &report.linked.linked;
    let view = View::linked(linked);
    let mut entries = entry::collect(&view, &report.linked.verdicts.mocking_points);
    entries.retain(|it| is_asked(it, options));
    let mut remarks = Vec::new();
    if options.tool.records() {
        covered::apply(options, &mut entries, &mut remarks);
        if options.placement == Placement::Narrow {
            placement::narrow(&view, options, &mut entries, &mut remarks);
        }
        cautions::apply(&view, options, &mut entries, &mut remarks);
        nested::apply(&view, options, &mut entries, &mut remarks);
        later::apply(&view, options.tool, &entries, &mut remarks);
    }
    remarks.sort();
    remarks.dedup();
    let mut out: Vec<(Place, &str)> = remarks.iter().filter(|it| it.left_out).map(|it| (it.place, it.method.as_str())).collect();
    out.dedup();
    let n_left_out = out.len();
    let mut exported = Exported { n_entries: entries.len(), n_left_out, ..Exported::default() };
    let points = &report.linked.verdicts.mocking_points;
    match options.tool {
        Tool::Arex => {
            let unrecordable = cautions::Unrecordable::new(view.symbols());
            arex::print(&view, options, &entries, &|it| unrecordable.is_unfit(it), &mut exported);
        }
        Tool::Repeater => repeater::print(&entries, points, &handlers::find(&view), &mut exported),
        Tool::Moonbox => exported.text = moonbox::print(&entries),
        Tool::Noise => {
            let noise = noise::find(&view, &entries, &handlers::find(&view));
            exported.n_entries = noise.0.len();
            exported.text = noise::print(&noise);
        }
        Tool::Csv => exported.text = csv::print(report, &entries),
        Tool::Sarif => exported.text = sarif_text(report),
        Tool::Diffblue | Tool::Mockito | Tool::TestableMock => {
            let all = mocks::collect(&view, &entries, &mut remarks);
            let mut refused = BTreeSet::new();
            let mut refuse = |it: String| {
                refused.insert(it);
            };
            match options.tool {
                Tool::Diffblue => {
                    let own = view.symbols().types.iter().filter(|it| !linked.files[it.file as usize].is_test);
                    exported.text = diffblue::print(&own.map(|it| it.binary.as_str()).collect(), &all, &mut refuse);
                }
                Tool::Mockito => exported.files = mockito::files(view.symbols(), &all, &mut refuse),
                _ => exported.files = testable_mock::files(view.symbols(), &all, &mut refuse),
            }
            exported.notes.extend(refused);
            for it in &exported.files {
                exported.text.push_str(&format!("// --- {}\n{}", it.path, it.text));
            }
        }
    }
    remarks.sort();
    remarks.dedup();
    exported.remarks = remarks;
    exported
}

fn sarif_text(report: &Report<'_>) -> String {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail, and JSON is UTF-8.
    let _ = sarif::print(&mut bytes, report);
    String::from_utf8(bytes).unwrap_or_default()
}

/// The category of this name.
pub fn category(name: &str) -> Option<Category> {
    Category::ALL.into_iter().find(|&it| codes::category(it) == name)
}

/// Whether an entry is of a category and a package that are asked for.
fn is_asked(entry: &Entry<'_>, options: &Options) -> bool {
    let in_package = |it: &String| entry.class.strip_prefix(it.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']));
    (options.categories.is_empty() || entry.point.categories.iter().any(|it| options.categories.contains(it)))
        && (options.packages.is_empty() || options.packages.iter().any(in_package))
}

/// Prints what to know of an export: a line for each remark, the notes, and how much there is of what.
pub fn print_remarks(out: &mut dyn Write, report: &Report<'_>, exported: &Exported) -> io::Result<()> {
    for it in &exported.remarks {
        let word = if it.left_out { "left out" } else { "warning" };
        writeln!(out, "{word}: {}: {}: {}", report.location(it.place), it.method, it.text)?;
    }
    for it in &exported.notes {
        writeln!(out, "note: {it}")?;
    }
    let n_warnings = exported.remarks.iter().filter(|it| !it.left_out).count();
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let (entries, warnings) = (plural(exported.n_entries, "entry", "entries"), plural(n_warnings, "warning", "warnings"));
    writeln!(out, "{entries}, {} left out, {warnings}", exported.n_left_out)
}

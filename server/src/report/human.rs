//! The report for people: a finding as a linter prints it, with its source line and what else it is about.

use super::Report;
use super::snippet::{Snippet, Sources, harmless};
use super::statistics::{self, StatisticsReport};
use crate::codes;
use crate::config::Severity;
use crate::verdict::{Category, Explanation, FieldVerdict, MockingPoint, Place, Step, UnmockableSource};
use rayon::prelude::*;
use std::io::{self, Write};

/// Related places that a finding lists unless its path is asked for.
const MAX_RELATED: usize = 5;
/// Files that a remark on standard error lists.
const MAX_REMARKS: usize = 5;

/// How to print.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Also print the path of each mocking point.
    pub explain: bool,
    /// Also print the fields that are never modified.
    pub all: bool,
    /// Also print these counts.
    pub stats: Option<StatisticsReport<'a>>,
    /// Use colours.
    pub color: bool,
}

/// Findings that one task renders.
const CHUNK: usize = 128;

/// All findings and a summary, in pieces to be printed one after the other. Rendered on the current rayon pool.
pub fn render(report: &Report<'_>, options: &Options<'_>) -> io::Result<Vec<Vec<u8>>> {
    let all = findings(report, options);
    let rendered = all.par_chunks(CHUNK).map(|findings| {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, report, options.color);
        for finding in findings {
            match finding {
                Finding::Point(point) => printer.point(point, options.explain)?,
                Finding::Field(field) => printer.field(field)?,
                Finding::SideEffect(point) => printer.side_effect(point, options.explain)?,
                Finding::Unmockable(read) => printer.unmockable(read)?,
            }
        }
        Ok(out)
    });
    let mut rendered = rendered.collect::<io::Result<Vec<Vec<u8>>>>()?;
    let mut end = Vec::new();
    if let Some(counts) = &options.stats {
        statistics::print(&mut end, counts)?;
        writeln!(end)?;
    }
    summary(&mut end, report, options)?;
    rendered.push(end);
    Ok(rendered)
}

/// Prints explanations, each with its path.
pub fn print_explanations(out: &mut dyn Write, report: &Report<'_>, explanations: &[Explanation], color: bool) -> io::Result<()> {
    let mut printer = Printer::new(out, report, color);
    for (idx, explanation) in explanations.iter().enumerate() {
        if idx > 0 {
            writeln!(printer.out)?;
        }
        writeln!(printer.out, "{}", printer.paint(BOLD, &harmless(&explanation.title)))?;
        for line in &explanation.lines {
            writeln!(printer.out, "  {}", harmless(line))?;
        }
        printer.steps(&explanation.path)?;
    }
    Ok(())
}

/// Prints what could not be read and where syntax errors are, in short: findings may be missing there.
pub fn print_remarks(err: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let files = || (0..).zip(&report.linked.files);
    let problems = report.problems.iter().map(|it| {
        let place = it.position.map(|at| format!(":{}:{}", at.line + 1, at.column + 1)).unwrap_or_default();
        format!("warning: {}{place}: {}", harmless(&it.path.to_string_lossy()), harmless(&it.message))
    });
    remarks(err, problems.collect(), "problems")?;
    let broken = files().filter(|(_, it)| it.facts.errors > 0).map(|(id, it)| {
        let noun = if it.facts.errors == 1 { "syntax error" } else { "syntax errors" };
        let place = match it.facts.first_error {
            Some(range) => report.location(Place { file: id, range }),
            None => report.found_path(id),
        };
        format!("warning: {place}: {} {noun}, findings may be missing", it.facts.errors)
    });
    remarks(err, broken.collect(), "files with syntax errors")?;
    let notes = files().filter_map(|(id, it)| it.note.map(|note| format!("note: {}: {note}", report.found_path(id))));
    remarks(err, notes.collect(), "notes")
}

fn remarks(err: &mut dyn Write, lines: Vec<String>, what: &str) -> io::Result<()> {
    for line in lines.iter().take(MAX_REMARKS) {
        writeln!(err, "{line}")?;
    }
    if lines.len() > MAX_REMARKS {
        writeln!(err, "... and {} more {what}", lines.len() - MAX_REMARKS)?;
    }
    Ok(())
}

enum Finding<'a> {
    Point(&'a MockingPoint),
    Field(&'a FieldVerdict),
    SideEffect(&'a MockingPoint),
    Unmockable(&'a UnmockableSource),
}

/// The findings that are asked for, by file and position.
fn findings<'a>(report: &Report<'a>, options: &Options<'_>) -> Vec<Finding<'a>> {
    let verdicts = &report.linked.verdicts;
    let points = verdicts.mocking_points.iter().map(|it| (it.place, Finding::Point(it)));
    let fields = verdicts.fields.iter().filter(|it| options.all || it.ruled_out.is_none()).map(|it| (it.place, Finding::Field(it)));
    let effects = verdicts.mocking_points.iter().filter_map(|it| it.lost.first().map(|first| (first.place, Finding::SideEffect(it))));
    let unmockable = verdicts.unmockable.iter().map(|it| (it.read.place, Finding::Unmockable(it)));
    let mut res: Vec<_> = points.chain(fields).chain(effects).chain(unmockable).collect();
    // Stable, so that findings at one place stay in the order of the verdicts.
    res.sort_by_key(|it| it.0);
    res.into_iter().map(|it| it.1).collect()
}

fn summary(out: &mut dyn Write, report: &Report<'_>, options: &Options<'_>) -> io::Result<()> {
    let verdicts = &report.linked.verdicts;
    let points = &verdicts.mocking_points;
    let n_modified = verdicts.fields.iter().filter(|it| it.ruled_out.is_none()).count();
    let n_ruled_out = verdicts.fields.len() - n_modified;
    let files = counted(report.linked.files.len(), "file");
    if points.is_empty() && n_modified == 0 {
        write!(out, "No mocking points and no modified fields in {files}.")?;
    } else {
        let counts = Category::ALL.map(|kind| (kind, points.iter().filter(|it| it.categories.contains(&kind)).count()));
        let counts: Vec<String> = counts.iter().filter(|it| it.1 > 0).map(|it| format!("{} {}", it.1, codes::category(it.0))).collect();
        let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
        write!(out, "Found {}{counts} and {} in {files}.", counted(points.len(), "mocking point"), counted(n_modified, "modified field"))?;
    }
    if n_ruled_out > 0 {
        let hint = if options.all { "" } else { " (--all lists them)" };
        let verb = if n_ruled_out == 1 { "is" } else { "are" };
        write!(out, " {} {verb} never modified{hint}.", counted(n_ruled_out, "field"))?;
    }
    writeln!(out)
}

fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

const BOLD: &str = "1";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const GREEN: &str = "1;32";
const BLUE: &str = "1;34";

struct Printer<'a, 'o> {
    out: &'o mut dyn Write,
    report: &'a Report<'a>,
    sources: Sources<'a>,
    color: bool,
}

impl<'a, 'o> Printer<'a, 'o> {
    fn new(out: &'o mut dyn Write, report: &'a Report<'a>, color: bool) -> Self {
        Printer { out, report, sources: Sources::new(&report.linked.files), color }
    }

    fn point(&mut self, point: &MockingPoint, explain: bool) -> io::Result<()> {
        self.head(point.place, codes::MOCKING_POINT, RED, &codes::point_message(point))?;
        let related = point.sources.iter().map(|it| {
            let via = it.via.as_ref().map(|via| format!(" through field {via}")).unwrap_or_default();
            let does = if it.dependency.is_some() { "calls" } else { "reads" };
            (it.place, format!("{does} {}{via}", it.what))
        });
        let sinks = point.sinks.iter().map(|it| (it.place, format!("reaches a {}", codes::sink(it.kind))));
        if explain {
            self.related(sinks.skip(1).collect(), usize::MAX)?;
            self.steps(&point.path)?;
        } else {
            self.related(related.collect(), MAX_RELATED)?;
        }
        writeln!(self.out)
    }

    fn field(&mut self, field: &FieldVerdict) -> io::Result<()> {
        let color = if field.ruled_out.is_some() { GREEN } else { YELLOW };
        self.head(field.place, codes::field_code(field), color, &codes::field_message(field))?;
        let related = field.modifiers.iter().map(|it| {
            let called = if it.called { "" } else { ", which nothing calls" };
            (it.place, format!("modified by {}{called}", it.method))
        });
        self.related(related.collect(), MAX_RELATED)?;
        writeln!(self.out)
    }

    fn side_effect(&mut self, point: &MockingPoint, explain: bool) -> io::Result<()> {
        let Some(first) = point.lost.first() else { return Ok(()) };
        self.head(first.place, codes::LOST_SIDE_EFFECT, YELLOW, &codes::side_effect_message(point))?;
        let others = point.lost.iter().skip(1).map(|it| (it.place, format!("writes {}", it.what)));
        self.related(others.collect(), if explain { usize::MAX } else { MAX_RELATED })?;
        if explain {
            self.steps(&first.path)?;
        }
        writeln!(self.out)
    }

    fn unmockable(&mut self, read: &UnmockableSource) -> io::Result<()> {
        self.head(read.read.place, codes::UNMOCKABLE_SOURCE, BLUE, &codes::unmockable_message(read))?;
        let related = read.fields.iter().map(|it| (it.place, format!("field {} keeps it", it.field)));
        self.related(related.collect(), MAX_RELATED)?;
        writeln!(self.out)
    }

    /// The line of the finding and its source line.
    fn head(&mut self, place: Place, code: &str, color: &str, message: &str) -> io::Result<()> {
        // How serious it is, if the project says so, is in the colour.
        let color = match self.report.linked.linked.listed.severity(place.file, code) {
            Some(Severity::Error) => RED,
            Some(Severity::Warning) => YELLOW,
            Some(Severity::Information) => BLUE,
            Some(Severity::Hint) => GREEN,
            Some(Severity::Off) | None => color,
        };
        writeln!(self.out, "{} {} {}", self.paint(BOLD, &self.report.location(place)), self.paint(color, code), harmless(message))?;
        if let Some(snippet) = self.sources.snippet(place) {
            let gutter = snippet.line.to_string().len();
            writeln!(self.out, "{}", self.paint(BLUE, &format!("{:gutter$} |", "")))?;
            self.snippet(&snippet, gutter, color)?;
        }
        Ok(())
    }

    fn snippet(&mut self, snippet: &Snippet, gutter: usize, color: &str) -> io::Result<()> {
        let number = format!("{:>gutter$} |", snippet.line);
        writeln!(self.out, "{} {}", self.paint(BLUE, &number), snippet.text)?;
        let carets = "^".repeat(snippet.carets);
        let bar = format!("{:gutter$} |", "");
        writeln!(self.out, "{} {:before$}{}", self.paint(BLUE, &bar), "", self.paint(color, &carets), before = snippet.before)
    }

    /// Other places, one line each.
    fn related(&mut self, places: Vec<(Place, String)>, max: usize) -> io::Result<()> {
        for (place, note) in places.iter().take(max) {
            writeln!(self.out, "  {} {}: {}", self.paint(BLUE, "="), self.report.location(*place), harmless(note))?;
        }
        if places.len() > max {
            writeln!(self.out, "  {} and {} more", self.paint(BLUE, "="), places.len() - max)?;
        }
        Ok(())
    }

    /// A path: numbered steps, each with its source line.
    fn steps(&mut self, steps: &[Step]) -> io::Result<()> {
        for (idx, step) in steps.iter().enumerate() {
            let number = format!("{:>4}.", idx + 1);
            writeln!(self.out, "{} {}: {}", self.paint(BLUE, &number), self.report.location(step.place), harmless(&step.note))?;
            if let Some(snippet) = self.sources.snippet(step.place) {
                let gutter = snippet.line.to_string().len().max(3) + 6;
                self.snippet(&snippet, gutter, BLUE)?;
            }
        }
        Ok(())
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

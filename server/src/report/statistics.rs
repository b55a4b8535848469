//! Counts as Table 2 and Figures 10 and 11 of the paper show them: as text, for machines ([`json`]), as a page ([`html`]).

pub mod html;
pub mod json;
mod paper;
mod table;

use super::snippet::harmless;
use crate::settings::Settings;
use crate::verdict::Statistics;
use crate::verdict::statistics::{Component, Counted, Fields, Reads};
use std::io::{self, Write};
use std::path::Path;
use table::Table;

/// What the bars of text are as wide as, in characters.
const BAR: u64 = 40;

/// Counts, and what they are of.
#[derive(Clone, Copy)]
pub struct StatisticsReport<'a> {
    /// The counts.
    pub counted: &'a Counted,
    /// The names of the parts: the paths of the command line if there are several.
    pub parts: &'a [String],
    /// The settings that were used.
    pub settings: Settings,
    /// The folder that was analysed.
    pub root: &'a Path,
    /// How long reading and analysing took, in seconds, where that is to be said.
    pub seconds: Option<f64>,
}

impl<'a> StatisticsReport<'a> {
    /// The rows of the main table: each part, then everything.
    fn rows(&self) -> Vec<(String, &'a Statistics)> {
        let parts = self.parts.iter().zip(&self.counted.parts).map(|(name, counts)| (harmless(name), counts));
        let total = if self.parts.is_empty() { harmless(&self.root.to_string_lossy()) } else { "total".to_owned() };
        parts.chain([(total, &self.counted.total)]).collect()
    }

    /// Table 2, with the paper's totals as its last row.
    fn main_table(&self) -> Table {
        let mut table = Table::new(&["", "LOC", "time", "#I", "#E", "#S", "#W", "#T", "White%", "#C", "#T/#C"]);
        let rows = self.rows();
        let last = rows.len() - 1;
        for (index, (name, counts)) in rows.into_iter().enumerate() {
            // One analysis reads all parts, so only all of it has a time.
            let seconds =
                self.seconds.filter(|_| index == last).map(|it| if it < 10.0 { format!("{it:.2} s") } else { format!("{it:.0} s") }).unwrap_or_default();
            table.row(main_row(name, counts, seconds));
        }
        let paper = paper::statistics();
        table.row(main_row(paper::NAME.to_owned(), &paper, format!("{} s", paper::SECONDS)));
        table
    }

    /// What the paper has no numbers of.
    fn other_rows(&self) -> Vec<(&'static str, u64, String)> {
        let it = &self.counted.total;
        vec![
            ("files", it.files, String::new()),
            ("lines of test sources", it.test_lines, share(it.test_lines, it.lines, "of all lines")),
            ("files with syntax errors", it.files_with_errors, share(it.files_with_errors, it.files, "of all files")),
            ("types", it.types, String::new()),
            ("methods with a body", it.methods, String::new()),
            ("mocking points", it.mocking_points, share(it.mocking_points, it.methods, "of all methods")),
            ("other fields that could hold state", it.more_fields.all, String::new()),
            ("  of these modified", it.more_fields.modified, share(it.more_fields.modified, it.more_fields.all, "of them")),
            ("benign branches", it.benign_branches, String::new()),
            ("mocking points with lost side effects", it.side_effects, share(it.side_effects, it.mocking_points, "of all mocking points")),
            ("calls", it.calls, String::new()),
            ("  with an unresolved receiver", it.unresolved_receivers, share(it.unresolved_receivers, it.calls, "of all calls")),
        ]
    }
}

/// What the columns of the main table mean.
const LEGEND: [&str; 3] = [
    "#I, #E, #S, #W: mocking points of internal, external and system state and of the white list. One may be of several.",
    "#T: mocking points. White%: #W of #T.",
    "#C: different methods that are called, without those of the JDK and those whose receiver has no known type.",
];
const SYSTEM: &str = "System state (Figure 10): reads of what Table 1 and the catalogue list";
const INTERNAL: &str = "Internal state (Figure 11): static fields without `final`, and fields of beans";
const EXTERNAL: &str = "External state: mocking points by what they call";
const OTHER: &str = "Beyond the paper";

fn main_row(name: String, it: &Statistics, seconds: String) -> Vec<String> {
    let [system, internal, external, white_list] = it.points;
    let numbers = [internal, external, system, white_list, it.mocking_points].map(|it| it.to_string());
    let mut row = vec![name, it.lines.to_string(), seconds];
    row.extend(numbers);
    row.extend([percent(white_list, it.mocking_points), it.invoked_methods.to_string(), percent(it.mocking_points, it.invoked_methods)]);
    row
}

/// The bars of Figure 10.
fn system_bars(it: Reads) -> [(&'static str, u64); 3] {
    [("all", it.all), ("mocked, from intra", it.intra), ("mocked, from inter", it.inter)]
}

/// The bars of Figure 11.
fn internal_bars(it: Fields) -> [(&'static str, u64); 3] {
    [("all", it.all), ("with modifier", it.with_modifier), ("after refinement", it.modified)]
}

/// Prints the counts.
pub fn print(out: &mut dyn Write, report: &StatisticsReport<'_>) -> io::Result<()> {
    let total = &report.counted.total;
    let paper = paper::statistics();
    writeln!(out, "Statistics\n")?;
    report.main_table().print(out)?;
    writeln!(out)?;
    for line in LEGEND {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "\n{SYSTEM}\n")?;
    bars(out, &system_bars(total.reads))?;
    compare(out, (total.reads.filtered(), total.reads.all), (paper.reads.filtered(), paper.reads.all))?;
    writeln!(out, "\n{INTERNAL}\n")?;
    bars(out, &internal_bars(total.fields))?;
    compare(out, (total.fields.filtered(), total.fields.all), (paper.fields.filtered(), paper.fields.all))?;
    if !total.components.is_empty() {
        writeln!(out, "\n{EXTERNAL}\n")?;
        component_table(&total.components).print(out)?;
    }
    writeln!(out, "\n{OTHER}\n")?;
    for (name, count, remark) in report.other_rows() {
        let line = format!("  {name:<38} {count:>10}  {remark}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn component_table(components: &[Component]) -> Table {
    let mut table = Table::new(&["component", "kind", "points"]);
    table.left(1);
    for it in components {
        table.row(vec![harmless(it.name), harmless(it.kind), it.points.to_string()]);
    }
    table
}

fn bars(out: &mut dyn Write, bars: &[(&str, u64)]) -> io::Result<()> {
    let max = bars.iter().map(|it| it.1).max().unwrap_or_default().max(1);
    for &(name, count) in bars {
        // What is there is seen.
        let width = (count * BAR).div_ceil(max) as usize;
        let line = format!("  {name:<20} {:<bar$} {count:>8}", "#".repeat(width), bar = BAR as usize);
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn compare(out: &mut dyn Write, (filtered, all): (u64, u64), paper: (u64, u64)) -> io::Result<()> {
    let own = if all == 0 { "nothing to filter".to_owned() } else { format!("{} filtered", percent(filtered, all)) };
    writeln!(out, "  {own}; in the paper {} of {}", percent(paper.0, paper.1), paper.1)
}

/// `3.2 %`; empty if there is nothing to be a part of.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

fn share(part: u64, whole: u64, of: &str) -> String {
    if whole == 0 { String::new() } else { format!("{} {of}", percent(part, whole)) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Counts of two parts, with a name that a page must not take for markup.
    pub(crate) fn example() -> (Counted, Vec<String>) {
        let part = Statistics {
            lines: 1200,
            points: [3, 4, 5, 1],
            mocking_points: 12,
            invoked_methods: 400,
            reads: Reads { all: 8, intra: 1, inter: 1 },
            fields: Fields { all: 10, with_modifier: 6, modified: 3 },
            components: vec![Component { kind: "db", name: "MyBatis", points: 5 }],
            ..Statistics::default()
        };
        let counted = Counted { total: part.clone(), parts: vec![part, Statistics::default()] };
        (counted, vec!["a<b>&\"".to_owned(), "empty".to_owned()])
    }

    fn text(report: &StatisticsReport<'_>) -> Vec<String> {
        let mut out = Vec::new();
        assert!(print(&mut out, report).is_ok());
        let text = String::from_utf8(out).unwrap_or_default();
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn rows() {
        let (counted, parts) = example();
        let report = StatisticsReport { counted: &counted, parts: &parts, settings: Settings::default(), root: Path::new("."), seconds: Some(1.25) };
        let lines = text(&report);
        for line in [
            "a<b>&\" 1200 4 5 3 1 12 8.3 % 400 3.0 %",
            "empty 0 0 0 0 0 0 0",
            "total 1200 1.25 s 4 5 3 1 12 8.3 % 400 3.0 %",
            "the paper, 10 services 3172000 1026 s 1403 1248 348 48 3047 1.6 % 94431 3.2 %",
            "mocked, from intra ##### 1",
            "75.0 % filtered; in the paper 73.1 % of 1427",
            "with modifier ######################## 6",
            "70.0 % filtered; in the paper 71.4 % of 3531",
            "MyBatis db 5",
        ] {
            assert!(lines.iter().any(|it| it == line), "{line}\n{lines:#?}");
        }
        let alone = StatisticsReport { parts: &[], seconds: None, ..report };
        assert!(text(&alone).iter().any(|it| it == ". 1200 4 5 3 1 12 8.3 % 400 3.0 %"));
    }

    #[test]
    fn nothing_is_no_share() {
        let counted = Counted::default();
        let report = StatisticsReport { counted: &counted, parts: &[], settings: Settings::default(), root: Path::new("."), seconds: None };
        let lines = text(&report);
        assert!(lines.iter().any(|it| it == "nothing to filter; in the paper 73.1 % of 1427"), "{lines:#?}");
        assert!(!lines.iter().any(|it| it.contains("NaN") || it.contains("inf")), "{lines:#?}");
    }
}

//! Counts as a page of their own: no network, no scripts, a table beside every chart.

mod chart;

use super::table::Table;
use super::{EXTERNAL, INTERNAL, LEGEND, OTHER, SYSTEM, StatisticsReport, component_table, internal_bars, paper, percent, system_bars};
use crate::codes;
use crate::report::snippet::harmless;
use crate::settings::{Precision, Tier};
use crate::verdict::Statistics;
use crate::verdict::statistics::Reads;
use chart::{Bar, Chart, Group};
use std::io::{self, Write};

const STYLE: &str = include_str!("html/page.css");

/// Prints the page.
pub fn print(out: &mut dyn Write, report: &StatisticsReport<'_>) -> io::Result<()> {
    let root = escape(&harmless(&report.root.to_string_lossy()));
    let settings = report.settings;
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    // What the page needs is in it; nothing in it may ask for more.
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Mocking points of {root}</title>")?;
    writeln!(out, "<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Mocking points of <code>{root}</code></h1>")?;
    let precision = if settings.precision == Precision::Paper { "paper" } else { "refined" };
    let tier = if settings.tier == Tier::OptIn { "opt-in" } else { "core" };
    let (world, version) = (codes::world(settings.world), env!("CARGO_PKG_VERSION"));
    writeln!(out, "<p>mockpoint {version}; reading {precision}, world {world}, tier {tier}.</p>")?;
    writeln!(out, "<section aria-labelledby=\"points\">\n<h2 id=\"points\">Mocking points (Table 2)</h2>")?;
    table(out, &report.main_table(), "Mocking points by category")?;
    writeln!(out, "<ul>")?;
    for line in LEGEND {
        writeln!(out, "<li>{}</li>", escape(line))?;
    }
    writeln!(out, "</ul>\n</section>")?;
    let subjects = subjects(report);
    section(out, "system", SYSTEM, &system_chart(&subjects), &system_table(&subjects))?;
    section(out, "internal", INTERNAL, &internal_chart(&subjects), &internal_table(&subjects))?;
    let components = &report.counted.total.components;
    if !components.is_empty() {
        let max = components.iter().map(|it| it.points).max().unwrap_or_default();
        let bars = components.iter().map(|it| Bar { label: harmless(it.name), segments: vec![("external", it.points)], value: it.points.to_string() });
        let chart = Chart { keys: &[("external", "mocking points")], groups: vec![Group { name: String::new(), max, bars: bars.collect() }] };
        section(out, "external", EXTERNAL, &chart, &component_table(components))?;
    }
    writeln!(out, "<section aria-labelledby=\"other\">\n<h2 id=\"other\">{}</h2>", escape(OTHER))?;
    let mut other = Table::new(&["", "count", "share"]);
    for (name, count, remark) in report.other_rows() {
        other.row(vec![name.trim_start().to_owned(), count.to_string(), remark]);
    }
    table(out, &other, "What the paper does not count")?;
    writeln!(out, "</section>\n</main>\n</body>\n</html>")
}

/// A heading, a chart and beside it what it says as a table.
fn section(out: &mut dyn Write, id: &str, title: &str, chart: &Chart<'_>, numbers: &Table) -> io::Result<()> {
    writeln!(out, "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n<div class=\"pair\">", escape(title))?;
    chart.print(out, id, title)?;
    table(out, numbers, "The numbers of the chart")?;
    writeln!(out, "</div>\n</section>")
}

fn table(out: &mut dyn Write, table: &Table, caption: &str) -> io::Result<()> {
    let (heads, rows) = table.rows();
    let class = |column: usize| if table.is_left(column) { " class=\"word\"" } else { "" };
    writeln!(out, "<div class=\"wide\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n<caption>{caption}</caption>\n<thead><tr>")?;
    for (column, head) in heads.iter().enumerate() {
        // A corner without words is no head.
        let tag = if head.is_empty() { "<td></td>".to_owned() } else { format!("<th scope=\"col\"{}>{}</th>", class(column), escape(head)) };
        writeln!(out, "{tag}")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        write!(out, "<tr>")?;
        for (column, cell) in row.iter().enumerate() {
            let (tag, scope) = if column == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
            write!(out, "<{tag}{scope}{}>{}</{tag}>", class(column), escape(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}

/// What is compared: each part, everything, the paper.
fn subjects(report: &StatisticsReport<'_>) -> Vec<(String, Statistics)> {
    let own = report.rows().into_iter().map(|(name, counts)| (name, counts.clone()));
    own.chain([(paper::NAME.to_owned(), paper::statistics())]).collect()
}

fn system_chart(subjects: &[(String, Statistics)]) -> Chart<'static> {
    let group = |(name, counts): &(String, Statistics)| {
        let Reads { all, intra, inter } = counts.reads;
        let bars = vec![
            Bar { label: "all".to_owned(), segments: vec![("all", all)], value: all.to_string() },
            Bar { label: "mocked".to_owned(), segments: vec![("intra", intra), ("inter", inter)], value: with_share(intra + inter, all) },
        ];
        Group { name: name.clone(), max: all, bars }
    };
    let keys = &[("all", "all"), ("intra", "mocked, from intra"), ("inter", "mocked, from inter")];
    Chart { keys, groups: subjects.iter().map(group).collect() }
}

fn internal_chart(subjects: &[(String, Statistics)]) -> Chart<'static> {
    let group = |(name, counts): &(String, Statistics)| {
        let classes = ["all", "inter", "intra"];
        let bars = internal_bars(counts.fields).into_iter().zip(classes).map(|((label, count), class)| Bar {
            label: label.to_owned(),
            segments: vec![(class, count)],
            value: if class == "all" { count.to_string() } else { with_share(count, counts.fields.all) },
        });
        Group { name: name.clone(), max: counts.fields.all, bars: bars.collect() }
    };
    Chart { keys: &[("all", "all"), ("inter", "with modifier"), ("intra", "after refinement")], groups: subjects.iter().map(group).collect() }
}

fn with_share(part: u64, whole: u64) -> String {
    if whole == 0 { part.to_string() } else { format!("{part} ({})", percent(part, whole)) }
}

fn system_table(subjects: &[(String, Statistics)]) -> Table {
    numbers(subjects, |it| system_bars(it.reads), |it| (it.reads.filtered(), it.reads.all))
}

fn internal_table(subjects: &[(String, Statistics)]) -> Table {
    numbers(subjects, |it| internal_bars(it.fields), |it| (it.fields.filtered(), it.fields.all))
}

fn numbers(subjects: &[(String, Statistics)], bars: impl Fn(&Statistics) -> [(&'static str, u64); 3], filtered: impl Fn(&Statistics) -> (u64, u64)) -> Table {
    let heads = bars(&Statistics::default()).map(|it| it.0);
    let mut table = Table::new(&["", heads[0], heads[1], heads[2], "filtered"]);
    for (name, counts) in subjects {
        let (part, whole) = filtered(counts);
        let mut row = vec![name.clone()];
        row.extend(bars(counts).map(|it| it.1.to_string()));
        row.push(percent(part, whole));
        table.row(row);
    }
    table
}

/// Text as markup.
fn escape(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => res.push_str("&amp;"),
            '<' => res.push_str("&lt;"),
            '>' => res.push_str("&gt;"),
            '"' => res.push_str("&quot;"),
            c => res.push(c),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;
    use crate::settings::Settings;
    use std::path::Path;

    fn page(seconds: Option<f64>) -> String {
        let (counted, parts) = example();
        let report = StatisticsReport { counted: &counted, parts: &parts, settings: Settings::default(), root: Path::new("x<y>"), seconds };
        let mut out = Vec::new();
        assert!(print(&mut out, &report).is_ok());
        String::from_utf8(out).unwrap_or_default()
    }

    #[test]
    fn a_page_is_closed_and_asks_for_nothing() {
        let page = page(None);
        for tag in ["html", "head", "body", "main", "section", "svg", "table", "thead", "tbody", "tr", "figure", "div", "text", "title", "th"] {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        for word in ["<script", "src=", "href=", "url(", "http:", "https:", "@import", "NaN"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn names_are_no_markup() {
        let page = page(None);
        assert!(page.contains("x&lt;y&gt;") && !page.contains("x<y>"));
        assert!(page.contains("a&lt;b&gt;&amp;&quot;") && !page.contains("a<b>"));
    }

    #[test]
    fn every_chart_has_words_and_a_table() {
        let page = page(None);
        let charts = page.matches("<svg ").count();
        assert_eq!(charts, 3);
        assert_eq!(page.matches("role=\"img\"").count(), charts);
        assert_eq!(page.matches("<desc ").count(), charts);
        assert_eq!(page.matches("The numbers of the chart</caption>").count(), charts);
    }

    #[test]
    fn only_the_time_differs() {
        assert_eq!(page(Some(1.0)), page(Some(1.0)));
        assert_eq!(page(Some(1.0)), page(Some(2.0)).replace("2.00 s", "1.00 s"));
    }
}

//! A table: one line a mocking point, for spreadsheets and scripts (RFC 4180, with line feeds).

use super::entry::Entry;
use crate::codes;
use crate::java::decls::Flags;
use crate::report::Report;
use std::borrow::Cow;

const COLUMNS: &str = "class,method,parameters,returns,visibility,static,categories,flow,sources,dependencies,file,line";

/// The table, its first line the names of the columns. What is a list in a cell is separated by semicolons.
pub fn print(report: &Report<'_>, entries: &[Entry<'_>]) -> String {
    let mut out = format!("{COLUMNS}\n");
    for entry in entries {
        let point = entry.point;
        let parameters = match &entry.parameters {
            Some(all) => all.iter().map(|it| it.ty.text.as_str()).collect::<Vec<_>>().join(";"),
            None => point.method.parameters.join(";"),
        };
        let categories: Vec<&str> = point.categories.iter().map(|&it| codes::category(it)).collect();
        let sources = point.sources.iter().map(|it| match &it.via {
            Some(via) => format!("{} via {via}", it.what),
            None => it.what.clone(),
        });
        let dependencies = point.sources.iter().filter_map(|it| it.dependency.as_ref()).map(|it| format!("{} {} {}", it.kind, it.component, it.mock));
        let cells = [
            entry.class.clone(),
            entry.name.clone(),
            parameters,
            entry.returns.as_ref().map_or_else(|| "void".to_owned(), |it| it.text.clone()),
            visibility(entry.flags).to_owned(),
            entry.flags.has(Flags::STATIC).to_string(),
            categories.join(";"),
            codes::flow(point.flow).to_owned(),
            distinct(sources).join(";"),
            distinct(dependencies).join(";"),
            report.path_from_root(point.place.file),
            report.line_column(point.place.file, point.place.range.start).0.to_string(),
        ];
        let cells: Vec<Cow<'_, str>> = cells.iter().map(|it| quoted(it)).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// What a method may be called from.
fn visibility(flags: Flags) -> &'static str {
    [(Flags::PUBLIC, "public"), (Flags::PROTECTED, "protected"), (Flags::PRIVATE, "private")].iter().find(|it| flags.has(it.0)).map_or("package", |it| it.1)
}

/// Each once, in the order in which they come.
fn distinct(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for it in all {
        if !found.contains(&it) {
            found.push(it);
        }
    }
    found
}

fn quoted(cell: &str) -> Cow<'_, str> {
    // What begins like this a spreadsheet takes for a formula; no name in Java does, but a path may.
    let is_formula = cell.starts_with(['=', '+', '-', '@']);
    if is_formula || cell.contains([',', '"', '\n', '\r']) {
        let guard = if is_formula { "'" } else { "" };
        return Cow::Owned(format!("\"{guard}{}\"", cell.replace('"', "\"\"")));
    }
    Cow::Borrowed(cell)
}

//! Say it in `mockpoint.toml`: that a call carries no state, that a field is never modified, that a file is left out.

use super::extract::short;
use super::{Asked, Change, Fix, Work};
use crate::config::FILE_NAME;
use crate::rewrite::Edit;
use crate::text::LineIndex;
use crate::verdict::{FieldVerdict, SourceUse};
use crate::verdict::{MockingPoint, Place};
use std::path::{Path, PathBuf};

/// Larger files are not written by hand.
const MAX_CONFIG: u64 = 1 << 20;

pub(super) fn of_point(asked: &Asked<'_>, sources: &[&SourceUse]) -> Vec<Fix<'static>> {
    let mut found = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for used in sources.iter().filter(|it| it.what.ends_with(')')) {
        if seen.contains(&used.what.as_str()) || seen.len() == 3 {
            continue;
        }
        seen.push(&used.what);
        let Some(row) = sanitizer(&used.what) else { continue };
        found.extend(row_fix(asked, format!("Say in {FILE_NAME} that `{}` carries no state", short(&used.what)), &row));
    }
    found.extend(exclude(asked));
    found
}

/// That calls have no effect on results, where a branch on state guards nothing but these.
pub(super) fn of_branches(asked: &Asked<'_>, point: &MockingPoint, at_name: bool, is_here: &impl Fn(Place) -> bool) -> Vec<Fix<'static>> {
    let id = asked.findings.id;
    if point.place.file != id {
        return Vec::new();
    }
    let mut found: Vec<Fix<'static>> = Vec::new();
    for it in asked.findings.linked.guarded(id, &asked.view.file, point.place) {
        if !(at_name || is_here(it.branch) || it.calls.iter().any(|call| is_here(call.1))) {
            continue;
        }
        let rows: Option<Vec<String>> = it.calls.iter().map(|call| row("benign", &call.0, "no effect on results")).collect();
        let Some(rows) = rows else { continue };
        let names: Vec<String> = it.calls.iter().map(|call| format!("`{}`", short(&call.0))).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        let fix = row_fix(asked, format!("Say in {FILE_NAME} that {} {verb} no effect on results", names.join(", ")), &rows.join("\n"));
        found.extend(fix.filter(|fix| !found.iter().any(|it| it.title == fix.title)));
    }
    found.truncate(3);
    found
}

pub(super) fn of_field(asked: &Asked<'_>, field: &FieldVerdict) -> Vec<Fix<'static>> {
    if field.ruled_out.is_some() {
        return Vec::new();
    }
    let row = format!("[[never-modified]]\ntype = \"{}\"\nfield = \"{}\"\nreason = \"never modified while the service runs\"\n", field.class, field.name);
    row_fix(asked, format!("Say in {FILE_NAME} that `{}` is never modified", field.name), &row).into_iter().collect()
}

fn sanitizer(what: &str) -> Option<String> {
    row("sanitizer", what, "carries no state that matters")
}

/// The row for a call as reports spell it: `java.lang.System.getenv(java.lang.String)`. `None` if its type is not known.
fn row(table: &str, what: &str, reason: &str) -> Option<String> {
    let (name, params) = what.split_at(what.find('(')?);
    let (ty, member) = name.rsplit_once('.')?;
    // Where some are not known, the row is for all overloads.
    let params = if params == "(..)" { String::new() } else { format!("params = \"{params}\"\n") };
    let is_name = !ty.is_empty() && ty.split('.').all(|it| it.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$'));
    is_name.then(|| format!("[[{table}]]\ntype = \"{ty}\"\nmember = \"{member}\"\n{params}reason = \"{reason}\"\n"))
}

fn row_fix(asked: &Asked<'_>, title: String, row: &str) -> Option<Fix<'static>> {
    let change = match nearest(asked)? {
        (path, Some(text)) => {
            let gap = if text.is_empty() || text.ends_with("\n\n") {
                ""
            } else if text.ends_with('\n') {
                "\n"
            } else {
                "\n\n"
            };
            edited(path, &text, Edit::insert(text.len(), format!("{gap}{row}"))?)
        }
        (path, None) => Change::New { path, text: row.to_owned() },
    };
    Some(Fix { work: Work::Done(vec![change]), ..Fix::quick(title, Vec::new()) })
}

fn exclude(asked: &Asked<'_>) -> Option<Fix<'static>> {
    let (path, text) = nearest(asked)?;
    let file = asked.view.file.path.strip_prefix(path.parent()?).ok()?;
    let parts: Vec<String> = file.components().map(|it| it.as_os_str().to_string_lossy().into_owned()).collect();
    // A pattern with a slash in front of it is one file.
    let pattern = format!("\"/{}\"", parts.join("/").replace('\\', "\\\\").replace('"', "\\\""));
    let change = match text {
        Some(text) => {
            let table = toml::de::DeTable::parse(&text).ok()?;
            let edit = match table.get_ref().get("exclude").map(|it| it.span()) {
                Some(span) => {
                    let items = text.get(span.start + 1..span.end.checked_sub(1)?)?;
                    let separator = if items.trim().is_empty() { "" } else { ", " };
                    Edit::insert(span.start + 1, format!("{pattern}{separator}"))?
                }
                None => Edit::insert(0, format!("exclude = [{pattern}]\n"))?,
            };
            edited(path, &text, edit)
        }
        None => Change::New { path, text: format!("exclude = [{pattern}]\n") },
    };
    Some(Fix { work: Work::Done(vec![change]), ..Fix::quick(format!("Leave this file out, by {FILE_NAME}"), Vec::new()) })
}

fn edited(path: PathBuf, text: &str, edit: Edit) -> Change {
    Change::Other { lines: LineIndex::new(text), version: None, path, edits: vec![edit] }
}

/// The file that holds for the document: the nearest one above it in the workspace, or the one that would be.
fn nearest(asked: &Asked<'_>) -> Option<(PathBuf, Option<String>)> {
    let file = &asked.view.file.path;
    let root = asked.moment.root.as_path();
    if !file.is_absolute() || !file.starts_with(root) {
        return None;
    }
    for folder in file.ancestors().skip(1).take_while(|it| it.starts_with(root)) {
        let path = folder.join(FILE_NAME);
        if path.is_file() {
            let text = read(&path)?;
            return Some((path, Some(text)));
        }
    }
    Some((root.join(FILE_NAME), None))
}

fn read(path: &Path) -> Option<String> {
    let is_small = std::fs::metadata(path).is_ok_and(|it| it.len() <= MAX_CONFIG);
    if is_small { std::fs::read_to_string(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_calls() {
        let row = |what: &str| sanitizer(what).expect("it is a call");
        assert!(
            row("java.lang.System.getenv(java.lang.String)")
                .starts_with("[[sanitizer]]\ntype = \"java.lang.System\"\nmember = \"getenv\"\nparams = \"(java.lang.String)\"\n")
        );
        assert!(row("java.util.Date.<init>()").contains("member = \"<init>\"\nparams = \"()\"\n"));
        assert!(!row("p.Client.get(..)").contains("params"));
        assert_eq!(sanitizer("p.Clock.now"), None);
        assert_eq!(sanitizer(".now()"), None);
    }
}

//! `textDocument/hover`: the verdict on the method or field under the cursor, and its path.

use super::convert::{position, range, uri_of};
use super::initialize::Setup;
use super::moment::Moment;
use crate::analysis::{Analysis, analyse};
use crate::host::declaration::{self, Item};
use crate::host::{Findings, View};
use crate::java::decls::Range as Bytes;
use crate::verdict::{Explanation, Place, Step, explain};
use crate::workspace::Sources;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tower_lsp::lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

/// What is under the cursor.
struct Subject {
    class: String,
    name: String,
    /// The parameters of a method, to tell it from others of its name.
    parameters: Option<Vec<String>>,
    /// What is under the cursor, in the file.
    at: Bytes,
}

pub(super) fn hover(moment: &Moment, path: &Path, at: Position) -> Option<Hover> {
    let Moment { setup, snapshot, .. } = moment;
    let view = snapshot.view(path)?;
    let offset = view.file.lines.offset(position(at), setup.encoding);
    let subject = subject(view, offset)?;
    let query = format!("{}#{}", subject.class, subject.name);
    let mut linked = Arc::clone(&snapshot.linked);
    let mut explained = of_subject(explain(&linked, &query), &subject);
    if explained.is_empty() {
        // The first link is still under way, or the name is new since the last one: the file alone says something.
        linked = Arc::new(analyse(Sources::alone(&view.file, &linked.linked.wiring, &linked.linked.listed.project), linked.settings, None));
        explained = of_subject(explain(&linked, &query), &subject);
    }
    if explained.is_empty() {
        return None;
    }
    // Who shows the path of the diagnostic beside the hover would show it twice.
    if setup.related_in_hovers && has_diagnostic(moment, view, subject.at) {
        explained.iter_mut().for_each(|it| it.path.clear());
    }
    let texts: Vec<String> = explained.iter().map(|it| if setup.markdown { markdown(setup, &linked, it) } else { plain(setup, &linked, it) }).collect();
    let (kind, between) = if setup.markdown { (MarkupKind::Markdown, "\n\n---\n\n") } else { (MarkupKind::PlainText, "\n\n") };
    let contents = HoverContents::Markup(MarkupContent { kind, value: texts.join(between) });
    Some(Hover { contents, range: Some(range(&view.file.lines, subject.at, setup.encoding)) })
}

/// Whether a diagnostic with related places is shown for exactly this name.
fn has_diagnostic(moment: &Moment, view: &View, name: Bytes) -> bool {
    let Some(findings) = view.findings() else { return false };
    let at = range(&view.file.lines, name, moment.setup.encoding);
    moment.diagnostics(findings).iter().any(|it| it.range == at && it.related_information.as_ref().is_some_and(|it| !it.is_empty()))
}

fn subject(view: &View, offset: usize) -> Option<Subject> {
    // Findings know the names of classes that have none, and where the sources are.
    let found = view.findings().and_then(|it| found_at(it, offset));
    if found.is_some() {
        return found;
    }
    let declaration = declaration::named_at(&view.file, offset)?;
    if !declaration.is_own() {
        return None;
    }
    let (name, parameters) = match declaration.item {
        Item::Method(method) => (method.head.name, Some(method.head.params.iter().map(|it| it.ty.to_string()).collect())),
        Item::Field(field) => (field.head.name, None),
    };
    let class = declaration::class_name(&view.file, declaration.class);
    Some(Subject { class, name: name.to_string(), parameters, at: declaration.name })
}

fn found_at(findings: &Findings, offset: usize) -> Option<Subject> {
    let is_here = |place: Place| place.file == findings.id && place.range.start as usize <= offset && offset <= place.range.end as usize;
    let field = findings.fields.iter().find(|it| is_here(it.place));
    if let Some(field) = field {
        return Some(Subject { class: field.class.clone(), name: field.name.clone(), parameters: None, at: field.place.range });
    }
    let named = findings.points.iter().find(|it| is_here(it.place)).map(|it| (it, it.place));
    let of_source = || {
        let uses = findings.points.iter().flat_map(|point| point.sources.iter().map(move |it| (point, it.place)));
        // Sources may lie within each other, as do the methods of anonymous classes: the innermost is meant.
        uses.filter(|it| is_here(it.1)).min_by_key(|it| it.1.range.end - it.1.range.start)
    };
    let (point, place) = named.or_else(of_source)?;
    let method = &point.method;
    Some(Subject { class: method.class.clone(), name: method.name.clone(), parameters: Some(method.parameters.clone()), at: place.range })
}

/// Of the explanations of everything with the subject's name, those of the subject.
fn of_subject(explained: Vec<Explanation>, subject: &Subject) -> Vec<Explanation> {
    let is_field = |title: &str| !title.contains('(');
    let explained: Vec<_> = explained.into_iter().filter(|it| is_field(&it.title) != subject.parameters.is_some()).collect();
    let Some(wanted) = &subject.parameters else { return explained };
    let fits = |it: &&Explanation| title_parameters(&it.title).is_some_and(|found| same_parameters(&found, wanted));
    let fitting: Vec<_> = explained.iter().filter(fits).cloned().collect();
    // Types are compared as they are written, and erasure may have changed them: better too much than nothing.
    if fitting.is_empty() { explained } else { fitting }
}

/// The parameters in `method pkg.Class.m(int, java.util.List)`.
fn title_parameters(title: &str) -> Option<Vec<String>> {
    let (_, rest) = title.split_once('(')?;
    let (inside, _) = rest.rsplit_once(')')?;
    Some(if inside.trim().is_empty() { Vec::new() } else { inside.split(',').map(|it| it.trim().to_owned()).collect() })
}

fn same_parameters(left: &[String], right: &[String]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| simple_name(left) == simple_name(right))
}

/// `java.util.List<String>[]` is `List[]`.
fn simple_name(ty: &str) -> String {
    let name = ty.split('<').next().unwrap_or(ty).trim_end_matches(['[', ']', ' ']);
    let dims = ty.len() - ty.trim_end_matches(['[', ']', ' ']).len();
    let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
    format!("{simple}{}", "[]".repeat(dims / 2))
}

fn markdown(setup: &Setup, linked: &Analysis, it: &Explanation) -> String {
    let mut res = format!("**`{}`**\n", it.title);
    for line in &it.lines {
        let _ = write!(res, "\n{}\n", escape(line));
    }
    if !it.path.is_empty() {
        res.push('\n');
    }
    for (idx, step) in shown(&it.path) {
        let Some(step) = step else {
            let _ = writeln!(res, "\n…\n");
            continue;
        };
        let place = match (place(setup, linked, step), uri(linked, step)) {
            (Some((name, line)), Some(uri)) => format!("[{}:{line}]({uri}#L{line}) ", escape(&name)),
            _ => String::new(),
        };
        let _ = writeln!(res, "{}. {place}{}", idx + 1, escape(&step.note));
    }
    res
}

fn plain(setup: &Setup, linked: &Analysis, it: &Explanation) -> String {
    let mut res = it.title.clone();
    for line in &it.lines {
        let _ = write!(res, "\n{line}");
    }
    for (idx, step) in shown(&it.path) {
        let Some(step) = step else {
            res.push_str("\n…");
            continue;
        };
        let place = place(setup, linked, step).map_or_else(String::new, |(name, line)| format!("{name}:{line} "));
        let _ = write!(res, "\n{}. {place}{}", idx + 1, step.note);
    }
    res
}

/// Steps that a hover shows at either end of a path; `mockpoint explain` prints all.
const ENDS: usize = 6;

/// The steps to show with their numbers from 0, and `None` where some are left out.
fn shown<T>(path: &[T]) -> impl Iterator<Item = (usize, Option<&T>)> {
    let left_out = if path.len() > 2 * ENDS + 1 { ENDS..path.len() - ENDS } else { 0..0 };
    path.iter().enumerate().filter_map(move |(idx, step)| match left_out.contains(&idx) {
        true => (idx == left_out.start).then_some((idx, None)),
        false => Some((idx, Some(step))),
    })
}

/// The name of a step's file, and its line from 1.
fn place(setup: &Setup, linked: &Analysis, step: &Step) -> Option<(String, u32)> {
    let file = linked.files.get(step.place.file as usize)?;
    let line = file.lines.position(step.place.range.start as usize, setup.encoding).line;
    Some((file.path.file_name()?.to_string_lossy().into_owned(), line.saturating_add(1)))
}

fn uri(linked: &Analysis, step: &Step) -> Option<String> {
    let uri = uri_of(&linked.files.get(step.place.file as usize)?.path)?;
    // Parentheses would end the link.
    Some(uri.as_str().replace('(', "%28").replace(')', "%29"))
}

/// Text that Markdown must not take for its own marks. What stands between backquotes is left alone.
fn escape(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for (idx, part) in text.split('`').enumerate() {
        if idx > 0 {
            res.push('`');
        }
        if idx % 2 == 1 {
            res.push_str(part);
            continue;
        }
        for c in part.chars() {
            if matches!(c, '*' | '_' | '<' | '>' | '[' | ']' | '\\' | '#') {
                res.push('\\');
            }
            res.push(c);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(title: &str) -> Explanation {
        Explanation { title: title.to_owned(), lines: Vec::new(), path: Vec::new() }
    }

    #[test]
    fn long_paths_show_their_ends() {
        let numbers = |n: usize| shown(&vec![(); n]).map(|it| it.1.map_or(0, |_| it.0 + 1)).collect::<Vec<_>>();
        assert_eq!(numbers(0), [0; 0]);
        assert_eq!(numbers(13), (1..14).collect::<Vec<_>>());
        assert_eq!(numbers(14), [1, 2, 3, 4, 5, 6, 0, 9, 10, 11, 12, 13, 14]);
    }

    #[test]
    fn overloads_are_told_apart() {
        let all = || {
            vec![
                explanation("method p.C.m()"),
                explanation("method p.C.m(int, java.util.List)"),
                explanation("method p.C.m(int[])"),
                explanation("static field p.C.m"),
            ]
        };
        let subject = |parameters: Option<&[&str]>| Subject {
            class: "p.C".to_owned(),
            name: "m".to_owned(),
            parameters: parameters.map(|it| it.iter().map(|&it| it.to_owned()).collect()),
            at: Bytes::default(),
        };
        let titles = |parameters| of_subject(all(), &subject(parameters)).into_iter().map(|it| it.title).collect::<Vec<_>>();
        assert_eq!(titles(Some(&[])), ["method p.C.m()"]);
        assert_eq!(titles(Some(&["int", "List<String>"])), ["method p.C.m(int, java.util.List)"]);
        assert_eq!(titles(Some(&["int[]"])), ["method p.C.m(int[])"]);
        assert_eq!(titles(Some(&["T"])).len(), 3);
        assert_eq!(titles(None), ["static field p.C.m"]);
    }

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(escape("reads my_field of List<T> in `a_b` *"), "reads my\\_field of List\\<T\\> in `a_b` \\*");
    }
}

//! `textDocument/codeLens`: the verdict above methods, fields and classes, which leads to the path.

use super::commands::{SHOW_MODIFIERS, SHOW_PATH, SHOW_REFERENCES};
use super::convert::{path_of, range};
use super::diagnostics::is_shown;
use super::initialize::Setup;
use super::moment::Moment;
use crate::codes;
use crate::host::Findings;
use crate::host::declaration::class_name;
use crate::verdict::{Category, FieldVerdict, MockingPoint, Place, SourceUse};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;
use tower_lsp::lsp_types::{CodeLens, Command, Location, Url};

/// What a lens is about, in terms that outlive an edit.
#[derive(Serialize, Deserialize)]
struct Data {
    uri: Url,
    about: About,
    class: String,
    name: String,
    /// Of several that have all of this in common, such as overloads, which one.
    nth: usize,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum About {
    Method,
    Field,
    Class,
}

/// A lens and what it says.
struct Lens<'a> {
    place: Place,
    about: About,
    class: &'a str,
    name: &'a str,
    title: String,
    /// Where it leads, with the command that goes there.
    leads: (&'static str, Vec<Place>),
}

/// The lenses of an open file. What they say is told when they are asked for one by one.
pub(super) fn lenses(moment: &Moment, uri: &Url, path: &Path) -> Option<Vec<CodeLens>> {
    if !moment.settings.of(path).code_lens.enable {
        return None;
    }
    let (view, findings) = moment.open(path)?;
    let classes = class_names(findings);
    let all = all(findings, &classes);
    let lens = |(index, it): (usize, &Lens<'_>)| {
        let nth = all[..index].iter().filter(|before| it.is_like(before)).count();
        let data = Data { uri: uri.clone(), about: it.about, class: it.class.to_owned(), name: it.name.to_owned(), nth };
        CodeLens { range: range(&view.file.lines, it.place.range, moment.setup.encoding), command: None, data: serde_json::to_value(data).ok() }
    };
    Some(all.iter().enumerate().map(lens).collect())
}

/// The lens with what it says, as of now.
pub(super) fn resolve(moment: &Moment, lens: CodeLens) -> CodeLens {
    let command = lens.data.clone().and_then(|it| serde_json::from_value(it).ok()).and_then(|it: Data| command(moment, &it));
    // What it was about is gone: until the client asks for the lenses of the new text, this one says nothing.
    let command = command.unwrap_or_else(|| Command { title: "no finding".to_owned(), command: String::new(), arguments: None });
    CodeLens { command: Some(command), ..lens }
}

fn command(moment: &Moment, data: &Data) -> Option<Command> {
    let (view, findings) = moment.open(&path_of(&data.uri)?)?;
    let classes = class_names(findings);
    let all = all(findings, &classes);
    let mut like = all.iter().filter(|it| it.about == data.about && it.class == data.class && it.name == data.name);
    let found = like.nth(data.nth)?;
    let (command, places) = &found.leads;
    let locations: Vec<Location> = places.iter().filter_map(|&it| moment.location(findings, it)).collect();
    let at = range(&view.file.lines, found.place.range, moment.setup.encoding).start;
    let command = if locations.is_empty() { String::new() } else { known_command(&moment.setup, command).to_owned() };
    let arguments = (!command.is_empty()).then(|| vec![json!(data.uri), json!(at), json!(locations)]);
    Some(Command { title: found.title.clone(), command, arguments })
}

/// The command by the name under which the client knows it.
fn known_command<'a>(setup: &Setup, command: &'a str) -> &'a str {
    let runs = |name: &str| setup.client_commands.iter().any(|it| it == name);
    if !runs(command) && runs(SHOW_REFERENCES) { SHOW_REFERENCES } else { command }
}

impl Lens<'_> {
    fn is_like(&self, other: &Lens<'_>) -> bool {
        self.about == other.about && self.class == other.class && self.name == other.name
    }
}

/// The names of a file's classes, in their order.
fn class_names(findings: &Findings) -> Vec<String> {
    let file = findings.file();
    file.facts.types.iter().map(|it| class_name(file, it)).collect()
}

fn all<'a>(findings: &'a Findings, classes: &'a [String]) -> Vec<Lens<'a>> {
    let types = &findings.file().facts.types;
    let mut res: Vec<Lens<'a>> =
        classes.iter().zip(types).filter_map(|(name, it)| of_class(findings, name, Place { file: findings.id, range: it.name })).collect();
    res.extend(findings.points.iter().map(of_method));
    res.extend(findings.fields.iter().filter(|it| is_shown(it) && !it.modifiers.is_empty()).map(of_field));
    res.sort_by_key(|it| it.place);
    res
}

fn of_method(point: &MockingPoint) -> Lens<'_> {
    let kinds: Vec<&str> = point.categories.iter().map(|&it| codes::category(it)).collect();
    let mut title = format!("mocking point: {} - {}", kinds.join(", "), count(distinct(&point.sources), "source"));
    if !point.lost.is_empty() {
        title.push_str(&format!(", {} lost", count(point.lost.len(), "write")));
    }
    // The path of the first source, then the other reads.
    let mut places: Vec<Place> = point.path.iter().map(|it| it.place).collect();
    for source in &point.sources {
        if !places.contains(&source.place) {
            places.push(source.place);
        }
    }
    Lens { place: point.place, about: About::Method, class: &point.method.class, name: &point.method.name, title, leads: (SHOW_PATH, places) }
}

fn of_field(field: &FieldVerdict) -> Lens<'_> {
    let called = field.modifiers.iter().filter(|it| it.called).count();
    let title = match field.ruled_out {
        Some(reason) => format!("ruled out: {}", codes::reason(reason)),
        None => format!("state: modified in {}", count(called, "place")),
    };
    let places = field.modifiers.iter().map(|it| it.place).collect();
    Lens { place: field.place, about: About::Field, class: &field.class, name: &field.name, title, leads: (SHOW_MODIFIERS, places) }
}

/// What a class has of its own, not what its inner classes have.
fn of_class<'a>(findings: &'a Findings, name: &'a str, place: Place) -> Option<Lens<'a>> {
    let points: Vec<&MockingPoint> = findings.points.iter().filter(|it| it.method.class == name).collect();
    let fields = |modified: bool| findings.fields.iter().filter(move |it| it.class == name && is_shown(it) && it.ruled_out.is_none() == modified);
    let mut parts = Vec::new();
    if !points.is_empty() {
        let of = |kind: Category| points.iter().filter(|it| it.categories.contains(&kind)).count();
        let kinds = Category::ALL.map(|it| (of(it), codes::category(it)));
        let kinds: Vec<String> = kinds.iter().filter(|it| it.0 > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
        parts.push(format!("{} ({})", count(points.len(), "mocking point"), kinds.join(", ")));
    }
    for (modified, what) in [(true, "modified field"), (false, "field")] {
        let n = fields(modified).count();
        if n > 0 {
            parts.push(format!("{}{}", count(n, what), if modified { "" } else { " ruled out" }));
        }
    }
    let places = points.iter().map(|it| it.place).chain(fields(true).map(|it| it.place)).collect();
    (!parts.is_empty()).then(|| Lens { place, about: About::Class, class: name, name: "", title: parts.join(", "), leads: (SHOW_PATH, places) })
}

/// How many different things are read.
fn distinct(sources: &[SourceUse]) -> usize {
    let mut all: Vec<_> = sources.iter().map(|it| (&it.what, &it.via)).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What the method or field at a place of an open file leads to; see [`lenses`].
pub(super) fn places_at(findings: &Findings, offset: u32, command: &str) -> Option<(String, Vec<Place>)> {
    let is_here = |place: Place| place.file == findings.id && place.range.start <= offset && offset <= place.range.end;
    let classes = class_names(findings);
    let mut here = all(findings, &classes).into_iter().filter(|it| is_here(it.place) && it.leads.0 == command);
    here.next().map(|it| (it.title, it.leads.1))
}

/// What a client shows where it cannot show locations.
pub(super) fn note(title: &str, locations: &[Location]) -> String {
    let line = |it: &Location| {
        let name = it.uri.path_segments().and_then(|mut it| it.next_back().map(str::to_owned)).unwrap_or_default();
        format!("{name}:{}", it.range.start.line + 1)
    };
    let lines: Vec<String> = locations.iter().map(line).collect();
    if lines.is_empty() { title.to_owned() } else { format!("{title}: {}", lines.join(", ")) }
}

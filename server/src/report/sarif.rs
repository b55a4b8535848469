//! The report as SARIF 2.1.0, which code hosts and viewers of many makes read.
//!
//! Mocking points are notes and lost side effects warnings, unless the project says otherwise. Fields that are ruled out
//! are no results. The way of a value is a code flow of one thread.

mod rules;

use super::Report;
use crate::codes;
use crate::config::Severity;
use crate::load::{Problem, relative};
use crate::report::json::{precision, tier, world};
use crate::verdict::{FieldVerdict, MethodName, MockingPoint, Place, Step, UnmockableSource};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, absolute};

/// The name that paths in the report start from.
const ROOT: &str = "SRCROOT";

/// The key of our fingerprints, with the version of what they are made of.
const FINGERPRINT: &str = "mockpointFinding/v1";

/// Prints the report as one JSON object and a line break.
pub fn print(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(report))?;
    writeln!(out)
}

fn log(report: &Report<'_>) -> Value {
    let verdicts = &report.linked.verdicts;
    let points = verdicts.mocking_points.iter().map(|it| (it.place, report.sarif_point(it)));
    let effects = verdicts.mocking_points.iter().filter_map(|it| Some((it.lost.first()?.place, report.sarif_effect(it)?)));
    let fields = verdicts.fields.iter().filter(|it| it.ruled_out.is_none()).map(|it| (it.place, report.sarif_field(it)));
    let unmockable = verdicts.unmockable.iter().map(|it| (it.read.place, report.sarif_unmockable(it)));
    let mut results: Vec<(Place, Value)> = points.chain(effects).chain(fields).chain(unmockable).collect();
    results.sort_by_key(|it| it.0);
    let mut results: Vec<Value> = results.into_iter().map(|it| it.1).collect();
    number_fingerprints(&mut results);
    let settings = report.linked.settings;
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": rules::driver() },
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": report.notifications() }],
            "originalUriBaseIds": { ROOT: root(report.root) },
            "columnKind": "utf16CodeUnits",
            "defaultSourceLanguage": "java",
            "results": results,
            "properties": { "precision": precision(settings.precision), "world": world(settings.world), "tier": tier(settings.tier) },
        }],
    })
}

impl Report<'_> {
    fn sarif_point(&self, point: &MockingPoint) -> Value {
        let mut res = self.result(codes::MOCKING_POINT, point.place, &codes::point_message(point), &method_name(&point.method), "function");
        let others = point.sources.iter().filter(|it| !point.path.iter().any(|step| step.place == it.place));
        self.add_related(&mut res, others.map(|it| Step { place: it.place, note: format!("reads {} as well", it.what) }));
        self.add_flow(&mut res, &point.path);
        let categories: Vec<&str> = point.categories.iter().map(|&it| codes::category(it)).collect();
        res["properties"] = json!({ "categories": categories, "flow": codes::flow(point.flow) });
        res
    }

    fn sarif_effect(&self, point: &MockingPoint) -> Option<Value> {
        let first = point.lost.first()?;
        let mut res = self.result(codes::LOST_SIDE_EFFECT, first.place, &codes::side_effect_message(point), &method_name(&point.method), "function");
        self.add_related(&mut res, point.lost.iter().skip(1).map(|it| Step { place: it.place, note: format!("{} as well", it.what) }));
        self.add_flow(&mut res, &first.path);
        Some(res)
    }

    fn sarif_field(&self, field: &FieldVerdict) -> Value {
        let name = format!("{}.{}", field.class, field.name);
        let mut res = self.result(codes::field_code(field), field.place, &codes::field_message(field), &name, "member");
        let how = |called: bool| if called { "modifies it" } else { "modifies it; nothing calls that" };
        self.add_related(&mut res, field.modifiers.iter().map(|it| Step { place: it.place, note: format!("{} {}", it.method, how(it.called)) }));
        res
    }

    fn sarif_unmockable(&self, it: &UnmockableSource) -> Value {
        let mut res = self.result(codes::UNMOCKABLE_SOURCE, it.read.place, &codes::unmockable_message(it), &format!("{} {}", it.class, it.read.what), "member");
        self.add_related(&mut res, it.fields.iter().map(|it| Step { place: it.place, note: format!("field {} keeps it", it.field) }));
        res["properties"] = json!({ "categories": [codes::category(it.read.category)], "within": codes::within(it.within) });
        res
    }

    fn result(&self, code: &str, place: Place, message: &str, name: &str, kind: &str) -> Value {
        let severity = self.linked.linked.listed.severity(place.file, code);
        let mut location = self.sarif_location(place, None);
        location["logicalLocations"] = json!([{ "fullyQualifiedName": name, "kind": kind }]);
        json!({
            "ruleId": code,
            "ruleIndex": rules::index(code),
            "level": severity.map_or_else(|| rules::level(code), level),
            "message": { "text": message },
            "locations": [location],
            // Stable when lines move; those that are equal are numbered in the end.
            "partialFingerprints": { FINGERPRINT: format!("{code} {name}") },
        })
    }

    fn add_related(&self, result: &mut Value, steps: impl Iterator<Item = Step>) {
        let related: Vec<Value> = steps.zip(1..).map(|(it, id)| with_id(self.sarif_location(it.place, Some(&it.note)), id)).collect();
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
    }

    fn add_flow(&self, result: &mut Value, steps: &[Step]) {
        if !steps.is_empty() {
            let locations: Vec<Value> = steps.iter().map(|it| json!({ "location": self.sarif_location(it.place, Some(&it.note)) })).collect();
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": locations }] }]);
        }
    }

    fn sarif_location(&self, place: Place, note: Option<&str>) -> Value {
        let (start_line, start_column) = self.line_column(place.file, place.range.start);
        let (end_line, end_column) = self.line_column(place.file, place.range.end);
        let mut res = json!({ "physicalLocation": {
            "artifactLocation": artifact(&self.path_from_root(place.file)),
            "region": { "startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column },
        } });
        if let Some(note) = note {
            res["message"] = json!({ "text": note });
        }
        res
    }

    /// What could not be read.
    fn notifications(&self) -> Vec<Value> {
        let problem = |it: &Problem| {
            let mut physical = json!({ "artifactLocation": artifact(&relative(self.root, &it.path)) });
            if let Some(at) = it.position {
                physical["region"] = json!({ "startLine": at.line + 1, "startColumn": at.column + 1 });
            }
            json!({ "level": "warning", "message": { "text": it.message }, "locations": [{ "physicalLocation": physical }] })
        };
        self.problems.iter().map(problem).collect()
    }
}

/// Findings that would have one fingerprint, such as methods of anonymous classes, are told apart by their order.
fn number_fingerprints(results: &mut [Value]) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for it in results {
        let slot = &mut it["partialFingerprints"][FINGERPRINT];
        let Some(text) = slot.as_str().map(str::to_owned) else { continue };
        let n = seen.entry(text.clone()).or_default();
        *n += 1;
        if *n > 1 {
            *slot = Value::String(format!("{text} {n}"));
        }
    }
}

fn with_id(mut location: Value, id: u32) -> Value {
    location["id"] = json!(id);
    location
}

fn method_name(it: &MethodName) -> String {
    format!("{}({})", it.short(), it.parameters.join(","))
}

fn level(it: Severity) -> &'static str {
    match it {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
        Severity::Off => "none",
    }
}

/// A path from the root on. One that leads out of it is absolute.
fn artifact(path: &str) -> Value {
    let path_of = Path::new(path);
    if path_of.is_relative() && !path.starts_with("../") {
        return json!({ "uri": encoded(path), "uriBaseId": ROOT });
    }
    json!({ "uri": absolute(path_of).ok().and_then(|it| file_uri(&it)).unwrap_or_else(|| encoded(path)) })
}

/// Where the root is on this machine, if that can be said.
fn root(root: &Path) -> Value {
    let description = json!({ "text": "The folder that was analysed." });
    // The root of a run in the current folder has no name.
    let here = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    match here.canonicalize().ok().and_then(|it| file_uri(&it)) {
        Some(uri) => json!({ "uri": format!("{}/", uri.trim_end_matches('/')), "description": description }),
        None => json!({ "description": description }),
    }
}

fn file_uri(path: &Path) -> Option<String> {
    let text = path.to_str()?.replace('\\', "/");
    Some(format!("file://{}{}", if text.starts_with('/') { "" } else { "/" }, encoded(&text)))
}

/// A path as a part of an address: all but what may stand in one is written as bytes.
fn encoded(path: &str) -> String {
    let mut res = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            res.push(char::from(byte));
        } else {
            res.push_str(&format!("%{byte:02X}"));
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(encoded("a b/é#.java"), "a%20b/%C3%A9%23.java");
        assert_eq!(artifact("src/A.java"), json!({ "uri": "src/A.java", "uriBaseId": ROOT }));
        assert_eq!(artifact("/x/A.java"), json!({ "uri": "file:///x/A.java" }));
        assert!(root(&std::env::temp_dir())["uri"].as_str().is_some_and(|it| it.starts_with("file:///") && it.ends_with('/')));
        assert!(root(Path::new("/not/there")).get("uri").is_none());
    }

    #[test]
    fn equal_fingerprints_are_numbered() {
        let mut results: Vec<Value> = ["a", "b", "a"].iter().map(|it| json!({ "partialFingerprints": { FINGERPRINT: it } })).collect();
        number_fingerprints(&mut results);
        let texts: Vec<_> = results.iter().map(|it| it["partialFingerprints"][FINGERPRINT].clone()).collect();
        assert_eq!(texts, ["a", "b", "a 2"]);
    }
}

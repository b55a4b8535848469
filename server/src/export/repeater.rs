//! jvm-sandbox-repeater: the whole configuration of an application, as its file and its console take it.

use super::covered::Plugins;
use super::entry::Entry;
use super::handlers::Handlers;
use super::{Exported, Tool};
use crate::report::json::schema_of;
use crate::verdict::MockingPoint;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// `repeater-config.json`.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "jvm-sandbox-repeater configuration")]
pub struct Config {
    /// Follow threads of pools.
    pub use_ttl: bool,
    /// Stop recording.
    pub degrade: bool,
    /// After as many exceptions recording stops.
    pub exception_threshold: u32,
    /// Requests of 10,000 that are recorded.
    pub sample_rate: u32,
    /// Where plug-ins are; `null` for the place where they are installed.
    pub plugins_path: Option<String>,
    /// Regular expressions over the paths of requests that are recorded.
    pub http_entrance_patterns: Vec<String>,
    /// Methods with which a recording begins.
    pub java_entrance_behaviors: Vec<Behavior>,
    /// Methods that are recorded within one.
    pub java_sub_invoke_behaviors: Vec<Behavior>,
    /// The plug-ins that are on.
    pub plugin_identities: Vec<&'static str>,
    /// The kinds of recordings that can be replayed.
    pub repeat_identities: Vec<&'static str>,
}

/// Methods of a class.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Behavior {
    /// Binary name of the class.
    pub class_pattern: String,
    /// Names of methods, with all their overloads.
    pub method_patterns: Vec<String>,
    /// Also in classes below it.
    pub include_sub_classes: bool,
}

/// The JSON schema of what is printed.
pub fn schema() -> String {
    schema_of::<Config>()
}

/// The configuration: what is recorded, where recordings begin, and the plug-ins for all that the service depends on.
pub fn config(entries: &[Entry<'_>], points: &[MockingPoint], handlers: &Handlers) -> Config {
    let plugins = Plugins::of(Tool::Repeater.name());
    let mut identities: BTreeSet<&'static str> = points.iter().flat_map(|it| &it.sources).filter_map(|it| plugins.answers(it)).collect();
    let mut repeats = BTreeSet::new();
    let entrances = behaviors(handlers.started.iter().map(|it| (it.0.as_str(), it.1.as_str(), false)));
    let sub_invokes = behaviors(entries.iter().map(|it| (it.class.as_str(), it.name.as_str(), it.of_subtypes)));
    // A plug-in that is on and has nothing to do fails.
    for (is_needed, plugin, repeat) in [
        (!handlers.paths.is_empty(), "http", Some("http")),
        (!entrances.is_empty(), "java-entrance", Some("java")),
        (!sub_invokes.is_empty(), "java-subInvoke", None),
        (handlers.is_dubbo, "dubbo-provider", Some("dubbo")),
    ] {
        if is_needed {
            identities.insert(plugin);
            repeats.extend(repeat);
        }
    }
    Config {
        use_ttl: true,
        degrade: false,
        exception_threshold: 1000,
        sample_rate: 10_000,
        plugins_path: None,
        http_entrance_patterns: handlers.paths.clone(),
        java_entrance_behaviors: entrances,
        java_sub_invoke_behaviors: sub_invokes,
        plugin_identities: identities.into_iter().collect(),
        repeat_identities: repeats.into_iter().collect(),
    }
}

/// One entry a class. Names stand as they are, never wildcards, which the sandbox treats in another way.
fn behaviors<'a>(methods: impl Iterator<Item = (&'a str, &'a str, bool)>) -> Vec<Behavior> {
    let mut found: BTreeMap<(&str, bool), BTreeSet<&str>> = BTreeMap::new();
    for (class, method, of_subtypes) in methods {
        found.entry((class, of_subtypes)).or_default().insert(method);
    }
    let behavior = |((class, of_subtypes), methods): ((&str, bool), BTreeSet<&str>)| Behavior {
        class_pattern: class.to_owned(),
        method_patterns: methods.into_iter().map(str::to_owned).collect(),
        include_sub_classes: of_subtypes,
    };
    found.into_iter().map(behavior).collect()
}

/// Prints it.
pub fn print(entries: &[Entry<'_>], points: &[MockingPoint], handlers: &Handlers, exported: &mut Exported) {
    let config = config(entries, points, handlers);
    if config.http_entrance_patterns.is_empty() && config.java_entrance_behaviors.is_empty() && !handlers.is_dubbo {
        exported.notes.push("no handler was found: name what begins a recording in httpEntrancePatterns or javaEntranceBehaviors".to_owned());
    }
    if !handlers.paths.is_empty() {
        exported.notes.push("the plug-in http knows servlets of javax only, and paths count from the root of the host".to_owned());
    }
    for it in &handlers.without_path {
        exported.notes.push(format!("the path of {it} is no literal: add it to httpEntrancePatterns"));
    }
    // Printing text and lists of text cannot fail.
    exported.text = serde_json::to_string_pretty(&config).unwrap_or_default() + "\n";
}

//! The settings that a client has for us, as types. Their comments are the text of `docs/settings.schema.json`, from which
//! extensions make what they show.
//!
//! Reading never fails: a value that is none costs itself, with a line in the log, and all else holds.

use crate::config::{Run, Severity};
use crate::settings::{Precision, Tier};
use crate::terms::World;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The section of the client's settings that is ours.
pub const SECTION: &str = "mockpoint";

/// What a person sets in an editor, below the section `mockpoint`. `mockpoint.toml` is the word of the project: what it turns off is
/// not found at all; of the rest, what is set here wins over it.
#[derive(JsonSchema, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[schemars(title = "Settings of mockpoint in editors")]
#[serde(rename_all = "camelCase", default)]
pub struct EditorSettings {
    /// The reading of the rules: `refined`, with refinements beyond the paper, or the `paper`'s own. For all folders of the workspace. Without a
    /// value, what `mockpoint.toml` says, or else `refined`.
    #[schemars(extend("x-scope" = "window"))]
    #[serde(deserialize_with = "lenient")]
    pub precision: Option<Precision>,
    /// What is assumed about callers outside the sources: that there are none (`application`), that public and protected members are called
    /// (`library`), or that tests call (`with-tests`). For all folders of the workspace. Without a value, what `mockpoint.toml` says, or
    /// else `application`.
    #[schemars(extend("x-scope" = "window"))]
    #[serde(deserialize_with = "lenient")]
    pub world: Option<World>,
    /// Which rows of the catalogue are sources: those worth reading (`core`), or also implicit locale and charset, hash order and
    /// the like (`opt-in`). For all folders of the workspace. Without a value, what `mockpoint.toml` says, or else `core`.
    #[schemars(extend("x-scope" = "window"))]
    #[serde(deserialize_with = "lenient")]
    pub tier: Option<Tier>,
    /// What is underlined and listed as problems.
    #[serde(deserialize_with = "lenient")]
    pub diagnostics: DiagnosticSettings,
    /// The lines above methods, fields and classes.
    #[serde(deserialize_with = "lenient")]
    pub code_lens: LensSettings,
    /// The words beside sources and carriers.
    #[serde(deserialize_with = "lenient")]
    pub inlay_hints: HintSettings,
}

/// What is underlined and listed as problems.
#[derive(JsonSchema, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct DiagnosticSettings {
    /// Which files have diagnostics: those that are open, or all of the workspace.
    #[schemars(extend("x-scope" = "resource"))]
    #[serde(deserialize_with = "lenient")]
    pub scope: Scope,
    /// How serious the findings of a code are; `off` leaves them out. Codes that are not named are as `mockpoint.toml` says, or else as usual:
    /// `mocking-point` is information, `lost-side-effect` and `unresolved-configuration` are warnings, all others hints.
    #[schemars(extend("x-scope" = "resource"), schema_with = "severities")]
    #[serde(deserialize_with = "by_code")]
    pub severity: BTreeMap<String, Severity>,
    /// How the findings of a code are drawn beside their severity, where the editor can: `unnecessary` fades the name, `deprecated` strikes it
    /// through. Codes that are not named have no tag.
    #[schemars(extend("x-scope" = "resource"), schema_with = "tags")]
    #[serde(deserialize_with = "by_code")]
    pub tags: BTreeMap<String, Tag>,
}

/// How a finding is drawn beside its severity.
#[derive(JsonSchema, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Tag {
    /// As its severity says.
    None,
    /// Faded, as what is not needed.
    Unnecessary,
    /// Struck through, as what is deprecated.
    Deprecated,
}

/// Which files have diagnostics.
#[derive(JsonSchema, Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Those that are open.
    #[default]
    OpenFiles,
    /// All of the workspace.
    Workspace,
}

/// The lines above methods, fields and classes.
#[derive(JsonSchema, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase", default)]
pub struct LensSettings {
    /// Show the verdict above methods, fields and classes, with a link to the path.
    #[schemars(extend("x-scope" = "resource"))]
    #[serde(deserialize_with = "lenient_true")]
    pub enable: bool,
}

impl Default for LensSettings {
    fn default() -> LensSettings {
        LensSettings { enable: true }
    }
}

/// The words beside sources and carriers.
#[derive(JsonSchema, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct HintSettings {
    /// Show the kind of state beside what reads it, and through which field it came.
    #[schemars(extend("x-scope" = "resource"))]
    #[serde(deserialize_with = "lenient")]
    pub enable: bool,
}

impl EditorSettings {
    /// The settings of several layers, the later ones over the earlier ones. Each may have our section or be what lies in it.
    pub fn read<'a>(layers: impl IntoIterator<Item = &'a Value>) -> EditorSettings {
        let mut all = Value::Object(Map::new());
        layers.into_iter().for_each(|it| merge(&mut all, it.get(SECTION).unwrap_or(it)));
        // Every field takes what it is given, so this does not fail.
        EditorSettings::deserialize(all).unwrap_or_default()
    }

    /// What is asked for of the whole run.
    pub fn run(&self) -> Run {
        Run { precision: self.precision, world: self.world, tier: self.tier, jobs: None }
    }
}

/// The JSON schema of the settings, with a line break at its end.
pub fn schema() -> String {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<EditorSettings>();
    // A schema is a JSON value; printing one cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Puts `over` over `below`. A value of null says nothing.
fn merge(below: &mut Value, over: &Value) {
    // Each step goes down one of the keys that we know, so the depth is ours and not the client's.
    let Value::Object(over) = over else { return };
    let Value::Object(below) = below else { return };
    for (key, value) in over {
        match (below.get_mut(key), value) {
            (_, Value::Null) => {}
            (Some(Value::Object(known)), Value::Object(more)) => more.iter().filter(|it| !it.1.is_null()).for_each(|(key, value)| {
                known.insert(key.clone(), value.clone());
            }),
            _ => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}

/// What `value` is, or the default with a line in the log.
fn value_or<T: DeserializeOwned>(value: &Value, default: T) -> T {
    if value.is_null() {
        return default;
    }
    T::deserialize(value).unwrap_or_else(|err| {
        tracing::warn!("a setting cannot be {value}: {err}");
        default
    })
}

fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(value_or(&Value::deserialize(from)?, T::default()))
}

fn lenient_true<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(value_or(&Value::deserialize(from)?, true))
}

/// A value for each code. One that is none costs itself.
fn by_code<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<BTreeMap<String, T>, D::Error> {
    let value = Value::deserialize(from)?;
    let Value::Object(map) = &value else {
        if !value.is_null() {
            tracing::warn!("what holds for codes cannot be {value}");
        }
        return Ok(BTreeMap::new());
    };
    let entry = |(code, value): (&String, &Value)| Some((code.clone(), value_or::<Option<T>>(value, None)?));
    Ok(map.iter().filter_map(entry).collect())
}

fn severities(generator: &mut SchemaGenerator) -> Schema {
    keyed_by_code::<Severity>(generator)
}

fn tags(generator: &mut SchemaGenerator) -> Schema {
    keyed_by_code::<Tag>(generator)
}

/// A key for each code.
fn keyed_by_code<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<T>();
    let keys: Map<String, Value> = crate::codes::ALL.iter().map(|it| ((*it).to_owned(), value.clone().to_value())).collect();
    json_schema!({ "type": "object", "properties": keys, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::{env, fs};

    #[test]
    fn the_schema_in_docs_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/settings.schema.json");
        if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
            fs::write(path, schema()).expect("docs can be written");
        }
        let checked_in = fs::read_to_string(path).unwrap_or_default();
        assert!(checked_in == schema(), "docs/settings.schema.json is old: run the test again with UPDATE_SCHEMA=1");
    }

    #[test]
    fn layers() {
        let full = json!({
            "precision": "paper", "world": "with-tests", "tier": "opt-in",
            "diagnostics": { "scope": "workspace", "severity": { "mocking-point": "error", "modified-field": "off" }, "tags": { "modified-field": "unnecessary" } },
            "codeLens": { "enable": false }, "inlayHints": { "enable": true }
        });
        let res = EditorSettings::read([&full]);
        assert_eq!(res.run(), Run { precision: Some(Precision::Paper), world: Some(World::WithTests), tier: Some(Tier::OptIn), jobs: None });
        assert_eq!((res.diagnostics.scope, res.code_lens.enable, res.inlay_hints.enable), (Scope::Workspace, false, true));
        assert_eq!(res.diagnostics.severity.get("modified-field"), Some(&Severity::Off));
        assert_eq!(res.diagnostics.tags, BTreeMap::from([("modified-field".to_owned(), Tag::Unnecessary)]));
        // Our section or what lies in it; what is null says nothing; of an object the keys count one by one.
        let over = json!({ "mockpoint": { "world": "library", "tier": null, "diagnostics": { "scope": "openFiles" } } });
        let res = EditorSettings::read([&full, &over]);
        assert_eq!((res.world, res.tier, res.diagnostics.scope), (Some(World::Library), Some(Tier::OptIn), Scope::OpenFiles));
        assert_eq!(res.diagnostics.severity.len(), 2);
    }

    #[test]
    fn what_is_wrong_costs_itself() {
        let odd = json!({
            "precision": 3, "world": "library", "tier": [], "other": 1, "codeLens": { "enable": "no" }, "inlayHints": 7,
            "diagnostics": { "scope": "all", "severity": { "mocking-point": "loud", "lost-side-effect": "hint", "modified-field": null }, "tags": { "mocking-point": 3 } }
        });
        let res = EditorSettings::read([&odd]);
        let severity = BTreeMap::from([("lost-side-effect".to_owned(), Severity::Hint)]);
        let diagnostics = DiagnosticSettings { severity, ..DiagnosticSettings::default() };
        assert_eq!(res, EditorSettings { world: Some(World::Library), diagnostics, ..EditorSettings::default() });
        for odd in [json!(null), json!([]), json!("paper"), json!(1), json!({ "diagnostics": { "severity": [] } })] {
            assert_eq!(EditorSettings::read([&odd]), EditorSettings::default(), "{odd}");
        }
    }
}

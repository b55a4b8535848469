//! What `editors/` has for editors that CI does not run: its form, and that it says what the server reads.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|err| panic!("{file}: {err}"))
}

fn parsed(file: &str) -> Value {
    serde_json::from_str(&read(file)).unwrap_or_else(|err| panic!("{file}: {err}"))
}

const TEMPLATE: &str = "editors/jetbrains/mockpoint";

/// The names that LSP4IJ 0.20 looks for in the folder of a template. It reads no others.
const FILES: [&str; 9] = [
    "README.md",
    "clientSettings.json",
    "experimental.json",
    "initializationOptions.json",
    "installer.json",
    "settings.json",
    "settings.schema.json",
    "template.json",
    "workspaceFolderSettings.json",
];

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Fails if `value` has a key that LSP4IJ does not read.
fn only(value: &Value, known: &[&str]) {
    for key in keys(value) {
        assert!(known.contains(&key), "{key} is none of {known:?}");
    }
}

#[test]
fn the_template_has_files_that_lsp4ij_reads() {
    let mut names: Vec<String> =
        fs::read_dir(root().join(TEMPLATE)).expect("the folder is there").map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    assert!(names.iter().all(|it| FILES.contains(&it.as_str())), "{names:?}");
    assert!(names.contains(&"template.json".to_owned()));
    for name in names.iter().filter(|it| it.ends_with(".json")) {
        assert!(parsed(&format!("{TEMPLATE}/{name}")).is_object(), "{name}");
    }
}

#[test]
fn the_template_has_keys_that_lsp4ij_reads() {
    let template = parsed(&format!("{TEMPLATE}/template.json"));
    let known =
        ["id", "name", "url", "dev", "programArgs", "workingDir", "env", "expandConfiguration", "fileTypeMappings", "languageMappings", "disablePromotionFor"];
    only(&template, &known);
    assert!(template["id"].is_string() && template["name"].is_string());
    // Without `url` it would make up an address from the id.
    assert_eq!(template["url"], Value::Null);
    assert!(keys(&template).contains(&"url"));
    only(&template["programArgs"], &["default", "windows", "mac", "unix"]);
    for command in template["programArgs"].as_object().expect("an object").values() {
        let command = command.as_str().expect("a command line");
        assert!(command.contains("mockpoint") && command.trim_end_matches('"').ends_with(" server"), "{command}");
        // Other placeholders are plain text there.
        assert!(!command.contains("${"), "{command}");
    }
    only(&template["env"], &["includeSystemEnvironmentVariables", "variables"]);
    for mapping in template["fileTypeMappings"].as_array().expect("a list") {
        only(mapping, &["fileType", "languageId"]);
        only(&mapping["fileType"], &["name", "patterns"]);
        assert_eq!(mapping["languageId"], "java");
    }
    for mapping in template["languageMappings"].as_array().expect("a list") {
        assert_eq!(mapping, &json!({ "language": "JAVA", "languageId": "java" }));
    }
}

#[test]
fn the_template_asks_for_lenses_that_lsp4ij_can_follow() {
    let options = parsed(&format!("{TEMPLATE}/initializationOptions.json"));
    assert_eq!(options["client"]["commands"], json!(["editor.action.showReferences"]));
}

#[test]
fn the_installer_takes_what_a_release_has() {
    let installer = parsed(&format!("{TEMPLATE}/installer.json"));
    only(&installer, &["id", "name", "executeOnStartServer", "properties", "check", "run"]);
    let download = &installer["run"]["download"];
    only(download, &["name", "url", "github", "maven", "output", "onSuccess", "onFail"]);
    only(&download["output"], &["dir", "file"]);
    let workflow = read(".github/workflows/release.yml");
    let assets = &download["github"]["asset"];
    only(assets, &["windows", "unix", "mac"]);
    let names: Vec<&str> =
        assets.as_object().expect("an object").values().flat_map(|it| it.as_object().expect("an object").values()).filter_map(Value::as_str).collect();
    assert_eq!(names.len(), 6);
    for name in names {
        let (target, form) = name.trim_start_matches("mockpoint-").split_once('.').expect("an archive");
        assert!(workflow.contains(&format!("{{ target: {target}, triple: ")), "{name}");
        assert_eq!(form, if target.starts_with("win32") { "zip" } else { "tar.gz" });
    }
    assert_eq!(parsed("editors/vscode/package.json")["version"], env!("CARGO_PKG_VERSION"), "one version for all");
}

/// The schema of what an editor sends as a whole, with our section in it.
fn schema_of_settings() -> Value {
    let Value::Object(mut section) = parsed("docs/settings.schema.json") else { panic!("a schema is an object") };
    let dialect = section.remove("$schema").expect("it says its dialect");
    let definitions = section.remove("$defs").expect("it has definitions");
    let properties = Map::from_iter([("mockpoint".to_owned(), Value::Object(section))]);
    json!({ "$schema": dialect, "type": "object", "properties": properties, "additionalProperties": false, "$defs": definitions })
}

#[test]
fn the_settings_of_jetbrains_have_the_schema_of_the_server() {
    let path = root().join(TEMPLATE).join("settings.schema.json");
    let expected = serde_json::to_string_pretty(&schema_of_settings()).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &expected).expect("it can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{} is old: run the test again with UPDATE_SCHEMA=1", path.display());
}

/// Fails if `settings` has a key that the schema does not know.
fn known(schema: &Value, definition: &Value, settings: &Value, path: &str) {
    let Some(settings) = settings.as_object() else { return };
    let definition = match definition.get("$ref").and_then(Value::as_str) {
        Some(name) => &schema["$defs"][name.trim_start_matches("#/$defs/")],
        None => definition,
    };
    for (key, value) in settings {
        let Some(property) = definition["properties"].get(key) else { panic!("there is no setting {path}.{key}") };
        known(schema, property, value, &format!("{path}.{key}"));
    }
}

#[test]
fn settings_that_are_handed_out_are_known() {
    let schema = parsed("docs/settings.schema.json");
    for (file, pointer) in [("editors/jetbrains/mockpoint/settings.json", "/mockpoint"), ("editors/zed/settings.json", "/lsp/mockpoint/settings/mockpoint")] {
        let all = parsed(file);
        let settings = all.pointer(pointer).unwrap_or_else(|| panic!("{file} has settings"));
        known(&schema, &schema, settings, "mockpoint");
    }
}

#[test]
fn snippets_start_the_server() {
    let zed = parsed("editors/zed/settings.json");
    assert_eq!(zed["lsp"]["mockpoint"]["binary"]["arguments"], json!(["server"]));
    assert_eq!(zed["languages"]["Java"]["language_servers"], json!(["jdtls", "mockpoint"]));
    let helix = toml_strings("editors/helix/languages.toml", &["language-server", "mockpoint", "args"]);
    assert_eq!(helix, ["server"]);
    let helix = toml_strings("editors/helix/languages.toml", &["language", "0", "language-servers"]);
    assert_eq!(helix, ["jdtls", "mockpoint"]);
    let zed = toml_strings("editors/zed/extension.toml", &["language_servers", "mockpoint", "languages"]);
    assert_eq!(zed, ["Java"]);
}

/// The list of strings at a path of a TOML file; a number is an index.
fn toml_strings(file: &str, path: &[&str]) -> Vec<String> {
    let text = read(file);
    let table = DeTable::parse(&text).unwrap_or_else(|err| panic!("{file}: {err}"));
    let root = DeValue::Table(table.into_inner());
    let mut value = &root;
    for key in path {
        let found = key.parse::<usize>().map_or_else(|_| value.get(*key), |index| value.get(index));
        value = found.unwrap_or_else(|| panic!("{file} has no {key} of {path:?}")).get_ref();
    }
    value.as_array().expect("a list").iter().map(|it| it.get_ref().as_str().expect("a string").to_owned()).collect()
}

//! `mockpoint.toml`: what a project says of itself (`semantics.md` §9).
//!
//! [`file`] has the keys as types, from whose comments the schema in `docs/` is generated. [`read()`] takes them out of a
//! text and never fails: what is wrong becomes a [`ConfigProblem`] with its place and key, and all else holds.

pub mod file;
mod find;
mod globs;
mod lombok;
mod project;
mod queries;
mod read;
mod tree;

pub use file::{ConfigFile, Severity};
pub use find::{Above, above};
pub use globs::Globs;
pub use lombok::{LOMBOK_NAME, LombokFile};
pub use project::{ConfigSource, Holding, NO_SCOPE, Project, Row, RowId, Run, ScopeId, Use};
pub use queries::{QUERY_FOLDER, QueryFile};
pub use read::read;

use crate::java::decls::Range;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::path::Path;

/// The name of the file.
pub const FILE_NAME: &str = "mockpoint.toml";

/// Whether a path has the name of a file that says how others are read.
pub fn is_config(path: &Path) -> bool {
    path.file_name().is_some_and(|it| it == FILE_NAME || it == LOMBOK_NAME) || queries::is_query(path)
}

/// What `mockpoint init` writes: every key, explained and commented out.
pub const TEMPLATE: &str = include_str!("config/template.toml");

/// A larger file is none of ours. In bytes.
pub const MAX_CONFIG: u64 = 256 << 10;

/// Something wrong in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigProblem {
    /// Where.
    pub range: Range,
    /// What, with the key in backquotes where one is meant, as a clause without a full stop.
    pub message: String,
}

/// The JSON schema of the file, with a line break at its end.
pub fn schema() -> String {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<ConfigFile>();
    let mut schema = schema.to_value();
    without_null(&mut schema);
    // A schema is a JSON value; printing one cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// A key that may be left out is a value that may be null to the generator, but TOML knows no null. The schema of our
/// own types is not deep.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|it| it != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
                choices.retain(|it| it["type"] != "null");
                if let [Value::Object(only)] = &choices[..] {
                    let only = only.clone();
                    map.remove("anyOf");
                    map.extend(only);
                }
            }
            map.values_mut().for_each(without_null);
        }
        Value::Array(list) => list.iter_mut().for_each(without_null),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs};

    #[test]
    fn the_schema_in_docs_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/mockpoint.schema.json");
        if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
            fs::write(path, schema()).expect("docs can be written");
        }
        let checked_in = fs::read_to_string(path).unwrap_or_default();
        assert!(checked_in == schema(), "docs/mockpoint.schema.json is old: run the test again with UPDATE_SCHEMA=1");
    }

    #[test]
    fn the_template_says_nothing_wrong_commented_out_or_not() {
        assert_eq!(read(TEMPLATE), (ConfigFile::default(), Vec::new()));
        let bare: String =
            TEMPLATE.lines().map(|line| line.strip_prefix('#').filter(|it| !it.starts_with([' ', '#'])).unwrap_or(line).to_owned() + "\n").collect();
        let (file, problems) = read(&bare);
        assert_eq!(problems, []);
        // Every key is shown.
        let schema: Value = serde_json::from_str(&schema()).expect("the schema is JSON");
        for key in schema["properties"].as_object().expect("the file is a table").keys() {
            assert!(bare.lines().any(|line| line.starts_with(&format!("{key} =")) || line.contains(&format!("[{key}]"))), "{key} is not in the template");
        }
        assert!(!file.source.is_empty() && !file.exclude.is_empty() && !file.severity.is_empty());
    }
}

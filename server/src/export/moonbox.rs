//! MoonBox, a fork of jvm-sandbox-repeater: its two lists of what is mocked besides what plug-ins do.

use super::entry::Entry;
use crate::report::json::schema_of;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The call that the list of classes is for.
const SYSTEM_TIME: &str = "java.lang.System.currentTimeMillis()";

/// What is mocked, by the type of the mock.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "MoonBox special mocks")]
pub struct Mocks {
    /// For `mockType` TIME.
    #[serde(rename = "TIME")]
    pub time: Time,
    /// For `mockType` UNIVERSAL.
    #[serde(rename = "UNIVERSAL")]
    pub universal: Vec<Universal>,
}

/// Classes in which calls of the clock are answered.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Time {
    /// Binary names.
    pub sys_time_mock_classes: Vec<String>,
}

/// Methods of a class that are recorded and answered.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Universal {
    /// Binary name of the class.
    pub class_name: String,
    /// `name`, or `name(type,type)` with erased types.
    pub method_list: Vec<String>,
}

/// The JSON schema of what is printed.
pub fn schema() -> String {
    schema_of::<Mocks>()
}

/// Whether a method reads nothing but the clock of the system: its class goes to the list for that.
pub fn is_time(entry: &Entry<'_>) -> bool {
    entry.id.is_some() && entry.point.sources.iter().all(|it| it.what == SYSTEM_TIME && it.via.is_none())
}

/// The lists.
pub fn mocks(entries: &[Entry<'_>]) -> Mocks {
    let mut time = BTreeSet::new();
    let mut universal: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for entry in entries {
        if is_time(entry) {
            time.insert(entry.class.clone());
            continue;
        }
        let types: Vec<&str> = entry.parameters.iter().flatten().map(|it| it.ty.text.as_str()).collect();
        let method = if types.is_empty() { entry.name.clone() } else { format!("{}({})", entry.name, types.join(",")) };
        universal.entry(&entry.class).or_default().insert(method);
    }
    let universal = universal.into_iter().map(|(class, methods)| Universal { class_name: class.to_owned(), method_list: methods.into_iter().collect() });
    Mocks { time: Time { sys_time_mock_classes: time.into_iter().collect() }, universal: universal.collect() }
}

/// Prints them.
pub fn print(entries: &[Entry<'_>]) -> String {
    // Printing text and lists of text cannot fail.
    serde_json::to_string_pretty(&mocks(entries)).unwrap_or_default() + "\n"
}

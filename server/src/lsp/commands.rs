//! `workspace/executeCommand`. `docs/protocol.md` says what each command is given and answers.

use super::convert::{path_of, position};
use super::moment::Moment;
use super::{export, final_everywhere, findings, lens};
use crate::report::statistics::{self, StatisticsReport};
use crate::report::{Report, json, sarif};
use crate::verdict::statistics::count;
use serde_json::Value;
use std::fs;
use tokio::runtime::Handle;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::*;

/// Reads every file again. The backend does this one.
pub(super) const ANALYSE_WORKSPACE: &str = "mockpoint.analyseWorkspace";
/// The report.
const EXPORT_FINDINGS: &str = "mockpoint.exportFindings";
/// The mocking points as another tool takes them.
const EXPORT: &str = "mockpoint.export";
/// The counts.
const SHOW_STATISTICS: &str = "mockpoint.showStatistics";
/// The tree of findings.
const FINDINGS: &str = "mockpoint.findings";
/// What makes a method a mocking point.
pub(super) const SHOW_PATH: &str = "mockpoint.showPath";
/// What modifies a field.
pub(super) const SHOW_MODIFIERS: &str = "mockpoint.showModifiers";

/// `final` for all fields that are never modified.
pub(super) const FINAL_EVERYWHERE: &str = "mockpoint.makeFinalEverywhere";

/// A command of many clients that shows locations.
pub(super) const SHOW_REFERENCES: &str = "editor.action.showReferences";

/// All that the server runs.
pub(super) const ALL: [&str; 8] = [ANALYSE_WORKSPACE, EXPORT_FINDINGS, EXPORT, SHOW_STATISTICS, FINDINGS, SHOW_PATH, SHOW_MODIFIERS, FINAL_EVERYWHERE];

/// Runs a command. Called within the runtime, where it may block.
pub(super) fn run(moment: &Moment, client: &Client, params: &ExecuteCommandParams) -> Result<Value> {
    let first = params.arguments.first();
    match params.command.as_str() {
        EXPORT_FINDINGS => findings_report(moment, first),
        EXPORT => export::run(moment, first),
        SHOW_STATISTICS => show_statistics(moment, first),
        FINDINGS => {
            let params = first.map(|it| serde_json::from_value(it.clone())).transpose().map_err(|err| wrong(&err.to_string()))?;
            serde_json::to_value(findings::tree(moment, &params.unwrap_or_default())).map_err(|_| Error::internal_error())
        }
        FINAL_EVERYWHERE => final_everywhere::run(moment, client),
        SHOW_PATH | SHOW_MODIFIERS => show(moment, client, params),
        other => Err(wrong(&format!("there is no command {other}"))),
    }
}

pub(super) fn wrong(message: &str) -> Error {
    Error::invalid_params(message.to_owned())
}

fn format<'a>(options: Option<&'a Value>, usual: &'a str) -> &'a str {
    options.and_then(|it| it.get("format")).and_then(Value::as_str).unwrap_or(usual)
}

fn parsed(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|_| Error::internal_error())
}

fn findings_report(moment: &Moment, options: Option<&Value>) -> Result<Value> {
    let linked = &moment.snapshot.linked;
    let report = Report { linked, problems: &[], root: &moment.root };
    let mut bytes = Vec::new();
    let written = match format(options, "json") {
        "json" => json::print(&mut bytes, &report, &count(linked, 0, &[]).total),
        "sarif" => sarif::print(&mut bytes, &report),
        other => return Err(wrong(&format!("there is no format {other}"))),
    };
    written.map_err(|_| Error::internal_error())?;
    let Some(uri) = options.and_then(|it| it.get("uri")).and_then(Value::as_str) else { return parsed(&bytes) };
    let path = Url::parse(uri).ok().and_then(|it| it.to_file_path().ok()).ok_or_else(|| wrong(&format!("{uri} is no file")))?;
    fs::write(&path, bytes).map_err(|err| wrong(&format!("{} cannot be written: {err}", path.display())))?;
    Ok(serde_json::json!({ "uri": uri }))
}

fn show_statistics(moment: &Moment, options: Option<&Value>) -> Result<Value> {
    let linked = &moment.snapshot.linked;
    let counted = count(linked, 0, &[]);
    let report = StatisticsReport { counted: &counted, parts: &[], settings: linked.settings, root: &moment.root, seconds: None };
    let mut bytes = Vec::new();
    match format(options, "json") {
        "json" => {
            statistics::json::print(&mut bytes, &report).map_err(|_| Error::internal_error())?;
            parsed(&bytes)
        }
        "html" => {
            statistics::html::print(&mut bytes, &report).map_err(|_| Error::internal_error())?;
            Ok(serde_json::json!({ "html": String::from_utf8_lossy(&bytes) }))
        }
        other => Err(wrong(&format!("there is no format {other}"))),
    }
}

/// Answers with locations, and shows them as far as the client can, unless it says that it does so itself.
fn show(moment: &Moment, client: &Client, params: &ExecuteCommandParams) -> Result<Value> {
    let [uri, at, ..] = &params.arguments[..] else { return Err(wrong("an address and a position are needed")) };
    let uri: Url = serde_json::from_value(uri.clone()).map_err(|err| wrong(&err.to_string()))?;
    let at: Position = serde_json::from_value(at.clone()).map_err(|err| wrong(&err.to_string()))?;
    let path = path_of(&uri).ok_or_else(|| wrong("no file of a workspace"))?;
    let given: Option<Vec<Location>> = params.arguments.get(2).and_then(|it| serde_json::from_value(it.clone()).ok());
    let found = moment.findings(&path).and_then(|findings| {
        let offset = findings.file().lines.offset(position(at), moment.setup.encoding);
        let (title, places) = lens::places_at(&findings, u32::try_from(offset).ok()?, &params.command)?;
        Some((title, places.into_iter().filter_map(|it| moment.location(&findings, it)).collect::<Vec<_>>()))
    });
    let title = found.as_ref().map_or_else(|| "nothing is known of this place".to_owned(), |it| it.0.clone());
    let locations = given.or(found.map(|it| it.1)).unwrap_or_default();
    if moment.setup.client_commands.contains(&params.command) {
        return serde_json::to_value(locations).map_err(|_| Error::internal_error());
    }
    // The answer does not wait for the client.
    let (client, message, first) = (client.clone(), lens::note(&title, &locations), locations.first().cloned());
    let shows_documents = moment.setup.shows_documents;
    Handle::current().spawn(async move {
        if let Some(first) = first.filter(|_| shows_documents) {
            let params = ShowDocumentParams { uri: first.uri, external: None, take_focus: Some(true), selection: Some(first.range) };
            let _ = client.show_document(params).await;
        }
        client.show_message(MessageType::INFO, message).await;
    });
    serde_json::to_value(locations).map_err(|_| Error::internal_error())
}

//! What the server asks the client for once it is running.

use super::ask::patiently;
use super::initialize::{Setup, diagnostic_options};
use super::settings::Scope;
use serde_json::{Value, json};
use tower_lsp::Client;
use tower_lsp::lsp_types::{DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration, Unregistration};

/// Java files.
pub(super) const JAVA: &str = "**/*.java";
/// What may wire them together.
pub(super) const WIRING: &str = "**/*.{xml,properties,yml,yaml}";

/// What a project says of itself.
pub(super) const CONFIG: &str = "**/{mockpoint.toml,lombok.config}";

/// Queries of a project.
pub(super) const QUERIES: &str = "**/.mockpoint/queries/*.scm";

/// Asks to be told of files and settings that change, if the client lets us ask.
pub(super) async fn register(client: Client, setup: &Setup, scope: Scope) {
    let mut wanted = Vec::new();
    if setup.pulls_diagnostics && setup.registers_diagnostics {
        wanted.push(diagnostics(scope));
    }
    if setup.registers_watchers {
        // Narrow, since every match costs the client a watch.
        let watcher = |glob: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None };
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: [JAVA, WIRING, CONFIG, QUERIES].map(watcher).into() };
        wanted.push(Registration {
            id: "mockpoint/files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        });
    }
    if setup.registers_configuration {
        wanted.push(Registration {
            id: "mockpoint/settings".to_owned(),
            method: "workspace/didChangeConfiguration".to_owned(),
            register_options: Some(json!({ "section": "mockpoint" })),
        });
    }
    if wanted.is_empty() {
        return;
    }
    match patiently(async move { client.register_capability(wanted).await }).await {
        Some(Ok(())) => {}
        Some(Err(err)) => tracing::warn!("the client does not tell of changed files or settings: {err}"),
        None => tracing::warn!("the client does not answer whether it tells of changed files and settings"),
    }
}

/// The id of what is registered about diagnostics.
const DIAGNOSTICS: &str = "mockpoint/diagnostics";
const DIAGNOSTIC_METHOD: &str = "textDocument/diagnostic";

fn diagnostics(scope: Scope) -> Registration {
    let mut options = serde_json::to_value(diagnostic_options(scope)).unwrap_or_default();
    if let Value::Object(options) = &mut options {
        options.insert("documentSelector".to_owned(), json!([{ "language": "java" }]));
    }
    Registration { id: DIAGNOSTICS.to_owned(), method: DIAGNOSTIC_METHOD.to_owned(), register_options: Some(options) }
}

/// The scope of diagnostics is another one now: the client is told to ask for all of the workspace, or no longer to do so.
pub(super) async fn scope_changed(client: Client, scope: Scope) {
    let old = Unregistration { id: DIAGNOSTICS.to_owned(), method: DIAGNOSTIC_METHOD.to_owned() };
    let change = async move {
        client.unregister_capability(vec![old]).await?;
        client.register_capability(vec![diagnostics(scope)]).await
    };
    match patiently(change).await {
        Some(Ok(())) => {}
        Some(Err(err)) => tracing::warn!("the client does not change the scope of diagnostics: {err}"),
        None => tracing::warn!("the client does not answer whether it changes the scope of diagnostics"),
    }
}

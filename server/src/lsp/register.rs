//! What the server asks the client for once it is running.

use super::initialize::Setup;
use serde_json::json;
use std::time::Duration;
use tower_lsp::Client;
use tower_lsp::lsp_types::{DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, Registration};

/// How long the client may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Java files.
pub(super) const JAVA: &str = "**/*.java";
/// What may wire them together.
pub(super) const WIRING: &str = "**/*.{xml,properties,yml,yaml}";

/// What a project says of itself.
pub(super) const CONFIG: &str = "**/mockpoint.toml";

/// Asks to be told of files and settings that change, if the client lets us ask.
pub(super) async fn register(client: Client, setup: &Setup) {
    let mut wanted = Vec::new();
    if setup.registers_watchers {
        // Narrow, since every match costs the client a watch.
        let watcher = |glob: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None };
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: [JAVA, WIRING, CONFIG].map(watcher).into() };
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
    match tokio::time::timeout(PATIENCE, client.register_capability(wanted)).await {
        Ok(Ok(())) => {}
        Ok(Err(err)) => tracing::warn!("the client does not tell of changed files or settings: {err}"),
        Err(_) => tracing::warn!("the client does not answer whether it tells of changed files and settings"),
    }
}

//! Asking the client for its settings.

use super::initialize::Root;
use super::session::Event;
use super::settings::SECTION;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use tower_lsp::Client;
use tower_lsp::lsp_types::ConfigurationItem;

/// What a client answered.
pub(super) struct Answer {
    /// The number of the question: a later one counts, whichever is answered first.
    pub(super) number: u32,
    /// For everything.
    pub(super) all: Value,
    /// For each folder that was asked for.
    pub(super) folders: Vec<(PathBuf, Value)>,
}

/// Asks the client for our settings; they come as an event, however long that takes: until then those of `initialize` hold. Must be called
/// within a tokio runtime.
pub(super) fn pull(client: Client, events: Sender<Event>, number: u32, roots: Vec<Root>) {
    tokio::spawn(async move {
        let item = |scope_uri| ConfigurationItem { scope_uri, section: Some(SECTION.to_owned()) };
        let items = std::iter::once(item(None)).chain(roots.iter().map(|it| item(Some(it.uri.clone())))).collect();
        match client.configuration(items).await {
            Ok(answer) => {
                let mut values = answer.into_iter();
                let all = values.next().unwrap_or_default();
                let folders = roots.into_iter().map(|it| it.path).zip(values).filter(|it| !it.1.is_null()).collect();
                // Nobody is there to take it once the session has ended.
                let _ = events.send(Event::Settings(Answer { number, all, folders }));
            }
            Err(err) => tracing::warn!("the client gives no settings: {err}"),
        }
    });
}

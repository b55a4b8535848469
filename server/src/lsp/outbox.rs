//! The one task that publishes diagnostics. Whoever has something to publish does not wait for the client.

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::{Diagnostic, Url};

/// The diagnostics of one document.
pub(super) struct Publish {
    pub(super) uri: Url,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) version: Option<i32>,
}

/// Starts the task. It ends when nobody can publish any more.
pub(super) fn start(client: Client) -> UnboundedSender<Publish> {
    let (sender, mut receiver) = unbounded_channel::<Publish>();
    tokio::spawn(async move {
        let mut batch = Vec::new();
        while receiver.recv_many(&mut batch, 64).await > 0 {
            for idx in 0..batch.len() {
                // While the client was slow, something newer may have come for the same document.
                let is_old = batch[idx + 1..].iter().any(|later| later.uri == batch[idx].uri);
                if !is_old {
                    let Publish { uri, diagnostics, version } = &mut batch[idx];
                    client.publish_diagnostics(uri.clone(), std::mem::take(diagnostics), *version).await;
                }
            }
            batch.clear();
        }
    });
    sender
}

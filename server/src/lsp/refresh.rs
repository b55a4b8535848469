//! Tells the client that what it asked for may look otherwise now, without that any message of its own was the cause.

use super::ask::patiently;
use super::initialize::Refreshes;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::Client;

/// Of all that happens within this time the client is told once. A burst of links follows upon a change of branches.
const PAUSE: Duration = Duration::from_millis(300);

/// Starts the task that tells. It ends when nobody can ask it any more.
pub(super) fn start(client: Client) -> UnboundedSender<Refreshes> {
    let (sender, mut receiver) = unbounded_channel::<Refreshes>();
    tokio::spawn(async move {
        while let Some(mut wanted) = receiver.recv().await {
            tokio::time::sleep(PAUSE).await;
            while let Ok(more) = receiver.try_recv() {
                wanted = wanted.or(more);
            }
            let client = client.clone();
            let ask = async move {
                if wanted.diagnostics {
                    let _ = client.workspace_diagnostic_refresh().await;
                }
                if wanted.lenses {
                    let _ = client.code_lens_refresh().await;
                }
                if wanted.hints {
                    let _ = client.inlay_hint_refresh().await;
                }
            };
            if patiently(ask).await.is_none() {
                tracing::warn!("the client does not answer whether it asks again");
            }
        }
    });
    sender
}

impl Refreshes {
    pub(super) fn or(self, other: Refreshes) -> Refreshes {
        Refreshes { diagnostics: self.diagnostics || other.diagnostics, lenses: self.lenses || other.lenses, hints: self.hints || other.hints }
    }

    pub(super) fn and(self, other: Refreshes) -> Refreshes {
        Refreshes { diagnostics: self.diagnostics && other.diagnostics, lenses: self.lenses && other.lenses, hints: self.hints && other.hints }
    }

    pub(super) fn is_none(self) -> bool {
        self == Refreshes::default()
    }
}

//! Questions to the client, and how long to wait for an answer.

use std::future::Future;
use std::time::Duration;

/// How long the client may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a question comes to, or `None` if that takes too long. Whoever gives up leaves the question waiting: tower-lsp
/// panics, and reads no more, over an answer that comes when nobody waits for it any longer.
pub(super) async fn patiently<T: Send + 'static>(question: impl Future<Output = T> + Send + 'static) -> Option<T> {
    tokio::time::timeout(PATIENCE, tokio::spawn(question)).await.ok()?.ok()
}

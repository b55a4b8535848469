//! `mockpoint/status`: what the server is doing and how much it has found. Only for clients that ask for it.

use super::diagnostics::is_shown;
use crate::analysis::Analysis;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Notification;

/// How often the client is told at most.
const STEP: Duration = Duration::from_millis(100);

/// What the server is doing.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "camelCase")]
pub(super) enum State {
    /// Reading files.
    Indexing,
    /// Linking what was read.
    Analysing,
    /// All that is known has been analysed.
    #[default]
    Ready,
}

/// How much was found.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    pub(super) files: usize,
    pub(super) mocking_points: usize,
    pub(super) modified_fields: usize,
    pub(super) never_modified_fields: usize,
    pub(super) lost_side_effects: usize,
}

impl Counts {
    pub(super) fn of(linked: &Analysis) -> Counts {
        let verdicts = &linked.verdicts;
        let modified_fields = verdicts.fields.iter().filter(|it| it.ruled_out.is_none()).count();
        Counts {
            files: linked.files.len(),
            mocking_points: verdicts.mocking_points.len(),
            modified_fields,
            never_modified_fields: verdicts.fields.iter().filter(|it| is_shown(it)).count() - modified_fields,
            lost_side_effects: verdicts.mocking_points.iter().filter(|it| !it.lost.is_empty()).count(),
        }
    }
}

/// Both, as the client is told.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    pub(super) state: State,
    pub(super) files_done: usize,
    pub(super) files_total: usize,
    #[serde(flatten)]
    pub(super) counts: Counts,
}

enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "mockpoint/status";
}

/// Tells the client of each state but those that pass too quickly to be seen, until the sender is dropped.
pub(super) async fn tell(client: Client, mut status: watch::Receiver<Status>) {
    while status.changed().await.is_ok() {
        let now = *status.borrow_and_update();
        client.send_notification::<StatusNotification>(now).await;
        tokio::time::sleep(STEP).await;
    }
}

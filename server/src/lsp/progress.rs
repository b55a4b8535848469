//! Shows how far the first look through the workspace is.

use super::ask::patiently;
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Progress;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::*;

/// How often it is told at most.
const STEP: Duration = Duration::from_millis(100);

/// What the client calls the look through the workspace with this number by.
pub(super) fn token(number: u32) -> ProgressToken {
    ProgressToken::String(format!("mockpoint/index/{number}"))
}

/// Tells the client what `done`, files done and files in all, says, until its sender is dropped.
pub(super) async fn show(client: Client, number: u32, cancellable: bool, mut done: watch::Receiver<(usize, usize)>) {
    let token = token(number);
    let (asked, params) = (client.clone(), WorkDoneProgressCreateParams { token: token.clone() });
    let create = async move { asked.send_request::<WorkDoneProgressCreate>(params).await };
    if !matches!(patiently(create).await, Some(Ok(()))) {
        return;
    }
    let tell = |value| client.send_notification::<Progress>(ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(value) });
    let begin = WorkDoneProgressBegin { title: "Indexing".to_owned(), cancellable: Some(cancellable), message: None, percentage: Some(0) };
    tell(WorkDoneProgress::Begin(begin)).await;
    while done.changed().await.is_ok() {
        let (n_done, n_all) = *done.borrow_and_update();
        let percentage = (n_done * 100).checked_div(n_all).and_then(|it| u32::try_from(it).ok());
        let report = WorkDoneProgressReport { cancellable: Some(cancellable), message: Some(format!("{n_done}/{n_all} files")), percentage };
        tell(WorkDoneProgress::Report(report)).await;
        tokio::time::sleep(STEP).await;
    }
    tell(WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
}

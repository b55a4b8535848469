//! The handlers of the protocol's methods.
//!
//! Each one sends its event before its first wait, so events come in the order of the messages. None waits for the
//! client.

use super::convert::path_of;
use super::initialize::{self, Root, Setup};
use super::moment::Moment;
use super::session::{Event, Session};
use super::settings::EditorSettings;
use super::{Options, code_action, commands, findings, hints, hover, lens, outbox, pull};
use crate::config::is_config;
use crate::workspace::is_source_name;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use tokio::sync::{oneshot, watch};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::*;
use tower_lsp::{Client, LanguageServer};

pub(super) struct Backend {
    client: Client,
    events: Sender<Event>,
    /// Changes whenever there may be news of files that are not open.
    news: watch::Receiver<u64>,
    setup: OnceLock<Arc<Setup>>,
}

impl Backend {
    /// Starts the session that this passes messages to. Must be called within a tokio runtime.
    pub(super) fn new(client: Client, options: Options) -> Backend {
        let (events, receiver) = channel();
        let outbox = outbox::start(client.clone());
        let news = Session::start(receiver, events.clone(), client.clone(), outbox, options);
        Backend { client, events, news, setup: OnceLock::new() }
    }

    /// A notification that needs no action.
    pub(super) async fn ignore(&self, _: Value) {}

    fn send(&self, event: Event) {
        if self.events.send(event).is_err() {
            tracing::error!("the session has ended");
        }
    }

    /// `window/workDoneProgress/cancel`.
    pub(super) async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.send(Event::Cancel(params.token));
    }

    /// `mockpoint/findings`.
    pub(super) async fn findings(&self, params: findings::Params) -> Result<findings::Tree> {
        let tree = self.answer(move |moment| Some(findings::tree(moment, &params))).await?;
        tree.ok_or_else(Error::internal_error)
    }

    /// The workspace as the messages before this one left it.
    async fn moment(&self) -> Result<Moment> {
        let (sender, receiver) = oneshot::channel();
        self.send(Event::Moment(sender));
        receiver.await.map_err(|_| Error::internal_error())
    }

    /// Answers a request away from the threads that carry messages.
    async fn answer<T: Send + 'static>(&self, answer: impl FnOnce(&Moment) -> Option<T> + Send + 'static) -> Result<Option<T>> {
        let moment = self.moment().await?;
        let task = tokio::task::spawn_blocking(move || answer(&moment));
        task.await.map_err(|err| {
            tracing::error!("a request failed: {err}");
            Error::internal_error()
        })
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // The session keeps a sender for its jobs, so the channel alone does not tell it.
        let _ = self.events.send(Event::Stop);
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let setup = Arc::new(Setup::new(&params));
        let options = params.initialization_options.clone().unwrap_or_default();
        let res = initialize::result(&setup, &EditorSettings::read([&options]));
        let roots = initialize::roots(&params);
        if self.setup.set(Arc::clone(&setup)).is_ok() {
            self.send(Event::Setup { setup, roots, options });
        }
        Ok(res)
    }

    async fn initialized(&self, _: InitializedParams) {
        self.send(Event::Begin);
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, language_id, version, text } = params.text_document;
        let Some(path) = path_of(&uri) else { return };
        if language_id == "java" || path.extension().is_some_and(|it| it == "java") {
            self.send(Event::Open { path, uri, version, text });
        }
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri) {
            self.send(Event::Change { path, version: params.text_document.version, changes: params.content_changes });
        }
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        // The text of a Java file is known already. That of another counts once it is saved, and not every client watches the disk.
        if let Some(path) = path_of(&params.text_document.uri).filter(|it| is_source_name(it) || is_config(it)) {
            self.send(Event::Disk { changed: vec![path], removed: Vec::new() });
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri) {
            self.send(Event::Close(path));
        }
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let (mut changed, mut removed) = (Vec::new(), Vec::new());
        for event in params.changes {
            let Some(path) = path_of(&event.uri) else { continue };
            if event.typ == FileChangeType::DELETED { removed.push(path) } else { changed.push(path) }
        }
        self.send(Event::Disk { changed, removed });
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        self.send(Event::Disk { changed: paths(params.files.iter().map(|it| &it.uri)), removed: Vec::new() });
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        let changed = paths(params.files.iter().map(|it| &it.new_uri));
        self.send(Event::Disk { changed, removed: paths(params.files.iter().map(|it| &it.old_uri)) });
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        self.send(Event::Disk { changed: Vec::new(), removed: paths(params.files.iter().map(|it| &it.uri)) });
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let added = params.event.added.iter().filter_map(|it| Root::new(&it.uri)).collect();
        let removed = params.event.removed.iter().filter_map(|it| path_of(&it.uri)).collect();
        self.send(Event::Folders { added, removed });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.send(Event::SettingsChanged(params.settings));
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        let Some(path) = path_of(&at.text_document.uri) else { return Ok(None) };
        self.answer(move |moment| hover::hover(moment, &path, at.position)).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let Some(path) = path_of(&params.text_document.uri) else { return Ok(None) };
        self.answer(move |moment| code_action::code_actions(moment, &path, &params)).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let resolved = self.answer(move |moment| Some(code_action::resolve(moment, action))).await?;
        resolved.ok_or_else(Error::internal_error)?
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let path = path_of(&params.text_document.uri);
        let report = self.answer(move |moment| Some(pull::document(moment, path.as_deref(), params.previous_result_id.as_deref()))).await?;
        report.ok_or_else(Error::internal_error)
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        let mut news = self.news.clone();
        let previous = Arc::new(params.previous_result_ids);
        loop {
            // What happens from now on is not missed.
            news.mark_unchanged();
            let known = Arc::clone(&previous);
            if let Some(report) = self.answer(move |moment| pull::workspace(moment, &known)).await? {
                return Ok(WorkspaceDiagnosticReportResult::Report(report));
            }
            news.changed().await.map_err(|_| Error::internal_error())?;
        }
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        let Some(path) = path_of(&uri) else { return Ok(None) };
        self.answer(move |moment| lens::lenses(moment, &uri, &path)).await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        let resolved = self.answer(move |moment| Some(lens::resolve(moment, lens))).await?;
        resolved.ok_or_else(Error::internal_error)
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri;
        let Some(path) = path_of(&uri) else { return Ok(None) };
        self.answer(move |moment| hints::hints(moment, &uri, &path, params.range)).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        let resolved = self.answer(move |moment| Some(hints::resolve(moment, hint))).await?;
        resolved.ok_or_else(Error::internal_error)
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        if params.command == commands::ANALYSE_WORKSPACE {
            let (sender, receiver) = oneshot::channel();
            self.send(Event::ReadAgain(sender));
            let counts = receiver.await.map_err(|_| Error::internal_error())?;
            return Ok(serde_json::to_value(counts).ok());
        }
        let client = self.client.clone();
        self.answer(move |moment| Some(commands::run(moment, &client, &params))).await?.transpose()
    }
}

fn paths<'a>(uris: impl Iterator<Item = &'a String>) -> Vec<PathBuf> {
    uris.filter_map(|it| path_of(&Url::parse(it).ok()?)).collect()
}

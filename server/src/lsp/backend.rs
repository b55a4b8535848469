//! The handlers of the protocol's methods.
//!
//! Each one sends its event before its first wait, so events come in the order of the messages. None waits for the
//! client.

use super::config;
use super::convert::path_of;
use super::initialize::{self, Setup};
use super::outbox;
use super::session::{Event, Session};
use super::{Options, code_action, hover};
use crate::host::Snapshot;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::*;
use tower_lsp::{Client, LanguageServer};

pub(super) struct Backend {
    client: Client,
    events: Sender<Event>,
    setup: OnceLock<Arc<Setup>>,
}

impl Backend {
    /// Starts the session that this passes messages to. Must be called within a tokio runtime.
    pub(super) fn new(client: Client, options: Options) -> Backend {
        let (events, receiver) = channel();
        let outbox = outbox::start(client.clone());
        Session::start(receiver, events.clone(), client.clone(), outbox, options);
        Backend { client, events, setup: OnceLock::new() }
    }

    /// A notification that needs no action.
    pub(super) async fn ignore(&self, _: Value) {}

    fn send(&self, event: Event) {
        if self.events.send(event).is_err() {
            tracing::error!("the session has ended");
        }
    }

    /// The workspace as the messages before this one left it.
    async fn snapshot(&self) -> Result<Arc<Snapshot>> {
        let (sender, receiver) = oneshot::channel();
        self.send(Event::Snapshot(sender));
        receiver.await.map_err(|_| Error::internal_error())
    }

    /// Answers a request about an open file away from the threads that carry messages.
    async fn answer<T: Send + 'static>(&self, answer: impl FnOnce(&Setup, &Snapshot) -> Option<T> + Send + 'static) -> Result<Option<T>> {
        let snapshot = self.snapshot().await?;
        let Some(setup) = self.setup.get().cloned() else { return Ok(None) };
        let task = tokio::task::spawn_blocking(move || answer(&setup, &snapshot));
        match task.await {
            Ok(res) => Ok(res),
            Err(err) => {
                tracing::error!("a request failed: {err}");
                Err(Error::internal_error())
            }
        }
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
        let res = initialize::result(&setup);
        let roots = initialize::roots(&params);
        if self.setup.set(Arc::clone(&setup)).is_ok() {
            self.send(Event::Setup { setup, roots, options: params.initialization_options.unwrap_or_default() });
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

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // The text is known already, and what else watches the disk tells of the rest.
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
        let folders = |list: Vec<WorkspaceFolder>| list.iter().filter_map(|it| path_of(&it.uri)).collect();
        self.send(Event::Folders { added: folders(params.event.added), removed: folders(params.event.removed) });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.setup.get().is_some_and(|it| it.pulls_configuration) {
            // What clients push here differs; what they answer does not.
            config::pull(self.client.clone(), self.events.clone());
        } else if !params.settings.is_null() {
            self.send(Event::Settings(params.settings));
        }
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        let Some(path) = path_of(&at.text_document.uri) else { return Ok(None) };
        self.answer(move |setup, snapshot| hover::hover(setup, snapshot, &path, at.position)).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let Some(path) = path_of(&params.text_document.uri) else { return Ok(None) };
        self.answer(move |setup, snapshot| code_action::code_actions(setup, snapshot, &path, &params)).await
    }
}

fn paths<'a>(uris: impl Iterator<Item = &'a String>) -> Vec<PathBuf> {
    uris.filter_map(|it| path_of(&Url::parse(it).ok()?)).collect()
}

//! `initialize`: what the client can do, and what we offer.

use super::convert::path_of;
use super::register::{CONFIG, JAVA, WIRING};
use crate::text::Encoding;
use std::path::PathBuf;
use tower_lsp::lsp_types::*;

/// What was agreed with the client.
#[derive(Debug, Default)]
pub(super) struct Setup {
    /// The unit of columns.
    pub(super) encoding: Encoding,
    /// Shows progress that the server begins.
    pub(super) shows_progress: bool,
    /// Answers `workspace/configuration`.
    pub(super) pulls_configuration: bool,
    /// Lets the server ask for `workspace/didChangeConfiguration`.
    pub(super) registers_configuration: bool,
    /// Lets the server ask for `workspace/didChangeWatchedFiles`.
    pub(super) registers_watchers: bool,
    /// Hovers may be Markdown.
    pub(super) markdown: bool,
    /// Diagnostics may name related places.
    pub(super) related_information: bool,
    /// Diagnostics may link to a page about their code.
    pub(super) code_description: bool,
    /// Edits may name the version that they are for.
    pub(super) document_changes: bool,
}

impl Setup {
    pub(super) fn new(params: &InitializeParams) -> Setup {
        let caps = &params.capabilities;
        let workspace = caps.workspace.as_ref();
        let text = caps.text_document.as_ref();
        let encodings = caps.general.as_ref().and_then(|it| it.position_encodings.as_deref()).unwrap_or_default();
        let diagnostics = text.and_then(|it| it.publish_diagnostics.as_ref());
        let formats = text.and_then(|it| it.hover.as_ref()).and_then(|it| it.content_format.as_deref()).unwrap_or_default();
        Setup {
            encoding: if encodings.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 },
            shows_progress: caps.window.as_ref().and_then(|it| it.work_done_progress).unwrap_or(false),
            pulls_configuration: workspace.and_then(|it| it.configuration).unwrap_or(false),
            registers_configuration: workspace.and_then(|it| it.did_change_configuration).and_then(|it| it.dynamic_registration).unwrap_or(false),
            registers_watchers: workspace.and_then(|it| it.did_change_watched_files).and_then(|it| it.dynamic_registration).unwrap_or(false),
            markdown: formats.contains(&MarkupKind::Markdown),
            related_information: diagnostics.and_then(|it| it.related_information).unwrap_or(false),
            code_description: diagnostics.and_then(|it| it.code_description_support).unwrap_or(false),
            document_changes: workspace.and_then(|it| it.workspace_edit.as_ref()).and_then(|it| it.document_changes).unwrap_or(false),
        }
    }
}

/// The folders of the workspace; none if single files are edited.
pub(super) fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return folders.iter().filter_map(|it| path_of(&it.uri)).collect();
    }
    // Deprecated since there are workspace folders, but what older clients send.
    #[allow(deprecated)]
    let uri = params.root_uri.as_ref().and_then(path_of);
    #[allow(deprecated)]
    let path = || params.root_path.as_ref().map(PathBuf::from);
    uri.or_else(path).into_iter().collect()
}

/// The answer.
pub(super) fn result(setup: &Setup) -> InitializeResult {
    let encoding = match setup.encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let folders = WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    let operations = WorkspaceFileOperationsServerCapabilities {
        did_create: Some(sources_and_folders()),
        did_rename: Some(sources_and_folders()),
        did_delete: Some(sources_and_folders()),
        ..WorkspaceFileOperationsServerCapabilities::default()
    };
    let actions = CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]), ..CodeActionOptions::default() };
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        workspace: Some(WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: Some(operations) }),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo { name: env!("CARGO_PKG_NAME").to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(info) }
}

/// Files that are read, and folders, since what lies in a folder goes where it goes.
fn sources_and_folders() -> FileOperationRegistrationOptions {
    let filter = |glob: &str, matches| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    };
    FileOperationRegistrationOptions {
        filters: vec![
            filter(JAVA, FileOperationPatternKind::File),
            filter(WIRING, FileOperationPatternKind::File),
            filter(CONFIG, FileOperationPatternKind::File),
            filter("**", FileOperationPatternKind::Folder),
        ],
    }
}

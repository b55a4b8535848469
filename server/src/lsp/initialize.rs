//! `initialize`: what the client can do, and what we offer.

use super::convert::path_of;
use super::register::{CONFIG, JAVA, QUERIES, WIRING};
use super::settings::{EditorSettings, Scope};
use super::{code_action, commands};
use crate::text::Encoding;
use serde_json::Value;
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
    /// Diagnostics may have these tags.
    pub(super) tags: Vec<DiagnosticTag>,
    /// Edits may name the version that they are for.
    pub(super) document_changes: bool,
    /// The client asks for diagnostics, and is told when to ask again; otherwise they are sent to it.
    pub(super) pulls_diagnostics: bool,
    /// Lets the server say later whether it has diagnostics of the whole workspace.
    pub(super) registers_diagnostics: bool,
    /// What the client can be asked to ask for again.
    pub(super) refreshes: Refreshes,
    /// Shows a document when the server asks it to.
    pub(super) shows_documents: bool,
    /// Asks for the tooltip of an inlay hint when it needs it.
    pub(super) resolves_tooltips: bool,
    /// Asks for the edit of a code action when it is chosen.
    pub(super) resolves_edits: bool,
    /// Applies edits that the server asks for.
    pub(super) applies_edits: bool,
    /// Shows the related places of a diagnostic with the hover of its place.
    pub(super) related_in_hovers: bool,
    /// Edits may make files.
    pub(super) creates_files: bool,
    /// Commands that the client runs itself.
    pub(super) client_commands: Vec<String>,
    /// The client wants `mockpoint/status`.
    pub(super) wants_status: bool,
}

/// What is to be asked for again.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refreshes {
    pub(super) diagnostics: bool,
    pub(super) lenses: bool,
    pub(super) hints: bool,
}

impl Setup {
    pub(super) fn new(params: &InitializeParams) -> Setup {
        let caps = &params.capabilities;
        let workspace = caps.workspace.as_ref();
        let text = caps.text_document.as_ref();
        let encodings = caps.general.as_ref().and_then(|it| it.position_encodings.as_deref()).unwrap_or_default();
        let diagnostics = text.and_then(|it| it.publish_diagnostics.as_ref());
        let formats = text.and_then(|it| it.hover.as_ref()).and_then(|it| it.content_format.as_deref()).unwrap_or_default();
        let pull = text.and_then(|it| it.diagnostic.as_ref());
        let refreshes = Refreshes {
            diagnostics: workspace.and_then(|it| it.diagnostic.as_ref()).and_then(|it| it.refresh_support).unwrap_or(false),
            lenses: workspace.and_then(|it| it.code_lens.as_ref()).and_then(|it| it.refresh_support).unwrap_or(false),
            hints: workspace.and_then(|it| it.inlay_hint.as_ref()).and_then(|it| it.refresh_support).unwrap_or(false),
        };
        let resolved = text.and_then(|it| it.inlay_hint.as_ref()).and_then(|it| it.resolve_support.as_ref());
        let action = text.and_then(|it| it.code_action.as_ref());
        let (actions, data) = (action.and_then(|it| it.resolve_support.as_ref()), action.and_then(|it| it.data_support).unwrap_or(false));
        let edits = workspace.and_then(|it| it.workspace_edit.as_ref());
        let client = params.initialization_options.as_ref().and_then(|it| it.get("client"));
        let commands = client.and_then(|it| it.get("commands")).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Setup {
            // What an edit in one file means for another is known a moment later. Who cannot be told to ask again would
            // go on showing what was true when it asked.
            pulls_diagnostics: pull.is_some() && refreshes.diagnostics,
            registers_diagnostics: pull.and_then(|it| it.dynamic_registration).unwrap_or(false),
            refreshes,
            shows_documents: caps.window.as_ref().and_then(|it| it.show_document.as_ref()).is_some_and(|it| it.support),
            resolves_tooltips: resolved.is_some_and(|it| it.properties.iter().any(|it| it == "tooltip")),
            resolves_edits: actions.is_some_and(|it| it.properties.iter().any(|it| it == "edit")) && data,
            applies_edits: workspace.and_then(|it| it.apply_edit).unwrap_or(false),
            related_in_hovers: client.and_then(|it| it.get("relatedInHovers")).and_then(Value::as_bool).unwrap_or(false),
            creates_files: edits.and_then(|it| it.resource_operations.as_ref()).is_some_and(|it| it.contains(&ResourceOperationKind::Create)),
            client_commands: commands.iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect(),
            wants_status: client.and_then(|it| it.get("status")).and_then(Value::as_bool).unwrap_or(false),
            encoding: if encodings.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 },
            shows_progress: caps.window.as_ref().and_then(|it| it.work_done_progress).unwrap_or(false),
            pulls_configuration: workspace.and_then(|it| it.configuration).unwrap_or(false),
            registers_configuration: workspace.and_then(|it| it.did_change_configuration).and_then(|it| it.dynamic_registration).unwrap_or(false),
            registers_watchers: workspace.and_then(|it| it.did_change_watched_files).and_then(|it| it.dynamic_registration).unwrap_or(false),
            markdown: formats.contains(&MarkupKind::Markdown),
            related_information: diagnostics.and_then(|it| it.related_information).unwrap_or(false),
            code_description: diagnostics.and_then(|it| it.code_description_support).unwrap_or(false),
            tags: diagnostics.and_then(|it| it.tag_support.clone()).map(|it| it.value_set).unwrap_or_default(),
            document_changes: workspace.and_then(|it| it.workspace_edit.as_ref()).and_then(|it| it.document_changes).unwrap_or(false),
        }
    }
}

/// A folder of the workspace, with the client's own spelling.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub(super) path: PathBuf,
    pub(super) uri: Url,
}

impl Root {
    /// `None` for what is no folder on this machine, and for the whole of its disk, which some clients send for want
    /// of anything better.
    pub(super) fn new(uri: &Url) -> Option<Root> {
        let path = path_of(uri).filter(|it| it.parent().is_some())?;
        Some(Root { path, uri: uri.clone() })
    }
}

/// The folders of the workspace; none if single files are edited.
pub(super) fn roots(params: &InitializeParams) -> Vec<Root> {
    if let Some(folders) = &params.workspace_folders {
        return folders.iter().filter_map(|it| Root::new(&it.uri)).collect();
    }
    // Deprecated since there are workspace folders, but what older clients send.
    #[allow(deprecated)]
    let uri = params.root_uri.clone();
    #[allow(deprecated)]
    let path = || params.root_path.as_ref().and_then(|it| Url::from_file_path(it).ok());
    uri.or_else(path).as_ref().and_then(Root::new).into_iter().collect()
}

/// What the server says that it has about diagnostics that are asked for.
pub(super) fn diagnostic_options(scope: Scope) -> DiagnosticOptions {
    DiagnosticOptions {
        identifier: Some("mockpoint".to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: scope == Scope::Workspace,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

/// The answer.
pub(super) fn result(setup: &Setup, settings: &EditorSettings) -> InitializeResult {
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
    let kinds = Some(code_action::KINDS.to_vec());
    let actions = CodeActionOptions { code_action_kinds: kinds, resolve_provider: Some(true), ..CodeActionOptions::default() };
    // Who can be told later is told when the settings are known.
    let diagnostics = (setup.pulls_diagnostics && !setup.registers_diagnostics).then(|| diagnostic_options(settings.diagnostics.scope));
    let hints = InlayHintOptions { resolve_provider: Some(setup.resolves_tooltips), ..InlayHintOptions::default() };
    let commands = commands::ALL.iter().filter(|&&it| !setup.client_commands.iter().any(|theirs| theirs == it)).map(|&it| it.to_owned()).collect();
    let capabilities = ServerCapabilities {
        diagnostic_provider: diagnostics.map(DiagnosticServerCapabilities::Options),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(hints))),
        execute_command_provider: Some(ExecuteCommandOptions { commands, ..ExecuteCommandOptions::default() }),
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
            filter(QUERIES, FileOperationPatternKind::File),
            filter("**", FileOperationPatternKind::Folder),
        ],
    }
}

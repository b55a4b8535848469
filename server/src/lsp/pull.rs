//! `textDocument/diagnostic` and `workspace/diagnostic`, for clients that ask for diagnostics.
//!
//! The id of a result is a hash of it, so nothing has to be remembered of what a client was told.

use super::moment::Moment;
use super::settings::Scope;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use tower_lsp::lsp_types::*;

/// The diagnostics of one document. There are none of what is not known.
pub(super) fn document(moment: &Moment, path: Option<&Path>, previous: Option<&str>) -> DocumentDiagnosticReportResult {
    let items = path.and_then(|it| moment.findings(it)).map(|it| moment.diagnostics(&it)).unwrap_or_default();
    let id = result_id(&items);
    let report = if previous == Some(id.as_str()) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id: id };
        RelatedUnchangedDocumentDiagnosticReport { related_documents: None, unchanged_document_diagnostic_report: unchanged }.into()
    } else {
        let full = FullDocumentDiagnosticReport { result_id: Some(id), items };
        RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full }.into()
    };
    DocumentDiagnosticReportResult::Report(report)
}

/// The diagnostics of the files of the workspace that are not as `previous` says. `None` if there is no news: then the client is
/// answered when there is, since clients ask again as soon as they have an answer.
pub(super) fn workspace(moment: &Moment, previous: &[PreviousResultId]) -> Option<WorkspaceDiagnosticReport> {
    if !moment.complete {
        return None;
    }
    // Clients may spell an address otherwise than we do: what counts is the file.
    let known: FxHashMap<PathBuf, &PreviousResultId> = previous.iter().filter_map(|it| Some((super::convert::path_of(&it.uri)?, it))).collect();
    let mut items = Vec::new();
    let mut seen: FxHashSet<PathBuf> = FxHashSet::default();
    let mut tell = |path: &Path, uri: Url, diagnostics: Vec<Diagnostic>| {
        let id = result_id(&diagnostics);
        let before = known.get(path).map(|it| it.value.as_str());
        if before == Some(id.as_str()) || (before.is_none() && diagnostics.is_empty()) {
            return;
        }
        let version = moment.snapshot.view(path).map(|it| i64::from(it.version));
        let full_document_diagnostic_report = FullDocumentDiagnosticReport { result_id: Some(id), items: diagnostics };
        items.push(WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report }.into());
    };
    for findings in moment.all_findings() {
        let path = &findings.file().path;
        if moment.settings.of(path).diagnostics.scope == Scope::Workspace
            && let Some(uri) = moment.uri(path)
        {
            seen.insert(path.clone());
            tell(path, uri, moment.diagnostics(&findings));
        }
    }
    let mut gone: Vec<_> = known.iter().filter(|it| !seen.contains(it.0)).collect();
    gone.sort_by_key(|it| it.0);
    gone.into_iter().for_each(|(path, it)| tell(path, it.uri.clone(), Vec::new()));
    (!items.is_empty()).then_some(WorkspaceDiagnosticReport { items })
}

fn result_id(items: &[Diagnostic]) -> String {
    let mut hasher = FxHasher::default();
    // Diagnostics are JSON values; printing them cannot fail.
    hasher.write(&serde_json::to_vec(items).unwrap_or_default());
    format!("{:016x}", hasher.finish())
}

//! `textDocument/codeAction` and `codeAction/resolve`: fixes for our findings. Each kind of fix has a file of its own.
//!
//! A client that asks for the edit of an action when it is chosen gets actions without edits; asked again, the server
//! finds the same actions and gives the edit of the one that has the title. So nothing is kept between the two. Edits that
//! take work, as they read other files or write tests, are worked out for the chosen action alone: see [`Work`].

mod annotations;
mod asked;
mod config_rows;
mod extract;
mod fix_all;
mod generate_test;
mod inject;
mod make_final;
mod remove_setter;
mod suppress;
mod to_parameter;

pub(super) use asked::resolve;
pub(super) use fix_all::finals;

use super::convert::{edit_of_documents, overlap, range, uri_of};
use super::diagnostics::{self, Context};
use super::initialize::Setup;
use super::moment::Moment;
use crate::codes;
use crate::host::declaration::named_at;
use crate::host::{Findings, View};
use crate::rewrite::{Edit, Source};
use crate::text::{Encoding, LineIndex};
use crate::verdict::{MockingPoint, Place, SourceUse};
use crate::workspace::SourceFile;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp::lsp_types::*;

/// All kinds of actions that there are.
pub(super) const KINDS: [CodeActionKind; 6] = [
    CodeActionKind::QUICKFIX,
    CodeActionKind::REFACTOR_EXTRACT,
    CodeActionKind::REFACTOR_REWRITE,
    GENERATE,
    CodeActionKind::SOURCE_FIX_ALL,
    fix_all::EVERYWHERE,
];

/// Something new that is made of what is there.
const GENERATE: CodeActionKind = CodeActionKind::new("refactor.generate");

/// A fix in terms of texts.
struct Fix<'a> {
    title: String,
    kind: CodeActionKind,
    work: Work<'a>,
    is_preferred: bool,
}

/// How a fix comes to its changes.
enum Work<'a> {
    Done(Vec<Change>),
    /// Done when the fix is chosen. It gives nothing where a closer look shows that the fix is not possible.
    Later {
        makes_file: bool,
        run: Box<dyn FnOnce() -> Option<Vec<Change>> + 'a>,
    },
}

impl Work<'_> {
    fn makes_file(&self) -> bool {
        match self {
            Work::Done(changes) => changes.iter().any(|it| matches!(it, Change::New { .. })),
            Work::Later { makes_file, .. } => *makes_file,
        }
    }

    fn run(self) -> Option<Vec<Change>> {
        match self {
            Work::Done(changes) => Some(changes),
            Work::Later { run, .. } => run(),
        }
    }
}

/// What happens to one file.
enum Change {
    /// The open document that was asked about.
    Here(Vec<Edit>),
    /// Another file, with the text that the edits are for; `version` if it is open.
    Other { path: PathBuf, lines: LineIndex, version: Option<i32>, edits: Vec<Edit> },
    /// A new file.
    New { path: PathBuf, text: String },
}

impl Fix<'static> {
    /// A quick fix of the document itself.
    fn quick(title: String, edits: Vec<Edit>) -> Self {
        Fix { title, kind: CodeActionKind::QUICKFIX, work: Work::Done(vec![Change::Here(edits)]), is_preferred: false }
    }
}

/// What fixes are asked for.
struct Asked<'a> {
    moment: &'a Moment,
    view: &'a View,
    findings: &'a Findings,
    text: &'a str,
    /// The text as a whole, parsed when a fix first needs it: clients ask wherever the cursor goes.
    source: OnceCell<Option<Source<'a>>>,
    /// The files of the client are changed by edits that may make files.
    creates: bool,
}

/// A finding that fixes are wanted for.
struct Subject<'a> {
    file: &'a SourceFile,
    findings: &'a Findings,
    text: &'a str,
    /// Its name.
    place: Place,
    /// Where its declaration begins, with its modifiers and annotations.
    declaration: usize,
    code: &'static str,
    name: &'a str,
}

impl<'a> Asked<'a> {
    fn new(moment: &'a Moment, view: &'a View, findings: &'a Findings, text: &'a str) -> Asked<'a> {
        Asked { moment, view, findings, text, source: OnceCell::new(), creates: moment.setup.creates_files }
    }

    /// Whether the findings are of a link of all files, with exactly this text in it: what tells of other files can be
    /// told then.
    fn is_linked(&self) -> bool {
        let linked = &self.findings.linked;
        self.moment.complete
            && Arc::ptr_eq(linked, &self.view.linked)
            && linked.files.get(self.findings.id as usize).is_some_and(|it| Arc::ptr_eq(it, &self.view.file))
    }

    /// The text as a whole, if it can be read.
    fn source(&self) -> Option<&Source<'a>> {
        self.source.get_or_init(|| Source::new(self.text)).as_ref()
    }

    /// The reads of a mocking point that stand in this document themselves.
    fn direct<'p>(&self, point: &'p MockingPoint) -> impl Iterator<Item = &'p SourceUse> {
        let id = self.findings.id;
        point.sources.iter().filter(move |it| it.via.is_none() && it.place.file == id)
    }
}

pub(super) fn code_actions(moment: &Moment, path: &Path, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let wants = |kind: &CodeActionKind| params.context.only.as_ref().is_none_or(|only| only.iter().any(|it| includes(it, kind)));
    if !KINDS.iter().any(wants) {
        return None;
    }
    let (view, findings) = moment.open(path)?;
    let text = view.rope.to_string();
    let uri = &params.text_document.uri;
    let asked = Asked::new(moment, view, findings, &text);
    // What is made for all at once is for who asks for it.
    let wants_all = params.context.only.as_ref().is_some_and(|only| only.iter().any(|it| it.as_str().starts_with("source")));
    let question = asked::Question { uri, range: params.range, version: view.version };
    let mut res = Vec::new();
    let mut titles: FxHashMap<String, usize> = FxHashMap::default();
    for (fix, diagnostic) in asked::collect(&asked, uri, params.range, wants_all) {
        let count = titles.entry(fix.title.clone()).or_default();
        let number = std::mem::replace(count, *count + 1);
        if wants(&fix.kind) {
            res.extend(question.answer(&asked, number, fix, diagnostic));
        }
    }
    if wants_all && wants(&fix_all::EVERYWHERE) {
        res.extend(fix_all::everywhere(moment));
    }
    Some(res)
}

/// Kinds are hierarchical: who asks for the whole gets its parts.
fn includes(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let (wanted, kind) = (wanted.as_str(), kind.as_str());
    wanted.is_empty() || kind == wanted || kind.strip_prefix(wanted).is_some_and(|it| it.starts_with('.'))
}

/// The edit of a fix, as the protocol has it. `None` if the client cannot do it.
fn workspace_edit(asked: &Asked<'_>, uri: &Url, changes: Vec<Change>) -> Option<WorkspaceEdit> {
    let Setup { encoding, document_changes, .. } = *asked.moment.setup;
    let mut documents: Vec<DocumentChangeOperation> = Vec::new();
    for change in changes {
        let (uri, version, edits) = match change {
            Change::Here(edits) => (uri.clone(), Some(asked.view.version), in_lines(&asked.view.file.lines, encoding, edits)),
            Change::Other { path, lines, version, edits } => (asked.moment.uri(&path)?, version, in_lines(&lines, encoding, edits)),
            Change::New { path, text } => {
                let uri = uri_of(&path)?;
                // What is there by now is not touched: the client has to say so.
                let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
                let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
                documents.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
                (uri, None, vec![TextEdit { range: Range::default(), new_text: text }])
            }
        };
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        documents.push(DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() }));
    }
    let makes_files = documents.iter().any(|it| matches!(it, DocumentChangeOperation::Op(_)));
    if makes_files && !asked.creates {
        return None;
    }
    if makes_files {
        return Some(WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(documents)), ..WorkspaceEdit::default() });
    }
    let edits: Vec<TextDocumentEdit> =
        documents.into_iter().filter_map(|it| if let DocumentChangeOperation::Edit(it) = it { Some(it) } else { None }).collect();
    Some(edit_of_documents(edits, document_changes))
}

fn in_lines(lines: &LineIndex, encoding: Encoding, edits: Vec<Edit>) -> Vec<TextEdit> {
    edits.into_iter().map(|it| TextEdit { range: range(lines, it.bytes, encoding), new_text: it.text }).collect()
}

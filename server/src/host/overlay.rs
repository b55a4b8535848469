//! An open file: its text, its tree, its facts, and how an edit carries them on.

use super::quarantine::{Quarantine, unknown};
use super::view::View;
use crate::analysis::Analysis;
use crate::config::Project;
use crate::facts::{self, FileFacts};
use crate::java;
use crate::text::{Applied, ByteEdit, Change, Document, Encoding, LineIndex, Shift, parse_text};
use crate::workspace::{MAX_FILE, SourceFile, is_test_source};
use ropey::Rope;
use std::cell::LazyCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tree_sitter::{InputEdit, Point, Tree};

/// An incremental parse of a text with errors may differ a little from a fresh one, and the next builds on it. After
/// this many the tree of a large text is made anew, that of a smaller one at once.
const MAX_EDITS_ON_ERRORS: u32 = 50;

/// A text of up to so many bytes is parsed from scratch in a few milliseconds.
const SMALL: usize = 64 * 1024;

/// A replacement of more bytes than this, as by a formatter, mostly gives back much of what it takes.
const LARGE_EDIT: usize = 100;

pub(super) struct Overlay {
    pub(super) document: Document,
    /// `None` if the parser or the analysis gave up on the text.
    tree: Option<Tree>,
    pub(super) file: Arc<SourceFile>,
    /// Parses, one upon the other, since the text had no errors or was parsed from scratch.
    n_edits_on_errors: u32,
    /// It was deleted on the disk while it was open.
    pub(super) gone: bool,
    /// The project leaves it out.
    left_out: bool,
    view: Option<Arc<View>>,
}

impl Overlay {
    pub(super) fn new(path: PathBuf, root: &Path, text: &str, version: i32, project: &Project, quarantine: &mut Quarantine) -> Overlay {
        let document = Document::new(text, version);
        let queries = project.queries(&path);
        let compiled = if is_too_large(text) {
            Ok((unknown(path.clone(), text, is_test_source(&path, root), TOO_LARGE), None))
        } else {
            quarantine.run(&path, text, || SourceFile::from_text(path.clone(), root, text, queries, true))
        };
        let (file, tree) = compiled.unwrap_or_else(|hash| {
            quarantine.note(&path, hash);
            (unknown(path.clone(), text, is_test_source(&path, root), FAILED), None)
        });
        Overlay { document, tree, file: Arc::new(file), n_edits_on_errors: 0, gone: false, left_out: false, view: None }
    }

    /// Whether it is a part of the workspace.
    pub(super) fn counts(&self) -> bool {
        !self.gone && !self.left_out
    }

    /// Takes in what the project says: whether it is left out, whether it is a test source, which its place below `root` says
    /// otherwise, and which queries hold for it.
    pub(super) fn place(&mut self, root: &Path, project: &Project, quarantine: &mut Quarantine) {
        let path = &self.file.path;
        if self.file.queries.as_ref() != project.queries(path) {
            let Overlay { document, gone, .. } = &*self;
            *self = Overlay { gone: *gone, ..Overlay::new(path.clone(), root, &document.text(), document.version, project, quarantine) };
        }
        self.left_out = project.excludes(&self.file.path);
        let is_test = project.is_test(&self.file.path).unwrap_or_else(|| is_test_source(&self.file.path, root));
        if self.file.is_test != is_test {
            self.file = Arc::new(SourceFile { is_test, ..SourceFile::clone(&self.file) });
            self.view = None;
        }
    }

    /// Applies changes and analyses what they leave. False if the text is the same.
    pub(super) fn change(&mut self, version: i32, changes: &[Change], encoding: Encoding, quarantine: &mut Quarantine) -> bool {
        let before = self.document.rope.clone();
        let applied = self.document.apply(changes, encoding);
        self.document.version = version;
        self.view = None;
        let text = self.document.text();
        match &applied {
            Applied::Edits(edits) if edits.is_empty() => return false,
            Applied::Edits(edits) => {
                if let Some(tree) = &mut self.tree {
                    edits.iter().for_each(|edit| tree.edit(&input_edit(edit)));
                }
            }
            Applied::Whole => self.tree = None,
        }
        // Most texts have no errors, and nobody asks where anything has gone.
        let moves = LazyCell::new(|| Moves::of(before, &text, &applied));
        let edit = || moves.edit(&text);
        if self.n_edits_on_errors >= MAX_EDITS_ON_ERRORS {
            self.tree = None;
        }
        let old_tree = self.tree.take();
        let old = &self.file;
        let analyse = || {
            let parsed = parse_text(&text);
            let mut tree = java::parse(&parsed, old_tree.as_ref())?;
            if old_tree.is_some() && tree.root_node().has_error() && parsed.len() <= SMALL {
                tree = java::parse(&parsed, None)?;
            }
            let file = old.edited(&text, &tree, edit);
            Some((file, tree))
        };
        let analysed = if is_too_large(&text) { Ok(None) } else { quarantine.run(&old.path, &text, analyse) };
        let file = match analysed {
            Ok(Some((file, tree))) => {
                let is_fresh = old_tree.is_none();
                self.n_edits_on_errors = if is_fresh || !tree.root_node().has_error() { 0 } else { self.n_edits_on_errors + 1 };
                self.tree = Some(tree);
                file
            }
            Ok(None) => last_good(old, &edit(), TOO_LARGE),
            Err(hash) => {
                quarantine.note(&old.path, hash);
                last_good(old, &edit(), FAILED)
            }
        };
        self.file = Arc::new(file);
        true
    }

    /// What others may see of it. The same one until the text or the link changes.
    pub(super) fn view(&mut self, linked: &Arc<Analysis>) -> Arc<View> {
        if let Some(view) = &self.view
            && Arc::ptr_eq(&view.linked, linked)
        {
            return Arc::clone(view);
        }
        let view = Arc::new(View::new(&self.document, &self.file, linked));
        self.view = Some(Arc::clone(&view));
        view
    }
}

/// The text before a change, and how the change moves what stood in it.
struct Moves {
    before: String,
    shifts: Vec<Shift>,
}

impl Moves {
    fn of(before: Rope, text: &str, applied: &Applied) -> Moves {
        let before = before.to_string();
        let mut shifts = vec![Shift::between(&before, text)];
        if let Applied::Edits(edits) = applied {
            let is_large = edits.iter().any(|it| LARGE_EDIT < it.old_end - it.start);
            shifts.insert(usize::from(is_large), Shift::of(edits));
        }
        Moves { before, shifts }
    }

    fn edit<'a>(&'a self, after: &'a str) -> facts::Edit<'a> {
        facts::Edit { before: &self.before, after, shifts: &self.shifts }
    }
}

const TOO_LARGE: &str = "too large or too strange to be parsed";
const FAILED: &str = "the analysis failed on this text";

fn is_too_large(text: &str) -> bool {
    MAX_FILE < text.len() as u64
}

/// A text that could not be analysed, with the facts of the one before it.
fn last_good(old: &SourceFile, edit: &facts::Edit<'_>, note: &'static str) -> SourceFile {
    let moved = || {
        let mut moved = FileFacts { errors: 1, ..FileFacts::empty() };
        facts::retain(&mut moved, &old.facts, edit);
        moved
    };
    // What panicked just now may do so again.
    let facts = catch_unwind(AssertUnwindSafe(moved)).unwrap_or_else(|_| FileFacts::empty());
    SourceFile {
        path: old.path.clone(),
        facts: Arc::new(facts),
        lines: Arc::new(LineIndex::new(edit.after)),
        is_test: old.is_test,
        note: Some(note),
        queries: old.queries.clone(),
    }
}

fn input_edit(edit: &ByteEdit) -> InputEdit {
    let point = |(row, column): (usize, usize)| Point { row, column };
    InputEdit {
        start_byte: edit.start,
        old_end_byte: edit.old_end,
        new_end_byte: edit.new_end,
        start_position: point(edit.start_point),
        old_end_position: point(edit.old_end_point),
        new_end_position: point(edit.new_end_point),
    }
}

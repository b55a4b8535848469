//! The declarative patterns of `queries/`: compiled in once, run over trees, answered as positions.
//!
//! A query says what a pattern looks like; what follows from it is code elsewhere.

use super::kinds::language;
use crate::intern::Sym;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::LazyLock;
use tree_sitter::{Query, QueryCursor, StreamingIterator, Tree};

/// What the queries matched, by the byte where it starts.
#[derive(Default, Debug)]
pub struct Marks {
    /// Names of methods that frameworks call.
    pub entries: FxHashSet<u32>,
    /// Names of methods that run before the first request.
    pub start_up: FxHashSet<u32>,
    /// Names of methods that a container calls to inject.
    pub injected: FxHashSet<u32>,
    /// Calls without effect on results.
    pub benign: FxHashSet<u32>,
}

/// A place whose findings are to be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// The bytes it covers.
    pub range: super::decls::Range,
    /// The code it names; `None` for all.
    pub code: Option<Sym>,
}

/// The query files that are compiled in, by name.
pub const SOURCES: &[(&str, &str)] = &[
    ("entry_points.scm", include_str!("../../../queries/entry_points.scm")),
    ("benign.scm", include_str!("../../../queries/benign.scm")),
    ("suppressions.scm", include_str!("../../../queries/suppressions.scm")),
];

struct Compiled {
    query: Query,
    /// What each capture means, by its number.
    meaning: Vec<Capture>,
}

#[derive(Clone, Copy, PartialEq)]
enum Capture {
    Entry,
    StartUp,
    Injected,
    Benign,
    Suppress,
    Ignore,
    Helper,
}

fn compiled(files: &[usize]) -> Option<Compiled> {
    let source: String = files.iter().map(|&it| SOURCES[it].1).collect();
    let query = Query::new(&language(), &source).ok()?;
    let meaning = query
        .capture_names()
        .iter()
        .map(|name| match *name {
            "entry" => Capture::Entry,
            "start_up" => Capture::StartUp,
            "injected" => Capture::Injected,
            "benign" => Capture::Benign,
            "suppress" => Capture::Suppress,
            "ignore" => Capture::Ignore,
            _ => Capture::Helper,
        })
        .collect();
    Some(Compiled { query, meaning })
}

static MARKS: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(&[0, 1]));
static SUPPRESSIONS: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(&[2]));

/// Runs a query and calls `found` for each capture that means something.
fn run(compiled: Option<&Compiled>, tree: &Tree, text: &str, range: Option<Range<usize>>, mut found: impl FnMut(Capture, Range<usize>)) {
    let Some(compiled) = compiled else { return };
    let mut cursor = QueryCursor::new();
    if let Some(range) = range {
        cursor.set_byte_range(range);
    }
    let mut matches = cursor.matches(&compiled.query, tree.root_node(), text.as_bytes());
    while let Some(it) = matches.next() {
        for capture in it.captures() {
            let meaning = compiled.meaning[capture.index as usize];
            if meaning != Capture::Helper {
                found(meaning, capture.node.byte_range());
            }
        }
    }
}

/// Words of a query without which it cannot match: names of annotations, and other names it compares with.
struct Words {
    annotations: FxHashSet<&'static str>,
    others: Vec<&'static str>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words { annotations: FxHashSet::default(), others: Vec::new() };
    for (_, source) in &SOURCES[..2] {
        for predicate in source.split("(#any-of? @").skip(1) {
            let Some(end) = predicate.find(')') else { continue };
            let quoted = predicate[..end].split('"').skip(1).step_by(2);
            if predicate.starts_with("_annotation") {
                words.annotations.extend(quoted);
            } else if predicate.starts_with("_interface") || predicate.starts_with("_logger") {
                words.others.extend(quoted);
            }
        }
    }
    words
});

/// Whether a text has any word that the queries ask for. Running them costs as much as a third of parsing, and most
/// files have none.
fn may_match(text: &str) -> bool {
    let words = &*WORDS;
    let annotation = |at: usize| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        rest[..end].rsplit('.').next().is_some_and(|name| words.annotations.contains(name))
    };
    text.match_indices('@').any(|(at, _)| annotation(at)) || words.others.iter().any(|word| text.contains(word))
}

/// Entry points and benign calls in the tree, or in the given bytes of it.
pub fn marks(tree: &Tree, text: &str, range: Option<Range<usize>>) -> Marks {
    let mut marks = Marks::default();
    let searched = range.as_ref().map_or(text, |range| text.get(range.clone()).unwrap_or_default());
    // A member's role may also follow from the head of its class.
    if !may_match(searched) && (range.is_none() || !may_match(text)) {
        return marks;
    }
    run(MARKS.as_ref(), tree, text, range, |capture, range| {
        match capture {
            Capture::Entry => marks.entries.insert(range.start as u32),
            Capture::StartUp => marks.start_up.insert(range.start as u32),
            Capture::Injected => marks.injected.insert(range.start as u32),
            Capture::Benign => marks.benign.insert(range.start as u32),
            _ => false,
        };
    });
    marks
}

/// The places whose findings are suppressed. Most files never name the product, and are not searched.
pub fn suppressions(tree: &Tree, text: &str) -> Vec<Suppression> {
    let mut found = Vec::new();
    if !text.contains("mockpoint") {
        return found;
    }
    run(SUPPRESSIONS.as_ref(), tree, text, None, |capture, range| match capture {
        Capture::Suppress => found.push(Suppression { range: bytes(&range), code: None }),
        Capture::Ignore => found.extend(ignore(text, range)),
        _ => {}
    });
    found.sort_by_key(|it| (it.range, it.code.map(Sym::as_str)));
    found.dedup();
    found
}

fn bytes(range: &Range<usize>) -> super::decls::Range {
    super::decls::Range { start: range.start as u32, end: range.end as u32 }
}

/// `mockpoint:ignore [CODE ...]` in a comment covers its own line and the next one.
fn ignore(text: &str, comment: Range<usize>) -> Vec<Suppression> {
    let Some(said) = text.get(comment.clone()).and_then(|it| it.split_once("mockpoint:ignore")).map(|it| it.1) else { return Vec::new() };
    let said = said.trim_end_matches("*/").trim();
    let start = text[..comment.start].rfind(['\n', '\r']).map_or(0, |it| it + 1);
    let own_end = text[comment.end..].find('\n').map_or(text.len(), |it| comment.end + it + 1);
    let end = text[own_end..].find('\n').map_or(text.len(), |it| own_end + it);
    let range = bytes(&(start..end));
    // A reason may follow after `:` or `--`.
    let codes = said.split([':', '\n']).next().unwrap_or_default().split("--").next().unwrap_or_default();
    let codes: Vec<&str> = codes.split([',', ' ']).filter(|it| !it.is_empty()).collect();
    if codes.is_empty() {
        vec![Suppression { range, code: None }]
    } else {
        codes.into_iter().map(|code| Suppression { range, code: Some(Sym::new(code)) }).collect()
    }
}

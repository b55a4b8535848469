//! The declarative patterns of `queries/`: compiled in once, run over trees, answered as positions.
//!
//! A query says what a pattern looks like; what follows from it is code elsewhere.

use super::kinds::language;
use crate::intern::Sym;
use memchr::memmem::Finder;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::ops::Range;
use std::sync::LazyLock;
use tree_sitter::{Node, Query, QueryCursor, StreamingIterator, Tree};

/// What the queries matched, by the byte where it starts.
#[derive(Default, Debug)]
pub struct Marks {
    /// Names of methods that frameworks call.
    pub entries: FxHashSet<u32>,
    /// Names of methods that run before the first request.
    pub start_up: FxHashSet<u32>,
    /// Names of methods that a container calls to inject.
    pub injected: FxHashSet<u32>,
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

static ENTRIES: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(&[0]));
static BENIGN: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(&[1]));
static SUPPRESSIONS: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(&[2]));

/// Runs a query below `root` and calls `found` for each capture that means something. With a depth, matches begin no
/// further below the root.
fn run(compiled: Option<&Compiled>, root: Node<'_>, text: &str, range: Option<Range<usize>>, depth: Option<u32>, mut found: impl FnMut(Capture, Range<usize>)) {
    let Some(compiled) = compiled else { return };
    let mut cursor = CURSOR.take().unwrap_or_default();
    cursor.set_max_start_depth(depth);
    cursor.set_byte_range(range.unwrap_or(0..usize::MAX));
    let mut matches = cursor.matches(&compiled.query, root, text.as_bytes());
    while let Some(it) = matches.next() {
        for capture in it.captures() {
            let meaning = compiled.meaning[capture.index as usize];
            if meaning != Capture::Helper {
                found(meaning, capture.node.byte_range());
            }
        }
    }
    CURSOR.set(Some(cursor));
}

thread_local! {
    /// Making a cursor costs more than most searches.
    static CURSOR: Cell<Option<QueryCursor>> = const { Cell::new(None) };
}

/// Words without which a query cannot match, taken from the queries themselves. Running a query costs as much as a
/// third of parsing, and most files and methods have none of its words.
struct Words {
    interfaces: Vec<Finder<'static>>,
    /// The name of the product.
    own_name: Finder<'static>,
    loggers: Vec<Sym>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words { interfaces: Vec::new(), own_name: Finder::new("mockpoint"), loggers: Vec::new() };
    for (_, source) in &SOURCES[..2] {
        for predicate in source.split("(#any-of? @").skip(1) {
            let Some(end) = predicate.find(')') else { continue };
            let quoted = predicate[..end].split('"').skip(1).step_by(2);
            if predicate.starts_with("_interface") {
                words.interfaces.extend(quoted.map(Finder::new));
            } else if predicate.starts_with("_logger") {
                words.loggers.extend(quoted.map(Sym::new));
            }
        }
    }
    words
});

/// Whether there may be roles in a file at all. That takes a search through all of its text for each word, so whoever asks for
/// one member after the other asks this once.
pub fn may_have_marks(text: &str) -> bool {
    WORDS.interfaces.iter().any(|it| it.find(text.as_bytes()).is_some())
}

/// Roles of methods, where there may be some; with a range only of those in it.
pub fn marks(tree: &Tree, text: &str, range: Option<Range<usize>>) -> Marks {
    let mut marks = Marks::default();
    run(ENTRIES.as_ref(), tree.root_node(), text, range, None, |capture, range| marks.add(capture, range));
    marks.entries.retain(|it| !marks.start_up.contains(it));
    marks
}

/// Whether a call on a simple name has no effect on results.
pub(super) fn is_benign(call: Node<'_>, object: Sym, text: &str) -> bool {
    let mut found = false;
    if WORDS.loggers.contains(&object) {
        run(BENIGN.as_ref(), call, text, None, Some(0), |capture, _| found |= capture == Capture::Benign);
    }
    found
}

impl Marks {
    fn add(&mut self, capture: Capture, range: Range<usize>) {
        let at = range.start as u32;
        match capture {
            Capture::Entry => self.entries.insert(at),
            Capture::StartUp => self.start_up.insert(at),
            Capture::Injected => self.injected.insert(at),
            Capture::Benign | Capture::Suppress | Capture::Ignore | Capture::Helper => false,
        };
    }
}

/// The places whose findings are suppressed. Most files never name the product, and are not searched.
pub fn suppressions(tree: &Tree, text: &str) -> Vec<Suppression> {
    let mut found = Vec::new();
    if WORDS.own_name.find(text.as_bytes()).is_none() {
        return found;
    }
    run(SUPPRESSIONS.as_ref(), tree.root_node(), text, None, None, |capture, range| match capture {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::parse;

    fn starts(text: &str, found: &FxHashSet<u32>) -> Vec<String> {
        let mut names: Vec<(u32, String)> = found.iter().map(|&at| (at, text[at as usize..].chars().take_while(|c| c.is_alphanumeric()).collect())).collect();
        names.sort();
        names.into_iter().map(|it| it.1).collect()
    }

    #[test]
    fn every_query_compiles() {
        for (index, (name, _)) in SOURCES.iter().enumerate() {
            assert!(compiled(&[index]).is_some(), "{name} does not compile");
        }
    }

    #[test]
    fn benign_calls_are_those_of_loggers() {
        let text = "class A { void m() { log.info(1); log.rotate(); blog.info(2); LOGGER.warn(x()); } }";
        let tree = parse(text, None).expect("a tree");
        let benign = |object: &str| {
            let at = text.find(object).expect("it is there");
            let call = tree.root_node().descendant_for_byte_range(at, at + object.len() + 1).expect("a node");
            is_benign(call, Sym::new(object.split('.').next().unwrap_or_default()), text)
        };
        assert_eq!(["log.info", "log.rotate", "blog.info", "LOGGER.warn"].map(benign), [true, false, false, true]);
    }

    #[test]
    fn roles_follow_from_parameters() {
        let text = "class A { void registerExtension(Extension e) {} void on(@Observes Order o) {} void started(@Observes @Initialized(X.class) Object o) {} void no(Order o) {} }";
        let tree = parse(text, None).expect("a tree");
        let found = marks(&tree, text, None);
        assert_eq!(starts(text, &found.entries), ["on"]);
        assert_eq!(starts(text, &found.start_up), ["registerExtension", "started"]);
        assert!(may_have_marks(text) && !may_have_marks("class A { void on(Order o) {} }"));
    }

    #[test]
    fn suppressions_cover_declarations_and_lines() {
        let text = "class A {\n  @SuppressWarnings({\"unused\", \"mockpoint\"}) int a;\n  // mockpoint:ignore mocking-point -- reason\n  int b;\n  @SuppressWarnings(\"other\") int c; // mockpoint is fine\n}";
        let tree = parse(text, None).expect("a tree");
        let found = suppressions(&tree, text);
        let covered: Vec<(&str, Option<&str>)> =
            found.iter().map(|it| (&text[it.range.start as usize..it.range.end as usize], it.code.map(Sym::as_str))).collect();
        assert_eq!(covered.len(), 2, "{covered:?}");
        assert!(covered[0].0.starts_with("@SuppressWarnings") && covered[0].1.is_none());
        assert!(covered[1].0.contains("int b;") && !covered[1].0.contains("int c") && covered[1].1 == Some("mocking-point"));
    }
}

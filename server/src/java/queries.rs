//! Queries that a project writes itself (`.mockpoint/queries/*.scm`): what is wrong with one, and what they mark in a file.
//!
//! As with our own [`patterns`](super::patterns), a query says what a pattern looks like. What a mark leads to is decided
//! where the catalogue's word on the same thing is. Nobody vouches for these texts, so what they may cost is bounded.

mod check;

pub use check::{MAX_QUERY, check};

use super::decls::Range;
use super::kinds::language;
use std::fmt;
use std::ops::ControlFlow;
use tree_sitter::{Query, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator, Tree};

/// What queries say of one node, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Mark(u16);

#[allow(missing_docs)]
impl Mark {
    pub const SYSTEM: Mark = Mark(1);
    pub const EXTERNAL: Mark = Mark(2);
    pub const BENIGN: Mark = Mark(4);
    pub const MODIFIER: Mark = Mark(8);
    pub const MOCK: Mark = Mark(16);
    pub const ENTRY: Mark = Mark(32);
    pub const BEAN: Mark = Mark(64);
    pub const START_UP: Mark = Mark(128);
    pub const INJECTED: Mark = Mark(256);

    /// Whether it says this.
    pub fn has(self, other: Mark) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it says anything.
    pub fn any(self) -> bool {
        self.0 != 0
    }
}

/// The captures that mean something, with what they mean.
const CAPTURES: &[(&str, Mark)] = &[
    ("source.system", Mark::SYSTEM),
    ("source.external", Mark::EXTERNAL),
    ("benign", Mark::BENIGN),
    ("modifier", Mark::MODIFIER),
    ("mock", Mark::MOCK),
    ("entry", Mark::ENTRY),
    ("bean", Mark::BEAN),
    ("start_up", Mark::START_UP),
    ("injected", Mark::INJECTED),
];

/// Ways to a match that are followed at once. A query that leaves more of them open loses matches, not time; so does one that takes too many steps.
const MATCH_LIMIT: u32 = 256;

/// The library asks whether to go on after each so many steps of all ways together. (A name of its source; the number is from there.)
const STEPS_ASKED: usize = 1000;

/// Steps that a file gets in any case, and for each of its bytes. Patterns as people write them need fewer than ten a byte.
const MIN_STEPS: usize = 100_000;
const STEPS_PER_BYTE: usize = 20;

/// Queries that hold together.
pub struct Queries {
    /// All of them as one, so that a tree is walked once.
    all: Part,
    /// Those of each file by themselves, with its name.
    each: Vec<(String, Part)>,
}

/// Queries that are run together.
struct Part {
    text: String,
    query: Query,
    /// What each capture means, by its number.
    meaning: Vec<Mark>,
}

impl Queries {
    /// Of the names and texts of files of which each is right by [`check`]; `None` if together they are more than the library
    /// can take.
    pub fn new(files: &[(&str, &str)]) -> Option<Queries> {
        let texts: Vec<&str> = files.iter().map(|it| it.1).collect();
        let each = files.iter().map(|(name, text)| Some(((*name).to_owned(), Part::new((*text).to_owned())?)));
        Some(Queries { all: Part::new(texts.join("\n"))?, each: each.collect::<Option<_>>()? })
    }

    /// What they mark in a file.
    pub fn run(&self, tree: &Tree, text: &str) -> Marked {
        let mut found = Vec::new();
        let mut given_up = Vec::new();
        if !self.all.run(tree, text, &mut found) {
            // One that takes too long costs the marks of no other file, and is told.
            if let [(alone, _)] = &self.each[..] {
                given_up.push(alone.clone());
            } else {
                found.clear();
                given_up.extend(self.each.iter().filter(|it| !it.1.run(tree, text, &mut found)).map(|it| it.0.clone()));
            }
        }
        found.sort_unstable_by_key(|it: &(Range, Mark)| it.0);
        found.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 = Mark(first.1.0 | later.1.0);
            }
            is_same
        });
        Marked { found, given_up }
    }
}

impl Part {
    fn new(text: String) -> Option<Part> {
        let query = Query::new(&language(), &text).ok()?;
        let of = |name: &&str| CAPTURES.iter().find(|it| it.0 == *name).map_or(Mark::default(), |it| it.1);
        let meaning = query.capture_names().iter().map(of).collect();
        Some(Part { text, query, meaning })
    }

    /// Adds what they mark in a file; whether that is all.
    fn run(&self, tree: &Tree, text: &str, found: &mut Vec<(Range, Mark)>) -> bool {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MATCH_LIMIT);
        let mut left = (MIN_STEPS + STEPS_PER_BYTE * text.len()) / STEPS_ASKED;
        let mut asked = |_: &QueryCursorState| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut asked);
        let mut matches = cursor.matches_with_options(&self.query, tree.root_node(), text.as_bytes(), options);
        while let Some(it) = matches.next() {
            for capture in it.captures() {
                let mark = self.meaning[capture.index as usize];
                if mark.any() {
                    found.push((Range { start: capture.node.start_byte() as u32, end: capture.node.end_byte() as u32 }, mark));
                }
            }
        }
        drop(matches);
        left != 0 && !cursor.did_exceed_match_limit()
    }
}

/// The text says all of it.
impl PartialEq for Queries {
    fn eq(&self, other: &Queries) -> bool {
        self.all.text == other.all.text
    }
}

impl Eq for Queries {}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Queries").field(&self.all.text).finish()
    }
}

/// What is marked in a file.
#[derive(Default, Debug)]
pub struct Marked {
    /// Ranges in it, sorted, each once.
    found: Vec<(Range, Mark)>,
    /// The names of files with queries that took too many steps, so that they may mark more.
    pub given_up: Vec<String>,
}

impl Marked {
    /// What is said of the node with this range.
    pub fn of(&self, range: Range) -> Mark {
        self.found.binary_search_by_key(&range, |it| it.0).map_or(Mark::default(), |at| self.found[at].1)
    }

    /// What is said of nodes that begin in a range.
    pub fn within(&self, range: Range) -> &[(Range, Mark)] {
        let from = self.found.partition_point(|it| it.0.start < range.start);
        let to = self.found.partition_point(|it| it.0.start < range.end);
        &self.found[from..to.max(from)]
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

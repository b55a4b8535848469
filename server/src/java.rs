//! From the tree of a file to its declarations and bodies.
//!
//! This is the only place that knows node kinds of the grammar. What leaves it are [`decls`] (what a file declares)
//! and [`ops`] (what its bodies do, flat and in evaluation order).

pub mod annotations;
pub(crate) mod body;
pub mod decls;
pub(crate) mod kinds;
pub mod ops;
pub mod patterns;
pub mod queries;
pub(crate) mod types;

pub use kinds::language;

use std::cell::RefCell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Tree};

/// A file that takes longer than this many progress steps is given up; a step is some hundred parser actions.
const MAX_STEPS: u64 = 2_000_000;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Parses `text`; `old` is the tree of an earlier text with all edits applied to it.
///
/// `None` if the parser gave up, which only absurd input makes it do.
pub fn parse(text: &str, old: Option<&Tree>) -> Option<Tree> {
    PARSER.with_borrow_mut(|slot| {
        let parser = match slot {
            Some(parser) => parser,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&language()).ok()?;
                slot.insert(parser)
            }
        };
        let mut steps = 0u64;
        let mut progress = |_: &tree_sitter::ParseState| {
            steps += 1;
            if steps > MAX_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), old, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

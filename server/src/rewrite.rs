//! Rewrites of Java sources: from a place in a text to edits that compile.
//!
//! A rewrite reads one text, parsed when it is asked for, and gives edits in bytes. It is offered only where the result
//! compiles as far as the text and the tables tell; where they do not tell, it is not offered.

pub mod clock;
pub mod extract;
pub mod parameter;
pub mod setter;
pub mod skeleton;
mod source;
mod variables;

pub use source::Source;

use crate::java::decls::Range;

/// A piece of text that replaces another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub bytes: Range,
    /// What stands there then.
    pub text: String,
}

impl Edit {
    /// Puts text at a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Option<Edit> {
        Edit::replace(at..at, text)
    }

    /// Replaces bytes.
    pub fn replace(bytes: std::ops::Range<usize>, text: impl Into<String>) -> Option<Edit> {
        let bytes = Range { start: u32::try_from(bytes.start).ok()?, end: u32::try_from(bytes.end).ok()? };
        Some(Edit { bytes, text: text.into() })
    }
}

/// The text after edits, which must not overlap.
#[cfg(test)]
pub(crate) fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|it| (it.bytes.start, it.bytes.end));
    let mut res = text.to_owned();
    for edit in edits.iter().rev() {
        res.replace_range(edit.bytes.start as usize..edit.bytes.end as usize, &edit.text);
    }
    res
}

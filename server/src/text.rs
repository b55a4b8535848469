//! Text and positions: how bytes become text, where lines begin, how a client's edits change an open document.
//!
//! Inside the program a place in a file is a byte offset into its text. Lines, columns and their encodings exist
//! only here and in `lsp`. Nothing in this module fails or panics on what it is given: bytes that are no text,
//! positions past the end, ranges with their ends exchanged, offsets in the middle of a character all have a
//! defined, clamped meaning, because clients do send them.
//!
//! - [`decode`](mod@decode) turns the bytes of a file into text.
//! - [`LineIndex`] converts offsets of one fixed text, and does not keep the text.
//! - [`Document`] is the text of an open file, which changes.
//! - [`Shift`] moves places of one text into the next.
//! - [`parse_text`] is the text as the parser must see it.

pub mod decode;
pub mod edit;
pub mod encoding;
pub mod line_index;
pub mod shift;

pub use decode::{Decoded, decode, parse_text};
pub use edit::{Applied, ByteEdit, Change, Document};
pub use encoding::{Encoding, Position};
pub use line_index::LineIndex;
pub use shift::Shift;

#[cfg(test)]
mod tests;

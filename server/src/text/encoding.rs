//! The units in which a client counts columns.

/// The unit of a [`Position`]'s column, agreed with the client once (`positionEncoding`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: what the protocol means unless both sides agree on another.
    #[default]
    Utf16,
    /// Characters, each a Unicode scalar value.
    Utf32,
}

impl Encoding {
    /// The columns that `c` takes.
    pub fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// The columns that one character of `n_bytes` bytes of UTF-8 takes.
    pub(crate) fn width_of_bytes(self, n_bytes: usize) -> usize {
        match self {
            Encoding::Utf8 => n_bytes,
            // Only the four-byte characters lie above U+FFFF and need a surrogate pair.
            Encoding::Utf16 => 1 + usize::from(n_bytes == 4),
            Encoding::Utf32 => 1,
        }
    }
}

/// A place in a text as a client names it. Both parts count from 0.
///
/// A position may lie outside the text; the conversions clamp it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Lines before this one. LF, CR LF and a CR alone end a line; nothing else does.
    pub line: u32,
    /// Columns before this one on the line, in the unit of an [`Encoding`] named beside it.
    pub column: u32,
}

impl Position {
    /// Line `line`, column `column`, both from 0.
    pub fn new(line: u32, column: u32) -> Self {
        Position { line, column }
    }
}

/// A count that goes to a client. The protocol has 31 bits for it; more than 32 would need a text of 4 GiB.
pub(crate) fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The same the other way; cannot lose anything where a pointer has 32 bits or more.
pub(crate) fn to_usize(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

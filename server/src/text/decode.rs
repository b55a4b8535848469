//! From the bytes of a file to text.

use std::borrow::Cow;

/// The text of a file, with a remark if its bytes were not plain UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text. A byte order mark of UTF-8 stays in it as U+FEFF, so that offsets into the text are offsets into
    /// the file; the parser accepts it. Of the other encodings the mark is dropped, since offsets differ anyway.
    pub text: String,
    /// What a user should know about the encoding.
    pub note: Option<&'static str>,
}

const NOTE_UTF16: &str = "UTF-16 file, read as such";
const NOTE_LATIN1: &str = "not UTF-8, read as Latin-1";

/// Decodes the bytes of a source file. Never fails: bytes that are neither UTF-8 nor marked as UTF-16 are read as
/// Latin-1, which gives every byte a character and leaves all of ASCII, hence the code, in place.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ => {}
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, note: None },
        Err(err) => {
            let text = err.as_bytes().iter().map(|&byte| char::from(byte)).collect();
            Decoded { text, note: Some(NOTE_LATIN1) }
        }
    }
}

/// Lone surrogates and a last odd byte become U+FFFD.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text: String = char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).map(|res| res.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Decoded { text, note: Some(NOTE_UTF16) }
}

/// The text as the parser must see it: each CR without an LF behind it becomes an LF. Same length, so offsets agree.
///
/// The grammar ends a `//` comment at LF only. In a file with the line ends of old Macs the first such comment would
/// swallow the rest, and no error would show it. Texts without a lone CR, nearly all, are borrowed.
pub fn parse_text(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |idx: usize| bytes.get(idx + 1) != Some(&b'\n');
    let mut lone = memchr::memchr_iter(b'\r', bytes).filter(|&idx| is_lone(idx)).peekable();
    if lone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    let mut done = 0;
    for idx in lone {
        res.push_str(&text[done..idx]);
        res.push('\n');
        done = idx + 1;
    }
    res.push_str(&text[done..]);
    Cow::Owned(res)
}

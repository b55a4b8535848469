//! From the bytes of an XML file to text, in the encoding that the file declares.

use super::problems::short;
use crate::text;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The declaration stands at the very beginning.
const DECLARATION: usize = 256;

/// The text, and what was wrong with its encoding.
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) problem: Option<String>,
}

/// Never fails. What is neither declared nor UTF-8 is read as Latin-1, which leaves the markup in place.
pub(super) fn decode(bytes: Vec<u8>) -> Decoded {
    let without_mark = match bytes.as_slice() {
        // A mark outweighs the declaration.
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Decoded { text: text::decode(bytes).text, problem: None },
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        _ => None,
    };
    if let Some(encoding) = without_mark {
        return convert(encoding, encoding.name(), &bytes);
    }
    let Some(label) = declared(&bytes) else { return utf8(bytes) };
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == UTF_8 => utf8(bytes),
        // In UTF-16 the declaration would not have been found.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let problem = Some(format!("declared as {label}, which it is not"));
            Decoded { problem, ..utf8(bytes) }
        }
        Some(encoding) => convert(encoding, &label, &bytes),
        None => Decoded { problem: Some(format!("unknown encoding `{}`", short(&label))), ..utf8(bytes) },
    }
}

fn utf8(bytes: Vec<u8>) -> Decoded {
    let decoded = text::decode(bytes);
    Decoded { text: decoded.text, problem: decoded.note.map(str::to_owned) }
}

fn convert(encoding: &'static Encoding, label: &str, bytes: &[u8]) -> Decoded {
    let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), problem: has_errors.then(|| format!("has bytes that are no {label}")) }
}

/// The name in `<?xml version="1.0" encoding="NAME"?>`.
fn declared(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)]);
    let (declaration, _) = head.strip_prefix("<?xml")?.split_once("?>")?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    value[1..].split_once(quote).map(|it| it.0.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn decoded(bytes: &[u8]) -> (String, Option<String>) {
        let res = decode(bytes.to_vec());
        (res.text, res.problem)
    }

    #[test]
    fn as_declared() {
        let gbk = b"<?xml version='1.0' encoding='GBK'?><a>\xb6\xa9\xb5\xa5</a>";
        assert_eq!(decoded(gbk), ("<?xml version='1.0' encoding='GBK'?><a>订单</a>".to_owned(), None));
        let latin = b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xe9</a>";
        assert!(decoded(latin).0.ends_with("<a>é</a>"));
        let utf16: Vec<u8> = "<?xml version='1.0' encoding='UTF-16'?><a>订</a>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (text, problem) = decoded(&utf16);
        assert!(text.ends_with("<a>订</a>") && problem.is_none());
        let marked: Vec<u8> = "\u{feff}<a>订</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&marked), ("<a>订</a>".to_owned(), None));
    }

    #[test]
    fn otherwise_than_declared() {
        let (text, problem) = decoded(b"<?xml version='1.0' encoding='UTF-16'?><a/>");
        assert!(text.ends_with("<a/>"));
        assert_eq!(problem.as_deref(), Some("declared as UTF-16, which it is not"));
        assert_eq!(decoded(b"<?xml version='1.0' encoding='klingon'?><a/>").1.as_deref(), Some("unknown encoding `klingon`"));
        assert_eq!(decoded(b"<a>\xb6\xa9</a>").1.as_deref(), Some("not UTF-8, read as Latin-1"));
        assert_eq!(decoded(b"<?xml version='1.0' encoding='GBK'?><a>\xff\xff</a>").1.as_deref(), Some("has bytes that are no GBK"));
        assert_eq!(decoded("<?xml version='1.0' encoding='utf-8'?><a>订</a>".as_bytes()).1, None);
    }
}

//! Reads the modifiers and annotations that a declaration begins with.
//!
//! A fix needs to know where the words are, which facts do not keep; the text before a declaration's type is simple
//! enough to be read by itself.

use std::ops::Range;

/// What a declaration begins with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Its modifiers in their order.
    pub(super) modifiers: Vec<Range<usize>>,
    /// Its annotations in their order.
    pub(super) annotations: Vec<Annotation>,
    /// Where the rest of it begins: type parameters, type or name.
    pub(super) rest: usize,
}

/// An annotation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Annotation {
    /// Its name without the package.
    pub(super) name: String,
    /// What stands between its parentheses, if it has some.
    pub(super) arguments: Option<Range<usize>>,
    /// Where it ends.
    pub(super) end: usize,
}

const MODIFIERS: [&str; 12] =
    ["public", "protected", "private", "static", "final", "abstract", "default", "volatile", "transient", "synchronized", "native", "strictfp"];

/// Reads what the declaration that begins at byte `start` of `text` begins with.
pub(super) fn head(text: &str, start: usize) -> Head {
    let mut res = Head::default();
    let mut at = skip_blank(text, start);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with('@') {
            let Some(annotation) = annotation(text, at) else { break };
            at = annotation.end;
            res.annotations.push(annotation);
        } else {
            let word = identifier(rest);
            if !MODIFIERS.contains(&word) {
                break;
            }
            res.modifiers.push(at..at + word.len());
            at += word.len();
        }
        at = skip_blank(text, at);
    }
    res.rest = at;
    res
}

fn annotation(text: &str, start: usize) -> Option<Annotation> {
    let mut at = skip_blank(text, start + 1);
    let mut name;
    loop {
        name = identifier(text.get(at..)?);
        // `@interface` declares something.
        if name.is_empty() || name == "interface" {
            return None;
        }
        at += name.len();
        let dot = skip_blank(text, at);
        if !text.get(dot..)?.starts_with('.') {
            break;
        }
        at = skip_blank(text, dot + 1);
    }
    let open = skip_blank(text, at);
    if !text.get(open..)?.starts_with('(') {
        return Some(Annotation { name: name.to_owned(), arguments: None, end: at });
    }
    let close = closing(text, open)?;
    Some(Annotation { name: name.to_owned(), arguments: Some(open + 1..close), end: close + 1 })
}

/// The bracket that closes the one at byte `open`.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0;
    let mut at = open;
    loop {
        match *bytes.get(at)? {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            quote @ (b'"' | b'\'') => {
                at = after_literal(bytes, at, quote);
                continue;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = skip_blank(text, at).max(at + 1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

fn after_literal(bytes: &[u8], start: usize, quote: u8) -> usize {
    let is_block = bytes.get(start..start + 3) == Some(b"\"\"\"");
    let mut at = start + if is_block { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' {
            at += 2;
        } else if is_block && bytes.get(at..at + 3) == Some(b"\"\"\"") {
            return at + 3;
        } else if !is_block && byte == quote {
            return at + 1;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// The first byte from `at` on that is neither white space nor comment.
pub(super) fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let Some(rest) = text.get(at..) else { return text.len() };
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let n_comment = if trimmed.starts_with("//") {
            trimmed.find(['\n', '\r']).unwrap_or(trimmed.len())
        } else if trimmed.starts_with("/*") {
            trimmed.get(2..).and_then(|it| it.find("*/")).map_or(trimmed.len(), |it| it + 4)
        } else {
            return at;
        };
        at += n_comment;
    }
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<&str>, Vec<String>, &str) {
        let head = head(text, 0);
        let modifiers = head.modifiers.iter().map(|it| &text[it.clone()]).collect();
        (modifiers, head.annotations.into_iter().map(|it| it.name).collect(), &text[head.rest..])
    }

    #[test]
    fn heads() {
        assert_eq!(read("int x;"), (vec![], vec![], "int x;"));
        assert_eq!(read("private static /* c */ int x;"), (vec!["private", "static"], vec![], "int x;"));
        let text = "@A @b.C(x = \")\", y = {'\\'', ')'}) // static\n public @D(\"\"\"\n \")\" \"\"\") static <T> T m()";
        let (modifiers, annotations, rest) = read(text);
        assert_eq!(modifiers, ["public", "static"]);
        assert_eq!(annotations, ["A", "C", "D"]);
        assert_eq!(rest, "<T> T m()");
        assert_eq!(read("@interface X {}").2, "@interface X {}");
        assert_eq!(read("staticInt x;").2, "staticInt x;");
    }

    #[test]
    fn broken_heads() {
        for text in ["", "@", "@A(", "@A(\"", "/*", "//", "@A.", "private", "@é(\u{feff}"] {
            assert!(head(text, 0).rest <= text.len(), "{text}");
        }
        assert_eq!(head("x", 7).rest, 1);
    }
}

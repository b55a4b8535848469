//! Suppress a finding in the source: by an annotation at its declaration, or by a comment on the line above.

use super::annotations::{closing, head, skip_blank};
use super::{Fix, Subject};
use crate::java::decls::Range as Bytes;
use crate::rewrite::Edit;

/// `@SuppressWarnings("mockpoint")` at the declaration.
pub(super) fn annotation(subject: &Subject<'_>) -> Option<Fix<'static>> {
    let edit = annotate(subject.text, subject.declaration)?;
    Some(Fix::quick(format!("Suppress `{}` here with @SuppressWarnings(\"mockpoint\")", subject.code), vec![edit]))
}

/// `// mockpoint:ignore CODE` above the line of the name.
pub(super) fn comment(subject: &Subject<'_>) -> Option<Fix<'static>> {
    let edit = comment_above(subject.text, subject.place.range.start as usize, subject.code)?;
    Some(Fix::quick(format!("Suppress `{}` for this line with a comment", subject.code), vec![edit]))
}

fn annotate(text: &str, declaration: usize) -> Option<Edit> {
    let head = head(text, declaration);
    if let Some(found) = head.annotations.iter().find(|it| it.name == "SuppressWarnings") {
        // Java allows one of them only. One without arguments does not compile, and is not ours to repair.
        let arguments = found.arguments.clone()?;
        return add_argument(text, arguments);
    }
    let line = line_start(text, declaration)?;
    let before = text.get(line..declaration)?;
    let between = if before.trim().is_empty() { format!("{}{before}", line_break(text)) } else { " ".to_owned() };
    Edit::insert(declaration, format!("@SuppressWarnings(\"mockpoint\"){between}"))
}

/// `"a"` becomes `{"a", "mockpoint"}`, `{"a"}` as well; both may have a `value =` before.
fn add_argument(text: &str, arguments: std::ops::Range<usize>) -> Option<Edit> {
    let inside = text.get(..arguments.end)?;
    let mut start = skip_blank(inside, arguments.start);
    if let Some(rest) = inside.get(start..)?.strip_prefix("value") {
        let equals = skip_blank(inside, inside.len() - rest.len());
        if inside.get(equals..)?.starts_with('=') {
            start = skip_blank(inside, equals + 1);
        }
    }
    let value = inside.get(start..)?.trim_end();
    if value.contains("\"mockpoint\"") {
        return None;
    }
    if value.starts_with('{') {
        let close = closing(text, start)?;
        let items = text.get(start + 1..close)?.trim_end();
        let separator = if items.trim().is_empty() {
            ""
        } else if items.ends_with(',') {
            " "
        } else {
            ", "
        };
        return Edit::insert(start + 1 + items.len(), format!("{separator}\"mockpoint\""));
    }
    let bytes = Bytes { start: u32::try_from(start).ok()?, end: u32::try_from(start + value.len()).ok()? };
    let text = if value.is_empty() { "\"mockpoint\"".to_owned() } else { format!("{{{value}, \"mockpoint\"}}") };
    Some(Edit { bytes, text })
}

fn comment_above(text: &str, name: usize, code: &str) -> Option<Edit> {
    let line = line_start(text, name)?;
    let content = text.get(line..)?;
    let indentation = &content[..content.len() - content.trim_start_matches([' ', '\t']).len()];
    Edit::insert(line, format!("{indentation}// mockpoint:ignore {code}{}", line_break(text)))
}

fn line_start(text: &str, at: usize) -> Option<usize> {
    Some(text.get(..at)?.rfind(['\n', '\r']).map_or(0, |it| it + 1))
}

/// The line break that the text uses.
fn line_break(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, edit: Edit) -> String {
        let mut res = text.to_owned();
        res.replace_range(edit.bytes.start as usize..edit.bytes.end as usize, &edit.text);
        res
    }

    fn annotated(text: &str) -> Option<String> {
        let at = text.find('§')?;
        let text = text.replacen('§', "", 1);
        annotate(&text, at).map(|it| applied(&text, it))
    }

    #[test]
    fn annotations() {
        let check = |before: &str, after: &str| assert_eq!(annotated(before).as_deref(), Some(after));
        check("class A {\n\t§int f() {}\n}", "class A {\n\t@SuppressWarnings(\"mockpoint\")\n\tint f() {}\n}");
        check("class A {\r\n  §int f() {}", "class A {\r\n  @SuppressWarnings(\"mockpoint\")\r\n  int f() {}");
        check("/* é */ §int f() {}", "/* é */ @SuppressWarnings(\"mockpoint\") int f() {}");
        check("§@SuppressWarnings(\"a\") int f;", "@SuppressWarnings({\"a\", \"mockpoint\"}) int f;");
        check("§@A @SuppressWarnings( value = \"a\" ) int f;", "@A @SuppressWarnings( value = {\"a\", \"mockpoint\"} ) int f;");
        check("§@SuppressWarnings({\"a\", \"b\"}) int f;", "@SuppressWarnings({\"a\", \"b\", \"mockpoint\"}) int f;");
        check("§@SuppressWarnings({ \"a\", }) int f;", "@SuppressWarnings({ \"a\", \"mockpoint\" }) int f;");
        check("§@SuppressWarnings({}) int f;", "@SuppressWarnings({\"mockpoint\"}) int f;");
        check("§@SuppressWarnings() int f;", "@SuppressWarnings(\"mockpoint\") int f;");
        check("§@java.lang.SuppressWarnings(ALL) int f;", "@java.lang.SuppressWarnings({ALL, \"mockpoint\"}) int f;");
        assert_eq!(annotated("§@SuppressWarnings({\"mockpoint\"}) int f;"), None);
        assert_eq!(annotated("§@SuppressWarnings int f;"), None);
    }

    #[test]
    fn comments() {
        let text = "class A {\r\n    int f() {}\r\n}";
        let edit = comment_above(text, 18, "mocking-point");
        let expected = "class A {\r\n    // mockpoint:ignore mocking-point\r\n    int f() {}\r\n}";
        assert_eq!(edit.map(|it| applied(text, it)).as_deref(), Some(expected));
        assert_eq!(comment_above("int f;", 4, "c").map(|it| applied("int f;", it)).as_deref(), Some("// mockpoint:ignore c\nint f;"));
    }
}

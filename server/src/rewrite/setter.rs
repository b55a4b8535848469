//! Removes a setter that nothing calls, so that its field can be `final`.

use super::Edit;
use super::source::{Source, children, kind_of};
use crate::java::kinds::{FieldName, Kind, child};

/// The name of the method around a byte, and the edit that removes it, if all it does is to set a field: `this.x = x;`.
pub fn remove(source: &Source<'_>, at: usize) -> Option<(String, Edit)> {
    let around = source.around(&(at..at + 1));
    let method = *around.iter().rfind(|it| kind_of(**it) == Kind::Method)?;
    if source.has_annotation(method, "Override") {
        return None;
    }
    let name = source.field(method, FieldName::Name)?.to_owned();
    let statements: Vec<_> =
        children(child(method, FieldName::Body)?).into_iter().filter(|it| !matches!(kind_of(*it), Kind::LineComment | Kind::BlockComment)).collect();
    let [only] = statements[..] else { return None };
    let sets = kind_of(only) == Kind::ExpressionStatement && children(only).iter().any(|it| kind_of(*it) == Kind::Assignment);
    if !sets {
        return None;
    }
    // With the comment that documents it, and the blank line before it.
    let mut start = method.start_byte();
    if let Some(comment) = method.prev_named_sibling().filter(|it| kind_of(*it) == Kind::BlockComment) {
        let between = source.text.get(comment.end_byte()..start)?;
        if source.of(comment).starts_with("/**") && between.trim().is_empty() {
            start = comment.start_byte();
        }
    }
    let before = source.text.get(..start)?;
    let kept = before.trim_end_matches([' ', '\t']);
    let kept = kept.strip_suffix("\r\n").or_else(|| kept.strip_suffix(['\n', '\r'])).unwrap_or(kept);
    let kept = if kept.ends_with(['\n', '\r']) { kept.trim_end_matches([' ', '\t', '\n', '\r']) } else { kept };
    Some((name, Edit::replace(kept.len()..method.end_byte(), "")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::applied;

    fn removed(text: &str) -> Option<String> {
        let source = Source::new(text)?;
        let at = text.find(" setX")? + 1;
        remove(&source, at).map(|(_, it)| applied(text, vec![it]))
    }

    #[test]
    fn setters() {
        let text = "class A {\n    int x;\n\n    /** Sets it. */\n    void setX(int x) {\n        this.x = x;\n    }\n\n    int f() { return x; }\n}\n";
        assert_eq!(removed(text).as_deref(), Some("class A {\n    int x;\n\n    int f() { return x; }\n}\n"));
        assert_eq!(removed("class A { int x; void setX(int x) { this.x = x; } }").as_deref(), Some("class A { int x; }"));
        assert_eq!(removed("class A { int x; void setX(int x) { this.x = x; log(); } }"), None);
        assert_eq!(removed("class A { int x; @Override void setX(int x) { this.x = x; } }"), None);
    }
}

//! Make a never-modified field `final`.
//!
//! Offered only where that compiles. A declaration of several fields makes all of them final or none.

use super::annotations::head;
use super::{Fix, Subject};
use crate::codes;
use crate::facts::OWN_CLASS;
use crate::host::declaration::{Item, named_at};
use crate::rewrite::Edit;

pub(super) fn fix(subject: &Subject<'_>) -> Option<Fix<'static>> {
    let edit = edit(subject)?;
    Some(Fix { is_preferred: true, ..Fix::quick(format!("Make `{}` final", subject.name), vec![edit]) })
}

/// Where `final` goes, if that compiles.
pub(super) fn edit(subject: &Subject<'_>) -> Option<Edit> {
    if subject.code != codes::NEVER_MODIFIED_FIELD {
        return None;
    }
    let declaration = named_at(subject.file, subject.place.range.start as usize)?;
    let Item::Field(_) = declaration.item else { return None };
    let start = declaration.member.start;
    let mut siblings = declaration.member.facts.fields.iter().filter(|it| it.owner == OWN_CLASS && !it.captured);
    let all_can = siblings.all(|sibling| {
        let name = sibling.name.absolute(start);
        subject.findings.fields.iter().any(|it| it.place.range == name && it.can_be_final && it.ruled_out.is_some())
    });
    if !declaration.is_own() || !all_can {
        return None;
    }
    insertion(subject.text, subject.declaration)
}

/// Where `final` goes: behind `static`, or else before the type. Nowhere if it is there or must not be.
fn insertion(text: &str, declaration: usize) -> Option<Edit> {
    let head = head(text, declaration);
    let word = |word: &str| head.modifiers.iter().find(|it| text.get((*it).clone()) == Some(word));
    if word("final").is_some() || word("volatile").is_some() {
        return None;
    }
    match word("static") {
        Some(found) => Edit::insert(found.end, " final"),
        None => Edit::insert(head.rest, "final "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(text: &str) -> Option<String> {
        let edit = insertion(text, 0)?;
        let mut res = text.to_owned();
        res.insert_str(edit.bytes.start as usize, &edit.text);
        Some(res)
    }

    #[test]
    fn the_place_of_final() {
        assert_eq!(fixed("private static int limit = 10;").as_deref(), Some("private static final int limit = 10;"));
        assert_eq!(fixed("static public @A int a;").as_deref(), Some("static final public @A int a;"));
        assert_eq!(fixed("@Value(\"static\") private int a;").as_deref(), Some("@Value(\"static\") private final int a;"));
        assert_eq!(fixed("int a;").as_deref(), Some("final int a;"));
        assert_eq!(fixed("static volatile int a;"), None);
        assert_eq!(fixed("static final int a = 1;"), None);
    }
}

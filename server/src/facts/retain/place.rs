//! Where a piece of a text lies after an edit.

use crate::java::decls::Range;
use crate::text::Shift;

/// An edit, as far as places go.
#[derive(Clone, Copy)]
pub struct Edit<'a> {
    /// The text before it.
    pub before: &'a str,
    /// The text after it.
    pub after: &'a str,
    /// Ways to move a place from the one to the other, the one to believe first. There is more than one since clients
    /// give back much of what they replace, in one edit or in several.
    pub shifts: &'a [Shift],
}

/// Where something lies after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Its range. Empty if it was taken out as a whole.
    pub(super) range: Range,
    /// It says what it said, word for word, and so the range is exact. Of what was edited the range is a guess.
    pub(super) untouched: bool,
}

impl Edit<'_> {
    /// Where a range of the text before is now.
    pub(super) fn place(&self, range: Range) -> Place {
        let mut moved = self.shifts.iter().map(|shift| {
            let start = shift.apply(range.start);
            Range { start, end: shift.apply_end(range.end).max(start) }
        });
        let Some(first) = moved.next() else { return Place { range, untouched: false } };
        match std::iter::once(first).chain(moved).find(|it| self.is_same(range, *it)) {
            Some(range) => Place { range, untouched: true },
            None => Place { range: first, untouched: false },
        }
    }

    /// Whether the same words stand in a range of the text before and in one of the text now.
    fn is_same(&self, before: Range, after: Range) -> bool {
        let (before, after) = (bytes(self.before, before), bytes(self.after, after));
        before.is_some() && before.map(|it| it.0) == after.map(|it| it.0) && after.is_some_and(|it| !it.1)
    }
}

/// The bytes in a range of a text, and whether the first or the last word of them goes on outside. `None` out of
/// range.
fn bytes(text: &str, range: Range) -> Option<(&[u8], bool)> {
    let (start, end) = (range.start as usize, range.end as usize);
    let text = text.as_bytes();
    let is_joined = |at: usize| at > 0 && text.get(at - 1).is_some_and(|it| is_word(*it)) && text.get(at).is_some_and(|it| is_word(*it));
    Some((text.get(start..end)?, is_joined(start) || is_joined(end)))
}

/// Bytes of identifiers, those beyond ASCII among them.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::ByteEdit;

    /// The place of `what` after an edit that is known by its texts alone.
    fn place(before: &str, after: &str, what: &str) -> (String, bool) {
        let start = before.find(what).expect("it is there");
        let range = Range { start: start as u32, end: (start + what.len()) as u32 };
        let found = Edit { before, after, shifts: &[Shift::between(before, after)] }.place(range);
        (after[found.range.start as usize..found.range.end as usize].to_owned(), found.untouched)
    }

    #[test]
    fn what_nobody_touched_is_found() {
        assert_eq!(place("int a; int b;", "int a; long c; int b;", "int b;"), ("int b;".to_owned(), true));
        // What is written right beside it is no part of it, unless the two make one word.
        assert_eq!(place("int a;", "int a;int b;", "int a;"), ("int a;".to_owned(), true));
        assert_eq!(place("int a;", "final int a;", "int a;"), ("int a;".to_owned(), true));
        assert_eq!(place("int a;", "xint a;", "int a;"), ("int a;".to_owned(), false));
        assert_eq!(place("A, B", "A, BC", "B"), ("B".to_owned(), false));
    }

    #[test]
    fn what_was_edited_has_a_place_and_what_was_taken_out_has_none() {
        assert_eq!(place("int a; int b;", "int aa; int b;", "int a;"), ("int aa;".to_owned(), false));
        assert_eq!(place("int a; int b; int c;", "int a;  int c;", "int b;"), (String::new(), false));
    }

    #[test]
    fn the_second_way_may_know_better() {
        let (before, after) = ("a { b } c", "a {} b } c");
        // All from the brace on was replaced, for the most part by itself.
        let edit = ByteEdit { start: 3, old_end: 9, new_end: 10, start_point: (0, 3), old_end_point: (0, 9), new_end_point: (0, 10) };
        let large = Shift::of(&[edit]);
        let range = Range { start: 8, end: 9 };
        assert!(!Edit { before, after, shifts: std::slice::from_ref(&large) }.place(range).untouched);
        let found = Edit { before, after, shifts: &[large, Shift::between(before, after)] }.place(range);
        assert_eq!(found, Place { range: Range { start: 9, end: 10 }, untouched: true });
    }
}

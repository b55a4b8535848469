//! What is asked to be left out of reports, while a text has syntax errors.

use super::place::Place;
use super::{Edit, range};
use crate::facts::FileFacts;
use crate::intern::Sym;
use crate::java::decls::Range;
use crate::java::patterns::Suppression;

/// Completes the suppressions of a text with errors, whose members are known by now, from those of the text before.
pub(super) fn retain(new: &mut FileFacts, old: &FileFacts, edit: &Edit<'_>) {
    for known in &old.suppressions {
        let place = edit.place(known.range);
        let declaration = if known.code.is_none() { declaration(known.range, place, new, old) } else { None };
        let range = match declaration {
            // What was read just now says itself what is written before it.
            Some(Now::Read) => continue,
            Some(Now::Kept(range)) => range,
            // Of a comment, whoever changes the lines that it covers may have taken it out.
            None if place.untouched => place.range,
            None => continue,
        };
        // The node of a broken declaration may end too early, or swallow what comes next.
        match new.suppressions.iter_mut().find(|it| it.range.start == range.start && it.code == known.code) {
            Some(seen) if declaration.is_some() => seen.range = range,
            Some(_) => {}
            None => new.suppressions.push(Suppression { range, code: known.code }),
        }
    }
    new.suppressions.sort_by_key(|it| (it.range, it.code.map(Sym::as_str)));
}

/// What has become of an annotated declaration.
#[derive(Clone, Copy)]
enum Now {
    /// It was read in the new text, or is not to be found there.
    Read,
    /// It stands as it was known, here.
    Kept(Range),
}

/// The declaration that had the range `known`, which is at `place` now. `None` if there was no such type or member:
/// then the suppression is a comment, or stands within a member.
fn declaration(known: Range, place: Place, new: &FileFacts, old: &FileFacts) -> Option<Now> {
    for (before, now) in old.types.iter().zip(&new.types) {
        if before.range == known {
            return Some(Now::Kept(now.range));
        }
        if before.members.iter().any(|it| range(it) == known) {
            return Some(match now.members.iter().find(|it| it.start == place.range.start) {
                Some(now) if now.broken => Now::Kept(range(now)),
                _ if place.untouched => Now::Kept(place.range),
                _ => Now::Read,
            });
        }
    }
    None
}

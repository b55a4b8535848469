//! Who takes a function and runs it later (`semantics.md` §7): what it does is no part of the method that hands it over.

use super::library::{LibTypeId, Library};
use super::rows;
use crate::intern::Sym;
use rustc_hash::FxHashSet;

/// The rows.
#[derive(Default)]
pub struct Deferred {
    by_type: FxHashSet<(LibTypeId, Sym)>,
    /// For receivers of unknown type.
    unknown: Vec<&'static str>,
    /// For any receiver: what names begin and end with, and whether there may be something between.
    any: Vec<(&'static str, &'static str, bool)>,
}

impl Deferred {
    pub(super) fn read(&mut self, text: &'static str, library: &mut Library) {
        for row in rows(text) {
            let [ty, member] = row[..] else { continue };
            match ty {
                "?" => self.unknown.push(member),
                "*" => {
                    let (start, end) = member.split_once('*').unwrap_or((member, ""));
                    self.any.push((start, end, member.contains('*')));
                }
                _ => {
                    self.by_type.insert((library.declare(ty), Sym::new(member)));
                }
            }
        }
    }

    /// Whether a member of one of `owners`, which are none where the type is not known, runs later what it is given.
    pub fn defers(&self, owners: &[LibTypeId], member: Sym) -> bool {
        let name = member.as_str();
        let is_word = |rest: &str| !rest.starts_with(|it: char| it.is_ascii_lowercase());
        let fits = |&(start, end, open): &(&'static str, &'static str, bool)| {
            name.strip_prefix(start).is_some_and(|rest| if open { rest.ends_with(end) && (start.is_empty() || is_word(rest)) } else { rest.is_empty() })
        };
        owners.iter().any(|&it| self.by_type.contains(&(it, member))) || (owners.is_empty() && self.unknown.contains(&name)) || self.any.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    #[test]
    fn names_stand_for_words() {
        let deferred = &catalogue().deferred;
        let of = |name: &str| deferred.defers(&[0], Sym::new(name));
        for name in ["addListener", "addChangeListener", "subscribe", "subscribeDataChanges", "scheduleAtFixedRate", "runAsync", "onClose"] {
            assert!(of(name), "{name}");
        }
        for name in ["addAll", "only", "submitted", "execute", "forEach", "builder"] {
            assert!(!of(name), "{name}");
        }
        assert!(deferred.defers(&[], Sym::new("execute")));
    }

    #[test]
    fn every_row_stands_once() {
        let mut seen = FxHashSet::default();
        for row in rows(include_str!("../../catalogue/deferred.tsv")) {
            assert_eq!(row.len(), 2, "{row:?}");
            assert!(seen.insert((row[0], row[1])), "twice: {row:?}");
        }
    }
}

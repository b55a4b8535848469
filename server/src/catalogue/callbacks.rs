//! Methods that containers call of the objects that they know, by the interface that says so (`semantics.md` §7).

use super::rows;
use crate::intern::Sym;
use rustc_hash::{FxHashMap, FxHashSet};

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    /// It is called before the first request, and not while the service runs.
    pub start_up: bool,
    /// The qualified name of the type or annotation that says so.
    pub ty: &'static str,
    /// No other library has a method of this name.
    pub by_name: bool,
    /// How many parameters, if that matters.
    pub arity: Option<u32>,
    /// The simple name of the type of the only parameter, if that matters.
    pub param: Option<&'static str>,
}

/// All rows.
#[derive(Default)]
pub struct Callbacks {
    by_member: FxHashMap<Sym, Vec<Callback>>,
    by_annotation: FxHashMap<Sym, Vec<Callback>>,
    start_up: FxHashSet<&'static str>,
    events: FxHashSet<&'static str>,
}

impl Callbacks {
    pub(super) fn read(&mut self, text: &'static str) {
        for row in rows(text) {
            let [role, ty, member, params] = row[..] else { continue };
            let start_up = role == "start-up";
            let arity = params.parse().ok();
            let param = Some(params).filter(|it| arity.is_none() && *it != "*");
            let (name, by_name) = ty.strip_prefix('+').map_or((ty, false), |it| (it, true));
            let (ty, annotation) = name.strip_prefix('@').map_or((name, false), |it| (it, true));
            // An event is told by its type in rows of listeners, wherever it is asked for.
            self.events.extend(param.filter(|it| start_up && it.ends_with("Event")));
            let row = Callback { start_up, ty, by_name, arity, param };
            if annotation {
                let simple = ty.rsplit('.').next().unwrap_or(ty);
                self.by_annotation.entry(Sym::new(simple)).or_default().push(row);
            } else {
                self.by_member.entry(Sym::new(member)).or_default().push(row);
                if start_up {
                    self.start_up.insert(ty);
                }
            }
        }
    }

    /// The rows of methods of this name.
    pub fn of(&self, member: Sym) -> &[Callback] {
        self.by_member.get(&member).map_or(&[], Vec::as_slice)
    }

    /// The rows of methods with an annotation of this simple name.
    pub fn with(&self, annotation: Sym) -> &[Callback] {
        self.by_annotation.get(&annotation).map_or(&[], Vec::as_slice)
    }

    /// Whether what has a type of this simple name is there before the first request only: an event of the start.
    pub fn is_of_start(&self, ty: &str) -> bool {
        self.events.contains(ty)
    }

    /// Whether a container calls objects of this type when it starts.
    pub fn starts(&self, ty: &str) -> bool {
        self.start_up.contains(ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_understood_and_stands_once() {
        let mut seen = FxHashSet::default();
        for row in rows(include_str!("../../catalogue/callbacks.tsv")) {
            let [role, ty, member, params] = row[..] else { panic!("{row:?}") };
            assert!(matches!(role, "start-up" | "entry"), "{row:?}");
            assert!(ty.contains('.') && (member != "*") != ty.starts_with('@'), "{row:?}");
            assert!(seen.insert((ty, member, params)), "twice: {row:?}");
        }
    }
}

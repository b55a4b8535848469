//! What calls of library members do: sources, transfer, mutation, benign calls, types without state.

mod words;

pub use words::{Effect, Feed, Given, ResultRule, Rule, Slot, Takes};

use super::library::{LibTypeId, Library};
use super::{MEAN_ROW, rows};
use crate::intern::Sym;
use rustc_hash::{FxHashMap, FxHashSet};

/// How a source row is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Who calls it is examined.
    Source,
    /// It is a mocking point itself (paper §3.1.1, Table 1 No. 21 and 22).
    Wrapper,
}

/// A row of the table of system sources.
#[derive(Clone, Debug)]
pub struct SourceRow {
    /// Only on request.
    pub opt_in: bool,
    /// The kind of system state: `time`, `random`, ...
    pub kind: &'static str,
    /// How it is used.
    pub how: How,
    /// The type of the row.
    pub owner: LibTypeId,
    params: &'static str,
    exact: bool,
}

struct Row {
    params: &'static str,
    rule: u32,
}

/// The rules, by type and member.
#[derive(Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// Numbers of rules by their words: a few rules make up all rows.
    by_words: FxHashMap<(&'static str, &'static str), u32>,
    transfer: FxHashMap<(LibTypeId, Sym), Vec<Row>>,
    /// Rows for receivers of unknown type, by the start of the member's name.
    unknown: Vec<(&'static str, u32)>,
    sources: Vec<SourceRow>,
    by_member: FxHashMap<(LibTypeId, Sym), Vec<u32>>,
    benign: FxHashSet<(LibTypeId, Sym)>,
    values: FxHashSet<LibTypeId>,
    source_members: FxHashSet<Sym>,
    any: Option<Sym>,
}

/// The rule that has no row.
pub const DEFAULT_RULE: u32 = 0;
/// The rule of a call that changes its receiver, which takes in the arguments: what a row of the project says.
pub const MODIFIES: u32 = 1;

impl Rules {
    fn intern(&mut self, effect: &'static str, result: &'static str) -> u32 {
        if self.rules.is_empty() {
            self.rules.push(Rule::default_rule());
            let absorbs = Effect { into: Slot::Recv, from: Feed::Args, how: Takes::Absorbs };
            self.rules.push(Rule { effects: vec![absorbs], ..Rule::default_rule() });
            self.any = Some(Sym::new("*"));
        }
        if let Some(&known) = self.by_words.get(&(effect, result)) {
            return known;
        }
        let rule = Rule::read(effect, result);
        let at = self.rules.iter().position(|it| *it == rule).unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        self.by_words.insert((effect, result), at as u32);
        at as u32
    }

    pub(super) fn read_library(&mut self, text: &'static str, library: &mut Library) {
        self.transfer.reserve(text.len() / MEAN_ROW);
        for row in rows(text) {
            let [ty, member, params, effect, result] = row[..] else { continue };
            let rule = self.intern(effect, result);
            if ty == "?" {
                self.unknown.push((member.trim_end_matches('*'), rule));
            } else {
                let owner = library.declare(ty);
                self.transfer.entry((owner, Sym::new(member))).or_default().push(Row { params, rule });
            }
        }
    }

    pub(super) fn read_system(&mut self, text: &'static str, library: &mut Library) {
        for row in rows(text) {
            let [tier, ty, member, params, kind, how] = row[..] else { continue };
            let owner = library.declare(ty);
            let exact = matches!(ty, "java.lang.Object" | "java.lang.Enum") && matches!(member, "hashCode" | "toString");
            let how = if how == "wrapper" { How::Wrapper } else { How::Source };
            self.sources.push(SourceRow { opt_in: tier == "opt-in", kind, how, owner, params, exact });
            self.by_member.entry((owner, Sym::new(member))).or_default().push((self.sources.len() - 1) as u32);
            self.source_members.insert(Sym::new(member));
        }
    }

    pub(super) fn read_benign(&mut self, text: &'static str, library: &mut Library) {
        for row in rows(text) {
            let [ty, member] = row[..] else { continue };
            self.benign.insert((library.declare(ty), Sym::new(member)));
        }
    }

    pub(super) fn read_values(&mut self, text: &'static str, library: &mut Library) {
        for row in rows(text) {
            self.values.insert(library.declare(row[0]));
        }
    }

    /// The rule with this number.
    pub fn rule(&self, id: u32) -> &Rule {
        &self.rules[id as usize]
    }

    /// The source row with this number.
    pub fn source(&self, id: u32) -> &SourceRow {
        &self.sources[id as usize]
    }

    /// What a call on one of `ancestors` (nearest first) does. `params` are the erased parameters if they are known.
    pub fn transfer(&self, ancestors: &[LibTypeId], member: Sym, argc: usize, params: Option<&str>) -> u32 {
        for &owner in ancestors {
            let Some(rows) = self.transfer.get(&(owner, member)) else { continue };
            let exact = rows.iter().find(|row| match params {
                Some(params) => row.params == params,
                // It may be another overload: it is not the one to say that nothing is taken in.
                None => row.params != "*" && arity(row.params) == argc && (argc == 0 || !self.rule(row.rule).is_nothing()),
            });
            if let Some(row) = exact.or_else(|| rows.iter().find(|row| row.params == "*")) {
                return row.rule;
            }
        }
        DEFAULT_RULE
    }

    /// What a call on a receiver of unknown type does, told by its name.
    /// What it is not given it does not take in.
    pub fn unknown_transfer(&self, member: Sym, argc: usize) -> u32 {
        let name = member.as_str();
        self.unknown
            .iter()
            .find(|(prefix, _)| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| !c.is_lowercase())))
            .map(|it| it.1)
            .filter(|&it| argc != 0 || self.rule(it).effects.is_empty())
            .unwrap_or(DEFAULT_RULE)
    }

    /// The source row for a member of one of `ancestors`; `declarer` is the type that declares what is called.
    pub fn source_of(&self, ancestors: &[LibTypeId], declarer: Option<LibTypeId>, member: Sym, argc: usize, params: Option<&str>, opt_in: bool) -> Option<u32> {
        for &owner in ancestors {
            for name in [Some(member), self.any].into_iter().flatten() {
                for &id in self.by_member.get(&(owner, name)).into_iter().flatten() {
                    let row = &self.sources[id as usize];
                    let fits = row.params == "*"
                        || match params {
                            Some(params) => row.params == params,
                            None => row.params == "()" && argc == 0,
                        };
                    if fits && (opt_in || !row.opt_in) && (!row.exact || declarer == Some(owner)) {
                        return Some(id);
                    }
                }
            }
        }
        None
    }

    /// Whether any source row has this member: most names are none, and need no look at supertypes.
    pub fn may_be_source(&self, ancestors: &[LibTypeId], member: Sym) -> bool {
        self.source_members.contains(&member) || self.any.is_some_and(|any| ancestors.iter().any(|&it| self.by_member.contains_key(&(it, any))))
    }

    /// Whether a call has no effect on results.
    pub fn is_benign(&self, ancestors: &[LibTypeId], member: Sym) -> bool {
        ancestors.iter().any(|&owner| self.benign.contains(&(owner, member)) || self.any.is_some_and(|any| self.benign.contains(&(owner, any))))
    }

    /// Whether objects of a type have no state that changes; `ancestors` begins with the type itself.
    pub fn is_value(&self, ancestors: &[LibTypeId], library: &Library) -> bool {
        ancestors
            .iter()
            .enumerate()
            .any(|(i, owner)| self.values.contains(owner) && (i == 0 || library.types[*owner as usize].name.as_str() != "java.lang.Object"))
    }
}

fn arity(params: &str) -> usize {
    let inner = params.trim_start_matches('(').trim_end_matches(')');
    if inner.is_empty() { 0 } else { inner.split(',').count() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    /// The kinds of system state.
    const KINDS: [&str; 10] = ["time", "random", "environment", "host", "process", "locale", "thread", "identity", "order", "name"];

    #[test]
    fn every_row_is_understood() {
        let is_params = |it: &str| it == "*" || it.starts_with('(') && it.ends_with(')');
        let mut seen = FxHashSet::default();
        for row in rows(include_str!("../../catalogue/library.tsv")) {
            assert_eq!(row.len(), 5, "{row:?}");
            assert!(is_params(row[2]) && Rule::is_understood(row[3], row[4]), "{row:?}");
            assert!(seen.insert((row[0], row[1], row[2])), "twice: {row:?}");
        }
        seen.clear();
        for row in rows(include_str!("../../catalogue/system.tsv")) {
            assert_eq!(row.len(), 6, "{row:?}");
            assert!(matches!(row[0], "core" | "opt-in") && matches!(row[5], "source" | "wrapper"), "{row:?}");
            assert!(KINDS.contains(&row[4]) && is_params(row[3]), "{row:?}");
            assert!(seen.insert((row[1], row[2], row[3])), "twice: {row:?}");
        }
        for (text, columns) in [(include_str!("../../catalogue/benign.tsv"), 2), (include_str!("../../catalogue/values.tsv"), 1)] {
            seen.clear();
            for row in rows(text) {
                assert!(row.len() == columns, "{row:?}");
                assert!(seen.insert((row[0], row.get(1).copied().unwrap_or(""), "")), "twice: {row:?}");
            }
        }
    }

    #[test]
    fn a_row_of_a_supertype_counts_and_an_overload_without_row_does_not() {
        let catalogue = catalogue();
        let (library, rules) = (&catalogue.library, &catalogue.rules);
        let ancestors = |name: &str| library.ancestors(library.find(Sym::new(name)).expect("a known type"));
        let put = rules.rule(rules.transfer(ancestors("java.util.TreeMap"), Sym::new("put"), 2, None));
        assert_eq!(put.result, ResultRule::Old);
        let now = Sym::new("now");
        let date = ancestors("java.time.LocalDate");
        assert!(rules.source_of(date, None, now, 0, Some("()"), false).is_some());
        assert!(rules.source_of(date, None, now, 1, Some("(java.time.Clock)"), false).is_none());
    }
}

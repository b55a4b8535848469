//! Last good facts: while a file has syntax errors, what was known of its members before stands.
//!
//! Typing breaks code all the time, and a tree with errors loses whole methods for a moment, or finds them in the
//! wrong class. So until the file is whole again its types are the ones that were known, and of its members
//!
//! - those that an edit leaves alone stand where the edit moves them, whatever the parser makes of them;
//! - those that it touches are looked for in the tree. One that is whole is taken as it is. One that is broken or not
//!   to be seen keeps the facts that it had, at a place that is a guess;
//! - new ones are taken if they are whole and lie where nothing else does.

mod place;
mod suppressions;

pub use place::Edit;

use super::{FileFacts, Member, MemberFacts, MethodFacts, OWN_CLASS, TypeFacts};
use crate::intern::Sym;
use crate::java::decls::{MemberKind, Range, TypeHead};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What tells a member from the others of its type while its text changes.
#[derive(PartialEq, Eq)]
struct Key {
    kind: Option<MemberKind>,
    name: Sym,
    params: Vec<Sym>,
}

/// A member of the text before, and where it is now.
struct Moved<'a> {
    member: &'a Member,
    /// Index of its type.
    class: usize,
    range: Range,
}

impl Moved<'_> {
    fn now(&self, broken: bool) -> Member {
        Member { start: self.range.start, len: self.range.end - self.range.start, broken, facts: Arc::clone(&self.member.facts) }
    }
}

/// The members of the text before, by where they are now. What was taken out as a whole is not among them.
#[derive(Default)]
struct Known<'a> {
    /// Those whose facts are those of their text. No two of them overlap.
    intact: Vec<Moved<'a>>,
    /// Those that were edited, by this edit or since they were last seen whole.
    stale: Vec<Moved<'a>>,
}

impl<'a> Known<'a> {
    fn of(old: &'a FileFacts, edit: &Edit<'_>) -> Known<'a> {
        let mut known = Known::default();
        for (class, facts) in old.types.iter().enumerate() {
            for member in &facts.members {
                let place = edit.place(range(member));
                if place.range.start < place.range.end {
                    let list = if place.untouched && !member.broken { &mut known.intact } else { &mut known.stale };
                    list.push(Moved { member, class, range: place.range });
                }
            }
        }
        known.intact.sort_by_key(|it| it.range.start);
        known.stale.sort_by_key(|it| it.range.start);
        known
    }

    /// The intact members that share text with a range.
    fn intact_in(&self, range: Range) -> &[Moved<'a>] {
        let from = self.intact.partition_point(|it| it.range.end <= range.start);
        let to = self.intact.partition_point(|it| it.range.start < range.end);
        self.intact.get(from..to).unwrap_or_default()
    }

    /// Whether a member of a type begins inside one that was known, or where one of another type was: nobody wrote
    /// that, the parser lost count of the braces. What lost its first words, an annotation as a rule, ends as before.
    fn is_misread(&self, class: usize, member: &Member) -> bool {
        let here = range(member);
        let before = self.stale.partition_point(|it| it.range.start <= here.start).checked_sub(1).map(|it| &self.stale[it]);
        before.is_some_and(|it| {
            let is_it = it.range.start == here.start || (it.range.end == here.end && key(&it.member.facts) == key(&member.facts));
            here.start < it.range.end && !(it.class == class && is_it)
        })
    }
}

/// Completes the facts of a text with errors from those of the text before.
pub fn retain(new: &mut FileFacts, old: &FileFacts, edit: &Edit<'_>) {
    if new.errors == 0 {
        return;
    }
    if !old.types.is_empty() {
        new.package = old.package;
    }
    // A broken import may still look like one, of something else.
    if !old.imports.iter().all(|it| new.imports.contains(it)) {
        new.imports = Arc::clone(&old.imports);
    }
    // A file of which nothing was known: what is whole in it is better than nothing.
    if old.types.is_empty() {
        suppressions::retain(new, old, edit);
        return;
    }
    let known = Known::of(old, edit);
    let new_paths = class_paths(&new.types);
    let found: FxHashMap<&[Sym], &TypeFacts> = new_paths.iter().map(Vec::as_slice).zip(&new.types).rev().collect();
    let types = old.types.iter().zip(class_paths(&old.types)).enumerate().map(|(class, (before, path))| {
        let seen = found.get(path.as_slice()).copied();
        let (name, range) = (edit.place(before.name), edit.place(before.range).range);
        // Of a broken declaration the node may end too early, or swallow what comes next.
        let (name, range) = match seen {
            Some(seen) if !name.untouched => (seen.name, seen.range),
            _ => (name.range, range),
        };
        let members = members(class, &seen.map_or_else(Vec::new, |it| read_below(&before.head, it)), &known);
        // The head of a broken declaration may have lost its supertypes.
        TypeFacts { head: Arc::clone(&before.head), outer: before.outer, name, range, members }
    });
    new.types = types.collect();
    suppressions::retain(new, old, edit);
}

/// The members that were read below the head of a type. If another head stands, those that take something from it
/// were read wrongly.
fn read_below(head: &TypeHead, seen: &TypeFacts) -> Vec<Member> {
    let same = *seen.head == *head;
    seen.members.iter().map(|it| Member { broken: it.broken || !(same || is_independent(&it.facts)), ..it.clone() }).collect()
}

/// Whether a member says the same below every head, but for the roles of methods.
fn is_independent(facts: &MemberFacts) -> bool {
    let is_component = |it: &MethodFacts| it.owner == OWN_CLASS && matches!(it.head.kind, MemberKind::Component | MemberKind::CompactConstructor);
    facts.fields.iter().all(|it| it.owner != OWN_CLASS) && !facts.methods.iter().any(is_component)
}

/// The members of one type: `seen` in the new text, completed by what was known of it.
fn members(class: usize, seen: &[Member], known: &Known<'_>) -> Vec<Member> {
    let mut left: Vec<(Key, &Moved<'_>)> = known.stale.iter().filter(|it| it.class == class).map(|it| (key(&it.member.facts), it)).collect();
    // The same member has the same key and lies where it lay; another one of that key may have been pasted.
    let mut take = |member: &Member| {
        let (wanted, here) = (key(&member.facts), range(member));
        let at = left.iter().position(|(key, it)| it.range.start < here.end && here.start < it.range.end && *key == wanted)?;
        Some(left.remove(at).1)
    };
    let mut res: Vec<Member> = Vec::new();
    // Places where a whole member is that was not known: one that was there before has become it.
    let mut new_starts: FxHashSet<u32> = FxHashSet::default();
    // Places of intact members that have become part of one that begins earlier.
    let mut grown: FxHashSet<u32> = FxHashSet::default();
    for member in seen {
        match known.intact_in(range(member)) {
            [] => {}
            [good] if has_grown(good, class, member) => {
                grown.insert(good.range.start);
                res.push(member.clone());
                continue;
            }
            // What stands here is known.
            _ => continue,
        }
        if known.is_misread(class, member) {
            continue;
        }
        match take(member) {
            // Its node may begin too early or end too late; what is known of it counts from where it was.
            Some(good) if member.broken => res.push(good.now(true)),
            // A head that has lost its supertypes for the moment takes roles from methods that nobody touched.
            Some(good) if says_the_same(&member.facts, &good.member.facts) => res.push(Member { facts: Arc::clone(&good.member.facts), ..member.clone() }),
            Some(_) => res.push(member.clone()),
            // It never was whole.
            None if member.broken => {}
            None => {
                new_starts.insert(member.start);
                res.push(member.clone());
            }
        }
    }
    res.extend(left.iter().filter(|it| !new_starts.contains(&it.1.range.start)).map(|it| it.1.now(true)));
    res.extend(known.intact.iter().filter(|it| it.class == class && !grown.contains(&it.range.start)).map(|it| it.now(false)));
    res.sort_by_key(|it| it.start);
    res
}

/// Whether something, an annotation as a rule, was written before an intact member and so is part of it.
fn has_grown(good: &Moved<'_>, class: usize, member: &Member) -> bool {
    let here = range(member);
    !member.broken && good.class == class && here.start < good.range.start && here.end == good.range.end && key(&good.member.facts) == key(&member.facts)
}

fn range(member: &Member) -> Range {
    Range { start: member.start, end: member.start.saturating_add(member.len) }
}

/// Whether two members have the same text, whatever their classes say of themselves.
fn says_the_same(a: &MemberFacts, b: &MemberFacts) -> bool {
    a.fields == b.fields
        && a.types == b.types
        && a.methods.len() == b.methods.len()
        && a.methods.iter().zip(&b.methods).all(|(a, b)| a.head == b.head && a.owner == b.owner && a.offset == b.offset && a.len == b.len && a.graph == b.graph)
}

/// The names of each type and of those around it, from the inside.
fn class_paths(types: &[TypeFacts]) -> Vec<Vec<Sym>> {
    let mut paths: Vec<Vec<Sym>> = Vec::with_capacity(types.len());
    for class in types {
        let mut path = vec![class.head.name];
        path.extend(class.outer.and_then(|it| paths.get(it as usize)).into_iter().flatten());
        paths.push(path);
    }
    paths
}

fn key(facts: &MemberFacts) -> Key {
    let method = facts.methods.first().filter(|it| it.owner == OWN_CLASS);
    let field = facts.fields.first().filter(|it| it.owner == OWN_CLASS);
    Key {
        kind: method.map(|it| it.head.kind).filter(|it| *it != MemberKind::Field),
        name: field.map(|it| it.head.name).or(method.map(|it| it.head.name)).unwrap_or_else(|| Sym::new("")),
        params: method.map_or_else(Vec::new, |it| it.head.params.iter().map(|it| it.ty.name()).collect()),
    }
}

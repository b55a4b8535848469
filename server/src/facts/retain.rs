//! Last good facts: while a file has syntax errors, what was known of its members before stands.
//!
//! Typing breaks code all the time, and a tree with errors loses whole methods for a moment, or finds them in the
//! wrong class. So until the file is whole again its types are the ones that were known, a member that is whole is
//! taken as it is, and one that is broken or not to be seen keeps the facts that it had.

use super::{FileFacts, Member, MemberFacts, TypeFacts};
use crate::intern::Sym;
use crate::java::decls::{MemberKind, Range};
use crate::java::patterns::Suppression;
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
    fn now(&self) -> Member {
        Member { start: self.range.start, len: self.range.end - self.range.start, ..self.member.clone() }
    }
}

/// Completes the facts of a text with errors from those of the last text: `shift` moves an old position to the new
/// text.
pub fn retain(new: &mut FileFacts, old: &FileFacts, shift: impl Fn(u32) -> u32) {
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
    retain_suppressions(new, old, &shift);
    // A file of which nothing was known: what is whole in it is better than nothing.
    if old.types.is_empty() {
        return;
    }
    let mut moved: Vec<Moved<'_>> = Vec::new();
    for (class, facts) in old.types.iter().enumerate() {
        moved.extend(facts.members.iter().map(|member| {
            let range = Range { start: shift(member.start), end: shift(member.start + member.len) };
            Moved { member, class, range }
        }));
    }
    // What was taken out as a whole is no more.
    moved.retain(|it| it.range.start < it.range.end);
    moved.sort_by_key(|it| it.range.start);
    let new_paths = class_paths(&new.types);
    let found: FxHashMap<&[Sym], &TypeFacts> = new_paths.iter().map(Vec::as_slice).zip(&new.types).rev().collect();
    let types = old.types.iter().zip(class_paths(&old.types)).enumerate().map(|(class, (known, path))| {
        let seen = found.get(path.as_slice()).copied();
        let (name, range) = match seen {
            Some(seen) => (seen.name, seen.range),
            None => (moved_range(known.name, &shift), moved_range(known.range, &shift)),
        };
        let members = members(class, seen.map_or(&[][..], |it| &it.members), &moved);
        // The head of a broken declaration may have lost its supertypes.
        TypeFacts { head: Arc::clone(&known.head), outer: known.outer, name, range, members }
    });
    new.types = types.collect();
}

/// The members of one type: `seen` in the new text, completed by what was known of it.
fn members(class: usize, seen: &[Member], moved: &[Moved<'_>]) -> Vec<Member> {
    // A member that begins inside one that was known, or where one of another type was, was not written: the parser
    // lost count of the braces.
    let is_misread = |member: &&Member| {
        let before = moved.partition_point(|it| it.range.start <= member.start).checked_sub(1).map(|it| &moved[it]);
        before.is_some_and(|it| member.start < it.range.end && (it.class != class || it.range.start != member.start))
    };
    let mut left: Vec<(Key, &Moved<'_>)> = moved.iter().filter(|it| it.class == class).map(|it| (key(&it.member.facts), it)).collect();
    // The same member has the same key and lies where it lay; another one of that key may have been pasted.
    let mut take = |member: &Member| {
        let wanted = key(&member.facts);
        let end = member.start.saturating_add(member.len);
        let at = left.iter().position(|(key, it)| it.range.start < end && member.start < it.range.end && *key == wanted)?;
        Some(left.remove(at).1)
    };
    let mut res: Vec<Member> = Vec::new();
    // Places where a whole member is that was not known: one that was there before has become it.
    let mut new_starts: FxHashSet<u32> = FxHashSet::default();
    for member in seen.iter().filter(|it| !is_misread(it)) {
        match take(member) {
            // Its node may begin too early or end too late; what is known of it counts from where it was.
            Some(good) if member.broken => res.push(Member { broken: true, ..good.now() }),
            // A head that has lost its supertypes for the moment takes roles from methods that nobody touched.
            Some(good) if says_the_same(&member.facts, &good.now().facts) => res.push(Member { facts: good.now().facts, ..member.clone() }),
            Some(_) => res.push(member.clone()),
            // It never was whole.
            None if member.broken => {}
            None => {
                new_starts.insert(member.start);
                res.push(member.clone());
            }
        }
    }
    res.extend(left.iter().filter(|it| !new_starts.contains(&it.1.range.start)).map(|it| it.1.now()));
    res.sort_by_key(|it| it.start);
    res
}

/// Whether two members have the same text, whatever their classes say of themselves.
fn says_the_same(a: &MemberFacts, b: &MemberFacts) -> bool {
    a.fields == b.fields
        && a.types == b.types
        && a.methods.len() == b.methods.len()
        && a.methods.iter().zip(&b.methods).all(|(a, b)| a.head == b.head && a.owner == b.owner && a.offset == b.offset && a.len == b.len && a.graph == b.graph)
}

/// Suppressions that the parser does not see for the moment.
fn retain_suppressions(new: &mut FileFacts, old: &FileFacts, shift: &impl Fn(u32) -> u32) {
    // An annotation covers a declaration, which may be changed all over; of a comment, whoever changes the lines that
    // it covers may have taken it out.
    let is_declaration = |start: u32| old.types.iter().any(|it| it.range.start == start || it.members.iter().any(|it| it.start == start));
    for known in &old.suppressions {
        let range = moved_range(known.range, shift);
        let is_whole = range.end.saturating_sub(range.start) == known.range.end - known.range.start;
        let stands = is_whole || (known.code.is_none() && is_declaration(known.range.start));
        let is_there = new.suppressions.iter().any(|it| it.range.start == range.start && it.code == known.code);
        if range.start < range.end && stands && !is_there {
            new.suppressions.push(Suppression { range, code: known.code });
        }
    }
    new.suppressions.sort_by_key(|it| (it.range, it.code.map(Sym::as_str)));
}

fn moved_range(range: Range, shift: &impl Fn(u32) -> u32) -> Range {
    Range { start: shift(range.start), end: shift(range.end) }
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
    let method = facts.methods.first().filter(|it| it.owner == super::OWN_CLASS);
    let field = facts.fields.first().filter(|it| it.owner == super::OWN_CLASS);
    Key {
        kind: method.map(|it| it.head.kind).filter(|it| *it != MemberKind::Field),
        name: field.map(|it| it.head.name).or(method.map(|it| it.head.name)).unwrap_or_else(|| Sym::new("")),
        params: method.map_or_else(Vec::new, |it| it.head.params.iter().map(|it| it.ty.name()).collect()),
    }
}

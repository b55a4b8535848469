//! Last good facts: while a file has syntax errors, what was known of its members before stands.
//!
//! Typing breaks code all the time, and a tree with errors loses whole methods for a moment, or finds them in the
//! wrong class. So until the file is whole again its types are the ones that were known, a member that is whole is
//! taken as it is, and one that is broken or not to be seen keeps the facts that it had.

use super::{FileFacts, Member, MemberFacts, TypeFacts};
use crate::intern::Sym;
use crate::java::decls::{MemberKind, Range};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What tells a member from the others of its type while its text changes.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    kind: Option<MemberKind>,
    name: Sym,
    params: Vec<Sym>,
    ordinal: u32,
}

/// A member of the text before, and where it is now.
struct Moved<'a> {
    member: &'a Member,
    /// Index of its type.
    class: usize,
    range: Range,
}

/// Completes the facts of a text with errors from those of the last text: `shift` moves an old position to the new
/// text.
pub fn retain(new: &mut FileFacts, old: &FileFacts, shift: impl Fn(u32) -> u32) {
    if new.errors == 0 {
        return;
    }
    if new.package.as_str().is_empty() {
        new.package = old.package;
    }
    if new.imports.len() < old.imports.len() {
        new.imports = Arc::clone(&old.imports);
    }
    for known in &old.suppressions {
        let range = Range { start: shift(known.range.start), end: shift(known.range.end) };
        let is_there = new.suppressions.iter().any(|it| it.range.start == range.start && it.code == known.code);
        if range.start < range.end && !is_there {
            new.suppressions.push(crate::java::patterns::Suppression { range, code: known.code });
        }
    }
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
    let own: Vec<&Moved<'_>> = moved.iter().filter(|it| it.class == class).collect();
    let known_keys = keys(own.iter().map(|it| it.member));
    let known: FxHashMap<&Key, &Member> = known_keys.iter().zip(&own).map(|(key, it)| (key, it.member)).collect();
    let seen: Vec<&Member> = seen.iter().filter(|it| !is_misread(it)).collect();
    let seen_keys = keys(seen.iter().copied());
    let mut res: Vec<Member> = Vec::new();
    // Places where a whole member is that was not known: one that was there before has become it.
    let mut new_starts: FxHashSet<u32> = FxHashSet::default();
    for (member, key) in seen.iter().zip(&seen_keys) {
        match known.get(key) {
            Some(good) if member.broken => res.push(Member { facts: Arc::clone(&good.facts), ..(*member).clone() }),
            Some(_) => res.push((*member).clone()),
            // It never was whole.
            None if member.broken => {}
            None => {
                new_starts.insert(member.start);
                res.push((*member).clone());
            }
        }
    }
    let present: FxHashSet<&Key> = seen_keys.iter().collect();
    for (it, key) in own.iter().zip(&known_keys) {
        if !present.contains(key) && !new_starts.contains(&it.range.start) {
            res.push(Member { start: it.range.start, len: it.range.end - it.range.start, ..it.member.clone() });
        }
    }
    res.sort_by_key(|it| it.start);
    res
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

/// The keys of the members of one type, which are given in their order.
fn keys<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<Key> {
    let mut seen: FxHashMap<Key, u32> = FxHashMap::default();
    members
        .map(|member| {
            let mut key = key(&member.facts);
            let count = seen.entry(key.clone()).or_insert(0);
            key.ordinal = *count;
            *count += 1;
            key
        })
        .collect()
}

fn key(facts: &MemberFacts) -> Key {
    let method = facts.methods.first().filter(|it| it.owner == super::OWN_CLASS);
    let field = facts.fields.first().filter(|it| it.owner == super::OWN_CLASS);
    Key {
        kind: method.map(|it| it.head.kind).filter(|it| *it != MemberKind::Field),
        name: field.map(|it| it.head.name).or(method.map(|it| it.head.name)).unwrap_or_else(|| Sym::new("")),
        params: method.map_or_else(Vec::new, |it| it.head.params.iter().map(|it| it.ty.name()).collect()),
        ordinal: 0,
    }
}

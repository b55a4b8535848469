//! Last good facts: while a file has syntax errors, what was known of its members before stands.
//!
//! Typing breaks code all the time, and a tree with errors loses whole methods for a moment. Their facts are kept
//! until the file is whole again, so that no finding flickers and no other file is linked against half a class.

use super::{FileFacts, Member, MemberFacts};
use crate::intern::Sym;
use crate::java::decls::{MemberKind, Range};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What tells a member from the others of its type while its text changes.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    class: Vec<Sym>,
    kind: Option<MemberKind>,
    name: Sym,
    params: Vec<Sym>,
    ordinal: u32,
}

/// Completes the facts of a text with errors from those of the last text: `shift` moves an old position to the new
/// text.
pub fn retain(new: &mut FileFacts, old: &FileFacts, shift: impl Fn(u32) -> u32) {
    if new.errors == 0 {
        return;
    }
    let old_keys = keys(old);
    let mut old_members: FxHashMap<&Key, &Member> = FxHashMap::default();
    for (key, member) in &old_keys {
        old_members.insert(key, member);
    }
    let new_keys: Vec<Key> = keys(new).into_iter().map(|it| it.0).collect();
    // A broken member keeps what it had when it was whole, or nothing if it never was.
    let mut next = 0;
    for class in &mut new.types {
        class.members.retain_mut(|member| {
            let key = &new_keys[next];
            next += 1;
            if !member.broken {
                return true;
            }
            match old_members.get(key) {
                Some(good) => {
                    member.facts = Arc::clone(&good.facts);
                    true
                }
                None => false,
            }
        });
    }
    let present: rustc_hash::FxHashSet<Key> = keys(new).into_iter().map(|it| it.0).collect();
    for (i, class) in old.types.iter().enumerate() {
        let path = class_path(old, i);
        let index = (0..new.types.len()).find(|&it| class_path(new, it) == path);
        let moved = |range: Range| Range { start: shift(range.start), end: shift(range.end) };
        let index = match index {
            Some(index) => index,
            None => {
                let outer = class.outer.and_then(|outer| {
                    let outer = class_path(old, outer as usize);
                    (0..new.types.len()).find(|&it| class_path(new, it) == outer)
                });
                new.types.push(super::TypeFacts {
                    head: Arc::clone(&class.head),
                    outer: outer.map(|it| it as u32),
                    name: moved(class.name),
                    range: moved(class.range),
                    members: Vec::new(),
                });
                new.types.len() - 1
            }
        };
        let first = old.types[..i].iter().map(|it| it.members.len()).sum::<usize>();
        let mut added = false;
        for (at, member) in class.members.iter().enumerate() {
            if !present.contains(&old_keys[first + at].0) {
                new.types[index].members.push(Member { start: shift(member.start), ..member.clone() });
                added = true;
            }
        }
        if added {
            new.types[index].members.sort_by_key(|it| it.start);
        }
    }
    if new.package.as_str().is_empty() {
        new.package = old.package;
    }
    if new.imports.len() < old.imports.len() {
        new.imports = Arc::clone(&old.imports);
    }
}

fn class_path(file: &FileFacts, index: usize) -> Vec<Sym> {
    let mut path = Vec::new();
    let mut at = Some(index);
    while let Some(i) = at {
        path.push(file.types[i].head.name);
        at = file.types[i].outer.map(|it| it as usize);
    }
    path
}

/// The members of a file with their keys, in order.
fn keys(file: &FileFacts) -> Vec<(Key, &Member)> {
    let mut seen: FxHashMap<Key, u32> = FxHashMap::default();
    let mut found = Vec::new();
    for (i, class) in file.types.iter().enumerate() {
        let path = class_path(file, i);
        for member in &class.members {
            let mut key = key(&path, &member.facts);
            let count = seen.entry(key.clone()).or_insert(0);
            key.ordinal = *count;
            *count += 1;
            found.push((key, member));
        }
    }
    found
}

fn key(class: &[Sym], facts: &MemberFacts) -> Key {
    let method = facts.methods.first().filter(|it| it.owner == super::OWN_CLASS);
    let field = facts.fields.first().filter(|it| it.owner == super::OWN_CLASS);
    Key {
        class: class.to_vec(),
        kind: method.map(|it| it.head.kind).filter(|it| *it != MemberKind::Field),
        name: field.map(|it| it.head.name).or(method.map(|it| it.head.name)).unwrap_or_else(|| Sym::new("")),
        params: method.map_or_else(Vec::new, |it| it.head.params.iter().map(|it| it.ty.name()).collect()),
        ordinal: 0,
    }
}

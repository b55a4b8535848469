//! Rows of `mockpoint.toml` that name what is not there.
//!
//! Only what is sure is said. A class that was not read may be made by the build, so its name must be that of a class
//! next to it but for a slip of the pen; a member may be made by an annotation or come with a supertype that was not read.

use crate::config::{ConfigProblem, ConfigSource, Row, Use};
use crate::intern::Sym;
use crate::java::decls::TypeKind;
use crate::link::Linked;
use crate::link::symbols::{Symbols, TypeId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What is wrong with the names of rows, each with its file.
pub fn unresolved(linked: &Linked) -> Vec<(Arc<ConfigSource>, ConfigProblem)> {
    let listed = &linked.listed;
    let rows = listed.project.rows().iter().zip(&listed.types);
    let found = rows.filter_map(|(row, &ty)| {
        if matches!(row.used, Use::EntryAnnotation | Use::BeanAnnotation | Use::PointAnnotation) {
            return None;
        }
        let message = if linked.symbols.is_own(ty) { wrong_member(linked, row, ty) } else { wrong_type(&linked.symbols, row.ty.as_str(), ty) }?;
        Some((Arc::clone(listed.project.source_of(row)), ConfigProblem { range: row.range, message }))
    });
    found.collect()
}

/// Says that a name of no class is meant to be that of another.
fn wrong_type(symbols: &Symbols, name: &str, ty: TypeId) -> Option<String> {
    if symbols.lib(ty).is_some() {
        return None;
    }
    let (around, simple) = name.rsplit_once('.')?;
    let is_meant = |it: &&str| it.strip_prefix(around).and_then(|it| it.strip_prefix('.')).is_some_and(|it| !it.contains('.') && is_slip(it, simple));
    let mut meant = symbols.types.iter().map(|it| it.name.as_str()).filter(is_meant);
    let meant = meant.next()?;
    Some(format!("there is no class `{name}`; is `{meant}` meant?"))
}

/// Whether `written` is `name` but for upper and lower case, two letters that are swapped, or one inside that is missing or too many.
fn is_slip(name: &str, written: &str) -> bool {
    if name.eq_ignore_ascii_case(written) {
        return name != written;
    }
    let (name, written): (Vec<char>, Vec<char>) = (name.chars().collect(), written.chars().collect());
    let same_start = name.iter().zip(&written).take_while(|it| it.0 == it.1).count();
    let same_end = name.iter().rev().zip(written.iter().rev()).take_while(|it| it.0 == it.1).count();
    let (short, long) = (name.len().min(written.len()), name.len().max(written.len()));
    match long - short {
        0 => same_start + same_end + 2 == long && name[same_start] == written[same_start + 1] && name[same_start + 1] == written[same_start],
        // A letter at an end makes another word: `Order`, `Orders`, `QOrder`.
        1 => short <= same_start + same_end && 0 < same_start && same_start < short && 0 < same_end && same_end < short,
        _ => false,
    }
}

/// Says that a class has no such member.
fn wrong_member(linked: &Linked, row: &Row, ty: TypeId) -> Option<String> {
    // Everything has a constructor.
    if matches!(row.member.as_str(), "*" | "<init>") || !has_all(linked, row, ty) {
        return None;
    }
    let what = match row.used {
        Use::NeverModified => "field",
        Use::Source if row.params.is_none() => "method or field",
        _ => "method",
    };
    Some(format!("class `{}` has no {what} `{}`", row.ty, row.member))
}

/// Whether all members of a class and of all classes below it are known, and the one that a row names is not among them.
fn has_all(linked: &Linked, row: &Row, ty: TypeId) -> bool {
    let symbols = &linked.symbols;
    let (mut seen, mut work) = (FxHashSet::from_iter([ty]), vec![ty]);
    while let Some(id) = work.pop() {
        if !is_plain(linked, id) || !symbols.above(id).iter().all(|&it| is_plain(linked, it)) || has(symbols, row, id) {
            return false;
        }
        let below = symbols.own(id).map_or(&[][..], |it| &it.subs);
        work.extend(below.iter().copied().filter(|&it| seen.insert(it)));
    }
    true
}

/// Whether the members of a type are those that its source has.
fn is_plain(linked: &Linked, id: TypeId) -> bool {
    let Some(info) = linked.symbols.own(id) else { return false };
    let head = info.head.get();
    let facts = &linked.files[info.file as usize].facts;
    let makes_members = || facts.imports.iter().any(|it| it.name.as_str().split('.').next() == Some("lombok"));
    !info.open && head.annotations.is_empty() && matches!(head.kind, TypeKind::Class | TypeKind::Interface) && facts.errors == 0 && !makes_members()
}

fn has(symbols: &Symbols, row: &Row, id: TypeId) -> bool {
    let field = matches!(row.used, Use::NeverModified | Use::Source) && symbols.find_field(id, row.member).is_some();
    let method = row.used != Use::NeverModified && (!symbols.find_methods(id, row.member).is_empty() || is_of_object(row.member));
    field || method
}

/// Whether every object has a method of this name.
fn is_of_object(name: Sym) -> bool {
    matches!(name.as_str(), "toString" | "equals" | "hashCode" | "getClass" | "clone" | "finalize" | "notify" | "notifyAll" | "wait")
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn slips_and_other_words() {
        for (name, written) in [("Clock", "Clcok"), ("Clock", "Clok"), ("Clock", "clock"), ("Clock", "Cloock"), ("OrderDAO", "OrderDao")] {
            assert!(is_slip(name, written), "{name} {written}");
        }
        for (name, written) in
            [("Order", "Orders"), ("Order", "QOrder"), ("OrderDao", "OrderDto"), ("Clock", "Clock"), ("A", "AB"), ("", "a"), ("Order", "Ordering")]
        {
            assert!(!is_slip(name, written), "{name} {written}");
        }
    }
}

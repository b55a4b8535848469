//! The declarations of a file by where they are.

use crate::facts::{FieldFacts, Member, MethodFacts, OWN_CLASS, TypeFacts};
use crate::java::decls::{MemberKind, Range};
use crate::workspace::SourceFile;

/// A method or field of a file.
pub struct Declaration<'a> {
    /// The type that the member belongs to. What is declared may belong to a type inside the member.
    pub class: &'a TypeFacts,
    /// The member that holds it.
    pub member: &'a Member,
    /// What it is.
    pub item: Item<'a>,
    /// Its name, in the file.
    pub name: Range,
}

/// What is declared.
#[derive(Clone, Copy)]
pub enum Item<'a> {
    /// A method or constructor.
    Method(&'a MethodFacts),
    /// A field.
    Field(&'a FieldFacts),
}

impl Declaration<'_> {
    /// Whether it belongs to the type of its member, and not to one inside the member.
    pub fn is_own(&self) -> bool {
        let owner = match self.item {
            Item::Method(method) => method.owner,
            Item::Field(field) => field.owner,
        };
        owner == OWN_CLASS
    }

    /// Where it begins in the file, with its modifiers and annotations.
    pub fn start(&self) -> u32 {
        match self.item {
            Item::Method(method) => self.member.start.saturating_add(method.offset),
            Item::Field(_) => self.member.start,
        }
    }
}

/// The declaration whose name is at `offset`.
pub fn named_at(file: &SourceFile, offset: usize) -> Option<Declaration<'_>> {
    let offset = u32::try_from(offset).ok()?;
    let is_here = |range: Range| range.start <= offset && offset <= range.end;
    for class in &file.facts.types {
        for member in &class.members {
            if !is_here(Range { start: member.start, end: member.start.saturating_add(member.len) }) {
                continue;
            }
            for field in member.facts.fields.iter().filter(|it| !it.captured) {
                let name = field.name.absolute(member.start);
                if is_here(name) {
                    return Some(Declaration { class, member, item: Item::Field(field), name });
                }
            }
            for method in member.facts.methods.iter().filter(|it| has_name(it.head.kind)) {
                let name = method.name.absolute(member.start.saturating_add(method.offset));
                if is_here(name) {
                    return Some(Declaration { class, member, item: Item::Method(method), name });
                }
            }
        }
    }
    None
}

/// The source name of a type: `pkg.Outer.Inner`.
pub fn class_name(file: &SourceFile, class: &TypeFacts) -> String {
    let mut parts = vec![class.head.name.as_str()];
    let mut outer = class.outer;
    // Outer types come before inner ones, so this ends.
    while let Some(around) = outer.and_then(|it| file.facts.types.get(it as usize)) {
        parts.push(around.head.name.as_str());
        outer = around.outer.filter(|it| Some(*it) < outer);
    }
    let package = file.facts.package.as_str();
    if !package.is_empty() {
        parts.push(package);
    }
    parts.reverse();
    parts.join(".")
}

/// What runs without a name of its own has its first byte for one.
fn has_name(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Method | MemberKind::Constructor | MemberKind::CompactConstructor)
}

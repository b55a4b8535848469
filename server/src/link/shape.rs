//! Whether two versions of a file differ in more than what bodies do: what an edit leaves of the last link.

use crate::facts::{FileFacts, MemberFacts};
use crate::java::decls::MethodHead;
use std::sync::Arc;

/// Whether a file declares anything whose change other files could notice: used to tell edits of bodies from others.
pub fn same_shape(a: &FileFacts, b: &FileFacts) -> bool {
    a.package == b.package
        && a.imports == b.imports
        && a.types.len() == b.types.len()
        && a.types.iter().zip(&b.types).all(|(a, b)| {
            a.outer == b.outer
                && a.head == b.head
                && a.members.len() == b.members.len()
                && a.members.iter().zip(&b.members).all(|(a, b)| same_member(&a.facts, &b.facts))
        })
}

/// The same for one member: only what its bodies do may differ.
pub fn same_member(a: &Arc<MemberFacts>, b: &Arc<MemberFacts>) -> bool {
    Arc::ptr_eq(a, b)
        || (a.methods.len() == b.methods.len()
            && a.methods.iter().zip(&b.methods).all(|(a, b)| a.head == b.head && a.owner == b.owner && a.role == b.role)
            && a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(|(a, b)| a.head == b.head && a.owner == b.owner && a.captured == b.captured)
            && a.types.len() == b.types.len()
            && a.types.iter().zip(&b.types).all(|(a, b)| a.head == b.head && a.method == b.method && a.outer == b.outer && a.number == b.number))
}

/// Whether one member is another one whose method got another name.
pub fn is_renamed(a: &MemberFacts, b: &MemberFacts) -> bool {
    let [first, rest @ ..] = &a.methods[..] else { return false };
    let [now, others @ ..] = &b.methods[..] else { return false };
    let same_nested = a.types.len() == b.types.len() && a.fields.is_empty() && b.fields.is_empty() && rest.len() == others.len();
    same_nested
        && first.owner == now.owner
        && MethodHead { name: now.head.name, ..first.head.clone() } == now.head
        && rest.iter().zip(others).all(|(a, b)| a.head == b.head && a.owner == b.owner)
}

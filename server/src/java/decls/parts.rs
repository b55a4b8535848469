//! The parts of a declaration, found in one pass: to look for one part of a node goes through all before it.

use super::Flags;
use super::list::slice;
use crate::java::annotations::{self, Annotation};
use crate::java::body::ends_behind;
use crate::java::kinds::{FieldName, Kind, field, kind};
use smallvec::SmallVec;
use tree_sitter::Node;

/// See the module.
pub(super) struct Parts<'t> {
    /// What stands before everything else, but comments.
    modifiers: SmallVec<[Node<'t>; 1]>,
    /// What has a name in the grammar.
    named: SmallVec<[(FieldName, Node<'t>); 8]>,
}

impl<'t> Parts<'t> {
    /// The parts of a node.
    pub(super) fn of(node: Node<'t>, text: &str) -> Parts<'t> {
        let mut parts = Parts { modifiers: SmallVec::new(), named: SmallVec::new() };
        let (mut cursor, end) = (node.walk(), node.end_byte());
        let mut begins = true;
        let mut is_more = cursor.goto_first_child();
        while is_more {
            let part = cursor.node();
            match kind(part.kind_id()) {
                Kind::Modifiers | Kind::MarkerAnnotation | Kind::Annotation if begins => parts.modifiers.push(part),
                Kind::LineComment | Kind::BlockComment => {}
                _ => {
                    begins &= !part.is_named();
                    if let Some(id) = cursor.field_id() {
                        parts.named.push((field(Some(id)), part));
                    }
                }
            }
            is_more = !ends_behind(text, part, end) && cursor.goto_next_sibling();
        }
        parts
    }

    /// The first part of this name.
    pub(super) fn get(&self, name: FieldName) -> Option<Node<'t>> {
        self.named.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// The parts that are of this kind.
    pub(super) fn of_kind(&self, wanted: Kind) -> impl Iterator<Item = Node<'t>> {
        self.named.iter().map(|it| it.1).filter(move |it| kind(it.kind_id()) == wanted)
    }

    /// How many brackets stand behind the name.
    pub(super) fn dimensions(&self, text: &str) -> u8 {
        self.get(FieldName::Dimensions).map_or(0, |it| slice(it, text).matches('[').count()) as u8
    }

    /// Modifiers and annotations, which may also stand before the result type.
    pub(super) fn modifiers(&self, text: &str) -> (Flags, Vec<Annotation>) {
        let mut flags = Flags::default();
        let mut annotations: Vec<Annotation> = Vec::new();
        for &part in &self.modifiers {
            match kind(part.kind_id()) {
                Kind::Modifiers => modifiers(part, text, &mut flags, &mut annotations),
                _ => annotations.extend(annotations::read(part, text)),
            }
        }
        if annotations::has(&annotations, "Override") {
            flags.add(Flags::OVERRIDE);
        }
        (flags, annotations)
    }
}

fn modifiers(node: Node<'_>, text: &str, flags: &mut Flags, annotations: &mut Vec<Annotation>) {
    let written = slice(node, text);
    // Mostly there are words alone.
    if !written.contains(['@', '/']) {
        written.split_ascii_whitespace().for_each(|it| flags.add(flag(it)));
        return;
    }
    let mut cursor = node.walk();
    for modifier in node.named_children(&mut cursor) {
        match kind(modifier.kind_id()) {
            Kind::MarkerAnnotation | Kind::Annotation => annotations.extend(annotations::read(modifier, text)),
            _ => flags.add(flag(slice(modifier, text))),
        }
    }
}

fn flag(text: &str) -> Flags {
    match text {
        "public" => Flags::PUBLIC,
        "protected" => Flags::PROTECTED,
        "private" => Flags::PRIVATE,
        "static" => Flags::STATIC,
        "final" => Flags::FINAL,
        "abstract" => Flags::ABSTRACT,
        "default" => Flags::DEFAULT,
        "volatile" => Flags::VOLATILE,
        "native" => Flags::NATIVE,
        _ => Flags::default(),
    }
}

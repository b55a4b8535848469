//! A text with its tree, and the questions that rewrites ask of it.

use crate::java::kinds::{FieldName, Kind, child, kind, language};
use std::ops::Range;
use tree_sitter::{Node, Parser, Tree};

/// A text that is rewritten.
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    tree: Tree,
}

/// What a node is.
pub(super) fn kind_of(node: Node<'_>) -> Kind {
    kind(node.kind_id())
}

/// Whether a node declares a class, record or enum: a type that may have methods with bodies that others replace.
pub(super) fn is_class(node: Node<'_>) -> bool {
    matches!(kind_of(node), Kind::Class | Kind::Record | Kind::Enum)
}

/// The named children of a node.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

impl<'a> Source<'a> {
    /// Parses a text. `None` if it has syntax errors: what cannot be read as a whole is not rewritten.
    pub fn new(text: &'a str) -> Option<Source<'a>> {
        let mut parser = Parser::new();
        parser.set_language(&language()).ok()?;
        let tree = parser.parse(text, None)?;
        (!tree.root_node().has_error()).then_some(Source { text, tree })
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The text of a node.
    pub(super) fn of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a field of a node.
    pub(super) fn field(&self, node: Node<'_>, field: FieldName) -> Option<&'a str> {
        child(node, field).map(|it| self.of(it))
    }

    /// The nodes around bytes, the outermost first.
    pub(super) fn around(&self, bytes: &Range<usize>) -> Vec<Node<'_>> {
        let mut cursor = self.tree.walk();
        let mut found = vec![cursor.node()];
        while cursor.goto_first_child_for_byte(bytes.start).is_some() {
            // A child that ends where the bytes begin is not around them.
            while cursor.node().end_byte() < bytes.end || (cursor.node().end_byte() == bytes.start && bytes.start < bytes.end) {
                if !cursor.goto_next_sibling() {
                    return found;
                }
            }
            if bytes.start < cursor.node().start_byte() {
                return found;
            }
            found.push(cursor.node());
        }
        found
    }

    /// The words of the modifiers of a declaration, annotations left out.
    pub(super) fn has_modifier(&self, declaration: Node<'_>, word: &str) -> bool {
        let modifiers = children(declaration).into_iter().find(|it| kind_of(*it) == Kind::Modifiers);
        modifiers.is_some_and(|it| {
            let mut cursor = it.walk();
            it.children(&mut cursor).any(|it| self.of(it) == word)
        })
    }

    /// Whether a declaration bears an annotation of this simple name.
    pub(super) fn has_annotation(&self, declaration: Node<'_>, name: &str) -> bool {
        let modifiers = children(declaration).into_iter().find(|it| kind_of(*it) == Kind::Modifiers);
        modifiers.is_some_and(|it| {
            children(it).into_iter().any(|it| self.field(it, FieldName::Name).is_some_and(|it| it == name || it.ends_with(&format!(".{name}"))))
        })
    }

    /// The blanks that the line of a byte begins with.
    pub(super) fn indentation(&self, at: usize) -> &'a str {
        let line = self.line_start(at);
        let rest = self.text.get(line..).unwrap_or_default();
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// The byte that the line of a byte begins at.
    pub(super) fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|it| it.rfind(['\n', '\r'])).map_or(0, |it| it + 1)
    }

    /// One step of indentation, as the text has it.
    pub(super) fn step(&self, outer: &str, inner: &str) -> String {
        inner.strip_prefix(outer).filter(|it| !it.is_empty()).unwrap_or(if inner.contains('\t') { "\t" } else { "    " }).to_owned()
    }

    /// The line break that the text uses.
    pub(super) fn line_break(&self) -> &'static str {
        match self.text.find(['\n', '\r']) {
            Some(at) if self.text[at..].starts_with("\r\n") => "\r\n",
            Some(at) if self.text[at..].starts_with('\r') => "\r",
            _ => "\n",
        }
    }

    /// Whether a word stands anywhere in the text as a whole, other than as the name of a method.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.has_word_in(word, 0..self.text.len())
    }

    /// Whether a word stands in a part of the text as a whole.
    pub(super) fn has_word_in(&self, word: &str, part: Range<usize>) -> bool {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let Some(text) = self.text.get(part) else { return false };
        let is_whole = |at: usize| !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next());
        // Methods have names of their own.
        text.match_indices(word).any(|(at, _)| is_whole(at) && !text[at + word.len()..].starts_with('('))
    }

    /// Whether the simple name of a type means this type, by the imports of the text.
    pub fn means(&self, simple: &str, qualified: &str) -> bool {
        let Some((package, name)) = qualified.rsplit_once('.').filter(|it| it.1 == simple) else { return false };
        let mut on_demand = package == "java.lang";
        for import in self.imports() {
            if import == qualified {
                return true;
            }
            if import.rsplit_once('.').is_some_and(|it| it.1 == name) {
                return false;
            }
            on_demand |= import.strip_suffix(".*") == Some(package);
        }
        on_demand
    }

    /// What the text imports, static imports left out.
    fn imports(&self) -> Vec<String> {
        let imports = children(self.root()).into_iter().filter(|it| kind_of(*it) == Kind::Import);
        let words = imports.map(|it| self.of(it).trim_start_matches("import").trim_end_matches(';').split_whitespace().collect::<Vec<_>>());
        words.filter(|it| it.first() != Some(&"static")).map(|it| it.concat()).collect()
    }

    /// How to write a type here, and the edit that imports it if one is needed.
    pub(super) fn name_of(&self, qualified: &str) -> (String, Option<super::Edit>) {
        let simple = qualified.rsplit('.').next().unwrap_or(qualified);
        if self.means(simple, qualified) {
            return (simple.to_owned(), None);
        }
        let edit = if self.has_word(simple) { None } else { self.import(qualified) };
        match edit {
            Some(edit) => (simple.to_owned(), Some(edit)),
            None => (qualified.to_owned(), None),
        }
    }

    fn import(&self, qualified: &str) -> Option<super::Edit> {
        let tops = children(self.root());
        let last = tops.iter().rfind(|it| kind_of(**it) == Kind::Import).or(tops.iter().find(|it| kind_of(**it) == Kind::Package))?;
        let gap = if kind_of(*last) == Kind::Package { self.line_break() } else { "" };
        super::Edit::insert(last.end_byte(), format!("{gap}{}import {qualified};", self.line_break()))
    }
}

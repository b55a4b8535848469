//! Adds tests to a test class that is there.

use super::Tests;
use crate::java::kinds::{FieldName, Kind, child};
use crate::rewrite::source::{children, kind_of};
use crate::rewrite::{Edit, Source};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// A test class to add to.
pub struct Existing {
    /// What simple names of types mean in its file.
    pub types: BTreeMap<String, String>,
    /// Names of its methods.
    pub methods: BTreeSet<String>,
    imported: BTreeSet<String>,
    /// Where imports go, and where methods go.
    imports_at: (usize, bool),
    statics_at: Option<usize>,
    end: usize,
    line_break: &'static str,
    indent: String,
}

/// Reads a test class. `None` if tests cannot safely be added to it: it is of another framework, inherits names, or is
/// not to be read as a whole.
pub fn existing(source: &Source<'_>, class: &str) -> Option<Existing> {
    let tops = children(source.root());
    let declared = *tops.iter().find(|it| kind_of(**it) == Kind::Class && source.field(**it, FieldName::Name) == Some(class))?;
    if source.has_modifier(declared, "abstract") || child(declared, FieldName::Superclass).is_some() || child(declared, FieldName::Interfaces).is_some() {
        return None;
    }
    let body = child(declared, FieldName::Body)?;
    let mut types = BTreeMap::new();
    let mut imported = BTreeSet::new();
    let mut methods = BTreeSet::new();
    for import in tops.iter().filter(|it| kind_of(**it) == Kind::Import) {
        let text = source.of(*import).trim_start_matches("import").trim_end_matches(';');
        let words: Vec<&str> = text.split_whitespace().collect();
        let (is_static, name) = if words.first() == Some(&"static") { (true, words[1..].concat()) } else { (false, words.concat()) };
        if name == "org.junit.Test" {
            return None;
        }
        let simple = name.rsplit('.').next().unwrap_or_default().to_owned();
        if is_static {
            // What is imported already needs no second import; what means something else is taken.
            imported.insert(name.clone());
            if simple != "*"
                && !["org.junit.jupiter.api.Assertions.", "org.junit.jupiter.api.Assumptions.", "org.mockito.Mockito.", "org.mockito.ArgumentMatchers."]
                    .iter()
                    .any(|it| name.starts_with(it))
            {
                methods.insert(simple);
            }
        } else if simple != "*" {
            types.insert(simple, name);
        }
    }
    if !types.values().any(|it| it.starts_with("org.junit.jupiter.")) && !source.text.contains("import org.junit.jupiter.api.*;") {
        return None;
    }
    let members = children(body);
    for member in &members {
        if let Some(name) = source.field(*member, FieldName::Name) {
            if kind_of(*member) == Kind::Method {
                methods.insert(name.to_owned());
            } else {
                types.insert(name.to_owned(), format!("{class}.{name}"));
            }
        }
    }
    let is_static = |it: &&Node<'_>| kind_of(**it) == Kind::Import && source.of(**it).split_whitespace().nth(1) == Some("static");
    let statics_at = tops.iter().rfind(is_static).map(|it| it.end_byte());
    let last = tops.iter().rfind(|it| kind_of(**it) == Kind::Import).or(tops.iter().find(|it| kind_of(**it) == Kind::Package));
    let imports_at = last.map_or((0, false), |it| (it.end_byte(), kind_of(*it) == Kind::Package));
    let outer = source.indentation(declared.start_byte());
    let indent =
        members.iter().find(|it| kind_of(**it) == Kind::Method).map_or_else(|| format!("{outer}    "), |it| source.indentation(it.start_byte()).to_owned());
    Some(Existing { types, methods, imported, imports_at, statics_at, end: end_of(source, body)?, line_break: source.line_break(), indent })
}

/// Where the line of the closing brace begins, or the brace itself if other text stands before it.
fn end_of(source: &Source<'_>, body: Node<'_>) -> Option<usize> {
    let brace = body.end_byte().checked_sub(1)?;
    let line = source.line_start(brace);
    Some(if source.text.get(line..brace)?.trim().is_empty() && line > body.start_byte() { line } else { brace })
}

impl Existing {
    /// The edits that add tests.
    pub fn add(&self, tests: &Tests) -> Option<Vec<Edit>> {
        let line = self.line_break;
        let (types, statics) = tests.imports();
        let known: BTreeSet<&String> = self.types.values().collect();
        let (imports_at, is_package) = self.imports_at;
        let mut edits = Vec::new();
        let mut imports: String = statics.iter().filter(|it| !self.imported.contains(*it)).map(|it| format!("{line}import static {it};")).collect();
        if let Some(at) = self.statics_at.filter(|it| *it != imports_at && !imports.is_empty()) {
            edits.push(Edit::insert(at, std::mem::take(&mut imports))?);
        }
        for it in types.iter().filter(|it| !known.contains(it)) {
            imports.push_str(&format!("{line}import {it};"));
        }
        if !imports.is_empty() {
            edits.push(Edit::insert(imports_at, if is_package { format!("{line}{imports}") } else { imports })?);
        }
        edits.push(Edit::insert(self.end, format!("{line}{}", tests.text(&self.indent, line)))?);
        Some(edits)
    }
}

//! The elements of an XML file with their places.
//!
//! The tokens come from quick-xml. What is made of them is a flat list in the order of the start tags, so that whoever
//! reads it needs no recursion. Broken files give the elements before and, where it can be told, after the error.

use super::entities::Entities;
use super::namespaces::{Ns, of_prefix, of_uri};
use super::problems::{Problems, short};
use crate::java::decls::Range;
use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Elements below this level are not read.
pub(super) const ALL: usize = 200;
/// Nor more elements or attributes than this in a file.
const MAX_ITEMS: usize = 400_000;
/// What of an element's text is kept, in bytes: names and numbers are shorter, and scripts do not matter.
const MAX_TEXT: usize = 1024;
/// Namespace declarations that hold at one place.
const MAX_BINDINGS: usize = 200;

/// No element.
pub(super) const NONE: u32 = u32::MAX;

/// The elements of a file.
pub(super) struct Tree<'t> {
    pub(super) elements: Vec<Element<'t>>,
    attributes: Vec<Attribute<'t>>,
}

/// An element.
pub(super) struct Element<'t> {
    pub(super) ns: Ns,
    /// The name without prefix.
    pub(super) local: &'t str,
    /// The index of the element around it, or [`NONE`].
    pub(super) parent: u32,
    /// The start tag.
    pub(super) range: Range,
    /// The text directly in it, if it was asked for.
    pub(super) text: Cow<'t, str>,
    attributes: (u32, u32),
}

/// An attribute.
pub(super) struct Attribute<'t> {
    /// Without a prefix [`Ns::Beans`]: it means what its element says.
    pub(super) ns: Ns,
    prefix: &'t str,
    /// The name without prefix.
    pub(super) local: &'t str,
    /// The value with entities replaced.
    pub(super) value: Cow<'t, str>,
    /// The value between the quotes.
    pub(super) range: Range,
}

impl<'t> Tree<'t> {
    /// The attributes of an element.
    pub(super) fn attributes(&self, element: usize) -> &[Attribute<'t>] {
        let (start, end) = self.elements[element].attributes;
        &self.attributes[start as usize..end as usize]
    }

    /// An attribute without prefix.
    pub(super) fn attribute(&self, element: usize, name: &str) -> Option<&Attribute<'t>> {
        self.attributes(element).iter().find(|it| it.ns == Ns::Beans && it.local == name)
    }

    /// The value of an attribute without prefix, trimmed; `None` if it is empty.
    pub(super) fn get(&self, element: usize, name: &str) -> Option<&str> {
        self.attribute(element, name).map(|it| it.value.trim()).filter(|it| !it.is_empty())
    }

    /// The elements directly in one, in order. Costs time in the number of all elements in it.
    pub(super) fn children(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        // An element's descendants come right behind it, and their parents are at least it.
        let all = (element + 1..self.elements.len()).take_while(move |&it| {
            let parent = self.elements[it].parent;
            parent != NONE && element <= parent as usize
        });
        all.filter(move |&it| self.elements[it].parent as usize == element)
    }
}

/// An element that is not closed yet.
struct Open<'t> {
    /// With prefix.
    name: &'t str,
    index: u32,
    /// How many namespace declarations held around it.
    n_bindings: usize,
}

struct Builder<'t, 'p> {
    text: &'t str,
    tree: Tree<'t>,
    open: Vec<Open<'t>>,
    /// Elements around the current place that are too deep to be kept.
    n_skipped: usize,
    /// Prefixes in scope, the innermost last.
    bindings: Vec<(&'t str, Ns)>,
    entities: Entities<'t>,
    keep: usize,
    wants_text: fn(&str) -> bool,
    is_full: bool,
    problems: &'p mut Problems,
}

/// Reads the elements of `text`. Those `keep` levels below the root and deeper are left out, which is a problem only if
/// `keep` is [`ALL`]. `wants_text` says of an element's name whether the text in it matters.
pub(super) fn read<'t>(text: &'t str, keep: usize, wants_text: fn(&str) -> bool, problems: &mut Problems) -> Tree<'t> {
    let mut builder = Builder {
        text,
        tree: Tree { elements: Vec::new(), attributes: Vec::new() },
        open: Vec::new(),
        n_skipped: 0,
        bindings: Vec::new(),
        entities: Entities::new(),
        keep,
        wants_text,
        is_full: false,
        problems,
    };
    builder.run();
    builder.tree
}

fn range(start: usize, end: usize) -> Range {
    Range { start: start as u32, end: end as u32 }
}

/// Reads the tokens of `text`, without a mark at its begin, with no checks of its own: what is wrong is found here.
pub(super) fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

impl<'t> Builder<'t, '_> {
    fn run(&mut self) {
        let base = self.text.len() - self.text.trim_start_matches('\u{feff}').len();
        let mut reader = reader(&self.text[base..]);
        loop {
            let start = base + reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = (base + reader.buffer_position() as usize).min(self.text.len());
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => self.event(&event, start, end),
                Err(err) => {
                    let at = (base + reader.error_position() as usize).min(self.text.len());
                    self.problems.add(range(at, at), err.to_string());
                    // The reader goes on after what is merely not well-formed.
                    if !matches!(err, Error::IllFormed(_)) || end <= start {
                        break;
                    }
                }
            }
            if self.is_full {
                break;
            }
        }
        if let Some(open) = self.open.last()
            && !self.is_full
        {
            let at = self.tree.elements[open.index as usize].range;
            self.problems.add(at, format!("`<{}>` is not closed", short(open.name)));
        }
    }

    fn event(&mut self, event: &Event<'_>, start: usize, end: usize) {
        match event {
            Event::Start(tag) => self.start(tag, start, end, false),
            Event::Empty(tag) => self.start(tag, start, end, true),
            Event::End(tag) => self.end(tag.name().as_ref(), start, end),
            Event::DocType(_) => self.entities.declare(self.text.get(start..end).unwrap_or_default()),
            Event::Text(_) => self.add_text(start, end),
            // `<![CDATA[` and `]]>` are not of the text.
            Event::CData(_) => self.add_text(start + 9, end.saturating_sub(3)),
            Event::GeneralRef(entity) => {
                if let Some(element) = self.text_owner() {
                    let text = self.tree.elements[element].text.to_mut();
                    self.entities.put(entity, text, range(start, end), self.problems);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, start: usize, end: usize, is_empty: bool) {
        if self.n_skipped > 0 || self.keep <= self.open.len() {
            if self.n_skipped == 0 && self.keep == ALL {
                self.problems.add(range(start, end), format!("nested deeper than {ALL} elements, passed over"));
            }
            self.n_skipped += usize::from(!is_empty);
            return;
        }
        if MAX_ITEMS <= self.tree.elements.len().max(self.tree.attributes.len()) {
            self.problems.add(range(start, end), format!("more than {MAX_ITEMS} elements or attributes, the rest is passed over"));
            self.is_full = true;
            return;
        }
        // Between `<` and `>` or `/>`.
        let Some(content) = self.text.get(start + 1..end - 1 - usize::from(is_empty)) else { return };
        let Some(name) = content.get(..tag.name().as_ref().len()) else { return };
        let n_bindings = self.bindings.len();
        let attributes = self.attributes(content, name.len(), start + 1);
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let index = self.tree.elements.len() as u32;
        let parent = self.open.last().map_or(NONE, |it| it.index);
        self.tree.elements.push(Element { ns: self.resolve(prefix), local, parent, range: range(start, end), text: Cow::Borrowed(""), attributes });
        if is_empty {
            self.bindings.truncate(n_bindings);
        } else {
            self.open.push(Open { name, index, n_bindings });
        }
    }

    /// Reads the attributes of a start tag, of which `content` lies at `base`.
    fn attributes(&mut self, content: &'t str, name_len: usize, base: usize) -> (u32, u32) {
        let first = self.tree.attributes.len();
        let mut found = Attributes::new(content, name_len);
        // The reader's own check for duplicates compares each with all others.
        found.with_checks(false);
        for attribute in found {
            let attribute = match attribute {
                Ok(it) => it,
                Err(err) => {
                    self.problems.add(range(base - 1, base + content.len()), err.to_string());
                    continue;
                }
            };
            let Cow::Borrowed(raw) = attribute.value else { continue };
            let at = base + offset_in(content, raw);
            let value = if raw.contains('&') { Cow::Owned(self.entities.replace(raw, at, self.problems)) } else { Cow::Borrowed(raw) };
            let (prefix, local) = attribute.key.0.split_once(':').unwrap_or(("", attribute.key.0));
            match (prefix, local) {
                ("xmlns", prefix) => self.bind(prefix, &value),
                ("", "xmlns") => self.bind("", &value),
                _ if self.tree.attributes.len() < MAX_ITEMS => {
                    self.tree.attributes.push(Attribute { ns: Ns::Beans, prefix, local, value, range: range(at, at + raw.len()) });
                }
                _ => {}
            }
        }
        // What a prefix means may be said behind its use.
        for index in first..self.tree.attributes.len() {
            let prefix = self.tree.attributes[index].prefix;
            if !prefix.is_empty() {
                self.tree.attributes[index].ns = self.resolve(prefix);
            }
        }
        (first as u32, self.tree.attributes.len() as u32)
    }

    fn bind(&mut self, prefix: &'t str, uri: &str) {
        if self.bindings.len() < MAX_BINDINGS {
            self.bindings.push((prefix, of_uri(uri, prefix)));
        }
    }

    fn resolve(&self, prefix: &str) -> Ns {
        let bound = self.bindings.iter().rev().find(|it| it.0 == prefix);
        bound.map_or_else(|| of_prefix(prefix), |it| it.1)
    }

    fn end(&mut self, name: &str, start: usize, end: usize) {
        if self.n_skipped > 0 {
            self.n_skipped -= 1;
            return;
        }
        let Some(at) = self.open.iter().rposition(|it| it.name == name) else {
            self.problems.add(range(start, end), format!("`</{}>` closes nothing", short(name)));
            return;
        };
        if let Some(open) = self.open.get(at + 1) {
            let range = self.tree.elements[open.index as usize].range;
            self.problems.add(range, format!("`<{}>` is not closed", short(open.name)));
        }
        self.bindings.truncate(self.open[at].n_bindings);
        self.open.truncate(at);
    }

    /// The element that text at the current place belongs to, if it is wanted.
    fn text_owner(&self) -> Option<usize> {
        let open = self.open.last().filter(|_| self.n_skipped == 0)?;
        let element = &self.tree.elements[open.index as usize];
        ((self.wants_text)(element.local) && element.text.len() < MAX_TEXT).then_some(open.index as usize)
    }

    fn add_text(&mut self, start: usize, end: usize) {
        let Some(element) = self.text_owner() else { return };
        let Some(text) = self.text.get(start..end) else { return };
        let text = cut(text);
        let all = &mut self.tree.elements[element].text;
        if all.is_empty() {
            *all = Cow::Borrowed(text);
        } else {
            all.to_mut().push_str(text);
        }
    }
}

/// A text cut to what is kept of one.
pub(super) fn cut(text: &str) -> &str {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|&it| text.is_char_boundary(it));
    &text[..end.unwrap_or(0)]
}

/// Where `part`, which was cut out of `whole`, lies in it.
fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

//! Takes typed values out of the tree of a TOML text, and says what is wrong with those that are none.
//!
//! A value that is wrong costs itself, a row that lacks something costs the row.

use super::ConfigProblem;
use super::globs::Globs;
use crate::intern::Sym;
use crate::java::decls::Range;
use crate::near;
use std::collections::BTreeMap;
use std::ops;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Problems of one file that are told; more say nothing new. A text with more syntax errors is no TOML.
pub(super) const MAX_PROBLEMS: usize = 50;
/// Problems that are looked for: some behind the first ones may come before them in the text.
const MAX_FOUND: usize = 20 * MAX_PROBLEMS;

/// What is wrong so far.
#[derive(Default)]
pub(super) struct Reader {
    problems: Vec<ConfigProblem>,
    /// Problems beyond those that are kept.
    left: usize,
    /// Where the text is no TOML: values there are what the parser made up.
    broken: Vec<ops::Range<usize>>,
}

/// A type that a value can be taken as. `key` names it in messages.
pub(super) trait FromToml: Sized {
    /// The value, or nothing, and then what is wrong has been said.
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<Self>;
}

/// A type whose values are words.
pub(super) trait Word: Copy + 'static {
    /// The words.
    const WORDS: &'static [(&'static str, Self)];
}

impl Reader {
    /// Says that the text is no TOML at a place.
    pub(super) fn syntax(&mut self, range: Option<ops::Range<usize>>, message: &str) {
        let range = range.unwrap_or_default();
        self.say(&range, format!("not TOML: {message}"));
        self.broken.push(range);
    }

    /// Says that something is wrong.
    pub(super) fn say(&mut self, range: &ops::Range<usize>, message: String) {
        self.problem(bytes(range), message);
    }

    /// The same.
    pub(super) fn problem(&mut self, range: Range, message: String) {
        if self.problems.len() < MAX_FOUND {
            self.problems.push(ConfigProblem { range, message });
        } else {
            self.left += 1;
        }
    }

    /// Whether the parser has guessed at a part of a value.
    fn is_broken(&self, range: &ops::Range<usize>) -> bool {
        self.broken.iter().any(|it| it.start <= range.end && range.start <= it.end)
    }

    /// What is wrong, in the order of places.
    pub(super) fn into_problems(self) -> Vec<ConfigProblem> {
        let mut problems = self.problems;
        problems.sort_by_key(|it| it.range);
        let left = self.left + problems.len().saturating_sub(MAX_PROBLEMS);
        if left > 0 {
            problems.truncate(MAX_PROBLEMS);
            if let Some(last) = problems.last_mut() {
                last.message = format!("{} (and {left} more)", last.message);
            }
        }
        problems
    }
}

pub(super) fn bytes(range: &ops::Range<usize>) -> Range {
    let of = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Range { start: of(range.start), end: of(range.end) }
}

/// A table whose keys are taken one by one; what is left over is unknown.
pub(super) struct Keys<'t, 'i> {
    table: &'t DeTable<'i>,
    range: ops::Range<usize>,
    /// What the table is called in messages; empty for the whole file.
    name: String,
    known: Vec<&'static str>,
    /// Something that must be there is not.
    incomplete: bool,
}

impl<'t, 'i> Keys<'t, 'i> {
    /// The whole file.
    pub(super) fn root(table: &'t Spanned<DeTable<'i>>) -> Keys<'t, 'i> {
        Keys { table: table.get_ref(), range: table.span(), name: String::new(), known: Vec::new(), incomplete: false }
    }

    /// A value that should be a table.
    pub(super) fn new(value: &'t Spanned<DeValue<'i>>, name: &str, reader: &mut Reader) -> Option<Keys<'t, 'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(Keys { table, range: value.span(), name: name.to_owned(), known: Vec::new(), incomplete: false }),
            other => mismatch(other, &value.span(), name, "a table", reader),
        }
    }

    /// Where the table is. Of one under a header this is the header.
    pub(super) fn range(&self) -> Range {
        bytes(&self.range)
    }

    fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// The value of a key, if it is there and right.
    pub(super) fn optional<T: FromToml>(&mut self, key: &'static str, reader: &mut Reader) -> Option<T> {
        self.known.push(key);
        let value = self.table.get(key)?;
        let path = self.path(key);
        let taken = if reader.is_broken(&value.span()) { None } else { T::take(value, &path, reader) };
        // A row with a part that is wrong means something else without it.
        self.incomplete |= taken.is_none();
        taken
    }

    /// A value that is for people only: without it the row means the same.
    pub(super) fn remark(&mut self, key: &'static str, reader: &mut Reader) -> Option<Sym> {
        let before = self.incomplete;
        let taken = self.optional(key, reader);
        self.incomplete = before;
        taken
    }

    /// The value of a key that must be there.
    pub(super) fn required<T: FromToml>(&mut self, key: &'static str, reader: &mut Reader) -> Option<T> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            self.incomplete = true;
            // If the text is broken the key may be lost only to the parser.
            if reader.broken.is_empty() {
                reader.say(&self.range, format!("`{}` lacks `{key}`", self.name));
            }
            return None;
        }
        self.optional(key, reader)
    }

    /// Says which keys are unknown. Whether all that was asked for is right.
    pub(super) fn finish(self, reader: &mut Reader) -> bool {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if self.known.contains(&name) || reader.is_broken(&key.span()) {
                continue;
            }
            if reader.left > 0 {
                reader.left += 1;
                continue;
            }
            let names = self.known.iter().map(|&it| (format!("`{it}`"), it.to_owned())).collect();
            let offer = near::offer(&near::nearest(names, name));
            let offer = if offer.is_empty() { format!("; known are {}", self.known.join(", ")) } else { offer };
            reader.say(&key.span(), format!("unknown key `{}`{offer}", shown(&self.path(name))));
        }
        !self.incomplete
    }
}

/// Says that a value is of another type. Always nothing.
fn mismatch<T>(found: &DeValue<'_>, range: &ops::Range<usize>, key: &str, wanted: &str, reader: &mut Reader) -> Option<T> {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    reader.say(range, format!("`{key}` must be {wanted}, not {found}"));
    None
}

/// A text of the user in a message: without line breaks, and not longer than a line.
pub(super) fn shown(text: &str) -> String {
    const MAX: usize = 60;
    let mut res: String = text.chars().take(MAX).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().count() > MAX {
        res.push_str("...");
    }
    res
}

impl FromToml for String {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.clone().into_owned()),
            other => mismatch(other, &value.span(), key, "a string", reader),
        }
    }
}

impl FromToml for Sym {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<Sym> {
        String::take(value, key, reader).map(|it| Sym::new(&it))
    }
}

impl<T: Word> FromToml for T {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<T> {
        let text = String::take(value, key, reader)?;
        if let Some(found) = T::WORDS.iter().find(|it| it.0 == text) {
            return Some(found.1);
        }
        let words: Vec<String> = T::WORDS.iter().map(|it| format!("`{}`", it.0)).collect();
        let (last, others) = words.split_last()?;
        reader.say(&value.span(), format!("`{key}` must be {} or {last}, not `{}`", others.join(", "), shown(&text)));
        None
    }
}

impl FromToml for u16 {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<u16> {
        let DeValue::Integer(number) = value.get_ref() else { return mismatch(value.get_ref(), &value.span(), key, "an integer", reader) };
        let found = u16::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok().filter(|it| (1..=1024).contains(it));
        if found.is_none() {
            reader.say(&value.span(), format!("`{key}` must be from 1 to 1024"));
        }
        found
    }
}

/// Elements that are wrong are left out.
impl<T: Row> FromToml for Vec<T> {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<Vec<T>> {
        let DeValue::Array(list) = value.get_ref() else { return mismatch(value.get_ref(), &value.span(), key, "a list of tables", reader) };
        Some(list.iter().filter_map(|it| T::take(Keys::new(it, key, reader)?, reader)).collect())
    }
}

/// A row of a list of tables.
pub(super) trait Row: Sized {
    /// Takes it out of its table.
    fn take(keys: Keys<'_, '_>, reader: &mut Reader) -> Option<Self>;
}

impl FromToml for Globs {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<Globs> {
        let DeValue::Array(list) = value.get_ref() else { return mismatch(value.get_ref(), &value.span(), key, "a list of strings", reader) };
        let mut ranges = Vec::new();
        let mut patterns = Vec::new();
        for it in list.iter() {
            if let Some(pattern) = String::take(it, key, reader) {
                ranges.push(it.span());
                patterns.push(pattern);
            }
        }
        let (globs, wrong) = Globs::new(patterns.clone());
        for (number, message) in wrong {
            let pattern = patterns.get(number).map(|it| shown(it)).unwrap_or_default();
            reader.say(ranges.get(number).unwrap_or(&value.span()), format!("`{key}`: `{pattern}` is no pattern: {message}"));
        }
        Some(globs)
    }
}

impl<K: Word + Ord, V: Word> FromToml for BTreeMap<K, V> {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<BTreeMap<K, V>> {
        let mut keys = Keys::new(value, key, reader)?;
        let found = K::WORDS.iter().filter_map(|&(word, it)| Some((it, keys.optional(word, reader)?))).collect();
        keys.finish(reader);
        Some(found)
    }
}

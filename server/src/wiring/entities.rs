//! Entities: what `&name;` stands for.
//!
//! The declarations in a `<!DOCTYPE ... [ ... ]>` come from the file, and a few lines of them can ask for gigabytes
//! or for other files. So only a short text without markup or further entities is put in, and of all of them together
//! no more than [`BUDGET`].

use super::problems::{Problems, short};
use crate::java::decls::Range;
use rustc_hash::FxHashMap;

/// Bytes that all entities of a file may expand to.
const BUDGET: usize = 64 << 10;
/// A longer value is no abbreviation.
const MAX_VALUE: usize = 1024;
/// Nobody declares more.
const MAX_ENTITIES: usize = 1000;

#[derive(Clone, Copy)]
enum Entity<'t> {
    Plain(&'t str),
    External,
    /// With references or markup in it, or too long.
    Other,
}

/// The entities of a file.
pub(super) struct Entities<'t> {
    declared: FxHashMap<&'t str, Entity<'t>>,
    budget: usize,
}

impl<'t> Entities<'t> {
    pub(super) fn new() -> Entities<'t> {
        Entities { declared: FxHashMap::default(), budget: BUDGET }
    }

    /// Takes in the declarations of a DOCTYPE; the first one of a name counts.
    pub(super) fn declare(&mut self, doctype: &'t str) {
        let mut rest = doctype.split_once('[').map_or("", |it| it.1);
        while let Some(at) = rest.find('<') {
            rest = &rest[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.split_once("-->").map_or("", |it| it.1);
            } else if let Some(after) = rest.strip_prefix("<!ENTITY")
                && self.declared.len() < MAX_ENTITIES
            {
                rest = after;
                if let Some((name, entity, after)) = declaration(rest) {
                    self.declared.entry(name).or_insert(entity);
                    rest = after;
                }
            } else {
                rest = &rest[1..];
            }
        }
    }

    /// Appends what the entity `name` stands for. One that is not put in stays as it is written.
    pub(super) fn put(&mut self, name: &str, res: &mut String, range: Range, problems: &mut Problems) {
        let value = match name {
            "lt" => Some("<"),
            "gt" => Some(">"),
            "amp" => Some("&"),
            "quot" => Some("\""),
            "apos" => Some("'"),
            _ => None,
        };
        if let Some(value) = value {
            res.push_str(value);
            return;
        }
        if let Some(number) = name.strip_prefix('#') {
            res.push(character(number).unwrap_or_else(|| {
                problems.add(range, format!("`&{};` is no character", short(name)));
                char::REPLACEMENT_CHARACTER
            }));
            return;
        }
        let what = match self.declared.get(name) {
            Some(Entity::Plain(value)) if value.len() <= self.budget => {
                self.budget -= value.len();
                res.push_str(value);
                return;
            }
            Some(Entity::Plain(_)) => "expands to too much and is not put in",
            Some(Entity::External) => "is in another file, which is not read",
            Some(Entity::Other) => "is not plain text and is not put in",
            None => "is not declared",
        };
        problems.add(range, format!("entity `{}` {what}", short(name)));
        res.push('&');
        res.push_str(short(name));
        res.push(';');
    }

    /// A text with its references replaced. `at` is the text's offset.
    pub(super) fn replace(&mut self, text: &str, at: usize, problems: &mut Problems) -> String {
        let mut res = String::with_capacity(text.len());
        let mut done = 0;
        while let Some(found) = text[done..].find('&') {
            let start = done + found;
            res.push_str(&text[done..start]);
            let name = &text[start + 1..];
            let len = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '#' | '.' | '-' | '_' | ':')).unwrap_or(name.len());
            if len > 0 && name[len..].starts_with(';') {
                done = start + len + 2;
                let range = Range { start: (at + start) as u32, end: (at + done) as u32 };
                self.put(&name[..len], &mut res, range, problems);
            } else {
                // An address with parameters, mostly. Parsers refuse it, but what is meant is plain.
                res.push('&');
                done = start + 1;
            }
        }
        res.push_str(&text[done..]);
        res
    }
}

fn character(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?).filter(|it| *it != '\0')
}

/// What follows `<!ENTITY`: the name, what it stands for, and the rest of the text. Parameter entities give nothing.
fn declaration(text: &str) -> Option<(&str, Entity<'_>, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\''))?;
    let (name, value) = text.split_at(end);
    if name.is_empty() || name.starts_with('%') {
        return None;
    }
    let value = value.trim_start();
    let Some(quote) = value.chars().next().filter(|it| matches!(it, '"' | '\'')) else {
        let entity = if value.starts_with("SYSTEM") || value.starts_with("PUBLIC") { Entity::External } else { Entity::Other };
        return Some((name, entity, value));
    };
    let (value, rest) = value[1..].split_once(quote)?;
    let is_plain = value.len() <= MAX_VALUE && !value.contains(['&', '%', '<']);
    Some((name, if is_plain { Entity::Plain(value) } else { Entity::Other }, rest))
}

#[cfg(test)]
mod tests {
    use super::Entities;
    use crate::wiring::problems::Problems;

    fn replaced(doctype: &str, text: &str) -> (String, Vec<String>) {
        let mut entities = Entities::new();
        entities.declare(doctype);
        let mut problems = Problems::default();
        let res = entities.replace(text, 0, &mut problems);
        (res, problems.into_list().into_iter().map(|it| it.message).collect())
    }

    #[test]
    fn what_everyone_knows() {
        assert_eq!(replaced("", "a &lt;&gt;&amp;&quot;&apos; &#65;&#x4e2d;"), ("a <>&\"' A中".to_owned(), vec![]));
        assert_eq!(replaced("", "x?a=1&b=2 && &;"), ("x?a=1&b=2 && &;".to_owned(), vec![]));
        let (text, problems) = replaced("", "&#xd800;&nbsp;");
        assert_eq!(text, "\u{fffd}&nbsp;");
        assert_eq!(problems, ["`&#xd800;` is no character", "entity `nbsp` is not declared"]);
    }

    #[test]
    fn declared_ones() {
        let doctype = "<!DOCTYPE beans [<!-- <!ENTITY pkg 'no'> --><!ENTITY pkg \"com.acme\"><!ENTITY pkg 'later'><!ENTITY % par 'x'>
            <!ENTITY other SYSTEM \"file:///etc/passwd\"><!ENTITY twice '&pkg;&pkg;'>]>";
        assert_eq!(replaced(doctype, "&pkg;.Order"), ("com.acme.Order".to_owned(), vec![]));
        let (text, problems) = replaced(doctype, "&other;&twice;&par;");
        assert_eq!(text, "&other;&twice;&par;");
        let expected =
            ["entity `other` is in another file, which is not read", "entity `twice` is not plain text and is not put in", "entity `par` is not declared"];
        assert_eq!(problems, expected);
    }

    #[test]
    fn many_times_a_long_one() {
        let doctype = format!("<!DOCTYPE a [<!ENTITY a '{}'>]>", "a".repeat(1000));
        let (text, problems) = replaced(&doctype, &"&a;".repeat(100_000));
        assert!(text.len() < 64 * 1024 + 3 * 100_000);
        assert_eq!(problems.len(), 10);
        assert_eq!(problems[0], "entity `a` expands to too much and is not put in");
    }
}

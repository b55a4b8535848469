//! YAML, flattened to keys as Spring Boot does it.
//!
//! The events come from saphyr-parser, which expands no anchors. Aliases are followed here, and only to scalars: settings
//! that decide are not shared in trees, and a few nested anchors can stand for billions of keys.

use super::problems::Problems;
use super::settings::Settings;
use super::{WiringFacts, WiringKind};
use crate::java::decls::Range;
use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};
use std::borrow::Cow;

/// Deeper levels than this are no settings.
const MAX_DEPTH: usize = 50;
/// A longer key decides nothing, in bytes.
const MAX_KEY: usize = 1000;
/// A larger file is no settings, in bytes.
pub(super) const MAX_TEXT: usize = 1 << 20;

/// The facts of a file.
pub(super) fn read(text: &str) -> WiringFacts {
    let mut facts = WiringFacts { kind: WiringKind::Yaml, ..WiringFacts::default() };
    let mut problems = Problems::default();
    if MAX_TEXT < text.len() {
        problems.add(Range::default(), format!("larger than {} KiB, passed over", MAX_TEXT >> 10));
    } else {
        let mut reader = Reader::new(text);
        if let Err((range, message)) = reader.run() {
            problems.add(range, message);
        }
        facts.properties = reader.settings.into_list();
    }
    facts.problems = problems.into_list();
    facts
}

/// What is open at a place in the events.
enum Level {
    /// A mapping that waits for a key.
    Mapping,
    /// A mapping with a key that waits for its value.
    Value,
    /// A sequence, with the items that were read.
    Sequence(usize),
    /// Something in a key or behind `<<`, which gives nothing.
    Ignored,
}

struct Reader<'t> {
    text: &'t str,
    /// The text with what Maven and Gradle put in made palatable; of the same length.
    readable: Cow<'t, str>,
    /// Where the characters are, if they are not all of one byte.
    offsets: Vec<u32>,
    base: usize,
    levels: Vec<Level>,
    /// The key of what is being read, and its length at each level.
    key: String,
    lengths: Vec<usize>,
    anchors: FxHashMap<usize, (String, Range)>,
    settings: Settings,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        let base = text.len() - text.trim_start_matches('\u{feff}').len();
        let text = &text[base..];
        let offsets = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|it| it.0 as u32).collect() };
        Reader {
            text,
            readable: readable(text),
            offsets,
            base,
            levels: Vec::new(),
            key: String::new(),
            lengths: Vec::new(),
            anchors: FxHashMap::default(),
            settings: Settings::default(),
        }
    }

    /// Reads to the end or to the first error. What was read before it stands.
    fn run(&mut self) -> Result<(), (Range, String)> {
        let readable = std::mem::take(&mut self.readable);
        let mut parser = Parser::new(StrInput::new(&readable));
        while let Some(event) = parser.next_event() {
            let (event, span) = match event {
                Ok(it) => it,
                Err(err) => {
                    let at = self.offset(err.marker().index());
                    return Err((Range { start: at, end: at }, err.info().to_owned()));
                }
            };
            if MAX_DEPTH < self.levels.len() {
                return Err((self.range(span), format!("nested deeper than {MAX_DEPTH} levels")));
            }
            self.event(event, span);
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::DocumentStart(_) => {
                self.settings.end_document();
                self.levels.clear();
                self.lengths.clear();
                self.key.clear();
                self.anchors.clear();
            }
            Event::Scalar(value, style, anchor, _) => {
                let range = self.range(span);
                let value = self.as_written(value, style, range);
                if anchor != 0 {
                    self.anchors.insert(anchor, (value.to_string(), range));
                }
                self.scalar(&value, range, style == ScalarStyle::Plain);
            }
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let (value, _) = known.unwrap_or_default();
                self.scalar(&value, self.range(span), false);
            }
            Event::MappingStart(..) => self.open(Level::Mapping),
            Event::SequenceStart(..) => self.open(Level::Sequence(0)),
            Event::MappingEnd | Event::SequenceEnd => {
                if let Some(level) = self.levels.pop() {
                    if !matches!(level, Level::Ignored) {
                        self.lengths.pop();
                    }
                    self.done();
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, level: Level) {
        let level = match self.levels.last_mut() {
            // A collection as a key.
            Some(Level::Mapping | Level::Ignored) => Level::Ignored,
            Some(Level::Sequence(n)) => {
                let index = *n;
                self.push_index(index);
                level
            }
            Some(Level::Value) | None => level,
        };
        if !matches!(level, Level::Ignored) {
            self.lengths.push(self.key.len());
        }
        self.levels.push(level);
    }

    fn scalar(&mut self, value: &str, range: Range, is_plain: bool) {
        match self.levels.last_mut() {
            Some(level @ Level::Mapping) => {
                *level = Level::Value;
                if !self.key.is_empty() {
                    self.push_key(".");
                }
                self.push_key(value);
                return;
            }
            Some(Level::Value) => {}
            Some(Level::Sequence(n)) => {
                let index = *n;
                self.push_index(index);
            }
            Some(Level::Ignored) | None => return,
        }
        let value = if is_plain && matches!(value, "~" | "null") { "" } else { value };
        self.settings.add(&self.key, value, range);
        self.done();
    }

    /// A value has been read: back to the key of what holds it.
    fn done(&mut self) {
        match self.levels.last_mut() {
            Some(level @ Level::Value) => *level = Level::Mapping,
            Some(level @ Level::Mapping) => {
                // It was a key.
                *level = Level::Value;
                return;
            }
            Some(Level::Sequence(n)) => *n += 1,
            Some(Level::Ignored) | None => return,
        }
        self.key.truncate(self.lengths.last().copied().unwrap_or(0));
    }

    fn push_index(&mut self, index: usize) {
        self.push_key(&format!("[{index}]"));
    }

    fn push_key(&mut self, part: &str) {
        if self.key.len() + part.len() <= MAX_KEY {
            self.key.push_str(part);
        }
    }

    /// The value of a scalar as the file has it.
    fn as_written<'v>(&self, value: Cow<'v, str>, style: ScalarStyle, range: Range) -> Cow<'v, str> {
        let at = range.start as usize - self.base;
        match value.strip_prefix(STAND_IN) {
            Some(rest) if style == ScalarStyle::Plain && self.text[at..].starts_with('@') => Cow::Owned(format!("@{rest}")),
            _ => value,
        }
    }

    fn range(&self, span: Span) -> Range {
        let (start, end) = (self.offset(span.start.index()), self.offset(span.end.index()));
        Range { start, end: end.max(start) }
    }

    fn offset(&self, index: usize) -> u32 {
        let end = self.text.len();
        let at = if self.offsets.is_empty() { index.min(end) } else { self.offsets.get(index).map_or(end, |&it| it as usize) };
        (self.base + at) as u32
    }
}

/// What stands for `@` while YAML is read.
const STAND_IN: &str = "_";

/// Builds put values in for `@name@`, and before that it is no YAML: no plain scalar may begin with `@`.
fn readable(text: &str) -> Cow<'_, str> {
    if !text.contains('@') {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    let mut last = ' ';
    let mut begins = true;
    for c in text.chars() {
        if c == '@' && begins {
            res.push_str(STAND_IN);
        } else {
            res.push(c);
        }
        begins = match c {
            '\n' => true,
            c if c.is_whitespace() => begins || matches!(last, ':' | '-' | ','),
            '-' => begins,
            '[' | ',' => true,
            _ => false,
        };
        last = c;
    }
    Cow::Owned(res)
}

#[cfg(test)]
mod tests {
    use super::read;

    fn settings(text: &str) -> Vec<(&'static str, &'static str, Option<&'static str>)> {
        let facts = read(text);
        assert_eq!(facts.problems, []);
        facts.properties.iter().map(|it| (it.key.as_str(), it.value.as_str(), it.profile.map(|it| it.as_str()))).collect()
    }

    #[test]
    fn flattened() {
        let text = "server:\n  port: 1\nspring:\n  profiles:\n    active: dev # c\n    include:\n      - a\n      - 'b'\n  main: {lazyInitialization: true, sources: [x, y]}\nmybatis.mapper-locations: \"classpath:m/*.xml\"\nfeign:\n  a: ~\n  list:\n    - name: n\n      b: c\n    - d\n";
        let expected = [
            ("spring.profiles.active", "dev", None),
            ("spring.profiles.include[0]", "a", None),
            ("spring.profiles.include[1]", "b", None),
            ("spring.main.lazy-initialization", "true", None),
            ("spring.main.sources[0]", "x", None),
            ("spring.main.sources[1]", "y", None),
            ("mybatis.mapper-locations", "classpath:m/*.xml", None),
            ("feign.a", "", None),
            ("feign.list[0].name", "n", None),
            ("feign.list[0].b", "c", None),
            ("feign.list[1]", "d", None),
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn documents() {
        let text = "dubbo:\n  a: 1\n---\nspring:\n  profiles: prod\ndubbo:\n  a: 2\n---\nspring.config.activate.on-profile: [dev, test]\ndubbo.a: 3\n";
        let expected = [
            ("dubbo.a", "1", None),
            ("spring.profiles", "prod", Some("prod")),
            ("dubbo.a", "2", Some("prod")),
            ("spring.config.activate.on-profile[0]", "dev", Some("dev,test")),
            ("spring.config.activate.on-profile[1]", "test", Some("dev,test")),
            ("dubbo.a", "3", Some("dev,test")),
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn what_builds_put_in() {
        let text =
            "spring:\n  profiles:\n    active: @profiles.active@\n  application:\n    name: a@b\n  main:\n    sources: [@x@, \"@y@\"]\n    x:\n      - @z@\n";
        let expected = [
            ("spring.profiles.active", "@profiles.active@", None),
            ("spring.application.name", "a@b", None),
            ("spring.main.sources[0]", "@x@", None),
            ("spring.main.sources[1]", "@y@", None),
            ("spring.main.x[0]", "@z@", None),
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn aliases() {
        let text = "x: &name shop\ny: &tree\n  a: b\nspring:\n  application:\n    name: *name\n  main: *tree\n  cloud:\n    <<: *tree\n    c: d\n";
        // A tree gives nothing, wherever it is put.
        let expected = [("spring.application.name", "shop", None), ("spring.cloud.<<", "", None), ("spring.cloud.c", "d", None)];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn collections_as_keys() {
        assert_eq!(settings("? [a, b]\n: c\ndubbo:\n  ? {x: y}\n  : z\n  d: e\n"), [("dubbo.d", "e", None)]);
    }

    #[test]
    fn places() {
        let text = "# 订单\r\nspring:\r\n  profiles:\r\n    active: 'd'\r\ndubbo: {订: '订单', a: b}\r\n";
        let facts = read(text);
        let at: Vec<&str> = facts.properties.iter().map(|it| &text[it.range.start as usize..it.range.end as usize]).collect();
        assert_eq!(at, ["'d'", "'订单'", "b"]);
    }

    #[test]
    fn what_was_read_before_an_error_stands() {
        let text = "dubbo:\n  a: 1\nb: [\n";
        let facts = read(text);
        assert_eq!(facts.properties.len(), 1);
        assert_eq!(facts.problems.len(), 1);
        assert!(facts.problems[0].range.start as usize >= text.find('[').unwrap());
    }
}

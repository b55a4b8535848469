//! `.properties` files, as `java.util.Properties` and Spring Boot read them.

use super::settings::Settings;
use super::{WiringFacts, WiringKind};
use crate::java::decls::Range;

/// A longer key or value decides nothing, in bytes.
const MAX_LEN: usize = 4096;

/// The facts of a file.
pub(super) fn read(text: &str) -> WiringFacts {
    let mut settings = Settings::default();
    let mut lines = Lines { text, at: text.len() - text.trim_start_matches('\u{feff}').len() };
    while let Some(start) = lines.next_start() {
        let first = &text[start..];
        if first.starts_with(['#', '!']) {
            let line = lines.skip_line();
            // How Spring Boot separates documents.
            if matches!(text[start..line].trim_end(), "#---" | "!---") {
                settings.end_document();
            }
            continue;
        }
        let mut key = String::new();
        let mut key_end = start;
        while let Some((at, c)) = lines.next_char() {
            match c {
                Char::Plain('=' | ':') => break,
                Char::Plain(c) if c.is_ascii_whitespace() => {
                    lines.skip_blanks();
                    // `key = value`
                    if lines.text[lines.at..].starts_with(['=', ':']) {
                        lines.at += 1;
                    }
                    break;
                }
                Char::Plain(c) | Char::Escaped(c) => push(&mut key, c),
            }
            key_end = lines.at.max(at);
        }
        lines.skip_blanks();
        let value_start = lines.at;
        let mut value = String::new();
        let mut value_end = value_start;
        while let Some((_, Char::Plain(c) | Char::Escaped(c))) = lines.next_char() {
            push(&mut value, c);
            value_end = lines.at;
        }
        let (from, to) = if value.is_empty() { (start, key_end) } else { (value_start, value_end) };
        settings.add(&key, value.trim_end(), Range { start: from as u32, end: to as u32 });
    }
    WiringFacts { kind: WiringKind::Properties, properties: settings.into_list(), ..WiringFacts::default() }
}

fn push(text: &mut String, c: char) {
    if text.len() < MAX_LEN {
        text.push(c);
    }
}

/// A character of a logical line.
enum Char {
    Plain(char),
    Escaped(char),
}

/// Goes through logical lines, which a backslash at the end of a line continues.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl Lines<'_> {
    /// Where the next line that is not blank begins, without its indentation.
    fn next_start(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start_matches([' ', '\t', '\x0c', '\r', '\n']).len();
        (self.at < self.text.len()).then_some(self.at)
    }

    fn skip_line(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.find(['\r', '\n']).unwrap_or(rest.len());
        self.at
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at = self.text.len() - rest.trim_start_matches([' ', '\t', '\x0c']).len();
            if !self.skip_continuation() {
                return;
            }
        }
    }

    /// Skips a backslash at the end of a line, with the indentation of the next.
    fn skip_continuation(&mut self) -> bool {
        let Some(rest) = self.text[self.at..].strip_prefix('\\') else { return false };
        let after = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n']));
        let Some(after) = after else { return false };
        self.at = self.text.len() - after.trim_start_matches([' ', '\t', '\x0c']).len();
        true
    }

    /// The next character of the line, and where it is; `None` at its end.
    fn next_char(&mut self) -> Option<(usize, Char)> {
        while self.skip_continuation() {}
        let at = self.at;
        let mut chars = self.text[at..].chars();
        let c = chars.next().filter(|it| !matches!(it, '\r' | '\n'))?;
        self.at += c.len_utf8();
        if c != '\\' {
            return Some((at, Char::Plain(c)));
        }
        let Some(c) = chars.next() else { return Some((at, Char::Plain('\\'))) };
        self.at += c.len_utf8();
        let c = match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\x0c',
            'u' => match self.text.get(self.at..self.at + 4).map(|it| u32::from_str_radix(it, 16)) {
                Some(Ok(code)) => {
                    self.at += 4;
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                _ => 'u',
            },
            other => other,
        };
        Some((at, Char::Escaped(c)))
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn settings(text: &str) -> Vec<(&'static str, &'static str, Option<&'static str>)> {
        read(text).properties.iter().map(|it| (it.key.as_str(), it.value.as_str(), it.profile.map(|it| it.as_str()))).collect()
    }

    #[test]
    fn forms() {
        let text = "# c\n! c\n\nspring.profiles.active = dev,\\\n   local\n  mybatis.mapperLocations:classpath\\:m\\u0061p/*.xml\r\nserver.port=1\nfeign.hystrix.enabled true\ndubbo.x";
        let expected = [
            ("spring.profiles.active", "dev,local", None),
            ("mybatis.mapper-locations", "classpath:map/*.xml", None),
            ("feign.hystrix.enabled", "true", None),
            ("dubbo.x", "", None),
        ];
        assert_eq!(settings(text), expected);
        assert_eq!(settings("#spring.profiles.active=dev\nserver.port=1"), []);
        assert_eq!(settings("\u{feff}spring.profiles.active=订单"), [("spring.profiles.active", "订单", None)]);
    }

    #[test]
    fn places() {
        let text = "a=b\nspring.profiles.active = dev \ndubbo.x=";
        let facts = read(text);
        let at = |idx: usize| &text[facts.properties[idx].range.start as usize..facts.properties[idx].range.end as usize];
        assert_eq!((at(0), at(1)), ("dev ", "dubbo.x"));
    }

    #[test]
    fn documents() {
        let text = "spring.main.sources=a\n#---\nspring.config.activate.on-profile=prod\nspring.main.sources=b\n#--- no\ndubbo.x=1\n!---\ndubbo.y=2";
        let expected = [
            ("spring.main.sources", "a", None),
            ("spring.config.activate.on-profile", "prod", Some("prod")),
            ("spring.main.sources", "b", Some("prod")),
            ("dubbo.x", "1", Some("prod")),
            ("dubbo.y", "2", None),
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn ends_in_odd_places() {
        for text in ["\\", "a\\", "a=\\", "a=\\u12", "\\\n", "a \\\n", "=", ":", "a\\u", "\\u订订", "a=\\\r\n\\\r\n"] {
            assert_eq!(settings(text), [], "{text:?}");
        }
    }
}

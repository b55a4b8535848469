//! `lombok.config`: the keys that change names or what Lombok makes, by Lombok's own rules of what holds where.

use super::ConfigProblem;
use super::project::ConfigSource;
use crate::facts::generated::Lombok;
use crate::intern::Sym;
use crate::java::decls::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the file.
pub const LOMBOK_NAME: &str = "lombok.config";

/// A file and the folder for whose source files it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LombokFile {
    /// Where it is, and what is wrong with it.
    pub source: Arc<ConfigSource>,
    /// The folder, spelled as paths of sources are; empty for all.
    pub folder: PathBuf,
    /// How many folders above that one it lies.
    pub above: usize,
    /// `config.stopBubbling`: what is said further up does not count.
    stops: bool,
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    key: Key,
    does: Does,
    value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    Set,
    Add,
    Remove,
    Clear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    StopBubbling,
    Prefix,
    Fluent,
    Capitalization,
    NoIsPrefix,
    DefaultFinal,
    LogField,
    BuilderClass,
}

/// The keys that matter here. `chain` does not: a setter that gives its object may be called like one that gives none.
const KEYS: &[(&str, Key)] = &[
    ("config.stopBubbling", Key::StopBubbling),
    ("lombok.accessors.prefix", Key::Prefix),
    ("lombok.accessors.fluent", Key::Fluent),
    ("lombok.accessors.capitalization", Key::Capitalization),
    ("lombok.getter.noIsPrefix", Key::NoIsPrefix),
    ("lombok.fieldDefaults.defaultFinal", Key::DefaultFinal),
    ("lombok.log.fieldName", Key::LogField),
    ("lombok.builder.className", Key::BuilderClass),
];

impl LombokFile {
    /// Reads the text of a file. What is wrong costs its line.
    pub fn new(path: PathBuf, text: &str, folder: PathBuf, above: usize) -> LombokFile {
        let (mut lines, mut problems) = (Vec::new(), Vec::new());
        let mut start = 0;
        for whole in text.split_inclusive('\n') {
            let trimmed = whole.trim();
            let from = start + (whole.len() - whole.trim_start().len());
            start += whole.len();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            match line(trimmed) {
                Ok(found) => lines.extend(found),
                Err(message) => problems.push(ConfigProblem { range: Range { start: from as u32, end: (from + trimmed.len()) as u32 }, message }),
            }
        }
        let stops = lines.iter().rev().find(|it| it.key == Key::StopBubbling).is_some_and(|it| it.does == Does::Set && is_true(&it.value));
        LombokFile { source: Arc::new(ConfigSource::other(path, text, problems)), folder, above, stops, lines }
    }

    /// A file that could not be read.
    pub(super) fn failed(path: PathBuf, message: String, folder: PathBuf) -> LombokFile {
        LombokFile { source: Arc::new(ConfigSource::failed(path, message)), folder, above: 0, stops: false, lines: Vec::new() }
    }

    /// Says it over what files further up say.
    pub(super) fn apply(&self, res: &mut Lombok) {
        if self.stops {
            *res = Lombok::default();
        }
        for Line { key, does, value } in &self.lines {
            let is_set = *does == Does::Set;
            let on = is_set && is_true(value);
            match key {
                Key::StopBubbling => {}
                Key::Prefix => {
                    res.prefix.retain(|it| it != value && *does != Does::Clear);
                    res.prefix.extend((*does == Does::Add).then(|| value.clone()));
                }
                Key::Fluent => res.fluent = on,
                Key::Capitalization => res.beanspec = is_set && value.eq_ignore_ascii_case("beanspec"),
                Key::NoIsPrefix => res.no_is_prefix = on,
                Key::DefaultFinal => res.default_final = on,
                Key::LogField => res.log_field = is_set.then(|| Sym::new(value)),
                Key::BuilderClass => res.builder_class = is_set.then(|| value.clone()),
            }
        }
    }
}

fn is_true(value: &str) -> bool {
    value.eq_ignore_ascii_case("true")
}

/// One line; nothing if it says nothing that matters here. An error is a clause without a full stop.
fn line(text: &str) -> Result<Option<Line>, String> {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.eq_ignore_ascii_case("import") {
        return Err("`import` is not followed".to_owned());
    }
    let (name, does, value) = if first.eq_ignore_ascii_case("clear") {
        (text[first.len()..].trim(), Does::Clear, "")
    } else {
        let (name, value) = text.split_once('=').ok_or("neither `key = value` nor `clear key`")?;
        match name.trim_end().as_bytes().last() {
            Some(b'+') => (name.trim_end().trim_end_matches('+').trim_end(), Does::Add, value.trim()),
            Some(b'-') => (name.trim_end().trim_end_matches('-').trim_end(), Does::Remove, value.trim()),
            _ => (name.trim(), Does::Set, value.trim()),
        }
    };
    // Lombok has many more keys, and newer versions have others.
    let Some(&(name, key)) = KEYS.iter().find(|it| it.0.eq_ignore_ascii_case(name)) else { return Ok(None) };
    let is_list = key == Key::Prefix;
    if is_list && does == Does::Set {
        return Err(format!("`{name}` is a list: it takes `+=` and `-=`"));
    }
    if !is_list && matches!(does, Does::Add | Does::Remove) {
        return Err(format!("`{name}` is no list: it takes `=`"));
    }
    let wrong = match key {
        _ if does == Does::Clear => None,
        Key::Capitalization => (!["basic", "beanspec"].iter().any(|it| it.eq_ignore_ascii_case(value))).then_some("`basic` or `beanspec`"),
        Key::StopBubbling | Key::Fluent | Key::NoIsPrefix | Key::DefaultFinal => {
            (!["true", "false"].iter().any(|it| it.eq_ignore_ascii_case(value))).then_some("`true` or `false`")
        }
        Key::LogField | Key::BuilderClass => value.is_empty().then_some("a name"),
        Key::Prefix => None,
    };
    match wrong {
        Some(wanted) => Err(format!("`{name}` must be {wanted}")),
        None => Ok(Some(Line { key, does, value: value.to_owned() })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> LombokFile {
        LombokFile::new(LOMBOK_NAME.into(), text, PathBuf::new(), 0)
    }

    #[test]
    fn nearer_files_go_before_and_lists_add_up() {
        let outer = file("lombok.accessors.prefix += m\nLOMBOK.Accessors.fluent=true\nlombok.log.fieldName = LOGGER\n");
        let inner = file("# comment\nlombok.accessors.prefix += f\r\nlombok.accessors.prefix -= m\nclear lombok.log.fieldName\n");
        let mut all = Lombok::default();
        outer.apply(&mut all);
        inner.apply(&mut all);
        assert_eq!(all, Lombok { prefix: vec!["f".to_owned()], fluent: true, ..Lombok::default() });
        file("config.stopBubbling = true\nlombok.getter.noIsPrefix = true").apply(&mut all);
        assert_eq!(all, Lombok { no_is_prefix: true, ..Lombok::default() });
    }

    #[test]
    fn what_is_wrong_costs_its_line() {
        let found = file(
            "import ../x.config\nlombok.accessors.prefix = m\n  lombok.accessors.fluent = ja\nlombok.anything = 1\nnonsense\nlombok.accessors.capitalization = beanspec\n",
        );
        let said: Vec<_> = found.source.problems.iter().map(|it| (it.range.start, it.message.as_str())).collect();
        assert_eq!(
            said,
            [
                (0, "`import` is not followed"),
                (19, "`lombok.accessors.prefix` is a list: it takes `+=` and `-=`"),
                (49, "`lombok.accessors.fluent` must be `true` or `false`"),
                (98, "neither `key = value` nor `clear key`"),
            ]
        );
        let mut all = Lombok::default();
        found.apply(&mut all);
        assert!(all.beanspec && !all.fluent);
    }
}

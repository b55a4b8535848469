//! Patterns of files as in a `.gitignore`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::fmt;

/// Patterns of files, compiled. Equal if the patterns are.
#[derive(Clone)]
pub struct Globs {
    patterns: Vec<String>,
    compiled: Gitignore,
}

impl Globs {
    /// Compiles patterns. Beside it what is wrong, with the number of the pattern; the others still count.
    pub fn new(patterns: Vec<String>) -> (Globs, Vec<(usize, String)>) {
        let mut wrong = Vec::new();
        let mut kept = Vec::with_capacity(patterns.len());
        let mut builder = builder();
        for (number, pattern) in patterns.into_iter().enumerate() {
            match builder.add_line(None, &pattern) {
                Ok(_) => kept.push(pattern),
                Err(err) => wrong.push((number, message(&err))),
            }
        }
        match builder.build() {
            Ok(compiled) => (Globs { patterns: kept, compiled }, wrong),
            Err(err) => {
                wrong.push((0, message(&err)));
                (Globs::default(), wrong)
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// What the last pattern says that matches a file or a folder around it: true if it is meant, false if a `!`
    /// takes it out. The path is given from the folder of the patterns on, with `/`.
    pub fn decide(&self, path: &str) -> Option<bool> {
        if self.patterns.is_empty() || path.is_empty() || path.starts_with('/') {
            return None;
        }
        let found = self.compiled.matched_path_or_any_parents(path, false);
        if found.is_none() { None } else { Some(found.is_ignore()) }
    }
}

fn builder() -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    builder
}

/// The message without the pattern, which the place shows.
fn message(err: &ignore::Error) -> String {
    match err {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

impl Default for Globs {
    fn default() -> Globs {
        Globs { patterns: Vec::new(), compiled: Gitignore::empty() }
    }
}

impl PartialEq for Globs {
    fn eq(&self, other: &Globs) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Globs {}

impl fmt::Debug for Globs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.patterns.fmt(f)
    }
}

impl JsonSchema for Globs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Globs".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "string" } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(patterns: &[&str], path: &str) -> Option<bool> {
        let (globs, wrong) = Globs::new(patterns.iter().map(|&it| it.to_owned()).collect());
        assert_eq!(wrong, []);
        globs.decide(path)
    }

    #[test]
    fn patterns_mean_what_they_mean_in_a_gitignore() {
        assert_eq!(decide(&["generated/"], "a/generated/X.java"), Some(true));
        assert_eq!(decide(&["/generated/"], "a/generated/X.java"), None);
        assert_eq!(decide(&["*.java", "!Keep.java"], "a/Keep.java"), Some(false));
        assert_eq!(decide(&["src/*Test.java"], "src/ATest.java"), Some(true));
        assert_eq!(decide(&["src/*Test.java"], "b/src/ATest.java"), None);
        assert_eq!(decide(&[], "a"), None);
        assert_eq!(decide(&["*"], "/etc/passwd"), None);
    }

    #[test]
    fn a_bad_pattern_costs_itself() {
        let (globs, wrong) = Globs::new(vec!["a[".to_owned(), "b".to_owned()]);
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].0, 0);
        assert_eq!((globs.decide("b"), globs.decide("a[")), (Some(true), None));
    }
}

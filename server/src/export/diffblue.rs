//! Diffblue Cover: the options of `dcover create` that say what to mock in the tests that it writes.

use super::mockito::refusal;
use super::mocks::{How, UnderTest};
use std::collections::{BTreeMap, BTreeSet};

/// The command, an option a line, each with all its classes: `--mock=<value>[,<value>...]` is how Cover documents them.
/// What Mockito cannot mock, which Cover's tests use, and what an option names besides is given to `note`; `classes` are those
/// of the service.
pub fn print(classes: &BTreeSet<&str>, all: &[UnderTest], note: &mut dyn FnMut(String)) -> String {
    let mut options: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let all = all.iter().flat_map(|under| under.mocks.keys().filter(|it| it.how != How::Object || !under.makes(&it.class)));
    for mock in all {
        if let Some(why) = refusal(mock) {
            note(why);
            continue;
        }
        let option = match mock.how {
            How::Object => "--mock",
            How::Static => "--mock-static",
            How::Construction => "--mock-construction",
        };
        options.entry(option).or_default().insert(&mock.class);
    }
    also_meant(classes, options.get("--mock").unwrap_or(&BTreeSet::new()), note);
    let mut out = "dcover create".to_owned();
    for (option, classes) in options {
        let classes = classes.into_iter().collect::<Vec<_>>().join(",");
        // A dollar is the shell's.
        let quote = if classes.contains('$') { "'" } else { "" };
        out.push_str(&format!(" \\\n  {option}={quote}{classes}{quote}"));
    }
    out + "\n"
}

/// Says which other classes `--mock` stands for: its values are beginnings of names.
fn also_meant(classes: &BTreeSet<&str>, mocked: &BTreeSet<&str>, note: &mut dyn FnMut(String)) {
    for &class in mocked {
        let longer = classes.range(class..).take_while(|it| it.starts_with(class));
        // What is nested in a class is a part of it.
        let others: Vec<&str> = longer.copied().filter(|it| !mocked.contains(it) && !it[class.len()..].starts_with('$') && *it != class).collect();
        if let [first, rest @ ..] = &others[..] {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            note(format!("--mock takes beginnings of names: {class} also stands for {first}{more}; --disable-mock-inputs takes them out"));
        }
    }
}

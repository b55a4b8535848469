//! Diffblue Cover: the options of `dcover create` that say what to mock in the tests that it writes.

use super::mockito::refusal;
use super::mocks::{How, UnderTest};
use std::collections::BTreeSet;

/// The command, an option a line. What Mockito cannot mock, which Cover's tests use, is given to `refused`.
pub fn print(all: &[UnderTest], refused: &mut dyn FnMut(String)) -> String {
    let mut options: BTreeSet<(&str, String)> = BTreeSet::new();
    let all = all.iter().flat_map(|under| under.mocks.keys().filter(|it| it.how != How::Object || !under.makes(&it.class)));
    for mock in all {
        if let Some(why) = refusal(mock) {
            refused(why);
            continue;
        }
        let option = match mock.how {
            How::Object => "--mock",
            How::Static => "--mock-static",
            How::Construction => "--mock-construction",
        };
        options.insert((option, mock.class.clone()));
    }
    let mut out = "dcover create".to_owned();
    for (option, class) in options {
        // A dollar is the shell's.
        let quote = if class.contains('$') { "'" } else { "" };
        out.push_str(&format!(" \\\n  {option} {quote}{class}{quote}"));
    }
    out + "\n"
}

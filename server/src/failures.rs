//! Replays that failed, as people and tools write them down: methods, stack traces, JSON (paper §3.4).

mod generated;
mod json;
mod text;

pub use generated::original;

/// What is kept of a title, in characters.
const MAX_TITLE: usize = 200;

/// A replay that failed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// The exception, or the method as it was written.
    pub title: String,
    /// Where it failed, innermost first: those of the cause come before those of what it caused.
    pub frames: Vec<Frame>,
}

/// A method that was running.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// Its class as the machine or a person names it: `p.Outer$Inner`, `p.Outer.Inner`.
    pub class: String,
    /// Its name; `<init>` for a constructor.
    pub method: String,
    /// Its parameter types, without packages, if they are said.
    pub parameters: Option<Vec<String>>,
    /// The line, from 1, if it is known.
    pub line: Option<u32>,
}

/// Reads failures: text, or JSON if the first thing in it is an array. An error says what is wrong with the JSON.
pub fn read(text: &str) -> Result<Vec<Failure>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let rest = text.trim_start().strip_prefix('[').map(str::trim_start);
    // A line of a log may begin with a bracket too.
    let is_json = rest.is_some_and(|it| it.starts_with(['"', '[', '{', ']']));
    if is_json { json::read(text) } else { Ok(text::read(text)) }
}

fn title(text: &str) -> String {
    let mut res: String = text.trim().chars().take(MAX_TITLE).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().count() > MAX_TITLE {
        res.push_str("...");
    }
    res
}

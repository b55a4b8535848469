//! Failures as text: stack traces as Java prints them, with whatever a log has between them, and methods one a line.

use super::{Failure, Frame, title};
use crate::signature;

/// What a line is.
enum Line<'a> {
    Blank,
    /// A line of a stack trace.
    Frame(Frame),
    /// A method on its own.
    Method(Frame),
    /// What the exception before it was caused by.
    Cause(&'a str),
    /// An exception that was thrown while another was handled: no reason for it.
    Suppressed,
    /// `... 12 more`
    More,
    Other(&'a str),
}

/// Reads failures; what is none is passed over.
pub(super) fn read(text: &str) -> Vec<Failure> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line);
    }
    reader.finish();
    reader.found
}

/// A method or frame that stands alone in a text.
pub(super) fn frame(text: &str) -> Option<Frame> {
    match read_line(text) {
        Line::Frame(frame) | Line::Method(frame) => Some(frame),
        _ => None,
    }
}

#[derive(Default)]
struct Reader {
    found: Vec<Failure>,
    /// What may be the first line of the next trace.
    headline: String,
    /// Of the trace that is being read.
    title: String,
    /// Its exceptions, outermost first, each with its frames.
    sections: Vec<Vec<Frame>>,
    /// What is indented deeper is of a suppressed exception.
    suppressed: Option<usize>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let indent = line.len() - line.trim_start().len();
        if self.suppressed.is_some_and(|it| indent > it) {
            return;
        }
        self.suppressed = None;
        match read_line(line.trim()) {
            Line::Frame(frame) => {
                if self.sections.is_empty() {
                    self.title = std::mem::take(&mut self.headline);
                    self.sections.push(Vec::new());
                }
                self.sections.last_mut().into_iter().for_each(|it| it.push(frame.clone()));
            }
            Line::Method(frame) => {
                self.finish();
                self.found.push(Failure { title: title(line), frames: vec![frame] });
            }
            Line::Cause(cause) if self.sections.is_empty() => self.headline = cause.to_owned(),
            Line::Cause(cause) => {
                self.title = format!("{cause} ({})", self.title);
                self.sections.push(Vec::new());
            }
            Line::Suppressed => self.suppressed = Some(indent),
            Line::More => {}
            Line::Blank if self.sections.is_empty() => {}
            Line::Blank => self.finish(),
            Line::Other(text) => {
                self.finish();
                // A message may have several lines; its first one names the exception.
                if is_exception(text) || !is_exception(&self.headline) {
                    self.headline = text.to_owned();
                }
            }
        }
    }

    fn finish(&mut self) {
        let sections = std::mem::take(&mut self.sections);
        let frames: Vec<Frame> = sections.into_iter().rev().flatten().collect();
        if frames.is_empty() {
            return;
        }
        self.headline.clear();
        let words = std::mem::take(&mut self.title);
        let words = words.trim_end_matches(" ()");
        let first = &frames[0];
        let title = if words.is_empty() { format!("{}.{}", first.class, first.method) } else { title(words) };
        self.found.push(Failure { title, frames });
    }
}

fn read_line(line: &str) -> Line<'_> {
    if line.is_empty() {
        return Line::Blank;
    }
    if let Some(cause) = line.strip_prefix("Caused by:") {
        return Line::Cause(cause.trim());
    }
    if line.starts_with("Suppressed:") {
        return Line::Suppressed;
    }
    if line.starts_with("... ") || line.starts_with("[CIRCULAR REFERENCE") {
        return Line::More;
    }
    if let Some(rest) = line.strip_prefix("at ") {
        return parse(rest.trim_start()).map_or(Line::Other(line), |it| Line::Frame(it.0));
    }
    match parse(line) {
        Some((frame, true)) => Line::Frame(frame),
        Some((frame, false)) if !is_exception(line) => Line::Method(frame),
        _ => Line::Other(line),
    }
}

/// A method, and whether a place stands behind it, as in a stack trace.
fn parse(text: &str) -> Option<(Frame, bool)> {
    let (path, inside) = match text.split_once('(') {
        // Behind the bracket may be the jar that the class is from.
        Some((path, rest)) => (path, Some(rest.split_once(')')?.0.trim())),
        None => (text, None),
    };
    let path = path.trim_end();
    let (class, method) = match path.split_once('#') {
        Some(parts) => parts,
        None => path.rsplit_once('.')?,
    };
    // `java.base/java.lang.Thread`, `app//p.Orders`; but `p.Orders$$Lambda$14/0x0800c03000`.
    let class = if class.contains("$$Lambda") { class.split('/').next()? } else { class.rsplit('/').next()? };
    let is_name = |it: &str| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '<' | '>' | '-'));
    if !class.split('.').all(is_name) || !is_name(method) {
        return None;
    }
    let mut frame = Frame { class: class.to_owned(), method: method.to_owned(), parameters: None, line: None };
    let Some(inside) = inside else { return Some((frame, false)) };
    let (file, line) = match inside.rsplit_once(':') {
        Some((file, line)) => (file, line.trim().parse().ok()),
        None => (inside, None),
    };
    let is_place =
        matches!(file, "Unknown Source" | "Native Method" | "<generated>") || [".java", ".kt", ".groovy", ".scala"].iter().any(|it| file.ends_with(it));
    if is_place {
        frame.line = line;
    } else {
        frame.parameters = Some(signature::types(inside));
    }
    Some((frame, is_place))
}

/// Whether a line names an exception: a qualified name with an ending that exceptions have.
fn is_exception(line: &str) -> bool {
    let words = line.split([' ', ':', '\t']).filter(|it| it.contains('.'));
    let mut names = words.filter_map(|it| it.rsplit(['.', '$']).next());
    names.any(|it| ["Exception", "Error", "Throwable", "Failure"].iter().any(|end| it.ends_with(end)) && it.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(failures: &[Failure]) -> Vec<String> {
        let frame = |it: &Frame| {
            let parameters = it.parameters.as_ref().map(|it| format!("({})", it.join(","))).unwrap_or_default();
            let line = it.line.map(|it| format!(":{it}")).unwrap_or_default();
            format!("{} {}{parameters}{line}", it.class, it.method)
        };
        failures.iter().map(|it| format!("{} | {}", it.title, it.frames.iter().map(frame).collect::<Vec<_>>().join(" < "))).collect()
    }

    #[test]
    fn a_trace_with_causes_begins_at_the_innermost_frame() {
        let text = "2024-01-01 ERROR [main] it went wrong\n\
            java.lang.IllegalStateException: no rate\n  for today\n\
            \tat p.Orders.place(Orders.java:12) ~[classes/:na]\n\
            \tat java.base/java.lang.Thread.run(Thread.java:829)\n\
            \tSuppressed: java.io.IOException: closed\n\t\tat p.Other.close(Other.java:1)\n\
            Caused by: com.vendor.RateException: gone\n\
            \tat com.vendor.Rates.of(Rates.java:7)\n\
            \tat app//p.Pricing.lambda$price$0(Pricing.java)\n\
            \t... 12 more\n";
        assert_eq!(
            shown(&read(text)),
            ["com.vendor.RateException: gone (java.lang.IllegalStateException: no rate) | com.vendor.Rates of:7 < p.Pricing lambda$price$0 \
             < p.Orders place:12 < java.lang.Thread run:829"]
        );
    }

    #[test]
    fn methods_stand_one_a_line() {
        let text = "p.Orders.place\r\np.Orders#place(int, java.lang.String)\n p.Orders$Part.run() \nclass p.Orders\nat p.Orders.<init>(Unknown Source)\n";
        assert_eq!(
            shown(&read(text)),
            [
                "p.Orders.place | p.Orders place",
                "p.Orders#place(int, java.lang.String) | p.Orders place(int,String)",
                "p.Orders$Part.run() | p.Orders$Part run()",
                "class p.Orders | p.Orders <init>",
            ]
        );
    }

    #[test]
    fn what_is_no_method_is_passed_over() {
        for text in
            ["", "\n\n", "java.lang.IllegalStateException", "java.lang.IllegalStateException: p.Orders.place", "It failed.", "... 3 more", "a.b.c:d", "at ("]
        {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn traces_are_told_apart() {
        let text = "at p.A.a(A.java:1)\n\nat p.B.b(B.java:2)\nException in thread \"main\" p.Own$Failure\nat p.C.c(C.java:3)\np.D.d\n";
        let titles: Vec<String> = read(text).into_iter().map(|it| it.title).collect();
        assert_eq!(titles, ["p.A.a", "p.B.b", "Exception in thread \"main\" p.Own$Failure", "p.D.d"]);
    }
}

//! What is wrong with the text of a query, before it is run.

use super::{CAPTURES, Mark};
use crate::java::decls::Range;
use crate::java::kinds::language;
use tree_sitter::{Query, QueryError, QueryErrorKind};

/// A longer text is none of ours. In bytes.
pub const MAX_QUERY: u64 = 64 << 10;

/// Brackets in brackets: the library reads them by recursion.
const MAX_DEPTH: usize = 64;

/// Brackets in a text, and repetitions (`*` and `+`) in one pattern: what the library needs for them grows faster than they do.
const MAX_BRACKETS: usize = 1_000;
const MAX_REPEATS: usize = 8;

/// Nodes that calls are.
const CALLS: &[&str] = &["method_invocation", "object_creation_expression", "explicit_constructor_invocation", "method_reference"];
const METHODS: &[&str] = &["method_declaration", "identifier"];
const TYPES: &[&str] = &["class_declaration", "record_declaration", "enum_declaration", "interface_declaration", "identifier"];
/// Names of the grammar for any of several nodes.
const ANY: &[&str] = &["_", "expression", "primary_expression", "declaration", "statement"];

/// Says what is wrong, each with its place, as a clause without a full stop; and whether the query can be run all the same.
pub fn check(text: &str) -> (Vec<(Range, String)>, bool) {
    let (mut problems, is_too_much) = scan(text);
    if is_too_much {
        return (problems, false);
    }
    match Query::new(&language(), text) {
        Ok(query) => {
            for pattern in 0..query.pattern_count() {
                let range = at(text, query.start_byte_for_pattern(pattern), 1);
                for predicate in query.general_predicates(pattern) {
                    problems.push((range, format!("unknown predicate `#{}`", predicate.operator)));
                }
                if !query.property_predicates(pattern).is_empty() {
                    problems.push((range, "`#is?` and `#is-not?` say nothing here".to_owned()));
                }
            }
            problems.sort_by_key(|it| it.0);
            (problems, true)
        }
        Err(err) => {
            // Of a text that is none, nothing else is worth a word.
            (vec![(at(text, offset(text, &err), 1), message(&err))], false)
        }
    }
}

fn at(text: &str, start: usize, len: usize) -> Range {
    let start = text.floor_char_boundary(start);
    Range { start: start as u32, end: (start + len).min(text.len()) as u32 }
}

/// Errors of predicates have a row only.
fn offset(text: &str, err: &QueryError) -> usize {
    if err.kind != QueryErrorKind::Predicate {
        return err.offset;
    }
    text.split_inclusive('\n').take(err.row).map(str::len).sum()
}

fn message(err: &QueryError) -> String {
    let name = err.message.lines().next().unwrap_or_default().trim().trim_matches('"');
    match err.kind {
        QueryErrorKind::NodeType => format!("no node of Java's grammar is called `{name}`"),
        QueryErrorKind::Field => format!("no field of Java's grammar is called `{name}`"),
        QueryErrorKind::Capture => format!("`@{name}` is captured nowhere before"),
        QueryErrorKind::Structure => "nothing in Java's grammar looks like this".to_owned(),
        QueryErrorKind::Predicate => format!("wrong predicate: {name}"),
        QueryErrorKind::Syntax | QueryErrorKind::Language => "not a query from here on".to_owned(),
    }
}

/// Reads captures and brackets: what captures mean nothing or stand where they can mean nothing, and whether it is
/// too much to be read.
fn scan(text: &str) -> (Vec<(Range, String)>, bool) {
    let bytes = text.as_bytes();
    let mut problems = Vec::new();
    // Of each open bracket what it is about; and of the one that was closed last.
    let mut open: Vec<&str> = Vec::new();
    let mut closed: Option<&str> = None;
    let (mut n_brackets, mut n_repeats) = (0, 0);
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        let start = i;
        i += 1;
        match byte {
            b';' => i += bytes[i..].iter().position(|it| *it == b'\n').unwrap_or(bytes.len() - i),
            b'"' => {
                while let Some(&inner) = bytes.get(i) {
                    i += 1 + usize::from(inner == b'\\');
                    if inner == b'"' {
                        break;
                    }
                }
                closed = None;
            }
            b'(' | b'[' => {
                let rest = &text[i..];
                let head = if byte == b'[' { "" } else { word(rest.trim_start()) };
                open.push(head.rsplit('/').next().unwrap_or(head));
                n_brackets += 1;
                if open.len() == 1 {
                    n_repeats = 0;
                }
                let too_much = match () {
                    () if open.len() > MAX_DEPTH => Some(format!("brackets are nested more than {MAX_DEPTH} deep")),
                    () if n_brackets > MAX_BRACKETS => Some(format!("more than {MAX_BRACKETS} brackets are too much for one file")),
                    () => None,
                };
                if let Some(message) = too_much {
                    return (vec![(at(text, start, 1), message)], true);
                }
            }
            b')' | b']' => closed = open.pop(),
            b'@' => {
                let name = word(&text[i..]);
                i += name.len();
                if !open.iter().any(|it| it.starts_with('#')) {
                    problems.extend(capture(name, closed).map(|message| (at(text, start, 1 + name.len()), message)));
                }
            }
            b'*' | b'+' => {
                n_repeats += 1;
                if n_repeats > MAX_REPEATS {
                    return (vec![(at(text, start, 1), format!("more than {MAX_REPEATS} repetitions are too much for one pattern"))], true);
                }
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => closed = None,
            _ => {}
        }
    }
    (problems, false)
}

/// The name that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '#' | '?' | '!'))).unwrap_or(text.len());
    &text[..end]
}

/// What is wrong with a capture of a node.
fn capture(name: &str, node: Option<&str>) -> Option<String> {
    if name.starts_with('_') {
        return None;
    }
    let Some((_, mark)) = CAPTURES.iter().find(|it| it.0 == name) else {
        let known: Vec<&str> = CAPTURES.iter().map(|it| it.0).collect();
        return Some(format!("`@{name}` means nothing: known are {}, and what begins with `_`", known.join(", ")));
    };
    let node = node.filter(|it| !it.is_empty() && !ANY.contains(it))?;
    let is_method = METHODS.contains(&node);
    let (fits, what) = match *mark {
        Mark::MOCK => (is_method || CALLS.contains(&node), "a call, a method or its name"),
        Mark::ENTRY | Mark::START_UP | Mark::INJECTED => (is_method, "a method or its name"),
        Mark::BEAN => (TYPES.contains(&node), "a class or its name"),
        _ => (CALLS.contains(&node), "a whole call"),
    };
    (!fits).then(|| format!("`@{name}` must mark {what}, not `{node}`"))
}

#[cfg(test)]
mod tests {
    use super::check;

    fn problems(text: &str) -> Vec<String> {
        check(text).0.into_iter().map(|(range, message)| format!("{}: {message}", range.start)).collect()
    }

    #[test]
    fn what_is_right() {
        let text = "; (a comment\n(method_invocation name: (identifier) @_name (#eq? @_name \"a)(\\\"\")) @benign\n[(method_declaration) (class_declaration)]+ @entry\n(_) @mock";
        assert_eq!(problems(text), [""; 0]);
        assert!(check(text).1);
    }

    #[test]
    fn what_is_wrong() {
        for (text, said, runs) in [
            ("(method_invocation) @benin", "20: `@benin` means nothing: known are source.system, ", true),
            ("(method_invocation name: (identifier) @benign)", "38: `@benign` must mark a whole call, not `identifier`", true),
            ("(class_declaration) @entry", "20: `@entry` must mark a method or its name, not `class_declaration`", true),
            ("(method_invokation) @benign", "1: no node of Java's grammar is called `method_invokation`", false),
            ("(method_invocation nam: (identifier)) @benign", "19: no field of Java's grammar is called `nam`", false),
            ("(method_invocation (class_body (class_body))) @benign", "19: nothing in Java's grammar looks like this", false),
            ("(method_invocation", "18: not a query from here on", false),
            ("((method_invocation) @benign (#eq? @x \"a\"))", "36: `@x` is captured nowhere before", false),
            ("((method_invocation) @benign (#mach? @benign \"a\"))", "0: unknown predicate `#mach?`", true),
            ("\n((method_invocation) @benign (#match? @benign \"(\"))", "1: wrong predicate: ", false),
        ] {
            let found = problems(text);
            assert!(found.iter().any(|it| it.starts_with(said)), "{text}: {found:?}");
            assert_eq!(check(text).1, runs, "{text}");
        }
    }

    #[test]
    fn brackets_do_not_nest_for_ever() {
        let found = problems(&"(".repeat(100_000));
        assert_eq!(found, ["64: brackets are nested more than 64 deep"]);
    }
}

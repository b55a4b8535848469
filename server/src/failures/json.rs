//! Failures as JSON: an array of texts, of frames as objects, or of traces as arrays of both.

use super::{Failure, Frame, text, title};
use serde_json::{Map, Value};

/// The names that loggers and people give to what a frame has.
const CLASS: [&str; 3] = ["class", "className", "declaringClass"];
const METHOD: [&str; 2] = ["method", "methodName"];
const LINE: [&str; 2] = ["line", "lineNumber"];
const PARAMETERS: [&str; 2] = ["parameters", "params"];

/// Reads failures.
pub(super) fn read(text: &str) -> Result<Vec<Failure>, String> {
    let value: Value = serde_json::from_str(text).map_err(|err| format!("not JSON: {err}"))?;
    let Value::Array(elements) = value else { return Err("not an array".to_owned()) };
    let mut found = Vec::new();
    for (index, element) in (1..).zip(elements) {
        let at = |message: String| format!("failure {index}: {message}");
        match element {
            Value::String(it) => found.extend(text::read(&it)),
            Value::Object(it) => found.push(failure(vec![of_object(&it).map_err(at)?])),
            Value::Array(frames) => {
                let mut all = Vec::new();
                for it in frames {
                    all.extend(of_frame(it).map_err(at)?);
                }
                if !all.is_empty() {
                    found.push(failure(all));
                }
            }
            _ => return Err(at("neither a text nor a frame nor an array of frames".to_owned())),
        }
    }
    Ok(found)
}

fn failure(frames: Vec<Frame>) -> Failure {
    let words = frames.first().map(|it| format!("{}.{}", it.class, it.method)).unwrap_or_default();
    Failure { title: title(&words), frames }
}

/// One frame of a trace; a text that is none, such as the exception, is passed over.
fn of_frame(value: Value) -> Result<Option<Frame>, String> {
    match value {
        Value::String(it) => Ok(text::frame(it.trim())),
        Value::Object(it) => of_object(&it).map(Some),
        _ => Err("a frame is neither a text nor an object".to_owned()),
    }
}

fn of_object(object: &Map<String, Value>) -> Result<Frame, String> {
    let get = |names: &[&str]| names.iter().find_map(|it| object.get(*it));
    let word = |names: &[&str]| match get(names).and_then(Value::as_str) {
        Some(it) if !it.is_empty() => Ok(it.to_owned()),
        _ => Err(format!("a frame has no `{}`", names[0])),
    };
    let types = get(&PARAMETERS).and_then(Value::as_array);
    Ok(Frame {
        class: word(&CLASS)?,
        method: word(&METHOD)?,
        parameters: types.map(|it| it.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        line: get(&LINE).and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok()),
    })
}

#[cfg(test)]
mod tests {
    use crate::failures::{Frame, read};

    fn frame(class: &str, method: &str, line: Option<u32>) -> Frame {
        Frame { class: class.to_owned(), method: method.to_owned(), parameters: None, line }
    }

    #[test]
    fn texts_objects_and_arrays() {
        let text = r#" [
            "p.A.a",
            "java.lang.Error: x\n\tat p.B.b(B.java:2)\n\tat p.C.c(C.java:3)",
            { "class": "p.D", "method": "d", "line": 4 },
            [{ "className": "p.E", "methodName": "e", "lineNumber": 5 }, "at p.F.f(F.java:6)", "java.lang.Error: y"],
            []
        ]"#;
        let found = read(text).expect("it is JSON");
        let frames: Vec<Vec<Frame>> = found.into_iter().map(|it| it.frames).collect();
        assert_eq!(
            frames,
            [
                vec![frame("p.A", "a", None)],
                vec![frame("p.B", "b", Some(2)), frame("p.C", "c", Some(3))],
                vec![frame("p.D", "d", Some(4))],
                vec![frame("p.E", "e", Some(5)), frame("p.F", "f", Some(6))],
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("[\"p.A.a\"", "not JSON"),
            ("[{\"class\": \"p.A\"}]", "failure 1: a frame has no `method`"),
            ("[\"p.A.a\", [[]]]", "failure 2: a frame is neither"),
            ("[{}, null]", "failure 1: a frame has no `class`"),
        ] {
            assert!(read(text).is_err_and(|it| it.starts_with(said)), "{text}");
        }
        // A line of a log.
        assert_eq!(read("[main] failed\np.A.a").map(|it| it.len()), Ok(1));
    }
}

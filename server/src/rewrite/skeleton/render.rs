//! Writes the tests down.

use super::names::Names;
use super::run::{MockCall, Outcome, Run, Stub};
use super::types::Type;
use super::values::{Mock, Value, What};
use super::{Attempt, Subject, Tests};

/// Which of the three oracles a test has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Oracle {
    Output,
    Parameters,
    Calls,
}

pub(super) fn render(subject: &Subject, attempt: Attempt<'_, '_>, test: &str, display: &str, method: &str, is_taken: impl Fn(&str) -> bool) -> Option<Tests> {
    let Attempt { mut run, mut outcome, receiver, args } = attempt;
    if let Outcome::Throws(ty) = &outcome {
        let named = run.arrange.world.named(ty).filter(|it| run.arrange.world.is_visible(it));
        outcome = match named.and_then(|it| run.arrange.names.class(&it)) {
            Some(class) => Outcome::Throws(class),
            None => Outcome::Unclear(format!("throw new {ty}(..)")),
        };
    }
    let call = format!("{receiver}.{}({})", subject.name, args.join(", "));
    let mut common = vec!["// Arrange".to_owned()];
    common.extend(run.notes.iter().map(|it| format!("// {it}")));
    common.append(&mut run.arrange.lines);
    let stubs = std::mem::take(&mut run.stubs);
    let mocks = std::mem::take(&mut run.arrange.mocks);
    common.extend(stubs.iter().map(|it| stub(&mut run.arrange.names, &mocks, it)));
    let head = method.split('{').next().unwrap_or_default();
    let throws = if head.contains("Throwable") { "Throwable" } else { "Exception" };
    let mut methods = Vec::new();
    for oracle in [Oracle::Output, Oracle::Parameters, Oracle::Calls] {
        let Some(body) = body(subject, &mut run, &mocks, &outcome, &call, oracle) else { continue };
        let (suffix, title) = match oracle {
            Oracle::Output => ("Output", "output"),
            Oracle::Parameters => ("Parameters", "parameter"),
            Oracle::Calls => ("Calls", "call"),
        };
        let mut name = format!("{}{suffix}", subject.name);
        let mut n = 1;
        while is_taken(&name) {
            n += 1;
            name = format!("{}{suffix}{n}", subject.name);
        }
        let mut lines = vec![format!("@{test}"), format!("@{display}(\"{} with {title} oracle\")", subject.name), format!("void {name}() throws {throws} {{")];
        for line in common.iter().chain(&body) {
            lines.push(if line.is_empty() { String::new() } else { format!("    {line}") });
        }
        lines.push("}".to_owned());
        methods.push(lines);
    }
    let names = run.arrange.names;
    Some(Tests { methods, imports: names.imports.into_iter().collect(), statics: names.statics.into_iter().collect() })
}

/// *Act* and *Assert* of a test; `None` if the oracle has nothing to say.
fn body(subject: &Subject, run: &mut Run<'_, '_>, mocks: &[Mock], outcome: &Outcome, call: &str, oracle: Oracle) -> Option<Vec<String>> {
    let checks = match oracle {
        Oracle::Output => Vec::new(),
        Oracle::Parameters => parameters(run, mocks),
        Oracle::Calls => calls(run, mocks, outcome),
    };
    if oracle != Oracle::Output && checks.is_empty() {
        return None;
    }
    let is_output = oracle == Oracle::Output;
    let mut before = None;
    let mut act = Vec::new();
    let mut assert = Vec::new();
    match outcome {
        Outcome::Gives(value) if is_output && !subject.returns.is_void() => {
            assert = output(run, value, &subject.returns);
            if assert.is_empty() {
                let sure = run.arrange.names.assertion("assertDoesNotThrow");
                act.push(format!("{sure}(() -> {call});"));
                assert.push("// What it gives depends on more than the mocks: assertEquals(expected, actual).".to_owned());
            } else {
                let declared = if subject.returns.args.is_empty() && !subject.returns.is_generic && run.arrange.world.is_visible(&subject.returns) {
                    run.arrange.names.declared(&subject.returns)?
                } else {
                    "var".to_owned()
                };
                if run.statics.is_empty() {
                    act.push(format!("{declared} actual = {call};"));
                } else if declared == "var" {
                    before = Some("Object actual;".to_owned());
                    act.push(format!("actual = {call};"));
                } else {
                    before = Some(format!("{declared} actual;"));
                    act.push(format!("actual = {call};"));
                }
            }
        }
        Outcome::Gives(_) | Outcome::Ends if is_output => {
            let sure = run.arrange.names.assertion("assertDoesNotThrow");
            act.push(format!("{sure}(() -> {call});"));
        }
        Outcome::Gives(_) | Outcome::Ends => act.push(format!("{call};")),
        Outcome::Throws(class) => {
            let throws = run.arrange.names.assertion("assertThrows");
            act.push(format!("{throws}({class}.class, () -> {call});"));
        }
        Outcome::Unclear(at) => {
            act.push("try {".to_owned());
            act.push(format!("    {call};"));
            act.push("} catch (Exception | LinkageError notPrepared) {".to_owned());
            if is_output {
                let assume = run.arrange.names.of("org.junit.jupiter.api.Assumptions", "assumeTrue");
                act.push(format!("    {assume}(false, \"more is to be prepared: \" + notPrepared);"));
            } else {
                act.push("    // What is verified comes before.".to_owned());
            }
            act.push("}".to_owned());
            if is_output {
                act.insert(0, format!("// From here on it depends on more than the mocks: {at}"));
                assert.push("// Prepare that and say what is expected: assertEquals(expected, actual).".to_owned());
            }
        }
    }
    let mut lines = vec![String::new(), "// Act".to_owned()];
    lines.extend(before);
    lines.extend(with_statics(run, act));
    assert.extend(checks);
    if !assert.is_empty() {
        lines.push(String::new());
        lines.push("// Assert".to_owned());
        lines.extend(assert);
    }
    Some(lines)
}

/// Puts what acts where static methods are answered.
fn with_statics(run: &mut Run<'_, '_>, act: Vec<String>) -> Vec<String> {
    let statics = run.statics.clone();
    if statics.is_empty() {
        return act;
    }
    let names = &mut run.arrange.names;
    let (answers, calls) = (names.of_mockito("mockStatic"), names.of_mockito("CALLS_REAL_METHODS"));
    let mocked = names.qualified("org.mockito.MockedStatic");
    let mut opened: Vec<(Type, String)> = Vec::new();
    let mut resources = Vec::new();
    let mut lines = Vec::new();
    for stub in &statics {
        let class = names.class(&stub.class).unwrap_or_default();
        let local = match opened.iter().find(|it| it.0 == stub.class) {
            Some(it) => it.1.clone(),
            None => {
                let local = format!("static{}", stub.class.name.replace('.', ""));
                resources.push(format!("{mocked}<{class}> {local} = {answers}({class}.class, {calls})"));
                opened.push((stub.class.clone(), local.clone()));
                local
            }
        };
        let result = stub.result.text.clone().unwrap_or_else(|| "null".to_owned());
        lines.push(format!("    {local}.when(() -> {class}.{}({})).thenReturn({result});", stub.method, stub.args.join(", ")));
    }
    let mut res = Vec::new();
    for (i, resource) in resources.iter().enumerate() {
        let start = if i == 0 { "try (".to_owned() } else { "        ".to_owned() };
        let end = if i + 1 == resources.len() { ") {" } else { ";" };
        res.push(format!("{start}{resource}{end}"));
    }
    res.extend(lines);
    res.extend(act.into_iter().map(|it| format!("    {it}")));
    res.push("}".to_owned());
    res
}

fn stub(names: &mut Names<'_>, mocks: &[Mock], stub: &Stub) -> String {
    let mock = &mocks[stub.call.mock].name;
    let args = arguments(names, &stub.call, true);
    let result = stub.result.text.clone().unwrap_or_else(|| "null".to_owned());
    // A generic result may have wildcards in it that no value fits.
    if stub.returns.is_generic || !stub.returns.args.is_empty() {
        let answer = names.of_mockito("doReturn");
        return format!("{answer}({result}).when({mock}).{}({args});", stub.call.method);
    }
    let when = names.of_mockito("when");
    format!("{when}({mock}.{}({args})).thenReturn({result});", stub.call.method)
}

/// The arguments of a call as they were, or matchers for all if one of them cannot be written.
fn arguments(names: &mut Names<'_>, call: &MockCall, exact: bool) -> String {
    let all_known = exact && call.args.iter().all(|it| it.text.is_some());
    let texts: Vec<String> = call
        .args
        .iter()
        .zip(&call.params)
        .map(|(arg, ty)| match &arg.text {
            Some(text) if all_known => text.clone(),
            Some(text) if exact => format!("{}({text})", names.matcher("eq")),
            _ => any(names, arg, ty),
        })
        .collect();
    texts.join(", ")
}

/// A matcher for any argument of a type.
fn any(names: &mut Names<'_>, arg: &Value, ty: &Type) -> String {
    if ty.is_primitive() {
        let mut letters = ty.name.chars();
        let name: String = "any".chars().chain(letters.next().into_iter().flat_map(char::to_uppercase)).chain(letters).collect();
        return format!("{}()", names.matcher(&name));
    }
    if ty.is("java.lang.String") && matches!(arg.what, What::Text(_) | What::Object(_)) {
        return format!("{}()", names.matcher("anyString"));
    }
    // It is the only method of its name and number of parameters, so that nothing more need be said.
    format!("{}()", names.matcher("any"))
}

/// What mocks were called with.
fn parameters(run: &mut Run<'_, '_>, mocks: &[Mock]) -> Vec<String> {
    let calls = run.calls.clone();
    let names = &mut run.arrange.names;
    let mut lines: Vec<String> = Vec::new();
    for call in &calls {
        let (verify, times) = (names.of_mockito("verify"), names.of_mockito("atLeastOnce"));
        let args = arguments(names, call, true);
        let line = format!("{verify}({}, {times}()).{}({args});", mocks[call.mock].name, call.method);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// In which order mocks were called, if all calls are known.
fn calls(run: &mut Run<'_, '_>, mocks: &[Mock], outcome: &Outcome) -> Vec<String> {
    if run.calls.len() < 2 || matches!(outcome, Outcome::Unclear(_)) {
        return Vec::new();
    }
    let calls = run.calls.clone();
    let names = &mut run.arrange.names;
    let (in_order, times) = (names.of_mockito("inOrder"), names.of_mockito("times"));
    let ty = names.qualified("org.mockito.InOrder");
    let mut called: Vec<&str> = Vec::new();
    let mut runs: Vec<(String, usize)> = Vec::new();
    for call in &calls {
        let mock = mocks[call.mock].name.as_str();
        if !called.contains(&mock) {
            called.push(mock);
        }
        let args = arguments(names, call, false);
        let text = format!("{mock}, {times}(%)).{}({args});", call.method);
        match runs.last_mut().filter(|it| it.0 == text) {
            Some(last) => last.1 += 1,
            None => runs.push((text, 1)),
        }
    }
    let mut lines = vec![format!("{ty} orderVerifier = {in_order}({});", called.join(", "))];
    lines.extend(runs.into_iter().map(|(text, n)| format!("orderVerifier.verify({}", text.replacen('%', &n.to_string(), 1))));
    lines
}

/// What is asserted of a result. Nothing if nothing is known of it.
fn output(run: &mut Run<'_, '_>, value: &Value, returns: &Type) -> Vec<String> {
    let names = &mut run.arrange.names;
    let equal = |names: &mut Names<'_>, text: &str| vec![format!("{}({text}, actual);", names.assertion("assertEquals"))];
    match &value.what {
        What::Null => vec![format!("{}(actual);", names.assertion("assertNull"))],
        What::Bool(is_true) => vec![format!("{}(actual);", names.assertion(if *is_true { "assertTrue" } else { "assertFalse" }))],
        What::Int(n) => match &value.text {
            Some(text) => equal(names, text),
            None if returns.is("java.lang.Object") => Vec::new(),
            None => equal(names, &if returns.name == "long" || returns.name == "Long" { format!("{n}L") } else { n.to_string() }),
        },
        What::Mock(_) => value.text.iter().flat_map(|it| vec![format!("{}({it}, actual);", names.assertion("assertSame"))]).collect(),
        What::Maybe(None) => {
            let optional = names.qualified("java.util.Optional");
            equal(names, &format!("{optional}.empty()"))
        }
        What::Maybe(Some(inside)) => match (&value.text, &inside.text) {
            (Some(text), _) => equal(names, text),
            (None, Some(text)) => {
                let optional = names.qualified("java.util.Optional");
                equal(names, &format!("{optional}.of({text})"))
            }
            _ => vec![format!("{}(actual);", names.assertion("assertNotNull"))],
        },
        What::List(_) | What::Text(_) | What::Object(_) => match &value.text {
            Some(text) if !matches!(value.what, What::Object(Some(ref ty)) if ty.dims > 0) => equal(names, text),
            _ if returns.is_primitive() => Vec::new(),
            _ => vec![format!("{}(actual);", names.assertion("assertNotNull"))],
        },
        What::This => vec![format!("{}(actual);", names.assertion("assertNotNull"))],
        What::Unknown => Vec::new(),
    }
}

impl Tests {
    /// The text of a new file.
    pub fn file(&self, package: &str, class: &str) -> String {
        let mut text = String::new();
        if !package.is_empty() {
            text.push_str(&format!("package {package};\n\n"));
        }
        for it in &self.statics {
            text.push_str(&format!("import static {it};\n"));
        }
        text.push('\n');
        for it in &self.imports {
            text.push_str(&format!("import {it};\n"));
        }
        text.push_str(&format!("\nclass {class} {{\n"));
        text.push_str(&self.text("    ", "\n"));
        text.push_str("}\n");
        text
    }

    /// The methods, each line behind `indent`, with a blank line between them.
    pub(super) fn text(&self, indent: &str, line_break: &str) -> String {
        let methods: Vec<String> = self
            .methods
            .iter()
            .map(|lines| lines.iter().map(|it| if it.is_empty() { line_break.to_owned() } else { format!("{indent}{it}{line_break}") }).collect())
            .collect();
        methods.join(line_break)
    }

    /// What a file must import for them: types, and static members.
    pub(super) fn imports(&self) -> (&[String], &[String]) {
        (&self.imports, &self.statics)
    }
}

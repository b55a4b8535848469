//! Code actions: offered, resolved, applied, and what the analysis says of the result.

use super::client::{Builder, CLOCK, PATIENCE, TestServer};
use serde_json::{Value, json};
use std::time::Instant;

pub const RESOLVES: &str = r#"{ "textDocument": { "codeAction": { "dataSupport": true, "resolveSupport": { "properties": ["edit"] } } },
    "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } } }"#;

fn resolving() -> Builder {
    Builder::new().capabilities(serde_json::from_str(RESOLVES).expect("it is JSON"))
}

/// A text after edits, whose columns are those of ASCII.
pub fn applied(text: &str, edits: &Value) -> String {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|it| it.0 + 1));
    let offset = |it: &Value| starts[it["line"].as_u64().expect("a line") as usize] + it["character"].as_u64().expect("a column") as usize;
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("edits")
        .iter()
        .map(|it| (offset(&it["range"]["start"]), offset(&it["range"]["end"]), it["newText"].as_str().expect("a text")))
        .collect();
    edits.sort_by_key(|it| (it.0, it.1));
    let mut res = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        res.replace_range(start..end, new);
    }
    res
}

/// The edits of the only document of the only action whose title begins so.
fn edits<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    &titled(actions, title)["edit"]["documentChanges"][0]["edits"]
}

pub fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    let mut found = actions.iter().filter(|it| it["title"].as_str().is_some_and(|it| it.starts_with(title)));
    let first = found.next().unwrap_or_else(|| panic!("no {title:?} in {actions:#?}"));
    assert!(found.next().is_none(), "{title:?} twice");
    first
}

#[test]
fn extracts_what_is_read() {
    // The paper's Figure 9 in other words: a call that is answered from the record would not count.
    let text = "package p;\n\nclass Visits {\n    private int[] seen;\n\n    long visit(int[] log) {\n        log[0]++;\n        return System.currentTimeMillis();\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Visits.java", text);
    server.await_codes("p/Visits.java", &["mocking-point", "lost-side-effect"]);
    let actions = server.actions("p/Visits.java", 7, Value::Null);
    let fix = titled(&actions, "Extract `System.currentTimeMillis` into a method `currentTimeMillis`");
    // Where a write would be lost it mends the finding, elsewhere it is a matter of taste.
    assert_eq!(fix["kind"], "quickfix");
    let after = applied(text, edits(&actions, "Extract"));
    assert!(
        after.contains("return currentTimeMillis();\n    }\n\n    long currentTimeMillis() {\n        return System.currentTimeMillis();\n    }\n"),
        "{after}"
    );
    server.change("p/Visits.java", 2, json!([{ "text": after }]));
    let published = server.await_codes("p/Visits.java", &["mocking-point"]);
    assert!(published["diagnostics"][0]["message"].as_str().is_some_and(|it| it.contains("`Visits.currentTimeMillis`")), "{published}");
}

#[test]
fn what_is_drawn_is_taken_out_and_not_the_generator() {
    let text = "package p;\n\nimport java.security.SecureRandom;\nimport java.util.Random;\n\nclass Dice {\n    int chained() {\n        return new Random().nextInt(6);\n    }\n\n    int local() {\n        Random random = new SecureRandom();\n        return random.nextInt(6);\n    }\n\n    int seeded() {\n        return new Random(42).nextInt(6);\n    }\n\n    Random made() {\n        return new Random();\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Dice.java", text);
    server.await_codes("p/Dice.java", &["mocking-point", "mocking-point", "mocking-point"]);
    let mut extractions = |line: u32| {
        let actions = server.actions("p/Dice.java", line, json!(["refactor.extract"]));
        let edited = |it: &Value| (it["title"].as_str().unwrap_or_default().to_owned(), applied(text, &it["edit"]["documentChanges"][0]["edits"]));
        actions.iter().map(edited).collect::<Vec<_>>()
    };
    let title = "Extract `Random.nextInt` into a method `nextInt` of its own";
    // At the name, and at the expression.
    for line in [6, 7] {
        let found = extractions(line);
        assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), [title], "{line}");
        assert!(found[0].1.contains("return nextInt();\n    }\n\n    int nextInt() {\n        return new Random().nextInt(6);"), "{}", found[0].1);
    }
    // Where the generator is made, as where it is used.
    for line in [10, 11, 12] {
        let found = extractions(line);
        assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), [title], "{line}");
        assert!(found[0].1.contains("int nextInt(Random random) {\n        return random.nextInt(6);"), "{}", found[0].1);
    }
    // What is seeded is no state. Where nothing is drawn, the generator is all there is.
    assert_eq!(extractions(15).len() + extractions(16).len(), 0);
    assert_eq!(extractions(20)[0].0, "Extract `Random.<init>` into a method `newRandom` of its own");
}

#[test]
fn a_seam_throws_what_it_must() {
    let text = "package p;\n\nimport java.io.*;\n\nclass Runs {\n    Process start(ProcessBuilder builder) throws IOException {\n        return builder.start();\n    }\n\n    boolean there(File file) throws IOException {\n        return file.exists();\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Runs.java", text);
    server.await_codes("p/Runs.java", &["mocking-point", "mocking-point"]);
    for (line, expected) in [(6, "Process startValue(ProcessBuilder builder) throws IOException {"), (10, "boolean exists(File file) {")] {
        let actions = server.actions("p/Runs.java", line, json!(["refactor.extract"]));
        let after = applied(text, edits(&actions, "Extract"));
        assert!(after.contains(expected), "{after}");
    }
}

#[test]
fn edits_come_when_an_action_is_chosen() {
    let mut server = resolving().build();
    assert_eq!(server.initialized["capabilities"]["codeActionProvider"]["resolveProvider"], true);
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, json!(["refactor.extract"]));
    let [extract] = &actions[..] else { panic!("{actions:#?}") };
    assert!(extract["edit"].is_null() && extract["data"].is_object());
    let resolved = server.request("codeAction/resolve", extract.clone());
    assert_eq!(resolved["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(resolved["title"], extract["title"]);
    // Each of all actions gives the edit of the same action.
    for action in server.actions("p/Clock.java", 3, Value::Null) {
        let resolved = server.request("codeAction/resolve", action.clone());
        assert!(resolved["edit"]["documentChanges"].is_array(), "{action}");
    }
    server.change("p/Clock.java", 2, json!([{ "text": format!("// new\n{CLOCK}") }]));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(server.raw_request("codeAction/resolve", extract.clone())["error"]["code"], -32801);
    assert_eq!(server.raw_request("codeAction/resolve", json!({ "title": "theirs" }))["error"]["code"], -32602);
}

#[test]
fn injects_a_clock() {
    let text = "package p;\n\nimport java.time.*;\n\nclass Prices {\n    boolean evening() {\n        return LocalTime.now().getHour() > 18;\n    }\n\n    long age(long since) {\n        return System.currentTimeMillis() - since;\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Prices.java", text);
    server.await_codes("p/Prices.java", &["mocking-point", "mocking-point"]);
    let actions = server.actions("p/Prices.java", 5, Value::Null);
    let title = "Add a field for a `java.time.Clock` and use it in 2 places";
    assert_eq!(titled(&actions, title)["kind"], "refactor.rewrite");
    let after = applied(text, edits(&actions, title));
    assert!(after.contains("    private Clock clock = Clock.systemDefaultZone();\n"), "{after}");
    assert!(after.contains("LocalTime.now(clock).getHour()") && after.contains("clock.millis() - since"), "{after}");
}

#[test]
fn says_it_in_the_configuration() {
    let mut server = resolving().build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, Value::Null);
    let action = titled(&actions, "Say in mockpoint.toml that `System.currentTimeMillis` carries no state").clone();
    let resolved = server.request("codeAction/resolve", action);
    let changes = &resolved["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert!(changes[0]["uri"].as_str().is_some_and(|it| it.ends_with("/mockpoint.toml")));
    let row = applied("\n", &changes[1]["edits"]);
    server.write("mockpoint.toml", &row);
    let uri = server.uri("mockpoint.toml");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    server.await_codes("p/Clock.java", &[]);
}

#[test]
fn a_row_goes_behind_those_that_are_there() {
    let config = "world = \"application\"\nexclude = [\"gen/**\"]\n";
    let mut server = resolving().file("mockpoint.toml", config).build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, Value::Null);
    for (title, expected) in
        [("Say in mockpoint.toml", "exclude = [\"gen/**\"]\n\n[[sanitizer]]\n"), ("Leave this file out", "exclude = [\"/p/Clock.java\", \"gen/**\"]\n")]
    {
        let resolved = server.request("codeAction/resolve", titled(&actions, title).clone());
        let after = applied(config, &resolved["edit"]["documentChanges"][0]["edits"]);
        assert!(after.contains(expected), "{after}");
    }
}

#[test]
fn says_that_what_a_branch_guards_has_no_effect() {
    let text = "package p;\n\nclass Slow {\n    static int n;\n\n    void slow(long since) {\n        if (System.nanoTime() - since > 9) {\n            Meter.count(\"slow\");\n        }\n    }\n\n    void late(long since) {\n        if (System.nanoTime() - since > 9) {\n            n = 1;\n        }\n    }\n}\n\nclass Meter {\n    static void count(String what) {\n        System.exit(what.length());\n    }\n}\n";
    let mut server = resolving().build();
    server.open("p/Slow.java", text);
    server.await_codes("p/Slow.java", &["never-modified-field", "mocking-point", "mocking-point"]);
    let title = "Say in mockpoint.toml that `Meter.count` has no effect on results";
    // At the call, at the condition, and at the name of the method.
    for line in [7, 6] {
        titled(&server.actions("p/Slow.java", line, Value::Null), title);
    }
    // A branch that guards an assignment counts whatever the calls do.
    assert!(server.actions("p/Slow.java", 12, Value::Null).iter().all(|it| !it["title"].as_str().is_some_and(|it| it.contains("no effect"))));
    let action = titled(&server.actions("p/Slow.java", 5, Value::Null), title).clone();
    let resolved = server.request("codeAction/resolve", action);
    let row = applied("\n", &resolved["edit"]["documentChanges"][1]["edits"]);
    assert!(row.contains("[[benign]]\ntype = \"p.Meter\"\nmember = \"count\"\nparams = \"(java.lang.String)\"\n"), "{row}");
    server.write("mockpoint.toml", &row);
    let uri = server.uri("mockpoint.toml");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    server.await_codes("p/Slow.java", &["never-modified-field", "mocking-point"]);
}

#[test]
fn fields_of_the_whole_workspace_become_final() {
    let open = "package p;\n\nclass Open {\n    private static int high = 10;\n\n    static int high() {\n        return high;\n    }\n}\n";
    let closed = "package p;\n\nclass Closed {\n    private static int low = 1;\n    private static int changed;\n\n    static int low() {\n        return low + changed++;\n    }\n}\n";
    let mut capabilities: Value = serde_json::from_str(RESOLVES).expect("it is JSON");
    capabilities["workspace"]["applyEdit"] = json!(true);
    let mut server = Builder::new().capabilities(capabilities).file("p/Open.java", open).file("p/Closed.java", closed).build();
    server.open("p/Open.java", open);
    server.request("workspace/executeCommand", json!({ "command": "mockpoint.analyseWorkspace" }));
    server.await_codes("p/Open.java", &["never-modified-field"]);
    // Who fixes all on saving means the file.
    assert!(server.actions("p/Open.java", 0, json!(["source.fixAll"])).iter().all(|it| it["command"].is_null()));
    let all = server.actions("p/Open.java", 0, json!(["source.mockpoint"]));
    let action = titled(&all, "Make all never-modified fields of the workspace final");
    let answer = server.request("workspace/executeCommand", action["command"].clone());
    assert_eq!(answer, json!({ "files": 2, "places": 2 }));
    let edit = server.answer("workspace/applyEdit", &json!({ "applied": true }))["edit"].clone();
    let changes = edit["documentChanges"].as_array().expect("edits");
    let found: Vec<(Value, Value)> = changes.iter().map(|it| (it["textDocument"]["uri"].clone(), it["textDocument"]["version"].clone())).collect();
    assert_eq!(found, [(json!(server.uri("p/Closed.java")), json!(null)), (json!(server.uri("p/Open.java")), json!(1))]);
    let after = applied(closed, &changes[0]["edits"]);
    assert!(after.contains("private static final int low = 1;\n    private static int changed;"), "{after}");
    // A file that is another one by now is left alone.
    server.write("p/Closed.java", &format!("// new\n{closed}"));
    assert_eq!(server.request("workspace/executeCommand", action["command"].clone()), json!({ "files": 1, "places": 1 }));
    server.answer("workspace/applyEdit", &json!({ "applied": false, "failureReason": "busy" }));
    let shown = server.wait("window/showMessage", |it| it["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().is_some_and(|it| it.ends_with(": busy")), "{shown}");
}

#[test]
fn what_is_read_where_no_method_can_be_mocked() {
    let text = "package p;\n\nclass Session {\n    final java.util.UUID id;\n\n    Session() {\n        id = java.util.UUID.randomUUID();\n    }\n}\n";
    let mut server = resolving().build();
    server.open("p/Session.java", text);
    let published = server.await_codes("p/Session.java", &["carrier-field", "unmockable-source"]);
    titled(&server.actions("p/Session.java", 3, Value::Null), "Suppress `carrier-field` for this line with a comment");
    assert_eq!(published["diagnostics"][1]["severity"], 4);
    let message = "java.util.UUID.randomUUID() is read in a constructor of `Session`, where no method can be mocked; field p.Session.id keeps the value";
    assert_eq!(published["diagnostics"][1]["message"], message);
    let actions = server.actions("p/Session.java", 6, Value::Null);
    titled(&actions, "Say in mockpoint.toml that `UUID.randomUUID` carries no state");
    titled(&actions, "Suppress `unmockable-source` for this line with a comment");
    let extract = server.request("codeAction/resolve", titled(&actions, "Extract").clone());
    let after = applied(text, &extract["edit"]["documentChanges"][0]["edits"]);
    server.change("p/Session.java", 2, json!([{ "text": after }]));
    // The new method is one that can be mocked.
    server.await_codes("p/Session.java", &["mocking-point"]);
}

#[test]
fn no_file_is_made_for_a_client_that_cannot() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, Value::Null);
    assert!(!actions.iter().any(|it| it["title"].as_str().is_some_and(|it| it.contains("mockpoint.toml"))), "{actions:#?}");
}

#[test]
fn removes_setters_and_makes_all_final() {
    let text = "package p;\n\nclass Limits {\n    private static int high = 10;\n    private static int low = 1;\n\n    static void setLow(int n) {\n        low = n;\n    }\n\n    static int width() {\n        return high - low;\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Limits.java", text);
    server.await_codes("p/Limits.java", &["never-modified-field", "never-modified-field"]);
    let actions = server.actions("p/Limits.java", 4, Value::Null);
    let after = applied(text, edits(&actions, "Remove `setLow`, which nothing calls"));
    assert!(!after.contains("setLow"), "{after}");
    server.change("p/Limits.java", 2, json!([{ "text": after }]));
    server.await_codes("p/Limits.java", &["never-modified-field", "never-modified-field"]);
    // That the second one can be final is known after the next link.
    let both = |text: &str| text.contains("static final int high") && text.contains("static final int low");
    let begun = Instant::now();
    loop {
        let all = server.actions("p/Limits.java", 0, json!(["source.fixAll"]));
        let fixed = applied(&after, edits(&all, "Make all never-modified fields of this file final"));
        if both(&fixed) {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{fixed}");
    }
    // How often it was published on the way depends on how fast it links.
    server.unclaimed.retain(|it| it["method"] != "textDocument/publishDiagnostics");
    // Not in the menu of a place.
    assert!(server.actions("p/Limits.java", 3, Value::Null).iter().all(|it| it["kind"] != "source.fixAll"));
}

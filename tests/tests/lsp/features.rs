//! Lenses, inlay hints, commands, the tree and the status.

use super::client::{Builder, CLOCK, TestServer, uri};
use mockpoint_tests::schema;
use serde_json::{Value, json};

const STATE: &str = "package p;\n\nclass State {\n    private static int seed;\n    private static int limit = 10;\n\n    static void limit(int n) {\n        limit = n;\n    }\n\n    int next() {\n        seed++;\n        return seed + (int) System.nanoTime();\n    }\n\n    int limit() {\n        return limit;\n    }\n\n    public static void main(String[] a) {\n        new State().next();\n    }\n}\n";

fn lenses(server: &mut TestServer, name: &str) -> Vec<Value> {
    let uri = server.uri(name);
    let lenses = server.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lenses = lenses.as_array().cloned().unwrap_or_default();
    assert!(lenses.iter().all(|it| it.get("command").is_none()), "they are resolved one by one");
    lenses.into_iter().map(|it| server.request("codeLens/resolve", it)).collect()
}

fn titles(lenses: &[Value]) -> Vec<(i64, String)> {
    let title = |it: &Value| it["command"]["title"].as_str().unwrap_or_default().to_owned();
    lenses.iter().map(|it| (it["range"]["start"]["line"].as_i64().unwrap_or_default(), title(it))).collect()
}

fn opened(builder: Builder) -> TestServer {
    let mut server = builder.file("p/State.java", STATE).build();
    server.open("p/State.java", STATE);
    server.await_codes("p/State.java", &["modified-field", "never-modified-field", "mocking-point"]);
    server
}

#[test]
fn lenses_say_the_verdicts() {
    let mut server = opened(Builder::new());
    let found = lenses(&mut server, "p/State.java");
    let expected = [
        (2, "1 mocking point (1 system, 1 internal), 1 modified field, 1 field ruled out"),
        (3, "state: modified in 1 place"),
        (4, "ruled out: modifier never called"),
        (10, "mocking point: system, internal - 2 sources"),
    ];
    assert_eq!(titles(&found), expected.map(|(line, title)| (line, title.to_owned())));
    // They lead to the path.
    let command = &found[3]["command"];
    assert_eq!(command["command"], "mockpoint.showPath");
    assert_eq!((&command["arguments"][0], &command["arguments"][1]), (&json!(server.uri("p/State.java")), &json!({ "line": 10, "character": 8 })));
    let lines: Vec<_> = command["arguments"][2].as_array().expect("a list").iter().map(|it| it["range"]["start"]["line"].as_i64()).collect();
    assert!(lines.contains(&Some(12)), "{lines:?}");
    assert_eq!(found[2]["command"]["command"], "mockpoint.showModifiers");
    assert_eq!(found[2]["command"]["arguments"][2][0]["range"]["start"]["line"], 7);
    // One of an older text says what is true now, and none of what is gone.
    let uri = server.uri("p/State.java");
    let old = server.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    server.change("p/State.java", 2, json!([{ "text": format!("\n{}", STATE.replace("seed + (int) System.nanoTime()", "0").replace("seed++;", "")) }]));
    let resolved = server.request("codeLens/resolve", old[3].clone());
    assert_eq!(resolved["command"], json!({ "title": "no finding", "command": "" }));
    let resolved = server.request("codeLens/resolve", old[2].clone());
    assert_eq!(resolved["command"]["arguments"][1]["line"], 5);
    // A person who wants none gets none.
    server.notify("workspace/didChangeConfiguration", json!({ "settings": { "codeLens": { "enable": false } } }));
    assert!(lenses(&mut server, "p/State.java").is_empty());
    server.forget("textDocument/publishDiagnostics");
}

#[test]
fn lenses_name_a_command_that_the_client_knows() {
    for (knows, named, offered) in [
        (json!([]), "mockpoint.showPath", true),
        (json!(["mockpoint.showPath", "editor.action.showReferences"]), "mockpoint.showPath", false),
        (json!(["editor.action.showReferences"]), "editor.action.showReferences", true),
    ] {
        let mut server = opened(Builder { options: json!({ "client": { "commands": knows } }), ..Builder::new() });
        let commands = &server.initialized["capabilities"]["executeCommandProvider"]["commands"];
        let is_offered = commands.as_array().is_some_and(|it| it.contains(&json!("mockpoint.showPath")));
        assert_eq!(is_offered, offered);
        assert_eq!(lenses(&mut server, "p/State.java")[3]["command"]["command"], named);
    }
}

#[test]
fn lenses_are_refreshed_when_other_files_decide() {
    let caps = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    let mut server = Builder::new().capabilities(caps).build();
    server.open("p/State.java", STATE);
    server.answer("workspace/codeLens/refresh", &json!(null));
    server.await_codes("p/State.java", &["modified-field", "never-modified-field", "mocking-point"]);
    let caller = "package p;\n\nclass Caller {\n    public static void main(String[] a) {\n        State.limit(3);\n    }\n}\n";
    server.open("p/Caller.java", caller);
    server.answer("workspace/codeLens/refresh", &json!(null));
    server.forget("textDocument/publishDiagnostics");
    server.expect_silence();
}

#[test]
fn inlay_hints_beside_what_is_read() {
    let options = json!({ "inlayHints": { "enable": true } });
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let mut caps = Builder::new().capabilities;
    caps["textDocument"]["inlayHint"] = json!({ "resolveSupport": { "properties": ["tooltip"] } });
    let mut server = opened(Builder { options: options.clone(), ..Builder::new() }.capabilities(caps));
    let params = json!({ "textDocument": { "uri": server.uri("p/State.java") }, "range": everything });
    let hints = server.request("textDocument/inlayHint", params.clone());
    let labels: Vec<_> = hints.as_array().expect("a list").iter().map(|it| (it["position"]["line"].clone(), it["label"].clone())).collect();
    assert!(labels.contains(&(json!(12), json!("system"))) && labels.contains(&(json!(12), json!("internal"))), "{labels:?}");
    assert!(hints.as_array().is_some_and(|it| it.iter().all(|it| it.get("tooltip").is_none())));
    let resolved = server.request("inlayHint/resolve", hints[0].clone());
    assert!(resolved["tooltip"]["value"].as_str().is_some_and(|it| it.contains("p.State.next")), "{resolved}");
    // Only of what is on the screen.
    let elsewhere = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 5, "character": 0 } });
    let none = server.request("textDocument/inlayHint", json!({ "textDocument": { "uri": server.uri("p/State.java") }, "range": elsewhere }));
    assert_eq!(none, json!([]));
    // Off is what is usual.
    server.notify("workspace/didChangeConfiguration", json!({ "settings": { "inlayHints": { "enable": false } } }));
    assert_eq!(server.request("textDocument/inlayHint", params), Value::Null);
    // Who cannot ask for tooltips has them at once.
    let mut server = opened(Builder { options, ..Builder::new() });
    let hints = server.request("textDocument/inlayHint", json!({ "textDocument": { "uri": server.uri("p/State.java") }, "range": everything }));
    assert!(hints[0]["tooltip"]["value"].is_string() && hints[0].get("data").is_none(), "{hints}");
}

fn run(server: &mut TestServer, command: &str, arguments: Value) -> Value {
    server.request("workspace/executeCommand", json!({ "command": command, "arguments": arguments }))
}

#[test]
fn paths_and_modifiers_are_shown() {
    let mut caps = Builder::new().capabilities;
    caps["window"] = json!({ "showDocument": { "support": true } });
    let mut server = opened(Builder::new().capabilities(caps));
    let uri = server.uri("p/State.java");
    let path = run(&mut server, "mockpoint.showPath", json!([uri, { "line": 10, "character": 9 }]));
    let shown = server.answer("window/showDocument", &json!({ "success": true }));
    assert_eq!((&shown["uri"], &shown["selection"]), (&path[0]["uri"], &path[0]["range"]));
    let message = server.wait("showMessage", |it| it["method"] == "window/showMessage");
    assert!(message["params"]["message"].as_str().is_some_and(|it| it.starts_with("mocking point: ") && it.contains("State.java:13")), "{message}");
    let modifiers = run(&mut server, "mockpoint.showModifiers", json!([uri, { "line": 4, "character": 23 }]));
    assert_eq!(modifiers[0]["range"]["start"]["line"], 7);
    server.answer("window/showDocument", &json!({ "success": true }));
    server.wait("showMessage", |it| it["method"] == "window/showMessage");
    // Where there is nothing it says so.
    assert_eq!(run(&mut server, "mockpoint.showPath", json!([uri, { "line": 0, "character": 0 }])), json!([]));
    server.wait("showMessage", |it| it["method"] == "window/showMessage");
    for wrong in [json!([]), json!(["no address", {}]), json!([uri, 3])] {
        let answer = server.raw_request("workspace/executeCommand", json!({ "command": "mockpoint.showPath", "arguments": wrong }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(server.raw_request("workspace/executeCommand", json!({ "command": "mockpoint.no" }))["error"]["code"], -32602);
}

#[test]
fn findings_are_exported_as_the_command_line_prints_them() {
    let mut server = opened(Builder::new());
    let export = run(&mut server, "mockpoint.exportFindings", json!([{ "format": "json" }]));
    let printed = mockpoint_tests::run(&server.folder, &["check", "--format", "json"]).json();
    assert_eq!((&export["mocking_points"], &export["fields"]), (&printed["mocking_points"], &printed["fields"]));
    let schema: Value = serde_json::from_str(&mockpoint::report::json::schema()).expect("JSON");
    assert_eq!(schema::errors(&schema, &export), Vec::<String>::new());
    let sarif = run(&mut server, "mockpoint.exportFindings", json!([{ "format": "sarif" }]));
    let printed = mockpoint_tests::run(&server.folder, &["check", "--format", "sarif"]).json();
    assert_eq!(sarif, printed);
    let file = server.uri("out.sarif");
    assert_eq!(run(&mut server, "mockpoint.exportFindings", json!([{ "format": "sarif", "uri": file }])), json!({ "uri": file }));
    let written = std::fs::read_to_string(server.path("out.sarif")).expect("it was written");
    assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), sarif);
    let stats = run(&mut server, "mockpoint.showStatistics", json!([]));
    assert_eq!(stats["total"]["statistics"]["mocking_points"], 1, "{stats}");
    let page = run(&mut server, "mockpoint.showStatistics", json!([{ "format": "html" }]));
    assert!(page["html"].as_str().is_some_and(|it| it.starts_with("<!doctype html>") && !it.contains("<script")));
    for command in ["mockpoint.exportFindings", "mockpoint.showStatistics"] {
        let wrong = server.raw_request("workspace/executeCommand", json!({ "command": command, "arguments": [{ "format": "poem" }] }));
        assert_eq!(wrong["error"]["code"], -32602);
    }
}

#[test]
fn lists_for_tools_are_what_the_command_line_prints() {
    let mut server = opened(Builder::new());
    let export = run(&mut server, "mockpoint.export", json!([{ "for": "arex", "app": "shop", "all": true }]));
    let printed = mockpoint_tests::run(&server.folder, &["export", "--for", "arex", "--app", "shop", "--all"]);
    assert_eq!(export["text"], printed.stdout, "{export}");
    assert!(export["remarks"].as_str().is_some_and(|it| it.contains("1 entry, 0 left out")), "{export}");
    // Into a folder: a list replaces the one before, a test class none.
    let folder = server.uri("report");
    for (tool, name) in [("arex", "report/arex.json"), ("mockito", "report/mockito/src/test/java/p/")] {
        let mut export = || run(&mut server, "mockpoint.export", json!([{ "for": tool, "all": true, "folder": folder }]));
        let (first, second) = (export(), export());
        let is_list = tool == "arex";
        let addresses =
            |it: &Value, key: &str| it[key].as_array().map_or(0, |it| it.iter().filter(|it| it.as_str().is_some_and(|it| it.contains(name))).count());
        assert_eq!((addresses(&first, "written"), addresses(&first, "kept"), &first["entries"]), (1, 0, &json!(1)), "{first}");
        assert_eq!((addresses(&second, "written"), addresses(&second, "kept")), if is_list { (1, 0) } else { (0, 1) }, "{second}");
    }
    let written = std::fs::read_to_string(server.path("report/arex.json")).expect("it was written");
    assert!(written.starts_with('[') && written.contains("p.State"), "{written}");
    let none = run(&mut server, "mockpoint.export", json!([{ "for": "csv", "categories": ["external"], "packages": ["p"] }]));
    assert_eq!(none["text"].as_str().map(|it| it.lines().count()), Some(1), "{none}");
    for wrong in [json!([]), json!([{ "for": "easymock" }]), json!([{ "for": "csv", "categories": ["weather"] }])] {
        let answer = server.raw_request("workspace/executeCommand", json!({ "command": "mockpoint.export", "arguments": wrong }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

#[test]
fn the_tree_of_findings() {
    let mut server = opened(Builder::new().file("q/Clock.java", CLOCK));
    let tree = server.request("mockpoint/findings", json!({}));
    assert_eq!(tree["complete"], true);
    let counts: Vec<_> = tree["categories"].as_array().expect("a list").iter().map(|it| (it["category"].clone(), it["count"].clone())).collect();
    assert_eq!(counts, [(json!("system"), json!(2)), (json!("internal"), json!(1))]);
    let method = &tree["categories"][1]["classes"][0]["methods"][0];
    assert_eq!((&method["signature"], &method["uri"]), (&json!("next()"), &json!(server.uri("p/State.java"))));
    assert_eq!(method["selectionRange"]["start"], json!({ "line": 10, "character": 8 }));
    assert_eq!((&method["range"]["start"]["line"], &method["range"]["end"]["line"]), (&json!(10), &json!(13)));
    assert_eq!(method["sources"].as_array().map(Vec::len), Some(2));
    let one = server.request("mockpoint/findings", json!({ "uri": server.uri("q/Clock.java") }));
    assert_eq!(one["categories"].as_array().map(Vec::len), Some(1));
    assert_eq!(run(&mut server, "mockpoint.findings", json!([])), tree);
}

#[test]
fn the_workspace_is_read_again() {
    let mut server = opened(Builder::new());
    // Nobody has told of this file.
    server.write("q/Clock.java", CLOCK);
    let counts = run(&mut server, "mockpoint.analyseWorkspace", json!([]));
    let expected = json!({ "files": 2, "mockingPoints": 2, "modifiedFields": 1, "neverModifiedFields": 1, "lostSideEffects": 0 });
    assert_eq!(counts, expected);
}

#[test]
fn who_wants_the_status_is_told_it() {
    let builder = Builder { options: json!({ "client": { "status": true } }), ..Builder::new() };
    let mut server = builder.file("p/Clock.java", CLOCK).build();
    loop {
        let status = server.wait("status", |it| it["method"] == "mockpoint/status")["params"].clone();
        if status["state"] == "ready" && status["files"] == 1 {
            assert_eq!((&status["mockingPoints"], &status["filesTotal"]), (&json!(1), &json!(0)));
            break;
        }
    }
    server.expect_silence();
}

#[test]
fn the_first_look_can_be_stopped() {
    let files = ["a/A.java", "a/B.java", "a/C.java"];
    // Reading takes until the test says so: the fault is called before each file.
    let gate = std::sync::Arc::new((std::sync::Mutex::new(true), std::sync::Condvar::new()));
    let theirs = std::sync::Arc::clone(&gate);
    let fault: mockpoint::host::Fault = std::sync::Arc::new(move |_, _| {
        let closed = theirs.0.lock().expect("no panic");
        drop(theirs.1.wait_while(closed, |it| *it).expect("no panic"));
    });
    let options = mockpoint::lsp::Options { fault: Some(fault) };
    let mut builder = Builder { speaks: false, server: options, ..Builder::new() };
    for name in files {
        builder = builder.file(name, CLOCK);
    }
    let mut server = builder.build();
    let folder = uri(&server.folder);
    let caps = json!({ "window": { "workDoneProgress": true } });
    server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": [{ "uri": folder, "name": "x" }] }));
    server.notify("initialized", json!({}));
    let token = server.answer("window/workDoneProgress/create", &json!(null))["token"].clone();
    let begin = server.wait("begin", |it| it["method"] == "$/progress");
    assert_eq!(begin["params"]["value"]["cancellable"], true);
    server.notify("window/workDoneProgress/cancel", json!({ "token": "another" }));
    server.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    server.sync();
    *gate.0.lock().expect("no panic") = false;
    gate.1.notify_all();
    server.wait("end", |it| it["params"]["value"]["kind"] == "end");
    server.forget("$/progress");
    assert_eq!(server.request("mockpoint/findings", json!({}))["complete"], false);
    // A file that is open is analysed all the same.
    server.open("a/A.java", CLOCK);
    server.await_codes("a/A.java", &["mocking-point"]);
    // And all of them once that is wanted.
    server.send(json!({ "id": "again", "method": "workspace/executeCommand", "params": { "command": "mockpoint.analyseWorkspace" } }));
    server.answer("window/workDoneProgress/create", &json!(null));
    let counts = server.wait("counts", |it| it["id"] == "again");
    assert_eq!(counts["result"]["files"], 3);
    server.wait("end", |it| it["params"]["value"]["kind"] == "end");
    server.forget("$/progress");
    server.forget("textDocument/publishDiagnostics");
}

#[test]
fn hovers_name_what_modifies_a_field() {
    let mut server = opened(Builder::new());
    let hover = server.hover("p/State.java", 3, 24);
    let text = hover["contents"]["value"].as_str().expect("text");
    assert!(text.contains("p.State.next modifies it; it is called") && text.contains("State.java:12"), "{text}");
    let hover = server.hover("p/State.java", 4, 24);
    let text = hover["contents"]["value"].as_str().expect("text");
    assert!(text.contains("nothing calls what modifies it") && text.contains("p.State.limit modifies it"), "{text}");
}

#[test]
fn a_document_without_a_file_or_a_folder() {
    // The root of the disk is no folder of a workspace, whatever the client says: nobody waits for all of it to be read.
    for folders in [json!(null), json!([]), json!([{ "uri": "file:///", "name": "/" }])] {
        let mut server = Builder { speaks: false, ..Builder::new() }.build();
        server.request("initialize", json!({ "capabilities": {}, "workspaceFolders": folders }));
        server.notify("initialized", json!({}));
        let document = json!({ "uri": "untitled:Untitled-1", "languageId": "java", "version": 1, "text": CLOCK });
        server.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let published = server.wait("publishDiagnostics", |it| it["method"] == "textDocument/publishDiagnostics");
        assert_eq!((&published["params"]["uri"], &published["params"]["diagnostics"][0]["code"]), (&json!("untitled:Untitled-1"), &json!("mocking-point")));
        server.notify("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:Untitled-1" } }));
        let cleared = server.wait("publishDiagnostics", |it| it["method"] == "textDocument/publishDiagnostics");
        assert_eq!(cleared["params"]["diagnostics"], json!([]));
        server.expect_silence();
    }
}

#[test]
fn what_a_client_saves_counts_though_it_watches_nothing() {
    let mut server = Builder::new().file("p/Clock.java", CLOCK).build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.write("mockpoint.toml", "[severity]\nmocking-point = \"off\"\n");
    let uri = server.uri("mockpoint.toml");
    server.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    server.await_codes("p/Clock.java", &[]);
    server.expect_silence();
}

#[test]
fn a_query_of_the_project_counts_as_soon_as_it_is_there() {
    let text = "package p;\nclass Uses {\n    Engine engine;\n    long at() { return engine.tick(); }\n}\ninterface Engine {\n    long tick();\n}\n";
    let mut server = Builder::new().file("p/Uses.java", text).build();
    server.open("p/Uses.java", text);
    let (name, query) = (".mockpoint/queries/engine.scm", "((method_invocation name: (identifier) @_name) @source.system (#eq? @_name \"tick\"))");
    server.write(name, query);
    let uri = server.uri(name);
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    server.await_codes("p/Uses.java", &["mocking-point"]);
    server.write(name, &query.replace("tick", "tock"));
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    server.await_codes("p/Uses.java", &[]);
    server.expect_silence();
}

#[test]
fn queries_that_take_too_many_steps_are_told_in_their_file() {
    let wild = "(_ (_)* @_a (_)* @_b (_)*) @mock\n".repeat(8);
    let many = format!("class Many {{ long at() {{ return {}; }} }}", vec!["f(1)"; 2_000].join(" + "));
    let name = ".mockpoint/queries/wild.scm";
    let mut server = Builder::new().file(name, wild.leak()).file("Many.java", many.leak()).file("Few.java", "class Few { }").build();
    let published = server.await_codes(name, &["unresolved-configuration"]);
    let message = "these queries take too many steps in Few.java and 1 more: not all that they mark there is known";
    assert_eq!(published["diagnostics"][0]["message"], message);
    server.write(name, "((method_invocation name: (identifier) @_name) @mock (#eq? @_name \"f\"))");
    let uri = server.uri(name);
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    server.await_codes(name, &[]);
}

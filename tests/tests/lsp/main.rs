//! Whole sessions with the language server, over streams in memory.

mod client;
mod code_actions;
mod conformance;
mod features;
mod generated;
mod pull;
mod typing;

use client::{Builder, CLOCK, LIMITS, TestServer, insert, list, uri};
use mockpoint::lsp::Options;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

// --- What needs no findings ---------------------------------------------------------------------------------------

#[test]
fn says_what_it_can_do() {
    let server = TestServer::new();
    let res = &server.initialized;
    assert_eq!(res["serverInfo"]["name"], "mockpoint");
    assert!(res["serverInfo"]["version"].is_string());
    let caps = &res["capabilities"];
    assert_eq!(caps["positionEncoding"], "utf-8");
    assert_eq!(caps["textDocumentSync"]["change"], 2);
    assert_eq!(caps["textDocumentSync"]["openClose"], true);
    assert_eq!(caps["hoverProvider"], true);
    assert_eq!(
        caps["codeActionProvider"]["codeActionKinds"],
        json!(["quickfix", "refactor.extract", "refactor.rewrite", "refactor.generate", "source.fixAll", "source.mockpoint.finalEverywhere"])
    );
    assert_eq!(caps["workspace"]["workspaceFolders"]["supported"], true);
}

#[test]
fn utf_16_unless_asked_otherwise() {
    for encodings in [json!(null), json!({}), json!({ "positionEncodings": ["utf-16", "utf-32"] }), json!({ "positionEncodings": [] })] {
        let server = Builder::new().capabilities(json!({ "general": encodings })).build();
        assert_eq!(server.initialized["capabilities"]["positionEncoding"], "utf-16");
    }
}

#[test]
fn unknown_requests_and_notifications() {
    let mut server = TestServer::new();
    assert_eq!(server.raw_request("mockpoint/nothing", json!({}))["error"]["code"], -32601);
    server.notify("$/unknown", json!({}));
    server.notify("$/setTrace", json!({ "value": "off" }));
    server.notify("window/workDoneProgress/cancel", json!({ "token": "x" }));
    server.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    server.expect_silence();
    let wrong = server.raw_request("textDocument/hover", json!({ "nothing": 1 }));
    assert_eq!(wrong["error"]["code"], -32602);
}

#[test]
fn before_initialize_and_after_shutdown() {
    let mut server = Builder { speaks: false, ..Builder::new() }.build();
    assert_eq!(server.raw_request("textDocument/hover", json!({}))["error"]["code"], -32002);
    server.open("A.java", CLOCK);
    server.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(server.raw_request("initialize", json!({ "capabilities": {} }))["error"]["code"], -32600);
    server.notify("initialized", json!({}));
    server.request("shutdown", json!(null));
    assert_eq!(server.raw_request("textDocument/hover", json!({}))["error"]["code"], -32600);
    server.notify("exit", json!(null));
    assert_eq!(server.code(), 0);
}

#[test]
fn leaves_with_1_if_nobody_said_shutdown() {
    let mut server = TestServer::new();
    server.sync();
    drop(server.input.take());
    assert_eq!(server.code(), 1);
}

#[test]
fn documents_that_are_none() {
    let mut server = TestServer::new();
    for uri in ["git:/a/A.java?x", "jdt://contents/A.class", "file:///a/readme.md", "untitled:Untitled-1"] {
        server.notify("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "plaintext", "version": 1, "text": "x" } }));
        server.notify("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": "y" }] }));
        server.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    server.change("Never.java", 2, json!([{ "text": "class A {}" }]));
    server.close("Never.java");
    assert_eq!(server.hover("Never.java", 1, 1), Value::Null);
    server.expect_silence();
}

#[test]
fn a_stuck_client_stops_nothing() {
    let mut server = TestServer::new();
    server.sync();
    server.gate.set(true);
    server.open("A.java", CLOCK);
    // More than any pipe or queue holds.
    for version in 2..400 {
        server.change("A.java", version, json!([insert(0, 0, "\n")]));
        server.send(json!({ "id": format!("hover {version}"), "method": "textDocument/hover",
            "params": { "textDocument": { "uri": server.uri("A.java") }, "position": { "line": 0, "character": 0 } } }));
    }
    server.gate.set(false);
    for version in 2..400 {
        server.wait("hover", |it| it["id"] == format!("hover {version}"));
    }
    // All changes were taken in: this one is refused otherwise, or lands elsewhere.
    server.change("A.java", 400, json!([{ "text": "class A {}" }]));
    server.await_codes("A.java", &[]);
    server.unclaimed.retain(|it| it["method"] != "textDocument/publishDiagnostics");
}

/// A server with an open file whose client has answered none of these questions yet.
fn unanswered() -> (TestServer, Vec<Value>) {
    let caps = json!({
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true }, "configuration": true },
        "window": { "workDoneProgress": true }
    });
    let mut server = Builder { speaks: false, ..Builder::new() }.file("A.java", CLOCK).build();
    let folder = uri(&server.folder);
    server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": [{ "uri": folder, "name": "x" }] }));
    server.notify("initialized", json!({}));
    let methods = ["client/registerCapability", "workspace/configuration", "window/workDoneProgress/create"];
    let asked = methods.iter().map(|method| server.wait(method, |it| it["method"] == *method)).collect();
    server.open("A.java", CLOCK);
    server.await_codes("A.java", &["mocking-point"]);
    (server, asked)
}

#[test]
fn a_client_that_never_answers() {
    let (mut server, _) = unanswered();
    server.unclaimed.retain(|it| it["method"] != "textDocument/publishDiagnostics");
}

#[test]
fn a_client_that_answers_late() {
    let (mut server, asked) = unanswered();
    // By now the server has given up on all of them, and goes on reading when they are answered all the same.
    std::thread::sleep(std::time::Duration::from_secs(6));
    for question in asked {
        let off = json!([{ "diagnostics": { "severity": { "mocking-point": "off" } } }, null]);
        let result = if question["method"] == "workspace/configuration" { off } else { Value::Null };
        server.send(json!({ "id": question["id"], "result": result }));
    }
    // Settings count whenever they come.
    server.await_codes("A.java", &[]);
    server.expect_silence();
}

#[test]
fn shows_progress_and_asks_for_files() {
    let caps = json!({
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true }, "didChangeConfiguration": { "dynamicRegistration": true } },
        "window": { "workDoneProgress": true }
    });
    let mut server = Builder { speaks: false, ..Builder::new() }.file("a/A.java", CLOCK).file("a/B.java", LIMITS).build();
    let folder = uri(&server.folder);
    server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": [{ "uri": folder, "name": "x" }] }));
    server.notify("initialized", json!({}));
    let wanted = server.answer("client/registerCapability", &json!(null));
    let methods: Vec<_> = wanted["registrations"].as_array().expect("a list").iter().map(|it| it["method"].clone()).collect();
    assert_eq!(methods, ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]);
    assert_eq!(wanted["registrations"][0]["registerOptions"]["watchers"][0]["globPattern"], "**/*.java");
    assert_eq!(wanted["registrations"][0]["registerOptions"]["watchers"][1]["globPattern"], "**/*.{xml,properties,yml,yaml}");
    assert_eq!(wanted["registrations"][0]["registerOptions"]["watchers"][2]["globPattern"], "**/{mockpoint.toml,lombok.config}");
    assert_eq!(wanted["registrations"][0]["registerOptions"]["watchers"][3]["globPattern"], "**/.mockpoint/queries/*.scm");
    let token = server.answer("window/workDoneProgress/create", &json!(null))["token"].clone();
    let begin = server.wait("begin", |it| it["method"] == "$/progress");
    assert_eq!((&begin["params"]["token"], &begin["params"]["value"]["kind"]), (&token, &json!("begin")));
    assert_eq!(begin["params"]["value"]["title"], "Indexing");
    loop {
        let progress = server.wait("end", |it| it["method"] == "$/progress");
        match progress["params"]["value"]["kind"].as_str() {
            Some("report") => assert!(progress["params"]["value"]["message"].as_str().is_some_and(|it| it.ends_with("/2 files"))),
            kind => {
                assert_eq!(kind, Some("end"));
                break;
            }
        }
    }
}

// --- What needs findings ------------------------------------------------------------------------------------------

#[test]
fn diagnostics_of_an_open_file() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published["version"], 1);
    let it = &published["diagnostics"][0];
    assert_eq!(it["range"], json!({ "start": { "line": 3, "character": 9 }, "end": { "line": 3, "character": 12 } }));
    assert_eq!((&it["severity"], &it["source"]), (&json!(3), &json!("mockpoint")));
    assert!(it["message"].as_str().is_some_and(|it| it.contains("System.currentTimeMillis()")), "{it}");
    assert_eq!(it["data"], json!({ "code": "mocking-point", "class": "p.Clock", "name": "now" }));
    let related = it["relatedInformation"].as_array().expect("a path");
    assert_eq!(related[0]["location"]["uri"], server.uri("p/Clock.java").as_str());
    assert_eq!(related[0]["location"]["range"]["start"]["line"], 4);
    server.expect_silence();
}

#[test]
fn a_field_that_carries_state() {
    let text = "package p;\n\nclass Stamp {\n    private long at;\n\n    void touch() {\n        at = System.nanoTime();\n    }\n}\n";
    let mut server = TestServer::new();
    server.open("p/Stamp.java", text);
    let published = server.await_codes("p/Stamp.java", &["carrier-field"]);
    let it = &published["diagnostics"][0];
    assert_eq!((&it["severity"], &it["range"]["start"]), (&json!(4), &json!({ "line": 3, "character": 17 })));
    assert_eq!(it["message"], "field `p.Stamp.at` carries system state (java.lang.System.nanoTime()): whoever reads it reads that");
    let way = it["relatedInformation"].as_array().expect("a way").iter();
    let way: Vec<_> = way.map(|it| (it["location"]["range"]["start"]["line"].as_i64(), it["message"].as_str())).collect();
    let expected = [(6, "reads java.lang.System.nanoTime()"), (6, "is written to field p.Stamp.at")];
    assert_eq!(way, expected.map(|(line, note)| (Some(line), Some(note))));
    // It goes with what is written.
    server.change("p/Stamp.java", 2, json!([{ "text": text.replace("System.nanoTime()", "1") }]));
    assert_eq!(server.await_last_codes("p/Stamp.java", &[])["version"], 2);
}

#[test]
fn typing_publishes_with_true_versions() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    // Columns after wide characters are in the unit that was agreed: UTF-8 here.
    server.change("p/Clock.java", 2, json!([insert(3, 4, "/* é订😀 */ ")]));
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published["version"], 2);
    let n_bytes = "/* é订😀 */ ".len();
    assert_eq!(published["diagnostics"][0]["range"]["start"]["character"], 9 + n_bytes);
    // Two at once, each in the text that the one before left.
    server.change("p/Clock.java", 5, json!([insert(0, 0, "\n"), insert(1, 0, "\n")]));
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!((&published["version"], &published["diagnostics"][0]["range"]["start"]["line"]), (&json!(5), &json!(5)));
    // An old version is no change.
    server.change("p/Clock.java", 4, json!([{ "text": "" }]));
    server.expect_silence();
    // What is broken keeps what it had.
    server.change("p/Clock.java", 6, json!([insert(6, 8, "if (")]));
    server.expect_silence();
    server.change("p/Clock.java", 7, json!([{ "text": CLOCK.replace("System.currentTimeMillis()", "3") }]));
    assert_eq!(server.await_diagnostics("p/Clock.java")["version"], 7);
    server.change("p/Clock.java", 8, json!([{ "text": CLOCK }]));
    assert_eq!(server.await_codes("p/Clock.java", &["mocking-point"])["version"], 8);
    server.expect_silence();
}

#[test]
fn utf_16_columns() {
    let mut server = Builder::new().capabilities(json!({})).build();
    server.open("p/Clock.java", &CLOCK.replace("    long", "    /* é订😀 */ long"));
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published["diagnostics"][0]["range"]["start"]["character"], 9 + 11);
    let it = &published["diagnostics"][0];
    assert!(it.get("relatedInformation").is_none(), "the client has not said that it knows it: {it}");
}

#[test]
fn other_files_decide_about_fields() {
    let user = "package p;\n\nclass User {\n    void use() {\n        Shared.count++;\n    }\n\n    static void main(String[] a) {\n        new User().use();\n    }\n}\n";
    let shared = "package p;\n\nclass Shared {\n    static int count;\n\n    int read() {\n        return count;\n    }\n}\n";
    let mut server = Builder::new().file("p/Shared.java", "").build();
    server.write("p/Shared.java", shared);
    server.open("p/Shared.java", shared);
    server.await_codes("p/Shared.java", &["never-modified-field"]);
    // A new file on the disk.
    server.write("p/User.java", user);
    let uri = server.uri("p/User.java");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    let published = server.await_codes("p/Shared.java", &["modified-field", "mocking-point"]);
    assert_eq!(published["diagnostics"][0]["severity"], 4);
    // An editor says otherwise than the disk.
    server.open("p/User.java", &user.replace("count++", "toString()"));
    server.await_codes("p/Shared.java", &["never-modified-field"]);
    // And lets go of it.
    server.close("p/User.java");
    server.await_codes("p/Shared.java", &["modified-field", "mocking-point"]);
    // It is deleted.
    std::fs::remove_file(server.path("p/User.java")).expect("it was there");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    server.await_codes("p/Shared.java", &["never-modified-field"]);
    server.expect_silence();
}

#[test]
fn the_project_decides_how_serious_findings_are() {
    let mut server = Builder::new().file("p/Clock.java", CLOCK).build();
    server.open("p/Clock.java", CLOCK);
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published["diagnostics"][0]["severity"], 3);
    server.write("mockpoint.toml", "[severity]\nmocking-point = \"error\"\n");
    let uri = server.uri("mockpoint.toml");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published["diagnostics"][0]["severity"], 1);
    server.write("mockpoint.toml", "[severity]\nmocking-point = \"off\"\n");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    server.await_codes("p/Clock.java", &[]);
    std::fs::remove_file(server.path("mockpoint.toml")).expect("it was there");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.expect_silence();
}

#[test]
fn what_the_project_leaves_out_has_no_findings() {
    let fields = "package p;\n\nclass Fields {\n    static int limit = 3;\n    int now() {\n        return limit + (int) System.nanoTime();\n    }\n}\n";
    let mut server = Builder::new().file("p/Clock.java", CLOCK).file("gen/Fields.java", fields).build();
    server.open("p/Clock.java", CLOCK);
    server.open("gen/Fields.java", fields);
    server.await_codes("gen/Fields.java", &["never-modified-field", "mocking-point"]);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let (config, uri) = (server.uri("mockpoint.toml"), server.uri("gen/Fields.java"));
    let shown = |server: &mut TestServer| {
        let lenses = server.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let hover = server.hover("gen/Fields.java", 3, 16);
        [lenses.as_array().is_some_and(|it| !it.is_empty()), !server.actions("gen/Fields.java", 4, Value::Null).is_empty(), !hover.is_null()]
    };
    assert_eq!(shown(&mut server), [true; 3]);
    for (text, kind, codes) in [
        ("exclude = [\"gen/\"]\n", 1, &[][..]),
        ("exclude = [\"other/\"]\n", 2, &["never-modified-field", "mocking-point"][..]),
        ("exclude = [\"*.java\", \"!Clock.java\"]\n", 2, &[]),
    ] {
        server.write("mockpoint.toml", text);
        server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": config, "type": kind }] }));
        server.await_codes("gen/Fields.java", codes);
        assert_eq!(shown(&mut server), [!codes.is_empty(); 3], "{text}");
    }
    // Whatever is typed or opened there.
    server.change("gen/Fields.java", 2, json!([{ "text": fields.replace("3;", "4;") }]));
    server.close("gen/Fields.java");
    server.open("gen/Fields.java", fields);
    assert_eq!(shown(&mut server), [false; 3]);
    server.expect_silence();
    std::fs::remove_file(server.path("mockpoint.toml")).expect("it was there");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": config, "type": 3 }] }));
    server.await_codes("gen/Fields.java", &["never-modified-field", "mocking-point"]);
    server.expect_silence();
}

#[test]
fn what_closes_or_goes_is_cleared() {
    let mut server = Builder::new().file("p/Clock.java", CLOCK).build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.close("p/Clock.java");
    let cleared = server.await_diagnostics("p/Clock.java");
    assert_eq!((list(&cleared).len(), cleared.get("version")), (0, None));
    // Deleted under an open editor, then made again.
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let uri = server.uri("p/Clock.java");
    server.notify("workspace/didDeleteFiles", json!({ "files": [{ "uri": uri }] }));
    server.await_codes("p/Clock.java", &[]);
    server.notify("workspace/didCreateFiles", json!({ "files": [{ "uri": uri }] }));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.notify("workspace/didRenameFiles", json!({ "files": [{ "oldUri": uri, "newUri": server.uri("p/Other.java") }] }));
    server.await_codes("p/Clock.java", &[]);
    // A file outside of the workspace.
    server.open("../elsewhere/Clock.java", CLOCK);
    let outside = Path::new("../elsewhere/Clock.java");
    let name = outside.to_str().expect("it is text");
    let published = server.wait("publishDiagnostics", |it| it["params"]["uri"].as_str().is_some_and(|it| it.ends_with("elsewhere/Clock.java")));
    assert_eq!(list(&published["params"]).len(), 1);
    server.close(name);
    let cleared = server.wait("publishDiagnostics", |it| it["params"]["uri"].as_str().is_some_and(|it| it.ends_with("elsewhere/Clock.java")));
    assert_eq!(list(&cleared["params"]).len(), 0);
    server.expect_silence();
}

#[test]
fn hovers() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let hover = server.hover("p/Clock.java", 3, 10);
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().expect("text");
    assert!(text.contains("p.Clock") && text.contains("now"), "{text}");
    assert_eq!(hover["range"]["start"], json!({ "line": 3, "character": 9 }));
    // On the source inside of it.
    let source = server.hover("p/Clock.java", 4, 22);
    assert!(source["contents"]["value"].as_str().is_some_and(|it| it.contains("p.Clock")), "{source}");
    // Nowhere else.
    for (line, character) in [(0, 0), (3, 5), (4, 10), (5, 5), (99, 0)] {
        assert_eq!(server.hover("p/Clock.java", line, character), Value::Null, "{line}:{character}");
    }
    server.open("p/Limits.java", LIMITS);
    server.await_codes("p/Limits.java", &["never-modified-field"]);
    let field = server.hover("p/Limits.java", 3, 25);
    assert!(field["contents"]["value"].as_str().is_some_and(|it| it.contains("limit")), "{field}");
    // A method that is no mocking point says so.
    assert!(server.hover("p/Limits.java", 5, 9)["contents"]["value"].is_string());
}

/// Who shows the path of a diagnostic beside the hover would show it twice.
#[test]
fn a_hover_leaves_out_the_path_that_the_diagnostic_has() {
    let path = |client: Value, line, character| {
        let mut server = Builder { options: json!({ "client": client }), ..Builder::new() }.build();
        server.open("p/Clock.java", CLOCK);
        server.await_codes("p/Clock.java", &["mocking-point"]);
        let hover = server.hover("p/Clock.java", line, character);
        hover["contents"]["value"].as_str().expect("text").contains("\n1. ")
    };
    assert!(path(json!({}), 3, 10) && !path(json!({ "relatedInHovers": true }), 3, 10));
    // There is no diagnostic where the state is read.
    assert!(path(json!({ "relatedInHovers": true }), 4, 22));
}

fn edit_of(action: &Value) -> (&Value, &str) {
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    (&edit["range"], edit["newText"].as_str().expect("a text"))
}

#[test]
fn makes_fields_final() {
    let mut server = TestServer::new();
    server.open("p/Limits.java", LIMITS);
    server.await_codes("p/Limits.java", &["never-modified-field"]);
    let actions = server.actions("p/Limits.java", 3, Value::Null);
    let fix = actions.iter().find(|it| it["title"] == "Make `limit` final").expect("it is offered");
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "never-modified-field");
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"], json!({ "uri": server.uri("p/Limits.java"), "version": 1 }));
    let at = json!({ "line": 3, "character": 18 });
    assert_eq!(edit_of(fix), (&json!({ "start": at, "end": at }), " final"));
    assert!(server.actions("p/Limits.java", 3, json!(["refactor.move", "source.organizeImports"])).is_empty());
    assert_eq!(server.actions("p/Limits.java", 3, json!(["quickfix"])).len(), actions.len());
    assert!(server.actions("p/Limits.java", 6, Value::Null).is_empty());
}

#[test]
fn suppresses_findings() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, Value::Null);
    let actions: Vec<_> = actions.into_iter().filter(|it| it["title"].as_str().is_some_and(|it| it.starts_with("Suppress"))).collect();
    let titles: Vec<_> = actions.iter().filter_map(|it| it["title"].as_str()).collect();
    let expected = ["Suppress `mocking-point` here with @SuppressWarnings(\"mockpoint\")", "Suppress `mocking-point` for this line with a comment"];
    assert_eq!(titles, expected);
    let (range, text) = edit_of(&actions[0]);
    assert_eq!((&range["start"], text), (&json!({ "line": 3, "character": 4 }), "@SuppressWarnings(\"mockpoint\")\n    "));
    let comment = edit_of(&actions[1]).1.to_owned();
    assert_eq!(comment, "    // mockpoint:ignore mocking-point\n");
    // Both are honoured.
    server.change("p/Clock.java", 2, json!([insert(3, 4, text)]));
    server.await_codes("p/Clock.java", &[]);
    server.change("p/Clock.java", 3, json!([{ "text": CLOCK }]));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.change("p/Clock.java", 4, json!([insert(3, 0, &comment)]));
    server.await_codes("p/Clock.java", &[]);
    server.expect_silence();
}

#[test]
fn edits_for_clients_without_versions() {
    let mut server = Builder::new().capabilities(json!({})).build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    let actions = server.actions("p/Clock.java", 3, Value::Null);
    let uri = server.uri("p/Clock.java");
    let action = actions.iter().find(|it| it["title"].as_str().is_some_and(|it| it.starts_with("Suppress"))).expect("it is offered");
    assert_eq!(action["edit"]["changes"][&uri][0]["newText"], "@SuppressWarnings(\"mockpoint\")\n    ");
}

#[test]
fn settings_come_and_change() {
    let text = "package p;\n\npublic class Seeded {\n    private static int seed;\n\n    public void seed(int s) {\n        seed = s;\n    }\n\n    int read() {\n        return seed;\n    }\n}\n";
    let caps = json!({ "workspace": { "configuration": true } });
    let mut server = Builder { settings: json!({ "world": "library" }), ..Builder::new() }.capabilities(caps).build();
    server.open("p/Seeded.java", text);
    server.await_codes("p/Seeded.java", &["modified-field", "mocking-point"]);
    server.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    let asked = server.answer("workspace/configuration", &json!([{ "world": "application" }, null]));
    let folder = uri(&server.folder);
    assert_eq!(asked["items"], json!([{ "section": "mockpoint" }, { "scopeUri": folder, "section": "mockpoint" }]));
    server.await_codes("p/Seeded.java", &["never-modified-field"]);
    server.expect_silence();
}

#[test]
fn several_roots() {
    let mut server = Builder::new().file("one/p/Clock.java", CLOCK).file("two/src/test/java/p/T.java", "").build();
    server.open("two/p/Use.java", "package p;\n\nclass Use {\n    int use() {\n        return Shared.count;\n    }\n}\n");
    server.expect_silence();
    let other = std::env::temp_dir().join(format!("mockpoint-root-{}", std::process::id()));
    std::fs::create_dir_all(&other).expect("a folder");
    let other = other.canonicalize().expect("it is there");
    let shared = "package p;\n\npublic class Shared {\n    static int count;\n    static { Runtime.getRuntime(); }\n    void inc() { count++; }\n    static void main(String[] a) { new Shared().inc(); }\n}\n";
    std::fs::write(other.join("Shared.java"), shared).expect("a file");
    let folder = json!({ "uri": uri(&other), "name": "other" });
    server.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [folder], "removed": [] } }));
    server.await_codes("two/p/Use.java", &["mocking-point"]);
    server.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": [folder] } }));
    server.await_codes("two/p/Use.java", &[]);
    std::fs::remove_dir_all(&other).expect("it was there");
}

#[test]
fn a_new_name_for_a_method_takes_no_finding_away() {
    let mut server = TestServer::new();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.expect_silence();
    for (version, letter) in [(2, "s"), (3, "a"), (4, "x")] {
        server.change("p/Clock.java", version, json!([insert(3, 12, letter)]));
        loop {
            let published = server.await_diagnostics("p/Clock.java");
            assert_eq!(published["diagnostics"].as_array().map(Vec::len), Some(1), "{published}");
            if published["version"] == version {
                break;
            }
        }
    }
    server.await_quiet("p/Clock.java", |it| it["diagnostics"].as_array().is_some_and(|it| it.len() == 1));
}

#[test]
fn a_panic_costs_no_more_than_its_file() {
    let fault: mockpoint::host::Fault = Arc::new(|_: &Path, text: &str| assert!(!text.contains("PANIC"), "on purpose"));
    let builder = Builder { server: Options { fault: Some(fault) }, ..Builder::new() };
    let mut server = builder.file("p/Bad.java", "class Bad { /* PANIC */ }").file("p/Clock.java", CLOCK).build();
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    // While it fails, what was known stands.
    server.change("p/Clock.java", 2, json!([insert(0, 0, "// PANIC\n")]));
    assert_eq!(server.await_codes("p/Clock.java", &["mocking-point"])["diagnostics"][0]["range"]["start"]["line"], 4);
    server.change("p/Clock.java", 3, json!([insert(0, 0, "// PANIC\n")]));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.open("p/Bad.java", "class Bad { /* PANIC */ }");
    server.change("p/Clock.java", 4, json!([{ "text": CLOCK.replace("now", "later") }]));
    // Before it, what was linked of the text before may come once more.
    while server.await_codes("p/Clock.java", &["mocking-point"])["diagnostics"][0]["data"]["name"] != "later" {}
    server.await_quiet("p/Clock.java", |_| true);
}

#[test]
fn what_is_wrong_with_configuration_is_shown_in_its_file() {
    let rows = "[[benign]]\ntype = \"p.Clock\"\nmember = \"now\"\n[[source]]\ntype = \"p.Clock\"\nmember = \"nwo\"\n[[source]]\ntype = \"p.Clcok\"\nmember = \"now\"\n";
    let mut server = Builder::new().file("p/Clock.java", CLOCK).file("mockpoint.toml", rows).file("lombok.config", "lombok.accessors.prefix = m\n").build();
    let code = "unresolved-configuration";
    let published = server.await_codes("mockpoint.toml", &[code, code]);
    let found: Vec<_> = list(&published).iter().map(|it| (it["range"]["start"]["line"].clone(), it["severity"].clone(), it["message"].clone())).collect();
    let expected = [
        (json!(3), json!(2), json!("class `p.Clock` has no method or field `nwo`")),
        (json!(6), json!(2), json!("there is no class `p.Clcok`; is `p.Clock` meant?")),
    ];
    assert_eq!(found, expected);
    server.await_codes("lombok.config", &[code]);
    server.write("mockpoint.toml", "precison = \"paper\"\n");
    let uri = server.uri("mockpoint.toml");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    let published = server.await_codes("mockpoint.toml", &[code]);
    assert_eq!(list(&published)[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    server.write("mockpoint.toml", "precision = \"paper\"\n");
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    server.await_codes("mockpoint.toml", &[]);
    server.expect_silence();
}

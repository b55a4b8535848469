//! Diagnostics that the client asks for, and those of files that are not open.

use super::client::{Builder, CLOCK, LIMITS, TestServer, list, uri};
use serde_json::{Value, json};

const SHARED: &str = "package p;\n\nclass Shared {\n    static int count;\n\n    int read() {\n        return count;\n    }\n}\n";
const USER: &str =
    "package p;\n\nclass User {\n    void use() {\n        Shared.count++;\n    }\n\n    static void main(String[] a) {\n        new User().use();\n    }\n}\n";

fn pulling() -> Value {
    json!({ "textDocument": { "diagnostic": { "dynamicRegistration": false } }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

fn workspace_scope() -> Value {
    json!({ "diagnostics": { "scope": "workspace" } })
}

fn pull(server: &mut TestServer, name: &str, previous: Option<&Value>) -> Value {
    let uri = server.uri(name);
    server.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri }, "previousResultId": previous }))
}

/// All is read and linked.
fn settle(server: &mut TestServer) {
    server.request("workspace/executeCommand", json!({ "command": "mockpoint.analyseWorkspace" }));
}

fn codes(report: &Value) -> Vec<String> {
    report["items"].as_array().into_iter().flatten().filter_map(|it| it["code"].as_str().map(str::to_owned)).collect()
}

/// The codes of a workspace report by the end of the address.
fn by_file(report: &Value) -> Vec<(String, Vec<String>)> {
    let name = |it: &Value| it["uri"].as_str().and_then(|it| it.rsplit('/').next().map(str::to_owned)).unwrap_or_default();
    report["items"].as_array().into_iter().flatten().map(|it| (name(it), codes(it))).collect()
}

#[test]
fn who_asks_is_not_sent_any() {
    let mut server = Builder::new().capabilities(pulling()).file("p/Shared.java", SHARED).build();
    let offered = &server.initialized["capabilities"]["diagnosticProvider"];
    assert_eq!((&offered["interFileDependencies"], &offered["workspaceDiagnostics"]), (&json!(true), &json!(false)));
    settle(&mut server);
    server.open("p/Shared.java", SHARED);
    let report = pull(&mut server, "p/Shared.java", None);
    assert_eq!((report["kind"].as_str(), codes(&report)), (Some("full"), vec!["never-modified-field".to_owned()]));
    let again = pull(&mut server, "p/Shared.java", Some(&report["resultId"]));
    assert_eq!(again, json!({ "kind": "unchanged", "resultId": report["resultId"] }));
    // Another file decides otherwise: the client is told to ask again.
    server.open("p/User.java", USER);
    server.answer("workspace/diagnostic/refresh", &json!(null));
    let changed = pull(&mut server, "p/Shared.java", Some(&report["resultId"]));
    assert_eq!(codes(&changed), ["modified-field", "mocking-point"]);
    // What is no file of ours has none.
    let nothing = server.request("textDocument/diagnostic", json!({ "textDocument": { "uri": "jdt://contents/A.class" } }));
    assert_eq!(list(&json!({ "diagnostics": nothing["items"] })).len(), 0);
    // A file that is not open has those of the last link.
    server.close("p/User.java");
    server.answer("workspace/diagnostic/refresh", &json!(null));
    server.expect_silence();
}

#[test]
fn who_cannot_be_told_to_ask_again_is_sent_them() {
    let caps = json!({ "textDocument": { "diagnostic": { "dynamicRegistration": false } } });
    let mut server = Builder::new().capabilities(caps).build();
    assert!(server.initialized["capabilities"].get("diagnosticProvider").is_none());
    server.open("p/Clock.java", CLOCK);
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.expect_silence();
}

#[test]
fn an_edit_is_answered_for_at_once() {
    let mut server = Builder::new().capabilities(pulling()).build();
    settle(&mut server);
    server.open("p/Clock.java", CLOCK);
    let first = pull(&mut server, "p/Clock.java", None);
    server.change("p/Clock.java", 2, json!([{ "text": format!("\n{CLOCK}") }]));
    let moved = pull(&mut server, "p/Clock.java", Some(&first["resultId"]));
    assert_eq!(moved["items"][0]["range"]["start"]["line"], 4);
    server.forget("workspace/diagnostic/refresh");
}

#[test]
fn a_file_that_falls_out_is_asked_for_again() {
    let mut server = Builder::new().capabilities(pulling()).file("p/Clock.java", CLOCK).build();
    settle(&mut server);
    server.open("p/Clock.java", CLOCK);
    assert_eq!(codes(&pull(&mut server, "p/Clock.java", None)), ["mocking-point"]);
    let config = server.uri("mockpoint.toml");
    for (text, kind, expected) in [("exclude = [\"/p/\"]\n", 1, vec![]), ("exclude = []\n", 2, vec!["mocking-point".to_owned()])] {
        server.forget("workspace/diagnostic/refresh");
        server.write("mockpoint.toml", text);
        server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": config, "type": kind }] }));
        server.answer("workspace/diagnostic/refresh", &json!(null));
        assert_eq!(codes(&pull(&mut server, "p/Clock.java", None)), expected, "{text}");
    }
    settle(&mut server);
    server.forget("workspace/diagnostic/refresh");
}

#[test]
fn the_workspace_is_asked_for() {
    let mut server = Builder { options: workspace_scope(), ..Builder::new() }
        .capabilities(pulling())
        .file("p/Clock.java", CLOCK)
        .file("p/Shared.java", SHARED)
        .file("p/Plain.java", "class Plain {}")
        .build();
    assert_eq!(server.initialized["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"], true);
    let report = server.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let expected = vec![("Clock.java".to_owned(), vec!["mocking-point".to_owned()]), ("Shared.java".to_owned(), vec!["never-modified-field".to_owned()])];
    assert_eq!(by_file(&report), expected);
    assert_eq!(report["items"][0]["version"], Value::Null);
    // Without news there is no answer.
    let known: Vec<Value> = report["items"].as_array().expect("a list").iter().map(|it| json!({ "uri": it["uri"], "value": it["resultId"] })).collect();
    server.send(json!({ "id": "poll", "method": "workspace/diagnostic", "params": { "previousResultIds": known } }));
    server.expect_silence();
    // With news there is, and only of what is new.
    server.write("p/User.java", USER);
    let changed = json!({ "changes": [{ "uri": server.uri("p/User.java"), "type": 1 }] });
    server.notify("workspace/didChangeWatchedFiles", changed);
    let news = server.wait("workspace/diagnostic", |it| it["id"] == "poll");
    assert_eq!(by_file(&news["result"]), [("Shared.java".to_owned(), vec!["modified-field".to_owned(), "mocking-point".to_owned()])]);
    // A file that is gone has none any more.
    std::fs::remove_file(server.path("p/Clock.java")).expect("it was there");
    let gone = json!({ "changes": [{ "uri": server.uri("p/Clock.java"), "type": 3 }] });
    server.notify("workspace/didChangeWatchedFiles", gone);
    loop {
        let report = server.request("workspace/diagnostic", json!({ "previousResultIds": [known[0]] }));
        if by_file(&report).contains(&("Clock.java".to_owned(), vec![])) {
            break;
        }
    }
    // Nobody waits any more.
    server.send(json!({ "id": "given up", "method": "workspace/diagnostic", "params": { "previousResultIds": [] } }));
    server.wait("news", |it| it["id"] == "given up");
    let known = current(&mut server);
    server.send(json!({ "id": "stuck", "method": "workspace/diagnostic", "params": { "previousResultIds": known } }));
    server.notify("$/cancelRequest", json!({ "id": "stuck" }));
    let cancelled = server.wait("cancelled", |it| it["id"] == "stuck");
    assert_eq!(cancelled["error"]["code"], -32800);
}

fn current(server: &mut TestServer) -> Vec<Value> {
    let report = server.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    report["items"].as_array().expect("a list").iter().map(|it| json!({ "uri": it["uri"], "value": it["resultId"] })).collect()
}

#[test]
fn files_of_the_workspace_are_sent() {
    let mut server = Builder { options: workspace_scope(), ..Builder::new() }.file("p/Clock.java", CLOCK).file("p/Limits.java", LIMITS).build();
    let published = server.await_codes("p/Clock.java", &["mocking-point"]);
    assert_eq!(published.get("version"), None);
    server.await_codes("p/Limits.java", &["never-modified-field"]);
    // An open one has its version, a closed one none, and is not cleared.
    server.open("p/Clock.java", &CLOCK.replace("System.currentTimeMillis()", "3"));
    let opened = server.await_codes("p/Clock.java", &[]);
    assert_eq!(opened["version"], 1);
    server.close("p/Clock.java");
    assert_eq!(server.await_codes("p/Clock.java", &["mocking-point"]).get("version"), None);
    // Deleted.
    std::fs::remove_file(server.path("p/Limits.java")).expect("it was there");
    let gone = json!({ "changes": [{ "uri": server.uri("p/Limits.java"), "type": 3 }] });
    server.notify("workspace/didChangeWatchedFiles", gone);
    server.await_codes("p/Limits.java", &[]);
    // The person has seen enough.
    server.notify("workspace/didChangeConfiguration", json!({ "settings": { "mockpoint": { "diagnostics": { "scope": "openFiles" } } } }));
    server.await_codes("p/Clock.java", &[]);
    server.notify("workspace/didChangeConfiguration", json!({ "settings": { "mockpoint": { "diagnostics": { "scope": "workspace" } } } }));
    server.await_codes("p/Clock.java", &["mocking-point"]);
    server.expect_silence();
}

#[test]
fn the_scope_is_registered_again() {
    let caps = json!({
        "textDocument": { "diagnostic": { "dynamicRegistration": true } },
        "workspace": { "diagnostics": { "refreshSupport": true }, "configuration": true }
    });
    let mut server = Builder { speaks: false, ..Builder::new() }.build();
    let folder = uri(&server.folder);
    let answer = server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": [{ "uri": folder, "name": "x" }] }));
    assert!(answer["capabilities"].get("diagnosticProvider").is_none());
    server.notify("initialized", json!({}));
    let first = server.answer("client/registerCapability", &json!(null));
    assert_eq!(first["registrations"][0]["method"], "textDocument/diagnostic");
    assert_eq!(first["registrations"][0]["registerOptions"]["workspaceDiagnostics"], false);
    server.answer("workspace/configuration", &json!([{ "diagnostics": { "scope": "workspace" } }, null]));
    let old = server.answer("client/unregisterCapability", &json!(null));
    assert_eq!(old["unregisterations"][0]["id"], first["registrations"][0]["id"]);
    let second = server.answer("client/registerCapability", &json!(null));
    assert_eq!(second["registrations"][0]["registerOptions"]["workspaceDiagnostics"], true);
    server.answer("workspace/diagnostic/refresh", &json!(null));
    server.expect_silence();
}

#[test]
fn severities_change_live_and_go_before_the_project() {
    let mut server = Builder::new().file("p/Clock.java", CLOCK).file("mockpoint.toml", "[severity]\nmocking-point = \"error\"\n").build();
    server.open("p/Clock.java", CLOCK);
    loop {
        let published = server.await_codes("p/Clock.java", &["mocking-point"]);
        if published["diagnostics"][0]["severity"] == 1 {
            break;
        }
    }
    let mut set = |severity: Value| {
        let settings = json!({ "settings": { "mockpoint": { "diagnostics": { "severity": { "mocking-point": severity } } } } });
        server.notify("workspace/didChangeConfiguration", settings);
        server.await_diagnostics("p/Clock.java")["diagnostics"][0]["severity"].clone()
    };
    assert_eq!(set(json!("warning")), 2);
    assert_eq!(set(json!("off")), Value::Null);
    assert_eq!(set(json!("hint")), 4);
    assert_eq!(set(json!(null)), 1);
    server.expect_silence();
}

#[test]
fn tags_change_live_where_the_client_knows_them() {
    let session = |known: Value| {
        let mut caps = Builder::new().capabilities;
        caps["textDocument"]["publishDiagnostics"]["tagSupport"] = known;
        let mut server = Builder::new().capabilities(caps).build();
        server.open("p/Clock.java", CLOCK);
        assert_eq!(server.await_codes("p/Clock.java", &["mocking-point"])["diagnostics"][0]["tags"], Value::Null);
        server
    };
    let set = |server: &mut TestServer, tag: &str| {
        let settings = json!({ "settings": { "mockpoint": { "diagnostics": { "tags": { "mocking-point": tag } } } } });
        server.notify("workspace/didChangeConfiguration", settings);
    };
    let mut server = session(json!({ "valueSet": [1] }));
    // What the client does not know, and `none`, is no tag.
    for (tag, expected) in [("unnecessary", json!([1])), ("deprecated", Value::Null), ("unnecessary", json!([1])), ("none", Value::Null)] {
        set(&mut server, tag);
        assert_eq!(server.await_diagnostics("p/Clock.java")["diagnostics"][0]["tags"], expected, "{tag}");
    }
    server.expect_silence();
    // What comes out the same is not said again.
    let mut server = session(Value::Null);
    set(&mut server, "unnecessary");
    server.expect_silence();
}

#[test]
fn folders_have_settings_of_their_own() {
    let caps = json!({ "workspace": { "configuration": true } });
    let mut server = Builder { speaks: false, ..Builder::new() }.file("one/Clock.java", CLOCK).file("two/Clock.java", CLOCK).build();
    let folders = json!([{ "uri": server.uri("one"), "name": "one" }, { "uri": server.uri("two"), "name": "two" }]);
    server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": folders }));
    server.notify("initialized", json!({}));
    let asked = server.answer(
        "workspace/configuration",
        &json!([null, { "diagnostics": { "severity": { "mocking-point": "warning" } } }, { "diagnostics": { "severity": { "mocking-point": "off" } } }]),
    );
    let scopes: Vec<Value> = asked["items"].as_array().expect("a list").iter().map(|it| it["scopeUri"].clone()).collect();
    assert_eq!(scopes, [Value::Null, json!(server.uri("one")), json!(server.uri("two"))]);
    server.sync();
    server.open("two/Clock.java", CLOCK);
    server.open("one/Clock.java", CLOCK);
    assert_eq!(server.await_codes("one/Clock.java", &["mocking-point"])["diagnostics"][0]["severity"], 2);
    server.expect_silence();
    // Folders that come are asked for.
    let other = json!({ "uri": server.uri("three"), "name": "three" });
    server.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [other], "removed": [] } }));
    let asked = server.answer("workspace/configuration", &json!([null, null, null, null]));
    assert_eq!(asked["items"].as_array().map(Vec::len), Some(4));
    assert_eq!(server.await_codes("one/Clock.java", &["mocking-point"])["diagnostics"][0]["severity"], 3);
    server.await_codes("two/Clock.java", &["mocking-point"]);
    server.expect_silence();
}

//! Typing, one character at a time, as a person sees it.

use super::client::Builder;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const BEFORE: &str = "package p;\n\nclass Shop {\n    private static int limit = 10;\n\n    long stamp() {\n        return System.nanoTime();\n    }\n\n    int typed(int x) {\n";
const AFTER: &str =
    "    }\n\n    boolean late(long t) {\n        return t < System.currentTimeMillis();\n    }\n\n    int limit() {\n        return limit;\n    }\n}\n";

/// Bodies that are broken in many ways on their way.
const BODIES: [&str; 3] = [
    "        if (x > \"a{b\".length()) {\n            return (int) (System.nanoTime() % x);\n        }\n        return x;\n",
    "        Runnable r = () -> { throw new IllegalStateException(\"}\"); };\n        for (int i = 0; i < x; i++) {\n            r.run();\n        }\n        return new int[] { x, 1 }[0];\n",
    "        String s = \"\"\"\n            text }\n            \"\"\"; // } \" {\n        switch (x) {\n            case 1 -> r(s);\n            default -> {\n                return java.util.Optional.of(x).map(y -> y + 1).get();\n            }\n        }\n        return x;\n",
];

/// What is said of everything but the method that is typed, by what it is about: codes and messages, and where relative to the end
/// of the text for what comes after it.
fn others(published: &Value, lines: usize) -> BTreeMap<String, String> {
    let mut res = BTreeMap::new();
    for it in published["diagnostics"].as_array().into_iter().flatten().filter(|it| it["data"]["name"] != "typed") {
        let line = it["range"]["start"]["line"].as_u64().unwrap_or_default() as usize;
        let at = if line < 9 { format!("{line}") } else { format!("end - {}", lines - line) };
        res.insert(format!("{} {}", it["code"], it["data"]["name"]), format!("{at} {} {}", it["range"]["start"]["character"], it["message"]));
    }
    res
}

#[test]
fn typing_a_method_moves_the_findings_of_others_and_changes_none() {
    for body in BODIES {
        let mut server = Builder::new().build();
        let mut text = format!("{BEFORE}{AFTER}");
        server.open("p/Shop.java", &text);
        let mut seen = server.await_codes("p/Shop.java", &["never-modified-field", "mocking-point", "mocking-point"]);
        let expected = others(&seen, text.lines().count());
        assert_eq!(expected.len(), 3);
        let (mut line, mut column) = (BEFORE.matches('\n').count(), 0);
        let mut version = 1;
        let mut texts = BTreeMap::from([(1, text.lines().count())]);
        for (n_typed, c) in body.char_indices() {
            let at = json!({ "line": line, "character": column });
            version += 1;
            server.change("p/Shop.java", version, json!([{ "range": { "start": at, "end": at }, "text": c.to_string() }]));
            text.insert(BEFORE.len() + n_typed, c);
            texts.insert(version, text.lines().count());
            (line, column) = if c == '\n' { (line + 1, 0) } else { (line, column + c.len_utf8()) };
            // Nobody types faster than this: each state is seen.
            server.sync();
            while let Some(at) = server.unclaimed.iter().position(|it| it["method"] == "textDocument/publishDiagnostics") {
                seen = server.unclaimed.remove(at).expect("it is there")["params"].clone();
                let lines = texts[&i32::try_from(seen["version"].as_i64().expect("a version")).expect("small")];
                assert_eq!(others(&seen, lines), expected, "after {:?}", &body[..=n_typed]);
            }
        }
        // In the end it is what a new server says.
        server.request("workspace/executeCommand", json!({ "command": "mockpoint.analyseWorkspace" }));
        server.sync();
        while let Some(message) = server.unclaimed.pop_front().or_else(|| server.read(std::time::Duration::from_millis(300))) {
            seen = message["params"].clone();
        }
        let mut fresh = Builder::new().build();
        fresh.open("p/Shop.java", &text);
        let mut codes = vec!["never-modified-field", "mocking-point", "mocking-point"];
        if body.contains("nanoTime") {
            codes.push("mocking-point");
        }
        let whole = fresh.await_codes("p/Shop.java", &codes);
        let base = |server: &super::client::TestServer, it: &Value| it["diagnostics"].to_string().replace(&super::client::uri(&server.folder), "");
        assert_eq!(base(&server, &seen), base(&fresh, &whole));
    }
}

//! What holds for every client and every order of messages.

use super::client::{Builder, CLOCK, TestServer, uri};
use mockpoint_tests::edits::Random as Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The clients whose `initialize` was looked at, reduced to what matters here.
fn clients() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients");
    let mut files: Vec<_> = fs::read_dir(folder).expect("they are there").map(|it| it.expect("an entry").path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, serde_json::from_str(&fs::read_to_string(path).expect("it can be read")).expect("JSON"))
    };
    files.iter().map(read).collect()
}

/// Answers what the server asks until all is settled, and says which methods came.
fn serve(server: &mut TestServer, seen: &mut BTreeMap<String, usize>, settings: &Value) {
    let id = json!(format!("settled {}", seen.values().sum::<usize>()));
    server.send(json!({ "id": id, "method": "workspace/executeCommand", "params": { "command": "mockpoint.analyseWorkspace" } }));
    loop {
        let message = server.wait("anything", |_| true);
        if message["id"] == id && message.get("method").is_none() {
            return;
        }
        answer(server, &message, settings);
        *seen.entry(message["method"].as_str().unwrap_or("answer").to_owned()).or_default() += 1;
    }
}

fn answer(server: &mut TestServer, message: &Value, settings: &Value) {
    if message.get("id").is_none() || message.get("method").is_none() {
        return;
    }
    let result = match message["method"].as_str() {
        Some("workspace/configuration") => message["params"]["items"].as_array().into_iter().flatten().map(|_| settings.clone()).collect(),
        _ => Value::Null,
    };
    server.send(json!({ "id": message["id"], "result": result }));
}

#[test]
fn every_recorded_client_is_served_in_its_own_way() {
    let clients = clients();
    assert_eq!(clients.len(), 8);
    for (name, params) in clients {
        let mut server = Builder { speaks: false, ..Builder::new() }.file("p/Clock.java", CLOCK).build();
        let mut params = params;
        params["processId"] = Value::Null;
        params["rootUri"] = json!(uri(&server.folder));
        params["workspaceFolders"] = json!([{ "uri": uri(&server.folder), "name": "x" }]);
        let caps = params["capabilities"].clone();
        let answer = server.request("initialize", params)["capabilities"].clone();
        let encodings = caps["general"]["positionEncodings"].as_array().cloned().unwrap_or_default();
        let utf8 = encodings.contains(&json!("utf-8"));
        assert_eq!(answer["positionEncoding"], if utf8 { "utf-8" } else { "utf-16" }, "{name}");
        server.notify("initialized", json!({}));
        // The wide characters before the name tell the encodings apart.
        server.open("p/Clock.java", &CLOCK.replace("    long", "    /* é订😀 */ long"));
        let mut seen = BTreeMap::new();
        serve(&mut server, &mut seen, &Value::Null);
        let workspace = &caps["workspace"];
        let refreshes = workspace["diagnostics"]["refreshSupport"] == true || workspace["diagnostic"]["refreshSupport"] == true;
        let pulls = caps["textDocument"]["diagnostic"].is_object() && refreshes;
        let is_registered = caps["textDocument"]["diagnostic"]["dynamicRegistration"] == true;
        assert_eq!(answer.get("diagnosticProvider").is_some(), pulls && !is_registered, "{name}");
        let diagnostics = if pulls {
            assert!(!seen.contains_key("textDocument/publishDiagnostics"), "{name}");
            server.request("textDocument/diagnostic", json!({ "textDocument": { "uri": server.uri("p/Clock.java") } }))["items"].clone()
        } else {
            assert!(seen.contains_key("textDocument/publishDiagnostics"), "{name}");
            assert!(!seen.contains_key("workspace/diagnostic/refresh"), "{name}");
            // What was published last is what an edit moves.
            server.change("p/Clock.java", 2, json!([{ "text": CLOCK.replace("    long", "    /* é订😀 */  long") }]));
            let mut published = server.await_diagnostics("p/Clock.java");
            while published["version"] != 2 {
                published = server.await_diagnostics("p/Clock.java");
            }
            published["diagnostics"].clone()
        };
        let width = if utf8 { "/* é订😀 */ ".len() } else { 11 } + usize::from(!pulls);
        assert_eq!(diagnostics[0]["range"]["start"]["character"], 9 + width, "{name}");
        let knows_related = caps["textDocument"]["publishDiagnostics"]["relatedInformation"] == true;
        assert_eq!(diagnostics[0].get("relatedInformation").is_some(), knows_related, "{name}");
        for (wanted, method) in [
            (&workspace["didChangeWatchedFiles"]["dynamicRegistration"], "client/registerCapability"),
            (&workspace["configuration"], "workspace/configuration"),
            (&caps["window"]["workDoneProgress"], "window/workDoneProgress/create"),
        ] {
            assert!(seen.contains_key(method) || wanted != &json!(true), "{name}: {method} {seen:?}");
        }
        // Progress and refreshes may still be under way.
        server.forget("$/progress");
        server.unclaimed.retain(|it| !it["method"].as_str().is_some_and(|it| it.ends_with("/refresh") || it.ends_with("/create")));
        server.unclaimed.retain(|it| it["method"] != "textDocument/publishDiagnostics");
    }
}

const NAMES: [&str; 4] = ["p/A.java", "p/B.java", "q/C.java", "D.java"];

/// Texts that depend on each other through the field.
fn text(rng: &mut Rng, name: &str) -> String {
    let class = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".java");
    let package = name.split_once('/').map_or(String::new(), |it| format!("package {};\n", it.0));
    let body = [
        "    static int count;\n    int read() {\n        return count;\n    }\n",
        "    void bump() {\n        p.A.count++;\n    }\n    public static void main(String[] a) {\n        new p.B().bump();\n    }\n",
        "    long now() {\n        return System.nanoTime();\n    }\n",
        "    int plain(int x) {\n        return x + 1;\n    }\n",
        "    private static int limit = 3;\n    int limit() {\n        return limit;\n    }\n",
        "    long broken( {\n        return System.nanoTime(;\n",
    ];
    let parts: String = (0..1 + rng.below(3)).map(|_| body[rng.below(body.len())]).collect();
    format!("{package}public class {class} {{\n{parts}}}\n")
}

/// A client that does whatever comes to mind, and knows what must be true then.
struct Random {
    rng: Rng,
    server: TestServer,
    /// The text and version of each open document.
    open: BTreeMap<&'static str, (String, i32)>,
    /// The files on the disk.
    disk: BTreeMap<&'static str, String>,
    /// Requests without an answer yet.
    pending: BTreeSet<String>,
    /// What was published last, by address.
    published: BTreeMap<String, Value>,
    settings: Value,
    n_requests: usize,
}

impl Random {
    fn new(seed: u64) -> Random {
        let caps = json!({
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
            "workspace": { "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true }, "codeLens": { "refreshSupport": true } },
            "window": { "workDoneProgress": true }
        });
        let mut server = Builder { speaks: false, ..Builder::new() }.build();
        server.request("initialize", json!({ "capabilities": caps, "workspaceFolders": [{ "uri": uri(&server.folder), "name": "x" }] }));
        server.notify("initialized", json!({}));
        Random {
            rng: Rng::new(seed),
            server,
            open: BTreeMap::new(),
            disk: BTreeMap::new(),
            pending: BTreeSet::new(),
            published: BTreeMap::new(),
            settings: Value::Null,
            n_requests: 0,
        }
    }

    /// Takes what has come, without waiting.
    fn take(&mut self) {
        while let Some(message) = self.server.read(std::time::Duration::from_millis(0)) {
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        if message.get("method").is_none() {
            let id = message["id"].as_str().expect("our ids are strings");
            assert!(self.pending.remove(id), "a second answer, or one to nobody: {message}");
            let code = message["error"]["code"].as_i64();
            assert!(code.is_none_or(|it| it == -32800), "{message}");
        } else if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().expect("an address").to_owned();
            let known = NAMES.iter().find(|it| self.server.uri(it) == uri).unwrap_or_else(|| panic!("{uri} is none of ours"));
            if let Some(version) = params["version"].as_i64() {
                let now = self.open.get(known).map(|it| i64::from(it.1));
                assert!(now.is_none_or(|now| version <= now), "a version that was never sent: {version}, {now:?}");
            }
            self.published.insert(uri, params["diagnostics"].clone());
        } else {
            answer(&mut self.server, message, &self.settings.clone());
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> String {
        self.n_requests += 1;
        let id = format!("r{}", self.n_requests);
        self.pending.insert(id.clone());
        self.server.send(json!({ "id": id, "method": method, "params": params }));
        id
    }

    fn watched(&mut self, name: &str, kind: u8) {
        let uri = self.server.uri(name);
        self.server.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": kind }] }));
    }

    fn step(&mut self) {
        let name = NAMES[self.rng.below(NAMES.len())];
        let text = text(&mut self.rng, name);
        let uri = self.server.uri(name);
        let document = json!({ "uri": uri });
        match self.rng.below(12) {
            0 | 1 => match self.open.get_mut(name) {
                None => {
                    self.server.open(name, &text);
                    self.open.insert(name, (text, 1));
                }
                Some(open) => {
                    *open = (text.clone(), open.1 + 1 + i32::from(self.rng.below(2) == 0));
                    let version = open.1;
                    self.server.change(name, version, json!([{ "text": text }]));
                }
            },
            2 | 3 => {
                if let Some(open) = self.open.get_mut(name) {
                    // One character at the start of a line.
                    let line = self.rng.below(open.0.lines().count());
                    let at: usize = open.0.split_inclusive('\n').take(line).map(str::len).sum();
                    let piece = ["\n", " ", "}", "/", "\"", "// é😀\n"][self.rng.below(6)];
                    open.0.insert_str(at, piece);
                    open.1 += 1;
                    let version = open.1;
                    let position = json!({ "line": line, "character": 0 });
                    self.server.change(name, version, json!([{ "range": { "start": position, "end": position }, "text": piece }]));
                }
            }
            4 => {
                if self.open.remove(name).is_some() {
                    self.server.close(name);
                }
            }
            5 => {
                // Saved.
                if let Some(open) = self.open.get(name).cloned() {
                    self.server.write(name, &open.0);
                    let kind = if self.disk.insert(name, open.0).is_some() { 2 } else { 1 };
                    self.server.notify("textDocument/didSave", json!({ "textDocument": document }));
                    self.watched(name, kind);
                }
            }
            6 => {
                if !self.open.contains_key(name) {
                    self.server.write(name, &text);
                    let kind = if self.disk.insert(name, text).is_some() { 2 } else { 1 };
                    self.watched(name, kind);
                }
            }
            7 => {
                // A file that is open elsewhere is not deleted here: what that means is tested on its own.
                if !self.open.contains_key(name) && self.disk.remove(name).is_some() {
                    fs::remove_file(self.server.path(name)).expect("it was there");
                    self.watched(name, 3);
                }
            }
            8 => {
                let to = NAMES[self.rng.below(NAMES.len())];
                let is_free = !self.open.contains_key(name) && !self.open.contains_key(to) && !self.disk.contains_key(to);
                if is_free && let Some(text) = self.disk.remove(name) {
                    self.server.write(to, &text);
                    fs::remove_file(self.server.path(name)).expect("it was there");
                    self.disk.insert(to, text);
                    let files = json!([{ "oldUri": uri, "newUri": self.server.uri(to) }]);
                    self.server.notify("workspace/didRenameFiles", json!({ "files": files }));
                }
            }
            9 => {
                let worlds = [json!(null), json!({ "world": "library" }), json!({ "world": "application", "inlayHints": { "enable": true } })];
                self.settings = worlds[self.rng.below(worlds.len())].clone();
                self.server.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
            }
            10 => {
                let position = json!({ "line": self.rng.below(12), "character": self.rng.below(20) });
                let (method, params) = match self.rng.below(4) {
                    0 => ("textDocument/hover", json!({ "textDocument": document, "position": position })),
                    1 => ("textDocument/codeLens", json!({ "textDocument": document })),
                    2 => ("mockpoint/findings", json!({})),
                    _ => ("textDocument/inlayHint", json!({ "textDocument": document, "range": { "start": { "line": 0, "character": 0 }, "end": position } })),
                };
                self.request(method, &params);
            }
            _ => {
                let id = self.request("textDocument/hover", &json!({ "textDocument": document, "position": { "line": 3, "character": 9 } }));
                self.server.notify("$/cancelRequest", json!({ "id": id }));
            }
        }
    }

    /// Waits until all is read, linked and said.
    fn settle(&mut self) {
        for _ in 0..2 {
            let id = self.request("workspace/executeCommand", &json!({ "command": "mockpoint.analyseWorkspace" }));
            while self.pending.contains(&id) {
                let message = self.server.read(std::time::Duration::from_secs(30)).expect("an answer");
                self.note(&message);
            }
        }
        while let Some(message) = self.server.read(std::time::Duration::from_millis(150)) {
            self.note(&message);
        }
        assert!(self.pending.is_empty(), "without an answer: {:?}", self.pending);
    }

    /// What is published is what a new server says of the same texts, and of what is saved what the command line says.
    fn check(&mut self) {
        self.settle();
        let caps = json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
        let mut fresh = Builder { options: json!(self.settings), speaks: false, ..Builder::new() }.build();
        for (name, text) in &self.disk {
            fresh.write(name, text);
        }
        let options = json!(self.settings);
        fresh.request(
            "initialize",
            json!({ "capabilities": caps, "initializationOptions": options, "workspaceFolders": [{ "uri": uri(&fresh.folder), "name": "x" }] }),
        );
        fresh.notify("initialized", json!({}));
        for (name, (text, _)) in &self.open {
            fresh.open(name, text);
        }
        fresh.request("workspace/executeCommand", json!({ "command": "mockpoint.analyseWorkspace" }));
        let mut expected: BTreeMap<String, Value> = BTreeMap::new();
        fresh.sync();
        while let Some(message) = fresh.unclaimed.pop_front().or_else(|| fresh.read(std::time::Duration::from_millis(100))) {
            if message["method"] == "textDocument/publishDiagnostics" {
                expected.insert(message["params"]["uri"].as_str().expect("an address").to_owned(), message["params"]["diagnostics"].clone());
            }
        }
        let there = |folder: &Path, all: &BTreeMap<String, Value>| -> BTreeMap<String, String> {
            let base = uri(folder);
            let short = |it: (&String, &Value)| (it.0.replace(&base, ""), it.1.to_string().replace(&base, ""));
            all.iter().filter(|it| it.1 != &json!([])).map(short).collect()
        };
        // A text with errors shows what was known of it before, which a new server cannot know.
        let (ours, theirs) = (there(&self.server.folder, &self.published), there(&fresh.folder, &expected));
        let is_clean = self.open.values().map(|it| &it.0).chain(self.disk.values()).all(|it| is_balanced(it));
        if is_clean {
            assert_eq!(ours, theirs, "settings {}", self.settings);
        }
        // The command line, on the same texts as saved files.
        for (name, (text, _)) in &self.open {
            fresh.write(name, text);
        }
        let world = self.settings["world"].as_str().unwrap_or("application");
        let report = mockpoint_tests::run(&fresh.folder, &["check", "--format", "json", "--world", world]).json();
        if is_clean {
            let mut of_line: BTreeSet<(String, String, u64)> = BTreeSet::new();
            for it in report["mocking_points"].as_array().expect("a list") {
                let file = format!("/{}", it["file"].as_str().unwrap_or_default());
                if self.open.keys().any(|name| file == format!("/{name}")) {
                    of_line.insert((
                        file,
                        it["method"]["name"].as_str().unwrap_or_default().to_owned(),
                        it["range"]["start"]["line"].as_u64().unwrap_or_default(),
                    ));
                }
            }
            let base = uri(&self.server.folder);
            let mut of_editor: BTreeSet<(String, String, u64)> = BTreeSet::new();
            for (uri, list) in &self.published {
                for it in list.as_array().into_iter().flatten().filter(|it| it["code"] == "mocking-point") {
                    let name = it["data"]["name"].as_str().unwrap_or_default().to_owned();
                    of_editor.insert((uri.replace(&base, ""), name, it["range"]["start"]["line"].as_u64().unwrap_or_default() + 1));
                }
            }
            assert_eq!(of_editor, of_line);
        }
        fresh.unclaimed.clear();
    }
}

/// Whether a text has no syntax errors of the kinds that we put in.
fn is_balanced(text: &str) -> bool {
    let code: String = text.lines().map(|it| it.split("//").next().unwrap_or_default()).collect();
    let count = |c: char| code.matches(c).count();
    !code.contains("broken") && count('{') == count('}') && count('"') == 0 && count('/') == 0
}

#[test]
fn random_sequences_end_where_a_new_server_starts() {
    let n_seeds = std::env::var("SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    let mut n_checked = 0;
    for seed in 1..=n_seeds {
        let mut session = Random::new(seed);
        for _ in 0..4 {
            for _ in 0..25 {
                session.step();
                session.take();
            }
            // At the end of a round what is broken is mended, so that a new server can be asked.
            let names: Vec<_> = session.open.keys().copied().collect();
            for name in names {
                if !is_balanced(&session.open[name].0) {
                    let text = loop {
                        let text = text(&mut session.rng, name);
                        if is_balanced(&text) {
                            break text;
                        }
                    };
                    let version = session.open[name].1 + 1;
                    session.server.change(name, version, json!([{ "text": text }]));
                    session.open.insert(name, (text, version));
                }
            }
            session.check();
            n_checked += usize::from(session.disk.values().all(|it| is_balanced(it)));
        }
        session.server.forget("workspace/codeLens/refresh");
        session.server.unclaimed.clear();
    }
    assert!(n_checked > 0, "no round ended without errors");
}

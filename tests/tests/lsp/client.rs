//! The client side of a session, over streams in memory.
//!
//! A [`TestServer`] fails a test if the server said something that the test did not wait for.

use mockpoint::lsp::{Options, serve_streams, stdio};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Much longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How long to listen for something that must not come.
const SILENCE: Duration = Duration::from_millis(400);

pub const CLOCK: &str = "package p;\n\nclass Clock {\n    long now() {\n        return System.currentTimeMillis();\n    }\n}\n";
pub const LIMITS: &str = "package p;\n\nclass Limits {\n    private static int limit = 10;\n\n    int limit() {\n        return limit;\n    }\n}\n";

/// What the client side of a session can do to the output of the server.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub fn set(&self, closed: bool) {
        *self.0.0.lock().expect("no panic") = closed;
        self.0.1.notify_all();
    }
}

/// The end of the server's output: a client that reads at once, or not at all while the gate is closed.
struct Output {
    gate: Gate,
    sender: tokio::sync::mpsc::UnboundedSender<Vec<u8>>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut closed = self.gate.0.0.lock().expect("no panic");
        while *closed {
            closed = self.gate.0.1.wait(closed).expect("no panic");
        }
        self.sender.send(bytes.to_vec()).map_err(|_| std::io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A session, after `initialize` and `initialized` unless the builder says otherwise.
pub struct TestServer {
    pub runtime: Runtime,
    pub input: Option<DuplexStream>,
    pub output: UnboundedReceiver<Vec<u8>>,
    pub bytes: Vec<u8>,
    /// Messages that came while another was waited for.
    pub unclaimed: VecDeque<Value>,
    pub server: Option<JoinHandle<i32>>,
    pub gate: Gate,
    pub next_id: i64,
    pub folder: PathBuf,
    /// The answer to `initialize`.
    pub initialized: Value,
}

pub struct Builder {
    pub capabilities: Value,
    pub options: Value,
    pub settings: Value,
    pub files: Vec<(&'static str, &'static str)>,
    pub has_folder: bool,
    pub server: Options,
    pub speaks: bool,
}

impl Builder {
    pub fn new() -> Builder {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true },
                "hover": { "contentFormat": ["markdown", "plaintext"] }
            },
            "workspace": { "workspaceEdit": { "documentChanges": true } }
        });
        Builder { capabilities, options: json!({}), settings: json!(null), files: Vec::new(), has_folder: true, server: Options::default(), speaks: true }
    }

    pub fn file(mut self, path: &'static str, text: &'static str) -> Builder {
        self.files.push((path, text));
        self
    }

    pub fn capabilities(mut self, capabilities: Value) -> Builder {
        self.capabilities = capabilities;
        self
    }

    pub fn build(self) -> TestServer {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mockpoint-lsp-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("there is room for a test");
        let folder = folder.canonicalize().expect("it is there");
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let (input, theirs) = tokio::io::duplex(1 << 20);
        let (sender, output) = unbounded_channel();
        let gate = Gate::default();
        let (writer, _pump) = stdio::pump(Output { gate: gate.clone(), sender });
        let server = runtime.spawn(serve_streams(theirs, writer, self.server));
        let mut res = TestServer {
            runtime,
            input: Some(input),
            output,
            bytes: Vec::new(),
            unclaimed: VecDeque::new(),
            server: Some(server),
            gate,
            next_id: 1,
            folder,
            initialized: Value::Null,
        };
        self.files.iter().for_each(|(path, text)| res.write(path, text));
        if self.speaks {
            let folders = if self.has_folder { json!([{ "uri": uri(&res.folder), "name": "test" }]) } else { json!(null) };
            let params = json!({
                "processId": null, "rootUri": null, "capabilities": self.capabilities,
                "workspaceFolders": folders, "initializationOptions": self.options
            });
            res.initialized = res.request("initialize", params);
            res.notify("initialized", json!({}));
            let caps = &self.capabilities;
            if caps["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == true {
                res.answer("client/registerCapability", &json!(null));
            }
            if caps["workspace"]["configuration"] == true {
                res.answer("workspace/configuration", &json!([self.settings]));
            }
        }
        res
    }
}

impl TestServer {
    pub fn new() -> TestServer {
        Builder::new().build()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        uri(&self.path(name))
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    pub fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let input = self.input.as_mut().expect("not closed");
        self.runtime.block_on(async { timeout(PATIENCE, input.write_all(frame.as_bytes())).await }).expect("the server reads").expect("it is there");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The next message, if it comes within `patience`.
    pub fn read(&mut self, patience: Duration) -> Option<Value> {
        loop {
            if let Some(message) = take_message(&mut self.bytes) {
                return Some(message);
            }
            let output = &mut self.output;
            let bytes = self.runtime.block_on(async { timeout(patience, output.recv()).await }).ok()??;
            self.bytes.extend(bytes);
        }
    }

    /// The first message that fits; others are kept for those who wait for them.
    pub fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(idx) = self.unclaimed.iter().position(&fits) {
            return self.unclaimed.remove(idx).expect("it is there");
        }
        loop {
            let Some(message) = self.read(PATIENCE) else { panic!("{what} does not come; there is {:#?}", self.unclaimed) };
            if fits(&message) {
                return message;
            }
            self.unclaimed.push_back(message);
        }
    }

    pub fn request_id(&mut self, id: Value, method: &str, params: Value) -> Value {
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.wait(method, |it| it["id"] == id && it.get("method").is_none())
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.raw_request(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub fn raw_request(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        // LSP4J, which JetBrains uses, sends strings.
        let id = if self.next_id % 2 == 0 { json!(self.next_id) } else { json!(self.next_id.to_string()) };
        self.request_id(id, method, params)
    }

    /// Answers a request of the server.
    pub fn answer(&mut self, method: &str, result: &Value) -> Value {
        let request = self.wait(method, |it| it["method"] == method);
        self.send(json!({ "id": request["id"], "result": result }));
        request["params"].clone()
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "java", "version": 1, "text": text } }));
    }

    pub fn change(&mut self, name: &str, version: i32, changes: Value) {
        let uri = self.uri(name);
        self.notify("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }));
    }

    pub fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub fn hover(&mut self, name: &str, line: u32, character: u32) -> Value {
        let uri = self.uri(name);
        self.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } }))
    }

    pub fn actions(&mut self, name: &str, line: u32, only: Value) -> Vec<Value> {
        let uri = self.uri(name);
        let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 1000 } });
        let context = if only.is_null() { json!({ "diagnostics": [] }) } else { json!({ "diagnostics": [], "only": only }) };
        let res = self.request("textDocument/codeAction", json!({ "textDocument": { "uri": uri }, "range": range, "context": context }));
        res.as_array().cloned().unwrap_or_default()
    }

    /// The diagnostics that are published next for a document.
    pub fn await_diagnostics(&mut self, name: &str) -> Value {
        let uri = self.uri(name);
        self.wait("publishDiagnostics", |it| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri.as_str())["params"].clone()
    }

    /// Waits for a state of a document's diagnostics, whatever comes before: how often the server publishes on the way
    /// depends on how fast it links.
    pub fn await_codes(&mut self, name: &str, codes: &[&str]) -> Value {
        loop {
            let published = self.await_diagnostics(name);
            let diagnostics = list(&published);
            let found: Vec<_> = diagnostics.iter().filter_map(|it| it["code"].as_str()).collect();
            if found == codes {
                return published;
            }
        }
    }

    /// Messages of a kind that come as often as the server's pace makes them come: none of them is waited for.
    pub fn forget(&mut self, method: &str) {
        self.sync();
        while let Some(message) = self.read(SILENCE) {
            self.unclaimed.push_back(message);
        }
        self.unclaimed.retain(|it| it["method"] != method);
    }

    /// Everything sent before has been seen when this returns.
    pub fn sync(&mut self) {
        self.hover("Nowhere.java", 0, 0);
    }

    /// Reads until nothing comes any more; all that is published for a document on the way must be so.
    pub fn await_quiet(&mut self, name: &str, is_right: impl Fn(&Value) -> bool) {
        let uri = self.uri(name);
        self.sync();
        while let Some(message) = self.read(SILENCE) {
            self.unclaimed.push_back(message);
        }
        let is_of_it = |it: &Value| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri.as_str();
        for message in self.unclaimed.iter().filter(|it| is_of_it(it)) {
            assert!(is_right(&message["params"]), "{message}");
        }
        self.unclaimed.retain(|it| !is_of_it(it));
    }

    /// Waits for a state of a document's diagnostics that stays: a link of the text before may land behind it and be corrected.
    pub fn await_last_codes(&mut self, name: &str, codes: &[&str]) -> Value {
        let mut last = self.await_codes(name, codes);
        let uri = self.uri(name);
        while let Some(message) = self.read(SILENCE) {
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri.as_str() {
                last = message["params"].clone();
            } else {
                self.unclaimed.push_back(message);
            }
        }
        let diagnostics = list(&last);
        let found: Vec<_> = diagnostics.iter().filter_map(|it| it["code"].as_str()).collect();
        assert_eq!(found, codes, "what was published last");
        last
    }

    pub fn expect_silence(&mut self) {
        self.sync();
        while let Some(message) = self.read(SILENCE) {
            self.unclaimed.push_back(message);
        }
        assert!(self.unclaimed.is_empty(), "unexpected: {:#?}", self.unclaimed);
    }

    /// The exit code, once the server has left.
    pub fn code(&mut self) -> i32 {
        let server = self.server.take().expect("it runs");
        self.runtime.block_on(async { timeout(PATIENCE, server).await }).expect("it leaves").expect("it does not panic")
    }

    pub fn leave(&mut self) -> i32 {
        self.request("shutdown", json!(null));
        self.notify("exit", json!(null));
        self.code()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.gate.set(false);
        let _ = std::fs::remove_dir_all(&self.folder);
        if std::thread::panicking() {
            return;
        }
        if self.server.is_some() {
            assert_eq!(self.leave(), 0, "exit code");
        }
        while let Some(message) = self.read(Duration::from_millis(1)) {
            self.unclaimed.push_back(message);
        }
        assert!(self.unclaimed.is_empty(), "nobody waited for {:#?}", self.unclaimed);
    }
}

pub fn take_message(bytes: &mut Vec<u8>) -> Option<Value> {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = head.lines().find_map(|it| it.strip_prefix("Content-Length: "))?.parse().ok()?;
    let body = bytes.get(end + 4..end + 4 + length)?;
    let message = serde_json::from_slice(body).expect("JSON");
    bytes.drain(..end + 4 + length);
    Some(message)
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub fn list(published: &Value) -> Vec<Value> {
    published["diagnostics"].as_array().cloned().unwrap_or_default()
}

pub fn insert(line: u32, character: u32, text: &str) -> Value {
    let at = json!({ "line": line, "character": character });
    json!({ "range": { "start": at, "end": at }, "text": text })
}

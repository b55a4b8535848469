//! Whole sessions over in-memory streams, with a server whose handlers wait for ever, panic and keep a list.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tower_lsp::jsonrpc::Result;
use tower_lsp::lsp_types::{
    CompletionParams, CompletionResponse, DidChangeTextDocumentParams, DidSaveTextDocumentParams, GotoDefinitionParams, GotoDefinitionResponse, Hover,
    HoverParams, InitializeParams, InitializeResult, Location, MessageType, ReferenceParams,
};
use tower_lsp::{Client, LanguageServer, LspService};

use super::*;

struct Toy {
    client: Client,
    versions: Arc<Mutex<Vec<i32>>>,
}

#[tower_lsp::async_trait]
impl LanguageServer for Toy {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult::default())
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.versions.lock().unwrap().push(params.text_document.version);
        // Long after its order has been settled, it waits: that must hold up nothing.
        self.client.log_message(MessageType::LOG, "changed").await;
        std::future::pending().await
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        panic!("notifications have no answer");
    }

    async fn hover(&self, _: HoverParams) -> Result<Option<Hover>> {
        std::future::pending().await
    }

    async fn completion(&self, _: CompletionParams) -> Result<Option<CompletionResponse>> {
        panic!("before the first wait");
    }

    async fn goto_definition(&self, _: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        tokio::task::yield_now().await;
        panic!("after the first wait");
    }

    async fn references(&self, _: ReferenceParams) -> Result<Option<Vec<Location>>> {
        Ok(None)
    }
}

/// The client's side of a session.
struct Session {
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    server: JoinHandle<i32>,
    versions: Arc<Mutex<Vec<i32>>>,
}

impl Session {
    async fn start() -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(theirs);
        let (server, versions) = serve_toy(reader, writer);
        let (output, input) = tokio::io::split(ours);
        let mut res = Session { input, output: BufReader::new(output), server, versions };
        res.send(json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } })).await;
        assert_eq!(res.answer_to(json!(0)).await["error"], json!(null));
        res
    }

    async fn send(&mut self, message: Value) {
        self.input.write_all(&frame(message)).await.unwrap();
    }

    async fn send_change(&mut self, version: i32) {
        self.send(change(version)).await;
    }

    async fn send_request(&mut self, id: Value, method: &str) {
        let position = json!({ "line": 0, "character": 0 });
        let document = json!({ "uri": "file:///A.java" });
        let context = json!({ "includeDeclaration": true, "triggerKind": 1 });
        let params = json!({ "textDocument": document, "position": position, "context": context });
        self.send(json!({ "id": id, "method": method, "params": params })).await;
    }

    async fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).await.unwrap();
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(n) => length = n.parse().unwrap(),
                None if line == "\r\n" => break,
                None => assert_ne!(line, "", "the stream has ended"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).await.unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    async fn answer_to(&mut self, id: Value) -> Value {
        let answer = async {
            loop {
                let message = self.read().await;
                if message["id"] == id {
                    return message;
                }
            }
        };
        within(5, answer).await
    }

    /// Waits for the server to have seen all that was sent.
    async fn sync(&mut self) {
        self.send_request(json!("sync"), "textDocument/references").await;
        assert_eq!(self.answer_to(json!("sync")).await["error"], json!(null));
    }
}

fn serve_toy<R, W>(reader: R, writer: W) -> (JoinHandle<i32>, Arc<Mutex<Vec<i32>>>)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Send + 'static,
{
    let versions = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&versions);
    let (service, socket) = LspService::new(|client| Toy { client, versions: log });
    (tokio::spawn(serve(Guarded::new(service), socket, reader, writer)), versions)
}

fn frame(mut message: Value) -> Vec<u8> {
    message["jsonrpc"] = json!("2.0");
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn change(version: i32) -> Value {
    let params = json!({ "textDocument": { "uri": "file:///A.java", "version": version }, "contentChanges": [] });
    json!({ "method": "textDocument/didChange", "params": params })
}

async fn within<T>(seconds: u64, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(seconds), future).await.expect("it takes too long")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_keep_their_order() {
    let mut session = Session::start().await;
    let Session { input, output, versions, .. } = &mut session;
    let send = async {
        for version in 0..2_000 {
            input.write_all(&frame(change(version))).await.unwrap();
        }
    };
    // The server logs each change, and someone has to read that: these streams have no pump.
    let read = async {
        let mut bytes = [0; 4096];
        while versions.lock().unwrap().len() < 2_000 {
            let _ = output.read(&mut bytes).await.unwrap();
        }
    };
    within(20, async { tokio::join!(send, read) }).await;
    assert_eq!(*session.versions.lock().unwrap(), (0..2_000).collect::<Vec<_>>());
}

#[tokio::test]
async fn requests_that_wait_for_ever_hold_up_nobody() {
    let mut session = Session::start().await;
    for id in 1..=60 {
        session.send_request(json!(id), "textDocument/hover").await;
    }
    for version in 0..50 {
        session.send_change(version).await;
    }
    session.sync().await;
    assert_eq!(session.versions.lock().unwrap().len(), 50);
    // Nor is the cancellation stuck behind what it cancels.
    session.send(json!({ "method": "$/cancelRequest", "params": { "id": 7 } })).await;
    assert_eq!(session.answer_to(json!(7)).await["error"]["code"], json!(-32800));
}

#[tokio::test]
async fn a_panic_costs_one_answer() {
    let mut session = Session::start().await;
    session.send_request(json!(1), "textDocument/completion").await;
    assert_eq!(session.answer_to(json!(1)).await["error"]["code"], json!(-32603));
    session.send_request(json!("two"), "textDocument/definition").await;
    assert_eq!(session.answer_to(json!("two")).await["error"]["code"], json!(-32603));
    let saved = json!({ "textDocument": { "uri": "file:///A.java" } });
    session.send(json!({ "method": "textDocument/didSave", "params": saved })).await;
    session.send_change(1).await;
    session.sync().await;
    assert_eq!(*session.versions.lock().unwrap(), [1]);
}

#[tokio::test]
async fn exit_ends_the_server_while_its_input_is_open() {
    let mut session = Session::start().await;
    session.send_request(json!(1), "textDocument/hover").await;
    session.send(json!({ "id": 2, "method": "shutdown" })).await;
    session.send(json!({ "method": "exit" })).await;
    assert_eq!(within(3, &mut session.server).await.unwrap(), 0);
    // Even though `exit` did not wait for it.
    assert_eq!(session.answer_to(json!(2)).await["result"], json!(null));

    let mut rude = Session::start().await;
    rude.send(json!({ "method": "exit" })).await;
    assert_eq!(within(3, &mut rude.server).await.unwrap(), 1);
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_server() {
    let mut session = Session::start().await;
    session.send_request(json!(1), "textDocument/references").await;
    session.input.shutdown().await.unwrap();
    // What was asked before is still answered.
    assert_eq!(session.answer_to(json!(1)).await["error"], json!(null));
    assert_eq!(within(1, &mut session.server).await.unwrap(), 1);

    let mut stuck = Session::start().await;
    stuck.send_request(json!(1), "textDocument/hover").await;
    stuck.send(json!({ "id": 2, "method": "shutdown" })).await;
    stuck.input.shutdown().await.unwrap();
    assert_eq!(within(4, &mut stuck.server).await.unwrap(), 0);
}

/// An output that nobody reads: the first write waits until the test is over.
struct Blocked(Receiver<()>);

impl Write for Blocked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_read_all_the_same() {
    let (release, blocked) = channel();
    let (writer, pump) = pump(Blocked(blocked));
    let (mut input, reader) = tokio::io::duplex(1 << 16);
    let (server, versions) = serve_toy(reader, writer);
    let initialize = json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } });
    input.write_all(&frame(initialize)).await.unwrap();
    for version in 0..1_000 {
        within(5, input.write_all(&frame(change(version)))).await.unwrap();
    }
    input.write_all(&frame(json!({ "method": "exit" }))).await.unwrap();
    assert_eq!(within(5, server).await.unwrap(), 1);
    assert_eq!(versions.lock().unwrap().len(), 1_000);
    // It does not wait for ever for the reader either.
    let begin = Instant::now();
    pump.finish(Duration::from_millis(30)).await;
    assert!(begin.elapsed() < Duration::from_secs(2));
    drop(release);
}

#[tokio::test]
async fn a_pump_writes_all_in_order_or_tells_that_it_cannot() {
    let (mut writer, pump_done) = pump(Vec::new());
    writer.write_all(b"abc").await.unwrap();
    drop(writer);
    within(2, pump_done.finish(Duration::from_secs(5))).await;

    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (mut writer, broken) = pump(Broken);
    writer.write_all(b"abc").await.unwrap();
    within(2, broken.broken()).await;
    writer.write_all(b"swallowed").await.unwrap();

    let (sender, receiver) = channel();
    let mut written = Vec::new();
    for n in 0..100_u8 {
        sender.send(vec![n]).unwrap();
    }
    drop(sender);
    drain(&mut written, &receiver).unwrap();
    assert_eq!(written, (0..100).collect::<Vec<_>>());
}

#[tokio::test]
async fn stdin_is_handed_on_in_pieces() {
    let (sender, receiver) = mpsc::channel(16);
    let text = "x".repeat(READ_SIZE + 10);
    let expected = text.clone();
    let thread = thread::spawn(move || read_all(text.as_bytes(), &sender));
    let mut reader = StdinReader { receiver, piece: Vec::new(), n_used: 0 };
    let mut read = String::new();
    within(5, reader.read_to_string(&mut read)).await.unwrap();
    assert_eq!(read, expected);
    thread.join().unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dead_client_is_noticed() {
    let poll = Duration::from_millis(10);
    let start = || Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
    let mut child = start();
    let pid = child.id();
    let watch = tokio::spawn(process_gone(pid, poll));
    tokio::time::sleep(poll * 5).await;
    assert!(!watch.is_finished());
    // Killed, but a zombie until someone waits for it.
    child.kill().unwrap();
    within(3, watch).await.unwrap();
    child.wait().unwrap();
    // It is not there now, and it may never have been visible: no reason to leave.
    let watch = tokio::spawn(process_gone(pid, poll));
    let own = tokio::spawn(process_gone(std::process::id(), poll));
    tokio::time::sleep(poll * 5).await;
    assert!(!watch.is_finished() && !own.is_finished());
    watch.abort();
    own.abort();
}

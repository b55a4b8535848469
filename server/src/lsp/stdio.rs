//! Runs the server over a pair of streams until there is a reason to leave.
//!
//! The streams are parameters of [`serve`]; those of the process come from [`stdio`]. Both of these are driven by
//! threads of their own. A client that does not read must not keep us from reading: output goes to a buffer without
//! bound, never to a full pipe. And a read that waits for input must not keep the process from ending, as tokio's
//! own `stdin` would.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{Notify, mpsc, oneshot};
use tower::Service;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::{ClientSocket, Server};

use super::service::{Guarded, Lifecycle};

/// How many requests may be unanswered at a time before reading stops.
const MAX_REQUESTS: usize = 256;

/// How often to look whether the client's process is still there.
const PARENT_POLL: Duration = Duration::from_secs(5);

/// How long answers that are on their way may take to reach the output after `exit`.
const EXIT_GRACE: Duration = Duration::from_millis(50);

/// How long requests may go on after the input has ended. A client that pipes in a script waits for their answers.
const EOF_GRACE: Duration = Duration::from_secs(2);

/// How long to wait for the last output to be read before the process ends.
const FLUSH_GRACE: Duration = Duration::from_secs(1);

/// The size of the pieces in which input is read.
const READ_SIZE: usize = 64 * 1024;

/// Serves one client over stdin and stdout. Returns the exit code for the process: 0 if the client said `shutdown`
/// before it left, 1 otherwise.
///
/// Nothing else may write to stdout from here on.
pub async fn serve_stdio<S>(service: Guarded<S>, socket: ClientSocket) -> i32
where
    S: Service<Request, Response = Option<Response>> + Send + 'static,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
    S::Future: Send + 'static,
{
    let (reader, writer, pump) = stdio();
    let lifecycle = service.lifecycle();
    let code = tokio::select! {
        code = serve(service, socket, reader, writer) => code,
        // Nobody reads what we write, so nobody is there.
        () = pump.broken() => lifecycle.exit_code(),
    };
    pump.finish(FLUSH_GRACE).await;
    code
}

/// Serves one client over the given streams until it sends `exit`, its stream ends or its process is gone. Returns
/// the exit code for the process as [`serve_stdio`] does.
///
/// `writer` should take everything at once, as that of [`pump`] does; while it does not, nothing is read.
pub async fn serve<S, R, W>(service: Guarded<S>, socket: ClientSocket, reader: R, writer: W) -> i32
where
    S: Service<Request, Response = Option<Response>> + Send + 'static,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
    S::Future: Send + 'static,
    R: AsyncRead + Unpin,
    W: AsyncWrite,
{
    let lifecycle = service.lifecycle();
    let ended = Arc::new(Notify::new());
    let reader = EndTeller { inner: reader, ended: Arc::clone(&ended) };
    let serving = Server::new(reader, writer, socket).concurrency_level(MAX_REQUESTS).serve(service);
    tokio::pin!(serving);
    let grace = tokio::select! {
        () = &mut serving => Duration::ZERO,
        () = lifecycle.exited() => EXIT_GRACE,
        () = ended.notified() => EOF_GRACE,
        () = client_gone(&lifecycle, PARENT_POLL) => Duration::ZERO,
    };
    if !grace.is_zero() {
        // Whether it finished or ran out of time is all the same now.
        let _ = tokio::time::timeout(grace, serving).await;
    }
    lifecycle.exit_code()
}

/// Waits until the process that `initialize` named has ended; for ever if that cannot be told.
async fn client_gone(lifecycle: &Lifecycle, poll: Duration) {
    let pid = lifecycle.client_pid().await;
    process_gone(pid, poll).await;
    tracing::warn!("the client, process {pid}, is gone without a word");
}

/// Waits until a process has ended, looking once each `poll`. For ever if it is this process or not visible now: a
/// client outside of our container names a process that we cannot see, and that is no reason to leave.
async fn process_gone(pid: u32, poll: Duration) {
    let stamp = start_of_process(pid);
    if pid == std::process::id() || stamp.is_none() {
        return std::future::pending().await;
    }
    // Another process may get the id of one that ended, but not its time of birth as well.
    while start_of_process(pid) == stamp {
        tokio::time::sleep(poll).await;
    }
}

/// When a process began, in a unit of the system's own. `None` if there is no such process, or if the system has no
/// `/proc` to tell; there the end of stdin has to do.
fn start_of_process(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name in parentheses, which may itself hold spaces and parentheses.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    // A zombie has ended; only its parent has not asked how.
    let is_running = !matches!(fields.next()?, "Z" | "X");
    // The state, just taken, is the third field of all, the start is the twenty-second.
    let start = fields.nth(18)?.to_owned();
    is_running.then_some(start)
}

/// Passes a stream on and tells when it has ended. The transport notices too, but waits for all requests first.
struct EndTeller<R> {
    inner: R,
    ended: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for EndTeller<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let n_before = buf.filled().len();
        let has_room = 0 < buf.remaining();
        let res = Pin::new(&mut self.inner).poll_read(cx, buf);
        let ended = match &res {
            Poll::Ready(Ok(())) => has_room && buf.filled().len() == n_before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.ended.notify_one();
        }
        res
    }
}

/// The streams of this process: a reader of stdin, a writer to stdout and what drains the latter.
pub fn stdio() -> (StdinReader, PumpWriter, Pump) {
    let (sender, receiver) = mpsc::channel(16);
    // The thread is never joined. It ends with the input or with the process.
    thread::spawn(move || read_all(io::stdin(), &sender));
    let (writer, pump) = pump(io::stdout());
    (StdinReader { receiver, piece: Vec::new(), n_used: 0 }, writer, pump)
}

fn read_all(mut input: impl Read, sender: &mpsc::Sender<Vec<u8>>) {
    let mut buffer = vec![0; READ_SIZE];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => {
                if sender.blocking_send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => {
                tracing::warn!("stdin cannot be read: {err}");
                return;
            }
        }
    }
}

/// What a thread reads from stdin. It ends where stdin ends or cannot be read.
#[derive(Debug)]
pub struct StdinReader {
    receiver: mpsc::Receiver<Vec<u8>>,
    /// The piece that is being handed out, of which `n_used` bytes are gone.
    piece: Vec<u8>,
    n_used: usize,
}

impl AsyncRead for StdinReader {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.n_used == self.piece.len() {
            match self.receiver.poll_recv(cx) {
                Poll::Ready(Some(piece)) => {
                    self.piece = piece;
                    self.n_used = 0;
                }
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Pending => return Poll::Pending,
            }
        }
        let rest = &self.piece[self.n_used..];
        let n = rest.len().min(buf.remaining());
        buf.put_slice(&rest[..n]);
        self.n_used += n;
        Poll::Ready(Ok(()))
    }
}

/// A writer that takes everything at once, and the thread that passes it on to `output`.
pub fn pump(output: impl Write + Send + 'static) -> (PumpWriter, Pump) {
    let (sender, receiver) = channel();
    let broken = Arc::new(Notify::new());
    let (done_sender, done) = oneshot::channel();
    let told = Arc::clone(&broken);
    thread::spawn(move || {
        if drain(output, &receiver).is_err() {
            // No word in the log: where that goes may be just as closed.
            told.notify_one();
        }
        // The other side may not wait for it.
        let _ = done_sender.send(());
    });
    (PumpWriter { sender: Some(sender) }, Pump { broken, done })
}

/// Writes what comes until the writer is gone, in as few pieces as are ready at a time.
fn drain(mut output: impl Write, receiver: &Receiver<Vec<u8>>) -> io::Result<()> {
    while let Ok(mut bytes) = receiver.recv() {
        for more in receiver.try_iter() {
            bytes.extend_from_slice(&more);
        }
        output.write_all(&bytes)?;
        output.flush()?;
    }
    Ok(())
}

/// The thread behind a [`PumpWriter`].
#[derive(Debug)]
pub struct Pump {
    broken: Arc<Notify>,
    done: oneshot::Receiver<()>,
}

impl Pump {
    /// Waits until the output cannot be written any more. For one waiter.
    pub async fn broken(&self) {
        self.broken.notified().await;
    }

    /// Waits until all is written, if the writer has been dropped; for `grace` at most, as the client may have
    /// stopped reading.
    pub async fn finish(self, grace: Duration) {
        let _ = tokio::time::timeout(grace, self.done).await;
    }
}

/// The writing end of a [`pump`]: never full, never failing.
///
/// Once the output is broken it swallows what it is given. An error would make the transport panic, and there is
/// nobody to tell; [`Pump::broken`] is how to know.
#[derive(Debug)]
pub struct PumpWriter {
    /// `None` after the stream was shut down.
    sender: Option<Sender<Vec<u8>>>,
}

impl AsyncWrite for PumpWriter {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if let Some(sender) = &self.sender {
            let _ = sender.send(bytes.to_vec());
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sender = None;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests;

//! The language server: the only place that knows the protocol and its types.
//!
//! - [`stdio`] carries the bytes, [`service`] guards the handlers, `backend` has them. A handler does no work: it sends
//!   an event, and requests get a snapshot back.
//! - `session` is the one thread that owns the [`Host`](crate::host::Host). It takes the events in their order, hands
//!   long work to the pool, and publishes.
//! - `outbox` is the one task that sends notifications to the client. Requests to the client have tasks of their own.
//! - The rest is one file for each thing that the client can ask for.
//!
//! stdout carries the protocol and nothing else; the log goes to stderr.

mod ask;
mod backend;
mod code_action;
mod commands;
mod config;
mod config_problems;
mod convert;
mod diagnostics;
mod export;
mod final_everywhere;
mod findings;
mod hints;
mod hover;
mod initialize;
mod lens;
mod moment;
mod outbox;
mod progress;
mod pull;
mod refresh;
mod register;
pub mod service;
mod session;
pub mod settings;
mod status;
pub mod stdio;

use crate::host::Fault;
use backend::Backend;
use service::Guarded;
use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{ClientSocket, LspService};

/// Exit code if there is nothing to run the server on.
const NO_RUNTIME: i32 = 70;

/// Runs the server over stdin and stdout until the client leaves. Returns the exit code of the process.
pub fn run() -> i32 {
    crate::log::init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(err) => {
            tracing::error!("the server cannot run: {err}");
            return NO_RUNTIME;
        }
    };
    let code = runtime.block_on(async {
        let (service, socket) = service(Options::default());
        stdio::serve_stdio(service, socket).await
    });
    // Work that is under way is of no use to anyone now.
    runtime.shutdown_background();
    code
}

/// What tests may change about a server.
#[derive(Clone, Default)]
pub struct Options {
    /// Called before each analysis of a file; it may panic.
    pub fault: Option<Fault>,
}

/// Runs a server over other streams; see [`stdio::serve`].
pub async fn serve_streams<R, W>(reader: R, writer: W, options: Options) -> i32
where
    R: AsyncRead + Unpin,
    W: AsyncWrite,
{
    let (service, socket) = service(options);
    stdio::serve(service, socket, reader, writer).await
}

fn service(options: Options) -> (Guarded<LspService<Backend>>, ClientSocket) {
    let build = LspService::build(|client| Backend::new(client, options));
    // Clients send this although we offer nothing that it would be about.
    let build = build.custom_method("$/setTrace", Backend::ignore);
    let build = build.custom_method("window/workDoneProgress/cancel", Backend::cancel_progress);
    let build = build.custom_method("mockpoint/findings", Backend::findings);
    let (service, socket) = build.finish();
    (Guarded::new(service), socket)
}

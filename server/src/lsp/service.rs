//! A wrapper around the service of tower-lsp that cures what its transport gets wrong.
//!
//! The transport of tower-lsp 0.20 drives all handlers from one task, at most a few at a time, in an order of its
//! own. Four requests that wait for something keep every later edit from being applied, a panic in one handler
//! ends the server, and after `exit` it goes on reading. [`Guarded`] stands between the two:
//!
//! - `call` comes in the order in which messages arrive. It polls the handler once, there and then, so whatever a
//!   handler does before its first wait happens in that order.
//! - A handler that then still waits moves to a task of its own and holds up nobody.
//! - A panic costs the one request its answer (-32603, internal error); a notification that panics is logged.
//! - [`Lifecycle`] tells when to leave: `exit` came, and whether `shutdown` came before it.

use std::any::Any;
use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

/// What the messages that have come say about the life of the session. Shared by [`Guarded`], which sees them, and
/// `serve`, which acts.
#[derive(Debug, Default)]
pub struct Lifecycle {
    exit: Notify,
    shutdown: AtomicBool,
    /// `processId` of `initialize`.
    client_pid: OnceLock<u32>,
    client_known: Notify,
}

impl Lifecycle {
    /// Asks `serve` to leave, as the notification `exit` does. May be called before anyone waits.
    pub fn exit(&self) {
        self.exit.notify_one();
    }

    /// Waits until someone asks to leave. For one waiter.
    pub async fn exited(&self) {
        self.exit.notified().await;
    }

    /// The exit code of the process: 0 if the client asked for `shutdown` first, 1 otherwise.
    pub fn exit_code(&self) -> i32 {
        i32::from(!self.shutdown.load(Ordering::Acquire))
    }

    /// Waits for `initialize` to tell the id of the client's process; for ever if it tells none. For one waiter.
    pub async fn client_pid(&self) -> u32 {
        loop {
            if let Some(&pid) = self.client_pid.get() {
                return pid;
            }
            self.client_known.notified().await;
        }
    }

    /// Notes what a message says before anyone handles it.
    fn observe(&self, request: &Request) {
        match (request.method(), request.id()) {
            ("initialize", Some(_)) => {
                let pid = request.params().and_then(|params| params.get("processId")?.as_u64());
                if let Some(pid) = pid.and_then(|pid| u32::try_from(pid).ok()) {
                    // Only the first counts; tower-lsp refuses a second `initialize`.
                    if self.client_pid.set(pid).is_ok() {
                        self.client_known.notify_one();
                    }
                }
            }
            ("shutdown", Some(_)) => self.shutdown.store(true, Ordering::Release),
            _ => {}
        }
    }
}

/// The wrapper; see the module.
#[derive(Debug)]
pub struct Guarded<S> {
    inner: S,
    lifecycle: Arc<Lifecycle>,
}

type Answer<E> = Result<Option<Response>, E>;
type BoxedFuture<E> = Pin<Box<dyn Future<Output = Answer<E>> + Send>>;

impl<S> Guarded<S> {
    /// Wraps a service. It must be used within a tokio runtime.
    pub fn new(inner: S) -> Self {
        Guarded { inner, lifecycle: Arc::default() }
    }

    /// The session's life as seen by this service.
    pub fn lifecycle(&self) -> Arc<Lifecycle> {
        Arc::clone(&self.lifecycle)
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Error: Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxedFuture<S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.lifecycle.observe(&request);
        let id = request.id().cloned();
        let method = request.method().to_owned();
        let is_exit = method == "exit" && id.is_none();
        let request = in_their_spelling(without_null_params(request));
        // The call itself reads the parameters, which can panic as well.
        let future = catch_unwind(AssertUnwindSafe(|| self.inner.call(request)));
        if is_exit {
            self.lifecycle.exit();
        }
        match future {
            Ok(future) => start(Caught { future: Box::pin(future), id, method }),
            Err(payload) => Box::pin(ready(Ok(panic_answer(id, &method, payload.as_ref())))),
        }
    }
}

/// Some clients send `"params": null` where a method has none. It is allowed to leave them out, so it is harmless, but
/// tower-lsp refuses it, and those clients could never shut us down.
fn without_null_params(request: Request) -> Request {
    if !request.params().is_some_and(serde_json::Value::is_null) {
        return request;
    }
    let (method, id, _) = request.into_parts();
    let builder = Request::build(method);
    match id {
        Some(id) => builder.id(id).finish(),
        None => builder.finish(),
    }
}

/// The protocol's types that we use read a capability, `workspace.diagnostics`, under another name than the protocol
/// gives it. What a client sends is told in both.
fn in_their_spelling(request: Request) -> Request {
    let of_workspace = |params: Option<&serde_json::Value>| params?.get("capabilities")?.get("workspace")?.get("diagnostics").cloned();
    if request.method() != "initialize" {
        return request;
    }
    let Some(known) = of_workspace(request.params()) else { return request };
    let (method, id, params) = request.into_parts();
    let mut params = params.unwrap_or_default();
    if let Some(workspace) = params.pointer_mut("/capabilities/workspace").and_then(serde_json::Value::as_object_mut) {
        workspace.entry("diagnostic").or_insert(known);
    }
    let builder = Request::build(method).params(params);
    match id {
        Some(id) => builder.id(id).finish(),
        None => builder.finish(),
    }
}

/// Polls the handler once; if it is not done, lets it go on in a task of its own.
fn start<F, E>(mut handler: Caught<F>) -> BoxedFuture<E>
where
    F: Future<Output = Answer<E>> + Send + 'static,
    E: Send + 'static,
{
    // Nobody is to be woken by this poll: the task polls again, with its own waker, as soon as it runs.
    let first_poll = Pin::new(&mut handler).poll(&mut Context::from_waker(Waker::noop()));
    if let Poll::Ready(answer) = first_poll {
        return Box::pin(ready(answer));
    }
    let id = handler.id.clone();
    let task = tokio::spawn(handler);
    match id {
        // Nothing will be answered, so the transport need not keep a place for it.
        None => Box::pin(ready(Ok(None))),
        Some(id) => Box::pin(async move {
            // The task cannot panic, so it fails only if the runtime is being shut down.
            task.await.unwrap_or_else(|_| Ok(Some(Response::from_error(id, Error::request_cancelled()))))
        }),
    }
}

/// A handler whose panics become answers.
struct Caught<F> {
    future: Pin<Box<F>>,
    id: Option<Id>,
    method: String,
}

impl<F, E> Future for Caught<F>
where
    F: Future<Output = Answer<E>>,
{
    type Output = Answer<E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // A handler that panicked is never polled again, and what it shares has locks that survive a panic.
        let polled = catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(cx)));
        polled.unwrap_or_else(|payload| {
            let answer = panic_answer(self.id.take(), &self.method, payload.as_ref());
            Poll::Ready(Ok(answer))
        })
    }
}

/// The user sees that it failed; what exactly happened is for the log.
fn panic_answer(id: Option<Id>, method: &str, payload: &(dyn Any + Send)) -> Option<Response> {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    tracing::error!("the handler of {method} panicked: {text}");
    let error = Error { code: ErrorCode::InternalError, message: format!("{method} failed, see the log of the server").into(), data: None };
    id.map(|id| Response::from_error(id, error))
}

#[cfg(test)]
mod tests;

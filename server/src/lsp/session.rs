//! The one thread that owns the workspace: takes events in their order, publishes what follows from them.

use super::convert::{self, uri_of};
use super::initialize::Setup;
use super::outbox::Publish;
use super::{Options, config, diagnostics, progress, register};
use crate::config::{Run, is_config};
use crate::host::{Host, IndexResult, LinkResult, Snapshot, View};
use crate::workspace::is_source_name;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{oneshot, watch};
use tower_lsp::Client;
use tower_lsp::lsp_types::{Diagnostic, TextDocumentContentChangeEvent, Url};

/// After a link, the next one waits at least this long, and twice as long as the link took: whoever types fast should
/// not keep a core busy. The findings of the file itself do not wait for it.
const LINK_PAUSE: Duration = Duration::from_millis(50);

/// Everything that can happen to a session.
pub(super) enum Event {
    /// `initialize`.
    Setup {
        setup: Arc<Setup>,
        roots: Vec<PathBuf>,
        options: Value,
    },
    /// `initialized`.
    Begin,
    Open {
        path: PathBuf,
        uri: Url,
        version: i32,
        text: String,
    },
    Change {
        path: PathBuf,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    },
    Close(PathBuf),
    /// Files and folders on the disk.
    Disk {
        changed: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    /// Folders of the workspace.
    Folders {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    Settings(Value),
    /// Someone wants to know how things are now.
    Snapshot(oneshot::Sender<Arc<Snapshot>>),
    Indexed(IndexResult),
    Linked(LinkResult, Duration),
    /// The client is gone.
    Stop,
}

/// What the client was last told of a document.
struct Published {
    uri: Url,
    diagnostics: Vec<Diagnostic>,
}

pub(super) struct Session {
    host: Host,
    setup: Arc<Setup>,
    /// The settings of `initialize`, which later ones lie over.
    base: Run,
    begun: bool,
    events: Sender<Event>,
    client: Client,
    runtime: Handle,
    outbox: UnboundedSender<Publish>,
    /// The documents that are open, as the client spells them.
    uris: FxHashMap<PathBuf, Url>,
    published: FxHashMap<PathBuf, Published>,
    /// What was last looked at of each open file.
    seen: FxHashMap<PathBuf, Arc<View>>,
    next_link: Instant,
    n_scans: u32,
}

impl Session {
    /// Starts the thread. Must be called within a tokio runtime.
    pub(super) fn start(receiver: Receiver<Event>, events: Sender<Event>, client: Client, outbox: UnboundedSender<Publish>, options: Options) {
        let session = Session {
            host: Host::default().with_fault(options.fault),
            setup: Arc::default(),
            base: Run::default(),
            begun: false,
            events,
            client,
            runtime: Handle::current(),
            outbox,
            uris: FxHashMap::default(),
            published: FxHashMap::default(),
            seen: FxHashMap::default(),
            next_link: Instant::now(),
            n_scans: 0,
        };
        let spawned = std::thread::Builder::new().name("mockpoint-session".to_owned()).spawn(move || session.run(&receiver));
        if let Err(err) = spawned {
            tracing::error!("the session cannot run: {err}");
        }
    }

    fn run(mut self, receiver: &Receiver<Event>) {
        while let Some(event) = self.next(receiver) {
            let mut next = Some(event);
            while let Some(event) = next {
                if matches!(event, Event::Stop) {
                    return;
                }
                self.guarded(|session| session.handle(event));
                next = receiver.try_recv().ok();
            }
            // Only now: of a burst of changes, the last one counts.
            self.guarded(Session::publish);
            self.guarded(Session::start_jobs);
        }
    }

    /// A panic costs what was being done, not the session.
    fn guarded(&mut self, work: impl FnOnce(&mut Session)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            tracing::error!("an event could not be handled");
        }
    }

    /// Waits for an event; not longer than until a link may begin, then it is one that says nothing.
    fn next(&self, receiver: &Receiver<Event>) -> Option<Event> {
        if !self.may_work() || !self.host.wants_link() {
            return receiver.recv().ok();
        }
        match receiver.recv_timeout(self.next_link.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => Some(Event::Disk { changed: Vec::new(), removed: Vec::new() }),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Some clients never say `initialized`, but they open something.
    fn may_work(&self) -> bool {
        self.begun || !self.uris.is_empty()
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Setup { setup, roots, options } => {
                self.setup = setup;
                self.base = config::read(Run::default(), &options);
                self.host.ask(self.base);
                roots.into_iter().for_each(|root| self.host.add_root(root));
            }
            Event::Begin => self.begin(),
            Event::Open { path, uri, version, text } => {
                self.host.open(path.clone(), &text, version);
                self.uris.insert(path, uri);
            }
            Event::Change { path, version, changes } => {
                let changes: Vec<_> = changes.into_iter().map(convert::change).collect();
                self.host.change(&path, version, &changes, self.setup.encoding);
            }
            Event::Close(path) => {
                self.host.close(&path);
                self.uris.remove(&path);
            }
            Event::Disk { changed, removed } => {
                removed.iter().for_each(|path| self.host.removed(path));
                // Folders are created and renamed too; only what is in them matters.
                let (files, folders): (Vec<_>, Vec<_>) = changed.into_iter().partition(|path| is_source_name(path) || is_config(path));
                self.host.disk_changed(files);
                self.host.folders_changed(&folders);
            }
            Event::Folders { added, removed } => {
                removed.iter().for_each(|root| self.host.remove_root(root));
                added.into_iter().for_each(|root| self.host.add_root(root));
            }
            Event::Settings(value) => self.host.ask(config::read(self.base, &value)),
            // Whoever asked may have gone away.
            Event::Snapshot(reply) => drop(reply.send(self.host.snapshot())),
            Event::Indexed(res) => self.host.indexed(res),
            Event::Linked(res, took) => {
                self.host.linked(res);
                self.next_link = Instant::now() + LINK_PAUSE.max(2 * took);
            }
            Event::Stop => {}
        }
    }

    fn begin(&mut self) {
        self.begun = true;
        let (client, setup) = (self.client.clone(), Arc::clone(&self.setup));
        self.runtime.spawn(async move { register::register(client, &setup).await });
        if self.setup.pulls_configuration {
            let _guard = self.runtime.enter();
            config::pull(self.client.clone(), self.events.clone());
        }
    }

    /// Tells the client what has changed about the open documents.
    fn publish(&mut self) {
        let snapshot = self.host.snapshot();
        self.seen.retain(|path, _| snapshot.open.contains_key(path));
        for (path, view) in &snapshot.open {
            if self.seen.get(path).is_some_and(|it| Arc::ptr_eq(it, view)) {
                continue;
            }
            self.seen.insert(path.clone(), Arc::clone(view));
            let Some(findings) = view.findings() else { continue };
            let Some(uri) = self.uris.get(path).cloned().or_else(|| uri_of(path)) else { continue };
            let new = diagnostics::diagnostics(&self.setup, view, findings, &self.uris);
            let is_known = self.published.get(path).map_or(new.is_empty(), |it| it.diagnostics == new && it.uri == uri);
            if !is_known {
                self.send(Publish { uri: uri.clone(), diagnostics: new.clone(), version: Some(view.version) });
                self.published.insert(path.clone(), Published { uri, diagnostics: new });
            }
        }
        let outbox = &self.outbox;
        self.published.retain(|path, published| {
            let is_open = snapshot.open.contains_key(path);
            if !is_open && !published.diagnostics.is_empty() {
                let _ = outbox.send(Publish { uri: published.uri.clone(), diagnostics: Vec::new(), version: None });
            }
            is_open
        });
    }

    fn send(&self, publish: Publish) {
        // The outbox ends with the runtime; then nobody listens anyway.
        let _ = self.outbox.send(publish);
    }

    fn start_jobs(&mut self) {
        if !self.may_work() {
            return;
        }
        if let Some(job) = self.host.index_job() {
            let events = self.events.clone();
            let (sender, receiver) = watch::channel((0, 0));
            if job.is_scan() && self.setup.shows_progress {
                self.n_scans += 1;
                self.runtime.spawn(progress::show(self.client.clone(), self.n_scans, receiver));
            }
            rayon::spawn(move || {
                let tell = |n_done, n_all| {
                    sender.send_replace((n_done, n_all));
                };
                let res = catch_unwind(AssertUnwindSafe(|| job.run(&tell))).unwrap_or_default();
                let _ = events.send(Event::Indexed(res));
            });
        }
        if self.next_link <= Instant::now()
            && let Some(job) = self.host.link_job()
        {
            let events = self.events.clone();
            rayon::spawn(move || {
                let start = Instant::now();
                let res = job.run();
                let _ = events.send(Event::Linked(res, start.elapsed()));
            });
        }
    }
}

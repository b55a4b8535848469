//! The one thread that owns the workspace: takes events in their order, tells the client what follows from them.

mod jobs;
mod publish;

use super::config::{self, Answer};
use super::convert;
use super::initialize::{Refreshes, Root, Setup};
use super::moment::{FolderSettings, Moment};
use super::outbox::Publish;
use super::settings::EditorSettings;
use super::status::{Counts, Status};
use super::{Options, refresh, register, status};
use crate::analysis::Analysis;
use crate::config::is_config;
use crate::host::{Host, IndexResult, LinkResult};
use crate::workspace::is_source_name;
use jobs::Scan;
use publish::Told;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{oneshot, watch};
use tower_lsp::Client;
use tower_lsp::lsp_types::{ProgressToken, TextDocumentContentChangeEvent, Url};

/// After a link, the next one waits at least this long, and twice as long as the link took: whoever types fast should
/// not keep a core busy. The findings of the file itself do not wait for it.
const LINK_PAUSE: Duration = Duration::from_millis(50);

/// Everything that can happen to a session.
pub(super) enum Event {
    /// `initialize`.
    Setup {
        setup: Arc<Setup>,
        roots: Vec<Root>,
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
        added: Vec<Root>,
        removed: Vec<PathBuf>,
    },
    /// What the client answered.
    Settings(Answer),
    /// The settings have changed; what they are now, if the client says so.
    SettingsChanged(Value),
    /// Someone wants to know how things are now.
    Moment(oneshot::Sender<Moment>),
    /// Someone wants everything to be read again, and to know when that is done.
    ReadAgain(oneshot::Sender<Counts>),
    /// The client wants no more of what it shows the progress of.
    Cancel(ProgressToken),
    Indexed(IndexResult),
    Linked(LinkResult, Duration),
    /// The client is gone.
    Stop,
}

pub(super) struct Session {
    host: Host,
    setup: Arc<Setup>,
    /// The settings of `initialize`, which later ones lie over.
    options: Value,
    /// What was pushed or answered last, for everything.
    pushed: Value,
    settings: Arc<FolderSettings>,
    /// How often the client was asked for its settings.
    n_pulls: u32,
    /// The last question that was answered.
    answered: u32,
    begun: bool,
    events: Sender<Event>,
    client: Client,
    runtime: Handle,
    outbox: UnboundedSender<Publish>,
    refresh: UnboundedSender<Refreshes>,
    status: watch::Sender<Status>,
    /// Changes whenever there may be news of files that are not open.
    news: watch::Sender<u64>,
    roots: Vec<Root>,
    /// The documents that are open, as the client spells them.
    uris: Arc<FxHashMap<PathBuf, Url>>,
    told: Told,
    next_link: Instant,
    scan: Scan,
    /// Those who wait until all has been read.
    waiting: Vec<oneshot::Sender<Counts>>,
    counted: Option<(Arc<Analysis>, Counts)>,
}

impl Session {
    /// Starts the thread. What comes back changes whenever there may be news of files that are not open. Must be called within a tokio runtime.
    pub(super) fn start(
        receiver: Receiver<Event>,
        events: Sender<Event>,
        client: Client,
        outbox: UnboundedSender<Publish>,
        options: Options,
    ) -> watch::Receiver<u64> {
        let (news, watcher) = watch::channel(0);
        let session = Session {
            host: Host::default().with_fault(options.fault),
            setup: Arc::default(),
            options: Value::Null,
            pushed: Value::Null,
            settings: Arc::default(),
            n_pulls: 0,
            answered: 0,
            begun: false,
            events,
            refresh: refresh::start(client.clone()),
            client,
            runtime: Handle::current(),
            outbox,
            status: watch::Sender::default(),
            news,
            roots: Vec::new(),
            uris: Arc::default(),
            told: Told::default(),
            next_link: Instant::now(),
            scan: Scan::default(),
            waiting: Vec::new(),
            counted: None,
        };
        let spawned = std::thread::Builder::new().name("mockpoint-session".to_owned()).spawn(move || session.run(&receiver));
        if let Err(err) = spawned {
            tracing::error!("the session cannot run: {err}");
        }
        watcher
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
                self.options = options;
                self.set(FolderSettings { all: EditorSettings::read([&self.options]), folders: Vec::new() });
                roots.iter().for_each(|root| self.host.add_root(root.path.clone()));
                self.roots = roots;
            }
            Event::Begin => self.begin(),
            Event::Open { path, uri, version, text } => {
                self.host.open(path.clone(), &text, version);
                Arc::make_mut(&mut self.uris).insert(path, uri);
                self.note_news();
            }
            Event::Change { path, version, changes } => {
                let changes: Vec<_> = changes.into_iter().map(convert::change).collect();
                self.host.change(&path, version, &changes, self.setup.encoding);
            }
            Event::Close(path) => {
                self.host.close(&path);
                Arc::make_mut(&mut self.uris).remove(&path);
                self.note_news();
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
                added.iter().for_each(|root| self.host.add_root(root.path.clone()));
                self.roots.retain(|it| !removed.contains(&it.path) && !added.iter().any(|new| new.path == it.path));
                self.roots.extend(added);
                if self.begun && self.setup.pulls_configuration {
                    self.pull_settings();
                }
            }
            Event::Settings(answer) => self.take_settings(answer),
            Event::SettingsChanged(value) => {
                if self.setup.pulls_configuration {
                    // What clients push here differs; what they answer does not.
                    self.pull_settings();
                } else if !value.is_null() {
                    self.take_settings(Answer { number: self.n_pulls, all: value, folders: Vec::new() });
                }
            }
            // Whoever asked may have gone away.
            Event::Moment(reply) => drop(reply.send(self.moment())),
            Event::ReadAgain(reply) => {
                self.host.read_again();
                self.waiting.push(reply);
            }
            Event::Cancel(token) => self.scan.cancel(&token),
            Event::Indexed(res) => self.host.indexed(res),
            Event::Linked(res, took) => {
                self.host.linked(res);
                self.told.relinked = true;
                self.note_news();
                self.next_link = Instant::now() + LINK_PAUSE.max(2 * took);
            }
            Event::Stop => {}
        }
    }

    fn begin(&mut self) {
        self.begun = true;
        let (client, setup, scope) = (self.client.clone(), Arc::clone(&self.setup), self.settings.all.diagnostics.scope);
        self.runtime.spawn(async move { register::register(client, &setup, scope).await });
        if self.setup.pulls_configuration {
            self.pull_settings();
        }
        if self.setup.wants_status {
            self.runtime.spawn(status::tell(self.client.clone(), self.status.subscribe()));
        }
    }

    fn pull_settings(&mut self) {
        self.n_pulls += 1;
        let _guard = self.runtime.enter();
        config::pull(self.client.clone(), self.events.clone(), self.n_pulls, self.roots.clone());
    }

    fn take_settings(&mut self, answer: Answer) {
        if answer.number < self.answered {
            return;
        }
        self.answered = answer.number;
        self.pushed = answer.all;
        let folder = |(path, value): (PathBuf, Value)| (path, EditorSettings::read([&self.options, &self.pushed, &value]));
        let folders = answer.folders.into_iter().map(folder).collect();
        self.set(FolderSettings { all: EditorSettings::read([&self.options, &self.pushed]), folders });
    }

    fn set(&mut self, settings: FolderSettings) {
        if *self.settings == settings {
            return;
        }
        self.host.ask(settings.all.run());
        let scope = settings.all.diagnostics.scope;
        let has_other_scope = scope != self.settings.all.diagnostics.scope;
        self.settings = Arc::new(settings);
        self.note_news();
        if !self.begun {
            return;
        }
        if has_other_scope && self.setup.pulls_diagnostics && self.setup.registers_diagnostics {
            self.runtime.spawn(register::scope_changed(self.client.clone(), scope));
        }
        self.ask_again(Refreshes { diagnostics: self.setup.pulls_diagnostics, lenses: true, hints: true });
    }

    /// Asks the client to ask again, as far as it can.
    fn ask_again(&self, wanted: Refreshes) {
        let wanted = wanted.and(self.setup.refreshes);
        if !wanted.is_none() {
            // The task ends with the runtime; then nobody listens anyway.
            let _ = self.refresh.send(wanted);
        }
    }

    fn note_news(&mut self) {
        self.told.swept = false;
        self.news.send_modify(|it| *it += 1);
    }

    fn moment(&mut self) -> Moment {
        Moment {
            setup: Arc::clone(&self.setup),
            snapshot: self.host.snapshot(),
            settings: Arc::clone(&self.settings),
            uris: Arc::clone(&self.uris),
            complete: self.host.is_complete(),
            root: common_root(&self.roots),
        }
    }
}

/// The folder that all roots lie in; empty if there is none.
fn common_root(roots: &[Root]) -> PathBuf {
    let mut roots = roots.iter().map(|it| it.path.as_path());
    let Some(first) = roots.next() else { return PathBuf::new() };
    let common = roots.fold(first, |common, it| common.ancestors().find(|above| it.starts_with(above)).unwrap_or(Path::new("")));
    common.to_owned()
}

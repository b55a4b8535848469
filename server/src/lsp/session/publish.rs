//! Telling the client what has changed: diagnostics, or that it should ask for them again.

use super::super::config_problems;
use super::super::initialize::Refreshes;
use super::super::moment::Moment;
use super::super::outbox::Publish;
use super::super::settings::Scope;
use super::Session;
use crate::host::{Findings, View};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp::lsp_types::{Diagnostic, Url};

/// What the client knows, and what it was last told from.
#[derive(Default)]
pub(super) struct Told {
    published: FxHashMap<PathBuf, Published>,
    /// What it was told of files of configuration: only of those with diagnostics.
    config: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// What was last looked at of each open file.
    seen: FxHashMap<PathBuf, Seen>,
    /// The open documents that nothing is said of: those that were deleted or are left out.
    silent: FxHashSet<PathBuf>,
    /// Files that are not open have been looked at since something happened to them.
    pub(super) swept: bool,
    /// There has been a link since the client was told last.
    pub(super) relinked: bool,
}

/// What the client was last told of a document.
struct Published {
    uri: Url,
    diagnostics: Vec<Diagnostic>,
}

struct Seen {
    view: Arc<View>,
    /// Of what was found.
    hash: u64,
}

impl Session {
    /// Tells the client what has changed.
    pub(super) fn publish(&mut self) {
        let moment = self.moment();
        let has_news = !std::mem::replace(&mut self.told.swept, true);
        let relinked = std::mem::take(&mut self.told.relinked);
        let changed = self.look_at_open(&moment, relinked, has_news);
        if has_news && moment.complete {
            self.publish_config(&moment);
        }
        if !self.setup.pulls_diagnostics {
            changed.iter().for_each(|path| self.publish_open(&moment, path));
            if has_news {
                self.publish_closed(&moment);
            } else {
                // A document may have gone without an event of its own: its file was deleted.
                let is_open = |path: &Path| moment.snapshot.open.contains_key(path) || !moment.uris.contains_key(path);
                self.clear(|path| is_open(path));
            }
        }
    }

    /// The open files of which there may be something new. If there is although the client has changed nothing, it is asked
    /// to ask again.
    fn look_at_open(&mut self, moment: &Moment, relinked: bool, has_news: bool) -> Vec<PathBuf> {
        let open = &moment.snapshot.open;
        let Told { seen, silent, .. } = &mut self.told;
        // The client did nothing to a document that falls silent or speaks again.
        let now_silent: FxHashSet<PathBuf> = moment.uris.keys().filter(|it| !open.contains_key(*it)).cloned().collect();
        let mut is_stale = now_silent.iter().any(|it| seen.contains_key(it)) || silent.iter().any(|it| open.contains_key(it));
        *silent = now_silent;
        seen.retain(|path, _| open.contains_key(path));
        let mut changed = Vec::new();
        for (path, view) in open {
            let before = seen.get(path);
            let is_same = before.is_some_and(|it| Arc::ptr_eq(&it.view, view));
            if is_same {
                // Settings may have changed.
                changed.extend(has_news.then(|| path.clone()));
                continue;
            }
            let Some(findings) = view.findings() else { continue };
            let hash = hash_of(findings);
            // A client that has just changed the text asks by itself, but it may have asked before the link.
            is_stale |= relinked && before.is_none_or(|it| it.hash != hash || it.view.version != view.version);
            seen.insert(path.clone(), Seen { view: Arc::clone(view), hash });
            changed.push(path.clone());
        }
        if is_stale {
            let lenses = self.settings.any(|it| it.code_lens.enable);
            let hints = self.settings.any(|it| it.inlay_hints.enable);
            self.ask_again(Refreshes { diagnostics: self.setup.pulls_diagnostics, lenses, hints });
        }
        changed
    }

    fn publish_open(&mut self, moment: &Moment, path: &Path) {
        let Some((view, findings)) = moment.open(path) else { return };
        let diagnostics = moment.diagnostics(findings);
        self.tell(moment, path, diagnostics, Some(view.version));
    }

    /// Tells of the files of the workspace that are not open, where that is wanted, and clears all others.
    fn publish_closed(&mut self, moment: &Moment) {
        let mut told: FxHashSet<PathBuf> = FxHashSet::default();
        if moment.complete && moment.settings.any(|it| it.diagnostics.scope == Scope::Workspace) {
            for findings in moment.all_findings() {
                let path = &findings.file().path;
                // What is open and not there is gone from the disk.
                if moment.uris.contains_key(path) || moment.settings.of(path).diagnostics.scope != Scope::Workspace {
                    continue;
                }
                let diagnostics = moment.diagnostics(&findings);
                self.tell(moment, path, diagnostics, None);
                told.insert(path.clone());
            }
        }
        self.clear(|path| told.contains(path) || moment.snapshot.open.contains_key(path));
    }

    /// Tells of the files of configuration of which there is something new.
    fn publish_config(&mut self, moment: &Moment) {
        let new = config_problems::all(moment);
        let old = std::mem::take(&mut self.told.config);
        for path in old.keys().filter(|it| !new.contains_key(*it)).chain(new.iter().filter(|it| old.get(it.0) != Some(it.1)).map(|it| it.0)) {
            if let Some(uri) = moment.uri(path) {
                self.send(Publish { uri, diagnostics: new.get(path).cloned().unwrap_or_default(), version: None });
            }
        }
        self.told.config = new;
    }

    fn tell(&mut self, moment: &Moment, path: &Path, new: Vec<Diagnostic>, version: Option<i32>) {
        let Some(uri) = moment.uri(path) else { return };
        let is_known = self.told.published.get(path).map_or(new.is_empty(), |it| it.diagnostics == new && it.uri == uri);
        if !is_known {
            self.send(Publish { uri: uri.clone(), diagnostics: new.clone(), version });
            self.told.published.insert(path.to_owned(), Published { uri, diagnostics: new });
        }
    }

    /// Takes back what was said of all files but some.
    fn clear(&mut self, stays: impl Fn(&Path) -> bool) {
        let outbox = &self.outbox;
        self.told.published.retain(|path, published| {
            let stays = stays(path);
            if !stays && !published.diagnostics.is_empty() {
                let _ = outbox.send(Publish { uri: published.uri.clone(), diagnostics: Vec::new(), version: None });
            }
            stays
        });
    }

    fn send(&self, publish: Publish) {
        // The outbox ends with the runtime; then nobody listens anyway.
        let _ = self.outbox.send(publish);
    }
}

/// Of all that a client may be shown of the findings of a file.
fn hash_of(findings: &Findings) -> u64 {
    let mut hasher = FxHasher::default();
    (&findings.points, &findings.fields, &findings.unmockable, findings.carriers()).hash(&mut hasher);
    hasher.finish()
}

//! Long work: handed to the pool, with its progress and its end told.

use super::super::progress;
use super::super::status::{Counts, State, Status};
use super::{Event, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::watch;
use tower_lsp::lsp_types::ProgressToken;

/// The last look through the folders.
#[derive(Default)]
pub(super) struct Scan {
    number: u32,
    /// Stops it, if it may be stopped.
    stopper: Option<Arc<AtomicBool>>,
}

impl Scan {
    /// The client wants no more of it.
    pub(super) fn cancel(&self, token: &ProgressToken) {
        if *token == progress::token(self.number)
            && let Some(stopper) = &self.stopper
        {
            stopper.store(true, Ordering::Relaxed);
        }
    }
}

impl Session {
    pub(super) fn start_jobs(&mut self) {
        if self.may_work() {
            self.start_index();
            if self.next_link <= Instant::now() {
                self.start_link();
            }
        }
        self.note_state();
    }

    fn start_index(&mut self) {
        let Some(job) = self.host.index_job() else { return };
        let events = self.events.clone();
        let (sender, receiver) = watch::channel((0, 0));
        // Later ones are short of little, and what is known goes by them.
        let is_first = !self.host.is_complete();
        let is_scan = job.is_scan();
        if is_scan {
            self.scan.number += 1;
            self.scan.stopper = is_first.then(|| job.stopper());
            if self.setup.shows_progress {
                self.runtime.spawn(progress::show(self.client.clone(), self.scan.number, is_first, receiver));
            }
        }
        let status = self.status.clone();
        rayon::spawn(move || {
            let tell = |n_done, n_all| {
                sender.send_replace((n_done, n_all));
                if is_scan {
                    status.send_modify(|it| (it.files_done, it.files_total) = (n_done, n_all));
                }
            };
            let res = catch_unwind(AssertUnwindSafe(|| job.run(&tell))).unwrap_or_default();
            let _ = events.send(Event::Indexed(res));
        });
    }

    fn start_link(&mut self) {
        let Some(job) = self.host.link_job() else { return };
        let events = self.events.clone();
        rayon::spawn(move || {
            let start = Instant::now();
            let res = job.run();
            let _ = events.send(Event::Linked(res, start.elapsed()));
        });
    }

    /// Tells of what is being done now, and those who wait until nothing is.
    fn note_state(&mut self) {
        let is_settled = self.host.is_settled();
        let state = if is_settled {
            State::Ready
        } else if self.host.is_looking() {
            State::Indexing
        } else {
            State::Analysing
        };
        let before = *self.status.borrow();
        let has_counts = state == before.state && !is_settled;
        let counts = if has_counts { before.counts } else { self.counts() };
        let update = |it: &mut Status| {
            let mut new = Status { state, counts, ..*it };
            if state != State::Indexing {
                (new.files_done, new.files_total) = (0, 0);
            }
            let is_new = *it != new;
            *it = new;
            is_new
        };
        self.status.send_if_modified(update);
        if is_settled {
            self.waiting.drain(..).for_each(|it| {
                // Whoever asked may have gone away.
                let _ = it.send(counts);
            });
        }
    }

    fn counts(&mut self) -> Counts {
        let linked = self.host.last_link();
        if let Some((of, counts)) = &self.counted
            && Arc::ptr_eq(of, linked)
        {
            return *counts;
        }
        let counts = Counts::of(linked);
        self.counted = Some((Arc::clone(linked), counts));
        counts
    }
}

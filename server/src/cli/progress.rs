//! A progress bar for runs that take long enough to wonder.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mockpoint::load::Progress;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Draws on standard error, and only if that is a terminal.
pub(super) struct Bar {
    started: Instant,
    bar: Option<ProgressBar>,
    shown: OnceLock<()>,
}

impl Bar {
    pub(super) fn new() -> Bar {
        let bar = io::stderr().is_terminal().then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        Bar { started: Instant::now(), bar, shown: OnceLock::new() }
    }

    /// All files are compiled; what is left has no measure.
    pub(super) fn linking(&self) {
        if let Some(bar) = &self.bar {
            bar.set_message("linking");
            self.show(bar);
        }
    }

    /// Leaves no trace.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, bar: &ProgressBar) {
        if self.shown.get().is_none() && self.started.elapsed() >= PATIENCE {
            // Several threads may come here at once; one of them gives the bar its terminal.
            self.shown.get_or_init(|| {
                let template = "{msg} [{bar:30}] {pos}/{len} files";
                bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
                bar.set_draw_target(ProgressDrawTarget::stderr());
            });
        }
    }
}

impl Progress for Bar {
    fn found(&self, n_files: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(n_files as u64);
            bar.set_message("reading");
        }
    }

    fn compiled(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            self.show(bar);
        }
    }
}

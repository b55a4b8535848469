//! The log, and in it how long the stages of an analysis take.
//!
//! `MOCKPOINT_LOG` says what to log, as in `MOCKPOINT_LOG=mockpoint=debug`; it goes to stderr, since stdout carries
//! results or the protocol.

use std::io::stderr;
use std::time::Instant;
use tracing_subscriber::EnvFilter;

/// The environment variable that says what to log.
pub const VARIABLE: &str = "MOCKPOINT_LOG";

/// Sets up the log; by default warnings are logged.
pub fn init() {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new("warn"));
    // Someone else may have set up a log, which then is the one.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(false).try_init();
}

/// Logs how long each of several stages takes that follow each other.
pub struct Stages(Instant);

impl Stages {
    /// The first stage begins.
    pub fn start() -> Stages {
        Stages(Instant::now())
    }

    /// A stage is done, and the next one begins.
    pub fn done(&mut self, stage: &str) {
        let now = Instant::now();
        tracing::debug!("{stage}: {:.1} ms", (now - self.0).as_secs_f64() * 1e3);
        self.0 = now;
    }
}

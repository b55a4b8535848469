//! The command line: one subcommand a job.
//!
//! Exit codes: 0, 1 when findings are there that `--fail-on` names, 2 for wrong usage.

mod check;
mod explain;
mod export;
mod feedback;
mod init;
mod near;
mod options;
mod progress;
mod stats;

use clap::{Parser, Subcommand};
use mockpoint::analysis;
use mockpoint::catalogue::catalogue;
use mockpoint::link::listed;
use mockpoint::load::{self, Loaded, Parts};
use mockpoint::log::{self, Stages};
use mockpoint::report::{Report, human};
use mockpoint::verdict::Counted;
use mockpoint::verdict::statistics;
use options::Analysis;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Wrong usage, or a result that could not be written.
const USAGE: u8 = 2;

/// Finds the mocking points of Java services: which methods depend on time, randomness, the environment and
/// changing state.
#[derive(Parser)]
#[command(name = "mockpoint", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the mocking points of Java sources.
    Check(check::Args),
    /// Print why a method is a mocking point or not, or why a field is ruled out or not.
    Explain(explain::Args),
    /// Print the mocking points in the form that a record-and-replay or mocking tool takes.
    Export(export::Args),
    /// Write a commented mockpoint.toml; one that is there is left as it is.
    Init(init::Args),
    /// Propose rows for mockpoint.toml, given methods or stack traces that a replay failed in.
    Feedback(feedback::Args),
    /// Print counts of Java sources, as the paper's tables and figures give them.
    Stats(stats::Args),
    /// Run the language server on standard input and output.
    Server,
}

/// Parses the command line and does what it says. The result is the exit code.
pub(crate) fn run() -> u8 {
    if std::env::var_os(log::VARIABLE).is_some() {
        log::init();
    }
    // For wrong usage clap prints what is wrong and exits with 2.
    let res = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Feedback(args) => feedback::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Server => Ok(u8::try_from(mockpoint::lsp::run()).unwrap_or(USAGE)),
    };
    res.unwrap_or_else(|message| {
        error(&message);
        USAGE
    })
}

/// A finished analysis. Never dropped: the process ends soon, and freeing millions of facts one by one takes longer
/// than printing the report.
struct Analysed {
    linked: ManuallyDrop<analysis::Analysis>,
    loaded: Loaded,
    /// The threads that were asked for.
    pool: rayon::ThreadPool,
    /// From the start until there were verdicts.
    time: Duration,
}

impl Analysed {
    /// What there is to report.
    fn report(&self) -> Report<'_> {
        Report { linked: &self.linked, problems: &self.loaded.problems, root: &self.loaded.root }
    }

    /// Counts, also for each of several paths.
    fn counts(&self, paths: &[PathBuf]) -> (Counted, Parts) {
        let parts = load::parts(paths, &self.linked.files);
        let counted = self.pool.install(|| statistics::count(&self.linked, parts.names.len(), &parts.of_file));
        (counted, parts)
    }
}

/// Reads, compiles and links on a pool of the size that was asked for, with a progress bar where one helps.
/// An error is wrong usage.
fn analyse(paths: &[PathBuf], asked: &Analysis) -> Result<Analysed, String> {
    let start = Instant::now();
    let options = asked.load_options();
    load::check_arguments(paths, &options)?;
    let prepared = load::prepare(paths);
    let run = prepared.run();
    // 0 means all cores.
    let n_threads = asked.jobs.or(run.jobs).map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().map_err(|err| format!("cannot start threads: {err}"))?;
    let bar = progress::Bar::new();
    // The link needs it, and one core is idle while folders are walked.
    pool.spawn(|| {
        catalogue();
    });
    let (linked, loaded) = pool.install(|| {
        let mut stages = Stages::start();
        let mut loaded = load::load_prepared(prepared, &options, &bar);
        stages.done("load");
        bar.linking();
        let linked = analysis::analyse(loaded.take_sources(), asked.settings(run), None);
        // Of single files too little is known to say what is not there.
        if paths.iter().all(|it| it.is_dir()) {
            let new = listed::unresolved(&linked.linked);
            loaded.problems.extend(new.iter().map(|(source, it)| load::config_problem(source, it)));
            loaded.problems.sort();
        }
        (ManuallyDrop::new(linked), loaded)
    });
    bar.finish();
    Ok(Analysed { linked, loaded, pool, time: start.elapsed() })
}

/// Runs `print` on a buffered standard output and gives `code`, unless writing fails. A reader that has seen enough,
/// such as `head`, is no failure.
fn print_to_stdout(code: u8, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> u8 {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match print(&mut out).and_then(|()| out.flush()) {
        Err(err) if err.kind() != io::ErrorKind::BrokenPipe => {
            error(&format!("cannot write the result: {err}"));
            USAGE
        }
        _ => code,
    }
}

/// Prints on standard error what could not be read. If that is closed nobody wants to know.
fn remark(report: &Report<'_>) {
    let mut err = io::stderr().lock();
    let _ = human::print_remarks(&mut err, report);
    if report.linked.files.is_empty() {
        let _ = writeln!(err, "warning: no Java files found");
    }
}

/// Prints a message on standard error, in the form that clap gives its own. If even that fails there is nobody to tell.
fn error(message: &str) {
    let _ = writeln!(io::stderr(), "error: {message}");
}

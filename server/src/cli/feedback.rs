//! `mockpoint feedback`: propose rows for the white list.

use super::options::Analysis;
use super::{analyse, print_to_stdout, remark};
use mockpoint::failures::{self, Failure};
use mockpoint::report::feedback;
use mockpoint::text::decode;
use mockpoint::verdict;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A larger file of failures is a mistake. In bytes.
const MAX_FAILURES: u64 = 64 << 20;

/// The arguments of `feedback`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A file of methods, one a line, or stack traces, as text or as JSON; - for standard input.
    failures: PathBuf,

    /// Java files, and folders to look for them.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,

    /// The form of what is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    analysis: Analysis,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people; a mockpoint.toml too, since all but the rows is comment.
    Human,
    /// Only the rows worth trying, to be appended to a mockpoint.toml.
    Toml,
    /// For machines; docs/feedback.schema.json describes it.
    Json,
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    let failures = read(&args.failures).map_err(|message| format!("cannot read {}: {message}", args.failures.display()))?;
    let analysed = analyse(&args.paths, &args.analysis)?;
    let found = analysed.pool.install(|| verdict::feedback::feedback(&analysed.linked, &failures));
    let report = analysed.report();
    let code = match args.format {
        Format::Json => print_to_stdout(0, |out| feedback::json::print(out, &report, &found)),
        Format::Toml => print_to_stdout(0, |out| feedback::print_rows(out, &found)),
        Format::Human => print_to_stdout(0, |out| feedback::print(out, &report, &found)),
    };
    if failures.is_empty() {
        // If standard error is closed nobody wants to know.
        let _ = writeln!(io::stderr(), "warning: no method and no stack trace in {}", args.failures.display());
    }
    if args.format != Format::Json {
        remark(&report);
    }
    Ok(code)
}

fn read(path: &Path) -> Result<Vec<Failure>, String> {
    let mut bytes = Vec::new();
    let res = if path == Path::new("-") {
        io::stdin().lock().take(MAX_FAILURES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|it| it.take(MAX_FAILURES + 1).read_to_end(&mut bytes))
    };
    res.map_err(|err| err.to_string())?;
    if bytes.len() as u64 > MAX_FAILURES {
        return Err(format!("larger than {} MiB", MAX_FAILURES >> 20));
    }
    failures::read(&decode(bytes).text)
}

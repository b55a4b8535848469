//! `mockpoint stats`: print counts.

use super::check::Format;
use super::options::Analysis;
use super::{analyse, print_to_stdout, remark};
use mockpoint::report::statistics::{self, StatisticsReport};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The arguments of `stats`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Java files, and folders to look for them. With several, each is also counted on its own.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,

    /// The form of what is printed; docs/stats.schema.json describes the JSON.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Write also a page with charts, for a browser. It needs no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    analysis: Analysis,
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    let analysed = analyse(&args.paths, &args.analysis)?;
    let (counted, parts) = analysed.counts(&args.paths);
    let report = StatisticsReport {
        counted: &counted,
        parts: &parts.names,
        settings: analysed.linked.settings,
        root: &analysed.loaded.root,
        seconds: Some(analysed.time.as_secs_f64()),
    };
    if let Some(path) = &args.html {
        write_page(path, &report).map_err(|err| format!("cannot write {}: {err}", path.display()))?;
    }
    Ok(match args.format {
        Format::Json => print_to_stdout(0, |out| statistics::json::print(out, &report)),
        Format::Human => {
            let code = print_to_stdout(0, |out| statistics::print(out, &report));
            remark(&analysed.report());
            code
        }
    })
}

fn write_page(path: &Path, report: &StatisticsReport<'_>) -> io::Result<()> {
    let mut page = Vec::new();
    statistics::html::print(&mut page, report)?;
    fs::write(path, page)
}

//! `mockpoint explain`: print why something is or is not a finding.

use super::options::Analysis;
use super::{analyse, near, print_to_stdout};
use mockpoint::report::human;
use mockpoint::verdict;
use std::path::PathBuf;

/// The arguments of `explain`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Class, pkg.Class, or a method or field: Class#name, Class.name, 'Class.name(int, String)'.
    query: String,

    /// Java files, and folders to look for them.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    analysis: Analysis,
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    let analysed = analyse(&args.paths, &args.analysis)?;
    let explanations = verdict::explain(&analysed.linked, &args.query);
    if explanations.is_empty() {
        return Err(near::message(&analysed.linked.files, &args.query));
    }
    let report = analysed.report();
    Ok(print_to_stdout(0, |out| human::print_explanations(out, &report, &explanations, args.analysis.use_color())))
}

//! `mockpoint explain`: print why something is or is not a finding.

use super::options::Analysis;
use super::{USAGE, analyse, error, near, print_to_stdout};
use mockpoint::report::{Report, human};
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

/// Does it. The result is the exit code.
pub(super) fn run(args: &Args) -> u8 {
    let analysed = match analyse(&args.paths, &args.analysis) {
        Ok(analysed) => analysed,
        Err(message) => {
            error(&message);
            return USAGE;
        }
    };
    let explanations = verdict::explain(&analysed.linked, &args.query);
    if explanations.is_empty() {
        error(&near::message(&analysed.linked.files, &args.query));
        return USAGE;
    }
    let report = Report { linked: &analysed.linked, problems: &analysed.loaded.problems, root: &analysed.loaded.root };
    print_to_stdout(0, |out| human::print_explanations(out, &report, &explanations, args.analysis.use_color()))
}

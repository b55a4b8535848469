//! `mockpoint check`: print the findings.

use super::options::{Analysis, FailOn};
use super::{analyse, print_to_stdout, remark};
use clap::ValueEnum;
use mockpoint::log::Stages;
use mockpoint::report::statistics::StatisticsReport;
use mockpoint::report::{human, json, sarif};
use std::path::PathBuf;

/// The arguments of `check`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Java files, and folders to look for them.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,

    /// The form of the report.
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    format: CheckFormat,

    /// Print the path of each mocking point through the source (human format).
    #[arg(long)]
    explain: bool,

    /// Print also the fields that are never modified (human format).
    #[arg(long)]
    all: bool,

    /// Print also the statistics (human format).
    #[arg(long)]
    stats: bool,

    /// Exit with 1 if there is a mocking point of this category; may be given several times or with commas.
    #[arg(long, value_enum, value_name = "CATEGORY", value_delimiter = ',')]
    fail_on: Vec<FailOn>,

    #[command(flatten)]
    analysis: Analysis,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For people.
    Human,
    /// For machines; docs/report.schema.json describes it.
    Json,
    /// SARIF 2.1.0, for code hosts and viewers.
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Human,
    /// For machines; docs/report.schema.json describes it.
    Json,
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    let analysed = analyse(&args.paths, &args.analysis)?;
    let mut stages = Stages::start();
    let report = analysed.report();
    let points = &analysed.linked.verdicts.mocking_points;
    let fails = points.iter().flat_map(|it| &it.categories).any(|&category| args.fail_on.iter().any(|it| it.covers(category)));
    let code = u8::from(fails);
    let counts = (args.stats || args.format == CheckFormat::Json).then(|| analysed.counts(&args.paths));
    stages.done("statistics");
    let code = match args.format {
        CheckFormat::Sarif => print_to_stdout(code, |out| sarif::print(out, &report)),
        CheckFormat::Json => {
            let total = counts.map(|it| it.0.total).unwrap_or_default();
            print_to_stdout(code, |out| json::print(out, &report, &total))
        }
        CheckFormat::Human => {
            let stats = counts.as_ref().map(|(counted, parts)| StatisticsReport {
                counted,
                parts: &parts.names,
                settings: report.linked.settings,
                root: report.root,
                // What is printed here does not differ from run to run.
                seconds: None,
            });
            let options = human::Options { explain: args.explain, all: args.all, stats, color: args.analysis.use_color() };
            let rendered = analysed.pool.install(|| human::render(&report, &options));
            let code = print_to_stdout(code, |out| rendered?.iter().try_for_each(|it| out.write_all(it)));
            // After the findings, so that they are not pushed out of sight.
            remark(&report);
            code
        }
    };
    stages.done("report");
    Ok(code)
}

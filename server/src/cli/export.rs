//! `mockpoint export`: print the mocking points in the form that another tool takes.

mod send;

use super::options::Analysis;
use super::{analyse, error, print_to_stdout};
use clap::ValueEnum;
use mockpoint::export::{self, Exported, Options, Placement, Syntax, Tool};
use mockpoint::report::Report;
use mockpoint::verdict::Category;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The arguments of `export`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Java files, and folders to look for them.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,

    /// The tool that takes the list.
    #[arg(long = "for", value_enum, value_name = "TOOL")]
    tool: ToolArg,

    /// The syntax, for tools that take more than one.
    #[arg(long, value_enum)]
    format: Option<FormatArg>,

    /// Only mocking points with one of these kinds of state; may be given several times or with commas.
    #[arg(long, value_enum, value_name = "CATEGORY", value_delimiter = ',')]
    category: Vec<CategoryArg>,

    /// Only mocking points in this package and below; may be given several times or with commas.
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    package: Vec<String>,

    /// Also those that a plug-in of the tool covers, that are reached through others only, and that the tool cannot record.
    #[arg(long)]
    all: bool,

    /// Where points are put.
    #[arg(long, value_enum, default_value_t = PlacementArg::Paper)]
    placement: PlacementArg,

    /// The name of the application in AREX.
    #[arg(long, value_name = "ID", default_value = "app")]
    app: String,

    /// Show what changes in the AREX behind this address, ask, and send the list: http://host:port, or with a path in place of /api.
    #[arg(long, value_name = "URL")]
    api: Option<String>,

    /// Send without asking.
    #[arg(long, requires = "api")]
    yes: bool,

    /// Write to a file instead of standard output; test classes to a folder, where none that is there is replaced.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    analysis: Analysis,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ToolArg {
    /// AREX: the list of dynamic classes.
    Arex,
    /// jvm-sandbox-repeater: its configuration.
    Repeater,
    /// MoonBox: its two lists of mocks.
    Moonbox,
    /// Diffblue Cover: options of dcover create.
    Diffblue,
    /// TestableMock: test classes.
    TestableMock,
    /// Mockito: base classes of tests.
    Mockito,
    /// What of the answers of handlers comes from the clock, random numbers or the environment.
    Noise,
    /// A table, one line a mocking point.
    Csv,
    /// SARIF 2.1.0, as check prints it; always with all findings.
    Sarif,
}

impl ToolArg {
    fn tool(self) -> Tool {
        match self {
            ToolArg::Arex => Tool::Arex,
            ToolArg::Repeater => Tool::Repeater,
            ToolArg::Moonbox => Tool::Moonbox,
            ToolArg::Diffblue => Tool::Diffblue,
            ToolArg::TestableMock => Tool::TestableMock,
            ToolArg::Mockito => Tool::Mockito,
            ToolArg::Noise => Tool::Noise,
            ToolArg::Csv => Tool::Csv,
            ToolArg::Sarif => Tool::Sarif,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// JSON (the default).
    Json,
    /// YAML: the template of AREX.
    Yaml,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlacementArg {
    /// On the methods that read state.
    Paper,
    /// On what they read, where a method would be answered that does more.
    Narrow,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CategoryArg {
    /// The clock, random numbers, the environment, the process.
    System,
    /// Fields that are modified while the service runs.
    Internal,
    /// Databases, other services, files.
    External,
    /// What the project's white list names.
    WhiteList,
}

impl CategoryArg {
    fn category(self) -> Category {
        match self {
            CategoryArg::System => Category::System,
            CategoryArg::Internal => Category::Internal,
            CategoryArg::External => Category::External,
            CategoryArg::WhiteList => Category::WhiteList,
        }
    }
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    if args.format.is_some() && args.tool != ToolArg::Arex {
        return Err("only --for arex takes --format".to_owned());
    }
    if args.api.is_some() && (args.tool != ToolArg::Arex || args.format == Some(FormatArg::Yaml)) {
        return Err("only the list of --for arex, as JSON, can be sent with --api".to_owned());
    }
    let options = Options {
        tool: args.tool.tool(),
        categories: args.category.iter().map(|it| it.category()).collect(),
        packages: args.package.clone(),
        all: args.all,
        placement: match args.placement {
            PlacementArg::Paper => Placement::Paper,
            PlacementArg::Narrow => Placement::Narrow,
        },
        app: args.app.clone(),
        syntax: if args.format == Some(FormatArg::Yaml) { Syntax::Yaml } else { Syntax::Json },
    };
    let analysed = analyse(&args.paths, &args.analysis)?;
    let report = analysed.report();
    let exported = analysed.pool.install(|| export::export(&report, &options));
    let code = match &args.output {
        Some(path) => {
            write(path, &exported)?;
            0
        }
        None if args.api.is_some() => 0,
        None => print_to_stdout(0, |out| out.write_all(exported.text.as_bytes())),
    };
    super::remark(&report);
    if remark(&report, &exported).is_err() {
        error("cannot write the remarks");
    }
    if let Some(url) = &args.api {
        send::send(url, &args.app, &exported, args.yes)?;
    }
    Ok(code)
}

/// Writes the file, or the files into a folder.
fn write(path: &Path, exported: &Exported) -> Result<(), String> {
    let failed = |path: &Path, err: io::Error| format!("cannot write {}: {err}", path.display());
    if exported.files.is_empty() {
        return fs::write(path, &exported.text).map_err(|err| failed(path, err));
    }
    let places: Vec<PathBuf> = exported.files.iter().map(|it| path.join(&it.path)).collect();
    if let Some(there) = places.iter().find(|it| it.exists()) {
        return Err(format!("{} is there already; nothing was written", there.display()));
    }
    for (place, file) in places.iter().zip(&exported.files) {
        let folder = place.parent().unwrap_or(path);
        fs::create_dir_all(folder).map_err(|err| failed(folder, err))?;
        fs::write(place, &file.text).map_err(|err| failed(place, err))?;
    }
    Ok(())
}

/// Prints on standard error what to know of the entries, and how many there are.
fn remark(report: &Report<'_>, exported: &Exported) -> io::Result<()> {
    let mut err = io::BufWriter::new(io::stderr().lock());
    export::print_remarks(&mut err, report, exported)?;
    err.flush()
}

//! Options that several subcommands have, and the words of their values.

use clap::{Args, ValueEnum};
use mockpoint::config::Run;
use mockpoint::load::LoadOptions;
use mockpoint::settings::{Precision, Settings, Tier};
use mockpoint::verdict::{self, Category};
use std::env;
use std::io::{self, IsTerminal};

/// What to analyse and how.
#[derive(Args)]
pub(super) struct Analysis {
    /// The reading of the rules; refined unless mockpoint.toml says otherwise.
    #[arg(long, value_enum, value_name = "READING")]
    precision: Option<PrecisionArg>,

    /// What is assumed about callers outside the sources; application unless mockpoint.toml says otherwise.
    #[arg(long, value_enum)]
    world: Option<WorldArg>,

    /// Which rows of the catalogue are sources; core unless mockpoint.toml says otherwise.
    #[arg(long, value_enum, visible_alias = "min-tier")]
    tier: Option<TierArg>,

    /// Threads; all cores unless given here or in mockpoint.toml.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Leave out what matches a pattern, as in a .gitignore; may be given several times.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// When to use colours; auto also looks at NO_COLOR.
    #[arg(long, value_enum, default_value_t = ColorArg::Auto, value_name = "WHEN")]
    color: ColorArg,
}

impl Analysis {
    pub(super) fn load_options(&self) -> LoadOptions {
        LoadOptions { exclude: self.exclude.clone() }
    }

    /// The settings: options first, then what the project says of the run.
    pub(super) fn settings(&self, run: Run) -> Settings {
        let precision = self.precision.map(|it| match it {
            PrecisionArg::Refined => Precision::Refined,
            PrecisionArg::Paper => Precision::Paper,
        });
        let world = self.world.map(|it| match it {
            WorldArg::Application => verdict::World::Application,
            WorldArg::Library => verdict::World::Library,
            WorldArg::WithTests => verdict::World::WithTests,
        });
        let tier = self.tier.map(|it| match it {
            TierArg::Core => Tier::Core,
            TierArg::OptIn => Tier::OptIn,
        });
        Run { precision, world, tier, jobs: self.jobs }.or(run).settings()
    }

    /// Whether to colour what goes to standard output.
    pub(super) fn use_color(&self) -> bool {
        match self.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => {
                let is_unwanted = env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty()) || env::var_os("TERM").is_some_and(|it| it == "dumb");
                !is_unwanted && io::stdout().is_terminal()
            }
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum PrecisionArg {
    /// With the refinements that go beyond the paper.
    Refined,
    /// The paper's own rules.
    Paper,
}

#[derive(Clone, Copy, ValueEnum)]
enum WorldArg {
    /// Production sources are all there is.
    Application,
    /// Public and protected members count as called.
    Library,
    /// Test sources count as callers.
    WithTests,
}

#[derive(Clone, Copy, ValueEnum)]
enum TierArg {
    /// Those that are worth reading by default.
    Core,
    /// Also implicit locale and charset, hash order, identity.
    OptIn,
}

#[derive(Clone, Copy, ValueEnum)]
enum ColorArg {
    Auto,
    Always,
    Never,
}

/// The mocking points that `--fail-on` is about.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// The clock, random numbers, the environment, the process.
    System,
    /// Fields that are modified while the service runs.
    Internal,
    /// Databases, other services, files.
    External,
    /// What the project's white list names.
    WhiteList,
    /// All of them.
    Any,
}

impl FailOn {
    /// Whether it is about a category.
    pub(super) fn covers(self, category: Category) -> bool {
        match self {
            FailOn::System => category == Category::System,
            FailOn::Internal => category == Category::Internal,
            FailOn::External => category == Category::External,
            FailOn::WhiteList => category == Category::WhiteList,
            FailOn::Any => true,
        }
    }
}

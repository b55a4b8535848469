//! The binary `mockpoint`: everything is in the library but the command line.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run())
}

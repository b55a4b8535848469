//! The binary `mockpoint`: everything is in the library but the command line.

mod cli;

use std::process::ExitCode;

/// Compiling and linking make and drop many small pieces on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::run())
}

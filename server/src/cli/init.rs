//! `mockpoint init`: write a commented configuration file.

use super::print_to_stdout;
use mockpoint::config::{FILE_NAME, TEMPLATE};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `init`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder to write it to.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Does it. The result is the exit code, or what is wrong.
pub(super) fn run(args: &Args) -> Result<u8, String> {
    let path = args.dir.join(FILE_NAME);
    let shown = path.strip_prefix(".").unwrap_or(&path).display();
    // That there is none is asked by the system, together with making one.
    let res = OpenOptions::new().write(true).create_new(true).open(&path).and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    match res {
        Ok(()) => Ok(print_to_stdout(0, |out| writeln!(out, "Wrote {shown}. All of it is commented out: it changes nothing yet."))),
        Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Err(format!("{shown} is there already, and is left as it is")),
        Err(err) => Err(format!("cannot write {shown}: {err}")),
    }
}

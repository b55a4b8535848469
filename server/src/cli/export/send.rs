//! `--api`: shows what would change in AREX, asks, and sends.

use mockpoint::export::Exported;
use mockpoint::export::api::List;
use std::io::{self, BufRead, IsTerminal, Write};

/// Replaces the list of an application by an export, if that changes anything and the person agrees. An error is what went wrong.
pub(super) fn send(url: &str, app: &str, exported: &Exported, yes: bool) -> Result<(), String> {
    let list = List::new(url, app)?;
    let lines = list.difference(&exported.text)?;
    let mut out = io::stdout().lock();
    let unwritable = |err: io::Error| format!("cannot write the difference: {err}");
    if lines.is_empty() {
        return writeln!(out, "{app} at {url} has this list already; nothing is sent").map_err(unwritable);
    }
    for line in &lines {
        writeln!(out, "{line}").map_err(unwritable)?;
    }
    out.flush().map_err(unwritable)?;
    if !yes && !asked(url, app, exported.n_entries)? {
        return writeln!(out, "nothing is sent").map_err(unwritable);
    }
    list.replace(&exported.text)?;
    writeln!(out, "sent: {app} at {url} has {} dynamic classes now", exported.n_entries).map_err(unwritable)
}

/// Whether the person at the terminal says yes.
fn asked(url: &str, app: &str, n: usize) -> Result<bool, String> {
    if !io::stdin().is_terminal() {
        return Err("nobody is there to ask whether to send this: say --yes to do so; nothing is sent".to_owned());
    }
    let mut err = io::stderr().lock();
    let mut line = String::new();
    let res = write!(err, "Replace the dynamic classes of {app} at {url} by these {n}? [y/N] ").and_then(|()| err.flush());
    res.and_then(|()| io::stdin().lock().read_line(&mut line)).map_err(|err| format!("cannot ask: {err}"))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

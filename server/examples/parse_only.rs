//! The floor under every time: finds the Java files below a folder, reads and parses them on all cores, and that is all.
//!
//! `benches/ratio.sh` compares `mockpoint check` with it, process with process.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use ignore::{WalkBuilder, WalkState};
use mockpoint::java;
use mockpoint::text::{decode, parse_text};
use rayon::prelude::*;
use std::sync::Mutex;

// As the binary has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let found = Mutex::new(Vec::new());
    let mut builder = WalkBuilder::new(folder);
    // As `mockpoint::load` walks.
    builder.git_global(false).require_git(false).follow_links(false).threads(rayon::current_num_threads());
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            if entry.file_type().is_some_and(|it| it.is_file()) && entry.path().extension().is_some_and(|it| it == "java") {
                found.lock().expect("nothing panics").push(entry.into_path());
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().expect("nothing panics");
    found.sort_unstable();
    let parsed: Vec<(usize, bool)> = found
        .par_iter()
        .with_max_len(8)
        .filter_map(|path| {
            let bytes = std::fs::read(path).ok()?;
            let n_bytes = bytes.len();
            let text = decode(bytes).text;
            let tree = java::parse(&parse_text(&text), None)?;
            Some((n_bytes, tree.root_node().has_error()))
        })
        .collect();
    let n_bytes: usize = parsed.iter().map(|it| it.0).sum();
    println!("{} files, {n_bytes} bytes, {} with syntax errors", parsed.len(), parsed.iter().filter(|it| it.1).count());
}

//! What each part of the analysis takes, and how that compares with parsing alone.
//!
//! The corpus is the folder in `MOCKPOINT_CORPUS`, or the shipped example service, repeated under other packages to
//! some 20,000 lines. Everything runs on all cores but the edit, which is one key in one open file.
//!
//! At the end stand the ratios to the parse-only floor of the same run; what a machine does else drops out of them.

#![expect(clippy::print_stdout, reason = "that is what it is for")]
#![allow(missing_docs)]

use criterion::Criterion;
use mockpoint::analysis::analyse;
use mockpoint::host::Host;
use mockpoint::java;
use mockpoint::settings::Settings;
use mockpoint::text::{Change, Encoding, LineIndex, parse_text};
use mockpoint::workspace::SourceFile;
use rayon::prelude::*;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const WANTED_LINES: usize = 20_000;

struct Corpus {
    root: PathBuf,
    files: Vec<(PathBuf, String)>,
    /// The folder is ours.
    is_made: bool,
}

impl Corpus {
    fn new() -> Corpus {
        let (root, is_made) = match std::env::var_os("MOCKPOINT_CORPUS") {
            Some(folder) => (PathBuf::from(folder).canonicalize().expect("MOCKPOINT_CORPUS is a folder"), false),
            None => (repeated_fixtures(), true),
        };
        let mut files = Vec::new();
        java_files(&root, &mut files);
        files.sort();
        assert!(!files.is_empty(), "no Java files in {}", root.display());
        Corpus { root, files, is_made }
    }
}

impl Drop for Corpus {
    fn drop(&mut self) {
        if self.is_made {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

fn java_files(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the corpus can be listed").flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() {
            java_files(&path, found);
        } else if kind.is_file() && path.extension().is_some_and(|it| it == "java") {
            // A few old files are Latin-1, and no part of what is measured.
            if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
}

/// The example service in as many packages as it takes.
fn repeated_fixtures() -> PathBuf {
    let mut files = Vec::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/orders");
    java_files(&from, &mut files);
    let n_lines: usize = files.iter().map(|it| it.1.lines().count()).sum();
    let to = std::env::temp_dir().join(format!("mockpoint-bench-{}", std::process::id()));
    for copy in 0..WANTED_LINES.div_ceil(n_lines.max(1)) {
        for (path, text) in &files {
            let below = path.strip_prefix(&from).expect("it was found there");
            let path = to.join(format!("copy{copy}")).join(below);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders can be made");
            fs::write(&path, text.replace("shop.orders", &format!("shop{copy}.orders"))).expect("files can be written");
        }
    }
    to.canonicalize().expect("it was just made")
}

/// The times of one benchmark, one for each sample of criterion.
struct Times {
    name: &'static str,
    samples: RefCell<Vec<f64>>,
}

impl Times {
    fn median(&self) -> Option<f64> {
        let mut samples = self.samples.borrow().clone();
        samples.sort_by(f64::total_cmp);
        samples.get(samples.len() / 2).copied()
    }
}

/// Measures `work`, without what it takes to drop its result: the tool itself drops nothing.
fn measure<T>(criterion: &mut Criterion, name: &'static str, mut work: impl FnMut() -> T) -> Times {
    let times = Times { name, samples: RefCell::default() };
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|n| {
            let mut total = Duration::ZERO;
            for _ in 0..n {
                let began = Instant::now();
                let res = work();
                total += began.elapsed();
                drop(res);
            }
            times.samples.borrow_mut().push(total.as_secs_f64() / n.max(1) as f64);
            total
        });
    });
    times
}

fn compile(corpus: &Corpus) -> Vec<Arc<SourceFile>> {
    corpus.files.par_iter().map(|(path, text)| Arc::new(SourceFile::from_text(path.clone(), &corpus.root, text, None, false).0)).collect()
}

fn parse(text: &str) -> bool {
    java::parse(&parse_text(text), None).is_some_and(|it| it.root_node().has_error())
}

fn main() {
    let mut criterion = Criterion::default().sample_size(20).warm_up_time(Duration::from_secs(1)).configure_from_args();
    let corpus = Corpus::new();
    let n_lines: usize = corpus.files.iter().map(|it| it.1.lines().count()).sum();
    println!("{}: {} files, {n_lines} lines", corpus.root.display(), corpus.files.len());
    let mut all = Vec::new();
    all.push(measure(&mut criterion, "parse only", || corpus.files.par_iter().filter(|it| parse(&it.1)).count()));
    all.push(measure(&mut criterion, "compile to facts", || compile(&corpus)));
    {
        let compiled = compile(&corpus);
        all.push(measure(&mut criterion, "link", || analyse(compiled.clone(), Settings::default(), None)));
        // The next link after an edit in a body: declarations are as they were.
        let before = analyse(compiled.clone(), Settings::default(), None);
        all.push(measure(&mut criterion, "link again", || analyse(compiled.clone(), Settings::default(), Some(&before))));
    }
    all.push(measure(&mut criterion, "whole check", || analyse(compile(&corpus), Settings::default(), None)));

    // One key, typed and deleted in turn, in the largest file.
    let (path, text) = corpus.files.iter().filter(|it| !parse(&it.1)).max_by_key(|it| it.1.len()).expect("there is a file without errors");
    let floor = measure(&mut criterion, "parse the edited file", || parse(text));
    let mut host = Host::default();
    host.add_root(corpus.root.clone());
    host.settle();
    host.open(path.clone(), text, 1);
    host.settle();
    // Behind the last semicolon, where a comment is.
    let end = text.rfind(';').map_or(text.len(), |it| it + 1);
    let at = LineIndex::new(text).position(end, Encoding::Utf16);
    let typed = Change { range: Some((at, at)), text: " ".to_owned() };
    let mut behind = at;
    behind.column += 1;
    let deleted = Change { range: Some((at, behind)), text: String::new() };
    let mut version = 1;
    let edit = measure(&mut criterion, "one edit", || {
        version += 1;
        let change = if version % 2 == 0 { &typed } else { &deleted };
        assert!(host.change(path, version, std::slice::from_ref(change), Encoding::Utf16), "the host refuses a change");
        let snapshot = host.snapshot();
        snapshot.view(path).and_then(|it| it.findings().map(|it| it.points.len()))
    });

    criterion.final_summary();
    println!("\nRatios to parsing alone");
    let print = |times: &Times, floor: &Times| {
        if let (Some(time), Some(floor)) = (times.median(), floor.median()) {
            println!("{:24} {:10.3} ms {:8.2} x", times.name, time * 1e3, time / floor);
        }
    };
    all.iter().for_each(|it| print(it, &all[0]));
    println!("Ratios to parsing the edited file, {} lines", text.lines().count());
    [&floor, &edit].into_iter().for_each(|it| print(it, &floor));
}

//! How long the findings take after each key: `keystrokes FOLDER [FILE]`.
//!
//! Loads a folder as the language server does, opens a file (the one nearest to 5,000 lines unless one is named), types
//! statements key by key into several of its methods and deletes them again. A key counts from the change of the
//! document to the findings of that text.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what it is for")]

use mockpoint::facts::OWN_CLASS;
use mockpoint::host::Host;
use mockpoint::java::decls::MemberKind;
use mockpoint::text::{Change, Encoding, LineIndex, Position};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const N_KEYS: usize = 600;
const WANTED_LINES: usize = 5_000;

const STATEMENTS: &[&str] = &[
    "\n        long now = System.currentTimeMillis();",
    "\n        if (now > 10) {\n            return;\n        }",
    "\n        String text = \"a \" + toString();",
    "\n        for (int i = 0; i < 3; i++) {\n            use(i);\n        }",
    "\n        list.stream().map(it -> it.trim()).forEach(it -> use(it));",
    "\n        // what follows is slow\n        cache.put(key, value);",
];

struct Editor {
    host: Host,
    path: PathBuf,
    text: String,
    version: i32,
    /// How long each key took, and whether the text had syntax errors afterwards.
    times: Vec<(Duration, bool)>,
}

impl Editor {
    /// Replaces bytes and waits for the findings.
    fn key(&mut self, start: usize, end: usize, new: &str) {
        let lines = LineIndex::new(&self.text);
        let [from, to]: [Position; 2] = [start, end].map(|it| lines.position(it, Encoding::Utf16));
        self.text.replace_range(start..end, new);
        self.version += 1;
        let changes = [Change { range: Some((from, to)), text: new.to_owned() }];
        let began = Instant::now();
        assert!(self.host.change(&self.path, self.version, &changes, Encoding::Utf16), "the host refuses a change");
        let snapshot = self.host.snapshot();
        let view = snapshot.view(&self.path).expect("the file is open");
        let findings = view.findings().expect("nothing panics");
        std::hint::black_box(findings.points.len());
        self.times.push((began.elapsed(), view.file.facts.errors != 0));
    }

    /// The places behind the opening braces of methods, spread over the file.
    fn places(&self, n: usize) -> Vec<usize> {
        let file = self.host.file(&self.path).expect("the file is open");
        let members = file.facts.types.iter().flat_map(|it| &it.members);
        let all: Vec<usize> = members
            .filter_map(|member| {
                let method = member.facts.methods.first().filter(|it| it.owner == OWN_CLASS && it.head.has_body && it.head.kind == MemberKind::Method)?;
                let start = (member.start + method.offset + method.name.end) as usize;
                let end = (member.start + method.offset + method.len) as usize;
                Some(start + self.text.get(start..end)?.find('{')? + 1)
            })
            .collect();
        let step = all.len().div_ceil(n).max(1);
        all.into_iter().step_by(step).collect()
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(folder) = args.next().and_then(|it| it.canonicalize().ok()) else {
        eprintln!("usage: keystrokes FOLDER [FILE]");
        return ExitCode::from(2);
    };
    let mut host = Host::default();
    host.add_root(folder);
    let began = Instant::now();
    host.settle();
    let n_lines = |host: &Host, path: &Path| host.file(path).map_or(0, |it| it.lines.line_count());
    let all: usize = host.paths().map(|it| n_lines(&host, it)).sum();
    println!("{} files, {all} lines, loaded and linked in {:.2} s", host.paths().count(), began.elapsed().as_secs_f64());
    let nearest = host
        .paths()
        .filter(|it| host.file(it).is_some_and(|it| !it.is_test && it.facts.errors == 0))
        .min_by_key(|it| n_lines(&host, it).abs_diff(WANTED_LINES));
    let Some(path) = args.next().and_then(|it| it.canonicalize().ok()).or(nearest.map(Path::to_owned)) else {
        eprintln!("error: there is no file to edit");
        return ExitCode::from(2);
    };
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("error: cannot read {}", path.display());
        return ExitCode::from(2);
    };
    host.open(path.clone(), &text, 1);
    host.settle();
    println!("{}: {} lines, {} bytes", path.display(), n_lines(&host, &path), text.len());
    let mut editor = Editor { host, path, text, version: 1, times: Vec::new() };
    let n_methods = N_KEYS / (2 * STATEMENTS[0].len()) + 1;
    let mut round = 0;
    while editor.times.len() < N_KEYS {
        let places = editor.places(n_methods);
        let Some(&place) = places.get(round % places.len().max(1)) else {
            eprintln!("error: there is no method to type in");
            return ExitCode::from(2);
        };
        let statement = STATEMENTS[round % STATEMENTS.len()];
        for (at, c) in statement.char_indices() {
            editor.key(place + at, place + at, c.encode_utf8(&mut [0; 4]));
        }
        // People pause, and the link catches up.
        editor.host.settle();
        for (at, c) in statement.char_indices().rev() {
            editor.key(place + at, place + at + c.len_utf8(), "");
        }
        editor.host.settle();
        round += 1;
    }
    let broken = editor.times.iter().filter(|it| it.1).count();
    println!("{} keys in {round} methods; the text was broken after {broken}", editor.times.len());
    print(" all", editor.times.iter().map(|it| it.0));
    print(" whole", editor.times.iter().filter(|it| !it.1).map(|it| it.0));
    print(" broken", editor.times.iter().filter(|it| it.1).map(|it| it.0));
    if let Some(peak) = peak_memory() {
        println!("peak memory {peak}");
    }
    ExitCode::SUCCESS
}

fn print(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    if times.is_empty() {
        return;
    }
    let at = |share: usize| times[((times.len() * share).div_ceil(100)).clamp(1, times.len()) - 1].as_secs_f64() * 1e3;
    println!("{what}: p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms, max {:.2} ms", at(50), at(95), at(99), at(100));
}

/// On Linux.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|it| it.strip_prefix("VmHWM:")).map(|it| it.trim().to_owned())
}

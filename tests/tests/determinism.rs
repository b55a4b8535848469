//! The same files give the same verdicts, whatever the order in which they are read and however many threads there are.
//!
//! Symbols are numbered as they come up, once a process. So each order is tried in a process of its own: this test
//! binary again, with [`verdicts_of_one_order`] alone.

use mockpoint::analysis::analyse;
use mockpoint::host::Host;
use mockpoint::load::path_order;
use mockpoint::settings::{Precision, Settings, Tier};
use mockpoint::verdict::World;
use mockpoint::workspace::SourceFile;
use mockpoint_tests::Tree;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

/// The variables that tell a process what to do: the seed of the order (0 for that of the files), the number of
/// threads, and the file to write to.
const VARIABLES: [&str; 3] = ["MOCKPOINT_ORDER", "MOCKPOINT_THREADS", "MOCKPOINT_OUTPUT"];

type Files = Vec<(PathBuf, String)>;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % n.max(1)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The service, each fixture of a rule on its own, and everything as one workspace, where names are declared often.
fn workspaces() -> Vec<(String, Files)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut res = vec![("orders".to_owned(), Files::new())];
    below(&fixtures.join("orders"), &mut |path, text| res[0].1.push((path.strip_prefix(&fixtures).expect("it is below").to_owned(), text)));
    below(&fixtures.join("rules"), &mut |path, text| {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        res.push((name.clone(), split(&name, &text)));
    });
    assert!(res.len() > 100 && res[0].1.len() > 15, "there are {} fixtures", res.len());
    let all = res.iter().flat_map(|it| &it.1).cloned().collect();
    res.push(("~all".to_owned(), all));
    res
}

fn below(folder: &Path, found: &mut dyn FnMut(PathBuf, String)) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("fixtures can be listed").map(|it| it.expect("an entry can be read").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            below(&path, found);
        } else if path.extension().is_some_and(|it| it == "java") {
            let text = fs::read_to_string(&path).expect("fixtures can be read");
            found(path, text);
        }
    }
}

/// The files of a fixture: `//- path` begins one.
fn split(name: &str, text: &str) -> Files {
    let mut files = vec![(PathBuf::from(format!("{name}/src/main/java/{name}.java")), String::new())];
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.trim_end().strip_prefix("//- ") {
            files.push((Path::new(name).join(path), String::new()));
        } else if let Some(last) = files.last_mut() {
            last.1.push_str(line);
        }
    }
    files
}

fn compile(path: &Path, text: &str) -> Arc<SourceFile> {
    Arc::new(SourceFile::from_text(path.to_owned(), Path::new(""), text, None, false).0)
}

/// What comes out for all workspaces, compiled in the order of a seed.
fn verdicts(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut workspaces = workspaces();
    if seed != 0 {
        random.shuffle(&mut workspaces);
    }
    let all = [
        (Precision::Refined, World::Application),
        (Precision::Paper, World::Application),
        (Precision::Refined, World::Library),
        (Precision::Refined, World::WithTests),
    ];
    let mut said: BTreeMap<(String, String), String> = BTreeMap::new();
    for (name, mut files) in workspaces {
        if seed != 0 {
            random.shuffle(&mut files);
        }
        let mut compiled: Vec<Arc<SourceFile>> = files.par_iter().map(|(path, text)| compile(path, text)).collect();
        compiled.sort_by(|left, right| path_order(&left.path, &right.path));
        for (precision, world) in all {
            let settings = Settings { precision, world, tier: Tier::OptIn };
            let linked = analyse(compiled.clone(), settings, None);
            said.insert((name.clone(), format!("{settings:?}")), format!("{:#?}", linked.verdicts));
        }
        // The same by way of a host.
        let mut host = Host::default();
        for (path, text) in &files {
            host.open(Path::new("/w").join(path), text, 1);
        }
        host.settle();
        said.insert((name, "host".to_owned()), format!("{:#?}", host.last_link().verdicts));
    }
    let mut res = String::new();
    for ((name, settings), verdicts) in said {
        let _ = writeln!(res, "== {name} {settings}\n{verdicts}");
    }
    res
}

/// Not a test by itself: writes what comes out of one order to a file.
#[test]
fn verdicts_of_one_order() {
    let [Ok(seed), Ok(n_threads), Ok(output)] = VARIABLES.map(env::var) else { return };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads.parse().expect("it is a number")).build().expect("threads can be started");
    let text = pool.install(|| verdicts(seed.parse().expect("it is a number")));
    fs::write(output, text).expect("a file can be written");
}

fn in_another_process(seed: u64, n_threads: usize, output: &Path) -> String {
    let mut command = Command::new(env::current_exe().expect("a test knows where it is"));
    command.args(["--exact", "verdicts_of_one_order"]);
    command.envs(VARIABLES.into_iter().zip([seed.to_string(), n_threads.to_string(), output.to_string_lossy().into_owned()]));
    let run = command.output().expect("it runs");
    assert!(run.status.success(), "order {seed}: {run:?}");
    fs::read_to_string(output).expect("it was written")
}

#[test]
fn neither_order_nor_threads_matter() {
    let tree = Tree::new();
    let first = in_another_process(0, 1, &tree.join("first"));
    assert!(first.matches("MockingPoint {").count() > 100, "hardly anything is found");
    for (seed, n_threads) in [(0, 2), (1, 1), (1, 2), (2, 1), (3, 2), (4, 2)] {
        let other = in_another_process(seed, n_threads, &tree.join("other"));
        let Some(line) = first.lines().zip(other.lines()).position(|(left, right)| left != right) else {
            assert_eq!(first.len(), other.len(), "order {seed}, {n_threads} threads: one says more");
            continue;
        };
        let of = |text: &str| text.lines().skip(line.saturating_sub(12)).take(20).collect::<Vec<_>>().join("\n");
        let workspace = first.lines().take(line + 1).filter(|it| it.starts_with("== ")).last().unwrap_or_default();
        panic!("order {seed}, {n_threads} threads, {workspace}:\n{}\n-- instead of --\n{}", of(&other), of(&first));
    }
}

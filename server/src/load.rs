//! From paths on a command line to compiled files.
//!
//! What cannot be read costs a [`Problem`], never the run: trees in the wild have dangling links, files without
//! permission and files that vanish while others are read. The result does not depend on the number of threads
//! nor on the order of the paths.

mod parts;
mod project;
mod root;
mod walk;
mod wiring;

pub use parts::{Parts, parts};
pub use project::{problem as config_problem, problems as config_problems};
pub use wiring::{problems as wiring_problems, read_wiring};

use crate::catalogue::catalogue;
use crate::config::{self, Above, Project, Run};
use crate::text::Position;
use crate::workspace::{MAX_FILE, SourceFile, Sources, WiringFile, is_java};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// What to leave out.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Patterns as in a `.gitignore` at the root: what they match is not read.
    pub exclude: Vec<String>,
}

/// Something that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Problem {
    /// What.
    pub path: PathBuf,
    /// Where in it, in UTF-16 units, if it is not all of it.
    pub position: Option<Position>,
    /// Why not, as a clause without a full stop.
    pub message: String,
}

impl Problem {
    /// What is said of a file as a whole.
    fn of_file(path: PathBuf, message: String) -> Problem {
        Problem { path, position: None, message }
    }
}

/// What was read.
#[derive(Debug)]
pub struct Loaded {
    /// The compiled files: sorted by path, each file once.
    pub files: Vec<Arc<SourceFile>>,
    /// What wires them together, sorted by path.
    pub wiring: Arc<[Arc<WiringFile>]>,
    /// What the project says of itself.
    pub project: Arc<Project>,
    /// What was not read and what is wrong with other than Java files, sorted by path.
    pub problems: Vec<Problem>,
    /// The folder that reports name paths from: the one argument as given, or the innermost folder of them all.
    pub root: PathBuf,
}

impl Loaded {
    /// What is to be linked. The Java files are moved out.
    pub fn take_sources(&mut self) -> Sources {
        Sources { files: std::mem::take(&mut self.files), wiring: Arc::clone(&self.wiring), project: Arc::clone(&self.project) }
    }
}

/// Is told how far the work is, from several threads.
pub trait Progress: Sync {
    /// The number of files is known.
    fn found(&self, _n_files: usize) {}
    /// One more file is done.
    fn compiled(&self) {}
}

/// Nobody wants to know.
impl Progress for () {}

/// Says what is wrong with arguments before anything is read: a path that does not exist, a pattern that is none.
/// [`load`] itself takes such arguments for problems.
pub fn check_arguments(paths: &[PathBuf], options: &LoadOptions) -> Result<(), String> {
    for path in paths {
        if let Err(err) = fs::metadata(path) {
            return Err(format!("cannot read {}: {}", path.display(), describe(&err, "no such file or directory")));
        }
    }
    walk::excluder(&options.exclude).map(|_| ())
}

/// The paths of a run, and what the project says of all that is below them.
pub struct Prepared {
    roots: root::Roots,
    above: Above,
}

/// Looks at the paths of a run, before anything below them is read.
pub fn prepare(paths: &[PathBuf]) -> Prepared {
    let roots = root::Roots::new(paths);
    Prepared { above: config::above(std::slice::from_ref(&roots.root)), roots }
}

impl Prepared {
    /// What the project says of the whole run.
    pub fn run(&self) -> Run {
        self.above.run()
    }
}

/// Reads and compiles every Java file at or below the paths, and what wires them together, on the current rayon pool.
///
/// Folders are walked as ripgrep walks them: what a `.gitignore` names and what is hidden stays out, and links are
/// not followed unless they are arguments.
pub fn load(paths: &[PathBuf], options: &LoadOptions, progress: &dyn Progress) -> Loaded {
    load_prepared(prepare(paths), options, progress)
}

/// The same for paths that were looked at before.
pub fn load_prepared(prepared: Prepared, options: &LoadOptions, progress: &dyn Progress) -> Loaded {
    let Prepared { roots, above } = prepared;
    let mut problems = Vec::new();
    let excluder = walk::excluder(&options.exclude).unwrap_or_else(|message| {
        problems.push(Problem::of_file(roots.root.clone(), message));
        walk::Excluder::empty()
    });
    // Files are compiled against it: it is read while the folders are.
    rayon::spawn(|| {
        catalogue();
    });
    let mut found = walk::walk(&roots, &excluder, &mut problems);
    let project = Arc::new(above.with(found.iter().map(PathBuf::as_path)));
    if project.has_excludes() {
        found.retain(|it| !project.excludes(it));
        problems.retain(|it| !project.excludes(&it.path));
    }
    problems.extend(project::problems(&project));
    progress.found(found.len());
    // In `is_test_source` the root is a prefix of the path, and nothing is below a plain `.`.
    let prefix = if roots.root == Path::new(".") { PathBuf::new() } else { roots.root.clone() };
    // A file's text lives only inside the closure, so at most one a thread is in memory.
    let results: Vec<Result<Content, Problem>> = found
        .into_par_iter()
        // Files differ in size by a thousand: with larger shares one thread would be done long before another.
        .with_max_len(8)
        .map(|path| {
            let res = read(path, &prefix, &project);
            progress.compiled();
            res
        })
        .collect();
    let mut files = Vec::with_capacity(results.len());
    let mut wiring = Vec::new();
    for result in results {
        match result {
            Ok(Content::Java(file)) => {
                let given_up = |it: &String| format!("the queries of {it} take too many steps here, not all that they mark is known");
                problems.extend(file.facts.given_up.iter().map(|it| Problem::of_file(file.path.clone(), given_up(it))));
                files.push(file);
            }
            Ok(Content::Wiring(file)) => {
                problems.extend(wiring::problems(&file));
                wiring.push(file);
            }
            Ok(Content::Nothing) => {}
            Err(problem) => problems.push(problem),
        }
    }
    problems.sort();
    problems.dedup();
    Loaded { files, wiring: wiring.into(), project, problems, root: roots.root }
}

/// The path of `file` below `root` with `/` between its parts; the whole path if it is not below.
pub fn relative(root: &Path, file: &Path) -> String {
    let below = file.strip_prefix(root).unwrap_or(file);
    let text = below.to_string_lossy();
    if MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(MAIN_SEPARATOR, "/") }
}

/// The order of files everywhere: by the bytes of the path, with `/` between its parts on every system.
pub fn path_order(left: &Path, right: &Path) -> Ordering {
    fn bytes(path: &Path) -> impl Iterator<Item = u8> + '_ {
        path.as_os_str().as_encoded_bytes().iter().map(|&it| if it == MAIN_SEPARATOR as u8 { b'/' } else { it })
    }
    bytes(left).cmp(bytes(right))
}

/// What came of one path.
enum Content {
    Java(Arc<SourceFile>),
    Wiring(Arc<WiringFile>),
    /// It is of neither kind.
    Nothing,
}

fn read(path: PathBuf, root: &Path, project: &Project) -> Result<Content, Problem> {
    if !is_java(&path) {
        return match read_wiring(&path, root) {
            Ok(file) => Ok(file.map_or(Content::Nothing, |it| Content::Wiring(Arc::new(it.placed(project))))),
            Err(message) => Err(Problem::of_file(path, message)),
        };
    }
    match read_bytes(&path) {
        Ok(bytes) => {
            let queries = project.queries(&path);
            guarded(path, |path| SourceFile::with_queries(path, root, bytes, queries)).map(|it| Content::Java(Arc::new(it.placed(project))))
        }
        Err(message) => Err(Problem::of_file(path, message)),
    }
}

/// A defect that one file brings to light must not cost the findings of the others.
fn guarded<T>(path: PathBuf, work: impl FnOnce(PathBuf) -> T) -> Result<T, Problem> {
    let own = path.clone();
    catch_unwind(AssertUnwindSafe(|| work(own))).map_err(|_| Problem::of_file(path, "internal error while reading this file".to_owned()))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let vanished = "vanished before it was read";
    let file = File::open(path).map_err(|err| describe(&err, vanished))?;
    let len = file.metadata().map_or(0, |it| it.len());
    if len > MAX_FILE {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
    // The file may grow while it is read.
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|err| describe(&err, vanished))?;
    if bytes.len() as u64 > MAX_FILE { Err(too_large()) } else { Ok(bytes) }
}

fn too_large() -> String {
    format!("larger than {} MiB, passed over", MAX_FILE >> 20)
}

/// The message of an error without the number that the standard library appends. `missing` is what it means here
/// that nothing was found.
fn describe(err: &io::Error, missing: &str) -> String {
    match err.kind() {
        io::ErrorKind::NotFound => missing.to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = err.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_by_bytes() {
        let mut paths = ["a/b/X.java", "a-b/X.java", "a/X.java", "B.java"].map(PathBuf::from);
        paths.sort_by(|left, right| path_order(left, right));
        assert_eq!(paths.map(|it| it.display().to_string()), ["B.java", "a-b/X.java", "a/X.java", "a/b/X.java"]);
    }

    #[test]
    fn a_panic_is_a_problem() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let res = guarded(PathBuf::from("X.java"), |_| -> () { panic!("on purpose") });
        std::panic::set_hook(hook);
        assert_eq!(res.map_err(|it| it.message), Err("internal error while reading this file".to_owned()));
    }

    #[test]
    fn wrong_arguments() {
        let none = LoadOptions::default();
        let err = check_arguments(&[PathBuf::from("/no/such/path")], &none);
        assert_eq!(err, Err("cannot read /no/such/path: no such file or directory".to_owned()));
        let glob = LoadOptions { exclude: vec!["a[".to_owned()] };
        assert!(check_arguments(&[PathBuf::from(".")], &glob).is_err_and(|it| it.contains("a[")));
    }
}

//! Finds and reads the files that hold for some source files: those in the folders above each of them.
//!
//! The search goes up to the folder of the repository, the one that holds `.git`, or to the top where there is none.

use super::project::{ConfigSource, Holding, Project, Run};
use super::{FILE_NAME, LOMBOK_NAME, LombokFile, MAX_CONFIG, QUERY_FOLDER, QueryFile};
use crate::java::queries::MAX_QUERY;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files in some roots and above: they hold for all that is below these.
pub struct Above {
    roots: Vec<PathBuf>,
    found: BTreeMap<PathBuf, Holding>,
    lombok: BTreeMap<PathBuf, LombokFile>,
    queries: BTreeMap<PathBuf, QueryFile>,
}

/// Reads the files in `roots` and above. Paths of files below a root begin with it, except that nothing is below a
/// plain `.`.
pub fn above(roots: &[PathBuf]) -> Above {
    let mut found: BTreeMap<PathBuf, Holding> = BTreeMap::new();
    let mut lombok: BTreeMap<PathBuf, LombokFile> = BTreeMap::new();
    let mut queries: BTreeMap<PathBuf, QueryFile> = BTreeMap::new();
    for root in roots {
        for holding in around(root, &mut lombok, &mut queries) {
            found.entry(holding.source.path.clone()).or_insert(holding);
        }
    }
    Above { roots: roots.iter().map(|it| spelled(it)).collect(), found, lombok, queries }
}

impl Above {
    /// What they say of the whole run.
    pub fn run(&self) -> Run {
        project(self.found.values().cloned().collect()).run()
    }

    /// With what holds besides for source files below the roots, or below none of them.
    pub fn with<'a>(self, files: impl Iterator<Item = &'a Path>) -> Project {
        let Above { roots, mut found, mut lombok, mut queries } = self;
        let mut seen: FxHashSet<PathBuf> = FxHashSet::default();
        for file in files {
            let root = roots.iter().filter(|it| file.starts_with(it)).max_by_key(|it| it.components().count());
            for folder in file.ancestors().skip(1) {
                if root.is_some_and(|it| it == folder) || !seen.insert(folder.to_owned()) {
                    break;
                }
                if let Some(source) = read_in(folder) {
                    let run = root.map_or(folder, PathBuf::as_path);
                    found.entry(source.path.clone()).or_insert_with(|| Holding::below(source, run).of_part());
                }
                if let Some(file) = lombok_in(folder, folder, 0) {
                    lombok.entry(file.source.path.clone()).or_insert(file);
                }
                queries_in(folder, folder, 0, &mut queries);
                if root.is_none() && is_repository(folder) {
                    break;
                }
            }
        }
        project(found.into_values().collect()).with_lombok(lombok.into_values().collect()).with_queries(queries.into_values().collect())
    }
}

fn project(mut holding: Vec<Holding>) -> Project {
    // Those above a run are all for the same folder if it is given as a relative path: the longer way is the outer file.
    holding.sort_by(|a, b| (&a.folder, b.prefix.len(), &a.source.path).cmp(&(&b.folder, a.prefix.len(), &b.source.path)));
    Project::new(holding)
}

/// What holds for all that is below a root: the files in it and above.
fn around(root: &Path, lombok: &mut BTreeMap<PathBuf, LombokFile>, queries: &mut BTreeMap<PathBuf, QueryFile>) -> Vec<Holding> {
    let mut found = Vec::new();
    let is_absolute = root.is_absolute();
    let real = if is_absolute { root.to_owned() } else { root.canonicalize().unwrap_or_else(|_| root.to_owned()) };
    for (depth, folder) in real.ancestors().enumerate() {
        let source = if depth == 0 { read_in(&spelled(root)) } else { read_in(folder) };
        let (place, own) = (if depth == 0 { &spelled(root) } else { folder }, spelled(root));
        let (own, above) = if is_absolute { (folder, 0) } else { (&*own, depth) };
        if let Some(file) = lombok_in(place, own, above) {
            lombok.entry(file.source.path.clone()).or_insert(file);
        }
        queries_in(place, own, above, queries);
        if let Some(source) = source {
            let below = real.strip_prefix(folder).unwrap_or(Path::new(""));
            let parts: Vec<String> = below.components().map(|it| it.as_os_str().to_string_lossy().into_owned()).collect();
            let (folder, prefix) = if is_absolute { (folder.to_owned(), String::new()) } else { (spelled(root), parts.join("/")) };
            found.push(Holding { source: source.into(), folder, prefix, name: format!("{}{FILE_NAME}", "../".repeat(depth)), whole: true });
        }
        if is_repository(folder) {
            break;
        }
    }
    found
}

fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists()
}

/// A root as the paths of files begin.
fn spelled(root: &Path) -> PathBuf {
    if root == Path::new(".") { PathBuf::new() } else { root.to_owned() }
}

/// The file in a folder, if there is one.
fn read_in(folder: &Path) -> Option<ConfigSource> {
    let path = folder.join(FILE_NAME);
    match read_file(&path, MAX_CONFIG) {
        Ok(text) => Some(ConfigSource::new(path, &text)),
        Err(Failure::None) => None,
        Err(Failure::Told(message)) => Some(ConfigSource::failed(path, message)),
    }
}

/// The `lombok.config` in a folder, which holds for the folder `own`.
fn lombok_in(folder: &Path, own: &Path, above: usize) -> Option<LombokFile> {
    let path = folder.join(LOMBOK_NAME);
    match read_file(&path, MAX_CONFIG) {
        Ok(text) => Some(LombokFile::new(path, &text, own.to_owned(), above)),
        Err(Failure::None) => None,
        Err(Failure::Told(message)) => Some(LombokFile::failed(path, message, own.to_owned())),
    }
}

/// Adds the files with queries that belong to a folder, and hold for the folder `own`.
fn queries_in(folder: &Path, own: &Path, above: usize, found: &mut BTreeMap<PathBuf, QueryFile>) {
    let Ok(entries) = fs::read_dir(folder.join(QUERY_FOLDER)) else { return };
    let paths = entries.flatten().map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "scm"));
    for path in paths {
        let file = match read_file(&path, MAX_QUERY) {
            Ok(text) => QueryFile::new(path.clone(), &text, own.to_owned(), above),
            Err(Failure::None) => continue,
            Err(Failure::Told(message)) => QueryFile::failed(path.clone(), message, own.to_owned()),
        };
        found.entry(path).or_insert(file);
    }
}

enum Failure {
    /// There is no such file.
    None,
    /// What is wrong with it.
    Told(String),
}

fn read_file(path: &Path, max: u64) -> Result<String, Failure> {
    let failed = |err: io::Error| match err.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Failure::None,
        io::ErrorKind::PermissionDenied => Failure::Told("permission denied".to_owned()),
        _ => Failure::Told(err.to_string()),
    };
    // Asked before it is opened: opening a pipe waits for a writer.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(Failure::Told("not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(max + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max {
        return Err(Failure::Told(format!("larger than {} KiB, passed over", max >> 10)));
    }
    String::from_utf8(bytes).map_err(|_| Failure::Told("not UTF-8, passed over".to_owned()))
}

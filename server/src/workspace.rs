//! The files of a workspace as the analysis sees them: facts, line index, and whether they are test sources.

use crate::config::Project;
use crate::facts::{self, FileFacts};
use crate::java;
use crate::java::queries::Queries;
use crate::text::{LineIndex, decode, parse_text};
use crate::wiring::{self, WiringFacts};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tree_sitter::Tree;

/// A larger file is generated code or no code: it is passed over with a note. In bytes.
pub const MAX_FILE: u64 = 8 << 20;

/// A compiled file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it is, as it was found: absolute, or relative to where the tool was started.
    pub path: PathBuf,
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Where its lines are.
    pub lines: Arc<LineIndex>,
    /// Test sources are read but get no verdicts.
    pub is_test: bool,
    /// What was odd about reading it.
    pub note: Option<&'static str>,
    /// The queries of the project that it was compiled with.
    pub queries: Option<Arc<Queries>>,
}

/// A file of wiring that was read.
#[derive(Debug)]
pub struct WiringFile {
    /// Where it is, as it was found.
    pub path: PathBuf,
    /// What it says.
    pub facts: Arc<WiringFacts>,
    /// Where its lines are.
    pub lines: Arc<LineIndex>,
    /// It lies among test sources, and so wires nothing together while the service runs.
    pub is_test: bool,
}

impl WiringFile {
    /// Reads the bytes of a file; `None` if it wires nothing together.
    pub fn from_bytes(path: PathBuf, root: &Path, bytes: Vec<u8>) -> Option<WiringFile> {
        let (facts, text) = wiring::read(&path, bytes)?;
        Some(WiringFile { is_test: is_test_source(&path, root), facts: Arc::new(facts), lines: Arc::new(LineIndex::new(&text)), path })
    }
}

impl WiringFile {
    /// The same file, as the project says whether it is a test source.
    pub fn placed(self, project: &Project) -> WiringFile {
        let is_test = project.is_test(&self.path).unwrap_or(self.is_test);
        WiringFile { is_test, ..self }
    }
}

/// All that is linked.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The Java files, sorted by path.
    pub files: Vec<Arc<SourceFile>>,
    /// The files of wiring, sorted by path.
    pub wiring: Arc<[Arc<WiringFile>]>,
    /// What the project says of itself.
    pub project: Arc<Project>,
}

impl Sources {
    /// One Java file in a workspace of which otherwise only the wiring and what the project says is known.
    pub fn alone(file: &Arc<SourceFile>, wiring: &Arc<[Arc<WiringFile>]>, project: &Arc<Project>) -> Sources {
        Sources { files: vec![Arc::clone(file)], wiring: Arc::clone(wiring), project: Arc::clone(project) }
    }
}

/// Java files that nothing else wires together.
impl From<Vec<Arc<SourceFile>>> for Sources {
    fn from(files: Vec<Arc<SourceFile>>) -> Sources {
        Sources { files, wiring: Arc::default(), project: Arc::default() }
    }
}

impl SourceFile {
    /// Compiles the bytes of a file. Never fails: any bytes give facts.
    pub fn from_bytes(path: PathBuf, root: &Path, bytes: Vec<u8>) -> SourceFile {
        Self::with_queries(path, root, bytes, None)
    }

    /// The same with the queries that hold for the file.
    pub fn with_queries(path: PathBuf, root: &Path, bytes: Vec<u8>, queries: Option<&Arc<Queries>>) -> SourceFile {
        let decoded = decode(bytes);
        let (file, _) = Self::from_text(path, root, &decoded.text, queries, false);
        SourceFile { note: file.note.or(decoded.note), ..file }
    }

    /// Compiles a text; with `hashes` members can be reused by the next [`SourceFile::edited`].
    /// `queries` are those that hold for the file.
    pub fn from_text(path: PathBuf, root: &Path, text: &str, queries: Option<&Arc<Queries>>, hashes: bool) -> (SourceFile, Option<Tree>) {
        let parsed = parse_text(text);
        let tree = java::parse(&parsed, None);
        let stem = stem(&path);
        let (facts, note) = match &tree {
            Some(tree) => (facts::compile(&parsed, tree, &stem, None, hashes, queries.map(|it| &**it)).facts, None),
            None => (FileFacts::empty(), Some("the parser gave up on this file")),
        };
        let is_test = is_test_source(&path, root) || is_in_test_folder(&path, root, facts.package.as_str());
        (SourceFile { facts: Arc::new(facts), lines: Arc::new(LineIndex::new(text)), is_test, note, path, queries: queries.cloned() }, tree)
    }

    /// Compiles the text after an edit, whose tree is `tree`: members with the same text keep their facts, and while
    /// the text has syntax errors the last good facts stand. `edit` is asked for only then.
    pub fn edited<'e>(&self, text: &str, tree: &Tree, edit: impl FnOnce() -> facts::Edit<'e>) -> SourceFile {
        let parsed = parse_text(text);
        let mut facts = facts::compile(&parsed, tree, &stem(&self.path), Some(&self.facts), true, self.queries.as_deref()).facts;
        if facts.errors != 0 {
            facts::retain(&mut facts, &self.facts, &edit());
        }
        SourceFile {
            path: self.path.clone(),
            facts: Arc::new(facts),
            lines: Arc::new(LineIndex::new(text)),
            is_test: self.is_test,
            note: None,
            queries: self.queries.clone(),
        }
    }
}

impl SourceFile {
    /// The same file, as the project says whether it is a test source.
    pub fn placed(self, project: &Project) -> SourceFile {
        let is_test = project.is_test(&self.path).unwrap_or(self.is_test);
        SourceFile { is_test, ..self }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a path has the name of a file that takes part in an analysis.
pub fn is_source_name(path: &Path) -> bool {
    is_java(path) || wiring::format_of(path).is_some()
}

/// Whether a path has the name of a Java file.
pub fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "java")
}

/// Whether a path below `root` is one that a walk takes. Builds copy files of wiring to where they put classes; there
/// they would be seen twice, and perhaps as they were long ago.
pub fn is_walked(path: &Path, root: &Path) -> bool {
    is_java(path) || (wiring::format_of(path).is_some() && !is_build_output(path.strip_prefix(root).unwrap_or(path)))
}

fn is_build_output(below: &Path) -> bool {
    let mut names = below.parent().into_iter().flat_map(Path::components).take_while(|it| it.as_os_str() != "src");
    names.any(|it| matches!(it.as_os_str().to_str(), Some("target" | "build" | "out" | "node_modules")))
}

/// Whether a file of a package lies in a folder of tests beside sources, `module/test/p/Name.java` or `module/test/java/p/Name.java`:
/// the package tells such a folder from one of its own.
fn is_in_test_folder(path: &Path, root: &Path, package: &str) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names: Vec<&str> =
        below.parent().into_iter().flat_map(Path::components).filter_map(|it| if let Component::Normal(name) = it { name.to_str() } else { None }).collect();
    let mut rest = &names[..];
    for part in package.split('.').rev().filter(|it| !it.is_empty()) {
        match rest {
            [before @ .., last] if *last == part => rest = before,
            _ => return false,
        }
    }
    matches!(rest, [.., "test" | "tests"] | [.., "test" | "tests", "java" | "unit" | "integration"]) && !rest.contains(&"src")
}

/// Whether a path below `root` is a test source: a source set named `test`, `*Test`, `*-test`, `testFixtures`,
/// `androidTest` or `it` (`src/<set>/java`), or `test/` beside `src/` or `main/`.
pub fn is_test_source(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names: Vec<&str> =
        below.parent().into_iter().flat_map(Path::components).filter_map(|it| if let Component::Normal(name) = it { name.to_str() } else { None }).collect();
    let is_set = |name: &str| matches!(name, "test" | "tests" | "testFixtures" | "androidTest" | "it") || name.ends_with("Test") || name.ends_with("-test");
    names.windows(2).any(|pair| pair[0] == "src" && is_set(pair[1])) || names.first().is_some_and(|first| *first == "test" || *first == "tests")
}

//! All files of one run together: which of them hold for a source file, and what they say of it.

use super::file::{Code, ConfigFile, Severity};
use super::{ConfigProblem, Globs, LombokFile, QueryFile, queries, read};
use crate::codes;
use crate::facts::generated::Lombok;
use crate::intern::Sym;
use crate::java::decls::Range;
use crate::java::queries::Queries;
use crate::settings::{Precision, Settings, Tier};
use crate::terms::World;
use crate::text::{Encoding, LineIndex, Position};
use rustc_hash::FxHashMap;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigSource {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub file: ConfigFile,
    /// Where its lines are.
    pub lines: LineIndex,
    /// What is wrong with it.
    pub problems: Vec<ConfigProblem>,
    /// Nothing of it could be read.
    failed: bool,
}

impl ConfigSource {
    /// Reads the text of a file.
    pub fn new(path: PathBuf, text: &str) -> ConfigSource {
        let (file, problems) = read(text);
        ConfigSource { path, file, lines: LineIndex::new(text), problems, failed: false }
    }

    /// A file of another kind, with what is wrong with it.
    pub(super) fn other(path: PathBuf, text: &str, problems: Vec<ConfigProblem>) -> ConfigSource {
        ConfigSource { path, file: ConfigFile::default(), lines: LineIndex::new(text), problems, failed: false }
    }

    /// A file that could not be read: it says nothing but that.
    pub fn failed(path: PathBuf, message: String) -> ConfigSource {
        let problems = vec![ConfigProblem { range: Range::default(), message }];
        ConfigSource { path, file: ConfigFile::default(), lines: LineIndex::new(""), problems, failed: true }
    }

    /// Where a problem is, if it is not all of the file.
    pub fn position(&self, problem: &ConfigProblem, encoding: Encoding) -> Option<Position> {
        (!self.failed).then(|| self.lines.position(problem.range.start as usize, encoding))
    }
}

/// A file and the folder for which it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holding {
    /// The file.
    pub source: Arc<ConfigSource>,
    /// The folder for whose source files it holds, spelled as their paths are; empty for all.
    pub folder: PathBuf,
    /// The way from the file's own folder to that one, with `/`: it lies above the run. Mostly empty.
    pub prefix: String,
    /// The path of the file for people, from the folder of the run on.
    pub name: String,
    /// It lies in the folder of the run or above, and so holds for all of it.
    pub whole: bool,
}

impl Holding {
    /// A file that holds for the folder it lies in, with the folder of the run, in one spelling.
    pub fn below(source: ConfigSource, run: &Path) -> Holding {
        let folder = source.path.parent().unwrap_or(Path::new("")).to_owned();
        let name = slashes(source.path.strip_prefix(run).unwrap_or(&source.path));
        Holding { source: Arc::new(source), whole: folder == run, folder, prefix: String::new(), name }
    }
}

impl Holding {
    /// The same, but not for a whole run.
    pub(super) fn of_part(self) -> Holding {
        Holding { whole: false, ..self }
    }
}

fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(MAIN_SEPARATOR, "/") }
}

/// What a row is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    /// Its value is state.
    Source,
    /// It is a mocking point.
    Point,
    /// Its result carries nothing.
    Sanitizer,
    /// It has no effect on results.
    Benign,
    /// It changes its receiver.
    Modifier,
    /// It is called from outside.
    Entry,
    /// Methods with this annotation are.
    EntryAnnotation,
    /// Classes with this annotation are beans.
    BeanAnnotation,
    /// Methods with this annotation, or of types with it, are mocking points.
    PointAnnotation,
    /// The field is never modified.
    NeverModified,
}

/// A row, as an index into [`Project::rows`].
pub type RowId = u32;

/// A row of any kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What for.
    pub used: Use,
    /// The type, or the annotation.
    pub ty: Sym,
    /// The member; `*` for all.
    pub member: Sym,
    /// Erased parameter types.
    pub params: Option<Sym>,
    /// What it is, for people.
    pub kind: Option<Sym>,
    /// Why it is here, for people.
    pub reason: Option<Sym>,
    /// The file, as an index.
    pub file: u32,
    /// Where it is.
    pub range: Range,
}

/// What the files of a run say together. Without files it says nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    holding: Vec<Holding>,
    /// For each file those that hold where it does: outer ones, then itself.
    chains: Vec<Vec<u32>>,
    by_folder: FxHashMap<PathBuf, u32>,
    rows: Vec<Row>,
    /// What a file that holds for all says of the whole run.
    run: Run,
    /// `lombok.config`s, the outer ones first.
    lombok_files: Vec<LombokFile>,
    /// What they say together in each folder that has one.
    lombok: FxHashMap<PathBuf, Lombok>,
    /// Files with queries, the outer ones first.
    query_files: Vec<QueryFile>,
    /// Those that hold in each folder that has some, as one; `None` if nothing can be run.
    queries: FxHashMap<PathBuf, Option<Arc<Queries>>>,
}

/// What is said of a whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The reading.
    pub precision: Option<Precision>,
    /// Who may call.
    pub world: Option<World>,
    /// Rows of the catalogue.
    pub tier: Option<Tier>,
    /// Threads.
    pub jobs: Option<u16>,
}

impl Run {
    /// This, and where it says nothing what `other` says.
    pub fn or(self, other: Run) -> Run {
        Run { precision: self.precision.or(other.precision), world: self.world.or(other.world), tier: self.tier.or(other.tier), jobs: self.jobs.or(other.jobs) }
    }

    /// The settings that follow, the default ones where nothing is said.
    pub fn settings(self) -> Settings {
        Settings { precision: self.precision.unwrap_or_default(), world: self.world.unwrap_or_default(), tier: self.tier.unwrap_or_default() }
    }
}

/// Which files hold for a source file; [`NO_SCOPE`] if none.
pub type ScopeId = u32;
/// No file holds.
pub const NO_SCOPE: ScopeId = u32::MAX;

impl Project {
    /// Of files in the order in which they lie: outer ones before inner ones.
    pub fn new(mut holding: Vec<Holding>) -> Project {
        let mut project = Project::default();
        for (index, it) in holding.iter().enumerate() {
            let around = |other: &Holding| it.folder.starts_with(&other.folder);
            let chain = (0..=index as u32).filter(|&outer| around(&holding[outer as usize])).collect();
            project.chains.push(chain);
            project.by_folder.insert(it.folder.clone(), index as u32);
            project.rows.extend(rows(&it.source.file, index as u32));
        }
        let mut decided = false;
        for it in &mut holding {
            let file = &it.source.file;
            if it.whole && !decided {
                decided = true;
                project.run = Run { precision: file.precision, world: file.world, tier: file.tier, jobs: file.jobs };
            } else if [file.precision.is_some(), file.world.is_some(), file.tier.is_some(), file.jobs.is_some()].contains(&true) {
                // Two files cannot both decide.
                let mut source = ConfigSource::clone(&it.source);
                let message = "`precision`, `world`, `tier` and `jobs` count only in the outermost file that holds for the whole run".to_owned();
                source.problems.insert(0, ConfigProblem { range: Range::default(), message });
                it.source = Arc::new(source);
            }
        }
        project.holding = holding;
        project
    }

    /// The same with `lombok.config`s.
    pub fn with_lombok(mut self, mut files: Vec<LombokFile>) -> Project {
        files.sort_by(|a, b| (&a.folder, b.above).cmp(&(&b.folder, a.above)));
        for file in &files {
            if !self.lombok.contains_key(&file.folder) {
                let mut said = Lombok::default();
                files.iter().filter(|it| file.folder.starts_with(&it.folder)).for_each(|it| it.apply(&mut said));
                self.lombok.insert(file.folder.clone(), said);
            }
        }
        self.lombok_files = files;
        self
    }

    /// The same with queries.
    pub fn with_queries(mut self, mut files: Vec<QueryFile>) -> Project {
        files.sort_by(|a, b| (&a.folder, b.above, &a.source.path).cmp(&(&b.folder, a.above, &b.source.path)));
        for file in &files {
            if !self.queries.contains_key(&file.folder) {
                self.queries.insert(file.folder.clone(), queries::in_folder(&files, &file.folder));
            }
        }
        self.query_files = files;
        self
    }

    /// The queries that hold for a source file, if any do.
    pub fn queries(&self, path: &Path) -> Option<&Arc<Queries>> {
        if self.queries.is_empty() {
            return None;
        }
        path.ancestors().skip(1).find_map(|it| self.queries.get(it)).or_else(|| self.queries.get(Path::new(""))).and_then(Option::as_ref)
    }

    /// Whether there is any query.
    pub fn has_queries(&self) -> bool {
        !self.queries.is_empty()
    }

    /// What `lombok.config`s say where a source file is, if they say anything.
    pub fn lombok(&self, path: &Path) -> Option<&Lombok> {
        if self.lombok.is_empty() {
            return None;
        }
        let found = path.ancestors().skip(1).find_map(|it| self.lombok.get(it)).or_else(|| self.lombok.get(Path::new("")));
        found.filter(|it| **it != Lombok::default())
    }

    /// Whether there is no `mockpoint.toml`.
    pub fn is_empty(&self) -> bool {
        self.holding.is_empty()
    }

    /// All files, outer ones first.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<ConfigSource>> {
        self.holding.iter().map(|it| &it.source).chain(self.lombok_files.iter().map(|it| &it.source)).chain(self.query_files.iter().map(|it| &it.source))
    }

    /// What is said of the whole run.
    pub fn run(&self) -> Run {
        self.run
    }

    /// The types and annotations that rows name.
    pub fn names(&self) -> impl Iterator<Item = Sym> {
        self.rows.iter().map(|it| it.ty)
    }

    /// All rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The file that a row is in.
    pub fn source_of(&self, row: &Row) -> &Arc<ConfigSource> {
        &self.holding[row.file as usize].source
    }

    /// `mockpoint.toml:12`, where a row is.
    pub fn place(&self, row: RowId) -> String {
        let Some(row) = self.rows.get(row as usize) else { return String::new() };
        let source = &self.holding[row.file as usize].source;
        let line = source.lines.position(row.range.start as usize, Encoding::Utf8).line + 1;
        format!("{}:{line}", self.holding[row.file as usize].name)
    }

    /// Which files hold for a source file.
    pub fn scope(&self, path: &Path) -> ScopeId {
        if self.holding.is_empty() {
            return NO_SCOPE;
        }
        path.ancestors().skip(1).find_map(|it| self.by_folder.get(it)).or_else(|| self.by_folder.get(Path::new(""))).copied().unwrap_or(NO_SCOPE)
    }

    /// The files that hold in a scope, inner ones first, with their numbers.
    fn inner_first(&self, scope: ScopeId) -> impl Iterator<Item = (u32, &Holding)> {
        let chain = self.chains.get(scope as usize).map_or(&[][..], Vec::as_slice);
        chain.iter().rev().map(|&it| (it, &self.holding[it as usize]))
    }

    /// Whether the rows of a file count in a scope.
    pub fn holds(&self, file: u32, scope: ScopeId) -> bool {
        self.chains.get(scope as usize).is_some_and(|it| it.contains(&file))
    }

    /// How serious findings of a code are in a scope, if that is said: by the nearest file that does.
    pub fn severity(&self, scope: ScopeId, code: &str) -> Option<Severity> {
        let code = code_of(code)?;
        self.inner_first(scope).find_map(|it| it.1.source.file.severity.get(&code).copied())
    }

    /// Whether a file is not to be read. The nearest file of which a pattern matches decides, as with `.gitignore`s.
    pub fn excludes(&self, path: &Path) -> bool {
        self.inner_first(self.scope(path)).find_map(|it| it.1.decide(&it.1.source.file.exclude, path)) == Some(true)
    }

    /// Whether any file is left out.
    pub fn has_excludes(&self) -> bool {
        self.holding.iter().any(|it| !it.source.file.exclude.is_empty())
    }

    /// Whether a file is a test source, if that is said: by the nearest file with the key.
    pub fn is_test(&self, path: &Path) -> Option<bool> {
        let (_, holding) = self.inner_first(self.scope(path)).find(|it| it.1.source.file.tests.is_some())?;
        let tests = holding.source.file.tests.as_ref()?;
        Some(holding.decide(tests, path) == Some(true))
    }
}

impl Holding {
    /// What patterns of this file say of a path.
    fn decide(&self, globs: &Globs, path: &Path) -> Option<bool> {
        if globs.is_empty() {
            return None;
        }
        let below = slashes(path.strip_prefix(&self.folder).ok()?);
        if self.prefix.is_empty() { globs.decide(&below) } else { globs.decide(&format!("{}/{below}", self.prefix)) }
    }
}

fn code_of(code: &str) -> Option<Code> {
    Some(match code {
        codes::MOCKING_POINT => Code::MockingPoint,
        codes::MODIFIED_FIELD => Code::ModifiedField,
        codes::NEVER_MODIFIED_FIELD => Code::NeverModifiedField,
        codes::LOST_SIDE_EFFECT => Code::LostSideEffect,
        codes::UNMOCKABLE_SOURCE => Code::UnmockableSource,
        codes::CARRIER_FIELD => Code::CarrierField,
        codes::UNRESOLVED_CONFIGURATION => Code::UnresolvedConfiguration,
        _ => return None,
    })
}

/// All rows of a file, in one form.
fn rows(file: &ConfigFile, number: u32) -> Vec<Row> {
    let any = Sym::new("*");
    let mut found = Vec::new();
    for (used, list) in [(Use::Source, &file.source), (Use::Point, &file.mocking_point)] {
        found.extend(list.iter().map(|it| Row {
            used,
            ty: it.ty,
            member: it.member,
            params: it.params,
            kind: it.kind,
            reason: it.reason,
            file: number,
            range: it.range,
        }));
    }
    let bare = |used, ty, member, reason, range| Row { used, ty, member, params: None, kind: None, reason, file: number, range };
    for (used, list) in [(Use::Sanitizer, &file.sanitizer), (Use::Benign, &file.benign), (Use::Modifier, &file.modifier)] {
        found.extend(list.iter().map(|it| Row { params: it.params, ..bare(used, it.ty, it.member, it.reason, it.range) }));
    }
    for it in &file.entry_point {
        match (it.annotation, it.ty, it.member) {
            (Some(annotation), ..) => found.push(bare(Use::EntryAnnotation, annotation, any, it.reason, it.range)),
            (None, Some(ty), Some(member)) => found.push(Row { params: it.params, ..bare(Use::Entry, ty, member, it.reason, it.range) }),
            _ => {}
        }
    }
    for (used, list) in [(Use::BeanAnnotation, &file.bean), (Use::PointAnnotation, &file.interaction_point)] {
        found.extend(list.iter().map(|it| bare(used, it.annotation, any, it.reason, it.range)));
    }
    found.extend(file.never_modified.iter().map(|it| bare(Use::NeverModified, it.ty, it.field, it.reason, it.range)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str, &str)]) -> Project {
        let holding = |&(folder, prefix, text): &(&str, &str, &str)| Holding {
            source: Arc::new(ConfigSource::new(Path::new(folder).join(super::super::FILE_NAME), text)),
            folder: folder.into(),
            prefix: prefix.to_owned(),
            name: format!("{folder}/mockpoint.toml"),
            whole: folder.is_empty(),
        };
        Project::new(files.iter().map(holding).collect())
    }

    #[test]
    fn the_nearest_file_wins_and_rows_add_up() {
        let row = |ty: &str| format!("[[source]]\ntype = \"{ty}\"\nmember = \"m\"\n");
        let off = "[severity]\nmocking-point = \"off\"\nmodified-field = \"off\"\n";
        let all = project(&[
            ("", "", &format!("world = \"library\"\n{off}{}", row("Outer"))),
            ("a", "", &format!("[severity]\nmocking-point = \"error\"\n{}", row("A"))),
            ("a/b", "", &row("B")),
            ("ab", "", &format!("world = \"application\"\n{}", row("Ab"))),
        ]);
        let seen = |path: &str| {
            let scope = all.scope(Path::new(path));
            all.rows().iter().filter(|it| all.holds(it.file, scope)).map(|it| it.ty.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(seen("X.java"), ["Outer"]);
        assert_eq!(seen("a/X.java"), ["Outer", "A"]);
        assert_eq!(seen("a/b/c/X.java"), ["Outer", "A", "B"]);
        assert_eq!(seen("ab/X.java"), ["Outer", "Ab"]);
        let severity = |path: &str, code| all.severity(all.scope(Path::new(path)), code);
        assert_eq!(severity("X.java", codes::MOCKING_POINT), Some(Severity::Off));
        assert_eq!(severity("a/b/X.java", codes::MOCKING_POINT), Some(Severity::Error));
        assert_eq!(severity("a/b/X.java", codes::MODIFIED_FIELD), Some(Severity::Off));
        assert_eq!(severity("a/b/X.java", codes::NEVER_MODIFIED_FIELD), None);
        assert_eq!(all.run().world, Some(World::Library));
        let wrong: Vec<usize> = all.sources().map(|it| it.problems.len()).collect();
        assert_eq!(wrong, [0, 0, 0, 1]);
        assert_eq!(all.place(1), "a/mockpoint.toml:3");
    }

    #[test]
    fn patterns_start_where_their_file_is() {
        let all = project(&[("", "server", "exclude = [\"/server/gen/\", \"*Dto.java\"]"), ("m", "", "exclude = [\"!Keep*.java\"]\ntests = [\"/it/\"]")]);
        let excluded = |path: &str| all.excludes(Path::new(path));
        assert!(excluded("gen/X.java") && !excluded("m/gen/X.java") && excluded("m/ADto.java") && !excluded("m/KeepDto.java") && excluded("KeepDto.java"));
        assert_eq!(all.is_test(Path::new("m/it/X.java")), Some(true));
        assert_eq!(all.is_test(Path::new("m/src/test/java/X.java")), Some(false));
        assert_eq!(all.is_test(Path::new("it/X.java")), None);
    }

    #[test]
    fn every_code_has_a_key() {
        for code in codes::ALL {
            assert!(code_of(code).is_some(), "{code}");
        }
    }
}

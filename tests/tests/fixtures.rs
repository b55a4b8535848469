//! Runs every fixture in both readings and compares the findings with what its comments state.
//!
//! The expectations stand in the source text, below the line they speak of; `tests/fixtures/README.md` has the
//! grammar. A missing finding fails, and so does one that nobody stated.

use mockpoint::analysis::analyse;
use mockpoint::config::{ConfigSource, FILE_NAME, Holding, LOMBOK_NAME, LombokFile, Project, QueryFile};
use mockpoint::settings::{Precision, Settings, Tier};
use mockpoint::verdict::{Category, Flow, Reason, World};
use mockpoint::workspace::{SourceFile, Sources, WiringFile};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An expectation or a finding: file, line, column of the name, what is said.
type Said = BTreeMap<(String, usize, usize), Vec<String>>;

struct Fixture {
    files: Vec<(String, String)>,
    settings: Settings,
    states_unmockable: bool,
    states_carriers: bool,
}

fn parse(name: &str, text: &str) -> Fixture {
    let mut settings = Settings::default();
    let mut files: Vec<(String, String)> = Vec::new();
    let mut current = (format!("src/main/java/{name}"), String::new());
    for line in text.split_inclusive('\n') {
        if let Some(option) = line.trim_end().strip_prefix("//! ") {
            match option {
                "world = \"library\"" => settings.world = World::Library,
                "world = \"with-tests\"" => settings.world = World::WithTests,
                "world = \"application\"" => settings.world = World::Application,
                "tier = \"opt-in\"" => settings.tier = Tier::OptIn,
                other => panic!("{name}: unknown option {other}"),
            }
        }
        if let Some(path) = line.trim_end().strip_prefix("//- ") {
            let is_preface = files.is_empty() && current.0.ends_with(name);
            if is_preface && !current.1.contains("class ") && !current.1.contains("interface ") {
                current.1.clear();
            }
            if !current.1.is_empty() {
                files.push(std::mem::take(&mut current));
            }
            current = (path.to_owned(), String::new());
        } else {
            current.1.push_str(line);
        }
    }
    files.push(current);
    files.sort();
    let states = |what: &str| files.iter().flat_map(|it| it.1.lines()).filter_map(is_expectation).any(|it| it.1.contains(what));
    let (states_unmockable, states_carriers) = (states("unmockable: "), states("carries "));
    Fixture { files, settings, states_unmockable, states_carriers }
}

fn is_expectation(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start().strip_prefix("//")?;
    let carets = rest.trim_start();
    if !carets.starts_with('^') {
        return None;
    }
    let column = line.chars().take_while(|c| *c != '^').count();
    Some((column, carets.trim_start_matches('^').trim()))
}

fn expected(file: &str, text: &str, precision: Precision, said: &mut Said) {
    let mut code_line = 0;
    for (number, line) in text.lines().enumerate() {
        let Some((column, what)) = is_expectation(line) else {
            code_line = number;
            continue;
        };
        let what = match (what.strip_prefix("[paper] "), what.strip_prefix("[refined] ")) {
            (Some(what), _) if precision == Precision::Paper => what,
            (_, Some(what)) if precision == Precision::Refined => what,
            (None, None) => what,
            _ => continue,
        };
        said.entry((file.to_owned(), code_line, column)).or_default().push(what.to_owned());
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Constant => "constant",
        Reason::NoModifier => "no modifier",
        Reason::ModifierNeverCalled => "modifier never called",
        Reason::StartUpOnly => "start-up only",
        Reason::LazyConstant => "lazy constant",
        Reason::Injected => "injected",
        Reason::Declared => "declared",
    }
}

/// What the `mockpoint.toml`s of a fixture say, the outer ones first.
fn project(fixture: &Fixture) -> Arc<Project> {
    let files = fixture.files.iter().filter(|it| it.0.ends_with(FILE_NAME));
    let mut sources: Vec<ConfigSource> = files.map(|(path, text)| ConfigSource::new(PathBuf::from(path), text)).collect();
    sources.sort_by_key(|it| it.path.components().count());
    for it in &sources {
        assert_eq!(it.problems, [], "{}", it.path.display());
    }
    let lombok = fixture.files.iter().map(|it| (Path::new(&it.0), &it.1)).filter(|it| it.0.ends_with(LOMBOK_NAME));
    let lombok = lombok.map(|(path, text)| LombokFile::new(path.to_owned(), text, path.parent().unwrap_or(path).to_owned(), 0)).collect();
    let is_query = |path: &Path| path.extension().is_some_and(|it| it == "scm");
    let queries = fixture.files.iter().map(|it| (Path::new(&it.0), &it.1)).filter(|it| is_query(it.0)).map(|(path, text)| {
        let folder = path.ancestors().nth(3).unwrap_or(path).to_owned();
        let file = QueryFile::new(path.to_owned(), text, folder, 0);
        assert_eq!(file.source.problems, [], "{}", path.display());
        file
    });
    let project = Project::new(sources.into_iter().map(|it| Holding::below(it, Path::new(""))).collect());
    Arc::new(project.with_lombok(lombok).with_queries(queries.collect()))
}

fn found(fixture: &Fixture, precision: Precision) -> Said {
    let project = project(fixture);
    let java = || fixture.files.iter().filter(|it| it.0.ends_with(".java"));
    let compiled = |path: &str, text: &str| SourceFile::from_text(PathBuf::from(path), Path::new(""), text, project.queries(Path::new(path)), false).0;
    let files: Vec<Arc<SourceFile>> = java().map(|(path, text)| Arc::new(compiled(path, text).placed(&project))).collect();
    let wiring = fixture.files.iter().filter_map(|(path, text)| {
        let file = WiringFile::from_bytes(PathBuf::from(path), Path::new(""), text.clone().into_bytes())?;
        assert_eq!(file.facts.problems, [], "{path}");
        Some(Arc::new(file))
    });
    let sources = Sources { files, wiring: wiring.collect(), project };
    let linked = analyse(sources, Settings { precision, ..fixture.settings }, None);
    let mut said = Said::new();
    let mut add = |place: mockpoint::verdict::Place, what: String| {
        let (path, text) = java().nth(place.file as usize).expect("a place is in a file");
        let before = &text[..place.range.start as usize];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        said.entry((path.clone(), line, column)).or_default().push(what);
    };
    for point in &linked.verdicts.mocking_points {
        // A library wrapper is a mocking point itself.
        if point.flow == Flow::None && point.categories == [Category::System] {
            continue;
        }
        let mut what = String::from("mock");
        for category in &point.categories {
            what += match category {
                Category::System => " system",
                Category::Internal => " internal",
                Category::External => " external",
                Category::WhiteList => " white-list",
            };
        }
        what += match point.flow {
            Flow::Intra => " intra",
            Flow::Inter => " inter",
            Flow::None => " none",
        };
        let mut sources: Vec<String> = point
            .sources
            .iter()
            .map(|it| match &it.via {
                Some(via) => format!("{} via {via}", it.what),
                None => it.what.clone(),
            })
            .collect();
        // Reading the same thing in several places is stated once.
        sources.dedup();
        let _ = write!(what, " <- {}", sources.join(", "));
        add(point.place, what);
        for lost in &point.lost {
            add(point.place, format!("loses {}", lost.what.replace('`', "")));
        }
    }
    // Constructors and initialisers are in many fixtures whose rule is another one.
    if fixture.states_unmockable {
        for it in &linked.verdicts.unmockable {
            let fields: Vec<&str> = it.fields.iter().map(|it| it.field.as_str()).collect();
            let kept = if fields.is_empty() { String::new() } else { format!(" keeps it in {}", fields.join(", ")) };
            add(it.read.place, format!("unmockable: {} in {}{kept}", it.read.what, mockpoint::codes::within(it.within)));
        }
    }
    if fixture.states_carriers {
        for it in (0..linked.files.len()).flat_map(|id| linked.carriers(id as u32, &linked.files[id])) {
            for it in it.carried.iter().map(|carried| (it.place, carried)) {
                add(it.0, format!("carries {} <- {}", mockpoint::codes::category(it.1.category), it.1.what));
            }
        }
    }
    for field in &linked.verdicts.fields {
        let what = match field.ruled_out {
            Some(it) => format!("ruled-out: {}", reason(it)),
            None => {
                let mut modifiers: Vec<&str> = field.modifiers.iter().filter(|it| it.called).map(|it| it.method.as_str()).collect();
                modifiers.sort_unstable();
                format!("modified by {}", modifiers.join(", "))
            }
        };
        add(field.place, what);
    }
    said
}

/// Whether a finding is what an expectation states. An expectation without `<-` leaves the sources open.
fn matches(expected: &str, found: &str) -> bool {
    expected == found || (!expected.contains("<-") && found.split(" <- ").next() == Some(expected))
}

fn check(name: &str, text: &str, report: &mut String) -> usize {
    let fixture = parse(name, text);
    let mut wrong = 0;
    for precision in [Precision::Refined, Precision::Paper] {
        let mut expectations = Said::new();
        for (path, text) in &fixture.files {
            expected(path, text, precision, &mut expectations);
        }
        let findings = found(&fixture, precision);
        let mut keys: Vec<_> = expectations.keys().chain(findings.keys()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let (mut want, mut got) = (expectations.get(key).cloned().unwrap_or_default(), findings.get(key).cloned().unwrap_or_default());
            want.retain(|want| match got.iter().position(|got| matches(want, got)) {
                Some(at) => {
                    got.remove(at);
                    false
                }
                None => true,
            });
            for (what, kind) in want.iter().map(|it| (it, "missing")).chain(got.iter().map(|it| (it, "extra  "))) {
                wrong += 1;
                let line = fixture.files.iter().find(|it| it.0 == key.0).and_then(|it| it.1.lines().nth(key.1)).unwrap_or_default();
                let _ = writeln!(report, "{name} [{precision:?}] line {}: {kind} {what}\n        {}", key.1 + 1, line.trim());
            }
        }
    }
    wrong
}

fn run(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&root).unwrap().map(|it| it.unwrap().path()).filter(|it| it.extension().is_some_and(|it| it == "java")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no fixtures in {}", root.display());
    let only = std::env::var("FIXTURE").ok();
    let mut report = String::new();
    let (mut wrong, mut bad) = (0, 0);
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let n = check(&name, &text, &mut report);
        wrong += n;
        bad += usize::from(n > 0);
    }
    assert!(wrong == 0, "{wrong} wrong in {bad} of {} fixtures of {folder}\n{report}", paths.len());
}

#[test]
fn figures_of_the_paper() {
    run("paper");
}

#[test]
fn rules_and_near_misses() {
    run("rules");
}

#[test]
fn what_pattern_based_tools_get_wrong() {
    run("pitfalls");
}

#[test]
fn everything_java_can_write() {
    run("syntax");
}

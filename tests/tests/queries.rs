//! `.mockpoint/queries/*.scm`: what is wrong with them, where they count, and that an edit and a change of them say the same
//! as a fresh start.

use mockpoint::config::above;
use mockpoint::host::Host;
use mockpoint::java::parse;
use mockpoint::java::queries::{MAX_QUERY, Queries, check};
use mockpoint::link::link;
use mockpoint::link::resolve::Listing;
use mockpoint::load::{LoadOptions, load};
use mockpoint::settings::Settings;
use mockpoint::terms::Category;
use mockpoint::text::{Change, Encoding};
use mockpoint_tests::Tree;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const USES: &str = "package p;\nclass Uses {\n    Engine engine;\n    long at() { return engine.tick(); }\n    long size() { return engine.size(); }\n}\ninterface Engine {\n    long tick();\n    long size();\n}\n";
const QUERY: &str = ".mockpoint/queries/engine.scm";

fn calls_of(name: &str) -> String {
    format!("((method_invocation name: (identifier) @_name) @source.system (#eq? @_name \"{name}\"))\n")
}

/// The mocking points of the last link, and of one file as its editor has it.
fn points(host: &mut Host) -> Vec<String> {
    host.settle();
    host.last_link().verdicts.mocking_points.iter().map(|it| it.method.name.clone()).collect()
}

fn quick(host: &mut Host, path: &Path) -> Vec<String> {
    let snapshot = host.snapshot();
    snapshot.view(path).and_then(|it| it.findings().cloned()).map_or_else(Vec::new, |it| it.points.iter().map(|it| it.method.name.clone()).collect())
}

#[test]
fn what_is_wrong_is_told_and_costs_its_file_only() {
    let tree = Tree::with(&[
        (".git/HEAD", ""),
        ("src/Uses.java", USES),
        (QUERY, &calls_of("tick")),
        (".mockpoint/queries/bad.scm", "; two lines\n(method_invokation) @benign\n"),
        (".mockpoint/queries/odd.scm", "(method_invocation) @benin\n"),
        (".mockpoint/queries/notes.txt", "(("),
    ]);
    let run = tree.run(&["check"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for said in [
        ".mockpoint/queries/bad.scm:2:2: no node of Java's grammar is called `method_invokation`",
        ".mockpoint/queries/odd.scm:1:21: `@benin` means nothing: known are source.system, source.external, benign,",
    ] {
        assert!(run.stderr.contains(said), "{said}: {run:?}");
    }
    assert!(!run.stderr.contains("notes.txt"), "{run:?}");
    let json = tree.run(&["check", "--format", "json"]).json();
    assert_eq!(json["statistics"]["points"]["system"], 1, "{json:#}");
    let text = tree.run(&["check", "--explain"]).stdout;
    assert!(text.contains("reads p.Engine.tick(); a query in .mockpoint/queries marks it"), "{text}");
}

#[test]
fn a_file_that_cannot_be_read() {
    let long = ";".repeat(MAX_QUERY as usize + 1);
    let tree = Tree::with(&[(".git/HEAD", ""), ("Uses.java", USES), (".mockpoint/queries/long.scm", &long), (".mockpoint/queries/folder.scm/x", "")]);
    tree.write(".mockpoint/queries/latin.scm", b"; \xe9\n");
    let run = tree.run(&["check"]);
    for said in ["long.scm: larger than 64 KiB, passed over", "folder.scm: not a regular file", "latin.scm: not UTF-8, passed over"] {
        assert!(run.stderr.contains(said), "{said}: {run:?}");
    }
}

/// Queries of the folder that is analysed and of those above it up to the repository hold, others do not.
#[test]
fn those_above_hold() {
    let tree = Tree::with(&[(".git/HEAD", ""), (QUERY, &calls_of("tick")), ("m/src/Uses.java", USES), ("other/.mockpoint/queries/o.scm", &calls_of("size"))]);
    let n = |args: &[&str]| tree.run(args).json()["statistics"]["points"]["system"].clone();
    assert_eq!(n(&["check", "--format", "json", "m"]), 1);
    assert_eq!(n(&["check", "--format", "json"]), 1);
    let project = above(&[tree.join("m")]).with(std::iter::empty());
    assert!(project.queries(&tree.join("m/src/Uses.java")).is_some() && project.queries(Path::new("/elsewhere/Uses.java")).is_none());
}

#[test]
fn an_editor_follows() {
    let tree = Tree::with(&[(".git/HEAD", ""), ("src/p/Uses.java", USES), (QUERY, &calls_of("tick"))]);
    let (query, uses) = (tree.join(QUERY), tree.join("src/p/Uses.java"));
    let mut host = Host::default();
    host.add_root(tree.path().to_owned());
    assert_eq!(points(&mut host), ["at"]);
    // A closed file and an open one follow a change of the query.
    tree.write(QUERY, calls_of("size").as_bytes());
    host.disk_changed([query.clone()]);
    assert_eq!(points(&mut host), ["size"]);
    host.open(uses.clone(), USES, 1);
    assert_eq!(quick(&mut host, &uses), ["size"]);
    tree.write(QUERY, calls_of("tick").as_bytes());
    host.disk_changed([query.clone()]);
    assert_eq!(points(&mut host), ["at"]);
    assert_eq!(quick(&mut host, &uses), ["at"]);
    // What is typed is marked as soon as it is there, and no longer when it is gone.
    let whole = |text: String| [Change { range: None, text }];
    let typed = USES.replace("engine.size()", "engine.tick()");
    assert!(host.change(&uses, 2, &whole(typed.clone()), Encoding::Utf16));
    assert_eq!(quick(&mut host, &uses), ["at", "size"]);
    assert_eq!(points(&mut host), ["at", "size"]);
    assert!(host.change(&uses, 3, &whole(typed.replace("return engine.tick(); }\n    long size", "return 1; }\n    long size")), Encoding::Utf16));
    assert_eq!(quick(&mut host, &uses), ["size"]);
    // The folder goes, and with it what it says.
    fs::remove_dir_all(tree.join(".mockpoint")).expect("it is there");
    host.removed(&tree.join(".mockpoint"));
    assert_eq!(points(&mut host), [""; 0]);
    assert_eq!(quick(&mut host, &uses), [""; 0]);
}

/// A member whose text stays but which is marked otherwise, since the head of its class changed, is compiled again.
#[test]
fn a_mark_that_depends_on_what_is_elsewhere() {
    let query = "(class_declaration superclass: (superclass (type_identifier) @_up)\n  body: (class_body (method_declaration name: (identifier) @mock))\n  (#eq? @_up \"Recorded\"))";
    let text = "package p;\nclass Uses extends Recorded {\n    int a() { return 1; }\n}\n";
    let tree = Tree::with(&[(".git/HEAD", ""), ("p/Uses.java", text), (QUERY, query)]);
    let uses: PathBuf = tree.join("p/Uses.java");
    let mut host = Host::default();
    host.add_root(tree.path().to_owned());
    host.open(uses.clone(), text, 1);
    assert_eq!(points(&mut host), ["a"]);
    let change = |text: &str| [Change { range: None, text: text.to_owned() }];
    assert!(host.change(&uses, 2, &change(&text.replace("Recorded", "Forgotten")), Encoding::Utf16));
    assert_eq!(points(&mut host), [""; 0]);
    assert!(host.change(&uses, 3, &change(text), Encoding::Utf16));
    assert_eq!(points(&mut host), ["a"]);
}

/// What nobody vouches for costs little: to read, and to run.
#[test]
fn hostile_queries_cost_little() {
    let begun = Instant::now();
    let max = MAX_QUERY as usize;
    for text in [
        "(".repeat(max),
        "[".repeat(max),
        "\"".repeat(max - 1),
        "(method_invocation) @benign\n".repeat(max / 28),
        "((identifier) @_a (#match? @_a \"(a{1,900}){1,900}\"))".to_owned(),
    ] {
        check(&text);
    }
    let wild = "(_ (_)* @_a (_)* @_b (_)*) @mock\n".repeat(8);
    let together = Queries::new(&[("one.scm", &wild), ("other.scm", &wild)]).expect("they are right");
    for text in [
        format!("class A {{ int m() {{ return {}; }} }}", vec!["f(1)"; 2_000].join(" + ")),
        format!("class B {{ {} }}", "int m() { return f(1, 2, g(3)); }\n".repeat(2_000)),
    ] {
        let tree = parse(&text, None).expect("a tree");
        assert_eq!(together.run(&tree, &text).given_up, ["one.scm", "other.scm"]);
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// One that takes too many steps in a file is told, and costs the marks of no other.
#[test]
fn what_is_given_up_is_told() {
    let wild = "(_ (_)* @_a (_)* @_b (_)*) @mock\n".repeat(8);
    let many = format!("class Many {{ long at(Engine engine) {{ return engine.tick() + {}; }} }}", vec!["f(1)"; 2_000].join(" + "));
    let tree = Tree::with(&[(".git/HEAD", ""), ("src/Many.java", &many), (QUERY, &calls_of("tick")), (".mockpoint/queries/wild.scm", &wild)]);
    let mut loaded = load(&[tree.path().to_owned()], &LoadOptions::default(), &());
    let said: Vec<&str> = loaded.problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(said, ["the queries of .mockpoint/queries/wild.scm take too many steps here, not all that they mark is known"]);
    assert!(loaded.problems[0].path.ends_with("src/Many.java"));
    let linked = link(loaded.take_sources(), Settings::default(), None);
    assert_eq!(linked.resolved.iter().flat_map(|it| &it.calls).filter(|it| it.listing == Listing::Marked(Category::System)).count(), 1);
}

//! `mockpoint.toml`: what is read of it, what is wrong with it, and what it changes.

use mockpoint::config::{ConfigFile, Run as Asked, read};
use mockpoint::host::Host;
use mockpoint::settings::{Precision, Tier};
use mockpoint::text::{Encoding, LineIndex};
use mockpoint::verdict::World;
use mockpoint_tests::{GOOD, Run, Tree};
use std::fs;
use std::time::{Duration, Instant};

/// What is wrong with a text, as `line:column message`.
fn problems(text: &str) -> Vec<String> {
    let lines = LineIndex::new(text);
    let place = |offset: u32| lines.position(offset as usize, Encoding::Utf16);
    read(text).1.iter().map(|it| (place(it.range.start), it)).map(|(at, it)| format!("{}:{} {}", at.line + 1, at.column + 1, it.message)).collect()
}

#[test]
fn all_keys_are_read() {
    let text = r#"
precision = "paper"
world = "with-tests"
tier = "opt-in"
jobs = 3
exclude = ["a/"]
tests = []
severity = { modified-field = "off", mocking-point = "error" }
source = [{ type = "a.B", member = "*" }]
[[mocking-point]]
type = "a.B.C"
member = "m"
params = "( java.lang.String , int[] )"
kind = "k"
reason = "r"
[[sanitizer]]
type = "a.B"
member = "m"
[[benign]]
type = "a.B"
member = "m"
[[modifier]]
type = "a.B"
member = "m"
[[entry-point]]
type = "a.B"
member = "m"
[[entry-point]]
annotation = "a.Handles"
[[bean]]
annotation = "a.Bean"
[[interaction-point]]
annotation = "a.Remote"
[[never-modified]]
type = "a.B"
field = "f"
"#;
    let (file, wrong) = read(text);
    assert_eq!(wrong, []);
    assert_eq!((file.precision, file.world, file.tier, file.jobs), (Some(Precision::Paper), Some(World::WithTests), Some(Tier::OptIn), Some(3)));
    assert_eq!(file.severity.len(), 2);
    assert!(file.tests.is_some_and(|it| it.is_empty()) && !file.exclude.is_empty());
    assert_eq!((file.source.len(), file.sanitizer.len(), file.benign.len(), file.modifier.len()), (1, 1, 1, 1));
    assert_eq!((file.entry_point.len(), file.bean.len(), file.interaction_point.len(), file.never_modified.len()), (2, 1, 1, 1));
    let row = &file.mocking_point[0];
    let words = [Some(row.ty), Some(row.member), row.params, row.kind, row.reason].map(|it| it.map_or("", |it| it.as_str()));
    assert_eq!(words, ["a.B.C", "m", "(java.lang.String,int[])", "k", "r"]);
    let range = row.range.start as usize..row.range.end as usize;
    assert_eq!(&text[range], "[[mocking-point]]");
}

#[test]
fn errors_name_place_and_key() {
    for (text, said) in [
        ("precison = \"paper\"", "1:1 unknown key `precison`; did you mean `precision`?"),
        ("[[source]]\ntype = \"a.B\"\nmember = \"m\"\nparms = \"()\"", "4:1 unknown key `source.parms`; did you mean `params`?"),
        ("[[benign]]\ntype = \"a.B\"\nmember = \"m\"\nkind = \"k\"", "4:1 unknown key `benign.kind`; known are type, member, params, reason"),
        ("world = \"libary\"", "1:9 `world` must be `application`, `library` or `with-tests`, not `libary`"),
        ("world = 1", "1:9 `world` must be a string, not an integer"),
        ("jobs = 0", "1:8 `jobs` must be from 1 to 1024"),
        ("jobs = 0xffffffffffff", "1:8 `jobs` must be from 1 to 1024"),
        ("jobs = \"4\"", "1:8 `jobs` must be an integer, not a string"),
        ("\nexclude = \"gen\"", "2:11 `exclude` must be a list of strings, not a string"),
        ("exclude = [\"gen/\", 1]", "1:20 `exclude` must be a string, not an integer"),
        ("exclude = [\"gen/\", \"a[\"]", "1:20 `exclude`: `a[` is no pattern: unclosed character class; missing ']'"),
        ("severity = \"off\"", "1:12 `severity` must be a table, not a string"),
        ("[severity]\nmocking-pont = \"off\"", "2:1 unknown key `severity.mocking-pont`; did you mean `mocking-point`?"),
        ("[severity]\nmocking-point = \"none\"", "2:17 `severity.mocking-point` must be `error`, `warning`, `information`, `hint` or `off`, not `none`"),
        ("[source]\ntype = \"a.B\"", "1:1 `source` must be a list of tables, not a table"),
        ("source = [1]", "1:11 `source` must be a table, not an integer"),
        ("[[source]]\nmember = \"m\"", "1:1 `source` lacks `type`"),
        ("[[source]]\ntype = \"a b\"\nmember = \"m\"", "2:8 `source.type` must be the qualified name of a type, such as `com.example.Outer.Inner`, not `a b`"),
        ("[[source]]\ntype = \"a.B\"\nmember = \"m()\"", "3:10 `source.member` must be a name, `<init>` or `*`, not `m()`"),
        (
            "[[source]]\ntype = \"a.B\"\nmember = \"m\"\nparams = \"int\"",
            "4:10 `source.params` must be erased parameter types, such as `(java.lang.String,int)`, not `int`",
        ),
        ("[[entry-point]]\ntype = \"a.B\"", "1:1 `entry-point` must have either `annotation`, or `type` and `member`"),
        ("[[entry-point]]\nannotation = \"A\"\nmember = \"m\"", "1:1 `entry-point` must have either `annotation`, or `type` and `member`"),
        ("[[bean]]\nannotation = 1.5", "2:14 `bean.annotation` must be a string, not a float"),
        ("[[never-modified]]\ntype = \"a.B\"", "1:1 `never-modified` lacks `field`"),
        ("世 = 1\nworld = application", "1:1 not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`"),
    ] {
        assert_eq!(problems(text).first().map(String::as_str), Some(said), "{text}");
    }
}

#[test]
fn what_is_right_stands_beside_what_is_wrong() {
    let text = "world = application\ntier = \"opt-in\"\nexclude = [\"a[\", \"b/\"]\n[[source]]\ntype = 1\nmember = \"lost\"\n[[source]]\ntype = \"a.B\"\nmember = \"kept\"\nreason = 3\n[[source]\ntype = \"a.C\"\n";
    let (file, wrong) = read(text);
    assert!(wrong.iter().any(|it| it.message.starts_with("not TOML")));
    assert_eq!((file.world, file.tier), (None, Some(Tier::OptIn)));
    assert_eq!(file.exclude.decide("b/X.java"), Some(true));
    assert_eq!(file.source.iter().map(|it| it.member.as_str()).collect::<Vec<_>>(), ["kept"]);
}

#[test]
fn hostile_texts_cost_little() {
    let deep = |open: &str, n: usize| format!("x = {}", open.repeat(n));
    let keys = (0..20_000).fold(String::new(), |text, it| text + &format!("precisio{it} = 1\n"));
    let globs = format!("exclude = [{}]", "\"**/{a,b,c}{d,e,f}{g,h}*/**/?x[a-z]*\",".repeat(5_000));
    let rows = "[[source]]\ntype = 1\n".repeat(12_000);
    for text in [deep("[", 100_000), deep("{a=", 60_000), "a.".repeat(100_000) + "a = 1", "]]= [\n".repeat(40_000), keys, globs, rows, "\0".repeat(200_000)] {
        let start = Instant::now();
        let (_, wrong) = read(&text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?} for {:?}", &text[..20]);
        assert!(wrong.len() <= 50, "{}", wrong.len());
    }
    assert!(problems(&"[[source]]\n".repeat(200)).last().is_some_and(|it| it.ends_with("(and 350 more)")));
}

#[test]
fn init_writes_a_file_that_says_nothing_and_never_overwrites() {
    let tree = Tree::new();
    let run = tree.run(&["init"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let text = fs::read_to_string(tree.join("mockpoint.toml")).expect("it was written");
    assert_eq!(read(&text), (ConfigFile::default(), Vec::new()));
    tree.write("mockpoint.toml", b"mine");
    let run = tree.run(&["init"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains("mockpoint.toml is there already"), "{run:?}");
    assert_eq!(fs::read(tree.join("mockpoint.toml")).expect("it is there"), b"mine");
    let run = tree.run(&["init", "no/such/folder"]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot write no/such/folder/mockpoint.toml"), "{run:?}");
}

/// `file Class#method categories flow` of all mocking points.
fn points(run: &Run) -> Vec<String> {
    let json = run.json();
    let point = |it: &serde_json::Value| {
        let text = |it: &serde_json::Value| it.as_str().unwrap_or_default().to_owned();
        let categories: Vec<String> = it["categories"].as_array().into_iter().flatten().map(text).collect();
        format!("{} {}#{} {} {}", text(&it["file"]), text(&it["method"]["class"]), text(&it["method"]["name"]), categories.join("+"), text(&it["flow"]))
    };
    json["mocking_points"].as_array().into_iter().flatten().map(point).collect()
}

const TICKER: &str = "[[source]]\ntype = \"com.acme.Ticker\"\nmember = \"read\"\nreason = \"wraps the clock\"\n";
const USES: &str = "package p;\n\nimport com.acme.Ticker;\n\nclass Uses {\n    long now(Ticker it) { return it.read(); }\n}\n";

#[test]
fn the_file_is_found_above_each_source() {
    let tree =
        Tree::with(&[("repo/.git/HEAD", ""), ("mockpoint.toml", "world = \"nowhere\""), ("repo/mockpoint.toml", TICKER), ("repo/server/src/Uses.java", USES)]);
    let found = ["Uses.java p.Uses#now white-list intra"];
    let without_folder = |run: &Run| points(run).into_iter().map(|it| it.rsplit_once('/').map_or(it.clone(), |it| it.1.to_owned())).collect::<Vec<_>>();
    for (folder, args) in [
        ("repo", &["check", "--format", "json"][..]),
        ("repo/server/src", &["check", "--format", "json"]),
        ("", &["check", "--format", "json", "repo/server"]),
        ("", &["check", "--format", "json", "repo/server/src/Uses.java"]),
        ("repo/server", &["check", "--format", "json", "../server/src"]),
    ] {
        let run = mockpoint_tests::run(&tree.join(folder), args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{folder} {args:?}");
        assert_eq!(without_folder(&run), found, "{folder} {args:?}: {run:?}");
    }
    // What lies above the repository is of no concern, unless it is where the run begins.
    let run = tree.run(&["check", "repo/.."]);
    assert!(run.stderr.contains("mockpoint.toml:1:9: `world` must be"), "{run:?}");
    // The place of the row is told from the run's folder.
    let run = mockpoint_tests::run(&tree.join("repo/server"), &["explain", "Uses#now"]);
    assert!(run.stdout.contains("reads com.acme.Ticker.read(); ../mockpoint.toml:1 lists it (wraps the clock)"), "{run:?}");
}

#[test]
fn problems_are_told_with_their_place_and_the_rest_goes_on() {
    let tree = Tree::with(&[
        ("src/Uses.java", USES),
        ("mockpoint.toml", &format!("{TICKER}parms = 1\n[[sorce]]\n")),
        ("src/mockpoint.toml", "world = \"library\"\n[[bean]]\n"),
    ]);
    let run = tree.run(&["check", "--format", "json"]);
    let json = run.json();
    let problems: Vec<String> =
        json["files"]["problems"].as_array().into_iter().flatten().map(|it| format!("{} {} {}", it["file"], it["position"]["line"], it["message"])).collect();
    assert_eq!(
        problems,
        [
            "\"mockpoint.toml\" 5 \"unknown key `source.parms`; did you mean `params`?\"",
            "\"mockpoint.toml\" 6 \"unknown key `sorce`; did you mean `source`?\"",
            "\"src/mockpoint.toml\" 1 \"`precision`, `world`, `tier` and `jobs` count only in the outermost file that holds for the whole run\"",
            "\"src/mockpoint.toml\" 2 \"`bean` lacks `annotation`\"",
        ]
    );
    assert_eq!(json["world"], "application");
    assert_eq!(points(&run), ["src/Uses.java p.Uses#now white-list intra"]);
    let run = tree.run(&["check"]);
    assert!(run.stderr.contains("warning: mockpoint.toml:5:1: unknown key `source.parms`"), "{run:?}");
    assert!(run.stdout.contains("(white-list, intra): reads com.acme.Ticker.read()") && run.stdout.contains("Found 1 mocking point (1 white-list)"), "{run:?}");
}

#[test]
fn what_cannot_be_read_costs_only_itself() {
    let tree = Tree::with(&[
        ("a/Uses.java", USES),
        ("a/mockpoint.toml", TICKER),
        ("b/Good.java", GOOD),
        ("c/Good.java", &GOOD.replace("Good", "Other")),
        ("d/D.java", "class D { }"),
    ]);
    tree.write("b/mockpoint.toml", b"world = \"\xff\"");
    tree.write("c/mockpoint.toml", &vec![b'#'; 300_000]);
    fs::create_dir(tree.join("d/mockpoint.toml")).expect("a folder can be made");
    let run = tree.run(&["check", "--format", "json"]);
    assert_eq!(points(&run).len(), 3, "{run:?}");
    for said in ["b/mockpoint.toml: not UTF-8, passed over", "c/mockpoint.toml: larger than 256 KiB, passed over", "d/mockpoint.toml: not a regular file"] {
        assert!(tree.run(&["check"]).stderr.contains(&format!("warning: {said}")), "{said}");
    }
}

#[test]
fn run_wide_keys_and_options_that_win_over_them() {
    let tree = Tree::with(&[("Good.java", GOOD), ("mockpoint.toml", "precision = \"paper\"\nworld = \"library\"\ntier = \"opt-in\"\njobs = 1\n")]);
    let json = tree.run(&["check", "--format", "json"]).json();
    assert_eq!([&json["precision"], &json["world"], &json["tier"]], ["paper", "library", "opt-in"]);
    let json = tree.run(&["check", "--format", "json", "--precision", "refined", "--world", "with-tests", "--tier", "core"]).json();
    assert_eq!([&json["precision"], &json["world"], &json["tier"]], ["refined", "with-tests", "core"]);
}

#[test]
fn excluded_files_are_not_read() {
    let good = |name: &str| GOOD.replace("Good", name);
    let tree = Tree::with(&[
        ("mockpoint.toml", "exclude = [\"gen/\", \"*Dto.java\"]"),
        ("m/mockpoint.toml", "exclude = [\"/x/\", \"!KeptDto.java\"]"),
        ("A.java", &good("A")),
        ("ADto.java", &good("ADto")),
        ("m/gen/B.java", &good("B")),
        ("m/x/C.java", &good("C")),
        ("m/KeptDto.java", &good("KeptDto")),
        ("x/D.java", &good("D")),
        ("gen/Broken.java", "class {{{"),
    ]);
    let run = tree.run(&["check", "--format", "json"]);
    let files: Vec<String> = points(&run).iter().map(|it| it.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(files, ["A.java", "m/KeptDto.java", "x/D.java"]);
    assert_eq!(run.json()["files"]["total"], 3);
    // An option adds to them.
    assert_eq!(points(&tree.run(&["check", "--format", "json", "--exclude", "x/"])).len(), 2);
}

#[test]
fn test_sources_are_what_the_project_says() {
    let good = |name: &str| GOOD.replace("Good", name);
    let tree = Tree::with(&[("mockpoint.toml", "tests = [\"checks/\"]"), ("checks/A.java", &good("A")), ("src/test/java/B.java", &good("B"))]);
    assert_eq!(points(&tree.run(&["check", "--format", "json"])), ["src/test/java/B.java B#now system intra"]);
    tree.write("mockpoint.toml", b"");
    assert_eq!(points(&tree.run(&["check", "--format", "json"])), ["checks/A.java A#now system intra"]);
}

#[test]
fn severities() {
    let field = "class Counter {\n    static int hits;\n    public static void main(String[] a) { hits++; }\n}\n";
    let tree =
        Tree::with(&[("Good.java", GOOD), ("Counter.java", field), ("mockpoint.toml", "[severity]\nmocking-point = \"off\"\nmodified-field = \"error\"")]);
    let run = tree.run(&["check", "--color", "always"]);
    assert!(run.stdout.contains("\u{1b}[1;31mmodified-field") && !run.stdout.contains("mocking-point"), "{run:?}");
    assert_eq!(tree.run(&["check", "--fail-on", "any"]).code, Some(0));
    tree.write("mockpoint.toml", b"[severity]\nmocking-point = \"hint\"");
    let run = tree.run(&["check", "--color", "always"]);
    assert!(run.stdout.contains("\u{1b}[1;33mmodified-field") && run.stdout.contains("\u{1b}[1;32mmocking-point"), "{run:?}");
}

#[test]
fn the_white_list_shows_in_reports() {
    let row = "[[mocking-point]]\ntype = \"p.Risk\"\nmember = \"score\"\nkind = \"risk engine\"\nreason = \"replay failed\"\n";
    let tree = Tree::with(&[("Risk.java", "package p;\nclass Risk {\n    int score() { return 1; }\n}\n"), ("mockpoint.toml", row)]);
    let json = tree.run(&["check", "--format", "json"]).json();
    assert_eq!(json["statistics"]["points"]["white-list"], 1);
    assert_eq!(json["mocking_points"][0]["categories"][0], "white-list");
    let text = tree.run(&["check", "--explain", "--stats"]).stdout;
    assert!(text.contains("`Risk.score` is a mocking point (white-list): calls p.Risk.score (risk engine)"), "{text}");
    assert!(text.contains("mockpoint.toml:1 lists it (replay failed)"), "{text}");
    assert_eq!(tree.run(&["check", "--fail-on", "white-list"]).code, Some(1));
    assert_eq!(tree.run(&["check", "--fail-on", "system"]).code, Some(0));
}

/// The editor goes by the same files as the command line, and follows when they change.
#[test]
fn an_editor_follows() {
    let ticker = "package p;\nclass Ticker {\n    static native long read();\n}\n";
    let user = "package p;\nclass User {\n    long at() { return Ticker.read(); }\n    long now() { return System.nanoTime(); }\n}\n";
    let source = "[[source]]\ntype = \"p.Ticker\"\nmember = \"read\"\n";
    let tree = Tree::with(&[
        ("src/main/java/p/Ticker.java", ticker),
        ("src/main/java/p/User.java", user),
        ("gen/p/Made.java", "package p;\nclass Made {}\n"),
        ("mockpoint.toml", source),
    ]);
    let toml = tree.join("mockpoint.toml");
    let mut host = Host::default();
    host.add_root(tree.path().to_owned());
    let points = |host: &mut Host| {
        host.settle();
        let linked = host.last_link();
        let files = linked.files.len();
        (linked.verdicts.mocking_points.iter().map(|it| it.method.name.clone()).filter(|it| it == "at" || it == "now").collect::<Vec<_>>(), files)
    };
    assert_eq!(points(&mut host), (vec!["at".to_owned(), "now".to_owned()], 3));
    // Open files go by it too, before the next link.
    let path = tree.join("src/main/java/p/User.java");
    host.open(path.clone(), &user.replace("long at", "long  at"), 1);
    let names = |host: &mut Host| -> Vec<String> {
        let snapshot = host.snapshot();
        snapshot.view(&path).and_then(|it| it.findings().cloned()).map_or_else(Vec::new, |it| it.points.iter().map(|it| it.method.name.clone()).collect())
    };
    assert_eq!(names(&mut host), ["at", "now"]);
    // Another text: what is excluded goes, what is off is silent, the reading is another one.
    tree.write("mockpoint.toml", b"exclude = [\"gen/\"]\nprecision = \"paper\"\n[severity]\nmocking-point = \"off\"\n");
    host.disk_changed([toml.clone()]);
    assert_eq!(points(&mut host), (vec![], 2));
    assert_eq!(host.last_link().settings.precision, Precision::Paper);
    // What the client asks for goes before it.
    host.ask(Asked { precision: Some(Precision::Refined), ..Asked::default() });
    host.settle();
    assert_eq!(host.last_link().settings.precision, Precision::Refined);
    // Open test sources have no findings, whoever says that they are some.
    tree.write("mockpoint.toml", b"tests = [\"/src/main/\"]\n");
    host.disk_changed([toml.clone()]);
    host.settle();
    assert!(names(&mut host).is_empty());
    fs::remove_file(&toml).expect("it is there");
    host.removed(&toml);
    assert_eq!(points(&mut host), (vec!["now".to_owned()], 3));
    assert_eq!(names(&mut host), ["now"]);
}

/// Names that `lombok.config` changes are others as soon as it changes.
#[test]
fn an_editor_follows_lombok_config() {
    let limits = "package p;\n@lombok.Data\n@org.springframework.stereotype.Component\nclass Limits { private int max = 1; }\n";
    let user = "package p;\nclass User {\n    public static void main(String[] a) { new Limits().max(2); }\n}\n";
    let tree = Tree::with(&[(".git/HEAD", ""), ("src/p/Limits.java", limits), ("src/p/User.java", user)]);
    let path = tree.join("src/lombok.config");
    let mut host = Host::default();
    host.add_root(tree.path().to_owned());
    let is_modified = |host: &mut Host| {
        host.settle();
        host.last_link().verdicts.fields.iter().filter(|it| it.ruled_out.is_none()).map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    assert!(is_modified(&mut host).is_empty());
    tree.write("src/lombok.config", b"lombok.accessors.fluent = true\n");
    host.disk_changed([path.clone()]);
    assert_eq!(is_modified(&mut host), ["max"]);
    let run = tree.run(&["check", "--format", "json"]);
    assert!(run.stdout.contains("\"max\"") && run.json()["statistics"]["points"]["internal"] == 1, "{run:?}");
    // What is wrong is told with its place and costs its line.
    tree.write("src/lombok.config", b"lombok.accessors.fluent = true\nlombok.accessors.prefix = m\n");
    host.disk_changed([path.clone()]);
    assert_eq!(is_modified(&mut host), ["max"]);
    let run = tree.run(&["check"]);
    assert!(run.stderr.contains("src/lombok.config:2:1: `lombok.accessors.prefix` is a list"), "{run:?}");
    fs::remove_file(&path).expect("it is there");
    host.removed(&path);
    assert!(is_modified(&mut host).is_empty());
}

#[test]
fn names_that_are_not_there() {
    let row = |class: &str, member: &str| format!("[[source]]\ntype = \"p.{class}\"\nmember = \"{member}\"\n");
    let far = "package p;\nclass Far extends Base { int far() { return 1; } }\n";
    let made = "package p;\nimport lombok.Getter;\n@Getter class Made { int field; }\n";
    let known = "package p;\nclass Base { int base() { return 1; } }\n";
    let open = "package p;\nclass Open extends q.Other { }\n";
    let right =
        [("Base", "base"), ("Base", "far"), ("Far", "base"), ("Base", "hashCode"), ("Base", "<init>"), ("Base", "*"), ("Made", "getFiled"), ("Open", "of")];
    let other = [("QBase", "base"), ("Bases", "base"), ("Other", "x")];
    let text: String = right.iter().chain(&other).chain(&[("Base", "bsae"), ("Bsae", "base")]).map(|it| row(it.0, it.1)).collect();
    let tree = Tree::with(&[("p/Far.java", far), ("p/Made.java", made), ("p/Base.java", known), ("p/Open.java", open), ("mockpoint.toml", text.as_str())]);
    let run = tree.run(&["check"]);
    assert!(run.stderr.contains("mockpoint.toml:34:1: class `p.Base` has no method or field `bsae`"), "{}", run.stderr);
    assert!(run.stderr.contains("there is no class `p.Bsae`; is `p.Base` meant?"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("mockpoint.toml").count(), 2, "{}", run.stderr);
}

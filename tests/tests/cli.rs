//! The command line: arguments, exit codes, formats, which files are read.

use mockpoint_tests::{GOOD, Run, Tree, binary, run, schema};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// The paths of the files in which there are mocking points, in order.
fn files_with_points(run: &Run) -> Vec<String> {
    let json = run.json();
    json["mocking_points"].as_array().into_iter().flatten().map(|it| it["file"].as_str().unwrap_or_default().to_owned()).collect()
}

fn good(name: &str) -> String {
    GOOD.replace("Good", name)
}

/// Some packages with findings of several kinds, and one file with a syntax error.
fn service() -> Tree {
    let tree = Tree::new();
    for package in ["a", "b", "c"] {
        for idx in 0..12 {
            let mut text = format!("package p.{package};\npublic class C{idx} {{\n    static int hits;\n    static final int MAX = 3;\n    long stamp;\n");
            writeln!(text, "    public void hit() {{ hits++; stamp = System.nanoTime(); }}").expect("strings take all");
            writeln!(text, "    public int hits() {{ return hits; }}\n    public long stamp() {{ return stamp; }}").expect("strings take all");
            writeln!(text, "    /* 中文 */ long now() {{ new C{}().hit(); return System.currentTimeMillis(); }}\n}}", (idx + 1) % 12)
                .expect("strings take all");
            tree.write(&format!("src/{package}/C{idx}.java"), text.as_bytes());
        }
    }
    tree.write("src/b/Broken.java", b"package p.b;\nclass Broken {\n    void a( {\n");
    tree
}

#[test]
fn wrong_usage_exits_with_2() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    for (args, said) in [
        (&["check", "--no-such-flag"][..], "--no-such-flag"),
        (&["no-such-command"], "no-such-command"),
        (&[], "Usage"),
        (&["check", "--format", "xml"], "human, json"),
        (&["check", "--fail-on", "weather"], "system, internal, external, white-list, any"),
        (&["check", "--precision", "exact"], "refined, paper"),
        (&["check", "--world", "flat"], "application, library, with-tests"),
        (&["check", "--tier", "third"], "core, opt-in"),
        (&["check", "--color", "green"], "auto, always, never"),
        (&["check", "--jobs", "0"], "--jobs"),
        (&["check", "--exclude", "a["], "a["),
        (&["check", "no/such/folder"], "cannot read no/such/folder: no such file or directory"),
        (&["explain"], "QUERY"),
    ] {
        let run = tree.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(said), "{args:?}: {run:?}");
    }
}

#[test]
fn version_and_help() {
    let tree = Tree::new();
    let run = tree.run(&["--version"]);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), concat!("mockpoint ", env!("CARGO_PKG_VERSION"))));
    let run = tree.run(&["check", "--help"]);
    assert_eq!(run.code, Some(0));
    for option in ["--format", "--explain", "--all", "--precision", "--world", "--tier", "--jobs", "--exclude", "--fail-on", "--color", "--stats"] {
        assert!(run.stdout.contains(option), "{option}: {}", run.stdout);
    }
}

#[test]
fn findings_are_printed_with_their_line() {
    let tree = Tree::with(&[("src/Good.java", GOOD)]);
    let run = tree.run(&["check"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let expected = "\
src/Good.java:2:10 mocking-point `Good.now` is a mocking point (system, intra): reads java.lang.System.currentTimeMillis()
  |
2 |     long now() {
  |          ^^^
  = src/Good.java:3:16: reads java.lang.System.currentTimeMillis()

Found 1 mocking point (1 system) and 0 modified fields in 1 file.
";
    assert_eq!(run.stdout, expected);
    let run = tree.run(&["check", "--explain", "--stats", "--all"]);
    assert!(run.stdout.contains("   1. src/Good.java:3:16: "), "{}", run.stdout);
    assert!(run.stdout.contains("3 |         return System.currentTimeMillis();"), "{}", run.stdout);
    assert!(run.stdout.contains("Statistics\n"), "{}", run.stdout);
}

#[test]
fn nothing_to_read_is_said() {
    let run = Tree::new().run(&["check"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "warning: no Java files found\n"));
    assert_eq!(run.stdout, "No mocking points and no modified fields in 0 files.\n");
}

#[test]
fn syntax_errors_are_listed_in_short() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    for idx in 0..8 {
        tree.write(&format!("Bad{idx}.java"), b"class Bad {\n    void a( {\n");
    }
    let run = tree.run(&["check"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.starts_with("warning: Bad0.java:"), "{}", run.stderr);
    assert!(run.stderr.ends_with("... and 3 more files with syntax errors\n"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 6);
}

#[test]
fn fail_on_decides_the_exit_code() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    for (args, code) in [
        (&["--fail-on", "system"][..], 1),
        (&["--fail-on", "any"], 1),
        (&["--fail-on", "external,system"], 1),
        (&["--fail-on", "external", "--fail-on", "system"], 1),
        (&["--fail-on", "external"], 0),
        (&["--fail-on", "internal,white-list"], 0),
    ] {
        for format in ["human", "json"] {
            let run = tree.run(&[&["check", "--format", format], args].concat());
            assert_eq!(run.code, Some(code), "{args:?}: {run:?}");
        }
    }
    assert_eq!(Tree::new().run(&["check", "--fail-on", "any"]).code, Some(0));
}

#[test]
fn json_is_what_the_schema_says() {
    let schema = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/report.schema.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let tree = service();
    tree.write("Latin.java", b"class Latin { String s = \"\xe9\"; }");
    fs::create_dir(tree.join("Folder.java")).expect("folders can be made");
    for args in [&[][..], &["--precision", "paper", "--world", "with-tests", "--tier", "opt-in"]] {
        let run = tree.run(&[&["check", "--format", "json"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        let json = run.json();
        assert_eq!(schema::errors(&schema, &json), [""; 0]);
        assert_eq!(json["version"], 1);
        assert_eq!(json["root"], ".");
        assert_eq!(json["files"]["total"], 38);
        assert_eq!(json["files"]["with_errors"][0]["file"], "src/b/Broken.java");
        assert_eq!(json["files"]["notes"][0]["message"], "not UTF-8, read as Latin-1");
        assert!(json["mocking_points"].as_array().is_some_and(|it| it.len() >= 36), "{}", run.stdout);
        assert!(json["fields"].as_array().is_some_and(|it| it.len() >= 36), "{}", run.stdout);
    }
}

#[test]
fn columns_are_utf16_from_1() {
    let text = "class A { /* 😀中 */ long now() { return System.nanoTime(); } }";
    let tree = Tree::with(&[("A.java", text)]);
    let json = tree.run(&["check", "--format", "json"]).json();
    let before = text.find("now").and_then(|idx| text.get(..idx)).unwrap_or_default().encode_utf16().count();
    assert_eq!(json["mocking_points"][0]["range"]["start"], serde_json::json!({ "line": 1, "column": before + 1 }));
}

#[test]
fn threads_and_order_change_nothing() {
    let tree = service();
    let paths = ["src/a", "src/b", "src/c", "src/a/C3.java"];
    let reversed: Vec<&str> = paths.iter().rev().copied().collect();
    let shuffled = ["./src/b/", "src/a/C3.java", "src/c", "src/../src/a", "src/a"];
    for format in [&["--format", "json"][..], &["--explain", "--all", "--stats"]] {
        let run = |jobs: &str, paths: &[&str]| {
            let run = tree.run(&[&["check", "--jobs", jobs], format, paths].concat());
            assert_eq!(run.code, Some(0), "{run:?}");
            run.stdout
        };
        let first = run("1", &paths);
        for _ in 0..3 {
            assert!(first == run("2", &paths), "two threads print something else");
        }
        assert!(first == run("2", &reversed), "the order of paths changes what is printed");
        assert!(first == run("7", &reversed), "seven threads print something else");
    }
    // `src/../src/a` is spelled so that only the real places tell that it is `src/a`.
    let json = tree.run(&[&["check", "--format", "json"][..], &shuffled].concat()).json();
    assert_eq!(json["files"]["total"], 37);
}

#[test]
fn ignored_and_hidden_files_are_not_read() {
    let tree = Tree::new();
    for name in ["A", "B", "C", "D", "E"] {
        tree.write(&format!("{}/{name}.java", if name == "A" { "src" } else { name }), good(name).as_bytes());
    }
    tree.write(".gitignore", b"/B/\n");
    tree.write("C/.gitignore", b"*.java\n");
    tree.write(".hidden/H.java", good("H").as_bytes());
    let check = |args: &[&str]| files_with_points(&tree.run(&[&["check", "--format", "json"], args].concat()));
    assert_eq!(check(&[]), ["D/D.java", "E/E.java", "src/A.java"]);
    assert_eq!(check(&["--exclude", "/D", "--exclude", "A.java"]), ["E/E.java"]);
    assert_eq!(check(&["--exclude", "*.java", "--exclude", "!E.java"]), ["E/E.java"]);
    assert_eq!(check(&["D", "E", "--exclude", "D"]), ["E/E.java"]);
    // What is named is read.
    assert_eq!(check(&["B"]), ["B.java"]);
    assert_eq!(check(&["C/C.java"]), ["C.java"]);
    assert_eq!(check(&[".hidden"]), ["H.java"]);
    // A `.gitignore` above the argument counts as well.
    tree.write("D/deep/X.java", good("X").as_bytes());
    tree.write(".gitignore", b"deep/\n");
    assert_eq!(check(&["D"]), ["D.java"]);
}

#[test]
fn paths_are_relative_to_the_root() {
    let tree = Tree::with(&[("one/A.java", &good("A")), ("two/B.java", &good("B"))]);
    let check = |folder: &Path, args: &[&str]| {
        let run = run(folder, &[&["check", "--format", "json"], args].concat());
        (run.json()["root"].as_str().unwrap_or_default().to_owned(), files_with_points(&run))
    };
    let whole = tree.path().to_string_lossy().into_owned();
    let files = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    assert_eq!(check(tree.path(), &["."]), (".".to_owned(), files(&["one/A.java", "two/B.java"])));
    assert_eq!(check(tree.path(), &["one", "two"]), (".".to_owned(), files(&["one/A.java", "two/B.java"])));
    assert_eq!(check(tree.path(), &["one"]), ("one".to_owned(), files(&["A.java"])));
    assert_eq!(check(tree.path(), &[&whole]), (whole.clone(), files(&["one/A.java", "two/B.java"])));
    assert_eq!(check(&tree.join("one"), &["../two", "."]), (whole, files(&["one/A.java", "two/B.java"])));
    assert_eq!(check(&tree.join("one"), &["../two"]), ("../two".to_owned(), files(&["B.java"])));
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_only_as_an_argument() {
    let tree = Tree::with(&[("real/A.java", &good("A")), ("tree/B.java", &good("B"))]);
    std::os::unix::fs::symlink("../real", tree.join("tree/link")).expect("links can be made");
    let check = |args: &[&str]| files_with_points(&tree.run(&[&["check", "--format", "json"], args].concat()));
    assert_eq!(check(&["tree"]), ["B.java"]);
    assert_eq!(check(&["tree/link"]), ["A.java"]);
    assert_eq!(check(&["tree", "tree/link"]), ["B.java", "link/A.java"]);
}

#[test]
fn colour_only_where_it_is_wanted() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    let check = |args: &[&str]| tree.run(&[&["check"], args].concat()).stdout.contains('\u{1b}');
    assert!(!check(&[]), "a pipe is no terminal");
    assert!(!check(&["--color", "never"]));
    assert!(check(&["--color", "always"]));
    // On a terminal, if there is a tool to make one.
    let on_terminal = |no_color: &str| {
        let command = format!("{} check", binary().display());
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).current_dir(tree.path()).env("TERM", "xterm").env("NO_COLOR", no_color).stdin(Stdio::null());
        script.output().ok().filter(|it| it.status.success()).map(|it| it.stdout.contains(&0x1b))
    };
    if let Some(has_color) = on_terminal("") {
        assert!(has_color, "colours on a terminal");
        assert_eq!(on_terminal("1"), Some(false), "NO_COLOR");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let tree = service();
    let mut child = Command::new(binary())
        .args(["check", "--format", "json"])
        .current_dir(tree.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mockpoint runs");
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn explain_tells_why() {
    let tree = service();
    for query in ["C0", "p.a.C0", "p.a.C0#now", "C0#hits"] {
        let run = tree.run(&["explain", query]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{query}: {run:?}");
        assert!(!run.stdout.is_empty(), "{query}");
    }
    // With a dot, and as reports print it, it is the same.
    for (query, same) in [("C0.now", "C0#now"), ("C0#now()", "C0#now"), ("p.a.C0.now", "p.a.C0#now"), ("p.a.C0.now()", "p.a.C0#now"), ("C0.hits", "C0#hits")] {
        assert_eq!(tree.run(&["explain", query]).stdout, tree.run(&["explain", same]).stdout, "{query}");
    }
    let run = tree.run(&["explain", "p.a.C0#now", "src/a"]);
    assert!(run.stdout.starts_with("method p.a.C0.now"), "{}", run.stdout);
    assert!(run.stdout.contains("return System.currentTimeMillis();"), "{}", run.stdout);
}

#[test]
fn a_path_begins_with_a_modification_that_happens() {
    let source = "package p;\nclass Hits {\n    private static int hits;\n    static void reset() { hits = 0; }\n    \
        static void hit() { hits++; }\n    static int hits() { return hits; }\n    static void use() { hit(); }\n}\n";
    let tree = Tree::with(&[("p/Hits.java", source)]);
    let run = tree.run(&["explain", "Hits.hits()"]);
    // Nobody calls `reset`, although it comes first.
    assert!(run.stdout.contains("p.Hits.hit modifies field p.Hits.hits"), "{run:?}");
    assert!(!run.stdout.contains("p.Hits.reset modifies"), "{run:?}");
}

#[test]
fn a_path_tells_what_a_callee_throws_from_what_it_decides_by() {
    let source = "package p;\nclass Checks {\n    static void fail(Throwable it) throws Throwable { throw it; }\n    \
        static void check(long n) throws Throwable { if (n > 0) fail(new Error()); }\n    \
        static void thrown() throws Throwable { fail(new Error(\"at \" + System.nanoTime())); }\n    \
        static void decided() throws Throwable { check(System.nanoTime()); }\n}\n";
    let tree = Tree::with(&[("p/Checks.java", source)]);
    for (query, ends, not) in [("Checks.thrown", "is thrown by `fail`", "decides"), ("Checks.decided", "decides a branch inside `check`", "is thrown")] {
        let run = tree.run(&["explain", query]);
        assert!(run.stdout.contains(ends) && !run.stdout.contains(&format!(": {not}")), "{run:?}");
    }
}

#[test]
fn a_path_does_not_name_what_an_object_only_passes_by() {
    let source = "package p;\nimport x.Log;\nclass Marked {\n    long at;\n    static Log log;\n    \
        static java.util.List<Long> made() {\n        var all = new java.util.ArrayList<Long>();\n        \
        all.add(System.nanoTime());\n        log.info(\"made\", all);\n        return all;\n    }\n}\n";
    let run = Tree::with(&[("p/Marked.java", source)]).run(&["explain", "Marked.made"]);
    assert!(run.stdout.contains("left behind by `add`") && !run.stdout.contains("`info`"), "{run:?}");
}

#[test]
fn a_long_way_is_told_from_its_beginning() {
    for n in [8, 12, 60] {
        let mut text = "class Far {\n    static class Box {\n        long held;\n    }\n    Box last;\n    void m0() { m1(System.nanoTime()); }\n".to_owned();
        for i in 1..n {
            writeln!(text, "    void m{i}(long x) {{ m{}(x); }}", i + 1).expect("strings take all");
        }
        writeln!(text, "    void m{n}(long x) {{ last.held = x; }}\n    long held() {{ return last.held; }}\n}}").expect("strings take all");
        let run = Tree::with(&[("Far.java", &text)]).run(&["check", "--format", "json"]);
        let point = &run.json()["mocking_points"][0];
        assert_eq!((&point["method"]["name"], &point["sources"][0]["what"]), (&json!("held"), &json!("java.lang.System.nanoTime()")), "{n}");
        let notes: Vec<&str> = point["path"].as_array().into_iter().flatten().filter_map(|it| it["note"].as_str()).collect();
        assert_eq!((notes[0], notes[notes.len() - 1]), ("reads java.lang.System.nanoTime()", "is returned"), "{n}");
        assert_eq!(notes.iter().filter(|it| it.ends_with("are left out)")).count(), usize::from(n > 10), "{n}: {notes:?}");
        assert!(notes.len() < 16, "{n}: {notes:?}");
    }
}

#[test]
fn explain_tells_classes_from_members_and_overloads_apart() {
    let source = "package p;\nclass Line {\n    long at() { return System.nanoTime(); }\n    long at(int n, java.util.List<String> l) { return n; }\n    \
        static int Part = 1;\n    static class Part {\n        void it() {}\n    }\n}\n";
    let tree = Tree::with(&[("p/Line.java", source)]);
    let titles = |query: &str| {
        let run = tree.run(&["explain", query]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{query}: {run:?}");
        let titles = run.stdout.lines().filter(|it| it.starts_with("method ") || it.starts_with("static field "));
        titles.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(titles("Line.at"), ["method p.Line.at()", "method p.Line.at(int, java.util.List)"]);
    assert_eq!(titles("Line.at()"), ["method p.Line.at()"]);
    assert_eq!(titles("p.Line.at(int, java.util.List)"), ["method p.Line.at(int, java.util.List)"]);
    assert_eq!(titles("Line#at(int n, List<String> l)"), ["method p.Line.at(int, java.util.List)"]);
    // Of a class and a field of one name, the class is meant.
    assert_eq!(titles("p.Line.Part"), ["method p.Line.Part.it()"]);
    assert_eq!(titles("Line#Part"), ["static field p.Line.Part"]);
    assert_eq!(titles("Line.Part.it"), ["method p.Line.Part.it()"]);
    let run = tree.run(&["explain", "Line.at(long)"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
}

#[test]
fn explain_offers_names_that_are_near() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    for (query, said) in [
        ("Goood", "error: no class is named `Goood`; did you mean Good?\n"),
        ("Good.know", "error: `Good` has no method or field `know`; did you mean Good#now?\n"),
        ("Good#know", "error: `Good` has no method or field `know`; did you mean Good#now?\n"),
        ("Nothing", "error: no class is named `Nothing`\n"),
    ] {
        let run = tree.run(&["explain", query]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(2), "", said));
    }
}

#[test]
fn sarif_has_what_viewers_need() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/orders");
    let log = run(&root, &["check", "--format", "sarif"]).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let base = run["originalUriBaseIds"]["SRCROOT"]["uri"].as_str().expect("a root");
    assert!(base.starts_with("file:///") && base.ends_with("/orders/"), "{base}");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().all(|it| it["help"]["text"].is_string() && it["shortDescription"]["text"].is_string() && it["helpUri"].is_string()));
    let results = run["results"].as_array().expect("results");
    let levels = ["none", "note", "warning", "error"];
    let mut fingerprints = std::collections::BTreeSet::new();
    let mut n_flows = 0;
    let check = |location: &Value| {
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().expect("an address");
        assert!(root.join(uri).is_file() && physical["artifactLocation"]["uriBaseId"] == "SRCROOT", "{uri}");
        let at = |key: &str| physical["region"][key].as_u64().unwrap_or_default();
        assert!(at("startLine") >= 1 && at("startColumn") >= 1 && (at("startLine"), at("startColumn")) <= (at("endLine"), at("endColumn")), "{location}");
    };
    for it in results {
        let rule = &rules[usize::try_from(it["ruleIndex"].as_u64().expect("a rule")).expect("small")];
        assert_eq!(rule["id"], it["ruleId"]);
        assert!(levels.iter().any(|level| it["level"] == *level) && it["message"]["text"].is_string());
        assert!(fingerprints.insert(it["partialFingerprints"].to_string()), "twice: {it}");
        check(&it["locations"][0]);
        for location in it["relatedLocations"].as_array().into_iter().flatten() {
            check(location);
            assert!(location["id"].is_u64() && location["message"]["text"].is_string());
        }
        for step in it["codeFlows"][0]["threadFlows"][0]["locations"].as_array().into_iter().flatten() {
            check(&step["location"]);
            n_flows += 1;
        }
    }
    let report = mockpoint_tests::run(&root, &["check", "--format", "json"]).json();
    let n_points = results.iter().filter(|it| it["ruleId"] == "mocking-point").count();
    assert_eq!(Some(n_points), report["mocking_points"].as_array().map(Vec::len));
    assert!(n_points <= n_flows, "{n_flows} steps");
}

//! `mockpoint.toml`: what is read of it, what is wrong with it, and what it changes.

use mockpoint::config::{ConfigFile, read};
use mockpoint::settings::{Precision, Tier};
use mockpoint::text::{Encoding, LineIndex};
use mockpoint::verdict::World;
use mockpoint_tests::Tree;
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
member = "<init>"
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
    assert_eq!(words, ["a.B.C", "<init>", "(java.lang.String,int[])", "k", "r"]);
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

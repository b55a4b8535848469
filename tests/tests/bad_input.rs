//! Input that is no Java, or no file: a message where one is due, and the findings in other files intact.

use mockpoint::load::{LoadOptions, Progress, load};
use mockpoint_tests::{GOOD, Tree};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// Checks a tree that has `Good.java` besides what is bad in it. What is found in that file must be intact.
fn check(tree: &Tree) -> Value {
    tree.write("Good.java", GOOD.as_bytes());
    // Human output reads lines again; it must not fail on any of this either.
    let human = tree.run(&["check", "--explain", "--all"]);
    assert_eq!(human.code, Some(0), "{human:?}");
    assert!(!human.stderr.contains("panicked"), "{human:?}");
    let run = tree.run(&["check", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let json = run.json();
    let good: Vec<&Value> = json["mocking_points"].as_array().into_iter().flatten().filter(|it| it["file"] == "Good.java").collect();
    assert_eq!(good.len(), 1, "{:?}", json["files"]);
    assert_eq!(good[0]["method"]["name"], "now");
    assert_eq!(good[0]["range"], json!({ "start": { "line": 2, "column": 10 }, "end": { "line": 2, "column": 13 } }));
    json
}

fn check_file(bytes: &[u8]) -> Value {
    let tree = Tree::new();
    tree.write("Bad.java", bytes);
    let json = check(&tree);
    assert_eq!(json["files"]["total"], 2);
    assert_eq!(json["files"]["problems"], json!([]));
    json
}

fn has_errors(json: &Value) -> bool {
    json["files"]["with_errors"].as_array().is_some_and(|it| it.iter().any(|it| it["file"] == "Bad.java"))
}

fn problems(json: &Value) -> Vec<(&str, &str)> {
    let text = |it: &'_ Value| -> &'static str { Box::leak(it.as_str().unwrap_or_default().to_owned().into_boxed_str()) };
    json["files"]["problems"].as_array().into_iter().flatten().map(|it| (text(&it["file"]), text(&it["message"]))).collect()
}

#[test]
fn an_empty_file() {
    assert!(!has_errors(&check_file(b"")));
    assert!(!has_errors(&check_file(b"\n\n\t ")));
}

/// Bytes that look random and are the same in every run.
fn noise(len: usize, map: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        map((state >> 24) as u8)
    };
    std::iter::repeat_with(next).take(len).collect()
}

#[test]
fn two_megabytes_of_garbage() {
    assert!(has_errors(&check_file(&noise(2 << 20, |it| it))));
}

#[test]
fn two_megabytes_of_printable_garbage() {
    let json = check_file(&noise(2 << 20, |it| if it % 64 == 0 { b'\n' } else { b' ' + it % 95 }));
    // The parser may find errors or give up; either is said.
    let notes = &json["files"]["notes"];
    assert!(has_errors(&json) || notes[0]["message"] == "the parser gave up on this file", "{notes}");
}

#[test]
fn a_sum_of_20000_terms() {
    let sum = vec!["System.nanoTime()"; 20_000].join(" + ");
    let json = check_file(format!("class Bad {{ long sum() {{ return {sum}; }} }}").as_bytes());
    assert!(!has_errors(&json));
    assert!(json["mocking_points"].as_array().is_some_and(|it| it.iter().any(|it| it["method"]["name"] == "sum")));
}

#[test]
fn a_sum_of_20000_constants() {
    let json = check_file(format!("class Bad {{ String text() {{ return {}; }} }}", vec!["\"a\""; 20_000].join(" + ")).as_bytes());
    assert!(!has_errors(&json));
}

#[test]
fn nested_parentheses_5000_deep() {
    let text = format!("class Bad {{ long deep() {{ return {}System.nanoTime(){}; }} }}", "(".repeat(5_000), ")".repeat(5_000));
    let json = check_file(text.as_bytes());
    assert!(!has_errors(&json));
    assert!(json["mocking_points"].as_array().is_some_and(|it| it.iter().any(|it| it["method"]["name"] == "deep")));
}

#[test]
fn other_things_nested_5000_deep() {
    for (open, close) in [("{", "}"), ("if (a) ", ""), ("a[", ""), ("f(", ""), ("new A() { void m() {", "}};"), ("() -> ", "1"), ("class A {", "}"), ("-", "")]
    {
        check_file(format!("class Bad {{ void m() {{ {}{} }} }}", open.repeat(5_000), close.repeat(5_000)).as_bytes());
    }
}

#[test]
fn an_unterminated_string() {
    assert!(has_errors(&check_file(b"class Bad { String s = \"abc; int f() { return 1; }\n}\n")));
    assert!(has_errors(&check_file(b"class Bad { String s = \"\"\"\n abc; int f() { return 1; }\n}\n")));
    assert!(has_errors(&check_file(b"class Bad { /* abc")));
}

#[test]
fn invalid_utf8() {
    let json = check_file(b"class Bad { String s = \"\xff\xc3\"; long f() { return System.nanoTime(); } }");
    assert!(!has_errors(&json));
    assert_eq!(json["files"]["notes"], json!([{ "file": "Bad.java", "message": "not UTF-8, read as Latin-1" }]));
    assert_eq!(json["mocking_points"][0]["method"]["name"], "f");
}

#[test]
fn utf16() {
    let text = "class Bad { String s = \"中\"; long f() { return System.nanoTime(); } }";
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect();
        let json = check_file(&bytes);
        assert!(!has_errors(&json));
        assert_eq!(json["files"]["notes"], json!([{ "file": "Bad.java", "message": "UTF-16 file, read as such" }]));
        assert_eq!(json["mocking_points"][0]["method"]["name"], "f");
        // Half a code unit at the end.
        check_file(&bytes[..bytes.len() - 1]);
    }
}

#[test]
fn nul_bytes() {
    check_file(b"class Bad { \0 int f() { return 1; } \0\0 }");
    check_file(&[0; 4096]);
    check_file(format!("class Bad {{ long f() {{ return System.nanoTime(); }} }}{}", "\0".repeat(100)).as_bytes());
}

#[test]
fn a_file_that_is_too_large() {
    let tree = Tree::new();
    tree.write("Bad.java", &vec![b' '; (8 << 20) + 1]);
    assert_eq!(problems(&check(&tree)), [("Bad.java", "larger than 8 MiB, passed over")]);
}

#[test]
fn a_folder_with_the_name_of_a_file() {
    let tree = Tree::with(&[("X.java/Inner.java", &GOOD.replace("Good", "Inner"))]);
    let json = check(&tree);
    assert_eq!(json["files"]["total"], 2);
    assert_eq!(json["files"]["problems"], json!([]));
    assert_eq!(json["mocking_points"][1]["file"], "X.java/Inner.java");
}

#[cfg(unix)]
mod unix {
    use super::{check, problems};
    use mockpoint_tests::Tree;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    #[test]
    fn a_dangling_link() {
        let tree = Tree::new();
        symlink("nowhere", tree.join("Bad.java")).expect("links can be made");
        symlink("nowhere", tree.join("other.txt")).expect("links can be made");
        assert_eq!(problems(&check(&tree)), [("Bad.java", "dangling link")]);
    }

    #[test]
    fn links_that_lead_back() {
        let tree = Tree::new();
        symlink(".", tree.join("here")).expect("links can be made");
        fs::create_dir(tree.join("folder")).expect("folders can be made");
        symlink("..", tree.join("folder/above")).expect("links can be made");
        symlink("A.java", tree.join("B.java")).expect("links can be made");
        symlink("B.java", tree.join("A.java")).expect("links can be made");
        let json = check(&tree);
        assert_eq!(problems(&json), [("A.java", "link that leads back to itself"), ("B.java", "link that leads back to itself")]);
        assert_eq!(json["files"]["total"], 1);
    }

    /// Root may read everything, so what is due depends on who runs the test.
    #[test]
    fn what_may_not_be_read() {
        let tree = Tree::with(&[("Bad.java", "class Bad { }"), ("closed/In.java", "class In { }")]);
        let set_mode = |name: &str, mode: u32| fs::set_permissions(tree.join(name), fs::Permissions::from_mode(mode)).expect("they are ours");
        set_mode("Bad.java", 0);
        set_mode("closed", 0);
        let is_root = fs::read(tree.join("Bad.java")).is_ok();
        let json = check(&tree);
        set_mode("closed", 0o700);
        let expected: &[(&str, &str)] = if is_root { &[] } else { &[("Bad.java", "permission denied"), ("closed", "permission denied")] };
        assert_eq!(problems(&json), expected);
    }

    /// Opening a pipe that nobody writes to would wait for ever.
    #[test]
    fn a_pipe_with_the_name_of_a_file() {
        let tree = Tree::new();
        let is_made = Command::new("mkfifo").arg(tree.join("Bad.java")).status().is_ok_and(|it| it.success());
        if is_made {
            assert_eq!(problems(&check(&tree)), [("Bad.java", "not a regular file")]);
            let run = tree.run(&["check", "Bad.java"]);
            assert_eq!((run.code, run.stderr.lines().next()), (Some(0), Some("warning: Bad.java: not a regular file")));
        }
    }

    #[test]
    fn names_that_are_no_text() {
        let tree = Tree::new();
        let name = std::ffi::OsStr::from_bytes(b"Bad\xff\x1b[31m.java");
        // Some file systems refuse such names.
        if fs::write(tree.path().join(name), "class Bad { long f() { return System.nanoTime(); } }").is_ok() {
            assert_eq!(check(&tree)["files"]["total"], 2);
            assert!(!tree.run(&["check"]).stdout.contains('\u{1b}'));
        }
    }
}

/// Removes a file when the walk is over and nothing is read yet.
struct Remover(PathBuf);

impl Progress for Remover {
    fn found(&self, _n_files: usize) {
        fs::remove_file(&self.0).expect("it is there");
    }
}

#[test]
fn a_file_that_vanishes() {
    let tree = Tree::with(&[("Bad.java", "class Bad { }"), ("Good.java", GOOD)]);
    let loaded = load(&[tree.path().to_owned()], &LoadOptions::default(), &Remover(tree.join("Bad.java")));
    let files: Vec<_> = loaded.files.iter().map(|it| it.path.clone()).collect();
    assert_eq!(files, [tree.join("Good.java")]);
    let problems: Vec<_> = loaded.problems.iter().map(|it| (it.path.clone(), it.message.as_str())).collect();
    assert_eq!(problems, [(tree.join("Bad.java"), "vanished before it was read")]);
}

#[test]
fn a_path_that_is_no_java_file() {
    let tree = Tree::with(&[("notes.txt", "class A { }"), ("Good.java", GOOD)]);
    let run = tree.run(&["check", "--format", "json", "notes.txt", "Good.java"]);
    assert_eq!(run.code, Some(0));
    let json = run.json();
    assert_eq!(problems(&json), [("notes.txt", "not a .java file, passed over")]);
    assert_eq!(json["files"]["total"], 1);
}

//! `mockpoint stats`: counts that were taken by hand, of a service in two modules.

use mockpoint_tests::{Run, Tree, schema};
use serde_json::{Value, json};
use std::fs;

const CLOCKED: &str = r#"package p;

import com.vendor.Rates;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

@Service
public class Clocked {
    static int hits;
    static String never = "x";
    static final List<String> SEEN = new ArrayList<>();
    static final int MAX = 3;
    private Rates rates;
    private final int size = 2;
    private long stamp;
    private long unread;

    long now() { return System.nanoTime(); }

    void logs() { long t = System.nanoTime(); SEEN.add("" + t); }

    void marks() { keep(System.nanoTime()); }

    private void keep(long it) { stamp = it; }

    long stamp() { return stamp; }

    void forgets() { unread = System.nanoTime(); }

    int hit() { return ++hits; }

    double rate() { return rates.of("a") + rates.of("b") + rates.of("a", "b") + unknown.of("c"); }

    @SuppressWarnings("mockpoint")
    long quiet() { return System.nanoTime(); }
}
"#;

const STORE: &str = r#"package q;

import org.apache.ibatis.annotations.Mapper;

@Mapper
interface OrderMapper {
    int load(String id);
}

class Store {
    private OrderMapper mapper;
    private p.Clocked clocked;

    int load(String id) { return mapper.load(id); }

    int loadTwice(String id) { return mapper.load(id) + mapper.load(id); }

    void draws(int[] into) {
        into[0] = (int) clocked.now();
        if (System.nanoTime() > 5) {
            System.out.println("late");
        }
        into[1] = (int) System.currentTimeMillis();
        if (into[1] > 0) {
            into[2] = clocked.hit();
        }
    }
}
"#;

/// Two modules, a test, and a file with a syntax error.
fn service() -> Tree {
    Tree::with(&[
        ("one/src/main/java/p/Clocked.java", CLOCKED),
        ("one/src/test/java/p/ClockedTest.java", "package p;\nclass ClockedTest {\n    long x() { return System.nanoTime(); }\n}\n"),
        ("two/src/main/java/q/Store.java", STORE),
        ("two/src/main/java/q/Broken.java", "package q;\nclass Broken {\n    void a( {\n"),
    ])
}

fn stats(tree: &Tree, args: &[&str]) -> Run {
    let run = tree.run(&[&["stats"], args].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

fn counts(tree: &Tree, args: &[&str]) -> Value {
    stats(tree, &[&["--format", "json"], args].concat()).json()
}

#[test]
fn counts_are_those_by_hand() {
    let json = counts(&service(), &["one", "two"]);
    let one = &json["paths"][0];
    assert_eq!(one["path"], "one");
    let counted = &one["statistics"];
    // now, logs, marks (through keep and stamp), forgets, quiet.
    assert_eq!(counted["reads"], json!({ "all": 5, "intra": 2, "inter": 1 }), "{counted}");
    // hits, never, rates, size, stamp, unread; of these hits, stamp and unread are assigned, but nobody calls `forgets`.
    assert_eq!(counted["fields"], json!({ "all": 6, "with_modifier": 3, "modified": 2 }), "{counted}");
    // SEEN: the paper leaves it out, since it is final. Nobody calls `logs`. MAX has no state.
    assert_eq!(counted["more_fields"], json!({ "all": 1, "with_modifier": 1, "modified": 0 }), "{counted}");
    // now, quiet (suppressed, but there) and stamp of the system; stamp and hit of fields.
    assert_eq!(counted["points"], json!({ "system": 3, "internal": 2, "external": 0, "white-list": 0 }), "{counted}");
    assert_eq!(counted["mocking_points"], 4);
    // keep, and `of` with one and with two arguments. Not those of the JDK, and not the one whose receiver is unknown.
    assert_eq!(counted["invoked_methods"], 3, "{counted}");
    assert_eq!(counted["unresolved_receivers"], 1);
    assert_eq!((&counted["files"], &counted["files_with_errors"]), (&json!(2), &json!(0)));
    assert_eq!((&counted["lines"], &counted["test_lines"]), (&json!(CLOCKED.lines().count() + 4), &json!(4)));

    let two = &json["paths"][1]["statistics"];
    assert_eq!(two["files_with_errors"], 1);
    assert_eq!(two["benign_branches"], 1, "{two}");
    assert_eq!(two["side_effects"], 1, "{two}");
    assert_eq!(two["components"], json!([{ "component": "MyBatis", "kind": "db", "points": 2 }]));
    assert_eq!(two["points"]["external"], 2);

    let total = &json["total"]["statistics"];
    assert_eq!(total["files"], 4);
    assert_eq!(total["components"], two["components"]);
    assert_eq!(&counts(&service(), &[])["total"]["statistics"], total, "that parts are counted changes the total");
    // Two calls Clocked's now and hit and its mapper's load.
    assert_eq!((&two["invoked_methods"], &total["invoked_methods"]), (&json!(3), &json!(6)));
    for key in ["lines", "methods", "types", "mocking_points", "calls"] {
        assert_eq!(total[key].as_u64(), Some(counted[key].as_u64().unwrap_or_default() + two[key].as_u64().unwrap_or_default()), "{key}");
    }
}

/// The reads of a file on its own.
fn reads(source: &str) -> Value {
    counts(&Tree::with(&[("src/main/java/p/It.java", source)]), &[])["total"]["statistics"]["reads"].clone()
}

#[test]
fn each_read_is_followed_on_its_own() {
    // Two reads reach one field, and one of them only what is inside of it. Who asks for the length gets the other.
    let grows = "void grow() { at = new long[(int) System.nanoTime()]; }";
    let stores = "void store() { at[0] = System.nanoTime(); }";
    let class = |methods: &[&str]| format!("package p;\nclass It {{\n    long[] at;\n    {}\n}}\n", methods.join("\n    "));
    let length = "int length() { return at.length; }";
    assert_eq!(reads(&class(&[grows, stores])), json!({ "all": 2, "intra": 0, "inter": 0 }));
    assert_eq!(reads(&class(&[stores, length])), json!({ "all": 1, "intra": 0, "inter": 0 }));
    for both in [[grows, stores], [stores, grows]] {
        assert_eq!(reads(&class(&[&both[..], &[length]].concat())), json!({ "all": 2, "intra": 0, "inter": 1 }));
        assert_eq!(reads(&class(&[&both[..], &["long first() { return at[0]; }"]].concat())), json!({ "all": 2, "intra": 0, "inter": 2 }));
    }
}

#[test]
fn reads_that_arrive_together_all_count() {
    // The fixed point remembers one way to a field, to a parameter and to a caller. Four reads go each of these ways.
    let source = r#"package p;
class It {
    long field;
    long argument;
    void writes(boolean late) {
        field = System.nanoTime();
        if (late) {
            field = System.currentTimeMillis();
        }
    }
    void writesToo() { field = System.nanoTime(); }
    void passes() { takes(System.nanoTime()); takes(System.currentTimeMillis()); }
    void takes(long it) { argument = it; }
    static class Pair {
        long first;
        long second;
        Pair(long first, long second) { this.first = first; this.second = second; }
    }
    void fills(long[] to) { to[0] = System.nanoTime(); to[1] = System.currentTimeMillis(); }
    long filled() { long[] at = new long[2]; fills(at); return at[0]; }
    long sum() { return field + argument; }
    void unseen() { new Pair(System.nanoTime(), 1); }
}
"#;
    assert_eq!(reads(source), json!({ "all": 8, "intra": 0, "inter": 7 }));
}

#[test]
fn shares_are_of_what_they_say() {
    let json = counts(&service(), &["one", "two"]);
    let shares = &json["paths"][0]["shares"];
    assert_eq!(shares["system_filtered"], 0.4);
    assert_eq!(shares["internal_filtered"], 0.6667);
    assert_eq!(shares["points_of_invoked"], 1.3333);
    assert_eq!(shares["white_list"], 0.0);
    let paper = &json["paper"]["shares"];
    assert_eq!(paper["system_filtered"], 0.7309);
    assert_eq!(paper["internal_filtered"], 0.714);
    assert_eq!(paper["points_of_invoked"], 0.0323);
    assert_eq!(paper["white_list"], 0.0158);
    // Nothing to be a part of.
    let json = counts(&Tree::new(), &[]);
    assert_eq!(json["total"]["shares"]["system_filtered"], Value::Null);
}

#[test]
fn json_is_what_its_schema_says() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/stats.schema.json")).expect("the schema is there");
    let described: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let tree = service();
    for args in [&[][..], &["one", "two"], &["--precision", "paper", "--world", "library", "--tier", "opt-in"]] {
        let json = counts(&tree, args);
        assert_eq!(schema::errors(&described, &json), [""; 0]);
        assert_eq!(json["version"], 1);
    }
}

#[test]
fn options_select_what_is_counted() {
    let tree = service();
    let json = counts(&tree, &["--exclude", "two"]);
    assert_eq!((&json["total"]["statistics"]["files"], &json["paths"]), (&json!(2), &json!([])));
    // To the paper a branch that guards logging is one as any other.
    for (precision, intra) in [("refined", 3), ("paper", 4)] {
        let json = counts(&tree, &["--precision", precision]);
        assert_eq!((&json["precision"], &json["total"]["statistics"]["reads"]["intra"]), (&json!(precision), &json!(intra)));
    }
    for args in [&["stats", "no/such"][..], &["stats", "--jobs", "0"], &["stats", "--html", "no/such/page.html"]] {
        let run = tree.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    }
}

#[test]
fn only_the_time_differs() {
    let tree = service();
    let page = |args: &[&str]| {
        let run = stats(&tree, &[args, &["--html", "page.html"]].concat());
        let page = fs::read_to_string(tree.join("page.html")).expect("the page is written");
        let time = run.stdout.lines().find_map(|line| line.strip_prefix("  total").and_then(|it| it.split_whitespace().nth(1))).expect("a time");
        let time = format!("{time} s");
        (run.stdout.replace(&time, "time"), page.replace(&time, "time"))
    };
    let first = page(&["one", "two", "--jobs", "1"]);
    assert!(first.0.contains("time") && first.1.contains("time"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for args in [&["two", "one", "--jobs", "4"][..], &["./one", "two/", "one"]] {
        let again = page(args);
        assert_eq!((words(&again.0), &again.1), (words(&first.0), &first.1));
    }
    let json = |args: &[&str]| {
        let mut json = counts(&tree, args);
        json["seconds"] = Value::Null;
        json
    };
    assert_eq!(json(&["one", "two"]), json(&["two", "one", "--jobs", "3"]));
}

#[test]
fn a_page_stands_alone() {
    let tree = service();
    stats(&tree, &["one", "two", "--html", "page.html"]);
    let page = fs::read_to_string(tree.join("page.html")).expect("the page is written");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for word in ["<script", "<link", "<img", "src=", "href=", "url(", "http:", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
    // System, internal and external state: each a chart, and its numbers beside it.
    assert_eq!((page.matches("<svg ").count(), page.matches("The numbers of the chart</caption>").count()), (3, 3));
    for word in ["prefers-color-scheme: dark", "MyBatis", "73.1 %", "71.4 %", "3.2 %", "<html lang=\"en\">", "scope=\"row\""] {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn a_file_counts_for_the_innermost_path() {
    let tree = service();
    let json = counts(&tree, &[".", "two/src"]);
    let files: Vec<(&str, u64)> = json["paths"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| (it["path"].as_str().unwrap_or_default(), it["statistics"]["files"].as_u64().unwrap_or_default()))
        .collect();
    assert_eq!(files, [(".", 2), ("two/src", 2)]);
    assert_eq!(json["total"]["statistics"]["files"], 4);
}

#[test]
fn check_prints_the_same_counts_without_a_time() {
    let tree = service();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = tree.run(&["check", "--stats", "one", "two"]).stdout;
    assert!(text.contains("Statistics\n") && words(&text).contains("42.9 % filtered; in the paper 73.1 % of 1427"), "{text}");
    let total = counts(&tree, &["one", "two"])["total"]["statistics"].clone();
    assert_eq!(tree.run(&["check", "--format", "json", "one", "two"]).json()["statistics"], total);
}

//! `mockpoint feedback`: from failures of replays to rows of `mockpoint.toml`.

use mockpoint::config::ConfigFile;
use mockpoint_tests::{GOOD, Run, Tree, binary, schema};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

const PRICING: &str = r#"package p;

import com.vendor.Ids;
import com.vendor.Quote;
import com.vendor.RateClient;
import java.util.Random;

class Pricing {
    private final RateClient rates;

    Pricing(RateClient rates) { this.rates = rates; }

    double price(String product) {
        Quote quote = rates.quote(product);
        if (quote.isValid()) {
            return quote.amount();
        }
        return unknown.price(product);
    }

    double total(java.util.List<String> products) {
        return products.stream().mapToDouble(it -> price(it)).sum();
    }

    String id() { return Ids.next(); }

    boolean blank(String text) { return Ids.isBlank(text); }

    void tells(String text) { rates.audit(text); }

    long now() { return System.nanoTime(); }

    int draw(Ticket ticket) {
        ticket.state = 1;
        return new Random().nextInt();
    }

    boolean wins(Ticket ticket) { return draw(ticket) > 0 && ticket.state == 1; }

    int limit() { return Limits.max; }

    int lines() { return Limits.lines; }

    int pages() { return Limits.pages; }

    Runnable later() {
        return new Runnable() {
            @Override
            public void run() {
                rates.flush();
            }
        };
    }
}

class Ticket {
    int state;
}

class Limits {
    static int max = 5;
    static int lines = 6;
    static int pages = 7;

    static void setMax(int it) { max = it; }

    void fill() { somewhere().lines = 8; }
}
"#;

fn service() -> Tree {
    Tree::with(&[
        ("src/main/java/p/Pricing.java", PRICING),
        ("src/test/java/p/PricingTest.java", "package p;\nclass PricingTest {\n    void price() { new Pricing(null).price(\"x\"); }\n}\n"),
    ])
}

/// The line of `PRICING` with a text, from 1.
fn line(text: &str) -> usize {
    PRICING.lines().position(|it| it.contains(text)).expect("the text is there") + 1
}

fn feedback(tree: &Tree, failures: &str, args: &[&str]) -> Run {
    tree.write("failures", failures.as_bytes());
    let run = tree.run(&[&["feedback", "failures"], args].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run
}

/// Rows as `table type.member`, likely ones first; the others in brackets.
fn rows(tree: &Tree, failures: &str) -> Vec<String> {
    let json = feedback(tree, failures, &["--format", "json"]).json();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let shown = |row: &Value| {
        let text = format!("{} {}.{}", word(row, "table"), word(row, "type"), word(row, "member"));
        if row["likely"] == true { text } else { format!("({text})") }
    };
    json["rows"].as_array().into_iter().flatten().map(shown).collect()
}

/// The text as the file that it is, which must have nothing wrong.
fn config(run: &Run) -> ConfigFile {
    let (file, problems) = mockpoint::config::read(&run.stdout);
    assert_eq!(problems, [], "{}", run.stdout);
    file
}

#[test]
fn calls_that_no_row_speaks_of_are_proposed() {
    let tree = service();
    // What a call gave is followed back to the call: `isValid` and `amount` are no rows.
    assert_eq!(rows(&tree, "p.Pricing.price"), ["source com.vendor.RateClient.quote"]);
    assert_eq!(rows(&tree, "p.Pricing#id()"), ["source com.vendor.Ids.next"]);
    // A function of its arguments, and one whose result nobody uses: known to nobody either, but most of these are no state.
    assert_eq!(rows(&tree, "p.Pricing.blank\np.Pricing.tells"), ["(source com.vendor.Ids.isBlank)", "(mocking-point com.vendor.RateClient.audit)"]);
    // Nothing unknown is called, or it is known.
    assert_eq!(rows(&tree, "p.Pricing.total\np.Pricing.now"), [""; 0]);
}

#[test]
fn what_a_replay_failed_in_comes_first() {
    let tree = service();
    let (of_price, of_total) = (line("rates.quote"), line("mapToDouble"));
    let trace = format!(
        "java.lang.IllegalStateException: no rate\n\
        \tat com.vendor.internal.HttpRateClient.send(HttpRateClient.java:7)\n\
        \tat com.sun.proxy.$Proxy7.quote(Unknown Source)\n\
        \tat p.Pricing$$EnhancerBySpringCGLIB$$1a2b.price(<generated>)\n\
        \tat p.Pricing.price(Pricing.java:{of_price})\n\
        \tat p.Pricing.lambda$total$0(Pricing.java:{of_total})\n\
        \tat java.base/java.util.stream.DoublePipeline.sum(DoublePipeline.java:1)\n\
        \tat p.Pricing.total(Pricing.java:{of_total})\n\
        \tat p.PricingTest.price(PricingTest.java:3)\n"
    );
    assert_eq!(rows(&tree, &trace), ["mocking-point com.vendor.RateClient.quote"]);
    let json = feedback(&tree, &format!("p.Pricing.id\n{trace}{trace}"), &["--format", "json"]).json();
    // The two failures that one row may explain come before the one that another may.
    assert_eq!(json["rows"][0]["failures"], json!([1, 2]));
    assert_eq!(json["rows"][1]["failures"], json!([0]));
    let methods: Vec<&str> = json["failures"][1]["methods"].as_array().into_iter().flatten().filter_map(|it| it["method"]["name"].as_str()).collect();
    assert_eq!(methods, ["price", "total"]);
    // The client, its proxy, the stream and the test.
    assert_eq!(json["failures"][1]["foreign_frames"], 3);
    assert_eq!(json["failures"][1]["title"], "java.lang.IllegalStateException: no rate");
    assert_eq!(json["failures"][1]["methods"][0]["unknown_calls"][0]["name"], "price");
}

#[test]
fn fields_that_may_change_unseen_are_proposed() {
    let tree = service();
    assert_eq!(rows(&tree, "p.Pricing.limit"), ["entry-point p.Limits.setMax"]);
    assert_eq!(rows(&tree, "p.Pricing.lines"), ["source p.Limits.lines"]);
    // Nobody writes it, known or not.
    assert_eq!(rows(&tree, "p.Pricing.pages"), [""; 0]);
}

#[test]
fn a_mocking_point_needs_no_row() {
    let tree = service();
    let text = feedback(&tree, "p.Pricing.now", &[]).stdout;
    assert!(text.contains("p.Pricing.now() (src/main/java/p/Pricing.java:") && text.contains("nothing to add: `Pricing.now` is a mocking point"), "{text}");
    assert!(!text.contains("[["), "{text}");
}

#[test]
fn lost_side_effects_are_the_likely_cause() {
    let tree = service();
    for method in ["draw", "wins"] {
        let json = feedback(&tree, &format!("p.Pricing.{method}"), &["--format", "json"]).json();
        let suspect = &json["failures"][0]["methods"][0];
        assert_eq!(suspect["lost_writes"][0]["method"], "p.Pricing.draw", "{method}");
        assert_eq!(suspect["mocking_point"], method == "draw");
        assert!(suspect["lost_writes"][0]["what"].as_str().is_some_and(|it| it.contains("p.Ticket.state")), "{method}");
    }
    let text = feedback(&tree, "p.Pricing.wins", &[]).stdout;
    assert!(text.contains("when p.Pricing.draw is answered from the record, what it writes is lost: field p.Ticket.state"), "{text}");
}

#[test]
fn lines_tell_anonymous_classes_and_overloads() {
    let tree = service();
    let frame = format!("at p.Pricing$1.run(Pricing.java:{})", line("rates.flush"));
    let json = feedback(&tree, &frame, &["--format", "json"]).json();
    assert_eq!(json["failures"][0]["methods"][0]["method"]["name"], "run");
    assert_eq!(json["rows"][0]["member"], "flush");
    tree.write("src/main/java/p/Two.java", b"package p;\nclass Two {\n    void it(int n) {}\n    void it(String s) {}\n}\n");
    let parameters = |failures: &str| {
        let json = feedback(&tree, failures, &["--format", "json"]).json();
        let methods = json["failures"][0]["methods"].as_array().cloned().unwrap_or_default();
        methods.iter().map(|it| it["method"]["parameters"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(parameters("p.Two.it(java.lang.String)"), [json!(["java.lang.String"])]);
    assert_eq!(parameters("p.Two.it(Two.java:3)"), [json!(["int"])]);
    assert_eq!(parameters("p.Two.it"), [json!(["int"]), json!(["java.lang.String"])]);
    assert_eq!(parameters("p.Three.it"), [Value::Null; 0]);
}

/// Of each frame that does not name one method: kind and candidates.
fn unclear(tree: &Tree, failures: &str) -> Vec<(String, String)> {
    let json = feedback(tree, failures, &["--format", "json"]).json();
    let all = json["failures"].as_array().cloned().unwrap_or_default();
    let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let shown = |it: &Value| (word(&it["kind"]), it["candidates"].as_array().into_iter().flatten().map(word).collect::<Vec<_>>().join(" "));
    all.iter().flat_map(|it| it["unclear_frames"].as_array().into_iter().flatten().map(shown).collect::<Vec<_>>()).collect()
}

#[test]
fn frames_that_name_no_single_method_are_told() {
    let tree = service();
    tree.write("src/main/java/q/Ticket.java", b"package q;\nclass Ticket {\n    void it(int n) {}\n    void it(String s) {}\n    Runnable r = () -> {};\n}\n");
    for (failures, kind, candidates) in [
        ("x.y.None.none", "unknown-class", ""),
        ("z.Pricing.price", "unknown-class", "p.Pricing"),
        ("Ticket.it", "ambiguous-class", "p.Ticket q.Ticket"),
        ("p.Pricing.prise", "unknown-method", "p.Pricing.price"),
        ("p.Pricing.quiteElse", "unknown-method", ""),
        ("q.Ticket.it", "overloads", "q.Ticket.it(int) q.Ticket.it(java.lang.String)"),
        ("at p.Pricing.lambda$null$0(Unknown Source)", "ambiguous-method", ""),
        ("p.PricingTest.price", "test", ""),
    ] {
        let found = unclear(&tree, failures);
        assert_eq!(found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), [kind], "{failures}");
        assert!(kind == "ambiguous-method" || found[0].1 == candidates, "{failures}: {found:?}");
        // It is said in words too, and the rest is still a file without mistakes.
        let run = feedback(&tree, failures, &[]);
        config(&run);
        assert!(found[0].1.split(' ').all(|it| run.stdout.contains(it)), "{run:?}");
    }
    // Near misses: the only class that ends so, one overload, and frames of other code in a trace.
    for failures in
        ["Pricing.price", "q.Ticket.it(int)", "at q.Ticket.it(Ticket.java:4)", "at com.vendor.A.a(A.java:1)\nat p.Pricing.id(Pricing.java)", "p.Limits.<init>"]
    {
        assert_eq!(unclear(&tree, failures), [], "{failures}");
    }
    assert_eq!(rows(&tree, "Pricing.price"), ["source com.vendor.RateClient.quote"]);
}

#[test]
fn fields_that_are_ruled_out_are_named() {
    let tree = service();
    let fields = |method: &str| {
        let json = feedback(&tree, &format!("p.Pricing.{method}"), &["--format", "json"]).json();
        json["failures"][0]["methods"][0]["ruled_out_fields"].as_array().into_iter().flatten().map(|it| json!([it["field"], it["reason"]])).collect::<Vec<_>>()
    };
    assert_eq!(fields("limit"), [json!(["p.Limits.max", "modifier never called"])]);
    assert_eq!(fields("pages"), [json!(["p.Limits.pages", "no modifier"])]);
    assert_eq!(fields("now"), [Value::Null; 0]);
    let text = feedback(&tree, "p.Pricing.pages", &[]).stdout;
    assert!(text.contains("#     reads fields that are ruled out: p.Limits.pages (no modifier, src/main/java/p/Pricing.java:"), "{text}");
}

#[test]
fn rows_alone_can_be_appended() {
    let tree = service();
    let rows = feedback(&tree, "p.Pricing.price\np.Pricing.limit\np.Pricing.blank\nx.Y.z\n", &["--format", "toml"]);
    assert!(!rows.stdout.contains('#') && !rows.stdout.contains("isBlank"), "{rows:?}");
    let mine = "[severity]\nmodified-field = \"off\"\n";
    let file = config(&Run { stdout: format!("{mine}{}", rows.stdout), ..rows });
    assert_eq!((file.source.len(), file.entry_point.len()), (1, 1));
    assert_eq!(feedback(&tree, "p.Pricing.now", &["--format", "toml"]).stdout, "");
}

#[test]
fn what_is_printed_is_a_configuration_file() {
    let tree = service();
    let file = config(&feedback(&tree, "p.Pricing.price\np.Pricing.limit\np.Pricing.lines\np.Pricing.blank\n", &[]));
    let of = |rows: &[mockpoint::config::file::StateRow]| rows.iter().map(|it| format!("{}.{}", it.ty, it.member)).collect::<Vec<_>>();
    assert_eq!(of(&file.source), ["com.vendor.RateClient.quote", "p.Limits.lines"]);
    assert_eq!(of(&file.mocking_point), [""; 0]);
    assert_eq!(file.entry_point.len(), 1);
    assert!(file.source.iter().all(|it| it.reason.is_some()));
    // What is less likely is a comment; taken out of it, it is a row as well.
    let run = feedback(&tree, "p.Pricing.blank", &[]);
    assert_eq!(config(&run), ConfigFile::default());
    let bare: Vec<&str> = run.stdout.lines().map(|it| it.strip_prefix('#').filter(|it| !it.starts_with(' ')).unwrap_or(it)).collect();
    assert_eq!(of(&config(&Run { stdout: bare.join("\n"), ..run }).source), ["com.vendor.Ids.isBlank"]);
}

#[test]
fn json_is_what_its_schema_says() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/feedback.schema.json")).expect("the schema is there");
    let described: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let failures = r#"["p.Pricing.price", {"class": "p.Pricing", "method": "limit"}, [{"class": "p.Pricing", "method": "wins", "line": 1}], "p.None.none"]"#;
    let json = feedback(&service(), failures, &["--format", "json"]).json();
    assert_eq!(schema::errors(&described, &json), [""; 0]);
    assert_eq!((&json["version"], json["failures"].as_array().map(Vec::len)), (&json!(1), Some(4)));
}

#[test]
fn threads_change_nothing() {
    let tree = service();
    let failures = "p.Pricing.price\np.Pricing.lines\np.Pricing.limit\np.Pricing.wins\np.Pricing.tells";
    let first = feedback(&tree, failures, &["--jobs", "1"]).stdout;
    for jobs in ["1", "2", "5"] {
        assert_eq!(feedback(&tree, failures, &["--jobs", jobs]).stdout, first);
    }
}

#[test]
fn failures_may_come_on_standard_input() {
    let tree = service();
    let mut child = Command::new(binary())
        .args(["feedback", "-", "src"])
        .current_dir(tree.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mockpoint runs");
    child.stdin.take().expect("it is piped").write_all(b"p.Pricing.price\n").expect("it listens");
    let run: Run = child.wait_with_output().expect("it ends").into();
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("type = \"com.vendor.RateClient\"\n"), "{run:?}");
}

#[test]
fn wrong_usage_and_odd_input() {
    let tree = Tree::with(&[("Good.java", GOOD)]);
    tree.write("broken.json", b"[\"Good.now\"");
    tree.write("object.json", b"[{\"class\": \"Good\"}]");
    for (args, said) in [
        (&["feedback"][..], "FAILURES"),
        (&["feedback", "none"], "cannot read none:"),
        (&["feedback", "."], "cannot read .:"),
        (&["feedback", "broken.json"], "cannot read broken.json: not JSON"),
        (&["feedback", "object.json"], "cannot read object.json: failure 1: a frame has no `method`"),
        (&["feedback", "Good.java", "no/such"], "cannot read no/such"),
    ] {
        let run = tree.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(said), "{args:?}: {run:?}");
    }
    for bytes in [&b""[..], b"it failed\n", b"\xff\xfe\x00\xd8", b"at at at (\n((((\n)))\n#\n.\n"] {
        tree.write("odd", bytes);
        let run = tree.run(&["feedback", "odd"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), "warning: no method and no stack trace in odd\n"), "{run:?}");
        assert_eq!(run.stdout, "# 0 failures, 0 rows to try\n");
    }
    // A name with quotes and controls stays a comment.
    tree.write("odd", "x\u{1b}[31m \" ''' \r p.E\nat Good.now(Good.java:2)\n".as_bytes());
    let run = tree.run(&["feedback", "odd"]);
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
    config(&run);
}

#[test]
fn rows_that_are_taken_are_not_proposed_again() {
    let tree = service();
    let trace = format!(
        "at com.vendor.X.quote(X.java:1)\nat p.Pricing.price(Pricing.java:{})\n\np.Pricing.id\np.Pricing.limit\np.Pricing.lines\n",
        line("rates.quote")
    );
    let run = feedback(&tree, &trace, &[]);
    assert!(run.stdout.starts_with("# 4 failures, 4 rows to try\n"), "{}", run.stdout);
    tree.write("mockpoint.toml", run.stdout.as_bytes());
    let again = feedback(&tree, &trace, &[]).stdout;
    assert!(again.starts_with("# 4 failures, 0 rows to try\n"), "{again}");
    let json = tree.run(&["check", "--format", "json"]).json();
    let category = |name: &str| {
        let mut points = json["mocking_points"].as_array().into_iter().flatten();
        points.find(|it| it["method"]["name"] == name).map(|it| it["categories"].clone()).unwrap_or_default()
    };
    // The library call that was failed in, those who decide by what libraries and fields say, and a field that changes.
    assert_eq!([category("quote"), category("id"), category("lines")], [json!(["white-list"]), json!(["white-list"]), json!(["white-list"])]);
    assert_eq!(category("limit"), json!(["internal"]));
    assert_eq!(json["statistics"]["points"]["white-list"], 3);
}

//! `mockpoint export`: names, what is left out and why, each warning where it is due and a near miss where it is not.

use mockpoint::export;
use mockpoint_tests::{Run, Tree, run, schema};
use serde_json::Value;
use std::path::Path;
use std::{env, fs};

fn shop(file: &str, text: &str) -> Tree {
    Tree::with(&[(&format!("src/main/java/p/{file}.java"), text)])
}

fn depot(args: &[&str]) -> Run {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/export");
    let run = run(&root, &[&["export"], args].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

/// `Class.method(types) formula` of each dynamic class.
fn dynamic_classes(run: &Run) -> Vec<String> {
    let text = |it: &Value, key: &str| it[key].as_str().expect("a text").to_owned();
    let one = |it: &Value| {
        let (class, name, types) = (text(it, "fullClassName"), text(it, "methodName"), text(it, "parameterTypes"));
        format!("{class}.{name}({types}) {}", text(it, "keyFormula")).trim_end().to_owned()
    };
    run.json().as_array().expect("a list").iter().map(one).collect()
}

fn arex(tree: &Tree, args: &[&str]) -> Run {
    let run = tree.run(&[&["export", "--for", "arex"], args].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

/// The lines of standard error that are about a method.
fn said(run: &Run, method: &str) -> Vec<String> {
    run.stderr.lines().filter(|it| it.contains(&format!(": {method}: "))).map(str::to_owned).collect()
}

/// Whether one of the lines about a method has these words.
fn says(run: &Run, method: &str, words: &str) -> bool {
    said(run, method).iter().any(|it| it.contains(words))
}

#[test]
fn wrong_usage() {
    let tree = shop("A", "package p; class A {}");
    for (args, said) in [
        (&["export"][..], "--for"),
        (&["export", "--for", "easymock"], "arex"),
        (&["export", "--for", "csv", "--format", "yaml"], "only --for arex takes --format"),
        (&["export", "--for", "arex", "--category", "weather"], "system, internal, external, white-list"),
        (&["export", "--for", "arex", "--output", "no/such/folder/x"], "cannot write no/such/folder/x"),
    ] {
        let run = tree.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(said), "{args:?}: {run:?}");
    }
}

#[test]
fn names_are_those_of_the_virtual_machine() {
    let run = depot(&["--for", "arex", "--app", "depot", "--package", "depot.Rates"]);
    let expected = [
        "depot.Rates.rate(java.lang.String) T:java.lang.Long",
        "depot.Rates.highest(java.lang.Comparable@java.util.Map$Entry@java.util.List[]@long[])",
        "depot.Rates$Part.size()",
    ];
    assert_eq!(dynamic_classes(&run), expected, "{run:?}");
    assert!(run.json().as_array().is_some_and(|all| all.iter().all(|it| it["appId"] == "depot")));
}

#[test]
fn a_type_of_unknown_package_is_said() {
    let tree = shop(
        "A",
        "package p; import q.Known;\nclass A {\n long far(Missing it, Known other, q.r.Out.In third) { return System.nanoTime(); }\n long near(Known it) { return System.nanoTime(); } }",
    );
    let run = arex(&tree, &[]);
    assert_eq!(dynamic_classes(&run), ["p.A.far(Missing@q.Known@q.r.Out$In)", "p.A.near(q.Known)"]);
    assert!(says(&run, "p.A.far", "`Missing`, the type of parameter `it`"), "{run:?}");
    assert_eq!(said(&run, "p.A.near"), [""; 0]);
}

#[test]
fn what_plugins_cover_is_left_out() {
    let run = depot(&["--for", "arex", "--package", "depot.StockService"]);
    let expected = ["depot.StockService.take(java.lang.String@int)", "depot.StockService.taken()"];
    assert_eq!(dynamic_classes(&run), expected, "{run:?}");
    for method in ["look", "scarce", "drop"] {
        assert!(says(&run, &format!("depot.StockService.{method}"), "the plug-in mybatis-v3 answers all that it reads"), "{run:?}");
    }
    let all = dynamic_classes(&depot(&["--for", "arex", "--package", "depot.StockService", "--all"]));
    assert_eq!(all.len(), 5, "{all:?}");
    assert!(all.contains(&"depot.StockService.look(java.lang.String)".to_owned()), "{all:?}");
}

#[test]
fn categories_and_packages_choose() {
    let of = |args: &[&str]| dynamic_classes(&depot(&[&["--for", "arex", "--all"], args].concat()));
    let all = of(&[]);
    let internal = of(&["--category", "internal"]);
    assert!(internal.contains(&"depot.StockService.taken()".to_owned()) && !internal.iter().any(|it| it.contains("stamp")), "{internal:?}");
    let two = of(&["--category", "system,internal"]);
    assert!(internal.len() < two.len() && two.len() < all.len(), "{two:?}");
    assert_eq!(
        of(&["--package", "depot.Tickets,depot.Rates"]),
        all.iter().filter(|it| it.starts_with("depot.Tickets") || it.starts_with("depot.Rates")).cloned().collect::<Vec<_>>()
    );
    assert_eq!(of(&["--package", "depo"]), [""; 0]);
}

#[test]
fn void_methods() {
    let run = depot(&["--for", "arex", "--package", "depot.Tickets"]);
    assert!(dynamic_classes(&run).contains(&"depot.Tickets.assign(depot.Stock) java.util.UUID.randomUUID".to_owned()), "{run:?}");
    let tree = shop(
        "A",
        "package p;\nimport java.sql.Connection;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n static void check() { if (n > 3) throw new IllegalStateException(); }\n int free() { return n; }\n void send(java.net.http.HttpClient it) throws Exception { it.send(null, null); } }",
    );
    let run = arex(&tree, &[]);
    assert_eq!(dynamic_classes(&run), ["p.A.free()", "p.A.send(java.net.http.HttpClient)"], "{run:?}");
    assert!(says(&run, "p.A.check", "AREX records nothing of it"), "{run:?}");
    assert!(says(&run, "p.A.send", "in replay its body is not run"), "{run:?}");
    assert!(dynamic_classes(&arex(&tree, &["--all"])).contains(&"p.A.check()".to_owned()));
}

#[test]
fn only_the_outermost_is_recorded() {
    let text = "package p;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n private int inner() { return n; }\n private int shared() { return n + 1; }\n public int outer() { return inner() + n; }\n public int other() { return shared(); }\n public int third() { return shared() + n; }\n static int ping() { return n > 2 ? 0 : pong(); }\n static int pong() { return n > 3 ? 0 : ping(); } }";
    let run = arex(&shop("A", text), &[]);
    assert_eq!(dynamic_classes(&run), ["p.A.shared()", "p.A.outer()", "p.A.third()", "p.A.ping()", "p.A.pong()"], "{run:?}");
    assert!(says(&run, "p.A.inner", "only called while p.A.outer runs"), "{run:?}");
    let all = arex(&shop("A", text), &["--all"]);
    assert_eq!(dynamic_classes(&all).len(), 6);
    assert!(said(&all, "p.A.inner").iter().all(|it| it.starts_with("warning: ")), "{all:?}");
}

#[test]
fn generic_results() {
    let text = "package p;\nimport java.util.*;\nimport java.util.concurrent.*;\nclass Box<T> {}\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n Box<String> told() { return n > 1 ? null : new Box<>(); }\n Box<List<String>> lost() { return n > 1 ? null : new Box<>(); }\n List<String> list() { return n > 1 ? null : List.of(); }\n Map<String, Long> map() { return n > 1 ? null : Map.of(); }\n CompletableFuture<String> later() { return n > 1 ? null : new CompletableFuture<>(); }\n Future<String> never() { return n > 1 ? null : new CompletableFuture<>(); } }";
    let run = arex(&shop("A", text), &[]);
    let formulas: Vec<String> = dynamic_classes(&run).iter().map(|it| it.split_once(' ').map_or("", |it| it.1).to_owned()).collect();
    assert_eq!(formulas, ["T:java.lang.String", "", "", "", "", "T:java.lang.String"], "{run:?}");
    assert!(says(&run, "p.A.lost", "generic result cannot be read back"), "{run:?}");
    assert!(says(&run, "p.A.never", "AREX does not wait"), "{run:?}");
    for method in ["told", "list", "map", "later"] {
        assert_eq!(said(&run, &format!("p.A.{method}")), [""; 0]);
    }
}

#[test]
fn what_cannot_be_written_down() {
    let text = "package p;\nimport java.io.*;\nimport java.util.function.*;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n InputStream open() { return n > 1 ? null : new ByteArrayInputStream(new byte[n]); }\n byte[] read() { return n > 1 ? null : new byte[n]; }\n int keyed(String id, Supplier<String> it, int more) { return n; }\n int plain(String id, int more) { return n; } }";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.open", "java.io.InputStream, a stream"), "{run:?}");
    assert!(says(&run, "p.A.keyed", "parameter `it` has a java.util.function.Supplier"), "{run:?}");
    assert_eq!((said(&run, "p.A.read").len(), said(&run, "p.A.plain").len()), (0, 0), "{run:?}");
    let classes = dynamic_classes(&run);
    assert!(classes.contains(&"p.A.keyed(java.lang.String@java.util.function.Supplier@int) #id+'_'+#more".to_owned()), "{classes:?}");
    assert!(run.stderr.contains("note: keys with # need the names of parameters"), "{run:?}");
}

#[test]
fn arguments_that_carry_state() {
    let text = "package p;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n int kept(long at) { return n; }\n int same(long at) { return n + 1; }\n void run() { kept(System.currentTimeMillis()); same(3); } }";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.kept", "parameter `at` carries state that p.A.run reads"), "{run:?}");
    assert_eq!(said(&run, "p.A.same"), [""; 0], "{run:?}");
}

#[test]
fn what_is_answered_already_and_what_is_no_class() {
    let text = "package p;\nimport org.springframework.cache.annotation.Cacheable;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n @Cacheable(\"c\") int cached() { return n; }\n int open() { return n; }\n Object made() { return new Object() { int inside() { return n; } }.inside(); } }\ninterface I { default int here() { return A.n; } }";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.cached", "@Cacheable answers for it") && !dynamic_classes(&run).iter().any(|it| it.contains("cached")), "{run:?}");
    assert!(says(&run, "p.A$1.inside", "numbers anonymous classes"), "{run:?}");
    assert!(says(&run, "p.I.here", "declared in an interface"), "{run:?}");
    assert_eq!(said(&run, "p.A.open"), [""; 0]);
}

#[test]
fn overloads_and_lost_writes() {
    let text = "package p;\nclass A {\n static int n;\n int mine;\n static void add() { n++; }\n void tick() { add(); }\n int both() { return n; }\n int both(int a) { return a; }\n int alone() { return n; }\n int writes(A other) { other.mine = 3; return n; } }";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.both", "overloads with parameters are listed with it"), "{run:?}");
    assert!(says(&run, "p.A.writes", "what it writes is lost"), "{run:?}");
    assert_eq!(said(&run, "p.A.alone"), [""; 0]);
}

#[test]
fn library_methods_are_listed_by_their_own_names() {
    let text = "package p;\nclass A { String id() { return cn.hutool.core.util.IdUtil.fastSimpleUUID(); } }";
    let run = arex(&shop("A", text), &[]);
    assert_eq!(dynamic_classes(&run), ["cn.hutool.core.util.IdUtil.fastSimpleUUID()"], "{run:?}");
}

#[test]
fn static_initialisers_are_a_note() {
    let text = "package p;\nclass A {\n static final long START = begin();\n static long begin() { return System.nanoTime(); } }\nclass B { static final int MAX = 3; }";
    let run = arex(&shop("A", text), &[]);
    assert!(run.stderr.contains("-Darex.static.class.init=p.A\n"), "{run:?}");
}

#[test]
fn yaml_is_the_template() {
    let run = depot(&["--for", "arex", "--format", "yaml"]);
    assert!(
        run.stdout.contains("    - fullClassName: \"depot.StockService\"\n      methodName: \"take\"\n      parameterTypes: \"java.lang.String@int\"\n"),
        "{run:?}"
    );
    assert!(run.stderr.contains("note: the template has no place for key formulas"), "{run:?}");
}

#[test]
fn the_last_line_counts() {
    let run = depot(&["--for", "arex"]);
    let n_entries = dynamic_classes(&run).len();
    let n = |word: &str| run.stderr.lines().filter(|it| it.starts_with(word)).count();
    let left_out = n("left out: ");
    let last = format!("{n_entries} entries, {left_out} left out, {} warning", n("warning: "));
    assert!(run.stderr.lines().last().is_some_and(|it| it.starts_with(&last)), "{last}: {run:?}");
    assert!(run.stderr.lines().filter(|it| it.starts_with("left out: ")).all(|it| it.contains("src/main/java/depot/")), "{run:?}");
}

#[test]
fn a_table() {
    let run = depot(&["--for", "csv"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "class,method,parameters,returns,visibility,static,categories,flow,sources,dependencies,file,line");
    let highest = "depot.Rates,highest,java.lang.Comparable;java.util.Map$Entry;java.util.List[];long[],long,public,false,internal,intra,depot.Rates.rates,,src/main/java/depot/Rates.java,22";
    assert!(lines.contains(&highest), "{run:?}");
    assert!(lines.iter().any(|it| it.contains("take,java.lang.String;int,boolean,public,false,system;external,")), "{run:?}");
    assert!(run.stderr.ends_with(&format!("{} entries, 0 left out, 0 warnings\n", lines.len() - 1)), "{run:?}");
    let tree = Tree::with(&[("a, b/A.java", "class A { long now() { return System.nanoTime(); } }")]);
    let run = tree.run(&["export", "--for", "csv", "--output", "out.csv"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert!(fs::read_to_string(tree.join("out.csv")).is_ok_and(|it| it.ends_with(",\"a, b/A.java\",1\n")), "{run:?}");
}

/// A schema as it is checked in, which must be what the types say.
fn schema_in_docs(name: &str, made: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
        fs::write(&path, made).expect("docs can be written");
    }
    assert!(fs::read_to_string(&path).is_ok_and(|it| it == made), "docs/{name} is old: run the test again with UPDATE_SCHEMA=1");
    serde_json::from_str(made).expect("the schema is JSON")
}

#[test]
fn json_is_what_the_schema_says() {
    let schema = schema_in_docs("arex.schema.json", &export::arex::schema());
    for args in [&["--for", "arex"][..], &["--for", "arex", "--all"]] {
        let run = depot(args);
        assert_eq!(schema::errors(&schema, &run.json()), [""; 0]);
    }
    assert_ne!(schema::errors(&schema, &serde_json::json!([{ "appId": "x" }])), [""; 0]);
}

//! `mockpoint export`: names, what is left out and why, each warning where it is due and a near miss where it is not.

use mockpoint::export;
use mockpoint_tests::{Run, Tree, run, schema};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
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

/// What cannot be written, and trees without anything to export.
#[test]
fn hostile_use() {
    let tree = Tree::with(&[("Good.java", mockpoint_tests::GOOD), ("taken", "a file")]);
    for (tool, output, said) in [
        ("arex", ".", "cannot write ."),
        ("csv", "taken/x", "cannot write taken/x"),
        ("sarif", "/dev/full", "cannot write /dev/full"),
        // Folders for test classes.
        ("mockito", "taken", "cannot write taken"),
        ("mockito", "/dev/null/x", "cannot write /dev/null/x"),
    ] {
        let run = tree.run(&["export", "--for", tool, "--output", output]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{tool} {output}: {run:?}");
        assert!(run.stderr.starts_with(&format!("error: {said}")), "{tool} {output}: {run:?}");
    }
    assert_eq!(fs::read_to_string(tree.join("taken")).ok().as_deref(), Some("a file"));
    let empty = Tree::with(&[("notes.txt", "no Java")]);
    for tool in ["arex", "repeater", "moonbox", "diffblue", "testable-mock", "mockito", "noise", "csv", "sarif"] {
        let run = empty.run(&["export", "--for", tool]);
        assert_eq!(run.code, Some(0), "{tool}: {run:?}");
        assert!(run.stderr.contains("warning: no Java files found\n") && run.stderr.ends_with("0 entries, 0 left out, 0 warnings\n"), "{tool}: {run:?}");
    }
    assert_eq!(empty.run(&["export", "--for", "arex"]).json(), serde_json::json!([]));
    let run = empty.run(&["export", "--for", "arex", "nowhere"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains("nowhere"), "{run:?}");
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
    let text = "package p;\nimport java.io.*;\nimport java.util.function.*;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n InputStream open() { return n > 1 ? null : new ByteArrayInputStream(new byte[n]); }\n byte[] read() { return n > 1 ? null : new byte[n]; }\n org.springframework.data.domain.Page<String> page() { return n > 1 ? null : org.springframework.data.domain.Page.empty(); }\n int keyed(String id, Supplier<String> it, int more) { return n; }\n int plain(String id, int more) { return n; } }";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.open", "java.io.InputStream, a stream"), "{run:?}");
    assert!(says(&run, "p.A.keyed", "parameter `it` has a java.util.function.Supplier"), "{run:?}");
    assert_eq!((said(&run, "p.A.read").len(), said(&run, "p.A.plain").len(), said(&run, "p.A.page").len()), (0, 0, 0), "{run:?}");
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

/// A class of the JDK, of the library or of the sources that is answered at the call: what the narrow placement lists.
#[test]
fn narrow_puts_points_on_what_they_read() {
    let paper = dynamic_classes(&depot(&["--for", "arex"]));
    let narrow = depot(&["--for", "arex", "--placement", "narrow"]);
    assert!(paper.contains(&"depot.StockService.take(java.lang.String@int)".to_owned()), "{paper:?}");
    // The tables are the plug-in's, the clock is replaced inside of the method.
    let expected: Vec<String> =
        paper.iter().map(|it| if it.contains(".take(") { format!("{it} java.lang.System.currentTimeMillis") } else { it.clone() }).collect();
    assert_eq!(dynamic_classes(&narrow), expected);
    assert!(says(&narrow, "depot.StockService.take", "it runs in replay; what it reads is answered at java.lang.System.currentTimeMillis"), "{narrow:?}");
    // Without plug-ins the mapper is listed.
    let all = depot(&["--for", "arex", "--placement", "narrow", "--all"]);
    for method in ["find(java.lang.String)", "log(java.lang.String@java.lang.String)", "update(depot.Stock)"] {
        assert!(dynamic_classes(&all).contains(&format!("ac:depot.StockMapper.{method}")), "{all:?}");
    }
    assert!(says(&all, "depot.StockMapper.find", "a proxy answers for depot.StockMapper"), "{all:?}");
    // A method that does nothing but ask the mapper stays: it is the smallest one around.
    assert!(dynamic_classes(&all).contains(&"depot.StockService.look(java.lang.String)".to_owned()), "{all:?}");
}

/// Every read of the paper's placement is inside of something that the narrow one lists.
#[test]
fn narrow_loses_no_dependency() {
    let text = "package p;\nimport java.util.*;\nimport org.springframework.jdbc.core.JdbcTemplate;\nclass A {\n static int n;\n JdbcTemplate jdbc;\n static void add() { n++; }\n void tick() { add(); }\n\
        int field(Map<String, Long> out) { out.put(\"a\", 1L); return helper() + n; }\n\
        int both(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return jdbc.update(\"insert\") + (System.nanoTime() > 3 ? 1 : 0); }\n\
        int lib(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return jdbc.update(\"insert\"); }\n\
        int time(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return System.currentTimeMillis() > 3 ? new Random().nextInt(3) : UUID.randomUUID().hashCode(); }\n\
        int made(Map<String, Long> out) { Stamp it = new Stamp(); helper(); helper(); return it.at > 3 ? 1 : 0; }\n\
        private int helper() { return Integer.parseInt(\"3\"); } }\nclass Stamp { long at = System.currentTimeMillis(); }";
    let tree = shop("A", text);
    let narrow = arex(&tree, &["--placement", "narrow"]);
    let classes = dynamic_classes(&narrow);
    let lists = |what: &str| classes.iter().any(|it| it == what);
    // A field, a clock that nothing replaces, and what a constructor reads have no place of their own.
    for method in ["field", "both", "made"] {
        assert!(lists(&format!("p.A.{method}(java.util.Map)")), "{method}: {narrow:?}");
    }
    // A concrete class of a library can be listed.
    assert!(lists("org.springframework.jdbc.core.JdbcTemplate.update(java.lang.String)") && !classes.iter().any(|it| it.contains("A.lib")), "{narrow:?}");
    // `new Random()` is not replaced, so the method stays as it is.
    assert!(lists("p.A.time(java.util.Map)"), "{narrow:?}");
}

/// The agent replaces calls in methods of the listed name: neither in the body of a lambda nor at a reference.
#[test]
fn calls_in_lambdas_are_not_replaced() {
    let text = "package p;\nimport java.util.*;\nimport java.util.function.*;\nclass A {\n\
        void plain(Map<String, Long> out) { out.forEach((k, v) -> k.trim()); if (System.currentTimeMillis() > 3) throw new IllegalStateException(); }\n\
        void inside(List<Long> all) { all.forEach(it -> { if (System.currentTimeMillis() > it) throw new IllegalStateException(); }); }\n\
        void named(Optional<Long> it) { if (it.orElseGet(System::currentTimeMillis) > 3) throw new IllegalStateException(); } }";
    let run = arex(&shop("A", text), &[]);
    assert_eq!(dynamic_classes(&run), ["p.A.plain(java.util.Map) java.lang.System.currentTimeMillis"], "{run:?}");
    for method in ["p.A.inside", "p.A.named"] {
        assert!(says(&run, method, "it is void: AREX records nothing of it"), "{run:?}");
    }
}

/// A point stays where it is if the tool may not be able to answer what it calls.
#[test]
fn narrow_keeps_what_a_call_cannot_stand_for() {
    let text = "package p;\nimport java.util.*;\nimport org.springframework.data.jpa.repository.JpaRepository;\nimport org.springframework.jdbc.core.*;\n\
        class Item { long id; }\ninterface Items extends JpaRepository<Item, Long> { Item byName(String name); }\nclass A {\n JdbcTemplate jdbc;\n Items items;\n\
        int proxy(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return items.byName(\"a\") == null ? 0 : 1; }\n\
        int mapped(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return jdbc.query(\"select\", (row, n) -> row.getInt(1)).size(); }\n\
        int data(Map<String, Long> out) { out.put(\"a\", 1L); helper(); return jdbc.queryForList(\"select\").size(); }\n\
        int drawn(Map<String, Long> out, Random it) { out.put(\"a\", 1L); helper(); return it.nextInt(3); }\n\
        int drawn(Random it) { return it.nextInt(3, 9); }\n\
        int single(Map<String, Long> out, Random it) { out.put(\"a\", 1L); helper(); return it.nextInt(3); }\n\
        private int helper() { return Integer.parseInt(\"3\"); } }";
    let tree = shop("A", text);
    let narrow = arex(&tree, &["--placement", "narrow"]);
    let classes = dynamic_classes(&narrow);
    let lists = |what: &str| classes.iter().any(|it| it == what);
    // AREX finds no record of a proxy again, a row mapper cannot be written down; rows can.
    assert!(lists("p.A.proxy(java.util.Map)") && lists("p.A.mapped(java.util.Map)"), "{narrow:?}");
    assert!(
        lists("org.springframework.jdbc.core.JdbcTemplate.queryForList(java.lang.String)") && !classes.iter().any(|it| it.contains("A.data")),
        "{narrow:?}"
    );
    // The agent would take `nextInt(int, int)` of a method of the same name for what it replaces.
    assert!(lists("p.A.drawn(java.util.Map@java.util.Random)"), "{narrow:?}");
    assert!(lists("p.A.single(java.util.Map@java.util.Random) java.util.Random.nextInt"), "{narrow:?}");
    // Without plug-ins, for an agent that goes by other names.
    let all = dynamic_classes(&arex(&tree, &["--placement", "narrow", "--all"]));
    assert!(all.contains(&"ac:p.Items.byName(java.lang.String)".to_owned()), "{all:?}");
}

#[test]
fn formulas_are_of_one_class() {
    let text = "package p;\nclass Box<T> {}\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n Box<String> told() { return n > 1 ? null : new Box<>(); }\n static Box<String> fixed() { return n > 1 ? null : new Box<>(); }\n int plain() { return n; } }\nclass B extends A {}";
    let run = arex(&shop("A", text), &[]);
    assert!(says(&run, "p.A.told", "for a p.B it is not told what its generic result holds"), "{run:?}");
    assert_eq!((said(&run, "p.A.fixed").len(), said(&run, "p.A.plain").len()), (0, 0), "{run:?}");
}

#[test]
fn points_that_take_much_with_them() {
    let mapper = "package p;\nimport org.apache.ibatis.annotations.Mapper;\n@Mapper interface M { int a(int n); int b(int n); int c(int n); }";
    let text = "package p;\nclass A {\n M m;\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n int much(int k) { return m.a(k) + m.b(k) + m.c(k) + n; }\n int little(int k) { return m.a(k) + n; } }";
    let tree = Tree::with(&[("src/main/java/p/M.java", mapper), ("src/main/java/p/A.java", text)]);
    let run = arex(&tree, &[]);
    assert!(says(&run, "p.A.much", "it takes much with it: 3 calls to the outside"), "{run:?}");
    assert!(!says(&run, "p.A.little", "it takes much"), "{run:?}");
}

#[test]
fn what_the_tool_gives_up_hides_nothing() {
    let text = "package p;\nimport java.io.*;\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); }\n private int inner() { return n; }\n InputStream outer() { return inner() + n > 3 ? null : new ByteArrayInputStream(new byte[n]); } }";
    let run = arex(&shop("A", text), &[]);
    assert!(dynamic_classes(&run).contains(&"p.A.inner()".to_owned()), "{run:?}");
}

#[test]
fn the_configuration_of_repeater() {
    let run = depot(&["--for", "repeater"]);
    let config = run.json();
    let schema = schema_in_docs("repeater.schema.json", &export::repeater::schema());
    assert_eq!(schema::errors(&schema, &config), [""; 0]);
    assert_eq!(config["pluginIdentities"], serde_json::json!(["http", "java-entrance", "java-subInvoke", "mybatis"]));
    assert_eq!(config["httpEntrancePatterns"], serde_json::json!(["^/stock$", "^/stock/[^/]+$", "^/stock/[^/]+/fetch$", "^/stock/[^/]+/take$"]));
    assert_eq!(config["javaEntranceBehaviors"][0]["methodPatterns"], serde_json::json!(["renew"]));
    let sub = config["javaSubInvokeBehaviors"].as_array().expect("a list");
    assert!(sub.iter().any(|it| it["classPattern"] == "depot.Rates$Part" && it["includeSubClasses"] == false), "{config}");
    assert!(!run.stdout.contains('*'), "{run:?}");
    // With nothing to record the plug-in is off: it fails on an empty list.
    let none = shop("A", "package p; class A {}").run(&["export", "--for", "repeater"]);
    assert_eq!(none.json()["pluginIdentities"], serde_json::json!([]), "{none:?}");
    assert!(none.stderr.contains("note: no handler was found"), "{none:?}");
}

#[test]
fn what_repeater_cannot_do() {
    let text = "package p;\nimport java.util.*;\nclass Bare { int a; }\nclass Fit implements java.io.Serializable { int a; }\nclass A {\n static int n;\n static void add() { n++; }\n void tick() { add(); kept(System.nanoTime()); }\n List<Bare> bare() { return n > 1 ? null : List.of(); }\n Fit fit() { return n > 1 ? null : new Fit(); }\n int over() { return n; }\n int over(int a) { return a; }\n int kept(long at) { return n; } }";
    let tree = shop("A", text);
    let run = tree.run(&["export", "--for", "repeater"]);
    assert!(says(&run, "p.A.bare", "p.Bare, in its result, is not Serializable"), "{run:?}");
    assert!(says(&run, "p.A.over", "overloads that are no mocking points"), "{run:?}");
    assert!(says(&run, "p.A.kept", "the replay ends there"), "{run:?}");
    assert_eq!(said(&run, "p.A.fit"), [""; 0], "{run:?}");
}

/// What runs after the answer: only where all calls are on another thread, and only of what goes outside.
#[test]
fn what_runs_after_the_answer() {
    let text = "package p;\nimport java.util.concurrent.*;\nimport org.springframework.jdbc.core.JdbcTemplate;\nimport org.springframework.scheduling.annotation.Async;\nclass A {\n JdbcTemplate jdbc;\n ExecutorService pool;\n\
        int mail() { return jdbc.update(\"a\"); }\n @Async public void notice() { mail(); }\n\
        int audit() { return jdbc.update(\"b\"); }\n void save() { pool.submit(() -> audit()); }\n\
        int twice() { return jdbc.update(\"c\"); }\n void both() { pool.submit(() -> twice()); twice(); }\n\
        int now() { return jdbc.update(\"d\"); }\n void plain() { now(); }\n\
        long stamp() { return System.nanoTime(); }\n void timed() { pool.execute(() -> stamp()); } }";
    let tree = shop("A", text);
    let run = tree.run(&["export", "--for", "repeater"]);
    assert!(says(&run, "p.A.mail", "p.A.notice is @Async: what is called after the request"), "{run:?}");
    assert!(says(&run, "p.A.audit", "p.A.save gives it to another thread"), "{run:?}");
    for method in ["twice", "now", "stamp"] {
        assert!(!says(&run, &format!("p.A.{method}"), "after the request"), "{method}: {run:?}");
    }
    assert!(!arex(&tree, &[]).stderr.contains("after the request"));
}

/// Ways to what changes by itself in answers, by handler.
#[test]
fn noise_in_answers() {
    let text = "package p;\nimport java.time.*;\nimport java.util.*;\nimport org.springframework.http.ResponseEntity;\nimport org.springframework.web.bind.annotation.*;\n\
        class Base { private UUID trace = UUID.randomUUID(); public UUID getTrace() { return trace; } }\n\
        class Order extends Base { String name; Instant at; List<Line> lines; Map<String, Line> byName; Order next; static Instant last; public Instant getAt() { return at; } public long getAge() { return System.nanoTime() - 1; } }\n\
        class Line { String sku; LocalDate due = LocalDate.now(); public LocalDate getDue() { return due; } }\n\
        class Bill { @JsonProperty(\"printed_at\") Instant printed = Instant.now(); @JsonIgnore UUID key = UUID.randomUUID(); @JSONField(name = \"the_line\") Line line; \
        public Instant getPrinted() { return printed; } @JsonGetter(\"n\") public long getNanos() { return System.nanoTime(); } }\n\
        class Page<T> { T data; int total; }\n class Quiet { String name; }\n\
        @RestController @RequestMapping(\"/orders\") class A {\n\
        @GetMapping(\"/{id}\") Order one() { Order it = new Order(); it.at = Instant.now(); return it; }\n\
        @GetMapping ResponseEntity<Page<List<Line>>> all() { return null; }\n\
        @GetMapping(\"/bill\") Bill bill() { return new Bill(); }\n @GetMapping(\"/quiet\") Quiet quiet() { return new Quiet(); }\n @GetMapping(\"/page\") Page<Quiet> page() { return null; } }";
    let run = shop("A", text).run(&["export", "--for", "noise"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let schema = schema_in_docs("noise.schema.json", &export::noise::schema());
    assert_eq!(schema::errors(&schema, &run.json()), [""; 0]);
    let expected = serde_json::json!([
        { "operation": "/orders", "method": "p.A.all", "exclusions": [["data", "due"]] },
        { "operation": "/orders/bill", "method": "p.A.bill", "exclusions": [["n"], ["printed_at"], ["the_line", "due"]] },
        { "operation": "/orders/{id}", "method": "p.A.one", "exclusions": [["age"], ["at"], ["byName", "*", "due"], ["lines", "due"], ["trace"]] },
    ]);
    assert_eq!(run.json(), expected, "{run:?}");
    assert!(run.stderr.ends_with("3 entries, 0 left out, 0 warnings\n"), "{run:?}");
}

#[test]
fn the_lists_of_moonbox() {
    let run = depot(&["--for", "moonbox", "--package", "depot.Tickets"]);
    let schema = schema_in_docs("moonbox.schema.json", &export::moonbox::schema());
    assert_eq!(schema::errors(&schema, &run.json()), [""; 0]);
    let expected = serde_json::json!({
        "TIME": { "sysTimeMockClasses": ["depot.Tickets"] },
        "UNIVERSAL": [{ "className": "depot.Tickets", "methodList": ["assign(depot.Stock)", "shelf", "ticket(java.lang.String)"] }],
    });
    assert_eq!(run.json(), expected);
}

#[test]
fn options_of_diffblue() {
    let run = depot(&["--for", "diffblue"]);
    let expected = "dcover create \\\n  --mock=depot.Rates,depot.StockMapper,depot.StockService,depot.Tickets \\\n  --mock-construction=java.util.Random \\\n  --mock-static=depot.Tickets,java.util.UUID\n";
    assert_eq!(run.stdout, expected);
    assert!(run.stderr.contains("note: Mockito does not mock java.lang.System.currentTimeMillis"), "{run:?}");
    // No other class begins like one of these.
    assert!(!run.stderr.contains("--mock takes beginnings"), "{run:?}");
    let user = "package p;\nclass Ids { long next() { return System.nanoTime(); } static class Part {} }\nclass IdsOf { }\nclass User { Ids ids; long at() { return ids.next(); } }";
    let run = shop("User", user).run(&["export", "--for", "diffblue"]);
    assert!(run.stdout.contains("--mock=p.Ids"), "{run:?}");
    assert!(run.stderr.contains("note: --mock takes beginnings of names: p.Ids also stands for p.IdsOf; --disable-mock-inputs"), "{run:?}");
}

#[test]
fn test_classes_are_files() {
    let tree = Tree::with(&[(
        "src/A.java",
        "package p;\nclass A { long now() { return System.nanoTime(); }\n private static class Hidden { long at() { return System.nanoTime(); } } }",
    )]);
    let run = tree.run(&["export", "--for", "testable-mock", "--output", "tests"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    let text = fs::read_to_string(tree.join("tests/p/ATest.java")).expect("it was written");
    assert!(text.contains("@MockInvoke(targetClass = java.lang.System.class)\n        private long nanoTime() { return 0L; }"), "{text}");
    assert!(!tree.join("tests/p/A_HiddenTest.java").exists());
    // What a person may have written since is not replaced.
    let again = tree.run(&["export", "--for", "testable-mock", "--output", "tests"]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("is there already; nothing was written"), "{again:?}");
    let printed = tree.run(&["export", "--for", "testable-mock"]);
    assert_eq!(printed.stdout, format!("// --- p/ATest.java\n{text}"));
}

#[test]
fn what_mockito_mocks() {
    let run = depot(&["--for", "mockito"]);
    for line in [
        "    protected depot.StockMapper stockMapperMock;",
        "    @InjectMocks\n    protected depot.StockService subject;",
        "        uuidMock = Mockito.mockStatic(java.util.UUID.class, Mockito.CALLS_REAL_METHODS);",
        "        randomMock = Mockito.mockConstruction(java.util.Random.class);",
        "    // Mockito does not mock java.lang.System.currentTimeMillis: ask a java.time.Clock",
        "    // depot.StockService.nTaken is state that other calls change: set it before each test.",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("mockStatic(java.lang.System"), "{run:?}");
}

#[test]
fn sarif_is_that_of_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/export");
    assert_eq!(depot(&["--for", "sarif"]).stdout, run(&root, &["check", "--format", "sarif"]).stdout);
}

/// AREX as far as the export speaks with it: answers each request, and says what came.
fn server(answers: &'static [(u16, &'static str)]) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let handle = std::thread::spawn(move || answers.iter().map(|it| answer(&listener, *it)).collect());
    (url, handle)
}

/// Answers one request: its first line and its body.
fn answer(listener: &TcpListener, (status, body): (u16, &str)) -> String {
    let (mut stream, _) = listener.accept().expect("someone asks");
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut first = String::new();
    reader.read_line(&mut first).expect("a request");
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        if let Some(it) = line.to_lowercase().strip_prefix("content-length:") {
            length = it.trim().parse().expect("a number");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut sent = vec![0; length];
    reader.read_exact(&mut sent).expect("a body");
    write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).expect("it listens");
    format!("{}|{}", first.trim(), String::from_utf8(sent).expect("text"))
}

#[test]
fn a_list_is_sent_when_somebody_agrees() {
    const THERE: &str = r##"{"responseStatusType":{"responseCode":0},"body":[{"id":"1","fullClassName":"p.Old","methodName":"gone","parameterTypes":null,"keyFormula":null},{"fullClassName":"Good","methodName":"now","parameterTypes":"","keyFormula":"#x"}]}"##;
    let tree = Tree::with(&[("Good.java", mockpoint_tests::GOOD)]);
    let (url, asked) = server(&[(200, THERE), (200, r#"{"responseStatusType":{"responseCode":0},"body":true}"#)]);
    let run = arex(&tree, &["--app", "my app", "--api", &url, "--yes"]);
    assert_eq!(run.stdout, format!("- Good.now() #x\n+ Good.now()\n- p.Old.gone()\nsent: my app at {url} has 1 dynamic classes now\n"), "{run:?}");
    let asked = asked.join().expect("it answered");
    assert_eq!(asked[0], "GET /api/config/dynamicClass/useResultAsList/appId/my%20app HTTP/1.1|");
    let (line, body) = asked[1].split_once('|').expect("both");
    assert_eq!(line, "POST /api/config/dynamicClass/replace/my%20app HTTP/1.1");
    assert_eq!(body, arex(&tree, &["--app", "my app"]).stdout);
}

#[test]
fn nothing_is_sent_otherwise() {
    let tree = Tree::with(&[("Good.java", mockpoint_tests::GOOD)]);
    // Nobody at a terminal.
    let (url, asked) = server(&[(200, "[]")]);
    let run = tree.run(&["export", "--for", "arex", "--api", &url]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "+ Good.now()\n"), "{run:?}");
    assert!(run.stderr.contains("say --yes to do so; nothing is sent"), "{run:?}");
    assert_eq!(asked.join().map(|it| it.len()).ok(), Some(1));
    // Nothing new.
    let (url, asked) = server(&[(200, r#"[{"fullClassName":"Good","methodName":"now"}]"#)]);
    let run = arex(&tree, &["--api", &url, "--yes"]);
    assert!(run.stdout.contains("has this list already; nothing is sent"), "{run:?}");
    assert_eq!(asked.join().map(|it| it.len()).ok(), Some(1));
    // What AREX does not like, and what is no AREX.
    for (answer, said) in [
        ((500, "no"), "answers 500"),
        ((200, r#"{"responseStatusType":{"responseCode":3,"responseDesc":"unknown app"}}"#), "code 3: \"unknown app\""),
        ((200, "<html>"), "not a list of dynamic classes"),
    ] {
        let answers: &'static [(u16, &'static str)] = Box::leak(Box::new([answer]));
        let (url, asked) = server(answers);
        let run = tree.run(&["export", "--for", "arex", "--api", &url, "--yes"]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(said), "{said}: {run:?}");
        assert!(asked.join().is_ok());
    }
    // Not an answer of AREX to what was sent.
    for (answer, said) in [
        ((200, "<html>"), "not an answer of AREX"),
        ((200, r#"{"responseStatusType":{"responseCode":0},"body":false}"#), "it was not taken: false"),
        ((302, ""), "answers 302"),
        ((500, "{"), "answers 500"),
    ] {
        let answers: &'static [(u16, &'static str)] = Box::leak(Box::new([(200, "[]"), answer]));
        let (url, asked) = server(answers);
        let run = tree.run(&["export", "--for", "arex", "--api", &url, "--yes"]);
        assert_eq!((run.code, run.stdout.contains("sent")), (Some(2), false), "{run:?}");
        assert!(run.stderr.contains(said), "{said}: {run:?}");
        assert!(asked.join().is_ok());
    }
    // Nobody listens any more.
    let (url, asked) = server(&[]);
    assert!(asked.join().is_ok());
    let run = tree.run(&["export", "--for", "arex", "--api", &url, "--yes"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains(&format!("error: {url}/api/config/dynamicClass/useResultAsList/appId/app: ")), "{run:?}");
    for (args, said) in [
        (&["--for", "csv", "--api", "http://x"][..], "only the list of --for arex"),
        (&["--for", "arex", "--api", "https://x", "--yes"], "does not begin with http://"),
        (&["--for", "arex", "--yes"], "--api"),
    ] {
        let run = tree.run(&[&["export"], args].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(said), "{run:?}");
    }
}

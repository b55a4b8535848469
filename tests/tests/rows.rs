//! Every row of the tables of annotations and callbacks does what it says, and the same name of another package does not.
//!
//! Each row gets a package of its own with a small class, and a twin whose annotation or interface only looks alike. All
//! stand in one workspace, which is analysed once.

use mockpoint_tests::Tree;
use std::collections::BTreeMap;

/// The rows of a table, without those of roles that are tested by fixtures.
fn rows(table: &str, roles: &[&str]) -> Vec<Vec<String>> {
    let path = format!("{}/../server/catalogue/{table}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let cells = text.lines().filter(|it| !it.starts_with('#')).map(|it| it.split('\t').map(str::to_owned).collect::<Vec<_>>());
    cells.filter(|it| roles.contains(&it[0].split(':').next().unwrap())).collect()
}

/// An annotation with the import that it needs, and one that looks like it. A row without a package stands for all packages.
fn annotations(name: &str) -> [(String, String); 2] {
    match name.rsplit_once('.') {
        Some((_, simple)) => [(format!("import {name};"), simple.to_owned()), (format!("import alike.{simple};"), simple.to_owned())],
        None => [(format!("import lib.{name};"), name.to_owned()), (format!("import lib.{name}Not;"), format!("{name}Not"))],
    }
}

/// What is said of the field `n` of each class; nothing of a field that is no state.
fn verdicts(tree: &Tree) -> BTreeMap<String, String> {
    let report = tree.run(&["check", "--format", "json"]).json();
    let fields = report["fields"].as_array().unwrap().iter().filter(|it| it["name"] == "n");
    let said = |it: &serde_json::Value| it["reason"].as_str().unwrap_or("modified").to_owned();
    fields.map(|it| (it["class"].as_str().unwrap().to_owned(), said(it))).collect()
}

/// Sources of classes with what must be said of their fields `n`.
struct Cases {
    tree: Tree,
    expected: Vec<(String, String, Option<&'static str>)>,
}

impl Cases {
    fn new() -> Cases {
        Cases { tree: Tree::new(), expected: Vec::new() }
    }

    /// A class `A` in a package of its own; `what` names the row.
    fn add(&mut self, what: &str, source: &str, expected: Option<&'static str>) {
        let package = format!("p{}", self.expected.len());
        self.tree.write(&format!("{package}/A.java"), format!("package {package};\n\n{source}\n").as_bytes());
        self.expected.push((format!("{package}.A"), what.to_owned(), expected));
    }

    fn check(self) {
        assert!(!self.expected.is_empty());
        let found = verdicts(&self.tree);
        let wrong = self.expected.iter().filter(|it| found.get(&it.0).map(String::as_str) != it.2);
        let wrong: Vec<String> = wrong.map(|it| format!("{}: {:?}, expected {:?} ({})", it.1, found.get(&it.0), it.2, it.0)).collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), self.expected.len(), wrong.join("\n"));
    }
}

/// Checks the rows of annotations with these roles: what is said of the class that `source` makes of a row, an import and a name
/// is `expected` first for the annotation, and then for what looks like it.
fn check_annotations(roles: &[&str], expected: impl Fn(&[String]) -> [Option<&'static str>; 2], source: impl Fn(&[String], &str, &str) -> String) {
    let mut cases = Cases::new();
    for row in rows("annotations.tsv", roles) {
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip(expected(&row)) {
            cases.add(&row.join(" "), &source(&row, &import, &name), expected);
        }
    }
    cases.check();
}

/// The members of a class with a static field that somebody reads.
const COUNTS: &str = "static int n;\n    static int get() { return n; }";

/// The members of a class with a field of its own that changes while the service runs.
const RUNS: &str = "private int n;\n    public void run() { n++; }";

const NEVER_CALLED: Option<&str> = Some("modifier never called");

/// What a method does to a field that a row of this role says is called.
fn told(role: &str) -> Option<&'static str> {
    Some(if role == "entry" { "modified" } else { "start-up only" })
}

#[test]
fn methods_that_frameworks_call() {
    check_annotations(
        &["entry", "start-up"],
        |row| [told(&row[0]), NEVER_CALLED],
        |_, import, name| format!("{import}\n\nclass A {{\n    {COUNTS}\n    @{name} void run() {{ n++; }}\n}}"),
    );
}

#[test]
fn methods_that_annotations_name() {
    check_annotations(
        &["calls"],
        |_| [Some("modified"), NEVER_CALLED],
        |row, import, name| {
            let argument = row[0].split([':', '@']).nth(1).unwrap();
            let methods = format!("void back() {{ n++; }}\n    @{name}({argument} = \"back\") void run() {{ }}");
            format!("{import}\n\nclass A {{\n    {COUNTS}\n    {methods}\n}}")
        },
    );
}

#[test]
fn classes_of_beans() {
    check_annotations(
        &["bean", "export"],
        |_| [Some("modified"), None],
        |_, import, name| format!("{import}\n\n@{name}\nclass A implements Runnable {{\n    {RUNS}\n}}"),
    );
}

#[test]
fn scopes_of_more_than_one_object() {
    check_annotations(
        &["narrow"],
        |_| [None, Some("modified")],
        |_, import, name| format!("import javax.inject.Named;\n{import}\n\n@Named\n@{name}\nclass A implements Runnable {{\n    {RUNS}\n}}"),
    );
}

#[test]
fn what_containers_set() {
    check_annotations(
        &["inject"],
        |_| [Some("injected"), NEVER_CALLED],
        |_, import, name| {
            let members = format!("private Runnable n;\n    @{name}\n    public void setN(Runnable it) {{ n = it; }}");
            format!("import javax.inject.Singleton;\n{import}\n\n@Singleton\nclass A {{\n    {members}\n}}")
        },
    );
}

#[test]
fn methods_that_containers_call_by_an_interface() {
    let mut cases = Cases::new();
    for row in rows("callbacks.tsv", &["entry", "start-up"]) {
        let told = told(&row[0]);
        let ty = row[1].trim_start_matches(['+', '@']);
        let simple = ty.rsplit('.').next().unwrap();
        if row[1].starts_with('@') {
            // The annotation says that it is called, and the parameter when.
            for (parameter, expected) in [(row[3].as_str(), told), ("OrderPlaced", Some("modified"))] {
                let import = format!("import {ty};\nimport org.springframework.boot.context.event.{parameter};");
                let method = format!("@{simple} public void on({parameter} event) {{ n++; }}");
                cases.add(&row.join(" "), &format!("{import}\n\nclass A {{\n    {COUNTS}\n    {method}\n}}"), expected);
            }
            continue;
        }
        let parameters = match row[3].parse::<usize>() {
            Ok(n) => (0..n).map(|i| format!("Object a{i}")).collect::<Vec<_>>().join(", "),
            Err(_) if row[3] == "*" => "Object a".to_owned(),
            Err(_) => format!("org.springframework.boot.context.event.{} a", row[3]),
        };
        // An unknown type above may be the one that has the method, if no other library has such a method.
        let other = if row[1].starts_with('+') { String::new() } else { format!(" implements alike.{simple}") };
        for (above, expected) in [(format!(" implements {ty}"), told), (other, NEVER_CALLED)] {
            let source = format!("class A{above} {{\n    {COUNTS}\n    public void {}({parameters}) {{ n++; }}\n}}", row[2]);
            cases.add(&row.join(" "), &source, expected);
        }
    }
    cases.check();
}

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
#[derive(Default)]
struct Cases {
    tree: Option<Tree>,
    expected: Vec<(String, String, Option<&'static str>)>,
}

impl Cases {
    /// A class `A` in a package of its own; `what` names the row.
    fn add(&mut self, what: &str, source: &str, expected: Option<&'static str>) {
        let package = format!("p{}", self.expected.len());
        let tree = self.tree.get_or_insert_with(Tree::new);
        tree.write(&format!("{package}/A.java"), format!("package {package};\n\n{source}\n").as_bytes());
        self.expected.push((format!("{package}.A"), what.to_owned(), expected));
    }

    fn check(self) {
        let found = verdicts(&self.tree.unwrap());
        let wrong = self.expected.iter().filter(|it| found.get(&it.0).map(String::as_str) != it.2);
        let wrong: Vec<String> = wrong.map(|it| format!("{}: {:?}, expected {:?} ({})", it.1, found.get(&it.0), it.2, it.0)).collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), self.expected.len(), wrong.join("\n"));
    }
}

#[test]
fn methods_that_frameworks_call() {
    let mut cases = Cases::default();
    for row in rows("annotations.tsv", &["entry", "start-up"]) {
        let told = if row[0] == "entry" { "modified" } else { "start-up only" };
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip([told, "modifier never called"]) {
            let class = "static int n;\n    static int get() { return n; }";
            cases.add(&row.join(" "), &format!("{import}\n\nclass A {{\n    {class}\n    @{name} void run() {{ n++; }}\n}}"), Some(expected));
        }
    }
    cases.check();
}

#[test]
fn methods_that_annotations_name() {
    let mut cases = Cases::default();
    for row in rows("annotations.tsv", &["calls"]) {
        let argument = row[0].split([':', '@']).nth(1).unwrap();
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip(["modified", "modifier never called"]) {
            let class = "static int n;\n    static int get() { return n; }\n    void back() { n++; }";
            let source = format!("{import}\n\nclass A {{\n    {class}\n    @{name}({argument} = \"back\") void run() {{ }}\n}}");
            cases.add(&row.join(" "), &source, Some(expected));
        }
    }
    cases.check();
}

#[test]
fn classes_of_beans() {
    let mut cases = Cases::default();
    for row in rows("annotations.tsv", &["bean", "export"]) {
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip([Some("modified"), None]) {
            let source = format!("{import}\n\n@{name}\nclass A implements Runnable {{\n    private int n;\n    public void run() {{ n++; }}\n}}");
            cases.add(&row.join(" "), &source, expected);
        }
    }
    cases.check();
}

#[test]
fn scopes_of_more_than_one_object() {
    let mut cases = Cases::default();
    for row in rows("annotations.tsv", &["narrow"]) {
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip([None, Some("modified")]) {
            let head = format!("import javax.inject.Named;\n{import}\n\n@Named\n@{name}");
            cases.add(&row.join(" "), &format!("{head}\nclass A implements Runnable {{\n    private int n;\n    public void run() {{ n++; }}\n}}"), expected);
        }
    }
    cases.check();
}

#[test]
fn what_containers_set() {
    let mut cases = Cases::default();
    for row in rows("annotations.tsv", &["inject"]) {
        for ((import, name), expected) in annotations(&row[1]).into_iter().zip(["injected", "modifier never called"]) {
            let setter = format!("@{name}\n    public void setN(Runnable it) {{ n = it; }}");
            let source = format!("import javax.inject.Singleton;\n{import}\n\n@Singleton\nclass A {{\n    private Runnable n;\n    {setter}\n}}");
            cases.add(&row.join(" "), &source, Some(expected));
        }
    }
    cases.check();
}

#[test]
fn methods_that_containers_call_by_an_interface() {
    let mut cases = Cases::default();
    for row in rows("callbacks.tsv", &["entry", "start-up"]) {
        let told = if row[0] == "entry" { "modified" } else { "start-up only" };
        let ty = row[1].trim_start_matches(['+', '@']);
        let simple = ty.rsplit('.').next().unwrap();
        let class = "static int n;\n    static int get() { return n; }";
        if row[1].starts_with('@') {
            // The annotation says that it is called, and the parameter when.
            for (parameter, expected) in [(row[3].as_str(), told), ("OrderPlaced", "modified")] {
                let import = format!("import {ty};\nimport org.springframework.boot.context.event.{parameter};");
                let method = format!("@{simple} public void on({parameter} event) {{ n++; }}");
                cases.add(&row.join(" "), &format!("{import}\n\nclass A {{\n    {class}\n    {method}\n}}"), Some(expected));
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
        for (above, expected) in [(format!(" implements {ty}"), told), (other, "modifier never called")] {
            let source = format!("class A{above} {{\n    {class}\n    public void {}({parameters}) {{ n++; }}\n}}", row[2]);
            cases.add(&row.join(" "), &source, Some(expected));
        }
    }
    cases.check();
}

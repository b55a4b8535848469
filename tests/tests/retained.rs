//! While a text is broken, what an edit leaves alone stands: reduced cases of what random edits have found.

use mockpoint::facts::{Member, OWN_CLASS};
use mockpoint::host::{Findings, Host};
use mockpoint::text::{Change, Encoding};
use mockpoint_tests::edits::Model;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open file in an editor.
struct Editor {
    host: Host,
    model: Model,
}

impl Editor {
    fn with(text: &str) -> Editor {
        let mut host = Host::default();
        let model = Model::new(PathBuf::from("/w/A.java"), text.to_owned());
        host.open(model.path.clone(), text, model.version);
        host.settle();
        Editor { host, model }
    }

    /// Replaces words in one change; the text must be broken by that.
    fn words(&mut self, edits: &[(&str, &str)]) {
        let changes = self.model.change_words(edits);
        self.take(&changes);
    }

    /// Sends a whole text, which must be broken.
    fn whole(&mut self, text: &str) {
        let changes = self.model.change_whole(text);
        self.take(&changes);
    }

    fn take(&mut self, changes: &[Change]) {
        assert!(self.host.change(&self.model.path, self.model.version, changes, Encoding::Utf16), "it is a new version");
        assert_ne!(self.host.file(&self.model.path).expect("it is open").facts.errors, 0, "the text is to be broken:\n{}", self.model.text);
    }

    /// The members that are known, each with the first line of what stands at its place.
    fn members(&self) -> Vec<String> {
        let file = self.host.file(&self.model.path).expect("it is open");
        file.facts.types.iter().flat_map(|it| &it.members).map(|it| format!("{}: {}", name(it), self.first_line(it))).collect()
    }

    fn first_line(&self, member: &Member) -> &str {
        let start = member.start as usize;
        self.model.text.get(start..start + member.len as usize).and_then(|it| it.lines().next()).unwrap_or("nowhere")
    }

    /// The names of what is reported.
    fn findings(&mut self) -> Vec<String> {
        let findings = findings(&mut self.host, &self.model.path);
        findings.points.iter().map(|it| it.method.name.clone()).chain(findings.fields.iter().map(|it| it.name.clone())).collect()
    }
}

fn findings(host: &mut Host, path: &Path) -> Arc<Findings> {
    let snapshot = host.snapshot();
    Arc::clone(snapshot.view(path).expect("it is open").findings().expect("no panic"))
}

fn name(member: &Member) -> &'static str {
    let field = member.facts.fields.iter().find(|it| it.owner == OWN_CLASS).map(|it| it.head.name);
    field.or(member.facts.methods.first().map(|it| it.head.name)).map_or("", |it| it.as_str())
}

const TURNS: &str = "class Turns {\n    int first() {\n        int n = 0;\n        while (n < 9) {\n            n++;\n        }\n        return n;\n    }\n\n    int given(int n) {\n        int turns = 0;\n        return turns;\n    }\n\n    int turns = 0;\n\n    int last() { return 1; }\n}\n";

#[test]
fn what_follows_a_method_without_an_end() {
    let mut editor = Editor::with(TURNS);
    editor.words(&[("        int turns = 0;\n        return turns;\n    }\n", "        int class X {turns = 0;\n")]);
    let known = editor.members();
    assert_eq!(known, ["first: int first() {", "given: int given(int n) {", "turns: int turns = 0;", "last: int last() { return 1; }"]);
}

#[test]
fn a_member_that_was_pasted_beside_its_like() {
    let mut editor = Editor::with("class A {\n    int a = 1;\n    int b = 2;\n    void m() { }\n}\n");
    editor.words(&[("void m() { }", "void m() { if (x) {")]);
    // In what is left, the parser may see either of the two, both or none.
    editor.words(&[("int a = 1;", "int a = 1;\n    int a = 1;")]);
    let known = editor.members();
    assert!(known.contains(&"a: int a = 1;".to_owned()), "{known:?}");
    assert!(known.contains(&"b: int b = 2;".to_owned()), "{known:?}");
}

#[test]
fn what_is_taken_out_and_given_back_in_one_change() {
    let text = "class A {\n    void a() { }\n\n    void b() { }\n\n    void c() { }\n}\n";
    let mut editor = Editor::with(text);
    let rest = " }\n\n    void b() { }\n\n    void c() { }\n}\n";
    editor.words(&[("class", "/*class"), (rest, ""), ("void a() {", &format!("void a() {{ if (x) {{{rest}")), ("/*", "")]);
    assert_eq!(editor.members(), ["a: void a() { if (x) { }", "b: void b() { }", "c: void c() { }"]);
}

#[test]
fn a_whole_text_that_differs_in_two_places() {
    let text = "class Names {\n    int one() { return 1; }\n\n    int two() { return 2; }\n\n    int three() { return 3; }\n}\n";
    let mut editor = Editor::with(text);
    // The first hides the class from the parser, the second breaks a member.
    editor.whole(&text.replace("Names", "NaList<String> l;\nmes").replace("return 3;", "retstatic int q;\n"));
    assert_eq!(editor.members(), ["one: int one() { return 1; }", "two: int two() { return 2; }", "three: int three() { retstatic int q;"]);
}

#[test]
fn typing_right_behind_a_member_is_no_part_of_it() {
    let mut editor = Editor::with("class A {\n    int a;\n    int b() { return 1; }\n}\n");
    editor.words(&[("int a;", "int a;(")]);
    editor.words(&[("(", "((")]);
    assert_eq!(editor.members(), ["a: int a;", "b: int b() { return 1; }"]);
}

#[test]
fn an_annotation_before_a_member_is_part_of_it() {
    let mut editor = Editor::with("class A {\n    int a;\n    int b() { return 1; }\n    void c() { }\n}\n");
    editor.words(&[("void c() {", "void c() { if (")]);
    editor.words(&[("int b()", "@B int b()")]);
    assert_eq!(editor.members(), ["a: int a;", "b: @B int b() { return 1; }", "c: void c() { if ( }"]);
}

#[test]
fn a_name_that_goes_on_is_another_name() {
    let mut editor = Editor::with("enum E { A, B; void m() { } }\n");
    editor.words(&[("void m() { }", "void m() { if (")]);
    editor.words(&[("B;", "BC;")]);
    assert_eq!(editor.members(), ["A: A", "BC: BC", "m: void m() { if ("]);
}

#[test]
fn components_below_a_broken_head() {
    let mut editor = Editor::with("record View(String number, String status, long total) {\n    int size() { return 1; }\n}\n");
    let known = editor.host.file(&editor.model.path).expect("it is open").facts.types[0].members.clone();
    editor.words(&[("long total", "lo;ng total")]);
    editor.words(&[("record", " record")]);
    let now = &editor.host.file(&editor.model.path).expect("it is open").facts.types[0].members;
    let stand = known.iter().filter(|known| now.iter().any(|now| Arc::ptr_eq(&now.facts, &known.facts))).count();
    assert_eq!(stand, known.len(), "{:?}", editor.members());
}

#[test]
fn an_annotation_silences_its_class_while_braces_are_out_of_count() {
    let mut editor = Editor::with(
        "@SuppressWarnings(\"mockpoint\")\nclass A {\n    void a() { }\n    long b() { return System.nanoTime(); }\n}\nclass B {\n    long c() { return System.nanoTime(); }\n}\n",
    );
    assert_eq!(editor.findings(), ["c"]);
    editor.words(&[("void a() { }", "void a() { } }")]);
    assert_eq!(editor.findings(), ["c"], "one brace too many");
    editor.words(&[("void a() { } }", "void a() { {")]);
    assert_eq!(editor.findings(), ["c"], "one too few");
}

#[test]
fn an_annotation_of_a_broken_method_does_not_cover_the_next() {
    let mut editor = Editor::with(
        "class A {\n    @SuppressWarnings(\"mockpoint\")\n    long a() { return System.nanoTime(); }\n\n    long b() { return System.nanoTime(); }\n}\n",
    );
    assert_eq!(editor.findings(), ["b"]);
    editor.words(&[("return System", "if (x) { return System")]);
    assert_eq!(editor.findings(), ["b"]);
    // Near miss: once the method is whole, its annotation counts as it is.
    editor.words(&[("b() {", "b() { {"), ("if (x) { return", "return"), ("@SuppressWarnings(\"mockpoint\")\n", "\n")]);
    // Another head is another member to the quick pass.
    editor.host.settle();
    assert_eq!(editor.findings(), ["a", "b"]);
}

#[test]
fn a_comment_that_was_taken_out_silences_nothing() {
    let mut editor = Editor::with("class A { // mockpoint:ignore\n    long a() { return System.nanoTime(); }\n    void b() { }\n}\n");
    assert!(editor.findings().is_empty());
    editor.words(&[("void b() { }", "void b() { {")]);
    assert!(editor.findings().is_empty());
    editor.words(&[(" // mockpoint:ignore", "")]);
    assert_eq!(editor.findings(), ["a"]);
}

/// Library wrappers are reported at the first call of all files, also while another file is edited.
#[test]
fn a_wrapper_is_reported_in_one_file() {
    let text = |name: &str| {
        format!(
            "import org.apache.commons.lang3.RandomStringUtils;\nclass {name} {{\n    String fresh() {{ return RandomStringUtils.randomAlphanumeric(12); }}\n}}\n"
        )
    };
    let mut host = Host::default();
    let paths = ["/w/A.java", "/w/B.java"].map(PathBuf::from);
    host.open(paths[0].clone(), &text("A"), 1);
    host.open(paths[1].clone(), &text("B"), 1);
    host.settle();
    let n_calls = |host: &mut Host| paths.clone().map(|path| findings(host, &path).points.iter().map(|it| it.sources.len()).collect::<Vec<_>>());
    assert_eq!(n_calls(&mut host), [vec![2], vec![]]);
    for (name, path) in ["A", "B"].into_iter().zip(&paths) {
        let change = Change { range: None, text: text(name).replace("fresh()", "fresh( )") };
        assert!(host.change(path, 2, &[change], Encoding::Utf16));
        assert_eq!(n_calls(&mut host), [vec![2], vec![]], "{name} was edited and nothing linked since");
    }
}

//! Texts with the expression between `«` and `»`, and what becomes of them.

use super::*;
use crate::rewrite::applied;

fn extracted(text: &str, ty: Option<&str>, may_throw: bool) -> Option<String> {
    let start = text.find('«').expect("the expression is marked");
    let text = text.replacen('«', "", 1);
    let end = text.find('»').expect("the expression is marked");
    let text = text.replacen('»', "", 1);
    let source = Source::new(&text).expect("it has no errors");
    let known = Known { calls: None, ty: ty.map(str::to_owned), may_throw, is_taken: &|name| name == "taken" };
    extract(&source, start..end, &known).map(|(_, edits)| applied(&text, edits))
}

#[test]
fn a_read_of_the_clock() {
    let before = "class A {\n  long f() {\n    return «System.currentTimeMillis()» / 1000;\n  }\n\n  void g() {}\n}\n";
    let after = "class A {\n  long f() {\n    return currentTimeMillis() / 1000;\n  }\n\n  long currentTimeMillis() {\n    return System.currentTimeMillis();\n  }\n\n  void g() {}\n}\n";
    assert_eq!(extracted(before, Some("long"), false).as_deref(), Some(after));
    // Nothing tells its type.
    assert_eq!(extracted(before, None, false), None);
}

#[test]
fn variables_become_parameters() {
    let before = "class A {\n\tstatic int f(Random r, final int[] n) {\n\t\tint m = n[0];\n\t\tint x = «r.nextInt(m)»;\n\t\treturn x;\n\t}\n}";
    let after = "class A {\n\tstatic int f(Random r, final int[] n) {\n\t\tint m = n[0];\n\t\tint x = nextInt(r, m);\n\t\treturn x;\n\t}\n\n\tstatic int nextInt(Random r, int m) {\n\t\treturn r.nextInt(m);\n\t}\n}";
    assert_eq!(extracted(before, None, false).as_deref(), Some(after));
    // The type of one is not written, one is changed, one is bound by a pattern, one is of the method's own type.
    for text in [
        "class A { int f() { var r = g(); int x = «r.nextInt(1)»; return x; } }",
        "class A { int f(R r, int i) { int x = «r.nextInt(i++)»; return x; } }",
        "class A { int f(Object o) { if (o instanceof R r) { int x = «r.nextInt(1)»; return x; } return 0; } }",
        "class A { <T> int f(T t) { int x = «M.read(t)»; return x; } }",
    ] {
        assert_eq!(extracted(text, None, false), None, "{text}");
    }
}

#[test]
fn exceptions_go_along() {
    let before = "class A {\n    String f(P p) throws E {\n        try {\n            return «Files.readString(p)»;\n        } catch (IOException | X e) {\n            return null;\n        }\n    }\n}";
    let res = extracted(before, Some("String"), true).expect("it can be extracted");
    assert!(res.contains("    String readString(P p) throws IOException, X, E {\n"), "{res}");
    assert!(!extracted(before, Some("String"), false).expect("it can be extracted").contains("throws IOException"));
    let hidden = before.replace("    String f", "    @SneakyThrows\n    String f");
    assert_eq!(extracted(&hidden, Some("String"), true), None);
    // What a lambda may throw is for its interface to say, which the text does not.
    let lambda = "class A { void f() { run(() -> { String s = «read()»; }); } }";
    assert_eq!(extracted(lambda, None, true), None);
    assert!(extracted(lambda, None, false).is_some());
}

#[test]
fn names_that_are_free() {
    let text = |call: &str| format!("class A {{\n    LocalDate f() {{ return «{call}»; }}\n    Object currentLocalDate() {{ return 1; }}\n}}");
    assert!(extracted(&text("LocalDate.now()"), None, false).expect("it can be").contains("LocalDate currentLocalDateValue()"));
    assert!(extracted(&text("Q.taken()"), None, false).expect("it can be").contains("LocalDate takenValue()"));
    assert!(extracted(&text("new java.util.LocalDate(1)"), None, false).expect("it can be").contains("java.util.LocalDate newLocalDate()"));
}

#[test]
fn places_that_have_no_method() {
    for text in [
        "interface A { default long f() { return «System.nanoTime()»; } }",
        "class A { Object f() { return new B() { long g() { return «System.nanoTime()»; } }; } }",
        "class A { class B { static long f() { return «System.nanoTime()»; } } }",
    ] {
        assert_eq!(extracted(text, Some("long"), false), None, "{text}");
    }
    let field = "class A {\n    private final long t = «System.nanoTime()»;\n}";
    assert_eq!(
        extracted(field, Some("long"), false).as_deref(),
        Some("class A {\n    private final long t = nanoTime();\n\n    long nanoTime() {\n        return System.nanoTime();\n    }\n}")
    );
    let explicit = "class A {\n    A() { this(«System.nanoTime()»); }\n    A(long t) { }\n}";
    assert!(extracted(explicit, Some("long"), false).expect("it can be").contains("    static long nanoTime() {"));
    let nothing = "class A {\n    void f(M m) { «m.send(1)»; }\n}";
    assert!(extracted(nothing, None, false).expect("it can be").contains("    void send(M m) {\n        m.send(1);\n    }"));
}

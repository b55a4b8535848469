//! Code actions that reach other files: tests that are generated, and results of static calls that callers hand in.

use super::client::{Builder, PATIENCE, TestServer};
use super::code_actions::{RESOLVES, applied, titled};
use serde_json::{Value, json};
use std::time::Instant;

const GREETER: &str = "package p;\n\nimport java.time.LocalDate;\n\npublic class Greeter {\n    private final Names names;\n\n    public Greeter(Names names) {\n        this.names = names;\n    }\n\n    public String greet(int id) {\n        return names.of(id);\n    }\n\n    LocalDate today() {\n        return LocalDate.now();\n    }\n\n    private String secret() {\n        return names.of(1);\n    }\n\n    public static void main(String[] args) {\n    }\n\n    class Inner {\n        int inner() {\n            return 1;\n        }\n    }\n}\n";
const NAMES: &str = "package p;\n\npublic interface Names {\n    String of(int id);\n}\n";
const MAIN: &str = "src/main/java/p/Greeter.java";
const TEST: &str = "src/test/java/p/GreeterTest.java";

fn server(files: &[(&'static str, &'static str)]) -> TestServer {
    let builder = Builder::new().capabilities(serde_json::from_str(RESOLVES).expect("it is JSON"));
    files.iter().fold(builder, |builder, it| builder.file(it.0, it.1)).build()
}

/// The actions of a line as soon as there is one whose title begins so: all files have been linked then.
fn await_action(server: &mut TestServer, name: &str, line: u32, title: &str) -> Value {
    let begun = Instant::now();
    loop {
        let actions = server.actions(name, line, Value::Null);
        if actions.iter().any(|it| it["title"].as_str().is_some_and(|it| it.starts_with(title))) {
            server.unclaimed.retain(|it| it["method"] != "textDocument/publishDiagnostics");
            return titled(&actions, title).clone();
        }
        assert!(begun.elapsed() < PATIENCE, "no {title:?} in {actions:#?}");
    }
}

fn forget_published(server: &mut TestServer) {
    server.forget("textDocument/publishDiagnostics");
}

fn text(changes: &Value, at: usize) -> &str {
    changes[at]["edits"][0]["newText"].as_str().expect("a text")
}

#[test]
fn a_test_class_is_made_where_tests_are() {
    let mut server = server(&[(MAIN, GREETER), ("src/main/java/p/Names.java", NAMES)]);
    server.open(MAIN, GREETER);
    let action = await_action(&mut server, MAIN, 11, "Generate tests for `greet` in a new `GreeterTest`");
    assert_eq!(action["kind"], "refactor.generate");
    let resolved = server.request("codeAction/resolve", action);
    let changes = &resolved["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["options"], json!({ "overwrite": false, "ignoreIfExists": false }));
    assert_eq!(changes[0]["uri"], server.uri(TEST).as_str());
    assert_eq!(changes[1]["textDocument"]["version"], Value::Null);
    let made = text(changes, 1);
    for line in [
        "package p;",
        "import static org.mockito.Mockito.mock;",
        "class GreeterTest {",
        "        // Arrange\n        Names names = mock(Names.class);\n        Greeter greeter = new Greeter(names);\n        int id = 1;\n        when(names.of(id)).thenReturn(\"of\");",
        "        // Act\n        String actual = greeter.greet(id);\n\n        // Assert\n        assertEquals(\"of\", actual);",
        "verify(names, atLeastOnce()).of(id);",
    ] {
        assert!(made.contains(line), "{line}\n---\n{made}");
    }
    // What the system is asked is answered.
    let action = await_action(&mut server, MAIN, 15, "Generate tests for `today`");
    let resolved = server.request("codeAction/resolve", action);
    let made = text(&resolved["edit"]["documentChanges"], 1);
    assert!(made.contains("mockStatic(LocalDate.class, CALLS_REAL_METHODS)") && made.contains("assertEquals(localDate, actual);"), "{made}");
    // Private, `main`, and of an inner class.
    for line in [19, 23, 27] {
        let offered = server.actions(MAIN, line, json!(["refactor.generate"]));
        assert!(offered.is_empty(), "{offered:#?}");
    }
    forget_published(&mut server);
}

#[test]
fn tests_are_added_and_nothing_is_overwritten() {
    let there = "package p;\n\nimport org.junit.jupiter.api.Test;\n\nclass GreeterTest {\n    @Test\n    void greetOutput() {\n    }\n}\n";
    let mut server = server(&[(MAIN, GREETER), ("src/main/java/p/Names.java", NAMES), (TEST, there)]);
    server.open(MAIN, GREETER);
    let action = await_action(&mut server, MAIN, 11, "Generate tests for `greet` into `GreeterTest`");
    let resolved = server.request("codeAction/resolve", action);
    let changes = &resolved["edit"]["documentChanges"];
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    let after = applied(there, &changes[0]["edits"]);
    assert!(after.starts_with("package p;\n\nimport org.junit.jupiter.api.Test;\nimport static"), "{after}");
    assert!(
        after.contains("    void greetOutput() {\n    }\n\n    @Test\n")
            && after.contains("void greetOutput2() throws Exception {")
            && after.ends_with("    }\n}\n"),
        "{after}"
    );
    // Tests of another framework are left alone.
    let old = there.replace("org.junit.jupiter.api.Test", "org.junit.Test");
    server.open(TEST, &old);
    let action = await_action(&mut server, MAIN, 11, "Generate tests for `greet` in a new `GreeterMockpointTest`");
    let resolved = server.request("codeAction/resolve", action);
    assert!(resolved["edit"]["documentChanges"][0]["uri"].as_str().is_some_and(|it| it.ends_with("/GreeterMockpointTest.java")));
    forget_published(&mut server);
}

/// The work is done for the chosen action, and for all where the client cannot ask for one.
#[test]
fn files_are_read_when_an_action_is_chosen() {
    let ages: &'static str = Box::leak(AGES.replace("class Ages", "public class Ages").replace("    int ", "    public int ").into_boxed_str());
    let title = "Replace `LocalDate.now` by a parameter `now` of `age` (3 calls hand it in)";
    let mut asking = server(&[("p/Ages.java", ages), ("p/q/User.java", USER)]);
    let mut given = Builder::new().file("p/Ages.java", ages).file("p/q/User.java", USER).build();
    for server in [&mut asking, &mut given] {
        server.open("p/Ages.java", ages);
        await_action(server, "p/Ages.java", 6, title);
        // Nobody tells the server of it.
        std::fs::remove_file(server.path("p/q/User.java")).expect("it was there");
    }
    // What cannot be done as a closer look shows is no edit by halves.
    let action = titled(&asking.actions("p/Ages.java", 6, Value::Null), title).clone();
    assert_eq!(asking.raw_request("codeAction/resolve", action.clone())["error"]["code"], -32803);
    assert!(given.actions("p/Ages.java", 6, Value::Null).iter().all(|it| it["title"] != title));
    asking.write("p/q/User.java", USER);
    let resolved = asking.request("codeAction/resolve", action);
    assert_eq!(resolved["edit"]["documentChanges"].as_array().map(Vec::len), Some(2));
    forget_published(&mut asking);
    forget_published(&mut given);
}

#[test]
fn no_tests_for_clients_that_make_no_files() {
    let mut server = Builder::new().file(MAIN, GREETER).file("src/main/java/p/Names.java", NAMES).build();
    server.open(MAIN, GREETER);
    await_action(&mut server, MAIN, 15, "Replace");
    assert!(server.actions(MAIN, 11, json!(["refactor.generate"])).is_empty());
    forget_published(&mut server);
}

const AGES: &str = "package p;\n\nimport java.time.LocalDate;\n\nclass Ages {\n    int age(int born) {\n        return LocalDate.now().getYear() - born;\n    }\n\n    int twice(int born) {\n        return age(born) * 2;\n    }\n\n    int year() {\n        return LocalDate.now().getYear();\n    }\n\n    @Override\n    public int hashCode() {\n        return LocalDate.now().getYear();\n    }\n\n    int some() {\n        return LocalDate.now().getYear();\n    }\n\n    int some(LocalDate day) {\n        return 1;\n    }\n}\n";
const USER: &str = "package p.q;\n\nimport java.util.function.IntSupplier;\nimport p.*;\n\nclass User {\n    int sum(Ages ages) {\n        return ages.age(1) + ages.age(\n            2);\n    }\n\n    IntSupplier later(Ages ages) {\n        return ages::year;\n    }\n}\n";

#[test]
fn callers_hand_in_what_a_method_asked_for() {
    let ages: &'static str = Box::leak(AGES.replace("class Ages", "public class Ages").replace("    int ", "    public int ").into_boxed_str());
    let mut server = server(&[("p/Ages.java", ages), ("p/q/User.java", USER)]);
    server.open("p/Ages.java", ages);
    let action = await_action(&mut server, "p/Ages.java", 6, "Replace `LocalDate.now` by a parameter `now` of `age` (3 calls hand it in)");
    assert_eq!(action["kind"], "refactor.rewrite");
    let resolved = server.request("codeAction/resolve", action);
    let changes = &resolved["edit"]["documentChanges"];
    assert_eq!((&changes[0]["textDocument"]["version"], &changes[1]["textDocument"]["version"]), (&json!(1), &Value::Null));
    let after = applied(ages, &changes[0]["edits"]);
    assert!(
        after.contains("age(int born, LocalDate now) {\n        return now.getYear() - born;") && after.contains("age(born, LocalDate.now()) * 2"),
        "{after}"
    );
    let after = applied(USER, &changes[1]["edits"]);
    assert!(after.contains("ages.age(1, LocalDate.now()) + ages.age(\n            2, LocalDate.now());"), "{after}");
    assert_eq!(after.matches("import java.time.LocalDate;").count(), 1);
    // Referred to, overriding, and the same as another one with the parameter.
    for line in [14, 19, 23] {
        let offered = server.actions("p/Ages.java", line, Value::Null);
        assert!(!offered.iter().any(|it| it["title"].as_str().is_some_and(|it| it.starts_with("Replace"))), "{line}: {offered:#?}");
    }
    forget_published(&mut server);
}

//! Classes before and after.

use super::*;
use crate::rewrite::applied;

fn injected(text: &str, seam: Seam, known: Known) -> Option<(Form, usize, String)> {
    let at = text.find('§').expect("the place is marked");
    let text = text.replacen('§', "", 1);
    let source = Source::new(&text).expect("it has no errors");
    inject(&source, at..at, seam, known).map(|(form, n, edits)| (form, n, applied(&text, edits)))
}

const BEAN: Known = Known { is_bean: true, is_made: false };

#[test]
fn a_field_of_its_own() {
    let before = "package p;\n\nimport java.util.Date;\n\nclass A {\n    int n;\n\n    boolean late() {\n        return §new Date().after(due()) || System.currentTimeMillis() > n || java.time.LocalDate.now() == null;\n    }\n\n    static long other() {\n        return System.currentTimeMillis();\n    }\n}\n";
    let after = "package p;\n\nimport java.util.Date;\nimport java.time.Clock;\n\nclass A {\n    int n;\n\n    private Clock clock = Clock.systemDefaultZone();\n\n    boolean late() {\n        return Date.from(clock.instant()).after(due()) || clock.millis() > n || java.time.LocalDate.now(clock) == null;\n    }\n\n    static long other() {\n        return System.currentTimeMillis();\n    }\n}\n";
    assert_eq!(injected(before, Seam::Clock, Known::default()), Some((Form::Field, 3, after.to_owned())));
}

#[test]
fn by_the_constructor_that_is_there() {
    let before = "package p;\n\nimport java.time.*;\n\nclass A {\n    private final B b;\n\n    A(B b) {\n        this.b = b;\n    }\n\n    Instant f() {\n        return §Instant.now();\n    }\n}\n";
    let after = "package p;\n\nimport java.time.*;\n\nclass A {\n    private final B b;\n\n    private final Clock clock;\n\n    A(B b, Clock clock) {\n        this.b = b;\n        this.clock = clock;\n    }\n\n    Instant f() {\n        return Instant.now(clock);\n    }\n}\n";
    assert_eq!(injected(before, Seam::Clock, BEAN), Some((Form::Constructor, 1, after.to_owned())));
    // Someone makes one: the constructor stays.
    let (form, _, text) = injected(before, Seam::Clock, Known { is_made: true, ..BEAN }).expect("it has a form");
    assert_eq!(form, Form::Field);
    assert!(text.contains("A(B b) {") && text.contains("private Clock clock = Clock.systemDefaultZone();"), "{text}");
}

#[test]
fn by_lombok_or_by_fields() {
    let lombok = "package p;\n\n@RequiredArgsConstructor\nclass A {\n    private final B b;\n    long f() { return §System.currentTimeMillis(); }\n}";
    let (form, _, text) = injected(lombok, Seam::Clock, BEAN).expect("it has a form");
    assert_eq!(form, Form::Constructor);
    assert!(text.contains("private final B b;\n\n    private final Clock clock;\n"), "{text}");
    let fields = "package p;\n\nclass A {\n    @Autowired\n    private B b;\n    long f() { return §System.currentTimeMillis(); }\n}";
    let (_, _, text) = injected(fields, Seam::Clock, BEAN).expect("it has a form");
    assert!(text.contains("@Autowired(required = false) private Clock clock = Clock.systemDefaultZone();"), "{text}");
}

#[test]
fn what_is_there_is_used() {
    let text = "import java.time.*;\nclass A {\n    private final Clock time;\n    Instant f() { return §Instant.now(); }\n}";
    let (form, _, text) = injected(text, Seam::Clock, BEAN).expect("it has a form");
    assert_eq!(form, Form::Present);
    assert!(text.contains("Instant.now(time)"), "{text}");
}

#[test]
fn ids_and_numbers() {
    let text = "package p;\nimport java.util.UUID;\nclass A {\n    String f() { return §UUID.randomUUID().toString(); }\n}";
    let (_, _, text) = injected(text, Seam::Ids, BEAN).expect("it has a form");
    assert!(text.contains("import java.util.function.Supplier;") && text.contains("private Supplier<UUID> ids = UUID::randomUUID;"), "{text}");
    assert!(text.contains("return ids.get().toString();"), "{text}");
    let text = "package p;\nclass A {\n    double f() { return §Math.random() + new java.util.Random().nextInt(); }\n}";
    let (_, n, text) = injected(text, Seam::Random, BEAN).expect("it has a form");
    assert!(n == 2 && text.contains("random.nextDouble() + random.nextInt()"), "{text}");
}

#[test]
fn near_misses() {
    for text in [
        "package p;\nclass A { Object f(Clock c) { return §LocalDate.now(c); } }",
        "package p;\nimport q.LocalDate;\nclass A { Object f() { return §LocalDate.now(); } }",
        "package p;\nclass A { static long f() { return §System.currentTimeMillis(); } }",
        "package p;\ninterface A { default long f() { return §System.currentTimeMillis(); } }",
        "package p;\nclass A { A() { x = §System.currentTimeMillis(); } }",
    ] {
        assert_eq!(injected(text, Seam::Clock, BEAN), None, "{text}");
    }
    // The name is taken by something else.
    let text = "package p;\nclass A { long f(int clock) { return §System.currentTimeMillis(); } }";
    assert!(injected(text, Seam::Clock, BEAN).expect("it has a form").2.contains("clockSource.millis()"));
}

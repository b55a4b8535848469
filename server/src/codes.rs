//! The codes of diagnostics and what each says, the same on the command line and in an editor.

use crate::verdict::{CarrierField, Category, FieldVerdict, Flow, MockingPoint, Reason, SinkKind, UnmockableSource, Within, World};

/// A method whose call is to be recorded and answered.
pub const MOCKING_POINT: &str = "mocking-point";
/// A field that holds state, since something modifies it while the service runs.
pub const MODIFIED_FIELD: &str = "modified-field";
/// A field that is ruled out.
pub const NEVER_MODIFIED_FIELD: &str = "never-modified-field";

/// A mocking point that writes to objects of its caller: the write is lost in replay.
pub const LOST_SIDE_EFFECT: &str = "lost-side-effect";

/// A read of state where no method can be mocked.
pub const UNMOCKABLE_SOURCE: &str = "unmockable-source";

/// A field that carries state which was written to it, and is none by itself.
pub const CARRIER_FIELD: &str = "carrier-field";

/// Something that a file of configuration says and that means nothing.
pub const UNRESOLVED_CONFIGURATION: &str = "unresolved-configuration";

/// All codes.
pub const ALL: [&str; 7] = [MOCKING_POINT, MODIFIED_FIELD, NEVER_MODIFIED_FIELD, LOST_SIDE_EFFECT, UNMOCKABLE_SOURCE, CARRIER_FIELD, UNRESOLVED_CONFIGURATION];

/// The code of what is said of a field.
pub fn field_code(field: &FieldVerdict) -> &'static str {
    if field.ruled_out.is_some() { NEVER_MODIFIED_FIELD } else { MODIFIED_FIELD }
}

/// The section of the README that explains `code`, as a fragment with its `#`; empty for a code that is none of ours.
pub fn anchor(code: &str) -> &'static str {
    match code {
        MOCKING_POINT => "#mocking-point",
        MODIFIED_FIELD => "#modified-field",
        NEVER_MODIFIED_FIELD => "#never-modified-field",
        LOST_SIDE_EFFECT => "#lost-side-effect",
        UNMOCKABLE_SOURCE => "#unmockable-source",
        CARRIER_FIELD => "#carrier-field",
        UNRESOLVED_CONFIGURATION => "#unresolved-configuration",
        _ => "",
    }
}

/// The address of the page that explains `code`. `None` while the manifest names no repository, since an editor
/// must not be sent to an address that does not exist.
pub fn documentation(code: &str) -> Option<String> {
    let repository = env!("CARGO_PKG_REPOSITORY").trim_end_matches('/');
    (!repository.is_empty()).then(|| format!("{repository}{}", anchor(code)))
}

/// What is said of a mocking point: its kinds of state, how the first source reaches a sink, and what it reads.
pub fn point_message(point: &MockingPoint) -> String {
    let kinds: Vec<&str> = point.categories.iter().map(|&it| category(it)).collect();
    let mut kinds = kinds.join(", ");
    if point.flow != Flow::None {
        kinds.push_str(", ");
        kinds.push_str(flow(point.flow));
    }
    let mut res = format!("`{}.{}` is a mocking point ({kinds})", class_without_package(&point.method.class, &point.method.binary_class), point.method.name);
    if let Some(first) = point.sources.first() {
        res.push_str(if first.dependency.is_some() { ": calls " } else { ": reads " });
        res.push_str(&first.what);
        if let Some(dependency) = &first.dependency {
            res.push_str(&format!(" ({})", dependency.component));
        }
        if let Some(via) = &first.via {
            res.push_str(" through field ");
            res.push_str(via);
        }
        let others = point.sources.iter().filter(|it| (&it.what, &it.via) != (&first.what, &first.via));
        let mut distinct: Vec<_> = others.map(|it| (&it.what, &it.via)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        if !distinct.is_empty() {
            res.push_str(&format!(", and {} more", distinct.len()));
        }
    }
    res
}

/// What is said of a mocking point with side effects; empty if it has none.
pub fn side_effect_message(point: &MockingPoint) -> String {
    let Some(first) = point.lost.first() else { return String::new() };
    let class = class_without_package(&point.method.class, &point.method.binary_class);
    let mut res = format!("when `{class}.{}` is answered from the record, what it writes is lost: {}", point.method.name, first.what);
    if point.lost.len() > 1 {
        res.push_str(&format!(", and {} more", point.lost.len() - 1));
    }
    res
}

/// What is said of a read where no method can be mocked: where that is, and which fields keep the value.
pub fn unmockable_message(it: &UnmockableSource) -> String {
    let class = class_without_package(&it.class, &it.binary_class);
    let place = match it.within {
        Within::Main => format!("in `{class}.main`"),
        Within::Constructor => format!("in a constructor of `{class}`"),
        Within::StaticInitialiser => format!("in a static initialiser of `{class}`"),
        Within::InstanceInitialiser => format!("in an initialiser of `{class}`"),
        Within::FieldInitialiser => format!("where a field of `{class}` is initialised"),
        Within::EnumConstant => format!("in a constant of `{class}`"),
    };
    let verb = if it.read.dependency.is_some() { "called" } else { "read" };
    let mut res = format!("{} is {verb} {place}, where no method can be mocked", it.read.what);
    if let Some(first) = it.fields.first() {
        res.push_str(&format!("; field {} keeps the value", first.field));
        if it.fields.len() > 1 {
            res.push_str(&format!(", and {} more", it.fields.len() - 1));
        }
    }
    res
}

/// What is said of a field that carries state: what it is, of each category.
pub fn carrier_message(it: &CarrierField) -> String {
    let carried: Vec<String> = it.carried.iter().map(|it| format!("{} state ({})", category(it.category), it.what)).collect();
    format!("field `{}.{}` carries {}: whoever reads it reads that", it.class, it.name, carried.join(" and "))
}

/// A place that is no method, as reports spell it.
pub fn within(it: Within) -> &'static str {
    match it {
        Within::Main => "main",
        Within::Constructor => "constructor",
        Within::StaticInitialiser => "static initialiser",
        Within::InstanceInitialiser => "instance initialiser",
        Within::FieldInitialiser => "field initialiser",
        Within::EnumConstant => "enum constant",
    }
}

/// What is said of a field: what modifies it, or why it is ruled out.
pub fn field_message(field: &FieldVerdict) -> String {
    let mut res = format!("{} `{}.{}` is ", field_kind(field), field.class, field.name);
    match field.ruled_out {
        Some(why) => res.push_str(&format!("never modified ({}); it needs no mocking", reason(why))),
        None => {
            res.push_str("modified while the service runs");
            let mut called: Vec<&str> = field.modifiers.iter().filter(|it| it.called).map(|it| it.method.as_str()).collect();
            called.dedup();
            if let Some(first) = called.first() {
                res.push_str(", by ");
                res.push_str(first);
                if called.len() > 1 {
                    res.push_str(&format!(" and {} more", called.len() - 1));
                }
            }
        }
    }
    if let Some(other) = field.flips_in {
        res.push_str(&format!(" (not so with --world {})", world(other)));
    }
    res
}

/// What kind of field it is, as messages begin.
pub fn field_kind(field: &FieldVerdict) -> &'static str {
    if field.is_static {
        "static field"
    } else if field.bean {
        "bean field"
    } else {
        "field"
    }
}

/// A category as reports and options spell it.
pub fn category(it: Category) -> &'static str {
    match it {
        Category::System => "system",
        Category::Internal => "internal",
        Category::External => "external",
        Category::WhiteList => "white-list",
    }
}

/// A flow as reports spell it.
pub fn flow(it: Flow) -> &'static str {
    match it {
        Flow::Intra => "intra",
        Flow::Inter => "inter",
        Flow::None => "none",
    }
}

/// A reason as reports spell it.
pub fn reason(it: Reason) -> &'static str {
    match it {
        Reason::Constant => "constant",
        Reason::NoModifier => "no modifier",
        Reason::ModifierNeverCalled => "modifier never called",
        Reason::StartUpOnly => "start-up only",
        Reason::LazyConstant => "lazy constant",
        Reason::Injected => "injected",
        Reason::Declared => "declared",
    }
}

/// A kind of sink as reports spell it.
pub fn sink(it: SinkKind) -> &'static str {
    match it {
        SinkKind::Return => "return",
        SinkKind::Branch => "branch",
        SinkKind::Throw => "throw",
    }
}

/// A world as reports and options spell it.
pub fn world(it: World) -> &'static str {
    match it {
        World::Application => "application",
        World::Library => "library",
        World::WithTests => "with-tests",
    }
}

/// `pkg.Outer.Inner` without `pkg.`. The source name alone does not tell where the package ends; the binary name,
/// which separates classes by `$`, does.
pub fn class_without_package<'a>(class: &'a str, binary: &str) -> &'a str {
    let package = binary.rfind('.').map_or(0, |idx| idx + 1);
    class.get(package..).unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::decls::Range;
    use crate::verdict::{MethodName, Modifier, Place, SourceUse};

    fn place() -> Place {
        Place { file: 0, range: Range { start: 0, end: 0 } }
    }

    fn point() -> MockingPoint {
        MockingPoint {
            method: MethodName {
                class: "a.b.Billing.Part".into(),
                binary_class: "a.b.Billing$Part".into(),
                name: "ledger".into(),
                parameters: Vec::new(),
                returns: "void".into(),
            },
            place: place(),
            declaration: place(),
            categories: vec![Category::System, Category::WhiteList],
            flow: Flow::Inter,
            sources: vec![SourceUse { category: Category::System, what: "T.now()".into(), place: place(), via: Some("a.b.C.f".into()), dependency: None }],
            sinks: Vec::new(),
            path: Vec::new(),
            lost: Vec::new(),
        }
    }

    #[test]
    fn point_messages() {
        let mut it = point();
        assert_eq!(point_message(&it), "`Billing.Part.ledger` is a mocking point (system, white-list, inter): reads T.now() through field a.b.C.f");
        let again = it.sources[0].clone();
        it.sources.push(again.clone());
        it.sources.push(SourceUse { via: None, ..again });
        it.flow = Flow::None;
        assert_eq!(point_message(&it), "`Billing.Part.ledger` is a mocking point (system, white-list): reads T.now() through field a.b.C.f, and 1 more");
    }

    #[test]
    fn field_messages() {
        let modifier = |method: &str, called| Modifier { method: method.into(), place: place(), called };
        let mut it = FieldVerdict {
            class: "p.C".into(),
            name: "hits".into(),
            place: place(),
            is_static: true,
            is_final: false,
            bean: false,
            ruled_out: None,
            modifiers: vec![modifier("p.C.unused", false), modifier("p.C.hit", true)],
            flips_in: None,
            can_be_final: false,
        };
        assert_eq!(field_message(&it), "static field `p.C.hits` is modified while the service runs, by p.C.hit");
        it.ruled_out = Some(Reason::StartUpOnly);
        it.flips_in = Some(World::Library);
        assert_eq!(field_message(&it), "static field `p.C.hits` is never modified (start-up only); it needs no mocking (not so with --world library)");
    }

    #[test]
    fn every_code_has_its_section() {
        for code in ALL {
            assert_eq!(anchor(code), format!("#{code}"));
        }
    }
}

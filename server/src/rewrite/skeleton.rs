//! Generates tests for a method with Mockito and JUnit 5, in the three shapes of RICK: what comes out (output oracle),
//! what mocks are called with (parameter oracle), and in which order (call oracle).
//!
//! What a generated test says holds when it runs as it stands: a run in the mind (`run`) tells what the method does with
//! the mocks and placeholders that the test prepares. Where that is not known, the test says so and asserts nothing.

mod insert;
mod names;
mod receiver;
mod render;
mod run;
mod types;
mod values;

pub use insert::{Existing, existing};
pub use types::{Kind, Shape, Signature, Type, World};

use super::Source;
use super::source::is_class;
use names::Names;
use run::{Outcome, Run};
use std::collections::BTreeMap;
use tree_sitter::Node;
use values::{Arrange, Value, What};

/// A method to be tested, with what the tables say of it.
pub struct Subject {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<(String, Type)>,
    /// What it gives.
    pub returns: Type,
    /// `static`.
    pub is_static: bool,
    /// Its class, without arguments.
    pub class: Type,
    /// No object can be made of the class itself.
    pub is_abstract: bool,
    /// The constructors of the classes above do nothing that might fail.
    pub has_plain_super: bool,
    /// Constructors that a test can call.
    pub constructors: Vec<Constructor>,
    /// All fields of the class.
    pub fields: Vec<Field>,
}

/// A constructor.
pub struct Constructor {
    /// Where its name is in the source; `None` if a tool or the compiler makes it of fields.
    pub at: Option<usize>,
    /// Its parameters.
    pub params: Vec<(String, Type)>,
    /// A container calls it.
    pub is_injected: bool,
}

/// A field.
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// `static`.
    pub is_static: bool,
    /// `final`.
    pub is_final: bool,
    /// `private`.
    pub is_private: bool,
    /// A container sets it.
    pub is_injected: bool,
}

/// Generated tests.
pub struct Tests {
    methods: Vec<Vec<String>>,
    imports: Vec<String>,
    statics: Vec<String>,
}

/// Tests for the method whose name is at byte `at`, for a class `test_class` that is new or that `existing` describes.
/// `None` if no test can call the method, or if what it does may never end.
pub fn tests(source: &Source<'_>, subject: &Subject, at: usize, world: &dyn World, test_class: &str, existing: Option<&Existing>) -> Option<Tests> {
    let place = place(source, subject, at)?;
    let mut names = names(subject, world, test_class, existing);
    let test = names.qualified("org.junit.jupiter.api.Test");
    let display = names.qualified("org.junit.jupiter.api.DisplayName");
    let mut best: Option<(u32, Attempt<'_, '_>)> = None;
    for is_full in [true, false] {
        let Some(arranged) = arranged(source, subject, place.class, names.clone(), is_full) else { continue };
        let attempt = attempt(arranged, place.method);
        let rank = rank(&attempt.outcome);
        if best.as_ref().is_none_or(|it| it.0 < rank) {
            best = Some((rank, attempt));
        }
    }
    let attempt = best?.1;
    let taken = existing.map(|it| &it.methods);
    render::render(subject, attempt, &test, &display, source.of(place.method), |name| taken.is_some_and(|it| it.contains(name)))
}

/// Whether [`tests`] would find any, without following what the method does.
pub fn are_possible(source: &Source<'_>, subject: &Subject, at: usize, world: &dyn World, test_class: &str, existing: Option<&Existing>) -> bool {
    let Some(place) = place(source, subject, at) else { return false };
    let names = names(subject, world, test_class, existing);
    [true, false].into_iter().any(|is_full| arranged(source, subject, place.class, names.clone(), is_full).is_some())
}

/// A method and the body of its class.
struct Tested<'s> {
    method: Node<'s>,
    class: Node<'s>,
}

fn place<'s>(source: &'s Source<'_>, subject: &Subject, at: usize) -> Option<Tested<'s>> {
    let around = source.around(&(at..at + subject.name.len()));
    let method = *around.iter().rfind(|it| it.kind() == "method_declaration")?;
    let class = around.iter().rfind(|it| is_class(**it) || it.kind() == "interface_declaration").and_then(|it| it.child_by_field_name("body"))?;
    (!may_hang(source, method)).then_some(Tested { method, class })
}

fn names<'a>(subject: &Subject, world: &'a dyn World, test_class: &str, existing: Option<&Existing>) -> Names<'a> {
    let types = existing.map_or_else(BTreeMap::new, |it| it.types.clone());
    let mut names = Names::new(world, &subject.class.package, types);
    names.taken.extend(existing.into_iter().flat_map(|it| it.methods.iter().cloned()));
    names.reserve(test_class);
    names
}

/// What a test prepares before it calls the method.
struct Arranged<'s, 'a> {
    run: Run<'s, 'a>,
    /// The object, or the class, that the method is called on.
    receiver: String,
    args: Vec<Value>,
}

/// A run of the method with what was prepared for it.
struct Attempt<'s, 'a> {
    run: Run<'s, 'a>,
    outcome: Outcome,
    receiver: String,
    args: Vec<String>,
}

fn arranged<'s, 'a>(source: &'s Source<'s>, subject: &'s Subject, class: Node<'s>, names: Names<'a>, is_full: bool) -> Option<Arranged<'s, 'a>> {
    let world = names.world;
    let arrange = Arrange { world, names, mocks: Vec::new(), lines: Vec::new(), is_full };
    let mut run = Run::new(source, subject, class, arrange);
    let receiver = receiver::prepare(&mut run)?;
    let mut args = Vec::new();
    for (name, ty) in &subject.params {
        args.push(run.arrange.local(name, ty)?);
    }
    Some(Arranged { run, receiver, args })
}

fn attempt<'s, 'a>(arranged: Arranged<'s, 'a>, method: Node<'s>) -> Attempt<'s, 'a> {
    let Arranged { mut run, receiver, args } = arranged;
    // What was called to make the object is not what is tested.
    run.calls.clear();
    let outcome = run.method(method, &args);
    let args = args.into_iter().filter_map(|it| it.text).collect();
    Attempt { run, outcome, receiver, args }
}

/// How much a test says.
fn rank(outcome: &Outcome) -> u32 {
    match outcome {
        Outcome::Unclear(_) => 0,
        Outcome::Throws(_) => 1,
        Outcome::Gives(value) => match value.what {
            What::Unknown => 2,
            What::Object(_) if value.text.is_none() => 3,
            _ => 4,
        },
        Outcome::Ends => 4,
    }
}

/// Whether a method may end the process, or never come back.
fn may_hang(source: &Source<'_>, method: Node<'_>) -> bool {
    let text = source.of(method);
    [
        "System.exit(",
        ".halt(",
        "while (true)",
        "while(true)",
        "for (;;)",
        "for(;;)",
        ".await(",
        ".join(",
        ".take(",
        ".wait(",
        " wait(",
        ".accept()",
        "SpringApplication.run(",
    ]
    .iter()
    .any(|it| text.contains(it))
}

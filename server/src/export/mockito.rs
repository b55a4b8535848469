//! Mockito with JUnit 5: for each class under test a base class with its mocks, for tests to extend.

use super::mocks::{How, Mock, UnderTest};
use super::{File, java, names};
use crate::java::decls::{Flags, TypeKind};
use crate::link::symbols::Symbols;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Classes whose static methods Mockito does not mock, and what helps.
const REFUSED: &[(&str, &str)] = &[
    ("java.lang.System", "ask a java.time.Clock, or a method of your own, that a test can replace"),
    ("java.lang.Thread", "ask a method of your own that a test can replace"),
    ("java.lang.ClassLoader", "ask a method of your own that a test can replace"),
    ("java.util.Arrays", "ask a method of your own that a test can replace"),
    ("java.util.concurrent.ConcurrentHashMap", "ask a method of your own that a test can replace"),
];

/// Classes of which Mockito makes no objects.
const VALUES: &[&str] = &[
    "java.lang.String",
    "java.lang.Class",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Short",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
];

/// Why Mockito cannot mock a call, if it cannot.
pub fn refusal(mock: &Mock) -> Option<String> {
    let call = format!("{}.{}", mock.source_class(), mock.name);
    match mock.how {
        How::Static => REFUSED.iter().find(|it| it.0 == mock.class).map(|it| format!("Mockito does not mock {call}: {}", it.1)),
        _ if VALUES.contains(&mock.class.as_str()) => Some(format!("Mockito does not mock {call}: it is a value; give the test one")),
        _ => None,
    }
}

/// One file a class. What cannot be mocked is given to `refused`.
pub fn files(symbols: &Symbols, all: &[UnderTest], refused: &mut dyn FnMut(String)) -> Vec<File> {
    all.iter().filter_map(|it| file(symbols, it, refused)).collect()
}

/// Calls on one type: of which methods, and who makes them.
#[derive(Default)]
struct Calls<'a> {
    names: BTreeSet<&'a str>,
    callers: BTreeSet<&'a str>,
}

fn file(symbols: &Symbols, under: &UnderTest, refused: &mut dyn FnMut(String)) -> Option<File> {
    // Of each kind and type the calls, and who makes them.
    let mut types: BTreeMap<(How, String), Calls<'_>> = BTreeMap::new();
    let mut cannot: BTreeSet<String> = BTreeSet::new();
    for (mock, methods) in &under.mocks {
        match refusal(mock) {
            Some(why) => {
                refused(why.clone());
                cannot.insert(why);
            }
            None => {
                let how = if mock.how == How::Object && under.makes(&mock.class) { How::Construction } else { mock.how };
                let it = types.entry((how, mock.source_class())).or_default();
                it.names.insert(&mock.name);
                it.callers.extend(methods.iter().map(String::as_str));
            }
        }
    }
    if types.is_empty() && under.state.is_empty() && cannot.is_empty() {
        return None;
    }
    let binary = names::binary(symbols, under.class);
    let class = format!("{}Mocks", java::flat(&binary));
    let mut out = java::head(&binary, "what stands in for state when this class is tested");
    let has = |how: How| types.keys().any(|it| it.0 == how);
    let subject = subject(symbols, under, has(How::Object));
    imports(&mut out, &has, subject.is_some());
    let _ = writeln!(out, "/** Mocks for tests of {}: extend this class. */", binary.replace('$', "."));
    if has(How::Object) {
        out.push_str("@ExtendWith(MockitoExtension.class)\n");
    }
    let _ = writeln!(out, "abstract class {class} {{");
    let mut names: BTreeSet<String> = BTreeSet::new();
    let (mut open, mut close) = (String::new(), String::new());
    for ((how, ty), Calls { names: calls, callers: methods }) in &types {
        let mut name = java::variable(ty);
        while !names.insert(name.clone()) {
            name.push('2');
        }
        let (calls, methods) = (joined(calls), joined(methods));
        let _ = writeln!(out, "    /** {methods}: {calls}. */");
        match how {
            How::Object => {
                let _ = writeln!(out, "    @Mock\n    protected {ty} {name};\n");
            }
            How::Static => {
                let _ = writeln!(out, "    protected MockedStatic<{ty}> {name};\n");
                let _ = writeln!(open, "        {name} = Mockito.mockStatic({ty}.class, Mockito.CALLS_REAL_METHODS);");
                let _ = writeln!(close, "        {name}.close();");
            }
            How::Construction => {
                let _ = writeln!(out, "    protected MockedConstruction<{ty}> {name};\n");
                let _ = writeln!(open, "        {name} = Mockito.mockConstruction({ty}.class);");
                let _ = writeln!(close, "        {name}.close();");
            }
        }
    }
    if let Some(subject) = subject {
        let _ = writeln!(out, "    /** What is tested. */\n    @InjectMocks\n    protected {subject} subject;\n");
    }
    for it in &cannot {
        let _ = writeln!(out, "    // {it}.");
    }
    for it in &under.state {
        let _ = writeln!(out, "    // {it} is state that other calls change: set it before each test.");
    }
    if !(cannot.is_empty() && under.state.is_empty()) {
        out.push('\n');
    }
    if !open.is_empty() {
        let _ = write!(out, "    @BeforeEach\n    void openMocks() {{\n{open}    }}\n\n    @AfterEach\n    void closeMocks() {{\n{close}    }}\n");
    }
    let text = out.trim_end().to_owned() + "\n}\n";
    Some(File { path: java::path(&binary, &class), text })
}

fn imports(out: &mut String, has: &impl Fn(How) -> bool, injects: bool) {
    let is_static = has(How::Static) || has(How::Construction);
    for (is_needed, name) in [
        (is_static, "org.junit.jupiter.api.AfterEach"),
        (is_static, "org.junit.jupiter.api.BeforeEach"),
        (has(How::Object), "org.junit.jupiter.api.extension.ExtendWith"),
        (injects, "org.mockito.InjectMocks"),
        (has(How::Object), "org.mockito.Mock"),
        (has(How::Construction), "org.mockito.MockedConstruction"),
        (has(How::Static), "org.mockito.MockedStatic"),
        (is_static, "org.mockito.Mockito"),
        (has(How::Object), "org.mockito.junit.jupiter.MockitoExtension"),
    ] {
        if is_needed {
            let _ = writeln!(out, "import {name};");
        }
    }
    if is_static || has(How::Object) {
        out.push('\n');
    }
}

/// The class under test as code spells it, if Mockito can make an object of it and there is something to put in.
fn subject(symbols: &Symbols, under: &UnderTest, has_objects: bool) -> Option<String> {
    let own = symbols.own(under.class)?;
    let head = own.head.get();
    let is_inner = symbols.is_own(own.outer) && !head.flags.has(Flags::STATIC);
    let is_made = head.kind == TypeKind::Class && !head.flags.has(Flags::ABSTRACT) && !is_inner;
    (has_objects && is_made).then(|| own.name.clone())
}

fn joined(all: &BTreeSet<&str>) -> String {
    all.iter().copied().collect::<Vec<_>>().join(", ").replace("<init>", "new")
}

//! TestableMock: for each class under test a test class with the methods that stand in for calls, static ones and
//! constructors too.

use super::mocks::{How, Mock, UnderTest};
use super::{File, java, names};
use crate::link::symbols::Symbols;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One file a class. Calls whose parameter types are not known are given to `refused`.
pub fn files(symbols: &Symbols, all: &[UnderTest], refused: &mut dyn FnMut(String)) -> Vec<File> {
    all.iter().filter_map(|it| file(symbols, it, refused)).collect()
}

fn file(symbols: &Symbols, under: &UnderTest, refused: &mut dyn FnMut(String)) -> Option<File> {
    let mut methods = String::new();
    let mut taken: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    let (mut invokes, mut makes) = (false, false);
    for (mock, callers) in &under.mocks {
        let Some(parameters) = &mock.parameters else {
            refused(format!("the parameter types of {}.{} are not known: write its mock by hand", mock.source_class(), mock.name));
            continue;
        };
        let is_new = mock.how == How::Construction;
        invokes |= !is_new;
        makes |= is_new;
        let _ = writeln!(methods, "\n        /** In {}. */", callers.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        method(&mut methods, mock, parameters, &mut taken);
    }
    if methods.is_empty() {
        return None;
    }
    let binary = names::binary(symbols, under.class);
    let class = format!("{}Test", java::flat(&binary));
    let mut out = java::head(&binary, "what stands in for state when this class is tested");
    for (is_needed, name) in [(invokes, "MockInvoke"), (makes, "MockNew")] {
        if is_needed {
            let _ = writeln!(out, "import com.alibaba.testable.core.annotation.{name};");
        }
    }
    let _ = write!(
        out,
        "\n/** Tests of {}. */\nclass {class} {{\n    /** Stands in for what it calls. */\n    public static class Mock {{",
        binary.replace('$', ".")
    );
    let _ = write!(out, "{methods}    }}\n}}\n");
    Some(File { path: java::path(&binary, &class), text: out })
}

fn method(out: &mut String, mock: &Mock, parameters: &[String], taken: &mut BTreeSet<(String, Vec<String>)>) {
    let class = mock.source_class();
    let is_new = mock.how == How::Construction;
    let wanted = if is_new { format!("new{}", java::flat(&mock.class)) } else { mock.name.clone() };
    // The same name and parameters on another class need another name here.
    let mut name = wanted.clone();
    let mut n = 1;
    while !taken.insert((name.clone(), parameters.to_vec())) {
        n += 1;
        name = format!("{wanted}{n}");
    }
    let target = if name == wanted { String::new() } else { format!(", targetMethod = \"{wanted}\"") };
    let annotation = if is_new { "@MockNew".to_owned() } else { format!("@MockInvoke(targetClass = {class}.class{target})") };
    let returns = if is_new { class } else { mock.returns.clone().unwrap_or_else(|| "void".to_owned()) };
    let list: Vec<String> = parameters.iter().zip(1..).map(|(ty, n)| format!("{ty} p{n}")).collect();
    let body = if returns == "void" { String::new() } else { format!(" return {}; ", java::nothing(&returns)) };
    let _ = writeln!(out, "        {annotation}\n        private {returns} {name}({}) {{{body}}}", list.join(", "));
}

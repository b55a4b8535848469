//! What files beside the sources wire together: beans, proxies of other processes, mappers, settings that decide.
//!
//! From the bytes of one XML, `.properties` or YAML file to [`WiringFacts`]. Nothing in them says what a name means;
//! that is the link's affair, which knows the other files. What no framework of ours reads gives no facts at all.
//!
//! The files may be hostile. Nothing here opens a file or a connection: external entities and DTDs are not read.
//! Entities are expanded only if they are short and plain, anchors of YAML only if they stand for a scalar. Depth
//! and size are bounded, no walk recurses, and whatever is passed over is said in a [`WiringProblem`].

mod decode;
mod entities;
mod facts;
mod look;
mod mapper;
mod namespaces;
mod problems;
mod properties;
mod rpc;
mod settings;
mod spring;
mod xml;
mod yaml;

pub use facts::{
    Aop, Arg, Autowire, BeanDef, Entry, Framework, Import, Lookup, MapperDef, MapperScan, Property, Reference, Scan, ScanFilter, ScanKind, Service, Setting,
    Statement, StatementKind, Value, WiringFacts, WiringKind, WiringProblem,
};
pub use look::{Format, LOOK, Look, format_of, look};

use crate::java::decls::Range;
use crate::text;
use look::{Root, is_application_settings, root};
use problems::Problems;
use std::path::Path;

/// The facts of a file with the text that their places count in; `None` if it is none of ours. Never fails.
pub fn read(path: &Path, bytes: Vec<u8>) -> Option<(WiringFacts, String)> {
    match format_of(path)? {
        Format::Xml => read_xml(bytes),
        Format::Properties => {
            let text = text::decode(bytes).text;
            let facts = properties::read(&text);
            (!facts.properties.is_empty()).then_some((facts, text))
        }
        Format::Yaml => {
            if look(Format::Yaml, &bytes, true) != Look::Read {
                return None;
            }
            let text = text::decode(bytes).text;
            let mut facts = yaml::read(&text);
            if !is_application_settings(path) {
                // Manifests and templates use the same keys, and need not be YAML before they are filled in.
                facts.problems.clear();
            }
            (!facts.properties.is_empty() || !facts.problems.is_empty()).then_some((facts, text))
        }
    }
}

fn read_xml(bytes: Vec<u8>) -> Option<(WiringFacts, String)> {
    let decode::Decoded { text, problem } = decode::decode(bytes);
    let mut problems = Problems::default();
    if let Some(message) = problem {
        problems.add(Range::default(), message);
    }
    let mut facts = match root(&text) {
        Root::Of(WiringKind::Spring) => spring::read(&xml::read(&text, xml::ALL, spring::wants_text, &mut problems)),
        Root::Of(kind @ (WiringKind::MyBatisMapper | WiringKind::IBatisSqlMap)) => {
            mapper::statements(kind, &xml::read(&text, mapper::STATEMENTS, |_| false, &mut problems))
        }
        Root::Of(kind) => mapper::configuration(kind, &xml::read(&text, xml::ALL, |_| false, &mut problems)),
        Root::Unfinished | Root::Other => return None,
    };
    facts.problems = problems.into_list();
    Some((facts, text))
}

#[cfg(test)]
mod tests;

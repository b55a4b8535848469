//! What is wrong with `mockpoint.toml` and `lombok.config`, as diagnostics of these files.
//!
//! They are always sent: clients ask for the diagnostics of Java files alone, and these files are seldom open.

use super::convert::range;
use super::diagnostics::{SOURCE, page, shown_severity, tags};
use super::moment::Moment;
use crate::codes;
use crate::config::{ConfigProblem, ConfigSource};
use crate::java::decls::Range;
use crate::link::listed;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tower_lsp::lsp_types::{Diagnostic, NumberOrString};

/// The diagnostics of each file of configuration, as it was at the last link; nothing for those with none.
pub(super) fn all(moment: &Moment) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let linked = &moment.snapshot.linked.linked;
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    let mut add = |source: &ConfigSource, problem: &ConfigProblem| {
        if let Some(it) = diagnostic(moment, source, problem) {
            found.entry(source.path.clone()).or_default().push(it);
        }
    };
    linked.listed.project.sources().for_each(|source| source.problems.iter().for_each(|it| add(source, it)));
    listed::unresolved(linked).iter().for_each(|(source, problem)| add(source, problem));
    for (source, files) in given_up(moment) {
        let others = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
        let message = format!("these queries take too many steps in {}{others}: not all that they mark there is known", files[0]);
        add(source, &ConfigProblem { range: Range { start: 0, end: 0 }, message });
    }
    found.values_mut().for_each(|it| it.sort_by_key(|it| it.range.start));
    found
}

/// Files of queries that take too many steps in files of the workspace, with the names of those.
fn given_up(moment: &Moment) -> Vec<(&Arc<ConfigSource>, Vec<String>)> {
    let analysis = &moment.snapshot.linked;
    let mut found: Vec<(&Arc<ConfigSource>, Vec<String>)> = Vec::new();
    for file in analysis.files.iter().filter(|it| !it.facts.given_up.is_empty()) {
        for name in &file.facts.given_up {
            // The innermost folder with queries of this name.
            let holds = |it: &&Arc<ConfigSource>| it.path.ends_with(name) && it.path.ancestors().nth(3).is_some_and(|it| file.path.starts_with(it));
            let Some(source) = analysis.linked.listed.project.sources().filter(holds).max_by_key(|it| it.path.components().count()) else { continue };
            let named = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match found.iter_mut().find(|it| Arc::ptr_eq(it.0, source)) {
                Some(it) => it.1.push(named),
                None => found.push((source, vec![named])),
            }
        }
    }
    found
}

fn diagnostic(moment: &Moment, source: &ConfigSource, problem: &ConfigProblem) -> Option<Diagnostic> {
    let code = codes::UNRESOLVED_CONFIGURATION;
    let project = &moment.snapshot.linked.linked.listed.project;
    let settings = moment.settings.of(&source.path);
    let of_person = settings.diagnostics.severity.get(code).copied();
    let severity = shown_severity(code, of_person.or_else(|| project.severity(project.scope(&source.path), code)))?;
    Some(Diagnostic {
        range: range(&source.lines, problem.range, moment.setup.encoding),
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        code_description: page(&moment.setup, code),
        source: Some(SOURCE.to_owned()),
        message: problem.message.clone(),
        tags: tags(&moment.setup, settings, code),
        ..Diagnostic::default()
    })
}

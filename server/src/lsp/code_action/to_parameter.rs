//! Replace the result of a static call by a parameter, which all callers in the workspace hand in.

use super::extract::{result_type, short};
use super::{Asked, Change, Fix};
use crate::analysis::Analysis;
use crate::catalogue::catalogue;
use crate::facts::Role;
use crate::facts::graph::{At, Call};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::resolve::{Resolved, Target};
use crate::link::state::is_entry;
use crate::link::symbols::MethodId;
use crate::rewrite::parameter::{argument, parameter};
use crate::rewrite::{Edit, Source};
use crate::text::LineIndex;
use crate::verdict::{Category, FileId, SourceUse};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tower_lsp::lsp_types::CodeActionKind;

/// Who has more callers keeps its signature.
const MAX_CALLS: usize = 200;

/// A call of the method, in the order of the source.
type CallAt = (FileId, Range<usize>);

pub(super) fn fixes(asked: &Asked<'_>, sources: &[&SourceUse]) -> Vec<Fix> {
    let mut found: Vec<Fix> = Vec::new();
    // Calls are where the linked texts have them.
    if !asked.is_linked() {
        return found;
    }
    for used in sources.iter().filter(|it| it.category == Category::System && is_harmless(&it.what)) {
        if let Some(it) = fix(asked, used)
            && !found.iter().any(|known| known.title == it.title)
        {
            found.push(it);
        }
    }
    found
}

/// Calls that throw nothing which a caller would have to catch.
fn is_harmless(what: &str) -> bool {
    ["java.time.", "java.util.UUID.", "java.lang.System.", "java.lang.Math.random"].iter().any(|it| what.starts_with(it))
}

fn fix(asked: &Asked<'_>, used: &SourceUse) -> Option<Fix> {
    let source = asked.source()?;
    let linked = &asked.findings.linked;
    let owner = used.what.split('(').next()?.rsplit_once('.')?.0;
    let ty = result_type(linked, source, &used.what)?;
    let found = parameter(source, used.place.range.start as usize..used.place.range.end as usize, owner, &ty)?;
    let id = asked.findings.id;
    let symbols = &*linked.linked.symbols;
    let method = symbols.methods_of_file(id).find(|it| {
        let (facts, start) = symbols.method(&linked.files, *it);
        facts.name.absolute(start).start as usize == found.at
    })?;
    if !may_change(linked, method) {
        return None;
    }
    let calls = calls_of(linked, method)?;
    let callers = match calls.len() {
        0 => "nothing calls it".to_owned(),
        1 => "one call hands it in".to_owned(),
        n => format!("{n} calls hand it in"),
    };
    let title = format!("Replace `{}` by a parameter `{}` of `{}` ({callers})", short(&used.what), found.name, found.method);
    let mut changes = Vec::new();
    let mut here = found.edits;
    let mut by_file: BTreeMap<FileId, Vec<Range<usize>>> = BTreeMap::new();
    calls.into_iter().for_each(|(file, bytes)| by_file.entry(file).or_default().push(bytes));
    for (file, places) in by_file {
        let edits_of = |source: &Source<'_>| -> Option<Vec<Edit>> {
            let mut edits: Vec<Edit> = Vec::new();
            for bytes in places {
                let more = argument(source, bytes, &found.method, owner, &found.call)?;
                // One import is enough.
                edits.extend(more.into_iter().filter(|it| !it.text.contains("import ") || !edits.contains(it)).collect::<Vec<_>>());
            }
            Some(edits)
        };
        if file == id {
            here.extend(edits_of(source)?);
            continue;
        }
        let path = linked.files.get(file as usize)?.path.clone();
        let (text, version) = match asked.moment.snapshot.view(&path) {
            Some(view) if linked.files.get(file as usize).is_some_and(|it| Arc::ptr_eq(it, &view.file)) => (view.rope.to_string(), Some(view.version)),
            Some(_) => return None,
            None => (std::fs::read_to_string(&path).ok()?, None),
        };
        let edits = edits_of(&Source::new(&text)?)?;
        changes.push(Change::Other { lines: LineIndex::new(&text), version, path, edits });
    }
    changes.insert(0, Change::Here(here));
    Some(Fix { title, kind: CodeActionKind::REFACTOR_REWRITE, changes, is_preferred: false })
}

/// Whether the signature of a method is its own business: nothing overrides it or is overridden, no framework calls it,
/// and one more parameter makes it the same as no other method.
fn may_change(linked: &Analysis, method: MethodId) -> bool {
    let symbols = &*linked.linked.symbols;
    let info = &symbols.methods[method as usize];
    let Some(class) = symbols.own(info.owner) else { return false };
    let (facts, _) = symbols.method(&linked.files, method);
    let beans = &linked.linked.states.beans;
    let is_bound = symbols.overridden.contains_key(&method) || symbols.overriders.contains_key(&method);
    let is_called = is_entry(symbols, beans, method, facts) || beans.role(method, facts) != Role::default() || info.name.as_str() == "main";
    let may_override = !info.flags.has(Flags::PRIVATE) && !info.flags.has(Flags::STATIC);
    if is_bound || is_called || class.unit.is_some() || class.head.get().kind == TypeKind::Interface || (may_override && class.open) {
        return false;
    }
    let library = &catalogue().library;
    if symbols.lib_ancestors(info.owner).iter().any(|it| library.declared(*it, info.name).next().is_some()) {
        return false;
    }
    // Another method of the name, here, above or below, may be meant by a call with one more argument.
    let all = (0..symbols.methods.len() as u32).into_par_iter().filter(|it| *it != method && symbols.methods[*it as usize].name == info.name);
    !all.into_par_iter().any(|it| {
        let other = &symbols.methods[it as usize];
        symbols.is_subtype(other.owner, info.owner) || symbols.is_subtype(info.owner, other.owner) || symbols.is_around(info.owner, other.owner)
    })
}

/// All calls of a method. `None` if one of them is no call that can hand in more, or if a call might be one of it.
fn calls_of(linked: &Analysis, method: MethodId) -> Option<Vec<CallAt>> {
    let symbols = &*linked.linked.symbols;
    let name: Sym = symbols.methods[method as usize].name;
    let arity = symbols.methods[method as usize].arity;
    let per_method: Option<Vec<Vec<CallAt>>> = (0..linked.linked.resolved.len() as u32)
        .into_par_iter()
        .with_min_len(1024)
        .map(|caller| {
            let resolved: &Resolved = &linked.linked.resolved[caller as usize];
            let mut found = Vec::new();
            let (facts, start) = symbols.method(&linked.files, caller);
            for (call, site) in facts.graph.calls.iter().zip(&resolved.calls) {
                if call.name != name {
                    continue;
                }
                let is_it = resolved.targets(&site.target).0.contains(&method);
                match (is_it, site.target) {
                    (true, Target::Method(..)) if is_plain(call) => {
                        let file = symbols.file_of_unit(symbols.methods[caller as usize].unit);
                        found.push((file, range(start, call.at)));
                    }
                    (true, _) => return None,
                    (false, Target::Unresolved) if !is_plain(call) || call.args.len == arity => return None,
                    (false, _) => {}
                }
            }
            Some(found)
        })
        .collect();
    let mut all: Vec<CallAt> = per_method?.into_iter().flatten().collect();
    all.sort_by_key(|it| (it.0, it.1.start, it.1.end));
    all.dedup();
    (all.len() <= MAX_CALLS).then_some(all)
}

fn is_plain(call: &Call) -> bool {
    matches!(call.form, CallForm::Plain | CallForm::On | CallForm::Super)
}

fn range(start: u32, at: At) -> Range<usize> {
    let start = (start + at.start) as usize;
    start..start + at.len as usize
}

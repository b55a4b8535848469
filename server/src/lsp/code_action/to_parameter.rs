//! Replace the result of a static call by a parameter, which all callers in the workspace hand in.

use super::extract::{result_type, short};
use super::{Asked, Change, Fix, Work};
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
use crate::rewrite::parameter::{Parameter, argument, parameter};
use crate::rewrite::{Edit, Source};
use crate::text::LineIndex;
use crate::verdict::{Category, FileId, SourceUse};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tower_lsp::lsp_types::CodeActionKind;

/// Who has more callers keeps its signature.
const MAX_CALLS: usize = 200;

/// A call of a method: the caller, and which of its calls it is.
type Site = (MethodId, u32);

/// A call in the order of the source.
type CallAt = (FileId, Range<usize>);

/// The fixes of this kind for one question.
pub(super) struct Parameters<'a> {
    asked: &'a Asked<'a>,
    /// Who calls something of the name of a mocking point of this file. Found when it is first needed, in one pass over
    /// all calls for all fixes.
    sites: OnceCell<FxHashMap<Sym, Vec<Site>>>,
}

impl<'a> Parameters<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> Parameters<'a> {
        Parameters { asked, sites: OnceCell::new() }
    }

    pub(super) fn fixes(&self, sources: &[&'a SourceUse]) -> Vec<Fix<'a>> {
        let mut found: Vec<Fix<'a>> = Vec::new();
        // Calls are where the linked texts have them.
        if !self.asked.is_linked() {
            return found;
        }
        for used in sources.iter().filter(|it| it.category == Category::System && is_harmless(&it.what)) {
            if let Some(it) = self.fix(used)
                && !found.iter().any(|known| known.title == it.title)
            {
                found.push(it);
            }
        }
        found
    }

    fn fix(&self, used: &'a SourceUse) -> Option<Fix<'a>> {
        let asked = self.asked;
        let source = asked.source()?;
        let linked = &asked.findings.linked;
        let owner = used.what.split('(').next()?.rsplit_once('.')?.0;
        let ty = result_type(linked, source, &used.what)?;
        let found = parameter(source, used.place.range.start as usize..used.place.range.end as usize, owner, &ty)?;
        let symbols = &*linked.linked.symbols;
        let method = symbols.methods_of_file(asked.findings.id).find(|it| {
            let (facts, start) = symbols.method(&linked.files, *it);
            facts.name.absolute(start).start as usize == found.at
        })?;
        if !may_change(linked, method) {
            return None;
        }
        let sites = self.sites.get_or_init(|| sites(asked)).get(&symbols.methods[method as usize].name).map_or(&[][..], |it| it);
        let calls = calls_of(linked, method, sites)?;
        let callers = match calls.len() {
            0 => "nothing calls it".to_owned(),
            1 => "one call hands it in".to_owned(),
            n => format!("{n} calls hand it in"),
        };
        let title = format!("Replace `{}` by a parameter `{}` of `{}` ({callers})", short(&used.what), found.name, found.method);
        let work = Work::Later { makes_file: false, run: Box::new(move || changes(asked, owner, found, calls)) };
        Some(Fix { title, kind: CodeActionKind::REFACTOR_REWRITE, work, is_preferred: false })
    }
}

/// The edits of the method and of all who call it. `None` if one of the callers cannot be read.
fn changes(asked: &Asked<'_>, owner: &str, found: Parameter, calls: Vec<CallAt>) -> Option<Vec<Change>> {
    let Parameter { method, call, edits: mut here, .. } = found;
    let linked = &asked.findings.linked;
    let mut changes = Vec::new();
    let mut by_file: BTreeMap<FileId, Vec<Range<usize>>> = BTreeMap::new();
    calls.into_iter().for_each(|(file, bytes)| by_file.entry(file).or_default().push(bytes));
    for (file, places) in by_file {
        let edits_of = |source: &Source<'_>| -> Option<Vec<Edit>> {
            let mut edits: Vec<Edit> = Vec::new();
            for bytes in places {
                let more = argument(source, bytes, &method, owner, &call)?;
                // One import is enough.
                edits.extend(more.into_iter().filter(|it| !it.text.contains("import ") || !edits.contains(it)).collect::<Vec<_>>());
            }
            Some(edits)
        };
        if file == asked.findings.id {
            here.extend(edits_of(asked.source()?)?);
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
    Some(changes)
}

/// Calls that throw nothing which a caller would have to catch.
fn is_harmless(what: &str) -> bool {
    ["java.time.", "java.util.UUID.", "java.lang.System.", "java.lang.Math.random"].iter().any(|it| what.starts_with(it))
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

/// All calls in the workspace of something that has the name of a mocking point of the file.
fn sites(asked: &Asked<'_>) -> FxHashMap<Sym, Vec<Site>> {
    let names: FxHashSet<Sym> = asked.findings.points.iter().filter_map(|it| Sym::find(&it.method.name)).collect();
    let linked = &asked.findings.linked;
    let symbols = &*linked.linked.symbols;
    let callers = (0..linked.linked.resolved.len() as u32).into_par_iter().with_min_len(1024);
    let found: Vec<(Sym, Site)> = callers
        .flat_map_iter(|caller| {
            let calls = symbols.method(&linked.files, caller).0.graph.calls.iter().zip(0..);
            calls.filter(|it| names.contains(&it.0.name)).map(move |(call, at)| (call.name, (caller, at)))
        })
        .collect();
    let mut res: FxHashMap<Sym, Vec<Site>> = FxHashMap::default();
    found.into_iter().for_each(|(name, site)| res.entry(name).or_default().push(site));
    res
}

/// All calls of a method among those of its name. `None` if one of them is no call that can hand in more, or if a call might be
/// one of it.
fn calls_of(linked: &Analysis, method: MethodId, sites: &[Site]) -> Option<Vec<CallAt>> {
    let symbols = &*linked.linked.symbols;
    let arity = symbols.methods[method as usize].arity;
    let mut all: Vec<CallAt> = Vec::new();
    for &(caller, at) in sites {
        let resolved: &Resolved = linked.linked.resolved.get(caller as usize)?;
        let (facts, start) = symbols.method(&linked.files, caller);
        let (call, site) = (facts.graph.calls.get(at as usize)?, resolved.calls.get(at as usize)?);
        let is_it = resolved.targets(&site.target).0.contains(&method);
        match (is_it, site.target) {
            (true, Target::Method(..)) if is_plain(call) => all.push((symbols.file_of_unit(symbols.methods[caller as usize].unit), range(start, call.at))),
            (true, _) => return None,
            (false, Target::Unresolved) if !is_plain(call) || call.args.len == arity => return None,
            (false, _) => {}
        }
    }
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

//! Where points are put: as the paper has them, on the methods that read state themselves, or narrower, on the dependency.
//!
//! A point that does much besides reading state is answered whole, and nothing of what it does is run in replay. The
//! narrow placement takes such a point apart: each source is answered by a plug-in of the tool, replaced inside the
//! method, or recorded at the method that is called. A point is given up only if that works for all of its sources, so
//! each of them stays inside of something that is listed.

use super::arex::Generic;
use super::cautions::Unrecordable;
use super::covered::Plugins;
use super::entry::{self, Entry};
use super::names::Erased;
use super::{Options, Remark, Tool, arex, business, names};
use crate::catalogue::catalogue;
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::link::symbols::{MethodId, Symbols, TypeId, UNKNOWN};
use crate::verdict::view::View;
use crate::verdict::{MockingPoint, SourceUse};
use rustc_hash::FxHashSet;

/// Where points are put.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placement {
    /// On the methods that read state.
    #[default]
    Paper,
    /// On what they read, where a method would be answered that does more.
    Narrow,
}

/// What stands for a point that was taken apart.
struct Apart<'a> {
    /// Formulas of calls that are replaced inside of it.
    replaces: Vec<&'static str>,
    /// What is recorded instead.
    parts: Vec<Entry<'a>>,
}

/// Takes points apart that do more than read state.
pub fn narrow(view: &View<'_>, options: &Options, entries: &mut Vec<Entry<'_>>, remarks: &mut Vec<Remark>) {
    let plugins = Plugins::of(if options.all { "" } else { options.tool.name() });
    let unrecordable = Unrecordable::new(view.symbols());
    let mut placed: Vec<Entry<'_>> = Vec::new();
    let mut seen: FxHashSet<(String, String, Vec<String>)> = FxHashSet::default();
    for mut entry in std::mem::take(entries) {
        let apart = entry.id.filter(|&id| !business::is_thin(view, id)).and_then(|id| take_apart(view, options, &plugins, &unrecordable, &entry, id));
        let Some(Apart { replaces, parts }) = apart else {
            placed.push(entry);
            continue;
        };
        let what: Vec<&str> = parts.iter().map(|it| it.short.as_str()).chain(replaces.iter().copied()).collect();
        let text = match &what[..] {
            [] => "it runs in replay; plug-ins answer all that it reads".to_owned(),
            _ => format!("it runs in replay; what it reads is answered at {}", what.join(", ")),
        };
        remarks.push(Remark { place: entry.place, method: entry.short.clone(), text, left_out: replaces.is_empty() });
        entry.replaces = replaces;
        if !entry.replaces.is_empty() {
            placed.push(entry);
        }
        for it in parts {
            let types = it.parameters.iter().flatten().map(|it| it.ty.text.clone()).collect();
            if seen.insert((it.class.clone(), it.name.clone(), types)) {
                placed.push(it);
            }
        }
    }
    *entries = placed;
}

fn take_apart<'a>(
    view: &View<'_>,
    options: &Options,
    plugins: &Plugins,
    unrecordable: &Unrecordable<'_>,
    entry: &Entry<'a>,
    id: MethodId,
) -> Option<Apart<'a>> {
    let mut res = Apart { replaces: Vec::new(), parts: Vec::new() };
    for source in &entry.point.sources {
        if plugins.answers(source).is_some() {
            continue;
        }
        match arex::replaced(view, id, source).filter(|_| options.tool == Tool::Arex) {
            Some(formula) => res.replaces.push(formula),
            None => res.parts.push(dependency(view, options, unrecordable, entry.point, id, source)?),
        }
    }
    res.replaces.sort_unstable();
    res.replaces.dedup();
    Some(res)
}

/// The method that a source calls, if the tool can record that one.
fn dependency<'a>(
    view: &View<'_>,
    options: &Options,
    unrecordable: &Unrecordable<'_>,
    point: &'a MockingPoint,
    id: MethodId,
    source: &SourceUse,
) -> Option<Entry<'a>> {
    let (symbols, library) = (view.symbols(), &catalogue().library);
    let (index, name) = call_of(view, id, source)?;
    let resolved = view.context().resolved.get(id);
    let entry = match resolved.targets(&resolved.calls[index as usize].target).0 {
        [one] => {
            let mut it = entry::of_method(view, point, *one, source.place);
            it.of_subtypes = it.kind == TypeKind::Interface || it.flags.has(Flags::ABSTRACT);
            it
        }
        [] => {
            let receiver = view.describer(id, false).receiver_type(index);
            let parameters = &source.what[source.what.find('(')?..];
            let declares = |lib: u32| library.declared(lib, name).any(|it| it.text == parameters);
            let above = symbols.lib_ancestors(receiver).iter().copied();
            let declaring = symbols.lib(receiver).into_iter().chain(above.clone()).find(|&it| declares(it))?;
            // What a class has of an interface, the topmost class that has the interface implements.
            let is_class = |lib: &u32| library.types[*lib as usize].kind == TypeKind::Class && library.is_subtype(*lib, declaring);
            let owner = symbols.lib(receiver).into_iter().chain(above).filter(is_class).last().unwrap_or(declaring);
            let (owner, class) = (TypeId(owner), library.types[owner as usize].name.as_str());
            let mut it = entry::of_library(view, point, TypeId(declaring), class, name.as_str(), Some(parameters), source.place);
            it.owner = owner;
            it.kind = symbols.type_kind(owner);
            if symbols.is_own(receiver) {
                // A repository that inherits the method: its proxy has it.
                it.class = names::binary(symbols, receiver);
                it.kind = symbols.type_kind(receiver);
                it.owner = receiver;
                it.short = format!("{}.{}", symbols.type_name(receiver), it.name);
            } else if library.is_jdk(owner.0) && options.tool != Tool::Moonbox {
                return None;
            }
            it.of_subtypes = it.kind == TypeKind::Interface;
            it
        }
        _ => return None,
    };
    // What goes by names of classes does not reach proxies. AREX reaches them, but finds a record by the name of the class
    // that ran: that of a proxy has a number, which another build of the service changes. An agent without plug-ins knows no better.
    let is_reached = !entry.of_subtypes || (options.all && options.tool == Tool::Arex);
    (is_reached && is_answered(symbols, options.tool, unrecordable, &entry)).then_some(entry)
}

/// Whether the tool surely records a method and answers for it: what stands for a point must not be less than the point.
fn is_answered(symbols: &Symbols, tool: Tool, unrecordable: &Unrecordable<'_>, entry: &Entry<'_>) -> bool {
    let is_fit = |ty: &Erased| unrecordable.of(ty).is_none() && is_data(symbols, ty);
    let is_kept = match &entry.returns {
        // Of a write to the outside only the arguments matter.
        None => tool != Tool::Arex || entry.point.sources.iter().all(|it| it.dependency.is_some()),
        Some(returns) => is_fit(returns) && (tool != Tool::Arex || arex::generic(symbols, returns) != Generic::Lost),
    };
    is_kept && !(tool == Tool::Arex && entry.answered_by.is_some()) && entry.parameters.as_ref().is_some_and(|all| all.iter().all(|it| is_fit(&it.ty)))
}

/// Whether values of a type are data as far as one can know: a plain value, a class of the workspace, or a collection of such.
/// What a library's own classes hold a recorder may not be able to write and make again.
fn is_data(symbols: &Symbols, ty: &Erased) -> bool {
    const DATA: &[&str] = &[
        "java.util.Collection",
        "java.util.Map",
        "java.util.Optional",
        "java.util.Date",
        "java.util.UUID",
        "java.util.Locale",
        "java.util.Currency",
        "java.lang.CharSequence",
        "java.lang.Number",
        "java.lang.Boolean",
        "java.lang.Character",
        "java.lang.Enum",
        "java.time.temporal.TemporalAccessor",
        "java.time.temporal.TemporalAmount",
        "java.util.concurrent.CompletableFuture",
    ];
    let is_one = names::is_primitive(ty.text.trim_end_matches("[]"))
        || ty.text.trim_end_matches("[]") == "java.lang.Object"
        || symbols.own(ty.id).is_some_and(|it| it.head.get().kind != TypeKind::Interface)
        || (ty.id != UNKNOWN && DATA.iter().any(|it| symbols.is_subtype(ty.id, symbols.qualified(it))));
    is_one && ty.arguments.iter().all(|it| is_data(symbols, it))
}

/// The call in a method by which it reads a source, and the name of what is called.
pub fn call_of(view: &View<'_>, id: MethodId, source: &SourceUse) -> Option<(u32, Sym)> {
    if source.via.is_some() {
        return None;
    }
    let name = Sym::find(source.what.split_once('(')?.0.rsplit_once('.')?.1)?;
    // What a constructor or another method reads is not called here.
    let calls = &view.facts(id).graph.calls;
    let index = calls.iter().position(|it| it.name == name && view.place(id, it.at) == source.place)?;
    Some((index as u32, name))
}

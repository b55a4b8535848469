//! What a tool cannot do with a method: left out where recording it would do harm or nothing, and else a warning.

use super::arex::{self, Generic};
use super::entry::{Entry, Parameter};
use super::names::Erased;
use super::{Options, Remark, Tool, business};
use crate::catalogue::{catalogue, rows};
use crate::codes;
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::link::symbols::{MethodId, Symbols, TypeId, UNKNOWN};
use crate::terms::Category;
use crate::verdict::view::View;
use rustc_hash::FxHashSet;

/// Types whose objects cannot be written down and made again: `server/catalogue/unrecordable.tsv`.
pub struct Unrecordable<'a> {
    symbols: &'a Symbols,
    /// The type, if the workspace or a table has it, its name, what it is.
    rows: Vec<(TypeId, &'static str, &'static str)>,
}

impl<'a> Unrecordable<'a> {
    /// Reads the table.
    pub fn new(symbols: &'a Symbols) -> Unrecordable<'a> {
        let rows = rows(include_str!("../../catalogue/unrecordable.tsv")).filter_map(|row| match row[..] {
            [name, what] => Some((symbols.qualified(name), name, what)),
            _ => None,
        });
        Unrecordable { symbols, rows: rows.collect() }
    }

    /// What a type is, or one of its arguments, if it cannot be written down: its name, and a word for it.
    pub fn of<'e>(&self, ty: &'e Erased) -> Option<(&'e str, &'static str)> {
        // A page of rows is a supplier of a stream besides; what it holds can be written down.
        let holds = ty.id != UNKNOWN && self.symbols.is_subtype(ty.id, self.symbols.qualified("java.lang.Iterable"));
        let is_below = |it: TypeId| ty.id != UNKNOWN && it != UNKNOWN && self.symbols.is_subtype(ty.id, it);
        let is_up = |it: &&(TypeId, &str, &str)| it.1 == ty.text || (is_below(it.0) && !(holds && it.1.starts_with("java.util.function.")));
        let own = self.rows.iter().find(is_up).map(|it| (ty.text.as_str(), it.2));
        own.or_else(|| ty.arguments.iter().find_map(|it| self.of(it)))
    }

    /// Whether a parameter cannot be written down.
    pub fn is_unfit(&self, parameter: &Parameter) -> bool {
        self.of(&parameter.ty).is_some()
    }
}

/// What there is to say about one method, and whether it is left out for that.
type Said = Vec<(String, bool)>;

/// Leaves out what the tool cannot record, unless all is asked for, and says what to know of the others.
pub fn apply(view: &View<'_>, options: &Options, entries: &mut Vec<Entry<'_>>, remarks: &mut Vec<Remark>) {
    let unrecordable = Unrecordable::new(view.symbols());
    if options.tool == Tool::Arex && !options.all {
        // A void method gives nothing to record, but calls in it can be replaced.
        for it in entries.iter_mut().filter(|it| it.is_void()) {
            it.replaces = arex::replacing(view, it);
        }
    }
    let listed: FxHashSet<MethodId> = entries.iter().filter(|it| it.replaces.is_empty()).filter_map(|it| it.id).collect();
    entries.retain_mut(|entry| {
        let mut said = Said::new();
        if entry.replaces.is_empty() {
            class(view, options.tool, entry, &mut said);
            entry.is_doubtful = entry.returns.as_ref().is_some_and(|it| unrecordable.of(it).is_some());
            result(view.symbols(), options.tool, entry, &unrecordable, &mut said);
            parameters(view, options.tool, entry, &unrecordable, &listed, &mut said);
            overloads(view.symbols(), options.tool, entry, &listed, &mut said);
            said.extend(entry.id.and_then(|id| business::swallowed(view, id)).map(|it| (it, false)));
            if let Some(message) = entry.point.lost.first().filter(|_| entry.place == entry.point.place).map(|_| codes::side_effect_message(entry.point)) {
                said.push((message, false));
            }
        }
        let leave_out = said.iter().any(|it| it.1) && !options.all;
        for (text, is_reason) in said {
            // Of what is not listed only the reason matters.
            if !leave_out || is_reason {
                remarks.push(Remark { place: entry.place, method: entry.short.clone(), text, left_out: leave_out });
            }
        }
        !leave_out
    });
}

/// AREX changes the classes of proxies of the JDK as others, and keeps a record under the name of the class that ran.
const BY_NUMBER: &str = "AREX finds its records by the number of the proxy's class, which another build of the service changes";

/// What its class and annotations say.
fn class(view: &View<'_>, tool: Tool, entry: &Entry<'_>, said: &mut Said) {
    let library = &catalogue().library;
    let is_jdk = entry.class.starts_with("java.") || view.symbols().lib(entry.owner).is_some_and(|it| library.is_jdk(it));
    // The sandbox of MoonBox reaches classes of the JDK.
    if is_jdk && entry.id.is_none() && tool != Tool::Moonbox {
        said.push(("a class of the JDK cannot be listed: list the methods that call it".to_owned(), true));
    }
    match entry.kind {
        _ if entry.of_subtypes => {
            let text = format!("a proxy answers for {}: {BY_NUMBER}; use --placement paper", entry.class);
            said.push((text, false));
        }
        TypeKind::Interface => {
            let what = if tool == Tool::Arex { BY_NUMBER } else { "check that it is recorded" };
            said.push((format!("it is declared in an interface, which a proxy may answer for: {what}; list the classes that have it"), false));
        }
        TypeKind::Anonymous => {
            said.push((format!("the compiler numbers anonymous classes: check that {} is the one", entry.class), false));
        }
        _ => {}
    }
    if let Some(annotation) = entry.answered_by.filter(|_| tool == Tool::Arex) {
        said.push((format!("@{annotation} answers for it: AREX takes no such method as a dynamic class"), true));
    }
}

/// What its result says.
fn result(symbols: &Symbols, tool: Tool, entry: &Entry<'_>, unrecordable: &Unrecordable<'_>, said: &mut Said) {
    let Some(returns) = &entry.returns else {
        let goes_out = entry.point.sources.iter().any(|it| it.dependency.is_some());
        match tool {
            Tool::Arex if !goes_out => said.push(("it is void: AREX records nothing of it and would not run it in replay".to_owned(), true)),
            _ => said.push(("it is void: in replay its body is not run, nor what it calls".to_owned(), false)),
        }
        return;
    };
    if let Some((name, what)) = unrecordable.of(returns) {
        said.push((format!("its result has a {name}, {what}, which cannot be recorded: list what reads it"), false));
    }
    if matches!(tool, Tool::Repeater | Tool::Moonbox)
        && let Some(name) = unserialisable(symbols, returns)
    {
        said.push((format!("{name}, in its result, is not Serializable: the recorder writes objects with Hessian"), false));
    }
    if tool == Tool::Arex {
        match arex::generic(symbols, returns) {
            Generic::Lost => said.push(("its generic result cannot be read back: AREX is told one class without arguments of its own".to_owned(), false)),
            Generic::Told(_) => {
                said.extend(below(symbols, entry).map(|it| {
                    (format!("AREX looks its formula up by the class of the object: for a {it} it is not told what its generic result holds"), false)
                }))
            }
            Generic::Known => {}
        }
        let futures =
            ["java.util.concurrent.Future", "java.util.concurrent.ScheduledFuture", "java.util.concurrent.FutureTask", "java.util.concurrent.CompletionStage"];
        if futures.contains(&returns.text.as_str()) {
            said.push((format!("AREX does not wait for a {}: return a CompletableFuture", returns.text), false));
        }
    }
}

/// A class below that of a method, whose objects may run it.
fn below<'a>(symbols: &'a Symbols, entry: &Entry<'_>) -> Option<&'a str> {
    let is_own = entry.flags.has(Flags::STATIC) || entry.flags.has(Flags::PRIVATE);
    let sub = symbols.own(entry.owner).filter(|_| !is_own)?.subs.first()?;
    Some(symbols.type_name(*sub))
}

/// A class of the workspace in a type that does not implement `Serializable`, as far as its supertypes are known.
fn unserialisable<'e>(symbols: &Symbols, ty: &'e Erased) -> Option<&'e str> {
    let marker = symbols.qualified("java.io.Serializable");
    let own = symbols.own(ty.id).filter(|it| !it.open && matches!(it.head.get().kind, TypeKind::Class | TypeKind::Record));
    let is_bare = own.is_some() && marker != UNKNOWN && !symbols.is_subtype(ty.id, marker);
    if is_bare { Some(&ty.text) } else { ty.arguments.iter().find_map(|it| unserialisable(symbols, it)) }
}

/// What its parameters say.
fn parameters(view: &View<'_>, tool: Tool, entry: &Entry<'_>, unrecordable: &Unrecordable<'_>, listed: &FxHashSet<MethodId>, said: &mut Said) {
    let all = entry.parameters.as_deref().unwrap_or_default();
    if entry.parameters.is_none() {
        said.push(("the types of its parameters are not known: it is listed with all its overloads".to_owned(), false));
    }
    for it in all.iter().filter(|it| !it.ty.known) {
        said.push((format!("no import says what package `{}`, the type of parameter `{}`, is in: complete the entry", it.ty.text, it.name), false));
    }
    for it in all {
        if let Some((name, what)) = unrecordable.of(&it.ty) {
            said.push((format!("parameter `{}` has a {name}, {what}: calls cannot be told apart by it", it.name), false));
        }
    }
    let Some(id) = entry.id else { return };
    let finds = match tool {
        Tool::Arex => "the record with the same arguments is not found, and another one is taken",
        _ => "no record with the same arguments is found, and the replay ends there",
    };
    for (index, caller) in carried(view, id, listed) {
        let Some(parameter) = all.get(index) else { continue };
        said.push((format!("parameter `{}` carries state that {} reads: {finds}", parameter.name, view.method_name(caller)), false));
    }
}

/// Parameters that some caller passes state to, each with one such caller, which is not recorded itself.
fn carried(view: &View<'_>, id: MethodId, listed: &FxHashSet<MethodId>) -> Vec<(usize, MethodId)> {
    let (symbols, taint) = (view.symbols(), view.taint());
    let mut found: Vec<(usize, MethodId)> = Vec::new();
    for &callee in symbols.overridden.get(&id).into_iter().flatten().chain([&id]) {
        for category in [Category::System, Category::Internal, Category::WhiteList] {
            for (port, carry) in taint.passed.get(&(callee, category)).into_iter().flatten() {
                let Some(parameter) = crate::link::eval::parameter_of(*port) else { continue };
                let caller = carry.origin.method;
                if !listed.contains(&caller) && found.iter().all(|it| it.0 != parameter) {
                    found.push((parameter, caller));
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// What other methods of its name say.
fn overloads(symbols: &Symbols, tool: Tool, entry: &Entry<'_>, listed: &FxHashSet<MethodId>, said: &mut Said) {
    let Some(id) = entry.id else { return };
    let Some(name) = Sym::find(&entry.name) else { return };
    let others: Vec<MethodId> = symbols.declared_methods(entry.owner, name).iter().copied().filter(|&it| it != id).collect();
    let n = entry.parameters.as_ref().map_or(0, Vec::len);
    match tool {
        Tool::Arex | Tool::Moonbox if n == 0 && !others.is_empty() => {
            said.push(("without parameters it stands for any: overloads with parameters are listed with it".to_owned(), false));
        }
        Tool::Repeater if others.iter().any(|it| !listed.contains(it)) => {
            said.push(("its name is all that the repeater goes by: overloads that are no mocking points are listed with it".to_owned(), false));
        }
        _ => {}
    }
}

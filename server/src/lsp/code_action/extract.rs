//! Extract what reads state into a method of its own: it is what gets recorded then, and nothing that the method around
//! it writes is lost.

use super::{Asked, Fix};
use crate::analysis::Analysis;
use crate::catalogue::{LibTypeId, catalogue};
use crate::intern::{Sym, Ty};
use crate::link::symbols::{Symbols, TypeId, UNKNOWN};
use crate::link::types::type_text;
use crate::rewrite::Source;
use crate::rewrite::extract::{Known, extract};
use crate::verdict::SourceUse;
use tower_lsp::lsp_types::CodeActionKind;

/// More of them would only fill the menu.
const MAX: usize = 3;

/// What to take out of a method for some of its reads; `all` has them all. What makes a generator of random numbers gives
/// way to what draws from it: a recorded generator says nothing of the numbers, and a new one would draw others.
pub(super) fn seams<'a>(asked: &Asked<'_>, sources: &[&'a SourceUse], all: &[&'a SourceUse]) -> Vec<&'a SourceUse> {
    let symbols = &*asked.findings.linked.linked.symbols;
    let is_drawn = |it: &SourceUse| called(&it.what).is_some_and(|it| it.starts_with("next") || matches!(it, "ints" | "longs" | "doubles"));
    let is_of_generator = |it: &SourceUse| owner(&it.what).is_some_and(|it| is_generator(symbols, it));
    let (draws, rest): (Vec<&SourceUse>, Vec<&SourceUse>) = all.iter().copied().partition(|it| is_drawn(it) && is_of_generator(it));
    let makes = |it: &&SourceUse| !draws.is_empty() && is_of_generator(it);
    let has_maker = sources.iter().any(makes);
    let is_wanted = |it: &&SourceUse| sources.iter().any(|known| std::ptr::eq(*known, *it));
    let mut found: Vec<&SourceUse> = rest.into_iter().filter(|it| is_wanted(it) && !makes(it)).collect();
    found.extend(draws.iter().copied().filter(|it| has_maker || is_wanted(it)));
    found.sort_by_key(|it| it.place.range.start);
    found
}

fn is_generator(symbols: &Symbols, class: &str) -> bool {
    let library = &catalogue().library;
    let is_one = |name: &str| matches!(name, "java.util.Random" | "java.util.random.RandomGenerator" | "java.util.SplittableRandom");
    is_one(class) || symbols.lib_ancestors(symbols.qualified(class)).iter().any(|it| is_one(library.types[*it as usize].name.as_str()))
}

/// `java.util.Random` of `java.util.Random.nextInt(int)`.
fn owner(what: &str) -> Option<&str> {
    Some(what.split_once('(')?.0.rsplit_once('.')?.0)
}

/// For reads in a class; `is_quick` if that mends a warning.
pub(super) fn fixes(asked: &Asked<'_>, class: &str, is_quick: bool, sources: &[&SourceUse]) -> Vec<Fix<'static>> {
    let Some(source) = asked.source() else { return Vec::new() };
    let symbols = &*asked.findings.linked.linked.symbols;
    let class = symbols.qualified(class);
    let mut found: Vec<Fix<'static>> = Vec::new();
    for used in sources {
        let bytes = used.place.range.start as usize..used.place.range.end as usize;
        let known = Known {
            calls: called(&used.what),
            ty: result_type(&asked.findings.linked, source, &used.what),
            may_throw: may_throw(symbols, &used.what),
            is_taken: &|name| is_taken(symbols, class, name),
        };
        let Some((name, edits)) = extract(source, bytes, &known) else { continue };
        let title = format!("Extract `{}` into a method `{name}` of its own", short(&used.what));
        if !found.iter().any(|it| it.title == title) {
            let kind = if is_quick { CodeActionKind::QUICKFIX } else { CodeActionKind::REFACTOR_EXTRACT };
            found.push(Fix { kind, ..Fix::quick(title, edits) });
        }
        if found.len() == MAX {
            break;
        }
    }
    found
}

/// `now` of `java.time.LocalDate.now()`, `Date` of `java.util.Date.<init>()`.
fn called(what: &str) -> Option<&str> {
    let mut parts = what.split_once('(')?.0.rsplit('.');
    match parts.next()? {
        "<init>" => parts.next(),
        name => Some(name),
    }
}

/// `java.time.LocalDate.now()` as people write it: `LocalDate.now`.
pub(super) fn short(what: &str) -> String {
    let name = what.split('(').next().unwrap_or(what);
    let mut parts: Vec<&str> = name.rsplit('.').take(2).collect();
    parts.reverse();
    parts.join(".")
}

/// What a call gives, as this text may write it. `None` if it is not the same type for every overload, or is generic.
pub(super) fn result_type(linked: &Analysis, source: &Source<'_>, what: &str) -> Option<String> {
    let symbols = &*linked.linked.symbols;
    let (owner, name) = what.split('(').next()?.rsplit_once('.')?;
    let name = Sym::find(name)?;
    let class = symbols.qualified(owner);
    let mut found: Option<String> = None;
    let mut add = |ty: Option<String>| match (&found, ty) {
        (None, Some(ty)) => {
            found = Some(ty);
            true
        }
        (Some(known), Some(ty)) => *known == ty,
        (_, None) => false,
    };
    if let Some(lib) = symbols.lib(class) {
        let library = &catalogue().library;
        let declaring = library.ancestors(lib).iter().find(|it| library.declared(**it, name).next().is_some())?;
        for method in library.declared(*declaring, name) {
            if !add(plain(method.returns)) {
                return None;
            }
        }
    } else {
        symbols.own(class)?;
        for method in symbols.find_methods(class, name) {
            let ty = symbols.returns[method as usize].filter(|it| it.data().args.is_empty())?;
            let owner = symbols.own(symbols.methods[method as usize].owner)?;
            if owner.head.get().type_params.iter().any(|it| it.0 == ty.name()) {
                return None;
            }
            let head = &symbols.method(&linked.files, method).0.head;
            if !add(Some(type_text(symbols, method, head, ty)).filter(|it| is_whole(symbols, it))) {
                return None;
            }
        }
    }
    let qualified = found.filter(|it| it != "void")?;
    let (bare, dims) = qualified.split_at(qualified.find('[').unwrap_or(qualified.len()));
    let simple = bare.rsplit('.').next()?;
    Some(if source.means(simple, bare) { format!("{simple}{dims}") } else { qualified })
}

/// Whether a call may throw checked exceptions, as far as the tables tell: by any of its overloads.
fn may_throw(symbols: &Symbols, what: &str) -> bool {
    let declaring = || {
        let (owner, name) = what.split('(').next()?.rsplit_once('.')?;
        let (lib, name) = (symbols.lib(symbols.qualified(owner))?, Sym::find(name)?);
        let library = &catalogue().library;
        let declares = |it: &LibTypeId| library.declared(*it, name).next().is_some();
        let declaring = *library.ancestors(lib).iter().find(|it| declares(it))?;
        Some(library.declared(declaring, name).any(|it| library.may_throw(it)))
    };
    declaring().unwrap_or(true)
}

/// A type of the tables that stands for itself and takes no arguments.
fn plain(ty: Ty) -> Option<String> {
    let data = ty.data();
    let name = data.name.as_str();
    let library = &catalogue().library;
    let is_generic = library.find(data.name).is_some_and(|it| library.types[it as usize].is_generic);
    let is_itself = data.args.is_empty() && !name.starts_with(['$', '#']) && !is_generic;
    is_itself.then(|| format!("{name}{}", "[]".repeat(data.dims as usize)))
}

/// Whether a type by its qualified name is known, and takes no arguments.
fn is_whole(symbols: &Symbols, name: &str) -> bool {
    let bare = name.trim_end_matches("[]");
    if !bare.contains('.') {
        return bare.starts_with(|it: char| it.is_ascii_lowercase());
    }
    let id = symbols.qualified(bare);
    let is_generic = match symbols.own(id) {
        Some(own) => !own.head.get().type_params.is_empty(),
        None => symbols.lib(id).is_none_or(|it| catalogue().library.types[it as usize].is_generic),
    };
    id != UNKNOWN && !is_generic
}

/// Whether a class has, inherits or hands down a method of a name: a new one might override it or be overridden.
fn is_taken(symbols: &Symbols, class: TypeId, name: &str) -> bool {
    let Some(name) = Sym::find(name) else { return false };
    if !symbols.find_methods(class, name).is_empty() {
        return true;
    }
    let library = &catalogue().library;
    if symbols.lib_ancestors(class).iter().chain(library.object()).any(|it| library.declared(*it, name).next().is_some()) {
        return true;
    }
    let mut open = vec![class];
    let mut n_seen = 0;
    while let Some(id) = open.pop() {
        n_seen += 1;
        if n_seen > 10_000 || !symbols.declared_methods(id, name).is_empty() {
            return true;
        }
        open.extend(symbols.own(id).into_iter().flat_map(|it| it.subs.iter().copied()));
    }
    false
}

//! A mocking point with all that exports ask about its method.

use super::names::{self, Erased};
use crate::catalogue::catalogue;
use crate::intern::{Sym, Ty};
use crate::java::annotations;
use crate::java::decls::{Flags, TypeKind};
use crate::link::state::is_entry;
use crate::link::symbols::{MethodId, Symbols, TypeId, UNKNOWN};
use crate::verdict::view::View;
use crate::verdict::{MockingPoint, Place};
use rustc_hash::FxHashMap;

/// See the module.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// What it comes from.
    pub point: &'a MockingPoint,
    /// The method; `None` for one of a library.
    pub id: Option<MethodId>,
    /// Its name.
    pub name: String,
    /// `pkg.Class.method` as the source spells it.
    pub short: String,
    /// Where a person should look: its name in the source, or the call of a dependency.
    pub place: Place,
    /// It stands for the methods of classes below its own, which is an interface.
    pub of_subtypes: bool,
    /// The class that declares it; [`UNKNOWN`](crate::link::symbols::UNKNOWN) if nothing is known of it.
    pub owner: TypeId,
    /// Binary name of its class.
    pub class: String,
    /// Its parameters; `None` for a method of a library of which only the name is known.
    pub parameters: Option<Vec<Parameter>>,
    /// Its result; `None` for `void`.
    pub returns: Option<Erased>,
    /// Its modifiers.
    pub flags: Flags,
    /// What its class is.
    pub kind: TypeKind,
    /// A framework calls it.
    pub is_entry: bool,
    /// The first annotation by which a cache or a mock answers for it already.
    pub answered_by: Option<&'static str>,
    /// The tool may give up recording it while the service runs.
    pub is_doubtful: bool,
    /// The key formula of AREX by which this is exported: the calls that are replaced inside of the method.
    pub replaces: Vec<&'static str>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name; empty for one of a library.
    pub name: &'static str,
    /// Its type.
    pub ty: Erased,
}

/// Annotations by which a call of a method may be answered without running it.
const ANSWERED: &[&str] = &["ArexMock", "Cacheable"];

impl Entry<'_> {
    /// Whether it gives nothing back.
    pub fn is_void(&self) -> bool {
        self.returns.is_none()
    }
}

/// The entries of mocking points, in their order.
pub fn collect<'a>(view: &View<'_>, points: &'a [MockingPoint]) -> Vec<Entry<'a>> {
    let symbols = view.symbols();
    // Names stand at one place each; what tools make for a field stands at the name of the field, several of a kind.
    let mut by_place: FxHashMap<Place, Vec<MethodId>> = FxHashMap::default();
    let mut files: Vec<u32> = points.iter().map(|it| it.place.file).collect();
    files.dedup();
    for id in files.into_iter().flat_map(|file| symbols.methods_of_file(file)) {
        by_place.entry(view.name_place(id)).or_default().push(id);
    }
    points.iter().map(|point| entry(view, point, method_of(view, point, &by_place))).collect()
}

fn method_of(view: &View<'_>, point: &MockingPoint, by_place: &FxHashMap<Place, Vec<MethodId>>) -> Option<MethodId> {
    let symbols = view.symbols();
    by_place.get(&point.place)?.iter().copied().find(|&id| {
        let info = &symbols.methods[id as usize];
        info.name.as_str() == point.method.name
            && info.arity as usize == point.method.parameters.len()
            && symbols.own(info.owner).is_some_and(|it| it.binary == point.method.binary_class)
    })
}

fn entry<'a>(view: &View<'_>, point: &'a MockingPoint, id: Option<MethodId>) -> Entry<'a> {
    match id {
        Some(id) => of_method(view, point, id, point.place),
        None => {
            let name = &point.method;
            let text = format!("({})", name.parameters.join(","));
            of_library(view, point, view.symbols().qualified(&name.class), &name.class, &name.name, Some(&text), point.place)
        }
    }
}

/// The parameters and the result of a method of the workspace.
pub fn signature(view: &View<'_>, id: MethodId) -> (Vec<Parameter>, Option<Erased>) {
    let symbols = view.symbols();
    let head = &view.facts(id).head;
    let parameters = head.params.iter().map(|it| Parameter { name: it.name.as_str(), ty: names::erased(symbols, id, head, it.ty) });
    (parameters.collect(), head.returns.map(|it| names::erased(symbols, id, head, it)))
}

/// A method of the workspace.
pub fn of_method<'a>(view: &View<'_>, point: &'a MockingPoint, id: MethodId, place: Place) -> Entry<'a> {
    let symbols = view.symbols();
    let info = &symbols.methods[id as usize];
    let facts = view.facts(id);
    let head = &facts.head;
    let (parameters, returns) = signature(view, id);
    Entry {
        point,
        id: Some(id),
        name: info.name.as_str().to_owned(),
        short: view.method_name(id),
        place,
        of_subtypes: false,
        owner: info.owner,
        class: names::binary(symbols, info.owner),
        parameters: Some(parameters),
        returns,
        flags: info.flags,
        kind: symbols.type_kind(info.owner),
        is_entry: is_entry(symbols, &view.link().states.beans, id, facts),
        answered_by: ANSWERED.iter().copied().find(|it| annotations::has(&head.annotations, it)),
        is_doubtful: false,
        replaces: Vec::new(),
    }
}

/// A type as a table of a library has it: type variables begin with a sign there.
fn of_table(symbols: &Symbols, ty: Ty, depth: u32) -> Erased {
    let data = ty.data();
    let name = data.name.as_str();
    let mut erased = named(symbols, if name.starts_with(['$', '#']) { "java.lang.Object" } else { name }, data.dims);
    if depth < names::MAX_DEPTH {
        erased.arguments = data.args.iter().map(|&it| of_table(symbols, it, depth + 1)).collect();
    }
    erased
}

fn named(symbols: &Symbols, name: &str, dims: u8) -> Erased {
    Erased { id: symbols.qualified(name), text: format!("{}{}", names::nested(name), "[]".repeat(dims as usize)), dims, known: true, arguments: Vec::new() }
}

/// A method of a library: what the tables say. `parameters` as they have them, if it is known which overload is meant.
pub fn of_library<'a>(view: &View<'_>, point: &'a MockingPoint, owner: TypeId, class: &str, name: &str, parameters: Option<&str>, place: Place) -> Entry<'a> {
    let symbols = view.symbols();
    let library = &catalogue().library;
    let found = symbols.lib(owner).and_then(|lib| library.declared(lib, Sym::find(name)?).find(|it| Some(it.text) == parameters));
    let returns = found.map_or_else(
        || Some(Erased { id: UNKNOWN, text: "java.lang.Object".to_owned(), dims: 0, known: false, arguments: Vec::new() }),
        |it| (it.returns.data().name.as_str() != "void").then(|| of_table(symbols, it.returns, 0)),
    );
    let mut flags = Flags::PUBLIC;
    if found.is_none_or(|it| it.is_static) {
        flags.add(Flags::STATIC);
    }
    Entry {
        point,
        id: None,
        name: name.to_owned(),
        short: format!("{class}.{name}"),
        place,
        of_subtypes: false,
        owner,
        class: names::nested(class),
        parameters: found.map(|it| it.params.iter().map(|it| Parameter { name: "", ty: named(symbols, it.0.as_str(), it.1) }).collect()),
        returns,
        flags,
        kind: symbols.type_kind(owner),
        is_entry: false,
        answered_by: None,
        is_doubtful: false,
        replaces: Vec::new(),
    }
}

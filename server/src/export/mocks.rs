//! What a unit test of a class has to mock: what its methods read, and mocking points of other classes that they call.

use super::entry::{self, Entry};
use super::names::{self, Erased};
use super::{Remark, placement};
use crate::catalogue::catalogue;
use crate::facts::graph::NONE;
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::resolve::Ref;
use crate::link::symbols::{MethodId, Symbols, TypeId, UNKNOWN};
use crate::verdict::view::View;
use crate::verdict::{Place, SourceUse};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How a call is mocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum How {
    /// On an object that stands for the real one.
    Object,
    /// A static method.
    Static,
    /// Objects are made of the class.
    Construction,
}

/// A call that is mocked.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Mock {
    /// How.
    pub how: How,
    /// Binary name of the type that it is called on.
    pub class: String,
    /// The name of the method, `<init>` for constructors.
    pub name: String,
    /// Parameter types as the source spells them, erased; `None` if they are not known.
    pub parameters: Option<Vec<String>>,
    /// The result, erased; `None` for `void`.
    pub returns: Option<String>,
}

impl Mock {
    /// The type as the source spells it.
    pub fn source_class(&self) -> String {
        self.class.replace('$', ".")
    }
}

/// A class under test.
#[derive(Debug)]
pub struct UnderTest {
    /// The class.
    pub class: TypeId,
    /// Its calls, each with the methods that make it, by name.
    pub mocks: BTreeMap<Mock, BTreeSet<String>>,
    /// Fields with state that such methods read, `pkg.Class.field`: to be set before each test.
    pub state: BTreeSet<String>,
}

impl UnderTest {
    /// Whether objects of a type are made by the class itself: their calls are answered where they are made.
    pub fn makes(&self, class: &str) -> bool {
        self.mocks.keys().any(|it| it.how == How::Construction && it.class == class)
    }
}

/// Classes that a test can name, with what has to be mocked for each, in the order of their files.
pub fn collect(view: &View<'_>, entries: &[Entry<'_>], remarks: &mut Vec<Remark>) -> Vec<UnderTest> {
    let symbols = view.symbols();
    let by_id: FxHashMap<MethodId, &Entry<'_>> = entries.iter().filter_map(|it| Some((it.id?, it))).collect();
    let mut found: BTreeMap<TypeId, UnderTest> = BTreeMap::new();
    for id in (0..symbols.methods.len() as MethodId).filter(|&it| !view.is_test(it)) {
        let info = &symbols.methods[id as usize];
        let own = by_id.get(&id);
        // What other classes answer is mocked there.
        let mut add = |mock: Option<(Mock, TypeId)>, place: Place| {
            let class = testable_class(symbols, info.owner);
            match mock {
                Some((mock, ty)) if is_visible(symbols, class, ty) && is_visible(symbols, class, class) => {
                    let under = found.entry(class).or_insert_with(|| UnderTest { class, mocks: BTreeMap::new(), state: BTreeSet::new() });
                    under.mocks.entry(mock).or_default().insert(info.name.as_str().to_owned());
                }
                Some((mock, _)) => remarks.push(Remark {
                    place,
                    method: view.method_name(id),
                    text: format!("{} is not visible where the class is tested: mock what makes it", mock.source_class()),
                    left_out: false,
                }),
                None => {}
            }
        };
        for source in own.iter().flat_map(|it| &it.point.sources) {
            add(read(view, id, source), source.place);
        }
        let resolved = view.context().resolved.get(id);
        for (call, site) in view.facts(id).graph.calls.iter().zip(&resolved.calls) {
            for &callee in resolved.targets(&site.target).0 {
                let Some(entry) = by_id.get(&callee).filter(|it| it.owner != info.owner && !it.flags.has(Flags::PRIVATE)) else { continue };
                add(Some((of_entry(entry), entry.owner)), view.place(id, call.at));
            }
        }
        if let Some(entry) = own {
            let fields = entry.point.sources.iter().filter(|it| it.dependency.is_none() && !it.what.contains('('));
            let state: Vec<String> = fields.map(|it| it.what.clone()).collect();
            if !state.is_empty() {
                let class = testable_class(symbols, info.owner);
                let under = found.entry(class).or_insert_with(|| UnderTest { class, mocks: BTreeMap::new(), state: BTreeSet::new() });
                under.state.extend(state);
            }
        }
    }
    let mut all: Vec<UnderTest> = found.into_values().collect();
    all.sort_by_key(|it| it.class);
    all
}

/// The class that a test names: for anonymous and local classes the one around them.
fn testable_class(symbols: &Symbols, class: TypeId) -> TypeId {
    let mut at = class;
    while let Some(own) = symbols.own(at).filter(|it| it.unit.is_some() && it.outer != UNKNOWN) {
        at = own.outer;
    }
    at
}

/// How a mocking point of another class is mocked.
fn of_entry(entry: &Entry<'_>) -> Mock {
    Mock {
        how: if entry.flags.has(Flags::STATIC) { How::Static } else { How::Object },
        class: entry.class.clone(),
        name: entry.name.clone(),
        parameters: entry.parameters.as_ref().map(|all| all.iter().map(|it| it.ty.source()).collect()),
        returns: entry.returns.as_ref().map(Erased::source),
    }
}

/// How a source that a method reads by a call of its own is mocked, and the type that it is called on.
fn read(view: &View<'_>, id: MethodId, source: &SourceUse) -> Option<(Mock, TypeId)> {
    let (symbols, library) = (view.symbols(), &catalogue().library);
    let (index, name) = placement::call_of(view, id, source)?;
    let call = &view.facts(id).graph.calls[index as usize];
    let resolved = view.context().resolved.get(id);
    let receiver = view.describer(id, false).receiver_type(index);
    if receiver == UNKNOWN {
        return None;
    }
    let is_static = call.recv == NONE || resolved.refs.get(call.recv as usize) == Some(&Ref::NoValue);
    let how = match call.form {
        CallForm::New => How::Construction,
        _ if is_static => How::Static,
        _ => How::Object,
    };
    let (parameters, returns) = match resolved.targets(&resolved.calls[index as usize].target).0 {
        [one] => {
            let (parameters, returns) = entry::signature(view, *one);
            (Some(parameters.iter().map(|it| it.ty.source()).collect()), returns.as_ref().map(Erased::source))
        }
        _ => {
            let text = &source.what[source.what.find('(')?..];
            let above = symbols.lib_ancestors(receiver).iter().copied();
            let declared = symbols.lib(receiver).into_iter().chain(above).find_map(|it| library.declared(it, name).find(|it| it.text == text));
            let array = |name: &str, dims: u8| format!("{name}{}", "[]".repeat(dims as usize));
            let returns = declared.map_or(Some("java.lang.Object".to_owned()), |it| {
                let data = it.returns.data();
                let name = if data.name.as_str().starts_with(['$', '#']) { "java.lang.Object" } else { data.name.as_str() };
                (name != "void").then(|| array(name, data.dims))
            });
            (declared.map(|it| it.params.iter().map(|it| array(it.0.as_str(), it.1)).collect()), returns)
        }
    };
    Some((Mock { how, class: names::binary(symbols, receiver), name: name.as_str().to_owned(), parameters, returns }, receiver))
}

/// Whether a test in the package of a class can name a type.
fn is_visible(symbols: &Symbols, under: TypeId, ty: TypeId) -> bool {
    let package = |it: TypeId| names::binary(symbols, it).rsplit_once('.').map_or(String::new(), |it| it.0.to_owned());
    let mut at = ty;
    while let Some(own) = symbols.own(at) {
        let head = own.head.get();
        let is_member_of_interface = symbols.own(own.outer).is_some_and(|it| it.head.get().kind == TypeKind::Interface);
        let is_public = head.flags.has(Flags::PUBLIC) || is_member_of_interface;
        if own.unit.is_some() || head.flags.has(Flags::PRIVATE) || !(is_public || package(at) == package(under)) {
            return false;
        }
        at = own.outer;
    }
    true
}

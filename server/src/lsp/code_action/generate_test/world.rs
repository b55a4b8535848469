//! Types and methods for generated tests, from the tables of the link.

use crate::analysis::Analysis;
use crate::catalogue::catalogue;
use crate::facts::graph::{Node, NodeKind, SinkKind};
use crate::intern::{Sym, Ty};
use crate::java::decls::{Flags, MemberKind, MethodHead, TypeKind};
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, Scope, Symbols, TypeId, UNKNOWN};
use crate::link::types::{NOTHING, Types, Value};
use crate::rewrite::skeleton::{Kind, Shape, Signature, Type, World};

/// Hierarchies are no higher.
const MAX_STEPS: usize = 32;

/// What the link knows, as seen from a method.
pub(super) struct Tables<'a> {
    linked: &'a Analysis,
    scope: Scope,
    package: &'a str,
}

impl<'a> Tables<'a> {
    pub(super) fn new(linked: &'a Analysis, method: MethodId, package: &'a str) -> Tables<'a> {
        Tables { linked, scope: scope_of(&linked.linked.symbols, method), package }
    }

    pub(super) fn symbols(&self) -> &'a Symbols {
        &self.linked.linked.symbols
    }

    /// A type that is written in the head of a method.
    pub(super) fn declared(&self, method: MethodId, ty: Ty) -> Option<Type> {
        let head = &self.symbols().method(&self.linked.files, method).0.head;
        let types = Types::new(self.symbols(), scope_of(self.symbols(), method), Some(head));
        self.here(&types, self.symbols().methods[method as usize].owner, Some(head), ty)
    }

    /// A type that a field of a class is declared with.
    pub(super) fn of_field(&self, class: TypeId, ty: Ty) -> Option<Type> {
        let info = self.symbols().own(class)?;
        let types = Types::new(self.symbols(), Scope { class, unit: info.unit, file: info.file, method: None }, None);
        self.here(&types, class, None, ty)
    }

    fn here(&self, types: &Types<'_>, class: TypeId, head: Option<&MethodHead>, ty: Ty) -> Option<Type> {
        let value = types.here(ty);
        if let Some(found) = self.of(types, value, ty) {
            return Some(found);
        }
        // A type parameter without a bound.
        self.is_variable(class, head, ty.name()).then(|| Type { dims: ty.data().dims, ..object() })
    }

    fn is_variable(&self, class: TypeId, head: Option<&MethodHead>, name: Sym) -> bool {
        if head.is_some_and(|it| it.type_params.iter().any(|it| it.0 == name)) {
            return true;
        }
        let mut class = class;
        for _ in 0..MAX_STEPS {
            let Some(info) = self.symbols().own(class) else { return false };
            if info.head.get().type_params.iter().any(|it| it.0 == name) {
                return true;
            }
            class = info.outer;
        }
        false
    }

    /// The type of a value. `None` if it is not known.
    fn of(&self, types: &Types<'_>, value: Value, ty: Ty) -> Option<Type> {
        if value.id == UNKNOWN {
            let name = ty.name().as_str();
            let is_primitive = matches!(name, "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short" | "void");
            return is_primitive.then(|| Type { dims: ty.data().dims, ..Type::primitive(name) });
        }
        let class = self.class(value.id)?;
        let n_args = value.ty.map_or(0, |it| it.data().args.len());
        let arg = |i: usize| {
            let arg = types.argument(value, i);
            let written = arg.ty.unwrap_or_else(|| Ty::simple(""));
            if arg.id == UNKNOWN && arg.dims == 0 { None } else { self.of_depth_1(arg, written) }
        };
        let args: Option<Vec<Type>> = (0..n_args).map(arg).collect();
        Some(Type { dims: value.dims, args: args.unwrap_or_default(), ..class })
    }

    /// A type argument: what arguments it has itself is left out, and makes it one that cannot be written.
    fn of_depth_1(&self, value: Value, ty: Ty) -> Option<Type> {
        let class = self.class(value.id)?;
        Some(Type { dims: value.dims, is_generic: class.is_generic || !ty.data().args.is_empty(), ..class })
    }

    /// A class by its number, without arguments.
    pub(super) fn class(&self, id: TypeId) -> Option<Type> {
        let symbols = self.symbols();
        let library = &catalogue().library;
        let name = symbols.type_name(id);
        if name.is_empty() {
            return None;
        }
        let (package, kind, is_generic) = if let Some(info) = symbols.own(id) {
            let head = info.head.get();
            let kind = match head.kind {
                TypeKind::Class => Kind::Class,
                TypeKind::Interface | TypeKind::Annotation => Kind::Interface,
                TypeKind::Enum => Kind::Enum,
                TypeKind::Record => Kind::Record,
                TypeKind::Anonymous => return None,
            };
            (self.linked.files.get(info.file as usize)?.facts.package.as_str(), kind, !head.type_params.is_empty())
        } else {
            let lib = symbols.lib(id);
            let kind = match lib.and_then(|it| library.kind(it)) {
                Some(TypeKind::Class) => Kind::Class,
                Some(TypeKind::Interface | TypeKind::Annotation) => Kind::Interface,
                Some(TypeKind::Enum) => Kind::Enum,
                Some(TypeKind::Record) => Kind::Record,
                Some(TypeKind::Anonymous) => return None,
                None => Kind::External,
            };
            let start = name.split('.').take_while(|it| !it.starts_with(|it: char| it.is_uppercase())).map(|it| it.len() + 1).sum::<usize>();
            (
                name.get(..start.saturating_sub(1)).unwrap_or_default(),
                kind,
                kind == Kind::External || lib.is_some_and(|it| library.types[it as usize].is_generic),
            )
        };
        let simple = if package.is_empty() { name } else { name.strip_prefix(package)?.strip_prefix('.')? };
        Some(Type { package: package.to_owned(), name: simple.to_owned(), args: Vec::new(), dims: 0, kind, is_generic })
    }

    /// Whether objects of a class are there for their values, and not for what they do: they can be filled.
    fn holds_values(&self, id: TypeId) -> bool {
        let symbols = self.symbols();
        let Some(info) = symbols.own(id).filter(|_| !self.linked.linked.states.beans.is_managed(id)) else { return false };
        let mut methods = symbols.methods_of_file(info.file).map(|it| &symbols.methods[it as usize]).filter(|it| it.owner == id);
        methods.any(|it| it.arity == 1 && it.name.as_str().strip_prefix("set").is_some_and(|it| it.starts_with(|it: char| it.is_uppercase())))
    }

    fn id(&self, ty: &Type) -> TypeId {
        if ty.kind == Kind::Primitive || ty.dims > 0 { UNKNOWN } else { self.symbols().qualified(&ty.qualified()) }
    }

    /// Whether a class of the workspace can be named in the package of the test.
    pub(super) fn is_seen(&self, id: TypeId) -> bool {
        let symbols = self.symbols();
        let mut id = id;
        for _ in 0..MAX_STEPS {
            let Some(info) = symbols.own(id) else { return true };
            let head = info.head.get();
            let of_interface = symbols.own(info.outer).is_some_and(|it| matches!(it.head.get().kind, TypeKind::Interface | TypeKind::Annotation));
            let is_here = self.linked.files.get(info.file as usize).is_some_and(|it| it.facts.package.as_str() == self.package);
            let is_public = head.flags.has(Flags::PUBLIC) || of_interface;
            if info.unit.is_some() || head.flags.has(Flags::PRIVATE) || !(is_public || is_here) {
                return false;
            }
            if info.outer == UNKNOWN {
                return true;
            }
            id = info.outer;
        }
        false
    }

    /// The type as a value, to ask for its methods.
    fn value(&self, ty: &Type) -> Value {
        let id = self.id(ty);
        let args: Vec<Ty> = ty.args.iter().map(|it| Ty::new(Sym::new(&it.qualified()), &[], it.dims)).collect();
        Value { id, dims: ty.dims, ty: Some(Ty::new(Sym::new(&ty.qualified()), &args, 0)), context: 0 }
    }

    fn own_methods(&self, recv: Value, name: Sym, n: usize, found: &mut Vec<Signature>) -> Option<()> {
        let symbols = self.symbols();
        let mut seen: Vec<&[Ty]> = Vec::new();
        for id in symbols.find_methods(recv.id, name) {
            let info = &symbols.methods[id as usize];
            let params = &symbols.params[id as usize];
            if info.arity as usize != n || seen.iter().any(|it| **it == **params) {
                continue;
            }
            seen.push(params);
            let file = self.linked.files.get(symbols.file_of_unit(info.unit) as usize)?;
            let is_open = info.flags.has(Flags::PUBLIC) || symbols.type_kind(info.owner) == TypeKind::Interface || file.facts.package.as_str() == self.package;
            if info.flags.has(Flags::PRIVATE) || !is_open {
                return None;
            }
            let head = &symbols.method(&self.linked.files, id).0.head;
            let mut types = Types::new(symbols, scope_of(symbols, id), Some(head));
            let mut read = |ty: Ty| {
                let names_own = |it: Ty| head.type_params.iter().any(|param| param.0 == it.name());
                if names_own(ty) || ty.data().args.iter().any(|it| names_own(*it)) {
                    return None;
                }
                let value = types.at_call(ty, Some(Scope { method: None, ..scope_of(symbols, id) }), recv, &[]);
                self.of(&types, value, ty)
            };
            let returns = match symbols.returns[id as usize] {
                Some(ty) => read(ty)?,
                None => Type::primitive("void"),
            };
            let params: Option<Vec<Type>> = params.iter().map(|it| read(*it)).collect();
            found.push(Signature {
                params: params?,
                returns,
                is_static: info.flags.has(Flags::STATIC),
                varargs: head.flags.has(Flags::VARARGS),
                is_quiet: self.sets_or_reads(id),
                is_state: self.linked.linked.taint.points.contains(&id),
            });
        }
        Some(())
    }

    /// Whether a method, and nothing that overrides it, does nothing but to read or set fields of its own.
    fn sets_or_reads(&self, id: MethodId) -> bool {
        let facts = self.symbols().method(&self.linked.files, id).0;
        let graph = &facts.graph;
        let is_simple = |it: &Node| {
            let is_own = |obj: u32| matches!(graph.nodes.get(obj as usize), Some(Node { kind: NodeKind::This, .. }));
            match it.kind {
                NodeKind::Select(obj, _) => is_own(obj),
                NodeKind::Const(_) | NodeKind::Null | NodeKind::Param(_) | NodeKind::This | NodeKind::Name(_) | NodeKind::Same(_) => true,
                _ => false,
            }
        };
        facts.head.has_body
            && !self.symbols().overriders.contains_key(&id)
            && graph.calls.is_empty()
            && graph.lambdas.is_empty()
            && graph.sinks.iter().all(|it| it.kind == SinkKind::Return)
            && graph.nodes.iter().all(is_simple)
    }

    fn library_methods(&self, recv: Value, name: Sym, n: usize, found: &mut Vec<Signature>) -> Option<()> {
        let symbols = self.symbols();
        let library = &catalogue().library;
        let mut seen: Vec<&str> = Vec::new();
        let mut types = Types::new(symbols, self.scope, None);
        for &owner in symbols.lib_ancestors(recv.id) {
            for method in library.declared(owner, name) {
                if method.params.len() != n || seen.contains(&method.text) {
                    continue;
                }
                seen.push(method.text);
                let written = method.returns.name().as_str();
                if written.starts_with('#') || method.returns.data().args.iter().any(|it| it.name().as_str().starts_with('#')) {
                    return None;
                }
                let value = types.result(method, recv, &[]);
                // A raw type gives what a type parameter is at least.
                let returns = if value.id == UNKNOWN && written.starts_with('$') {
                    object()
                } else {
                    self.of(&types, value, if value.id == UNKNOWN { method.returns } else { value.ty.unwrap_or(method.returns) })?
                };
                let params = method.params.iter().map(|(name, dims)| {
                    let value = Value { id: symbols.named(*name), dims: *dims, ..NOTHING };
                    self.of(&types, value, Ty::new(*name, &[], *dims))
                });
                let params: Option<Vec<Type>> = params.collect();
                found.push(Signature { params: params?, returns, is_static: method.is_static, varargs: method.varargs, is_quiet: false, is_state: false });
            }
        }
        Some(())
    }
}

impl World for Tables<'_> {
    fn is_visible(&self, ty: &Type) -> bool {
        if ty.kind == Kind::Primitive {
            return true;
        }
        let id = self.symbols().qualified(&ty.qualified());
        self.is_seen(id)
    }

    fn shape(&self, ty: &Type) -> Shape {
        let id = self.id(ty);
        let symbols = self.symbols();
        let Some(info) = symbols.own(id) else {
            return Shape::default();
        };
        let head = info.head.get();
        let constructors = symbols.declared_methods(id, Sym::new("<init>"));
        let written: Vec<MethodId> = constructors
            .iter()
            .copied()
            .filter(|it| matches!(symbols.method(&self.linked.files, *it).0.head.kind, MemberKind::Constructor | MemberKind::CompactConstructor))
            .collect();
        let components = (head.kind == TypeKind::Record && written.is_empty())
            .then(|| head.components.iter().map(|(name, ty)| Some((name.as_str().to_owned(), self.of_field(id, *ty)?))).collect::<Option<Vec<_>>>())
            .flatten();
        let is_made = head.kind == TypeKind::Class && !head.flags.has(Flags::ABSTRACT) && (info.outer == UNKNOWN || head.flags.has(Flags::STATIC));
        Shape {
            components,
            has_plain_constructor: is_made && is_plain(self.linked, id, self.package),
            holds_values: self.holds_values(id),
            first_constant: symbols
                .fields_of_file(info.file)
                .find(|it| symbols.fields[*it as usize].owner == id && symbols.fields[*it as usize].enum_constant)
                .map(|it| symbols.fields[it as usize].name.as_str().to_owned()),
            is_sealed: false,
        }
    }

    fn methods(&self, owner: &Type, name: &str, n: usize) -> Vec<Signature> {
        let Some(name) = Sym::find(name) else { return Vec::new() };
        let recv = self.value(owner);
        if recv.id == UNKNOWN || recv.dims > 0 {
            return Vec::new();
        }
        let mut found = Vec::new();
        if self.own_methods(recv, name, n, &mut found).is_none() {
            return Vec::new();
        }
        if found.is_empty() && self.library_methods(recv, name, n, &mut found).is_none() {
            return Vec::new();
        }
        found
    }

    fn named(&self, written: &str) -> Option<Type> {
        let id = self.symbols().resolve(self.scope, Sym::find(written)?);
        (id != UNKNOWN).then(|| self.class(id)).flatten()
    }

    fn in_package(&self, simple: &str) -> bool {
        let name = if self.package.is_empty() { simple.to_owned() } else { format!("{}.{simple}", self.package) };
        let id = self.symbols().qualified(&name);
        self.symbols().own(id).is_some_and(|it| it.name == name)
    }
}

fn scope_of(symbols: &Symbols, method: MethodId) -> Scope {
    let info = &symbols.methods[method as usize];
    Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(method) }
}

fn object() -> Type {
    Type { package: "java.lang".to_owned(), name: "Object".to_owned(), args: Vec::new(), dims: 0, kind: Kind::Class, is_generic: false }
}

/// Whether a class has a constructor without parameters that a test in the package can call and that surely ends well.
fn is_plain(linked: &Analysis, class: TypeId, package: &str) -> bool {
    let symbols = &*linked.linked.symbols;
    let Some(info) = symbols.own(class) else { return false };
    let mut written = symbols
        .declared_methods(class, Sym::new("<init>"))
        .iter()
        .filter(|it| symbols.method(&linked.files, **it).0.head.kind == MemberKind::Constructor)
        .peekable();
    let is_here = linked.files.get(info.file as usize).is_some_and(|it| it.facts.package.as_str() == package);
    let can_call = written.peek().is_none()
        || written.any(|it| {
            let flags = symbols.methods[*it as usize].flags;
            symbols.methods[*it as usize].arity == 0 && !flags.has(Flags::PRIVATE) && (flags.has(Flags::PUBLIC) || is_here)
        });
    can_call && is_quiet(linked, class) && is_plain_chain(linked, class)
}

/// Whether what runs before the body of a constructor surely ends well: the constructors of the classes above.
pub(super) fn is_plain_chain(linked: &Analysis, class: TypeId) -> bool {
    let symbols = &*linked.linked.symbols;
    let mut class = class;
    for _ in 0..MAX_STEPS {
        let Some(info) = symbols.own(class) else { return false };
        if info.head.get().supers.len() != info.supers.len() {
            return false;
        }
        let Some(up) = info.supers.iter().copied().find(|it| symbols.type_kind(*it) != TypeKind::Interface) else { return true };
        if symbols.lib(up).is_some() {
            let name = symbols.type_name(up);
            return name == "java.lang.Object" || name.starts_with("java.lang.") && name.ends_with("Exception");
        }
        if !is_quiet(linked, up) {
            return false;
        }
        class = up;
    }
    false
}

/// Whether making an object of a class does nothing by itself but to fill fields: its initialisers, and its constructor
/// without parameters.
fn is_quiet(linked: &Analysis, class: TypeId) -> bool {
    let symbols = &*linked.linked.symbols;
    let constructors = symbols.declared_methods(class, Sym::new("<init>"));
    let plain: Vec<MethodId> = constructors.iter().copied().filter(|it| symbols.methods[*it as usize].arity == 0).collect();
    let has_written = constructors.iter().any(|it| symbols.method(&linked.files, *it).0.head.kind == MemberKind::Constructor);
    if has_written && !plain.iter().any(|it| symbols.method(&linked.files, *it).0.head.kind == MemberKind::Constructor) {
        return false;
    }
    let initialisers = linked.linked.initialisers.get(&class).into_iter().flatten();
    plain.iter().chain(initialisers).all(|it| {
        let graph = &symbols.method(&linked.files, *it).0.graph;
        let decides = graph.sinks.iter().any(|it| !matches!(it.kind, SinkKind::Return));
        !decides
            && graph.calls.iter().all(|it| {
                let is_collection = it.ty.is_some_and(|ty| COLLECTIONS.contains(&ty.name().as_str())) && it.body.is_none();
                it.form == CallForm::SuperConstructor || (it.form == CallForm::New && is_collection)
            })
    })
}

const COLLECTIONS: &[&str] =
    &["ArrayList", "LinkedList", "HashMap", "LinkedHashMap", "TreeMap", "HashSet", "LinkedHashSet", "TreeSet", "ConcurrentHashMap", "StringBuilder", "Object"];

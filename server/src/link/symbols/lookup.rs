//! Look-ups: from names at a place to types, fields and methods.

use super::{FieldId, HeadRef, MethodId, Place, Symbols, TypeId, UNKNOWN, UnitId};
use crate::catalogue::{LibTypeId, catalogue};
use crate::intern::{Sym, Ty};
use crate::java::annotations::Annotation;
use crate::java::decls::TypeKind;
use crate::terms::FileId;
use smallvec::SmallVec;

/// No class nests deeper and no hierarchy is higher than this; broken or hostile ones end here.
const MAX_STEPS: usize = 64;

/// The name of an annotation of a package of which nothing is known: that of no row.
pub const FOREIGN: &str = "?.?";

/// Where a name stands.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The class.
    pub class: TypeId,
    /// The member, whose local classes are visible.
    pub unit: Option<UnitId>,
    /// The file, whose imports are visible.
    pub file: FileId,
    /// The method, whose type parameters are visible.
    pub method: Option<MethodId>,
}

impl Symbols {
    /// The type that a dotted name means at a place.
    pub fn resolve(&self, scope: Scope, name: Sym) -> TypeId {
        let text = name.as_str();
        match text.split_once('.') {
            None => self.resolve_simple(scope, name),
            Some((first, rest)) => {
                let Some(first) = Sym::find(first) else { return self.qualified(text) };
                let mut id = self.resolve_simple(scope, first);
                for part in rest.split('.') {
                    if id == UNKNOWN {
                        return self.qualified(text);
                    }
                    let Some(part) = Sym::find(part) else { return UNKNOWN };
                    id = self.member_type(id, part);
                }
                if id == UNKNOWN { self.qualified(text) } else { id }
            }
        }
    }

    /// The type that graphs of a member call `number`.
    pub fn nested_type(&self, unit: UnitId, number: u16) -> Option<TypeId> {
        // Numbers follow the order of declaration; members of nested types stand between them.
        let mut id = self.units[unit as usize].first_type;
        while let Some(info) = self.own(id).filter(|it| it.unit == Some(unit)) {
            if let HeadRef::Nested(facts, index) = &info.head
                && facts.types[*index as usize].number == Some(number)
            {
                return Some(id);
            }
            id = TypeId(id.0 + 1);
        }
        None
    }

    /// The type of an annotation, and its qualified name; the simple one if nothing says which package is meant. One that a
    /// whole package must have brought in, of which no table knows it, is [`FOREIGN`].
    pub fn annotation<'a>(&'a self, annotation: &'a Annotation, scope: Scope) -> (TypeId, &'a str) {
        let id = self.resolve(scope, annotation.path);
        let name = match id {
            UNKNOWN if annotation.path == annotation.name && self.imports_packages(scope.file) => FOREIGN,
            UNKNOWN => annotation.path.as_str(),
            _ => self.type_name(id),
        };
        (id, name)
    }

    /// Whether a file imports whole packages but those of the JDK.
    fn imports_packages(&self, file: FileId) -> bool {
        let is_other = |it: &Place| matches!(it, Place::Package(package) if !package.as_str().starts_with("java."));
        self.scopes.get(file as usize).is_some_and(|it| it.on_demand.iter().any(is_other))
    }

    /// Whether a file imports the whole package of a type.
    pub fn imports_package_of(&self, file: FileId, qualified: &str) -> bool {
        let package = qualified.rsplit_once('.').map_or("", |it| it.0);
        let is_it = |it: &Place| matches!(it, Place::Package(found) if found.as_str() == package);
        self.scopes.get(file as usize).is_some_and(|it| it.on_demand.iter().any(is_it))
    }

    /// The type of this qualified name.
    pub fn named(&self, name: Sym) -> TypeId {
        let found = self.by_name.get(&name).copied().or_else(|| catalogue().library.find(name).map(TypeId));
        // What has no dot is a primitive type or a type parameter.
        found.unwrap_or_else(|| if name.as_str().contains('.') { self.qualified(name.as_str()) } else { UNKNOWN })
    }

    /// The same, for a name that may be none.
    pub fn qualified(&self, text: &str) -> TypeId {
        let library = &catalogue().library;
        // The longest prefix that is a type, then its nested types.
        let mut end = text.len();
        loop {
            if let Some(sym) = Sym::find(&text[..end]) {
                let found = self.by_name.get(&sym).copied().or_else(|| library.find(sym).map(TypeId));
                if let Some(mut id) = found {
                    for part in text[end..].split('.').filter(|it| !it.is_empty()) {
                        let Some(part) = Sym::find(part) else { return UNKNOWN };
                        id = self.member_type(id, part);
                    }
                    return id;
                }
            }
            match text[..end].rfind('.') {
                Some(dot) => end = dot,
                None => return UNKNOWN,
            }
        }
    }

    fn resolve_simple(&self, scope: Scope, name: Sym) -> TypeId {
        if let Some(unit) = scope.unit
            && let Some(&local) = self.local.get(&(unit, name))
        {
            return local;
        }
        let mut class = scope.class;
        for _ in 0..MAX_STEPS {
            let Some(info) = self.own(class) else { break };
            let head = info.head.get();
            if head.name == name {
                return class;
            }
            let found = self.member_type(class, name);
            if found != UNKNOWN {
                return found;
            }
            if let Some(unit) = info.unit
                && let Some(&local) = self.local.get(&(unit, name))
            {
                return local;
            }
            class = info.outer;
        }
        let Some(imports) = self.scopes.get(scope.file as usize) else { return UNKNOWN };
        if let Some(&found) = imports.single.get(&name) {
            return found;
        }
        // A name is asked for in several packages, and what is asked for is often no type at all.
        let (alike, in_library) = (self.by_simple.get(&name).map_or(&[][..], |it| it), catalogue().library.of_simple(name));
        let in_package = |package: Sym| {
            let own = alike.iter().find(|it| it.0 == package).map(|it| it.1);
            own.or_else(|| in_library.iter().find(|it| it.0 == package).map(|it| TypeId(it.1)))
        };
        if let Some(found) = in_package(imports.package) {
            return found;
        }
        for place in &imports.on_demand {
            let found = match *place {
                Place::Package(package) => in_package(package),
                Place::Type(ty) => Some(self.member_type(ty, name)).filter(|it| *it != UNKNOWN),
            };
            if let Some(found) = found {
                return found;
            }
        }
        if let Some(found) = in_package(self.java_lang) {
            return found;
        }
        for &ty in imports.static_single.get(&name).into_iter().flatten().chain(&imports.static_on_demand) {
            let found = self.member_type(ty, name);
            if found != UNKNOWN {
                return found;
            }
        }
        UNKNOWN
    }

    /// The types of a method's parameters, as far as their names say: array dimensions are beside them. Those of overloads are
    /// asked for at every call.
    pub fn param_types(&self, method: MethodId) -> &[TypeId] {
        self.param_ids[method as usize].get_or_init(|| {
            let info = &self.methods[method as usize];
            let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.file_of_unit(info.unit), method: None };
            self.params[method as usize].iter().map(|it| self.resolve(scope, it.data().name)).collect()
        })
    }

    /// A type nested in another, inherited ones included.
    pub fn member_type(&self, class: TypeId, name: Sym) -> TypeId {
        if let Some(lib) = self.lib(class) {
            let library = &catalogue().library;
            return library.find_in(library.types[lib as usize].name, name).map_or(UNKNOWN, TypeId);
        }
        if let Some(&found) = self.nested.get(&(class, name)) {
            return found;
        }
        let Some(info) = self.own(class) else { return UNKNOWN };
        if info.supers.is_empty() {
            return UNKNOWN;
        }
        for &up in self.above(class) {
            if let Some(&found) = self.nested.get(&(up, name)) {
                return found;
            }
            if let Some(lib) = self.lib(up) {
                let library = &catalogue().library;
                if let Some(found) = library.find_in(library.types[lib as usize].name, name) {
                    return TypeId(found);
                }
            }
        }
        UNKNOWN
    }

    /// A type and its supertypes, nearest first. Library supertypes are in it, but not theirs.
    pub fn ancestors(&self, id: TypeId) -> impl Iterator<Item = TypeId> {
        std::iter::once(id).chain(self.above(id).iter().copied())
    }

    /// The supertypes of a type, as [`Symbols::ancestors`] has them.
    pub fn above(&self, id: TypeId) -> &[TypeId] {
        self.above.get(id.0.wrapping_sub(self.n_lib) as usize).map_or(&[], |it| it)
    }

    /// All library types above a type, nearest first; for a type of the workspace `java.lang.Object` is among them.
    pub fn lib_ancestors(&self, id: TypeId) -> &[LibTypeId] {
        let library = &catalogue().library;
        match self.lib(id) {
            Some(lib) => library.ancestors(lib),
            None => self.lib_above.get(id.0.wrapping_sub(self.n_lib) as usize).map_or(library.object(), |it| &**it),
        }
    }

    /// Follows supertypes, for [`Symbols::above`].
    pub(super) fn find_above(&self, id: TypeId) -> Box<[TypeId]> {
        let mut found = vec![id];
        let mut next = 0;
        while next < found.len() && next < MAX_STEPS * 4 {
            if let Some(info) = self.own(found[next]) {
                for &up in &info.supers {
                    if !found.contains(&up) {
                        found.push(up);
                    }
                }
            }
            next += 1;
        }
        found[1..].into()
    }

    /// Follows supertypes into the library, for [`Symbols::lib_ancestors`].
    pub(super) fn find_lib_above(&self, id: TypeId) -> Box<[LibTypeId]> {
        let library = &catalogue().library;
        let mut found: Vec<LibTypeId> = Vec::new();
        for up in self.ancestors(id) {
            if let Some(lib) = self.lib(up) {
                for &it in library.ancestors(lib) {
                    if !found.contains(&it) {
                        found.push(it);
                    }
                }
            }
        }
        if found.is_empty() { library.object().into() } else { found.into() }
    }

    /// Whether `id` is `up` or below it, as far as is known.
    pub fn is_subtype(&self, id: TypeId, up: TypeId) -> bool {
        if id == up {
            return true;
        }
        match self.lib(up) {
            Some(lib) => self.lib_ancestors(id).contains(&lib),
            None => self.above(id).contains(&up),
        }
    }

    /// Whether `id` may be below `up` by a supertype that is not known: below a class only by a superclass.
    pub fn may_be_below(&self, id: TypeId, up: TypeId) -> bool {
        let library = &catalogue().library;
        let is_listed = |it: TypeId| self.lib(it).is_some_and(|it| library.types[it as usize].listed);
        let is_class = |kind: TypeKind| matches!(kind, TypeKind::Class | TypeKind::Enum | TypeKind::Record);
        match self.own(id) {
            Some(info) if is_class(self.type_kind(up)) && (self.is_own(up) || is_listed(up)) => info.open_above,
            Some(info) => info.open,
            None => !is_listed(id),
        }
    }

    /// A field by name in a class, inherited ones included.
    pub fn find_field(&self, class: TypeId, name: Sym) -> Option<FieldId> {
        if let Some(&found) = self.field_of.get(&(class, name)) {
            return Some(found);
        }
        self.above(class).iter().find_map(|&up| self.field_of.get(&(up, name)).copied())
    }

    /// A field of a library type, with its type.
    pub fn find_lib_field(&self, class: TypeId, name: Sym) -> Option<(LibTypeId, Ty)> {
        let library = &catalogue().library;
        self.lib_ancestors(class).iter().find_map(|&it| library.field(it, name).map(|ty| (it, ty)))
    }

    /// Methods of this name that a class has or inherits, nearest class first. Those of an overridden class are in it
    /// too; the first that fits is the one that runs.
    pub fn find_methods(&self, class: TypeId, name: Sym) -> Vec<MethodId> {
        let mut found = Vec::new();
        if self.own(class).is_none() {
            return found;
        }
        for up in self.ancestors(class) {
            found.extend(self.methods_of.get(&(up, name)).into_iter().flatten());
        }
        found
    }

    /// Whether `outer` is `class` or a class around it.
    pub fn is_around(&self, outer: TypeId, class: TypeId) -> bool {
        let mut class = class;
        for _ in 0..MAX_STEPS {
            if class == outer {
                return true;
            }
            let Some(info) = self.own(class) else { break };
            class = info.outer;
        }
        false
    }

    /// Methods that a class declares itself.
    pub fn declared_methods(&self, class: TypeId, name: Sym) -> &[MethodId] {
        self.methods_of.get(&(class, name)).map_or(&[], SmallVec::as_slice)
    }

    /// Types whose static members of this name a file imports.
    pub fn static_imports(&self, file: FileId, name: Sym) -> impl Iterator<Item = TypeId> {
        let scope = self.scopes.get(file as usize);
        let single = scope.and_then(|it| it.static_single.get(&name)).into_iter().flatten().copied();
        single.chain(scope.into_iter().flat_map(|it| it.static_on_demand.iter().copied()))
    }
}

//! All types, fields and methods of the workspace, and how names are resolved to them.
//!
//! Types are numbered with the library's first, then the workspace's in the order of files, then those that are only
//! known from imports. Resolution is light but honest: imports, packages, nesting and inheritance are followed; what
//! cannot be resolved is said to be unknown.

mod functions;
mod lookup;
mod table;

pub use lookup::{FOREIGN, Scope};
pub(super) use table::NOT_MADE;

use crate::catalogue::{LibTypeId, catalogue};
use crate::facts::{FieldFacts, MemberFacts, MethodFacts};
use crate::intern::{Sym, Ty};
use crate::java::decls::{Flags, TypeHead, TypeKind};
use crate::terms::FileId;
use crate::workspace::SourceFile;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};

/// A type of the library, of the workspace, or known by an import only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);
/// A field of the workspace.
pub type FieldId = u32;
/// A method of the workspace.
pub type MethodId = u32;
/// A member of a type, as a unit of compilation.
pub type UnitId = u32;

/// No type is known.
pub const UNKNOWN: TypeId = TypeId(u32::MAX);

/// Where a member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its file.
    pub file: FileId,
    /// Its type, in the file.
    pub ty: u32,
    /// Its number in the type.
    pub member: u32,
    /// The type it is a member of.
    pub class: TypeId,
    /// The number of its first method.
    pub first_method: MethodId,
    /// The number of its first field.
    pub first_field: FieldId,
    /// The number of its first nested type.
    pub first_type: TypeId,
}

/// A type of the workspace.
#[derive(Debug)]
pub struct TypeInfo {
    /// Its qualified source name; anonymous and local classes are numbered after their outermost class.
    pub name: String,
    /// Its binary name.
    pub binary: String,
    /// Its head.
    pub head: HeadRef,
    /// Its file.
    pub file: FileId,
    /// The type around it.
    pub outer: TypeId,
    /// The member it is declared in, for local and anonymous classes.
    pub unit: Option<UnitId>,
    /// Resolved supertypes; those not known are missing.
    pub supers: Vec<TypeId>,
    /// Whether some supertype, at any distance, is not in the workspace or the tables.
    pub open: bool,
    /// Whether some superclass, at any distance, is not known: interfaces do not count, since no class is below them by that.
    pub open_above: bool,
    /// Types of the workspace right below it.
    pub subs: Vec<TypeId>,
}

/// The head of a type, shared with its facts.
#[derive(Clone, Debug)]
pub enum HeadRef {
    /// A member type.
    Own(Arc<TypeHead>),
    /// A type nested in a member.
    Nested(Arc<MemberFacts>, u16),
}

impl HeadRef {
    /// The head.
    pub fn get(&self) -> &TypeHead {
        match self {
            HeadRef::Own(head) => head,
            HeadRef::Nested(facts, index) => &facts.types[*index as usize].head,
        }
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// The type that declares it.
    pub owner: TypeId,
    /// Its member.
    pub unit: UnitId,
    /// Its number in the member.
    pub index: u32,
    /// Its name.
    pub name: Sym,
    /// Its type.
    pub ty: Ty,
    /// Its modifiers, those implied by an interface included.
    pub flags: Flags,
    /// An enum constant.
    pub enum_constant: bool,
    /// A local that a nested class captures.
    pub captured: bool,
    /// Its initialiser makes an array without elements.
    pub init_empty: bool,
    /// What its initialiser makes.
    pub made: Option<(Ty, bool)>,
}

impl FieldInfo {
    /// Whether it always holds an array without elements: there is nothing in it to change.
    pub fn is_empty_array(&self) -> bool {
        self.init_empty && self.flags.has(Flags::FINAL)
    }
}

/// A method, constructor, initialiser or accessor.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// The type that declares it.
    pub owner: TypeId,
    /// Its member.
    pub unit: UnitId,
    /// Its number in the member.
    pub index: u32,
    /// Its name.
    pub name: Sym,
    /// Its modifiers.
    pub flags: Flags,
    /// Number of parameters.
    pub arity: u32,
}

/// Imports of a file, ready for look-ups.
#[derive(Debug)]
pub struct FileScope {
    package: Sym,
    single: FxHashMap<Sym, TypeId>,
    on_demand: Vec<Place>,
    static_single: FxHashMap<Sym, Vec<TypeId>>,
    static_on_demand: Vec<TypeId>,
}

/// What an on-demand import opens.
#[derive(Clone, Copy, Debug)]
enum Place {
    Package(Sym),
    Type(TypeId),
}

/// Type parameters with their bounds.
type TypeParameters = Box<[(Sym, Option<Ty>)]>;

/// The symbol table.
pub struct Symbols {
    /// Number of library types.
    pub n_lib: u32,
    /// Types of the workspace.
    pub types: Vec<TypeInfo>,
    /// Types of the workspace by whose name the catalogue knows one: the workspace is that library, or has a copy of it.
    pub listed: FxHashMap<TypeId, LibTypeId>,
    /// Names of types known from imports only.
    pub externals: Vec<Sym>,
    /// Members.
    pub units: Vec<Unit>,
    /// Fields.
    pub fields: Vec<FieldInfo>,
    /// Methods.
    pub methods: Vec<MethodInfo>,
    /// Result types of methods as written.
    pub returns: Vec<Option<Ty>>,
    /// Type parameters of generic methods, with their bounds.
    generics: FxHashMap<MethodId, TypeParameters>,
    /// Parameter types of methods as written.
    pub params: Vec<Box<[Ty]>>,
    /// What the names in these mean, once somebody asked.
    param_ids: Vec<OnceLock<Box<[TypeId]>>>,
    /// Hashes of these, where no type variable is among them.
    shapes: Vec<Option<NonZeroU32>>,
    /// Of each file, its first unit.
    pub first_unit: Vec<UnitId>,
    scopes: Vec<FileScope>,
    /// Types that are not nested, by their simple names, each with its package.
    by_simple: FxHashMap<Sym, SmallVec<[(Sym, TypeId); 1]>>,
    by_name: FxHashMap<Sym, TypeId>,
    nested: FxHashMap<(TypeId, Sym), TypeId>,
    local: FxHashMap<(UnitId, Sym), TypeId>,
    field_of: FxHashMap<(TypeId, Sym), FieldId>,
    methods_of: FxHashMap<(TypeId, Sym), SmallVec<[MethodId; 2]>>,
    /// Methods that override each method, at any distance.
    pub overriders: FxHashMap<MethodId, Vec<MethodId>>,
    /// Methods that each method overrides.
    pub overridden: FxHashMap<MethodId, Vec<MethodId>>,
    /// Supertypes of each type of the workspace.
    above: Vec<Box<[TypeId]>>,
    /// Library types above each type of the workspace.
    lib_above: Vec<Box<[LibTypeId]>>,
    /// What `lombok.config` calls the loggers of files, where it does.
    log_fields: FxHashMap<FileId, Sym>,
    java_lang: Sym,
    pub(super) init: Sym,
}

/// Annotations by which Lombok makes a logger.
const MAKE_LOGGERS: &[&str] = &["Slf4j", "XSlf4j", "Log", "Log4j", "Log4j2", "CommonsLog", "Flogger", "JBossLog", "CustomLog"];

impl Symbols {
    /// Whether a method has the name of constructors, as parts of a class that run with them do.
    pub(super) fn is_named_init(&self, method: MethodId) -> bool {
        self.methods[method as usize].name == self.init
    }

    /// The type parameters of a method, with their bounds.
    pub fn type_parameters(&self, method: MethodId) -> &[(Sym, Option<Ty>)] {
        self.generics.get(&method).map_or(&[], |it| it)
    }

    /// A library type.
    pub fn lib(&self, id: TypeId) -> Option<LibTypeId> {
        (id.0 < self.n_lib).then_some(id.0)
    }

    /// A type of the workspace.
    pub fn own(&self, id: TypeId) -> Option<&TypeInfo> {
        self.types.get(id.0.wrapping_sub(self.n_lib) as usize)
    }

    /// Whether a type is declared in the workspace.
    pub fn is_own(&self, id: TypeId) -> bool {
        self.own(id).is_some()
    }

    /// The qualified source name of a type; empty if it is not known.
    pub fn type_name(&self, id: TypeId) -> &str {
        if let Some(lib) = self.lib(id) {
            return catalogue().library.types[lib as usize].name.as_str();
        }
        if let Some(own) = self.own(id) {
            return &own.name;
        }
        self.externals.get((id.0.wrapping_sub(self.n_lib) as usize).wrapping_sub(self.types.len())).map_or("", |it| it.as_str())
    }

    /// The kind of a type; classes are the best guess for what is not known.
    pub fn type_kind(&self, id: TypeId) -> TypeKind {
        if let Some(lib) = self.lib(id) {
            return catalogue().library.types[lib as usize].kind;
        }
        self.own(id).map_or(TypeKind::Class, |it| it.head.get().kind)
    }

    /// The file of a unit's methods and fields.
    pub fn file_of_unit(&self, unit: UnitId) -> FileId {
        self.units[unit as usize].file
    }

    /// Facts of a member.
    pub fn member<'a>(&self, files: &'a [Arc<SourceFile>], unit: UnitId) -> &'a crate::facts::Member {
        let unit = &self.units[unit as usize];
        &files[unit.file as usize].facts.types[unit.ty as usize].members[unit.member as usize]
    }

    /// Facts of a method, and where its positions count from in its file.
    pub fn method<'a>(&self, files: &'a [Arc<SourceFile>], id: MethodId) -> (&'a MethodFacts, u32) {
        let info = &self.methods[id as usize];
        let member = self.member(files, info.unit);
        let facts = &member.facts.methods[info.index as usize];
        (facts, member.start + facts.offset)
    }

    /// Facts of a field, and where its positions count from in its file.
    pub fn field<'a>(&self, files: &'a [Arc<SourceFile>], id: FieldId) -> (&'a FieldFacts, u32) {
        let info = &self.fields[id as usize];
        let member = self.member(files, info.unit);
        (&member.facts.fields[info.index as usize], member.start)
    }

    /// Whether a name that nothing declares is the logger that Lombok makes for a class or one around it, by the name
    /// that `lombok.config` gives it.
    pub fn is_made_logger(&self, scope: Scope, name: Sym) -> bool {
        if self.log_fields.is_empty() || self.log_fields.get(&scope.file) != Some(&name) {
            return false;
        }
        let mut class = scope.class;
        while let Some(info) = self.own(class) {
            if info.head.get().annotations.iter().any(|it| MAKE_LOGGERS.contains(&it.name.as_str())) {
                return true;
            }
            class = info.outer;
        }
        false
    }

    /// The methods of a file.
    pub fn methods_of_file(&self, file: FileId) -> std::ops::Range<MethodId> {
        let bound = |it: usize| {
            self.first_unit
                .get(it)
                .map_or(self.methods.len() as u32, |&unit| self.units.get(unit as usize).map_or(self.methods.len() as u32, |it| it.first_method))
        };
        bound(file as usize)..bound(file as usize + 1)
    }

    /// The fields of a file.
    pub fn fields_of_file(&self, file: FileId) -> std::ops::Range<FieldId> {
        let bound = |it: usize| {
            self.first_unit
                .get(it)
                .map_or(self.fields.len() as u32, |&unit| self.units.get(unit as usize).map_or(self.fields.len() as u32, |it| it.first_field))
        };
        bound(file as usize)..bound(file as usize + 1)
    }
}

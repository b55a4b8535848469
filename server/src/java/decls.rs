//! What a file declares: package, imports, types and their members.
//!
//! Members are listed without being read: a member is the unit that is compiled again when its text changes.
//! The walk over declarations is a loop with a list of open bodies, and enters no method body.

mod list;
mod member;
mod parts;

pub(super) use list::children;
pub use list::list;
pub(crate) use list::nested_types;
pub use member::{MemberBody, annotated_parameter, field_heads, is_empty_array, read_member};

use super::annotations::Annotation;
use crate::intern::{Sym, Ty};
use tree_sitter::Node;

/// Modifiers, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Flags(pub u16);

#[allow(missing_docs)]
impl Flags {
    pub const PUBLIC: Flags = Flags(1);
    pub const PROTECTED: Flags = Flags(2);
    pub const PRIVATE: Flags = Flags(4);
    pub const STATIC: Flags = Flags(8);
    pub const FINAL: Flags = Flags(16);
    pub const ABSTRACT: Flags = Flags(32);
    pub const DEFAULT: Flags = Flags(64);
    pub const VOLATILE: Flags = Flags(128);
    pub const VARARGS: Flags = Flags(256);
    pub const OVERRIDE: Flags = Flags(512);
    pub const NATIVE: Flags = Flags(1024);
    /// No modifier: a query of the project says that the class is one of beans.
    pub const MARKED_BEAN: Flags = Flags(2048);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub fn add(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// What kind of type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TypeKind {
    /// A class.
    Class,
    /// An interface.
    Interface,
    /// An enum.
    Enum,
    /// A record.
    Record,
    /// An annotation type.
    Annotation,
    /// The class body of a `new` or of an enum constant.
    Anonymous,
}

/// What kind of member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MemberKind {
    /// A method.
    Method,
    /// A constructor.
    Constructor,
    /// A record's compact constructor.
    CompactConstructor,
    /// A static initialiser block.
    StaticInit,
    /// An instance initialiser block.
    InstanceInit,
    /// A field declaration, with all its declarators.
    Field,
    /// An enum constant.
    EnumConstant,
    /// A component of a record, or a field that a tool makes a getter for: a field and its accessor.
    Component,
    /// Anything else that a tool makes, and that is no getter: a setter, a part of a builder.
    Made,
}

/// A range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Range {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Range {
    fn of(node: Node<'_>) -> Range {
        Range { start: node.start_byte() as u32, end: node.end_byte() as u32 }
    }

    /// The same range, counted from `base`.
    pub fn relative(self, base: u32) -> Range {
        Range { start: self.start.saturating_sub(base), end: self.end.saturating_sub(base) }
    }

    /// The same range, moved by `base`.
    pub fn absolute(self, base: u32) -> Range {
        Range { start: self.start + base, end: self.end + base }
    }
}

/// An import.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Import {
    /// The dotted name, without `.*`.
    pub name: Sym,
    /// `import static`.
    pub is_static: bool,
    /// `.*`
    pub on_demand: bool,
    /// `import module`.
    pub module: bool,
}

/// The head of a type: everything but its members.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct TypeHead {
    /// The simple name; empty for anonymous classes.
    pub name: Sym,
    /// Its kind.
    pub kind: TypeKind,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Type parameters with their first bounds.
    pub type_params: Vec<(Sym, Option<Ty>)>,
    /// The superclass and the interfaces, in source order; for an anonymous class the type it is made of.
    pub supers: Vec<Ty>,
    /// Whether the first of them is a class, or may be one.
    pub extends: bool,
    /// A record's components.
    pub components: Vec<(Sym, Ty)>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Param {
    /// Its name.
    pub name: Sym,
    /// Its type.
    pub ty: Ty,
}

/// The head of a method, constructor or initialiser.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MethodHead {
    /// Its name: `<init>` for constructors and instance initialisers, `<clinit>` for static ones.
    pub name: Sym,
    /// What it comes from.
    pub kind: MemberKind,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Type parameters with their first bounds.
    pub type_params: Vec<(Sym, Option<Ty>)>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Annotations of parameters of which arguments are kept, with the number of the parameter.
    pub param_annotations: Box<[(u8, Annotation)]>,
    /// Its result; `None` for `void` and constructors.
    pub returns: Option<Ty>,
    /// Whether it has a body.
    pub has_body: bool,
    /// For an accessor that nobody wrote: what it is for.
    pub accessor: Option<Accessor>,
}

/// What a tool makes for a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Accessor {
    /// The field.
    pub field: Sym,
    /// What of it.
    pub kind: AccessorKind,
}

/// See [`Accessor`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum AccessorKind {
    Getter,
    Setter,
    /// Makes a copy with another value.
    With,
    BuilderSetter,
    /// Adds one element to a field of a builder.
    BuilderAdder,
}

/// A declared field.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FieldHead {
    /// Its name.
    pub name: Sym,
    /// Its type.
    pub ty: Ty,
    /// Its modifiers.
    pub flags: Flags,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Whether it has an initialiser.
    pub has_init: bool,
    /// Whether that makes an array without elements.
    pub init_empty: bool,
    /// Its initialiser is `new` of this type; with `true` of an anonymous class below it, the first one of the member.
    pub made: Option<(Ty, bool)>,
    /// Whether it is an enum constant.
    pub enum_constant: bool,
}

/// A member that was found, to be read when needed.
pub struct MemberNode<'t> {
    /// Its kind.
    pub kind: MemberKind,
    /// Its node.
    pub node: Node<'t>,
    /// Whether its text has syntax errors.
    pub broken: bool,
}

/// A type with its members.
pub struct TypeNode<'t> {
    /// Its head.
    pub head: TypeHead,
    /// The type it is nested in, as an index into the same list.
    pub outer: Option<usize>,
    /// The range of its name.
    pub name: Range,
    /// Its whole range.
    pub range: Range,
    /// Its members in source order.
    pub members: Vec<MemberNode<'t>>,
}

/// What a whole file declares.
pub struct FileNode<'t> {
    /// Its package; empty for the unnamed one.
    pub package: Sym,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Its types, outer ones before those nested in them.
    pub types: Vec<TypeNode<'t>>,
    /// Syntax errors: places where the grammar gave up or missed something.
    pub errors: u32,
    /// Where the first of them is.
    pub first_error: Option<Range>,
}

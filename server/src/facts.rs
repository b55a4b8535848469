//! The facts of one file: what it declares, and what flows where inside each method.
//!
//! Facts are a pure function of the text, the catalogue and the queries. A member of a class is the unit that is
//! compiled; its facts are shared (`Arc`) between the versions of a file in which its text is the same, so positions
//! inside a member count from its start.

mod compile;
pub mod flow;
pub mod generated;
pub mod graph;
mod retain;

pub use compile::{Compiled, compile};
pub use retain::{Edit, retain};

use crate::intern::{Sym, Ty};
use crate::java::decls::{FieldHead, Import, MethodHead, Range, TypeHead};
use crate::java::patterns::Suppression;
use graph::Graph;
use std::sync::Arc;

/// The class that a member belongs to itself, where an index into its nested types could stand.
pub const OWN_CLASS: u16 = u16::MAX;

/// What a file declares and does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFacts {
    /// Its package; empty for the unnamed one.
    pub package: Sym,
    /// Its imports.
    pub imports: Arc<[Import]>,
    /// Its types, outer ones before those nested in them.
    pub types: Vec<TypeFacts>,
    /// What is asked to be left out of reports.
    pub suppressions: Vec<Suppression>,
    /// Syntax errors.
    pub errors: u32,
    /// Where the first one is.
    pub first_error: Option<Range>,
    /// Files with queries of the project that took too many steps here, by name.
    pub given_up: Vec<String>,
}

impl FileFacts {
    /// Facts of a file that says nothing.
    pub fn empty() -> FileFacts {
        FileFacts {
            package: Sym::new(""),
            imports: Arc::new([]),
            types: Vec::new(),
            suppressions: Vec::new(),
            errors: 0,
            first_error: None,
            given_up: Vec::new(),
        }
    }
}

/// A type of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFacts {
    /// Its head.
    pub head: Arc<TypeHead>,
    /// The type it is nested in, as an index into the file's types.
    pub outer: Option<u32>,
    /// Its name, in the file.
    pub name: Range,
    /// The whole declaration, in the file.
    pub range: Range,
    /// Its members in source order.
    pub members: Vec<Member>,
}

/// A member at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where it starts in the file.
    pub start: u32,
    /// Its length in bytes.
    pub len: u32,
    /// Its text has syntax errors, or its facts are those of a text that it had before.
    pub broken: bool,
    /// What it declares and does.
    pub facts: Arc<MemberFacts>,
}

/// What one member declares and does, with everything nested in it.
#[derive(PartialEq, Eq, Debug)]
pub struct MemberFacts {
    /// Hash of its text and of what it takes from its class; 0 if it was not asked for.
    pub hash: u64,
    /// Fields of the class and of nested types.
    pub fields: Vec<FieldFacts>,
    /// Methods: the member itself first, then those of nested types.
    pub methods: Vec<MethodFacts>,
    /// Local and anonymous classes, and the types declared in them.
    pub types: Vec<NestedType>,
}

/// A field.
#[derive(PartialEq, Eq, Debug)]
pub struct FieldFacts {
    /// Its head.
    pub head: FieldHead,
    /// The nested type it belongs to, or [`OWN_CLASS`].
    pub owner: u16,
    /// Its name, from the start of the member.
    pub name: Range,
    /// Not written in the source: a local that the nested type captures.
    pub captured: bool,
}

/// A method, constructor, initialiser or accessor.
#[derive(PartialEq, Eq, Debug)]
pub struct MethodFacts {
    /// Its head.
    pub head: MethodHead,
    /// The nested type it belongs to, or [`OWN_CLASS`].
    pub owner: u16,
    /// Where it starts, from the start of the member: the positions of its graph count from here.
    pub offset: u32,
    /// Its length in bytes.
    pub len: u32,
    /// Its name, from its own start.
    pub name: Range,
    /// Who calls it, as the queries tell.
    pub role: Role,
    /// What flows where.
    pub graph: Graph,
}

/// Who calls a method besides the workspace, and what else queries say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Role {
    /// A framework, while the service runs.
    pub entry: bool,
    /// A framework, before the first request.
    pub start_up: bool,
    /// A container, to inject something.
    pub injected: bool,
    /// It is a mocking point whatever it does, as a query of the project says.
    pub mock: bool,
}

/// A type declared inside a member.
#[derive(PartialEq, Eq, Debug)]
pub struct NestedType {
    /// Its head.
    pub head: TypeHead,
    /// The method it is declared in, as an index into the member's methods.
    pub method: u16,
    /// The nested type it is declared in, if it is a member of one.
    pub outer: Option<u16>,
    /// The number that graphs use for it; `None` for members of nested types.
    pub number: Option<u16>,
    /// Its name, from the start of the member.
    pub name: Range,
    /// The whole declaration, from the start of the member.
    pub range: Range,
}

impl MemberFacts {
    /// The nested type that graphs call `number`.
    pub fn nested(&self, number: u16) -> Option<u16> {
        self.types.iter().position(|it| it.number == Some(number)).map(|it| it as u16)
    }
}

/// The declared type of a local that has none: whatever its value is.
pub(crate) fn unknown_type() -> Ty {
    Ty::simple("")
}

//! Types as generated tests name them, and what must be known of them.

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its package; empty for primitive types and for what lies in the unnamed one.
    pub package: String,
    /// Its name in the package: `Map.Entry`, `int`, `void`.
    pub name: String,
    /// Its type arguments, as far as they are known.
    pub args: Vec<Type>,
    /// Array dimensions.
    pub dims: u8,
    /// What it is.
    pub kind: Kind,
    /// Whether it takes type arguments.
    pub is_generic: bool,
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Primitive,
    Class,
    Interface,
    Enum,
    Record,
    /// Of a library that is not in the tables.
    External,
}

impl Type {
    /// A primitive type or `void`.
    pub fn primitive(name: &str) -> Type {
        Type { package: String::new(), name: name.to_owned(), args: Vec::new(), dims: 0, kind: Kind::Primitive, is_generic: false }
    }

    /// `pkg.Outer.Inner`, without arguments and dimensions.
    pub fn qualified(&self) -> String {
        if self.package.is_empty() { self.name.clone() } else { format!("{}.{}", self.package, self.name) }
    }

    /// Whether it is this type.
    pub fn is(&self, qualified: &str) -> bool {
        self.dims == 0 && qualified.strip_suffix(&self.name).is_some_and(|it| it.strip_suffix('.').unwrap_or("x") == self.package)
    }

    /// Whether it is a primitive type, `void` left out.
    pub fn is_primitive(&self) -> bool {
        self.dims == 0 && self.kind == Kind::Primitive && self.name != "void"
    }

    /// Whether it stands for no value.
    pub fn is_void(&self) -> bool {
        self.kind == Kind::Primitive && self.name == "void"
    }

    /// Whether its arguments can be written in a declaration: nothing generic is among them, whose own arguments or
    /// wildcards might be lost.
    pub fn is_whole(&self) -> bool {
        // `Class<Object>` is not what a method wants that takes classes of something.
        !self.is_generic
            || (!self.is("java.lang.Class") && !self.args.is_empty() && self.args.iter().all(|it| !it.is_generic && it.args.is_empty() && !it.is_void()))
    }
}

/// A method as it is called on an object of some type.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its parameters.
    pub params: Vec<Type>,
    /// What it gives.
    pub returns: Type,
    /// `static`.
    pub is_static: bool,
    /// The last parameter takes any number of arguments.
    pub varargs: bool,
    /// It does nothing but to read or set fields.
    pub is_quiet: bool,
    /// Its result is state: a mocking point.
    pub is_state: bool,
}

/// How objects of a class come to be.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The components of a record whose constructor does nothing but to take them.
    pub components: Option<Vec<(String, Type)>>,
    /// It has a constructor without parameters that does nothing which might fail.
    pub has_plain_constructor: bool,
    /// Its objects are there to hold values: those that a container makes are not.
    pub holds_values: bool,
    /// The first constant of an enum.
    pub first_constant: Option<String>,
    /// Mockito cannot make a class below it.
    pub is_sealed: bool,
}

/// What the tables tell about types.
pub trait World {
    /// Whether a test in the package may name a type.
    fn is_visible(&self, ty: &Type) -> bool;
    /// How objects of a type come to be.
    fn shape(&self, ty: &Type) -> Shape;
    /// The methods of this name and number of parameters, overridden ones left out. Empty if that is not known.
    fn methods(&self, owner: &Type, name: &str, n: usize) -> Vec<Signature>;
    /// The type that a name means in the source.
    fn named(&self, written: &str) -> Option<Type>;
    /// Whether the package of the test has a type of this simple name.
    fn in_package(&self, simple: &str) -> bool;
}

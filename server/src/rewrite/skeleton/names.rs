//! The names that a test file uses: imports, locals, and what is taken already.

use super::types::{Kind, Type, World};
use std::collections::{BTreeMap, BTreeSet};

/// The names of one test file.
#[derive(Clone)]
pub struct Names<'a> {
    pub world: &'a dyn World,
    /// The package of the file.
    pub package: String,
    /// What simple names of types mean.
    types: BTreeMap<String, String>,
    /// Types to import.
    pub imports: BTreeSet<String>,
    /// Static members to import: `org.mockito.Mockito.mock`.
    pub statics: BTreeSet<String>,
    /// Names that mean something else in the file: static imports of those are not possible.
    pub taken: BTreeSet<String>,
    locals: BTreeSet<String>,
}

const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
    "_",
    "actual",
    "notPrepared",
];

impl<'a> Names<'a> {
    /// For a file in a package; `types` are those that its simple names mean already.
    pub fn new(world: &'a dyn World, package: &str, types: BTreeMap<String, String>) -> Names<'a> {
        Names {
            world,
            package: package.to_owned(),
            types,
            imports: BTreeSet::new(),
            statics: BTreeSet::new(),
            taken: BTreeSet::new(),
            locals: KEYWORDS.iter().map(|it| (*it).to_owned()).collect(),
        }
    }

    /// Takes a simple name for a type of the package of the file.
    pub fn reserve(&mut self, simple: &str) {
        let qualified = if self.package.is_empty() { simple.to_owned() } else { format!("{}.{simple}", self.package) };
        self.types.insert(simple.to_owned(), qualified);
    }

    /// A name for a local that no other one has.
    pub fn local(&mut self, hint: &str) -> String {
        let mut name = hint.to_owned();
        let mut n = 1;
        while !self.locals.insert(name.clone()) {
            n += 1;
            name = format!("{hint}{n}");
        }
        name
    }

    /// How a type is written where a class is meant: without its arguments.
    pub fn class(&mut self, ty: &Type) -> Option<String> {
        if ty.kind == Kind::Primitive {
            return (!ty.is_void()).then(|| format!("{}{}", ty.name, "[]".repeat(usize::from(ty.dims))));
        }
        let name = self.in_package(&ty.package, &ty.name);
        Some(format!("{name}{}", "[]".repeat(usize::from(ty.dims))))
    }

    /// How a type is written in a declaration.
    pub fn declared(&mut self, ty: &Type) -> Option<String> {
        let bare = Type { dims: 0, ..ty.clone() };
        let class = self.class(&bare)?;
        let is_visible = ty.args.iter().all(|it| self.world.is_visible(it) && it.kind != Kind::Primitive || it.dims > 0);
        let args = if ty.is_whole() && !ty.args.is_empty() && is_visible {
            let args: Option<Vec<String>> = ty.args.iter().map(|it| self.declared(it)).collect();
            format!("<{}>", args?.join(", "))
        } else {
            String::new()
        };
        Some(format!("{class}{args}{}", "[]".repeat(usize::from(ty.dims))))
    }

    /// How a type of the JDK, or of Mockito or JUnit, is written.
    pub fn qualified(&mut self, qualified: &str) -> String {
        let (package, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
        self.in_package(package, name)
    }

    fn in_package(&mut self, package: &str, name: &str) -> String {
        let outer = name.split('.').next().unwrap_or(name);
        let qualified = if package.is_empty() { outer.to_owned() } else { format!("{package}.{outer}") };
        if self.types.get(outer) == Some(&qualified) {
            return name.to_owned();
        }
        let is_here = package == self.package;
        // A type of the package goes before those of java.lang.
        if self.types.contains_key(outer) || (!is_here && package == "java.lang" && self.world.in_package(outer)) {
            return if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        }
        if !is_here && package != "java.lang" {
            self.imports.insert(qualified.clone());
        }
        self.types.insert(outer.to_owned(), qualified);
        name.to_owned()
    }

    /// A static method of Mockito.
    pub fn of_mockito(&mut self, name: &str) -> String {
        self.of("org.mockito.Mockito", name)
    }

    /// A matcher of Mockito.
    pub fn matcher(&mut self, name: &str) -> String {
        self.of("org.mockito.ArgumentMatchers", name)
    }

    /// An assertion of JUnit.
    pub fn assertion(&mut self, name: &str) -> String {
        self.of("org.junit.jupiter.api.Assertions", name)
    }

    /// A static member, imported where its name is free.
    pub fn of(&mut self, class: &str, name: &str) -> String {
        let qualified = format!("{class}.{name}");
        if self.statics.contains(&qualified) {
            return name.to_owned();
        }
        if self.taken.contains(name) {
            let class = self.qualified(class);
            return format!("{class}.{name}");
        }
        self.statics.insert(qualified);
        name.to_owned()
    }
}

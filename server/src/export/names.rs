//! Names as the virtual machine has them: binary names of classes, erased types of parameters.

use crate::intern::{Sym, Ty};
use crate::java::decls::MethodHead;
use crate::link::symbols::{MethodId, Scope, Symbols, TypeId, UNKNOWN};
use crate::link::types::Types;

/// A type of a parameter or result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erased {
    /// The type, [`UNKNOWN`] for primitives and where it is not known.
    pub id: TypeId,
    /// Its name as `Class.getTypeName` spells it: `int`, `java.util.Map$Entry[]`.
    pub text: String,
    /// Dimensions of an array.
    pub dims: u8,
    /// Whether the name is whole: of a type that neither the sources nor an import name, the package is missing.
    pub known: bool,
    /// Type arguments, erased as well.
    pub arguments: Vec<Erased>,
}

impl Erased {
    /// The same with the dots of the source: `java.util.Map.Entry[]`.
    pub fn source(&self) -> String {
        self.text.replace('$', ".")
    }
}

/// Types of type arguments of type arguments are told down to this depth; exports look at the first level.
pub const MAX_DEPTH: u32 = 2;

/// What is left at run time of a type that a method declares.
pub fn erased(symbols: &Symbols, method: MethodId, head: &MethodHead, ty: Ty) -> Erased {
    let info = &symbols.methods[method as usize];
    let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(method) };
    read(symbols, &Types::new(symbols, scope, Some(head)), scope, ty, 0)
}

fn read(symbols: &Symbols, types: &Types<'_>, scope: Scope, ty: Ty, depth: u32) -> Erased {
    let data = ty.data();
    let value = types.here(ty);
    let arguments = if depth < MAX_DEPTH { data.args.iter().map(|&it| read(symbols, types, scope, it, depth + 1)).collect() } else { Vec::new() };
    if value.id != UNKNOWN {
        let text = format!("{}{}", binary(symbols, value.id), "[]".repeat(value.dims as usize));
        return Erased { id: value.id, text, dims: value.dims, known: true, arguments };
    }
    let written = data.name.as_str();
    let (name, known) = match types.variable(scope, data.name) {
        // Without a bound, or with one that nobody knows.
        Some(bound) => ("java.lang.Object".to_owned(), bound.is_none()),
        None if is_primitive(written) => (written.to_owned(), true),
        None => (nested(written), written.contains('.')),
    };
    Erased { id: UNKNOWN, text: format!("{name}{}", "[]".repeat(data.dims as usize)), dims: data.dims, known, arguments }
}

/// Whether a name is that of a primitive type.
pub fn is_primitive(name: &str) -> bool {
    matches!(name, "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short" | "void")
}

/// The binary name of a type.
pub fn binary(symbols: &Symbols, id: TypeId) -> String {
    match symbols.own(id) {
        Some(own) => own.binary.clone(),
        None => nested(symbols.type_name(id)),
    }
}

/// The binary name of a type of which only the source name is known. Where the package ends the tables tell, and else
/// the first capital letter: packages have none.
pub fn nested(source: &str) -> String {
    let library = &crate::catalogue::catalogue().library;
    let mut res = String::with_capacity(source.len());
    let mut is_type = false;
    for (at, part) in source.match_indices('.').map(|it| it.0).chain([source.len()]).zip(source.split('.')) {
        if !res.is_empty() {
            res.push(if is_type { '$' } else { '.' });
        }
        res.push_str(part);
        is_type |= part.starts_with(char::is_uppercase) || Sym::find(&source[..at]).is_some_and(|it| library.find(it).is_some());
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_types_have_a_dollar() {
        for (source, expected) in [
            ("java.util.Map", "java.util.Map"),
            ("java.util.Map.Entry", "java.util.Map$Entry"),
            ("a.b.Outer.Inner.Deep", "a.b.Outer$Inner$Deep"),
            ("Outer.Inner", "Outer$Inner"),
            ("a.b.c", "a.b.c"),
            ("", ""),
        ] {
            assert_eq!(nested(source), expected);
        }
    }
}

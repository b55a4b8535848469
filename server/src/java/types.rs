//! Written types: from the text of a type node to an interned [`Ty`].
//!
//! The text is read by hand and without recursion into the tree: types are short, repeat all the time, and a cache
//! from text to type answers most of them with one look-up.

use crate::intern::{Sym, Ty};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::LazyLock;

/// Deeper nesting of type arguments than any program has is read as a raw type.
const MAX_DEPTH: u32 = 32;
/// The cache of one worker is dropped at this size, so that a hostile tree cannot grow it without bound.
const MAX_CACHE: usize = 100_000;

thread_local! {
    static SEEN: RefCell<FxHashMap<Box<str>, Ty>> = RefCell::default();
}

/// The type that `text` writes, in Java or in the tables of the catalogue (`#0`). Annotations, comments and white space are passed over; wildcards become their bound.
pub fn parse_type(text: &str) -> Ty {
    SEEN.with_borrow_mut(|seen| {
        if let Some(&ty) = seen.get(text) {
            return ty;
        }
        let ty = Reader { rest: text }.ty(0);
        if seen.len() > MAX_CACHE {
            seen.clear();
        }
        seen.insert(text.into(), ty);
        ty
    })
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn ty(&mut self, depth: u32) -> Ty {
        self.space();
        if self.eat("?") {
            self.space();
            if self.word("extends") || self.word("super") {
                return self.ty(depth);
            }
            return Ty::simple("java.lang.Object");
        }
        let mut name = String::new();
        let mut args: Vec<Ty> = Vec::new();
        loop {
            self.space();
            let ident = self.ident();
            if ident.is_empty() {
                break;
            }
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(ident);
            self.space();
            if self.eat("<") {
                args.clear();
                self.args(&mut args, depth + 1);
                self.space();
            }
            if self.rest.starts_with("...") || !self.eat(".") {
                break;
            }
        }
        let mut dims = 0u8;
        loop {
            self.space();
            if self.eat("[") {
                self.space();
                self.eat("]");
                dims = dims.saturating_add(1);
            } else if self.eat("...") {
                dims = dims.saturating_add(1);
            } else {
                break;
            }
        }
        Ty::new(Sym::new(&name), &args, dims)
    }

    fn args(&mut self, args: &mut Vec<Ty>, depth: u32) {
        if depth > MAX_DEPTH {
            self.rest = "";
            return;
        }
        loop {
            self.space();
            if self.eat(">") || self.rest.is_empty() {
                return;
            }
            let before = self.rest.len();
            args.push(self.ty(depth));
            self.space();
            // An intersection is read as its first type.
            while self.eat("&") {
                self.ty(depth);
                self.space();
            }
            self.eat(",");
            if self.rest.len() == before {
                return;
            }
        }
    }

    fn ident(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '#')).unwrap_or(self.rest.len());
        let (ident, rest) = self.rest.split_at(end);
        self.rest = rest;
        ident
    }

    fn eat(&mut self, what: &str) -> bool {
        match self.rest.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, what: &str) -> bool {
        let ends = self.rest.strip_prefix(what).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        ends && self.eat(what)
    }

    /// Passes over white space, comments and annotations.
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("/*") {
                self.rest = self.rest.split_once("*/").map_or("", |(_, rest)| rest);
            } else if self.rest.starts_with("//") {
                self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
            } else if self.rest.starts_with('@') {
                self.rest = &self.rest[1..];
                self.annotation();
            } else {
                return;
            }
        }
    }

    fn annotation(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            self.ident();
            if !self.eat(".") {
                break;
            }
        }
        if !self.rest.trim_start().starts_with('(') {
            return;
        }
        let (mut open, mut quote) = (0u32, None);
        let mut end = self.rest.len();
        let mut escaped = false;
        for (at, c) in self.rest.char_indices() {
            match (quote, c) {
                _ if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(q), c) if c == q => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '(') => open += 1,
                (None, ')') => {
                    open -= 1;
                    if open == 0 {
                        end = at + 1;
                        break;
                    }
                }
                _ => {}
            }
        }
        self.rest = &self.rest[end..];
    }
}

/// The type of a literal that names the algorithm whose random numbers follow from a seed alone. Of no other text is it known later
/// what it says: here that decides what the generator gives.
pub(crate) static SEEDED_ALGORITHM: LazyLock<Ty> = LazyLock::new(|| Ty::new(Sym::new("java.lang.String"), &[Ty::simple("SHA1PRNG")], 0));

/// Whether objects of a type never change and share nothing with others: numbers and texts, by their usual names.
pub(crate) fn is_value(ty: Ty) -> bool {
    let data = ty.data();
    data.dims == 0
        && matches!(
            data.name.as_str(),
            "int"
                | "long"
                | "boolean"
                | "double"
                | "float"
                | "char"
                | "byte"
                | "short"
                | "String"
                | "java.lang.String"
                | "Integer"
                | "Long"
                | "Boolean"
                | "Double"
                | "Float"
                | "Character"
                | "Byte"
                | "Short"
        )
}

#[cfg(test)]
mod tests {
    use super::parse_type;

    #[test]
    fn reads_what_java_writes() {
        for (text, expected) in [
            ("int", "int"),
            ("Map . Entry", "Map.Entry"),
            ("Map<String, List<? extends Foo>>", "Map<String,List<Foo>>"),
            ("java.util.@Nullable List<?>[]", "java.util.List<java.lang.Object>[]"),
            ("@A(\"x)\") Foo[] []", "Foo[][]"),
            ("Outer<X>.Inner<Y>", "Outer.Inner<Y>"),
            ("String...", "String[]"),
            ("List</* c */ ? super Foo>", "List<Foo>"),
            ("superb", "superb"),
            ("Map<?, 订单>", "Map<java.lang.Object,订单>"),
            ("", ""),
            ("<<<", ""),
        ] {
            assert_eq!(parse_type(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        assert_eq!(parse_type(&"A<".repeat(100_000)).name().as_str(), "A");
    }
}

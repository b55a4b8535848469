//! Library types: their supertypes and, where a table has them, the signatures of their members.
//!
//! Types are read at once, members when somebody asks for them: most of the tables is about types that a workspace does
//! not use.

use super::cells;
use crate::intern::{Sym, Ty};
use crate::java::decls::TypeKind;
use crate::java::types::parse_type;
use memchr::memmem;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::OnceLock;

/// A library type, as an index.
pub type LibTypeId = u32;

/// A library type.
#[derive(Debug)]
pub struct LibType {
    /// Its qualified source name.
    pub name: Sym,
    /// Its kind.
    pub kind: TypeKind,
    /// Whether it is final.
    pub is_final: bool,
    /// Supertypes as written, arguments in terms of `$i`.
    pub supers: Vec<Ty>,
    /// The same, resolved, in the same order.
    pub super_ids: Vec<LibTypeId>,
    /// Whether all its members are listed, and those of its supertypes. Of other types the name is known, and perhaps some
    /// of the members, then with all overloads.
    pub listed: bool,
    /// Whether the rules say all that its members do: what has no row has no effect.
    pub ruled: bool,
    /// Whether it takes type arguments.
    pub is_generic: bool,
    /// What its type parameters must be, one after each `;`. Empty if they may be anything.
    bounds: &'static str,
    /// The lines about its members.
    lines: Vec<&'static str>,
    members: OnceLock<Members>,
}

/// The members of a type.
#[derive(Debug, Default)]
struct Members {
    methods: FxHashMap<Sym, Vec<LibMethod>>,
    fields: FxHashMap<Sym, Ty>,
}

/// A library method or constructor.
#[derive(Debug)]
pub struct LibMethod {
    /// The type that declares it.
    pub owner: LibTypeId,
    /// Erased parameter types as in the tables: `(java.lang.String,int)`.
    pub text: &'static str,
    /// The same, split: names and array dimensions.
    pub params: Vec<(Sym, u8)>,
    /// The result: `$i` is the owner's type parameter, `#i` is the type of argument i, `#i.k` the type argument k of that.
    pub returns: Ty,
    /// Whether the result has a type parameter of the owner in it.
    pub of_receiver: bool,
    /// `static`.
    pub is_static: bool,
    /// The last parameter takes any number of arguments.
    pub varargs: bool,
    /// It has no body.
    pub is_abstract: bool,
    /// It throws checked exceptions. Only the tables of the JDK say so.
    throws: bool,
}

/// What the function gets and gives that an interface stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// How many arguments it gets.
    pub arity: usize,
    /// It gives nothing.
    pub is_void: bool,
}

/// All library types.
#[derive(Default)]
pub struct Library {
    /// The types; ids are indices.
    pub types: Vec<LibType>,
    by_name: FxHashMap<Sym, LibTypeId>,
    by_package: FxHashMap<(Sym, Sym), LibTypeId>,
    /// Types by their simple names, each with the package or type around it.
    by_simple: FxHashMap<Sym, SmallVec<[(Sym, LibTypeId); 1]>>,
    /// What was declared last: rows about a type stand together.
    last: Option<(&'static str, LibTypeId)>,
    /// Of each type, itself and all its supertypes.
    ancestors: Vec<Box<[LibTypeId]>>,
    /// `java.lang.Object`, if a table has it.
    object: Option<LibTypeId>,
    /// Types before this one are the JDK's.
    n_jdk: LibTypeId,
    /// How often the function that a method of this name takes at this place gets arguments, and how often none.
    takers: OnceLock<FxHashMap<(Sym, usize), (u32, u32)>>,
}

impl Library {
    /// Reads a table of signatures; `ruled` says whether the rules are complete for its types.
    pub(super) fn read(&mut self, text: &'static str, ruled: bool) {
        // A table has millions of characters, and few of them begin a type.
        let starts: Vec<usize> = memmem::find_iter(text.as_bytes(), "\nT\t").collect();
        self.types.reserve(starts.len());
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        for (start, end) in starts.iter().zip(ends) {
            let block = &text[start + 3..end];
            let (head, lines) = block.split_once('\n').unwrap_or((block, ""));
            let [name, kind, flags, params, supers] = cells(head)[..] else { continue };
            let id = self.declare(name);
            let found = &mut self.types[id as usize];
            found.listed = !flags.contains('o');
            found.ruled |= ruled;
            found.kind = match kind {
                "interface" => TypeKind::Interface,
                "enum" => TypeKind::Enum,
                "record" => TypeKind::Record,
                "annotation" => TypeKind::Annotation,
                _ => TypeKind::Class,
            };
            found.is_final |= flags.contains('f');
            found.is_generic |= !params.starts_with(['0', '-']);
            found.bounds = params.find(';').map_or("", |at| &params[at..]);
            for name in supers.split(';').filter(|it| *it != "-" && !it.is_empty()) {
                let ty = parse_type(name);
                if !found.supers.contains(&ty) {
                    found.supers.push(ty);
                }
            }
            found.lines.push(lines);
        }
    }

    /// The type of this name, known by name alone if nothing else is.
    pub(super) fn declare(&mut self, name: &'static str) -> LibTypeId {
        match self.last {
            Some((last, id)) if last == name => id,
            _ => {
                let id = self.find_or_add(name);
                self.last = Some((name, id));
                id
            }
        }
    }

    fn find_or_add(&mut self, name: &str) -> LibTypeId {
        let sym = Sym::new(name);
        if let Some(&id) = self.by_name.get(&sym) {
            return id;
        }
        let id = self.types.len() as LibTypeId;
        self.types.push(LibType {
            name: sym,
            kind: TypeKind::Class,
            is_final: false,
            supers: Vec::new(),
            super_ids: Vec::new(),
            listed: false,
            ruled: false,
            is_generic: false,
            bounds: "",
            lines: Vec::new(),
            members: OnceLock::new(),
        });
        self.by_name.insert(sym, id);
        if let Some((package, simple)) = name.rsplit_once('.') {
            let (package, simple) = (Sym::new(package), Sym::new(simple));
            self.by_package.insert((package, simple), id);
            self.by_simple.entry(simple).or_default().push((package, id));
        }
        id
    }

    /// The tables of the JDK are read.
    pub(super) fn end_of_jdk(&mut self) {
        self.n_jdk = self.types.len() as LibTypeId;
    }

    /// Whether the JDK has a type: what the paper calls `rt.jar`.
    pub fn is_jdk(&self, id: LibTypeId) -> bool {
        id < self.n_jdk
    }

    /// Resolves supertypes; called once, after all tables.
    pub(super) fn finish(&mut self) {
        for id in 0..self.types.len() {
            let names: Vec<Sym> = self.types[id].supers.iter().map(|it| it.name()).collect();
            self.types[id].super_ids = names.iter().map(|it| self.declare(it.as_str())).collect();
        }
        self.object = self.find(Sym::new("java.lang.Object"));
        self.ancestors = (0..self.types.len() as LibTypeId).map(|id| self.find_ancestors(id)).collect();
    }

    /// The type with this qualified name.
    pub fn find(&self, name: Sym) -> Option<LibTypeId> {
        self.by_name.get(&name).copied()
    }

    /// The type `simple` in `package` (or nested in the type of that name).
    pub fn find_in(&self, package: Sym, simple: Sym) -> Option<LibTypeId> {
        self.by_package.get(&(package, simple)).copied()
    }

    /// The types of this simple name, each with the package or type around it.
    pub fn of_simple(&self, simple: Sym) -> &[(Sym, LibTypeId)] {
        self.by_simple.get(&simple).map_or(&[], |it| it)
    }

    fn members(&self, owner: LibTypeId) -> &Members {
        let found = &self.types[owner as usize];
        found.members.get_or_init(|| Members::read(owner, &found.lines))
    }

    /// Methods declared by a type itself.
    pub fn declared(&self, owner: LibTypeId, name: Sym) -> impl Iterator<Item = &LibMethod> {
        self.members(owner).methods.get(&name).into_iter().flatten()
    }

    /// Whether a method may throw checked exceptions. What methods outside the JDK throw is not known.
    pub fn may_throw(&self, method: &LibMethod) -> bool {
        method.throws || !self.is_jdk(method.owner)
    }

    /// The function that an interface stands for. `None` if it has not exactly one method without a body.
    pub fn function(&self, id: LibTypeId) -> Option<Function> {
        if self.kind(id) != Some(TypeKind::Interface) {
            return None;
        }
        let mut found: Option<(Sym, Function)> = None;
        let all = self.ancestors(id).iter().filter(|&&it| self.kind(it) == Some(TypeKind::Interface)).flat_map(|&it| self.abstract_methods(it));
        for method in all {
            match &found {
                Some((name, function)) if *name != method.0 || function.arity != method.1.arity => return None,
                Some(_) => {}
                None => found = Some(method),
            }
        }
        found.map(|it| it.1)
    }

    /// The method of an interface that stands for a function.
    pub fn function_method(&self, id: LibTypeId) -> Option<&LibMethod> {
        self.function(id)?;
        let declared = |it: &LibTypeId| self.abstract_methods(*it).next().map(|(name, _)| (*it, name));
        let (owner, name) = self.ancestors(id).iter().find_map(declared)?;
        self.declared(owner, name).find(|it| it.is_abstract)
    }

    /// The methods without a body that an interface declares itself, but those that each object has.
    pub fn abstract_methods(&self, id: LibTypeId) -> impl Iterator<Item = (Sym, Function)> {
        let of_objects = |name: Sym| matches!(name.as_str(), "equals" | "hashCode" | "toString");
        let methods = self.members(id).methods.iter().filter(move |it| !of_objects(*it.0)).flat_map(|(&name, all)| all.iter().map(move |it| (name, it)));
        let function = |it: &LibMethod| Function { arity: it.params.len(), is_void: it.returns.name().as_str() == "void" };
        methods.filter(|it| it.1.is_abstract).map(move |(name, method)| (name, function(method)))
    }

    /// Whether the function that a method called `name` takes as its argument number `at` gets arguments, as far as
    /// methods of the JDK go by that name.
    pub fn gives_arguments(&self, name: Sym, at: usize) -> bool {
        let takers = self.takers.get_or_init(|| self.find_takers());
        takers.get(&(name, at)).is_some_and(|it| it.1 < it.0)
    }

    fn find_takers(&self) -> FxHashMap<(Sym, usize), (u32, u32)> {
        const FUNCTIONS: &str = "java.util.function.";
        let mut found: FxHashMap<(Sym, usize), (u32, u32)> = FxHashMap::default();
        let lines = self.types[..self.n_jdk as usize].iter().flat_map(|it| &it.lines).flat_map(|it| it.lines());
        for line in lines.filter(|it| it.contains(FUNCTIONS)) {
            let ["M", name, params, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            for (at, param) in params.trim_matches(['(', ')']).split(',').enumerate().filter(|it| it.1.starts_with(FUNCTIONS)) {
                let arity = Sym::find(param).and_then(|it| self.find(it)).and_then(|it| self.function(it)).map(|it| it.arity);
                let counts = found.entry((Sym::new(name), at)).or_default();
                match arity {
                    Some(0) => counts.1 += 1,
                    Some(_) => counts.0 += 1,
                    None => {}
                }
            }
        }
        found
    }

    /// The type of a field declared by a type itself.
    pub fn field(&self, owner: LibTypeId, name: Sym) -> Option<Ty> {
        self.members(owner).fields.get(&name).copied()
    }

    /// The kind of a type; of one known by name alone it is not known.
    pub fn kind(&self, id: LibTypeId) -> Option<TypeKind> {
        let found = &self.types[id as usize];
        (!found.lines.is_empty()).then_some(found.kind)
    }

    /// What type parameter number `i` of a type must be.
    pub fn bound(&self, id: LibTypeId, i: usize) -> Option<LibTypeId> {
        self.find(Sym::find(self.types[id as usize].bounds.split(';').nth(i + 1)?)?)
    }

    /// The type and all its supertypes, nearest first; `java.lang.Object` last.
    pub fn ancestors(&self, id: LibTypeId) -> &[LibTypeId] {
        &self.ancestors[id as usize]
    }

    /// `java.lang.Object` alone.
    pub fn object(&self) -> &[LibTypeId] {
        self.object.as_slice()
    }

    fn find_ancestors(&self, id: LibTypeId) -> Box<[LibTypeId]> {
        let mut found = vec![id];
        let mut next = 0;
        while next < found.len() {
            for &up in &self.types[found[next] as usize].super_ids {
                if !found.contains(&up) {
                    found.push(up);
                }
            }
            next += 1;
        }
        if let Some(object) = self.object
            && !found.contains(&object)
        {
            found.push(object);
        }
        found.into()
    }

    /// Whether `id` is `up` or below it.
    pub fn is_subtype(&self, id: LibTypeId, up: LibTypeId) -> bool {
        id == up || self.ancestors(id).contains(&up)
    }
}

impl Members {
    fn read(owner: LibTypeId, lines: &[&'static str]) -> Members {
        let mut found = Members::default();
        for line in lines.iter().flat_map(|it| it.lines()) {
            match cells(line)[..] {
                ["M", name, params, returns, flags] => {
                    let inner = params.trim_start_matches('(').trim_end_matches(')');
                    let split = inner.split(',').filter(|it| !it.is_empty()).map(split_dims).collect();
                    found.methods.entry(Sym::new(name)).or_default().push(LibMethod {
                        owner,
                        text: params,
                        params: split,
                        returns: parse_type(returns),
                        of_receiver: returns.contains('$'),
                        is_static: flags.contains('s'),
                        varargs: flags.contains('v'),
                        is_abstract: flags.contains('a'),
                        throws: flags.contains('t'),
                    });
                }
                ["F", name, ty, _flags] => {
                    found.fields.insert(Sym::new(name), parse_type(ty));
                }
                _ => {}
            }
        }
        found
    }
}

/// `java.lang.String[]` without its brackets, and how many there are.
fn split_dims(param: &str) -> (Sym, u8) {
    let base = param.trim_end_matches("[]");
    (Sym::new(base), ((param.len() - base.len()) / 2) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    fn id(name: &str) -> LibTypeId {
        catalogue().library.find(Sym::new(name)).expect("a known type")
    }

    #[test]
    fn members_of_libraries_and_of_the_jdk() {
        let library = &catalogue().library;
        let result = |ty: &str, member: &str| {
            let method = library.declared(id(ty), Sym::new(member)).next().expect("a known member");
            (method.returns.name().as_str(), method.of_receiver)
        };
        assert_eq!(result("java.util.List", "get"), ("$0", true));
        assert_eq!(result("redis.clients.jedis.JedisPool", "getResource"), ("redis.clients.jedis.Jedis", false));
        assert_eq!(result("org.springframework.data.redis.core.RedisOperations", "opsForValue"), ("org.springframework.data.redis.core.ValueOperations", true));
        assert!(library.declared(id("java.util.List"), Sym::new("getResource")).next().is_none());
    }

    #[test]
    fn every_signature_is_understood() {
        for text in [include_str!("../../catalogue/jdk.tsv"), include_str!("../../catalogue/jdk_newer.tsv"), include_str!("../../catalogue/third_party.tsv")] {
            let mut seen = rustc_hash::FxHashSet::default();
            let mut owner = "";
            for row in super::super::rows(text) {
                let key = match row[..] {
                    ["T", name, kind, flags, params, supers] => {
                        assert!(matches!(kind, "class" | "interface" | "enum" | "record" | "annotation"), "{row:?}");
                        assert!(flags.chars().all(|it| "afso-".contains(it)) && !supers.is_empty(), "{row:?}");
                        assert!(params.split(';').next().is_some_and(|it| it.parse::<usize>().is_ok()), "{row:?}");
                        owner = name;
                        (owner, "", "")
                    }
                    ["M", name, params, returns, flags] => {
                        assert!(params.starts_with('(') && params.ends_with(')') && !returns.is_empty(), "{row:?}");
                        assert!(flags.chars().all(|it| "apfstvd-".contains(it)), "{row:?}");
                        (owner, name, params)
                    }
                    ["F", name, ty, _] => {
                        assert!(!ty.is_empty(), "{row:?}");
                        (owner, name, "F")
                    }
                    _ => panic!("{row:?}"),
                };
                assert!(seen.insert(key), "twice: {row:?}");
            }
        }
    }

    #[test]
    fn some_types_are_listed_in_part() {
        let library = &catalogue().library;
        let listed = |name: &str| library.types[id(name) as usize].listed;
        assert!(listed("java.util.List") && listed("org.springframework.jdbc.core.JdbcTemplate"));
        assert!(!listed("redis.clients.jedis.Jedis"));
        // What has no row has no effect in the JDK only.
        assert!(library.types[id("java.util.List") as usize].ruled && !library.types[id("org.springframework.jdbc.core.JdbcTemplate") as usize].ruled);
    }

    #[test]
    fn a_type_parameter_has_a_bound() {
        let library = &catalogue().library;
        let spec = id("org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec");
        assert_eq!(library.bound(spec, 0), Some(spec));
        assert_eq!(library.bound(spec, 1), None);
        assert_eq!(library.bound(id("java.util.List"), 0), None);
    }
}

//! Library types: their supertypes and, for the JDK, the signatures of their members.

use super::rows;
use crate::intern::{Sym, Ty};
use crate::java::decls::TypeKind;
use crate::java::types::parse_type;
use rustc_hash::FxHashMap;

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
    /// The same, resolved.
    pub super_ids: Vec<LibTypeId>,
    /// Whether its members are listed; of other types only the name is known.
    pub listed: bool,
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
    /// The result: `$i` is the owner's type parameter, `#i` comes from argument i.
    pub returns: Ty,
    /// `static`.
    pub is_static: bool,
    /// The last parameter takes any number of arguments.
    pub varargs: bool,
}

/// All library types.
#[derive(Default)]
pub struct Library {
    /// The types; ids are indices.
    pub types: Vec<LibType>,
    by_name: FxHashMap<Sym, LibTypeId>,
    by_package: FxHashMap<(Sym, Sym), LibTypeId>,
    methods: Vec<LibMethod>,
    by_member: FxHashMap<(LibTypeId, Sym), Vec<u32>>,
    fields: FxHashMap<(LibTypeId, Sym), Ty>,
    /// Of each type, itself and all its supertypes.
    ancestors: Vec<Box<[LibTypeId]>>,
    /// `java.lang.Object`, if a table has it.
    object: Option<LibTypeId>,
    /// Types before this one are the JDK's.
    n_jdk: LibTypeId,
}

impl Library {
    /// Reads a table of signatures.
    pub(super) fn read(&mut self, text: &'static str) {
        let mut owner = 0;
        for row in rows(text) {
            match row[..] {
                ["T", name, kind, flags, _params, supers] => {
                    owner = self.declare(name);
                    let found = &mut self.types[owner as usize];
                    found.listed = true;
                    found.kind = match kind {
                        "interface" => TypeKind::Interface,
                        "enum" => TypeKind::Enum,
                        "record" => TypeKind::Record,
                        "annotation" => TypeKind::Annotation,
                        _ => TypeKind::Class,
                    };
                    found.is_final |= flags.contains('f');
                    for name in supers.split(';').filter(|it| *it != "-" && !it.is_empty()) {
                        let ty = parse_type(name);
                        if !found.supers.contains(&ty) {
                            found.supers.push(ty);
                        }
                    }
                }
                ["M", name, params, returns, flags] => {
                    let id = self.methods.len() as u32;
                    let inner = params.trim_start_matches('(').trim_end_matches(')');
                    let split = inner.split(',').filter(|it| !it.is_empty()).map(split_dims).collect();
                    self.methods.push(LibMethod {
                        owner,
                        text: params,
                        params: split,
                        returns: parse_type(returns),
                        is_static: flags.contains('s'),
                        varargs: flags.contains('v'),
                    });
                    self.by_member.entry((owner, Sym::new(name))).or_default().push(id);
                }
                ["F", name, ty, _flags] => {
                    self.fields.insert((owner, Sym::new(name)), parse_type(ty));
                }
                _ => {}
            }
        }
    }

    /// The type of this name, known by name alone if nothing else is.
    pub(super) fn declare(&mut self, name: &str) -> LibTypeId {
        let sym = Sym::new(name);
        if let Some(&id) = self.by_name.get(&sym) {
            return id;
        }
        let id = self.types.len() as LibTypeId;
        self.types.push(LibType { name: sym, kind: TypeKind::Class, is_final: false, supers: Vec::new(), super_ids: Vec::new(), listed: false });
        self.by_name.insert(sym, id);
        if let Some((package, simple)) = name.rsplit_once('.') {
            self.by_package.insert((Sym::new(package), Sym::new(simple)), id);
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
            self.types[id].super_ids = names.iter().filter_map(|it| self.by_name.get(it).copied()).collect();
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

    /// Methods declared by a type itself.
    pub fn declared(&self, owner: LibTypeId, name: Sym) -> impl Iterator<Item = &LibMethod> {
        self.by_member.get(&(owner, name)).into_iter().flatten().map(|&id| &self.methods[id as usize])
    }

    /// The type of a field declared by a type itself.
    pub fn field(&self, owner: LibTypeId, name: Sym) -> Option<Ty> {
        self.fields.get(&(owner, name)).copied()
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

/// `java.lang.String[]` without its brackets, and how many there are.
fn split_dims(param: &str) -> (Sym, u8) {
    let base = param.trim_end_matches("[]");
    (Sym::new(base), ((param.len() - base.len()) / 2) as u8)
}

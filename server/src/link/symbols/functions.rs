//! The functions that types stand for: those of interfaces with one method that has no body.

use super::{MethodId, Symbols, TypeId};
use crate::catalogue::{Function, catalogue};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};

impl Symbols {
    /// The function that a type stands for.
    pub fn function(&self, id: TypeId) -> Option<Function> {
        if self.is_own(id) { self.own_function(id).map(|it| it.1) } else { catalogue().library.function(self.lib(id)?) }
    }

    /// The method of the workspace that an interface of it stands for.
    pub fn function_method(&self, id: TypeId) -> Option<MethodId> {
        let (name, function, declared) = self.own_function(id)?;
        let is_it = |it: &MethodId| self.methods[*it as usize].name == name && self.methods[*it as usize].arity as usize == function.arity;
        declared.filter(is_it)
    }

    /// The name of that, the function, and the nearest method of the workspace that says so.
    fn own_function(&self, id: TypeId) -> Option<(Sym, Function, Option<MethodId>)> {
        let library = &catalogue().library;
        let info = self.own(id)?;
        if info.head.get().kind != TypeKind::Interface {
            return None;
        }
        let mut found: Option<(Sym, Function)> = None;
        let mut declared = None;
        for up in self.ancestors(id) {
            if let Some(lib) = self.lib(up).filter(|&it| library.kind(it) == Some(TypeKind::Interface)) {
                for method in library.abstract_methods(lib) {
                    join(&mut found, method)?;
                }
                continue;
            }
            let Some(of) = self.own(up) else { continue };
            let has_body = |flags: Flags| flags.has(Flags::STATIC) || flags.has(Flags::DEFAULT) || flags.has(Flags::PRIVATE);
            for method in self.methods_of_file(of.file) {
                let it = &self.methods[method as usize];
                if it.owner == up && !has_body(it.flags) && !it.name.as_str().starts_with('<') {
                    join(&mut found, (it.name, Function { arity: it.arity as usize, is_void: self.returns[method as usize].is_none() }))?;
                    declared = declared.or(Some(method));
                }
            }
        }
        found.map(|it| (it.0, it.1, declared))
    }
}

/// Adds a method without a body; nothing if it is another one than that which is there.
fn join(found: &mut Option<(Sym, Function)>, method: (Sym, Function)) -> Option<()> {
    match found {
        Some((name, function)) if *name != method.0 || function.arity != method.1.arity => None,
        Some(_) => Some(()),
        None => {
            *found = Some(method);
            Some(())
        }
    }
}

//! The functions that types stand for: those of interfaces with one method that has no body.

use super::{Symbols, TypeId};
use crate::catalogue::{Function, catalogue};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};

impl Symbols {
    /// The function that a type stands for.
    pub fn function(&self, id: TypeId) -> Option<Function> {
        let library = &catalogue().library;
        let Some(info) = self.own(id) else { return library.function(self.lib(id)?) };
        if info.head.get().kind != TypeKind::Interface {
            return None;
        }
        let mut found: Option<(Sym, Function)> = None;
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
                }
            }
        }
        found.map(|it| it.1)
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

//! Members that nobody wrote: what stands for a builder, and what is not made after all.

use super::MethodsOf;
use crate::config::Project;
use crate::facts::generated::{Lombok, accessor_name, builder_class};
use crate::facts::{MemberFacts, MethodFacts};
use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::{TypeHead, TypeKind};
use crate::link::symbols::{MethodId, Symbols, TypeId};
use crate::terms::FileId;
use crate::workspace::SourceFile;
use std::sync::Arc;

/// The name of what `lombok.config` takes away: nothing that is written has it.
pub(in crate::link) const NOT_MADE: &str = "<not made>";

impl Symbols {
    /// The name of a method where a `lombok.config` holds.
    pub(super) fn name_of(&self, member: &MemberFacts, method: &MethodFacts, owner: TypeId, lombok: &Lombok) -> Sym {
        let Some(accessor) = method.head.accessor else { return method.head.name };
        let field = member.fields.iter().find(|it| it.owner == method.owner && it.head.name == accessor.field);
        let (Some(field), Some(owner)) = (field, self.own(owner)) else { return method.head.name };
        accessor_name(accessor.kind, owner.head.get(), &field.head, lombok).unwrap_or_else(|| Sym::new(NOT_MADE))
    }

    /// A builder is taken as the object that it builds, unless its class is written out.
    pub(super) fn name_builders(&mut self, files: &[Arc<SourceFile>], project: &Project) {
        let plain = Lombok::default();
        // What `builder()` gives has the name that it has without a configuration.
        let builder = |annotations: &[Annotation], class: Sym, file: FileId| {
            let asked = annotations.iter().find(|it| matches!(it.name.as_str(), "Builder" | "SuperBuilder"));
            let configured = project.lombok(&files[file as usize].path);
            asked.into_iter().flat_map(|it| [Some(&plain), configured].into_iter().flatten().map(|lombok| builder_class(class, it, lombok))).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        for (index, info) in self.types.iter().enumerate() {
            let head = info.head.get();
            found.extend(builder(&head.annotations, head.name, info.file).into_iter().map(|name| (self.type_id(index), name)));
        }
        for (id, info) in (0..).zip(&self.methods) {
            if info.name == self.init
                && let Some(class) = self.own(info.owner)
            {
                let name = builder(&self.method(files, id).0.head.annotations, class.head.get().name, class.file);
                found.extend(name.into_iter().map(|name| (info.owner, name)));
            }
        }
        for (class, name) in found {
            self.nested.entry((class, name)).or_insert(class);
        }
    }

    /// A record that writes an accessor or its canonical constructor itself has no generated one.
    pub(super) fn drop_hidden_accessors(&self, methods_of: &mut MethodsOf) {
        for (index, info) in self.types.iter().enumerate() {
            let TypeHead { kind, components, .. } = info.head.get();
            if *kind != TypeKind::Record {
                continue;
            }
            let n = components.len() as u32;
            let names = components.iter().map(|it| (it.0, 0)).chain([(Sym::new("<init>"), n)]);
            for (name, arity) in names {
                if let Some(found) = methods_of.get_mut(&(self.type_id(index), name)) {
                    // Components come first among the members of a record.
                    let written = found.iter().skip(1).any(|&it| self.methods[it as usize].arity == arity);
                    if written {
                        found.remove(0);
                    }
                }
            }
        }
    }

    /// What a tool would make is not made where the class has a method of that name with as many parameters.
    pub(super) fn drop_replaced(&self, methods_of: &mut MethodsOf, made: impl Fn(MethodId) -> bool) {
        for (id, info) in (0..).zip(&self.methods).filter(|it| made(it.0)) {
            if let Some(found) = methods_of.get_mut(&(info.owner, info.name))
                && found.iter().any(|&other| !made(other) && self.methods[other as usize].arity == info.arity)
            {
                found.retain(|other| *other != id);
            }
        }
    }
}

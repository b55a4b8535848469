//! What the tables say of the method to be tested.

use super::world::{Tables, is_plain_chain};
use crate::analysis::Analysis;
use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::{Flags, MemberKind, TypeKind};
use crate::link::symbols::{MethodId, Symbols, TypeId};
use crate::rewrite::skeleton::{Constructor, Field, Kind, Subject};

/// Annotations by which a container calls a constructor or sets a field.
const INJECTS: &[&str] = &["Autowired", "Inject", "Resource", "Value", "DubboReference", "Reference", "PersistenceContext"];

/// The method as a test sees it. `None` if a test in its package cannot call it, or if there is nothing to call it on.
pub(super) fn subject(linked: &Analysis, method: MethodId) -> Option<Subject> {
    let symbols = &*linked.linked.symbols;
    let info = &symbols.methods[method as usize];
    let (facts, _) = symbols.method(&linked.files, method);
    let head = &facts.head;
    let class = symbols.own(info.owner)?;
    let class_head = class.head.get();
    let is_called = head.kind == MemberKind::Method && head.accessor.is_none() && !has(info.flags, &[Flags::PRIVATE, Flags::ABSTRACT, Flags::NATIVE]);
    let is_main = info.name.as_str() == "main" && info.flags.has(Flags::STATIC);
    // An object of an inner class needs one of the class around it.
    let is_inner = class.outer != crate::link::symbols::UNKNOWN
        && class_head.kind == TypeKind::Class
        && !class_head.flags.has(Flags::STATIC)
        && !symbols.own(class.outer).is_some_and(|it| it.head.get().kind == TypeKind::Interface);
    if !is_called || is_main || is_inner || matches!(class_head.kind, TypeKind::Annotation | TypeKind::Anonymous) {
        return None;
    }
    let tables = Tables::new(linked, method, linked.files[class.file as usize].facts.package.as_str());
    let owner = tables.class(info.owner)?;
    if !tables.is_seen(info.owner) {
        return None;
    }
    let params: Option<Vec<_>> = head.params.iter().map(|it| Some((it.name.as_str().to_owned(), tables.declared(method, it.ty)?))).collect();
    let returns = match head.returns {
        Some(ty) => tables.declared(method, ty)?,
        None => crate::rewrite::skeleton::Type::primitive("void"),
    };
    Some(Subject {
        name: info.name.as_str().to_owned(),
        params: params?,
        returns,
        is_static: info.flags.has(Flags::STATIC),
        is_abstract: class_head.flags.has(Flags::ABSTRACT) || class_head.kind == TypeKind::Interface,
        has_plain_super: has_plain_super(linked, info.owner),
        constructors: if owner.kind == Kind::Class { constructors(linked, &tables, info.owner) } else { Vec::new() },
        fields: fields(linked, &tables, info.owner),
        class: owner,
    })
}

fn has(flags: Flags, any: &[Flags]) -> bool {
    any.iter().any(|it| flags.has(*it))
}

fn has_plain_super(linked: &Analysis, class: TypeId) -> bool {
    linked.linked.symbols.own(class).is_some_and(|it| !it.open || it.head.get().supers.len() == it.supers.len()) && is_plain_chain(linked, class)
}

fn is_injected(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|it| INJECTS.contains(&it.name.as_str()))
}

/// The constructors that a test in the package can call; the one that every class has if none is declared.
fn constructors(linked: &Analysis, tables: &Tables<'_>, class: TypeId) -> Vec<Constructor> {
    let symbols = &*linked.linked.symbols;
    let mut found = Vec::new();
    let mut has_any = false;
    for &id in symbols.declared_methods(class, Sym::new("<init>")) {
        let (facts, start) = symbols.method(&linked.files, id);
        let head = &facts.head;
        if head.kind != MemberKind::Constructor {
            continue;
        }
        has_any = true;
        if head.flags.has(Flags::PRIVATE) {
            continue;
        }
        let params: Option<Vec<_>> = head.params.iter().map(|it| Some((it.name.as_str().to_owned(), tables.declared(id, it.ty)?))).collect();
        let Some(params) = params else { continue };
        found.push(Constructor { at: Some(facts.name.absolute(start).start as usize), params, is_injected: is_injected(&head.annotations) });
    }
    if !has_any {
        found.push(Constructor { at: None, params: Vec::new(), is_injected: false });
    }
    found
}

fn fields(linked: &Analysis, tables: &Tables<'_>, class: TypeId) -> Vec<Field> {
    let symbols: &Symbols = &linked.linked.symbols;
    let Some(info) = symbols.own(class) else { return Vec::new() };
    let of_file = symbols.fields_of_file(info.file);
    let own = of_file
        .filter(|it| symbols.fields[*it as usize].owner == class && !symbols.fields[*it as usize].captured && !symbols.fields[*it as usize].enum_constant);
    own.filter_map(|id| {
        let field = &symbols.fields[id as usize];
        let (facts, _) = symbols.field(&linked.files, id);
        Some(Field {
            name: field.name.as_str().to_owned(),
            ty: tables.of_field(class, field.ty)?,
            is_static: field.flags.has(Flags::STATIC),
            is_final: field.flags.has(Flags::FINAL),
            is_private: field.flags.has(Flags::PRIVATE),
            is_injected: is_injected(&facts.head.annotations),
        })
    })
    .collect()
}

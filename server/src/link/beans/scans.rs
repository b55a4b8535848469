//! What component scans make beans of besides stereotypes, in files of wiring and by `@ComponentScan`.

use super::Input;
use crate::intern::Sym;
use crate::java::decls::TypeKind;
use crate::link::symbols::{Scope, TypeId};

/// What filters include.
#[derive(Default)]
pub(super) struct Included {
    /// Annotations of beans.
    pub annotations: Vec<Sym>,
    /// Classes that are beans by their type.
    pub classes: Vec<TypeId>,
}

/// Arguments of `@ComponentScan`.
const TYPE: &[&str] = &["includeFilters.type"];
const CLASSES: &[&str] = &["includeFilters.classes", "includeFilters.value"];

/// Collects them.
pub(super) fn included(input: &Input<'_>) -> Included {
    let symbols = input.symbols;
    let mut found = Included::default();
    for filter in input.wiring().flat_map(|it| &it.scans).flat_map(|it| &it.include) {
        match filter.ty.as_str() {
            "annotation" => found.annotations.push(filter.expression),
            "assignable" => add_below(input, symbols.qualified(filter.expression.as_str()), &mut found.classes),
            _ => {}
        }
    }
    for index in 0..symbols.types.len() as u32 {
        let id = TypeId(symbols.n_lib + index);
        let Some(info) = symbols.own(id) else { continue };
        for annotation in info.head.get().annotations.iter().filter(|it| it.name.as_str() == "ComponentScan") {
            let by_type = annotation.values(TYPE).any(|it| it.as_str().ends_with("ASSIGNABLE_TYPE"));
            let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
            for name in annotation.values(CLASSES) {
                match symbols.resolve(scope, name) {
                    class if by_type && symbols.type_kind(class) != TypeKind::Annotation => add_below(input, class, &mut found.classes),
                    annotation if symbols.is_own(annotation) => found.annotations.push(Sym::new(symbols.type_name(annotation))),
                    _ => found.annotations.push(name),
                }
            }
        }
    }
    found
}

/// Adds a class and those below it of which there can be objects.
fn add_below(input: &Input<'_>, class: TypeId, found: &mut Vec<TypeId>) {
    let symbols = input.symbols;
    let mut open = vec![class];
    while let Some(class) = open.pop() {
        let Some(info) = symbols.own(class).filter(|_| !input.is_test(class) && !found.contains(&class)) else { continue };
        open.extend(&info.subs);
        let head = info.head.get();
        if head.kind == TypeKind::Class && !head.flags.has(crate::java::decls::Flags::ABSTRACT) {
            found.push(class);
        }
    }
}

//! Methods that containers and frameworks call: by the interface that says so, by an annotation, or because they override
//! a method that is called so.

use super::{Beans, Input};
use crate::catalogue::catalogue;
use crate::facts::Role;
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind};
use crate::link::symbols::{MethodId, Scope, Symbols};
use rayon::prelude::*;

/// Adds the roles that callbacks of interfaces have.
pub(super) fn of_interfaces(input: &Input<'_>, beans: &mut Beans) {
    let symbols = input.symbols;
    let known = &catalogue().callbacks;
    for (id, info) in symbols.methods.iter().enumerate() {
        let rows = known.of(info.name);
        if rows.is_empty() || info.flags.has(Flags::STATIC) || info.flags.has(Flags::PRIVATE) {
            continue;
        }
        let id = id as MethodId;
        let open = symbols.own(info.owner).is_some_and(|it| it.open);
        for row in rows {
            let is_meant = row.arity.is_none_or(|it| it == info.arity)
                && row.param.is_none_or(|it| takes(symbols, id, it))
                && ((row.by_name && open) || symbols.ancestors(info.owner).any(|up| symbols.type_name(up) == row.ty));
            if is_meant {
                let role = beans.roles.entry(id).or_default();
                role.start_up |= row.start_up;
                role.entry |= !row.start_up;
            }
        }
    }
}

/// Adds the roles of methods that listen to events, by an annotation: some events come before the first request, and only once.
pub(super) fn of_annotations(input: &Input<'_>, beans: &mut Beans) {
    let symbols = input.symbols;
    let known = &catalogue().callbacks;
    let is_annotated = |id: &MethodId| {
        let head = &input.method(*id).head;
        head.kind == MemberKind::Method && !head.annotations.is_empty()
    };
    let annotated: Vec<MethodId> = (0..symbols.methods.len() as MethodId).into_par_iter().with_min_len(1024).filter(is_annotated).collect();
    for id in annotated {
        let head = &input.method(id).head;
        let info = &symbols.methods[id as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(id) };
        for annotation in &head.annotations {
            for row in known.with(annotation.name) {
                let name = symbols.annotation(annotation, scope).1;
                let named: Vec<Sym> = annotation.values(&["value", "classes"]).collect();
                let is_said = |it: &str| if named.is_empty() { takes(symbols, id, it) } else { named.iter().all(|name| last(name.as_str()) == it) };
                if (!name.contains('.') || name == row.ty) && row.param.is_none_or(is_said) {
                    beans.roles.entry(id).or_default().start_up = true;
                    beans.start_ups.insert(id);
                }
            }
        }
    }
}

/// Whether the only parameter has a type of this simple name.
fn takes(symbols: &Symbols, id: MethodId, ty: &str) -> bool {
    let params = &symbols.params[id as usize];
    params.len() == 1 && params.first().is_some_and(|it| last(it.data().name.as_str()) == ty)
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// What overrides a method that is called by a framework is called by it: annotations of handlers count for them too.
pub(super) fn inherit(input: &Input<'_>, beans: &mut Beans) {
    let symbols = input.symbols;
    let mut found: Vec<(MethodId, Role)> = Vec::new();
    for (&base, overriders) in &symbols.overriders {
        let role = beans.role(base, input.method(base));
        if role.entry || role.start_up {
            let passed = Role { injected: false, mock: false, ..role };
            found.extend(overriders.iter().map(|&it| (it, passed)));
        }
    }
    for (id, role) in found {
        let own = beans.roles.entry(id).or_default();
        own.entry |= role.entry;
        own.start_up |= role.start_up;
    }
}

impl Beans {
    /// Methods that a framework calls by their names: of a class, or of the one at `scope`.
    pub(super) fn note_calls(&mut self, symbols: &Symbols, calls: &[(Sym, Option<Sym>)], scope: Scope) {
        for &(method, class) in calls {
            let class = class.map_or(scope.class, |it| symbols.resolve(scope, it));
            for id in symbols.find_methods(class, method) {
                self.roles.entry(id).or_default().entry = true;
            }
        }
    }
}

//! Which overriding methods a call may reach, by what is known of its receiver besides the method that it names.
//!
//! A method is declared high up and overridden in many places; the receiver's type leaves only those at or below it, and
//! a `final` field that is set to `new C()` only the one that C has.

use super::{Resolver, Target};
use crate::facts::graph::Call;
use crate::java::decls::{Flags, TypeKind};
use crate::java::ops::CallForm;
use crate::link::symbols::{FieldId, MethodId, Scope, TypeId};

/// Types at or below the receiver's that are looked at: with more there is little to leave out.
const MAX_TYPES: usize = 16;
/// Methods that a call is said to reach one by one.
const MAX_METHODS: usize = 16;

impl Resolver<'_> {
    /// The target of a call without those overriding methods that its receiver cannot have.
    pub(super) fn narrowed(&mut self, call: &Call, target: Target) -> Target {
        let Target::Method(method, true) = target else { return target };
        let symbols = self.symbols;
        let Some(overriders) = symbols.overriders.get(&method).filter(|_| call.form == CallForm::On) else { return target };
        let field = self.field_of(call.recv);
        if let Some(class) = field.and_then(|it| self.class_made(it))
            && let Some(runs) = symbols.find_methods(class, call.name).into_iter().find(|it| *it == method || overriders.contains(it))
        {
            return Target::Method(runs, false);
        }
        let declared = self.values[call.recv as usize].id;
        let class = field.and_then(|it| self.beans.narrowed(it)).unwrap_or(declared);
        if class == symbols.methods[method as usize].owner || !symbols.is_own(class) {
            return target;
        }
        let Some(owners) = self.owners_at(class) else { return target };
        let left: Vec<MethodId> =
            overriders.iter().copied().filter(|&it| owners.binary_search(&symbols.methods[it as usize].owner).is_ok()).take(MAX_METHODS + 1).collect();
        if left.len() == overriders.len() || left.len() > MAX_METHODS {
            return target;
        }
        if left.is_empty() {
            return Target::Method(method, false);
        }
        let from = self.many.len() as u32;
        self.many.push(method);
        self.many.extend(left);
        Target::Among(from, self.many.len() as u32)
    }

    /// The types whose methods an object of a class may have: those at or below it, and what they inherit from. Sorted.
    /// `None` if there are too many.
    fn owners_at(&self, class: TypeId) -> Option<Vec<TypeId>> {
        let mut below = vec![class];
        let mut next = 0;
        while let Some(&id) = below.get(next) {
            next += 1;
            for &sub in self.symbols.own(id).into_iter().flat_map(|it| &it.subs) {
                if !below.contains(&sub) {
                    below.push(sub);
                }
            }
            if below.len() > MAX_TYPES {
                return None;
            }
        }
        let mut owners: Vec<TypeId> = below.iter().flat_map(|&it| self.symbols.above(it).iter().copied().chain([it])).collect();
        owners.sort_unstable();
        owners.dedup();
        Some(owners)
    }

    /// The class of the only object that a field ever holds.
    fn class_made(&self, field: FieldId) -> Option<TypeId> {
        let info = &self.symbols.fields[field as usize];
        let (ty, has_body) = info.made.filter(|_| info.flags.has(Flags::FINAL))?;
        if has_body {
            let class = self.symbols.units[info.unit as usize].first_type;
            return (self.symbols.is_own(class) && self.symbols.type_kind(class) == TypeKind::Anonymous).then_some(class);
        }
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
        Some(self.symbols.resolve(scope, ty.name())).filter(|&it| self.symbols.is_own(it))
    }
}

//! Why a field is ruled out (paper §3.2.3): nothing modifies it, or nothing that does runs while the service serves.

use super::{FieldStates, Modification, is_primitive};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::java::decls::{Flags, TypeKind};
use crate::link::symbols::{FieldId, MethodId, Scope, Symbols};
use crate::settings::Precision;
use crate::terms::{Reason, World};

/// `final`, and of a type without state.
pub fn is_constant(symbols: &Symbols, field: FieldId) -> bool {
    let info = &symbols.fields[field as usize];
    if !info.flags.has(Flags::FINAL) {
        return false;
    }
    let data = info.ty.data();
    if data.dims > 0 {
        return info.is_empty_array();
    }
    if is_primitive(data.name.as_str()) {
        return true;
    }
    let unit = &symbols.units[info.unit as usize];
    let scope = Scope { class: info.owner, unit: Some(info.unit), file: unit.file, method: None };
    let id = symbols.resolve(scope, data.name);
    if let Some(lib) = symbols.lib(id) {
        let known = catalogue();
        return known.rules.is_value(known.library.ancestors(lib), &known.library) || known.library.types[lib as usize].kind == TypeKind::Enum;
    }
    symbols.own(id).is_some_and(|it| it.head.get().kind == TypeKind::Enum)
}

impl FieldStates {
    /// Whether a modification happens at all. Before recording starts the container calls what injects, whatever else
    /// would call it.
    fn runs<'a>(&self, symbols: &Symbols, it: &Modification, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> bool {
        let (beans, method) = (&*self.beans, facts(it.method));
        if beans.role(it.method, method).injected {
            return false;
        }
        // Of a setter that the container calls for its properties, only calls that certainly mean it count besides.
        let by_name = !beans.is_wired_setter(it.method) || world != World::Application;
        if by_name { self.called.is_called(symbols, beans, it.method, method, world) } else { self.called.is_known_call(it.method) }
    }

    /// Whether a modification happens before the first request only.
    fn runs_at_start<'a>(&self, symbols: &Symbols, it: &Modification, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> bool {
        let (beans, method) = (&*self.beans, facts(it.method));
        !it.later && (it.at_start || self.called.at_start_only(symbols, beans, it.method, method, world))
    }

    /// Whether a field holds the same object all the time that the service runs: what modifies it changes the object.
    pub fn is_steady<'a>(&self, symbols: &Symbols, field: FieldId, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> bool {
        let later = |it: &Modification| self.runs(symbols, it, world, facts) && !self.runs_at_start(symbols, it, world, facts);
        self.beans.pushed(field).is_none()
            && !self.assigned_names.contains(&symbols.fields[field as usize].name)
            && self.modifications.get(&field).is_some_and(|all| !all.iter().any(|it| it.replaces && later(it)))
    }

    /// Whether something may be assigned to a field that is null.
    pub fn may_be_null(&self, symbols: &Symbols, field: FieldId) -> bool {
        self.nullable.contains(&field) || self.assigned_names.contains(&symbols.fields[field as usize].name)
    }

    /// The modification that shows best that a field is state: the first that happens while the service runs.
    pub fn telling<'a>(&self, symbols: &Symbols, field: FieldId, world: World, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> Option<Modification> {
        let all = self.modifications.get(&field)?;
        let runs = |it: &&Modification| self.runs(symbols, it, world, facts);
        let later = all.iter().filter(runs).find(|it| !self.runs_at_start(symbols, it, world, facts));
        later.or_else(|| all.iter().find(runs)).or(all.first()).copied()
    }

    /// Why a field is no state in this world; `None` if it is. `tainted`: a source reaches it.
    pub fn ruled_out<'a>(
        &self,
        symbols: &Symbols,
        field: FieldId,
        world: World,
        precision: Precision,
        tainted: bool,
        facts: &impl Fn(MethodId) -> &'a MethodFacts,
    ) -> Option<Reason> {
        let beans = &*self.beans;
        if self.declared.contains(&field) {
            return Some(Reason::Declared);
        }
        if beans.pushed(field).is_some() {
            return None;
        }
        let all = self.modifications.get(&field).map_or(&[][..], Vec::as_slice);
        if all.is_empty() {
            return Some(if is_constant(symbols, field) {
                Reason::Constant
            } else if beans.is_injected(field) {
                Reason::Injected
            } else {
                Reason::NoModifier
            });
        }
        let called: Vec<&Modification> = all.iter().filter(|it| self.runs(symbols, it, world, facts)).collect();
        if called.is_empty() {
            let late = all.iter().filter(|it| !beans.role(it.method, facts(it.method)).injected);
            let injected = late.into_iter().all(|it| beans.is_wired_setter(it.method));
            return Some(if injected { Reason::Injected } else { Reason::ModifierNeverCalled });
        }
        if called.iter().all(|it| self.runs_at_start(symbols, it, world, facts)) {
            return Some(Reason::StartUpOnly);
        }
        if precision == Precision::Refined && !tainted && called.iter().all(|it| it.lazy) {
            return Some(Reason::LazyConstant);
        }
        None
    }
}

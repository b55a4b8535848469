//! Who extends whom, and which method overrides which.

use crate::catalogue::catalogue;
use crate::intern::{Sym, Ty};
use crate::java::decls::Flags;
use crate::link::symbols::{Scope, Symbols, TypeId, UNKNOWN};
use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

impl Symbols {
    pub(super) fn resolve_supers(&mut self) {
        let table: &Symbols = self;
        let supers: Vec<(Vec<TypeId>, bool)> = (0..table.types.len())
            .into_par_iter()
            .map(|index| {
                let info = &table.types[index];
                let scope = Scope { class: info.outer, unit: info.unit, file: info.file, method: None };
                let own = Scope { class: table.type_id(index), ..scope };
                let mut open = false;
                let mut found = Vec::new();
                for ty in &info.head.get().supers {
                    // A type's own members are no candidates for its supertypes' names, but its type parameters are.
                    let mut id = table.resolve(scope, ty.name());
                    if id == UNKNOWN && info.head.get().type_params.is_empty() {
                        id = table.resolve(own, ty.name());
                    }
                    if id == UNKNOWN || id == table.type_id(index) {
                        open = true;
                    } else {
                        open |= table.lib(id).is_none() && !table.is_own(id);
                        open |= table.lib(id).is_some_and(|it| !catalogue().library.types[it as usize].listed);
                        found.push(id);
                    }
                }
                (found, open)
            })
            .collect();
        for (index, (found, open)) in supers.into_iter().enumerate() {
            let id = self.type_id(index);
            for up in &found {
                let at = up.0.wrapping_sub(self.n_lib) as usize;
                if let Some(info) = self.types.get_mut(at) {
                    info.subs.push(id);
                }
            }
            self.types[index].supers = found;
            self.types[index].open = open;
        }
    }

    /// A type below an open one is open.
    pub(super) fn mark_open(&mut self) {
        let mut work: Vec<TypeId> = (0..self.types.len()).filter(|&it| self.types[it].open).map(|it| self.type_id(it)).collect();
        while let Some(id) = work.pop() {
            let subs = self.own(id).map_or_else(Vec::new, |it| it.subs.clone());
            for sub in subs {
                let at = (sub.0 - self.n_lib) as usize;
                if !self.types[at].open {
                    self.types[at].open = true;
                    work.push(sub);
                }
            }
        }
    }

    /// Whether two methods of one name have the same parameters, as far as their written types tell: a type variable
    /// may stand for anything.
    pub fn same_parameters(&self, a: u32, b: u32) -> bool {
        let (first, second) = (&self.params[a as usize], &self.params[b as usize]);
        // A visitor has hundreds of methods of one name: most differ at a glance.
        if let (Some(first), Some(second)) = (self.shapes[a as usize], self.shapes[b as usize])
            && first != second
        {
            return false;
        }
        first.len() == second.len()
            && first.iter().zip(second.iter()).all(|(x, y)| {
                let (x, y) = (x.data(), y.data());
                (x.dims == y.dims && (x.name == y.name || last_segment(x.name) == last_segment(y.name)))
                    || self.is_variable(a, x.name)
                    || self.is_variable(b, y.name)
            })
    }

    /// A hash of the written parameter types of a method; none where a type variable is among them. Of two methods with
    /// the same parameters it is the same.
    pub(super) fn shape_of_parameters(&self, method: u32, params: &[Ty]) -> Option<NonZeroU32> {
        let mut hasher = FxHasher::default();
        for ty in params {
            let ty = ty.data();
            if self.is_variable(method, ty.name) {
                return None;
            }
            (ty.dims, last_segment(ty.name)).hash(&mut hasher);
        }
        params.len().hash(&mut hasher);
        Some(NonZeroU32::new(hasher.finish() as u32).unwrap_or(NonZeroU32::MIN))
    }

    fn is_variable(&self, method: u32, name: Sym) -> bool {
        let text = name.as_str();
        // Type variables are short by custom; others are looked for only where the class has some.
        if !text.contains('.') && text.len() <= 2 && text.starts_with(|c: char| c.is_uppercase()) {
            return true;
        }
        let mut class = self.methods[method as usize].owner;
        for _ in 0..8 {
            let Some(info) = self.own(class) else { return false };
            if info.head.get().type_params.iter().any(|it| it.0 == name) {
                return true;
            }
            class = info.outer;
        }
        false
    }

    /// Supertypes of all types, once for all look-ups.
    pub(super) fn find_ancestors(&mut self) {
        let table: &Symbols = self;
        let ids = (0..table.types.len()).into_par_iter().with_min_len(256).map(|index| table.type_id(index));
        let above: Vec<Box<[TypeId]>> = ids.map(|id| table.find_above(id)).collect();
        self.above = above;
        let table: &Symbols = self;
        let ids = (0..table.types.len()).into_par_iter().with_min_len(256).map(|index| table.type_id(index));
        self.lib_above = ids.map(|id| table.find_lib_above(id)).collect();
    }

    /// Looks from each method up to those that it overrides: hierarchies are wide and not high.
    pub(super) fn find_overriders(&mut self) {
        let table: &Symbols = self;
        let found: Vec<(u32, Vec<u32>)> = (0..table.methods.len() as u32)
            .into_par_iter()
            .with_min_len(256)
            .filter_map(|id| {
                let info = &table.methods[id as usize];
                let above = table.above(info.owner);
                if above.is_empty() || info.flags.has(Flags::STATIC) || info.name.as_str().starts_with('<') {
                    return None;
                }
                let overrides = |&base: &u32| {
                    let flags = table.methods[base as usize].flags;
                    let never = flags.has(Flags::STATIC) || flags.has(Flags::PRIVATE) || flags.has(Flags::FINAL);
                    !never && table.same_parameters(base, id)
                };
                let bases = above.iter().flat_map(|&up| table.declared_methods(up, info.name)).copied();
                let bases: Vec<u32> = bases.filter(overrides).collect();
                // An accessor that was written out overrides nothing.
                (!bases.is_empty() && table.declared_methods(info.owner, info.name).contains(&id)).then_some((id, bases))
            })
            .collect();
        for (id, bases) in &found {
            for &base in bases {
                self.overriders.entry(base).or_default().push(*id);
            }
        }
        self.overridden = found.into_iter().collect();
    }
}

fn last_segment(name: Sym) -> &'static str {
    let text = name.as_str();
    text.rsplit('.').next().unwrap_or(text)
}

//! Who extends whom, and which method overrides which.

use crate::catalogue::catalogue;
use crate::intern::{Sym, Ty};
use crate::java::decls::Flags;
use crate::link::symbols::{Scope, Symbols, TypeId, TypeInfo, UNKNOWN};
use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

impl Symbols {
    pub(super) fn resolve_supers(&mut self) {
        let table: &Symbols = self;
        let supers: Vec<(Vec<TypeId>, bool, bool)> = (0..table.types.len())
            .into_par_iter()
            .map(|index| {
                let info = &table.types[index];
                let scope = Scope { class: info.outer, unit: info.unit, file: info.file, method: None };
                let own = Scope { class: table.type_id(index), ..scope };
                let head = info.head.get();
                let (mut open, mut open_above) = (false, false);
                let mut found = Vec::new();
                for (i, ty) in head.supers.iter().enumerate() {
                    // A type's own members are no candidates for its supertypes' names, but its type parameters are.
                    let mut id = table.resolve(scope, ty.name());
                    if id == UNKNOWN && head.type_params.is_empty() {
                        id = table.resolve(own, ty.name());
                    }
                    let is_known = if id == UNKNOWN || id == table.type_id(index) {
                        false
                    } else {
                        found.push(id);
                        table.lib(id).map_or_else(|| table.is_own(id), |it| catalogue().library.types[it as usize].listed)
                    };
                    open |= !is_known;
                    open_above |= !is_known && i == 0 && head.extends;
                }
                (found, open, open_above)
            })
            .collect();
        for (index, (found, open, open_above)) in supers.into_iter().enumerate() {
            let id = self.type_id(index);
            for up in &found {
                let at = up.0.wrapping_sub(self.n_lib) as usize;
                if let Some(info) = self.types.get_mut(at) {
                    info.subs.push(id);
                }
            }
            self.types[index].supers = found;
            self.types[index].open = open;
            self.types[index].open_above = open_above;
        }
    }

    /// A type below an open one is open, and what is below a class with an unknown superclass has one too.
    pub(super) fn mark_open(&mut self) {
        self.mark_below(|it| &mut it.open);
        self.mark_below(|it| &mut it.open_above);
    }

    fn mark_below(&mut self, mark: fn(&mut TypeInfo) -> &mut bool) {
        let mut work: Vec<usize> = (0..self.types.len()).filter(|&it| *mark(&mut self.types[it])).collect();
        while let Some(at) = work.pop() {
            for sub in self.types[at].subs.clone() {
                let at = (sub.0 - self.n_lib) as usize;
                if !std::mem::replace(mark(&mut self.types[at]), true) {
                    work.push(at);
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

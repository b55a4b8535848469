//! What the imports of each file bring in, and the types that are known by their names only.

use crate::catalogue::catalogue;
use crate::intern::Sym;
use crate::link::symbols::{FileScope, Place, Symbols, TypeId, UNKNOWN};
use crate::workspace::SourceFile;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Symbols {
    /// Types that are imported by name and found nowhere get a number of their own.
    pub(super) fn externals_from_imports(&mut self, files: &[Arc<SourceFile>]) {
        let library = &catalogue().library;
        for file in files {
            for import in file.facts.imports.iter().filter(|it| !it.on_demand && !it.is_static && !it.module) {
                if !self.by_name.contains_key(&import.name) && library.find(import.name).is_none() {
                    self.add_external(import.name);
                }
            }
        }
    }

    /// So do those that are written with their packages where a class says what it extends and implements.
    pub(super) fn externals_from_supers(&mut self) {
        let is_whole = |it: &Sym| it.as_str().starts_with(|c: char| c.is_lowercase()) && it.as_str().contains('.');
        let written: Vec<Sym> = self.types.iter().flat_map(|it| &it.head.get().supers).map(|it| it.name()).filter(is_whole).collect();
        for name in written {
            if self.qualified(name.as_str()) == UNKNOWN {
                self.add_external(name);
            }
        }
    }

    fn add_external(&mut self, name: Sym) -> TypeId {
        let id = TypeId(self.n_lib + self.types.len() as u32 + self.externals.len() as u32);
        self.by_name.insert(name, id);
        self.externals.push(name);
        id
    }

    /// Types that the project speaks of and that are found nowhere are known by all the ways to write their names.
    pub(super) fn externals_by_name(&mut self, named: impl Iterator<Item = Sym>) {
        for name in named {
            let mut id = self.qualified(name.as_str());
            if id == UNKNOWN {
                id = self.add_external(name);
            }
            if self.lib(id).is_none()
                && !self.is_own(id)
                && let Some((around, simple)) = name.as_str().rsplit_once('.')
            {
                let outer = self.qualified(around);
                if outer == UNKNOWN {
                    self.add_to_package(Sym::new(around), Sym::new(simple), id);
                } else {
                    self.nested.entry((outer, Sym::new(simple))).or_insert(id);
                }
            }
        }
    }

    pub(super) fn file_scope(&self, file: &SourceFile) -> FileScope {
        let mut scope = FileScope {
            package: file.facts.package,
            single: FxHashMap::default(),
            on_demand: Vec::new(),
            static_single: FxHashMap::default(),
            static_on_demand: Vec::new(),
        };
        for import in file.facts.imports.iter() {
            let whole = self.qualified(import.name.as_str());
            if import.module {
                let packages = catalogue().modules.packages(import.name);
                scope.on_demand.extend(packages.iter().map(|&it| Place::Package(it)));
                continue;
            }
            match (import.is_static, import.on_demand) {
                (false, false) => {
                    let simple = import.name.as_str().rsplit('.').next().unwrap_or_default();
                    if whole != UNKNOWN {
                        scope.single.insert(Sym::new(simple), whole);
                    }
                }
                (false, true) => scope.on_demand.push(if whole == UNKNOWN { Place::Package(import.name) } else { Place::Type(whole) }),
                (true, false) => {
                    if let Some((ty, member)) = import.name.as_str().rsplit_once('.') {
                        let ty = self.qualified(ty);
                        if ty != UNKNOWN {
                            scope.static_single.entry(Sym::new(member)).or_default().push(ty);
                        }
                    }
                }
                (true, true) => {
                    if whole != UNKNOWN {
                        scope.static_on_demand.push(whole);
                    }
                }
            }
        }
        scope
    }
}

//! The packages that `import module` brings in: those that a module exports, and those of modules it requires transitively.

use super::rows;
use crate::intern::Sym;
use rustc_hash::FxHashMap;

/// Packages by module. Texts are interned only for modules that somebody imports, which few files do.
#[derive(Debug, Default)]
pub struct Modules(FxHashMap<&'static str, &'static str>);

impl Modules {
    /// Reads the table: a module, then its packages with blanks between them.
    pub(super) fn read(text: &'static str) -> Modules {
        let row = |it: super::Cells| if let [module, packages] = it[..] { Some((module, packages)) } else { None };
        Modules(rows(text).filter_map(row).collect())
    }

    /// The packages of a module; none of one that is not the JDK's.
    pub fn packages(&self, module: Sym) -> Vec<Sym> {
        self.0.get(module.as_str()).into_iter().flat_map(|it| it.split(' ')).map(Sym::new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    #[test]
    fn modules_bring_in_what_they_require_transitively() {
        let has = |module: &str, package: &str| catalogue().modules.packages(Sym::new(module)).contains(&Sym::new(package));
        assert!(has("java.base", "java.util.concurrent.atomic") && has("java.sql", "java.sql"));
        // `java.sql` requires `java.logging` transitively, `java.base` as everyone does.
        assert!(has("java.sql", "java.util.logging") && !has("java.sql", "java.util"));
        assert!(!has("java.base", "jdk.internal.misc") && !has("com.example", "java.util"));
        for row in rows(include_str!("../../catalogue/modules.tsv")) {
            assert_eq!(row.len(), 2, "{row:?}");
            assert!(row[1].split(' ').is_sorted(), "{row:?}");
        }
    }
}

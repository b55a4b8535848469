//! What the analysis knows of libraries: rows of data, read once.
//!
//! Adding a library touches the tables in `server/catalogue` and no code. [`annotations`] has what annotations say, [`library`] the types and signatures,
//! [`rules`] what calls do and which of them are sources.

pub mod annotations;
pub mod callbacks;
pub mod deferred;
pub mod external;
pub mod library;
pub mod modules;
pub mod proxies;
pub mod rules;

pub use annotations::{AnnotationRow, Annotations, Role};
pub use callbacks::Callbacks;
pub use deferred::Deferred;
pub use external::{External, ExternalHow, ExternalKind, Externals};
pub use library::{Function, LibMethod, LibTypeId, Library};
pub use rules::{Effect, Feed, Given, How, MODIFIES, ResultRule, Rule, Rules, Slot, SourceRow, Takes};

use modules::Modules;
use std::sync::LazyLock;

/// Everything, loaded on first use.
pub struct Catalogue {
    /// Types and their members.
    pub library: Library,
    /// What calls do.
    pub rules: Rules,
    /// What annotations say.
    pub annotations: Annotations,
    /// Methods that containers call, by the interface that says so.
    pub callbacks: Callbacks,
    /// Who runs functions later.
    pub deferred: Deferred,
    /// Beans that stand for something outside.
    pub proxies: Vec<proxies::Proxy>,
    /// What modules export.
    pub modules: Modules,
    /// What is outside of the process.
    pub externals: Externals,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut library = Library::default();
    library.read(include_str!("../catalogue/jdk.tsv"), true);
    library.read(include_str!("../catalogue/jdk_newer.tsv"), true);
    library.end_of_jdk();
    library.read(include_str!("../catalogue/third_party.tsv"), false);
    let mut rules = Rules::default();
    rules.read_library(include_str!("../catalogue/library.tsv"), &mut library);
    rules.read_system(include_str!("../catalogue/system.tsv"), &mut library);
    rules.read_benign(include_str!("../catalogue/benign.tsv"), &mut library);
    rules.read_values(include_str!("../catalogue/values.tsv"), &mut library);
    let mut externals = Externals::default();
    externals.read(include_str!("../catalogue/external.tsv"), &mut library);
    let mut annotations = Annotations::default();
    annotations.read(include_str!("../catalogue/annotations.tsv"), &mut library);
    let mut deferred = Deferred::default();
    deferred.read(include_str!("../catalogue/deferred.tsv"), &mut library);
    library.finish();
    let mut callbacks = Callbacks::default();
    callbacks.read(include_str!("../catalogue/callbacks.tsv"));
    Catalogue {
        callbacks,
        deferred,
        library,
        rules,
        annotations,
        proxies: proxies::read(include_str!("../catalogue/proxies.tsv")),
        modules: Modules::read(include_str!("../catalogue/modules.tsv")),
        externals,
    }
});

/// The catalogue that is compiled in.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

/// Bytes of a row, about: room is made for as many rows as there will be.
const MEAN_ROW: usize = 64;

/// The widest table has this many columns.
const MAX_COLUMNS: usize = 8;

/// The cells of a row, without an allocation for each of the thousands.
pub(crate) struct Cells {
    cells: [&'static str; MAX_COLUMNS],
    n: usize,
}

impl std::ops::Deref for Cells {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        &self.cells[..self.n]
    }
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A line split at tabs; more columns than any table has are dropped.
fn cells(line: &'static str) -> Cells {
    let mut found = Cells { cells: [""; MAX_COLUMNS], n: 0 };
    let mut start = 0;
    for end in memchr::memchr_iter(b'\t', line.as_bytes()).chain([line.len()]).take(MAX_COLUMNS) {
        found.cells[found.n] = &line[start..end];
        found.n += 1;
        start = end + 1;
    }
    found
}

/// The data lines of a table: without comments and blank lines, split at tabs.
pub(crate) fn rows(text: &'static str) -> impl Iterator<Item = Cells> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(cells)
}

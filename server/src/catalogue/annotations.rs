//! Annotations that decide what a class, method or field is (`semantics.md` §7).

use super::{Library, rows};
use crate::intern::Sym;
use rustc_hash::FxHashMap;

/// What an annotation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its class is a bean.
    Bean,
    /// Its class is a bean whose interfaces are called from outside.
    Export,
    /// The result of its method is a bean.
    Factory,
    /// Likewise, but there is one object for the process only where a scope says so.
    ScopedFactory,
    /// It names a scope.
    Scope,
    /// Its class has more than one object.
    Narrow,
    /// Its class is made anew when the configuration changes.
    Refreshed,
    /// The container sets it.
    Inject,
    /// It says which bean is meant.
    Qualifier,
    /// Its bean is meant where nothing else is said.
    Primary,
    /// It makes beans of the classes that it names.
    Import,
    /// A configuration service sets it while the service runs; with an argument and its value, only with that.
    Pushed(Option<(&'static str, &'static str)>),
    /// It makes fields with a configured value pushed.
    PushedProperties,
    /// It names packages of mappers.
    MapperScan,
    /// A framework calls its method while the service runs.
    Entry,
    /// A container calls its method before the first request.
    StartUp,
    /// An argument names a method that a framework calls; another one may name the class of that.
    Calls(&'static str, &'static str),
    /// Its arguments are kept, that is all.
    Arguments,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationRow {
    /// Its qualified name; without a package, that annotation of any.
    pub name: Sym,
    /// What it says.
    pub role: Role,
}

impl AnnotationRow {
    /// Whether an annotation is meant that is written with a simple name of the row; its qualified name is empty if nobody knows it.
    pub fn is(&self, qualified: &str) -> bool {
        let name = self.name.as_str();
        qualified.is_empty() || name == qualified || !name.contains('.')
    }
}

/// All rows, by simple name.
#[derive(Default)]
pub struct Annotations {
    rows: FxHashMap<Sym, Vec<AnnotationRow>>,
}

impl Annotations {
    /// Reads the rows. The library knows their names, so that an import of a whole package brings them in.
    pub(super) fn read(&mut self, text: &'static str, library: &mut Library) {
        for row in rows(text) {
            let [said, name] = row[..] else { continue };
            let Some(role) = role(said) else { continue };
            if name.contains('.') {
                library.declare(name);
            }
            let simple = Sym::new(name.rsplit('.').next().unwrap_or(name));
            self.rows.entry(simple).or_default().push(AnnotationRow { name: Sym::new(name), role });
        }
    }

    /// Rows of annotations with this simple name.
    pub fn of(&self, simple: Sym) -> &[AnnotationRow] {
        self.rows.get(&simple).map_or(&[], Vec::as_slice)
    }
}

fn role(text: &'static str) -> Option<Role> {
    if let Some((key, value)) = text.strip_prefix("pushed-if:").and_then(|it| it.split_once('=')) {
        return Some(Role::Pushed(Some((key, value))));
    }
    if let Some(argument) = text.strip_prefix("calls:") {
        let (method, class) = argument.split_once('@').unwrap_or((argument, ""));
        return Some(Role::Calls(method, class));
    }
    Some(match text {
        "bean" => Role::Bean,
        "export" => Role::Export,
        "factory" => Role::Factory,
        "scoped-factory" => Role::ScopedFactory,
        "scope" => Role::Scope,
        "narrow" => Role::Narrow,
        "refreshed" => Role::Refreshed,
        "inject" => Role::Inject,
        "qualifier" => Role::Qualifier,
        "primary" => Role::Primary,
        "import" => Role::Import,
        "pushed" => Role::Pushed(None),
        "pushed-properties" => Role::PushedProperties,
        "mapper-scan" => Role::MapperScan,
        "entry" => Role::Entry,
        "start-up" => Role::StartUp,
        "arguments" => Role::Arguments,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_role_and_stands_once() {
        let mut seen = Vec::new();
        for row in rows(include_str!("../../catalogue/annotations.tsv")) {
            let [said, name] = row[..] else { panic!("{row:?}") };
            assert!(role(said).is_some(), "{row:?}");
            assert!(!seen.contains(&(said, name)), "twice: {row:?}");
            seen.push((said, name));
        }
    }
}

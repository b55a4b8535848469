//! What the annotations of a declaration say together, those of the workspace's own annotation types included.

use crate::catalogue::{Role, catalogue};
use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::TypeKind;
use crate::link::listed::Listed;
use crate::link::symbols::{FOREIGN, Scope, Symbols, TypeId};
use rustc_hash::FxHashMap;

/// What annotations say.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The class is a bean.
    pub bean: bool,
    /// Callers outside the process call its interfaces.
    pub export: bool,
    /// The method makes a bean.
    pub factory: bool,
    /// What the method makes is one object for the process only if a scope says so.
    pub unscoped: bool,
    /// A framework calls the method while the service runs.
    pub entry: bool,
    /// A container calls the method before the first request.
    pub start_up: bool,
    /// Methods that a framework calls, with their class if it is another one.
    pub calls: Vec<(Sym, Option<Sym>)>,
    /// More than one object.
    pub narrow: bool,
    /// Made anew when the configuration changes.
    pub refreshed: bool,
    /// Set by the container.
    pub inject: bool,
    /// Meant where nothing else is said.
    pub primary: bool,
    /// A condition decides whether it is there; asked for only where it is primary.
    pub conditional: bool,
    /// Set by a configuration service while the service runs: the annotation that says so.
    pub pushed: Option<Sym>,
    /// Fields with a configured value are.
    pub pushed_properties: bool,
    /// Which bean is meant.
    pub qualifier: Option<Sym>,
    /// The names of the bean.
    pub names: Vec<Sym>,
    /// Classes that are beans by this.
    pub imports: Vec<Sym>,
    /// Packages of mappers; the package of the class if there are none.
    pub mapper_packages: Option<Vec<Sym>>,
    /// The annotation or interface that mappers in them have; without it all interfaces are meant.
    pub mapper_only: Option<Sym>,
}

/// Arguments with the names of a bean.
const NAMES: &[&str] = &["value", "name"];
/// Arguments with packages, and with classes whose packages are meant.
const PACKAGES: &[&str] = &["value", "basePackages", "basePackageClasses"];

/// Arguments that say which interfaces of these packages are mappers.
const MAPPER_ONLY: &[&str] = &["annotationClass", "markerInterface"];

/// Reads annotations; knows the annotation types of the workspace.
pub struct Reader<'a> {
    symbols: &'a Symbols,
    /// Annotation types of the workspace that carry something.
    own: FxHashMap<TypeId, Marks>,
    /// Their simple names.
    names: Vec<Sym>,
    listed: &'a Listed,
    /// Annotations that component scans name as those of beans.
    bean_annotations: &'a [Sym],
}

impl<'a> Reader<'a> {
    /// Reads the annotation types of the workspace first, until nothing is added: one may carry another.
    pub fn new(symbols: &'a Symbols, listed: &'a Listed, bean_annotations: &'a [Sym]) -> Reader<'a> {
        let mut reader = Reader { symbols, own: FxHashMap::default(), names: Vec::new(), listed, bean_annotations };
        let types: Vec<TypeId> = (0..symbols.types.len() as u32)
            .map(|it| TypeId(symbols.n_lib + it))
            .filter(|&it| symbols.type_kind(it) == TypeKind::Annotation && symbols.own(it).is_some_and(|it| !it.head.get().annotations.is_empty()))
            .collect();
        loop {
            let before = reader.own.len();
            for &id in &types {
                if reader.own.contains_key(&id) {
                    continue;
                }
                let Some(info) = symbols.own(id) else { continue };
                let scope = Scope { class: id, unit: info.unit, file: info.file, method: None };
                let marks = reader.read(&info.head.get().annotations, scope);
                if marks != Marks::default() {
                    reader.names.push(info.head.get().name);
                    reader.own.insert(id, marks);
                }
            }
            if reader.own.len() == before {
                return reader;
            }
        }
    }

    /// What the annotations of a declaration at `scope` say.
    pub fn read(&self, annotations: &[Annotation], scope: Scope) -> Marks {
        let mut marks = Marks::default();
        for annotation in annotations {
            self.add(annotation, scope, &mut marks);
        }
        marks.conditional = marks.primary && is_conditional(annotations);
        marks
    }

    fn add(&self, annotation: &Annotation, scope: Scope, marks: &mut Marks) {
        let rows = catalogue().annotations.of(annotation.name);
        let own = self.names.contains(&annotation.name);
        if self.listed.is_bean_annotation(self.symbols, annotation, scope) {
            marks.bean = true;
        }
        let listed = self.bean_annotations.iter().any(|it| it.as_str().rsplit('.').next() == Some(annotation.name.as_str()));
        if rows.is_empty() && !own && !listed {
            return;
        }
        let (id, name) = self.symbols.annotation(annotation, scope);
        if let Some(carried) = self.own.get(&id) {
            marks.join(carried);
            marks.names.extend(annotation.value(NAMES));
        }
        // A name that is imported means what the import says; one that is not may mean any.
        let qualified = if name.contains('.') { name } else { "" };
        let is_meant = |it: &str| match qualified {
            "" => true,
            FOREIGN => self.symbols.imports_package_of(scope.file, it),
            _ => it == qualified || !it.contains('.'),
        };
        if listed && self.bean_annotations.iter().any(|it| is_meant(it.as_str())) {
            marks.bean = true;
        }
        for row in rows.iter().filter(|it| it.is(qualified)) {
            match row.role {
                Role::Bean | Role::Export => {
                    marks.bean = true;
                    marks.export |= row.role == Role::Export;
                    marks.names.extend(annotation.value(NAMES).filter(|it| !it.as_str().is_empty()));
                }
                Role::Factory | Role::ScopedFactory => {
                    marks.factory = true;
                    marks.unscoped |= row.role == Role::ScopedFactory;
                    marks.names.extend(annotation.values(NAMES));
                }
                Role::Scope => marks.narrow |= annotation.value(&["value", "scopeName"]).is_some_and(|it| !is_shared(it.as_str())),
                Role::Narrow => marks.narrow = true,
                Role::Refreshed => marks.refreshed = true,
                Role::Inject => marks.inject = true,
                Role::Qualifier => {
                    if let Some(name) = annotation.value(NAMES).filter(|it| !it.as_str().is_empty()) {
                        marks.qualifier = Some(name);
                    }
                }
                Role::Primary => marks.primary = true,
                Role::Import => marks.imports.extend(annotation.values(&["value", "classes"])),
                Role::Pushed(only) => {
                    if only.is_none_or(|(key, value)| annotation.value(&[key]).is_some_and(|it| it.as_str() == value)) {
                        marks.pushed = Some(annotation.name);
                    }
                }
                Role::PushedProperties => marks.pushed_properties = true,
                Role::MapperScan => {
                    marks.mapper_packages.get_or_insert_default().extend(annotation.values(PACKAGES));
                    marks.mapper_only = marks.mapper_only.or(annotation.value(MAPPER_ONLY));
                }
                Role::Entry => marks.entry = true,
                Role::StartUp => marks.start_up = true,
                Role::Calls(method, class) => {
                    let class = annotation.value(&[class]);
                    marks.calls.extend(annotation.values(&[method]).filter(|it| !it.as_str().is_empty()).map(|it| (it, class)));
                }
                Role::Arguments => {}
            }
        }
    }
}

impl Marks {
    /// What another declaration passes on: everything but names.
    fn join(&mut self, other: &Marks) {
        self.bean |= other.bean;
        self.export |= other.export;
        self.factory |= other.factory;
        self.unscoped |= other.unscoped;
        self.entry |= other.entry;
        self.start_up |= other.start_up;
        self.narrow |= other.narrow;
        self.refreshed |= other.refreshed;
        self.inject |= other.inject;
        self.primary |= other.primary;
        self.pushed = self.pushed.or(other.pushed);
        self.pushed_properties |= other.pushed_properties;
        self.qualifier = self.qualifier.or(other.qualifier);
        self.imports.extend(&other.imports);
        if let Some(packages) = &other.mapper_packages {
            self.mapper_packages.get_or_insert_default().extend(packages);
            self.mapper_only = self.mapper_only.or(other.mapper_only);
        }
    }
}

/// Whether annotations make something only under a condition.
pub(super) fn is_conditional(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|it| it.name.as_str() == "Profile" || it.name.as_str().starts_with("Conditional"))
}

/// Whether a scope has one object for the process; a constant of Spring is written with its class.
pub(super) fn is_shared(scope: &str) -> bool {
    let last = scope.rsplit('.').next().unwrap_or(scope).to_ascii_lowercase();
    let last = last.strip_prefix("scope_").unwrap_or(&last);
    matches!(last, "" | "singleton" | "application")
}

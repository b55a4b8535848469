//! The rows of `mockpoint.toml` with their names resolved, and what they say where (`semantics.md` §9).
//!
//! A row about calls counts in the files that its `mockpoint.toml` holds for, one about declarations for what those
//! files declare.

mod unresolved;

pub use unresolved::unresolved;

use super::symbols::{FieldId, MethodId, Scope, Symbols, TypeId, UNKNOWN};
use super::types::type_text;
use crate::config::{Project, QUERY_FOLDER, Row, RowId, ScopeId, Severity, Use};
use crate::facts::MethodFacts;
use crate::intern::Sym;
use crate::java::annotations::Annotation;
use crate::java::decls::{Flags, MemberKind};
use crate::terms::FileId;
use crate::workspace::SourceFile;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Stands for a row where a query of the project says the same.
pub const MARKED: RowId = RowId::MAX;

/// See the module.
#[derive(Default)]
pub struct Listed {
    /// The rows as they were read.
    pub project: Arc<Project>,
    /// Of each file.
    scopes: Vec<ScopeId>,
    /// The type of each row.
    types: Vec<TypeId>,
    /// Rows about members by their names.
    by_member: FxHashMap<Sym, Vec<RowId>>,
    /// Those about every member.
    any_member: Vec<RowId>,
    /// Rows about annotations.
    annotations: Vec<RowId>,
    /// Fields whose value is state, each with the rows that say so.
    sources: FxHashMap<FieldId, Vec<RowId>>,
    /// Fields that are never modified.
    never: FxHashMap<FieldId, RowId>,
    /// Methods with a body that are mocking points.
    points: FxHashMap<MethodId, RowId>,
    /// Methods without a body, here or in what overrides them, that are: whoever calls them stands for them.
    elsewhere: FxHashMap<MethodId, RowId>,
    /// Methods that are called from outside.
    entries: Vec<MethodId>,
}

/// What rows say of a call.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Said {
    /// Its value is state.
    pub source: Option<RowId>,
    /// It is a mocking point.
    pub point: Option<RowId>,
    /// Its result carries nothing.
    pub sanitizer: bool,
    /// It has no effect on results.
    pub benign: bool,
    /// It changes its receiver.
    pub modifier: bool,
}

impl Listed {
    /// Resolves the rows of a project.
    pub fn collect<'a>(project: &Arc<Project>, symbols: &Symbols, files: &[Arc<SourceFile>], facts: &impl Fn(MethodId) -> &'a MethodFacts) -> Listed {
        let mut listed = Listed { project: Arc::clone(project), ..Listed::default() };
        if project.has_queries() {
            listed.marked(symbols, files, facts);
        }
        if project.is_empty() {
            return listed;
        }
        listed.scopes = files.iter().map(|it| project.scope(&it.path)).collect();
        listed.types = project.rows().iter().map(|it| symbols.qualified(it.ty.as_str())).collect();
        for (id, row) in project.rows().iter().enumerate() {
            let id = id as RowId;
            match row.used {
                Use::EntryAnnotation | Use::BeanAnnotation | Use::PointAnnotation => listed.annotations.push(id),
                _ if row.member.as_str() == "*" => listed.any_member.push(id),
                _ => listed.by_member.entry(row.member).or_default().push(id),
            }
        }
        listed.fields(symbols);
        listed.methods(symbols, files, facts);
        listed
    }

    /// Whether no row says anything.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.elsewhere.is_empty()
    }

    /// A row.
    pub fn row(&self, id: RowId) -> &Row {
        &self.project.rows()[id as usize]
    }

    /// What kind of thing a row is about, if it says so.
    pub fn kind(&self, id: RowId) -> Option<Sym> {
        if id == MARKED { None } else { self.row(id).kind }
    }

    /// What a row is about, in a word or two: its kind, or where it is.
    pub fn component(&self, id: RowId) -> &'static str {
        if id == MARKED {
            return QUERY_FOLDER;
        }
        self.row(id).kind.unwrap_or_else(|| Sym::new(&self.project.place(id))).as_str()
    }

    /// `mockpoint.toml:12 lists it (reason)`.
    pub fn note(&self, id: RowId) -> String {
        if id == MARKED {
            return format!("a query in {QUERY_FOLDER} marks it");
        }
        let reason = self.row(id).reason.map(|it| format!(" ({it})")).unwrap_or_default();
        format!("{} lists it{reason}", self.project.place(id))
    }

    fn holds(&self, row: RowId, file: FileId) -> bool {
        self.scopes.get(file as usize).is_some_and(|&it| self.project.holds(self.row(row).file, it))
    }

    /// How serious findings of a code are in a file, if that is said.
    pub fn severity(&self, file: FileId, code: &str) -> Option<Severity> {
        self.project.severity(*self.scopes.get(file as usize)?, code)
    }

    /// Rows that may be about a member of this name, those about every member last.
    fn about(&self, name: Sym) -> impl Iterator<Item = RowId> {
        // A row about every member is not about constructors.
        let any = if name.as_str().starts_with('<') { &[][..] } else { &self.any_member[..] };
        self.by_member.get(&name).into_iter().flatten().chain(any).copied()
    }

    fn is_about_type(&self, symbols: &Symbols, row: RowId, owner: TypeId) -> bool {
        let ty = self.types[row as usize];
        ty != UNKNOWN && owner != UNKNOWN && symbols.is_subtype(owner, ty)
    }

    /// What is said of a call in a file to a member of one of some types. `fits` tells whether it can be an overload.
    pub fn call(&self, symbols: &Symbols, file: FileId, name: Sym, owners: &[TypeId], fits: impl Fn(&str) -> bool) -> Said {
        let mut said = Said::default();
        for id in self.about(name) {
            let row = self.row(id);
            let is_meant = |owner: &TypeId| if name.as_str() == "<init>" { self.types[id as usize] == *owner } else { self.is_about_type(symbols, id, *owner) };
            if !self.holds(id, file) || !owners.iter().any(is_meant) || !row.params.is_none_or(|it| fits(it.as_str())) {
                continue;
            }
            match row.used {
                Use::Source => said.source = said.source.or(Some(id)),
                Use::Point => said.point = said.point.or(Some(id)),
                Use::Sanitizer => said.sanitizer = true,
                Use::Benign => said.benign = true,
                Use::Modifier => said.modifier = true,
                _ => {}
            }
        }
        said
    }

    /// The row by which a field of a type that is not of the workspace is state.
    pub fn other_field(&self, symbols: &Symbols, file: FileId, owner: TypeId, name: Sym) -> Option<RowId> {
        let is_meant = |&id: &RowId| self.row(id).used == Use::Source && self.row(id).params.is_none();
        self.about(name).filter(is_meant).find(|&id| self.holds(id, file) && self.is_about_type(symbols, id, owner))
    }

    /// The row by which a field of the workspace is state where a file reads it.
    pub fn field(&self, file: FileId, field: FieldId) -> Option<RowId> {
        self.sources.get(&field)?.iter().copied().find(|&it| self.holds(it, file))
    }

    /// The row by which a field is never modified.
    pub fn never_modified(&self, field: FieldId) -> Option<RowId> {
        self.never.get(&field).copied()
    }

    /// The row by which a method is a mocking point whatever it does.
    pub fn point(&self, method: MethodId) -> Option<RowId> {
        self.points.get(&method).copied()
    }

    /// The same for a method that nothing in the workspace has a body for.
    pub fn elsewhere(&self, method: MethodId) -> Option<RowId> {
        self.elsewhere.get(&method).copied()
    }

    /// Methods that something outside calls.
    pub fn entries(&self) -> &[MethodId] {
        &self.entries
    }

    /// Whether an annotation makes beans of the classes of a file.
    pub fn is_bean_annotation(&self, symbols: &Symbols, annotation: &Annotation, scope: Scope) -> bool {
        !self.annotations.is_empty() && self.annotated(symbols, std::slice::from_ref(annotation), scope, Use::BeanAnnotation).is_some()
    }

    /// The row that names one of the annotations of a declaration.
    fn annotated(&self, symbols: &Symbols, annotations: &[Annotation], scope: Scope, used: Use) -> Option<RowId> {
        annotations.iter().find_map(|annotation| {
            let (_, name) = symbols.annotation(annotation, scope);
            // A name that no import explains may mean any package, and so may a row without one.
            let is_meant = |row: &Row| {
                let wanted = row.ty.as_str();
                let simple = wanted.rsplit('.').next() == Some(annotation.name.as_str());
                wanted == name || (simple && !(wanted.contains('.') && name.contains('.')))
            };
            self.annotations.iter().copied().find(|&it| self.row(it).used == used && is_meant(self.row(it)) && self.holds(it, scope.file))
        })
    }

    fn fields(&mut self, symbols: &Symbols) {
        let used = |it: &Listed, row: RowId| matches!(it.row(row).used, Use::Source | Use::NeverModified);
        if !(0..self.types.len() as RowId).any(|it| used(self, it)) {
            return;
        }
        for (field, info) in symbols.fields.iter().enumerate() {
            let field = field as FieldId;
            let found: Vec<RowId> = self.about(info.name).filter(|&it| used(self, it) && self.row(it).params.is_none()).collect();
            for row in found {
                match self.row(row).used {
                    // Constants of enums and captured locals are no state of their own.
                    Use::Source if !info.enum_constant && !info.captured && self.is_about_type(symbols, row, info.owner) => {
                        self.sources.entry(field).or_default().push(row);
                    }
                    Use::NeverModified if self.types[row as usize] == info.owner && self.holds(row, symbols.file_of_unit(info.unit)) => {
                        self.never.entry(field).or_insert(row);
                    }
                    _ => {}
                }
            }
        }
    }

    fn methods<'a>(&mut self, symbols: &Symbols, files: &[Arc<SourceFile>], facts: &impl Fn(MethodId) -> &'a MethodFacts) {
        let rows = self.project.rows();
        if !rows.iter().any(|it| matches!(it.used, Use::Point | Use::Entry | Use::PointAnnotation | Use::EntryAnnotation)) {
            return;
        }
        let mut marked: Vec<(MethodId, RowId)> = Vec::new();
        let mut entries: Vec<MethodId> = Vec::new();
        for (id, info) in symbols.methods.iter().enumerate() {
            let id = id as MethodId;
            let file = symbols.file_of_unit(info.unit);
            let method = facts(id);
            if files[file as usize].is_test || !matches!(method.head.kind, MemberKind::Method | MemberKind::Component | MemberKind::Made) {
                continue;
            }
            // What nobody else can call is not meant by rows about all of a type.
            let is_private = info.flags.has(Flags::PRIVATE);
            let by_name = |used: Use| {
                self.about(info.name).find(|&it| {
                    let row = self.row(it);
                    row.used == used
                        && self.holds(it, file)
                        && self.is_about_type(symbols, it, info.owner)
                        && !(is_private && row.member != info.name)
                        && row.params.is_none_or(|params| params.as_str() == parameters(symbols, id, method))
                })
            };
            let scope = Scope { class: info.owner, unit: Some(info.unit), file, method: Some(id) };
            let by_annotation = |used: Use| {
                let own = self.annotated(symbols, &method.head.annotations, scope, used);
                let class = symbols.own(info.owner).filter(|_| !is_private && used == Use::PointAnnotation);
                own.or_else(|| class.and_then(|it| self.annotated(symbols, &it.head.get().annotations, Scope { method: None, ..scope }, used)))
            };
            if by_name(Use::Entry).or_else(|| by_annotation(Use::EntryAnnotation)).is_some() {
                entries.push(id);
            }
            marked.extend(by_name(Use::Point).or_else(|| by_annotation(Use::PointAnnotation)).map(|row| (id, row)));
        }
        self.entries = entries;
        self.stand(symbols, files, facts, marked);
    }

    /// Methods that queries mark as mocking points.
    fn marked<'a>(&mut self, symbols: &Symbols, files: &[Arc<SourceFile>], facts: &impl Fn(MethodId) -> &'a MethodFacts) {
        let is_meant = |&id: &MethodId| facts(id).role.mock && !files[symbols.file_of_unit(symbols.methods[id as usize].unit) as usize].is_test;
        let marked = (0..symbols.methods.len() as MethodId).filter(is_meant).map(|id| (id, MARKED)).collect();
        self.stand(symbols, files, facts, marked);
    }

    /// Notes mocking points: of a method without a body those that override it, or else whoever calls it.
    fn stand<'a>(&mut self, symbols: &Symbols, files: &[Arc<SourceFile>], facts: &impl Fn(MethodId) -> &'a MethodFacts, marked: Vec<(MethodId, RowId)>) {
        for (id, row) in marked {
            if facts(id).head.has_body || symbols.methods[id as usize].flags.has(Flags::STATIC) || facts(id).head.kind != MemberKind::Method {
                self.points.entry(id).or_insert(row);
                continue;
            }
            let overriders = symbols.overriders.get(&id).map_or(&[][..], Vec::as_slice);
            let mut any = false;
            for &it in
                overriders.iter().filter(|&&it| facts(it).head.has_body && !files[symbols.file_of_unit(symbols.methods[it as usize].unit) as usize].is_test)
            {
                any = true;
                self.points.entry(it).or_insert(row);
            }
            if !any {
                self.elsewhere.insert(id, row);
            }
        }
    }
}

/// The erased parameter types of a method of the workspace, as rows write them.
pub fn parameters(symbols: &Symbols, id: MethodId, method: &MethodFacts) -> String {
    let types: Vec<String> = method.head.params.iter().map(|it| type_text(symbols, id, &method.head, it.ty)).collect();
    format!("({})", types.join(","))
}

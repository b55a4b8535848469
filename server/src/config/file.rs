//! The keys of `mockpoint.toml` as types. Their comments are the text of `docs/mockpoint.schema.json`.

use super::globs::Globs;
use super::tree::Word;
use crate::intern::Sym;
use crate::java::decls::Range;
use crate::settings::{Precision, Tier};
use crate::terms::World;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What a project says of itself. A file holds for the folder it lies in and all below; where several hold, the rows of
/// all of them count, and of the other keys those of the nearest one.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[schemars(title = "mockpoint.toml", rename_all = "kebab-case", deny_unknown_fields)]
pub struct ConfigFile {
    /// The reading of the rules: with the refinements beyond the paper, or without. For the whole run: only in the outermost file.
    pub precision: Option<Precision>,
    /// What is assumed about callers outside the sources. For the whole run: only in the outermost file.
    pub world: Option<World>,
    /// Which rows of the catalogue are sources. For the whole run: only in the outermost file.
    pub tier: Option<Tier>,
    /// Threads of the command line; all cores unless given. For the whole run: only in the outermost file.
    #[schemars(range(min = 1, max = 1024))]
    pub jobs: Option<u16>,
    /// Files that are not read, by patterns as in a `.gitignore` beside this file.
    #[schemars(default)]
    pub exclude: Globs,
    /// The files that are test sources, by patterns as in a `.gitignore` beside this file. With it, the layout of
    /// folders (`src/test/java` and the like) says nothing of test sources any more.
    pub tests: Option<Globs>,
    /// How serious the findings of a code are; `off` leaves them out.
    #[schemars(default, schema_with = "severities")]
    pub severity: BTreeMap<Code, Severity>,
    /// Methods and fields to read whose value is state, besides those that mockpoint knows: category `white-list`.
    #[schemars(default)]
    pub source: Vec<StateRow>,
    /// Methods that are mocking points, whatever they do: category `white-list`.
    #[schemars(default)]
    pub mocking_point: Vec<StateRow>,
    /// Methods whose result carries no state, whatever they read or are given.
    #[schemars(default)]
    pub sanitizer: Vec<MemberRow>,
    /// Methods without effect on results: a branch that guards nothing else does not count.
    #[schemars(default)]
    pub benign: Vec<MemberRow>,
    /// Methods that change the object they are called on, which takes in the arguments.
    #[schemars(default)]
    pub modifier: Vec<MemberRow>,
    /// Methods that something outside the sources calls, by name or by annotation.
    #[schemars(default)]
    pub entry_point: Vec<EntryRow>,
    /// Annotations that make singleton beans of classes.
    #[schemars(default)]
    pub bean: Vec<AnnotationRow>,
    /// Annotations that make mocking points of methods, or of all methods of a type: category `white-list`.
    #[schemars(default)]
    pub interaction_point: Vec<AnnotationRow>,
    /// Fields that are never modified while the service runs, whatever the sources say.
    #[schemars(default)]
    pub never_modified: Vec<FieldRow>,
}

/// A key for each code.
fn severities(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<Severity>();
    let keys: Map<String, Value> = Code::WORDS.iter().map(|it| (it.0.to_owned(), value.clone().to_value())).collect();
    json_schema!({ "type": "object", "properties": keys, "additionalProperties": false })
}

/// A code of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Code {
    /// A method that depends on state.
    MockingPoint,
    /// A field that is modified while the service runs.
    ModifiedField,
    /// A field that is ruled out.
    NeverModifiedField,
    /// A write that is lost when a mocking point is answered from the record.
    LostSideEffect,
    /// A read of state where no method can be mocked.
    UnmockableSource,
    /// A field that carries state which was written to it.
    CarrierField,
    /// Something in a file of configuration that means nothing.
    UnresolvedConfiguration,
}

/// How serious a finding is.
#[derive(JsonSchema, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Information.
    Information,
    /// A hint.
    Hint,
    /// It is left out.
    Off,
}

/// A member of a type that is state, as in the catalogue.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StateRow {
    /// The qualified name of the type: `com.example.Outer.Inner`. Its subtypes count as well.
    #[schemars(rename = "type", with = "String")]
    pub ty: Sym,
    /// The name of the method or field; `<init>` for constructors, `*` for all but those.
    #[schemars(with = "String")]
    pub member: Sym,
    /// Erased parameter types, as in `(java.lang.String,int)`; all overloads unless given.
    #[schemars(with = "Option<String>")]
    pub params: Option<Sym>,
    /// What kind of state or dependency it is, in a word, such as `database`; for people.
    #[schemars(with = "Option<String>")]
    pub kind: Option<Sym>,
    /// Why the row is here; for people.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Sym>,
    /// Where the row is.
    #[schemars(skip)]
    pub range: Range,
}

/// A method of a type, as in the catalogue.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MemberRow {
    /// The qualified name of the type: `com.example.Outer.Inner`. Its subtypes count as well.
    #[schemars(rename = "type", with = "String")]
    pub ty: Sym,
    /// The name of the method; `<init>` for constructors, `*` for all but those.
    #[schemars(with = "String")]
    pub member: Sym,
    /// Erased parameter types, as in `(java.lang.String,int)`; all overloads unless given.
    #[schemars(with = "Option<String>")]
    pub params: Option<Sym>,
    /// Why the row is here; for people.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Sym>,
    /// Where the row is.
    #[schemars(skip)]
    pub range: Range,
}

/// A method that something outside the sources calls: either `annotation`, or `type` and `member`.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["annotation"] }, { "required": ["type", "member"] }]))]
#[schemars(extend("dependentRequired" = { "member": ["type"], "params": ["member"] }))]
pub struct EntryRow {
    /// The annotation that such methods bear, with its package.
    #[schemars(with = "Option<String>")]
    pub annotation: Option<Sym>,
    /// The qualified name of the type. Its subtypes count as well.
    #[schemars(rename = "type", with = "Option<String>")]
    pub ty: Option<Sym>,
    /// The name of the method; `*` for all.
    #[schemars(with = "Option<String>")]
    pub member: Option<Sym>,
    /// Erased parameter types; all overloads unless given.
    #[schemars(with = "Option<String>")]
    pub params: Option<Sym>,
    /// Why the row is here; for people.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Sym>,
    /// Where the row is.
    #[schemars(skip)]
    pub range: Range,
}

/// An annotation.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AnnotationRow {
    /// Its name with its package.
    #[schemars(with = "String")]
    pub annotation: Sym,
    /// Why the row is here; for people.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Sym>,
    /// Where the row is.
    #[schemars(skip)]
    pub range: Range,
}

/// A field.
#[derive(JsonSchema, Clone, PartialEq, Eq, Debug)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FieldRow {
    /// The qualified name of the type that declares it.
    #[schemars(rename = "type", with = "String")]
    pub ty: Sym,
    /// Its name; `*` for all.
    #[schemars(with = "String")]
    pub field: Sym,
    /// Why the row is here; for people.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Sym>,
    /// Where the row is.
    #[schemars(skip)]
    pub range: Range,
}

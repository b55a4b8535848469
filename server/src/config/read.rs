//! From the text of a `mockpoint.toml` to its keys.

use super::file::{AnnotationRow, Code, ConfigFile, EntryRow, FieldRow, MemberRow, Severity, StateRow};
use super::tree::{Keys, MAX_PROBLEMS, Reader, Row, Word, shown};
use super::{ConfigProblem, tree};
use crate::codes;
use crate::intern::Sym;
use crate::settings::{Precision, Tier};
use crate::terms::World;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a file. Never fails: what is wrong is left out and said, in the order of places.
pub fn read(text: &str) -> (ConfigFile, Vec<ConfigProblem>) {
    let mut reader = Reader::default();
    let (tree, errors) = DeTable::parse_recoverable(text);
    let is_toml = errors.len() <= MAX_PROBLEMS;
    for err in errors {
        reader.syntax(err.span(), err.message());
    }
    if !is_toml {
        return (ConfigFile::default(), reader.into_problems());
    }
    let mut keys = Keys::root(&tree);
    let mut file = ConfigFile {
        precision: keys.optional("precision", &mut reader),
        world: keys.optional("world", &mut reader),
        tier: keys.optional("tier", &mut reader),
        jobs: keys.optional("jobs", &mut reader),
        exclude: keys.optional("exclude", &mut reader).unwrap_or_default(),
        tests: keys.optional("tests", &mut reader),
        severity: keys.optional("severity", &mut reader).unwrap_or_default(),
        source: keys.optional("source", &mut reader).unwrap_or_default(),
        mocking_point: keys.optional("mocking-point", &mut reader).unwrap_or_default(),
        sanitizer: keys.optional("sanitizer", &mut reader).unwrap_or_default(),
        benign: keys.optional("benign", &mut reader).unwrap_or_default(),
        modifier: keys.optional("modifier", &mut reader).unwrap_or_default(),
        entry_point: keys.optional("entry-point", &mut reader).unwrap_or_default(),
        bean: keys.optional("bean", &mut reader).unwrap_or_default(),
        interaction_point: keys.optional("interaction-point", &mut reader).unwrap_or_default(),
        never_modified: keys.optional("never-modified", &mut reader).unwrap_or_default(),
    };
    keys.finish(&mut reader);
    file.mocking_point.retain(|it| {
        let can_be = it.member.as_str() != "<init>";
        if !can_be {
            reader.problem(it.range, "`mocking-point.member` cannot be `<init>`: constructors are never mocked".to_owned());
        }
        can_be
    });
    (file, reader.into_problems())
}

/// The words of values, which are those of reports and options.
impl Word for Precision {
    const WORDS: &'static [(&'static str, Precision)] = &[("refined", Precision::Refined), ("paper", Precision::Paper)];
}

impl Word for World {
    const WORDS: &'static [(&'static str, World)] = &[("application", World::Application), ("library", World::Library), ("with-tests", World::WithTests)];
}

impl Word for Tier {
    const WORDS: &'static [(&'static str, Tier)] = &[("core", Tier::Core), ("opt-in", Tier::OptIn)];
}

impl Word for Code {
    const WORDS: &'static [(&'static str, Code)] = &[
        (codes::MOCKING_POINT, Code::MockingPoint),
        (codes::MODIFIED_FIELD, Code::ModifiedField),
        (codes::NEVER_MODIFIED_FIELD, Code::NeverModifiedField),
        (codes::LOST_SIDE_EFFECT, Code::LostSideEffect),
        (codes::UNMOCKABLE_SOURCE, Code::UnmockableSource),
        (codes::CARRIER_FIELD, Code::CarrierField),
        (codes::UNRESOLVED_CONFIGURATION, Code::UnresolvedConfiguration),
    ];
}

impl Word for Severity {
    const WORDS: &'static [(&'static str, Severity)] =
        &[("error", Severity::Error), ("warning", Severity::Warning), ("information", Severity::Information), ("hint", Severity::Hint), ("off", Severity::Off)];
}

/// A qualified name: `com.example.Outer.Inner`.
struct TypeName(Sym);

impl tree::FromToml for TypeName {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<TypeName> {
        let text = String::take(value, key, reader)?;
        let is_name = text.split('.').all(is_identifier);
        if !is_name {
            reader.say(&value.span(), format!("`{key}` must be the qualified name of a type, such as `com.example.Outer.Inner`, not `{}`", shown(&text)));
        }
        is_name.then(|| TypeName(Sym::new(&text)))
    }
}

/// The name of a member.
struct MemberName(Sym);

impl tree::FromToml for MemberName {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<MemberName> {
        let text = String::take(value, key, reader)?;
        let is_name = text == "*" || text == "<init>" || is_identifier(&text);
        if !is_name {
            reader.say(&value.span(), format!("`{key}` must be a name, `<init>` or `*`, not `{}`", shown(&text)));
        }
        is_name.then(|| MemberName(Sym::new(&text)))
    }
}

/// Erased parameter types, without blanks.
struct Params(Sym);

impl tree::FromToml for Params {
    fn take(value: &Spanned<DeValue<'_>>, key: &str, reader: &mut Reader) -> Option<Params> {
        let text: String = String::take(value, key, reader)?.split_whitespace().collect();
        let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        let is_type = |it: &str| it.trim_end_matches("[]").split('.').all(is_identifier);
        let fits = inner.is_some_and(|it| it.is_empty() || it.split(',').all(is_type));
        if !fits {
            reader.say(&value.span(), format!("`{key}` must be erased parameter types, such as `(java.lang.String,int)`, not `{}`", shown(&text)));
        }
        fits.then(|| Params(Sym::new(&text)))
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$')) && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

impl Row for StateRow {
    fn take(mut keys: Keys<'_, '_>, reader: &mut Reader) -> Option<StateRow> {
        let row = MemberRow::parts(&mut keys, reader);
        let kind = keys.remark("kind", reader);
        keys.finish(reader).then_some(row?).map(|MemberRow { ty, member, params, reason, range }| StateRow { ty, member, params, kind, reason, range })
    }
}

impl MemberRow {
    fn parts(keys: &mut Keys<'_, '_>, reader: &mut Reader) -> Option<MemberRow> {
        let ty: Option<TypeName> = keys.required("type", reader);
        let member: Option<MemberName> = keys.required("member", reader);
        let params: Option<Params> = keys.optional("params", reader);
        let reason = keys.remark("reason", reader);
        Some(MemberRow { ty: ty?.0, member: member?.0, params: params.map(|it| it.0), reason, range: keys.range() })
    }
}

impl Row for MemberRow {
    fn take(mut keys: Keys<'_, '_>, reader: &mut Reader) -> Option<MemberRow> {
        let row = MemberRow::parts(&mut keys, reader);
        if keys.finish(reader) { row } else { None }
    }
}

impl Row for EntryRow {
    fn take(mut keys: Keys<'_, '_>, reader: &mut Reader) -> Option<EntryRow> {
        let annotation: Option<TypeName> = keys.optional("annotation", reader);
        let ty: Option<TypeName> = keys.optional("type", reader);
        let member: Option<MemberName> = keys.optional("member", reader);
        let params: Option<Params> = keys.optional("params", reader);
        let reason = keys.remark("reason", reader);
        let range = keys.range();
        if !keys.finish(reader) {
            return None;
        }
        let by_name = ty.is_some() && member.is_some();
        let any_name = ty.is_some() || member.is_some() || params.is_some();
        if (annotation.is_some() && any_name) || !(annotation.is_some() || by_name) {
            reader.problem(range, "`entry-point` must have either `annotation`, or `type` and `member`".to_owned());
            return None;
        }
        let (ty, member) = (ty.map(|it| it.0), member.map(|it| it.0));
        Some(EntryRow { annotation: annotation.map(|it| it.0), ty, member, params: params.map(|it| it.0), reason, range })
    }
}

impl Row for AnnotationRow {
    fn take(mut keys: Keys<'_, '_>, reader: &mut Reader) -> Option<AnnotationRow> {
        let annotation: Option<TypeName> = keys.required("annotation", reader);
        let reason = keys.remark("reason", reader);
        let row = annotation.map(|it| AnnotationRow { annotation: it.0, reason, range: keys.range() });
        if keys.finish(reader) { row } else { None }
    }
}

impl Row for FieldRow {
    fn take(mut keys: Keys<'_, '_>, reader: &mut Reader) -> Option<FieldRow> {
        let ty: Option<TypeName> = keys.required("type", reader);
        let field: Option<MemberName> = keys.required("field", reader);
        let reason = keys.remark("reason", reader);
        let range = keys.range();
        let complete = keys.finish(reader);
        Some(FieldRow { ty: ty?.0, field: field?.0, reason, range }).filter(|_| complete)
    }
}

//! `mockpoint/findings`: mocking points as a tree of categories, classes and methods; fields by what is said of them.

use super::convert::path_of;
use super::diagnostics::is_shown;
use super::moment::Moment;
use crate::codes;
use crate::host::Findings;
use crate::verdict::{Category, FieldVerdict, MockingPoint, Modifier};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tower_lsp::lsp_types::{Range, Url};

/// What is asked for.
#[derive(Deserialize, Debug, Default)]
#[serde(default)]
pub(super) struct Params {
    /// One file, or all.
    uri: Option<Url>,
}

/// The answer.
#[derive(Serialize, Debug)]
pub(super) struct Tree {
    complete: bool,
    categories: Vec<OfCategory>,
    fields: Vec<OfVerdict>,
}

#[derive(Serialize, Debug)]
struct OfCategory {
    category: &'static str,
    count: usize,
    classes: Vec<Class>,
}

#[derive(Serialize, Debug)]
struct Class {
    class: String,
    name: String,
    uri: Url,
    methods: Vec<Method>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Method {
    name: String,
    signature: String,
    message: String,
    uri: Url,
    range: Range,
    selection_range: Range,
    sources: Vec<Source>,
}

#[derive(Serialize, Debug)]
struct Source {
    category: &'static str,
    what: String,
    via: Option<String>,
    uri: Url,
    range: Range,
}

/// Fields of which the same is said.
#[derive(Serialize, Debug)]
struct OfVerdict {
    /// The code of their diagnostics.
    verdict: &'static str,
    count: usize,
    classes: Vec<ClassFields>,
}

#[derive(Serialize, Debug)]
struct ClassFields {
    class: String,
    name: String,
    uri: Url,
    fields: Vec<Field>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Field {
    name: String,
    message: String,
    /// Why it is ruled out.
    reason: Option<&'static str>,
    uri: Url,
    /// Of its name.
    range: Range,
    modifiers: Vec<ModifiedBy>,
}

#[derive(Serialize, Debug)]
struct ModifiedBy {
    method: String,
    called: bool,
    uri: Url,
    range: Range,
}

/// The tree of one file or of the workspace.
pub(super) fn tree(moment: &Moment, params: &Params) -> Tree {
    let files = match &params.uri {
        Some(uri) => path_of(uri).and_then(|it| moment.findings(&it)).into_iter().collect(),
        None => moment.all_findings(),
    };
    let categories = Category::ALL.into_iter().filter_map(|category| {
        let mut classes: BTreeMap<String, Class> = BTreeMap::new();
        let mut count = 0;
        for findings in &files {
            for point in findings.points.iter().filter(|it| it.categories.contains(&category)) {
                let Some(method) = method(moment, findings, point) else { continue };
                count += 1;
                let name = codes::class_without_package(&point.method.class, &point.method.binary_class).to_owned();
                let new = || Class { class: point.method.class.clone(), name, uri: method.uri.clone(), methods: Vec::new() };
                classes.entry(point.method.class.clone()).or_insert_with(new).methods.push(method);
            }
        }
        (count > 0).then(|| OfCategory { category: codes::category(category), count, classes: classes.into_values().collect() })
    });
    let fields = [codes::MODIFIED_FIELD, codes::NEVER_MODIFIED_FIELD].into_iter().filter_map(|verdict| {
        let mut classes: BTreeMap<String, ClassFields> = BTreeMap::new();
        let mut count = 0;
        for findings in &files {
            for it in findings.fields.iter().filter(|it| codes::field_code(it) == verdict && is_shown(it)) {
                let Some(field) = field(moment, findings, it) else { continue };
                count += 1;
                let name = without_package(&it.class).to_owned();
                let new = || ClassFields { class: it.class.clone(), name, uri: field.uri.clone(), fields: Vec::new() };
                classes.entry(it.class.clone()).or_insert_with(new).fields.push(field);
            }
        }
        (count > 0).then(|| OfVerdict { verdict, count, classes: classes.into_values().collect() })
    });
    Tree { complete: moment.complete, categories: categories.collect(), fields: fields.collect() }
}

fn field(moment: &Moment, findings: &Findings, it: &FieldVerdict) -> Option<Field> {
    let at = moment.location(findings, it.place)?;
    let modified_by = |it: &Modifier| {
        let at = moment.location(findings, it.place)?;
        Some(ModifiedBy { method: it.method.clone(), called: it.called, uri: at.uri, range: at.range })
    };
    Some(Field {
        name: it.name.clone(),
        message: codes::field_message(it),
        reason: it.ruled_out.map(codes::reason),
        uri: at.uri,
        range: at.range,
        modifiers: it.modifiers.iter().filter_map(modified_by).collect(),
    })
}

/// `pkg.Outer.Inner` without `pkg.`, by the custom that packages begin with a small letter and classes do not.
fn without_package(class: &str) -> &str {
    let mut rest = class;
    while rest.starts_with(char::is_lowercase)
        && let Some((_, inner)) = rest.split_once('.')
    {
        rest = inner;
    }
    rest
}

fn method(moment: &Moment, findings: &Findings, point: &MockingPoint) -> Option<Method> {
    let name = moment.location(findings, point.place)?;
    let declaration = moment.location(findings, point.declaration)?;
    let source = |it: &crate::verdict::SourceUse| {
        let at = moment.location(findings, it.place)?;
        Some(Source { category: codes::category(it.category), what: it.what.clone(), via: it.via.clone(), uri: at.uri, range: at.range })
    };
    Some(Method {
        name: point.method.name.clone(),
        signature: format!("{}({})", point.method.name, point.method.parameters.join(", ")),
        message: codes::point_message(point),
        uri: name.uri,
        range: declaration.range,
        selection_range: name.range,
        sources: point.sources.iter().filter_map(source).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::without_package;

    #[test]
    fn classes_without_packages() {
        assert_eq!(["a.b.Outer.Inner", "Outer", "a.b.small", "é.C"].map(without_package), ["Outer.Inner", "Outer", "small", "C"]);
    }
}

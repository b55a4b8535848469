//! Runs the small cases of `shared/cases`, which stand beside the project, in both readings.
//!
//! A case is a folder of Java files with an `expect.json`. Its lists are closed: what they do not name is neither a
//! mocking point nor a field that anything is said of.

use mockpoint::analysis::{Analysis, analyse};
use mockpoint::intern::Sym;
use mockpoint::load::{LoadOptions, load};
use mockpoint::settings::{Precision, Settings};
use mockpoint::verdict::Category;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What a case expects of one reading.
struct Expected {
    /// `Class.method` with the categories that it must have and those that it may have besides.
    points: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>,
    /// Methods of which nothing is expected.
    undecided_methods: BTreeSet<String>,
    modified: BTreeSet<String>,
    never_modified: BTreeSet<String>,
    undecided_fields: BTreeSet<String>,
    /// Named as no mocking points: that a case misspells one would go unseen otherwise.
    others: BTreeSet<String>,
}

fn strings(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().map(|it| it.as_str().expect("lists are of strings").to_owned()).collect()
}

fn points(value: &Value) -> impl Iterator<Item = (String, (BTreeSet<String>, BTreeSet<String>))> + '_ {
    value.as_array().into_iter().flatten().map(|it| {
        let method = it["method"].as_str().expect("a point has a method").to_owned();
        (method, (strings(&it["categories"]), strings(&it["also"])))
    })
}

impl Expected {
    fn new(json: &Value, precision: Precision) -> Expected {
        let mut res = Expected {
            points: points(&json["mocking_points"]).collect(),
            undecided_methods: strings(&json["undecided"]["methods"]),
            modified: strings(&json["modified_fields"]),
            never_modified: strings(&json["never_modified_fields"]),
            undecided_fields: strings(&json["undecided"]["fields"]),
            others: strings(&json["not_mocking_points"]),
        };
        if precision == Precision::Refined {
            let refined = &json["refined"];
            for method in strings(&refined["not_mocking_points"]) {
                res.points.remove(&method);
                res.others.insert(method);
            }
            for (method, categories) in points(&refined["mocking_points"]) {
                res.others.remove(&method);
                res.points.insert(method, categories);
            }
            for field in strings(&refined["modified_fields"]) {
                res.never_modified.remove(&field);
                res.modified.insert(field);
            }
            for field in strings(&refined["never_modified_fields"]) {
                res.modified.remove(&field);
                res.never_modified.insert(field);
            }
        }
        res
    }
}

fn category(category: Category) -> &'static str {
    match category {
        Category::System => "system",
        Category::Internal => "internal",
        Category::External => "external",
        Category::WhiteList => "white-list",
    }
}

/// All methods and fields that a case declares, as `Class.name`.
fn declared(linked: &Analysis) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut methods, mut fields) = (BTreeSet::new(), BTreeSet::new());
    for file in &linked.files {
        for ty in &file.facts.types {
            let mut class = ty.head.name.as_str().to_owned();
            let mut outer = ty.outer;
            while let Some(index) = outer {
                let around = &file.facts.types[index as usize];
                class = format!("{}.{class}", around.head.name.as_str());
                outer = around.outer;
            }
            let in_class = |name: Sym| format!("{class}.{}", name.as_str());
            for member in &ty.members {
                methods.extend(member.facts.methods.iter().map(|it| in_class(it.head.name)));
                fields.extend(member.facts.fields.iter().map(|it| in_class(it.head.name)));
            }
        }
    }
    (methods, fields)
}

fn check(folder: &Path, precision: Precision, report: &mut String) {
    let name = folder.file_name().expect("a case has a name").to_string_lossy().into_owned();
    let mut wrong = |what: String| {
        let _ = writeln!(report, "{name} [{precision:?}]: {what}");
    };
    let text = std::fs::read_to_string(folder.join("expect.json")).expect("a case has expectations");
    let expected = Expected::new(&serde_json::from_str(&text).expect("expect.json is JSON"), precision);
    let mut loaded = load(&[folder.to_owned()], &LoadOptions::default(), &());
    assert!(loaded.problems.is_empty() && !loaded.files.is_empty(), "{name}: {:?}", loaded.problems);
    let package = loaded.files[0].facts.package.as_str().to_owned();
    let short = |full: &str| full.strip_prefix(&package).and_then(|it| it.strip_prefix('.')).unwrap_or(full).to_owned();
    let linked = analyse(loaded.take_sources(), Settings { precision, ..Settings::default() }, None);
    let (methods, fields) = declared(&linked);
    for method in expected.points.keys().chain(&expected.others).chain(&expected.undecided_methods) {
        if !methods.contains(method) {
            wrong(format!("{method} is named, but not declared; there are {methods:?}"));
        }
    }

    // Overloads share a name, and so an expectation.
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for point in &linked.verdicts.mocking_points {
        found.entry(short(&point.method.short())).or_default().extend(point.categories.iter().map(|it| category(*it).to_owned()));
    }
    for (method, (must, may)) in &expected.points {
        let is = found.remove(method).unwrap_or_default();
        if !must.is_subset(&is) || !is.iter().all(|it| must.contains(it) || may.contains(it)) {
            wrong(format!("{method} should be {must:?}, may besides be {may:?}, and is {is:?}"));
        }
    }
    for (method, is) in found {
        if !expected.undecided_methods.contains(&method) {
            let stated = if expected.others.contains(&method) { "is stated to be none" } else { "is not named" };
            wrong(format!("{method} {stated}, and is a mocking point {is:?}"));
        }
    }

    let mut said: BTreeMap<String, bool> =
        linked.verdicts.fields.iter().map(|it| (short(&format!("{}.{}", it.class, it.name)), it.ruled_out.is_none())).collect();
    let lists = expected.modified.iter().map(|it| (it, true)).chain(expected.never_modified.iter().map(|it| (it, false)));
    for (field, should) in lists {
        if !fields.contains(field) {
            wrong(format!("the field {field} is named, but not declared; there are {fields:?}"));
        }
        match said.remove(field) {
            Some(is) if is == should => {}
            Some(is) => wrong(format!("{field}: modified should be {should} and is {is}")),
            None => wrong(format!("{field}: modified should be {should}, and nothing is said")),
        }
    }
    said.retain(|field, _| !expected.undecided_fields.contains(field));
    for (field, is) in said {
        wrong(format!("{field} is not named, and is said to be modified: {is}"));
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know what did not run")]
fn cases_of_the_design() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    if !root.is_dir() {
        eprintln!("skipped: no shared/ beside the project");
        return;
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root).expect("cases can be listed").map(|it| it.expect("a case can be listed").path()).collect();
    folders.sort();
    let mut report = String::new();
    for folder in folders.iter().filter(|it| it.is_dir()) {
        for precision in [Precision::Paper, Precision::Refined] {
            check(folder, precision, &mut report);
        }
    }
    assert!(report.is_empty(), "{} wrong\n{report}", report.lines().count());
}

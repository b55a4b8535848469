//! The shipped example gives what `tests/fixtures/orders/EXPECTED.md` derives by hand, and nothing else.

use mockpoint::analysis::{Analysis, analyse};
use mockpoint::settings::{Precision, Settings};
use mockpoint::verdict::{Category, Flow};
use mockpoint::workspace::SourceFile;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/orders")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "java") {
            found.push(path);
        }
    }
}

fn analysed(precision: Precision) -> Analysis {
    let mut paths = Vec::new();
    sources(&root(), &mut paths);
    paths.sort();
    let files = paths.into_iter().map(|path| {
        let bytes = std::fs::read(&path).unwrap();
        Arc::new(SourceFile::from_bytes(path, &root(), bytes))
    });
    analyse(files.collect::<Vec<_>>(), Settings { precision, ..Settings::default() }, None)
}

/// `Class#method categories flow` of each mocking point.
fn points(precision: Precision) -> BTreeSet<String> {
    let said = analysed(precision).verdicts.mocking_points.into_iter().map(|it| {
        let categories: Vec<&str> = it.categories.iter().map(|it| if *it == Category::System { "system" } else { "internal" }).collect();
        let flow = if it.flow == Flow::Intra { "intra" } else { "inter" };
        format!("{}#{} {} {flow}", it.method.class.trim_start_matches("shop.orders."), it.method.name, categories.join(" "))
    });
    said.collect()
}

/// The rows of the table below a line that starts with `title`, by their first three cells.
fn rows(text: &str, title: &str) -> BTreeSet<String> {
    let table = text.split_once(title).unwrap().1.lines().skip_while(|it| !it.starts_with('|')).take_while(|it| it.starts_with('|'));
    let cells = table.skip(2).map(|line| line.split('|').map(|it| it.trim().to_owned()).collect::<Vec<_>>());
    cells.map(|it| format!("{} {} {}", it[1].split(' ').next().unwrap().trim_matches('`'), it[2], it[3])).collect()
}

#[test]
fn mocking_points_are_those_derived_by_hand() {
    let text = std::fs::read_to_string(root().join("EXPECTED.md")).unwrap();
    let both = rows(&text, "## Mocking points");
    assert!(both.len() > 15, "the table was not found");
    assert_eq!(points(Precision::Refined), both);
    let paper: BTreeSet<String> = both.into_iter().chain(rows(&text, "Only in the paper's reading:")).collect();
    assert_eq!(points(Precision::Paper), paper);
}

#[test]
fn fields_are_modified_as_derived_by_hand() {
    let text = std::fs::read_to_string(root().join("EXPECTED.md")).unwrap();
    let table = text.split_once("## Static fields and fields of beans").unwrap().1.lines().filter(|it| it.starts_with("| `"));
    let modified: BTreeSet<String> = table.filter(|it| it.contains("| modified by")).map(|it| it.split('`').nth(1).unwrap().to_owned()).collect();
    let analysis = analysed(Precision::Refined);
    let found = analysis.verdicts.fields.iter().filter(|it| it.ruled_out.is_none());
    let found: BTreeSet<String> = found.map(|it| format!("{}.{}", it.class.trim_start_matches("shop.orders."), it.name)).collect();
    assert_eq!(found, modified);
}

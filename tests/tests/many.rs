//! A result that may be very many fields: what any implementation of an interface of everybody gives.

use mockpoint_tests::Tree;
use std::fmt::Write as _;

/// How many fields are modified of as many classes that keep a list each and give it, if somebody adds to what is given.
fn modified(n: usize) -> usize {
    let mut text = "import java.util.*;\n\ninterface Shelf {\n    List<String> books();\n}\n".to_owned();
    for i in 0..n {
        let list = "static final List<String> BOOKS = new ArrayList<>();";
        write!(text, "\nclass Shelf{i} implements Shelf {{\n    {list}\n    public List<String> books() {{ return BOOKS; }}\n}}\n").unwrap();
    }
    text += "\nclass Main {\n    public static void main(String[] args) { put(new Shelf0(), args[0]); }\n";
    text += "    static void put(Shelf shelf, String book) { shelf.books().add(book); }\n}\n";
    let report = Tree::with(&[("Shelves.java", &text)]).run(&["check", "--format", "json"]).json();
    let fields = report["fields"].as_array().unwrap();
    assert_eq!(fields.len(), n);
    fields.iter().filter(|it| it["verdict"] == "modified").count()
}

#[test]
fn all_of_many_fields_change_and_none_of_too_many() {
    assert_eq!(modified(64), 64);
    assert_eq!(modified(65), 0);
}

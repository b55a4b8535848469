//! Files that are broken by mistake: what was read stands, and each mistake is said with its place.

use super::{at, document, xml};
use crate::wiring::WiringFacts;

fn ids(facts: &WiringFacts) -> Vec<&'static str> {
    facts.beans.iter().filter_map(|it| it.id).map(|it| it.as_str()).collect()
}

/// The messages with the text at their places.
fn problems(source: &str) -> (Vec<&'static str>, Vec<(String, String)>) {
    let facts = xml(source);
    (ids(&facts), facts.problems.iter().map(|it| (it.message.clone(), at(source, it.range).to_owned())).collect())
}

fn said(message: &str, at: &str) -> (String, String) {
    (message.to_owned(), at.to_owned())
}

#[test]
fn an_element_that_is_not_closed() {
    let source = document("<bean id='a'><property name='x' value='1'></bean><bean id='b'/>");
    assert_eq!(problems(&source), (vec!["a", "b"], vec![said("`<property>` is not closed", "<property name='x' value='1'>")]));
    assert_eq!(problems("<beans><bean id='a'/><bean id='b'>"), (vec!["a", "b"], vec![said("`<bean>` is not closed", "<bean id='b'>")]));
}

#[test]
fn an_end_without_a_begin() {
    let source = document("<bean id='a'/></bean><bean id='b'/>");
    assert_eq!(problems(&source), (vec!["a", "b"], vec![said("`</bean>` closes nothing", "</bean>")]));
}

#[test]
fn a_tag_that_does_not_end() {
    let (ids, said) = problems("<beans>\n<bean id='a'/>\n<bean id='b'");
    assert_eq!((ids, said.len()), (vec!["a"], 2));
    let facts = xml("<beans>\n<bean id='a'/>\n<bean id='b'");
    assert_eq!(facts.problems[1].range.start, 23);
}

#[test]
fn attributes_without_values() {
    let source = document("<bean id='a' lazy class=p.A/><bean id='b'/>");
    let (ids, said) = problems(&source);
    assert_eq!(ids, ["a", "b"]);
    assert!(!said.is_empty() && said.iter().all(|it| it.1.starts_with("<bean id='a'")), "{said:?}");
}

#[test]
fn an_unknown_entity() {
    let source = document("<bean id='a' class='p.&pkg;.A'/><bean id='b'/>");
    assert_eq!(problems(&source), (vec!["a", "b"], vec![said("entity `pkg` is not declared", "&pkg;")]));
    // Where the text does not matter nobody asks.
    assert_eq!(problems(&document("<bean id='a'><description>&nbsp;</description></bean>")).1, []);
}

#[test]
fn a_wrong_encoding() {
    let facts = super::super::read(std::path::Path::new("x.xml"), b"<beans><!-- \xb6\xa9 --><bean id='a'/></beans>".to_vec()).expect("a file of ours").0;
    assert_eq!((ids(&facts), facts.problems[0].message.as_str()), (vec!["a"], "not UTF-8, read as Latin-1"));
}

//! What is asked to be explained, as people write it and as reports print it.

use crate::signature;

/// A class, and maybe a member of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query<'q> {
    /// `Class`, `Outer.Inner` or with its package.
    pub class: &'q str,
    /// The name of a method or field.
    pub member: Option<&'q str>,
    /// Of a method the parameter types, without their packages, if they are said.
    pub parameters: Option<Vec<String>>,
}

impl<'q> Query<'q> {
    /// All that a text may mean, the first one that names something counts: `Class#member`, else `Class` or
    /// `Class.member`. Behind a member may stand parameter types: `Class.member(int, String)`.
    pub fn readings(text: &'q str) -> Vec<Query<'q>> {
        let text = text.trim();
        let (path, parameters) = match text.split_once('(') {
            Some((path, rest)) => (path.trim_end(), Some(signature::types(rest.trim_end().trim_end_matches(')')))),
            None => (text, None),
        };
        if let Some((class, member)) = path.split_once('#') {
            return vec![Query { class, member: Some(member), parameters }];
        }
        let member = path.rsplit_once('.').map(|(class, member)| Query { class, member: Some(member), parameters: parameters.clone() });
        let class = Query { class: path, member: None, parameters: None };
        match member {
            Some(member) if parameters.is_some() => vec![member],
            member => [class].into_iter().chain(member).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_in_every_way() {
        let shown = |text| {
            let all = Query::readings(text).into_iter();
            all.map(|it| format!("{} {} {:?}", it.class, it.member.unwrap_or("-"), it.parameters.unwrap_or_default())).collect::<Vec<_>>()
        };
        assert_eq!(shown("Orders"), ["Orders - []"]);
        assert_eq!(shown("Orders#place"), ["Orders place []"]);
        assert_eq!(shown("p.Orders.place"), ["p.Orders.place - []", "p.Orders place []"]);
        assert_eq!(shown("p.Orders.place(int, java.lang.String)"), ["p.Orders place [\"int\", \"String\"]"]);
        assert_eq!(shown(" p.Orders#place(int "), ["p.Orders place [\"int\"]"]);
        assert_eq!(shown("#"), ["  []"]);
        for odd in ["", ".", "(", "()", "a.(", "#("] {
            assert!(!Query::readings(odd).is_empty(), "{odd}");
        }
    }
}

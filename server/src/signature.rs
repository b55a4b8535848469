//! Parameter types as people and tools write them: `int, java.lang.String`, `Map<K, V> it`, `String...`.

/// The types in a list, each as it is compared: [`simple`].
pub fn types(text: &str) -> Vec<String> {
    let mut depth = 0usize;
    let parts = text.split(|c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(simple).filter(|it| !it.is_empty()).collect()
}

/// A type without its package, the classes around it, type arguments and modifiers. The name of a parameter, if there is
/// one, is dropped.
pub fn simple(text: &str) -> String {
    let mut depth = 0usize;
    let mut plain = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let plain = plain.replace("...", "[]").replace(" [", "[");
    let is_modifier = |it: &&str| *it == "final" || it.starts_with('@');
    let word = plain.split_whitespace().find(|it| !is_modifier(it)).unwrap_or_default();
    word.rsplit(['.', '$']).next().unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_other_ways_is_the_same() {
        for (text, expected) in [
            ("", &[][..]),
            (" ", &[]),
            ("int", &["int"]),
            ("int, java.lang.String", &["int", "String"]),
            ("int n,final String s", &["int", "String"]),
            ("Map<String, List<p.It>> it, p.Outer$Inner", &["Map", "Inner"]),
            ("java.lang.String...", &["String[]"]),
            ("String ... more", &["String[]"]),
            ("byte[] [], @NonNull T", &["byte[][]", "T"]),
            ("a>b, <, c", &["ab", ""]),
        ] {
            let expected: Vec<&str> = expected.iter().copied().filter(|it| !it.is_empty()).collect();
            assert_eq!(types(text), expected, "{text}");
        }
    }
}

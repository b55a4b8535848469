//! Classes of beans that stand for something outside the process, told by their properties (`semantics.md` §8).

use super::rows;

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Proxy {
    /// `reference`, `mapper`, `mapper-scan`, `service` or `entry`.
    pub role: &'static str,
    /// The bean's class.
    pub class: &'static str,
    /// The property with the name of an interface or package; of an entry with that of a method, and after `=` its usual name.
    pub property: &'static str,
    /// The row of external state; of a service or an entry the property with the bean.
    pub row: &'static str,
}

/// Reads the table.
pub(super) fn read(text: &'static str) -> Vec<Proxy> {
    let found = rows(text).filter_map(|row| match row[..] {
        [role, class, property, row] => Some(Proxy { role, class, property, row }),
        _ => None,
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;
    use crate::intern::Sym;

    #[test]
    fn every_row_has_a_role_and_its_row_of_external_state() {
        let known = catalogue();
        for row in rows(include_str!("../../catalogue/proxies.tsv")) {
            let [role, _, _, said] = row[..] else { panic!("{row:?}") };
            match role {
                "reference" => assert!(known.externals.reference_annotation(said, &known.library, false).is_some(), "{row:?}"),
                "mapper" | "mapper-scan" => assert!(known.externals.client_annotation(said, &known.library, false).is_some(), "{row:?}"),
                _ => assert!(matches!(role, "service" | "entry"), "{row:?}"),
            }
            assert!(Sym::find(said).is_some() || matches!(role, "service" | "entry"));
        }
    }
}

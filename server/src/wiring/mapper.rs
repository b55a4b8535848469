//! MyBatis and iBatis: mapper files and configurations.

use super::xml::Tree;
use super::{Import, MapperDef, MapperScan, Statement, StatementKind, WiringFacts, WiringKind};
use crate::intern::Sym;

/// Of a mapper only the root and what is directly in it matters; the rest is SQL.
pub(super) const STATEMENTS: usize = 2;

/// A mapper or an iBatis map.
pub(super) fn statements(kind: WiringKind, tree: &Tree<'_>) -> WiringFacts {
    let mut facts = WiringFacts { kind, ..WiringFacts::default() };
    let Some(root) = tree.elements.first() else { return facts };
    let mut mapper = MapperDef { namespace: tree.get(0, "namespace").map(Sym::new), statements: Vec::new(), range: root.range };
    for element in tree.children(0) {
        let kind = match tree.elements[element].local {
            "select" => StatementKind::Select,
            "insert" => StatementKind::Insert,
            "update" => StatementKind::Update,
            "delete" => StatementKind::Delete,
            "procedure" | "statement" => StatementKind::Any,
            _ => continue,
        };
        if let Some(id) = tree.get(element, "id") {
            mapper.statements.push(Statement { id: Sym::new(id), kind, range: tree.elements[element].range });
        }
    }
    facts.mappers.push(mapper);
    facts
}

/// A configuration: which mappers there are.
pub(super) fn configuration(kind: WiringKind, tree: &Tree<'_>) -> WiringFacts {
    let mut facts = WiringFacts { kind, ..WiringFacts::default() };
    for (index, element) in tree.elements.iter().enumerate() {
        let is_listed = tree.elements.get(element.parent as usize).is_some_and(|it| it.local == "mappers");
        match element.local {
            "mapper" if is_listed => {
                if let Some(class) = tree.get(index, "class") {
                    facts.mappers.push(MapperDef { namespace: Some(Sym::new(class)), statements: Vec::new(), range: element.range });
                }
                import(&mut facts, tree, index, "resource");
                import(&mut facts, tree, index, "url");
            }
            "package" if is_listed => {
                if let Some(name) = tree.get(index, "name") {
                    let packages = vec![Sym::new(name)];
                    facts.mapper_scans.push(MapperScan {
                        module: Sym::new("mybatis"),
                        packages,
                        annotation: None,
                        marker: None,
                        profiles: Vec::new(),
                        range: element.range,
                    });
                }
            }
            "sqlMap" | "sql-map" => {
                import(&mut facts, tree, index, "resource");
                import(&mut facts, tree, index, "url");
            }
            _ => {}
        }
    }
    facts
}

fn import(facts: &mut WiringFacts, tree: &Tree<'_>, element: usize, attribute: &str) {
    if let Some(resource) = tree.get(element, attribute) {
        let range = tree.attribute(element, attribute).map_or(tree.elements[element].range, |it| it.range);
        facts.imports.push(Import { resource: Sym::new(resource), range, profiles: Vec::new() });
    }
}

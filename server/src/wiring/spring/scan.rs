//! What is looked for in packages, and where placeholders are answered from.

use super::{Spring, list};
use crate::intern::Sym;
use crate::wiring::namespaces::Ns;
use crate::wiring::{MapperScan, Scan, ScanFilter, ScanKind};

pub(super) fn element(spring: &mut Spring<'_, '_>, element: usize) {
    let it = &spring.tree.elements[element];
    match (it.ns, it.local) {
        (Ns::Context, "component-scan") => component_scan(spring, element),
        (Ns::Context, "annotation-config") => spring.facts.annotation_config = true,
        (Ns::Context, "property-placeholder" | "property-override") => {
            if let Some(location) = spring.tree.get(element, "location") {
                let range = spring.value_range(element, "location");
                let files = location.split(',').map(str::trim).filter(|it| !it.is_empty());
                spring.facts.property_files.extend(files.map(|it| (Sym::new(it), range)));
            }
        }
        (Ns::MyBatis, "scan") => mapper_scan(spring, element, "mybatis"),
        (Ns::Data(module), "repositories") => mapper_scan(spring, element, module),
        _ => {}
    }
}

fn component_scan(spring: &mut Spring<'_, '_>, element: usize) {
    let tree = spring.tree;
    let is_off = |name: &str| tree.get(element, name) == Some("false");
    let Some(packages) = tree.get(element, "base-package") else { return };
    let (mut include, mut exclude) = (Vec::new(), Vec::new());
    for child in tree.children(element) {
        let filters = match tree.elements[child].local {
            "include-filter" => &mut include,
            "exclude-filter" => &mut exclude,
            _ => continue,
        };
        let filter = spring.sym(child, "type").zip(spring.sym(child, "expression"));
        filters.extend(filter.map(|(ty, expression)| ScanFilter { ty, expression }));
    }
    let scan = Scan {
        kind: ScanKind::Component,
        packages: list(packages),
        default_filters: !is_off("use-default-filters"),
        include,
        exclude,
        profiles: spring.profiles(element),
        range: tree.elements[element].range,
    };
    spring.facts.annotation_config |= !is_off("annotation-config");
    spring.facts.scans.push(scan);
}

fn mapper_scan(spring: &mut Spring<'_, '_>, element: usize, module: &str) {
    let Some(packages) = spring.tree.get(element, "base-package") else { return };
    let scan = MapperScan {
        module: Sym::new(module),
        packages: list(packages),
        annotation: spring.sym(element, "annotation"),
        marker: spring.sym(element, "marker-interface"),
        profiles: spring.profiles(element),
        range: spring.tree.elements[element].range,
    };
    spring.facts.mapper_scans.push(scan);
}

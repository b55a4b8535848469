//! References to services and services that are offered: SOFA, Dubbo, HSF, Motan, CXF.

use super::namespaces::Ns;
use super::spring::{Spring, list};
use super::{Framework, Reference, Scan, ScanKind, Service, Value};
use crate::intern::Sym;

/// Reads an element of one of these frameworks.
pub(super) fn element(spring: &mut Spring<'_, '_>, element: usize) {
    let it = &spring.tree.elements[element];
    match (it.ns, it.local) {
        (Ns::Sofa, "reference") => sofa_reference(spring, element),
        (Ns::Sofa, "service") => sofa_service(spring, element),
        (Ns::Dubbo, "reference") => dubbo_reference(spring, element),
        (Ns::Dubbo, "service") => dubbo_service(spring, element),
        (Ns::Dubbo, "annotation") => dubbo_scan(spring, element),
        (Ns::Hsf, "consumer") => plain_reference(spring, element, Framework::Hsf, "hsf"),
        (Ns::Hsf, "provider") => plain_service(spring, element, Framework::Hsf, "hsf"),
        (Ns::Motan, "referer") => plain_reference(spring, element, Framework::Motan, "motan"),
        (Ns::Motan, "service") => plain_service(spring, element, Framework::Motan, "motan"),
        (Ns::JaxWs, "client") => cxf_client(spring, element, "ws"),
        (Ns::JaxRs, "client") => cxf_client(spring, element, "rest"),
        (Ns::JaxWs, "endpoint" | "server") => cxf_endpoint(spring, element),
        (Ns::JaxRs, "server") => cxf_resources(spring, element),
        _ => {}
    }
}

fn reference(spring: &Spring<'_, '_>, element: usize, framework: Framework) -> Reference {
    let sym = |name: &str| spring.sym(element, name);
    Reference {
        framework,
        id: sym("id"),
        interface: sym("interface"),
        bindings: Vec::new(),
        unique_id: None,
        group: sym("group"),
        version: sym("version"),
        url: None,
        mock: None,
        jvm_first: None,
        generic: false,
        profiles: spring.profiles(element),
        range: spring.tree.elements[element].range,
    }
}

fn service(spring: &Spring<'_, '_>, element: usize, framework: Framework) -> Service {
    let sym = |name: &str| spring.sym(element, name);
    Service {
        framework,
        interface: sym("interface"),
        target: sym("ref"),
        class: None,
        inner: None,
        bindings: Vec::new(),
        unique_id: None,
        group: sym("group"),
        version: sym("version"),
        profiles: spring.profiles(element),
        range: spring.tree.elements[element].range,
    }
}

fn plain_reference(spring: &mut Spring<'_, '_>, element: usize, framework: Framework, binding: &str) {
    let mut reference = reference(spring, element, framework);
    reference.bindings.push(Sym::new(binding));
    spring.facts.references.push(reference);
}

fn plain_service(spring: &mut Spring<'_, '_>, element: usize, framework: Framework, binding: &str) {
    let mut service = service(spring, element, framework);
    service.bindings.push(Sym::new(binding));
    spring.facts.services.push(service);
}

/// What is the same for both sides in SOFA.
struct SofaParts {
    interface: Option<Sym>,
    bindings: Vec<Sym>,
    unique_id: Option<Sym>,
    mock: Option<Sym>,
}

fn sofa_parts(spring: &Spring<'_, '_>, element: usize) -> SofaParts {
    let tree = spring.tree;
    let mut parts = SofaParts {
        interface: spring.sym(element, "interface"),
        bindings: Vec::new(),
        // Forerunners wrote attributes as Java writes names.
        unique_id: spring.sym(element, "unique-id").or_else(|| spring.sym(element, "uniqueId")),
        mock: None,
    };
    for child in tree.children(element) {
        let it = &tree.elements[child];
        if let Some(binding) = it.local.strip_prefix("binding.") {
            parts.bindings.push(Sym::new(&binding.to_ascii_lowercase()));
            for attributes in tree.children(child).filter(|&it| tree.elements[it].local == "global-attrs") {
                let mock = spring.sym(attributes, "mock-bean").or_else(|| spring.sym(attributes, "mock-mode"));
                parts.mock = parts.mock.or(mock);
            }
        } else if it.local == "interface" && parts.interface.is_none() {
            let text = Some(it.text.trim()).filter(|it| !it.is_empty());
            parts.interface = spring.sym(child, "name").or_else(|| text.map(Sym::new));
        }
    }
    parts
}

fn sofa_reference(spring: &mut Spring<'_, '_>, element: usize) {
    let SofaParts { interface, bindings, unique_id, mock } = sofa_parts(spring, element);
    let jvm_first = flag(spring, element, "jvm-first").or_else(|| flag(spring, element, "jvmFirst"));
    let reference = Reference { interface, bindings, unique_id, mock, jvm_first, ..reference(spring, element, Framework::Sofa) };
    spring.facts.references.push(reference);
}

fn sofa_service(spring: &mut Spring<'_, '_>, element: usize) {
    let SofaParts { interface, bindings, unique_id, .. } = sofa_parts(spring, element);
    let service = Service { interface, bindings, unique_id, ..service(spring, element, Framework::Sofa) };
    spring.facts.services.push(service);
}

fn flag(spring: &Spring<'_, '_>, element: usize, name: &str) -> Option<bool> {
    spring.tree.get(element, name).map(|it| it.eq_ignore_ascii_case("true"))
}

/// An attribute of a Dubbo element, or of the `<dubbo:consumer>` or `<dubbo:provider>` around it.
fn inherited(spring: &Spring<'_, '_>, element: usize, name: &str) -> Option<Sym> {
    let around = || {
        let parent = spring.tree.elements.get(spring.tree.elements[element].parent as usize)?;
        let is_default = parent.ns == Ns::Dubbo && matches!(parent.local, "consumer" | "provider");
        is_default.then(|| spring.sym(spring.tree.elements[element].parent as usize, name)).flatten()
    };
    spring.sym(element, name).or_else(around)
}

fn protocols(spring: &Spring<'_, '_>, element: usize) -> Vec<Sym> {
    match inherited(spring, element, "protocol") {
        Some(names) => list(&names.as_str().to_ascii_lowercase()),
        None => vec![Sym::new("dubbo")],
    }
}

fn dubbo_reference(spring: &mut Spring<'_, '_>, element: usize) {
    let own = |name: &str| inherited(spring, element, name);
    let is_local = own("scope").is_some_and(|it| it.as_str() == "local");
    let injvm = own("injvm").map(|it| it.as_str() == "true");
    let reference = Reference {
        bindings: protocols(spring, element),
        group: own("group"),
        version: own("version"),
        url: spring.sym(element, "url"),
        // `false` asks for none.
        mock: own("mock").filter(|it| it.as_str() != "false"),
        jvm_first: if is_local { Some(true) } else { injvm },
        generic: own("generic").is_some_and(|it| it.as_str() != "false"),
        ..reference(spring, element, Framework::Dubbo)
    };
    spring.facts.references.push(reference);
}

fn dubbo_service(spring: &mut Spring<'_, '_>, element: usize) {
    let service = Service {
        bindings: protocols(spring, element),
        group: inherited(spring, element, "group"),
        version: inherited(spring, element, "version"),
        class: spring.sym(element, "class"),
        inner: spring.bean(element),
        ..service(spring, element, Framework::Dubbo)
    };
    spring.facts.services.push(service);
}

fn dubbo_scan(spring: &mut Spring<'_, '_>, element: usize) {
    let Some(packages) = spring.tree.get(element, "package") else { return };
    let scan = Scan {
        kind: ScanKind::Dubbo,
        packages: list(packages),
        default_filters: true,
        include: Vec::new(),
        exclude: Vec::new(),
        profiles: spring.profiles(element),
        range: spring.tree.elements[element].range,
    };
    spring.facts.scans.push(scan);
}

fn cxf_client(spring: &mut Spring<'_, '_>, element: usize, binding: &str) {
    let reference = Reference {
        interface: spring.sym(element, "serviceClass"),
        bindings: vec![Sym::new(binding)],
        url: spring.sym(element, "address"),
        ..reference(spring, element, Framework::Cxf)
    };
    spring.facts.references.push(reference);
}

/// `<jaxws:endpoint implementor="#bean">`, or a class, or a bean in it.
fn cxf_endpoint(spring: &mut Spring<'_, '_>, element: usize) {
    let mut service = Service {
        interface: spring.sym(element, "serviceClass"),
        class: spring.sym(element, "implementorClass"),
        bindings: vec![Sym::new("ws")],
        ..service(spring, element, Framework::Cxf)
    };
    match spring.tree.get(element, "implementor").or_else(|| spring.tree.get(element, "serviceBean")) {
        Some(named) => match named.strip_prefix('#') {
            Some(bean) => service.target = Some(Sym::new(bean)),
            None => service.class = Some(Sym::new(named)),
        },
        None => {
            let tree = spring.tree;
            let holder = tree.children(element).find(|&it| matches!(tree.elements[it].local, "implementor" | "serviceBean"));
            match holder.and_then(|it| spring.take_value(it)) {
                Some(Value::Ref(bean)) => service.target = Some(bean),
                Some(Value::Inner(bean)) => service.inner = Some(bean),
                _ => {}
            }
        }
    }
    spring.facts.services.push(service);
}

/// `<jaxrs:server><jaxrs:serviceBeans><ref bean="..."/></jaxrs:serviceBeans></jaxrs:server>`: each bean is a service.
fn cxf_resources(spring: &mut Spring<'_, '_>, element: usize) {
    let tree = spring.tree;
    let base = Service { bindings: vec![Sym::new("rest")], interface: None, ..service(spring, element, Framework::Cxf) };
    if let Some(class) = spring.sym(element, "serviceClass") {
        spring.facts.services.push(Service { class: Some(class), ..base.clone() });
    }
    let holders: Vec<usize> = tree.children(element).filter(|&it| tree.elements[it].local == "serviceBeans").collect();
    for holder in holders {
        while let Some(value) = spring.take_value(holder) {
            let (target, inner) = match value {
                Value::Ref(bean) => (Some(bean), None),
                Value::Inner(bean) => (None, Some(bean)),
                _ => continue,
            };
            spring.facts.services.push(Service { target, inner, ..base.clone() });
        }
    }
}

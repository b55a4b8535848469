//! Spring's XML: beans and the elements of other namespaces among them.
//!
//! Three passes over the flat list of elements, none of which recurses. Forward: what surrounds each element, and
//! which of them are beans. Backward, so that inner ones come first: the values that elements stand for. Forward again:
//! what each element says.

mod bean;
mod elements;
mod entries;
mod scan;
mod values;

use super::namespaces::Ns;
use super::rpc;
use super::xml::{NONE, Tree};
use super::{Autowire, BeanDef, Import, Value, WiringFacts, WiringKind};
use crate::intern::Sym;
use crate::java::decls::Range;

/// Nobody nests profiles deeper; what does is cut off.
const MAX_PROFILES: usize = 8;

/// The elements whose text is a value.
pub(super) fn wants_text(local: &str) -> bool {
    matches!(local, "value" | "prop" | "interface")
}

/// The facts of a file of beans.
pub(super) fn read(tree: &Tree<'_>) -> WiringFacts {
    let mut spring = Spring::new(tree);
    spring.find_beans();
    values::fill(&mut spring);
    for element in 0..tree.elements.len() {
        spring.element(element);
    }
    spring.facts
}

/// What a `<beans>` element says about all that is in it.
#[derive(Clone, Default)]
struct Scope {
    profiles: Vec<Sym>,
    autowire: Autowire,
    lazy: bool,
    init: Option<Sym>,
    destroy: Option<Sym>,
}

/// The reading of one file.
pub(super) struct Spring<'a, 't> {
    pub(super) tree: &'a Tree<'t>,
    pub(super) facts: WiringFacts,
    scopes: Vec<Scope>,
    /// For each element the scope it is in.
    scope_of: Vec<u32>,
    /// For each element the bean that it is, or [`NONE`].
    bean_of: Vec<u32>,
    /// For each element the innermost bean around it, or [`NONE`].
    within: Vec<u32>,
    /// For each element the value it stands for; taken by whoever it is the value of.
    values: Vec<values::Slot>,
}

impl<'a, 't> Spring<'a, 't> {
    fn new(tree: &'a Tree<'t>) -> Self {
        let facts = WiringFacts { kind: WiringKind::Spring, ..WiringFacts::default() };
        let n = tree.elements.len();
        let values = std::iter::repeat_with(Default::default).take(n).collect();
        Spring { tree, facts, scopes: vec![Scope::default()], scope_of: vec![0; n], bean_of: vec![NONE; n], within: vec![NONE; n], values }
    }

    /// The first pass.
    fn find_beans(&mut self) {
        for (index, element) in self.tree.elements.iter().enumerate() {
            if let Some(parent) = self.parent(index) {
                self.scope_of[index] = self.scope_of[parent];
                self.within[index] = if self.bean_of[parent] == NONE { self.within[parent] } else { self.bean_of[parent] };
            }
            if element.ns == Ns::Beans && element.local == "beans" {
                let scope = self.scope(index);
                self.scope_of[index] = self.scopes.len() as u32;
                self.scopes.push(scope);
            }
            if self.is_bean(index) {
                self.bean_of[index] = self.facts.beans.len() as u32;
                self.facts.beans.push(BeanDef::default());
            }
        }
    }

    fn scope(&self, element: usize) -> Scope {
        let mut scope = self.scopes[self.scope_of[element] as usize].clone();
        let get = |name: &str| self.tree.get(element, name).filter(|it| *it != "default");
        if let Some(profile) = get("profile").filter(|_| scope.profiles.len() < MAX_PROFILES) {
            scope.profiles.push(Sym::new(profile));
        }
        scope.autowire = get("default-autowire").map_or(scope.autowire, bean::autowire);
        scope.lazy = get("default-lazy-init").map_or(scope.lazy, |it| it == "true");
        scope.init = get("default-init-method").map(Sym::new).or(scope.init);
        scope.destroy = get("default-destroy-method").map(Sym::new).or(scope.destroy);
        scope
    }

    fn is_bean(&self, element: usize) -> bool {
        let it = &self.tree.elements[element];
        if it.ns == Ns::Beans && it.local == "bean" {
            return true;
        }
        // A collection in a bean is the value of something in it.
        elements::class(self.tree, element).is_some() && !(elements::is_collection(it) && self.within[element] != NONE)
    }

    /// The third pass.
    fn element(&mut self, element: usize) {
        let it = &self.tree.elements[element];
        if self.bean_of[element] != NONE {
            bean::head(self, element);
        }
        match (it.ns, it.local) {
            (Ns::Beans, "import") => self.import(element),
            (Ns::Beans, "alias") => {
                if let (Some(name), Some(alias)) = (self.sym(element, "name"), self.sym(element, "alias")) {
                    self.facts.aliases.push((name, alias));
                }
            }
            (Ns::Beans | Ns::Lang | Ns::Dubbo, _) if bean::is_part(it.local) && self.parent_bean(element).is_some() => bean::part(self, element),
            (Ns::Context | Ns::MyBatis | Ns::Data(_), _) => scan::element(self, element),
            (Ns::Sofa | Ns::Dubbo | Ns::Hsf | Ns::Motan | Ns::JaxWs | Ns::JaxRs, _) => rpc::element(self, element),
            _ => {}
        }
        if it.ns != Ns::Beans {
            entries::entry(self, element);
        }
    }

    fn import(&mut self, element: usize) {
        if let Some(resource) = self.sym(element, "resource") {
            let import = Import { resource, range: self.value_range(element, "resource"), profiles: self.profiles(element) };
            self.facts.imports.push(import);
        }
    }

    /// An attribute's value as a symbol.
    pub(super) fn sym(&self, element: usize, name: &str) -> Option<Sym> {
        self.tree.get(element, name).map(Sym::new)
    }

    /// Where an attribute's value is, or else the start tag.
    pub(super) fn value_range(&self, element: usize, name: &str) -> Range {
        self.tree.attribute(element, name).map_or(self.tree.elements[element].range, |it| it.range)
    }

    /// The profiles that hold at an element.
    pub(super) fn profiles(&self, element: usize) -> Vec<Sym> {
        self.scopes[self.scope_of[element] as usize].profiles.clone()
    }

    fn parent(&self, element: usize) -> Option<usize> {
        let parent = self.tree.elements[element].parent;
        (parent != NONE).then_some(parent as usize)
    }

    /// The bean that an element is directly in.
    fn parent_bean(&self, element: usize) -> Option<usize> {
        let bean = self.bean_of[self.parent(element)?];
        (bean != NONE).then_some(bean as usize)
    }

    /// The bean that an element stands for.
    pub(super) fn bean(&self, element: usize) -> Option<u32> {
        Some(self.bean_of[element]).filter(|it| *it != NONE)
    }

    /// The first value directly in an element.
    pub(super) fn take_value(&mut self, element: usize) -> Option<Value> {
        values::take_first(self, element)
    }
}

/// The items of a list as Spring separates them.
pub(super) fn list(text: &str) -> Vec<Sym> {
    text.split([',', ';', ' ', '\t', '\n', '\r']).filter(|it| !it.is_empty()).map(Sym::new).collect()
}

//! What beans below Spring's `FactoryBean` make: that is what is injected, not the factory.

use super::annotated::returned;
use super::{Bean, Beans, Input};
use crate::intern::Sym;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};

/// The interface, and Spring's base class for it.
const FACTORY_BEANS: &[&str] = &["org.springframework.beans.factory.FactoryBean", "org.springframework.beans.factory.config.AbstractFactoryBean"];

/// The method that makes the object, and the one of the base class.
const MAKERS: &[&str] = &["getObject", "createInstance"];

/// A method of a factory that makes the object of a bean.
pub(super) struct Product {
    pub name: Option<Sym>,
    pub method: MethodId,
}

/// Adds the objects of classes of the workspace as beans. Gives all methods that make one.
pub(super) fn add(input: &Input<'_>, beans: &mut Beans) -> Vec<Product> {
    let symbols = input.symbols;
    let bases: Vec<TypeId> = FACTORY_BEANS.iter().map(|it| symbols.qualified(it)).filter(|&it| it != UNKNOWN).collect();
    let mut found = Vec::new();
    let mut made = Vec::new();
    for bean in beans.all.iter().filter(|it| bases.iter().any(|&base| symbols.is_subtype(it.class, base))) {
        for name in MAKERS.iter().filter_map(|it| Sym::find(it)) {
            for id in symbols.find_methods(bean.class, name).into_iter().filter(|&it| symbols.methods[it as usize].arity == 0) {
                let info = &symbols.methods[id as usize];
                let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(id) };
                let classes = returned(&input.method(id).graph).into_iter().map(|it| symbols.resolve(scope, it.name()));
                made.extend(classes.filter(|&it| symbols.is_own(it)).map(|class| Bean { class, ..bean.clone() }));
                found.push(Product { name: bean.names.first().copied(), method: id });
            }
        }
    }
    for bean in made {
        if !beans.all.contains(&bean) {
            beans.all.push(bean);
        }
    }
    found
}

//! Clients of other services that the project makes itself: what a `@Bean` method or a factory gives is a proxy.

use super::annotated::Annotated;
use super::products::Product;
use super::{Beans, Input};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::{Graph, NodeKind};
use crate::intern::{Sym, Ty};
use crate::link::resolve::{self, Meaning};
use crate::link::symbols::{MethodId, Scope, UNKNOWN};
use crate::settings::Tier;
use crate::terms::FileId;

/// A bean that is a proxy.
pub(super) struct Client {
    pub name: Option<Sym>,
    /// Of what it is one.
    pub interface: Sym,
    pub row: u32,
    pub file: FileId,
}

/// Finds them. `beans` need not know yet what is outside.
pub(super) fn collect(input: &Input<'_>, annotated: &Annotated, products: &[Product], beans: &Beans) -> Vec<Client> {
    let makers = annotated.factories.iter().map(|it| (it.names.first().copied(), it.method));
    let makers = makers.chain(products.iter().map(|it| (it.name, it.method)));
    let tier = if input.opt_in { Tier::OptIn } else { Tier::Core };
    let meaning = Meaning { symbols: input.symbols, beans, listed: input.listed, tier };
    makers.filter_map(|(name, method)| client(input, meaning, name, method)).collect()
}

fn client(input: &Input<'_>, meaning: Meaning<'_>, name: Option<Sym>, id: MethodId) -> Option<Client> {
    let symbols = input.symbols;
    let method = input.method(id);
    let info = &symbols.methods[id as usize];
    let file = symbols.file_of_unit(info.unit);
    let scope = Scope { class: info.owner, unit: Some(info.unit), file, method: Some(id) };
    let written = |ty: Ty| match symbols.resolve(scope, ty.name()) {
        UNKNOWN => ty.name(),
        class => Sym::new(symbols.type_name(class)),
    };
    let returns = method.head.returns?;
    let externals = &catalogue().externals;
    if let Some((interface, annotation)) = proxy_bean(method, returns, written(returns)) {
        let row = externals.reference_annotation(annotation, &catalogue().library, input.opt_in)?;
        return Some(Client { name, interface: written(interface), row, file });
    }
    if !method.graph.calls.iter().any(|it| externals.may_make(it.name)) {
        return None;
    }
    let row = resolve::gives_outside(meaning, id, method)?;
    Some(Client { name, interface: written(returns), row, file })
}

/// The interface and the row of a bean whose class says that it is a proxy: what its property is set to, or else the type
/// argument of the class.
fn proxy_bean(method: &MethodFacts, returns: Ty, class: Sym) -> Option<(Ty, &'static str)> {
    let row = catalogue().proxies.iter().find(|it| it.role == "reference" && it.class == class.as_str())?;
    let is_setter = |name: Sym| name.as_str().strip_prefix("set").is_some_and(|it| it.eq_ignore_ascii_case(row.property));
    let graph = &method.graph;
    let set = graph.calls.iter().filter(|it| is_setter(it.name)).find_map(|it| class_literal(graph, *graph.list(it.args).first()?));
    Some((set.or_else(|| returns.data().args.first().copied())?, row.row))
}

/// The type that a class literal is about.
fn class_literal(graph: &Graph, node: u32) -> Option<Ty> {
    let NodeKind::Const(Some(ty)) = graph.nodes[node as usize].kind else { return None };
    ty.data().args.first().copied().filter(|_| ty.name().as_str().ends_with("Class"))
}

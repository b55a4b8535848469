//! Remove the setter of a field that nothing calls.

use super::{Asked, Fix};
use crate::intern::Sym;
use crate::rewrite::setter::remove;
use crate::verdict::{FieldVerdict, Reason};
use rayon::prelude::*;

pub(super) fn fix(asked: &Asked<'_>, field: &FieldVerdict) -> Option<Fix<'static>> {
    let [modifier] = &field.modifiers[..] else { return None };
    if field.ruled_out != Some(Reason::ModifierNeverCalled) || modifier.place.file != asked.findings.id {
        return None;
    }
    let (name, edit) = remove(asked.source()?, modifier.place.range.start as usize)?;
    let linked = &asked.findings.linked.linked;
    let symbols = &*linked.symbols;
    let class = symbols.qualified(&field.class);
    let methods = symbols.declared_methods(class, Sym::find(&name)?);
    let [method] = *methods else { return None };
    if symbols.overridden.contains_key(&method) || symbols.overriders.contains_key(&method) {
        return None;
    }
    // Tests may call it, and what is not resolved might.
    let is_called = linked.resolved.par_iter().with_min_len(1024).any(|it| it.calls.iter().any(|site| it.targets(&site.target).0.contains(&method)));
    (!is_called).then(|| Fix::quick(format!("Remove `{name}`, which nothing calls"), vec![edit]))
}

//! Inject a clock, a supplier of ids or a generator, and use it wherever the class asks the system.

use super::{Asked, Fix};
use crate::analysis::Analysis;
use crate::intern::Sym;
use crate::link::resolve::Target;
use crate::link::symbols::{TypeId, UNKNOWN};
use crate::rewrite::clock::{Form, Known, Seam, inject};
use crate::verdict::{Category, MockingPoint, SourceUse};
use rayon::prelude::*;
use tower_lsp::lsp_types::CodeActionKind;

pub(super) fn fixes(asked: &Asked<'_>, point: &MockingPoint, sources: &[&SourceUse]) -> Vec<Fix<'static>> {
    let Some(source) = asked.source() else { return Vec::new() };
    let Some(first) = sources.iter().find(|it| it.category == Category::System) else { return Vec::new() };
    let bytes = first.place.range.start as usize..first.place.range.end as usize;
    let mut known = None;
    let mut found = Vec::new();
    for seam in Seam::ALL {
        if inject(source, bytes.clone(), seam, Known::default()).is_none() {
            continue;
        }
        let known = *known.get_or_insert_with(|| known_of(&asked.findings.linked, &point.method.class));
        let Some((form, n_uses, edits)) = inject(source, bytes.clone(), seam, known) else { continue };
        let places = if n_uses == 1 { "one place".to_owned() } else { format!("{n_uses} places") };
        let title = match form {
            Form::Present => format!("Use the `{}` of this class in {places}", seam.title()),
            Form::Constructor => format!("Inject a `{}` by the constructor and use it in {places} (there must be a bean of it)", seam.title()),
            Form::Field => format!("Add a field for a `{}` and use it in {places}", seam.title()),
        };
        found.push(Fix { kind: CodeActionKind::REFACTOR_REWRITE, ..Fix::quick(title, edits) });
    }
    found
}

fn known_of(linked: &Analysis, class: &str) -> Known {
    let symbols = &*linked.linked.symbols;
    let class = symbols.qualified(class);
    let is_bean = class != UNKNOWN && linked.linked.states.beans.is_managed(class);
    Known { is_bean, is_made: !is_bean || is_made(linked, class) }
}

/// Whether something in the workspace makes an object of a class, or of one below it, which runs its constructor.
fn is_made(linked: &Analysis, class: TypeId) -> bool {
    let symbols = &*linked.linked.symbols;
    if symbols.own(class).is_none_or(|it| !it.subs.is_empty()) {
        return true;
    }
    let constructors = symbols.declared_methods(class, Sym::new("<init>"));
    linked.linked.resolved.par_iter().with_min_len(1024).any(|it| {
        let makes = |target: &Target| *target == Target::Default(class) || it.targets(target).0.iter().any(|it| constructors.contains(it));
        it.calls.iter().any(|site| makes(&site.target))
    })
}

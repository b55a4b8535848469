//! Methods that are called only where a test says that a field has no value yet: what they do to it gives it the first one.

use super::Called;
use crate::facts::MethodFacts;
use crate::intern::Sym;
use crate::java::decls::Flags;
use crate::java::ops::CallForm;
use crate::link::resolve::Resolved;
use crate::link::symbols::{FieldId, MethodId, Symbols};
use std::sync::Arc;

/// How far callers are followed up.
const MAX_DEPTH: u32 = 3;

/// What is asked about.
pub(super) struct Guarded<'a, F> {
    pub symbols: &'a Symbols,
    pub resolved: &'a [Arc<Resolved>],
    pub callers: &'a [Vec<MethodId>],
    pub called: &'a Called,
    pub facts: &'a F,
}

impl<'a, F: Fn(MethodId) -> &'a MethodFacts> Guarded<'_, F> {
    /// Whether a method runs only where this field has no value yet.
    pub fn gives_first_value(&self, method: MethodId, field: FieldId) -> bool {
        self.is_guarded(method, self.symbols.fields[field as usize].name, 0)
    }

    /// Only of a private method all calls are known: they stand in the class around it, where the name means the same field.
    fn is_guarded(&self, method: MethodId, field: Sym, depth: u32) -> bool {
        let callers = &self.callers[method as usize];
        let info = &self.symbols.methods[method as usize];
        info.flags.has(Flags::PRIVATE)
            && info.name.as_str() != "<init>"
            && depth < MAX_DEPTH
            && !callers.is_empty()
            && !self.called.is_named_in_file(self.symbols, method)
            && callers.iter().all(|&it| it != method && (self.calls_guarded(it, method, field) || self.is_guarded(it, field, depth + 1)))
    }

    /// Whether all calls of a method that another one makes stand under the test.
    fn calls_guarded(&self, caller: MethodId, method: MethodId, field: Sym) -> bool {
        let (graph, resolved) = (&(self.facts)(caller).graph, &self.resolved[caller as usize]);
        let calls = graph.calls.iter().zip(&resolved.calls).filter(|it| resolved.targets(&it.1.target).0.contains(&method));
        calls.into_iter().all(|(call, _)| call.form != CallForm::Reference && call.under.no_value == Some(field))
    }
}

//! Says what a call means, for messages.

use super::{Listing, Meaning, Resolver, Site, Target};
use crate::catalogue::catalogue;
use crate::facts::MethodFacts;
use crate::facts::graph::{Call, NONE, NodeId};
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, TypeId, UNKNOWN};
use crate::link::types::is_primitive;
use crate::link::types::{NOTHING, Value};

/// Says what calls of one method mean, for messages: `java.time.LocalDate.now()`.
pub struct Describer<'a>(Resolver<'a>);

impl<'a> Describer<'a> {
    /// For one method.
    pub fn new(meaning: Meaning<'a>, id: MethodId, facts: &'a MethodFacts) -> Self {
        let mut resolver = Resolver::new(meaning, id, facts);
        resolver.all_nodes();
        Describer(resolver)
    }

    /// What a call to a library member calls.
    pub fn describe(&self, call: u32) -> String {
        self.0.describe(call)
    }
}

impl Describer<'_> {
    /// The name of the type that a call is made on, as it is written if that is all that is known.
    pub fn receiver(&self, call: u32) -> String {
        let recv = self.0.called_on(&self.0.graph.calls[call as usize]);
        self.0.written(recv).unwrap_or_default().to_owned()
    }

    /// The type that a call is made on; of a `new`, what is made.
    pub fn receiver_type(&self, call: u32) -> TypeId {
        self.0.called_on(&self.0.graph.calls[call as usize]).id
    }
}

impl Resolver<'_> {
    /// What a call is made on; of a `new`, what is made.
    fn called_on(&self, call: &Call) -> Value {
        match call.form {
            CallForm::New => call.ty.map_or(NOTHING, |it| self.types.here(it)),
            CallForm::On | CallForm::Reference => self.values[call.recv as usize],
            _ => self.plain_owner(call),
        }
    }

    /// `java.time.LocalDate.now()` for a call to a library member.
    fn describe(&self, index: u32) -> String {
        let call = self.graph.calls[index as usize];
        let args = self.args(&call);
        let recv = self.called_on(&call);
        let mut owner = self.symbols.type_name(recv.id).to_owned();
        let known = catalogue();
        let target = self.library_target(recv.id, call.name, &call, &args);
        if let Some(site) = &self.sites[index as usize]
            && site.source != NONE
            && (owner.is_empty() || self.symbols.is_own(recv.id))
        {
            owner = known.library.types[known.rules.source(site.source).owner as usize].name.as_str().to_owned();
        }
        if let Some(Site { listing: Listing::Source(row) | Listing::Wrapper(row), target: Target::Library | Target::Unresolved, .. }) =
            self.sites[index as usize]
            && (owner.is_empty() || self.symbols.is_own(recv.id))
        {
            owner = self.listed.row(row).ty.as_str().to_owned();
        }
        if owner.is_empty()
            && let Some(site) = &self.sites[index as usize]
            && site.external != NONE
        {
            owner = self.written(recv).unwrap_or_default().to_owned();
        }
        if call.form == CallForm::Reference {
            return format!("{owner}.{}()", call.name);
        }
        let params = match target.params() {
            Some(params) => params.trim_matches(['(', ')']).to_owned(),
            None => {
                let types: Option<Vec<String>> = args.iter().enumerate().map(|(i, it)| self.argument_text(self.graph.list(call.args)[i], *it)).collect();
                // Half a list would look like another overload: `..` stands for any parameters.
                types.map_or_else(|| "..".to_owned(), |it| it.join(","))
            }
        };
        format!("{owner}.{}({params})", call.name)
    }

    /// The erased type of an argument, if it is known.
    fn argument_text(&self, node: NodeId, value: Value) -> Option<String> {
        if let Some(primitive) = self.primitive(node) {
            return Some(primitive.to_owned());
        }
        // An array of primitives has no type of its own.
        let element = value.ty.filter(|it| value.id == UNKNOWN && it.data().dims > 0).map(|it| it.name().as_str()).filter(|it| is_primitive(it));
        let name = element.unwrap_or_else(|| self.symbols.type_name(value.id));
        (!name.is_empty()).then(|| format!("{name}{}", "[]".repeat(value.dims as usize)))
    }

    fn plain_owner(&self, call: &Call) -> Value {
        let imported = self.symbols.static_imports(self.scope.file, call.name).find(|&ty| {
            self.symbols
                .lib(ty)
                .is_some_and(|lib| catalogue().library.declared(lib, call.name).next().is_some() || !catalogue().library.types[lib as usize].listed)
        });
        self.types.plain(imported.unwrap_or(self.scope.class))
    }
}

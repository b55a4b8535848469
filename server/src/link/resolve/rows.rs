//! What the rows of the project say of calls and fields, on top of what the catalogue says.

use super::{Listing, Resolver, Site, Target};
use crate::catalogue::MODIFIES;
use crate::facts::graph::{Call, NONE, NodeId};
use crate::intern::Sym;
use crate::java::ops::CallForm;
use crate::java::queries::Mark;
use crate::link::listed::MARKED;
use crate::link::symbols::{MethodId, Scope, TypeId, UNKNOWN};
use crate::terms::Category;

impl Resolver<'_> {
    /// A call with what queries of the project say of it.
    pub(super) fn with_marks(call: &Call, site: Site) -> Site {
        let mut site = site;
        let mark = call.mark;
        site.benign |= mark.has(Mark::BENIGN);
        if mark.has(Mark::MODIFIER) {
            site = Site { rule: MODIFIES, guessed: false, ..site };
        }
        if mark.has(Mark::MOCK) {
            site = Site { source: NONE, external: NONE, listing: Listing::Point(MARKED), ..site };
        } else if mark.has(Mark::EXTERNAL) && site.external == NONE {
            site.listing = Listing::Marked(Category::External);
        } else if mark.has(Mark::SYSTEM) && site.source == NONE {
            site.listing = Listing::Marked(Category::System);
        }
        site
    }

    /// A call with what rows say of it.
    pub(super) fn with_rows(&self, call: &Call, site: Site) -> Site {
        if self.listed.is_empty() {
            return site;
        }
        let mut site = site;
        let methods: &[MethodId] = match &site.target {
            Target::Method(method, _) => std::slice::from_ref(method),
            Target::Many(from, to) => &self.many[*from as usize..*to as usize],
            _ => &[],
        };
        let owners = self.owners(call, methods);
        let said = self
            .listed
            .call(self.symbols, self.scope.file, self.called_name(call), &owners, |params| self.fits_params(call, site.target, methods, &owners, params));
        if said.sanitizer {
            site = Site { source: NONE, external: NONE, listing: Listing::Sanitized, ..site };
        } else if let Some(row) = methods.iter().find_map(|&it| self.listed.elsewhere(it)) {
            site.listing = Listing::Point(row);
        } else if let (Some(row), Target::Library | Target::Unresolved) = (said.point, site.target) {
            // It is a mocking point itself, so what is called after it gets what was recorded.
            site = Site { source: NONE, external: NONE, listing: Listing::Wrapper(row), ..site };
        } else if let Some(row) = said.source {
            site.listing = Listing::Source(row);
        }
        site.benign |= said.benign;
        if said.modifier {
            site = Site { rule: MODIFIES, guessed: false, ..site };
        }
        site
    }

    /// The row by which a field is state that is not of the workspace.
    pub(super) fn listed_field(&self, owner: TypeId, name: Sym) -> Option<u32> {
        if self.listed.is_empty() || owner == UNKNOWN { None } else { self.listed.other_field(self.symbols, self.scope.file, owner, name) }
    }

    fn called_name(&self, call: &Call) -> Sym {
        match call.form {
            CallForm::New | CallForm::ThisConstructor | CallForm::SuperConstructor => Sym::new("<init>"),
            _ => call.name,
        }
    }

    /// The types whose member a call may mean.
    fn owners(&self, call: &Call, methods: &[MethodId]) -> Vec<TypeId> {
        let mut found: Vec<TypeId> = methods.iter().map(|&it| self.symbols.methods[it as usize].owner).collect();
        match call.form {
            CallForm::New => found.extend(call.ty.map(|it| self.types.here(it).id)),
            CallForm::ThisConstructor => found.push(self.scope.class),
            CallForm::SuperConstructor | CallForm::Super => found.push(self.super_class()),
            CallForm::On | CallForm::Reference => found.extend(self.receiver(call.recv)),
            CallForm::Plain if methods.is_empty() => {
                found.extend(self.symbols.static_imports(self.scope.file, call.name));
                let mut class = self.scope.class;
                while let Some(info) = self.symbols.own(class).filter(|_| found.len() < 64) {
                    found.push(class);
                    class = info.outer;
                }
            }
            CallForm::Plain => {}
        }
        found
    }

    fn receiver(&self, node: NodeId) -> Option<TypeId> {
        let value = self.values.get(node as usize).filter(|it| it.dims == 0)?;
        Some(value.id)
    }

    /// Whether a call can mean the overload with these erased parameters.
    fn fits_params(&self, call: &Call, target: Target, methods: &[MethodId], owners: &[TypeId], params: &str) -> bool {
        let wanted: Vec<&str> = params.trim_matches(['(', ')']).split(',').filter(|it| !it.is_empty()).collect();
        if !methods.is_empty() {
            return methods.iter().any(|&it| self.has_params(it, &wanted));
        }
        let by_number = wanted.len() == call.args.len as usize || call.form == CallForm::Reference;
        if target != Target::Library {
            return by_number;
        }
        let args = self.args(call);
        let known = owners.iter().find_map(|&it| self.library_target(it, call.name, call, &args).method);
        known.map_or(by_number, |it| it.text == params)
    }

    fn has_params(&self, method: MethodId, wanted: &[&str]) -> bool {
        let params = &self.symbols.params[method as usize];
        let info = &self.symbols.methods[method as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: Some(method) };
        params.len() == wanted.len()
            && params.iter().zip(wanted).all(|(ty, wanted)| {
                let data = ty.data();
                let base = wanted.trim_end_matches("[]");
                let id = self.symbols.resolve(scope, data.name);
                // What is not known, such as a type variable, may be it.
                let is_type = data.name.as_str() == base || if id == UNKNOWN { !is_primitive(data.name.as_str()) } else { self.symbols.type_name(id) == base };
                is_type && usize::from(data.dims) == (wanted.len() - base.len()) / 2
            })
    }
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "int" | "long" | "boolean" | "double" | "float" | "char" | "byte" | "short")
}

//! From frames to methods of the workspace.

use crate::failures::{Frame, original};
use crate::java::decls::MemberKind;
use crate::link::symbols::{MethodId, TypeId};
use crate::signature;
use crate::text::Encoding;
use crate::verdict::points::method_name;
use crate::verdict::view::View;
use rustc_hash::FxHashMap;

/// Methods of one failure that are looked at: recursion fills traces with the same few.
const MAX_METHODS: usize = 64;

/// The methods of a failure.
#[derive(Default)]
pub(super) struct Located {
    /// Those of production sources, innermost first, each once, and the name of what it had called if that is other code.
    pub methods: Vec<(MethodId, Option<String>)>,
    /// Frames of other code.
    pub foreign: u64,
}

/// Finds methods by the names that frames give them.
pub(super) struct Locator<'v, 'a> {
    view: &'v View<'a>,
    /// By binary name and by source name.
    types: FxHashMap<&'v str, TypeId>,
}

impl<'v> Locator<'v, '_> {
    pub(super) fn new<'a>(view: &'v View<'a>) -> Locator<'v, 'a> {
        let symbols = view.symbols();
        let mut types = FxHashMap::default();
        for (id, it) in (symbols.n_lib..).zip(&symbols.types) {
            types.entry(it.binary.as_str()).or_insert(TypeId(id));
            types.entry(it.name.as_str()).or_insert(TypeId(id));
        }
        Locator { view, types }
    }

    /// The methods of frames, which are innermost first.
    pub(super) fn locate(&self, frames: &[Frame]) -> Located {
        let mut found = Located::default();
        // What the next method of the workspace had called, as long as that is not in the workspace.
        let mut inner: Option<&Frame> = None;
        for frame in frames {
            let methods = self.methods(frame);
            if methods.is_empty() {
                found.foreign += 1;
                // Lambdas of the library run in between; what a proxy was asked keeps its name.
                inner = Some(frame);
                continue;
            }
            let entered = inner.take().map(|it| it.method.clone());
            for id in methods {
                if found.methods.len() < MAX_METHODS && !self.view.is_test(id) && found.methods.iter().all(|it| it.0 != id) {
                    found.methods.push((id, entered.clone()));
                }
            }
        }
        found
    }

    /// The methods that a frame can mean; none if it is other code.
    fn methods(&self, frame: &Frame) -> Vec<MethodId> {
        let (Some(class), name) = original(&frame.class, &frame.method) else { return Vec::new() };
        let symbols = self.view.symbols();
        // Compilers number anonymous classes in their own way: there, line and name tell.
        let exact = self.types.get(class.as_str()).copied().filter(|_| !is_numbered(&class));
        let outer = class.split('$').next().unwrap_or(&class);
        let Some(ty) = exact.or_else(|| self.types.get(outer).copied()) else { return Vec::new() };
        let Some(own) = symbols.own(ty) else { return Vec::new() };
        let in_file = symbols.methods_of_file(own.file);
        let in_class = |id: MethodId| {
            let owner = symbols.methods[id as usize].owner;
            if exact.is_some() { owner == ty } else { owner != ty && symbols.is_around(ty, owner) }
        };
        let mut found: Vec<MethodId> = in_file.filter(|&id| in_class(id) && self.has_name(id, name.as_deref(), frame.line.is_some())).collect();
        if found.is_empty()
            && let Some(name) = &name
            && exact.is_some()
        {
            // Inherited: people name methods by the class that they know.
            found = crate::intern::Sym::find(name).map(|it| symbols.find_methods(ty, it)).unwrap_or_default();
            found.truncate(1);
        }
        self.narrow(found, frame, name.is_none() || exact.is_none())
    }

    /// Whether a method may have run under a name. Initialisers of fields run under those of constructors, but without a
    /// line none of them is meant.
    fn has_name(&self, id: MethodId, name: Option<&str>, has_line: bool) -> bool {
        let kind = self.view.facts(id).head.kind;
        let is_initialiser = has_line && matches!(kind, MemberKind::Field | MemberKind::EnumConstant);
        match name {
            None => true,
            Some("<init>") => matches!(kind, MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::InstanceInit) || is_initialiser,
            Some("<clinit>") => kind == MemberKind::StaticInit || is_initialiser,
            Some(name) => self.view.symbols().methods[id as usize].name.as_str() == name && !is_initialiser,
        }
    }

    /// Those that the line or the parameters mean. `only_line`: nothing but the line tells.
    fn narrow(&self, found: Vec<MethodId>, frame: &Frame, only_line: bool) -> Vec<MethodId> {
        if let Some(line) = frame.line {
            let at: Vec<MethodId> = found.iter().copied().filter(|&id| self.covers(id, line)).collect();
            // The innermost: an anonymous class lies in a method.
            let innermost = at.iter().copied().min_by_key(|&id| self.view.facts(id).len);
            if let Some(id) = innermost {
                return vec![id];
            }
        }
        if only_line && found.len() != 1 {
            return Vec::new();
        }
        let Some(parameters) = &frame.parameters else { return found };
        let simple = |types: &[String]| types.iter().map(|it| signature::simple(it)).collect::<Vec<_>>();
        let wanted = simple(parameters);
        let types = |id: MethodId| simple(&method_name(self.view, id).parameters);
        let exact: Vec<MethodId> = found.iter().copied().filter(|&id| types(id) == wanted).collect();
        if !exact.is_empty() {
            return exact;
        }
        let as_many: Vec<MethodId> = found.iter().copied().filter(|&id| types(id).len() == wanted.len()).collect();
        if as_many.is_empty() { found } else { as_many }
    }

    fn covers(&self, id: MethodId, line: u32) -> bool {
        let file = self.view.file_of(id) as usize;
        let lines = &self.view.link().files[file].lines;
        let start = self.view.start(id) as usize;
        let end = start + self.view.facts(id).len as usize;
        let of = |byte: usize| lines.position(byte, Encoding::Utf8).line + 1;
        (of(start)..=of(end)).contains(&line)
    }
}

/// Whether a class is anonymous or local: `p.Outer$1`, `p.Outer$1Local`.
fn is_numbered(class: &str) -> bool {
    class.split('$').skip(1).any(|it| it.starts_with(|c: char| c.is_ascii_digit()))
}

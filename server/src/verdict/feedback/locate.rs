//! From frames to methods of the workspace.

use super::{Remark, Unclear};
use crate::failures::{Frame, original};
use crate::java::decls::MemberKind;
use crate::link::symbols::{MethodId, TypeId};
use crate::near::nearest;
use crate::signature;
use crate::text::Encoding;
use crate::verdict::points::method_name;
use crate::verdict::view::View;
use rustc_hash::FxHashMap;

/// Methods of one failure that are looked at: recursion fills traces with the same few.
const MAX_METHODS: usize = 64;

/// Names that a remark offers.
const MAX_OFFERED: usize = 5;

/// The methods of a failure.
#[derive(Default)]
pub(super) struct Located {
    /// Those of production sources, innermost first, each once, and the name of what it had called if that is other code.
    pub methods: Vec<(MethodId, Option<String>)>,
    /// Frames of other code.
    pub foreign: u64,
    /// Frames that do not name one method.
    pub remarks: Vec<Remark>,
}

/// Which methods a frame means.
enum Meant {
    /// These.
    Methods(Vec<MethodId>),
    /// None of the workspace.
    Foreign,
    /// Nothing that can be told, and what may be meant.
    Unclear(Unclear, Vec<String>),
}

/// Finds methods by the names that frames give them.
pub(super) struct Locator<'v, 'a> {
    view: &'v View<'a>,
    /// By binary name and by source name.
    types: FxHashMap<&'v str, TypeId>,
    /// By the last part of the name, in lower case: people leave packages out.
    by_simple_name: FxHashMap<String, Vec<TypeId>>,
}

impl<'v> Locator<'v, '_> {
    pub(super) fn new<'a>(view: &'v View<'a>) -> Locator<'v, 'a> {
        let symbols = view.symbols();
        let mut types = FxHashMap::default();
        let mut by_simple_name: FxHashMap<String, Vec<TypeId>> = FxHashMap::default();
        for (id, it) in (symbols.n_lib..).zip(&symbols.types) {
            types.entry(it.binary.as_str()).or_insert(TypeId(id));
            types.entry(it.name.as_str()).or_insert(TypeId(id));
            by_simple_name.entry(simple_name(&it.name)).or_default().push(TypeId(id));
        }
        Locator { view, types, by_simple_name }
    }

    /// The methods of frames, which are innermost first.
    pub(super) fn locate(&self, frames: &[Frame]) -> Located {
        let mut found = Located::default();
        // What the next method of the workspace had called, as long as that is not in the workspace.
        let mut inner: Option<&Frame> = None;
        for frame in frames {
            let remark = |why: Unclear, candidates: Vec<String>| Remark { frame: format!("{}.{}", frame.class, frame.method), why, candidates };
            let methods = match self.methods(frame) {
                Meant::Methods(methods) => methods,
                Meant::Foreign => Vec::new(),
                Meant::Unclear(why, candidates) => {
                    // Most of a trace is other code. Only who names one method has to be told that there is none.
                    if why != Unclear::NoClass || frames.len() == 1 {
                        found.remarks.push(remark(why, candidates));
                    }
                    Vec::new()
                }
            };
            if methods.is_empty() {
                found.foreign += 1;
                // Lambdas of the library run in between; what a proxy was asked keeps its name.
                inner = Some(frame);
                continue;
            }
            if methods.len() > 1 {
                found.remarks.push(remark(Unclear::Overloads, self.shown(&methods)));
            }
            let entered = inner.take().map(|it| it.method.clone());
            for id in methods {
                if self.view.is_test(id) {
                    if frames.len() == 1 {
                        found.remarks.push(remark(Unclear::Test, Vec::new()));
                    }
                } else if found.methods.len() < MAX_METHODS && found.methods.iter().all(|it| it.0 != id) {
                    found.methods.push((id, entered.clone()));
                }
            }
        }
        // Recursion repeats frames.
        let mut seen: Vec<Remark> = Vec::new();
        found.remarks.retain(|it| {
            let is_new = seen.len() < MAX_METHODS && !seen.contains(it);
            if is_new {
                seen.push(it.clone());
            }
            is_new
        });
        found
    }

    /// The class of a name: with its package, or the only one that ends so.
    fn class(&self, name: &str) -> Result<TypeId, Meant> {
        if let Some(&id) = self.types.get(name) {
            return Ok(id);
        }
        let symbols = self.view.symbols();
        let same = self.by_simple_name.get(&simple_name(name)).map_or(&[][..], Vec::as_slice);
        let is_end = |whole: &str| whole.strip_suffix(name).is_some_and(|it| it.ends_with(['.', '$']));
        let fits = |id: &&TypeId| symbols.own(**id).is_some_and(|it| is_end(&it.name) || is_end(&it.binary));
        let names = |ids: &mut dyn Iterator<Item = &TypeId>| ids.take(MAX_OFFERED).map(|&id| symbols.type_name(id).to_owned()).collect::<Vec<_>>();
        match same.iter().filter(fits).count() {
            0 => Err(Meant::Unclear(Unclear::NoClass, names(&mut same.iter()))),
            1 => same.iter().find(fits).copied().ok_or(Meant::Foreign),
            _ => Err(Meant::Unclear(Unclear::SeveralClasses, names(&mut same.iter().filter(fits)))),
        }
    }

    /// The methods that a frame can mean; none if it is other code.
    fn methods(&self, frame: &Frame) -> Meant {
        let (Some(class), name) = original(&frame.class, &frame.method) else { return Meant::Foreign };
        let symbols = self.view.symbols();
        // Compilers number anonymous classes in their own way: there, line and name tell.
        let is_exact = !is_numbered(&class);
        let named = if is_exact { &class } else { class.split('$').next().unwrap_or(&class) };
        let ty = match self.class(named) {
            Ok(ty) => ty,
            Err(meant) => return meant,
        };
        let Some(own) = symbols.own(ty) else { return Meant::Foreign };
        let in_file = symbols.methods_of_file(own.file);
        let in_class = |id: MethodId| {
            let owner = symbols.methods[id as usize].owner;
            if is_exact { owner == ty } else { owner != ty && symbols.is_around(ty, owner) }
        };
        let mut found: Vec<MethodId> = in_file.clone().filter(|&id| in_class(id) && self.has_name(id, name.as_deref(), frame.line.is_some())).collect();
        if found.is_empty()
            && let Some(name) = &name
            && is_exact
        {
            // Inherited: people name methods by the class that they know.
            found = crate::intern::Sym::find(name).map(|it| symbols.find_methods(ty, it)).unwrap_or_default();
            found.truncate(1);
        }
        let Some(name) = name else { return self.narrow(found, frame, true) };
        // Nobody wrote what the compiler adds.
        if found.is_empty() && !name.starts_with('<') && !matches!(name.as_str(), "values" | "valueOf") {
            let names = in_file.filter(|&id| in_class(id)).map(|id| symbols.methods[id as usize].name.as_str()).filter(|it| !it.starts_with('<'));
            let near = nearest(names.map(|it| (format!("{}.{it}", own.name), it.to_owned())).collect(), &name);
            return Meant::Unclear(Unclear::NoMethod, near);
        }
        self.narrow(found, frame, !is_exact)
    }

    /// Methods with their parameter types.
    fn shown(&self, methods: &[MethodId]) -> Vec<String> {
        let name = |&id: &MethodId| {
            let name = method_name(self.view, id);
            format!("{}({})", name.short(), name.parameters.join(", "))
        };
        methods.iter().take(MAX_OFFERED).map(name).collect()
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
    fn narrow(&self, found: Vec<MethodId>, frame: &Frame, only_line: bool) -> Meant {
        if let Some(line) = frame.line {
            let at: Vec<MethodId> = found.iter().copied().filter(|&id| self.covers(id, line)).collect();
            // The innermost: an anonymous class lies in a method.
            let innermost = at.iter().copied().min_by_key(|&id| self.view.facts(id).len);
            if let Some(id) = innermost {
                return Meant::Methods(vec![id]);
            }
        }
        if only_line && found.len() > 1 {
            return Meant::Unclear(Unclear::NoLine, self.shown(&found));
        }
        let Some(parameters) = &frame.parameters else { return Meant::Methods(found) };
        let simple = |types: &[String]| types.iter().map(|it| signature::simple(it)).collect::<Vec<_>>();
        let wanted = simple(parameters);
        let types = |id: MethodId| simple(&method_name(self.view, id).parameters);
        let exact: Vec<MethodId> = found.iter().copied().filter(|&id| types(id) == wanted).collect();
        if !exact.is_empty() {
            return Meant::Methods(exact);
        }
        let as_many: Vec<MethodId> = found.iter().copied().filter(|&id| types(id).len() == wanted.len()).collect();
        Meant::Methods(if as_many.is_empty() { found } else { as_many })
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

/// The last part of the name of a class, in lower case.
fn simple_name(name: &str) -> String {
    name.rsplit(['.', '$']).next().unwrap_or(name).to_lowercase()
}

/// Whether a class is anonymous or local: `p.Outer$1`, `p.Outer$1Local`.
fn is_numbered(class: &str) -> bool {
    class.split('$').skip(1).any(|it| it.starts_with(|c: char| c.is_ascii_digit()))
}

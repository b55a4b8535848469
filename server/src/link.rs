//! The link: joins the facts of all files.
//!
//! Link is a pure function of the facts. What it takes from an earlier link is only what would come out the same:
//! the symbol table while no declaration changed, and the resolution of methods whose facts did not change.

pub mod beans;
pub mod changes;
mod constants;
mod dirty;
pub mod eval;
pub mod later;
mod levels;
pub mod listed;
pub mod resolve;
pub mod shape;
pub mod state;
pub mod summary;
pub mod symbols;
pub mod taint;
pub mod types;

use crate::facts::MethodFacts;
use crate::intern::Sym;
use crate::java::decls::{Flags, MemberKind};
use crate::log::Stages;
use crate::settings::{Settings, Tier};
use crate::workspace::{SourceFile, Sources, WiringFile};
use beans::Beans;
use listed::Listed;
use rayon::prelude::*;
use resolve::{Meaning, Resolved};
use rustc_hash::FxHashMap;
use state::FieldStates;
use std::sync::Arc;
use summary::Globals;
use symbols::{MethodId, NOT_MADE, Symbols, TypeId};
use taint::{Context, Table, Taint};

/// A linked workspace: immutable, shared by whoever reads it.
pub struct Linked {
    /// The files that were linked, sorted by path; [`FileId`] is an index into them.
    pub files: Vec<Arc<SourceFile>>,
    /// What the files beside them wire together, sorted by path.
    pub wiring: Arc<[Arc<WiringFile>]>,
    /// The settings that were used.
    pub settings: Settings,
    /// What the project says.
    pub listed: Listed,
    /// All types, fields and methods.
    pub symbols: Arc<Symbols>,
    /// Every method, resolved.
    pub resolved: Vec<Arc<Resolved>>,
    /// Summaries of all methods.
    pub globals: Globals,
    /// What is known of static fields and of fields of shared objects.
    pub states: FieldStates,
    /// Sources, carriers and lifts.
    pub taint: Taint,
    /// Instance initialisers of each class.
    pub initialisers: FxHashMap<TypeId, Vec<MethodId>>,
    /// Methods of production sources that call library methods that are mocking points themselves, by number.
    pub wrapper_callers: Vec<MethodId>,
}

impl Linked {
    /// What meaning is given from besides the facts of a method.
    pub fn meaning(&self) -> Meaning<'_> {
        Meaning { symbols: &self.symbols, beans: &self.states.beans, listed: &self.listed, tier: self.settings.tier }
    }
}

/// Links files, which must be sorted by path. What did not change since `previous` is taken from it.
pub fn link(sources: Sources, settings: Settings, previous: Option<&Linked>) -> Linked {
    let Sources { files, wiring, project } = sources;
    let mut stages = Stages::start();
    let previous = previous.filter(|it| it.settings.tier == settings.tier && it.listed.project == project && same_shape(&it.files, &files));
    let symbols = previous.map_or_else(|| Arc::new(Symbols::build(&files, &project)), |it| Arc::clone(&it.symbols));
    stages.done("symbols");
    // Every stage asks for these of every method.
    let all_facts: Vec<&MethodFacts> = (0..symbols.methods.len() as u32).into_par_iter().with_min_len(4096).map(|id| symbols.method(&files, id).0).collect();
    // What `lombok.config` takes away has no part in anything either.
    let not_made = Sym::new(NOT_MADE);
    let all_tests: Vec<bool> = symbols.methods.iter().map(|it| it.name == not_made || files[symbols.file_of_unit(it.unit) as usize].is_test).collect();
    let facts = |id: MethodId| all_facts[id as usize];
    let is_test = |id: MethodId| all_tests[id as usize];
    let opt_in = settings.tier == Tier::OptIn;
    let listed = Listed::collect(&project, &symbols, &files, &facts);
    let mut beans = Beans::collect(&beans::Input { symbols: &symbols, files: &files, facts: &all_facts, wiring: &wiring, listed: &listed, opt_in });
    stages.done("beans");
    // What calls mean depends on the beans that fields hold.
    let previous = previous.filter(|it| it.states.beans.resolve_alike(&beans));
    let meaning = Meaning { symbols: &symbols, beans: &beans, listed: &listed, tier: settings.tier };
    let resolved: Vec<Arc<Resolved>> = (0..symbols.methods.len() as u32)
        .into_par_iter()
        .with_min_len(64)
        .map(|id| {
            if let Some(previous) = previous {
                let unit = symbols.methods[id as usize].unit;
                if Arc::ptr_eq(&symbols.member(&previous.files, unit).facts, &symbols.member(&files, unit).facts) {
                    return Arc::clone(&previous.resolved[id as usize]);
                }
            }
            Arc::new(resolve::resolve(meaning, id, facts(id)))
        })
        .collect();
    stages.done("resolution");
    beans.add_constants(&constants::classes(&symbols, &resolved, &beans, &facts, &is_test));
    stages.done("constants");
    let (callers, levels) = rayon::join(|| summary::callers(&symbols, &resolved), || levels::levels(&symbols, &resolved));
    // Few methods stand high in the call graph, and most of what is left of the time goes there: the other is done beside it.
    let summarise = || summary::summarise(&symbols, &resolved, &callers, &levels, settings.precision, &facts);
    let (globals, called) = rayon::join(summarise, || state::called(&symbols, &resolved, &beans, &facts, &is_test));
    stages.done("summaries");
    let mut states =
        state::collect(&symbols, state::Calls { resolved: &resolved, callers: &callers, called }, &globals, settings, Arc::new(beans), &facts, &is_test);
    states.declared = (0..symbols.fields.len() as u32).filter(|&it| listed.never_modified(it).is_some()).collect();
    stages.done("static fields");
    let initialisers = initialisers(&symbols, &facts);
    let context = Context {
        symbols: &symbols,
        resolved: Table { linked: &resolved, edited: None },
        globals: &globals,
        states: &states,
        listed: &listed,
        settings,
        facts,
        initialisers: &initialisers,
    };
    let taint = taint::propagate(&context, &callers, &levels, &is_test);
    stages.done("sources");
    let calls_wrapper = |id: &MethodId| !all_tests[*id as usize] && resolved[*id as usize].calls.iter().any(|it| it.wrapped().is_some());
    let wrapper_callers = (0..resolved.len() as MethodId).into_par_iter().with_min_len(1024).filter(calls_wrapper).collect();
    stages.done("wrappers");
    Linked { symbols: Arc::clone(&symbols), resolved, globals, states, taint, initialisers, wrapper_callers, settings, listed, files, wiring }
}

fn same_shape(a: &[Arc<SourceFile>], b: &[Arc<SourceFile>]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || (a.path == b.path && a.is_test == b.is_test && shape::same_shape(&a.facts, &b.facts)))
}

fn initialisers<'a>(symbols: &Symbols, facts: &impl Fn(MethodId) -> &'a MethodFacts) -> FxHashMap<TypeId, Vec<MethodId>> {
    let mut found: FxHashMap<TypeId, Vec<MethodId>> = FxHashMap::default();
    for (id, info) in symbols.methods.iter().enumerate() {
        let kind = facts(id as MethodId).head.kind;
        if matches!(kind, MemberKind::Field | MemberKind::InstanceInit) && !info.flags.has(Flags::STATIC) {
            found.entry(info.owner).or_default().push(id as MethodId);
        }
    }
    found
}

//! Resolves one method: what its names mean, and what its calls call.
//!
//! The result depends on the method's facts, the symbol table, the beans that fields hold and the rows of the project,
//! so it stays valid while none of them changes.

mod calls;
mod describe;
mod functions;
mod kept;
mod lambdas;
mod names;
mod narrow;
mod outside;
mod overload;
mod references;
mod rows;

pub use describe::Describer;

use super::beans::Beans;
use super::listed::Listed;
use super::symbols::{FieldId, MethodId, Scope, Symbols, TypeId};
use super::types::{NOTHING, Types, Value};
use crate::catalogue::{How, ResultRule, catalogue};
use crate::config::RowId;
use crate::facts::MethodFacts;
use crate::facts::graph::{Graph, NONE, NodeId, WriteKind};
use crate::settings::Tier;
use crate::terms::Category;

/// What a node refers to besides its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ref {
    /// Nothing of its own.
    None,
    /// A field of the workspace.
    Field(FieldId),
    /// A type or a package: no value.
    NoValue,
    /// A library field that the table of sources has, by row.
    Source(u32),
    /// A library field that a row of the project is about.
    Listed(RowId),
    /// Another library field, whose value cannot be changed.
    Frozen,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The receiver's type is not known.
    Unresolved,
    /// A library member.
    Library,
    /// A method of the workspace, and with `true` what overrides it.
    Method(MethodId, bool),
    /// One of several methods of the workspace, as a slice of [`Resolved::many`].
    Many(u32, u32),
    /// One of several methods of the workspace and nothing that overrides them, as a slice of [`Resolved::many`]. The
    /// first one is what is declared.
    Among(u32, u32),
    /// A constructor that nobody wrote: runs the initialisers of this class.
    Default(TypeId),
}

/// A resolved call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it calls.
    pub target: Target,
    /// For library members: the rule, as a number of the catalogue.
    pub rule: u32,
    /// The source row, or [`NONE`].
    pub source: u32,
    /// Has no effect on results.
    pub benign: bool,
    /// The receiver (or the new object) is of a workspace type.
    pub own_receiver: bool,
    /// The receiver is the method's own `this`, unwritten.
    pub implicit_this: bool,
    /// The rule was told by the member's name alone.
    pub guessed: bool,
    /// It must do something that no rule tells.
    pub acts: bool,
    /// What it gives, or makes, cannot be changed.
    pub frozen: bool,
    /// It leaves the process: the row that says so, or [`NONE`].
    pub external: u32,
    /// Its last argument is no array: where the callee takes any number, it goes into an array of its own.
    pub spread: bool,
    /// What the project says of it.
    pub listing: Listing,
}

impl Site {
    /// A call of which nothing is known but what it calls.
    fn to(target: Target) -> Site {
        Site {
            target,
            rule: 0,
            source: NONE,
            benign: false,
            own_receiver: false,
            implicit_this: false,
            guessed: false,
            acts: false,
            frozen: false,
            external: NONE,
            spread: false,
            listing: Listing::None,
        }
    }

    /// Whether it calls a library method that does nothing but what its rule tells.
    pub fn is_still(&self) -> bool {
        self.target == Target::Library && !self.acts && self.external == NONE
    }

    /// The argument that it gives back, if it calls a library method that does, as `requireNonNull`.
    pub fn gives_back(&self, graph: &Graph, call: u32) -> Option<NodeId> {
        match catalogue().rules.rule(self.rule).result {
            ResultRule::Arg(arg) if self.target == Target::Library => graph.passed(call, u32::from(arg) + 1),
            _ => None,
        }
    }

    /// Whether it calls a library method that is a mocking point itself, as a wrapper of system state (paper §3.1.1) or
    /// because the project lists it; then with the row that does.
    pub fn wrapped(&self) -> Option<Option<RowId>> {
        let is_wrapper = |source: u32| source != NONE && catalogue().rules.source(source).how == How::Wrapper;
        match self.listing {
            Listing::Wrapper(row) => Some(Some(row)),
            _ => (self.target == Target::Library && is_wrapper(self.source)).then_some(None),
        }
    }
}

/// What the project says of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Listing {
    /// Nothing.
    #[default]
    None,
    /// Its value is state: white-list.
    Source(RowId),
    /// It reaches a mocking point for which nothing in the workspace has a body: white-list.
    Point(RowId),
    /// It is a library method that is a mocking point itself: white-list.
    Wrapper(RowId),
    /// Its result carries nothing.
    Sanitized,
    /// Its value is state of this category, as a query marks it.
    Marked(Category),
}

/// A resolved method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resolved {
    /// Of each node of the graph.
    pub refs: Box<[Ref]>,
    /// Of each call of the graph.
    pub calls: Box<[Site]>,
    /// Of each write of the graph: the field, or [`NONE`].
    pub writes: Box<[FieldId]>,
    /// Methods of ambiguous calls.
    pub many: Box<[MethodId]>,
    /// Lambdas and references whose result nobody gets, since the function that they stand for gives none; as sorted nodes.
    pub voids: Box<[NodeId]>,
    /// Arguments that library members keep, to run them later if they are functions; sorted.
    pub kept: Box<[NodeId]>,
    /// Calls whose receiver's type is not known.
    pub unresolved: u32,
}

impl Resolved {
    /// The methods of the workspace that a call may call, before overriding; with `true` what overrides them as well.
    pub fn targets<'a>(&'a self, target: &'a Target) -> (&'a [MethodId], bool) {
        match target {
            Target::Method(method, is_virtual) => (std::slice::from_ref(method), *is_virtual),
            Target::Many(from, to) => (&self.many[*from as usize..*to as usize], true),
            Target::Among(from, to) => (&self.many[*from as usize..*to as usize], false),
            Target::Unresolved | Target::Library | Target::Default(_) => (&[], false),
        }
    }
}

/// What meaning is given from besides the facts of the method.
#[derive(Clone, Copy)]
pub struct Meaning<'a> {
    /// All declarations.
    pub symbols: &'a Symbols,
    /// What fields hold.
    pub beans: &'a Beans,
    /// What the project says.
    pub listed: &'a Listed,
    /// Which rows of the catalogue count.
    pub tier: Tier,
}

/// Resolves a method.
pub fn resolve(meaning: Meaning<'_>, id: MethodId, facts: &MethodFacts) -> Resolved {
    Resolver::new(meaning, id, facts).run()
}

/// The row of something outside that a method makes and gives: a proxy of another service.
pub fn gives_outside(meaning: Meaning<'_>, id: MethodId, facts: &MethodFacts) -> Option<u32> {
    let mut resolver = Resolver::new(meaning, id, facts);
    resolver.all_nodes();
    resolver.given_outside()
}

struct Resolver<'a> {
    symbols: &'a Symbols,
    beans: &'a Beans,
    listed: &'a Listed,
    facts: &'a MethodFacts,
    graph: &'a Graph,
    scope: Scope,
    types: Types<'a>,
    opt_in: bool,
    /// Per node.
    values: Vec<Value>,
    refs: Vec<Ref>,
    /// Dotted text of names that may be packages.
    paths: Vec<(NodeId, String)>,
    sites: Vec<Option<Site>>,
    results: Vec<Value>,
    many: Vec<MethodId>,
    unresolved: u32,
}

impl<'a> Resolver<'a> {
    fn new(meaning: Meaning<'a>, id: MethodId, facts: &'a MethodFacts) -> Self {
        let Meaning { symbols, beans, listed, tier } = meaning;
        let info = &symbols.methods[id as usize];
        let unit = &symbols.units[info.unit as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: unit.file, method: Some(id) };
        let graph = &facts.graph;
        Resolver {
            symbols,
            beans,
            listed,
            facts,
            graph,
            scope,
            types: Types::new(symbols, scope, Some(&facts.head)),
            opt_in: tier == Tier::OptIn,
            values: vec![NOTHING; graph.nodes.len()],
            refs: vec![Ref::None; graph.nodes.len()],
            paths: Vec::new(),
            sites: vec![None; graph.calls.len()],
            results: vec![NOTHING; graph.calls.len()],
            many: Vec::new(),
            unresolved: 0,
        }
    }

    fn run(mut self) -> Resolved {
        self.all_nodes();
        let writes = self.graph.writes.iter().map(|write| match write.kind {
            WriteKind::Element => NONE,
            WriteKind::Capture => {
                let nested = self.scope.unit.and_then(|unit| self.symbols.nested_type(unit, write.obj as u16));
                nested.and_then(|class| self.symbols.find_field(class, write.name)).unwrap_or(NONE)
            }
            WriteKind::Init => self.symbols.find_field(self.scope.class, write.name).unwrap_or(NONE),
            WriteKind::Assign => {
                let found = if write.obj == NONE { self.field_by_name(write.name).map(|it| it.0) } else { self.field_of_node(write.obj, write.name) };
                found.unwrap_or(NONE)
            }
        });
        let writes: Box<[FieldId]> = writes.collect();
        let voids = self.void_functions().into();
        let kept: Box<[NodeId]> = self.kept_functions().into();
        self.leave_to_product(&kept);
        let mut calls = Vec::with_capacity(self.sites.len());
        calls.extend(self.sites.iter().flatten());
        Resolved { refs: self.refs.into(), calls: calls.into(), writes, many: self.many.into(), voids, kept, unresolved: self.unresolved }
    }

    fn all_nodes(&mut self) {
        for id in 0..self.graph.nodes.len() as u32 {
            self.node(id);
        }
        for call in 0..self.graph.calls.len() as u32 {
            self.site(call);
        }
    }
}

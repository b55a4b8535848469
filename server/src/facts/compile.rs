//! Compiles a file: lists its declarations, and lowers those members that were not seen before.

use super::flow::{self, Input};
use super::generated::{self, Made, Whole, mapstruct};
use super::graph::At;
use super::{FieldFacts, FileFacts, Member, MemberFacts, MethodFacts, NestedType, OWN_CLASS, Role, TypeFacts, unknown_type};
use crate::intern::Sym;
use crate::java::decls::{self, FieldHead, Flags, MemberKind, MemberNode, MethodHead, Param, Range, TypeHead, TypeNode};
use crate::java::ops::{Op, OpKind};
use crate::java::patterns::{self, Marks};
use crate::java::queries::{Mark, Marked, Queries};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tree_sitter::Tree;

/// More nested classes than this in one member are left unread: the numbers of graphs end here.
const MAX_NESTED: usize = 4_000;

/// Facts, and how much of the file had to be read for them.
pub struct Compiled {
    /// The facts.
    pub facts: FileFacts,
    /// Members that were lowered.
    pub lowered: usize,
}

/// Compiles `text`, whose tree is `tree`.
///
/// With `old`, members whose text is unchanged keep their facts; without it nothing is hashed. `stem` is the file's
/// name without its ending, which names the implicit class of a compact source file. `queries` are those of the project
/// that hold for the file; `old` was compiled with the same.
pub fn compile(text: &str, tree: &Tree, stem: &str, old: Option<&FileFacts>, hashes: bool, queries: Option<&Queries>) -> Compiled {
    let file = decls::list(tree, text, stem);
    let known: FxHashMap<u64, &Arc<MemberFacts>> = old.map_or_else(FxHashMap::default, |old| {
        old.types.iter().flat_map(|it| &it.members).map(|it| (it.facts.hash, &it.facts)).filter(|it| it.0 != 0).collect()
    });
    let marked = queries.map_or_else(Marked::default, |it| it.run(tree, text));
    let has_marks = LazyCell::new(|| patterns::may_have_marks(text));
    let marks_in = |range: Option<std::ops::Range<usize>>| if *has_marks { patterns::marks(tree, text, range) } else { Marks::default() };
    let all_marks = (old.is_none()).then(|| marks_in(None));
    let mut lowered = 0;
    let types = file
        .types
        .iter()
        .map(|found| {
            let whole = Whole::of(found, text);
            let is_mapper = mapstruct::is_mapper(&found.head, &file.imports);
            let members = found.members.iter().enumerate().map(|(index, member)| {
                let range = member.node.byte_range();
                let whole = whole.as_ref().filter(|it| it.member == index);
                let hash = if hashes {
                    hash(text.get(range.clone()).unwrap_or_default(), &found.head, member.kind, whole, is_mapper, own_marked(&marked, &range))
                } else {
                    0
                };
                let facts = match known.get(&hash) {
                    Some(facts) if hash != 0 => Arc::clone(facts),
                    _ => {
                        lowered += 1;
                        let own_marks;
                        let marks = match &all_marks {
                            Some(all) => all,
                            None => {
                                own_marks = marks_in(Some(range.clone()));
                                &own_marks
                            }
                        };
                        Arc::new(Compiler { text, marks, marked: &marked, base: range.start as u32, is_mapper }.member(&found.head, member, whole, hash))
                    }
                };
                Member { start: range.start as u32, len: range.len() as u32, broken: member.broken, facts }
            });
            TypeFacts {
                members: members.collect(),
                outer: found.outer.map(|it| it as u32),
                name: found.name,
                range: found.range,
                head: Arc::new(head_of(found, &marked)),
            }
        })
        .collect();
    let facts = FileFacts {
        package: file.package,
        imports: file.imports.into(),
        types,
        suppressions: patterns::suppressions(tree, text),
        errors: file.errors,
        first_error: file.first_error,
        given_up: marked.given_up,
    };
    Compiled { facts, lowered }
}

/// What queries mark in a member, with where it starts.
fn own_marked<'a>(marked: &'a Marked, range: &std::ops::Range<usize>) -> (&'a [(Range, Mark)], u32) {
    let (start, end) = (range.start as u32, range.end as u32);
    (marked.within(Range { start, end }), start)
}

/// The head of a type with what queries say of it.
fn head_of(found: &TypeNode<'_>, marked: &Marked) -> TypeHead {
    let mut head = found.head.clone();
    if !marked.is_empty() && [found.name, found.range].iter().any(|&it| marked.of(it).has(Mark::BEAN)) {
        head.flags.add(Flags::MARKED_BEAN);
    }
    head
}

/// Everything that a member's facts depend on: its text, what it takes from the head of its class, and what queries mark in it.
fn hash(text: &str, owner: &TypeHead, kind: MemberKind, whole: Option<&Whole>, is_mapper: bool, (marked, start): (&[(Range, Mark)], u32)) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    kind.hash(&mut hasher);
    owner.kind.hash(&mut hasher);
    match kind {
        MemberKind::CompactConstructor | MemberKind::Component => {
            for (name, ty) in &owner.components {
                (name.as_str(), ty.to_string()).hash(&mut hasher);
            }
            owner.annotations.hash(&mut hasher);
        }
        MemberKind::EnumConstant => owner.name.as_str().hash(&mut hasher),
        // Interfaces of the class give methods roles.
        MemberKind::Method => owner.supers.iter().for_each(|it| it.name().as_str().hash(&mut hasher)),
        // A tool makes accessors for fields as the class is annotated.
        MemberKind::Field => owner.annotations.hash(&mut hasher),
        // The builder of a constructor is named after the class.
        MemberKind::Constructor => owner.name.as_str().hash(&mut hasher),
        _ => {}
    }
    if matches!(kind, MemberKind::Field | MemberKind::Component) {
        owner.name.as_str().hash(&mut hasher);
    }
    is_mapper.hash(&mut hasher);
    for (range, mark) in marked {
        (range.relative(start), mark).hash(&mut hasher);
    }
    if let Some(whole) = whole {
        whole.hash(&mut hasher);
    }
    hasher.finish().max(1)
}

struct Compiler<'a> {
    text: &'a str,
    marks: &'a Marks,
    marked: &'a Marked,
    /// Start of the member in the file.
    base: u32,
    /// Its class is a mapper of MapStruct.
    is_mapper: bool,
}

/// A method whose operations are there and whose graph is not.
struct Pending {
    head: MethodHead,
    owner: u16,
    name: Range,
    start: u32,
    len: u32,
    ops: Vec<Op>,
    first_nested: u16,
    /// Where calls without effect on results start, in the file; sorted.
    benign: Vec<u32>,
    /// Of what nobody wrote, its graph.
    made: Option<super::Graph>,
}

impl Compiler<'_> {
    fn member(&self, owner: &TypeHead, member: &MemberNode<'_>, whole: Option<&Whole>, hash: u64) -> MemberFacts {
        let mut fields = Vec::new();
        let mut methods: Vec<Pending> = Vec::new();
        let mut types: Vec<NestedType> = Vec::new();
        // Classes in bodies, in the order of their numbers, each with the method that declares it.
        let mut nested = Vec::new();
        let mut declaring: Vec<u16> = Vec::new();
        self.read(owner, member, whole, OWN_CLASS, &mut fields, &mut methods, &mut nested, &mut declaring);
        let mut next = 0;
        while next < nested.len() && next < MAX_NESTED {
            let (number, first) = (next as u16, types.len() as u16);
            for found in decls::nested_types(&nested[next], self.text) {
                let index = types.len() as u16;
                types.push(NestedType {
                    method: declaring[next],
                    outer: found.outer.map(|it| first + it as u16),
                    number: (index == first).then_some(number),
                    name: found.name.relative(self.base),
                    range: found.range.relative(self.base),
                    head: found.head,
                });
                let head = types[index as usize].head.clone();
                for member in &found.members {
                    self.read(&head, member, None, index, &mut fields, &mut methods, &mut nested, &mut declaring);
                }
            }
            next += 1;
        }
        let free_names = free_names(&types, &methods, next);
        // Facts are kept for the whole session: no spare room. To collect would keep the room of what it is made of.
        let mut finished = Vec::with_capacity(methods.len());
        finished.extend(methods.into_iter().map(|it| self.finish(it, &free_names, &types, &mut fields)));
        fields.shrink_to_fit();
        types.shrink_to_fit();
        MemberFacts { hash, fields, methods: finished, types }
    }

    #[allow(clippy::too_many_arguments)]
    fn read<'t>(
        &self,
        owner: &TypeHead,
        member: &MemberNode<'t>,
        whole: Option<&Whole>,
        index: u16,
        fields: &mut Vec<FieldFacts>,
        methods: &mut Vec<Pending>,
        nested: &mut Vec<crate::java::body::NestedType<'t>>,
        declaring: &mut Vec<u16>,
    ) {
        let body = decls::read_member(owner, member, self.text);
        let start = member.node.start_byte() as u32;
        let offset = start - self.base;
        let first_nested = nested.len() as u16;
        let len = (member.node.end_byte() as u32) - start;
        let made = |made: Made, name: Range| {
            let (head, graph) = (made.head, Some(made.graph));
            Pending { head, owner: index, name, start, len, ops: Vec::new(), first_nested, benign: Vec::new(), made: graph }
        };
        let at = |name: Range| At { start: name.start, len: name.end - name.start };
        let mut lazy = false;
        let mut by_tools = Vec::new();
        if matches!(member.kind, MemberKind::Field | MemberKind::Component) {
            for (field, name) in &body.fields {
                lazy |= generated::is_lazy(field);
                by_tools.extend(generated::of_field(owner, field, at(*name)).into_iter().map(|it| made(it, *name)));
            }
        }
        if let (Some(whole), Some((_, name))) = (whole, body.fields.first()) {
            by_tools.extend(whole.members(owner, at(*name)).into_iter().map(|it| made(it, *name)));
        }
        // An initialiser comes last, since it is what declares the classes in it; the accessor of a component comes first.
        let is_component = member.kind == MemberKind::Component;
        if !is_component {
            methods.append(&mut by_tools);
        }
        fields.extend(body.fields.into_iter().map(|(head, name)| FieldFacts { head, owner: index, name: name.absolute(offset), captured: false }));
        if let Some((mut head, name, ops)) = body.method {
            if head.kind == MemberKind::Constructor {
                methods.extend(generated::of_constructor(owner, &head, at(name)).into_iter().map(|it| made(it, name)));
            }
            let is_mapping = self.is_mapper && index == OWN_CLASS && head.kind == MemberKind::Method && !head.has_body;
            let mapping = is_mapping.then(|| mapstruct::mapping(&head, member, self.text, at(name)));
            if lazy && member.kind == MemberKind::Field {
                (head.name, head.kind) = (Sym::new("<lazy>"), MemberKind::Made);
            }
            methods.push(Pending { head, owner: index, name, start, len, ops, first_nested, benign: body.benign, made: mapping });
        }
        if member.kind == MemberKind::Component
            && let Some(first) = owner.components.first()
            && methods.last().is_some_and(|it| it.head.name == first.0)
        {
            methods.extend(canonical(owner, methods.last(), index));
        }
        methods.append(&mut by_tools);
        let method = methods.len().saturating_sub(1) as u16;
        declaring.extend(std::iter::repeat_n(method, body.nested.len()));
        nested.extend(body.nested);
    }

    fn finish(&self, pending: Pending, free_names: &[FxHashSet<Sym>], types: &[NestedType], fields: &mut Vec<FieldFacts>) -> MethodFacts {
        let Pending { head, owner, name, start, len, ops, first_nested, benign, made } = pending;
        let place = start + name.start;
        let file = self.marks;
        let whole = Range { start, end: start + len };
        let said = |mark: Mark| {
            !self.marked.is_empty() && head.kind == MemberKind::Method && [name.absolute(start), whole].iter().any(|&it| self.marked.of(it).has(mark))
        };
        let role = Role {
            entry: file.entries.contains(&place) || said(Mark::ENTRY),
            start_up: file.start_up.contains(&place) || said(Mark::START_UP),
            injected: file.injected.contains(&place) || said(Mark::INJECTED),
            mock: said(Mark::MOCK),
        };
        let at = At { start: name.start, len: name.end - name.start };
        let graph = if let Some(graph) = made {
            graph
        } else if head.kind == MemberKind::Component {
            generated::component(head.name, at)
        } else if !head.has_body && head.kind == MemberKind::Constructor {
            generated::canonical(&head.params, at)
        } else {
            let constructs = head.kind == MemberKind::Constructor;
            let input = Input { params: &head.params, free_names, first_nested, benign: &benign, marked: self.marked, base: start, constructs };
            let (graph, captures) = flow::run(&ops, &input);
            for capture in captures {
                let Some(owner) = types.iter().position(|it| it.number == Some(capture.nested)) else { continue };
                let mut flags = Flags::PRIVATE;
                flags.add(Flags::FINAL);
                let ty = capture.ty.unwrap_or_else(unknown_type);
                let head =
                    FieldHead { name: capture.name, ty, flags, annotations: Vec::new(), has_init: true, init_empty: false, made: None, enum_constant: false };
                let name = types[owner].name;
                fields.push(FieldFacts { head, owner: owner as u16, name, captured: true });
            }
            graph
        };
        MethodFacts { head, owner, offset: start - self.base, len, name, role, graph }
    }
}

/// The constructor of a record that nobody wrote. It stands with the first component; a written one replaces it.
fn canonical(owner: &TypeHead, accessor: Option<&Pending>, index: u16) -> Option<Pending> {
    let accessor = accessor?;
    let params = owner.components.iter().map(|(name, ty)| Param { name: *name, ty: *ty }).collect();
    let head = MethodHead {
        name: Sym::new("<init>"),
        kind: MemberKind::Constructor,
        flags: Flags::PUBLIC,
        annotations: Vec::new(),
        type_params: Vec::new(),
        params,
        param_annotations: Box::default(),
        returns: None,
        has_body: false,
        accessor: None,
    };
    Some(Pending {
        head,
        owner: index,
        name: accessor.name,
        start: accessor.start,
        len: accessor.len,
        ops: Vec::new(),
        first_nested: accessor.first_nested,
        benign: Vec::new(),
        made: None,
    })
}

/// For each nested class the names it uses, those of classes nested in it included.
fn free_names(types: &[NestedType], methods: &[Pending], n: usize) -> Vec<FxHashSet<Sym>> {
    let mut names: Vec<FxHashSet<Sym>> = vec![FxHashSet::default(); n];
    if n == 0 {
        return names;
    }
    // The class of a body in the numbering of graphs, through types that are members of nested ones.
    let number_of = |mut owner: u16| loop {
        let found = types.get(owner as usize)?;
        match (found.number, found.outer) {
            (Some(number), _) => return Some(number as usize),
            (None, Some(outer)) => owner = outer,
            (None, None) => return None,
        }
    };
    for method in methods {
        let Some(number) = number_of(method.owner) else { continue };
        for op in &method.ops {
            if let OpKind::Name(name) = op.kind {
                names[number].insert(name);
            }
        }
    }
    // Inner classes have higher numbers than those around them.
    for number in (0..n).rev() {
        let around = types.iter().find(|it| it.number == Some(number as u16)).and_then(|it| methods.get(it.method as usize)).and_then(|it| number_of(it.owner));
        if let Some(around) = around
            && around != number
        {
            let inner = names[number].clone();
            names[around].extend(inner);
        }
    }
    names
}

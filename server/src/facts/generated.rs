//! Members that Lombok makes, as if they were in the source (`semantics.md` §4), and mappers of MapStruct.
//!
//! What is made for one field stands with that field. What is made of all fields (constructors, the begin and end of a
//! builder) stands with the first field of the class.
//!
//! A builder is taken as the object that it builds: its setters write the fields of that, as a constructor would, and
//! `build()` hands it over. So a chain carries what it was given, and nobody has modified anything.

mod graphs;
pub(super) mod mapstruct;
mod names;

use super::Graph;
use super::graph::At;
use crate::intern::{Sym, Ty};
use crate::java::annotations::{self, Annotation};
use crate::java::decls::{self, Accessor, AccessorKind, FieldHead, Flags, MemberKind, MethodHead, Param, TypeHead, TypeKind, TypeNode};
pub use names::{Lombok, accessor_name, builder_class};

/// A result of the type of the object that the method was called on. No type can be written like this.
pub const SELF: &str = "this";

/// A member that nobody wrote.
pub(super) struct Made {
    pub(super) head: MethodHead,
    pub(super) graph: Graph,
}

/// What a class asks for besides accessors, with the fields that it is made of.
pub(super) struct Whole {
    /// The member of the class that it stands with.
    pub(super) member: usize,
    /// Fields of objects, in source order.
    fields: Vec<FieldHead>,
    /// A constructor is written out.
    has_constructor: bool,
}

/// Annotations of a class that make more than accessors.
const OF_WHOLE: &[&str] = &["Data", "Value", "Builder", "SuperBuilder", "AllArgsConstructor", "RequiredArgsConstructor"];

impl Whole {
    /// What is asked for by the annotations of a class.
    pub(super) fn of(found: &TypeNode<'_>, text: &str) -> Option<Whole> {
        let head = &found.head;
        if !head.annotations.iter().any(|it| OF_WHOLE.contains(&it.name.as_str())) {
            return None;
        }
        let kind = if head.kind == TypeKind::Record { MemberKind::Component } else { MemberKind::Field };
        let fields = found.members.iter().filter(|it| it.kind == kind);
        let fields = fields.flat_map(|it| decls::field_heads(&found.head, it, text)).filter(|it| !it.flags.has(Flags::STATIC)).collect();
        Some(Whole {
            member: found.members.iter().position(|it| it.kind == kind)?,
            fields,
            has_constructor: found.members.iter().any(|it| it.kind == MemberKind::Constructor),
        })
    }

    /// What decides about [`Whole::members`] besides the head of the class.
    pub(super) fn hash(&self, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.has_constructor.hash(hasher);
        for field in &self.fields {
            (field.name.as_str(), field.ty.to_string(), field.flags, field.has_init).hash(hasher);
            field.annotations.hash(hasher);
        }
    }

    /// The members that are made of all fields.
    pub(super) fn members(&self, owner: &TypeHead, at: At) -> Vec<Made> {
        let mut made = Vec::new();
        let on = |name: &str| owner.annotations.iter().find(|it| it.name.as_str() == name);
        let immutable = on("Value").is_some();
        let all: Vec<&FieldHead> = self.fields.iter().filter(|it| !(it.has_init && is_final(owner, it))).collect();
        let needed: Vec<&FieldHead> =
            all.iter().copied().filter(|it| !it.has_init && (is_final(owner, it) || annotations::has(&it.annotations, "NonNull"))).collect();
        if owner.kind != TypeKind::Record {
            if let Some(asked) = on("AllArgsConstructor").or(on("Value").filter(|_| !self.has_constructor)) {
                constructor(owner, asked, &all, at, &mut made);
            }
            let implied = on("Data").filter(|_| !self.has_constructor && !immutable && on("AllArgsConstructor").is_none());
            // Without arguments it is the one that a class has anyway.
            if let Some(asked) = on("RequiredArgsConstructor").or(implied)
                && (!needed.is_empty() || asked.value(&["staticName", "staticConstructor"]).is_some())
            {
                constructor(owner, asked, &needed, at, &mut made);
            }
        }
        if let Some(asked) = on("Builder").or(on("SuperBuilder")) {
            made.extend(builder_ends(owner, asked, at));
        }
        made
    }
}

fn constructor(owner: &TypeHead, asked: &Annotation, fields: &[&FieldHead], at: At, made: &mut Vec<Made>) {
    let params: Vec<Param> = fields.iter().map(|it| Param { name: it.name, ty: it.ty }).collect();
    let named = asked.value(&["staticName", "staticConstructor"]).filter(|it| !it.as_str().is_empty());
    if let Some(name) = named {
        let mut flags = Flags::PUBLIC;
        flags.add(Flags::STATIC);
        let graph = graphs::creation(owner.name, params.len(), at);
        made.push(Made { head: head(name, MemberKind::Made, flags, params.clone(), Some(Ty::new(owner.name, &[], 0))), graph });
    }
    let flags = if named.is_some() { Flags::PRIVATE } else { access(asked).unwrap_or_default() };
    let graph = graphs::keeps_parameters(&params, at);
    made.push(Made { head: head(Sym::new("<init>"), MemberKind::Constructor, flags, params, None), graph });
}

/// `builder()`, `build()` and `toBuilder()`.
fn builder_ends(owner: &TypeHead, asked: &Annotation, at: At) -> Vec<Made> {
    let named = |key: &str, usual: &str| asked.value(&[key]).unwrap_or_else(|| Sym::new(usual));
    let mut flags = Flags::PUBLIC;
    flags.add(Flags::STATIC);
    let class = builder_class(owner.name, asked, &Lombok::default());
    let mut made = vec![
        Made {
            head: head(named("builderMethodName", "builder"), MemberKind::Made, flags, Vec::new(), Some(Ty::new(class, &[], 0))),
            graph: graphs::begin(owner.name, false, at),
        },
        Made { head: head(named("buildMethodName", "build"), MemberKind::Made, Flags::PUBLIC, Vec::new(), Some(Ty::simple(SELF))), graph: graphs::itself(at) },
    ];
    if asked.value(&["toBuilder"]).is_some_and(|it| it.as_str() == "true") {
        made.push(Made {
            head: head(Sym::new("toBuilder"), MemberKind::Made, Flags::PUBLIC, Vec::new(), Some(Ty::new(class, &[], 0))),
            graph: graphs::begin(owner.name, true, at),
        });
    }
    made
}

/// What is made for one field of a class or component of a record.
pub(super) fn of_field(owner: &TypeHead, field: &FieldHead, at: At) -> Vec<Made> {
    let mut made = Vec::new();
    if field.enum_constant || !(owner.annotations.iter().chain(&field.annotations).any(|it| MAKES.contains(&it.name.as_str()))) {
        return made;
    }
    let is_static = field.flags.has(Flags::STATIC);
    let is_record = owner.kind == TypeKind::Record;
    // What the field says counts more than what the class says; only the field's own annotation reaches a static field.
    let asked = |on_class: &[&str], on_field: &str| {
        let own = field.annotations.iter().find(|it| it.name.as_str() == on_field);
        let of_class = || {
            owner
                .annotations
                .iter()
                .find(|it| it.name.as_str() == on_field)
                .or_else(|| owner.annotations.iter().find(|it| on_class.contains(&it.name.as_str())))
        };
        let found = own.or_else(|| if is_static { None } else { of_class() })?;
        // `@Value(staticConstructor = "of")` says nothing of accessors.
        if found.name.as_str() == on_field { access(found) } else { Some(Flags::PUBLIC) }
    };
    let with_static = |mut flags: Flags| {
        flags.add(if is_static { Flags::STATIC } else { Flags::default() });
        flags
    };
    // `lombok.config` is the link's affair: facts follow from the text alone.
    let plain = Lombok::default();
    let add = |of: AccessorKind, kind: MemberKind, flags: Flags, params: Vec<Param>, returns: Option<Ty>, graph: Graph, made: &mut Vec<Made>| {
        let Some(name) = accessor_name(of, owner, field, &plain) else { return };
        if made.iter().all(|it| it.head.name != name || it.head.params.len() != params.len()) {
            let head = MethodHead { accessor: Some(Accessor { field: field.name, kind: of }), ..head(name, kind, flags, params, returns) };
            made.push(Made { head, graph });
        }
    };
    let param = |ty: Ty| vec![Param { name: field.name, ty }];
    if !is_record && let Some(flags) = asked(&["Data", "Value"], "Getter") {
        let graph = graphs::getter(field.name, is_static, at);
        add(AccessorKind::Getter, MemberKind::Component, with_static(flags), Vec::new(), Some(field.ty), graph, &mut made);
    }
    if !is_record
        && !is_final(owner, field)
        && let Some(flags) = asked(&["Data"], "Setter")
    {
        let returns = (!is_static).then(|| Ty::new(owner.name, &[], 0));
        let graph = graphs::setter(field.name, is_static, at);
        add(AccessorKind::Setter, MemberKind::Made, with_static(flags), param(field.ty), returns, graph, &mut made);
    }
    if is_static {
        return made;
    }
    if let Some(flags) = asked(&["Wither"], "With") {
        let graph = graphs::copy_with(owner.name, field.name, at);
        add(AccessorKind::With, MemberKind::Made, flags, param(field.ty), Some(Ty::new(owner.name, &[], 0)), graph, &mut made);
    }
    if owner.annotations.iter().any(|it| matches!(it.name.as_str(), "Builder" | "SuperBuilder")) {
        let setter = graphs::builder_setter(field.name, at);
        add(AccessorKind::BuilderSetter, MemberKind::Made, Flags::PUBLIC, param(field.ty), Some(Ty::simple(SELF)), setter, &mut made);
        if annotations::has(&field.annotations, "Singular") {
            let is_map = field.ty.name().as_str().ends_with("Map");
            let object = Ty::simple("java.lang.Object");
            let params: Vec<Param> = (0..1 + usize::from(is_map)).map(|_| Param { name: field.name, ty: object }).collect();
            let graph = graphs::builder_adder(field.name, params.len(), object, at);
            add(AccessorKind::BuilderAdder, MemberKind::Made, Flags::PUBLIC, params, Some(Ty::simple(SELF)), graph, &mut made);
        }
    }
    made
}

/// Annotations by which a field gets members.
const MAKES: &[&str] = &["Data", "Value", "Getter", "Setter", "With", "Wither", "Builder", "SuperBuilder"];

/// The builder of a constructor: parameters are taken as the fields of their names.
pub(super) fn of_constructor(owner: &TypeHead, constructor: &MethodHead, at: At) -> Vec<Made> {
    let Some(asked) = constructor.annotations.iter().find(|it| it.name.as_str() == "Builder") else { return Vec::new() };
    let setters = constructor.params.iter().map(|param| Made {
        head: head(param.name, MemberKind::Made, Flags::PUBLIC, vec![param.clone()], Some(Ty::simple(SELF))),
        graph: graphs::builder_setter(param.name, at),
    });
    builder_ends(owner, asked, at).into_iter().chain(setters).collect()
}

/// `@Getter(lazy = true)`: the initialiser runs in the getter, and in no constructor.
pub(super) fn is_lazy(field: &FieldHead) -> bool {
    let lazy = |it: &Annotation| it.name.as_str() == "Getter" && it.value(&["lazy"]).is_some_and(|it| it.as_str() == "true");
    field.annotations.iter().any(lazy)
}

/// `@Value` makes fields final.
fn is_final(owner: &TypeHead, field: &FieldHead) -> bool {
    let made_final = || {
        let by_defaults = |it: &Annotation| it.name.as_str() == "FieldDefaults" && it.value(&["makeFinal"]).is_some_and(|it| it.as_str() == "true");
        owner.annotations.iter().any(|it| it.name.as_str() == "Value" || by_defaults(it))
    };
    field.flags.has(Flags::FINAL) || (made_final() && !annotations::has(&field.annotations, "NonFinal"))
}

/// Who may call what an annotation makes; `None` if it makes nothing.
fn access(asked: &Annotation) -> Option<Flags> {
    let level = asked.value(&["value", "access"]).map_or("PUBLIC", Sym::as_str);
    Some(match level.rsplit('.').next().unwrap_or(level) {
        "NONE" => return None,
        "PRIVATE" => Flags::PRIVATE,
        "PROTECTED" => Flags::PROTECTED,
        "PACKAGE" | "MODULE" => Flags::default(),
        _ => Flags::PUBLIC,
    })
}

/// What a record has for each component.
pub(super) fn component(name: Sym, at: At) -> Graph {
    graphs::getter(name, false, at)
}

/// The constructor of a record that nobody wrote.
pub(super) fn canonical(params: &[Param], at: At) -> Graph {
    graphs::keeps_parameters(params, at)
}

fn head(name: Sym, kind: MemberKind, flags: Flags, params: Vec<Param>, returns: Option<Ty>) -> MethodHead {
    let (annotations, type_params, param_annotations) = (Vec::new(), Vec::new(), Box::default());
    MethodHead { name, kind, flags, annotations, type_params, params, param_annotations, returns, has_body: true, accessor: None }
}

//! Types of values, as far as they decide which method a call means: erasure, plus type arguments that can be
//! followed through declared types.

mod variables;

use super::symbols::{Scope, Symbols, TypeId, UNKNOWN};
use crate::catalogue::{LibMethod, LibTypeId, catalogue};
use crate::intern::{Sym, Ty};
use crate::java::decls::MethodHead;

/// A type at a use: what it is, and how to read its arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The erased type; [`UNKNOWN`] if it is not known (or a primitive).
    pub id: TypeId,
    /// Array dimensions.
    pub dims: u8,
    /// As written, if it was: carries the arguments.
    pub ty: Option<Ty>,
    /// Where it was written.
    pub context: u32,
}

/// A value of unknown type.
pub const NOTHING: Value = Value { id: UNKNOWN, dims: 0, ty: None, context: 0 };

/// Where a written type is to be read.
#[derive(Clone, Debug)]
enum Context {
    /// In the source.
    Source(Scope),
    /// In the table of signatures or in a generic class, for a call: receiver and arguments replace the variables. Those of
    /// the method itself are worked out beforehand.
    Call { scope: Option<Scope>, recv: Value, args: Vec<Value>, own: Vec<(Sym, Value)> },
}

/// Reads types within one method.
pub struct Types<'a> {
    symbols: &'a Symbols,
    contexts: Vec<Context>,
    head: Option<&'a MethodHead>,
}

/// Type arguments that refer to each other in a circle end here.
const MAX_DEPTH: u32 = 8;

impl<'a> Types<'a> {
    /// For a body in `scope`; `head` gives the method's own type parameters.
    pub fn new(symbols: &'a Symbols, scope: Scope, head: Option<&'a MethodHead>) -> Self {
        Types { symbols, contexts: vec![Context::Source(scope)], head }
    }

    /// The type that `ty` means in the body.
    pub fn here(&self, ty: Ty) -> Value {
        self.read(ty, 0, 0)
    }

    /// A library or workspace type without arguments.
    pub fn plain(&self, id: TypeId) -> Value {
        Value { id, ..NOTHING }
    }

    /// The type that `ty`, written in `scope`, has for a call on `recv` with `args`.
    pub fn at_call(&mut self, ty: Ty, scope: Option<Scope>, recv: Value, args: &[Value]) -> Value {
        let name = ty.name().as_str();
        let plain = ty.data().args.is_empty() && !name.starts_with(['$', '#']);
        if plain && scope.is_none() {
            return Value { id: self.symbols.named(ty.name()), dims: ty.data().dims, ty: Some(ty), context: 0 };
        }
        let Some(scope) = scope else { return self.read_for(ty, None, recv, args, Vec::new()) };
        self.at_call_given(None, ty, scope, recv, args)
    }

    /// The same for a call of a method of the workspace, with the type arguments that are `given` for the method.
    pub fn at_call_given(&mut self, given: Option<Ty>, ty: Ty, scope: Scope, recv: Value, args: &[Value]) -> Value {
        let own = self.variables_of(scope, given, args);
        let recv = self.as_declared(recv, scope.class);
        self.read_for(ty, Some(scope), recv, args, own)
    }

    fn read_for(&mut self, ty: Ty, scope: Option<Scope>, recv: Value, args: &[Value], own: Vec<(Sym, Value)>) -> Value {
        self.contexts.push(Context::Call { scope, recv, args: args.to_vec(), own });
        self.read(ty, (self.contexts.len() - 1) as u32, 0)
    }

    /// The type of a field that a library type declares, of an object.
    pub fn lib_field(&mut self, ty: Ty, owner: LibTypeId, recv: Value) -> Value {
        let recv = if speaks_of_receiver(ty) { self.seen_as(recv, TypeId(owner)) } else { NOTHING };
        self.at_call(ty, None, recv, &[])
    }

    /// The type of the result of a library method called on `recv`.
    pub fn result(&mut self, method: &LibMethod, recv: Value, args: &[Value]) -> Value {
        let recv = if method.of_receiver { self.seen_as(recv, TypeId(method.owner)) } else { recv };
        self.at_call(method.returns, None, recv, args)
    }

    /// Type argument number `i` of a value's type.
    pub fn argument(&self, value: Value, i: usize) -> Value {
        let Some(ty) = value.ty else { return NOTHING };
        match ty.data().args.get(i) {
            Some(&arg) => self.read(arg, value.context, 1),
            None => NOTHING,
        }
    }

    /// The type of an element of an array or of an iterable.
    pub fn element(&self, value: Value) -> Value {
        if value.dims > 0 {
            let ty = value.ty.and_then(Ty::element);
            return Value { dims: value.dims - 1, ty, ..value };
        }
        self.argument(value, 0)
    }

    fn read(&self, ty: Ty, context: u32, depth: u32) -> Value {
        let data = ty.data();
        if depth > MAX_DEPTH {
            return NOTHING;
        }
        let name = data.name.as_str();
        let with_dims = |value: Value| Value { dims: value.dims.saturating_add(data.dims), ..value };
        match &self.contexts[context as usize] {
            Context::Call { recv, args, scope, own } => {
                if let Some(i) = name.strip_prefix('$').and_then(|it| it.parse().ok()) {
                    let found = self.argument(*recv, i);
                    // An argument that nobody gave is at least what the parameter must be.
                    let bound = || self.symbols.lib(recv.id).and_then(|it| catalogue().library.bound(it, i)).map_or(NOTHING, |it| self.plain(TypeId(it)));
                    return with_dims(if found.id == UNKNOWN && found.dims == 0 { bound() } else { found });
                }
                if let Some(number) = name.strip_prefix('#') {
                    let (i, of) = number.split_once('.').map_or((number, None), |it| (it.0, it.1.parse().ok()));
                    let arg = i.parse().ok().and_then(|i: usize| args.get(i).copied()).unwrap_or(NOTHING);
                    if let Some(k) = of {
                        return with_dims(self.argument(arg, k));
                    }
                    let bare = if arg.dims > 0 { Value { dims: 0, ty: None, ..arg } } else { arg };
                    return with_dims(bare);
                }
                match scope {
                    None => Value { id: self.symbols.named(data.name), dims: data.dims, ty: Some(ty), context },
                    Some(scope) => {
                        if let Some((_, found)) = own.iter().find(|it| it.0 == data.name) {
                            if found.id != UNKNOWN || found.ty.is_some() {
                                return with_dims(*found);
                            }
                            let bound = scope.method.and_then(|it| self.symbols.type_parameters(it).iter().find(|it| it.0 == data.name)?.1);
                            return bound.map_or(NOTHING, |bound| with_dims(self.read(bound, context, depth + 1)));
                        }
                        // A type parameter of the generic class is the receiver's argument.
                        let head = self.symbols.own(scope.class).map(|it| it.head.get());
                        if let Some(i) = head.and_then(|it| it.type_params.iter().position(|it| it.0 == data.name)) {
                            let found = if recv.id == scope.class { self.argument(*recv, i) } else { NOTHING };
                            if found.id != UNKNOWN {
                                return with_dims(found);
                            }
                            let bound = head.and_then(|it| it.type_params[i].1);
                            return bound.map_or(NOTHING, |bound| with_dims(self.read(bound, context, depth + 1)));
                        }
                        Value { id: self.symbols.resolve(*scope, data.name), dims: data.dims, ty: Some(ty), context }
                    }
                }
            }
            Context::Source(scope) => {
                if let Some(found) = self.variable(*scope, data.name) {
                    return found.map_or(NOTHING, |bound| with_dims(self.read(bound, context, depth + 1)));
                }
                Value { id: self.symbols.resolve(*scope, data.name), dims: data.dims, ty: Some(ty), context }
            }
        }
    }

    /// `Some(bound)` if the name is a type parameter of the method or of a class around it.
    pub fn variable(&self, scope: Scope, name: Sym) -> Option<Option<Ty>> {
        if let Some(head) = self.head
            && let Some(found) = head.type_params.iter().find(|it| it.0 == name)
        {
            return Some(found.1);
        }
        let mut class = scope.class;
        for _ in 0..16 {
            let info = self.symbols.own(class)?;
            if let Some(found) = info.head.get().type_params.iter().find(|it| it.0 == name) {
                return Some(found.1);
            }
            class = info.outer;
        }
        None
    }

    /// Whether a value of type `arg` may be passed where `param` is written. Unknown types fit everywhere.
    pub fn fits(&self, arg: Value, arg_primitive: Option<&str>, param: &str, param_id: TypeId, param_dims: u8) -> Fit {
        if let Some(primitive) = arg_primitive {
            if param_dims > 0 {
                return Fit::No;
            }
            if primitive == param {
                return Fit::Exact;
            }
            return match (primitive, param) {
                _ if is_wider(primitive, param) => Fit::Loose,
                (_, "boolean" | "int" | "long" | "float" | "double" | "char" | "byte" | "short") => Fit::No,
                (_, "java.lang.String") => Fit::No,
                _ => {
                    let boxed = BOXES.iter().find(|it| it.0 == primitive).map_or("", |it| it.1);
                    let boxed = self.symbols.qualified(boxed);
                    if boxed == param_id {
                        Fit::Boxed
                    } else if param_id == UNKNOWN || self.symbols.is_subtype(boxed, param_id) || self.symbols.type_name(param_id) == "java.lang.Object" {
                        Fit::BoxedLoosely
                    } else {
                        Fit::No
                    }
                }
            };
        }
        if arg.dims > 0
            && let Some(of) = arg.ty.map(|it| it.name().as_str()).filter(|it| is_primitive(it))
        {
            return match param {
                _ if param == of && param_dims == arg.dims => Fit::Exact,
                _ if param_dims >= arg.dims || is_primitive(param) => Fit::No,
                _ if param_id == UNKNOWN => Fit::Unknown,
                _ if self.symbols.type_name(param_id) == "java.lang.Object" => Fit::Loose,
                _ => Fit::No,
            };
        }
        if is_primitive(param) && arg.id != UNKNOWN {
            return if param_dims == 0 && arg.dims == 0 { self.unboxed(arg, param) } else { Fit::No };
        }
        if arg.id == UNKNOWN || param_id == UNKNOWN {
            // A reference whose type is unknown may be unboxed into any primitive.
            return Fit::Unknown;
        }
        if arg.dims != param_dims {
            return if self.symbols.type_name(param_id) == "java.lang.Object" && param_dims < arg.dims { Fit::Loose } else { Fit::No };
        }
        if arg.id == param_id {
            return Fit::Exact;
        }
        if self.symbols.type_name(param_id) == "java.lang.Object" || self.symbols.is_subtype(arg.id, param_id) {
            return Fit::Loose;
        }
        // Above an unknown supertype anything may be.
        if self.symbols.may_be_below(arg.id, param_id) { Fit::Unknown } else { Fit::No }
    }

    /// Whether an object may be passed where a primitive is written. Of what stands above the boxes it is not known: there a
    /// type argument may have been lost.
    fn unboxed(&self, arg: Value, param: &str) -> Fit {
        let name = self.symbols.type_name(arg.id);
        match BOXES.iter().find(|it| it.1 == name) {
            Some((primitive, _)) if *primitive == param => Fit::Boxed,
            Some((primitive, _)) if is_wider(primitive, param) => Fit::BoxedLoosely,
            Some(_) => Fit::No,
            None if name.starts_with("java.lang.") && name != "java.lang.String" => Fit::Unknown,
            None => Fit::No,
        }
    }
}

/// Whether a type of the tables has a type parameter of the type in it that declares the member.
fn speaks_of_receiver(ty: Ty) -> bool {
    let data = ty.data();
    data.name.as_str().starts_with('$') || data.args.iter().any(|&it| speaks_of_receiver(it))
}

/// Primitive types and the classes of their boxes.
const BOXES: [(&str, &str); 8] = [
    ("int", "java.lang.Integer"),
    ("long", "java.lang.Long"),
    ("boolean", "java.lang.Boolean"),
    ("double", "java.lang.Double"),
    ("float", "java.lang.Float"),
    ("char", "java.lang.Character"),
    ("byte", "java.lang.Byte"),
    ("short", "java.lang.Short"),
];

/// Whether a name is that of a primitive type.
pub fn is_primitive(name: &str) -> bool {
    BOXES.iter().any(|it| it.0 == name)
}

/// Whether a value of one primitive type becomes one of another without a cast (JLS 5.1.2).
pub fn is_wider(from: &str, to: &str) -> bool {
    matches!(
        (from, to),
        ("int" | "short" | "byte" | "char", "long" | "float" | "double")
            | ("long", "float" | "double")
            | ("float", "double")
            | ("byte" | "short" | "char", "int")
            | ("byte", "short")
    )
}

/// How well an argument fits a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Fit {
    /// It cannot be passed.
    No,
    /// Not known.
    Unknown,
    /// By boxing or unboxing, and then by conversion or as a subtype.
    BoxedLoosely,
    /// By boxing or unboxing.
    Boxed,
    /// By conversion or as a subtype.
    Loose,
    /// The same type.
    Exact,
}

impl Fit {
    /// Whether it takes boxing or unboxing: an overload that takes none goes before (JLS 15.12.2).
    pub fn is_boxed(self) -> bool {
        matches!(self, Fit::Boxed | Fit::BoxedLoosely)
    }
}

/// A written type as reports print it: erased, qualified where known.
pub fn type_text(symbols: &Symbols, method: super::symbols::MethodId, head: &MethodHead, ty: Ty) -> String {
    let info = &symbols.methods[method as usize];
    let scope = Scope { class: info.owner, unit: Some(info.unit), file: symbols.file_of_unit(info.unit), method: Some(method) };
    let types = Types::new(symbols, scope, Some(head));
    let data = ty.data();
    let dims = "[]".repeat(data.dims as usize);
    let is_variable = types.variable(scope, data.name).is_some();
    let value = types.here(ty);
    let name = symbols.type_name(value.id);
    if !name.is_empty() {
        return format!("{name}{}", "[]".repeat(value.dims as usize));
    }
    if is_variable { format!("java.lang.Object{dims}") } else { format!("{}{dims}", data.name) }
}

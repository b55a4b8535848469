//! What the names and values of a method mean: their types, and the fields they read.

use super::{Ref, Resolver};
use crate::catalogue::catalogue;
use crate::facts::graph::{NodeId, NodeKind};
use crate::intern::Sym;
use crate::link::symbols::{FieldId, Scope, TypeId, UNKNOWN};
use crate::link::types::{NOTHING, Value, is_primitive};

impl Resolver<'_> {
    pub(super) fn node(&mut self, id: NodeId) {
        let node = self.graph.nodes[id as usize];
        let value = match node.kind {
            NodeKind::Const(ty) => ty.map_or(NOTHING, |it| self.types.here(it)),
            NodeKind::Param(i) => self.facts.head.params.get(i as usize).map_or(NOTHING, |it| self.types.here(it.ty)),
            NodeKind::This => self.types.plain(self.scope.class),
            NodeKind::OuterThis(name) => self.types.plain(self.symbols.resolve(self.scope, name)),
            NodeKind::Name(name) => self.name(id, name),
            NodeKind::Type(ty) => {
                self.refs[id as usize] = Ref::NoValue;
                self.types.here(ty)
            }
            NodeKind::Select(obj, name) => self.select(id, obj, name),
            NodeKind::Component(_, ty, i) => {
                let record = self.types.here(ty);
                let component = self.symbols.own(record.id).and_then(|it| it.head.get().components.get(i as usize).copied());
                match component.and_then(|it| self.symbols.find_field(record.id, it.0)) {
                    Some(field) => {
                        self.refs[id as usize] = Ref::Field(field);
                        self.field_value(field, record)
                    }
                    None => NOTHING,
                }
            }
            NodeKind::Element(array) => self.types.element(self.values[array as usize]),
            NodeKind::Phi(list) => self
                .graph
                .list(list)
                .iter()
                .map(|&it| self.values[it as usize])
                .find(|it| it.id != UNKNOWN)
                .or_else(|| self.graph.list(list).iter().map(|&it| self.values[it as usize]).find(|it| it.ty.is_some()))
                .unwrap_or(NOTHING),
            NodeKind::Typed(inner, ty) => {
                let declared = self.types.here(ty);
                // What is known of the value may say more than its declaration: `Object o = new Foo()`; type
                // arguments of a declaration say more than a diamond.
                let known = self.values[inner as usize];
                let is_lost = declared.id == UNKNOWN && !is_primitive(ty.name().as_str());
                if is_lost && (known.id != UNKNOWN || known.ty.is_some()) { known } else { declared }
            }
            NodeKind::Array(_, ty) | NodeKind::Sized(_, ty) => self.types.here(ty),
            NodeKind::Call(call) => {
                self.site(call);
                self.results[call as usize]
            }
            NodeKind::Stored(..) | NodeKind::After(..) | NodeKind::Gained(..) => self.graph.same_object(id).map_or(NOTHING, |it| self.values[it as usize]),
            NodeKind::LambdaParam(lambda, i) => self.lambda_param(lambda, i),
            NodeKind::Caught(ty) => ty.map_or(NOTHING, |it| self.types.here(it)),
            // A string and anything else make a string.
            NodeKind::Derive(list) if list.len > 1 && !self.graph.list(list).iter().any(|&it| self.graph.nodes[it as usize].kind == NodeKind::Null) => {
                let string = self
                    .graph
                    .list(list)
                    .iter()
                    .map(|&it| self.values[it as usize])
                    .find(|it| it.dims == 0 && self.symbols.type_name(it.id) == "java.lang.String");
                string.unwrap_or(NOTHING)
            }
            NodeKind::Null | NodeKind::Derive(_) | NodeKind::Same(_) | NodeKind::Lambda(_) => NOTHING,
        };
        self.values[id as usize] = value;
    }

    fn field_value(&mut self, field: FieldId, recv: Value) -> Value {
        let info = &self.symbols.fields[field as usize];
        let scope = Scope { class: info.owner, unit: Some(info.unit), file: self.symbols.file_of_unit(info.unit), method: None };
        let ty = info.ty;
        self.types.at_call(ty, Some(scope), recv, &[])
    }

    /// A field by its simple name: of the class, of classes around it, or imported statically.
    pub(super) fn field_by_name(&self, name: Sym) -> Option<(FieldId, TypeId)> {
        let mut class = self.scope.class;
        for _ in 0..32 {
            let Some(info) = self.symbols.own(class) else { break };
            if let Some(field) = self.symbols.find_field(class, name) {
                return Some((field, class));
            }
            class = info.outer;
        }
        self.symbols.static_imports(self.scope.file, name).find_map(|ty| self.symbols.find_field(ty, name).map(|field| (field, ty)))
    }

    fn name(&mut self, id: NodeId, name: Sym) -> Value {
        if let Some((field, class)) = self.field_by_name(name) {
            self.refs[id as usize] = Ref::Field(field);
            let recv = self.types.plain(class);
            return self.field_value(field, recv);
        }
        if let Some(value) = self.lib_field_by_name(id, name) {
            return value;
        }
        let class = self.symbols.resolve(self.scope, name);
        if class != UNKNOWN {
            self.refs[id as usize] = Ref::NoValue;
            return self.types.plain(class);
        }
        self.paths.push((id, name.as_str().to_owned()));
        NOTHING
    }

    /// A field inherited from a library class, or imported statically from one.
    fn lib_field_by_name(&mut self, id: NodeId, name: Sym) -> Option<Value> {
        let imported = self.symbols.static_imports(self.scope.file, name).find_map(|ty| self.lib_field(id, self.types.plain(ty), name));
        if imported.is_some() {
            return imported;
        }
        let open_class = self.symbols.own(self.scope.class).is_some_and(|it| !it.supers.is_empty());
        if !open_class {
            return None;
        }
        self.lib_field(id, self.types.plain(self.scope.class), name)
    }

    fn lib_field(&mut self, id: NodeId, recv: Value, name: Sym) -> Option<Value> {
        let known = catalogue();
        let class = recv.id;
        let listed = self.listed_field(class, name);
        if let Some((owner, ty)) = self.symbols.find_lib_field(class, name) {
            let value = self.types.lib_field(ty, owner, recv);
            if known.rules.rule(known.rules.transfer(&[owner], name, 0, None)).frozen || self.is_frozen(value, false) {
                self.refs[id as usize] = Ref::Frozen;
            }
            if let Some(row) = known.rules.source_of(&[owner], None, name, 0, None, self.opt_in) {
                self.refs[id as usize] = Ref::Source(row);
            }
            if let Some(row) = listed {
                self.refs[id as usize] = Ref::Listed(row);
            }
            return Some(value);
        }
        if let Some(row) = listed {
            self.refs[id as usize] = Ref::Listed(row);
            return Some(NOTHING);
        }
        let lib = self.symbols.lib(class)?;
        if !known.library.types[lib as usize].listed && name.as_str().chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric()) {
            // Constants of third-party types: only the rows that stand for every member can mean them.
            if let Some(row) = known.rules.source_of(&[lib], None, name, 0, None, self.opt_in) {
                self.refs[id as usize] = Ref::Source(row);
                return Some(NOTHING);
            }
        }
        None
    }

    fn select(&mut self, id: NodeId, obj: NodeId, name: Sym) -> Value {
        let recv = self.values[obj as usize];
        if recv.dims > 0 {
            return NOTHING;
        }
        if recv.id != UNKNOWN {
            if let Some(field) = self.symbols.find_field(recv.id, name) {
                self.refs[id as usize] = Ref::Field(field);
                return self.field_value(field, recv);
            }
            if self.refs[obj as usize] == Ref::NoValue {
                if let Some(value) = self.lib_field(id, recv, name) {
                    return value;
                }
                let nested = self.symbols.member_type(recv.id, name);
                if nested != UNKNOWN {
                    self.refs[id as usize] = Ref::NoValue;
                    return self.types.plain(nested);
                }
            } else if let Some((owner, ty)) = self.symbols.find_lib_field(recv.id, name) {
                let value = self.types.lib_field(ty, owner, recv);
                self.refs[id as usize] = self.listed_field(recv.id, name).map_or(Ref::None, Ref::Listed);
                return value;
            }
            if let Some(row) = self.listed_field(recv.id, name) {
                self.refs[id as usize] = Ref::Listed(row);
            }
            return NOTHING;
        }
        // Perhaps a qualified name.
        let Some(at) = self.paths.iter().rposition(|it| it.0 == obj) else { return NOTHING };
        let path = format!("{}.{name}", self.paths[at].1);
        let class = self.symbols.qualified(&path);
        if class != UNKNOWN {
            self.refs[id as usize] = Ref::NoValue;
            return self.types.plain(class);
        }
        self.paths.push((id, path));
        NOTHING
    }

    pub(super) fn field_of_node(&self, obj: NodeId, name: Sym) -> Option<FieldId> {
        let recv = self.values[obj as usize];
        if recv.id == UNKNOWN || recv.dims > 0 { None } else { self.symbols.find_field(recv.id, name) }
    }
}

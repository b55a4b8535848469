//! Classes whose objects stay what they are once they are made.

use crate::catalogue::{LibTypeId, catalogue};
use crate::intern::Sym;
use crate::java::decls::{Flags, TypeKind};
use crate::link::changes::By;
use crate::link::eval::{Eval, THIS, inside_bit};
use crate::link::symbols::{FieldId, HeadRef, MethodId, Symbols, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Classes around one that are looked at.
const MAX_AROUND: usize = 32;

/// Fields of objects that something changes after construction, or what they hold, by the class that declares them.
#[derive(Default)]
pub(super) struct Steady {
    changing: FxHashMap<TypeId, SmallVec<[FieldId; 4]>>,
}

impl Steady {
    /// Adds a field that something changes.
    pub fn add(&mut self, symbols: &Symbols, field: FieldId) {
        let known = self.changing.entry(symbols.fields[field as usize].owner).or_default();
        if !known.contains(&field) {
            known.push(field);
        }
    }

    /// Adds all fields of objects that have one of these names.
    pub fn add_named(&mut self, symbols: &Symbols, names: &FxHashSet<Sym>) {
        let fields = if names.is_empty() { &[][..] } else { &symbols.fields };
        for (field, info) in (0..).zip(fields) {
            if names.contains(&info.name) && !info.flags.has(Flags::STATIC) {
                self.add(symbols, field);
            }
        }
    }

    /// Whether nothing changes an object of this class, nor one around it: none of its fields is assigned, and nothing that they
    /// hold changes. The fields given hold nothing in it.
    pub fn has(&self, symbols: &Symbols, class: TypeId, empty: &[FieldId]) -> bool {
        let stays = |it: TypeId| self.changing.get(&it).is_none_or(|all| all.iter().all(|it| empty.contains(it)));
        std::iter::successors(Some(class), |&it| around(symbols, it)).take(MAX_AROUND).all(|class| {
            symbols.own(class).is_some_and(|it| !it.open_above)
                && symbols.ancestors(class).all(stays)
                && !symbols.lib_ancestors(class).iter().any(|&it| may_change(it))
        })
    }
}

/// Whether a type of a library may have fields: it is a class.
fn may_change(class: LibTypeId) -> bool {
    let library = &catalogue().library;
    let is_plain = matches!(library.types[class as usize].name.as_str(), "java.lang.Object" | "java.lang.Enum" | "java.lang.Record");
    !is_plain && library.kind(class) != Some(TypeKind::Interface)
}

/// The class of the object that one of this class has around it, unless it stands where there is none.
fn around(symbols: &Symbols, class: TypeId) -> Option<TypeId> {
    let info = symbols.own(class)?;
    let method = match &info.head {
        HeadRef::Nested(member, index) => member.methods.get(member.types[*index as usize].method as usize),
        HeadRef::Own(_) => None,
    };
    let is_static = info.head.get().flags.has(Flags::STATIC) || method.is_some_and(|it| it.head.flags.has(Flags::STATIC));
    let is_class = matches!(info.head.get().kind, TypeKind::Class | TypeKind::Anonymous);
    (is_class && !is_static && symbols.own(info.outer)?.head.get().kind != TypeKind::Interface).then_some(info.outer)
}

/// Whether a method only notes what follows from an object in that, if it does at all what it does with a test of whether it has
/// been done: else it would change its own object.
pub(super) fn is_own_memo(eval: &Eval<'_>, id: MethodId, by: By) -> bool {
    let lazy = match by {
        By::Call(call) => eval.graph.calls[call as usize].lazy,
        By::Write(write) => eval.graph.writes[write as usize].lazy,
        By::Return(_) => false,
    };
    lazy && u64::from(eval.globals.own[id as usize].mutated) & (THIS | inside_bit(0)) == 0
}

//! Interned names and types.
//!
//! Facts are full of identifiers and written types; both are kept once for the whole process and compared by number.
//! Numbers depend on the order of interning, so nothing that is printed may be ordered by them.
//! Nothing is ever removed: what an editing session leaves behind is the identifiers that were typed.

use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt;
use std::sync::LazyLock;

/// An interned string. Equal strings have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sym(u32);

/// An interned type as it was written: a dotted name, type arguments and array dimensions.
///
/// It says nothing about what the name resolves to; that needs the place where it was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(u32);

/// What a [`Ty`] stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TyData {
    /// The name as written without white space, annotations and type arguments: `Map.Entry`, `int`, `java.util.List`.
    pub name: Sym,
    /// The type arguments of the last segment; empty for raw types.
    pub args: Box<[Ty]>,
    /// Array dimensions.
    pub dims: u8,
}

struct Table<K: 'static> {
    ids: FxHashMap<&'static K, u32>,
    items: Vec<&'static K>,
}

struct SymTable {
    ids: FxHashMap<&'static str, u32>,
    items: Vec<&'static str>,
}

static SYMS: LazyLock<RwLock<SymTable>> = LazyLock::new(|| RwLock::new(SymTable { ids: FxHashMap::default(), items: Vec::new() }));
static TYS: LazyLock<RwLock<Table<TyData>>> = LazyLock::new(|| RwLock::new(Table { ids: FxHashMap::default(), items: Vec::new() }));

thread_local! {
    /// Most names of a file were seen before by the same worker: this spares the shared lock.
    static SEEN: RefCell<FxHashMap<&'static str, Sym>> = RefCell::default();
}

impl Sym {
    /// The symbol of `text`.
    pub fn new(text: &str) -> Sym {
        SEEN.with_borrow_mut(|seen| {
            if let Some(&sym) = seen.get(text) {
                return sym;
            }
            let (key, sym) = Self::intern(text);
            seen.insert(key, sym);
            sym
        })
    }

    fn intern(text: &str) -> (&'static str, Sym) {
        if let Some((&key, &id)) = SYMS.read().ids.get_key_value(text) {
            return (key, Sym(id));
        }
        let mut table = SYMS.write();
        if let Some((&key, &id)) = table.ids.get_key_value(text) {
            return (key, Sym(id));
        }
        let key: &'static str = Box::leak(text.into());
        let id = table.items.len() as u32;
        table.items.push(key);
        table.ids.insert(key, id);
        (key, Sym(id))
    }

    /// The symbol of `text` if anything interned it before; does not intern.
    pub fn find(text: &str) -> Option<Sym> {
        SYMS.read().ids.get(text).map(|&id| Sym(id))
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        SYMS.read().items[self.0 as usize]
    }
}

impl Ty {
    /// The type with this data.
    pub fn new(name: Sym, args: &[Ty], dims: u8) -> Ty {
        let data = TyData { name, args: args.into(), dims };
        if let Some(&id) = TYS.read().ids.get(&data) {
            return Ty(id);
        }
        let mut table = TYS.write();
        if let Some(&id) = table.ids.get(&data) {
            return Ty(id);
        }
        let key: &'static TyData = Box::leak(Box::new(data));
        let id = table.items.len() as u32;
        table.items.push(key);
        table.ids.insert(key, id);
        Ty(id)
    }

    /// A type without arguments and dimensions.
    pub fn simple(name: &str) -> Ty {
        Ty::new(Sym::new(name), &[], 0)
    }

    /// Name, arguments and dimensions.
    pub fn data(self) -> &'static TyData {
        TYS.read().items[self.0 as usize]
    }

    /// The written name.
    pub fn name(self) -> Sym {
        self.data().name
    }

    /// The same type with `more` further array dimensions.
    pub fn with_dims(self, more: u8) -> Ty {
        if more == 0 {
            return self;
        }
        let data = self.data();
        Ty::new(data.name, &data.args, data.dims.saturating_add(more))
    }

    /// The element type of an array, if this is one.
    pub fn element(self) -> Option<Ty> {
        let data = self.data();
        (data.dims > 0).then(|| Ty::new(data.name, &data.args, data.dims - 1))
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = self.data();
        f.write_str(data.name.as_str())?;
        for (i, arg) in data.args.iter().enumerate() {
            write!(f, "{}{arg}", if i == 0 { "<" } else { "," })?;
        }
        if !data.args.is_empty() {
            f.write_str(">")?;
        }
        for _ in 0..data.dims {
            f.write_str("[]")?;
        }
        Ok(())
    }
}

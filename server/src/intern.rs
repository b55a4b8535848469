//! Interned names and types.
//!
//! Facts are full of identifiers and written types; both are kept once for the whole process and compared by number.
//! Numbers depend on the order of interning, so nothing that is printed may be ordered by them.
//! Nothing is ever removed: what an editing session leaves behind is the identifiers that were typed.

use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{LazyLock, OnceLock};

/// An interned string. Equal strings have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sym(NonZeroU32);

/// An interned type as it was written: a dotted name, type arguments and array dimensions.
///
/// It says nothing about what the name resolves to; that needs the place where it was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(NonZeroU32);

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

/// Numbers of all that is interned, from one: where there may be none it takes no more room.
type Ids<K> = LazyLock<RwLock<FxHashMap<&'static K, NonZeroU32>>>;

static SYMS: Ids<str> = LazyLock::new(RwLock::default);
static TYS: Ids<TyData> = LazyLock::new(RwLock::default);
static SYM_ITEMS: Items<str> = Items::new();
static TY_ITEMS: Items<TyData> = Items::new();

/// The first block of [`Items`] holds two to this power.
const FIRST_BLOCK: u32 = 12;

/// A block of items, as long as it was made.
type Block<T> = OnceLock<Box<[OnceLock<&'static T>]>>;

/// Items by number. Everybody asks for them all the time, so they are read without a lock: they stand in blocks that
/// never move, each twice as long as the one before.
struct Items<T: ?Sized + 'static> {
    blocks: [Block<T>; (u32::BITS - FIRST_BLOCK) as usize],
}

impl<T: ?Sized> Items<T> {
    const fn new() -> Self {
        Items { blocks: [const { OnceLock::new() }; (u32::BITS - FIRST_BLOCK) as usize] }
    }

    /// The block of an item, the length of that block, and where the item is in it.
    fn place(id: NonZeroU32) -> (usize, usize, usize) {
        let at = u64::from(id.get() - 1) + (1 << FIRST_BLOCK);
        let block = at.ilog2();
        ((block - FIRST_BLOCK) as usize, 1 << block, (at - (1 << block)) as usize)
    }

    fn get(&self, id: NonZeroU32) -> &'static T {
        let (block, _, at) = Self::place(id);
        self.blocks[block].get().and_then(|it| it[at].get()).expect("numbers are given to what is stored")
    }

    /// Stores the item with this number, before the number is given to anybody.
    fn put(&self, id: NonZeroU32, item: &'static T) {
        let (block, len, at) = Self::place(id);
        let block = self.blocks[block].get_or_init(|| std::iter::repeat_with(OnceLock::new).take(len).collect());
        block[at].get_or_init(|| item);
    }
}

/// The number after all that were given.
fn next<K: ?Sized>(ids: &FxHashMap<&'static K, NonZeroU32>) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(ids.len() as u32)
}

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
        if let Some((&key, &id)) = SYMS.read().get_key_value(text) {
            return (key, Sym(id));
        }
        let mut ids = SYMS.write();
        if let Some((&key, &id)) = ids.get_key_value(text) {
            return (key, Sym(id));
        }
        let key: &'static str = Box::leak(text.into());
        let id = next(&ids);
        SYM_ITEMS.put(id, key);
        ids.insert(key, id);
        (key, Sym(id))
    }

    /// The symbol of `text` if anything interned it before; does not intern.
    pub fn find(text: &str) -> Option<Sym> {
        SYMS.read().get(text).map(|&id| Sym(id))
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        SYM_ITEMS.get(self.0)
    }
}

impl Ty {
    /// The type with this data.
    pub fn new(name: Sym, args: &[Ty], dims: u8) -> Ty {
        let data = TyData { name, args: args.into(), dims };
        if let Some(&id) = TYS.read().get(&data) {
            return Ty(id);
        }
        let mut ids = TYS.write();
        if let Some(&id) = ids.get(&data) {
            return Ty(id);
        }
        let key: &'static TyData = Box::leak(Box::new(data));
        let id = next(&ids);
        TY_ITEMS.put(id, key);
        ids.insert(key, id);
        Ty(id)
    }

    /// A type without arguments and dimensions.
    pub fn simple(name: &str) -> Ty {
        Ty::new(Sym::new(name), &[], 0)
    }

    /// Name, arguments and dimensions.
    pub fn data(self) -> &'static TyData {
        TY_ITEMS.get(self.0)
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

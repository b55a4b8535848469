//! External state (paper §3.3): which calls leave the process, and which types, fields and annotations stand for what is
//! outside of it.
//!
//! Rows are data, `server/catalogue/external.tsv`. A row does not say who is a mocking point: the link does, which knows
//! the workspace.

mod words;

pub use words::{ExternalHow, ExternalKind};

use super::library::{LibTypeId, Library};
use super::{MEAN_ROW, rows};
use crate::intern::Sym;
use rustc_hash::{FxHashMap, FxHashSet};

/// A row of the table of external state.
#[derive(Clone, Debug)]
pub struct External {
    /// Only on request.
    pub opt_in: bool,
    /// What is outside.
    pub kind: ExternalKind,
    /// Its name for people: `Spring Data Redis`.
    pub component: &'static str,
    /// How the row is used.
    pub how: ExternalHow,
    /// The type of the row: what declares the member, is the base, or is the annotation.
    pub owner: LibTypeId,
    /// The member as the table writes it: a name, `<init>` or `*`.
    pub member: &'static str,
    /// Its erased parameters, or `*`.
    pub params: &'static str,
}

/// The rows, by type and by name.
#[derive(Default)]
pub struct Externals {
    rows: Vec<External>,
    /// `call`, `never` and `makes`.
    by_member: FxHashMap<(LibTypeId, Sym), Vec<u32>>,
    members: FxHashSet<Sym>,
    /// Types with a row for every member.
    starred: FxHashSet<LibTypeId>,
    /// Members that no row for every member takes: `toString`, `close`.
    never: FxHashSet<Sym>,
    /// The rest, by what they are used for.
    by_type: FxHashMap<(ExternalHow, LibTypeId), u32>,
    /// The same, by the simple name of the type.
    by_simple: FxHashMap<(ExternalHow, Sym), Vec<u32>>,
    any: Option<Sym>,
    /// Members that make something outside.
    makers: FxHashSet<Sym>,
    generated: Vec<Generated>,
}

/// Names of generated types: `?Grpc.?BlockingStub`, with the same word for both `?`.
struct Generated {
    outer: &'static str,
    nested: &'static str,
    row: u32,
    base: LibTypeId,
}

/// The type of rows about members of every type.
const EVERY_TYPE: &str = "?";

impl Externals {
    pub(super) fn read(&mut self, text: &'static str, library: &mut Library) {
        self.any = Some(Sym::new("*"));
        self.rows.reserve(text.len() / MEAN_ROW);
        self.by_member.reserve(text.len() / MEAN_ROW);
        for row in rows(text) {
            let [tier, kind, component, ty, member, params, how] = row[..] else { continue };
            if ty == EVERY_TYPE {
                self.never.insert(Sym::new(member));
                continue;
            }
            let (Some(kind), Some(how)) = (ExternalKind::read(kind), ExternalHow::read(how)) else { continue };
            let id = self.rows.len() as u32;
            let owner = if how == ExternalHow::Generated {
                let base = library.declare(member);
                let parts = ty.strip_prefix('?').and_then(|it| it.split_once(".?"));
                self.generated.extend(parts.map(|(outer, nested)| Generated { outer, nested, row: id, base }));
                base
            } else {
                library.declare(ty)
            };
            self.rows.push(External { opt_in: tier == "opt-in", kind, component, how, owner, member, params });
            // Of a repository of the library's own type, every member is a call.
            if matches!(how, ExternalHow::Call | ExternalHow::Never | ExternalHow::Repository | ExternalHow::Makes) {
                if how == ExternalHow::Makes {
                    self.makers.insert(Sym::new(member));
                }
                let member = Sym::new(member);
                self.by_member.entry((owner, member)).or_default().push(id);
                self.members.insert(member);
                if self.any == Some(member) {
                    self.starred.insert(owner);
                }
            }
            if !matches!(how, ExternalHow::Call | ExternalHow::Never | ExternalHow::Makes | ExternalHow::Generated) {
                self.by_type.entry((how, owner)).or_insert(id);
                let simple = ty.rsplit('.').next().unwrap_or(ty);
                self.by_simple.entry((how, Sym::new(simple))).or_default().push(id);
            }
        }
    }

    /// The row with this number.
    pub fn row(&self, id: u32) -> &External {
        &self.rows[id as usize]
    }

    /// Whether an annotation of this simple name can say that what bears it is outside.
    pub fn may_be_reference(&self, simple: Sym) -> bool {
        self.by_simple.contains_key(&(ExternalHow::Reference, simple))
    }

    /// Whether any row can have this member of `ancestors`: most names are none, and need no look at parameters.
    pub fn may_call(&self, ancestors: &[LibTypeId], member: Sym) -> bool {
        self.members.contains(&member) || ancestors.iter().any(|it| self.starred.contains(it))
    }

    /// The row for calling a member of a type; `ancestors` are the type and its supertypes, nearest first. For a
    /// constructor, `<init>`, they are the type alone. `params` are the erased parameters if it is known which overload is
    /// meant. The nearest row that fits decides, one for the member before one for every member. `has` tells whether a
    /// supertype may have the member: a row for every member says nothing of those that only a subtype has.
    pub fn call(&self, ancestors: &[LibTypeId], member: Sym, argc: usize, params: Option<&str>, opt_in: bool, has: impl Fn(LibTypeId) -> bool) -> Option<u32> {
        for (depth, &owner) in ancestors.iter().enumerate() {
            for name in [Some(member), self.any.filter(|_| !self.never.contains(&member))].into_iter().flatten() {
                let rows = self.by_member.get(&(owner, name)).map_or(&[][..], Vec::as_slice);
                let exact = rows.iter().copied().find(|&it| self.has_params(it, argc, params));
                let found = exact.or_else(|| rows.iter().copied().find(|&it| self.row(it).params == "*"));
                // Making an object is no call of a member of it.
                let found = found.filter(|_| name == member || (member.as_str() != "<init>" && (depth == 0 || has(owner))));
                if let Some(id) = found {
                    let row = self.row(id);
                    let on = row.how != ExternalHow::Never && (opt_in || !row.opt_in);
                    return on.then_some(id);
                }
            }
        }
        None
    }

    /// Whether a row about what a member makes can have this name.
    pub fn may_make(&self, member: Sym) -> bool {
        self.makers.contains(&member)
    }

    /// Whether a call of this member on something outside, of a type with these library supertypes, does not go there.
    pub fn stays(&self, ancestors: &[LibTypeId], member: Sym) -> bool {
        let says_never = |owner: &LibTypeId| {
            let rows = self.by_member.get(&(*owner, member));
            rows.is_some_and(|it| it.iter().any(|&it| self.row(it).how == ExternalHow::Never && self.row(it).params == "*"))
        };
        self.never.contains(&member) || ancestors.iter().any(says_never)
    }

    /// The row of a generated type by its name, and the library type that it is below.
    pub fn generated(&self, name: &str) -> Option<(u32, LibTypeId)> {
        let (outer, nested) = name.rsplit_once('.')?;
        let outer = outer.rsplit_once('.').map_or(outer, |it| it.1);
        let is_it =
            |it: &&Generated| outer.strip_suffix(it.outer).is_some_and(|service| !service.is_empty() && nested.strip_prefix(service) == Some(it.nested));
        self.generated.iter().find(is_it).map(|it| (it.row, it.base))
    }

    /// The generated type that a maker of a generated class gives: `newBlockingStub` of `OrdersGrpc` the nested
    /// `OrdersBlockingStub`.
    pub fn generated_by(&self, outer: &str, member: Sym) -> Option<String> {
        let nested = member.as_str().strip_prefix("new")?;
        let of_row = |it: &Generated| {
            let service = outer.rsplit('.').next()?.strip_suffix(it.outer).filter(|_| it.nested == nested)?;
            Some(format!("{outer}.{service}{nested}"))
        };
        self.generated.iter().find_map(of_row)
    }

    /// Whether the table speaks of a member, if only to say that it does not go outside.
    pub fn knows(&self, ancestors: &[LibTypeId], member: Sym) -> bool {
        self.never.contains(&member) || ancestors.iter().any(|&it| self.by_member.contains_key(&(it, member)))
    }

    fn has_params(&self, id: u32, argc: usize, params: Option<&str>) -> bool {
        let row = self.row(id).params;
        match params {
            Some(params) => row == params,
            None => row == "()" && argc == 0,
        }
    }

    fn base(&self, how: ExternalHow, ancestors: &[LibTypeId], opt_in: bool) -> Option<u32> {
        ancestors.iter().filter_map(|&it| self.by_type.get(&(how, it)).copied()).find(|&it| opt_in || !self.row(it).opt_in)
    }

    fn named(&self, how: ExternalHow, name: &str, library: &Library, opt_in: bool) -> Option<u32> {
        let on = |id: &u32| opt_in || !self.row(*id).opt_in;
        if name.contains('.') {
            let owner = library.find(Sym::find(name)?)?;
            return self.by_type.get(&(how, owner)).copied().filter(on);
        }
        self.by_simple.get(&(how, Sym::find(name)?))?.iter().copied().find(on)
    }

    /// The row that makes an interface with these library supertypes a repository or a mapper.
    pub fn repository_base(&self, ancestors: &[LibTypeId], opt_in: bool) -> Option<u32> {
        self.base(ExternalHow::Repository, ancestors, opt_in)
    }

    /// The row that makes a type with these library supertypes a client: a gRPC stub, a Thrift client.
    pub fn client_base(&self, ancestors: &[LibTypeId], opt_in: bool) -> Option<u32> {
        self.base(ExternalHow::Client, ancestors, opt_in)
    }

    /// The row that makes every method of a class with these library supertypes a mocking point.
    pub fn dao_base(&self, ancestors: &[LibTypeId], opt_in: bool) -> Option<u32> {
        self.base(ExternalHow::Dao, ancestors, opt_in)
    }

    /// The row of an annotation that makes a type a client or a mapper. A qualified name means that annotation; a simple
    /// one the first of that name, so whoever knows the imports should qualify it.
    pub fn client_annotation(&self, name: &str, library: &Library, opt_in: bool) -> Option<u32> {
        self.named(ExternalHow::Client, name, library, opt_in)
    }

    /// The row of an annotation of fields, setters and parameters whose value is outside. Names as above.
    pub fn reference_annotation(&self, name: &str, library: &Library, opt_in: bool) -> Option<u32> {
        self.named(ExternalHow::Reference, name, library, opt_in)
    }

    /// The row of an annotation of interface methods that go outside. Names as above.
    pub fn annotated_method(&self, name: &str, library: &Library, opt_in: bool) -> Option<u32> {
        self.named(ExternalHow::Annotated, name, library, opt_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    fn ancestors(name: &str) -> &'static [LibTypeId] {
        let library = &catalogue().library;
        library.ancestors(library.find(Sym::new(name)).expect("a known type"))
    }

    fn call(ty: &str, member: &str, argc: usize, params: Option<&str>) -> Option<&'static External> {
        let known = &catalogue().externals;
        known.call(ancestors(ty), Sym::new(member), argc, params, false, |_| true).map(|id| known.row(id))
    }

    #[test]
    fn every_row_of_external_state_is_understood() {
        let mut seen = FxHashSet::default();
        for row in rows(include_str!("../../catalogue/external.tsv")) {
            assert_eq!(row.len(), 7, "{row:?}");
            assert!(matches!(row[0], "core" | "opt-in") && !row[2].is_empty(), "{row:?}");
            assert!(ExternalKind::read(row[1]).is_some() || row[3] == EVERY_TYPE, "{row:?}");
            assert!(ExternalHow::read(row[6]).is_some(), "{row:?}");
            assert_eq!(row[6] == "in", row[4] == "<init>" && row[6] != "never", "{row:?}");
            assert!(row[5] == "*" || row[5].starts_with('(') && row[5].ends_with(')'), "{row:?}");
            assert!(seen.insert((row[3], row[4], row[5], row[6])), "twice: {row:?}");
        }
        assert_eq!(catalogue().externals.generated.len(), rows(include_str!("../../catalogue/external.tsv")).filter(|it| it[6] == "generated").count());
    }

    #[test]
    fn calls_that_go_outside() {
        let query = call("org.springframework.jdbc.core.JdbcTemplate", "queryForList", 1, None).expect("a row");
        assert_eq!((query.kind, query.component), (ExternalKind::Db, "Spring JDBC"));
        assert!(call("redis.clients.jedis.Jedis", "get", 1, None).is_some());
        // What every type has, what only ends the use of one, and a setting.
        assert!(call("redis.clients.jedis.Jedis", "toString", 0, Some("()")).is_none());
        assert!(call("redis.clients.jedis.Jedis", "close", 0, Some("()")).is_none());
        assert!(call("org.springframework.jdbc.core.JdbcTemplate", "setFetchSize", 1, Some("(int)")).is_none());
        assert!(call("java.util.HashMap", "get", 1, None).is_none());
    }

    #[test]
    fn making_an_object_may_go_outside() {
        let init = Sym::new("<init>");
        let known = &catalogue().externals;
        let library = &catalogue().library;
        let socket = [library.find(Sym::new("java.net.Socket")).expect("a known type")];
        assert!(known.call(&socket, init, 2, Some("(java.lang.String,int)"), false, |_| true).is_some());
        assert!(known.call(&socket, init, 0, Some("()"), false, |_| true).is_none());
        // A row for every member is none for the constructor.
        let jedis = [library.find(Sym::new("redis.clients.jedis.Jedis")).expect("a known type")];
        assert!(known.call(&jedis, init, 1, None, false, |_| true).is_none());
    }

    #[test]
    fn files_but_not_their_names() {
        assert_eq!(call("java.io.File", "exists", 0, Some("()")).map(|it| it.kind), Some(ExternalKind::File));
        assert!(call("java.io.File", "getName", 0, Some("()")).is_none());
        assert!(call("java.nio.file.Files", "readAllBytes", 1, None).is_some());
        assert!(call("java.nio.file.Path", "resolve", 1, None).is_none());
    }

    #[test]
    fn generated_types_by_their_names() {
        let known = &catalogue().externals;
        let base = |name: &str| known.generated(name).map(|it| catalogue().library.types[it.1 as usize].name.as_str());
        assert_eq!(base("a.b.RatesGrpc.RatesBlockingStub"), Some("io.grpc.stub.AbstractBlockingStub"));
        assert_eq!(base("RatesGrpc.RatesStub"), Some("io.grpc.stub.AbstractAsyncStub"));
        assert_eq!(base("a.RatesGrpc.RatesImplBase"), None);
        assert_eq!(base("a.RatesGrpc.OrdersStub"), None);
        assert_eq!(base("a.Rates.RatesStub"), None);
    }

    #[test]
    fn bases_and_annotations() {
        let known = &catalogue().externals;
        let library = &catalogue().library;
        let component = |id: Option<u32>| id.map(|it| known.row(it).component);
        assert_eq!(component(known.repository_base(ancestors("com.baomidou.mybatisplus.core.mapper.BaseMapper"), false)), Some("MyBatis-Plus"));
        assert_eq!(component(known.repository_base(ancestors("java.util.List"), false)), None);
        // What Join adds is its own; the rest of such a mapper is MyBatis-Plus.
        let join = "com.github.yulichang.base.MPJBaseMapper";
        assert_eq!(component(known.repository_base(ancestors(join), false)), Some("MyBatis-Plus"));
        assert_eq!(call(join, "selectJoinList", 2, None).map(|it| it.component), Some("MyBatis-Plus Join"));
        assert_eq!(call(join, "selectById", 1, None).map(|it| it.component), Some("MyBatis-Plus"));
        assert_eq!(component(known.dao_base(ancestors("org.springframework.orm.ibatis.support.SqlMapClientDaoSupport"), false)), Some("iBatis 2"));
        assert_eq!(component(known.client_base(ancestors("io.grpc.stub.AbstractBlockingStub"), false)), Some("gRPC"));
        assert_eq!(component(known.client_annotation("FeignClient", library, false)), Some("OpenFeign"));
        assert_eq!(component(known.client_annotation("org.springframework.cloud.openfeign.FeignClient", library, false)), Some("OpenFeign"));
        // Another Mapper: MapStruct's.
        assert_eq!(component(known.client_annotation("org.apache.ibatis.annotations.Mapper", library, false)), Some("MyBatis"));
        assert_eq!(component(known.client_annotation("org.mapstruct.Mapper", library, false)), None);
        assert_eq!(component(known.reference_annotation("DubboReference", library, false)), Some("Dubbo"));
        assert_eq!(component(known.reference_annotation("Autowired", library, false)), None);
        assert_eq!(component(known.annotated_method("org.apache.ibatis.annotations.Select", library, false)), Some("MyBatis"));
    }
}

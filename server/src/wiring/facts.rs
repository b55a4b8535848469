//! The facts of one file of wiring.
//!
//! Names are as written: `${...}` is not resolved, a class name may have white space trimmed but nothing else done to
//! it. Places are bytes of the decoded text.

use crate::intern::Sym;
use crate::java::decls::Range;

/// What kind of file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum WiringKind {
    /// Spring beans, with whatever other namespaces are mixed in.
    Spring,
    /// A MyBatis mapper.
    MyBatisMapper,
    /// A MyBatis configuration.
    MyBatisConfig,
    /// An iBatis map.
    IBatisSqlMap,
    /// An iBatis configuration.
    IBatisConfig,
    /// `key=value` lines.
    Properties,
    /// YAML, flattened to keys.
    Yaml,
    /// None of these.
    #[default]
    Other,
}

/// All that one file says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WiringFacts {
    /// What kind of file it is.
    pub kind: WiringKind,
    /// The beans, inner ones included, in the order of their start tags.
    pub beans: Vec<BeanDef>,
    /// A further name of a bean: `(name, alias)`.
    pub aliases: Vec<(Sym, Sym)>,
    /// Other files of wiring that this one names: `<import>`, and the maps that a configuration lists.
    pub imports: Vec<Import>,
    /// Packages that are searched for annotated classes.
    pub scans: Vec<Scan>,
    /// Injection by annotations is on: `<context:annotation-config>`, or a component scan that does not turn it off.
    pub annotation_config: bool,
    /// Services that this process calls.
    pub references: Vec<Reference>,
    /// Services that this process offers.
    pub services: Vec<Service>,
    /// Mapper interfaces, by their statements or by being listed.
    pub mappers: Vec<MapperDef>,
    /// Packages in which interfaces are mappers or repositories.
    pub mapper_scans: Vec<MapperScan>,
    /// Methods that a framework calls.
    pub entries: Vec<Entry>,
    /// Files of properties that placeholders are answered from, as written: `classpath:jdbc.properties`.
    pub property_files: Vec<(Sym, Range)>,
    /// Settings that decide something; all others are left out.
    pub properties: Vec<Setting>,
    /// What is wrong with the file. What was read before still stands.
    pub problems: Vec<WiringProblem>,
}

/// A key with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The key in its canonical form: lower case with dashes, `spring.profiles.active`, `mybatis.mapper-locations[0]`.
    pub key: Sym,
    /// The value, without quotes. Relaxed binding does not concern it.
    pub value: Sym,
    /// The value; of a key without one the key.
    pub range: Range,
    /// The profile expression under which this document of a file of several holds.
    pub profile: Option<Sym>,
}

/// Something wrong, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WiringProblem {
    /// Where.
    pub range: Range,
    /// What, as a clause without a full stop.
    pub message: String,
}

/// A file that is named by another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// As written: `classpath*:spring/*.xml`, `../dao.xml`.
    pub resource: Sym,
    /// The attribute's value.
    pub range: Range,
    /// As [`BeanDef::profiles`].
    pub profiles: Vec<Sym>,
}

/// Whose scan it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ScanKind {
    /// Spring's stereotypes.
    Component,
    /// Dubbo's services and references.
    Dubbo,
}

/// A search for annotated classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scan {
    /// What it looks for.
    pub kind: ScanKind,
    /// The packages, subpackages included. Patterns such as `com.*.dao` are as written.
    pub packages: Vec<Sym>,
    /// The stereotypes are looked for (`use-default-filters`); otherwise only what `include` names.
    pub default_filters: bool,
    /// What else makes a class a bean.
    pub include: Vec<ScanFilter>,
    /// What is no bean nevertheless.
    pub exclude: Vec<ScanFilter>,
    /// As [`BeanDef::profiles`].
    pub profiles: Vec<Sym>,
    /// The start tag.
    pub range: Range,
}

/// One filter of a scan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScanFilter {
    /// `annotation`, `assignable`, `aspectj`, `regex` or `custom`.
    pub ty: Sym,
    /// What it says in the language of its type.
    pub expression: Sym,
}

/// How a bean's properties are injected without being named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Autowire {
    /// Not at all.
    #[default]
    No,
    /// Each property gets the bean of its name.
    ByName,
    /// Each property gets the bean of its type.
    ByType,
    /// The constructor's parameters get the beans of their types.
    Constructor,
    /// By constructor or by type, as the class has a default constructor (Spring 1 and 2).
    Autodetect,
}

/// A bean definition.
///
/// Elements that stand for a bean without being called one are here as what Spring makes of them: `<util:list>` is a
/// `ListFactoryBean` with a property `sourceList`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BeanDef {
    /// The attribute `id`.
    pub id: Option<Sym>,
    /// The names in the attribute `name`. Without an `id` the first one is the bean's name.
    pub names: Vec<Sym>,
    /// The class, fully qualified; nested ones with `$`.
    pub class: Option<Sym>,
    /// The definition that this one inherits from.
    pub parent: Option<Sym>,
    /// It is a template only.
    pub is_abstract: bool,
    /// The scope as written, `prototype` for Spring 1's `singleton="false"`. Nothing means that of the parent, which
    /// in the end is singleton.
    pub scope: Option<Sym>,
    /// The bean whose method makes this one.
    pub factory_bean: Option<Sym>,
    /// The method that makes it; a static one of `class` without a `factory_bean`.
    pub factory_method: Option<Sym>,
    /// Called once after injection.
    pub init_method: Option<Sym>,
    /// Called at the end.
    pub destroy_method: Option<Sym>,
    /// From `<beans default-init-method>`: called if the class has it and no other is named.
    pub default_init: Option<Sym>,
    /// From `<beans default-destroy-method>`, likewise.
    pub default_destroy: Option<Sym>,
    /// Made when it is first needed.
    pub lazy: bool,
    /// Preferred among several of a type.
    pub primary: bool,
    /// May be injected by type.
    pub autowire_candidate: bool,
    /// The values of `<qualifier>`.
    pub qualifiers: Vec<Sym>,
    /// The `profile` attributes around it, from the outermost in. All must hold; each is a list of alternatives as
    /// written, `dev,!cloud`.
    pub profiles: Vec<Sym>,
    /// How the rest is injected; the default of `<beans>` is put in.
    pub autowire: Autowire,
    /// Injected by setters.
    pub properties: Vec<Property>,
    /// Passed to the constructor or the factory method.
    pub constructor_args: Vec<Arg>,
    /// Methods that the container overrides to return a bean.
    pub lookups: Vec<Lookup>,
    /// Methods whose body another bean replaces: `(method, replacer)`.
    pub replaced: Vec<(Sym, Sym)>,
    /// The index of the bean that this one is an inner bean of.
    pub outer: Option<u32>,
    /// The start tag.
    pub range: Range,
    /// The value of the attribute `class`, or the start tag.
    pub class_range: Range,
}

impl BeanDef {
    /// What the bean is called, unless it has no name at all.
    pub fn name(&self) -> Option<Sym> {
        self.id.or_else(|| self.names.first().copied())
    }

    /// Everything it is called.
    pub fn all_names(&self) -> impl Iterator<Item = Sym> + '_ {
        self.id.into_iter().chain(self.names.iter().copied())
    }
}

/// `<lookup-method>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// The method.
    pub method: Sym,
    /// The bean that it returns; found by the method's type without.
    pub bean: Option<Sym>,
}

/// A value injected by a setter.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// The property; may be a path, `map[key].field`.
    pub name: Sym,
    /// The value.
    pub value: Value,
    /// The start tag or the attribute.
    pub range: Range,
}

/// A value passed to a constructor.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// The parameter's index, if given.
    pub index: Option<u32>,
    /// Its name, if given.
    pub name: Option<Sym>,
    /// Its type as written, if given.
    pub ty: Option<Sym>,
    /// The value.
    pub value: Value,
    /// The start tag or the attribute.
    pub range: Range,
}

/// What is injected.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A bean by its name, which may be an alias; with `&` in front the factory itself.
    Ref(Sym),
    /// An inner bean, as an index into the beans of the file.
    Inner(u32),
    /// Text, converted to the property's type.
    Text(Sym),
    /// A list, set or array.
    Many(Vec<Value>),
    /// A map or properties: keys and values.
    Map(Vec<(Value, Value)>),
    /// Null.
    Null,
    /// An element of a namespace that is not known, or none where one is due.
    Unknown,
}

/// A framework that calls other processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Framework {
    /// SOFABoot and its forerunners.
    Sofa,
    /// Dubbo, of Apache and of Alibaba.
    Dubbo,
    /// HSF.
    Hsf,
    /// Motan.
    Motan,
    /// CXF: JAX-WS and JAX-RS.
    Cxf,
}

/// A service that this process calls; also a bean of that type.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Who makes the proxy.
    pub framework: Framework,
    /// The bean's name.
    pub id: Option<Sym>,
    /// The interface.
    pub interface: Option<Sym>,
    /// How it is called, in lower case: `bolt`, `rest`, `tr`, `ws`, `jvm`, `dubbo`. For SOFA none means the same JVM.
    pub bindings: Vec<Sym>,
    /// Tells apart several services of one interface (SOFA).
    pub unique_id: Option<Sym>,
    /// The same for Dubbo and HSF.
    pub group: Option<Sym>,
    /// The version of the service.
    pub version: Option<Sym>,
    /// An address that is called directly, without a registry.
    pub url: Option<Sym>,
    /// What answers instead of the service: Dubbo's `mock`, SOFA's `mock-bean` or `mock-mode`.
    pub mock: Option<Sym>,
    /// A service in the same JVM is preferred: `jvm-first`, `injvm`. Nothing if not written; for SOFA that means yes.
    pub jvm_first: Option<bool>,
    /// Called by name, without the interface (`generic`).
    pub generic: bool,
    /// As [`BeanDef::profiles`].
    pub profiles: Vec<Sym>,
    /// The start tag.
    pub range: Range,
}

/// A service that this process offers.
#[derive(Clone, PartialEq, Debug)]
pub struct Service {
    /// Who exports it.
    pub framework: Framework,
    /// The interface.
    pub interface: Option<Sym>,
    /// The bean that answers, by its name.
    pub target: Option<Sym>,
    /// The class that answers, where no bean is named.
    pub class: Option<Sym>,
    /// The bean that answers, where it is written inside: an index into the beans of the file.
    pub inner: Option<u32>,
    /// As [`Reference::bindings`].
    pub bindings: Vec<Sym>,
    /// As [`Reference::unique_id`].
    pub unique_id: Option<Sym>,
    /// As [`Reference::group`].
    pub group: Option<Sym>,
    /// As [`Reference::version`].
    pub version: Option<Sym>,
    /// As [`BeanDef::profiles`].
    pub profiles: Vec<Sym>,
    /// The start tag.
    pub range: Range,
}

/// A mapper interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapperDef {
    /// The namespace: for MyBatis the interface's name, for iBatis any word or nothing.
    pub namespace: Option<Sym>,
    /// The statements written here.
    pub statements: Vec<Statement>,
    /// The start tag.
    pub range: Range,
}

/// A statement of a mapper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its name, for MyBatis a method's.
    pub id: Sym,
    /// What it does.
    pub kind: StatementKind,
    /// The start tag.
    pub range: Range,
}

/// What a statement does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum StatementKind {
    Select,
    Insert,
    Update,
    Delete,
    /// iBatis `procedure` and `statement`: anything.
    Any,
}

/// Packages whose interfaces are implemented at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapperScan {
    /// `mybatis`, or the Spring Data module: `jpa`, `mongo`, `redis`.
    pub module: Sym,
    /// The packages, subpackages included.
    pub packages: Vec<Sym>,
    /// Only interfaces with this annotation.
    pub annotation: Option<Sym>,
    /// Only interfaces that extend this one.
    pub marker: Option<Sym>,
    /// As [`BeanDef::profiles`].
    pub profiles: Vec<Sym>,
    /// The start tag.
    pub range: Range,
}

/// A method of a bean that a framework calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The bean's name.
    pub bean: Option<Sym>,
    /// The bean, where it is written inside: an index into the beans of the file.
    pub inner: Option<u32>,
    /// The method. Without one it is what the framework's listener interface or default says.
    pub method: Option<Sym>,
    /// The advice runs around calls of other beans rather than on a message or by the clock.
    pub aop: Option<Aop>,
    /// The start tag.
    pub range: Range,
}

/// When an advice runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Aop {
    Before,
    After,
    Around,
}

//! What files beside the sources wire together: beans, proxies of other processes, mappers, settings that decide.
//!
//! From the bytes of one XML, `.properties` or YAML file to [`WiringFacts`]. Nothing in them says what a name means;
//! that is the link's affair, which knows the other files. What no framework of ours reads gives no facts at all.

mod facts;

pub use facts::{
    Aop, Arg, Autowire, BeanDef, Entry, Framework, Import, Lookup, MapperDef, MapperScan, Property, Reference, Scan, ScanFilter, ScanKind, Service, Setting,
    Statement, StatementKind, Value, WiringFacts, WiringKind, WiringProblem,
};

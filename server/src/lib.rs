//! mockpoint: which methods of a Java service depend on state, and where to mock them.
//!
//! Compile, then link: each file is compiled on its own to [`facts`]; [`link`] joins the facts of all files; verdicts
//! follow from that. `ARCHITECTURE.md` states what each part may know of the others.

pub mod analysis;
pub mod catalogue;
pub mod codes;
pub mod config;
pub mod export;
pub mod facts;
pub mod failures;
pub mod host;
pub mod intern;
pub mod java;
pub mod link;
pub mod load;
pub mod log;
pub mod lsp;
pub mod near;
pub mod report;
pub mod rewrite;
pub mod settings;
pub mod signature;
pub mod terms;
pub mod text;
pub mod verdict;
pub mod wiring;
pub mod workspace;

//! Mappers of MapStruct: what it makes of an abstract method depends on the arguments only.

use super::graphs;
use crate::facts::Graph;
use crate::facts::graph::At;
use crate::intern::Sym;
use crate::java::decls::{self, Import, MemberNode, MethodHead, TypeHead};

const MAPPER: &str = "org.mapstruct.Mapper";

/// Whether a type is a mapper of MapStruct. MyBatis has an annotation of that name as well.
pub(in crate::facts) fn is_mapper(owner: &TypeHead, imports: &[Import]) -> bool {
    owner.annotations.iter().filter(|it| it.name.as_str() == "Mapper").any(|it| match it.path.as_str() {
        MAPPER => true,
        "Mapper" => {
            let mut named = imports.iter().filter(|it| !it.on_demand && !it.is_static && it.name.as_str().ends_with(".Mapper")).peekable();
            match named.peek() {
                Some(import) => import.name.as_str() == MAPPER,
                None => imports.iter().any(|it| it.on_demand && it.name.as_str() == "org.mapstruct"),
            }
        }
        _ => false,
    })
}

/// The graph of a method of a mapper that has no body.
pub(in crate::facts) fn mapping(head: &MethodHead, member: &MemberNode<'_>, text: &str, at: At) -> Graph {
    let n = head.params.len();
    match (decls::annotated_parameter(member, text, "MappingTarget"), head.returns) {
        (Some(target), returns) => graphs::filled(target, n, Sym::new(""), returns.is_some(), at),
        (None, Some(ty)) => graphs::mapped(ty, n, at),
        (None, None) => Graph::default(),
    }
}

//! Where requests come in: paths of web handlers, methods that listen or are scheduled, services of Dubbo.

use super::names;
use crate::java::annotations::Annotation;
use crate::java::decls::MemberKind;
use crate::link::symbols::{MethodId, Scope};
use crate::verdict::view::View;

/// Annotations with paths, on handlers and on their classes.
const WEB: &[&str] = &["RequestMapping", "GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping", "Path"];

/// Annotations of methods that something else than a request starts.
const STARTED: &[&str] = &[
    "KafkaListener",
    "KafkaHandler",
    "RabbitListener",
    "RabbitHandler",
    "JmsListener",
    "StreamListener",
    "SqsListener",
    "PulsarListener",
    "EventListener",
    "TransactionalEventListener",
    "Subscribe",
    "Scheduled",
    "Schedules",
    "Schedule",
    "XxlJob",
];

/// Annotations of classes whose methods Dubbo calls.
const DUBBO: &[&str] =
    &["org.apache.dubbo.config.annotation.DubboService", "org.apache.dubbo.config.annotation.Service", "com.alibaba.dubbo.config.annotation.Service"];

/// See the module.
#[derive(Default, Debug)]
pub struct Handlers {
    /// Regular expressions over paths, sorted.
    pub paths: Vec<String>,
    /// Web handlers with their paths as written.
    pub web: Vec<(String, MethodId)>,
    /// Web handlers whose path is no literal, `pkg.Class.method`.
    pub without_path: Vec<String>,
    /// Binary names of classes and methods, sorted.
    pub started: Vec<(String, String)>,
    /// There is a service of Dubbo.
    pub is_dubbo: bool,
}

/// Finds them in production sources.
pub fn find(view: &View<'_>) -> Handlers {
    let symbols = view.symbols();
    let mut found = Handlers::default();
    for id in (0..symbols.methods.len() as MethodId).filter(|&it| !view.is_test(it)) {
        let head = &view.facts(id).head;
        if head.kind != MemberKind::Method || head.annotations.is_empty() {
            continue;
        }
        let info = &symbols.methods[id as usize];
        if head.annotations.iter().any(|it| STARTED.contains(&it.name.as_str())) {
            found.started.push((names::binary(symbols, info.owner), info.name.as_str().to_owned()));
        }
        // A verb of JAX-RS stands on a method whose path may be that of the class alone.
        let is_verb = |it: &Annotation| matches!(it.name.as_str(), "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS");
        if !head.annotations.iter().any(|it| WEB.contains(&it.name.as_str()) || is_verb(it)) || !head.has_body {
            continue;
        }
        let class = symbols.own(info.owner).map(|it| it.head.get());
        let bases = paths(class.map_or(&[], |it| &it.annotations));
        let own = paths(&head.annotations);
        for base in &bases {
            for path in &own {
                match (base, path) {
                    (Some(base), Some(path)) => {
                        let path = joined(base, path);
                        found.paths.push(pattern(&path));
                        found.web.push((path, id));
                    }
                    _ => found.without_path.push(view.method_name(id)),
                }
            }
        }
    }
    found.is_dubbo = symbols.types.iter().any(|it| {
        let scope = Scope { class: it.outer, unit: it.unit, file: it.file, method: None };
        it.head.get().annotations.iter().any(|it| DUBBO.contains(&symbols.annotation(it, scope).1))
    });
    for list in [&mut found.paths, &mut found.without_path] {
        list.sort();
        list.dedup();
    }
    found.started.sort();
    found.started.dedup();
    found
}

/// The paths of annotations: an empty one if there are none, `None` for one that is no literal.
fn paths(annotations: &[Annotation]) -> Vec<Option<&'static str>> {
    let web = annotations.iter().filter(|it| WEB.contains(&it.name.as_str()));
    let mut found: Vec<Option<&str>> = web.flat_map(|it| it.values(&["value", "path"])).map(|it| Some(it.as_str()).filter(|it| is_literal(it))).collect();
    if found.is_empty() {
        found.push(Some(""));
    }
    found
}

/// Arguments are kept without quotes, so a name of a constant is told by its spelling.
fn is_literal(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    let is_constant = last.chars().any(char::is_uppercase) && last.chars().all(|it| it.is_uppercase() || it == '_' || it.is_ascii_digit());
    !is_constant && !text.contains(['"', '+', ' '])
}

fn joined(base: &str, path: &str) -> String {
    let parts = [base, path].map(|it| it.trim_matches('/'));
    let text = parts.iter().filter(|it| !it.is_empty()).copied().collect::<Vec<_>>().join("/");
    format!("/{text}")
}

/// A path with variables and wildcards as a regular expression.
fn pattern(path: &str) -> String {
    let mut res = String::from("^");
    let mut rest = path;
    while let Some(c) = rest.chars().next() {
        let mut len = c.len_utf8();
        match c {
            '{' => {
                // A variable may have an expression of its own, with braces in it.
                let mut depth = 0usize;
                let end = rest.char_indices().find(|&(_, c)| {
                    depth = depth + usize::from(c == '{') - usize::from(c == '}');
                    depth == 0
                });
                len = end.map_or(rest.len(), |it| it.0 + 1);
                res.push_str("[^/]+");
            }
            '*' if rest.starts_with("**") => {
                len = 2;
                res.push_str(".*");
            }
            '*' => res.push_str("[^/]*"),
            '?' => res.push_str("[^/]"),
            '.' | '+' | '(' | ')' | '[' | ']' | '^' | '$' | '|' | '\\' | '}' => {
                res.push('\\');
                res.push(c);
            }
            _ => res.push(c),
        }
        rest = &rest[len..];
    }
    res + "$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_patterns() {
        for (base, path, expected) in [
            ("/stock", "/{article}/take", "^/stock/[^/]+/take$"),
            ("", "orders", "^/orders$"),
            ("/a/", "", "^/a$"),
            ("", "", "^/$"),
            ("/v1.0", "/{id:\\d{2,3}}/**", "^/v1\\.0/[^/]+/.*$"),
            ("", "/files/*.txt", "^/files/[^/]*\\.txt$"),
            ("", "/{open", "^/[^/]+$"),
        ] {
            assert_eq!(pattern(&joined(base, path)), expected);
        }
    }

    #[test]
    fn constants_are_no_literals() {
        for (text, literal) in [("/a", true), ("orders", true), ("Paths.ORDERS", false), ("BASE_1", false), ("BASE + \"/x\"", false), ("/V1", true), ("", true)]
        {
            assert_eq!(is_literal(text), literal, "{text}");
        }
    }
}

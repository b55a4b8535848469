//! What plug-ins of a tool answer by themselves: `server/catalogue/tool_plugins.tsv`.

use super::entry::Entry;
use super::{Options, Remark};
use crate::catalogue::rows;
use crate::verdict::SourceUse;
use rustc_hash::FxHashMap;

/// What the plug-ins of one tool answer.
pub struct Plugins {
    /// By `type.member`.
    calls: FxHashMap<&'static str, Row>,
    /// By component.
    components: FxHashMap<&'static str, Row>,
}

/// One row.
#[derive(Clone, Copy)]
struct Row {
    plugin: &'static str,
    types: &'static str,
}

impl Plugins {
    /// Those of a tool; none for tools that have no plug-ins.
    pub fn of(tool: &str) -> Plugins {
        let mut found = Plugins { calls: FxHashMap::default(), components: FxHashMap::default() };
        for row in rows(include_str!("../../catalogue/tool_plugins.tsv")) {
            let [of, plugin, by, name, types] = row[..] else { continue };
            if of == tool {
                let list = if by == "call" { &mut found.calls } else { &mut found.components };
                list.insert(name, Row { plugin, types });
            }
        }
        found
    }

    /// The plug-in that answers what is read, if there is one.
    pub fn answers(&self, source: &SourceUse) -> Option<&'static str> {
        let (row, ty) = match &source.dependency {
            Some(dependency) => (self.components.get(dependency.component)?, dependency.mock.as_str()),
            None => {
                let call = source.what.split_once('(')?.0;
                (self.calls.get(call)?, call)
            }
        };
        row.covers(ty).then_some(row.plugin)
    }
}

impl Row {
    fn covers(self, ty: &str) -> bool {
        if self.types == "*" {
            return true;
        }
        let (names, wanted) = match self.types.strip_prefix('!') {
            Some(others) => (others, false),
            None => (self.types, true),
        };
        names.split(',').any(|it| it.strip_suffix('*').map_or(ty == it, |start| ty.starts_with(start))) == wanted
    }
}

/// Leaves out what plug-ins answer whole, unless all is asked for.
pub fn apply(options: &Options, entries: &mut Vec<Entry<'_>>, remarks: &mut Vec<Remark>) {
    if options.all {
        return;
    }
    let plugins = Plugins::of(options.tool.name());
    entries.retain(|entry| {
        let mut by: Vec<&str> = Vec::new();
        for source in &entry.point.sources {
            match plugins.answers(source) {
                Some(plugin) => by.push(plugin),
                None => return true,
            }
        }
        by.sort_unstable();
        by.dedup();
        let (noun, verb) = if by.len() == 1 { ("plug-in", "answers") } else { ("plug-ins", "answer") };
        let text = format!("the {noun} {} {verb} all that it reads", by.join(" and "));
        remarks.push(Remark { place: entry.place, method: entry.short.clone(), text, left_out: true });
        false
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Category, Dependency, Place};

    fn source(what: &str, component: Option<(&'static str, &str)>) -> SourceUse {
        let place = Place { file: 0, range: crate::java::decls::Range::default() };
        let dependency = component.map(|it| Dependency { kind: "db", component: it.0, mock: it.1.to_owned() });
        SourceUse { category: Category::System, what: what.to_owned(), place, via: None, dependency }
    }

    #[test]
    fn every_row_is_understood() {
        let externals = include_str!("../../catalogue/external.tsv");
        for row in rows(include_str!("../../catalogue/tool_plugins.tsv")) {
            let [tool, plugin, by, name, types] = row[..] else { panic!("{:?}", &row[..]) };
            assert!(matches!(tool, "arex" | "repeater" | "moonbox") && !plugin.is_empty() && !types.is_empty(), "{:?}", &row[..]);
            match by {
                "call" => assert!(name.contains('.'), "{name}"),
                "component" => assert!(rows(externals).any(|it| it[2] == name), "no component {name}"),
                _ => panic!("{by}"),
            }
        }
    }

    #[test]
    fn types_decide() {
        let arex = Plugins::of("arex");
        assert_eq!(arex.answers(&source("java.time.LocalDate.now(java.time.ZoneId)", None)), Some("time-machine"));
        assert_eq!(arex.answers(&source("java.lang.System.currentTimeMillis()", None)), None);
        assert_eq!(arex.answers(&source("p.C.field", None)), None);
        let redisson = |ty| arex.answers(&source("x.y()", Some(("Redisson", ty))));
        assert_eq!((redisson("org.redisson.api.RMap"), redisson("org.redisson.api.RLock")), (Some("redisson-v3"), None));
        let repeater = Plugins::of("repeater");
        let mybatis = |ty| repeater.answers(&source("x.y()", Some(("MyBatis", ty))));
        assert_eq!((mybatis("shop.OrderMapper"), mybatis("org.apache.ibatis.session.SqlSession")), (Some("mybatis"), None));
        assert_eq!(Plugins::of("csv").answers(&source("x.y()", Some(("MyBatis", "p.M")))), None);
    }
}

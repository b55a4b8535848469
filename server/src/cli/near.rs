//! What the user may have meant by a name that is none.

use mockpoint::facts::{FileFacts, OWN_CLASS, TypeFacts};
use mockpoint::near::{self, nearest};
use mockpoint::verdict::Query;
use mockpoint::workspace::SourceFile;
use std::sync::Arc;

/// The message for a query that names nothing.
pub(super) fn message(files: &[Arc<SourceFile>], query: &str) -> String {
    let types: Vec<(String, &TypeFacts)> = files.iter().flat_map(|it| types(&it.facts)).collect();
    let readings = Query::readings(query);
    // A class that is there settles what was meant.
    for it in &readings {
        let is_meant = |name: &str| name == it.class || name.strip_suffix(it.class).is_some_and(|it| it.ends_with('.'));
        let meant: Vec<&(String, &TypeFacts)> = types.iter().filter(|it| is_meant(&it.0)).collect();
        if !meant.is_empty() && !it.class.is_empty() {
            return of_class(it, &meant);
        }
    }
    // Of a qualified name the simple part decides: packages differ more than they are mistyped.
    let near = |class: &str| {
        let names = types.iter().map(|(name, _)| (name.clone(), name.rsplit('.').next().unwrap_or(name).to_owned()));
        nearest(names.collect(), class.rsplit('.').next().unwrap_or(class))
    };
    let offers = readings.iter().map(|it| (it.class, near(it.class)));
    let (class, offered) = offers.into_iter().find(|it| !it.1.is_empty()).unwrap_or_else(|| (readings.first().map_or(query, |it| it.class), Vec::new()));
    format!("no class is named `{class}`{}", near::offer(&offered))
}

/// The message for a query whose class is there.
fn of_class(query: &Query<'_>, meant: &[&(String, &TypeFacts)]) -> String {
    let class = query.class;
    let Some(member) = query.member else {
        return format!("there is nothing to explain about `{class}`: it has no methods with a body and no fields that hold state");
    };
    let names = meant.iter().flat_map(|(name, it)| members(it).map(move |member| (format!("{name}#{member}"), member.to_owned())));
    let names: Vec<(String, String)> = names.collect();
    if query.parameters.is_some() && names.iter().any(|it| it.1 == member) {
        return format!("no method `{member}` of `{class}` has these parameters; without them, all are explained");
    }
    format!("`{class}` has no method or field `{member}`{}", near::offer(&nearest(names, member)))
}

/// The named types of a file with their names as sources spell them: `pkg.Outer.Inner`.
fn types(facts: &FileFacts) -> Vec<(String, &TypeFacts)> {
    let mut res: Vec<(String, &TypeFacts)> = Vec::with_capacity(facts.types.len());
    for it in &facts.types {
        // Outer types come before those nested in them.
        let outer = it.outer.and_then(|idx| res.get(idx as usize)).map_or(facts.package.as_str(), |outer| outer.0.as_str());
        let name = it.head.name.as_str();
        let name = if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") };
        res.push((name, it));
    }
    res
}

/// The methods and fields of a type that can be asked for.
fn members(it: &TypeFacts) -> impl Iterator<Item = &'static str> + '_ {
    it.members.iter().flat_map(|member| {
        let methods = member.facts.methods.iter().filter(|it| it.owner == OWN_CLASS).map(|it| it.head.name.as_str());
        let fields = member.facts.fields.iter().filter(|it| it.owner == OWN_CLASS && !it.captured).map(|it| it.head.name.as_str());
        methods.chain(fields).filter(|it| !it.starts_with('<'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    #[test]
    fn messages() {
        let text = "package p; class Billing { static int hits; void total() { } class Part { void pay() { } } }";
        let file = SourceFile::from_bytes(PathBuf::from("Billing.java"), Path::new(""), text.into());
        let files = [Arc::new(file)];
        assert_eq!(message(&files, "Biling"), "no class is named `Biling`; did you mean p.Billing?");
        assert_eq!(message(&files, "q.part"), "no class is named `q.part`; did you mean p.Billing.Part?");
        assert_eq!(message(&files, "Nothing"), "no class is named `Nothing`");
        assert_eq!(message(&files, "Billing#totla"), "`Billing` has no method or field `totla`; did you mean p.Billing#total?");
        assert_eq!(message(&files, "Billing.Part#pa"), "`Billing.Part` has no method or field `pa`; did you mean p.Billing.Part#pay?");
        assert_eq!(message(&files, "Billing.totla"), "`Billing` has no method or field `totla`; did you mean p.Billing#total?");
        assert_eq!(message(&files, "p.Biling.total"), "no class is named `p.Biling`; did you mean p.Billing?");
        assert_eq!(message(&files, "Nothing.it"), "no class is named `Nothing.it`");
        assert_eq!(message(&files, "Billing.total(int)"), "no method `total` of `Billing` has these parameters; without them, all are explained");
    }
}

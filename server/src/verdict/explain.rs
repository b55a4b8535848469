//! Explains one class, method or field: the verdict, why, and the path.

mod query;

pub use query::Query;

use super::path::carry_of;
use super::points::{may_be_point, method_name, point};
use super::view::View;
use super::{Category, FieldVerdict, Flow, MockingPoint, Reason, Step, World, ruled};
use crate::analysis::Analysis;
use crate::codes;
use crate::java::decls::{Flags, MemberKind};
use crate::link::state::is_main;
use crate::link::symbols::{FieldId, MethodId, TypeId};
use crate::link::taint::SourceKey;
use crate::signature;

/// The explanation of one method or field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// `method pkg.Class.m(int)` or `static field pkg.Class.f`.
    pub title: String,
    /// The verdict and why, as sentences; one line each.
    pub lines: Vec<String>,
    /// The path, if there is one.
    pub path: Vec<Step>,
}

/// Explains what `query` names: `Class`, `pkg.Class`, `Class#method`, `Class.method(int)` or `Class#field`, see [`Query`].
/// Empty if nothing has that name.
pub fn explain(analysis: &Analysis, query: &str) -> Vec<Explanation> {
    let view = View::linked(&analysis.linked);
    let symbols = view.symbols();
    let explain = |query: Query<'_>| {
        let class = query.class;
        let mut found = Vec::new();
        for (index, info) in symbols.types.iter().enumerate() {
            let fits = info.name == class || info.binary == class || info.name.strip_suffix(class).is_some_and(|rest| rest.ends_with(['.', '$']));
            if fits && !class.is_empty() {
                of_class(&view, TypeId(symbols.n_lib + index as u32), &query, &mut found);
            }
        }
        found
    };
    Query::readings(query).into_iter().map(explain).find(|it| !it.is_empty()).unwrap_or_default()
}

fn of_class(view: &View<'_>, class: TypeId, query: &Query<'_>, found: &mut Vec<Explanation>) {
    let symbols = view.symbols();
    let member = query.member;
    let has_parameters = |id: MethodId| {
        let Some(wanted) = &query.parameters else { return true };
        method_name(view, id).parameters.iter().map(|it| signature::simple(it)).eq(wanted.iter().cloned())
    };
    let file = symbols.own(class).map_or(0, |it| it.file);
    for id in symbols.fields_of_file(file) {
        let info = &symbols.fields[id as usize];
        let is_asked = query.parameters.is_none() && info.owner == class && !info.captured;
        if is_asked && member.map_or(view.link().states.beans.is_candidate(symbols, id), |it| it == info.name.as_str()) {
            found.push(of_field(view, id));
        }
    }
    for id in symbols.methods_of_file(file) {
        let info = &symbols.methods[id as usize];
        let kind = view.facts(id).head.kind;
        let named = matches!(kind, MemberKind::Method | MemberKind::Constructor | MemberKind::CompactConstructor | MemberKind::Component);
        let wanted = match member {
            Some(member) => member == info.name.as_str(),
            None => matches!(kind, MemberKind::Method | MemberKind::Component),
        };
        if info.owner == class && named && wanted && has_parameters(id) {
            found.push(of_method(view, id));
        }
    }
}

fn of_field(view: &View<'_>, id: FieldId) -> Explanation {
    let symbols = view.symbols();
    let is_static = symbols.fields[id as usize].flags.has(Flags::STATIC);
    let title = format!("{} {}", if is_static { "static field" } else { "field" }, view.field_name(id));
    let mut lines = Vec::new();
    let mut path = Vec::new();
    match ruled::field(view, id) {
        Some(verdict) => {
            lines.push(field_line(&verdict));
            for it in &verdict.modifiers {
                path.push(Step {
                    place: it.place,
                    note: format!("{} modifies it; {}", it.method, if it.called { "it is called" } else { "nothing calls it" }),
                });
            }
            if let Some(world) = verdict.flips_in {
                let name = match world {
                    World::Application => "application",
                    World::Library => "library",
                    World::WithTests => "with-tests",
                };
                lines.push(format!("With --world {name} the verdict is the other one."));
            }
        }
        None if is_static => lines.push("No verdict: an enum constant, or a field of test sources.".to_owned()),
        None => lines.push("No verdict of its own: an instance field is no static state.".to_owned()),
    }
    for category in Category::ALL {
        if let Some(carry) = carry_of(view, id, category) {
            let kind = codes::category(category);
            lines.push(format!("It carries {kind} state: whoever reads it reads that."));
            path.push(Step {
                place: view.by_place(carry.origin.method, carry.by),
                note: format!("{} writes {kind} state to it", view.method_name(carry.origin.method)),
            });
        }
    }
    Explanation { title, lines, path }
}

fn field_line(verdict: &FieldVerdict) -> String {
    match verdict.ruled_out {
        None => "It is modified while the service runs: whoever reads it depends on internal state.".to_owned(),
        Some(reason) => format!(
            "It is ruled out: {}.",
            match reason {
                Reason::Constant => "it is final and its type has no state",
                Reason::NoModifier => "nothing modifies it after initialisation",
                Reason::ModifierNeverCalled => "nothing calls what modifies it",
                Reason::StartUpOnly => "only start-up code modifies it",
                Reason::LazyConstant => "it is set once, under a check that it is not set yet, to a value that depends on no state",
                Reason::Injected => "it is only injected",
                Reason::Declared => "mockpoint.toml says that it is never modified",
            }
        ),
    }
}

fn of_method(view: &View<'_>, id: MethodId) -> Explanation {
    let name = method_name(view, id);
    let title = format!("method {}({})", name.short(), name.parameters.join(", "));
    if let Some(found) = point(view, id) {
        return Explanation { title, lines: point_lines(&found), path: found.path };
    }
    let method = view.facts(id);
    let mut lines = Vec::new();
    if !may_be_point(view, id) {
        lines.push(
            match method.head.kind {
                MemberKind::Constructor | MemberKind::CompactConstructor => {
                    "Not a mocking point: a constructor cannot be mocked; what it reads is its caller's."
                }
                _ if view.is_test(id) => "Not a mocking point: test sources get no verdicts.",
                _ if is_main(view.symbols(), id, method) => "Not a mocking point: `main` is where the service starts.",
                _ => "Not a mocking point: it has no body.",
            }
            .to_owned(),
        );
        return Explanation { title, lines, path: Vec::new() };
    }
    let batches = view.context().evaluate(view.taint(), id);
    match batches.first() {
        None => lines.push("Not a mocking point: it reads no state itself. What its callees read is answered at their calls.".to_owned()),
        Some(_) => {
            lines.push("Not a mocking point: it reads state, but that reaches no return, branch or throw.".to_owned());
            if batches.iter().any(|it| it.benign() > 0) {
                lines.push("A branch on it is benign: it guards nothing but logging and the like.".to_owned());
            }
            let path = batches
                .iter()
                .flat_map(|evaluated| evaluated.sources.iter().map(move |source| (evaluated, source)))
                .map(|(evaluated, source)| {
                    let (what, via) = super::path::origin_of(view, id, source);
                    let via = via.map_or_else(String::new, |via| format!(" through field {via}"));
                    let verb = if matches!(source.key, SourceKey::Lifted(..)) { "gets" } else { "reads" };
                    Step { place: view.place(id, super::points::place_of(evaluated, source.key)), note: format!("{verb} {what}{via}") }
                })
                .collect();
            return Explanation { title, lines, path };
        }
    }
    Explanation { title, lines, path: Vec::new() }
}

fn point_lines(point: &MockingPoint) -> Vec<String> {
    let kinds: Vec<&str> = point
        .categories
        .iter()
        .map(|it| match it {
            Category::System => "system",
            Category::Internal => "internal",
            Category::External => "external",
            Category::WhiteList => "white-list",
        })
        .collect();
    let flow = match point.flow {
        Flow::Intra => "in the method alone",
        Flow::Inter => "by way of callees",
        Flow::None => "whatever its callers do with the result",
    };
    let mut lines = vec![format!("It is a mocking point ({}): what it reads decides or leaves it, {flow}.", kinds.join(", "))];
    for source in &point.sources {
        let via = source.via.as_ref().map_or_else(String::new, |via| format!(", through field {via}"));
        let line = format!("It reads {}{via}.", source.what);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

//! AREX: the list of dynamic classes, as JSON for the call that replaces the list of an application, and as the template
//! in YAML that its pages take.

use super::entry::{Entry, Parameter};
use super::names::Erased;
use super::{Exported, Options, Syntax, placement};
use crate::java::decls::MemberKind;
use crate::java::ops::CallForm;
use crate::link::symbols::{MethodId, Symbols, UNKNOWN};
use crate::report::json::schema_of;
use crate::terms::Category;
use crate::verdict::SourceUse;
use crate::verdict::view::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// The calls that AREX replaces inside of a method: as reports name them, and as its key formula does.
const REPLACED: &[(&str, &str)] = &[
    ("java.lang.System.currentTimeMillis()", "java.lang.System.currentTimeMillis"),
    ("java.util.UUID.randomUUID()", "java.util.UUID.randomUUID"),
    ("java.util.Random.nextInt(int)", "java.util.Random.nextInt"),
];

/// Results that AREX waits for: what it records is what comes, whose class it knows.
const AWAITED: &[&str] = &[
    "java.util.concurrent.CompletableFuture",
    "com.google.common.util.concurrent.ListenableFuture",
    "reactor.core.publisher.Mono",
    "reactor.core.publisher.Flux",
];

/// What `POST /api/config/dynamicClass/replace/{appId}` takes.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "AREX dynamic classes")]
#[serde(transparent)]
pub struct DynamicClasses(pub Vec<DynamicClass>);

/// A method whose calls AREX records and answers, or in which it replaces calls.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(rename_all = "camelCase")]
pub struct DynamicClass {
    /// The application in AREX.
    pub app_id: String,
    /// Binary name of the class that declares the method; after `ac:` that of a type, for the classes below it.
    pub full_class_name: String,
    /// Name of the method.
    pub method_name: String,
    /// Erased types of its parameters, joined by `@`. Empty if it has none; AREX reads that as any.
    pub parameter_types: String,
    /// Empty, or parts separated by commas: calls to replace inside of the method, which is then not recorded;
    /// `T:` and the class of the type argument of its result; an expression over parameters as the key of a record.
    pub key_formula: String,
}

/// The JSON schema of what is printed as JSON.
pub fn schema() -> String {
    schema_of::<DynamicClasses>()
}

/// The formula that replaces the call by which a method reads a source, if there is one. The agent looks for calls in methods
/// of the name that is listed. To the virtual machine the body of a lambda is a method of another name, and a reference to a
/// method no call.
pub fn replaced(view: &View<'_>, id: MethodId, source: &SourceUse) -> Option<&'static str> {
    let formula = REPLACED.iter().find(|it| it.0 == source.what)?.1;
    let (index, _) = placement::call_of(view, id, source)?;
    let graph = &view.facts(id).graph;
    let is_elsewhere = graph.calls[index as usize].form == CallForm::Reference || graph.lambdas.iter().any(|it| (it.from..it.to).contains(&index));
    (!is_elsewhere && !is_ambiguous(view, id, formula)).then_some(formula)
}

/// Whether calls that the agent takes for the one it replaces are in methods of the same name: it looks for the text of the
/// formula, finds `nextInt()` and `nextInt(int, int)` too, and then cannot change the class at all.
fn is_ambiguous(view: &View<'_>, id: MethodId, formula: &str) -> bool {
    let info = &view.symbols().methods[id as usize];
    let calls = view.symbols().declared_methods(info.owner, info.name).iter().map(|&it| &view.facts(it).graph).flat_map(|it| &it.calls);
    formula.ends_with(".nextInt") && calls.into_iter().any(|it| it.name.as_str() == "nextInt" && it.args.len != 1)
}

/// The formulas that replace all that a method reads, if there are some for all.
pub fn replacing(view: &View<'_>, entry: &Entry<'_>) -> Vec<&'static str> {
    let all = entry.point.sources.iter().map(|it| replaced(view, entry.id?, it));
    let mut found = all.collect::<Option<Vec<_>>>().unwrap_or_default();
    found.sort_unstable();
    found.dedup();
    found
}

/// How AREX reads back a generic result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Generic {
    /// It needs to be told nothing.
    Known,
    /// It needs the class of the type argument.
    Told(String),
    /// It cannot be told.
    Lost,
}

/// See [`Generic`].
pub fn generic(symbols: &Symbols, returns: &Erased) -> Generic {
    let collections = ["java.util.Collection", "java.util.Map"].map(|it| symbols.qualified(it));
    let is_collection = returns.id != UNKNOWN && collections.iter().any(|&it| symbols.is_subtype(returns.id, it));
    match &returns.arguments[..] {
        [] => Generic::Known,
        _ if returns.dims > 0 || is_collection || AWAITED.contains(&returns.text.as_str()) => Generic::Known,
        [one] if one.arguments.is_empty() && one.dims == 0 && one.known && one.id != UNKNOWN && one.text != "java.lang.Object" => {
            Generic::Told(one.text.clone())
        }
        _ => Generic::Lost,
    }
}

/// The entries, and what else AREX should be told.
pub fn print(view: &View<'_>, options: &Options, entries: &[Entry<'_>], unfit: &dyn Fn(&Parameter) -> bool, exported: &mut Exported) {
    let classes = classes(view, options, entries, unfit);
    if classes.0.iter().any(|it| it.key_formula.contains('#')) {
        exported.notes.push("keys with # need the names of parameters in class files: compile with -parameters or -g".to_owned());
    }
    let initialised = initialised(view);
    if !initialised.is_empty() {
        exported
            .notes
            .push(format!("static initialisers read state; have AREX run them before the first request: -Darex.static.class.init={}", initialised.join(",")));
    }
    exported.text = match options.syntax {
        // Printing text and lists of text cannot fail.
        Syntax::Json => serde_json::to_string_pretty(&classes).unwrap_or_default() + "\n",
        Syntax::Yaml => {
            if classes.0.iter().any(|it| !it.key_formula.is_empty()) {
                exported.notes.push("the template has no place for key formulas: use --format json to keep them".to_owned());
            }
            yaml(&classes)
        }
    };
}

/// The entries as AREX takes them.
pub fn classes(view: &View<'_>, options: &Options, entries: &[Entry<'_>], unfit: &dyn Fn(&Parameter) -> bool) -> DynamicClasses {
    let class = |entry: &Entry<'_>| DynamicClass {
        app_id: options.app.clone(),
        full_class_name: if entry.of_subtypes { format!("ac:{}", entry.class) } else { entry.class.clone() },
        method_name: entry.name.clone(),
        parameter_types: entry.parameters.iter().flatten().map(|it| it.ty.text.as_str()).collect::<Vec<_>>().join("@"),
        key_formula: formula(view.symbols(), entry, unfit),
    };
    DynamicClasses(entries.iter().map(class).collect())
}

fn formula(symbols: &Symbols, entry: &Entry<'_>, unfit: &dyn Fn(&Parameter) -> bool) -> String {
    if !entry.replaces.is_empty() {
        return entry.replaces.join(",");
    }
    let mut parts = Vec::new();
    // AREX looks formulas up by the name of the class that runs.
    if entry.of_subtypes {
        return String::new();
    }
    if let Some(Generic::Told(actual)) = entry.returns.as_ref().map(|it| generic(symbols, it)) {
        parts.push(format!("T:{actual}"));
    }
    parts.extend(key(symbols, entry, unfit));
    parts.join(",")
}

/// An expression that tells calls apart by the parameters that can be written down, where some cannot.
fn key(symbols: &Symbols, entry: &Entry<'_>, unfit: &dyn Fn(&Parameter) -> bool) -> Option<String> {
    let parameters = entry.parameters.as_ref().filter(|_| entry.id.is_some())?;
    let (bad, good): (Vec<_>, Vec<_>) = parameters.iter().partition(|it| unfit(it));
    let is_plain = |it: &&&Parameter| it.ty.dims == 0 && is_plain(symbols, &it.ty);
    if bad.is_empty() || good.is_empty() || !good.iter().all(|it| is_plain(&it)) {
        return None;
    }
    let names: Vec<String> = good.iter().map(|it| format!("#{}", it.name)).collect();
    Some(match &names[..] {
        [one] => one.clone(),
        _ => names.join("+'_'+"),
    })
}

/// Whether a value is as good as its text.
fn is_plain(symbols: &Symbols, ty: &Erased) -> bool {
    const PLAIN: &[&str] = &["java.lang.CharSequence", "java.lang.Number", "java.lang.Boolean", "java.lang.Character", "java.lang.Enum", "java.util.UUID"];
    super::names::is_primitive(&ty.text)
        || symbols.type_kind(ty.id) == crate::java::decls::TypeKind::Enum
        || PLAIN.iter().map(|it| symbols.qualified(it)).any(|up| ty.id != UNKNOWN && symbols.is_subtype(ty.id, up))
}

/// Classes whose static initialisers reach the clock, the environment or something outside, by name.
fn initialised(view: &View<'_>) -> Vec<String> {
    let symbols = view.symbols();
    let reads = |id: MethodId| {
        let sources = view.context().evaluate(view.taint(), id);
        sources.iter().flat_map(|it| &it.sources).any(|it| matches!(it.category, Category::System | Category::External))
    };
    let mut found: Vec<String> = Vec::new();
    for id in 0..symbols.methods.len() as MethodId {
        let head = &view.facts(id).head;
        let is_initialiser = matches!(head.kind, MemberKind::StaticInit | MemberKind::Field | MemberKind::EnumConstant) && head.name.as_str() == "<clinit>";
        if !is_initialiser || view.is_test(id) {
            continue;
        }
        let mut seen = vec![id];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            if view.taint().readers.binary_search(&at).is_ok() && reads(at) {
                found.push(super::names::binary(symbols, symbols.methods[id as usize].owner));
                break;
            }
            let resolved = view.context().resolved.get(at);
            for &callee in resolved.calls.iter().flat_map(|it| resolved.targets(&it.target).0) {
                if seen.len() < MAX_REACHED && !seen.contains(&callee) {
                    seen.push(callee);
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Initialisers that reach more methods than this are not followed further.
const MAX_REACHED: usize = 256;

/// The template. It replaces all settings of the application, so those that are not about the list have AREX's own defaults.
fn yaml(classes: &DynamicClasses) -> String {
    let mut out = String::from(
        "# Pushing this template replaces the list of dynamic classes and the other settings of the application.\n\
         recordTemplateConfig:\n  serviceTemplateConfig:\n    sampleRate: 1\n    allowDayOfWeeks: 127\n    timeMock: true\n    \
         allowTimeOfDayFrom: \"00:01\"\n    allowTimeOfDayTo: \"23:59\"\n    excludeServiceOperationSet: []\n    recordMachineCountLimit: 1\n  \
         dynamicClassTemplateConfigs:",
    );
    if classes.0.is_empty() {
        out.push_str(" []");
    }
    out.push('\n');
    for it in &classes.0 {
        // Strings of JSON are strings of YAML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let _ = writeln!(out, "    - fullClassName: {}", quoted(&it.full_class_name));
        let _ = writeln!(out, "      methodName: {}", quoted(&it.method_name));
        let _ = writeln!(out, "      parameterTypes: {}", quoted(&it.parameter_types));
    }
    out.push_str("replayTemplateConfig:\n  offsetDays: 1\n  sendMaxQps: 20\ncompareTemplateConfigs: []\n");
    out
}

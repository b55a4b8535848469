//! All verdicts of a workspace or of one file, in a fixed order.

use super::carriers::carrier;
use super::points::point;
use super::unmockable;
use super::view::View;
use super::{
    CarrierField, Category, Dependency, FieldVerdict, FileId, Flow, MethodName, MockingPoint, Place, SourceUse, Step, Suppressed, UnmockableSource, Verdicts,
};
use crate::codes;
use crate::config::{RowId, Severity};
use crate::intern::Sym;
use crate::java::patterns::Suppression;
use crate::link::listed::Listed;
use crate::link::symbols::MethodId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Everything.
pub fn verdicts(view: &View<'_>) -> Verdicts {
    let mut mocking_points: Vec<MockingPoint> = view.taint().deciders.par_iter().with_min_len(16).filter_map(|&id| point(view, id)).collect();
    mocking_points.extend(wrappers(view));
    let n_fields = view.symbols().fields.len() as u32;
    let mut fields: Vec<FieldVerdict> = (0..n_fields).into_par_iter().with_min_len(256).filter_map(|id| super::ruled::field(view, id)).collect();
    let mut unmockable: Vec<UnmockableSource> = view.taint().readers.par_iter().with_min_len(16).flat_map_iter(|&id| unmockable::sources(view, id)).collect();
    let files = &view.link().files;
    let quiet = |file: FileId| Quiet { listed: &view.link().listed, suppressions: &files[file as usize].facts.suppressions };
    for it in &mut mocking_points {
        keep_side_effects(it, quiet(it.place.file));
    }
    sort(&mut mocking_points, &mut fields, &mut unmockable);
    let is_shown = |place: Place, code: &str| !quiet(place.file).about(place, code);
    let (mocking_points, hidden_points) = mocking_points.into_iter().partition(|it| is_shown(it.place, codes::MOCKING_POINT));
    let (fields, hidden_fields) = fields.into_iter().partition(|it| is_shown(it.place, field_code(it)));
    unmockable.retain(|it| is_shown(it.read.place, codes::UNMOCKABLE_SOURCE));
    Verdicts { mocking_points, fields, unmockable, suppressed: Suppressed { mocking_points: hidden_points, fields: hidden_fields } }
}

/// The verdicts of one file, without those that it suppresses.
pub fn of_file(view: &View<'_>, file: FileId, suppressions: &[Suppression]) -> Verdicts {
    let symbols = view.symbols();
    let methods = symbols.methods_of_file(file).filter(|&id| view.has_unit(symbols.methods[id as usize].unit));
    let mut points: Vec<MockingPoint> = methods.clone().filter_map(|id| point(view, id)).collect();
    // Where a wrapper is reported, and with which calls, all files decide. Few files call one at all.
    if methods.clone().any(|id| wrapper_calls(view, id).next().is_some()) {
        points.extend(wrappers(view).into_iter().filter(|it| it.place.file == file));
    }
    let mut fields: Vec<FieldVerdict> = symbols.fields_of_file(file).filter_map(|id| super::ruled::field(view, id)).collect();
    let mut unmockable: Vec<UnmockableSource> = methods.clone().flat_map(|id| unmockable::sources(view, id)).collect();
    let quiet = Quiet { listed: &view.link().listed, suppressions };
    points.iter_mut().for_each(|it| keep_side_effects(it, quiet));
    points.retain(|it| !quiet.about(it.place, codes::MOCKING_POINT));
    fields.retain(|it| !quiet.about(it.place, field_code(it)));
    unmockable.retain(|it| !quiet.about(it.read.place, codes::UNMOCKABLE_SOURCE));
    sort(&mut points, &mut fields, &mut unmockable);
    Verdicts { mocking_points: points, fields, unmockable, suppressed: Suppressed::default() }
}

/// The fields of a file that carry state, without those that it suppresses.
pub fn carriers(view: &View<'_>, file: FileId, suppressions: &[Suppression]) -> Vec<CarrierField> {
    let quiet = Quiet { listed: &view.link().listed, suppressions };
    let mut found: Vec<CarrierField> = view.symbols().fields_of_file(file).filter_map(|id| carrier(view, id)).collect();
    found.retain(|it| !quiet.about(it.place, codes::CARRIER_FIELD));
    found.sort_by(|a, b| (a.place, &a.name).cmp(&(b.place, &b.name)));
    found
}

fn sort(points: &mut [MockingPoint], fields: &mut [FieldVerdict], unmockable: &mut [UnmockableSource]) {
    points.sort_by(|a, b| (a.place, &a.method).cmp(&(b.place, &b.method)));
    fields.sort_by(|a, b| (a.place, &a.name).cmp(&(b.place, &b.name)));
    unmockable.sort_by(|a, b| (a.read.place, a.read.category, &a.read.what).cmp(&(b.read.place, b.read.category, &b.read.what)));
}

fn field_code(field: &FieldVerdict) -> &'static str {
    if field.ruled_out.is_some() { codes::NEVER_MODIFIED_FIELD } else { codes::MODIFIED_FIELD }
}

/// Drops the side effects that are suppressed at the method or where they are.
fn keep_side_effects(point: &mut MockingPoint, quiet: Quiet<'_>) {
    let place = point.place;
    point.lost.retain(|it| ![place, it.place].iter().any(|&it| quiet.about(it, codes::LOST_SIDE_EFFECT)));
}

/// What is asked for not to be said of a file: by the project, and in the source.
#[derive(Clone, Copy)]
struct Quiet<'a> {
    listed: &'a Listed,
    suppressions: &'a [Suppression],
}

impl Quiet<'_> {
    fn about(self, place: Place, code: &str) -> bool {
        let name = Sym::find(code);
        // What begins there counts: a call that is given a class goes on for lines.
        let covers = |it: &Suppression| (it.range.start..it.range.end).contains(&place.range.start) && (it.code.is_none() || it.code == name);
        self.suppressions.iter().any(covers) || self.listed.severity(place.file, code) == Some(Severity::Off)
    }
}

/// Library wrappers of system sources, which are mocking points themselves (paper §3.1.1), and library methods that the
/// project lists as such: each at its first call.
fn wrappers(view: &View<'_>) -> Vec<MockingPoint> {
    let symbols = view.symbols();
    let listed = &view.link().listed;
    // With the row of the project by which it is one, if it is by that.
    let mut found: FxHashMap<(String, Option<RowId>), Vec<Place>> = FxHashMap::default();
    for id in view.wrapper_callers().filter(|&id| view.has_unit(symbols.methods[id as usize].unit)) {
        for (index, row) in wrapper_calls(view, id) {
            let what = view.described(id, index, false).what.clone();
            let place = view.place(id, view.facts(id).graph.calls[index as usize].at);
            found.entry((what, row)).or_default().push(place);
        }
    }
    let points = found.into_iter().map(|((what, row), mut places)| {
        places.sort_unstable();
        let method = library_name(&what);
        let category = if row.is_some() { Category::WhiteList } else { Category::System };
        let dependency = row.map(|row| Dependency {
            kind: listed.kind(row).map_or(codes::category(category), Sym::as_str),
            component: listed.component(row),
            mock: method.class.clone(),
        });
        let source = |&place: &Place| SourceUse { category, what: what.clone(), place, via: None, dependency: dependency.clone() };
        let sources: Vec<SourceUse> = places.iter().map(source).collect();
        let note = match row {
            Some(row) => format!("calls {what}; {}", listed.note(row)),
            None => format!("calls {what}, a library method that wraps system state"),
        };
        let path = vec![Step { place: places[0], note }];
        MockingPoint {
            method,
            place: places[0],
            declaration: places[0],
            categories: vec![category],
            flow: Flow::None,
            sources,
            sinks: Vec::new(),
            path,
            lost: Vec::new(),
        }
    });
    points.collect()
}

/// The calls of such wrappers in a method: indices of calls in its graph, and rows of the project.
fn wrapper_calls<'a>(view: &'a View<'_>, id: MethodId) -> impl Iterator<Item = (u32, Option<RowId>)> + 'a {
    let calls: &[_] = if view.is_test(id) { &[] } else { &view.context().resolved.get(id).calls };
    (0u32..).zip(calls).filter_map(|(index, site)| Some((index, site.wrapped()?)))
}

/// The name of a library method from its description.
fn library_name(what: &str) -> MethodName {
    let (path, params) = what.split_once('(').unwrap_or((what, ")"));
    let (class, name) = path.rsplit_once('.').unwrap_or(("", path));
    let parameters = params.trim_end_matches(')').split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect();
    MethodName { class: class.to_owned(), binary_class: class.to_owned(), name: name.to_owned(), parameters, returns: "?".to_owned() }
}

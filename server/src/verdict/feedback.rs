//! From replays that failed to rows for the white list (paper §3.4).
//!
//! A replay fails where it got another answer than the recording. The methods that were running are looked at: what they
//! call that nobody knows, and what they read that somebody unknown may write. Each becomes a row to think about. Where a
//! method is a mocking point already there is nothing to add; then a lost side effect is the likely cause (§3.5).

mod calls;
mod fields;
mod locate;

use super::points::{method_name, point};
use super::view::View;
use super::{LostWrite, MethodName, MockingPoint, Place, Reason};
use crate::analysis::Analysis;
use crate::failures::Failure;
use crate::link::symbols::MethodId;
use locate::Locator;
use rustc_hash::FxHashMap;

/// What failures tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    /// Each failure.
    pub failures: Vec<Diagnosis>,
    /// What is proposed, the best first.
    pub rows: Vec<Row>,
}

/// One failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The exception, or the method as it was written.
    pub title: String,
    /// Methods of production sources that were running, innermost first, each once.
    pub suspects: Vec<Suspect>,
    /// Frames of other code.
    pub foreign: u64,
    /// Frames that do not name one method of these sources.
    pub remarks: Vec<Remark>,
}

/// A frame that does not name one method of production sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// `pkg.Class.method`, as the frame has it.
    pub frame: String,
    /// Why it does not.
    pub why: Unclear,
    /// What may be meant: classes, or methods with their parameter types.
    pub candidates: Vec<String>,
}

/// Why a frame does not name one method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// No class has this name.
    NoClass,
    /// Several classes have this name.
    SeveralClasses,
    /// The class has no method of this name.
    NoMethod,
    /// Several methods fit, and all are looked at.
    Overloads,
    /// Several methods fit, and only a line would tell which. None is looked at.
    NoLine,
    /// The method is in test sources.
    Test,
}

/// A method that was running.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The method.
    pub method: MethodName,
    /// Its name in the source.
    pub place: Place,
    /// What it is, if it is a mocking point: then no row is proposed for it.
    pub point: Option<MockingPoint>,
    /// Mocking points that it calls and whose side effects are lost in replay; it may be one itself.
    pub lost: Vec<Lost>,
    /// Calls that no row can be about, since the type of their receiver is not known.
    pub unknown: Vec<Unknown>,
    /// Fields that it reads and that are ruled out, but for constants; none if it is a mocking point.
    pub fields: Vec<ReadField>,
    /// How many rows are proposed for it.
    pub rows: u64,
}

/// A field that is ruled out and is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadField {
    /// `pkg.Class.field`.
    pub name: String,
    /// Why it is taken for something that stays.
    pub reason: Reason,
    /// Where it is first read.
    pub place: Place,
}

/// A mocking point whose side effects are lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// `pkg.Class.method`.
    pub method: String,
    /// Its first write that is lost.
    pub write: LostWrite,
}

/// A call on something unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The name of what is called.
    pub name: String,
    /// Where.
    pub place: Place,
}

/// The tables of `mockpoint.toml` that a row can be of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum RowKind {
    /// The call itself is to be recorded.
    MockingPoint,
    /// What is read is state: who decides by it is to be recorded.
    Source,
    /// Something outside the sources calls a method, so that a field changes.
    EntryPoint,
}

impl RowKind {
    /// The name of the table.
    pub fn table(self) -> &'static str {
        match self {
            RowKind::MockingPoint => "mocking-point",
            RowKind::Source => "source",
            RowKind::EntryPoint => "entry-point",
        }
    }
}

/// A row that is proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its table.
    pub kind: RowKind,
    /// The type.
    pub ty: String,
    /// The member.
    pub member: String,
    /// Why, as a clause without a full stop.
    pub reason: String,
    /// Worth trying first: others are shown, but not to be taken as they are.
    pub likely: bool,
    /// Where the suspects use it.
    pub uses: Vec<Use>,
    /// The failures that it may explain, by their indices.
    pub failures: Vec<usize>,
}

/// Where a suspect calls or reads something.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Use {
    /// Where.
    pub place: Place,
    /// The suspect: `pkg.Class.method`.
    pub method: String,
}

/// A reason for a row, found in one method.
struct Candidate {
    kind: RowKind,
    ty: String,
    member: String,
    reason: String,
    /// The smaller, the more likely.
    rank: Rank,
    place: Place,
}

/// How likely something explains a failure, most likely first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Rank {
    /// The failure came out of it.
    Inside,
    /// It decides, and is asked of something that lasts.
    Decides,
    /// A field that is read may change unseen.
    Field,
    /// It can be a cause, but most of its kind are none.
    Unlikely,
}

/// What a method calls and reads, as far as it concerns the white list.
#[derive(Default)]
struct Findings {
    candidates: Vec<Candidate>,
    unknown: Vec<Unknown>,
    fields: Vec<ReadField>,
}

/// Looks at failures.
pub fn feedback(analysis: &Analysis, failures: &[Failure]) -> Feedback {
    let view = View::linked(&analysis.linked);
    let locator = Locator::new(&view);
    let unseen = fields::Unseen::collect(&view);
    let mut rows: Vec<(Rank, usize, Row)> = Vec::new();
    let mut row_of: FxHashMap<(String, String), usize> = FxHashMap::default();
    let mut found = Vec::new();
    for (number, failure) in failures.iter().enumerate() {
        let located = locator.locate(&failure.frames);
        let mut suspects = Vec::new();
        for (depth, (id, entered)) in located.methods.into_iter().enumerate() {
            let point = point(&view, id);
            let findings = if point.is_some() { Findings::default() } else { look(&view, &unseen, id, entered.as_deref()) };
            let mut seen: Vec<usize> = Vec::new();
            for it in findings.candidates {
                let method = view.method_name(id);
                // One row for a member, of the table that its best reason calls for.
                let at = *row_of.entry((it.ty.clone(), it.member.clone())).or_insert_with(|| {
                    let row = Row { kind: it.kind, ty: it.ty, member: it.member, reason: String::new(), likely: false, uses: Vec::new(), failures: Vec::new() };
                    rows.push((Rank::Unlikely, usize::MAX, row));
                    rows.len() - 1
                });
                let (rank, least, row) = &mut rows[at];
                if row.reason.is_empty() || (it.rank, depth) < (*rank, *least) {
                    (*rank, *least, row.kind, row.reason) = (it.rank, depth, it.kind, it.reason);
                    row.likely = it.rank != Rank::Unlikely;
                }
                row.uses.push(Use { place: it.place, method });
                row.failures.push(number);
                if !seen.contains(&at) {
                    seen.push(at);
                }
            }
            let lost = lost(&view, id, point.as_ref());
            let rows = seen.len() as u64;
            let (method, place) = (method_name(&view, id), view.name_place(id));
            suspects.push(Suspect { method, place, point, lost, unknown: findings.unknown, fields: findings.fields, rows });
        }
        found.push(Diagnosis { title: failure.title.clone(), suspects, foreign: located.foreign, remarks: located.remarks });
    }
    for (_, _, row) in &mut rows {
        row.uses.sort();
        row.uses.dedup();
        row.failures.dedup();
    }
    rows.sort_by(|a, b| {
        let key = |it: &(Rank, usize, Row)| (it.0, usize::MAX - it.2.failures.len(), it.1);
        key(a).cmp(&key(b)).then_with(|| (&a.2.ty, &a.2.member).cmp(&(&b.2.ty, &b.2.member)))
    });
    Feedback { failures: found, rows: rows.into_iter().map(|it| it.2).collect() }
}

fn look(view: &View<'_>, unseen: &fields::Unseen, id: MethodId, entered: Option<&str>) -> Findings {
    let mut found = calls::look(view, id, entered);
    fields::look(view, unseen, id, &mut found);
    found
}

/// Mocking points with side effects that are lost: the method itself and what it calls.
fn lost(view: &View<'_>, id: MethodId, itself: Option<&MockingPoint>) -> Vec<Lost> {
    let mut found: Vec<Lost> = Vec::new();
    let mut add = |point: &MockingPoint| {
        let method = point.method.short();
        if let Some(write) = point.lost.first()
            && found.iter().all(|it| it.method != method)
        {
            found.push(Lost { method, write: write.clone() });
        }
    };
    itself.into_iter().for_each(&mut add);
    let resolved = &view.link().resolved[id as usize];
    let mut callees: Vec<MethodId> = Vec::new();
    for site in &resolved.calls {
        let (named, is_virtual) = resolved.targets(&site.target);
        for &callee in named {
            callees.push(callee);
            if is_virtual {
                callees.extend(view.symbols().overriders.get(&callee).into_iter().flatten());
            }
        }
    }
    callees.sort_unstable();
    callees.dedup();
    for callee in callees {
        if view.is_point_in_itself(callee)
            && let Some(point) = point(view, callee)
        {
            add(&point);
        }
    }
    found
}

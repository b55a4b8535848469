//! A question for actions, and the question for the edit of one.

use super::*;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc;

/// What an action carries until its edit is asked for.
#[derive(Serialize, Deserialize)]
struct Data {
    uri: Url,
    range: Range,
    version: i32,
    /// Its number among those of its title: once all files are linked, others can be offered before it.
    number: usize,
}

/// `RequestFailed` of the protocol.
const REQUEST_FAILED: i64 = -32803;

/// What a person reads who chose an action that looked possible.
const NOT_POSSIBLE: &str = "this cannot be done safely: a file that has to change is gone, cannot be read as a whole, or is another one by now";

/// Where actions were asked for.
pub(super) struct Question<'a> {
    pub(super) uri: &'a Url,
    pub(super) range: Range,
    pub(super) version: i32,
}

impl Question<'_> {
    pub(super) fn answer(&self, asked: &Asked<'_>, number: usize, fix: Fix<'_>, diagnostic: Option<Diagnostic>) -> Option<CodeActionOrCommand> {
        let mut action = CodeAction {
            title: fix.title,
            kind: Some(fix.kind),
            diagnostics: diagnostic.map(|it| vec![it]),
            is_preferred: fix.is_preferred.then_some(true),
            ..CodeAction::default()
        };
        if fix.work.makes_file() && !asked.creates {
            return None;
        }
        if asked.moment.setup.resolves_edits {
            let data = Data { uri: self.uri.clone(), range: self.range, version: self.version, number };
            action.data = serde_json::to_value(data).ok();
        } else {
            action.edit = Some(workspace_edit(asked, self.uri, fix.work.run()?)?);
        }
        Some(CodeActionOrCommand::CodeAction(action))
    }
}

/// Finds the fixes for a range, with the diagnostic that each is for; behind them, if wanted, those for the file as a whole.
pub(super) fn collect<'a>(asked: &'a Asked<'a>, uri: &Url, at: Range, wants_all: bool) -> Vec<(Fix<'a>, Option<Diagnostic>)> {
    let mut res: Vec<(Fix<'a>, Option<Diagnostic>)> = Vec::new();
    let Asked { moment, view, findings, text, .. } = *asked;
    let setup = &*moment.setup;
    // The answer speaks of the document by the name that the request used.
    let spelling = FxHashMap::from_iter([(view.file.path.clone(), uri.clone())]);
    let context = Context { setup, findings, uris: &spelling, settings: moment.settings.of(&view.file.path) };
    let is_here = |place: Place| overlap(range(&view.file.lines, place.range, setup.encoding), at);
    let parameters = to_parameter::Parameters::new(asked);
    for point in &findings.points {
        let at_name = is_here(point.place);
        // What would be lost is kept by taking the read out.
        let at_lost = !at_name && point.lost.iter().any(|it| it.place.file == findings.id && is_here(it.place));
        let here: Vec<&SourceUse> = asked.direct(point).filter(|it| at_name || at_lost || is_here(it.place)).collect();
        // Where a method lies is known of its declaration; most questions are about another one.
        let benign = if is_here(point.declaration) { config_rows::of_branches(asked, point, at_name, &is_here) } else { Vec::new() };
        if !at_name && here.is_empty() && benign.is_empty() {
            continue;
        }
        let diagnostic = context.point(point);
        let mut give = |fix: Fix<'a>| res.push((fix, Some(diagnostic.clone())));
        benign.into_iter().for_each(&mut give);
        if !at_name && here.is_empty() {
            continue;
        }
        let seams = extract::seams(asked, &here, &asked.direct(point).collect::<Vec<_>>());
        extract::fixes(asked, &point.method.class, !point.lost.is_empty(), &seams).into_iter().for_each(&mut give);
        if at_lost {
            continue;
        }
        inject::fixes(asked, point, &here).into_iter().for_each(&mut give);
        parameters.fixes(&here).into_iter().for_each(&mut give);
        config_rows::of_point(asked, &here).into_iter().for_each(&mut give);
        if at_name {
            let declaration = point.declaration.range.start as usize;
            let subject = Subject { file: &view.file, findings, text, place: point.place, declaration, code: codes::MOCKING_POINT, name: &point.method.name };
            [suppress::annotation(&subject), suppress::comment(&subject)].into_iter().flatten().for_each(&mut give);
        }
    }
    for field in findings.fields.iter().filter(|it| diagnostics::is_shown(it) && is_here(it.place)) {
        let diagnostic = context.field(field);
        let mut give = |fix: Fix<'a>| res.push((fix, Some(diagnostic.clone())));
        let found = named_at(&view.file, field.place.range.start as usize);
        if let Some(declaration) = found.map(|it| it.start() as usize) {
            let subject = Subject { file: &view.file, findings, text, place: field.place, declaration, code: codes::field_code(field), name: &field.name };
            let fixes = [make_final::fix(&subject), remove_setter::fix(asked, field), suppress::annotation(&subject), suppress::comment(&subject)];
            fixes.into_iter().flatten().for_each(&mut give);
        }
        config_rows::of_field(asked, field).into_iter().for_each(&mut give);
    }
    res.extend(generate_test::fixes(asked, is_here).into_iter().map(|it| (it, None)));
    for it in findings.unmockable.iter().filter(|it| is_here(it.read.place)) {
        let diagnostic = context.unmockable(it);
        let mut give = |fix: Fix<'a>| res.push((fix, Some(diagnostic.clone())));
        // Several reads at one place are of one call, which is taken out once.
        extract::fixes(asked, &it.class, true, &[&it.read]).into_iter().for_each(&mut give);
        config_rows::of_point(asked, &[&it.read]).into_iter().for_each(&mut give);
        let subject = Subject { file: &view.file, findings, text, place: it.read.place, declaration: 0, code: codes::UNMOCKABLE_SOURCE, name: &it.read.what };
        suppress::comment(&subject).into_iter().for_each(&mut give);
    }
    for it in findings.carriers().iter().filter(|it| is_here(it.place)) {
        let diagnostic = context.carrier(it);
        let Some(declaration) = named_at(&view.file, it.place.range.start as usize).map(|it| it.start() as usize) else { continue };
        let subject = Subject { file: &view.file, findings, text, place: it.place, declaration, code: codes::CARRIER_FIELD, name: &it.name };
        res.extend(suppress::comment(&subject).map(|it| (it, Some(diagnostic))));
    }
    if wants_all {
        res.extend(fix_all::fixes(asked).into_iter().map(|it| (it, None)));
    }
    res
}

/// `codeAction/resolve`: the action with its edit.
///
/// # Errors
///
/// Fails if the text is another one by now, if the action is none of ours, or if a closer look shows that it cannot be done.
pub(in crate::lsp) fn resolve(moment: &Moment, mut action: CodeAction) -> jsonrpc::Result<CodeAction> {
    let data =
        action.data.take().and_then(|it| serde_json::from_value::<Data>(it).ok()).ok_or_else(|| jsonrpc::Error::invalid_params("no action of mockpoint"))?;
    let path = crate::lsp::convert::path_of(&data.uri).ok_or_else(|| jsonrpc::Error::invalid_params("no document of the workspace"))?;
    let changed = || jsonrpc::Error { code: jsonrpc::ErrorCode::ContentModified, message: "the text has changed since".into(), data: None };
    let (view, findings) = moment.open(&path).filter(|it| it.0.version == data.version).ok_or_else(changed)?;
    let text = view.rope.to_string();
    let asked = Asked::new(moment, view, findings, &text);
    let mut alike = collect(&asked, &data.uri, data.range, true).into_iter().map(|it| it.0).filter(|it| it.title == action.title);
    let fix = alike.nth(data.number).ok_or_else(changed)?;
    let cannot = || jsonrpc::Error { code: jsonrpc::ErrorCode::ServerError(REQUEST_FAILED), message: NOT_POSSIBLE.into(), data: None };
    action.edit = Some(fix.work.run().and_then(|it| workspace_edit(&asked, &data.uri, it)).ok_or_else(cannot)?);
    Ok(action)
}

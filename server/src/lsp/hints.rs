//! `textDocument/inlayHint`: the kind of state beside what reads it, and beside the fields that carry it.

use super::convert::{overlap, path_of, range};
use super::moment::Moment;
use crate::codes;
use crate::host::Findings;
use crate::verdict::{MockingPoint, Place, SourceUse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tower_lsp::lsp_types::*;

/// What a hint is about, for its tooltip.
#[derive(Serialize, Deserialize)]
struct Data {
    uri: Url,
    /// Where what is read ends, as the hint was made.
    position: Position,
}

/// The hints within a range of an open file.
pub(super) fn hints(moment: &Moment, uri: &Url, path: &Path, within: Range) -> Option<Vec<InlayHint>> {
    if !moment.settings.of(path).inlay_hints.enable {
        return None;
    }
    let (view, findings) = moment.open(path)?;
    let mut res = Vec::new();
    for (place, sources) in by_place(findings) {
        let place = range(&view.file.lines, place.range, moment.setup.encoding);
        if !overlap(place, within) {
            continue;
        }
        // Who does not ask for tooltips gets them at once.
        let tooltip = (!moment.setup.resolves_tooltips).then(|| tooltip(moment, &sources));
        let data = serde_json::to_value(Data { uri: uri.clone(), position: place.end }).ok();
        res.push(InlayHint {
            position: place.end,
            label: InlayHintLabel::String(label(&sources)),
            kind: None,
            text_edits: None,
            tooltip,
            padding_left: Some(true),
            padding_right: None,
            data: data.filter(|_| moment.setup.resolves_tooltips),
        });
    }
    Some(res)
}

/// The hint with its tooltip.
pub(super) fn resolve(moment: &Moment, mut hint: InlayHint) -> InlayHint {
    let find = |data: Data| {
        let (view, findings) = moment.open(&path_of(&data.uri)?)?;
        let ends_there = |place: Place| range(&view.file.lines, place.range, moment.setup.encoding).end == data.position;
        let (_, sources) = by_place(findings).into_iter().find(|it| ends_there(it.0))?;
        Some(tooltip(moment, &sources))
    };
    if let Some(found) = hint.data.clone().and_then(|it| serde_json::from_value(it).ok()).and_then(find) {
        hint.tooltip = Some(found);
    }
    hint
}

/// Reads by where they are. Methods of anonymous classes may share one with the method around.
type Reads<'a> = Vec<(&'a MockingPoint, &'a SourceUse)>;

fn by_place(findings: &Findings) -> BTreeMap<Place, Reads<'_>> {
    let mut res: BTreeMap<Place, Reads<'_>> = BTreeMap::new();
    for point in &findings.points {
        for source in point.sources.iter().filter(|it| it.place.file == findings.id) {
            res.entry(source.place).or_default().push((point, source));
        }
    }
    res
}

fn label(sources: &[(&MockingPoint, &SourceUse)]) -> String {
    let mut kinds: Vec<_> = sources.iter().map(|it| it.1.category).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kinds: Vec<&str> = kinds.into_iter().map(codes::category).collect();
    // A carrier says where its state comes from.
    let carried = sources.iter().any(|it| it.1.via.is_some());
    format!("{}{}", if carried { "carries " } else { "" }, kinds.join(", "))
}

fn tooltip(moment: &Moment, sources: &[(&MockingPoint, &SourceUse)]) -> InlayHintTooltip {
    let code = |text: &str| if moment.setup.markdown { format!("`{text}`") } else { text.to_owned() };
    let mut lines: Vec<String> = Vec::new();
    for (point, source) in sources {
        let via = source.via.as_ref().map_or_else(String::new, |via| format!(" through field {}", code(via)));
        let outside = source.dependency.as_ref().map_or_else(String::new, |it| format!(" ({}, {})", it.component, it.kind));
        let line = format!("{} state: {}{outside}{via}, for {}", codes::category(source.category), code(&source.what), code(&point.method.short()));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let kind = if moment.setup.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    InlayHintTooltip::MarkupContent(MarkupContent { kind, value: lines.join("\n\n") })
}

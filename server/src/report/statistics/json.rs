//! Counts for machines. Their format is in `model`; `docs/stats.schema.json` describes it.

use super::{StatisticsReport, paper};
use crate::load::relative;
use crate::report::{json, model};
use crate::verdict::Statistics;
use std::io::{self, Write};
use std::path::Path;

/// The version of the format.
pub const VERSION: u32 = 1;

/// Prints the counts as one JSON object and a line break.
pub fn print(out: &mut dyn Write, report: &StatisticsReport<'_>) -> io::Result<()> {
    let parts = report.parts.iter().zip(&report.counted.parts);
    let paper = paper::statistics();
    let shares_of_paper = model::Shares { unresolved: None, ..shares(&paper) };
    let paper = model(&paper);
    let model = model::StatisticsReport {
        version: VERSION,
        tool: json::tool(),
        root: relative(Path::new(""), report.root),
        precision: json::precision(report.settings.precision),
        world: json::world(report.settings.world),
        tier: json::tier(report.settings.tier),
        // Milliseconds are exact enough.
        seconds: (report.seconds.unwrap_or_default() * 1e3).round() / 1e3,
        total: counts(&report.counted.total),
        paths: parts.map(|(path, it)| model::PathCounts { path, counts: counts(it) }).collect(),
        paper: model::Paper {
            lines: paper.lines,
            seconds: paper::SECONDS,
            points: paper.points,
            mocking_points: paper.mocking_points,
            invoked_methods: paper.invoked_methods,
            reads: paper.reads,
            fields: paper.fields,
            shares: shares_of_paper,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &model)?;
    writeln!(out)
}

/// The JSON schema of what [`print()`] writes, with a line break at its end.
pub fn schema() -> String {
    json::schema_of::<model::StatisticsReport<'static>>()
}

fn counts(it: &Statistics) -> model::Counts<'_> {
    model::Counts { statistics: model(it), shares: shares(it) }
}

fn shares(it: &Statistics) -> model::Shares {
    model::Shares {
        white_list: share(it.points[3], it.mocking_points),
        points_of_invoked: share(it.mocking_points, it.invoked_methods),
        system_filtered: share(it.reads.filtered(), it.reads.all),
        internal_filtered: share(it.fields.filtered(), it.fields.all),
        unresolved: share(it.unresolved_receivers, it.calls),
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 1e4).round() / 1e4)
}

/// Counts in the form in which they are printed. Named one by one, so that none that is added can be forgotten here.
pub(in crate::report) fn model(it: &Statistics) -> model::Statistics<'_> {
    let &Statistics {
        files,
        lines,
        test_lines,
        files_with_errors,
        types,
        methods,
        points: [system, internal, external, white_list],
        mocking_points,
        invoked_methods,
        reads,
        fields,
        more_fields,
        ref components,
        side_effects,
        benign_branches,
        calls,
        unresolved_receivers,
    } = it;
    let of_fields = |it: super::Fields| model::Fields { all: it.all, with_modifier: it.with_modifier, modified: it.modified };
    model::Statistics {
        files,
        lines,
        test_lines,
        files_with_errors,
        types,
        methods,
        points: model::Points { system, internal, external, white_list },
        mocking_points,
        invoked_methods,
        reads: model::Reads { all: reads.all, intra: reads.intra, inter: reads.inter },
        fields: of_fields(fields),
        more_fields: of_fields(more_fields),
        components: components.iter().map(|it| model::Component { component: it.name, kind: it.kind, points: it.points }).collect(),
        side_effects,
        benign_branches,
        calls,
        unresolved_receivers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs};

    #[test]
    fn the_schema_of_statistics_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/stats.schema.json");
        if env::var_os("UPDATE_SCHEMA").is_some_and(|it| it == "1") {
            fs::write(path, schema()).expect("docs can be written");
        }
        let checked_in = fs::read_to_string(path).unwrap_or_default();
        assert!(checked_in == schema(), "docs/stats.schema.json is old: run the test again with UPDATE_SCHEMA=1");
    }
}

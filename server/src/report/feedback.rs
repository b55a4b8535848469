//! What failures tell, as text that is a `mockpoint.toml` as it stands, and for machines ([`json`]).

pub mod json;

use super::Report;
use super::snippet::harmless;
use crate::codes;
use crate::near;
use crate::verdict::feedback::{Diagnosis, Feedback, Remark, Row, Suspect, Unclear};
use std::io::{self, Write};

/// Failures, uses and calls that are listed one by one.
const MAX_LISTED: usize = 5;

/// Prints what failures tell: rows, and as comments all else.
pub fn print(out: &mut dyn Write, report: &Report<'_>, feedback: &Feedback) -> io::Result<()> {
    let likely = feedback.rows.iter().filter(|it| it.likely).count();
    writeln!(out, "# {}, {}", counted(feedback.failures.len(), "failure"), counted(likely, "row to try"))?;
    for (number, failure) in (1..).zip(&feedback.failures) {
        diagnosis(out, report, number, failure)?;
    }
    let (first, others): (Vec<&Row>, Vec<&Row>) = feedback.rows.iter().partition(|it| it.likely);
    for it in first {
        row(out, report, it, "")?;
    }
    if !others.is_empty() {
        writeln!(out, "\n# Less likely: no row speaks of these either.")?;
    }
    for it in others {
        row(out, report, it, "#")?;
    }
    Ok(())
}

/// Prints only the rows that are worth trying, to be appended to a `mockpoint.toml`.
pub fn print_rows(out: &mut dyn Write, feedback: &Feedback) -> io::Result<()> {
    for it in feedback.rows.iter().filter(|it| it.likely) {
        writeln!(out)?;
        table(out, it, "")?;
    }
    Ok(())
}

fn diagnosis(out: &mut dyn Write, report: &Report<'_>, number: usize, failure: &Diagnosis) -> io::Result<()> {
    writeln!(out, "\n# Failure {number}: {}", harmless(&failure.title))?;
    if failure.suspects.is_empty() && failure.remarks.is_empty() {
        writeln!(out, "#   none of its methods is in the production sources that were read")?;
    }
    for it in &failure.remarks {
        writeln!(out, "#   {}: {}", harmless(&it.frame), harmless(&remark(it)))?;
    }
    for it in &failure.suspects {
        suspect(out, report, it)?;
    }
    Ok(())
}

fn suspect(out: &mut dyn Write, report: &Report<'_>, it: &Suspect) -> io::Result<()> {
    let name = format!("{}({})", it.method.short(), it.method.parameters.join(", "));
    let says = verdict(it);
    writeln!(out, "#   {} ({}): {}", harmless(&name), report.location(it.place), harmless(&says))?;
    for lost in &it.lost {
        let what = format!("when {} is answered from the record, what it writes is lost: {}", lost.method, lost.write.what);
        writeln!(out, "#     {} ({}); a likely cause, see {}", harmless(&what), report.location(lost.write.place), codes::LOST_SIDE_EFFECT)?;
    }
    let fields = it.fields.iter().map(|it| format!("{} ({}, {})", it.name, codes::reason(it.reason), report.location(it.place)));
    if !it.fields.is_empty() {
        writeln!(out, "#     reads fields that are ruled out: {}", listed(fields.collect()))?;
    }
    let calls = it.unknown.iter().map(|it| format!("{} ({})", harmless(&it.name), report.location(it.place)));
    if !it.unknown.is_empty() {
        writeln!(out, "#     calls on something unknown, which no row can name: {}", listed(calls.collect()))?;
    }
    Ok(())
}

/// Why a frame does not name one method.
fn remark(it: &Remark) -> String {
    let meant = it.candidates.join(", ");
    match it.why {
        Unclear::NoClass => format!("no class of this name is in the sources that were read{}", near::offer(&it.candidates)),
        Unclear::SeveralClasses => format!("several classes have this name, so none is looked at: {meant}"),
        Unclear::NoMethod => format!("the class is there, but no such method{}", near::offer(&it.candidates)),
        Unclear::Overloads => format!("several methods have this name, and all are looked at; a line or parameter types would tell: {meant}"),
        Unclear::NoLine => format!("several methods may be meant, so none is looked at; a line would tell: {meant}"),
        Unclear::Test => "a method of test sources, which gets no verdict".to_owned(),
    }
}

/// What is to be done about a method.
fn verdict(it: &Suspect) -> String {
    match &it.point {
        Some(point) => format!("nothing to add: {}", codes::point_message(point)),
        None if it.rows == 0 => "nothing that no row speaks of".to_owned(),
        None => counted(it.rows as usize, "row"),
    }
}

fn row(out: &mut dyn Write, report: &Report<'_>, row: &Row, comment: &str) -> io::Result<()> {
    let places = row.uses.iter().map(|it| format!("{} in {}", report.location(it.place), harmless(&it.method)));
    let failures: Vec<String> = row.failures.iter().map(|it| (it + 1).to_string()).collect();
    writeln!(out, "\n# {}; failure {}", listed(places.collect()), listed(failures))?;
    table(out, row, comment)
}

fn table(out: &mut dyn Write, row: &Row, comment: &str) -> io::Result<()> {
    writeln!(out, "{comment}[[{}]]", row.kind.table())?;
    for (key, value) in [("type", &row.ty), ("member", &row.member), ("reason", &row.reason)] {
        writeln!(out, "{comment}{key} = {}", toml(value))?;
    }
    Ok(())
}

fn counted(n: usize, noun: &str) -> String {
    let noun = match noun.split_once(' ') {
        Some((first, rest)) if n != 1 => format!("{first}s {rest}"),
        None if n != 1 => format!("{noun}s"),
        _ => noun.to_owned(),
    };
    format!("{n} {noun}")
}

fn listed(mut items: Vec<String>) -> String {
    let left = items.len().saturating_sub(MAX_LISTED);
    items.truncate(MAX_LISTED);
    if left > 0 {
        items.push(format!("and {left} more"));
    }
    items.join(", ")
}

/// A basic string of TOML.
fn toml(text: &str) -> String {
    let mut res = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => res.extend(['\\', c]),
            c if c.is_control() => res.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => res.push(c),
        }
    }
    res.push('"');
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_toml() {
        assert_eq!(toml("a \"b\" \\ \n\u{7f} 中"), "\"a \\\"b\\\" \\\\ \\u000A\\u007F 中\"");
    }

    #[test]
    fn counts_have_their_nouns() {
        assert_eq!([counted(1, "row to try"), counted(2, "row to try"), counted(0, "failure")], ["1 row to try", "2 rows to try", "0 failures"]);
    }
}

//! The block of counts that `--stats` prints.

use crate::verdict::Statistics;
use std::io::{self, Write};

/// Prints the counts, one a line, with the shares that the paper's tables give.
pub(super) fn print(out: &mut dyn Write, it: &Statistics) -> io::Result<()> {
    let [system, internal, external, white_list] = it.points;
    let mocked = it.system_intra + it.system_inter;
    writeln!(out, "Statistics")?;
    row(out, "files", it.files, "")?;
    row(out, "lines", it.lines, "")?;
    row(out, "files with syntax errors", it.files_with_errors, "")?;
    row(out, "types", it.types, "")?;
    row(out, "methods with a body", it.methods, "")?;
    row(out, "mocking points", it.mocking_points, &per_type(it.mocking_points, it.types))?;
    row(out, "  system", system, "")?;
    row(out, "  internal", internal, "")?;
    row(out, "  external", external, "")?;
    row(out, "  white list", white_list, &share(white_list, it.mocking_points, "of all"))?;
    row(out, "methods that read system state", it.system_all, "")?;
    row(out, "  mocking points, intra", it.system_intra, "")?;
    row(out, "  mocking points, inter", it.system_inter, &share(it.system_all.saturating_sub(mocked), it.system_all, "filtered"))?;
    row(out, "fields that could hold state", it.fields_all, "")?;
    row(out, "  with a modifier", it.fields_with_modifier, "")?;
    row(out, "  modified", it.fields_modified, &share(it.fields_all.saturating_sub(it.fields_modified), it.fields_all, "filtered"))?;
    row(out, "mocking points with side effects", it.side_effects, "")?;
    row(out, "benign branches", it.benign_branches, "")?;
    row(out, "calls", it.calls, "")?;
    row(out, "  with an unresolved receiver", it.unresolved_receivers, &share(it.unresolved_receivers, it.calls, "of all"))
}

fn row(out: &mut dyn Write, name: &str, count: u64, remark: &str) -> io::Result<()> {
    let line = format!("  {name:<32} {count:>10}  {remark}");
    writeln!(out, "{}", line.trim_end())
}

fn share(part: u64, whole: u64, word: &str) -> String {
    if whole == 0 { String::new() } else { format!("{:.1} % {word}", 100.0 * part as f64 / whole as f64) }
}

fn per_type(points: u64, types: u64) -> String {
    if types == 0 { String::new() } else { format!("{:.3} a type", points as f64 / types as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let it = Statistics { files: 3, system_all: 8, system_intra: 1, system_inter: 1, ..Statistics::default() };
        let mut out = Vec::new();
        assert!(print(&mut out, &it).is_ok());
        let text = String::from_utf8(out).unwrap_or_default();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = text.lines().map(words).collect();
        assert!(lines.contains(&"files 3".to_owned()), "{text}");
        assert!(lines.contains(&"mocking points, inter 1 75.0 % filtered".to_owned()), "{text}");
        assert!(lines.contains(&"modified 0".to_owned()), "{text}");
    }
}

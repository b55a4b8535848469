//! Horizontal bars as SVG.

use super::escape;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Places and sizes, in units of the drawing: about pixels.
const WIDTH: u64 = 640;
const LABELS: u64 = 200;
const BARS: u64 = 330;
const BAR: u64 = 16;
const LINE: u64 = 22;

/// A drawing of bars.
pub(super) struct Chart<'a> {
    /// The classes of segments, which give them their colours, and what each stands for.
    pub(super) keys: &'a [(&'static str, &'static str)],
    /// One below the other.
    pub(super) groups: Vec<Group>,
}

/// Bars that are drawn to one scale.
pub(super) struct Group {
    /// Its name; none is drawn if it is empty.
    pub(super) name: String,
    /// The count that is as long as a bar can be.
    pub(super) max: u64,
    /// Its bars.
    pub(super) bars: Vec<Bar>,
}

/// A bar.
pub(super) struct Bar {
    /// What stands before it.
    pub(super) label: String,
    /// Class and count of each segment.
    pub(super) segments: Vec<(&'static str, u64)>,
    /// What stands behind it.
    pub(super) value: String,
}

impl Chart<'_> {
    /// Prints it, with its keys and with words for those who do not see it.
    pub(super) fn print(&self, out: &mut dyn Write, id: &str, title: &str) -> io::Result<()> {
        let (drawing, height) = self.drawing();
        writeln!(out, "<figure>")?;
        let labels = format!("role=\"img\" aria-labelledby=\"{id}-title {id}-desc\"");
        writeln!(out, "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" {labels}>")?;
        writeln!(out, "<title id=\"{id}-title\">{}</title>", escape(title))?;
        writeln!(out, "<desc id=\"{id}-desc\">{}</desc>", escape(&self.words()))?;
        writeln!(out, "{drawing}</svg>\n<figcaption>")?;
        for (class, words) in self.keys {
            writeln!(out, "<span class=\"key {class}\"></span>{} ", escape(words))?;
        }
        writeln!(out, "</figcaption>\n</figure>")
    }

    fn drawing(&self) -> (String, u64) {
        let mut drawing = String::new();
        let mut top = 0;
        for group in &self.groups {
            if !group.name.is_empty() {
                let _ = writeln!(drawing, "<text class=\"name\" x=\"0\" y=\"{}\">{}</text>", top + BAR, escape(&group.name));
                top += LINE;
            }
            for bar in &group.bars {
                let base = top + BAR - 4;
                let _ = writeln!(drawing, "<text class=\"label\" x=\"{}\" y=\"{base}\">{}</text>", LABELS - 8, escape(&bar.label));
                let mut left = LABELS;
                let mut sum = 0;
                for &(class, count) in &bar.segments {
                    sum += count;
                    // Ends are rounded, not lengths, so that segments meet and add up.
                    let exact = LABELS + (sum * BARS).checked_div(group.max).unwrap_or_default().min(BARS);
                    // What is there is seen.
                    let end = exact.max(left + u64::from(count > 0));
                    let _ = writeln!(drawing, "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\"/>", end - left);
                    left = end;
                }
                let _ = writeln!(drawing, "<text x=\"{}\" y=\"{base}\">{}</text>", left + 6, escape(&bar.value));
                top += LINE;
            }
            top += LINE / 2;
        }
        (drawing, top)
    }

    fn words(&self) -> String {
        let of_group = |group: &Group| {
            let bars: Vec<String> = group.bars.iter().map(|it| format!("{}: {}", it.label, it.value)).collect();
            let name = if group.name.is_empty() { String::new() } else { format!("{}: ", group.name) };
            format!("{name}{}", bars.join(", "))
        };
        self.groups.iter().map(of_group).collect::<Vec<_>>().join(". ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_counts_and_never_vanish() {
        let bar = |segments: &[(&'static str, u64)]| {
            let bars = vec![Bar { label: String::new(), segments: segments.to_vec(), value: String::new() }];
            let (drawing, _) = Chart { keys: &[], groups: vec![Group { name: String::new(), max: 1000, bars }] }.drawing();
            let widths = drawing.split("width=\"").skip(1).filter_map(|it| it.split('"').next()).filter_map(|it| it.parse::<u64>().ok());
            widths.collect::<Vec<_>>()
        };
        assert_eq!(bar(&[("a", 1000)]), [BARS]);
        assert_eq!(bar(&[("a", 500), ("b", 500)]), [BARS / 2, BARS - BARS / 2]);
        assert_eq!(bar(&[("a", 1), ("b", 0)]), [1, 0]);
        assert_eq!(bar(&[]), [0; 0]);
    }
}

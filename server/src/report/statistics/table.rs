//! A table of words and numbers, for a terminal.

use std::io::{self, Write};

/// Columns between which this much is free.
const GAP: &str = "  ";

/// Rows of the same number of cells, the first one of which are its heads.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    /// Columns whose words begin at the same place; those of the others end at one.
    left: Vec<usize>,
}

impl Table {
    /// With these heads. The first column has names.
    pub(super) fn new(heads: &[&str]) -> Table {
        Table { rows: vec![heads.iter().map(|&it| it.to_owned()).collect()], left: vec![0] }
    }

    /// A column of words.
    pub(super) fn left(&mut self, column: usize) {
        self.left.push(column);
    }

    /// One more row.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Heads and rows.
    pub(super) fn rows(&self) -> (&[String], &[Vec<String>]) {
        self.rows.split_first().map_or((&[], &[]), |(heads, rows)| (heads, rows))
    }

    /// Whether the words of a column begin at the same place.
    pub(super) fn is_left(&self, column: usize) -> bool {
        self.left.contains(&column)
    }

    /// Prints it, indented.
    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let n_columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| self.rows.iter().filter_map(|it| it.get(column)).map(|it| it.chars().count()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let cell = if self.is_left(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
                line.push_str(GAP);
                line.push_str(&cell);
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

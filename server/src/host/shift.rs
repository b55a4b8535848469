//! Where an offset into a text lies after the text was changed.

use crate::text::ByteEdit;

/// How a series of edits moves what they leave alone.
#[derive(Clone, Debug, Default)]
pub struct Shift {
    /// Start, old end and new end of each, in the text that the one before left.
    edits: Vec<(u32, u32, u32)>,
}

impl Shift {
    /// The shift of edits that were made one after the other.
    pub fn of(edits: &[ByteEdit]) -> Shift {
        Shift { edits: edits.iter().map(|it| (small(it.start), small(it.old_end), small(it.new_end))).collect() }
    }

    /// The shift between two texts of which only these are known: as if what they do not share at either end had been
    /// replaced. Some clients send the whole text for each change, and most of it stays.
    pub fn between(old: &str, new: &str) -> Shift {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let n_shared = old.len().min(new.len());
        let start = (0..n_shared).find(|&it| old[it] != new[it]).unwrap_or(n_shared);
        let n_left = n_shared - start;
        let end = (0..n_left).find(|&it| old[old.len() - 1 - it] != new[new.len() - 1 - it]).unwrap_or(n_left);
        Shift { edits: vec![(small(start), small(old.len() - end), small(new.len() - end))] }
    }

    /// Where the byte at `offset` is now. What stood in replaced text lies in what replaced it.
    pub fn apply(&self, offset: u32) -> u32 {
        self.edits.iter().fold(offset, |offset, &(start, old_end, new_end)| {
            if offset < start {
                offset
            } else if old_end <= offset {
                // What an insertion is made right before moves on.
                offset - old_end + new_end
            } else {
                offset.min(new_end)
            }
        })
    }
}

/// Texts of 4 GiB are not analysed.
fn small(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_texts() {
        let shift = Shift::between("class A { int a; int b; }", "class A { int aa; int b; }");
        assert_eq!([0, 10, 17].map(|it| shift.apply(it)), [0, 10, 18]);
        let shift = Shift::between("aaa", "aa");
        assert_eq!(shift.apply(3), 2);
        let shift = Shift::between("", "new");
        assert_eq!(shift.apply(0), 3);
        let shift = Shift::between("gone", "");
        assert_eq!([0, 2, 4].map(|it| shift.apply(it)), [0, 0, 0]);
    }

    #[test]
    fn edits_in_a_row() {
        let shift = Shift { edits: vec![(4, 4, 6), (0, 2, 0)] };
        assert_eq!([0, 3, 4, 10].map(|it| shift.apply(it)), [0, 1, 4, 10]);
    }
}

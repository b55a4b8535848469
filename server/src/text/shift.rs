//! Where an offset into a text lies after the text was changed.

use super::ByteEdit;
use rustc_hash::FxHashMap;

/// Two texts that differ in more places than this are as good as two different texts.
const MAX_HUNKS: usize = 1_000;

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

    /// The shift between two texts of which only these are known. Some clients send the whole text for each change, and
    /// most of it stays: what the two share at either end, and between these the lines that each of them has once.
    pub fn between(old: &str, new: &str) -> Shift {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let (start, end) = shared_ends(old, new);
        // Whole lines: within a line it is from the left that what was typed is told from what stood there.
        let is_end = |it: &u8| *it == b'\n';
        let start = old[..start].iter().rposition(is_end).map_or(0, |it| it + 1);
        let end = old[old.len() - end..].iter().position(is_end).map_or(0, |it| end - it - 1);
        let (old_end, new_end) = (old.len() - end, new.len() - end);
        let mut anchors = anchors(&old[start..old_end], &new[start..new_end]);
        if MAX_HUNKS < anchors.len() {
            anchors.clear();
        }
        let mut edits = Vec::new();
        let (mut old_at, mut new_at) = (start, start);
        let ends = (old_end - start, new_end - start, 0);
        for (old_next, new_next, len) in anchors.into_iter().chain([ends]) {
            let (old_next, new_next) = (start + old_next, start + new_next);
            let (head, tail) = shared_ends(&old[old_at..old_next], &new[new_at..new_next]);
            edits.push((old_at + head, old_next - tail, new_at + head, new_next - tail));
            (old_at, new_at) = (old_next + len, new_next + len);
        }
        // From the last one to the first, so that each is made where no other has moved anything.
        let edits = edits.into_iter().rev().filter(|it| it.0 < it.1 || it.2 < it.3);
        Shift { edits: edits.map(|it| (small(it.0), small(it.1), small(it.0 + it.3 - it.2))).collect() }
    }

    /// Where the byte at `offset` is now. What stood in replaced text lies in what replaced it.
    pub fn apply(&self, offset: u32) -> u32 {
        self.edits.iter().fold(offset, |offset, &edit| {
            // What an insertion is made right before moves on.
            if offset < edit.0 { offset } else { behind(offset, edit) }
        })
    }

    /// Where what ended at `offset` ends now: what is inserted right there comes after it.
    pub fn apply_end(&self, offset: u32) -> u32 {
        self.edits.iter().fold(offset, |offset, &edit| if offset <= edit.0 { offset } else { behind(offset, edit) })
    }
}

/// Moves an offset that does not lie before an edit.
fn behind(offset: u32, (_, old_end, new_end): (u32, u32, u32)) -> u32 {
    if old_end <= offset { offset - old_end + new_end } else { offset.min(new_end) }
}

/// How many bytes two texts share at their starts, and how many more at their ends.
fn shared_ends(old: &[u8], new: &[u8]) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    (start, end)
}

/// Lines that each of two texts has exactly once, as starts in both and length, in an order that is that of both: the
/// longest there is.
fn anchors(old: &[u8], new: &[u8]) -> Vec<(usize, usize, usize)> {
    let mut lines: FxHashMap<&[u8], [(usize, usize); 2]> = FxHashMap::default();
    for (side, text) in [old, new].into_iter().enumerate() {
        let mut at = 0;
        for line in text.split_inclusive(|it| *it == b'\n') {
            let (n, start) = &mut lines.entry(line).or_default()[side];
            (*n, *start) = (*n + 1, at);
            at += line.len();
        }
    }
    let once = lines.into_iter().filter(|it| it.1.iter().all(|it| it.0 == 1));
    let mut once: Vec<(usize, usize, usize)> = once.map(|(line, [old, new])| (old.1, new.1, line.len())).collect();
    once.sort_unstable();
    // For each length, the line in which a row of this length ends that ends first; for each line, the one before.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (idx, line) in once.iter().enumerate() {
        let len = ends.partition_point(|&it| once[it].1 < line.1);
        before.push(len.checked_sub(1).map(|it| ends[it]));
        if len == ends.len() { ends.push(idx) } else { ends[len] = idx }
    }
    let mut row: Vec<_> = std::iter::successors(ends.last().copied(), |&it| before[it]).map(|it| once[it]).collect();
    row.reverse();
    row
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

    #[test]
    fn lines_that_stay() {
        let (old, new) = ("a {\n  one;\n}\nb {\n  two;\n}\n", "x\na {\n  1;\n}\nb {\n  two;\n  three;\n}\n");
        let shift = Shift::between(old, new);
        for words in ["a {", "}\nb {", "two;"] {
            let (from, to) = (old.find(words).expect("it is there") as u32, new.find(words).expect("it is there") as u32);
            let len = words.len() as u32;
            assert_eq!((shift.apply(from), shift.apply_end(from + len)), (to, to + len), "{words}");
        }
        // Of exchanged lines one stays.
        let shift = Shift::between("1\n2\n", "2\n1\n");
        assert!(shift.apply(0) == 2 || shift.apply(2) == 0);
        // Nothing is the same, and nothing differs.
        assert_eq!(Shift::between("a\nb\n", "c").apply_end(4), 1);
        assert_eq!([0, 4].map(|it| Shift::between("a\nb\n", "a\nb\n").apply(it)), [0, 4]);
    }

    /// Whatever two texts are, the edits turn the one into the other: all that they leave alone is where they say.
    #[test]
    fn what_is_left_alone_is_equal() {
        let lines = ["a\n", "b\n", "c\n", "dd\n", "e"];
        let text = |mut n: usize| {
            let mut text = String::new();
            while n > 0 {
                text.push_str(lines[n % 5]);
                n /= 5;
            }
            text
        };
        for n in 0..3_000 {
            let (old, new) = (text(n), text(n * 7919 % 3_125));
            let shift = Shift::between(&old, &new);
            let mut made = old.clone().into_bytes();
            for &(start, old_end, new_end) in &shift.edits {
                assert!(start <= old_end && start <= new_end, "{old:?} {new:?}: {shift:?}");
                made.splice(start as usize..old_end as usize, vec![0; (new_end - start) as usize]);
            }
            let same = made.len() == new.len() && made.iter().zip(new.bytes()).all(|(made, new)| *made == 0 || *made == new);
            assert!(same, "{old:?} {new:?}: {shift:?}");
        }
    }

    #[test]
    fn ends() {
        let insertion = Shift { edits: vec![(4, 4, 6)] };
        assert_eq!([3, 4, 5].map(|it| insertion.apply_end(it)), [3, 4, 7]);
        // A replacement of what lies right behind an end leaves it; one of the last byte does not.
        let replacement = Shift { edits: vec![(4, 8, 5)] };
        assert_eq!([4, 5, 8].map(|it| replacement.apply_end(it)), [4, 5, 5]);
        let removal = Shift { edits: vec![(2, 8, 2)] };
        assert_eq!((removal.apply(4), removal.apply_end(8)), (2, 2), "nothing is left");
    }
}

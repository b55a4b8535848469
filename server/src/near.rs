//! Which of some names a mistyped one may mean.

/// Names that a message offers.
const MAX_OFFERED: usize = 3;

/// Of pairs of a whole name and the part of it that counts, the whole names nearest to `wanted`, the nearest first.
pub fn nearest(names: Vec<(String, String)>, wanted: &str) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let limit = wanted.chars().count() / 3 + 1;
    let mut found: Vec<(usize, String)> = Vec::new();
    for (whole, part) in names {
        let part = part.to_lowercase();
        let distance = distance(&part, &wanted);
        let is_part = wanted.len() >= 3 && part.contains(&wanted);
        if distance <= limit || is_part {
            found.push((distance.min(limit + 1), whole));
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().take(MAX_OFFERED).map(|it| it.1).collect()
}

/// `; did you mean A, B or C?`, or nothing if nothing is near.
pub fn offer(offered: &[String]) -> String {
    match offered.split_last() {
        None => String::new(),
        Some((last, [])) => format!("; did you mean {last}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// Insertions, deletions, replacements of one character and exchanges of two neighbours that lead from one text to
/// the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut last = None;
    for (idx, c) in left.chars().enumerate() {
        let mut next = vec![idx + 1];
        for (at, &other) in right.iter().enumerate() {
            let mut best = (row[at] + usize::from(c != other)).min(row[at + 1] + 1).min(next[at] + 1);
            if at > 0 && last == Some(other) && right[at - 1] == c {
                best = best.min(before[at - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(c);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("acb", "abc"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}

//! The known word that a mistyped one was meant to be.

/// "unknown X `word`", with the nearest of `known`, or all of them.
pub(crate) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(meant) => format!("unknown {what} `{word}`: did you mean `{meant}`?"),
        None => format!("unknown {what} `{word}`: known are {}", known.join(", ")),
    }
}

/// The one of the known words that a mistyped one was meant to be, where one is near.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().map(|candidate| (distance(word, candidate), *candidate)).min()?;
    (near.0 <= 1 + word.chars().count() / 4).then_some(near.1)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1);
            best = best.min(rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_find_their_word() {
        let known = ["timeout", "cases", "kind", "command"];
        assert_eq!(nearest("tiemout", &known), Some("timeout"));
        assert_eq!(nearest("case", &known), Some("cases"));
        assert_eq!(nearest("Kind", &known), Some("kind"));
        assert_eq!(nearest("banana", &known), None);
        assert_eq!(unknown("key", "x", &["a", "bc"]), "unknown key `x`: did you mean `a`?");
        assert_eq!(unknown("key", "xyz", &["a", "bc"]), "unknown key `xyz`: known are a, bc");
    }
}

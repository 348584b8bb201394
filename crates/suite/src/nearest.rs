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
    // Insertions, deletions, replacements and swaps of neighbours lead from one to the other.
    let distance = |candidate: &str| strsim::osa_distance(&word.to_lowercase(), &candidate.to_lowercase());
    let near = known.iter().map(|candidate| (distance(candidate), *candidate)).min()?;
    (near.0 <= 1 + word.chars().count() / 4).then_some(near.1)
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

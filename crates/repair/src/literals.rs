//! Texts that a project names, and those that are nearly the same: a text with a fault is most often right somewhere else, in what a
//! test expects.

use crate::expression::Expression;

/// Texts that are looked at in the place of one.
const MOST: usize = 8;
/// Of so many characters one may be another one.
const OF: usize = 4;
/// At least so many may be.
const LEAST: usize = 2;
/// Longer ones are not compared.
const LONG: usize = 300;

/// The texts that stand in a source, without their quotes, as they are written there; of one with several lines each line, too.
pub fn texts(source: &str) -> Vec<String> {
    let mut out = Vec::new();
    let bytes = source.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end_of = |sign: &[u8]| rest.windows(sign.len()).position(|some| some == sign);
        match rest {
            [b'/', b'/', ..] => at += end_of(b"\n").unwrap_or(rest.len()),
            [b'/', b'*', ..] => at += end_of(b"*/").map_or(rest.len(), |end| end + 2),
            [b'\'', b'\\', _, b'\'', ..] => at += 4,
            [b'\'', _, b'\'', ..] => at += 3,
            [b'"', ..] => {
                let end = closing(rest);
                if let Some(text) = source.get(at + 1..at + end) {
                    out.push(text.to_string());
                    if text.contains("\\n") {
                        out.extend(text.split("\\n").map(String::from));
                    }
                }
                at += end + 1;
            }
            _ => at += 1,
        }
    }
    out.retain(|text| !text.is_empty() && text.len() < LONG && !text.contains('\n'));
    out
}

/// Where a text ends that begins here.
fn closing(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The text between the quotes of an expression; none of what is no text.
pub(crate) fn text_of(expression: &Expression) -> Option<&str> {
    let Expression::Atom { text, constant: true, .. } = expression else { return None };
    text.strip_prefix('"')?.strip_suffix('"').filter(|inner| !inner.contains('"'))
}

/// Of these texts those that are nearly the same as an expression, as it would be written with them, the nearest first.
pub(crate) fn nearly(expression: &Expression, all: &[String]) -> Vec<Expression> {
    let (Some(own), Expression::Atom { class, .. }) = (text_of(expression), expression) else { return Vec::new() };
    let (plain, end) = own.strip_suffix("\\n").map_or((own, ""), |plain| (plain, "\\n"));
    let most = LEAST.max(plain.chars().count() / OF);
    let other = |other: &String| {
        let other = other.strip_suffix("\\n").unwrap_or(other);
        // Other letters of a word that is short are another word.
        let fits = other != plain && other.chars().count() > LEAST && plain.chars().count() > LEAST;
        let near = fits && plain.chars().count().abs_diff(other.chars().count()) <= most;
        let far = near.then(|| strsim::levenshtein(plain, other)).filter(|far| *far <= most)?;
        Some((far, format!("\"{other}{end}\"")))
    };
    let mut found: Vec<(usize, String)> = all.iter().filter_map(other).collect();
    found.sort();
    found.dedup();
    let atom = |(_, text)| Expression::Atom { text, class: *class, pure: true, constant: true };
    found.into_iter().take(MOST).map(atom).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Class;

    #[test]
    fn texts_of_tests_are_found_that_are_nearly_the_same() {
        let source =
            "// \"no\"\nassert(greet(), \"Hello, World!\"); c = '\"'; f(\"Goodbye\"); {\"stdout\": \"one\\\\ntwo\"}";
        let all = texts(&source.replace("\\\\n", "\\n"));
        assert_eq!(all, ["Hello, World!", "Goodbye", "stdout", "one\\ntwo", "one", "two"]);
        let atom = |text: &str| Expression::Atom {
            text: format!("\"{text}\""),
            class: Class::Pointer(0),
            pure: true,
            constant: true,
        };
        assert_eq!(nearly(&atom("Hello,World!"), &all), [atom("Hello, World!")]);
        assert_eq!(nearly(&atom("twoo\\n"), &all), [atom("two\\n")]);
        assert_eq!(nearly(&atom("Hello, World!"), &all), []);
    }
}

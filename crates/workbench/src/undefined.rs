//! What of a run's undefined behaviour is certain only with the source at hand.

use whydunit_undefined::{Ends, UndefinedBehaviour};

/// Words that begin statements.
#[rustfmt::skip]
const KEYWORDS: [&str; 13] = [
    "if", "for", "while", "switch", "do", "else", "case", "default", "try", "return", "break", "continue", "goto",
];

/// Those that are certain. A trap where a function ends without its result has the position of the last statement; one with the
/// position of a macro or a builtin may be the program's own. Such a function is told where it is defined.
pub fn certain(found: Vec<UndefinedBehaviour>) -> Vec<UndefinedBehaviour> {
    let told = |mut found: UndefinedBehaviour| {
        let Some(ends) = &found.ends else { return Some(found) };
        if !is_statement(&found, ends) {
            return None;
        }
        found.position.loc = ends.defined.unwrap_or(found.position.loc);
        Some(found)
    };
    found.into_iter().filter_map(told).collect()
}

/// Whether what stands at the position is no macro and no builtin.
fn is_statement(found: &UndefinedBehaviour, ends: &Ends) -> bool {
    let (file, loc) = (&found.position.file, found.position.loc);
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = (loc.line as usize).checked_sub(1).and_then(|number| text.lines().nth(number));
    let rest = line.and_then(|line| line.get((loc.column as usize).checked_sub(1)?..));
    rest.is_some_and(|rest| is_known(rest, &ends.called))
}

/// Whether a source text begins with what can be no macro, where it is in a function that calls `called`.
fn is_known(text: &str, called: &[String]) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let next = rest.trim_start().chars().next();
    match (word, next) {
        ("", next) => next.is_some(),
        _ if KEYWORDS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()) => true,
        (_, Some('(')) => called.iter().any(|name| name == word || name.ends_with(&format!("::{word}"))),
        (_, Some(';') | None) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn macros_and_builtins_may_trap_themselves() {
        let called = ["log".to_string(), "S::grow".to_string()];
        for text in ["> 0) return 3; }", "switch (c) {", "log(x); }", "grow(1)", "x = y;", "i++)", "0; i < n"] {
            assert!(super::is_known(text, &called), "{text}");
        }
        for text in ["__builtin_trap();", "FAIL();", "FAIL;", "CHECK (x);", "", "unknown(3)"] {
            assert!(!super::is_known(text, &called), "{text}");
        }
    }
}

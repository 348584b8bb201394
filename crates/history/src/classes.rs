//! The classes of bugs of the study of Eclipse (Object behavior models, section 2.2), by the tokens that a fix adds or removes and by how
//! the tests failed.
//!
//! In that study two of three such classes were wrong where they were told by tokens only, of fixes of at most six lines in one function,
//! and two of three bugs are of none. What is told here is therefore little: `likely` where nothing else speaks for another class.

use std::collections::BTreeSet;

use whydunit_findings::BugClass;

/// Fixes of the study have at most so many lines.
const LINES: u64 = 6;

/// What is known of a fix, best of the least part of it.
#[derive(Clone, Copy, Debug)]
pub struct Fix<'a> {
    /// Its tokens, as `K-if`.
    pub tokens: &'a BTreeSet<String>,
    /// Lines of code in it.
    pub lines: u64,
    /// Functions that it changes.
    pub functions: usize,
    /// How the tests failed: `null`, `output` and so on.
    pub kind: &'a str,
}

/// The classes that a fix is of; none where nothing speaks for one.
pub fn classes(fix: &Fix<'_>) -> Vec<BugClass> {
    let has = |names: &[&str]| names.iter().any(|name| fix.tokens.contains(*name));
    let operators = |list: &str| list.split(' ').any(|operator| fix.tokens.contains(&format!("O-{operator}")));
    let condition = has(&["Z-if", "Z-while", "Z-for", "Z-match", "Z-switch"]);
    let null = fix.kind == "null" || condition && has(&["K-null", "M-is_none", "M-is_some", "V-None", "M-is_null"]);
    let handling = fix.tokens.iter().any(|token| token.starts_with("H-"));
    let locks = fix.tokens.iter().any(|token| is_of_threads(token));
    let declares = has(&["Z-declaration"]) && !condition && !fix.tokens.iter().any(|token| token.starts_with("O-"));
    let found = [
        ("null check", null),
        ("boolean expression", condition && operators("&& || !")),
        ("comparison", condition && !null && operators("< <= > >= == !=")),
        ("arithmetic expression", operators("+ - * / % << >> & | ^ ~ += -= *= /= %= <<= >>= ++ --")),
        ("error handling", handling),
        ("synchronisation", locks),
        ("initialisation", declares),
    ];
    let names: Vec<&str> = found.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    let small = fix.lines <= LINES && fix.functions <= 1;
    let likely = |name: &str| small && (names.len() == 1 || name == "null check" && fix.kind == "null");
    names.iter().map(|name| BugClass { name: (*name).to_owned(), likely: likely(name) }).collect()
}

/// Whether a token belongs to what threads wait for.
fn is_of_threads(token: &str) -> bool {
    let Some((_, name)) = token.split_once('-').filter(|(letter, _)| matches!(*letter, "M" | "T" | "V")) else {
        return false;
    };
    let name = name.to_lowercase();
    ["mutex", "rwlock", "atomic", "pthread_", "lock_guard", "unique_lock", "condvar", "condition_variable"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tokens: &[&str], kind: &str) -> Vec<(String, bool)> {
        let tokens = tokens.iter().map(|token| (*token).to_owned()).collect();
        let found = classes(&Fix { tokens: &tokens, lines: 2, functions: 1, kind });
        found.into_iter().map(|class| (class.name, class.likely)).collect()
    }

    #[test]
    fn classes_are_told_by_tokens_and_by_the_failure() {
        let one = |name: &str, likely| vec![(name.to_owned(), likely)];
        assert_eq!(of(&["K-if", "K-null", "O-!=", "Z-if"], "crash"), one("null check", true));
        assert_eq!(of(&["O-<", "O-<=", "Z-while"], "output"), one("comparison", true));
        assert_eq!(of(&["O-+", "O--"], "output"), one("arithmetic expression", true));
        assert_eq!(of(&["H-?", "H-unwrap"], "panic"), one("error handling", true));
        assert_eq!(of(&["M-pthread_mutex_lock"], "hang"), one("synchronisation", true));
        assert_eq!(of(&["Y-0", "Y-1", "Z-declaration"], "output"), one("initialisation", true));
        assert_eq!(of(&["V-a", "V-b"], "output"), []);
        let both = of(&["O-&&", "O-<", "Z-if"], "output");
        assert_eq!(both, [("boolean expression".to_owned(), false), ("comparison".to_owned(), false)]);
    }
}

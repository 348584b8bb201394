//! Statements that change a variable: one of them in another one's place, and those that may be missing.

use crate::expression::{ARITHMETIC, BITS, Class};
use crate::language::Language;

/// What may be done, each with how far it is from what stands there.
pub(crate) type Statements = Vec<(u32, String)>;

/// How far from what stands there is another operator, an assignment, one more step.
const OTHER_OPERATOR: u32 = 2;
const ASSIGNED: u32 = 3;
/// How far a change is of what nothing changes, and of what other statements change, too.
pub(crate) const STEP: u32 = 4;
pub(crate) const UPDATE: u32 = 5;
pub(crate) const COPY: u32 = 6;
/// Variables that one is changed by, the nearest.
pub(crate) const MOST_OTHERS: usize = 4;
/// Those of them that are factors as well.
const MOST_FACTORS: usize = 3;
/// Statements that are looked at in one place.
pub(crate) const MOST_STATEMENTS: usize = 80;

/// What `left operator= right` may have been meant to be; `class` is that of the variable, where it is known to be a number or a
/// pointer.
pub(crate) fn replaced(operator: &str, left: &str, right: &str, class: Option<Class>) -> Statements {
    let groups: [&[&str]; 2] = [&ARITHMETIC, &BITS];
    let fits = |other: &&&str| match class {
        Some(Class::Pointer(_)) => ["+", "-"].contains(*other),
        Some(Class::Float) => **other != "%",
        _ => true,
    };
    let same = groups.into_iter().filter(|group| group.contains(&operator)).flatten();
    let is_turned = |other: &str| matches!((operator, other), ("+", "-") | ("-", "+") | ("<<", ">>") | (">>", "<<"));
    let cost = |other: &str| if is_turned(other) { 1 } else { OTHER_OPERATOR };
    let others = same.filter(|other| **other != operator).filter(fits);
    let mut out: Vec<(u32, String)> = others.map(|other| (cost(other), format!("{left} {other}= {right}"))).collect();
    out.push((ASSIGNED, format!("{left} = {right}")));
    out.sort_by_key(|(cost, _)| *cost);
    out
}

/// One more or less.
pub(crate) fn steps(language: Language, name: &str, cost: u32) -> [(u32, String); 2] {
    match language {
        Language::C => [(cost, format!("{name}++")), (cost + 1, format!("{name}--"))],
        Language::Rust => [(cost, format!("{name} += 1")), (cost + 1, format!("{name} -= 1"))],
    }
}

/// What may be missing that changes a variable which nothing changes, by others that it goes with, the nearest first.
pub(crate) fn updates(language: Language, name: &str, class: Class, others: &[String]) -> Statements {
    let mut out = Vec::new();
    if class == Class::Bool {
        return ["true", "false"].map(|value| (STEP, format!("{name} = {value}"))).to_vec();
    }
    if class.is_int() {
        out.extend(steps(language, name, STEP));
    }
    let number = class.is_int() || class == Class::Float;
    for other in others.iter().take(MOST_OTHERS) {
        out.push((UPDATE, format!("{name} = {other}")));
        if number {
            out.push((UPDATE, format!("{name} += {other}")));
            out.extend(["-=", "*="].map(|operator| (UPDATE + 1, format!("{name} {operator} {other}"))));
        }
    }
    // A number that is read digit by digit, a polynomial.
    let factors = || others.iter().take(MOST_FACTORS);
    if number {
        let apart = |factor: &String| factors().filter(|other| *other != factor).cloned().collect::<Vec<_>>();
        for factor in factors() {
            let sums = apart(factor).into_iter();
            out.extend(sums.map(|other| (UPDATE + 1, format!("{name} = {name} * {factor} + {other}"))));
        }
    }
    out
}

/// The closest of them, each once.
pub(crate) fn closest(mut list: Statements) -> Statements {
    list.sort_by_key(|(cost, _)| *cost);
    let mut known = std::collections::HashSet::new();
    list.retain(|(_, text)| known.insert(text.clone()));
    list.truncate(MOST_STATEMENTS);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_that_assigns_may_be_another_one() {
        let texts = |list: Vec<(u32, String)>| list.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(
            texts(replaced("-", "sum", "rolls[i]", Some(Class::Int))),
            ["sum += rolls[i]", "sum *= rolls[i]", "sum /= rolls[i]", "sum %= rolls[i]", "sum = rolls[i]"]
        );
        assert_eq!(texts(replaced("+", "at", "2", Some(Class::Pointer(1)))), ["at -= 2", "at = 2"]);
        assert_eq!(texts(replaced("<<", "bits", "1", Some(Class::Int)))[0], "bits >>= 1");
    }

    #[test]
    fn what_nothing_changes_is_changed_by_what_is_near() {
        let made = updates(Language::C, "value", Class::Int, &["base".into(), "digit".into()]);
        for wanted in ["value++", "value += digit", "value = value * base + digit"] {
            assert!(made.iter().any(|(_, text)| text == wanted), "{made:?}");
        }
        assert_eq!(updates(Language::Rust, "found", Class::Bool, &[]).len(), 2);
    }
}

//! What stands in a statement's code.

use super::Place;
use whydunit_desk::{ProjectSources, sources_line};

/// The operators of C, longest first.
const OPERATORS: [&str; 38] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
    "^=", "|=", "+", "-", "*", "/", "%", "<", ">", "=", "!", "&", "|", "^", "~", "?", ":", ",", ".",
];

/// The operators of a line, up to a comment.
fn operators(code: &str) -> impl Iterator<Item = &'static str> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        while let Some(first) = rest.chars().next() {
            if rest.starts_with("//") || rest.starts_with("/*") {
                return None;
            }
            if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
                rest = &rest[operator.len()..];
                return Some(*operator);
            }
            rest = &rest[first.len_utf8()..];
        }
        None
    })
}

/// Whether an operator stands in a line, be it in an assignment (`+=`) or twice (`++`).
pub fn has_operator(code: &str, sign: &str) -> bool {
    operators(code).any(|operator| {
        let assigned = operator.strip_suffix('=').is_some_and(|begin| begin == sign)
            && !matches!(operator, "<=" | ">=" | "==" | "!=");
        let twice = matches!(operator, "++" | "--") && operator.starts_with(sign) && sign.len() == 1;
        operator == sign || assigned || twice
    })
}

/// How closely an operator of arithmetic binds, the closest first. None of others.
fn closeness(operator: &str) -> Option<u8> {
    Some(match operator {
        "*" | "/" | "%" => 1,
        "+" | "-" => 2,
        "<<" | ">>" => 3,
        "&" => 4,
        "^" => 5,
        "|" => 6,
        _ => return None,
    })
}

/// Whether an operator in the place of another one would take other operands: it binds otherwise, and there are more of arithmetic.
pub fn binds_otherwise(code: &str, was: &str, now: &str) -> bool {
    let differs = closeness(was).zip(closeness(now)).is_some_and(|(was, now)| was != now);
    differs && operators(code).filter(|operator| closeness(operator).is_some()).count() > 1
}

/// Whether code gives a variable what it makes of it: `n++`, `n += 2`.
pub fn changes_itself(code: &str, variable: &str) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    code.match_indices(variable).any(|(start, _)| {
        let (before, after) = (code[..start].trim_end(), code[start + variable.len()..].trim_start());
        let whole = !is_word(code.as_bytes()[..start].last()) && !is_word(code.as_bytes().get(start + variable.len()));
        let steps = ["++", "--"].iter().any(|step| before.ends_with(step) || after.starts_with(step));
        let assigned = operators(after).next().is_some_and(|operator| {
            after.starts_with(operator) && operator.strip_suffix('=').is_some_and(|begin| closeness(begin).is_some())
        });
        whole && (steps || assigned)
    })
}

/// The statement's code without its comment, as it is told.
pub fn code_of(place: &Place, sources: &ProjectSources) -> String {
    let line = sources_line(sources, &place.0, place.1);
    let code = [" //", " /*", "\t//", "\t/*"].iter().filter_map(|comment| line.find(comment)).min();
    line[..code.unwrap_or(line.len())].trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_stand_in_the_source_or_not() {
        assert!(has_operator("if (a < b)", "<") && has_operator("x += 2;", "+") && has_operator("i++;", "+"));
        assert!(!has_operator("if (a <= b)", "<") && !has_operator("p->next", ">") && !has_operator("if (!a)", "!="));
        assert!(!has_operator("f(a); /* a < b */", "<") && !has_operator("if (a << 2)", "<"));
    }
}

//! What stands in a statement's code.

use super::Place;
use whydunit_desk::{ProjectSources, sources_line};

/// The operators of C, longest first.
const OPERATORS: [&str; 38] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
    "^=", "|=", "+", "-", "*", "/", "%", "<", ">", "=", "!", "&", "|", "^", "~", "?", ":", ",", ".",
];

/// Whether an operator stands in a line, be it in an assignment (`+=`) or twice (`++`).
pub fn has_operator(code: &str, sign: &str) -> bool {
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") || rest.starts_with("/*") {
            break;
        }
        let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) else {
            rest = &rest[first.len_utf8()..];
            continue;
        };
        let assigned = operator.strip_suffix('=').is_some_and(|begin| begin == sign)
            && !matches!(*operator, "<=" | ">=" | "==" | "!=");
        let twice = matches!(*operator, "++" | "--") && operator.starts_with(sign) && sign.len() == 1;
        if *operator == sign || assigned || twice {
            return true;
        }
        rest = &rest[operator.len()..];
    }
    false
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

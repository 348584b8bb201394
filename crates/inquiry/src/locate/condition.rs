//! Conditions in the sense of the source: what a compiler branches on may be the opposite of what stands there (`!a` branches
//! on `a`), and only an operand of it (`a && b`).

use super::Place;
use whydunit_desk::{ProjectSources, sources_line};

/// So many lines around one can belong to its condition.
const AROUND: u32 = 6;

/// How the source says what a branch depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condition {
    /// The source says the opposite.
    pub negated: bool,
    /// It is this operand of a larger condition.
    pub part: Option<String>,
}

impl Condition {
    /// What is tested at a line and column of a file; as the compiler has it where that is not known.
    pub fn at(sources: &ProjectSources, file: &str, tested: Option<(u32, u32)>) -> Self {
        use whydunit_findings::Sources;
        let Some((line, column)) = tested else { return Self::default() };
        let first = line.saturating_sub(AROUND).max(1);
        let (mut text, mut place) = (String::new(), None);
        for number in first..=line + AROUND {
            let Some(own) = sources.line(file, number) else { continue };
            if number == line {
                place = Some(text.len() + (column as usize).saturating_sub(1).min(own.len()));
            }
            text += own.split(" //").next().unwrap_or_default();
            text.push('\n');
        }
        place.and_then(|place| find(text.as_bytes(), place)).unwrap_or_default()
    }

    /// As it is told with the place of its statement.
    pub fn told(&self, place: &str) -> String {
        match &self.part {
            Some(part) => format!("`{part}` in the condition of {place}"),
            None => format!("the condition of {place}"),
        }
    }
}

/// What ends an operand on one of its sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edge {
    Parenthesis,
    Connector,
    Other,
}

/// The left side of the operand around `from`: where it begins, and what stands before.
fn left(text: &[u8], from: usize) -> (usize, Edge) {
    let (mut at, mut depth) = (from, 0_usize);
    while at > 0 {
        at -= 1;
        match text[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth == 0 => {
                return (at + 1, if text[at] == b'(' { Edge::Parenthesis } else { Edge::Other });
            }
            b'(' | b'[' => depth -= 1,
            _ if depth > 0 => {}
            b'&' | b'|' if at > 0 && text[at - 1] == text[at] => return (at + 1, Edge::Connector),
            b';' | b'{' | b'}' | b',' | b'?' | b':' => return (at + 1, Edge::Other),
            b'=' => {
                let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
                if text.get(at + 1) != Some(&b'=') && !matches!(before, b'=' | b'!' | b'<' | b'>') {
                    return (at + 1, Edge::Other);
                }
            }
            _ => {}
        }
    }
    (0, Edge::Other)
}

/// The right side of the operand around `from`.
fn right(text: &[u8], from: usize) -> (usize, Edge) {
    let mut depth = 0_usize;
    for at in from..text.len() {
        match text[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 0 => return (at, if text[at] == b')' { Edge::Parenthesis } else { Edge::Other }),
            b')' | b']' => depth -= 1,
            _ if depth > 0 => {}
            b'&' | b'|' if text.get(at + 1) == Some(&text[at]) => return (at, Edge::Connector),
            b';' | b'{' | b'}' | b',' | b'?' | b':' => return (at, Edge::Other),
            _ => {}
        }
    }
    (text.len(), Edge::Other)
}

/// What is tested at a place of a text.
fn find(text: &[u8], place: usize) -> Option<Condition> {
    let (mut negated, mut inside) = (false, place);
    loop {
        let (begin, before) = left(text, inside);
        let (end, behind) = right(text, inside);
        let operand = text.get(begin..end)?.trim_ascii();
        negated ^= negations(operand.strip_prefix(b"return ").unwrap_or(operand)) % 2 == 1;
        if before == Edge::Connector || behind == Edge::Connector {
            let part = String::from_utf8_lossy(operand).split_whitespace().collect::<Vec<_>>().join(" ");
            return Some(Condition { negated, part: Some(part) });
        }
        if before != Edge::Parenthesis || behind != Edge::Parenthesis {
            return Some(Condition { negated, part: None });
        }
        let word: Vec<u8> = text[..begin - 1].trim_ascii_end().rsplit(|byte| !is_word(*byte)).next()?.to_vec();
        match &word[..] {
            b"" => inside = begin - 1,
            b"if" | b"while" | b"for" | b"switch" => return Some(Condition { negated, part: None }),
            // An argument of a call is not what is tested.
            _ => return None,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many negations stand before an operand that is negated as a whole.
fn negations(operand: &[u8]) -> usize {
    let mut rest = operand;
    let mut count = 0;
    while let [b'!', behind @ ..] = rest {
        count += 1;
        rest = behind.trim_ascii_start();
    }
    let mut depth = 0_usize;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            // `->` is no operator of two values; what begins with `*`, `&` or `-` is one value.
            b'>' if at > 0 && rest[at - 1] == b'-' => {}
            b'-' if rest.get(at + 1) == Some(&b'>') => {}
            b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' if at > 0 => return 0,
            _ => {}
        }
    }
    count
}

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

    /// What is tested at the first `#` of a text, which stands before it.
    fn tested(text: &str) -> (bool, Option<String>) {
        let place = text.find('#').expect("a place");
        let found = find(text.replacen('#', "", 1).as_bytes(), place).unwrap_or_default();
        (found.negated, found.part)
    }

    #[test]
    fn negations_are_seen() {
        for text in
            ["if (!#a)", "if (!#strcmp(a, b))", "while (!(n #> 3)) {", "for (; !#p->next; )", "x = !#a ? 1 : 2;"]
        {
            assert_eq!(tested(text), (true, None), "{text}");
        }
        for text in
            ["if (#a)", "if (!!#a)", "if (!a #== b)", "while (n #> 3)", "for (i = 0; i #< n; i++)", "if (f(!#a))"]
        {
            assert_eq!(tested(text), (false, None), "{text}");
        }
    }

    #[test]
    fn operands_of_larger_conditions_are_told() {
        let part = |text: &str| Some(text.to_string());
        assert_eq!(tested("if (a && !#b)"), (true, part("!b")));
        assert_eq!(tested("if (!(#a || b))"), (false, part("a")));
        assert_eq!(tested("if (!(x #< 3) &&\n    b)"), (true, part("!(x < 3)")));
        assert_eq!(tested("while (*#p && (*p)->value < v)"), (false, part("*p")));
    }

    #[test]
    fn operators_stand_in_the_source_or_not() {
        assert!(has_operator("if (a < b)", "<") && has_operator("x += 2;", "+") && has_operator("i++;", "+"));
        assert!(!has_operator("if (a <= b)", "<") && !has_operator("p->next", ">") && !has_operator("if (!a)", "!="));
        assert!(!has_operator("f(a); /* a < b */", "<") && !has_operator("if (a << 2)", "<"));
    }
}

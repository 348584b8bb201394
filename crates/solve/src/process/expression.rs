//! What solvers print: S-expressions.

/// A word, or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expression {
    Word(String),
    List(Vec<Expression>),
}

impl Expression {
    /// The expressions of a text; none when it is not well-formed.
    pub(super) fn parse(text: &str) -> Option<Vec<Expression>> {
        let mut lists: Vec<Vec<Expression>> = vec![Vec::new()];
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            match first {
                '(' => {
                    lists.push(Vec::new());
                    rest = &rest[1..];
                }
                ')' => {
                    let list = lists.pop()?;
                    lists.last_mut()?.push(Expression::List(list));
                    rest = &rest[1..];
                }
                '"' | '|' => {
                    let end = rest[1..].find(first)? + 1;
                    lists.last_mut()?.push(Expression::Word(rest[1..end].into()));
                    rest = &rest[end + 1..];
                }
                ';' => rest = rest.split_once('\n').map_or("", |(_, rest)| rest),
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';');
                    let end = rest.find(ends).unwrap_or(rest.len());
                    lists.last_mut()?.push(Expression::Word(rest[..end].into()));
                    rest = &rest[end..];
                }
            }
            rest = rest.trim_start();
        }
        let all = lists.pop()?;
        lists.is_empty().then_some(all)
    }

    /// The word that it is.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Expression::Word(word) => Some(word),
            Expression::List(_) => None,
        }
    }

    /// The list that it is.
    pub(super) fn list(&self) -> Option<&[Expression]> {
        match self {
            Expression::Word(_) => None,
            Expression::List(list) => Some(list),
        }
    }

    /// The value that a constant has: of a truth value 0 or 1.
    pub(super) fn value(&self) -> Option<u128> {
        match self {
            Expression::Word(word) => match word.as_bytes() {
                b"true" => Some(1),
                b"false" => Some(0),
                [b'#', b'x', ..] => u128::from_str_radix(&word[2..], 16).ok(),
                [b'#', b'b', ..] => u128::from_str_radix(&word[2..], 2).ok(),
                _ => None,
            },
            // (_ bv10 32)
            Expression::List(list) => match list.as_slice() {
                [Expression::Word(underscore), Expression::Word(number), _] if underscore == "_" => {
                    number.strip_prefix("bv")?.parse().ok()
                }
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_all_their_forms() {
        let parsed = Expression::parse("((v1 #xff)\n (v2 #b101) (v3 (_ bv10 32)) (|v4| true)) ; end").expect("a list");
        let pairs = parsed[0].list().expect("a list");
        let values: Vec<_> = pairs.iter().map(|pair| pair.list().expect("a pair")[1].value()).collect();
        assert_eq!(values, [Some(255), Some(5), Some(10), Some(1)]);
        assert_eq!(pairs[3].list().expect("a pair")[0].word(), Some("v4"));
        assert_eq!(Expression::parse("(error \"line 1: (odd\")").map(|all| all.len()), Some(1));
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for text in ["(", ")", "(a))", "\"open", "(a \"b)"] {
            assert_eq!(Expression::parse(text), None, "{text}");
        }
        assert_eq!(Expression::parse("x").expect("a word")[0].value(), None);
    }
}

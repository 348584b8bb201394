//! What stands in a source, kept as it is written there: parentheses nobody needs, lines that are broken.

use std::collections::HashMap;

use super::Expression;

/// What stands for the operator of a choice.
pub(crate) const CHOICE: &str = "?:";

/// How parts of an expression are written in its source.
#[derive(Default)]
pub(crate) struct Kept {
    parts: HashMap<Expression, Part>,
}

struct Part {
    text: String,
    /// The operator beside which it stands in parentheses.
    beside: Option<&'static str>,
}

impl Kept {
    /// Of an expression, and what stands in the source for it.
    pub(crate) fn of(source: &str, expression: &Expression) -> Self {
        let whole = Part { text: source.to_string(), beside: None };
        let mut kept = Self { parts: HashMap::from([(expression.clone(), whole)]) };
        let all: Vec<(usize, char)> = source.char_indices().filter(|(_, at)| counts(*at)).collect();
        // Numbers and comments may stand there otherwise than they are written here.
        let same = expression.text().chars().filter(|at| counts(*at)).eq(all.iter().map(|(_, at)| *at));
        if same {
            kept.add_operands(source, &all, expression, 0);
        }
        kept
    }

    fn part(&self, of: &Expression) -> Option<&Part> {
        // Most expressions are written with nothing kept.
        if self.parts.is_empty() { None } else { self.parts.get(of) }
    }

    /// What stands there, without parentheses around it.
    pub(crate) fn text(&self, of: &Expression) -> Option<&str> {
        self.part(of).map(|part| &*part.text)
    }

    /// Whether it stands in parentheses beside an operator.
    pub(crate) fn is_enclosed(&self, of: &Expression, operator: &str) -> bool {
        self.part(of).is_some_and(|part| part.beside == Some(operator))
    }

    fn add_operands(&mut self, source: &str, all: &[(usize, char)], of: &Expression, mut at: usize) {
        let add = |kept: &mut Self, operand: &Expression, at: usize, beside: Option<&'static str>| {
            let length = count(&operand.text());
            if let Some((text, enclosed)) = span(source, &all[at..at + length]) {
                let beside = beside.filter(|_| enclosed);
                kept.parts.entry(operand.clone()).or_insert(Part { text, beside });
            }
            kept.add_operands(source, all, operand, at);
            at + length
        };
        match of {
            Expression::Atom { .. } | Expression::Number(_) => {}
            Expression::Written { pieces, operands, .. } => {
                at += count(&pieces[0]);
                for (operand, after) in operands.iter().zip(&pieces[1..]) {
                    // The parentheses of a call are not its argument's.
                    at = add(self, operand, at, None) + count(after);
                }
            }
            Expression::Unary(operator, operand) => _ = add(self, operand, at + count(operator), Some(*operator)),
            Expression::Binary(operator, left, right) => {
                at = add(self, left, at, Some(*operator)) + count(operator);
                add(self, right, at, Some(*operator));
            }
            Expression::Choice(test, then, other) => {
                for operand in [test, then, other] {
                    at = add(self, operand, at, Some(CHOICE)) + 1;
                }
            }
        }
    }
}

/// Neither a space nor a parenthesis.
fn counts(at: char) -> bool {
    !at.is_whitespace() && !matches!(at, '(' | ')')
}

fn count(text: &str) -> usize {
    text.chars().filter(|at| counts(*at)).count()
}

/// The text with some characters of a source and the parentheses that belong to it, and whether it stands within some.
fn span(source: &str, some: &[(usize, char)]) -> Option<(String, bool)> {
    let ((mut start, _), (last, one)) = (*some.first()?, *some.last()?);
    let mut end = last + one.len_utf8();
    loop {
        let (mut depth, mut least) = (0, 0);
        for at in source[start..end].chars() {
            depth += i32::from(at == '(') - i32::from(at == ')');
            least = least.min(depth);
        }
        let before = source[..start].trim_end().strip_suffix('(').map(str::len);
        let after = source[end..].trim_start().strip_prefix(')').map(|rest| source.len() - rest.len());
        match (before, after) {
            (Some(before), _) if least < 0 => start = before,
            (_, Some(after)) if depth > least => end = after,
            _ if depth == 0 && least == 0 => {
                let enclosed = before.is_some() && after.is_some();
                return Some((source[start..end].to_string(), enclosed));
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Class;

    fn atom(text: &str) -> Expression {
        Expression::Atom { text: text.into(), class: Class::Int, pure: true, constant: false }
    }

    fn call(name: &str, argument: Expression) -> Expression {
        let pieces = vec![format!("{name}("), ")".to_string()];
        Expression::Written { pieces, operands: vec![argument], class: Class::Int, pure: true }
    }

    /// What is written when something is joined to an expression, or to its right side.
    fn joined(source: &str, old: &Expression) -> [String; 2] {
        let kept = Kept::of(source, old);
        let whole = Expression::binary("||", old.clone(), atom("z"));
        let Expression::Binary(_, _, right) = old else { panic!("two sides") };
        let right = old.with_operand(1, Expression::binary("+", (**right).clone(), atom("z")));
        [whole.text_keeping(&kept), right.expect("two sides").text_keeping(&kept)]
    }

    #[test]
    fn parentheses_and_lines_stay() {
        let part = |name, operator| Expression::binary(operator, atom(name), Expression::Number(0));
        let old = Expression::binary("||", part("a", "=="), part("b", "&"));
        assert_eq!(
            joined("(a == 0) ||\n    (b & 0)", &old),
            ["(a == 0) ||\n    (b & 0) || z", "(a == 0) || (b & 0) + z"]
        );
        assert_eq!(joined("a == 0 || (b & 0)", &old)[1], "a == 0 || (b & 0) + z");
    }

    #[test]
    fn parentheses_of_calls_are_their_own() {
        let old =
            Expression::binary("+", call("f", Expression::binary("*", atom("a"), atom("b"))), call("g", atom("c")));
        assert_eq!(joined("f((a * b)) + (g(c))", &old)[1], "f((a * b)) + ((g(c)) + z)");
        assert_eq!(joined("f(a*b) + g(c)", &old), ["f(a*b) + g(c) || z", "f(a*b) + (g(c) + z)"]);
    }

    #[test]
    fn what_is_written_otherwise_is_kept_as_a_whole() {
        let old = Expression::binary("&", atom("a"), Expression::Number(16));
        assert_eq!(joined("a & 0x10", &old), ["a & 0x10 || z", "a & (16 + z)"]);
    }
}

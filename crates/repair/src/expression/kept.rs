//! What stands in a source, kept as it is written there: parentheses nobody needs, lines that are broken.

use std::collections::HashMap;
use std::ops::Range;

use super::Expression;

/// What stands for the operator of a choice.
pub(crate) const CHOICE: &str = "?:";

/// How parts of an expression are written in its source.
#[derive(Default)]
pub(crate) struct Kept {
    parts: HashMap<Expression, Part>,
    joints: Vec<Joint>,
}

/// Two operands as they stand beside an operator.
struct Joint {
    operator: &'static str,
    sides: [Expression; 2],
    /// They stand in parentheses.
    enclosed: [bool; 2],
    /// What is between them: the operator, and lines that are broken.
    between: String,
}

struct Part {
    text: String,
    /// The operator beside which it stands in parentheses.
    beside: Option<&'static str>,
}

impl Kept {
    /// Of an expression, and what stands in the source for it.
    pub(crate) fn of(source: &str, expression: &Expression) -> Self {
        // What has none there has parentheses of its own where it becomes a part.
        let bare = is_in_parentheses(expression) && !source.starts_with('(');
        let text = if bare { format!("({source})") } else { source.to_string() };
        let whole = Part { text, beside: None };
        let mut kept = Self { parts: HashMap::from([(expression.clone(), whole)]), joints: Vec::new() };
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

    /// What stands between two operands, and whether each is in parentheses, where one of them stood beside this operator, or both
    /// beside another one. There parentheses stay only beside `&&` and `||`: beside others they were needed for the operator's sake.
    pub(crate) fn joint(&self, operator: &str, sides: [&Expression; 2]) -> Option<(String, [bool; 2])> {
        let is_one =
            |joint: &&Joint| joint.operator == operator && (joint.sides[0] == *sides[0] || joint.sides[1] == *sides[1]);
        let has_both = |joint: &&Joint| joint.sides.iter().zip(sides).all(|(own, side)| own == side);
        let joint = self.joints.iter().find(is_one).or_else(|| self.joints.iter().find(has_both))?;
        let stay = joint.operator == operator || matches!(operator, "&&" | "||");
        Some((joint.between.replace(joint.operator, operator), joint.enclosed.map(|enclosed| enclosed && stay)))
    }

    fn add_joint(&mut self, source: &str, operator: &'static str, sides: [&Expression; 2], spans: [Span; 2]) {
        let between = source.get(spans[0].outer.end..spans[1].outer.start);
        if let Some(between) = between.filter(|between| between.trim() == operator) {
            let between = between.to_string();
            let [one, other] = sides.map(Expression::clone);
            let enclosed = [spans[0].is_enclosed(), spans[1].is_enclosed()];
            self.joints.push(Joint { operator, sides: [one, other], enclosed, between });
        }
    }

    fn add_operands(&mut self, source: &str, all: &[(usize, char)], of: &Expression, mut at: usize) {
        let add = |kept: &mut Self, operand: &Expression, at: usize, beside: Option<&'static str>| {
            let length = count(&operand.text());
            if let Some(span) = span(source, &all[at..at + length]) {
                // The parentheses of an assignment are its own.
                let (part, beside) = match is_in_parentheses(operand) {
                    true => (span.outer, None),
                    false => (span.own.clone(), beside.filter(|_| span.own != span.outer)),
                };
                let text = source[part].to_string();
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
                let from = at;
                at = add(self, left, at, Some(*operator)) + count(operator);
                let end = add(self, right, at, Some(*operator));
                let spans = [&all[from..at - count(operator)], &all[at..end]].map(|some| span(source, some));
                if let [Some(one), Some(other)] = spans {
                    self.add_joint(source, operator, [left, right], [one, other]);
                }
            }
            Expression::Choice(test, then, other) => {
                for operand in [test, then, other] {
                    at = add(self, operand, at, Some(CHOICE)) + 1;
                }
            }
        }
    }
}

/// Whether it is written with parentheses around all of it.
fn is_in_parentheses(of: &Expression) -> bool {
    let Expression::Atom { text, .. } = of else { return false };
    let mut depth = 0;
    let ends = text.char_indices().find(|(_, at)| {
        depth += i32::from(*at == '(') - i32::from(*at == ')');
        depth == 0
    });
    text.starts_with('(') && ends.is_some_and(|(at, _)| at + 1 == text.len())
}

/// Neither a space nor a parenthesis.
fn counts(at: char) -> bool {
    !at.is_whitespace() && !matches!(at, '(' | ')')
}

fn count(text: &str) -> usize {
    text.chars().filter(|at| counts(*at)).count()
}

/// Where something stands in a source.
struct Span {
    /// It.
    own: Range<usize>,
    /// With the parentheses within which it stands.
    outer: Range<usize>,
}

impl Span {
    fn is_enclosed(&self) -> bool {
        self.own != self.outer
    }
}

/// Where some characters of a source stand, with the parentheses that belong to them.
fn span(source: &str, some: &[(usize, char)]) -> Option<Span> {
    let ((mut start, _), (last, one)) = (*some.first()?, *some.last()?);
    let mut end = last + one.len_utf8();
    // A call of a function without arguments.
    let called = source[end..].trim_start().strip_prefix('(').and_then(|rest| rest.trim_start().strip_prefix(')'));
    end = called.map_or(end, |rest| source.len() - rest.len());
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
                let outer = before.zip(after).map_or(start..end, |(before, after)| before..after);
                return Some(Span { own: start..end, outer });
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
            ["(a == 0) ||\n    (b & 0) || z", "(a == 0) ||\n    ((b & 0) + z)"]
        );
        assert_eq!(joined("a == 0 || (b & 0)", &old)[1], "a == 0 || ((b & 0) + z)");
    }

    #[test]
    fn parentheses_of_calls_are_their_own() {
        let old =
            Expression::binary("+", call("f", Expression::binary("*", atom("a"), atom("b"))), call("g", atom("c")));
        assert_eq!(joined("f((a * b)) + (g(c))", &old)[1], "f((a * b)) + ((g(c)) + z)");
        assert_eq!(joined("f(a*b) + g(c)", &old), ["f(a*b) + g(c) || z", "f(a*b) + (g(c) + z)"]);
    }

    #[test]
    fn what_is_changed_stands_as_what_it_replaces() {
        let is = |operator, of: &str| Expression::binary(operator, atom(of), Expression::Number(0));
        let or = |left, right| Expression::binary("||", left, right);
        let source = "((a != 0) || (b == 0) ||\n     (c == 0))";
        let kept = Kept::of(source, &or(or(is("!=", "a"), is("==", "b")), is("==", "c")));
        let other = or(or(is("==", "a"), is("==", "b")), is("==", "c"));
        assert_eq!(other.text_keeping(&kept), "(a == 0) || (b == 0) ||\n     (c == 0)");
        let kept = Kept::of("(a != 0) ||\n     (b == 0)", &or(is("!=", "a"), is("==", "b")));
        let other = Expression::binary("&&", is("!=", "a"), is("==", "b"));
        assert_eq!(other.text_keeping(&kept), "(a != 0) &&\n     (b == 0)");
    }

    #[test]
    fn calls_without_arguments_keep_their_parentheses() {
        let old = Expression::binary("%", atom("rand()"), Expression::Number(6));
        assert_eq!(joined("rand() % 6", &old)[1], "rand() % (6 + z)");
    }

    #[test]
    fn what_is_written_otherwise_is_kept_as_a_whole() {
        let old = Expression::binary("&", atom("a"), Expression::Number(16));
        assert_eq!(joined("a & 0x10", &old), ["a & 0x10 || z", "a & (16 + z)"]);
    }
}

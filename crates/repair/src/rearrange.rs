//! What stands there in another order.

use crate::expression::{Class, Expression, sound};

/// The same operators and operands grouped otherwise: `(a * b) / c` as `(a / c) * b`, `a + b * c` as `(a + b) * c`.
pub(crate) fn regrouped(of: &Expression) -> Vec<Expression> {
    let mut out = within(of, &regrouped);
    if let Expression::Binary(outer, left, right) = of {
        if let Expression::Binary(inner, a, b) = &**left {
            let (a, b, c) = (|| (**a).clone(), || (**b).clone(), || (**right).clone());
            out.push(Expression::binary(inner, a(), Expression::binary(outer, b(), c())));
            out.push(Expression::binary(inner, Expression::binary(outer, a(), c()), b()));
        }
        if let Expression::Binary(inner, b, c) = &**right {
            let first = Expression::binary(outer, (**left).clone(), (**b).clone());
            out.push(Expression::binary(inner, first, (**c).clone()));
        }
    }
    // What is done to the result of a call may have been meant for an argument.
    if let Expression::Binary(operator, left, right) = of {
        for (call, other, turned) in [(left, right, false), (right, left, true)] {
            let Expression::Written { pieces, operands, pure: true, .. } = &**call else { continue };
            for (at, operand) in operands.iter().enumerate().filter(|_| pieces[0].ends_with('(')) {
                let (one, two) = if turned { (&**other, operand) } else { (operand, &**other) };
                if operand.class().is_number() && other.class().is_number() {
                    out.extend(call.with_operand(at, Expression::binary(operator, one.clone(), two.clone())));
                }
            }
        }
    }
    out.retain(sound);
    out
}

/// Quotients rounded to the nearest and up, remainders that are never negative.
pub(crate) fn rounded(of: &Expression) -> Vec<Expression> {
    everywhere(of, &|part| {
        let Expression::Binary(operator, left, right) = part else { return Vec::new() };
        let (a, b) = (|| (**left).clone(), || (**right).clone());
        let join = Expression::binary;
        match *operator {
            "/" if part.class() != Class::Float => vec![
                join("/", join("+", a(), join("/", b(), Expression::Number(2))), b()),
                join("/", join("-", join("+", a(), b()), Expression::Number(1)), b()),
            ],
            "%" => vec![join("%", join("+", part.clone(), b()), b()), join("%", join("+", a(), b()), b())],
            _ => Vec::new(),
        }
    })
}

/// What `change` makes of an expression and of each of its parts, in their places.
pub(crate) fn everywhere(of: &Expression, change: &dyn Fn(&Expression) -> Vec<Expression>) -> Vec<Expression> {
    let mut out = within(of, &|part| everywhere(part, change));
    out.extend(change(of));
    out
}

/// Two operands that stand in each other's place.
pub(crate) fn exchanged(of: &Expression) -> Vec<Expression> {
    let mut leaves = Vec::new();
    gather(of, &mut leaves);
    let mut out = Vec::new();
    for (number, &one) in leaves.iter().enumerate() {
        for &other in &leaves[number + 1..] {
            if one != other && (one.class() == other.class() || one.class().goes_with(other.class())) {
                out.push(of.exchanged(one, other));
            }
        }
    }
    out
}

/// The variables in an expression, and what is reached from them.
fn gather<'a>(of: &'a Expression, out: &mut Vec<&'a Expression>) {
    let is_variable = matches!(of, Expression::Atom { pure: true, .. } | Expression::Written { pure: true, .. });
    if is_variable && !out.contains(&of) {
        out.push(of);
    }
    of.operands().into_iter().for_each(|operand| gather(operand, out));
}

/// What `change` makes of an operand, in its place.
fn within(of: &Expression, change: &dyn Fn(&Expression) -> Vec<Expression>) -> Vec<Expression> {
    let operands = of.operands().into_iter().enumerate();
    operands
        .flat_map(|(at, operand)| change(operand).into_iter().filter_map(move |to| of.with_operand(at, to)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Expression {
        Expression::Atom { text: text.into(), class: Class::Int, pure: true, constant: false }
    }

    fn texts(list: Vec<Expression>) -> Vec<String> {
        list.iter().map(Expression::text).collect()
    }

    #[test]
    fn operators_are_grouped_otherwise() {
        let product = || Expression::binary("*", atom("a"), atom("b"));
        let quotient = Expression::binary("/", product(), atom("c"));
        assert_eq!(texts(regrouped(&quotient)), ["a * (b / c)", "a / c * b"]);
        let sum = Expression::binary("+", atom("c"), product());
        assert_eq!(texts(regrouped(&sum)), ["(c + a) * b"]);
    }

    #[test]
    fn two_variables_change_places() {
        let sum = Expression::binary("-", Expression::binary("+", atom("a"), atom("b")), atom("c"));
        assert_eq!(texts(exchanged(&sum)), ["b + a - c", "c + b - a", "a + c - b"]);
        let twice = Expression::binary("-", Expression::binary("*", atom("a"), atom("b")), atom("a"));
        assert_eq!(texts(exchanged(&twice)), ["b * a - b"]);
    }
}

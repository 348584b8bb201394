//! What Rust's types allow, as far as kinds of values say.

use crate::expression::{ARITHMETIC, BITS, COMPARISONS, Class, Expression, LOGIC, Width};

/// Whether an expression can stand where a value of a kind is wanted.
pub(crate) fn sound(expression: &Expression, wanted: Class) -> bool {
    let fits = match (expression, wanted) {
        (Expression::Number(_), Class::Float) => true,
        (Expression::Number(number), Class::Bool) => matches!(number, 0 | 1),
        _ => same(expression.class(), wanted),
    };
    fits && keeps_sign(expression, wanted) && within(expression)
}

fn same(one: Class, other: Class) -> bool {
    one == other || matches!((one, other), (Class::Int, Class::Sized(_)) | (Class::Sized(_), Class::Int))
}

/// No number below zero stands where there is none.
fn keeps_sign(of: &Expression, class: Class) -> bool {
    let unsigned = matches!(class, Class::Sized(Width { signed: false, .. }));
    let negative = matches!(of, Expression::Number(number) if *number < 0) || matches!(of, Expression::Unary("-", _));
    !(unsigned && negative)
}

fn within(expression: &Expression) -> bool {
    is_sound(expression) && expression.operands().into_iter().all(within)
}

fn is_sound(expression: &Expression) -> bool {
    match expression {
        Expression::Unary("!", of) => of.class() == Class::Bool,
        Expression::Unary("-", of) => {
            let class = of.class();
            (class.is_int() || class == Class::Float) && !matches!(class, Class::Sized(Width { signed: false, .. }))
        }
        Expression::Choice(test, then, other) => {
            let numbers = then.class() == Class::Float && matches!(**other, Expression::Number(_));
            test.class() == Class::Bool && (same(then.class(), other.class()) || numbers)
        }
        Expression::Binary(operator, left, right) => is_joined(operator, left, right),
        // An element is taken by a length.
        Expression::Written { pieces, operands, .. } => {
            let index = |(operand, after): (&Expression, &String)| {
                let class = operand.class();
                !after.starts_with(']') || !class.is_number() || same(class, super::kinds::LENGTH)
            };
            operands.iter().zip(&pieces[1..]).all(index)
        }
        _ => true,
    }
}

fn is_joined(operator: &str, left: &Expression, right: &Expression) -> bool {
    let (one, other) = (left.class(), right.class());
    let is_number = |of: &Expression| matches!(of, Expression::Number(_));
    let agree = same(one, other) || one == Class::Float && is_number(right) || other == Class::Float && is_number(left);
    let signs = keeps_sign(left, other) && keeps_sign(right, one);
    let computes = |class: Class| class.is_int() || class == Class::Float;
    let zero = *right == Expression::Number(0);
    if LOGIC.contains(&operator) {
        return one == Class::Bool && other == Class::Bool;
    }
    if COMPARISONS.contains(&operator) {
        return agree
            && match one {
                Class::Bool => matches!(operator, "==" | "!=") && !is_number(left) && !is_number(right),
                // What has no sign is never below zero.
                Class::Sized(Width { signed: false, .. }) if zero => signs && !matches!(operator, "<" | ">="),
                _ => signs,
            };
    }
    if ARITHMETIC.contains(&operator) {
        return agree && signs && computes(one) && computes(other) && !(zero && matches!(operator, "/" | "%"));
    }
    if BITS.contains(&operator) {
        let whole = one.is_int() && other.is_int();
        return match operator {
            "<<" | ">>" => whole && !zero,
            _ => agree && signs && (whole || one == Class::Bool && !is_number(left) && !is_number(right)),
        };
    }
    true
}

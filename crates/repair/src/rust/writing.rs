//! Expressions as Rust writes them.

use crate::expression::{Class, Expression};

/// As it is written where a value of a kind is wanted.
pub(crate) fn written(expression: &Expression, wanted: Class) -> String {
    of_rust(expression, wanted).text()
}

fn atom(text: String, class: Class) -> Expression {
    Expression::Atom { text, class, pure: true, constant: true }
}

/// The same with what Rust has other signs for.
fn of_rust(expression: &Expression, wanted: Class) -> Expression {
    let own = expression.class();
    let same = |part: &Expression| of_rust(part, part.class());
    match expression {
        Expression::Number(number) => match wanted {
            Class::Float => atom(format!("{number}.0"), wanted),
            Class::Bool => atom((*number != 0).to_string(), wanted),
            _ => expression.clone(),
        },
        Expression::Atom { .. } => expression.clone(),
        Expression::Written { pieces, operands, class, pure } => Expression::Written {
            pieces: pieces.clone(),
            operands: operands.iter().map(same).collect(),
            class: *class,
            pure: *pure,
        },
        Expression::Unary("~", of) => Expression::Written {
            pieces: vec!["!".into(), String::new()],
            operands: vec![of_rust(of, own)],
            class: own,
            pure: true,
        },
        Expression::Unary("!", of) => Expression::Unary("!", Box::new(of_rust(of, Class::Bool))),
        Expression::Unary(operator, of) => Expression::Unary(operator, Box::new(of_rust(of, wanted))),
        Expression::Binary(operator, left, right) => {
            let shared = match (left.class(), right.class()) {
                (Class::Float, _) | (_, Class::Float) => Class::Float,
                (Class::Bool, _) | (_, Class::Bool) => Class::Bool,
                (class, Class::Int) => class,
                (_, class) => class,
            };
            let mut left = of_rust(left, shared);
            // What follows a type is read as its arguments.
            if operator.starts_with('<')
                && left.text().rsplit_once(" as ").is_some_and(|(_, ty)| !ty.contains([' ', ')']))
            {
                left = atom(format!("({})", left.text()), shared);
            }
            Expression::binary(operator, left, of_rust(right, shared))
        }
        Expression::Choice(test, then, other) => Expression::Written {
            pieces: ["if ", " { ", " } else { ", " }"].map(String::from).to_vec(),
            operands: vec![of_rust(test, Class::Bool), of_rust(then, wanted), of_rust(other, wanted)],
            class: own,
            pure: true,
        },
    }
}

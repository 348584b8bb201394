//! Functions that stand for others of the same types.

use crate::expression::{Class, Expression, Width};
use crate::rearrange::everywhere;

/// Methods that take and give the same.
const GROUPS: &[&[&str]] = &[
    &["min", "max"],
    &["min_by_key", "max_by_key"],
    &["min_by", "max_by"],
    &["first", "last"],
    &["is_some", "is_none"],
    &["is_ok", "is_err"],
    &["is_some_and", "is_none_or"],
    &["any", "all"],
    &["trim", "trim_start", "trim_end"],
    &["trim_matches", "trim_start_matches", "trim_end_matches"],
    &["starts_with", "ends_with", "contains"],
    &["strip_prefix", "strip_suffix"],
    &["floor", "ceil", "round", "trunc"],
    &["find", "rfind"],
    &["position", "rposition"],
    &["split_once", "rsplit_once"],
    &["is_alphabetic", "is_alphanumeric", "is_numeric", "is_uppercase", "is_lowercase", "is_whitespace", "is_control"],
    &[
        "is_ascii_alphabetic",
        "is_ascii_alphanumeric",
        "is_ascii_digit",
        "is_ascii_hexdigit",
        "is_ascii_uppercase",
        "is_ascii_lowercase",
        "is_ascii_whitespace",
        "is_ascii_punctuation",
    ],
    &["to_uppercase", "to_lowercase"],
    &["to_ascii_uppercase", "to_ascii_lowercase"],
    &["skip", "take", "step_by"],
    &["skip_while", "take_while", "filter"],
    &["pop_front", "pop_back"],
    &["front", "back"],
    &["sum", "product"],
    &["wrapping_add", "saturating_add", "wrapping_sub", "saturating_sub", "wrapping_mul", "saturating_mul"],
    &["checked_add", "checked_sub", "checked_mul"],
    &["overflowing_add", "overflowing_sub"],
    &["leading_zeros", "trailing_zeros", "count_ones", "count_zeros"],
    &["union", "intersection", "difference", "symmetric_difference"],
    &["is_lt", "is_le", "is_gt", "is_ge", "is_eq", "is_ne"],
    &["and", "or"],
];

/// An expression with one function in the place of another one, or a range with its other end.
pub(crate) fn siblings(of: &Expression) -> Vec<Expression> {
    everywhere(of, &|part| {
        let mut out = Vec::new();
        match part {
            Expression::Written { pieces, operands, class, pure } => {
                for (number, piece) in pieces.iter().enumerate() {
                    for other in others(piece) {
                        let mut pieces = pieces.clone();
                        pieces[number] = other;
                        out.push(Expression::Written {
                            pieces,
                            operands: operands.clone(),
                            class: *class,
                            pure: *pure,
                        });
                    }
                }
            }
            // What would be below zero.
            Expression::Binary("-", left, right) if is_unsigned(part.class()) => {
                for name in ["saturating_sub", "abs_diff"] {
                    out.push(called(name, left, right));
                }
            }
            Expression::Binary("-", left, right) if part.class().is_int() => {
                out.push(called("saturating_sub", left, right))
            }
            _ => {}
        }
        out
    })
}

fn is_unsigned(class: Class) -> bool {
    matches!(class, Class::Sized(Width { signed: false, .. }))
}

fn called(name: &str, left: &Expression, right: &Expression) -> Expression {
    Expression::Written {
        pieces: vec![String::new(), format!(".{name}("), ")".into()],
        operands: vec![left.clone(), right.clone()],
        class: left.class(),
        pure: true,
    }
}

/// The pieces of text that may stand in the place of one.
fn others(piece: &str) -> Vec<String> {
    match piece.trim() {
        ".." => return vec![piece.replace("..", "..=")],
        "..=" => return vec![piece.replace("..=", "..")],
        _ => {}
    }
    // `).name(`, on a line of its own or not.
    let Some((before, rest)) = piece.rsplit_once('.') else { return Vec::new() };
    let Some((name, behind)) = rest.split_once('(') else { return Vec::new() };
    let groups = GROUPS.iter().filter(|group| group.contains(&name)).flat_map(|group| group.iter());
    groups.filter(|other| **other != name).map(|other| format!("{before}.{other}({behind}")).collect()
}

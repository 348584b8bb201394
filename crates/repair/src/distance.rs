//! How far expressions are from each other.

use std::collections::HashMap;

use crate::expression::{COMPARISONS, Class, Expression, LOGIC};

/// Nothing kept of several parts is so much farther.
const LOST: u32 = 3;
/// A function that is called no more is so much farther.
const UNCALLED: u32 = 2;

/// How far an expression is from another one: what has to be changed, left out and added. What stands there is the closest thing
/// to what should, so that a change in one place costs less than others; a number that the function has nowhere costs more.
pub(crate) fn distance(from: &Expression, to: &Expression, constants: &[Expression]) -> u32 {
    Distances { constants, known: HashMap::new() }.between(from, to)
}

/// Distances between the parts of two expressions.
struct Distances<'a> {
    constants: &'a [Expression],
    /// By the addresses of the parts.
    known: HashMap<(*const Expression, *const Expression), u32>,
}

impl Distances<'_> {
    fn between(&mut self, from: &Expression, to: &Expression) -> u32 {
        let key = (std::ptr::from_ref(from), std::ptr::from_ref(to));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let distance = if from == to { 0 } else { self.least(from, to) };
        self.known.insert(key, distance);
        distance
    }

    fn least(&mut self, from: &Expression, to: &Expression) -> u32 {
        let (olds, news) = (from.operands(), to.operands());
        let numbers: u32 = numbers(to).into_iter().map(|number| self.fresh(number)).sum();
        // A number is rarely meant where a variable stands, nor a character for another number.
        let other_kind = is_variable(from) && is_number(to)
            || is_variable(from) && is_variable(to) && (from.class() == Class::Char) != (to.class() == Class::Char);
        let mut least = match (from, to) {
            // One more or less is the most usual mistake.
            (Expression::Number(one), Expression::Number(other)) if one.abs_diff(*other) == 1 => 1,
            _ => all(from).max(all(to)) + numbers + u32::from(other_kind),
        };
        if !olds.is_empty() && olds.len() == news.len() {
            let operands = olds.iter().zip(&news).map(|(old, new)| self.between(old, new)).sum::<u32>();
            least = least.min(between_operators(from, to) + operands);
        }
        // Something is added around what stands there.
        for (number, new) in news.iter().enumerate() {
            let others = news.iter().enumerate().filter(|(other, _)| *other != number);
            let others: u32 = others.map(|(_, other)| all(other) + self.fresh(other)).sum();
            if 1 + others < least {
                least = least.min(1 + others + self.between(from, new));
            }
        }
        // Something around it is left out.
        for (number, old) in olds.iter().enumerate() {
            let others = olds.iter().enumerate().filter(|(other, _)| *other != number);
            let others: u32 = others.map(|(_, other)| all(other)).sum();
            let others = others + if is_call(from) { UNCALLED } else { 0 };
            if 1 + others < least {
                least = least.min(1 + others + self.between(old, to));
            }
        }
        // Where nothing is kept of what was thought of, more than that has to be wrong.
        let kept = leaves(from) == [from] || leaves(from).iter().any(|leaf| leaves(to).contains(leaf));
        if kept { least } else { least + LOST }
    }

    fn fresh(&self, of: &Expression) -> u32 {
        // One more or less is the most usual mistake.
        u32::from(matches!(of, Expression::Number(number) if *number != 1) && !self.constants.contains(of))
    }
}

fn all(of: &Expression) -> u32 {
    2 * of.size() as u32
}

/// How far the outermost operators are from each other. Another comparison is nearer than another computation, another member of
/// the same structure nearer than anything else.
fn between_operators(from: &Expression, to: &Expression) -> u32 {
    match (from, to) {
        (Expression::Written { pieces: a, .. }, Expression::Written { pieces: b, .. }) => {
            match (from.member(), to.member()) {
                _ if a == b => 0,
                (Some(_), Some(_)) => 1,
                _ => 3,
            }
        }
        (Expression::Unary(a, _), Expression::Unary(b, _)) => u32::from(a != b),
        (Expression::Binary(a, ..), Expression::Binary(b, ..)) => match (*a, *b) {
            (a, b) if a == b => 0,
            ("+", "-") | ("-", "+") => 1,
            (a, b) if COMPARISONS.contains(&a) && COMPARISONS.contains(&b) => between_comparisons(a, b),
            (a, _) if LOGIC.contains(&a) => 1,
            _ => 3,
        },
        (Expression::Choice(..), Expression::Choice(..)) => 0,
        _ => all(from),
    }
}

/// How far two different comparisons are from each other: those nearest that differ only where both sides are equal, or are the opposite.
fn between_comparisons(from: &str, to: &str) -> u32 {
    let orders = |of: &str| of.starts_with(['<', '>']);
    match (from, to) {
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">") | ("==", "!=") | ("!=", "==") => 1,
        ("<", ">=") | (">=", "<") | (">", "<=") | ("<=", ">") => 3,
        (from, to) if orders(from) != orders(to) => 3,
        _ => 2,
    }
}

fn is_variable(of: &Expression) -> bool {
    matches!(of, Expression::Atom { constant: false, .. } | Expression::Written { .. })
}

fn is_number(of: &Expression) -> bool {
    matches!(of, Expression::Number(_) | Expression::Atom { constant: true, .. })
}

fn is_call(of: &Expression) -> bool {
    matches!(of, Expression::Written { pieces, .. } if pieces[0].len() > 1 && pieces[0].ends_with('('))
}

/// What operators compute with.
fn leaves(of: &Expression) -> Vec<&Expression> {
    match of {
        Expression::Atom { .. } | Expression::Number(_) | Expression::Written { .. } => vec![of],
        other => other.operands().into_iter().flat_map(leaves).collect(),
    }
}

/// The numbers in an expression.
fn numbers(of: &Expression) -> Vec<&Expression> {
    match of {
        Expression::Number(_) => vec![of],
        other => other.operands().into_iter().flat_map(numbers).collect(),
    }
}

//! What stands near a site, and beside what stands there.

use std::collections::HashSet;

use crate::candidates::shifted;
use crate::expression::Expression;
use crate::rearrange::everywhere;

/// What a function does not name is as far as what stands so many lines away.
pub(crate) const NOT_NAMED: u32 = 30;
/// What is a step away from what it names is so much farther.
pub(crate) const FARTHER: u32 = 4;
/// Of elements that stand at most so many lines away, those beside them are looked at.
pub(crate) const NEAR: u32 = 2;

/// The elements beside those in an expression.
pub(crate) fn neighbours(expression: &Expression) -> Vec<Expression> {
    everywhere(expression, &|part| {
        let Expression::Written { pieces, operands, .. } = part else { return Vec::new() };
        let is_index = |(at, operand): &(usize, &Expression)| {
            pieces[at + 1].starts_with(']') && operand.is_pure() && operand.class().is_int()
        };
        let indices = operands.iter().enumerate().filter(is_index);
        indices
            .flat_map(|(at, operand)| [1, -1].map(|by| part.with_operand(at, shifted(operand.clone(), by))))
            .flatten()
            .collect()
    })
}

/// Expressions by the lines that lie between, the nearest first, each once.
pub(crate) fn nearest(mut list: Vec<(u32, Expression)>) -> Vec<Expression> {
    list.sort_by_key(|(lines, _)| *lines);
    let mut texts = HashSet::new();
    list.into_iter().map(|(_, one)| one).filter(|one| texts.insert(one.text())).collect()
}

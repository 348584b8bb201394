//! What a search makes.

use crate::component::Operator;

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Made {
    /// An input, by its place.
    Input(usize),
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
    /// An operator and its operands.
    Of(Operator, Vec<Made>),
}

impl Made {
    /// How many operators and operands it has.
    pub fn size(&self) -> usize {
        match self {
            Made::Of(_, operands) => 1 + operands.iter().map(Made::size).sum::<usize>(),
            _ => 1,
        }
    }
}

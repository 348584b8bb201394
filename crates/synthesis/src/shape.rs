//! Which components are tried, in which order: the levels of SemFix (section 4.2, table 2), within a level the fewest first.

use crate::component::Component::{self, Bits, Choice, Comparison, Logic, Negation, Presence, Product, Sameness, Sum};
use crate::component::Kind;

/// Components that are put together, the outermost first, and how many constants there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// From 1.
    pub level: u8,
    /// The first one's result is the expression's.
    pub components: &'static [Component],
    /// Constants of any value.
    pub constants: usize,
}

const fn shape(level: u8, components: &'static [Component], constants: usize) -> Shape {
    Shape { level, components, constants }
}

/// For a condition.
const CONDITIONS: &[Shape] = &[
    shape(1, &[], 0),
    shape(2, &[Presence], 0),
    shape(2, &[Negation], 0),
    shape(2, &[Comparison], 0),
    shape(2, &[Comparison], 1),
    shape(2, &[Sameness], 0),
    shape(2, &[Negation, Presence], 0),
    shape(3, &[Logic], 0),
    shape(3, &[Logic, Presence], 0),
    shape(3, &[Logic, Negation], 0),
    shape(3, &[Logic, Comparison], 0),
    shape(3, &[Logic, Comparison], 1),
    shape(3, &[Logic, Negation, Presence], 0),
    shape(3, &[Logic, Comparison, Comparison], 1),
    shape(4, &[Comparison, Sum], 0),
    shape(4, &[Comparison, Sum], 1),
    shape(4, &[Logic, Comparison, Sum], 1),
    shape(4, &[Comparison, Sum, Sum], 1),
    shape(6, &[Comparison, Product], 1),
    shape(6, &[Comparison, Bits], 1),
];

/// For a number.
const NUMBERS: &[Shape] = &[
    shape(1, &[], 0),
    shape(1, &[], 1),
    shape(2, &[Sum], 0),
    shape(2, &[Sum], 1),
    shape(2, &[Sum, Sum], 0),
    shape(2, &[Sum, Sum], 1),
    shape(3, &[Choice, Comparison], 1),
    shape(3, &[Choice, Comparison], 2),
    shape(3, &[Choice, Comparison, Sum], 1),
    shape(6, &[Product], 0),
    shape(6, &[Product], 1),
    shape(6, &[Bits], 1),
    shape(6, &[Sum, Product], 1),
    shape(6, &[Product, Sum], 1),
];

/// For a pointer: another one.
const ADDRESSES: &[Shape] = &[shape(1, &[], 0)];

/// What is tried for a result.
pub fn shapes(result: Kind) -> &'static [Shape] {
    match result {
        Kind::Truth => CONDITIONS,
        Kind::Number => NUMBERS,
        Kind::Address => ADDRESSES,
    }
}

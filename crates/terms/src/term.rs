//! Terms and their shapes.

use std::num::NonZeroU32;

use crate::{Format, Rounding};

/// A term of a [`Pool`](crate::Pool): equal terms of one pool are the same formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(NonZeroU32);

impl Term {
    /// Its number in the pool, from 0. The operands of a term have smaller numbers than the term.
    #[inline]
    pub fn index(self) -> u32 {
        self.0.get() - 1
    }

    /// The term with a number that [`Term::index`] gave. The pool that it belongs to is the caller's knowledge.
    ///
    /// # Panics
    /// For `u32::MAX`, which is no term's number.
    #[inline]
    pub fn from_index(index: u32) -> Self {
        Self(NonZeroU32::MIN.checked_add(index).expect("the number of a term is below u32::MAX"))
    }
}

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// So many bits, 1 to 128. A float is the bits of its layout.
    BitVec(u32),
}

impl Sort {
    /// Bits; 1 for a truth value.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
        }
    }
}

/// Operations on two bit-vectors of one width, giving that width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BvOp {
    /// Sum, modulo.
    Add,
    /// Difference, modulo.
    Sub,
    /// Product, modulo.
    Mul,
    /// Unsigned quotient; all ones when dividing by zero.
    UDiv,
    /// Signed quotient toward zero; when dividing by zero 1 for a negative dividend and all ones otherwise.
    SDiv,
    /// Unsigned remainder; the dividend when dividing by zero.
    URem,
    /// Signed remainder with the dividend's sign; the dividend when dividing by zero.
    SRem,
    /// Shift left; zero from the width on.
    Shl,
    /// Logical shift right; zero from the width on.
    LShr,
    /// Arithmetic shift right; copies of the sign from the width on.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl BvOp {
    /// All of them.
    pub const ALL: [BvOp; 13] = [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::UDiv,
        BvOp::SDiv,
        BvOp::URem,
        BvOp::SRem,
        BvOp::Shl,
        BvOp::LShr,
        BvOp::AShr,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
    ];
}

/// Comparisons of bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compare {
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
}

/// Operations on two floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`: exact, with the dividend's sign.
    Rem,
    /// The second operand when it is less or the first is a NaN, else the first. No node: built from a comparison.
    Min,
    /// The second operand when it is greater or the first is a NaN, else the first. No node: built from a comparison.
    Max,
}

/// Operations on one float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatUnary {
    /// The other sign, also of a NaN. Built from bits: a node only in what [`Native`](crate::Native) prepares.
    Neg,
    /// Without sign, also of a NaN. Built from bits: a node only in what [`Native`](crate::Native) prepares.
    Abs,
    /// Square root.
    Sqrt,
    /// To an integer, down.
    Floor,
    /// To an integer, up.
    Ceil,
    /// To an integer, toward zero.
    Trunc,
    /// To the nearest integer, ties to even.
    Rint,
    /// To the nearest integer, ties away from zero.
    Round,
}

/// Ordered comparisons of floats: false when one is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatCompare {
    /// Equal; zeros of either sign are.
    Eq,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// The value of a constant, kept in a form that does not widen [`Node`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value([u32; 4]);

impl Value {
    pub(crate) fn new(value: u128) -> Self {
        Self([value as u32, (value >> 32) as u32, (value >> 64) as u32, (value >> 96) as u32])
    }

    /// As a number.
    #[inline]
    pub fn get(self) -> u128 {
        let [a, b, c, d] = self.0.map(u128::from);
        a | b << 32 | c << 64 | d << 96
    }
}

/// The shape of a term. Many operations have no shape of their own, since they are built from these: `or` from `and` and
/// `not`, "less or equal" from "less", zero extension from concatenation, shifts by constants from extraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A variable; its number among the variables.
    Variable(u32),
    /// A truth value.
    Bool(bool),
    /// A bit-vector of a width.
    Constant(u8, Value),
    /// Negation of a truth value, or of every bit.
    Not(Term),
    /// Conjunction of truth values.
    And(Term, Term),
    /// Equality of two terms of one sort.
    Eq(Term, Term),
    /// The second operand where the first holds, else the third.
    Ite(Term, Term, Term),
    /// An operation on bit-vectors. A constant operand of a commutative one is the second. `0 - x` is negation.
    Bv(BvOp, Term, Term),
    /// Unsigned less.
    Ult(Term, Term),
    /// Signed less.
    Slt(Term, Term),
    /// `width` bits of a term from bit `low` on.
    Extract {
        /// The lowest bit, from 0.
        low: u8,
        /// How many.
        width: u8,
        /// Of what.
        of: Term,
    },
    /// The first operand's bits above the second's. Nests to the right: the first is never a concatenation.
    Concat(Term, Term),
    /// Sign extension to a width.
    Sext(u8, Term),
    /// A float operation: `Add` to `Rem`.
    Float(FloatOp, Format, Rounding, Term, Term),
    /// A float operation, most often `Sqrt` to `Round`; only `Sqrt` has a rounding that matters.
    FloatUnary(FloatUnary, Format, Rounding, Term),
    /// The first operand times the second plus the third, rounded once.
    Fma(Format, Rounding, [Term; 3]),
    /// A comparison of floats.
    FloatCompare(FloatCompare, Format, Term, Term),
    /// Whether a float is a NaN.
    IsNan(Format, Term),
    /// From the first format to the second.
    FloatConvert(Format, Format, Rounding, Term),
    /// A float truncated to an integer. See [`Pool::float_to_int`](crate::Pool::float_to_int).
    FloatToInt {
        /// The float's format.
        format: Format,
        /// Whether the integer has a sign.
        signed: bool,
        /// The integer's bits.
        width: u8,
        /// The float.
        of: Term,
    },
    /// An integer as a float.
    IntToFloat {
        /// The float's format.
        format: Format,
        /// Whether the integer has a sign.
        signed: bool,
        /// How to round.
        rounding: Rounding,
        /// The integer.
        of: Term,
    },
}

impl Node {
    /// Its operands in order, up to three.
    #[inline]
    pub fn operands(&self) -> Operands {
        let (terms, length) = match *self {
            Node::Variable(_) | Node::Bool(_) | Node::Constant(..) => ([None; 3], 0),
            Node::Not(a)
            | Node::Extract { of: a, .. }
            | Node::Sext(_, a)
            | Node::FloatUnary(_, _, _, a)
            | Node::IsNan(_, a)
            | Node::FloatConvert(_, _, _, a)
            | Node::FloatToInt { of: a, .. }
            | Node::IntToFloat { of: a, .. } => ([Some(a), None, None], 1),
            Node::And(a, b)
            | Node::Eq(a, b)
            | Node::Bv(_, a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Concat(a, b)
            | Node::Float(_, _, _, a, b)
            | Node::FloatCompare(_, _, a, b) => ([Some(a), Some(b), None], 2),
            Node::Ite(a, b, c) | Node::Fma(_, _, [a, b, c]) => ([Some(a), Some(b), Some(c)], 3),
        };
        Operands { terms, next: 0, length }
    }

    /// Whether it is a float operation, a comparison or a conversion.
    pub fn is_float(&self) -> bool {
        self.formats()[0].is_some()
    }

    /// The formats that a float operation has to do with, the first one first.
    pub fn formats(&self) -> [Option<Format>; 2] {
        match *self {
            Node::FloatConvert(from, to, ..) => [Some(from), Some(to)],
            Node::Float(_, format, ..)
            | Node::FloatUnary(_, format, ..)
            | Node::Fma(format, ..)
            | Node::FloatCompare(_, format, ..)
            | Node::IsNan(format, _)
            | Node::FloatToInt { format, .. }
            | Node::IntToFloat { format, .. } => [Some(format), None],
            _ => [None; 2],
        }
    }
}

/// The operands of a [`Node`].
#[derive(Clone, Debug)]
pub struct Operands {
    terms: [Option<Term>; 3],
    next: u8,
    length: u8,
}

impl Iterator for Operands {
    type Item = Term;

    #[inline]
    fn next(&mut self) -> Option<Term> {
        let term = *self.terms.get(usize::from(self.next))?;
        self.next += 1;
        term
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.length.saturating_sub(self.next));
        (left, Some(left))
    }
}

impl ExactSizeIterator for Operands {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_nodes_are_small() {
        assert_eq!(size_of::<Option<Term>>(), 4);
        assert!(size_of::<Node>() <= 20, "{}", size_of::<Node>());
        assert_eq!(Term::from_index(7).index(), 7);
    }
}

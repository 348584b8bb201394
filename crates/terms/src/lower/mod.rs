//! Floats as bits: every float operation replaced by operations on bit-vectors, exact for every format and rounding.
//!
//! The way is that of unpacking, computing exactly on wider significands and rounding once (Brain, Schanda and Sun,
//! "Building Better Bit-Blasting for Floating-Point Problems", TACAS 2019). NaNs come out bit by bit as evaluation has
//! them.

mod arithmetic;
mod convert;
mod pack;
mod remainder;

use crate::{Compare, FloatOp, FloatUnary, Format, Node, Pool, Rounding, Term, TermMap};

/// A float operation that is not lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LowerError {
    /// The remainder of x87 floats: exponents can be 2^15 apart, and each bit is a subtraction.
    #[error("the remainder of x87 extended floats cannot be expressed in bits")]
    ExtendedRemainder,
    /// The fused operation on x87 floats, whose exact sum is wider than the widest bit-vector.
    #[error("the fused multiply-add of x87 extended floats cannot be expressed in bits")]
    ExtendedFma,
}

/// `term` without float operations. See [`Lowering`] for many terms.
pub fn lower_floats(pool: &mut Pool, term: Term) -> Result<Term, LowerError> {
    Lowering::new().lower(pool, term)
}

/// Lowers terms of one pool, each once.
#[derive(Clone, Debug)]
pub struct Lowering {
    lowered: TermMap<Term>,
    formats: Vec<Format>,
}

impl Default for Lowering {
    fn default() -> Self {
        Self::new()
    }
}

impl Lowering {
    /// One that has lowered nothing.
    pub fn new() -> Self {
        Self::of(&Format::ALL)
    }

    /// One that lowers only operations that have to do with some formats.
    pub fn of(formats: &[Format]) -> Self {
        Self { lowered: TermMap::new(), formats: formats.to_vec() }
    }

    /// The formats whose operations it lowers.
    pub fn formats(&self) -> &[Format] {
        &self.formats
    }

    /// `term` without float operations of the formats, over the same variables.
    pub fn lower(&mut self, pool: &mut Pool, term: Term) -> Result<Term, LowerError> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let before = open.len();
            if !self.lowered.contains(next) {
                let node = *pool.node(next);
                open.extend(node.operands().filter(|operand| !self.lowered.contains(*operand)));
                if open.len() > before {
                    continue;
                }
                let mut changed = false;
                let mut operands = [next; 3];
                for (at, operand) in node.operands().enumerate() {
                    operands[at] = self.lowered.get(operand).unwrap_or(operand);
                    changed |= operands[at] != operand;
                }
                let lowered = if node.formats().into_iter().flatten().any(|format| self.formats.contains(&format)) {
                    pool.lowered(&node, operands)?
                } else if changed {
                    pool.rebuilt(&node, operands)
                } else {
                    next
                };
                self.lowered.insert(next, lowered);
            }
            open.pop();
        }
        Ok(self.lowered.get(term).unwrap_or(term))
    }
}

/// The sign of bits of a float as a truth value, and the bits below it.
pub(crate) fn sign_and_rest(pool: &mut Pool, bits: Term) -> (Term, Term) {
    let top = pool.width(bits) - 1;
    (pool.bit(bits, top), pool.extract(bits, 0, top))
}

/// How to round an exact result to the next value of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    By(Rounding),
    /// To the nearest, ties away from zero.
    Away,
}

impl Pool {
    /// A shape over other operands.
    pub(crate) fn rebuilt(&mut self, node: &Node, [a, b, c]: [Term; 3]) -> Term {
        match *node {
            Node::Not(_) if self.is_bool(a) => self.not(a),
            Node::Not(_) => self.bvnot(a),
            Node::And(..) => self.and(a, b),
            Node::Eq(..) => self.eq(a, b),
            Node::Ite(..) => self.ite(a, b, c),
            Node::Bv(op, ..) => self.bv(op, a, b),
            Node::Ult(..) => self.compare(Compare::Ult, a, b),
            Node::Slt(..) => self.compare(Compare::Slt, a, b),
            Node::Extract { low, width, .. } => self.extract(a, low.into(), width.into()),
            Node::Concat(..) => self.concat(a, b),
            Node::Sext(width, _) => self.sext(a, width.into()),
            Node::Float(op, format, rounding, ..) => self.float(op, format, a, b, rounding),
            Node::FloatUnary(op, format, rounding, _) => self.float_unary(op, format, a, rounding),
            Node::Fma(format, rounding, _) => self.fma(format, a, b, c, rounding),
            Node::FloatCompare(compare, format, ..) => self.float_compare(compare, format, a, b),
            Node::IsNan(format, _) => self.is_nan(format, a),
            Node::FloatConvert(from, to, rounding, _) => self.float_convert(from, to, a, rounding),
            Node::FloatToInt { format, signed, width, .. } => self.float_to_int(format, a, signed, width.into()),
            Node::IntToFloat { format, signed, rounding, .. } => self.int_to_float(format, a, signed, rounding),
            // Without operands.
            Node::Variable(_) | Node::Bool(_) | Node::Constant(..) => a,
        }
    }

    /// The NaN that a float operation gives, by its operands' bits.
    pub(crate) fn nan_result(&mut self, node: &Node, operands: &[Term]) -> Term {
        match *node {
            Node::FloatConvert(from, to, ..) => self.converted_nan(from, to, operands[0]),
            Node::Float(_, format, ..) | Node::FloatUnary(_, format, ..) | Node::Fma(format, ..) => {
                let operands: Vec<_> =
                    operands.iter().map(|operand| (*operand, self.unpack(format, *operand))).collect();
                self.nan_of(format, &operands)
            }
            _ => operands[0],
        }
    }

    /// The shape of a term over lowered operands.
    fn lowered(&mut self, node: &Node, [a, b, c]: [Term; 3]) -> Result<Term, LowerError> {
        Ok(match *node {
            Node::Float(op, format, rounding, ..) => match op {
                FloatOp::Add => self.lower_add(format, rounding, a, b, false),
                FloatOp::Sub => self.lower_add(format, rounding, a, b, true),
                FloatOp::Mul => self.lower_mul(format, rounding, a, b),
                FloatOp::Div => self.lower_div(format, rounding, a, b),
                FloatOp::Rem if format == Format::Extended => return Err(LowerError::ExtendedRemainder),
                FloatOp::Rem => self.lower_rem(format, a, b),
                FloatOp::Min | FloatOp::Max => self.float(op, format, a, b, rounding),
            },
            Node::FloatUnary(op, format, rounding, _) => match op {
                FloatUnary::Sqrt => self.lower_sqrt(format, rounding, a),
                FloatUnary::Floor => self.lower_to_integral(format, Mode::By(Rounding::Down), a),
                FloatUnary::Ceil => self.lower_to_integral(format, Mode::By(Rounding::Up), a),
                FloatUnary::Trunc => self.lower_to_integral(format, Mode::By(Rounding::Zero), a),
                FloatUnary::Rint => self.lower_to_integral(format, Mode::By(Rounding::NearestEven), a),
                FloatUnary::Round => self.lower_to_integral(format, Mode::Away, a),
                FloatUnary::Neg | FloatUnary::Abs => self.float_unary(op, format, a, rounding),
            },
            Node::Fma(Format::Extended, ..) => return Err(LowerError::ExtendedFma),
            Node::Fma(format, rounding, _) => self.lower_fma(format, rounding, [a, b, c]),
            Node::FloatCompare(compare, format, ..) => self.lower_compare(compare, format, a, b),
            Node::IsNan(format, _) => self.unpack(format, a).nan,
            Node::FloatConvert(from, to, rounding, _) => self.lower_convert(from, to, rounding, a),
            Node::FloatToInt { format, signed, width, .. } => self.lower_to_int(format, signed, width.into(), a),
            Node::IntToFloat { format, signed, rounding, .. } => self.lower_from_int(format, signed, rounding, a),
            _ => self.rebuilt(node, [a, b, c]),
        })
    }
}

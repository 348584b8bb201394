//! C's `fmod`: a subtraction for each place that the exponents can be apart.

use super::pack::exponent_width;
use crate::{BvOp, Compare, Format, Pool, Rounding, Term};

impl Pool {
    pub(super) fn lower_rem(&mut self, format: Format, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let (p, width) = (format.significand_bits(), exponent_width(format));
        // Long division of x's significand by y's: while the exponents are apart, subtract if it goes and double.
        let most = 2 * format.bias() + p as i32;
        let divisor = self.zext(y.significand, p + 1);
        let mut rest = self.zext(x.significand, p + 1);
        let distance = self.bv(BvOp::Sub, x.exponent, y.exponent);
        let zero = self.constant(width, 0);
        let below = self.compare(Compare::Slt, distance, zero);
        for step in (0..most).rev() {
            // Steps are counted down, so that the last one stands under the lowest place for all distances.
            let step_constant = self.signed_constant(width, step);
            let counts = self.compare(Compare::Sle, step_constant, distance);
            let less = self.compare(Compare::Ult, rest, divisor);
            let difference = self.bv(BvOp::Sub, rest, divisor);
            let reduced = self.ite(less, rest, difference);
            let next = if step > 0 { self.shifted(BvOp::Shl, reduced, 1) } else { reduced };
            rest = self.ite(counts, next, rest);
        }
        // The rest stands over y's exponent.
        let rest = self.truncate(rest, p);
        let some = self.to_bool(rest);
        let (significand, zeros) = self.normalised(rest);
        let zeros = self.zext(zeros, width);
        let exponent = self.bv(BvOp::Sub, y.exponent, zeros);
        let falsity = self.falsity();
        // Exact: no place is lost.
        let rounded = self.rounded(format, Rounding::Zero, x.sign, exponent, significand, falsity);
        let nothing = self.signed_zero(format, x.sign);
        let result = self.ite(some, rounded, nothing);

        let unchanged = self.any(&[below, x.zero, y.infinite]);
        let result = self.ite(unchanged, a, result);
        let nan = self.any(&[x.nan, y.nan, x.infinite, y.zero]);
        let nan_result = self.nan_of(format, &[(a, x), (b, y)]);
        self.ite(nan, nan_result, result)
    }
}

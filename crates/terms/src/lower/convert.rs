//! Comparisons, conversions and rounding to integers.

use super::Mode;
use super::pack::{bits_of, exponent_width};
use crate::{BvOp, Compare, FloatCompare, Format, Pool, Rounding, Term};

impl Pool {
    pub(super) fn lower_compare(&mut self, compare: FloatCompare, format: Format, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let (left, right) = (self.magnitude(format, a), self.magnitude(format, b));
        let nan = self.or(x.nan, y.nan);
        let ordered = self.not(nan);
        let zeros = self.and(x.zero, y.zero);
        let same_magnitude = self.eq(left, right);
        let same_sign = self.iff(x.sign, y.sign);
        let same = self.and(same_magnitude, same_sign);
        let equal = self.or(zeros, same);
        let (below, above) = (self.compare(Compare::Ult, left, right), self.compare(Compare::Ult, right, left));
        let not_zeros = self.not(zeros);
        let right_negative = self.falsity();
        let negative = self.ite(y.sign, above, not_zeros);
        let positive = self.ite(y.sign, right_negative, below);
        let less = self.ite(x.sign, negative, positive);
        let result = match compare {
            FloatCompare::Eq => equal,
            FloatCompare::Lt => less,
            FloatCompare::Le => self.or(less, equal),
        };
        self.and(ordered, result)
    }

    /// Bits without sign that order as the numbers do.
    fn magnitude(&mut self, format: Format, a: Term) -> Term {
        let rest = self.extract(a, 0, format.width() - 1);
        if format != Format::Extended {
            return rest;
        }
        // An integer bit over the exponent 0 is worth what it is over 1.
        let field = self.extract(rest, 64, 15);
        let some = self.to_bool(field);
        let integer = self.extract(rest, 63, 1);
        let integer = self.zext(integer, 15);
        let field = self.ite(some, field, integer);
        let low = self.extract(rest, 0, 64);
        self.concat(field, low)
    }

    pub(super) fn lower_convert(&mut self, from: Format, to: Format, rounding: Rounding, a: Term) -> Term {
        let wider = to.exponent_bits() > from.exponent_bits();
        let x = if wider { self.unpack_normal(from, a) } else { self.unpack(from, a) };
        let finite = if wider {
            // Exact: every number is normal in the wider format.
            let width = exponent_width(to);
            let exponent = self.sext(x.exponent, width);
            let bias = self.constant(width, bits_of(to.bias()));
            let field = self.bv(BvOp::Add, exponent, bias);
            let field = self.truncate(field, to.exponent_bits());
            let fraction = self.truncate(x.significand, from.significand_bits() - 1);
            let places = self.constant(to.significand_bits() - from.significand_bits(), 0);
            let fraction = self.concat(fraction, places);
            let magnitude = self.concat(field, fraction);
            self.assembled(to, x.sign, magnitude)
        } else {
            let falsity = self.falsity();
            self.rounded(to, rounding, x.sign, x.exponent, x.significand, falsity)
        };
        let zero = self.signed_zero(to, x.sign);
        let infinity = self.signed_infinity(to, x.sign);
        let nan = self.converted_nan(from, to, a);
        let result = self.ite(x.zero, zero, finite);
        let result = self.ite(x.infinite, infinity, result);
        self.ite(x.nan, nan, result)
    }

    /// The NaN that a NaN becomes in another format.
    pub(super) fn converted_nan(&mut self, from: Format, to: Format, a: Term) -> Term {
        let (p, q) = (from.significand_bits() - 1, to.significand_bits() - 1);
        let payload = if q >= p {
            let payload = self.extract(a, 0, p);
            let places = self.constant(q - p, 0);
            self.concat(payload, places)
        } else {
            self.extract(a, p - q, q)
        };
        let sign = self.extract(a, from.width() - 1, 1);
        let rest = self.zext(payload, to.width() - 1);
        let fixed = self.constant(to.width() - 1, to.infinity() | to.quiet());
        let rest = self.bv(BvOp::Or, rest, fixed);
        self.concat(sign, rest)
    }

    pub(super) fn lower_to_integral(&mut self, format: Format, mode: Mode, a: Term) -> Term {
        let x = self.unpack(format, a);
        let (p, width) = (format.significand_bits(), exponent_width(format));
        let zero = self.constant(width, 0);
        let small = self.compare(Compare::Slt, x.exponent, zero);
        let last = self.constant(width, u128::from(p - 1));
        let integral = self.compare(Compare::Sle, last, x.exponent);

        // From 1 on: the places of the fraction that are below the point, as a mask. Exponent and fraction in one take the
        // carry; over the exponent 0 the last place is the lowest bit of the biased exponent, which is odd there as 1 is.
        let fraction = self.truncate(x.significand, p - 1);
        let field = self.extract(a, format.stored_bits(), format.exponent_bits());
        let magnitude = self.concat(field, fraction);
        let size = self.width(magnitude);
        let ones = self.constant(p, u128::MAX >> (128 - (p - 1)));
        let amount = self.resized(x.exponent, p);
        let mask = self.bv(BvOp::LShr, ones, amount);
        let lowest = self.constant(p, 1);
        let unit = self.bv(BvOp::Add, mask, lowest);
        let half = self.shifted(BvOp::LShr, unit, 1);
        let below_half = self.shifted(BvOp::LShr, mask, 1);
        let (mask, unit) = (self.zext(mask, size), self.zext(unit, size));
        let (half, below_half) = (self.zext(half, size), self.zext(below_half, size));
        let mut any = |bits: Term| {
            let common = self.bv(BvOp::And, magnitude, bits);
            self.to_bool(common)
        };
        let (last, half, more) = (any(unit), any(half), any(below_half));
        let up = self.goes_up(mode, x.sign, last, half, more);
        let kept = self.bvnot(mask);
        let down = self.bv(BvOp::And, magnitude, kept);
        let next = self.bv(BvOp::Add, down, unit);
        let magnitude = self.ite(up, next, down);
        let large = self.assembled(format, x.sign, magnitude);

        // Below 1: zero or one.
        let minus_one = self.constant(width, u128::MAX);
        let near = self.eq(x.exponent, minus_one);
        let some = self.not(x.zero);
        let rest = self.to_bool(fraction);
        let far = self.not(near);
        let more = self.or(rest, far);
        let more = self.and(more, some);
        let even = self.falsity();
        let up = self.goes_up(mode, x.sign, even, near, more);
        let nothing = self.constant(size, 0);
        let one = self.constant(size, u128::from(format.bias() as u32) << (p - 1));
        let magnitude = self.ite(up, one, nothing);
        let little = self.assembled(format, x.sign, magnitude);

        let result = self.ite(small, little, large);
        let same = self.or(integral, x.infinite);
        let result = self.ite(same, a, result);
        let nan = self.nan_of(format, &[(a, x)]);
        self.ite(x.nan, nan, result)
    }

    /// A number that is not negative in another width that holds it.
    fn resized(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) > width { self.truncate(a, width) } else { self.zext(a, width) }
    }

    pub(super) fn lower_to_int(&mut self, format: Format, signed: bool, width: u32, a: Term) -> Term {
        let x = self.unpack(format, a);
        let (p, exponents) = (format.significand_bits(), exponent_width(format));
        let zero = self.constant(exponents, 0);
        let small = self.compare(Compare::Slt, x.exponent, zero);
        // Right shifts for what has a fraction.
        let last = self.constant(exponents, u128::from(p - 1));
        let distance = self.bv(BvOp::Sub, last, x.exponent);
        let size = p.max(width);
        let amount = self.resized(distance, size.max(exponents));
        let significand = self.zext(x.significand, self.width(amount));
        let mut integer = self.bv(BvOp::LShr, significand, amount);
        if width > p {
            let high = self.compare(Compare::Slt, last, x.exponent);
            let distance = self.bv(BvOp::Sub, x.exponent, last);
            let amount = self.resized(distance, self.width(integer));
            let shifted = self.bv(BvOp::Shl, significand, amount);
            integer = self.ite(high, shifted, integer);
        }
        let integer = self.truncate(integer, width);
        let nothing = self.constant(width, 0);
        let magnitude = self.ite(small, nothing, integer);
        let negative = self.neg(magnitude);

        let failure = self.constant(width, 1 << (width - 1));
        let special = self.or(x.nan, x.infinite);
        let finite = self.not(special);
        let mut below = |bits: u32| {
            let bound = self.constant(exponents, u128::from(bits));
            self.compare(Compare::Slt, x.exponent, bound)
        };
        let (fits_signed, fits) = (below(width - 1), below(width));
        let signed_result = self.ite(x.sign, negative, magnitude);
        let valid = self.and(finite, fits_signed);
        let signed_result = self.ite(valid, signed_result, failure);
        if signed {
            return signed_result;
        }
        let valid = self.and(finite, fits);
        if width == 64 && format != Format::Extended {
            // As compilers make it of two signed conversions.
            let positive = self.ite(valid, magnitude, nothing);
            let by_sign = self.or(x.sign, x.nan);
            return self.ite(by_sign, signed_result, positive);
        }
        let positive = self.not(x.sign);
        let positive = self.or(positive, small);
        let valid = self.and(valid, positive);
        self.ite(valid, magnitude, failure)
    }

    pub(super) fn lower_from_int(&mut self, format: Format, signed: bool, rounding: Rounding, a: Term) -> Term {
        let size = self.width(a);
        let sign = if signed { self.bit(a, size - 1) } else { self.falsity() };
        let negative = self.neg(a);
        let magnitude = self.ite(sign, negative, a);
        let some = self.to_bool(magnitude);
        let (significand, zeros) = self.normalised(magnitude);
        let width = exponent_width(format);
        let top = self.signed_constant(width, size as i32 - 1);
        let zeros = self.zext(zeros, width);
        let exponent = self.bv(BvOp::Sub, top, zeros);
        let falsity = self.falsity();
        let rounded = self.rounded(format, rounding, sign, exponent, significand, falsity);
        let zero = self.constant(format.width(), 0);
        self.ite(some, rounded, zero)
    }
}

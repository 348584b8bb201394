//! Sum, product, quotient, square root and the fused operation.

use super::pack::{Unpacked, bits_of, exponent_width};
use crate::{BvOp, Compare, Format, Pool, Rounding, Term};

/// A finite number: significand over exponent, the highest bit of the significand worth 2^exponent.
#[derive(Clone, Copy)]
struct Number {
    sign: Term,
    exponent: Term,
    significand: Term,
}

impl Pool {
    pub(super) fn lower_add(&mut self, format: Format, rounding: Rounding, a: Term, b: Term, subtract: bool) -> Term {
        let (x, mut y) = (self.unpack(format, a), self.unpack(format, b));
        if subtract {
            y.sign = self.not(y.sign);
        }
        let number =
            |parts: Unpacked| Number { sign: parts.sign, exponent: parts.exponent, significand: parts.significand };
        let sum = self.sum_of_numbers(format, rounding, number(x), number(y));

        let opposite = self.xor(x.sign, y.sign);
        let both = self.and(x.infinite, y.infinite);
        let invalid = self.and(both, opposite);
        let nan = self.any(&[x.nan, y.nan, invalid]);
        let nan_result = self.nan_of(format, &[(a, x), (b, y)]);
        let infinite = self.or(x.infinite, y.infinite);
        let sign = self.ite(x.infinite, x.sign, y.sign);
        let infinity = self.signed_infinity(format, sign);
        let result = self.ite(infinite, infinity, sum);
        self.ite(nan, nan_result, result)
    }

    /// The rounded sum of two numbers with significands of one width, at least the format's. They need not be normalised,
    /// but the one with the larger exponent must not be the smaller number, unless it is zero.
    fn sum_of_numbers(&mut self, format: Format, rounding: Rounding, x: Number, y: Number) -> Term {
        let size = self.width(x.significand);
        let width = self.width(x.exponent);
        // The larger first; zeros of any exponent are the smallest.
        let lower = self.compare(Compare::Slt, x.exponent, y.exponent);
        let level = self.eq(x.exponent, y.exponent);
        let less = self.compare(Compare::Ult, x.significand, y.significand);
        let level_less = self.and(level, less);
        let less = self.or(lower, level_less);
        let (some_x, some_y) = (self.to_bool(x.significand), self.to_bool(y.significand));
        let no_x = self.not(some_x);
        let less = self.or(no_x, less);
        let swap = self.and(some_y, less);
        let mut pick = |a: Term, b: Term| (self.ite(swap, b, a), self.ite(swap, a, b));
        let (large_exponent, small_exponent) = pick(x.exponent, y.exponent);
        let (large, small) = pick(x.significand, y.significand);
        let (large_sign, _) = pick(x.sign, y.sign);

        // Two more places and what is beyond them keep the rounding exact; a carry needs one above.
        let distance = self.bv(BvOp::Sub, large_exponent, small_exponent);
        let places = self.constant(2, 0);
        let small = self.concat(small, places);
        let (small, lost) = self.shifted_right(small, distance);
        let lost_bit = self.from_bool(lost);
        let small = self.concat(small, lost_bit);
        let places = self.constant(3, 0);
        let large = self.concat(large, places);
        let (small, large) = (self.zext(small, size + 4), self.zext(large, size + 4));
        let opposite = self.xor(x.sign, y.sign);
        let ones = self.bvnot(small);
        let addend = self.ite(opposite, ones, small);
        // The carry that completes a negation comes in through one place below.
        let (carry, one) = (self.from_bool(opposite), self.constant(1, 1));
        let (addend, large) = (self.concat(addend, carry), self.concat(large, one));
        let sum = self.bv(BvOp::Add, large, addend);
        let sum = self.extract(sum, 1, size + 4);

        let some = self.to_bool(sum);
        let (significand, zeros) = self.normalised(sum);
        let zeros = self.zext(zeros, width);
        let one = self.constant(width, 1);
        let exponent = self.bv(BvOp::Add, large_exponent, one);
        let exponent = self.bv(BvOp::Sub, exponent, zeros);
        let falsity = self.falsity();
        let rounded = self.rounded(format, rounding, large_sign, exponent, significand, falsity);
        // What cancels out is a positive zero, rounding down a negative one; zeros of one sign keep it.
        let cancelled = self.bool(rounding == Rounding::Down);
        let zero_sign = self.ite(opposite, cancelled, x.sign);
        let zero = self.signed_zero(format, zero_sign);
        self.ite(some, rounded, zero)
    }

    pub(super) fn lower_mul(&mut self, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let product = self.exact_product(x, y);
        let falsity = self.falsity();
        let rounded = self.rounded(format, rounding, product.sign, product.exponent, product.significand, falsity);

        let zero = self.or(x.zero, y.zero);
        let infinite = self.or(x.infinite, y.infinite);
        let invalid = self.and(zero, infinite);
        let nan = self.any(&[x.nan, y.nan, invalid]);
        let nan_result = self.nan_of(format, &[(a, x), (b, y)]);
        let infinity = self.signed_infinity(format, product.sign);
        let nothing = self.signed_zero(format, product.sign);
        let result = self.ite(zero, nothing, rounded);
        let result = self.ite(infinite, infinity, result);
        self.ite(nan, nan_result, result)
    }

    /// The product of normalised numbers, normalised, of twice the width.
    fn exact_product(&mut self, x: Unpacked, y: Unpacked) -> Number {
        let p = x.format.significand_bits();
        let width = exponent_width(x.format);
        let (left, right) = (self.zext(x.significand, 2 * p), self.zext(y.significand, 2 * p));
        let product = self.bv(BvOp::Mul, left, right);
        // Between 1 and 4.
        let high = self.bit(product, 2 * p - 1);
        let shifted = self.shifted(BvOp::Shl, product, 1);
        let significand = self.ite(high, product, shifted);
        let sum = self.bv(BvOp::Add, x.exponent, y.exponent);
        let carry = self.from_bool(high);
        let carry = self.zext(carry, width);
        let exponent = self.bv(BvOp::Add, sum, carry);
        Number { sign: self.xor(x.sign, y.sign), exponent, significand }
    }

    pub(super) fn lower_div(&mut self, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let (p, width) = (format.significand_bits(), exponent_width(format));
        let sign = self.xor(x.sign, y.sign);
        // Digit by digit: the integer digit, those of the result and one more; then whether anything is left.
        let divisor = self.zext(y.significand, p + 1);
        let mut rest = self.zext(x.significand, p + 1);
        let mut quotient: Option<Term> = None;
        for _ in 0..p + 2 {
            let less = self.compare(Compare::Ult, rest, divisor);
            let digit = self.not(less);
            let difference = self.bv(BvOp::Sub, rest, divisor);
            rest = self.ite(less, rest, difference);
            rest = self.shifted(BvOp::Shl, rest, 1);
            let digit = self.from_bool(digit);
            quotient = Some(match quotient {
                Some(high) => self.concat(high, digit),
                None => digit,
            });
        }
        let quotient = quotient.unwrap_or(divisor);
        let more = self.to_bool(rest);
        // Between 1/2 and 2.
        let high = self.bit(quotient, p + 1);
        let shifted = self.shifted(BvOp::Shl, quotient, 1);
        let significand = self.ite(high, quotient, shifted);
        let difference = self.bv(BvOp::Sub, x.exponent, y.exponent);
        let lower = self.not(high);
        let lower = self.from_bool(lower);
        let lower = self.zext(lower, width);
        let exponent = self.bv(BvOp::Sub, difference, lower);
        let rounded = self.rounded(format, rounding, sign, exponent, significand, more);

        let zeros = self.and(x.zero, y.zero);
        let infinities = self.and(x.infinite, y.infinite);
        let nan = self.any(&[x.nan, y.nan, zeros, infinities]);
        let nan_result = self.nan_of(format, &[(a, x), (b, y)]);
        let infinite = self.or(x.infinite, y.zero);
        let infinity = self.signed_infinity(format, sign);
        let zero = self.or(x.zero, y.infinite);
        let nothing = self.signed_zero(format, sign);
        let result = self.ite(zero, nothing, rounded);
        let result = self.ite(infinite, infinity, result);
        self.ite(nan, nan_result, result)
    }

    pub(super) fn lower_sqrt(&mut self, format: Format, rounding: Rounding, a: Term) -> Term {
        let x = self.unpack_normal(format, a);
        let (p, width) = (format.significand_bits(), exponent_width(format));
        // An odd exponent gives a place to the significand: between 1 and 4, its root between 1 and 2.
        let odd = self.bit(x.exponent, 0);
        let even = self.zext(x.significand, p + 1);
        let double = self.shifted(BvOp::Shl, even, 1);
        let radicand = self.ite(odd, double, even);
        // The exponent of the root: half, rounded down.
        let half = self.extract(x.exponent, 1, width - 1);
        let exponent = self.sext(half, width);
        // Digit by digit, two places of the radicand each: the result's and one more.
        let digits = p + 1;
        let places = self.constant(2 * digits - (p + 1), 0);
        let radicand = [places, radicand];
        let size = digits + 2;
        let mut rest = self.constant(size, 0);
        let mut root = self.constant(size, 0);
        for digit in 0..digits {
            let next = self.two_places(radicand, 2 * (digits - 1 - digit));
            let kept = self.truncate(rest, size - 2);
            rest = self.concat(kept, next);
            let kept = self.truncate(root, size - 2);
            let one = self.constant(2, 1);
            let trial = self.concat(kept, one);
            let less = self.compare(Compare::Ult, rest, trial);
            let difference = self.bv(BvOp::Sub, rest, trial);
            rest = self.ite(less, rest, difference);
            let fits = self.not(less);
            let fits = self.from_bool(fits);
            let kept = self.truncate(root, size - 1);
            root = self.concat(kept, fits);
        }
        let significand = self.truncate(root, digits);
        let more = self.to_bool(rest);
        let positive = self.falsity();
        let rounded = self.rounded(format, rounding, positive, exponent, significand, more);

        let not_zero = self.not(x.zero);
        let negative = self.and(x.sign, not_zero);
        let nan = self.or(x.nan, negative);
        let nan_result = self.nan_of(format, &[(a, x)]);
        let same = self.or(x.zero, x.infinite);
        let result = self.ite(same, a, rounded);
        self.ite(nan, nan_result, result)
    }

    /// Two bits from `at` on, of two words the lower of which comes first.
    fn two_places(&mut self, [low, high]: [Term; 2], at: u32) -> Term {
        let split = self.width(low);
        if at >= split {
            return self.extract(high, at - split, 2);
        }
        if at + 2 <= split {
            return self.extract(low, at, 2);
        }
        let (below, above) = (self.extract(low, at, 1), self.extract(high, 0, 1));
        self.concat(above, below)
    }

    pub(super) fn lower_fma(&mut self, format: Format, rounding: Rounding, [a, b, c]: [Term; 3]) -> Term {
        let x = self.unpack_normal(format, a);
        let y = self.unpack_normal(format, b);
        let z = self.unpack_normal(format, c);
        let p = format.significand_bits();
        let mut product = self.exact_product(x, y);
        let zero_product = self.or(x.zero, y.zero);
        let nothing = self.constant(2 * p, 0);
        product.significand = self.ite(zero_product, nothing, product.significand);
        let places = self.constant(p, 0);
        let significand = self.concat(z.significand, places);
        // The distance of a product to an addend can be one place more.
        let width = exponent_width(format) + 1;
        let (product_exponent, exponent) = (self.sext(product.exponent, width), self.sext(z.exponent, width));
        let product = Number { exponent: product_exponent, ..product };
        let addend = Number { sign: z.sign, exponent, significand };
        let sum = self.sum_of_numbers(format, rounding, product, addend);

        let infinite_product = self.or(x.infinite, y.infinite);
        let no_product = self.and(zero_product, infinite_product);
        let opposite = self.xor(product.sign, z.sign);
        let both = self.and(infinite_product, z.infinite);
        let no_sum = self.and(both, opposite);
        let nan = self.any(&[x.nan, y.nan, z.nan, no_product, no_sum]);
        let nan_result = self.nan_of(format, &[(a, x), (b, y), (c, z)]);
        let infinite = self.or(infinite_product, z.infinite);
        let sign = self.ite(infinite_product, product.sign, z.sign);
        let infinity = self.signed_infinity(format, sign);
        let result = self.ite(infinite, infinity, sum);
        self.ite(nan, nan_result, result)
    }

    /// A signed constant of a width.
    pub(super) fn signed_constant(&mut self, width: u32, value: i32) -> Term {
        self.constant(width, bits_of(value))
    }
}

//! Unpacking and packing: a float as sign, exponent and significand, and back with rounding.

use super::Mode;
use crate::{BvOp, Compare, Format, Pool, Rounding, Term};

/// A float in parts.
#[derive(Clone, Copy)]
pub(super) struct Unpacked {
    pub(super) format: Format,
    /// Truth values.
    pub(super) nan: Term,
    pub(super) infinite: Term,
    pub(super) zero: Term,
    pub(super) sign: Term,
    /// Without bias, signed, of [`exponent_width`]; of a number near zero the least one.
    pub(super) exponent: Term,
    /// With the integer bit.
    pub(super) significand: Term,
}

/// Bits that hold the exponents of all exact results of a format.
pub(super) fn exponent_width(format: Format) -> u32 {
    (format.exponent_bits() + 3).max(9)
}

/// The least exponent.
pub(super) fn least_exponent(format: Format) -> i32 {
    1 - format.bias()
}

/// A signed number as the bits of a constant.
pub(super) fn bits_of(value: i32) -> u128 {
    i128::from(value) as u128
}

impl Pool {
    /// The parts of a float; the significand of a number near zero is not normalised.
    pub(super) fn unpack(&mut self, format: Format, a: Term) -> Unpacked {
        let (stored, ebits, p) = (format.stored_bits(), format.exponent_bits(), format.significand_bits());
        let width = exponent_width(format);
        let sign = self.bit(a, format.width() - 1);
        let field = self.extract(a, stored, ebits);
        let fraction = self.extract(a, 0, p - 1);
        let (none, all) = (self.constant(ebits, 0), self.constant(ebits, u128::MAX));
        let (least, most) = (self.eq(field, none), self.eq(field, all));
        let some_fraction = self.to_bool(fraction);
        let no_fraction = self.not(some_fraction);
        let not_least = self.not(least);
        let (nan, infinite, zero, significand) = if format == Format::Extended {
            let significand = self.extract(a, 0, p);
            let integer = self.bit(a, p - 1);
            let no_integer = self.not(integer);
            let nothing = self.and(no_integer, no_fraction);
            let zero = self.and(least, nothing);
            let one = self.and(integer, no_fraction);
            let infinite = self.and(most, one);
            let other = self.not(one);
            let special = self.and(most, other);
            let unnormal = self.and(not_least, no_integer);
            (self.or(special, unnormal), infinite, zero, significand)
        } else {
            let integer = self.from_bool(not_least);
            let significand = self.concat(integer, fraction);
            (self.and(most, some_fraction), self.and(most, no_fraction), self.and(least, no_fraction), significand)
        };
        // field - bias, and for the field 0 one more.
        let field = self.zext(field, width);
        let one = self.constant(width, 1);
        let field = self.ite(least, one, field);
        let bias = self.constant(width, bits_of(-format.bias()));
        let exponent = self.bv(BvOp::Add, field, bias);
        Unpacked { format, nan, infinite, zero, sign, exponent, significand }
    }

    /// The parts with the highest bit of the significand set, unless the float is zero.
    pub(super) fn unpack_normal(&mut self, format: Format, a: Term) -> Unpacked {
        let unpacked = self.unpack(format, a);
        let (significand, zeros) = self.normalised(unpacked.significand);
        let width = exponent_width(format);
        let zeros = self.zext(zeros, width);
        let exponent = self.bv(BvOp::Sub, unpacked.exponent, zeros);
        Unpacked { significand, exponent, ..unpacked }
    }

    /// Shifted left until the highest bit is set, and by how much. Zero is shifted as far as it goes.
    pub(super) fn normalised(&mut self, value: Term) -> (Term, Term) {
        let width = self.width(value);
        let stages = u32::BITS - (width - 1).leading_zeros();
        let mut value = value;
        let mut count: Option<Term> = None;
        for stage in (0..stages).rev() {
            let by = 1 << stage;
            let top = self.extract(value, width - by, by);
            let any = self.to_bool(top);
            let none = self.not(any);
            let shifted = self.shifted(BvOp::Shl, value, by);
            value = self.ite(none, shifted, value);
            let bit = self.from_bool(none);
            count = Some(match count {
                Some(high) => self.concat(high, bit),
                None => bit,
            });
        }
        let count = count.unwrap_or_else(|| self.constant(1, 0));
        (value, count)
    }

    /// Shifted right by an unsigned amount, and whether a set bit was lost.
    pub(super) fn shifted_right(&mut self, value: Term, amount: Term) -> (Term, Term) {
        let width = self.width(value);
        let stages = (u32::BITS - (width - 1).leading_zeros()).min(self.width(amount));
        let mut value = value;
        let mut lost = self.falsity();
        for stage in 0..stages {
            let by = 1 << stage;
            let bit = self.bit(amount, stage);
            let low = self.extract(value, 0, by.min(width));
            let any = self.to_bool(low);
            let here = self.and(bit, any);
            lost = self.or(lost, here);
            let shifted = self.shifted(BvOp::LShr, value, by);
            value = self.ite(bit, shifted, value);
        }
        if stages < self.width(amount) {
            let high = self.extract(amount, stages, self.width(amount) - stages);
            let beyond = self.to_bool(high);
            let any = self.to_bool(value);
            let here = self.and(beyond, any);
            lost = self.or(lost, here);
            let zero = self.constant(width, 0);
            value = self.ite(beyond, zero, value);
        }
        (value, lost)
    }

    /// Whether a magnitude goes up by one in its last place: by what is beyond that place.
    pub(super) fn goes_up(&mut self, mode: Mode, sign: Term, last: Term, half: Term, more: Term) -> Term {
        let any = self.or(half, more);
        match mode {
            Mode::By(Rounding::NearestEven) => {
                let odd = self.or(more, last);
                self.and(half, odd)
            }
            Mode::By(Rounding::Down) => self.and(sign, any),
            Mode::By(Rounding::Up) => {
                let positive = self.not(sign);
                self.and(positive, any)
            }
            Mode::By(Rounding::Zero) => self.falsity(),
            Mode::Away => half,
        }
    }

    /// The float next to `significand` (its highest bit set and worth 2^`exponent`), to which `more` adds a little when it
    /// holds. The significand may be unnormalised where the exponent is so low that nothing of it is left.
    pub(super) fn rounded(
        &mut self,
        format: Format,
        rounding: Rounding,
        sign: Term,
        exponent: Term,
        significand: Term,
        more: Term,
    ) -> Term {
        let p = format.significand_bits();
        let width = self.width(exponent);
        let mut significand = significand;
        if self.width(significand) < p + 1 {
            let low = self.constant(p + 1 - self.width(significand), 0);
            significand = self.concat(significand, low);
        }
        let least = self.constant(width, bits_of(least_exponent(format)));
        let tiny = self.compare(Compare::Slt, exponent, least);
        let distance = self.bv(BvOp::Sub, least, exponent);
        let nothing = self.constant(width, 0);
        let distance = self.ite(tiny, distance, nothing);
        let (significand, lost) = self.shifted_right(significand, distance);
        let more = self.or(more, lost);

        let below = self.width(significand) - p;
        let kept = self.extract(significand, below, p);
        let half = self.bit(significand, below - 1);
        let more = if below > 1 {
            let rest = self.extract(significand, 0, below - 1);
            let any = self.to_bool(rest);
            self.or(more, any)
        } else {
            more
        };
        let last = self.bit(kept, 0);
        let up = self.goes_up(Mode::By(rounding), sign, last, half, more);

        // Exponent and fraction in one, so that a carry out of the fraction is right in the exponent.
        let normal = self.bit(kept, p - 1);
        let bias = self.constant(width, bits_of(format.bias()));
        let field = self.bv(BvOp::Add, exponent, bias);
        let field = self.truncate(field, format.exponent_bits());
        let none = self.constant(format.exponent_bits(), 0);
        let field = self.ite(normal, field, none);
        let fraction = self.truncate(kept, p - 1);
        let magnitude = self.concat(field, fraction);
        let up = self.from_bool(up);
        let up = self.zext(up, self.width(magnitude));
        let magnitude = self.bv(BvOp::Add, magnitude, up);

        let most = self.constant(width, bits_of(format.bias()));
        let over = self.compare(Compare::Slt, most, exponent);
        let beyond = self.overflow(format, rounding, sign);
        let magnitude = self.ite(over, beyond, magnitude);
        self.assembled(format, sign, magnitude)
    }

    /// The magnitude of what is too large: infinity or the largest number.
    fn overflow(&mut self, format: Format, rounding: Rounding, sign: Term) -> Term {
        let p = format.significand_bits();
        let all = ((1u128 << format.exponent_bits()) - 1) << (p - 1);
        let width = format.exponent_bits() + p - 1;
        let (infinity, largest) = (self.constant(width, all), self.constant(width, all - 1));
        match rounding {
            Rounding::NearestEven => infinity,
            Rounding::Zero => largest,
            Rounding::Up => self.ite(sign, largest, infinity),
            Rounding::Down => self.ite(sign, infinity, largest),
        }
    }

    /// A float of its sign and its exponent and fraction in one.
    pub(crate) fn assembled(&mut self, format: Format, sign: Term, magnitude: Term) -> Term {
        let sign = self.from_bool(sign);
        if format != Format::Extended {
            return self.concat(sign, magnitude);
        }
        let p = format.significand_bits();
        let field = self.extract(magnitude, p - 1, format.exponent_bits());
        let fraction = self.extract(magnitude, 0, p - 1);
        let integer = self.to_bool(field);
        let integer = self.from_bool(integer);
        let low = self.concat(integer, fraction);
        let high = self.concat(sign, field);
        self.concat(high, low)
    }

    /// Zero with a sign.
    pub(super) fn signed_zero(&mut self, format: Format, sign: Term) -> Term {
        let sign = self.from_bool(sign);
        let rest = self.constant(format.width() - 1, 0);
        self.concat(sign, rest)
    }

    /// Infinity with a sign.
    pub(super) fn signed_infinity(&mut self, format: Format, sign: Term) -> Term {
        let sign = self.from_bool(sign);
        let rest = self.constant(format.width() - 1, format.infinity());
        self.concat(sign, rest)
    }

    /// The NaN that comes of operands; the format's default one when none of them is.
    pub(super) fn nan_of(&mut self, format: Format, operands: &[(Term, Unpacked)]) -> Term {
        let quiet = self.constant(format.width(), format.quiet());
        let default = self.constant(format.width(), format.default_nan());
        let mut result = default;
        // From the last: the first operand that is a NaN gives it; of x87 operands the larger significand.
        let mut found = self.falsity();
        for (operand, parts) in operands.iter().rev() {
            let made_quiet = self.bv(BvOp::Or, *operand, quiet);
            let mut wins = parts.nan;
            if format == Format::Extended {
                let (own, other) = (self.extract(made_quiet, 0, 64), self.extract(result, 0, 64));
                let less = self.compare(Compare::Ult, own, other);
                let weaker = self.and(found, less);
                let not_weaker = self.not(weaker);
                wins = self.and(wins, not_weaker);
            }
            result = self.ite(wins, made_quiet, result);
            found = self.or(found, parts.nan);
        }
        result
    }
}

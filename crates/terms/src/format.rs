//! Layouts of floats, and how results are rounded that they do not hold.

use crate::width::mask;

/// A layout of floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Format {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
    /// The x87's 80 bits, whose integer bit is explicit. Encodings that no operation makes are NaNs, except that an
    /// integer bit over the exponent 0 counts.
    Extended,
}

/// How a result is rounded that the format does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Rounding {
    /// To the nearest, ties to even.
    #[default]
    NearestEven,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
    /// Toward zero.
    Zero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 4] = [Rounding::NearestEven, Rounding::Down, Rounding::Up, Rounding::Zero];
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Half, Format::Single, Format::Double, Format::Extended];

    /// Bits in all.
    pub fn width(self) -> u32 {
        1 + self.exponent_bits() + self.stored_bits()
    }

    /// Bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        match self {
            Format::Half => 5,
            Format::Single => 8,
            Format::Double => 11,
            Format::Extended => 15,
        }
    }

    /// Bits of the significand with the integer bit, stored or not.
    pub fn significand_bits(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::Single => 24,
            Format::Double => 53,
            Format::Extended => 64,
        }
    }

    /// Bits below the exponent.
    pub fn stored_bits(self) -> u32 {
        if self == Format::Extended { 64 } else { self.significand_bits() - 1 }
    }

    /// What is added to an exponent to store it.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The bit that makes a NaN quiet.
    pub(crate) fn quiet(self) -> u128 {
        1 << (self.significand_bits() - 2)
    }

    pub(crate) fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// Infinity without sign.
    pub fn infinity(self) -> u128 {
        let exponent = mask(self.exponent_bits()) << self.stored_bits();
        if self == Format::Extended { exponent | 1 << 63 } else { exponent }
    }

    /// The NaN of an operation that has none among its operands.
    pub fn default_nan(self) -> u128 {
        self.sign() | self.infinity() | self.quiet()
    }
}

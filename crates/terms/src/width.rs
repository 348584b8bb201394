//! Widths of bit-vectors, and numbers of a width.

/// The widest bit-vector.
pub const MAX_WIDTH: u32 = 128;

/// The bits of a width.
#[inline]
pub(crate) fn mask(width: u32) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}

/// A value of a width as a signed number.
#[inline]
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    ((value << (MAX_WIDTH - width)) as i128) >> (MAX_WIDTH - width)
}

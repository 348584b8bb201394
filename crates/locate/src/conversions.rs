//! Numbers that a failing run converts to integers in which they do not fit: what they become is undefined in C and C++.

use std::collections::HashSet;

use whydunit_model::{Op, Scalar};
use whydunit_replay::{At, FuncId, Observer, Position};

/// A number that does not fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    /// Instruction count.
    pub instruction: u64,
    /// Where.
    pub position: Position,
    /// The number.
    pub value: f64,
    /// Bits of the integer, and whether it has a sign.
    pub integer: (u8, bool),
}

impl Conversion {
    /// In words.
    pub fn message(&self) -> String {
        let (bits, signed) = self.integer;
        let kind = if signed { "a signed" } else { "an unsigned" };
        format!("{} does not fit in {kind} integer of {bits} bits: what it becomes is undefined", self.value)
    }
}

/// Finds them, at each place the first.
#[derive(Default)]
pub(crate) struct Conversions {
    pub found: Vec<Conversion>,
    known: HashSet<(FuncId, u32)>,
}

impl Observer for Conversions {
    const OPS: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        let Op::FToInt { from, signed, w, a, .. } = *op else { return };
        let value = match from {
            Scalar::F64 => f64::from_bits(at.value(a)),
            Scalar::F32 => f32::from_bits(at.value(a) as u32).into(),
            _ => return,
        };
        if !fits(value, w, signed) && self.known.insert((at.function, at.pc)) {
            let position = at.own_position().unwrap_or_default();
            self.found.push(Conversion { instruction: at.instruction(), position, value, integer: (w, signed) });
        }
    }
}

/// Whether a number without its fraction is an integer of so many bits.
fn fits(value: f64, bits: u8, signed: bool) -> bool {
    let whole = value.trunc();
    let above = if signed { 2f64.powi(i32::from(bits) - 1) } else { 2f64.powi(bits.into()) };
    let below = if signed { -above } else { 0.0 };
    whole >= below && whole < above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_without_their_fractions() {
        for (value, bits, signed) in
            [(2_147_483_647.9, 32, true), (-2_147_483_648.5, 32, true), (-0.9, 8, false), (255.9, 8, false)]
        {
            assert!(fits(value, bits, signed), "{value}");
        }
        for (value, bits, signed) in
            [(2_147_483_648.0, 32, true), (-1.0, 64, false), (f64::NAN, 32, true), (256.0, 8, false)]
        {
            assert!(!fits(value, bits, signed), "{value}");
        }
    }
}

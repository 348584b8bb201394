//! What the language of the source demands of operands, where the operation alone does not show it.

use serde::{Deserialize, Serialize};

use crate::{Opnd, Scalar};

/// A demand: a run in which an operand breaks it has no defined behaviour. What the operation computes all the same is its own
/// matter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Demand {
    /// The operation of the function's code.
    pub pc: u32,
    /// The operand that it is made of.
    pub value: Opnd,
    /// What is demanded.
    pub what: Demanded,
}

/// What is demanded of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Demanded {
    /// A signed index of `w` bits into an array of `count` elements. Where only the address of the element is made it may be
    /// `count` itself.
    Index {
        /// Bits.
        w: u8,
        /// Elements of the array.
        count: u64,
        /// The element is read or written.
        accessed: bool,
    },
    /// An address that is a multiple of so many bytes. Of a load or a store it stands in the place of
    /// [`Scalar::alignment`], which is demanded otherwise.
    Aligned(u32),
    /// The argument of this number, from 0, is no null pointer.
    Argument(u32),
    /// What the reference of this number among the variables is bound to is no null pointer.
    Reference(u32),
    /// A number of `w` bits that is not 0.
    NotZero {
        /// Bits.
        w: u8,
    },
    /// A signed number of `w` bits that has a magnitude: not the lowest.
    Magnitude {
        /// Bits.
        w: u8,
    },
    /// A truth value in memory: 0 or 1.
    Truth,
    /// The trap stands where the function ends without the result that it should give; the operand means nothing.
    Result,
}

impl Scalar {
    /// Of which number of bytes an address is a multiple where a scalar lies as the ABI has it (System V x86-64, 3.1.2).
    pub const fn alignment(self) -> u32 {
        match self {
            Scalar::F80 => 16,
            _ => {
                let bytes = self.bytes().next_power_of_two();
                if bytes < 16 { bytes } else { 16 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Scalar;

    #[test]
    fn scalars_lie_as_the_abi_has_them() {
        let scalars =
            [(Scalar::Int(1), 1), (Scalar::Int(32), 4), (Scalar::Ptr, 8), (Scalar::F80, 16), (Scalar::Int(128), 16)];
        assert!(scalars.iter().all(|(scalar, bytes)| scalar.alignment() == *bytes));
    }
}

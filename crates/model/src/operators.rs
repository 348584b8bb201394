//! The operators of the register code: what operations of one kind compute.

use serde::{Deserialize, Serialize};

/// Integer comparison predicates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntPred {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Floating comparison predicates: `O` ordered, `U` true when unordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatPred {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Two-operand integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    /// Intrinsics of two integers.
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    USubSat,
    SAddSat,
    SSubSat,
}

/// One-operand integer operations (intrinsics).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntUnary {
    Ctpop,
    /// Of zero: the width.
    Ctlz,
    Cttz,
    Bswap,
    BitReverse,
    Abs,
}

/// Integer operations with overflow bit: the result goes to `dst`, the bit to the slot after the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OverflowOp {
    UAdd,
    SAdd,
    USub,
    SSub,
    UMul,
    SMul,
}

/// Two-operand floating operations. `Rem` is C's `fmod`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    MinNum,
    MaxNum,
    CopySign,
}

/// One-operand floating operations, all exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Round to nearest, ties to even (`rint`, `nearbyint`, `roundeven` in the default mode).
    Rint,
    /// Round half away from zero (`round`).
    Round,
}

/// Facts that LLVM's flags state about the source. A violated one is undefined behaviour in C; the replay computes
/// the wrapped result all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Flags(pub u8);

impl Flags {
    /// No unsigned wrap.
    pub const NUW: u8 = 1;
    /// No signed wrap.
    pub const NSW: u8 = 2;
    /// Exact division or shift.
    pub const EXACT: u8 = 4;
}

/// Read-modify-write of [`Op::AtomicRmw`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

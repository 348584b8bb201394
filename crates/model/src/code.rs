//! The register code of function bodies.

use serde::{Deserialize, Serialize};

use crate::operators::{AtomicOp, Flags, FloatOp, FloatPred, FloatUnary, IntOp, IntPred, IntUnary, OverflowOp};

/// Index of a 64-bit slot in a frame.
pub type Slot = u32;
/// Index of a block in its function.
pub type BlockId = u32;
/// Module-wide number of an instruction of the canonical IR, in the order functions, blocks, instructions stand there.
pub type Site = u32;

/// An operand: a frame slot or an entry of the function's constant pool. The lowest bit tells which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Opnd(pub u32);

impl Opnd {
    /// The operand that reads frame slot `slot`.
    pub const fn slot(slot: Slot) -> Self {
        Self(slot << 1)
    }
    /// The operand that reads entry `index` of [`Function::consts`](crate::Function::consts).
    pub const fn constant(index: u32) -> Self {
        Self(index << 1 | 1)
    }
    /// Whether this reads the constant pool.
    pub const fn is_const(self) -> bool {
        self.0 & 1 == 1
    }
    /// The slot or pool index.
    pub const fn index(self) -> u32 {
        self.0 >> 1
    }
    /// The operand of word `n` of a value of several words that starts here.
    pub const fn word(self, n: u32) -> Self {
        Self(self.0 + (n << 1))
    }
}

impl std::fmt::Debug for Opnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_const() { 'c' } else { 's' }, self.index())
    }
}

/// A scalar type: what one load, store or leaf of a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// Integer of 1 to 128 bits. More than 64 bits take two slots.
    Int(u8),
    /// Pointer, 64 bits.
    Ptr,
    /// IEEE half, in the low 16 bits of a slot.
    F16,
    /// IEEE single, in the low 32 bits of a slot.
    F32,
    /// IEEE double.
    F64,
    /// x87 extended: 10 meaningful bytes in two slots (significand, then sign and exponent), 16 bytes stored.
    F80,
}

impl Scalar {
    /// How many 64-bit slots a value takes.
    pub const fn slots(self) -> u32 {
        match self {
            Scalar::Int(w) if w > 64 => 2,
            Scalar::F80 => 2,
            _ => 1,
        }
    }
    /// How many bytes a load or store of it touches (x87: the 10 meaningful ones).
    pub const fn bytes(self) -> u32 {
        match self {
            Scalar::Int(w) => (w as u32).div_ceil(8),
            Scalar::Ptr | Scalar::F64 => 8,
            Scalar::F16 => 2,
            Scalar::F32 => 4,
            Scalar::F80 => 10,
        }
    }
}

/// One operation. `dst` slots and operands follow the crate's value layout; `w` is a width in bits.
///
/// An integer result is always left zero-extended (masked to `w`) in its slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Op {
    /// Integer operation, `w` from 1 to 64. A shift amount is taken modulo `w` (bitwise `and` with `w-1` where `w` is a
    /// power of two, else the remainder). Division by zero and overflowing signed division trap (SIGFPE).
    Int {
        op: IntOp,
        w: u8,
        flags: Flags,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    /// The same for widths 65 to 128, on two-slot values.
    Wide {
        op: IntOp,
        w: u8,
        flags: Flags,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    /// Unary integer operation; `w` up to 128.
    IntUnary {
        op: IntUnary,
        w: u8,
        dst: Slot,
        a: Opnd,
    },
    /// With overflow; `w` up to 128. The overflow bit's slot follows the result's slots.
    Overflow {
        op: OverflowOp,
        w: u8,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    /// Funnel shift (`left`: fshl, else fshr), `w` up to 64.
    Funnel {
        left: bool,
        w: u8,
        dst: Slot,
        a: Opnd,
        b: Opnd,
        amount: Opnd,
    },
    /// Integer or pointer comparison; `w` up to 128.
    ICmp {
        pred: IntPred,
        w: u8,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    /// Truncate to `to` bits (from up to 128).
    Trunc {
        to: u8,
        dst: Slot,
        a: Opnd,
    },
    /// Zero-extend (a plain move up to 64 bits; the upper word is cleared when `to` > 64). `from` may exceed 64.
    ZExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Opnd,
    },
    /// Sign-extend from `from` to `to` bits.
    SExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Opnd,
    },
    /// Move of `n` slots: bitcast, ptrtoint, inttoptr, freeze, extractvalue, phi on an edge.
    Copy {
        n: u8,
        dst: Slot,
        a: Opnd,
    },
    /// `dst = cond ? a : b`, `n` slots.
    Select {
        n: u8,
        dst: Slot,
        cond: Opnd,
        a: Opnd,
        b: Opnd,
    },

    /// `dst = base + offset`.
    PtrAdd {
        dst: Slot,
        base: Opnd,
        offset: i64,
    },
    /// `dst = base + sext(index from w bits) * scale`. A general `getelementptr` is a chain of these.
    PtrIndex {
        w: u8,
        dst: Slot,
        base: Opnd,
        index: Opnd,
        scale: i64,
    },

    /// Floating operation on `ty` (F32, F64, F80, F16).
    Float {
        op: FloatOp,
        ty: Scalar,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    FloatUnary {
        op: FloatUnary,
        ty: Scalar,
        dst: Slot,
        a: Opnd,
    },
    /// Fused multiply-add, one rounding.
    Fma {
        ty: Scalar,
        dst: Slot,
        a: Opnd,
        b: Opnd,
        c: Opnd,
    },
    FCmp {
        pred: FloatPred,
        ty: Scalar,
        dst: Slot,
        a: Opnd,
        b: Opnd,
    },
    /// Between floating types.
    FConv {
        from: Scalar,
        to: Scalar,
        dst: Slot,
        a: Opnd,
    },
    /// Float to integer of `w` bits, truncating. Out of range: what x86-64 gives (see docs/engine.md).
    FToInt {
        from: Scalar,
        signed: bool,
        w: u8,
        dst: Slot,
        a: Opnd,
    },
    IntToF {
        to: Scalar,
        signed: bool,
        w: u8,
        dst: Slot,
        a: Opnd,
    },

    /// Load of a scalar. Where the recorder found memory changed from outside, the recording has a surprise.
    Load {
        ty: Scalar,
        dst: Slot,
        addr: Opnd,
    },
    Store {
        ty: Scalar,
        value: Opnd,
        addr: Opnd,
    },
    /// Atomic read-modify-write; the old value goes to `dst`. Loads and stores like the plain ones.
    AtomicRmw {
        op: AtomicOp,
        ty: Scalar,
        dst: Slot,
        addr: Opnd,
        value: Opnd,
    },
    /// Compare and exchange; old value to `dst`, success bit to the slot after it.
    CmpXchg {
        ty: Scalar,
        dst: Slot,
        addr: Opnd,
        expected: Opnd,
        new: Opnd,
    },

    /// Address of a stack object: the frame's base plus `offset`. `object` indexes [`Function::stack`](crate::Function::stack).
    StackAddr {
        dst: Slot,
        offset: u64,
        object: u32,
    },
    /// Dynamic stack allocation of `count * size` bytes.
    Alloca {
        dst: Slot,
        count: Opnd,
        size: u64,
        align: u32,
        object: u32,
    },
    /// `llvm.stacksave`: the emulated stack pointer.
    StackSave {
        dst: Slot,
    },
    StackRestore {
        a: Opnd,
    },
    /// Address of a thread-local global for the running thread.
    ThreadLocal {
        dst: Slot,
        global: u32,
    },

    /// memcpy/memmove intrinsics (both move).
    MemMove {
        dst: Opnd,
        src: Opnd,
        len: Opnd,
    },
    MemSet {
        dst: Opnd,
        value: Opnd,
        len: Opnd,
    },
    /// Like MemMove, from a by-value argument to the callee's copy.
    ByvalCopy {
        dst: Opnd,
        src: Opnd,
        len: Opnd,
    },
    /// The bytes are compared with what was recorded (before a by-value call): may carry a surprise.
    CheckRange {
        addr: Opnd,
        len: Opnd,
    },

    /// Writes a System V `va_list` for this frame's variadic arguments at `list`.
    VaStart {
        list: Opnd,
    },
    VaCopy {
        dst: Opnd,
        src: Opnd,
    },

    /// Call number `call` of [`Function::calls`](crate::Function::calls).
    Call {
        call: u32,
    },
    /// Takes what the unwinder brought to this landing pad: the exception to `dst`, the selector (32 bits) to the slot after it.
    /// The run comes here by the [`unwind`](Call::unwind) of a call.
    /// `pad`: number in [`Function::pads`](crate::Function::pads).
    LandingPad {
        dst: Slot,
        pad: u32,
    },
    /// Goes on unwinding with the exception at `a`: external code, which does not return.
    Resume {
        a: Opnd,
    },
    /// Count a safepoint; pending signals are delivered before the count.
    Safepoint,

    Jump {
        to: BlockId,
    },
    /// `cond` is an i1.
    Branch {
        cond: Opnd,
        then: BlockId,
        els: BlockId,
    },
    /// Number `table` of [`Function::switches`](crate::Function::switches).
    Switch {
        w: u8,
        value: Opnd,
        table: u32,
    },
    /// `n` slots are returned, from `a` on.
    Return {
        n: u8,
        a: Opnd,
    },
    /// `unreachable`, or a trap: the run cannot go on here.
    Trap {
        kind: TrapKind,
    },
}

/// Why an [`Op::Trap`] stands where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TrapKind {
    /// `unreachable` (after a call that does not return it is never executed).
    Unreachable,
    /// `llvm.trap` and its like.
    Trap,
    /// An instruction that the model does not support; its text is in [`Function::unsupported`](crate::Function::unsupported).
    Unsupported(u32),
}

/// The types of a value's scalar leaves; empty for void.
pub type Leaves = Vec<Scalar>;

/// Who is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Callee {
    /// Function number in [`Module::functions`](crate::Module::functions) (declared or defined).
    Direct(u32),
    /// Through a pointer.
    Indirect(Opnd),
    /// Inline assembly: external code. The text is in [`Function::asm`](crate::Function::asm).
    Asm(u32),
}

/// One argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arg {
    /// First word of the value.
    pub value: Opnd,
    /// Its leaves.
    pub leaves: Leaves,
    /// Not zero: passed by value from memory, so many bytes (`value` is the pointer).
    pub byval: u64,
    /// Alignment of a by-value argument.
    pub align: u32,
    /// A vector, which is passed as a whole.
    pub vector: bool,
}

/// A call site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Who.
    pub callee: Callee,
    /// With what.
    pub args: Vec<Arg>,
    /// Result slot (meaningless when `ret` is empty).
    pub dst: Slot,
    /// Result type.
    pub ret: Leaves,
    /// For a variadic callee type: how many arguments are fixed.
    pub fixed: Option<u32>,
    /// setjmp and its like.
    pub returns_twice: bool,
    /// The call never returns.
    pub noreturn: bool,
    /// Where the run goes when an exception comes out of the call and does not pass this function by.
    pub unwind: Option<BlockId>,
}

/// A switch: first match wins; values are zero-extended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// (value, target), sorted by value.
    pub cases: Vec<(u64, BlockId)>,
    /// Where to otherwise.
    pub default: BlockId,
}

/// What a landing pad is entered for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pad {
    /// Every exception, to clean up.
    pub cleanup: bool,
    /// Some exceptions: the first clause that holds decides.
    pub clauses: Vec<Clause>,
}

/// A clause of a landing pad.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Clause {
    /// Exceptions of the type at this address (Itanium C++ ABI, 2.9); all where it is null.
    Catch(Opnd),
    /// Exceptions of other types than some (an exception specification).
    Filter,
}

/// A basic block: operations `start..end` of the function's code, the last of them a terminator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// First operation.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Instructions of the canonical IR that it stands for (0 for the moves on an edge).
    pub instructions: u32,
    /// Index of the LLVM block; an edge's moves have the block they leave.
    pub source: u32,
    /// Whether this block holds only the moves of an edge.
    pub edge: bool,
}

//! Constants that may need native addresses.

use serde::{Deserialize, Serialize};

/// A global or function of a module, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Symbol {
    /// Index in [`Module::globals`](crate::Module::globals).
    Global(u32),
    /// Index in [`Module::functions`](crate::Module::functions).
    Function(u32),
}

/// A 64-bit word that is known, or known once the module's addresses are.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum Const {
    /// The word itself.
    Bits(u64),
    /// Address of a symbol plus an offset.
    Addr(Symbol, i64),
    /// Anything else that LLVM's constant expressions can say.
    Expr(Box<ConstExpr>),
}

/// Constant expressions over addresses. Results are 64-bit, wrapped.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ConstExpr {
    Add(Const, Const),
    Sub(Const, Const),
    Mul(Const, Const),
    Xor(Const, Const),
    /// Keep the low `u8` bits.
    Trunc(u8, Const),
}

impl Const {
    /// The word, given where symbols lie.
    pub fn resolve(&self, address: &impl Fn(Symbol) -> u64) -> u64 {
        match self {
            Const::Bits(bits) => *bits,
            Const::Addr(symbol, add) => address(*symbol).wrapping_add(*add as u64),
            Const::Expr(expr) => match &**expr {
                ConstExpr::Add(a, b) => a.resolve(address).wrapping_add(b.resolve(address)),
                ConstExpr::Sub(a, b) => a.resolve(address).wrapping_sub(b.resolve(address)),
                ConstExpr::Mul(a, b) => a.resolve(address).wrapping_mul(b.resolve(address)),
                ConstExpr::Xor(a, b) => a.resolve(address) ^ b.resolve(address),
                ConstExpr::Trunc(w, a) if *w < 64 => a.resolve(address) & ((1u64 << w) - 1),
                ConstExpr::Trunc(_, a) => a.resolve(address),
            },
        }
    }
}

/// The first bytes of a global: literal bytes (the rest is zero) and words that hold addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Initializer {
    /// Literal bytes; trailing zeros are cut.
    pub bytes: Vec<u8>,
    /// (offset, size in bytes, value): written over `bytes`.
    pub addresses: Vec<(u64, u8, Const)>,
}

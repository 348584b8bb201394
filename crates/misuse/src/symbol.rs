//! Values as the analysis knows them: numbers, and symbols with offsets, told apart by where they come from.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxHashMap;
use whydunit_model::{BlockId, IntPred, Slot};

use crate::identity::{AddressKey, FunctionKey, GlobalKey};

/// A symbol: in an order that hangs on what it is, not on when it was met first, so that analyses do not hang on each other. The order
/// has 64 bits in two halves, so that no two symbols have the same one, and values stay as small as they can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Sym {
    order: [u32; 2],
    number: u32,
}

impl Hash for Sym {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.order[0]) << 32 | u64::from(self.order[1]));
    }
}

/// What a slot or a cell of memory holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// Anything.
    Any,
    /// A number.
    Number(u64),
    /// A symbol, so many bytes on.
    At(Sym, i64),
    /// Whether a comparison holds: 1 or 0.
    Truth(Sym, Test),
}

/// A comparison of a symbol with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Test {
    pub pred: IntPred,
    pub against: i64,
}

/// What stands for a value that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Symbol {
    /// What a parameter's slot holds at entry.
    Parameter(Slot),
    /// The address of a global.
    Global(GlobalKey),
    /// The address of a function.
    Function(AddressKey),
    /// The address of a stack object.
    Stack(FunctionKey, u32),
    /// What lies at an address at entry.
    Initial(Sym, i64),
    /// What an operation gave (a word of it).
    Made(FunctionKey, u32, u32),
    /// What it gave in an earlier round of a loop.
    Old(FunctionKey, u32),
    /// What a slot holds where paths meet.
    Joined(FunctionKey, BlockId, Slot),
    /// A symbol of a function that was called by an operation.
    Within(FunctionKey, u32, Sym),
    /// What a pure operation gives for these values.
    Term(u32, Value, Value),
}

/// All symbols, each once.
#[derive(Default)]
pub(crate) struct Symbols {
    list: Vec<(Symbol, u8)>,
    numbers: FxHashMap<Symbol, Sym>,
}

/// Terms are built so deep; deeper ones are values of their own.
const DEEPEST: u8 = 5;

impl Symbols {
    pub fn number(&mut self, symbol: Symbol) -> Sym {
        if let Some(&known) = self.numbers.get(&symbol) {
            return known;
        }
        let depth = match symbol {
            Symbol::Initial(sym, _) | Symbol::Within(_, _, sym) => self.list[sym.number as usize].1 + 1,
            Symbol::Term(_, a, b) => self.depth(a).max(self.depth(b)) + 1,
            _ => 0,
        };
        let hash = rustc_hash::FxBuildHasher.hash_one(symbol).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let order = [(hash >> 32) as u32, hash as u32];
        let number = Sym { order, number: self.list.len() as u32 };
        self.list.push((symbol, depth));
        self.numbers.insert(symbol, number);
        number
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn of(&self, sym: Sym) -> Symbol {
        self.list[sym.number as usize].0
    }

    fn depth(&self, value: Value) -> u8 {
        match value {
            Value::At(sym, _) | Value::Truth(sym, _) => self.list[sym.number as usize].1,
            _ => 0,
        }
    }

    /// A term; `None` where it would be too deep, or says nothing.
    pub fn term(&mut self, tag: u32, a: Value, b: Value) -> Option<Value> {
        let deep = self.depth(a).max(self.depth(b)) >= DEEPEST;
        let known = a != Value::Any && b != Value::Any;
        (known && !deep).then(|| Value::At(self.number(Symbol::Term(tag, a, b)), 0))
    }

    /// A symbol for what lies at an address at entry; `None` where the way to it is too long.
    pub fn initial(&mut self, base: Sym, offset: i64) -> Option<Sym> {
        (self.list[base.number as usize].1 < DEEPEST).then(|| self.number(Symbol::Initial(base, offset)))
    }

    /// A symbol of a called function in its caller.
    pub fn within(&mut self, function: FunctionKey, pc: u32, inner: Sym) -> Sym {
        match self.list[inner.number as usize].1 < DEEPEST {
            true => self.number(Symbol::Within(function, pc, inner)),
            false => self.number(Symbol::Made(function, pc, u32::MAX)),
        }
    }

    /// Whether a symbol is, or is made of, one that `which` holds for.
    pub fn mentions(&self, sym: Sym, which: &impl Fn(Symbol) -> bool) -> bool {
        let symbol = self.of(sym);
        which(symbol)
            || match symbol {
                Symbol::Initial(base, _) => self.mentions(base, which),
                Symbol::Term(_, a, b) => self.value_mentions(a, which) || self.value_mentions(b, which),
                _ => false,
            }
    }

    pub fn value_mentions(&self, value: Value, which: &impl Fn(Symbol) -> bool) -> bool {
        match value {
            Value::At(sym, _) | Value::Truth(sym, _) => self.mentions(sym, which),
            _ => false,
        }
    }

    /// The symbols that a symbol is made of.
    pub fn parts(&self, sym: Sym) -> impl Iterator<Item = Sym> + use<> {
        let value = |value: Value| match value {
            Value::At(sym, _) | Value::Truth(sym, _) => Some(sym),
            _ => None,
        };
        let parts = match self.of(sym) {
            Symbol::Initial(base, _) => [Some(base), None],
            Symbol::Term(_, a, b) => [value(a), value(b)],
            _ => [None, None],
        };
        parts.into_iter().flatten()
    }

    /// Whether a symbol says something of what was there when the function was entered, be it computed of it.
    pub fn tells_of_entry(&self, sym: Sym) -> bool {
        let value = |value: Value| match value {
            Value::At(sym, _) | Value::Truth(sym, _) => self.tells_of_entry(sym),
            _ => true,
        };
        match self.of(sym) {
            Symbol::Term(_, a, b) => value(a) && value(b),
            _ => self.is_of_entry(sym),
        }
    }

    /// Whether what a symbol stands for was there when the function was entered.
    pub fn is_of_entry(&self, sym: Sym) -> bool {
        match self.of(sym) {
            Symbol::Parameter(_) | Symbol::Global(_) => true,
            Symbol::Initial(base, _) => self.is_of_entry(base),
            _ => false,
        }
    }
}

/// The comparison that holds where another does not.
pub(crate) fn negated(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq => IntPred::Ne,
        IntPred::Ne => IntPred::Eq,
        IntPred::Ugt => IntPred::Ule,
        IntPred::Uge => IntPred::Ult,
        IntPred::Ult => IntPred::Uge,
        IntPred::Ule => IntPred::Ugt,
        IntPred::Sgt => IntPred::Sle,
        IntPred::Sge => IntPred::Slt,
        IntPred::Slt => IntPred::Sge,
        IntPred::Sle => IntPred::Sgt,
    }
}

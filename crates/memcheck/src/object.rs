//! An object of a run: what it is, where it lies, how long it lives.

use whydunit_replay::FuncId;

/// An operation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
}

/// The calls under way at a moment: the number, plus 1, that the checker keeps them by; 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Chain(u32);

impl Chain {
    /// The one that is kept by a number.
    pub fn new(index: usize) -> Self {
        Self(index as u32 + 1)
    }
    /// The number; `None` for no calls.
    pub fn index(self) -> Option<usize> {
        self.0.checked_sub(1).map(|index| index as usize)
    }
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// From malloc and its like.
    Heap,
    /// A local variable: the function and its stack object's number.
    Stack(FuncId, u32),
    /// A global or static variable: the loaded module's number and the global's.
    Global(u32, u32),
}

/// An object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Object {
    /// What it is.
    pub what: What,
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// Where it was allocated.
    pub allocated: Chain,
    /// Where it was freed.
    pub freed: Chain,
    /// Whether accesses are allowed.
    pub live: bool,
}

impl Object {
    /// Whether `size` bytes from `address` on lie in it.
    pub fn holds(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset <= self.size && size <= self.size - offset
    }
    /// Whether it holds `address`; an object without bytes holds its start.
    pub fn covers(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.size.max(1)
    }
}

//! Functions of the program that only hand out what an allocator gave them: `xmalloc`, an `operator new` of the program's own.

use std::collections::HashSet;

use whydunit_replay::{At, FuncId};

/// So many bytes of a block are looked at for what was written there.
const LOOKED: u64 = 64;

/// A block that was allocated last, as long as it is handed on by returns.
#[derive(Clone, Copy)]
struct Fresh {
    address: u64,
    size: u64,
    /// It is all zero, and not without values.
    zeroed: bool,
    /// The frame that got it.
    depth: usize,
}

/// The functions that were seen to hand out a block as they got it.
#[derive(Clone, Default)]
pub struct Wrappers {
    fresh: Option<Fresh>,
    functions: HashSet<FuncId>,
}

impl Wrappers {
    /// A block was allocated by a call of the present function.
    pub fn allocated(&mut self, at: &At<'_>, address: u64, size: u64, zeroed: bool) {
        self.fresh = at.in_frame().then_some(Fresh { address, size, zeroed, depth: at.depth });
    }

    /// The present function returns `result`. `is_unwritten` tells whether so many bytes have no values yet.
    pub fn returns(&mut self, at: &At<'_>, result: Option<u64>, mut is_unwritten: impl FnMut(u64, u64) -> bool) {
        let Some(fresh) = self.fresh.take() else { return };
        let size = fresh.size.min(LOOKED);
        let untouched = match fresh.zeroed {
            true => at.memory().read_vec(fresh.address, size as usize).iter().all(|byte| *byte == 0),
            false => is_unwritten(fresh.address, size),
        };
        if fresh.depth == at.depth && result == Some(fresh.address) && untouched && size > 0 {
            self.functions.insert(at.function);
            self.fresh = at.depth.checked_sub(1).map(|depth| Fresh { depth, ..fresh });
        } else if fresh.depth != at.depth {
            // A call that has nothing to do with the block.
            self.fresh = (fresh.depth < at.depth).then_some(fresh);
        }
    }

    /// Another thread runs, or frames are gone.
    pub fn forget(&mut self) {
        self.fresh = None;
    }

    /// Whether a function is one of them.
    pub fn holds(&self, function: FuncId) -> bool {
        self.functions.contains(&function)
    }
}

//! What recorded runs print by Rust's own library, as far as that was asked.

use std::collections::HashMap;
use std::sync::Arc;

use crate::state::Core;

/// Where something is printed: instruction count, depth and operation.
pub(crate) type PrintKey = (u64, usize, u32);

/// The key of a call that prints where a run stands. Instructions are counted block by block.
pub(crate) fn print_key(core: &Core, pc: u32) -> PrintKey {
    (core.instructions, core.frames.len(), pc)
}

/// What formats came to; `None` where that cannot be told.
#[derive(Default)]
pub(crate) struct Formats {
    /// It is asked for.
    pub on: bool,
    /// Nobody looks at it: what-if runs pass it by.
    pub unseen: bool,
    /// Instructions that were executed to tell it.
    pub spent: u64,
    /// What was told before.
    pub known: Arc<HashMap<PrintKey, Option<Vec<u8>>>>,
    pub texts: HashMap<PrintKey, Option<Vec<u8>>>,
}

//! What recorded runs print by Rust's own library, as far as that was asked.

use std::collections::HashMap;

/// By instruction count, depth and operation what a format came to; `None` where that cannot be told.
#[derive(Default)]
pub(crate) struct Formats {
    /// It is asked for.
    pub on: bool,
    /// Instructions that were executed to tell it.
    pub spent: u64,
    pub texts: HashMap<(u64, usize, u32), Option<Vec<u8>>>,
}

//! What captured code prints.

use crate::function_id::FuncId;

/// Which stream was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stream {
    /// A file descriptor; 1 and 2 stand for the standard streams too. -1: the text went to no file.
    Descriptor(i32),
    /// A `FILE` object other than the standard ones.
    File(u64),
}

/// Something was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputEvent {
    /// Where to.
    pub stream: Stream,
    /// What.
    pub bytes: Vec<u8>,
    /// Instructions executed when it was printed.
    pub instruction: u64,
    /// The calling function.
    pub function: FuncId,
    /// The call.
    pub pc: u32,
    /// Index of the calling frame.
    pub depth: usize,
}

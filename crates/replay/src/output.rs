//! What captured code prints.

/// Which stream was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stream {
    /// A `FILE` object.
    File(u64),
    /// A file descriptor.
    Descriptor(i32),
}

/// Something was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputEvent {
    /// Where to.
    pub stream: Stream,
    /// What.
    pub bytes: Vec<u8>,
    /// The bytes may not be exact (a conversion that the replay does not format).
    pub uncertain: bool,
    /// Instructions executed when it was printed.
    pub instruction: u64,
    /// The calling function.
    pub function: crate::code::FuncId,
    /// The call.
    pub pc: u32,
    /// Index of the calling frame.
    pub depth: usize,
}

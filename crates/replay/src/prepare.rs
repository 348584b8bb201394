//! Pre-decoded code.

pub(crate) struct Prepared;

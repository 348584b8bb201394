//! Who hears of a build or of flavours that are made, and who may end that.

use whydunit_process::Cancel;

/// Who hears of work that takes long, and who may end it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Ends the work, with [`Error::Cancelled`](crate::Error::Cancelled).
    pub cancel: &'a Cancel,
    /// Is called once where another process works in the same store and is waited for.
    pub waiting: &'a dyn Fn(),
    /// Hears how many units of how many are made, from any thread.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a> Watch<'a> {
    /// Nobody hears of it.
    pub fn quietly(cancel: &'a Cancel) -> Self {
        Self { cancel, waiting: &|| (), progress: &|_, _| () }
    }
}

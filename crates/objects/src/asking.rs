//! Runs stop where something is to be done besides them.

use std::cell::Cell;
use std::rc::Rc;

use whydunit_replay::{At, Observer};

/// Stops a run when inspectors are to be asked.
pub(crate) struct Asking(pub Rc<Cell<bool>>);

impl Observer for Asking {
    const STOPS: bool = true;

    #[inline(always)]
    fn stop(&mut self, _at: &At<'_>) -> bool {
        self.0.get()
    }
}

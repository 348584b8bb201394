//! The wish that a request ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a request: a value that is given with it, of which all copies are one. Whoever has a copy may ask for the end, and what works
/// on the request looks at it.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks for the end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What crates that know nothing of requests look at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// The same, for those that keep it.
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

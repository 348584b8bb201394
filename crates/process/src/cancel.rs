//! Cancellation of a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The wish that a request stops. Whoever serves the request looks at it from time to time, and returns early once it is
/// cancelled. Clones are one and the same: who may cancel a request keeps one, who works on it has another. Once
/// cancelled it stays so; another request gets a new one.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the request to stop. Asking again changes nothing.
    pub fn cancel(&self) {
        // No data is handed over with the wish, so that it needs no order with other memory.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the request was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, which is set when the request was asked to stop: for code that knows nothing of this type.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_cancelled_together_and_others_are_not() {
        let (cancel, other) = (Cancel::new(), Cancel::default());
        let clone = cancel.clone();
        assert!(!cancel.is_cancelled() && !clone.is_cancelled());
        clone.cancel();
        clone.cancel();
        assert!(cancel.is_cancelled() && clone.is_cancelled());
        assert!(!other.is_cancelled());
    }

    #[test]
    fn the_flag_is_the_same_wish() {
        let cancel = Cancel::new();
        assert!(!cancel.flag().load(Ordering::Relaxed));
        cancel.flag().store(true, Ordering::Relaxed);
        assert!(cancel.is_cancelled());
    }

    #[test]
    fn another_thread_sees_it() {
        let cancel = Cancel::new();
        let seen = std::thread::spawn({
            let cancel = cancel.clone();
            move || {
                while !cancel.is_cancelled() {
                    std::thread::yield_now();
                }
                true
            }
        });
        cancel.cancel();
        assert!(seen.join().unwrap());
    }
}

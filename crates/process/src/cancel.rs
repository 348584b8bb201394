//! Cancellation of a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The wish that a request stops. Whoever serves the request looks at it from time to time, and returns early once it is
/// cancelled. Clones are one and the same: who may cancel a request keeps one, who works on it has another. Once
/// cancelled it stays so; another request gets a new one.
#[derive(Clone, Default, Debug)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    /// The wish of which this is a part that can be ended for itself.
    whole: Option<Arc<Cancel>>,
    /// When it counts as cancelled without being asked.
    deadline: Option<Instant>,
}

impl Cancel {
    /// One that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same wish for a part of the request that must have ended at `deadline`: that part is cancelled then, too, the rest of the
    /// request is not.
    #[must_use]
    pub fn by(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |earlier| earlier.min(deadline));
        Self { flag: Arc::clone(&self.flag), whole: self.whole.clone(), deadline: Some(deadline) }
    }

    /// The wish that a part of the request stops: cancelled with the whole request, and for itself without it.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { flag: Arc::default(), whole: Some(Arc::new(self.clone())), deadline: None }
    }

    /// Asks the request to stop. Asking again changes nothing.
    pub fn cancel(&self) {
        // No data is handed over with the wish, so that it needs no order with other memory.
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the request was asked to stop, or its time is up.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.whole.as_ref().is_some_and(|whole| whole.is_cancelled())
    }

    /// The flag itself, which is set when the request was asked to stop: for code that knows nothing of this type, nor of deadlines,
    /// nor of what this is a part of.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
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
    fn a_part_with_a_deadline_ends_by_itself_and_with_the_whole() {
        let whole = Cancel::new();
        let past = whole.by(Instant::now());
        assert!(past.is_cancelled() && past.by(Instant::now() + std::time::Duration::from_secs(3600)).is_cancelled());
        assert!(!whole.is_cancelled());
        let later = whole.by(Instant::now() + std::time::Duration::from_secs(3600));
        assert!(!later.is_cancelled());
        whole.cancel();
        assert!(later.is_cancelled());
    }

    #[test]
    fn a_part_ends_for_itself_and_with_the_whole() {
        let whole = Cancel::new();
        let (one, other) = (whole.apart(), whole.apart());
        one.clone().cancel();
        assert!(one.is_cancelled() && !other.is_cancelled() && !whole.is_cancelled());
        assert!(whole.by(Instant::now()).apart().is_cancelled());
        whole.cancel();
        assert!(other.is_cancelled() && other.apart().is_cancelled());
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

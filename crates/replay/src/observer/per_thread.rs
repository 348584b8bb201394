//! What observers keep for each thread.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

/// A value for each thread: the running one's at hand, the others' put away. For observers, by
/// [`switched`](crate::Observer::switched).
#[derive(Clone, Debug, Default)]
pub struct PerThread<T> {
    value: T,
    others: HashMap<u32, T>,
}

impl<T> PerThread<T> {
    /// Another thread runs from here on; `make` gives its value where there is none.
    pub fn switch(&mut self, from: u32, to: u32, make: impl FnOnce() -> T) {
        let value = self.others.remove(&to).unwrap_or_else(make);
        self.others.insert(from, std::mem::replace(&mut self.value, value));
    }

    /// This is the value of a thread that does not run.
    pub fn park(&mut self, thread: u32, value: T) {
        self.others.insert(thread, value);
    }

    /// The value of a thread that was put away; `None` for the running one and for those without a value.
    pub fn parked(&self, thread: u32) -> Option<&T> {
        self.others.get(&thread)
    }
}

impl<T> Deref for PerThread<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for PerThread<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

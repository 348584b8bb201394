//! Mutexes: what-if runs of one thread lock and unlock them as the recorded run did.

use std::collections::BTreeMap;

/// What a function does to a mutex, which its first argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MutexCall {
    Lock,
    Unlock,
}

impl MutexCall {
    /// By name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "pthread_mutex_lock" | "mtx_lock" => Some(Self::Lock),
            "pthread_mutex_unlock" | "mtx_unlock" => Some(Self::Unlock),
            _ => None,
        }
    }
}

/// The mutexes that are locked, by address, and how often each is.
#[derive(Clone, Default, Debug)]
pub(crate) struct Locked(BTreeMap<u64, u32>);

impl Locked {
    /// The call was made in the recorded run.
    pub fn follow(&mut self, call: MutexCall, mutex: u64) {
        match call {
            MutexCall::Lock => *self.0.entry(mutex).or_default() += 1,
            MutexCall::Unlock => {
                if let Some(times) = self.0.get_mut(&mutex) {
                    *times -= 1;
                    self.0.retain(|_, times| *times > 0);
                }
            }
        }
    }

    /// Makes the call; false where it would not return at once, or only if the mutex is of a kind that counts.
    pub fn make(&mut self, call: MutexCall, mutex: u64) -> bool {
        if call == MutexCall::Lock && self.0.contains_key(&mutex) {
            return false;
        }
        self.follow(call, mutex);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutex_is_locked_once() {
        let mut locked = Locked::default();
        locked.follow(MutexCall::Lock, 8);
        assert!(!locked.make(MutexCall::Lock, 8) && locked.make(MutexCall::Lock, 16));
        assert!(locked.make(MutexCall::Unlock, 8) && locked.make(MutexCall::Lock, 8));
        assert!(locked.make(MutexCall::Unlock, 24));
        assert_eq!(
            (MutexCall::of("mtx_unlock"), MutexCall::of("pthread_mutex_trylock")),
            (Some(MutexCall::Unlock), None)
        );
    }
}

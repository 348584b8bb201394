//! Values of a thread's own under keys (`pthread_getspecific` and its like): what-if runs of one thread have them as the recorded run had.

use std::collections::BTreeMap;

/// What a function does to such a value; its first argument is the key, or points to a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpecificCall {
    Create,
    Get,
    Set,
}

impl SpecificCall {
    /// By name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "pthread_key_create" | "tss_create" => Some(Self::Create),
            "pthread_getspecific" | "tss_get" => Some(Self::Get),
            "pthread_setspecific" | "tss_set" => Some(Self::Set),
            _ => None,
        }
    }
}

/// What is known of such values.
#[derive(Clone, Default, Debug)]
pub(crate) struct Specific {
    /// Captured code makes its keys itself: what it has not set is null.
    makes_keys: bool,
    values: BTreeMap<u32, u64>,
}

impl Specific {
    /// The recorded run made a key. Which one it is external code has written, and is known when it is read.
    pub fn follow_create(&mut self) {
        self.makes_keys = true;
    }

    /// The recorded run got or set a value.
    pub fn follow(&mut self, key: u32, value: u64) {
        self.values.insert(key, value);
    }

    /// What a call gives, `value` being what is set; `None` where that is not known.
    pub fn make(&mut self, call: SpecificCall, key: u32, value: u64) -> Option<u64> {
        let known = self.values.get(&key).copied().or(self.makes_keys.then_some(0));
        match call {
            SpecificCall::Create => None,
            SpecificCall::Get => known,
            SpecificCall::Set => known.map(|_| {
                self.values.insert(key, value);
                0
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_once_its_key_or_who_makes_keys_is() {
        let mut specific = Specific::default();
        assert_eq!(specific.make(SpecificCall::Get, 3, 0), None);
        specific.follow(3, 0);
        assert_eq!(specific.make(SpecificCall::Set, 3, 77), Some(0));
        assert_eq!((specific.make(SpecificCall::Get, 3, 0), specific.make(SpecificCall::Set, 4, 1)), (Some(77), None));
        specific.follow_create();
        assert_eq!(
            (specific.make(SpecificCall::Get, 3, 0), specific.make(SpecificCall::Get, 4, 0)),
            (Some(77), Some(0))
        );
        assert_eq!(SpecificCall::of("tss_get"), Some(SpecificCall::Get));
    }
}

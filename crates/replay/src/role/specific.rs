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

/// The values that are known, by key.
#[derive(Clone, Default, Debug)]
pub(crate) struct Specific(BTreeMap<u32, u64>);

impl Specific {
    /// The recorded run made a key, whose value is null, or got or set a value.
    pub fn follow(&mut self, key: u32, value: u64) {
        self.0.insert(key, value);
    }

    /// What a call gives, `value` being what is set; `None` where that is not known.
    pub fn make(&mut self, call: SpecificCall, key: u32, value: u64) -> Option<u64> {
        match call {
            SpecificCall::Create => None,
            SpecificCall::Get => self.0.get(&key).copied(),
            SpecificCall::Set => self.0.get_mut(&key).map(|old| {
                *old = value;
                0
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_once_its_key_is() {
        let mut specific = Specific::default();
        assert_eq!(specific.make(SpecificCall::Get, 3, 0), None);
        specific.follow(3, 0);
        assert_eq!(specific.make(SpecificCall::Set, 3, 77), Some(0));
        assert_eq!((specific.make(SpecificCall::Get, 3, 0), specific.make(SpecificCall::Set, 4, 1)), (Some(77), None));
        assert_eq!(SpecificCall::of("tss_get"), Some(SpecificCall::Get));
    }
}

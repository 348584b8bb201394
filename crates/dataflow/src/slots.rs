//! Sets of frame slots.

use whydunit_model::Slot;

/// A set of slots of one function: a bit each.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    /// The empty set, for a function of so many slots. Slots beyond them are never in it.
    pub fn new(slots: u32) -> Self {
        Self(vec![0; (slots as usize).div_ceil(64)])
    }

    /// Whether a slot is in it.
    pub fn has(&self, slot: Slot) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Adds a slot.
    pub fn add(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Takes a slot out.
    pub fn remove(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word &= !(1 << (slot % 64));
        }
    }

    /// Adds all slots of another set of the same function. True where that was new.
    pub fn union(&mut self, other: &SlotSet) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Its slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = Slot> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u32 * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_keep_what_was_added() {
        let mut set = SlotSet::new(130);
        [0, 63, 64, 129].into_iter().for_each(|slot| set.add(slot));
        set.remove(63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 129]);
        let mut other = SlotSet::new(130);
        assert!(other.union(&set) && !other.union(&set));
        assert!(other.has(64) && !other.has(63) && !other.has(4000));
    }
}

//! Chance that a seed gives, the same on every machine and with every version.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A row of random numbers.
pub struct Random(Pcg64Mcg);

impl Random {
    /// That of a seed, which is another one for each name.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..].copy_from_slice(&fnv(name).to_le_bytes());
        // The generator does not look at the lowest bit.
        bytes[8] ^= u8::from(seed & 1 == seed >> 1 & 1);
        let mut random = Pcg64Mcg::from_seed(bytes);
        // The first values of neighbouring seeds are alike.
        (0..8).for_each(|_| _ = random.next_u64());
        Self(random)
    }

    /// A number below this one; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // By multiplication: how libraries draw from a range is not the same in all versions.
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// Puts the items into the order of a seed, which is another one for each name.
pub fn shuffle<T>(items: &mut [T], seed: u64, name: &str) {
    let mut random = Random::new(seed, name);
    // Fisher and Yates.
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

/// FNV-1a.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u64, name: &str) -> Vec<u32> {
        let mut items: Vec<u32> = (0..10).collect();
        shuffle(&mut items, seed, name);
        items
    }

    #[test]
    fn an_order_is_fixed_and_depends_on_seed_and_name() {
        assert_eq!(order(1, "a"), [4, 9, 2, 3, 7, 8, 0, 6, 1, 5]);
        for other in [order(2, "a"), order(1, "b")] {
            assert_ne!(order(1, "a"), other);
            let mut sorted = other;
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn neighbouring_seeds_give_other_rows() {
        let row = |seed: u64| -> Vec<usize> {
            let mut random = Random::new(seed, "a");
            (0..8).map(|_| random.below(1 << 30)).collect()
        };
        let rows: std::collections::HashSet<Vec<usize>> = (0..100).map(row).collect();
        assert_eq!(rows.len(), 100);
    }

    #[test]
    fn all_that_is_below_a_bound_comes_up() {
        let mut random = Random::new(1, "a");
        let mut seen = [0; 5];
        (0..500).for_each(|_| seen[random.below(5)] += 1);
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
        assert_eq!((random.below(0), random.pick::<u8>(&[])), (0, None));
    }
}

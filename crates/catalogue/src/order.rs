//! An order that a seed gives, the same on every machine and with every version.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Puts the items into the order of a seed, which is another one for each name.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64, name: &str) {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..].copy_from_slice(&fnv(name).to_le_bytes());
    let mut random = Pcg64Mcg::from_seed(bytes);
    // The first values of neighbouring seeds are alike.
    (0..8).for_each(|_| _ = random.next_u64());
    // Fisher and Yates, by multiplication: how libraries draw from a range is not the same in all versions.
    for last in (1..items.len()).rev() {
        let chosen = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        items.swap(last, chosen as usize);
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
}

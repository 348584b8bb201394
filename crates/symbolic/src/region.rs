//! Regions of a run: what a branch decided, from the branch to where its ways join again. They nest, and name executions:
//! two executions of an operation on two paths are one when they stand in the same regions (Xin and Zhang, "Efficient
//! Online Detection of Dynamic Control Dependence", 2007).

use std::cell::RefCell;
use std::rc::Rc;

use whydunit_model::BlockId;

/// Names an execution of a branch on all paths that reach it by the same decisions.
pub type Instance = u64;

/// A stack of regions that costs nothing to copy.
pub struct Region<F> {
    /// The region around it.
    pub outer: Option<Rc<Region<F>>>,
    /// Frame.
    pub depth: usize,
    /// Where it ends; [`NO_BLOCK`](whydunit_dataflow::flow::NO_BLOCK) at the function's return.
    pub join: BlockId,
    /// The branch.
    pub instance: Instance,
    /// Which way it went.
    pub arm: BlockId,
    /// How many ways deep beside the run it was opened.
    pub level: u32,
    /// What is to be done when it ends.
    pub fork: RefCell<Option<F>>,
}

/// A stack of regions.
pub type Regions<F> = Option<Rc<Region<F>>>;

impl<F> Drop for Region<F> {
    fn drop(&mut self) {
        // Without recursion: loops nest regions as often as they turn.
        let mut next = self.outer.take();
        while let Some(region) = next {
            next = Rc::try_unwrap(region).ok().and_then(|mut region| region.outer.take());
        }
    }
}

/// A number that depends on both in all their bits (the finaliser of SplitMix64).
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.rotate_left(29) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Where the innermost frame stands: in an arm of its innermost region, or right in its activation.
pub fn place<F>(regions: &Regions<F>, depth: usize, activation: u64) -> u64 {
    match regions {
        Some(region) if region.depth == depth => mix(region.instance, u64::from(region.arm) + 1),
        _ => activation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_nested_regions_are_dropped_without_recursion() {
        let mut regions: Regions<()> = None;
        for instance in 0..1_000_000 {
            let fork = RefCell::new(None);
            regions = Some(Rc::new(Region { outer: regions, depth: 0, join: 1, instance, arm: 2, level: 0, fork }));
        }
        assert_eq!(place(&regions, 0, 5), mix(999_999, 3));
        assert_eq!(place(&regions, 1, 5), 5);
        drop(regions);
    }
}

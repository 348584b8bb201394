//! What an optimiser makes one loop of, and the source has ten functions for.

pub fn sum(numbers: &[u32]) -> u32 {
    numbers.iter().map(|n| n * 2).filter(|n| n % 3 != 0).sum()
}

#[test]
fn sums() {
    assert_eq!(sum(&(0..1000).collect::<Vec<_>>()), 666000);
}

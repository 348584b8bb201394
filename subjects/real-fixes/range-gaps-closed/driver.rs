//! Tells the gaps between ranges: driver FIRST LAST [FROM TO]..., each range with its end.
use rangemap::RangeInclusiveMap;
use std::env;

fn main() {
    let numbers: Vec<u32> = env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    if numbers.len() < 2
        || numbers.len() % 2 != 0
        || numbers[2..].chunks(2).any(|range| range[0] > range[1])
        || numbers[0] > numbers[1]
    {
        println!("no ranges");
        return;
    }
    let mut map = RangeInclusiveMap::new();
    for (at, range) in numbers[2..].chunks(2).enumerate() {
        map.insert(range[0]..=range[1], at);
    }
    for gap in map.gaps(&(numbers[0]..=numbers[1])) {
        assert!(gap.start() <= gap.end(), "a gap is empty");
        println!("{:?}", gap);
    }
}

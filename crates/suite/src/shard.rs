//! Parts of a suite that several machines run.

use std::ops::Range;
use std::str::FromStr;

use whydunit_sealed::hash;

/// One of several parts of a suite: neighbours in its order, so that the results of all parts, one behind the other, are those of
/// the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which one, from 1.
    pub number: usize,
    /// Of how many.
    pub of: usize,
}

impl Shard {
    /// Which tests of so many belong to it, counted from 0. Sizes of parts differ by one at most.
    pub fn range(self, tests: usize) -> Range<usize> {
        let start = |number: usize| (tests as u128 * number as u128 / self.of as u128) as usize;
        start(self.number - 1)..start(self.number)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("a shard is NUMBER/OF, as 2/4: the second of four".into()),
        }
    }
}

/// What tells whether two lists of tests are the same: a hash of their names in order, 64 hexadecimal digits.
pub fn fingerprint<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::new();
    for name in names {
        all.push_str(name);
        all.push('\0');
    }
    hash(all.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parts_that_make_the_whole() {
        for (tests, of) in [(0, 1), (1, 4), (10, 3), (40, 7), (7, 7)] {
            let parts: Vec<usize> = (1..=of).flat_map(|number| Shard { number, of }.range(tests)).collect();
            assert_eq!(parts, (0..tests).collect::<Vec<_>>(), "{tests} of {of}");
            let sizes: Vec<usize> = (1..=of).map(|number| Shard { number, of }.range(tests).len()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
    }

    #[test]
    fn a_shard_is_read_and_a_mistake_in_it_told() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        for wrong in ["", "2", "0/4", "5/4", "1/0", "a/b", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn another_order_is_another_list() {
        let of = |names: &[&'static str]| fingerprint(names.iter().copied());
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert!(of(&["a", "b"]) != of(&["b", "a"]) && of(&["ab"]) != of(&["a", "b"]));
    }
}

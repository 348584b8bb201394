//! A test that fails now and then: how often it has to pass in a version to count as one that passes.

/// So seldom may a version at fault pass by luck.
const RISK: f64 = 0.01;
/// So often a test is run in a version at most.
const MOST: u32 = 100;

/// How often a test failed in the bad version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    pub failures: u32,
    pub runs: u32,
}

impl Chance {
    /// The part of runs that pass, between 0 and 1.
    fn passes(self) -> f64 {
        1.0 - f64::from(self.failures) / f64::from(self.runs.max(1))
    }

    /// So many runs have to pass, that a version that fails as often as the bad one does so with a probability of a hundredth at
    /// most; none where that takes more runs than are made.
    pub fn repeats(self) -> Option<u32> {
        let repeats = (1..=MOST).find(|&repeats| self.luck(repeats) <= RISK)?;
        Some(repeats)
    }

    /// The probability that so many runs of a version that fails as often as the bad one all pass.
    pub fn luck(self, repeats: u32) -> f64 {
        self.passes().powi(repeats.try_into().unwrap_or(i32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_seldom_is_run_often() {
        let repeats = |failures, runs| Chance { failures, runs }.repeats();
        assert_eq!((repeats(20, 20), repeats(10, 20), repeats(2, 20)), (Some(1), Some(7), Some(44)));
        assert_eq!((repeats(0, 20), repeats(1, 1000)), (None, None));
        assert!((Chance { failures: 10, runs: 20 }.luck(7) - 1.0 / 128.0).abs() < 1e-12);
    }
}

//! Suspiciousness formulas.
//!
//! Each is written with at most one division and one square root, both of which IEEE rounds correctly: equal scores of
//! different counts come out as equal numbers.

use std::fmt;
use std::str::FromStr;

/// How many tests execute an entity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// Failing tests that execute it (f).
    pub failed: u64,
    /// Passing tests that execute it (p).
    pub passed: u64,
    /// Failing tests (F).
    pub failed_total: u64,
    /// Passing tests (P).
    pub passed_total: u64,
}

/// A formula. With f, p, F, P as in [`Counts`], and 0/0 = 0:
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// (f/F) / (p/P + f/F) (Jones and Harrold 2005)
    Tarantula,
    /// f / sqrt(F (f + p)) (Abreu et al. 2006)
    Ochiai,
    /// f² / (p + F - f); infinite where only and all failing tests execute it (Wong et al. 2014)
    DStar,
    /// f / (F + p) (Chen et al. 2002)
    Jaccard,
    /// f - p / (P + 1) (Naish et al. 2011)
    Op2,
    /// 1 - p / (p + f); an entity that no test executes has 0 (Abreu et al. 2009)
    Barinel,
}

impl Formula {
    /// All of them.
    pub const ALL: [Formula; 6] =
        [Formula::Tarantula, Formula::Ochiai, Formula::DStar, Formula::Jaccard, Formula::Op2, Formula::Barinel];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Formula::Tarantula => "tarantula",
            Formula::Ochiai => "ochiai",
            Formula::DStar => "dstar",
            Formula::Jaccard => "jaccard",
            Formula::Op2 => "op2",
            Formula::Barinel => "barinel",
        }
    }

    /// The suspiciousness of an entity with these counts.
    pub fn score(self, counts: Counts) -> f64 {
        let f = counts.failed as f64;
        let p = counts.passed as f64;
        let failed = counts.failed_total as f64;
        let passed = counts.passed_total as f64;
        match self {
            // Both sides multiplied by F P. Without passing tests p/P is 0/0 = 0 and only f/F is left.
            Formula::Tarantula if counts.passed_total == 0 => ratio(f, f),
            Formula::Tarantula => ratio(f * passed, p * failed + f * passed),
            Formula::Ochiai => ratio(f * f, failed * (f + p)).sqrt(),
            Formula::DStar => ratio(f * f, p + failed - f),
            Formula::Jaccard => ratio(f, failed + p),
            Formula::Op2 => (f * (passed + 1.0) - p) / (passed + 1.0),
            // 1 - p/(p + f) in one division.
            Formula::Barinel => ratio(f, p + f),
        }
    }
}

/// a / b with 0/0 = 0.
fn ratio(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Formula {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Formula::ALL.into_iter().find(|formula| formula.name() == name).ok_or_else(|| {
            let names: Vec<_> = Formula::ALL.iter().map(|formula| formula.name()).collect();
            format!("there is no method `{name}`; choose one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(failed: u64, passed: u64, failed_total: u64, passed_total: u64) -> Counts {
        Counts { failed, passed, failed_total, passed_total }
    }

    #[track_caller]
    fn check(formula: Formula, counts: Counts, expect: f64) {
        let score = formula.score(counts);
        assert!(score == expect || (score - expect).abs() < 1e-12, "{formula} of {counts:?} is {score}, not {expect}");
    }

    #[test]
    fn scores_agree_with_hand_computed_ones() {
        // 2 of 3 failing and 1 of 4 passing tests execute it.
        let some = counts(2, 1, 3, 4);
        check(Formula::Tarantula, some, (2.0 / 3.0) / (0.25 + 2.0 / 3.0)); // 8/11
        check(Formula::Tarantula, some, 8.0 / 11.0);
        check(Formula::Ochiai, some, 2.0 / 3.0); // 2/sqrt(3*3)
        check(Formula::DStar, some, 2.0); // 4/(1+3-2)
        check(Formula::Jaccard, some, 0.5); // 2/(3+1)
        check(Formula::Op2, some, 1.8); // 2-1/5
        check(Formula::Barinel, some, 2.0 / 3.0); // 1-1/3
        // One failing test and all 8 passing ones execute it.
        let most = counts(1, 8, 1, 8);
        check(Formula::Tarantula, most, 0.5);
        check(Formula::Ochiai, most, 1.0 / 3.0);
        check(Formula::DStar, most, 0.125);
        check(Formula::Jaccard, most, 1.0 / 9.0);
        check(Formula::Op2, most, 1.0 / 9.0);
        check(Formula::Barinel, most, 1.0 / 9.0);
    }

    #[test]
    fn an_entity_of_exactly_the_failing_tests_has_the_top_score() {
        let exact = counts(2, 0, 2, 5);
        check(Formula::Tarantula, exact, 1.0);
        check(Formula::Ochiai, exact, 1.0);
        check(Formula::DStar, exact, f64::INFINITY);
        check(Formula::Jaccard, exact, 1.0);
        check(Formula::Op2, exact, 2.0);
        check(Formula::Barinel, exact, 1.0);
    }

    #[test]
    fn zero_over_zero_is_zero() {
        for formula in Formula::ALL {
            check(formula, counts(0, 0, 0, 0), 0.0);
            check(formula, counts(0, 0, 2, 3), 0.0);
        }
        // No passing test: p/P is 0.
        check(Formula::Tarantula, counts(1, 0, 2, 0), 1.0);
        // No failing test: f/F is 0.
        check(Formula::Tarantula, counts(0, 2, 0, 3), 0.0);
        check(Formula::Ochiai, counts(0, 2, 0, 3), 0.0);
    }

    /// Every count with up to 6 failing and 6 passing tests.
    fn all_counts() -> impl Iterator<Item = Counts> {
        let totals = (0..=6).flat_map(|failed| (0..=6).map(move |passed| (failed, passed)));
        totals.flat_map(|(failed_total, passed_total)| {
            (0..=failed_total).flat_map(move |failed| {
                (0..=passed_total).map(move |passed| counts(failed, passed, failed_total, passed_total))
            })
        })
    }

    #[test]
    fn a_score_is_above_zero_exactly_when_a_failing_test_executes_the_entity() {
        for (formula, counts) in Formula::ALL.into_iter().flat_map(|formula| all_counts().map(move |c| (formula, c))) {
            let score = formula.score(counts);
            assert!(!score.is_nan(), "{formula} of {counts:?}");
            assert_eq!(score > 0.0, counts.failed > 0, "{formula} of {counts:?} is {score}");
        }
    }

    #[test]
    fn more_failing_tests_never_lower_a_score_and_more_passing_ones_never_raise_it() {
        for (formula, counts) in Formula::ALL.into_iter().flat_map(|formula| all_counts().map(move |c| (formula, c))) {
            let score = formula.score(counts);
            if counts.failed < counts.failed_total {
                let more = formula.score(Counts { failed: counts.failed + 1, ..counts });
                assert!(more >= score, "{formula} of {counts:?}: {score}, with one more failing {more}");
            }
            if counts.passed < counts.passed_total {
                let more = formula.score(Counts { passed: counts.passed + 1, ..counts });
                assert!(more <= score, "{formula} of {counts:?}: {score}, with one more passing {more}");
            }
        }
    }

    #[test]
    fn equal_ratios_give_equal_numbers() {
        for k in 1..50 {
            let scale = |c: Counts| counts(c.failed * k, c.passed * k, c.failed_total * k, c.passed_total * k);
            for formula in [Formula::Tarantula, Formula::Ochiai, Formula::Jaccard, Formula::Barinel] {
                for counts in all_counts() {
                    assert_eq!(
                        formula.score(counts),
                        formula.score(scale(counts)),
                        "{formula} of {counts:?} times {k}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_read_back() {
        for formula in Formula::ALL {
            assert_eq!(formula.name().parse(), Ok(formula));
        }
        assert!("ample".parse::<Formula>().unwrap_err().contains("ochiai"));
    }
}

//! How well the changes are found that broke a test.

/// A regression whose faulty changes are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoredRegression {
    /// Its folder, relative to the catalogue.
    pub name: String,
    /// The kind of fault, where its truth says it.
    pub kind: Option<String>,
    /// The failing test.
    pub test: String,
    /// Changes between the two versions.
    pub changes: u64,
    /// The least number of changes whose reverting, and nothing else, makes the test pass, where it is known.
    pub least: Option<u64>,
    /// What each method reports; empty where nothing could be measured.
    pub answers: Vec<ScoredAnswer>,
    /// Why it could not be measured.
    pub problem: Option<String>,
}

/// What a method reports of a regression.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoredAnswer {
    /// The method.
    pub method: String,
    /// Changes that it reports as being at fault.
    pub reported: u64,
    /// Changes that it reports as having to be reverted with them.
    pub auxiliary: u64,
    /// The true changes are among these.
    pub found: bool,
    /// With all of these reverted the test passes.
    pub passes: bool,
    /// Versions that were built until the method had its answer, the good and the bad one among them.
    pub builds: u64,
    /// Runs of the test until then.
    pub runs: u64,
    /// Time until then, from the build under capture on, which all methods share.
    pub seconds: f64,
    /// Why it has no answer.
    pub problem: Option<String>,
}

/// A method over all regressions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExplainerScore {
    /// The method.
    pub method: String,
    /// Regressions for which it has an answer.
    pub regressions: u64,
    /// Those whose true changes it reports.
    pub found: u64,
    /// Those in which reverting what it reports makes the test pass.
    pub passing: u64,
    /// Mean of the changes reported, those that have to be reverted with them included.
    pub reported: f64,
    /// All builds.
    pub builds: u64,
    /// Its builds as a share of those of delta debugging, over the regressions for which both have an answer.
    pub share: Option<f64>,
    /// Mean time.
    pub seconds: f64,
    /// Longest time.
    pub seconds_worst: f64,
}

impl ExplainerScore {
    /// Sums up what a method reports; `baseline` is the method that builds are compared with.
    pub fn of(method: &str, baseline: &str, regressions: &[ScoredRegression]) -> Self {
        let answer = |regression: &'_ ScoredRegression, method: &str| -> Option<ScoredAnswer> {
            let answers = regression.answers.iter();
            answers.filter(|answer| answer.problem.is_none()).find(|answer| answer.method == method).cloned()
        };
        let answers: Vec<ScoredAnswer> = regressions.iter().filter_map(|it| answer(it, method)).collect();
        let both: Vec<(u64, u64)> = regressions
            .iter()
            .filter_map(|it| Some((answer(it, method)?.builds, answer(it, baseline)?.builds)))
            .collect();
        let (own, other) = both.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        let count = |what: fn(&ScoredAnswer) -> bool| answers.iter().filter(|answer| what(answer)).count() as u64;
        let mean = |sum: f64| if answers.is_empty() { 0.0 } else { sum / answers.len() as f64 };
        Self {
            method: method.into(),
            regressions: answers.len() as u64,
            found: count(|answer| answer.found),
            passing: count(|answer| answer.passes),
            reported: mean(answers.iter().map(|answer| (answer.reported + answer.auxiliary) as f64).sum()),
            builds: answers.iter().map(|answer| answer.builds).sum(),
            share: (other > 0).then(|| own as f64 / other as f64),
            seconds: mean(answers.iter().map(|answer| answer.seconds).sum()),
            seconds_worst: answers.iter().map(|answer| answer.seconds).fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_compared_where_both_methods_have_an_answer() {
        let answer = |method: &str, builds, found, problem: Option<&str>| ScoredAnswer {
            method: method.into(),
            reported: 2,
            auxiliary: 1,
            found,
            passes: true,
            builds,
            seconds: builds as f64,
            problem: problem.map(String::from),
            ..ScoredAnswer::default()
        };
        let of = |answers: &[ScoredAnswer]| ScoredRegression { answers: answers.to_vec(), ..Default::default() };
        let all = [
            of(&[answer("a", 10, true, None), answer("b", 40, false, None)]),
            of(&[answer("a", 20, false, None), answer("b", 500, false, Some("too many"))]),
            of(&[]),
        ];
        let a = ExplainerScore::of("a", "b", &all);
        assert_eq!((a.regressions, a.found, a.passing, a.builds, a.share), (2, 1, 2, 30, Some(0.25)));
        assert_eq!((a.reported, a.seconds, a.seconds_worst), (3.0, 15.0, 20.0));
        let b = ExplainerScore::of("b", "b", &all);
        assert_eq!((b.regressions, b.builds, b.share), (1, 40, Some(1.0)));
        assert_eq!(ExplainerScore::of("c", "b", &all).share, None);
    }
}

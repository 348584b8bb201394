//! The order of statements: by what counts say, and by their distance from the failure in the walk of causes.

use std::collections::{HashMap, HashSet};

use whydunit_findings::Finding;

use super::walk::Walk;
use super::{Place, Suspicion, place_of};

/// How much further behind a statement stands that no walk comes to, where no test passes.
const FARTHEST: f64 = 0.5;
/// With so many passing tests it is half as much: the more tests there are, the more counts say.
const MANY: f64 = 5.0;
/// So many steps away from the failure is half as far as what no walk comes to.
const HALFWAY: f64 = 4.0;
/// How much further behind a statement stands that only checks execute which pass, where no test passes.
pub(super) const CHECKED: f64 = 4.0;
/// So much later a statement is looked at for each step, and at most so many steps.
const LATER: (f64, u32) = (0.5, 16);

/// The cost of a statement: the inverse of its suspiciousness, as an integer that keeps different values apart.
pub(super) fn cost(suspicion: &Suspicion, place: &(String, u32)) -> u64 {
    const ONE: f64 = 1e6;
    let score = suspicion.get(place).copied().unwrap_or(0.0);
    if score <= 0.0 { (1000.0 * ONE) as u64 } else { (ONE / score).min(999.0 * ONE) as u64 }
}

/// How far statements are from the failures by the walks of causes of failing tests.
pub struct Nearness<'a> {
    walks: Vec<&'a HashMap<Place, u32>>,
    checked: Vec<&'a Walk>,
    /// How much counts leave to be said: 1 where no test passes, and the less the more do.
    unsaid: f64,
}

impl<'a> Nearness<'a> {
    /// By walks, of which the empty ones say nothing, in a suite of which so many tests pass.
    pub fn of(walks: impl IntoIterator<Item = &'a Walk>, passing: usize) -> Self {
        let walks: Vec<&Walk> = walks.into_iter().collect();
        let checked = walks.iter().copied().filter(|walk| walk.checks.is_some()).collect();
        let walks = walks.iter().map(|walk| &walk.distances).filter(|walk| !walk.is_empty()).collect();
        Self { walks, checked, unsaid: MANY / (MANY + passing as f64) }
    }

    /// By how much further behind a statement stands: 1 for the failing statement itself and where nothing was walked, and the more the
    /// farther, and the more checks of the failing runs pass that execute it.
    pub fn farther(&self, place: &Place) -> f64 {
        let far = |walk: &&HashMap<Place, u32>| match walk.get(place) {
            Some(&far) => f64::from(far) / (f64::from(far) + HALFWAY),
            None => 1.0,
        };
        let far = self.walks.iter().map(far).min_by(f64::total_cmp).unwrap_or(0.0);
        let spoken = self.checked.iter().map(|walk| walk.spoken_for(place)).min_by(f64::total_cmp).unwrap_or(0.0);
        (1.0 + FARTHEST * self.unsaid * far) * (1.0 + CHECKED * self.unsaid * spoken)
    }
}

/// By how much later a statement is looked at that is so many steps from the failure; none where the walk does not come to it.
pub fn later(steps: Option<u32>) -> f64 {
    let (each, most) = LATER;
    1.0 + each * f64::from(steps.unwrap_or(most).min(most))
}

/// A ranking by counts, with the distances that were walked. The outcomes of a branch are left to the statement that they are of.
pub fn by_distance(findings: &mut Vec<Finding>, suspicion: &Suspicion, nearness: &Nearness<'_>) {
    let key = |finding: &Finding| {
        let place = place_of(finding);
        cost(suspicion, &place) as f64 * nearness.farther(&place)
    };
    let statements: HashSet<Place> = findings.iter().filter(|finding| finding.branch.is_none()).map(place_of).collect();
    findings.retain(|finding| finding.branch.is_none() || !statements.contains(&place_of(finding)));
    let mut order: Vec<(f64, Finding)> = findings.drain(..).map(|finding| (key(&finding), finding)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    for tie in order.chunk_by(|a, b| a.0 == b.0) {
        let (best, worst) = (findings.len() as u64 + 1, (findings.len() + tie.len()) as u64);
        let ranked = |(_, finding): &(f64, Finding)| Finding {
            rank: (best + worst) as f64 / 2.0,
            rank_best: best,
            rank_worst: worst,
            ..finding.clone()
        };
        findings.extend(tie.iter().map(ranked));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::Location;

    fn place(line: u32) -> Place {
        ("a.c".into(), line)
    }

    fn walked(distances: HashMap<Place, u32>) -> Walk {
        Walk { distances, ..Walk::default() }
    }

    #[test]
    fn the_nearest_of_equally_suspicious_statements_stands_first() {
        let finding = |line| Finding { location: Location::point("a.c", line, 1), ..Finding::default() };
        let mut findings: Vec<Finding> = [1, 2, 3, 4].map(finding).into();
        findings.push(Finding { branch: Some("true".into()), ..finding(3) });
        let suspicion: Suspicion = (1..=4).map(|line| (place(line), 0.5)).collect();
        let walk = walked([(place(3), 0), (place(1), 2)].into());
        by_distance(&mut findings, &suspicion, &Nearness::of(&[walk, Walk::default()], 0));
        let ranked: Vec<(u32, u64, u64)> =
            findings.iter().map(|finding| (finding.location.line, finding.rank_best, finding.rank_worst)).collect();
        assert_eq!(ranked, [(3, 1, 1), (1, 2, 2), (2, 3, 4), (4, 3, 4)]);
    }

    #[test]
    fn nothing_is_farther_where_no_walk_was_made_and_less_is_where_many_tests_pass() {
        let farther = |walk: &Walk, passing, line| Nearness::of([walk], passing).farther(&place(line));
        assert_eq!(farther(&Walk::default(), 0, 1), 1.0);
        let walk = walked([(place(1), 0)].into());
        assert!(farther(&walk, 0, 1) < farther(&walk, 0, 2));
        assert!(farther(&walk, 100, 2) < farther(&walk, 1, 2));
        assert!(later(Some(0)) < later(Some(3)) && later(Some(3)) < later(None));
    }
}

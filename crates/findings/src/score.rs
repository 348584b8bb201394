//! How well faults are located and repaired that are known, and regressions explained.

use crate::median::median;
use crate::regression::{ExplainerScore, ScoredRegression};
use crate::scored_repair::{RepairScore, ScoredRepair};
use crate::stats::FormulaStats;

/// What `score` measured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    /// Projects with a known fault.
    pub bugs: Vec<ScoredBug>,
    /// Over all of them, method by method.
    pub methods: Vec<MethodScore>,
    /// Regressions whose faulty changes are known.
    pub regressions: Vec<ScoredRegression>,
    /// Over all of these, method by method.
    pub explainers: Vec<ExplainerScore>,
    /// Projects with a known fault that was to be repaired.
    pub repairs: Vec<ScoredRepair>,
    /// Over all of these, method by method.
    pub repairers: Vec<RepairScore>,
}

/// A project whose fault is known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoredBug {
    /// Its folder, relative to the catalogue.
    pub name: String,
    /// The kind of fault, where its truth says it.
    pub kind: Option<String>,
    /// Failing tests.
    pub failing: u64,
    /// All tests.
    pub tests: u64,
    /// Where the fault stands, method by method; empty where it could not be measured.
    pub places: Vec<FaultPlace>,
    /// Why it could not be measured.
    pub problem: Option<String>,
}

/// Where a method puts a fault.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FaultPlace {
    /// The method.
    pub method: String,
    /// Statements to look at before the fault is found, itself included: the mean position within its tie. For a fault that
    /// the method does not report, all that it reports and half of the other statements that failing tests execute.
    pub examined: f64,
    /// The method reports it.
    pub found: bool,
    /// Time of the method's own work: for formulas from the recordings on (replay, encoding, solving).
    pub seconds: f64,
    /// That time by what it was spent on; none for methods without phases.
    pub phases: Option<Phases>,
    /// The method stopped early.
    pub cut: bool,
    /// Statements of which it says that no values of theirs mend; none for methods that say nothing of the kind.
    pub exclusions: Option<Exclusions>,
}

/// Statements of which a method says that they cannot be at fault, whatever their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exclusions {
    /// Lines of the fault among them: false exonerations.
    pub falsely: u64,
    /// All others.
    pub rightly: u64,
}

impl std::iter::Sum for Exclusions {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            falsely: sum.falsely + one.falsely,
            rightly: sum.rightly + one.rightly,
        })
    }
}

/// Seconds by what they were spent on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Phases {
    /// Replaying up to the failure.
    pub replay: f64,
    /// Trial runs.
    pub trials: f64,
    /// Listing and encoding, the replay that goes with it included.
    pub encode: f64,
    /// Solving.
    pub solve: f64,
}

impl Phases {
    /// Of the figures of an answer.
    pub fn of(stats: &FormulaStats) -> Self {
        let &FormulaStats { replay_seconds, trial_seconds, encode_seconds, solve_seconds, .. } = stats;
        Self { replay: replay_seconds, trials: trial_seconds, encode: encode_seconds, solve: solve_seconds }
    }

    /// All of it.
    pub fn sum(&self) -> f64 {
        self.by_name().iter().map(|phase| phase.1).sum()
    }

    /// The phases with their names.
    pub fn by_name(&self) -> [(&'static str, f64); 4] {
        [("replay", self.replay), ("trials", self.trials), ("encode", self.encode), ("solve", self.solve)]
    }
}

/// A method over all faults.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MethodScore {
    /// The method.
    pub method: String,
    /// Faults measured.
    pub bugs: u64,
    /// Faults that it reports.
    pub found: u64,
    /// Faults among the first 1, 3, 5 and 10 statements.
    pub top: [u64; 4],
    /// Mean of the statements examined.
    pub examined: f64,
    /// Median of the statements examined.
    pub median: f64,
    /// Mean time.
    pub seconds: f64,
    /// Longest time.
    pub seconds_worst: f64,
    /// The mean time by what it was spent on; none for methods without phases.
    pub phases: Option<Phases>,
    /// Over all faults; none for methods that exclude nothing.
    pub exclusions: Option<Exclusions>,
}

/// The numbers of first statements that [`MethodScore::top`] counts.
pub const TOPS: [u64; 4] = [1, 3, 5, 10];

impl MethodScore {
    /// Sums up where a method puts faults.
    pub fn of<'a>(method: &str, places: impl Iterator<Item = &'a FaultPlace>) -> Self {
        let places: Vec<&FaultPlace> = places.filter(|place| place.method == method).collect();
        let mean = |sum: f64| if places.is_empty() { 0.0 } else { sum / places.len() as f64 };
        let mut examined: Vec<f64> = places.iter().map(|place| place.examined).collect();
        examined.sort_by(f64::total_cmp);
        Self {
            method: method.into(),
            bugs: places.len() as u64,
            found: places.iter().filter(|place| place.found).count() as u64,
            top: TOPS
                .map(|top| places.iter().filter(|place| place.found && place.examined <= top as f64).count() as u64),
            examined: mean(examined.iter().sum()),
            median: median(&examined),
            seconds: mean(places.iter().map(|place| place.seconds).sum()),
            seconds_worst: places.iter().map(|place| place.seconds).fold(0.0, f64::max),
            exclusions: places
                .iter()
                .map(|place| place.exclusions)
                .collect::<Option<Vec<_>>>()
                .filter(|all| !all.is_empty())
                .map(|all| all.into_iter().sum()),
            phases: places.iter().any(|place| place.phases.is_some()).then(|| {
                let part = |part: fn(&Phases) -> f64| {
                    mean(places.iter().filter_map(|place| place.phases.as_ref()).map(part).sum())
                };
                Phases {
                    replay: part(|phases| phases.replay),
                    trials: part(|phases| phases.trials),
                    encode: part(|phases| phases.encode),
                    solve: part(|phases| phases.solve),
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_summed_up_by_method() {
        let place = |method: &str, examined: f64, found| FaultPlace {
            method: method.into(),
            examined,
            found,
            seconds: examined / 10.0,
            phases: (method == "a").then(|| Phases { solve: examined / 10.0, ..Phases::default() }),
            cut: false,
            exclusions: (method == "a").then_some(Exclusions { falsely: 0, rightly: 3 }),
        };
        let places = [
            place("a", 1.0, true),
            place("b", 7.0, true),
            place("a", 4.0, true),
            place("a", 2.5, false),
            place("a", 3.5, true),
        ];
        let score = MethodScore::of("a", places.iter());
        assert_eq!((score.bugs, score.found, score.top), (4, 3, [1, 1, 3, 3]));
        assert_eq!((score.examined, score.median, score.seconds_worst), (2.75, 3.0, 0.4));
        assert_eq!(score.phases, Some(Phases { solve: 0.275, ..Phases::default() }));
        assert_eq!(score.exclusions, Some(Exclusions { falsely: 0, rightly: 12 }));
        assert_eq!(MethodScore::of("b", places.iter()).phases, None);
        assert_eq!(MethodScore::of("b", places.iter()).exclusions, None);
        assert_eq!(MethodScore::of("c", places.iter()).bugs, 0);
    }
}

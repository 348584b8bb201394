//! Minimal correction sets in the order of their cost, by implicit hitting sets.
//!
//! Statements are numbers. An [`Oracle`] says whether the demands can be met when some statements are relaxed, and if not,
//! names statements of which one more must be: a core. Every correction set hits every core, so the cheapest set that hits
//! all known cores is either a correction set, and then a minimal one and the cheapest of those not found yet, or it gives
//! a new core. (Reiter, "A theory of diagnosis from first principles", 1987; Davies and Bacchus, CP 2011; Ignatiev,
//! Previti, Liffiton and Marques-Silva, CP 2015.)

mod hitting;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use hitting::{Found, HittingSets};

/// Knows whether demands can be met.
pub trait Oracle {
    /// Whether the demands can be met with these statements relaxed.
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict;
}

/// What an [`Oracle`] finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They can.
    Holds,
    /// They cannot.
    Fails {
        /// Statements, none of them relaxed, of which at least one must be; the fewer the better. None of all: nothing
        /// can be done.
        core: BTreeSet<usize>,
    },
    /// Not found out.
    Unknown,
}

/// Where an enumeration ends.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The most statements of a set.
    pub max_size: Option<usize>,
    /// The most sets.
    pub max_sets: Option<usize>,
    /// The time when it ends; a check of the oracle that runs then is waited for.
    pub deadline: Option<Instant>,
}

/// Statements that meet the demands when all of them are relaxed, and do not when one is not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CorrectionSet {
    /// The sum of the statements' costs.
    pub cost: u64,
    /// The statements.
    pub statements: BTreeSet<usize>,
}

/// Why an enumeration ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoppedBy {
    /// There are no more sets, except beyond those of [`Enumeration::unknown`].
    Complete,
    /// There may be more, but they are larger than the bound.
    Size,
    /// As many as were wanted.
    Sets,
    /// The deadline.
    Time,
    /// The caller.
    Caller,
}

/// What an enumeration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// The minimal correction sets, cheapest first.
    pub sets: Vec<CorrectionSet>,
    /// Candidates that the oracle did not decide. Neither they nor what contains them was looked at further, and a set
    /// that would be found after one of them may still be minimal.
    pub unknown: Vec<CorrectionSet>,
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// How often the oracle was asked.
    pub checks: usize,
    /// How many cores it gave.
    pub cores: usize,
}

/// Enumerates the minimal correction sets of the statements that `costs` counts, cheapest first, of equal costs those with
/// fewer statements first. Each set goes to `on_set` when it is found.
pub fn enumerate(
    costs: &[u64],
    oracle: &mut dyn Oracle,
    bounds: &Bounds,
    mut on_set: impl FnMut(&CorrectionSet) -> ControlFlow<()>,
) -> Enumeration {
    let mut hitting = HittingSets::new(costs);
    let mut found =
        Enumeration { sets: Vec::new(), unknown: Vec::new(), stopped_by: StoppedBy::Complete, checks: 0, cores: 0 };
    found.stopped_by = loop {
        if bounds.max_sets.is_some_and(|most| found.sets.len() >= most) {
            break StoppedBy::Sets;
        }
        if bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break StoppedBy::Time;
        }
        let statements = match hitting.cheapest(bounds.max_size, bounds.deadline) {
            Found::Set(statements) => statements,
            Found::OutOfTime => break StoppedBy::Time,
            Found::None if bounds.max_size.is_none() => break StoppedBy::Complete,
            Found::None => match hitting.any(bounds.deadline) {
                Found::None => break StoppedBy::Complete,
                Found::Set(_) => break StoppedBy::Size,
                Found::OutOfTime => break StoppedBy::Time,
            },
        };
        found.checks += 1;
        let cost = statements.iter().map(|statement| costs[*statement]).fold(0, u64::saturating_add);
        match oracle.check(&statements) {
            Verdict::Holds => {
                hitting.block(&statements);
                let set = CorrectionSet { cost, statements };
                let flow = on_set(&set);
                found.sets.push(set);
                if flow.is_break() {
                    break StoppedBy::Caller;
                }
            }
            Verdict::Fails { core } if core.is_disjoint(&statements) => {
                found.cores += 1;
                hitting.add(&core);
            }
            // A core of relaxed statements says nothing: the oracle does not know.
            Verdict::Fails { .. } | Verdict::Unknown => {
                hitting.block(&statements);
                found.unknown.push(CorrectionSet { cost, statements });
            }
        }
    };
    found
}

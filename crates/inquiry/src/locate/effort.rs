//! How much is asked: what keeps answers quick, and what there is when time is of no importance.

use std::time::Duration;

use whydunit_locate::{Question, Trials};

/// Limits of one failing test's search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Runs of more statements than this are asked for sets of several statements only where no statement does it alone.
    pub few: usize,
    /// Trial runs.
    pub trials: Trials,
    /// So long one statement is looked at, at most.
    pub patience: Duration,
    /// Terms of a formula. Larger ones say nothing in that time.
    pub formula: usize,
    /// So many terms all formulas of a failing test may have: statements that trial runs say nothing of are given formulas in the
    /// order of their suspiciousness until then.
    pub terms: u64,
    /// So many values of terms are worked out while looking for answers of a failing test near its run.
    pub work: u64,
    /// So many terms the formulas of a failing test may have that the solver is given.
    pub solved: u64,
    /// Terms of a formula that the solver is given.
    pub large: u64,
    /// One question to the solver.
    pub question: Question,
    /// Sets of several statements that are looked at.
    pub candidates: usize,
    /// Sets that are told.
    pub sets: usize,
    /// The sets of each iteration are told.
    pub rounds: bool,
}

/// Answers within a second on programs of some hundred lines.
pub const QUICK: Effort = Effort {
    few: 24,
    trials: Trials {
        values: 1_000_000,
        mutants: 3_000_000,
        guards: 1_000_000,
        assignments: 1_000_000,
        initial: 3_000_000,
        guarded: 30,
        total: 60_000_000,
        checked: 3_000_000,
    },
    patience: Duration::from_millis(150),
    formula: 10_000,
    terms: 100_000,
    work: 100_000,
    solved: 4_000,
    large: 3_000,
    question: Question { conflicts: 200, time: Duration::from_millis(100) },
    candidates: 300,
    sets: 100,
    rounds: false,
};

/// Everything, as far as the time limit lets.
pub const THOROUGH: Effort = Effort {
    few: usize::MAX,
    trials: Trials {
        values: 5_000_000,
        mutants: 10_000_000,
        guards: 5_000_000,
        assignments: 10_000_000,
        initial: 30_000_000,
        guarded: usize::MAX,
        total: u64::MAX,
        checked: u64::MAX,
    },
    patience: Duration::from_secs(5),
    formula: 1_000_000,
    terms: u64::MAX,
    work: u64::MAX,
    solved: u64::MAX,
    large: u64::MAX,
    question: Question { conflicts: 1_000_000, time: Duration::from_secs(20) },
    candidates: usize::MAX,
    sets: 10_000,
    rounds: true,
};

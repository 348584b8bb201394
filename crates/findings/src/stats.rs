//! Figures of a command.

/// What a command did, in numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Wall-clock time of the whole command.
    pub seconds: f64,
    /// Calls of a solver.
    pub solver_calls: u64,
    /// Builds of the program under test.
    pub builds: u64,
    /// Runs of a test.
    pub test_runs: u64,
    /// Share of the run's processor cycles that were spent in captured code, from 0 to 1, where it was measured.
    pub captured_share: Option<f64>,
    /// Instructions that were replayed and watched.
    pub watched_instructions: Option<u64>,
    /// Figures of a replay.
    pub replay: Option<ReplayStats>,
    /// Figures of formulas.
    pub formulas: Option<FormulaStats>,
}

/// Figures of formulas.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FormulaStats {
    /// How often the formula grew.
    pub iterations: u64,
    /// Ways through the program that were gone.
    pub paths: u64,
    /// Outcomes of open branches that were gone.
    pub branches_explored: u64,
    /// Outcomes of open branches.
    pub branches_total: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Replaying up to the failure.
    pub replay_seconds: f64,
    /// Encoding, the replay that goes with it included.
    pub encode_seconds: f64,
    /// Solving.
    pub solve_seconds: f64,
    /// Trial runs.
    pub trial_seconds: f64,
    /// Terms of the largest formula.
    pub terms: u64,
    /// What was left out: what stayed as in the run, and bounds that were reached.
    pub left_out: Vec<String>,
}

/// Figures of a replay.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReplayStats {
    /// IR instructions executed.
    pub instructions: u64,
    /// Per second of replay.
    pub instructions_per_second: f64,
    /// Loads whose value came from the log.
    pub surprises: u64,
    /// Calls of code that was not captured.
    pub external_calls: u64,
    /// Bytes of compressed log.
    pub log_bytes: u64,
}

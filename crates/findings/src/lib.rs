//! What commands find: one model for every command.
//!
//! A command's answer is a [`Report`]: the tests that it ran, a [`Body`] of its own, problems that did not stop it, and
//! figures. Renderers turn a report into text or JSON; nothing here knows a format.
//!
//! Invariants
//! - Plain data without input or output, and without a dependency.
//! - Files in a [`Location`] are relative to the project where they lie inside it, lines and columns count from 1.

mod build;
mod cases;
mod check;
mod classes;
mod divergence;
mod enrich;
mod explain;
mod health;
mod history;
mod locate;
mod location;
mod median;
mod memory;
mod mine;
mod moments;
mod problem;
mod regression;
mod repair;
mod report;
mod review;
mod run;
mod score;
mod scored_repair;
mod shrunk;
mod sources;
mod stats;
mod test;
mod why;

pub use build::{Build, Executable, Init};
pub use cases::{CaseBasis, Cases, LeftOutRuns, MadeCase};
pub use check::{Checked, Misuse, MisuseStep};
pub use classes::{Class, ClassBase, ClassMethod, MethodReceiver, MethodTrait};
pub use divergence::Divergence;
pub use enrich::{
    Enriched, EnrichedArgument, EnrichedHow, EnrichedPair, EnrichedState, EnrichedTransition, NoUnitTest, UnitTest,
    UnitTests,
};
pub use explain::{Cause, CauseStatement, Change, Explained, Variants};
pub use health::{Health, HealthCheck, HealthState, HealthTopic};
pub use history::{
    BiasCheck, BugClass, CommitVerdict, History, HistoryBug, HistoryCommit, Introduced, Minimised, TestSides,
};
pub use locate::{
    Apart, CorrectionSet, Finding, Group, LineScore, Located, Rounds, SpectrumCounts, TestFailure, TriedChange, Verdict,
};
pub use location::Location;
pub use memory::{Access, MemoryError, MemoryObject, RunErrors, UndefinedBehaviour};
pub use mine::{
    Anomaly, ClassModel, MethodPurity, Mined, MinedClass, ModelDifference, ModelExample, ModelState, ModelTransition,
};
pub use moments::{Moment, MomentCall, MomentVariable, Moments};
pub use problem::Problem;
pub use regression::{ExplainerScore, ScoredAnswer, ScoredRegression};
pub use repair::{
    Differing, ENOUGH, Grade, Otherwise, Patch, PatchEvidence, RepairPhases, Repaired, Replacement, ValuesSeen,
};
pub use report::{Body, DemoStep, Report};
pub use review::{
    Better, ChangedLine, Compared, Counterexample, Did, Disruption, Distance, Executed, FixVerdict, Parting, Remark,
    Reviewed, UnderTest,
};
pub use run::{Failure, OutlineEntry, Ran, Record, Recorded, Replay, RunDifference, Show, UntilFails};
pub use score::{Exclusions, FaultPlace, MethodScore, Phases, Score, ScoredBug, TOPS};
pub use scored_repair::{RepairScore, ScoredPatch, ScoredRepair};
pub use shrunk::{PartKind, Shrunk, ShrunkPart, Size};
pub use sources::{NoSources, Sources};
pub use stats::{FormulaStats, ReplayStats, Stats};
pub use test::{Outcome, Printed, Runs, ShardOf, TestResult};
pub use why::{Step, StepKind, Why};

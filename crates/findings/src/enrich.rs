//! What `enrich` tells: an automaton of a class, what the suite knew of it, and what was learned.

use crate::Location;

/// The answer of `enrich`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enriched {
    /// The class.
    pub class: String,
    /// The length of the longest value access paths.
    pub depth: u32,
    /// Its objects in the recorded runs.
    pub objects: u64,
    /// Runs that were read.
    pub runs: u64,
    /// The states but for the one of exceptional ends; the first is the one before construction.
    pub states: Vec<EnrichedState>,
    /// The transitions, in the order of states and methods.
    pub transitions: Vec<EnrichedTransition>,
    /// Methods in states, the one before construction left out, that are not known by the suite.
    pub pairs: Vec<EnrichedPair>,
    /// Calls that were begun.
    pub calls: u64,
    /// Those that came to an end.
    pub executed: u64,
    /// The automaton as a text.
    pub model: String,
    /// Unit tests of what was learned; `None` where none were asked for.
    pub unit_tests: Option<UnitTests>,
}

/// Unit tests of what was learned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitTests {
    /// Those that were compiled and have passed, by file and line.
    pub tests: Vec<UnitTest>,
    /// Transitions that have none.
    pub left_out: Vec<NoUnitTest>,
    /// All that the project's files need for them, as a change that `git apply` takes; empty where there are none.
    pub patch: String,
    /// The tests stand in the project's files.
    pub written: bool,
}

/// A unit test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitTest {
    /// Its name.
    pub name: String,
    /// Number of the transition that it shows.
    pub transition: usize,
    /// The test whose beginning is its own.
    pub from_test: String,
    /// The last line of that test, behind which it stands, or is to stand.
    pub location: Location,
    /// Its text.
    pub text: String,
}

/// A transition without a unit test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoUnitTest {
    /// Number of the transition.
    pub transition: usize,
    /// Why.
    pub reason: String,
    /// What a compiler or the test said; empty where there was none.
    pub said: String,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnrichedState {
    /// Its name.
    pub name: String,
    /// Paths and values.
    pub values: Vec<(String, String)>,
    /// No test brings an object there.
    pub new: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnrichedTransition {
    /// Index of the state before.
    pub from: usize,
    /// The method.
    pub method: String,
    /// Index of the state after; `None` where it ends exceptionally.
    pub to: Option<usize>,
    /// In which way it ends exceptionally, and by what, as far as that is known.
    pub reason: Option<(&'static str, String)>,
    /// Of an exceptional end the state that the object is left in, where that is known.
    pub left_in: Option<usize>,
    /// Executions in recorded runs.
    pub seen: u64,
    /// Executions that were tried.
    pub tried: u64,
    /// One that was tried, where there is one.
    pub how: Option<EnrichedHow>,
}

/// How a transition was tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnrichedHow {
    /// The test whose run was left.
    pub test: String,
    /// Where it was left, where that is known.
    pub location: Option<Location>,
    /// Calls that were made before, with their arguments.
    pub steps: Vec<String>,
    /// The arguments.
    pub arguments: Vec<EnrichedArgument>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnrichedArgument {
    /// In words.
    pub text: String,
    /// The test whose call had it; `None` for a boundary value.
    pub test: Option<String>,
    /// That call, where it is known.
    pub location: Option<Location>,
}

/// A method in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnrichedPair {
    /// Index of the state.
    pub state: usize,
    /// The method.
    pub method: String,
    /// `never`, `may fail`, `fine`, `unseen`.
    pub grade: &'static str,
    /// Why calls did not come to an end.
    pub reasons: Vec<String>,
}

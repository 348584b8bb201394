//! What `mine` tells: how objects of classes behave.

use crate::Location;

/// The answer of `mine`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mined {
    /// The models asked for, in the order of their classes' names.
    pub models: Vec<ClassModel>,
    /// All classes that had objects, where no class was asked for.
    pub classes: Vec<MinedClass>,
    /// Verdicts on methods, where they were asked for.
    pub methods: Option<Vec<MethodPurity>>,
    /// What a failing test or another version does differently, where that was asked for.
    pub differences: Option<Vec<ModelDifference>>,
    /// Calls of a failing test that find objects otherwise than those of passing tests do, the most telling first, where that was
    /// asked for.
    pub anomalies: Option<Vec<Anomaly>>,
    /// A section of whydunit.toml, where one was asked for.
    pub proposal: Option<String>,
    /// What-if runs of inspectors.
    pub inspector_runs: u64,
    /// Values of inspectors that needed none, as all that they had read was the same.
    pub inspector_runs_saved: u64,
    /// Runs that were read.
    pub runs: u64,
}

/// A call of a failing test that does not find what its method has found in all calls of passing tests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Anomaly {
    /// The class of the method.
    pub class: String,
    /// The method.
    pub method: String,
    /// In words.
    pub text: String,
    /// The call.
    pub location: Option<Location>,
    /// The failing test.
    pub test: String,
    /// So many calls there were alike.
    pub count: u64,
    /// It was left by an exception, said that it failed, or was under way when the run ended.
    pub exceptional: bool,
    /// The field: the path from the object that the method is called on, or from a parameter.
    pub path: String,
    /// What it was in the call.
    pub found: String,
    /// What it was in passing tests.
    pub expected: String,
    /// In so many calls of passing tests it was that.
    pub calls: u64,
    /// In so many passing tests.
    pub tests: u64,
    /// In so many passing tests it was as in this call.
    pub odd_tests: u64,
    /// An inspector that says the same, and what it says in the call.
    pub inspector: Option<(String, String)>,
    /// One of the calls of passing tests.
    pub passing_location: Option<Location>,
    /// The test of that call.
    pub passing_test: String,
    /// What else was otherwise in the call, in words.
    pub also: Vec<String>,
    /// How telling it is, from 0 to 1.
    pub score: f64,
}

impl Anomaly {
    /// The two calls to look at, in words.
    pub fn places(&self) -> String {
        let place = |location: &Option<Location>| location.as_ref().map_or_else(|| "?".into(), ToString::to_string);
        let (here, there) = (place(&self.location), place(&self.passing_location));
        format!("here {here} ({}), there {there} ({})", self.test, self.passing_test)
    }
}

/// Whether a method modifies what was there when it was called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MethodPurity {
    /// The class that declares it.
    pub class: String,
    /// Its name.
    pub method: String,
    /// `impure`, `cache`: nothing but what is no part of the object for its users, `proved`: pure whatever is run, `seen`: pure in
    /// all runs.
    pub verdict: &'static str,
    /// Runs in which it was called.
    pub runs: u64,
    /// Its calls.
    pub calls: u64,
    /// The write that decided.
    pub witness: Option<Location>,
    /// What is written there, as the method sees it.
    pub written: Option<String>,
    /// The test in which.
    pub test: Option<String>,
}

/// What one model has and another one lacks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelDifference {
    /// `new-state`, `lost-state`, `new-transition`, `lost-transition`.
    pub kind: &'static str,
    /// In words.
    pub text: String,
    /// A call, where it is of one.
    pub location: Option<Location>,
    /// The test of that call.
    pub test: Option<String>,
}

/// A class that had objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MinedClass {
    /// Its name.
    pub name: String,
    /// Objects.
    pub objects: u64,
    /// Methods that were called on them.
    pub methods: u64,
    /// States of a model, the one before construction not counted.
    pub states: u64,
    /// Some method ended exceptionally.
    pub exceptional: bool,
    /// Some method that changes the state was not called in every state.
    pub preconditions: bool,
}

/// How objects of a class behave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassModel {
    /// The class.
    pub class: String,
    /// The length of the longest value access paths.
    pub depth: u32,
    /// Its objects.
    pub objects: u64,
    /// The states; the first is the one before construction.
    pub states: Vec<ModelState>,
    /// The transitions.
    pub transitions: Vec<ModelTransition>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelState {
    /// Paths and values; none before construction.
    pub values: Vec<(String, String)>,
    /// So many objects ended in it.
    pub ended: u64,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelTransition {
    /// Index of the state before.
    pub from: usize,
    /// Index of the state after.
    pub to: usize,
    /// The method.
    pub method: String,
    /// `!` where it ends by an exception, `?` where it returns that it has failed; else empty.
    pub mark: &'static str,
    /// What it ends by, where it does so exceptionally and that is known.
    pub reason: Option<String>,
    /// How often.
    pub count: u64,
    /// Some calls.
    pub examples: Vec<ModelExample>,
}

impl ModelTransition {
    /// The method with the mark of how it ends.
    pub fn label(&self) -> String {
        format!("{}{}", self.mark, self.method)
    }
}

/// A call that was seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelExample {
    /// The test, or what the run is called.
    pub test: String,
    /// The call, where that is known.
    pub location: Option<Location>,
}

//! What `mine` tells: how objects of classes behave.

use crate::Location;

/// The answer of `mine`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mined {
    /// The models asked for, in the order of their classes' names.
    pub models: Vec<ClassModel>,
    /// All classes that had objects, where no class was asked for.
    pub classes: Vec<MinedClass>,
    /// Verdicts on methods, where they were asked for.
    pub methods: Option<Vec<MethodPurity>>,
    /// What a failing test or another version does differently, where that was asked for.
    pub differences: Option<Vec<ModelDifference>>,
    /// A section of whydunit.toml, where one was asked for.
    pub proposal: Option<String>,
    /// What-if runs of inspectors.
    pub inspector_runs: u64,
    /// Values of inspectors that needed none, as all that they had read was the same.
    pub inspector_runs_saved: u64,
    /// Runs that were read.
    pub runs: u64,
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

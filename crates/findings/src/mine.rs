//! What `mine` tells: how objects of classes behave.

use crate::Location;

/// The answer of `mine`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mined {
    /// The models asked for, in the order of their classes' names.
    pub models: Vec<ClassModel>,
    /// All classes that had objects, where no class was asked for.
    pub classes: Vec<MinedClass>,
    /// Runs that were read.
    pub runs: u64,
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

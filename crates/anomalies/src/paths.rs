//! Paths from the objects of a call.

use rustc_hash::FxHashMap;
use whydunit_behavior::{FieldIndex, MethodIndex, Names};

/// Number of a path.
pub(crate) type PathIndex = u32;

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    Parameter(String),
    Field(FieldIndex),
    Inspector(MethodIndex),
}

/// The paths in use.
#[derive(Default)]
pub(crate) struct Paths {
    texts: Vec<String>,
    steps: Vec<Step>,
    known: FxHashMap<(Option<PathIndex>, Step), PathIndex>,
}

impl Paths {
    /// The path that goes on from another one, or from the object that a method is called on, by a step.
    pub fn step(&mut self, names: &Names, prefix: Option<PathIndex>, step: Step) -> PathIndex {
        let key = (prefix, step);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let last = match &key.1 {
            Step::Parameter(name) => name.clone(),
            Step::Field(field) => names.fields[*field].name.clone(),
            Step::Inspector(method) => format!("{}()", names.methods[*method].name),
        };
        let text = prefix.map_or_else(|| last.clone(), |prefix| format!("{}.{last}", self.texts[prefix as usize]));
        self.texts.push(text);
        self.steps.push(key.1.clone());
        let index = self.texts.len() as PathIndex - 1;
        self.known.insert(key, index);
        index
    }

    /// The last step of a path.
    pub fn last(&self, path: PathIndex) -> &Step {
        &self.steps[path as usize]
    }

    /// A path as it is told.
    pub fn text(&self, path: PathIndex) -> &str {
        &self.texts[path as usize]
    }
}

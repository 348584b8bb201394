//! What is to be mined, and how states are seen.

use std::collections::{BTreeMap, BTreeSet};

/// How a value is seen in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// By its sign; where a field is only ever assigned constants, by its value. What is no number by what it is.
    Sign,
    /// As it is.
    Value,
    /// Whether it is zero, empty or null.
    Emptiness,
    /// Whether it is null.
    Null,
}

impl Abstraction {
    /// Its name in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sign => "sign",
            Self::Value => "value",
            Self::Emptiness => "emptiness",
            Self::Null => "null",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Sign, Self::Value, Self::Emptiness, Self::Null].into_iter().find(|it| it.name() == name)
    }
}

/// How the states of one class are seen. Paths are of fields and inspectors, an inspector with or without parentheses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassOptions {
    /// The paths that make a state; `None`: all.
    pub state: Option<BTreeSet<String>>,
    /// Paths that are left out.
    pub leave_out: BTreeSet<String>,
    /// How values are seen, by their paths.
    pub abstraction: BTreeMap<String, Abstraction>,
}

impl ClassOptions {
    /// Whether a path is a part of the state.
    pub fn shows(&self, path: &str) -> bool {
        let named = |set: &BTreeSet<String>| set.contains(path) || set.contains(path.trim_end_matches("()"));
        self.state.as_ref().is_none_or(named) && !named(&self.leave_out)
    }

    /// How values of a path are seen.
    pub fn sees(&self, path: &str) -> Abstraction {
        let asked = self.abstraction.get(path).or_else(|| self.abstraction.get(path.trim_end_matches("()")));
        asked.copied().unwrap_or(Abstraction::Sign)
    }

    /// All paths that are named.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.state.iter().flatten().chain(&self.leave_out).chain(self.abstraction.keys());
        paths.map(String::as_str)
    }
}

/// What is to be mined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The names of the classes that models are wanted of; `None`: all that are no library's.
    pub classes: Option<BTreeSet<String>>,
    /// The length of the longest paths that make a state, from 1.
    pub depth: usize,
    /// Of some classes, by name.
    pub of_class: BTreeMap<String, ClassOptions>,
}

impl Default for Options {
    fn default() -> Self {
        Self { classes: None, depth: 1, of_class: BTreeMap::new() }
    }
}

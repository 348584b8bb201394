//! Object behavior models, finished: plain data.

use std::collections::BTreeMap;

/// A state of objects of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Value access paths and their abstract values in words, in the order of the fields; none of the state before construction.
    pub values: Vec<(String, String)>,
    /// So many objects ended in it.
    pub ended: u64,
}

/// How the methods of a transition end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// They return.
    Regular,
    /// They are left by an exception, a panic or an abort: by which, in words, where that is known.
    Exception(String),
    /// They return that they have failed: what.
    Failure(String),
}

impl Ending {
    /// The mark before a method's name.
    pub fn mark(&self) -> &'static str {
        match self {
            Self::Regular => "",
            Self::Exception(_) => "!",
            Self::Failure(_) => "?",
        }
    }
}

/// A call that was seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Example {
    /// The run.
    pub run: String,
    /// The source; empty where it is not known.
    pub file: String,
    /// From 1; 0 where it is not known.
    pub line: u32,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Index of the state before.
    pub from: usize,
    /// Index of the state after.
    pub to: usize,
    /// The method; with an access path before it where the object that it was called on is one that this one refers to; for a change
    /// without a method the fields, ending in ` =`.
    pub method: String,
    /// How it ends.
    pub ending: Ending,
    /// How often it was seen.
    pub count: u64,
    /// Some of these calls, at most one of a place.
    pub examples: Vec<Example>,
}

/// How objects of a class behave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The class.
    pub class: String,
    /// The length of the longest paths.
    pub depth: usize,
    /// The states; the first is the one before construction.
    pub states: Vec<State>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Objects that it is of.
    pub objects: u64,
    /// How often each method was called, by name.
    pub calls: BTreeMap<String, u64>,
    /// All paths that its objects have, those that are not shown among them.
    pub paths: Vec<String>,
    /// What should be known.
    pub notes: Vec<String>,
}

impl Model {
    /// Whether some method of the class, one that changes the state and makes no object, is not seen in every state: it may need
    /// another one before it.
    pub fn has_preconditions(&self) -> bool {
        let regular = || self.transitions.iter().filter(|it| it.ending == Ending::Regular && it.from != 0);
        let changing: std::collections::BTreeSet<&str> =
            regular().filter(|it| it.from != it.to).map(|it| it.method.as_str()).collect();
        let seen_in = |method: &str| {
            let states: std::collections::BTreeSet<usize> =
                regular().filter(|it| it.method == method).map(|it| it.from).collect();
            states.len()
        };
        self.states.len() > 2 && changing.into_iter().any(|method| seen_in(method) + 1 < self.states.len())
    }

    /// Whether a method ends exceptionally somewhere.
    pub fn has_exceptional_ends(&self) -> bool {
        self.transitions.iter().any(|it| it.ending != Ending::Regular)
    }
}

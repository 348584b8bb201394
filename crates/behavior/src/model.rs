//! Object behavior models, finished: plain data.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Those that are declared not to change the object.
    pub constant: BTreeSet<String>,
    /// All paths that its objects have, those that are not shown among them.
    pub paths: Vec<String>,
    /// What should be known.
    pub notes: Vec<String>,
}

impl Model {
    /// Whether some method needs another one before it (Dallmeier, 8.6), as far as was seen: one that is no getter returns only
    /// in states that no object is in right after construction, and either changes the state there, or was tried before
    /// and ended exceptionally.
    pub fn has_preconditions(&self) -> bool {
        let regular = || self.transitions.iter().filter(|it| it.ending == Ending::Regular);
        let first: BTreeSet<usize> = regular().filter(|it| it.from == 0).map(|it| it.to).collect();
        let needs = |method: &&String| {
            let own = || self.transitions.iter().filter(|it| it.method == **method && it.from != 0);
            let returns = || own().filter(|it| it.ending == Ending::Regular);
            returns().next().is_some()
                && returns().all(|it| !first.contains(&it.from))
                && (returns().any(|it| it.from != it.to)
                    || own().any(|it| it.ending != Ending::Regular && first.contains(&it.from)))
        };
        self.calls.keys().filter(|method| !self.constant.contains(*method)).any(|method| needs(&method))
    }

    /// The paths that its states show.
    pub fn shown(&self) -> BTreeSet<&str> {
        self.states.iter().flat_map(|state| &state.values).map(|(path, _)| path.as_str()).collect()
    }

    /// The model as it is where the states do not show some paths: states that only those tell apart are one.
    #[must_use]
    pub fn without(&self, paths: &[String]) -> Self {
        let mut states: Vec<State> = Vec::new();
        let mut becomes = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            let values: Vec<_> = state.values.iter().filter(|(path, _)| !paths.contains(path)).cloned().collect();
            // The state before construction is none of the others.
            let known = states.iter().skip(1).position(|known| known.values == values).filter(|_| number > 0);
            let index = known.map_or(states.len(), |known| known + 1);
            if index == states.len() {
                states.push(State { values, ended: 0 });
            }
            states[index].ended += state.ended;
            becomes.push(index);
        }
        let mut transitions: BTreeMap<(usize, usize, &str, &Ending), Transition> = BTreeMap::new();
        for old in &self.transitions {
            let (from, to) = (becomes[old.from], becomes[old.to]);
            let new = || Transition { from, to, count: 0, ..old.clone() };
            transitions.entry((from, to, &old.method, &old.ending)).or_insert_with(new).count += old.count;
        }
        Self { states, transitions: transitions.into_values().collect(), ..self.clone() }
    }

    /// Whether a method ends exceptionally somewhere.
    pub fn has_exceptional_ends(&self) -> bool {
        self.transitions.iter().any(|it| it.ending != Ending::Regular)
    }
}

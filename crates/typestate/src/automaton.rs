//! The automaton: plain data.

use std::collections::{BTreeMap, BTreeSet};

/// The name of the state before construction.
pub const START: &str = "start";
/// The name of the state that every exceptional end leads to.
pub const EX: &str = "ex";

/// A state, other than `ex`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// A number, or the name that a person gave it.
    pub name: String,
    /// Value access paths, inspectors among them, with the abstract values in words that objects in this state have.
    pub values: BTreeMap<String, BTreeSet<String>>,
}

/// In which way a call ends exceptionally.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// It is left by an exception.
    Exception,
    /// It is left by a panic.
    Panic,
    /// A signal ends the run.
    Signal,
    /// It returns that it has failed.
    Error,
    /// It makes an error of memory.
    Memory,
    /// It does what is otherwise undefined.
    Undefined,
    /// It does not come to an end.
    Hang,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Exception, Self::Panic, Self::Signal, Self::Error, Self::Memory, Self::Undefined, Self::Hang];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Panic => "panic",
            Self::Signal => "signal",
            Self::Error => "error",
            Self::Memory => "memory",
            Self::Undefined => "undefined",
            Self::Hang => "hang",
        }
    }
}

/// Why a call leads to `ex`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reason {
    /// In which way.
    pub kind: Kind,
    /// The type of the exception, the message of the panic, the value that is returned, the error; empty where it is not known.
    pub text: String,
}

/// Exceptions and error values that say of themselves that an object was used wrongly, whatever the arguments.
const MISUSE: [(Kind, &str); 5] = [
    (Kind::Exception, "std::logic_error"),
    (Kind::Exception, "java.lang.IllegalStateException"),
    (Kind::Error, "EBADF"),
    (Kind::Error, "SQLITE_MISUSE"),
    (Kind::Error, "Z_STREAM_ERROR"),
];

impl Reason {
    /// Whether it tells by itself of an object that was used wrongly.
    pub fn is_misuse(&self) -> bool {
        MISUSE.iter().any(|(kind, text)| *kind == self.kind && *text == self.text)
    }
}

/// Where a transition leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// To the state with this index: the call returns.
    To(usize),
    /// To `ex`.
    Ex {
        /// Why.
        reason: Reason,
        /// Index of the state that the object is left in; `None` where that is not known.
        left_in: Option<usize>,
    },
}

/// What a transition is known by. One that has no executions was written by a person, who answers for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// Executions in recorded runs.
    pub seen: u64,
    /// Executions in runs that were made to try it.
    pub tried: u64,
    /// The arguments of executions, in words, as far as they are known.
    pub arguments: BTreeSet<String>,
    /// It is known to tell of wrong use by more than [`Reason::is_misuse`] knows, a code of a library's for example.
    pub misuse: bool,
}

impl Evidence {
    /// Whether it stands on nothing but a person's word.
    pub fn is_asserted(&self) -> bool {
        self.seen == 0 && self.tried == 0
    }

    /// Takes the executions of another transition for those of this one.
    pub fn add(&mut self, other: &Self) {
        self.seen += other.seen;
        self.tried += other.tried;
        self.arguments.extend(other.arguments.iter().cloned());
        self.misuse |= other.misuse;
    }
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Index of the state before.
    pub from: usize,
    /// The method, or what else a model has for a label.
    pub method: String,
    /// Where it leads.
    pub end: End,
    /// What it is known by.
    pub evidence: Evidence,
}

/// A typestate automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typestate {
    /// The class.
    pub class: String,
    /// What may be called on its objects, called or not.
    pub methods: BTreeSet<String>,
    /// The states but for `ex`; the first is the one before construction.
    pub states: Vec<State>,
    /// The transitions, in the order of states, methods and ends; none twice.
    pub transitions: Vec<Transition>,
}

impl Typestate {
    /// One without transitions, and no states but `start` and `ex`.
    pub fn new(class: &str) -> Self {
        let start = State { name: START.into(), ..State::default() };
        Self { class: class.into(), methods: BTreeSet::new(), states: vec![start], transitions: Vec::new() }
    }

    /// Index of the state with this name; `None` for `ex`, too.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// The transitions of a method from a state.
    pub fn of_pair<'t>(&'t self, state: usize, method: &'t str) -> impl Iterator<Item = &'t Transition> {
        self.transitions.iter().filter(move |it| it.from == state && it.method == method)
    }

    /// Adds a transition; where it is there already, its executions are more.
    pub fn add(&mut self, new: Transition) {
        let order = |it: &Transition| (it.from, &it.method, &it.end).cmp(&(new.from, &new.method, &new.end));
        match self.transitions.binary_search_by(order) {
            Ok(known) => self.transitions[known].evidence.add(&new.evidence),
            Err(place) => self.transitions.insert(place, new),
        }
    }
}

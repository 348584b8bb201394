//! Moments of a run at which something went another way than a program's usual one.

use whydunit_library::{Ending, lookup};
use whydunit_model::names;

use crate::Position;

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventKind {
    /// An exception of C++ is thrown.
    Throw,
    /// Rust panics.
    Panic,
    /// The program aborts.
    Abort,
    /// An assertion does not hold.
    Assertion,
    /// The run does what the language leaves undefined, other than to memory.
    Undefined,
    /// A memory error.
    Memory,
    /// The run fails: what decides the outcome of its test, or ends it by a signal.
    Failure,
}

impl EventKind {
    /// All of them.
    pub const ALL: [EventKind; 7] = [
        EventKind::Failure,
        EventKind::Assertion,
        EventKind::Panic,
        EventKind::Abort,
        EventKind::Throw,
        EventKind::Memory,
        EventKind::Undefined,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Throw => "throw",
            EventKind::Panic => "panic",
            EventKind::Abort => "abort",
            EventKind::Assertion => "assertion",
            EventKind::Undefined => "undefined-behaviour",
            EventKind::Memory => "memory-error",
            EventKind::Failure => "failure",
        }
    }

    /// Whether such moments are known only once the run was checked ([`Session::add_events`](crate::Session::add_events)).
    pub const fn needs_check(self) -> bool {
        matches!(self, EventKind::Memory | EventKind::Undefined)
    }

    /// What a call of an external function means; `None` for all others.
    pub(crate) fn of_call(symbol: &str) -> Option<Self> {
        if names::panics(symbol) {
            let name = names::readable(symbol).unwrap_or_default();
            let asserts = name.rsplit("::").next().is_some_and(|last| last.starts_with("assert_failed"));
            return Some(if asserts { EventKind::Assertion } else { EventKind::Panic });
        }
        match lookup(symbol)?.function.ending? {
            Ending::Throw => Some(EventKind::Throw),
            Ending::Abort => Some(EventKind::Abort),
            Ending::Assertion { .. } => Some(EventKind::Assertion),
            _ => None,
        }
    }
}

/// One such moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Before the operation that does it.
    pub position: Position,
    /// What.
    pub kind: EventKind,
    /// In words.
    pub text: String,
    /// What should have held, where that is known.
    pub predicate: Option<String>,
    /// In which thread.
    pub thread: u32,
}

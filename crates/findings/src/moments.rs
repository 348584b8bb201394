//! Moments of a run with what is seen at them, for a page that one goes through.

use crate::{Location, Why};

/// Some moments of a run, in its order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moments {
    /// Each before a line of the program's own.
    pub moments: Vec<Moment>,
    /// How often the run came to a line of the program's own: so many moments there are in all.
    pub lines: u64,
    /// All of these are here.
    pub whole: bool,
    /// The replay ended before the run did: the lines are those up to there.
    pub cut: bool,
    /// Where one begins: where the run failed, else its first error, else its last moment. An index, as all below.
    pub begin: usize,
    /// Where the run failed, if it did at a moment that is known.
    pub failure: Option<usize>,
    /// Of each entry of the outline the call's first line, or the line that printed.
    pub outline: Vec<Option<usize>>,
    /// Of each memory error the line that made it.
    pub memory: Vec<Option<usize>>,
    /// Of other undefined behaviour.
    pub undefined: Vec<Option<usize>>,
    /// The way back from the failure; none where there is none, for the reason beside it.
    pub walk: Option<Why>,
    /// Why there is no way back.
    pub no_walk: Option<String>,
    /// Of each step of it the line that gave the value, and the next line, at which it is seen.
    pub steps: Vec<(Option<usize>, Option<usize>)>,
}

/// A moment, before a line is executed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moment {
    /// Its number: how many operations were begun before it. A debugger goes to it by that.
    pub number: u64,
    /// Where it is in the run, from 0 to 1000.
    pub permille: u32,
    /// Number of the thread that runs, in a run with several.
    pub thread: Option<u32>,
    /// The calls under way, innermost first.
    pub stack: Vec<MomentCall>,
    /// How many more calls were under way.
    pub more_calls: usize,
    /// The variables in scope in the innermost call.
    pub variables: Vec<MomentVariable>,
    /// How many more variables are in scope.
    pub more_variables: usize,
    /// What else happens there: an exception, a panic, an abort, in words.
    pub events: Vec<String>,
}

/// A call that is under way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MomentCall {
    /// The function.
    pub function: String,
    /// The line that it is at.
    pub location: Option<Location>,
    /// Where it came to that line, where that is one of the moments.
    pub moment: Option<usize>,
}

/// A variable at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MomentVariable {
    /// Its name.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// It had another value, or none, at the moment before that is of the same call; false where there is none.
    pub changed: bool,
}

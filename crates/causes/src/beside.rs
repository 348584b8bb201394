//! A run beside another one of the same program: where their ways part, and what they were given that differs.

mod course;

use whydunit_library::Source;
use whydunit_recording::Recording;
use whydunit_replay::{Position, Program, ReplayError};

use crate::condition::Tested;
use course::Course;

/// How two runs differ.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Differences {
    /// Where a thread of the one goes another way than in the other.
    pub parting: Option<Parting>,
    /// What external code gave otherwise: of each kind the first; where a thread parts, only before that.
    pub given: Vec<Given>,
    /// Where another thread goes on than in the other run.
    pub order: Option<Order>,
    /// The runs are longer than what was compared.
    pub cut: bool,
}

/// Where a thread of one run goes another way.
#[derive(Clone, PartialEq, Debug)]
pub struct Parting {
    /// The branch.
    pub position: Position,
    /// The thread's number.
    pub thread: u32,
    /// What the branch tests, and whether it is taken in the first run; `None` where that is not known.
    pub tested: Option<(Tested, bool)>,
}

/// What external code gave in two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// The call.
    pub position: Position,
    /// The function.
    pub function: String,
    /// What it depends on.
    pub source: Source,
    /// What it returned in each, where that is what differs; else it wrote other bytes.
    pub results: Option<(u64, u64)>,
}

/// The first switch between threads that the other run has not.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// Where the thread goes on that takes over.
    pub position: Position,
    /// The number of the thread before, and its own.
    pub threads: (u32, u32),
}

/// Compares a run with another one, which counts as the usual one.
pub fn compare(program: &Program, run: &Recording, other: &Recording) -> Result<Differences, ReplayError> {
    let (one, machine) = Course::of(program, run)?;
    let (two, _) = Course::of(program, other)?;
    let code = machine.at().code;
    let parted = one.parts_from(&two);
    Ok(Differences {
        parting: parted.and_then(|(thread, step)| one.parting(thread, step, code)),
        given: one.given_otherwise(&two, parted, code),
        order: one.other_order(&two, code),
        cut: one.is_cut() || two.is_cut(),
    })
}

//! Questions about a project, and their answers: what a run did and where a value comes from, where a fault is, which change broke a test, what mends it, whether a fix is good,
//! how small a failing input can be, how objects behave, where they are misused, and how well all that does on faults that are known.
//!
//! Each question is a module with a `Question` (or a value of its own) that holds what was asked for, and a function that gives the
//! answer as findings. All of them work at a [`Desk`](whydunit_desk::Desk), with the engine's crates below.
//!
//! Invariants
//! - Nothing is reported that was not seen: a patch that is told was built and tested, an input was run.
//! - A question that was cancelled, or whose time is up, answers with what it has until then and says so.
//!
//! Boundary: plain data in and out. Nothing is printed, nothing is asked back, no exit status and no option's name is known.

mod anomalies;
pub mod cases;
pub mod check;
pub mod classes;
pub mod doctor;
pub mod enrich;
mod error;
pub mod errors;
pub mod explain;
pub mod history;
pub mod java;
pub mod locate;
pub mod mine;
mod processes;
pub mod repair;
pub mod review;
pub mod score;
pub mod show;
pub mod shrink;
mod types;
pub mod until_fails;
pub mod why;

pub use error::Error;

//! What a repository's history tells of bugs, without building anything.
//!
//! - [`Rules::trust`]: how much a commit's message says that it fixes a bug; [`Tracker`]: what a tracker's export says of it;
//! - [`Screened`]: which of a commit's changes are code, tests, or neither, and whether any changes what the program is;
//! - [`Fingerprint`]: the tokens that a change adds or removes, from syntax trees (iBUGS);
//! - [`LineChanges`]: a change by its single lines, for delta debugging (DDCHANGE);
//! - [`Query`]: conditions on the bugs of a catalogue; [`bias`]: whether those that were kept are like those that were not;
//! - [`unbuilt`]: of which kind the reason is that a version does not build.
//!
//! Invariants
//! - Plain computation over texts and trees: no file is read, nothing is run.
//! - With all units of a [`LineChanges`] the newer version comes out, byte for byte; with none the older one with the newer tests.

pub mod bias;
mod classes;
mod fingerprint;
mod left_out;
mod lines;
mod message;
mod query;
mod screen;
mod syntax;
mod tracker;
pub mod unbuilt;

pub use classes::{Fix, classes};
pub use fingerprint::Fingerprint;
pub use left_out::leave_out;
pub use lines::{LineChanges, LineCounts, counts};
pub use message::{Pattern, Rules, Trust};
pub use query::{Query, QueryError};
pub use screen::{Screened, TestFiles, changed_regions};
pub use tracker::{Report, Tracker, TrackerError};

//! Works on a project: builds it, runs its suite, records, finds, loads and verifies recordings.
//!
//! What every command needs and none should do by itself. A [`Project`] is a folder with a store (`.whydunit`); its
//! products run as built or as one of their flavours, and what is recorded is kept below the store until it is deleted.
//!
//! Boundary: plain values and errors; no argument is parsed and nothing is shown here.

mod classes;
mod error;
mod kept;
mod load;
mod observe;
mod own_tests;
mod programs;
mod project;
mod record;
mod show;
mod spectrum;
mod undefined;
mod verify;

pub use classes::classes;
pub use error::Error;
pub use kept::{Kept, Recordings};
pub use load::{Loaded, changed_sources, kept_model, load};
pub use observe::Observed;
pub use own_tests::OwnTest;
pub use programs::{ProgramModel, programs};
pub use project::{Flavoured, Project};
pub use record::{Recorded, Recorder, Run};
pub use show::{OutlineLimits, Shown, show};
pub use spectrum::{Executed, FunctionNumber};
pub use undefined::certain;
pub use verify::{Along, Checked, check};

//! Versions of a project with some of its changes reverted: built in a folder of their own, and tested.
//!
//! A [`Workshop`] has a folder, in which each version is laid out over the one before, so that builds are incremental; more where
//! versions are built side by side. What a version came to is kept by content: the same sources give the same [`Verdict`] without another build, in a later run too.
//!
//! A [`SuiteRunner`] builds versions and runs their whole suites; what that came to is kept by content as well.
//!
//! Invariants
//! - Nothing outside the workshop's folders is written.
//! - A build never uses what was made of other sources: sources count as new where a header that they include is another one, and
//!   where files of a build system differ that does not see that itself, all is made anew.
//! - A failure that is not the one in question is none ([`Verdict::Other`]).

mod bench;
mod compilers;
mod complaint;
mod depend;
mod error;
mod known;
mod limits;
mod lock;
mod outcomes;
mod signature;
mod sown;
mod tested;
mod verdict;
mod workshop;

pub use compilers::{FLAGS_OF_C, FLAGS_OF_CPP, FLAGS_OF_RUST};
pub use complaint::complaint;
pub use depend::describes_build;
pub use error::Error;
pub use lock::LOCK;
pub use outcomes::{Outcomes, SuiteRunner, TestRun};
pub use signature::Signature;
pub use sown::sow;
pub use verdict::{Tried, Verdict};
pub use workshop::{Counts, Subject, Workshop};

//! The changes between two versions of a project, one by one.
//!
//! A [`Tree`] is a version: from a git revision, from a folder. [`Changes::between`] takes two of them apart into the smallest
//! pieces that can be reverted each for itself: hunks without context, files that came, went or moved, other modes.
//! [`Tree::with_patch`] is a version with a patch, [`Tree::without_patch`] one with it taken back.
//! [`Repository::log`] gives the commits of a history.
//! [`Changes::reverted`] is the newer version with some of them undone, [`Changes::patch`] is what undoes them with
//! `git apply -R`, [`Changes::origin`] says where a line of such a version comes from.
//!
//! Invariants
//! - Reverting all changes gives the old version, reverting none the new one, byte for byte.
//! - A change is known again by its content: its id does not depend on the other changes, nor on where it stands in its file.
//! - Repositories are read only: no index, no reference, no work tree of git's is touched.

mod apply;
mod change;
mod error;
mod git;
mod log;
mod origin;
mod patch;
mod tree;

pub use apply::NotApplied;
pub use change::{Change, ChangeKind, Changes, Lines};
pub use error::Error;
pub use git::{Repository, Revision};
pub use log::Commit;
pub use origin::Origin;
pub use tree::{File, Mode, Tree};

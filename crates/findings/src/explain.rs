//! Which changes broke a test, and how they lead to the failure.

use crate::{Location, TestFailure};

/// What `explain` finds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explained {
    /// The method that found the changes.
    pub method: String,
    /// The test.
    pub test: String,
    /// The good version, as asked for.
    pub good: String,
    /// The bad one.
    pub bad: String,
    /// How the bad one fails, where its recording says so.
    pub failure: Option<TestFailure>,
    /// Changes between the two.
    pub changes: u64,
    /// The changes at fault: with all of them reverted the test passes, with fewer it does not, where they are `reduced`.
    pub root: Vec<Change>,
    /// The search went to its end: it was tried that fewer do not make the test pass. Else it is the least set that was known when it was
    /// ended, those that go with the others among them.
    pub reduced: bool,
    /// Changes that must be reverted with them so that it can be built.
    pub auxiliary: Vec<Change>,
    /// How they lead to the failure, the failure's own cause first; empty where only trying has found them.
    pub causes: Vec<Cause>,
    /// Both kinds of changes as a patch: `git apply -R` reverts them.
    pub patch: String,
    /// Builds that were spared, because a version of the same content was known.
    pub saved: u64,
    /// What versions came to.
    pub variants: Variants,
    /// The commit that brought them, where it was looked for: its name and the first line of its message.
    pub commit: Option<(String, String)>,
}

/// How many versions with some of the changes reverted came to what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Variants {
    /// The test passed.
    pub passed: u64,
    /// It failed as in the bad version.
    pub failed: u64,
    /// It failed otherwise, or could not be run.
    pub other: u64,
    /// They could not be built.
    pub not_built: u64,
    /// So often it was known already.
    pub known: u64,
}

/// A change.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Change {
    /// Hash of its content.
    pub id: String,
    /// Where it stands in the bad version.
    pub location: Location,
    /// Its lines with `-` and `+` before them, or what happened to the file.
    pub diff: String,
}

/// Why a predicate came out as it did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cause {
    /// Its number.
    pub id: u64,
    /// The predicate: the failure's place, or a branch.
    pub predicate: Location,
    /// Its source line.
    pub code: String,
    /// The statements that made it come out so, in the order of the run.
    pub statements: Vec<CauseStatement>,
    /// Ids of the changes that touch them.
    pub changes: Vec<String>,
    /// The cause that it leads to; none for the failure's own.
    pub leads_to: Option<u64>,
}

/// A statement, executed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CauseStatement {
    /// Where.
    pub location: Location,
    /// The source line.
    pub code: String,
    /// The value that it gave, or which way it went.
    pub value: String,
}

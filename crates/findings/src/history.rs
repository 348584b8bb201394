//! What `history` tells: the fixes of a repository and the bugs that they are of.

/// The answer of `history`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct History {
    /// The repository's folder.
    pub repository: String,
    /// The folder of the catalogue.
    pub catalogue: String,
    /// All commits that were looked at, the oldest first.
    pub commits: Vec<HistoryCommit>,
    /// The bugs, in the order of their fixes.
    pub bugs: Vec<HistoryBug>,
    /// Whether the bugs with tests are like all fixes.
    pub bias: Vec<BiasCheck>,
    /// One bug is asked for: all of it is told.
    pub single: bool,
    /// What was asked for is less than the catalogue: bugs are listed only.
    pub listed: bool,
    /// Only which commits count as fixes was asked for.
    pub identified: bool,
    /// Flags that compilers were given behind those of the versions' own builds.
    pub flags: Vec<String>,
}

/// What came of a commit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CommitVerdict {
    /// Nothing says that it fixes something.
    #[default]
    NoFix,
    /// It joins histories.
    Merge,
    /// It takes another commit back.
    Revert,
    /// It, or its parent, has no files of the project, or is not there.
    NoParent,
    /// It changes no code, or only tests.
    NoCode,
    /// It changes only comments and form.
    FormOnly,
    /// It fixes several bugs.
    SeveralBugs,
    /// It is one of several fixes of one bug.
    SeveralFixes,
    /// It makes the same change as a newer commit.
    Repeated,
    /// One of its sides does not build.
    NotBuilt,
    /// The tests of one side are not to be had.
    NoSuite,
    /// Both sides build, and no test fails before and passes after.
    NoTest,
    /// It fixes a bug that tests show.
    Bug,
    /// It could not be examined.
    Failed,
    /// It counts as a fix of code; nothing was built.
    Fix,
}

impl CommitVerdict {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::NoFix,
        Self::Merge,
        Self::Revert,
        Self::NoParent,
        Self::NoCode,
        Self::FormOnly,
        Self::SeveralBugs,
        Self::SeveralFixes,
        Self::Repeated,
        Self::NotBuilt,
        Self::NoSuite,
        Self::NoTest,
        Self::Bug,
        Self::Failed,
        Self::Fix,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoFix => "no-fix",
            Self::Merge => "merge",
            Self::Revert => "revert",
            Self::NoParent => "no-parent",
            Self::NoCode => "no-code",
            Self::FormOnly => "form-only",
            Self::SeveralBugs => "several-bugs",
            Self::SeveralFixes => "several-fixes",
            Self::Repeated => "repeated",
            Self::NotBuilt => "not-built",
            Self::NoSuite => "no-suite",
            Self::NoTest => "no-test",
            Self::Bug => "bug",
            Self::Failed => "failed",
            Self::Fix => "fix",
        }
    }

    /// In words, of several commits.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoFix => "do not say that they fix something",
            Self::Merge => "are merges",
            Self::Revert => "take another commit back",
            Self::NoParent => "have no parent that is here",
            Self::NoCode => "fixes change no code",
            Self::FormOnly => "fixes change only comments and form",
            Self::SeveralBugs => "fix several bugs at once",
            Self::SeveralFixes => "are one of several fixes of a bug",
            Self::Repeated => "fixes make the same change as newer ones",
            Self::NotBuilt => "fixes do not build, or their parents do not",
            Self::NoSuite => "fixes have no tests that can be run",
            Self::NoTest => "fixes build, and no test fails before and passes after",
            Self::Bug => "fixes have tests that fail before and pass after",
            Self::Failed => "fixes could not be examined",
            Self::Fix => "count as fixes of code, and were not built",
        }
    }

    /// Whether it is a fix that changes code, of one bug.
    pub const fn is_fix_of_code(self) -> bool {
        matches!(self, Self::NotBuilt | Self::NoSuite | Self::NoTest | Self::Bug | Self::Failed)
    }
}

/// A commit that was looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistoryCommit {
    /// Its object's name.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
    /// Its author.
    pub author: String,
    /// When it was written, in seconds since 1970.
    pub time: i64,
    /// How much its message says that it fixes a bug.
    pub score: f64,
    /// What came of it.
    pub verdict: CommitVerdict,
    /// The kind of reason, where a side does not build: `dependency`, `compiler`, `build system`.
    pub reason: Option<String>,
    /// More about the verdict, in a line.
    pub detail: Option<String>,
    /// Lines that it changes, of a fix that changes code.
    pub churned: Option<u64>,
    /// From the tracker.
    pub severity: Option<String>,
}

/// A bug, by its fix.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistoryBug {
    /// What it is called in the catalogue: the beginning of its fix's name, and a number where one commit gives several.
    pub id: String,
    /// The commit of the fix.
    pub fix: String,
    /// Its parent.
    pub parent: String,
    /// The whole message of the fix.
    pub message: String,
    /// The author of the fix.
    pub author: String,
    /// When the fix was written, in seconds since 1970.
    pub time: i64,
    /// How much the message says that it is a fix.
    pub score: f64,
    /// What counted for that.
    pub reasons: Vec<String>,
    /// Reports that it names.
    pub issues: Vec<String>,
    /// From the tracker.
    pub priority: Option<String>,
    /// From the tracker.
    pub severity: Option<String>,
    /// Files of code that it changes.
    pub files: Vec<String>,
    /// Files of tests that it changes.
    pub test_files: Vec<String>,
    /// Functions that it changes.
    pub functions: Vec<String>,
    /// Types that it changes.
    pub types: Vec<String>,
    /// Its hunks in code.
    pub hunks: u64,
    /// Lines of code that are new.
    pub lines_added: u64,
    /// Lines of code that are gone.
    pub lines_deleted: u64,
    /// Lines of code that are others.
    pub lines_modified: u64,
    /// Of each hunk the larger side.
    pub lines_churned: u64,
    /// The letters of keywords, calls, error handling and expressions that it adds or removes: of KMHZ.
    pub fingerprint: String,
    /// All tokens that it adds or removes.
    pub full_fingerprint: Vec<String>,
    /// Of which kind the failure is; empty where no test shows it.
    pub kind: String,
    /// The classes of bugs that it may be of.
    pub classes: Vec<BugClass>,
    /// Tests that fail before and pass after, each time.
    pub tests: Vec<String>,
    /// Tests that sometimes pass and sometimes fail on one side.
    pub flaky: Vec<String>,
    /// Tests that do not pass on all sides, or are not on all.
    pub outcomes: Vec<TestSides>,
    /// So many tests pass after.
    pub passing: u64,
    /// The least part of the fix, where tests show the bug.
    pub minimised: Option<Minimised>,
    /// Tests of the fix that use what only the fix has: the parent does not build with them, and they are left out on all sides.
    pub left_out: Vec<String>,
    /// Dependencies are those of the fix's day, as its sides do not build with newer ones.
    pub locked: bool,
    /// The commit that the tests fail from on.
    pub introduced: Option<Introduced>,
}

/// A class of bugs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BugClass {
    /// `null check`, `boolean expression`, `comparison`, `arithmetic expression`, `error handling`, `synchronisation` or `initialisation`.
    pub name: String,
    /// The fix is small and nothing else speaks for another class; else it is only possible.
    pub likely: bool,
}

/// How a test ended on the sides of a fix: `pass`, `fail`, `flaky`, `skipped`, `error`, or `absent`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestSides {
    /// Its name.
    pub test: String,
    /// In the parent.
    pub before: String,
    /// In the parent with the tests of the fix.
    pub with_tests: String,
    /// In the fix.
    pub after: String,
    /// Why it failed in the parent with the tests of the fix.
    pub says: String,
}

/// What is left of a fix when single lines are taken back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Minimised {
    /// Lines that the fix changes.
    pub changed: u64,
    /// Of these, lines that are needed so that the failing tests pass and all others keep their outcome.
    pub needed: u64,
    /// Lines that the fix changes and that are neither empty nor comments.
    pub changed_code: u64,
    /// Of these, lines that are needed.
    pub needed_code: u64,
    /// Lines that are needed so that the failing tests pass, whatever becomes of others.
    pub needed_alone: u64,
    /// Of these, lines that are neither empty nor comments.
    pub needed_alone_code: u64,
    /// Nothing more can be taken back line by line; false where the number of builds was at its limit.
    pub complete: bool,
    /// The needed lines as a patch of the parent with the tests of the fix.
    pub patch: String,
    /// Lines of the parent that the needed lines are in place of, or stand before.
    pub places: Vec<(String, u32)>,
}

/// The commit that a bug came with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Introduced {
    /// Its object's name.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// Seconds from it to the fix.
    pub seconds: i64,
}

/// Whether the bugs with tests are like all other fixes in some respect.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BiasCheck {
    /// In which respect.
    pub what: String,
    /// The median of the bugs with tests.
    pub kept: f64,
    /// That of the other fixes.
    pub others: f64,
    /// How probable a difference like that is where there is none; `None` of too few.
    pub probability: Option<f64>,
}

impl HistoryBug {
    /// The first line of the fix's message.
    pub fn subject(&self) -> &str {
        self.message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim()
    }
}

//! Why nothing can be mined.

/// Why nothing can be mined.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MineError {
    /// No class has this name.
    #[error("there is no class `{name}`")]
    NoClass {
        /// As asked for.
        name: String,
        /// Names that are near.
        near: Vec<String>,
    },
    /// No class of this name had objects in a run of Java.
    #[error("no object of a class `{name}` was seen")]
    NoJavaClass {
        /// As asked for.
        name: String,
        /// Names that are near, of classes that had objects.
        near: Vec<String>,
    },
    /// Several classes are called so.
    #[error("several classes are called `{name}`")]
    Several {
        /// As asked for.
        name: String,
        /// Their full names.
        names: Vec<String>,
    },
    /// No run has an object of the class.
    #[error("no object of `{class}` was seen in {runs}")]
    NoObjects {
        /// The class.
        class: String,
        /// How many runs, in words.
        runs: String,
        /// Classes derived from it that had objects.
        derived: Vec<String>,
    },
    /// A configuration names what no object has.
    #[error("[mine.{class}] names `{path}`, and no object has a field or inspector of that name")]
    NoPath {
        /// The class.
        class: String,
        /// The name.
        path: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A rule for errors that is none.
    #[error("[mine.{class}] has `{rule}` as rule for errors")]
    ErrorRule {
        /// The class.
        class: String,
        /// As written.
        rule: String,
    },
    /// A configuration names a function that is no method of the structure.
    #[error(
        "[mine.{class}] names `{function}`, and no function of that name is called with the structure or returns a pointer to one"
    )]
    NoFunction {
        /// The class.
        class: String,
        /// The function.
        function: String,
    },
    /// The version of a revision cannot be asked the same.
    #[error("the version {revision}: {reason}")]
    Older {
        /// The revision.
        revision: String,
        /// Why.
        reason: Box<MineError>,
    },
    /// It is asked what a test does that is none of those that were read.
    #[error("no run of a test {test} was read")]
    NotRead {
        /// The test.
        test: String,
    },
    /// It is asked what a test does that passes.
    #[error("the test {test} does not fail")]
    Passes {
        /// The test.
        test: String,
    },
    /// It is not said for which structure a configuration is to be proposed.
    #[error("a configuration is proposed for one structure")]
    NothingProposed,
    /// There is nothing to compare a failing test with.
    #[error("no test passes")]
    NonePasses,
    /// There is nothing to read.
    #[error("there are no tests to mine from")]
    NoRuns,
}

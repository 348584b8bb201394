//! Patches with which tests pass.

use std::ops::Range;

use crate::{Anomaly, Location};

/// What `repair` finds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Repaired {
    /// The method.
    pub method: String,
    /// The failing tests that were to pass.
    pub tests: Vec<String>,
    /// Calls that find objects otherwise than those of passing tests, where patches are made of these.
    pub anomalies: Vec<Anomaly>,
    /// Patches, the best first.
    pub patches: Vec<Patch>,
    /// Expressions that were looked at, in suspicious order.
    pub sites: u64,
    /// Expressions that were made for them.
    pub candidates: u64,
    /// Of these, those that were run: all others change nothing in a failing test, or the same as another one.
    pub tried: u64,
    /// Patches that were left out, since they do the same as another one with all inputs that were tried.
    pub alike: u64,
    /// Expressions whose values, whatever they are, do not make the failing tests pass.
    pub hopeless: u64,
    /// The lines that were looked at.
    pub lines: Vec<Location>,
    /// What took how long.
    pub phases: RepairPhases,
}

/// Seconds by what they were spent on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RepairPhases {
    /// Looking for the fault.
    pub locate: f64,
    /// Recording tests, and asking which values of expressions would make them pass.
    pub ask: f64,
    /// Building the program with candidates in it.
    pub build: f64,
    /// Evaluating all candidates in runs of tests.
    pub survey: f64,
    /// Running tests with single candidates.
    pub run: f64,
    /// Making expressions that meet what tests demand.
    pub solve: f64,
    /// Building patches by themselves, and running the whole suite on them.
    pub confirm: f64,
}

impl RepairPhases {
    /// Their mean.
    pub fn mean<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let (mut sum, mut count) = (Self::default(), 0.0f64);
        for one in all {
            count += 1.0;
            let own = sum.each_mut();
            own.into_iter().zip(one.by_name()).for_each(|(own, (_, seconds))| *own += seconds);
        }
        sum.each_mut().into_iter().for_each(|own| *own /= count.max(1.0));
        sum
    }

    /// In the order of their names.
    fn each_mut(&mut self) -> [&mut f64; 7] {
        let Self { locate, ask, build, survey, run, solve, confirm } = self;
        [locate, ask, build, survey, run, solve, confirm]
    }

    /// The phases with their names.
    pub fn by_name(&self) -> [(&'static str, f64); 7] {
        [
            ("locate", self.locate),
            ("ask", self.ask),
            ("build", self.build),
            ("survey", self.survey),
            ("run", self.run),
            ("solve", self.solve),
            ("confirm", self.confirm),
        ]
    }
}

/// A patch of one expression, or of several at once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Patch {
    /// How sure it is.
    pub grade: Grade,
    /// What found it.
    pub origin: String,
    /// What is replaced.
    pub replaced: Replacement,
    /// What is replaced with it, elsewhere.
    pub also: Vec<Replacement>,
    /// What the failing tests demand of the expression, in words.
    pub demands: Vec<String>,
    /// The patch, as a text.
    pub diff: String,
    /// The same as it is written to a file, in the source's encoding: `git apply` applies it.
    pub diff_bytes: Vec<u8>,
    /// An input on which it differs from another patch, where one is known.
    pub differing: Option<Differing>,
    /// Passing tests whose outcome is known to depend on what it replaces: they fail with something else there. Of several places
    /// the one with the fewest; counting ends at [`ENOUGH`]. None where it was not counted.
    pub deciding: Option<u64>,
    /// Other candidates that were found to pass all tests and are as close to what stands there.
    pub rivals: u64,
    /// What is wrong with the program with it, though the whole suite passes, in words.
    pub refuted: Option<String>,
    /// What could not be checked, and why, in words.
    pub unchecked: Vec<String>,
    /// What tests show of it; none where nobody asked, or where that is not known.
    pub evidence: Option<PatchEvidence>,
}

/// As many changes that are as small may pass all tests beside one that is plausible.
pub const FEW_RIVALS: u64 = 1;

/// Passing tests that have to depend on a place for a patch of it to be verified.
pub const ENOUGH: u64 = 5;

impl Patch {
    /// What it is, once the whole suite passes with it: see [`Grade`].
    pub fn graded(&self) -> Grade {
        match self.missing()[..] {
            [] => Grade::Verified,
            _ if self.rivals <= FEW_RIVALS || self.deciding >= Some(ENOUGH) => Grade::Plausible,
            _ => Grade::Display,
        }
    }

    /// Whether it was built, the whole suite passes, and nothing wrong was found.
    pub fn stands(&self) -> bool {
        self.grade > Grade::Display && self.refuted.is_none()
    }

    /// What is missing for a patch with which the whole suite passes to be verified, in words; nothing where nothing is.
    pub fn missing(&self) -> Vec<String> {
        let deciding = match self.deciding {
            Some(ENOUGH..) => None,
            Some(0) => Some("no passing test is known to depend on what stands here".to_string()),
            Some(1) => Some("only one passing test is known to depend on what stands here".to_string()),
            Some(few) => Some(format!("only {few} passing tests are known to depend on what stands here")),
            None => Some("how many passing tests depend on what stands here was not counted".to_string()),
        };
        let rivals = match self.rivals {
            0 => None,
            1 => Some("another change that is as small passes all tests, too".to_string()),
            many => Some(format!("{many} other changes that are as small pass all tests, too")),
        };
        // Where the suite says enough, what else passes differs where nobody looks.
        let rivals = rivals.filter(|_| deciding.is_some());
        self.refuted.iter().chain(&self.unchecked).cloned().chain(deciding).chain(rivals).collect()
    }

    /// All that is replaced.
    pub fn replacements(&self) -> impl Iterator<Item = &Replacement> {
        std::iter::once(&self.replaced).chain(&self.also)
    }

    /// The files that it changes, each once.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for one in self.replacements() {
            if !files.contains(&one.location.file.as_str()) {
                files.push(&one.location.file);
            }
        }
        files
    }
}

/// An expression in the place of another one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replacement {
    /// Where.
    pub location: Location,
    /// The function around it.
    pub function: String,
    /// The expression as it is.
    pub before: String,
    /// The expression with which tests pass.
    pub after: String,
    /// Its bytes in the file as it is.
    pub bytes: Range<usize>,
}

/// What tests show of a patch: what it replaces was evaluated in runs of the program as it is, and what replaces it beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PatchEvidence {
    /// Whether values were compared in all passing tests that come there; else only counts are known.
    pub has_values: bool,
    /// The failing tests that come there, for each replacement.
    pub failing: Vec<ValuesSeen>,
    /// Passing tests that were looked at.
    pub passing: u64,
    /// Of these, those that come there.
    pub reaching: u64,
    /// Of these, those in which the values differ, with the first replacement whose do.
    pub otherwise: Vec<ValuesSeen>,
}

/// The values of what is replaced, and of what replaces it, in the run of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValuesSeen {
    /// Which replacement of the patch, from 0.
    pub replacement: usize,
    /// The test.
    pub test: String,
    /// How often it was evaluated; of a long run only the first times.
    pub times: u64,
    /// The first time that they differ, from 1, and how.
    pub first: Option<(u64, Otherwise)>,
    /// They differ later than values are kept.
    pub later: bool,
    /// Both were evaluated each time.
    pub known: bool,
}

/// What is otherwise with a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// The value, as text.
    Value {
        /// As it is.
        before: String,
        /// With the patch.
        after: String,
    },
    /// The statement is left out.
    LeftOut,
    /// The function or loop is left before the statement.
    Leaves,
}

/// An input with which two patches do something different.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differing {
    /// The number of the other patch, from 1.
    pub other: usize,
    /// The input as a case of a suite, with what the patch does: an object of a `cases.jsonl`.
    pub case: String,
    /// What it prints.
    pub output: String,
    /// Its exit status.
    pub status: i32,
    /// What the other one prints.
    pub other_output: String,
    /// Its exit status.
    pub other_status: i32,
}

/// How sure a patch is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Grade {
    /// It was not confirmed by a build, or is one of several changes that are as small and pass a suite that says too little to
    /// choose between them.
    #[default]
    Display,
    /// It was built, and the whole suite passes, but it does to memory what the program before did not, or that is not known.
    Plausible,
    /// It was built, the whole suite passes, and recorded tests do nothing new to memory that is wrong.
    Verified,
}

impl Grade {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Display => "display",
            Grade::Plausible => "plausible",
            Grade::Verified => "verified",
        }
    }
}

//! What a patch does to memory: tests pass with an access beyond an array, too.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use whydunit_findings::MemoryError;
use whydunit_replay::{End, Verified};
use whydunit_workbench::{self as workbench, Along, Checked, Loaded, Recordings, check, load};

use crate::Error;
use whydunit_desk::{BuiltVersion, convert};

/// Tests that are recorded with a patch: some that failed, and others.
const FAILING: usize = 3;
const PASSING: usize = 20;

/// So many are recorded however long that takes, and more for so long.
const AT_LEAST: usize = 5;
const LONGEST: Duration = Duration::from_secs(3);

/// Records tests with a patch, and looks for memory errors that the program as it is does not have.
pub struct Memory<'a> {
    /// Each with whether it ends by itself without a patch.
    tests: Vec<(&'a str, bool)>,
    /// Kinds of errors of the program as it is, and the functions in which they are.
    known: Option<HashSet<(String, String)>>,
}

impl<'a> Memory<'a> {
    /// With tests that failed, and some that did not; `endless` are those that did not end.
    pub fn new(failing: &'a [String], passing: &'a [String], endless: &HashSet<&str>) -> Self {
        let tests = failing.iter().take(FAILING).chain(passing.iter().take(PASSING)).map(String::as_str);
        Self { tests: tests.map(|name| (name, !endless.contains(name))).collect(), known: None }
    }

    /// The tests that are recorded.
    pub fn tests(&self) -> impl Iterator<Item = &'a str> {
        self.tests.iter().map(|(name, _)| *name)
    }

    /// Whether `patched` makes memory errors that the program as it is does not make. `before` builds the latter, where that
    /// has to be known. No test is begun after the deadline.
    pub fn look<'b>(
        &mut self,
        patched: &BuiltVersion,
        before: impl FnOnce() -> Result<&'b BuiltVersion, Error>,
        deadline: Instant,
    ) -> Result<MemoryVerdict, Error> {
        let Recorded { errors, unknown } = Recorded::of(patched, self.tests(), deadline);
        if errors.is_empty() {
            return Ok(unknown.map_or(MemoryVerdict::Sound, MemoryVerdict::Unknown));
        }
        let known = match self.known.take() {
            Some(known) => known,
            None => {
                let ending = self.tests.iter().filter(|(_, ends)| *ends).map(|(name, _)| *name);
                let Recorded { errors, unknown } = Recorded::of(before()?, ending, deadline);
                if let Some(reason) = unknown {
                    return Ok(MemoryVerdict::Unknown(format!("of the program without the patch, {reason}")));
                }
                errors.into_iter().map(|error| (error.kind, error.function)).collect()
            }
        };
        let new = errors.into_iter().find(|error| !known.contains(&(error.kind.clone(), error.function.clone())));
        self.known = Some(known);
        let otherwise = || unknown.map_or(MemoryVerdict::Sound, MemoryVerdict::Unknown);
        Ok(new.map_or_else(otherwise, |error| MemoryVerdict::Wrong(Box::new(error))))
    }
}

/// What is known of a patched program's accesses to memory.
pub enum MemoryVerdict {
    /// None is wrong that was right before.
    Sound,
    /// This one is.
    Wrong(Box<MemoryError>),
    /// Not enough for either, for this reason.
    Unknown(String),
}

/// The memory errors of some tests.
#[derive(Default)]
struct Recorded {
    errors: Vec<MemoryError>,
    /// Why there may be others: the first test that could not be looked at as a whole, and the reason.
    unknown: Option<String>,
}

impl Recorded {
    /// Records tests of a program, as many as time lets, and replays them under the memory check.
    fn of<'b>(laid: &BuiltVersion, tests: impl Iterator<Item = &'b str>, deadline: Instant) -> Self {
        let mut all = Self::default();
        let (mut recordings, mut without) = (0, None);
        let started = Instant::now();
        for (number, name) in tests.enumerate() {
            if number >= AT_LEAST && started.elapsed() > LONGEST {
                break;
            }
            if Instant::now() >= deadline {
                all.is_unknown(name, "no time was left");
                break;
            }
            match all.add(laid, name) {
                Ok(number) => recordings += number,
                // A test that starts nothing of the program does nothing to its memory.
                Err(error @ workbench::Error::NothingRecorded { .. }) => without = Some(error.to_string()),
                Err(error) => all.is_unknown(name, &error.to_string()),
            }
        }
        if recordings == 0 && all.unknown.is_none() {
            all.unknown = Some(without.unwrap_or_else(|| "no test could be recorded".into()));
        }
        all
    }

    /// Adds those of a test; of how many recordings.
    fn add(&mut self, laid: &BuiltVersion, name: &str) -> Result<usize, workbench::Error> {
        let BuiltVersion { desk, project, suite, .. } = laid;
        let store = project.store()?;
        let test = match suite.test(name) {
            Ok(test) => test,
            Err(reason) => {
                self.is_unknown(name, &reason);
                return Ok(0);
            }
        };
        let run = project.record_test(test, &Recordings::of(&store), &desk.cancel)?;
        for reason in &run.lost {
            self.is_unknown(name, reason);
        }
        for recorded in &run.recordings {
            let Loaded { recording, program, damage } = load(&store, &recorded.path)?;
            if let Some(damage) = damage {
                return Err(damage.into());
            }
            let Checked { verified, memory_errors, .. } = check(&program, &recording, Along::MemoryCheck)?;
            self.errors.extend(memory_errors.iter().map(|error| convert::memory_error(&desk.project, error)));
            let limit = recording.info().run.limit_hit.clone();
            let cut = match verified {
                Err(divergence) => Some(divergence.to_string()),
                Ok(Verified { end: End::RecordingEnds { reason }, .. }) => {
                    Some(format!("the recording ends: {reason}"))
                }
                Ok(_) => limit.map(|limit| format!("its recorded run did not end by itself: {limit}")),
            };
            cut.into_iter().for_each(|reason| self.is_unknown(name, &reason));
        }
        Ok(run.recordings.len())
    }

    fn is_unknown(&mut self, test: &str, reason: &str) {
        self.unknown.get_or_insert_with(|| format!("test {test}: {reason}"));
    }
}

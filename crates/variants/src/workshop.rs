//! Versions are built and tested: one after the other, or some side by side, each in a folder of its own.

use std::collections::HashSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use whydunit_changes::Tree;
use whydunit_process::{Cancel, Pool};
use whydunit_suite::{Outcome, RunOptions, Suite, Test, TestResult};

use crate::bench::Bench;
use crate::compilers;
use crate::known::{Known, end_of};
use crate::limits::limits;
use crate::verdict::{Tried, Verdict};
use crate::{Error, Signature};

/// A test may take so long at least, however short it was in the versions that are known.
const LEAST: Duration = Duration::from_secs(2);

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Versions that were built, or should have been.
    pub builds: u64,
    /// Runs of the test.
    pub runs: u64,
    /// Builds that were not needed, because a version of the same content is known.
    pub saved: u64,
    /// Of the versions that were built, those in which the test passed.
    pub passed: u64,
    /// In which it failed as in the newer version.
    pub failed: u64,
    /// In which it failed otherwise, or could not be run.
    pub other: u64,
    /// Of which the build failed.
    pub not_built: u64,
}

/// What is tested.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The test's name.
    pub test: String,
    /// What the tests run, relative to the project, where nothing else says.
    pub executable: Option<PathBuf>,
    /// Where the build's command runs tests, and so ends with an error: what it makes, relative to the project. A version of which
    /// all of it was made is built. Empty elsewhere.
    pub made: Vec<PathBuf>,
}

/// Builds and tests versions.
pub struct Workshop<'a> {
    /// The first is there always, others as they are needed.
    benches: Vec<Bench>,
    /// So many versions are built side by side at most.
    jobs: usize,
    asked: Asked<'a>,
    known: Known<Tried>,
    /// Of versions that were built before they were asked for.
    ahead: HashSet<String>,
    pace: Pace,
    /// What was done.
    pub counts: Counts,
}

/// What is asked of a version.
struct Asked<'a> {
    subject: Subject,
    cancel: &'a Cancel,
    reference: Option<Signature>,
    /// So many runs have to pass.
    repeats: u32,
    /// The longest time that the test took in a version that counts.
    longest: Duration,
    /// Held by a test that is no other's neighbour.
    alone: Mutex<()>,
}

/// How long builds take.
#[derive(Default)]
struct Pace {
    /// The longest one, of a folder in which nothing was built yet.
    whole: Duration,
    /// All others.
    others: Duration,
    number: u32,
}

impl Pace {
    fn add(&mut self, whole: bool, time: Duration) {
        if whole {
            self.whole = self.whole.max(time);
        } else {
            self.others += time;
            self.number += 1;
        }
    }

    /// Whether so many more builds take longer than one of a new folder.
    fn is_worth_a_folder(&self, more: usize) -> bool {
        self.number > 0
            && self.others.as_secs_f64() / f64::from(self.number) * more as f64 / 2.0 > self.whole.as_secs_f64()
    }
}

/// A version that was tried, and what that took.
struct Done {
    tried: Tried,
    runs: u64,
    /// How long it took the test to pass.
    passed: Duration,
    whole: bool,
    time: Duration,
}

/// Where scripts stand that compile as people do without `-Werror`, beside the folders of versions.
const COMPILERS: &str = "compilers";

impl<'a> Workshop<'a> {
    /// A workshop in `folder`, which may be there from before and is emptied then; `verdicts` is the file of what is known. Up to
    /// `jobs` versions are built side by side, the others beside that folder, with a number behind its name.
    pub fn new(
        folder: &Path,
        verdicts: &Path,
        subject: Subject,
        jobs: usize,
        cancel: &'a Cancel,
    ) -> Result<Self, Error> {
        let (reference, repeats, longest, alone) = (None, 1, Duration::ZERO, Mutex::new(()));
        Ok(Self {
            benches: vec![Bench::new(folder)?],
            jobs: jobs.max(1),
            asked: Asked { subject, cancel, reference, repeats, longest, alone },
            known: Known::read(verdicts),
            ahead: HashSet::new(),
            pace: Pace::default(),
            counts: Counts::default(),
        })
    }

    /// Says which project it is: what cargo has made there of other crates is not built once more.
    pub fn seed(&mut self, project: &Path) {
        self.benches.iter_mut().for_each(|bench| bench.seed(project));
    }

    /// Says which failure is in question, and how long the test takes.
    pub fn expect(&mut self, failed: &TestResult) {
        self.asked.reference = Some(Signature::of(failed));
        self.asked.longest = self.asked.longest.max(failed.time);
    }

    /// Says how often the test has to pass in a version: more than once where it does not always fail.
    pub fn repeat(&mut self, times: u32) {
        self.asked.repeats = times.max(1);
    }

    /// Builds a version, and tests it.
    pub fn try_version(&mut self, version: &Tree) -> Result<Tried, Error> {
        let key = self.asked.key(version);
        if let Some(known) = self.known.get(&key) {
            if !self.ahead.remove(&key) {
                self.counts.saved += 1;
            }
            return Ok(known.clone());
        }
        let done = self.asked.done(&mut self.benches[0], version);
        self.keep(key, done)
    }

    /// How many versions it is worth to build side by side, where `more` are to be built.
    pub fn side_by_side(&self, more: usize) -> usize {
        let ready = self.benches.len();
        let folders = if self.pace.is_worth_a_folder(more) { self.jobs } else { ready };
        folders.min(self.jobs).min(more).max(1)
    }

    /// Builds and tests versions side by side, each in a folder of its own, before they are asked for.
    pub fn try_ahead(&mut self, versions: &[Tree]) -> Result<(), Error> {
        let mut new: Vec<(String, &Tree)> = Vec::new();
        for version in versions {
            let key = self.asked.key(version);
            if self.known.get(&key).is_none() && new.iter().all(|(known, _)| *known != key) {
                new.push((key, version));
            }
        }
        if new.len() < 2 {
            return Ok(());
        }
        while self.benches.len() < new.len() {
            let first = &self.benches[0].folder;
            let name = first.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.benches.push(Bench::new(&first.with_file_name(format!("{name}-{}", self.benches.len())))?);
        }
        let asked = &self.asked;
        let benches = std::iter::zip(&new, &mut self.benches);
        // Each has a folder: they are all built at once.
        let pool = Pool::new(NonZeroUsize::new(new.len()).unwrap_or(NonZeroUsize::MIN));
        let done = pool.run(benches, |((_, version), bench)| asked.done(bench, version));
        for ((key, _), done) in std::iter::zip(new, done) {
            self.keep(key.clone(), done)?;
            self.ahead.insert(key);
        }
        Ok(())
    }

    /// Counts what was done, and keeps what it came to.
    fn keep(&mut self, key: String, done: Result<Done, Error>) -> Result<Tried, Error> {
        self.counts.builds += 1;
        let Done { tried, runs, passed, whole, time } = done?;
        self.counts.runs += runs;
        *match tried.verdict {
            Verdict::Pass => &mut self.counts.passed,
            Verdict::Fail => &mut self.counts.failed,
            Verdict::Other => &mut self.counts.other,
            Verdict::NotBuilt => &mut self.counts.not_built,
        } += 1;
        self.asked.longest = self.asked.longest.max(passed);
        self.pace.add(whole, time);
        self.known.add(key, tried.clone());
        Ok(tried)
    }

    /// Builds a version; its suite, or what the compiler said.
    pub fn make(&mut self, version: &Tree) -> Result<Result<Suite, String>, Error> {
        self.counts.builds += 1;
        self.asked.make(&mut self.benches[0], version, Vec::new())
    }

    /// The same, by compilers of C and C++ that take warnings for warnings where the build makes errors of them, and finds its compilers
    /// by the search path.
    pub fn make_leniently(&mut self, version: &Tree) -> Result<Result<Suite, String>, Error> {
        self.counts.builds += 1;
        let env = compilers::lenient(&self.benches[0].folder.with_file_name(COMPILERS))?;
        let path = env.into_iter().filter(|(name, _)| name == "PATH").collect();
        self.asked.make(&mut self.benches[0], version, path)
    }
}

impl Asked<'_> {
    fn key(&self, version: &Tree) -> String {
        let mut hash = blake3::Hasher::new();
        let failure = self.reference.as_ref().map_or("", Signature::text);
        for part in [&version.hash(), &self.subject.test, failure] {
            hash.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        if self.repeats > 1 {
            hash.update(&self.repeats.to_le_bytes());
        }
        hash.finalize().to_hex()[..32].to_string()
    }

    /// Builds a version with this in the environment; its suite, or what the compiler said.
    fn make(
        &self,
        bench: &mut Bench,
        version: &Tree,
        env: Vec<(OsString, OsString)>,
    ) -> Result<Result<Suite, String>, Error> {
        Error::of_cancelled(self.cancel)?;
        bench.lay(version)?;
        let mut config = whydunit_suite::configuration(&bench.folder)?.config;
        if config.executable().is_none() {
            config.build.executable.clone_from(&self.subject.executable);
        }
        config.build.env = env;
        if let Some(said) = bench.build(&config, &self.subject.made, self.cancel)? {
            Error::of_cancelled(self.cancel)?;
            return Ok(Err(said));
        }
        Ok(Ok(Suite::load(&config, self.cancel)?))
    }

    /// Builds and tests a version.
    fn done(&self, bench: &mut Bench, version: &Tree) -> Result<Done, Error> {
        let whole = bench.is_new();
        let started = Instant::now();
        let made = self.make(bench, version, Vec::new());
        let time = started.elapsed();
        let without =
            |verdict, says| Done { tried: Tried { verdict, says }, runs: 0, passed: Duration::ZERO, whole, time };
        let suite = match made {
            Ok(Ok(suite)) => suite,
            Ok(Err(says)) => return Ok(without(Verdict::NotBuilt, end_of(says))),
            Err(Error::Suite(error)) => return Ok(without(Verdict::Other, error.to_string())),
            Err(error) => return Err(error),
        };
        let test = match suite.test(&self.subject.test) {
            Ok(test) => test,
            Err(message) => return Ok(without(Verdict::Other, message)),
        };
        // Tests that are not run side by side of one version are not of several either.
        let alone = (suite.jobs.get() == 1).then(|| self.alone.lock().unwrap_or_else(PoisonError::into_inner));
        let mut done = without(Verdict::Pass, String::new());
        for _ in 0..self.repeats {
            let tried = self.run(&suite, test, &mut done)?;
            // What fails otherwise may yet fail as the newer version does.
            if done.tried.verdict == Verdict::Pass || tried.verdict == Verdict::Fail {
                done.tried = tried;
            }
            if done.tried.verdict == Verdict::Fail {
                break;
            }
        }
        drop(alone);
        Ok(done)
    }

    fn run(&self, suite: &Suite, test: &Test, done: &mut Done) -> Result<Tried, Error> {
        done.runs += 1;
        let results = suite.run_test(test, &self.options(suite));
        Error::of_cancelled(self.cancel)?;
        let Some(result) = results.iter().find(|result| result.name == test.name()).or(results.first()) else {
            return Ok(Tried { verdict: Verdict::Other, says: "the test was not run".into() });
        };
        let tried = self.judge(result);
        if tried.verdict == Verdict::Pass {
            done.passed = done.passed.max(result.time);
        }
        Ok(tried)
    }

    fn options(&self, suite: &Suite) -> RunOptions<'_> {
        let limits = limits(suite, self.longest, LEAST);
        RunOptions { limits: Some(limits), reruns: Some(0), cancel: Some(self.cancel), ..RunOptions::default() }
    }

    fn judge(&self, result: &TestResult) -> Tried {
        let verdict = match &result.outcome {
            Outcome::Pass => Verdict::Pass,
            Outcome::Skipped | Outcome::Cancelled | Outcome::Error(_) => Verdict::Other,
            _ => match &self.reference {
                Some(reference) if *reference != Signature::of(result) => Verdict::Other,
                _ => Verdict::Fail,
            },
        };
        Tried { verdict, says: result.outcome.reason().unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode};

    use super::*;

    /// A program that prints what a header says.
    fn version(header: &str) -> Tree {
        let files = [
            ("n.h", format!("#define N {header}\n")),
            (
                "main.c",
                "#include <stdio.h>\n#include \"n.h\"\nint main(void) { return printf(\"%d\\n\", N) < 0; }\n".into(),
            ),
            ("cases.jsonl", "{\"name\": \"one\", \"stdout\": \"1\\n\"}\n".into()),
            ("whydunit.toml", "[build]\nsources = [\"main.c\"]\n[tests]\ncases = \"cases.jsonl\"\n".into()),
        ];
        let file = |text: String| File { bytes: text.into_bytes().into(), mode: Mode::Plain };
        Tree { files: files.into_iter().map(|(name, text)| (name.into(), file(text))).collect() }
    }

    #[test]
    fn what_is_built_ahead_counts_once_and_comes_out_the_same() {
        let place = tempfile::tempdir().unwrap();
        let subject = || Subject { test: "one".into(), executable: None, made: Vec::new() };
        let headers = ["1", "2", "wrong", "1 + 0", "1"];
        let go_on = Cancel::new();
        let tries = |jobs: usize, name: &str| {
            let (folder, verdicts) = (place.path().join(name), place.path().join(format!("{name}.verdicts")));
            let mut shop = Workshop::new(&folder, &verdicts, subject(), jobs, &go_on).unwrap();
            if jobs > 1 {
                shop.try_ahead(&headers.map(version)).unwrap();
                assert_eq!((shop.counts.builds, shop.counts.saved), (4, 0));
                assert!(place.path().join(format!("{name}-3")).is_dir());
            }
            let tried = headers.map(|header| shop.try_version(&version(header)).unwrap());
            assert_eq!((shop.counts.builds, shop.counts.runs, shop.counts.saved), (4, 3, 1));
            tried
        };
        let tried = tries(1, "after");
        assert_eq!(tried, tries(4, "beside"));
        let verdicts = tried.map(|tried| tried.verdict);
        assert_eq!(verdicts, [Verdict::Pass, Verdict::Fail, Verdict::NotBuilt, Verdict::Pass, Verdict::Pass]);
    }

    #[test]
    fn folders_are_made_where_they_save_more_than_they_take() {
        let second = Duration::from_secs(1);
        let mut pace = Pace::default();
        pace.add(true, 10 * second);
        assert!(!pace.is_worth_a_folder(100));
        pace.add(false, 2 * second);
        pace.add(false, 2 * second);
        assert!(pace.is_worth_a_folder(11) && !pace.is_worth_a_folder(10));
    }
}

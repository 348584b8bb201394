//! The folder in which versions are built and tested, one after the other.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use whydunit_changes::Tree;
use whydunit_suite::process::{self, Exit, Limits, Program, Stdin, Watch};
use whydunit_suite::{BuildHow, Config, Outcome, RunOptions, Suite, Test, TestResult};

use crate::known::Known;
use crate::{Error, Signature, depend};

/// A build may take so long.
const BUILD: Duration = Duration::from_secs(3600);
/// A test may take so much longer than it took in the versions that are known, and at least [`LEAST`].
const SLOWER: u32 = 10;
const LEAST: Duration = Duration::from_secs(2);
/// So much of what a compiler said is kept.
const SAID: usize = 16 << 10;

/// What a version came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The test passes.
    Pass,
    /// It fails as the newer version does.
    Fail,
    /// It fails otherwise, or is not there.
    Other,
    /// It cannot be built.
    NotBuilt,
}

/// A version that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What it came to.
    pub verdict: Verdict,
    /// What the compiler said, or how the test failed.
    pub says: String,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Versions that were built, or should have been.
    pub builds: u64,
    /// Runs of the test.
    pub runs: u64,
    /// Builds that were not needed, because a version of the same content is known.
    pub saved: u64,
}

/// What is tested.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The test's name.
    pub test: String,
    /// What the tests run, relative to the project, where nothing else says.
    pub executable: Option<PathBuf>,
}

/// Builds and tests versions.
pub struct Workshop<'a> {
    folder: PathBuf,
    subject: Subject,
    cancel: &'a AtomicBool,
    /// What lies in the folder; none before the first version.
    laid: Option<Tree>,
    known: Known,
    reference: Option<Signature>,
    /// So many runs have to pass.
    repeats: u32,
    /// The longest time that the test took in a version that counts.
    longest: Duration,
    /// What was done.
    pub counts: Counts,
}

impl<'a> Workshop<'a> {
    /// A workshop in `folder`, which may be there from before and is emptied then; `verdicts` is the file of what is known.
    pub fn new(folder: &Path, verdicts: &Path, subject: Subject, cancel: &'a AtomicBool) -> Result<Self, Error> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(folder)(error)),
            _ => {}
        }
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        Ok(Self {
            folder: folder.canonicalize().map_err(Error::io(folder))?,
            subject,
            cancel,
            laid: None,
            known: Known::read(verdicts),
            reference: None,
            repeats: 1,
            longest: Duration::ZERO,
            counts: Counts::default(),
        })
    }

    /// Says which failure is in question, and how long the test takes.
    pub fn expect(&mut self, failed: &TestResult) {
        self.reference = Some(Signature::of(failed));
        self.longest = self.longest.max(failed.time);
    }

    /// Says how often the test has to pass in a version: more than once where it does not always fail.
    pub fn repeat(&mut self, times: u32) {
        self.repeats = times.max(1);
    }

    /// Builds a version, and tests it.
    pub fn try_version(&mut self, version: &Tree) -> Result<Tried, Error> {
        let key = self.key(version);
        if let Some(known) = self.known.get(&key) {
            self.counts.saved += 1;
            return Ok(known.clone());
        }
        let tried = self.make_and_test(version)?;
        self.known.add(key, tried.clone());
        Ok(tried)
    }

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

    fn interrupted(&self) -> Result<(), Error> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Builds a version; its suite, or what the compiler said.
    pub fn make(&mut self, version: &Tree) -> Result<Result<Suite, String>, Error> {
        self.interrupted()?;
        self.lay(version)?;
        let mut config = whydunit_suite::configuration(&self.folder)?.config;
        if config.executable().is_none() {
            config.build.executable.clone_from(&self.subject.executable);
        }
        self.counts.builds += 1;
        if let Some(said) = self.build(&config)? {
            self.interrupted()?;
            return Ok(Err(said));
        }
        Ok(Ok(Suite::load(&config)?))
    }

    fn make_and_test(&mut self, version: &Tree) -> Result<Tried, Error> {
        let suite = match self.make(version) {
            Ok(Ok(suite)) => suite,
            Ok(Err(says)) => return Ok(Tried { verdict: Verdict::NotBuilt, says }),
            Err(Error::Suite(error)) => return Ok(Tried { verdict: Verdict::Other, says: error.to_string() }),
            Err(error) => return Err(error),
        };
        let test = match suite.test(&self.subject.test) {
            Ok(test) => test,
            Err(message) => return Ok(Tried { verdict: Verdict::Other, says: message }),
        };
        let mut tried = self.run(&suite, test)?;
        for _ in 1..self.repeats {
            match tried.verdict {
                Verdict::Pass => tried = self.run(&suite, test)?,
                Verdict::Fail => break,
                // It may yet fail as the newer version does.
                Verdict::Other | Verdict::NotBuilt => {
                    let next = self.run(&suite, test)?;
                    if next.verdict == Verdict::Fail {
                        tried = next;
                    }
                }
            }
        }
        Ok(tried)
    }

    fn run(&mut self, suite: &Suite, test: &Test) -> Result<Tried, Error> {
        self.counts.runs += 1;
        let results = suite.run_test(test, &self.options(suite));
        self.interrupted()?;
        let Some(result) = results.iter().find(|result| result.name == test.name()).or(results.first()) else {
            return Ok(Tried { verdict: Verdict::Other, says: "the test was not run".into() });
        };
        Ok(self.judge(result))
    }

    fn options(&self, suite: &Suite) -> RunOptions<'a> {
        let mut limits = suite.limits.clone();
        if self.longest > Duration::ZERO {
            let most = (self.longest * SLOWER).max(LEAST);
            limits.time = Some(limits.time.map_or(most, |time| time.min(most)));
        }
        RunOptions { limits: Some(limits), reruns: Some(0), cancel: Some(self.cancel), ..RunOptions::default() }
    }

    fn judge(&mut self, result: &TestResult) -> Tried {
        let says = result.outcome.reason().unwrap_or_default();
        let verdict = match &result.outcome {
            Outcome::Pass => Verdict::Pass,
            Outcome::Skipped | Outcome::Cancelled | Outcome::Error(_) => Verdict::Other,
            _ => match &self.reference {
                Some(reference) if *reference != Signature::of(result) => Verdict::Other,
                _ => Verdict::Fail,
            },
        };
        if verdict == Verdict::Pass {
            self.longest = self.longest.max(result.time);
        }
        Tried { verdict, says }
    }

    /// Makes the folder hold a version.
    fn lay(&mut self, version: &Tree) -> Result<(), Error> {
        // None where the folder holds nothing, or it is not known what.
        let before = self.laid.take().filter(|before| {
            let differs = |path: &&String| before.files.get(*path) != version.files.get(*path);
            !before.files.keys().chain(version.files.keys()).filter(differs).any(|path| depend::builds(path))
        });
        match before {
            Some(before) => {
                let touched = version.lay_out(&self.folder, &before)?;
                self.age(version, &touched)?;
            }
            None => {
                fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
                fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
                version.lay_out(&self.folder, &Tree::default())?;
            }
        }
        self.laid = Some(version.clone());
        Ok(())
    }

    /// Makes what includes touched files look as new as these.
    fn age(&self, version: &Tree, touched: &[String]) -> Result<(), Error> {
        let now = SystemTime::now();
        for path in depend::dependents(version, touched) {
            let path = self.folder.join(path);
            let file = fs::File::options().write(true).open(&path).map_err(Error::io(&path))?;
            file.set_modified(now).map_err(Error::io(&path))?;
        }
        Ok(())
    }

    /// Builds what lies in the folder; what the compiler said where that fails.
    fn build(&self, config: &Config) -> Result<Option<String>, Error> {
        let mut args: Vec<OsString> = vec!["-c".into()];
        match &config.build.how {
            Some(BuildHow::Command(shell)) => args.push(shell.into()),
            Some(BuildHow::Sources { sources, flags }) => {
                args.extend(["exec \"$@\"".into(), "sh".into()]);
                args.extend(compile(config, sources, flags)?);
            }
            None => return Err(Error::NoBuild { folder: self.folder.clone() }),
        }
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        // What does not compile says so of all files at once.
        if std::env::var_os("MAKEFLAGS").is_none() {
            env.push(("MAKEFLAGS".into(), "k".into()));
        }
        for (name, value) in config.build_environment() {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
        let program = Program {
            executable: "/bin/sh".into(),
            arg0: "sh".into(),
            args,
            env,
            folder: self.folder.clone(),
            randomise_addresses: true,
        };
        let limits = Limits { time: Some(BUILD), memory: None, processes: None, file_size: None, ..Limits::default() };
        let ended = process::run(&program, Stdin::Null, &limits, Watch { cancel: Some(self.cancel), on_output: None })?;
        if ended.exit == Exit::Status(0) && ended.stop.is_none() {
            return Ok(None);
        }
        let mut said = ended.stdout;
        said.extend(ended.stderr);
        let from = said.len().saturating_sub(SAID);
        let text = String::from_utf8_lossy(&said[from..]).replace(&format!("{}/", self.folder.display()), "");
        Ok(Some(text))
    }
}

/// The words that compile a list of sources, as a build under capture has them.
fn compile(config: &Config, sources: &[PathBuf], flags: &[String]) -> Result<Vec<OsString>, Error> {
    let Some(executable) = config.executable() else {
        return Err(Error::NoBuild { folder: config.folder.clone() });
    };
    if let Some(parent) = executable.parent() {
        fs::create_dir_all(parent).map_err(Error::io(parent))?;
    }
    let mut words: Vec<OsString> = vec![whydunit_suite::compiler_of(sources).into(), "-g".into()];
    words.extend(sources.iter().map(|source| source.clone().into_os_string()));
    words.extend(["-o".into(), executable.into_os_string()]);
    words.extend(flags.iter().map(OsString::from));
    Ok(words)
}

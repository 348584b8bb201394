//! Compiles changed programs, and runs the cases on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_process::{Cancel, Exit, Limits};
use whydunit_suite::{Case, Content, Outcome, Progress, RunOptions, Suite, Test, TestResult};

use crate::compiler::{self, Build, Language};
use crate::error::Error;
use crate::fault::Fault;
use crate::subject::Subject;

/// For one case.
const TIME: Duration = Duration::from_secs(2);
/// For one that ran out of it, to end.
const GRACE: Duration = Duration::from_millis(100);

/// A changed program, tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It does not compile.
    Broken,
    /// It passes all cases.
    Survived,
    /// It fails one.
    Killed,
}

/// The outcomes of the cases on a faulty program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examined {
    /// The names of those that fail.
    pub failing: Vec<String>,
    /// How many there are.
    pub cases: usize,
}

/// A subject, compiled: what all its changed versions share.
pub(crate) struct Bench<'a> {
    subject: &'a Subject,
    folder: tempfile::TempDir,
}

impl<'a> Bench<'a> {
    /// Compiles the subject. Fails when it does not compile, or does not pass its cases.
    pub(crate) fn new(subject: &'a Subject) -> Result<Self, Error> {
        let bench = Self::compiled(subject, Build::Usual, &subject.folder)?;
        let failing = bench.run(&bench.link(bench.folder(), None)?, false)?;
        if let Some(first) = failing.iter().find(|result| result.outcome.is_failure()) {
            let reason = first.outcome.reason().unwrap_or_default();
            let message = format!("the program fails its own case `{}`: {reason}", first.name);
            return Err(Error::at(&subject.folder, message));
        }
        Ok(bench)
    }

    /// Compiles the subject. Where it does not compile, `place` is at fault.
    fn compiled(subject: &'a Subject, build: Build, place: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::io("make a folder in", &std::env::temp_dir()))?;
        let bench = Bench { subject, folder };
        write(bench.folder(), &subject.files)?;
        for (name, _) in subject.sources() {
            compile(bench.folder(), name, build, &[])?.map_err(|message| Error::at(place, message))?;
        }
        Ok(bench)
    }

    /// Two builds of the subject as it is: the usual one, and one that stops at what the language leaves undefined.
    pub(crate) fn both(&self) -> Result<Both<'a>, Error> {
        let strict = Self::compiled(self.subject, Build::Strict, &self.subject.folder)?;
        let executables = [self.link(self.folder(), None)?, strict.link(strict.folder(), None)?];
        Ok(Both { executables, strict })
    }

    /// The folder with the subject's files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Tries a version with another text of one source.
    pub(crate) fn verdict(&self, file: &str, text: &str) -> Result<Verdict, Error> {
        let folder = tempfile::tempdir_in(self.folder()).map_err(Error::io("make a folder in", self.folder()))?;
        write(folder.path(), &[(file.to_string(), text.to_string())])?;
        let include = format!("-I{}", self.folder().display());
        if compile(folder.path(), file, Build::Usual, &[&include])?.is_err() {
            return Ok(Verdict::Broken);
        }
        let results = self.run(&self.link(folder.path(), Some(file))?, true)?;
        let killed = results.iter().any(|result| result.outcome.is_failure());
        Ok(if killed { Verdict::Killed } else { Verdict::Survived })
    }

    /// The executable of a folder: of the subject's objects, but for one that the folder has itself.
    fn link(&self, folder: &Path, changed: Option<&str>) -> Result<PathBuf, Error> {
        let objects = self.subject.sources().map(|(name, _)| {
            let place = if changed == Some(name) { folder } else { self.folder() };
            place.join(object(name)).display().to_string()
        });
        let objects: Vec<String> = objects.collect();
        if self.subject.languages().any(|language| language == Language::Rust) {
            // It is one file, and a program already.
            return Ok(objects.concat().into());
        }
        let executable = folder.join("program");
        let mut arguments = vec!["-o", "program"];
        arguments.extend(objects.iter().map(String::as_str));
        arguments.push("-lm");
        let language = self.subject.languages().find(|language| *language == Language::Cpp).unwrap_or(Language::C);
        let output = compiler::run(language, folder, &arguments)?;
        if !output.status.success() {
            let message = format!("it does not link: {}", compiler::complaint(&output));
            return Err(Error::at(&self.subject.folder, message));
        }
        Ok(executable)
    }

    /// The results of the cases, up to the first that fails where that is enough.
    fn run(&self, executable: &Path, first_only: bool) -> Result<Vec<TestResult>, Error> {
        let suite = &self.subject.suite;
        let cancel = Cancel::new();
        let options = RunOptions {
            executable: Some(executable.to_path_buf()),
            limits: Some(Limits { time: Some(TIME), grace: GRACE, ..suite.limits.clone() }),
            jobs: first_only.then_some(std::num::NonZeroUsize::MIN),
            cancel: Some(&cancel),
            ..RunOptions::default()
        };
        let results = suite.run(&options, &|progress| {
            if let Progress::Finished { result, .. } = progress
                && first_only
                && result.outcome.is_failure()
            {
                cancel.cancel();
            }
        });
        for result in &results {
            if let Outcome::Error(message) = &result.outcome {
                let message = format!("case `{}` could not be run: {message}", result.name);
                return Err(Error::at(&self.subject.folder, message));
            }
        }
        Ok(results)
    }
}

/// Two builds of a subject.
pub(crate) struct Both<'a> {
    executables: [PathBuf; 2],
    strict: Bench<'a>,
}

impl Both<'_> {
    /// These cases with what the subject does, where it ends by itself within `output` bytes and prints text, and both builds do
    /// the same.
    pub(crate) fn expected(&self, cases: &[Case], output: u64) -> Vec<Case> {
        let [usual, strict] = &self.executables;
        let once = self.with_results(cases, usual, output).into_iter().filter_map(|(case, result)| {
            let Some(Exit::Status(status)) = result.exit else { return None };
            let is_text = std::str::from_utf8(&result.stdout).is_ok();
            let stdout = Some(Content::Inline(result.stdout));
            (is_text && result.outcome == Outcome::Pass).then_some(Case { stdout, status: Some(status), ..case })
        });
        let twice = self.with_results(&once.collect::<Vec<_>>(), strict, output).into_iter();
        twice.filter(|(_, result)| result.outcome == Outcome::Pass).map(|(case, _)| case).collect()
    }

    fn with_results(&self, cases: &[Case], executable: &Path, output: u64) -> Vec<(Case, TestResult)> {
        let own = &self.strict.subject.suite;
        let suite = Suite { tests: cases.iter().cloned().map(Test::Case).collect(), ..own.clone() };
        let options = RunOptions {
            executable: Some(executable.to_path_buf()),
            limits: Some(Limits { time: Some(TIME), grace: GRACE, output, ..own.limits.clone() }),
            reruns: Some(0),
            ..RunOptions::default()
        };
        cases.iter().cloned().zip(suite.run(&options, &|_| {})).collect()
    }
}

/// Runs the cases on a subject with a fault. Fails when the faulty program does not compile.
pub fn examine(subject: &Subject, fault: &Fault) -> Result<Examined, Error> {
    let changed = Subject { files: fault.apply(&subject.files)?, ..subject.clone() };
    let bench = Bench::compiled(&changed, Build::Plain, &fault.path)?;
    let results = bench.run(&bench.link(bench.folder(), None)?, false)?;
    let failing = results.iter().filter(|result| result.outcome.is_failure());
    Ok(Examined { failing: failing.map(|result| result.name.clone()).collect(), cases: results.len() })
}

fn object(source: &str) -> String {
    format!("{source}.o")
}

/// Compiles a source of a folder to an object beside it, one of Rust to a program; else says why not.
fn compile(folder: &Path, source: &str, build: Build, more: &[&str]) -> Result<Result<(), String>, Error> {
    let (object, language) = (object(source), Language::of(source).unwrap_or(Language::C));
    let only: &[&str] = if language == Language::Rust { &[] } else { &["-c"] };
    let arguments = [language.flags(build), more, only, &["-o", &object, source]].concat();
    let output = compiler::run(language, folder, &arguments)?;
    Ok(match output.status.success() {
        true => Ok(()),
        false => Err(format!("{source} does not compile: {}", compiler::complaint(&output))),
    })
}

/// Writes files into a folder.
pub(crate) fn write(folder: &Path, files: &[(String, String)]) -> Result<(), Error> {
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    Ok(())
}

//! Recording a test or a command: the record flavour runs, and each process's log becomes a recording.

use std::ffi::OsString;
use std::fs::{self, File};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_capture::{Flavour, Store, flavour_path, run_environment, run_path};
use whydunit_process::{self as process, Cancel, Ended, Limits, Program, Stdin, Watch};
use whydunit_recording::{Exit, RecordingSummary, RunInfo, finalise, processes};
use whydunit_suite::{Outcome, Reading, RunOptions, Test, TestResult};

use crate::Error;
use crate::kept::Recordings;
use crate::project::Project;

/// How the runtime begins to say that it cannot record.
const REFUSAL: &str = "whydunit: nothing is recorded: ";

/// The variable that gives the runtime what it draws the order of threads from.
const THREAD_ORDER: &str = "WHYDUNIT_THREAD_ORDER";

/// How a test is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recorder {
    /// For at most this time, where that is less than the suite allows.
    pub time: Option<Duration>,
    /// What the order of its threads is drawn from; `None`: first come, first served.
    pub thread_order: Option<NonZeroU64>,
}

/// A recording that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// Where it lies.
    pub path: PathBuf,
    /// The program, as the process knew it.
    pub program: String,
    /// Counts, and how the events end.
    pub summary: RecordingSummary,
    /// How the process ended, where that is known.
    pub exit: Option<Exit>,
}

/// A run with its recordings.
#[derive(Debug)]
pub struct Run<T> {
    /// How it went.
    pub result: T,
    /// One recording a process, the first process first.
    pub recordings: Vec<Recorded>,
    /// Why some process has no recording.
    pub lost: Vec<String>,
    /// What else should be known.
    pub problems: Vec<String>,
}

impl<T> Run<T> {
    /// All that should be known.
    pub fn notes(&self) -> impl Iterator<Item = &String> {
        self.lost.iter().chain(&self.problems)
    }
}

/// A folder for raw logs that is removed when it is no longer needed. The lock on it tells that somebody needs it.
pub(crate) struct RawFolder {
    path: PathBuf,
    _lock: File,
}

impl RawFolder {
    /// A new one. Those that killed processes of ours left are removed.
    pub fn new(store: &Store, ending: &str) -> Result<Self, Error> {
        for entry in fs::read_dir(store.tmp()).into_iter().flatten().flatten() {
            let path = entry.path();
            let held = File::open(&path).ok().filter(|folder| path.is_dir() && folder.try_lock().is_ok());
            // Held until it is removed: who has just made it and waits for the lock sees that it is gone.
            if let Some(_held) = held {
                // What cannot be removed only takes space.
                fs::remove_dir_all(&path).ok();
            }
        }
        loop {
            let path = store.temporary(ending);
            fs::create_dir_all(&path).map_err(Error::io(&path))?;
            let locked = File::open(&path).and_then(|folder| folder.lock().map(|()| folder));
            match locked {
                // Removed by another one before it was locked.
                _ if !path.exists() => continue,
                Ok(lock) => return Ok(Self { path, _lock: lock }),
                Err(error) => return Err(Error::io(&path)(error)),
            }
        }
    }
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RawFolder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).ok();
    }
}

/// What the first process of a run did.
struct First<'a> {
    pid: Option<i32>,
    info: RunInfo,
    name: &'a str,
}

/// Turns the logs below `raw` into recordings, which replace those of the last run of the same name.
fn collect(recordings: &Recordings, raw: &Path, first: First<'_>) -> Result<(Vec<Recorded>, Vec<String>), Error> {
    let mut folders = if raw.exists() { processes(raw)? } else { Vec::new() };
    // The process that was started comes first; a captured program that a script runs is not that one.
    folders.sort_by_key(|folder| Some(folder.head.pid as i32) != first.pid);
    let (mut out, mut problems) = (Vec::new(), Vec::new());
    for (index, folder) in folders.iter().enumerate() {
        let path = recordings.path(first.name, index + 1);
        let own = Some(folder.head.pid as i32) == first.pid && index == 0;
        let build = folder.head.exe.path().file_name().map(|name| name.to_string_lossy().into_owned());
        let info = RunInfo { build: build.unwrap_or_default(), ..first.info.clone() };
        let info = if own {
            info
        } else {
            RunInfo { exit: None, stdin: None, stdout: None, stderr: None, seconds: None, ..info }
        };
        let exit = info.exit;
        match finalise(&folder.path, info, &path) {
            Ok(summary) => {
                let program = folder.head.args.first().map(ToString::to_string).unwrap_or_default();
                out.push(Recorded { path, program, summary, exit });
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    if !out.is_empty() {
        let new: Vec<PathBuf> = out.iter().map(|recorded| recorded.path.clone()).collect();
        recordings.clear(first.name, &new)?;
    }
    Ok((out, problems))
}

fn exit_of(exit: process::Exit) -> Exit {
    match exit {
        process::Exit::Status(status) => Exit::Status(status),
        process::Exit::Signal(signal) => Exit::Signal(signal),
    }
}

/// A command in a folder, with the caller's environment and what is added to it.
pub(crate) fn program_of(
    command: &[OsString],
    folder: &Path,
    added: Vec<(OsString, OsString)>,
) -> Result<Program, Error> {
    let shown = || command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let found = command.split_first().and_then(|(name, args)| Some((find_program(name, folder)?, name, args)));
    let (executable, name, args) = found.ok_or_else(|| Error::NoProgram { name: shown() })?;
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    for (name, value) in added {
        env.retain(|(known, _)| *known != name);
        env.push((name, value));
    }
    let (arg0, args, folder) = (name.clone(), args.to_vec(), folder.to_path_buf());
    Ok(Program { executable, arg0, args, env, folder, randomise_addresses: false })
}

/// The limits of a command that a person gives: it takes the time that it takes.
pub(crate) fn limits_of_command() -> Limits {
    Limits { time: None, processes: Some(4096), output: 1 << 30, ..Limits::default() }
}

impl Project {
    /// Records a test of the suite; the record flavour must be there. Set, `cancel` ends the run, whose recording is kept.
    pub fn record_test(
        &self,
        test: &Test,
        recordings: &Recordings,
        cancel: &Cancel,
    ) -> Result<Run<Vec<TestResult>>, Error> {
        self.record_test_as(test, recordings, cancel, Recorder::default())
    }

    /// The same in a way of its own.
    pub fn record_test_as(
        &self,
        test: &Test,
        recordings: &Recordings,
        cancel: &Cancel,
        Recorder { time, thread_order }: Recorder,
    ) -> Result<Run<Vec<TestResult>>, Error> {
        let store = self.store()?;
        let raw = RawFolder::new(&store, "raw")?;
        let mut suite = self.suite(cancel)?;
        suite.limits.time = suite.limits.time.into_iter().chain(time).min();
        let in_its_place = |program: &Path| run_path(&store, Flavour::Record, program);
        let mut env = run_environment(&store, Flavour::Record, raw.path())?;
        env.extend(on_the_main_thread(test));
        env.extend(thread_order.map(|order| (THREAD_ORDER.into(), order.to_string().into())));
        let mut options = RunOptions {
            programs: Some(&in_its_place),
            env,
            reruns: Some(0),
            cancel: Some(cancel),
            ..RunOptions::default()
        };
        if let Test::Case(_) = test {
            let product = self.executable(&store)?;
            options.executable = Some(flavour_path(&store, &product.link_id, Flavour::Record));
        }
        let results = suite.run_test(test, &options);
        let main = results.first();
        let stdin = match test {
            Test::Case(case) => case.stdin.as_ref().and_then(|stdin| stdin.read().ok()).map(|bytes| bytes.into_owned()),
            _ => None,
        };
        let info = RunInfo {
            test: Some(test.name().to_owned()),
            exit: main.and_then(|result| result.exit).map(exit_of),
            time_limit: suite.limits.time.map(|limit| limit.as_secs_f64()),
            limit_hit: main.and_then(|result| limit_hit(&result.outcome)),
            seconds: main.map(|result| result.time.as_secs_f64()),
            stdin,
            stdout: main.map(|result| result.stdout.clone()),
            stderr: main.map(|result| result.stderr.clone()),
            ..RunInfo::default()
        };
        let first = First { pid: main.and_then(|result| result.pid), info, name: test.name() };
        let (kept, lost) = collect(recordings, raw.path(), first)?;
        if kept.is_empty() && lost.is_empty() {
            if let Some(Outcome::Error(reason)) = main.map(|result| &result.outcome) {
                return Err(Error::NotRun { test: test.name().to_owned(), reason: reason.clone() });
            }
            let stderr = main.map(|result| result.stderr.as_slice()).unwrap_or_default();
            return Err(self.nothing_recorded(&store, &raw, test.name(), stderr)?);
        }
        let problems = results.iter().flat_map(|result| result.problems.iter().cloned()).collect();
        Ok(Run { result: results, recordings: kept, lost, problems })
    }

    /// Records a command, with the caller's standard input; `echo` gets what it prints as it comes. Set, `cancel` ends
    /// the run, whose recording is kept.
    pub fn record_command(
        &self,
        command: &[OsString],
        folder: &Path,
        recordings: &Recordings,
        echo: &mut dyn FnMut(process::Stream, &[u8]),
        cancel: &Cancel,
    ) -> Result<Run<Ended>, Error> {
        let store = self.store()?;
        let raw = RawFolder::new(&store, "raw")?;
        let shown = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let Some(name) = command.first() else {
            return Err(Error::NothingRecorded { command: shown, captured: String::new() });
        };
        let mut program = program_of(command, folder, run_environment(&store, Flavour::Record, raw.path())?)?;
        let flavour = whydunit_capture::product_of(&store, &program.executable)
            .map(|product| flavour_path(&store, &product.link_id, Flavour::Record))
            .ok()
            .filter(|flavour| flavour.exists());
        program.executable = flavour.unwrap_or(program.executable);
        let limits = limits_of_command();
        let ended =
            process::run(&program, Stdin::Inherit, &limits, Watch { cancel: Some(cancel), on_output: Some(echo) })?;
        let info = RunInfo {
            exit: Some(exit_of(ended.exit)),
            limit_hit: ended.stop.and_then(|stop| Outcome::from(stop).reason()),
            seconds: Some(ended.time.as_secs_f64()),
            stdout: Some(ended.stdout.clone()),
            stderr: Some(ended.stderr.clone()),
            ..RunInfo::default()
        };
        let base = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let first = First { pid: Some(ended.pid), info, name: &base };
        let (kept, lost) = collect(recordings, raw.path(), first)?;
        if kept.is_empty() && lost.is_empty() {
            return Err(self.nothing_recorded(&store, &raw, &shown, &ended.stderr)?);
        }
        let problems = ended.outlived(&base).into_iter().collect();
        Ok(Run { result: ended, recordings: kept, lost, problems })
    }

    /// Why a run left no recording; `stderr` is what it printed there.
    fn nothing_recorded(&self, store: &Store, raw: &RawFolder, command: &str, stderr: &[u8]) -> Result<Error, Error> {
        let text = String::from_utf8_lossy(stderr);
        let told = text.lines().find_map(|line| line.strip_prefix(REFUSAL)).map(str::to_owned);
        let gone = || (!raw.path().exists()).then(|| "its log was removed".to_owned());
        if let Some(reason) = told.or_else(gone) {
            return Ok(Error::NoLog { command: command.to_owned(), reason, folder: store.tmp() });
        }
        let products = whydunit_capture::products(store)?;
        let captured: Vec<String> = products.iter().take(8).map(|product| self.relative(&product.path)).collect();
        let captured =
            if captured.is_empty() { "none: `whydunit build` says why".to_owned() } else { captured.join(", ") };
        Ok(Error::NothingRecorded { command: command.to_owned(), captured })
    }
}

/// The variable with which the runtime brings Rust's test harness to run a test on the main thread.
fn on_the_main_thread(test: &Test) -> Option<(OsString, OsString)> {
    let Test::Program(test) = test else { return None };
    let name = test.short.as_ref().filter(|_| test.reading == Reading::Libtest)?;
    Some(("WHYDUNIT_LIBTEST".into(), name.into()))
}

/// What ended a run that did not end by itself.
fn limit_hit(outcome: &Outcome) -> Option<String> {
    use Outcome::*;
    matches!(outcome, Timeout | OutputLimit | MemoryLimit | ProcessLimit | Cancelled)
        .then(|| outcome.reason())
        .flatten()
}

/// The file that a command's first word means.
fn find_program(name: &OsString, folder: &Path) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return folder.join(path).canonicalize().ok();
    }
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|entry| entry.join(path)).find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_nobody_holds_are_removed() {
        let project = tempfile::tempdir().expect("a folder");
        let store = Store::create(&project.path().join(".whydunit")).expect("a store");
        let left = store.tmp().join("1-0-0raw");
        fs::create_dir_all(left.join("p.1.0")).expect("a folder");
        fs::write(store.tmp().join("file"), "").expect("a file");
        let held = RawFolder::new(&store, "raw").expect("a folder");
        assert!(!left.exists());
        let other = RawFolder::new(&store, "raw").expect("another");
        assert!(held.path().exists() && other.path().exists() && store.tmp().join("file").exists());
        let path = held.path().to_path_buf();
        drop(held);
        assert!(!path.exists() && other.path().exists());
    }

    #[test]
    fn a_folder_that_is_held_is_there_however_many_make_some() {
        let project = tempfile::tempdir().expect("a folder");
        let store = Store::create(&project.path().join(".whydunit")).expect("a store");
        let one = || (0..2000).all(|_| RawFolder::new(&store, "raw").is_ok_and(|held| held.path().exists()));
        let all = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            threads.into_iter().all(|thread| thread.join().is_ok_and(|held| held))
        });
        assert!(all);
    }
}

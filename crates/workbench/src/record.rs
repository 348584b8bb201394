//! Recording a test or a command: the record flavour runs, and each process's log becomes a recording.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_capture::{Flavour, Store, flavour_path, run_environment};
use whydunit_recording::{Exit, RecordingSummary, RunInfo, finalise, processes};
use whydunit_suite::process::{self, Ended, Limits, Program, Stdin, Watch};
use whydunit_suite::{RunOptions, Test, TestResult};

use crate::Error;
use crate::kept::Recordings;
use crate::project::Project;

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
    /// What should be known.
    pub problems: Vec<String>,
}

/// A folder for raw logs that is removed when it is no longer needed.
pub(crate) struct RawFolder(PathBuf);

impl RawFolder {
    pub fn new(store: &Store, ending: &str) -> Result<Self, Error> {
        let path = store.temporary(ending);
        fs::create_dir_all(&path).map_err(Error::io(&path))?;
        Ok(Self(path))
    }
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RawFolder {
    fn drop(&mut self) {
        // Left behind it only takes space below the store.
        fs::remove_dir_all(&self.0).ok();
    }
}

/// What the first process of a run did.
struct First<'a> {
    pid: Option<i32>,
    info: RunInfo,
    name: &'a str,
}

/// Turns the logs below `raw` into recordings.
fn collect(recordings: &Recordings, raw: &Path, first: First<'_>) -> Result<(Vec<Recorded>, Vec<String>), Error> {
    recordings.clear(first.name)?;
    fs::create_dir_all(recordings.folder()).map_err(Error::io(recordings.folder()))?;
    let mut folders = processes(raw)?;
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
    Ok((out, problems))
}

fn exit_of(exit: process::Exit) -> Exit {
    match exit {
        process::Exit::Status(status) => Exit::Status(status),
        process::Exit::Signal(signal) => Exit::Signal(signal),
    }
}

impl Project {
    /// Records a test of the suite; the record flavour must be there.
    pub fn record_test(&self, test: &Test, recordings: &Recordings) -> Result<Run<Vec<TestResult>>, Error> {
        let store = self.store()?;
        let raw = RawFolder::new(&store, "raw")?;
        let suite = self.suite()?;
        let mut options = RunOptions {
            env: run_environment(&store, Flavour::Record, raw.path())?,
            reruns: Some(0),
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
            limit_hit: main.and_then(|result| limit_text(&result.outcome)),
            seconds: main.map(|result| result.time.as_secs_f64()),
            stdin,
            stdout: main.map(|result| result.stdout.clone()),
            stderr: main.map(|result| result.stderr.clone()),
            ..RunInfo::default()
        };
        let first = First { pid: main.and_then(|result| result.pid), info, name: test.name() };
        let (kept, problems) = collect(recordings, raw.path(), first)?;
        if kept.is_empty() && problems.is_empty() {
            return Err(self.nothing_recorded(&store, test.name())?);
        }
        Ok(Run { result: results, recordings: kept, problems })
    }

    /// Records a command, with the caller's standard input; `echo` gets what it prints as it comes.
    pub fn record_command(
        &self,
        command: &[OsString],
        folder: &Path,
        recordings: &Recordings,
        echo: &mut dyn FnMut(process::Stream, &[u8]),
    ) -> Result<Run<Ended>, Error> {
        let store = self.store()?;
        let raw = RawFolder::new(&store, "raw")?;
        let shown = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let Some((name, args)) = command.split_first() else {
            return Err(Error::NothingRecorded { command: shown, captured: String::new() });
        };
        let path = find_program(name, folder).ok_or_else(|| Error::NoProgram { name: shown.clone() })?;
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        for (name, value) in run_environment(&store, Flavour::Record, raw.path())? {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
        let flavour = whydunit_capture::product_of(&store, &path)
            .map(|product| flavour_path(&store, &product.link_id, Flavour::Record))
            .ok()
            .filter(|flavour| flavour.exists());
        let program = Program {
            executable: flavour.unwrap_or(path),
            arg0: name.clone(),
            args: args.to_vec(),
            env,
            folder: folder.to_path_buf(),
            randomise_addresses: false,
        };
        let limits = Limits { time: None, processes: Some(4096), output: 1 << 30, ..Limits::default() };
        let ended = process::run(&program, Stdin::Inherit, &limits, Watch { cancel: None, on_output: Some(echo) })?;
        let info = RunInfo {
            exit: Some(exit_of(ended.exit)),
            limit_hit: ended.stop.map(|stop| format!("{stop:?}").to_lowercase()),
            seconds: Some(ended.time.as_secs_f64()),
            stdout: Some(ended.stdout.clone()),
            stderr: Some(ended.stderr.clone()),
            ..RunInfo::default()
        };
        let base = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let first = First { pid: Some(ended.pid), info, name: &base };
        let (kept, problems) = collect(recordings, raw.path(), first)?;
        if kept.is_empty() && problems.is_empty() {
            return Err(self.nothing_recorded(&store, &shown)?);
        }
        Ok(Run { result: ended, recordings: kept, problems })
    }

    fn nothing_recorded(&self, store: &Store, command: &str) -> Result<Error, Error> {
        let products = whydunit_capture::products(store)?;
        let captured: Vec<String> = products.iter().take(8).map(|product| self.relative(&product.path)).collect();
        Ok(Error::NothingRecorded { command: command.to_owned(), captured: captured.join(", ") })
    }
}

fn limit_text(outcome: &whydunit_suite::Outcome) -> Option<String> {
    use whydunit_suite::Outcome::*;
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

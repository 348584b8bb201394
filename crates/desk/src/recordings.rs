//! Opening a recording with its models, and replaying it as a whole.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use whydunit_capture::Store;
use whydunit_causes::failure::Expected;
use whydunit_causes::panic;
use whydunit_findings::{Problem, Ran, Replay, ReplayStats, Stats};
use whydunit_recording::{ByteString, Control, Recording, RunEnd};
use whydunit_replay::{Formatted, Machine, OutputCheck, PANICKED, Program, ReplayError, formatted};
use whydunit_suite::{Test, TestsKind, is_of_harness};
use whydunit_workbench::{Along, Loaded, Project, Recordings, changed_sources, check, load};

use crate::{Desk, Error, convert, date, prepare};

/// A recording, ready to be replayed.
pub struct Opened {
    /// It.
    pub recording: Recording,
    /// The models of its modules.
    pub program: Program,
    /// The run that it is of.
    pub ran: Ran,
    /// What should be known about it.
    pub problems: Vec<Problem>,
    /// What it prints by Rust's own library, where all of that can be told; once that was asked.
    formatted: OnceCell<Option<Formatted>>,
}

impl Opened {
    /// A machine at the start of the run. It tells what the run printed by Rust's own library, where all of that can be told; of a test in
    /// Rust's harness nobody looks at that.
    pub fn machine(&self) -> Result<Machine, ReplayError> {
        let mut machine = Machine::new(self.program.clone(), &self.recording)?;
        if let Some(formatted) = self.formatted.get_or_init(|| formatted(&self.program, &self.recording)) {
            machine.tell_formats(formatted);
        } else if is_of_harness(&self.ran.arguments) {
            machine.pass_formats_by();
        }
        Ok(machine)
    }
}

/// A replay's answer with what goes beside it.
pub struct Replayed {
    /// The answer.
    pub answer: Replay,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
}

impl Desk {
    /// Opens the recording that `asked` names; the latest where nothing is asked for.
    pub fn recording(&self, asked: Option<&str>) -> Result<Opened, Error> {
        let store = self.store()?;
        let path = Recordings::of(&store).find(asked).map_err(Error::NoRecording)?;
        self.open_recording(&store, &path)
    }

    /// The recordings of the run that `asked` names, one a process, the first process first; of the latest run where nothing is asked for.
    pub fn processes(&self, asked: Option<&str>) -> Result<Vec<PathBuf>, Error> {
        Recordings::of(&self.store()?).find_run(asked).map_err(Error::NoRecording)
    }

    /// What the recorded run should have done, where it was a test's.
    pub fn expected(&self, recording: &Recording) -> Expected {
        let name = recording.info().run.test.as_deref();
        // Kept for the process that was started; what its children should do no case says.
        let printed = recording.stdout().ok().flatten();
        let project = self.open_project().ok();
        // To list its tests cargo would build what has changed, and nobody would capture that.
        let by_cargo = |project: &Project| matches!(project.config.tests.kind, Some(TestsKind::Cargo(_)));
        if name.is_some() && project.as_ref().is_some_and(by_cargo) {
            return self.of_harness(recording);
        }
        let suite = project.and_then(|project| project.suite(&self.cancel).ok());
        let test = name.zip(suite.as_ref()).and_then(|(name, suite)| suite.test(name).ok());
        match test {
            Some(Test::Case(_)) if printed.is_none() => Expected::default(),
            Some(Test::Case(case)) => {
                let stdout = case.stdout.as_ref().and_then(|content| content.read().ok()).map(Cow::into_owned);
                // What was printed into a closed descriptor, or by others, made no difference.
                let (printed, stdout) = match printed == stdout {
                    true => (stdout, None),
                    false => (None, stdout),
                };
                Expected { stdout, printed, status: case.status, signal: case.signal, ..after_the_run(recording) }
            }
            Some(_) => self.of_harness(recording),
            None => Expected::default(),
        }
    }

    /// What the program of a suite should have done.
    fn of_harness(&self, recording: &Recording) -> Expected {
        let printed = recording.stdout().ok().flatten().unwrap_or_default();
        let run = after_the_run(recording);
        // Rust's harness says of a test that it should panic. Where it did not, it has failed for that.
        if String::from_utf8_lossy(&printed).contains(" - should panic ... ") {
            return Expected { status: Some(PANICKED), had: Some(0), ..run };
        }
        Expected { status: Some(0), ..run }
    }

    /// Opens a recording by its path.
    ///
    /// What is intact of a damaged one is there for an answer; the damage is noted as a shortfall.
    pub fn open_recording(&self, store: &Store, path: &Path) -> Result<Opened, Error> {
        let Loaded { recording, program, damage } = load(store, path)?;
        let mut problems = recording_problems(&recording);
        if let Some(damage) = damage {
            problems.push(Problem::new("the recording is damaged: this is the run up to the damage"));
            self.note_shortfall(damage.into());
        }
        let (changed, unknown) = changed_sources(store, &program);
        problems.extend(unknown.into_iter().map(Problem::new));
        problems.extend(self.changed(&changed));
        self.note_changed(changed);
        let ran = self.ran(path, &recording);
        Ok(Opened { recording, program, ran, problems, formatted: OnceCell::new() })
    }

    /// The run that a recording is of.
    fn ran(&self, path: &Path, recording: &Recording) -> Ran {
        let info = recording.info();
        let kept = std::fs::metadata(path).and_then(|meta| meta.modified());
        let folder = convert::relative(&self.project, &info.head.cwd.to_string());
        Ran {
            path: convert::relative(&self.project, &path.to_string_lossy()),
            test: info.run.test.clone(),
            arguments: info.head.args.iter().map(ToString::to_string).collect(),
            folder: if folder.is_empty() { ".".into() } else { folder },
            recorded: kept.map(date::utc).unwrap_or_default(),
        }
    }

    /// That sources have changed since the recorded program was built.
    fn changed(&self, sources: &BTreeSet<PathBuf>) -> Option<Problem> {
        let names: Vec<String> =
            sources.iter().map(|path| convert::relative(&self.project, &path.to_string_lossy())).collect();
        let names = prepare::some_of(&names)?;
        let text =
            format!("changed or gone since the recorded program was built: {names}; lines of that are not shown");
        Some(Problem::new(text).help("to see them bring the sources back, or build and record again"))
    }
}

/// What is known of a run from outside: its exit status, and what it said of a panic.
fn after_the_run(recording: &Recording) -> Expected {
    let had = match recording.info().run.exit {
        Some(whydunit_recording::Exit::Status(status)) => Some(status),
        _ => None,
    };
    let errors = recording.stderr().ok().flatten().unwrap_or_default();
    Expected { had, panic: panic::last(&String::from_utf8_lossy(&errors)), ..Expected::default() }
}

/// Why no lost block is told.
pub(crate) const BLIND_TO_LEAKS: &str =
    "which blocks are lost is not known: libraries were given too much of the heap at once";

/// Replays everything and compares with the run.
pub fn replay(desk: &Desk, opened: &Opened, along: Along) -> Result<Replayed, Error> {
    let task = desk.task("replaying", None);
    let checked = check(&opened.program, &opened.recording, along)?;
    drop(task);
    let project = &desk.project;
    let mut problems = opened.problems.clone();
    if let Ok(verified) = &checked.verified
        && let OutputCheck::Differs { from } = verified.stdout
    {
        problems.push(
            Problem::new(format!("the output that the replay computes differs from the run's at byte {from}"))
                .help("code that was not captured may have printed as well"),
        );
    }
    if checked.blind_to_leaks {
        problems.push(Problem::new(BLIND_TO_LEAKS));
    }
    let statistics = opened.recording.statistics();
    let seconds = checked.time.as_secs_f64();
    let instructions = match &checked.verified {
        Ok(verified) => verified.instructions,
        Err(divergence) => divergence.instruction,
    };
    let stats = Stats {
        seconds,
        captured_share: captured_share(opened.recording.control()),
        replay: Some(ReplayStats {
            instructions,
            instructions_per_second: instructions as f64 / seconds.max(1e-9),
            surprises: statistics.surprises(),
            external_calls: statistics.external_calls(),
            log_bytes: opened.recording.summary().compressed_bytes,
        }),
        ..Stats::default()
    };
    let answer = Replay {
        recording: opened.ran.clone(),
        divergence: checked.verified.as_ref().err().map(|divergence| convert::divergence(project, divergence)),
        end: convert::outcome(&checked.verified.as_ref().map(|verified| verified.end.clone()).map_err(Clone::clone)),
        errors: convert::errors(project, &checked.memory_errors, &checked.undefined),
    };
    Ok(Replayed { answer, problems, stats })
}

/// What a recording itself says should be known.
fn recording_problems(recording: &Recording) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let RunEnd::Stopped { reason, message } = recording.end() {
        problems.push(stopped("the recording", *reason, message));
    }
    if let Some(limit) = &recording.info().run.limit_hit {
        problems.push(Problem::new(format!("the run did not end by itself: {limit}")));
    }
    problems
}

/// That a recording stopped before its run did.
pub fn stopped(recording: &str, reason: u32, message: &ByteString) -> Problem {
    let problem = Problem::new(format!("{recording} stopped before the run did: {message}"));
    match reason {
        Control::REASON_DISK => problem.help(
            "the run up to there can be replayed; for all of it free some space, or allow larger files, and record again",
        ),
        _ => problem,
    }
}

/// Share of the run's processor cycles that were spent in captured code.
pub fn captured_share(control: &Control) -> Option<f64> {
    let total = control.end_cycles.checked_sub(control.start_cycles).filter(|&total| total > 0)?;
    Some(1.0 - (control.external_cycles.min(total) as f64 / total as f64))
}

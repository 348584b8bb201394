//! Opening a recording with its models, and replaying it as a whole.

use std::path::PathBuf;

use whydunit_capture::Store;
use whydunit_causes::failure::Expected;
use whydunit_findings::{Exit, Problem, Replay, ReplayStats, Stats};
use whydunit_recording::{Control, Recording};
use whydunit_replay::{OutputCheck, Program};
use whydunit_suite::Test;
use whydunit_workbench::{Recordings, check, load};

use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;

/// A recording, ready to be replayed.
pub struct Opened {
    /// It.
    pub recording: Recording,
    /// The models of its modules.
    pub program: Program,
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

impl Session {
    /// The store of the project.
    pub fn store(&self) -> Result<Store, Failure> {
        Store::open(&self.project.join(".whydunit"))
            .or_fail(Exit::Usage)
            .map_err(|failure| failure.advice("build the project first: `whydunit build -- COMMAND`"))
    }

    /// Opens the recording that `asked` names; the latest where nothing is asked for.
    pub fn recording(&self, asked: Option<&str>) -> Result<Opened, Failure> {
        let store = self.store()?;
        let path = Recordings::of(&store)
            .find(asked)
            .or_fail(Exit::Usage)
            .map_err(|failure| failure.advice("`whydunit record TEST` makes one"))?;
        self.open_recording(&store, path)
    }

    /// What the recorded run should have done, where it was a test's.
    pub fn expected(&self, recording: &Recording) -> Expected {
        let name = recording.info().run.test.as_deref();
        let suite = self.project().ok().and_then(|project| project.suite().ok());
        let test = name.zip(suite.as_ref()).and_then(|(name, suite)| suite.test(name).ok());
        match test {
            Some(Test::Case(case)) => Expected {
                stdout: case.stdout.as_ref().and_then(|content| content.read().ok()).map(|bytes| bytes.into_owned()),
                status: case.status,
                signal: case.signal,
            },
            Some(_) => Expected { status: Some(0), ..Expected::default() },
            None => Expected::default(),
        }
    }

    /// Opens a recording by its path.
    pub fn open_recording(&self, store: &Store, path: PathBuf) -> Result<Opened, Failure> {
        let recording = Recording::open(&path).or_fail(Exit::Usage)?;
        let program = load(store, &path, &recording)
            .or_fail(Exit::Usage)
            .map_err(|failure| failure.advice("record the run again with the build that is there now"))?;
        Ok(Opened { recording, program })
    }
}

/// Replays everything and compares with the run.
pub fn replay(session: &Session, opened: &Opened, memory_check: bool) -> Result<Replayed, Failure> {
    let task = session.progress.task("replaying", None);
    let checked = check(&opened.program, &opened.recording, memory_check).or_fail(Exit::Usage)?;
    drop(task);
    let project = &session.project;
    let mut problems = recording_problems(&opened.recording);
    if let Ok(verified) = &checked.verified
        && let OutputCheck::Differs { from } = verified.stdout
    {
        problems.push(
            Problem::new(format!("the output that the replay computes differs from the run's at byte {from}"))
                .help("code that was not captured may have printed as well"),
        );
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
        divergence: checked.verified.as_ref().err().map(|divergence| convert::divergence(project, divergence)),
        end: checked.verified.as_ref().map(|verified| convert::end(&verified.end)).unwrap_or_default(),
        memory_errors: checked.memory_errors.iter().map(|error| convert::memory_error(project, error)).collect(),
    };
    Ok(Replayed { answer, problems, stats })
}

/// What a recording itself says should be known.
pub fn recording_problems(recording: &Recording) -> Vec<Problem> {
    let mut problems = Vec::new();
    let control = recording.control();
    if control.flags & Control::STOPPED != 0 {
        problems.push(Problem::new(format!("the recording stopped before the run did: {}", control.stop_message)));
    }
    if let Some(limit) = &recording.info().run.limit_hit {
        problems.push(Problem::new(format!("the run was ended by a limit: {limit}")));
    }
    problems
}

/// Share of the run's processor cycles that were spent in captured code.
pub fn captured_share(control: &Control) -> Option<f64> {
    let total = control.end_cycles.checked_sub(control.start_cycles).filter(|&total| total > 0)?;
    Some(1.0 - (control.external_cycles.min(total) as f64 / total as f64))
}

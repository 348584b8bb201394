//! How objects of Java's classes behave: the same questions as of recorded programs, with the events of a tracer instead of recordings.

mod enriching;
mod merge;
mod reading;

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_behavior::Miner;
use whydunit_desk::{Desk, Output};
use whydunit_events::{Event, Form, write};
use whydunit_findings::{Problem, Stats};

pub use whydunit_java::JavaError;

pub use self::enriching::{Enriching, enrich};
use self::reading::{Reading, read};
use crate::Error;
use crate::mine::{Answer, MineError, convert, differences, options};

/// What is asked.
pub struct Question<'a> {
    /// The user's command: a java with its arguments.
    pub command: &'a [OsString],
    /// The class, with or without its package; one of the Java library with it. `None`: which there are.
    pub class: Option<&'a str>,
    /// The length of the longest value access paths.
    pub depth: usize,
    /// Methods that change nothing are asked for their values.
    pub inspectors: bool,
    /// What this failing test does that passing ones do not.
    pub failing: Option<&'a str>,
    /// The stream of events goes to this file as well.
    pub events: Option<&'a Path>,
    /// The tracer writes so many bytes at most.
    pub limit: u64,
    /// The program is ended after this time.
    pub time: Option<Duration>,
}

/// Runs the command under the tracer and mines what its objects did.
pub fn mine(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let file = question.events.map(|path| Output::open(path).map(|output| (path, output))).transpose()?;
    let reading = read(desk, question, None)?;
    let class = match reading.class(question.class) {
        // It was not yet to be seen.
        Err(_) if desk.is_cancelled() => return Err(whydunit_desk::Error::Interrupted.into()),
        class => class?,
    };
    let config = desk.open_project()?.config;
    let how = options::named(&config.mine, class.as_deref(), question.depth);
    let mut miner = Miner::new(how.clone());
    let mut failing = question.failing.map(|test| Failing::of(test, Miner::new(how.clone())));
    let mut kept = Vec::new();
    reading.events(&mut |run, event| {
        match &mut failing {
            Some(failing) => failing.event(&mut miner, &reading, run, event),
            None => miner.event(event),
        }
        if file.is_some() {
            kept.push(event.clone());
        }
    })?;
    if let Some((path, output)) = file {
        let lines = path.extension().is_some_and(|ending| ending == "jsonl");
        output.write(&write(&kept, if lines { Form::Lines } else { Form::Binary }))?;
    }
    let (behavior, found) = match failing {
        None => (miner.finish(), None),
        Some(mut failing) => {
            failing.check()?;
            miner.agree_with(&mut failing.miner);
            let (passing, behavior) = (miner.finish(), failing.miner.finish());
            let found = differences::only(&desk.project, &passing, &behavior);
            (behavior, Some(found))
        }
    };
    if let Some(name) = class.as_ref().filter(|_| behavior.models.is_empty()) {
        let runs = "what was read".to_owned();
        return Err(MineError::NoObjects { class: name.clone(), runs, derived: Vec::new() }.into());
    }
    options::check_paths(&how, &behavior)?;
    let mut problems = reading.problems();
    problems.extend(behavior.models.iter().flat_map(|model| &model.notes).map(Problem::new));
    let mut mined = convert::mined(&desk.project, &behavior, class.is_some(), reading.runs);
    mined.differences = found;
    let interrupted = desk.is_cancelled();
    if interrupted {
        problems.push(Problem::new("interrupted: this is of the run until then"));
    }
    let stats = Stats { seconds: start.elapsed().as_secs_f64(), test_runs: reading.runs, ..Stats::default() };
    Ok(Answer { mined, problems, stats, interrupted })
}

/// Whether an event tells of the program and of nothing that happens.
fn tells(event: &Event) -> bool {
    use Event::{Class, Field, Method, Named, Source, Varies};
    matches!(event, Source(_) | Class(_) | Method(_) | Field(_) | Named { .. } | Varies(_))
}

/// The runs of a failing test, kept apart from those that pass.
struct Failing<'a> {
    test: &'a str,
    miner: Miner,
    seen: bool,
    fails: bool,
    passed: bool,
}

impl<'a> Failing<'a> {
    fn of(test: &'a str, miner: Miner) -> Self {
        Self { test, miner, seen: false, fails: false, passed: false }
    }

    /// The next event: of the test, of passing runs, or what both are told. What happens in other failing runs tells nothing.
    fn event(&mut self, passing: &mut Miner, reading: &Reading, run: &str, event: &Event) {
        let tells = tells(event);
        let failed = reading.has_failed(run);
        let own = run == self.test || run.split('(').next() == Some(self.test);
        if own {
            self.seen = true;
            self.fails |= failed;
        }
        if tells || own {
            self.miner.event(event);
        }
        if tells || !own && !failed {
            self.passed |= matches!(event, Event::Entered { .. });
            passing.event(event);
        }
    }

    fn check(&self) -> Result<(), MineError> {
        let test = self.test.to_owned();
        match self {
            Self { seen: false, .. } => Err(MineError::NotRead { test }),
            Self { fails: false, .. } => Err(MineError::Passes { test }),
            Self { passed: false, .. } => Err(MineError::NonePasses),
            _ => Ok(()),
        }
    }
}

//! Failing tests are recorded, and each recording is asked which statements, were their values others, would make it pass.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whydunit_findings::{self as findings, Problem};
use whydunit_locate::{Expected, HANGS, Located, Method, Question, Settings, Trials, find, locate};
use whydunit_recording::RunEnd;
use whydunit_replay::{Machine, Recall, Segments};
use whydunit_solve::Cadical;
use whydunit_suite::Test;
use whydunit_suite::process::interrupts;
use whydunit_symbolic::{Bounds, Knowledge, Statement};
use whydunit_workbench::{Project, Recordings};

use super::Suspicion;
use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;

/// So many instructions before the failure are encoded at most.
const WINDOW: u64 = 1_000_000;

/// Runs of more statements than this are asked for sets of several statements only where no statement does it alone.
const FEW: usize = 24;

/// Trial runs for one statement.
const TRIALS: Trials = Trials { places: 12, instructions: 3_000_000 };

/// So long one statement is looked at, at most.
const PATIENCE: Duration = Duration::from_millis(100);

/// Larger formulas than this say nothing in that time.
const TERMS: usize = 30_000;

/// How formulas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formulas {
    /// All ways at once instead of on demand.
    pub bug_assist: bool,
    /// Statements cost by their suspiciousness.
    pub weighted: bool,
}

/// What formulas found for one failing test.
pub struct Answer {
    pub(super) located: Located,
    pub(super) knowledge: Knowledge,
    /// Time from the recording to the point from which formulas start.
    pub(super) replay: Duration,
}

impl Answer {
    /// Statements that can be at fault: those in a correction set, and those that were not decided.
    fn possible(&self) -> HashSet<(&str, u32)> {
        let sets = self.located.sets.iter().flat_map(|set| &set.statements);
        let statements = sets.chain(&self.located.undecided);
        let known = statements.filter_map(|&statement| self.knowledge.statements.get(statement));
        known.map(|statement| (statement.file.as_str(), statement.line)).collect()
    }
}

/// The cost of a statement: the inverse of its suspiciousness, as an integer that keeps different values apart.
pub(super) fn cost(suspicion: &Suspicion, place: &(String, u32)) -> u64 {
    const ONE: f64 = 1e6;
    let score = suspicion.get(place).copied().unwrap_or(0.0);
    if score <= 0.0 { (1000.0 * ONE) as u64 } else { (ONE / score).min(999.0 * ONE) as u64 }
}

/// What is asked of every failing test.
pub struct Asking<'a> {
    /// How formulas are used.
    pub formulas: Formulas,
    /// What counts say.
    pub suspicion: &'a Suspicion,
    /// So many statements are enough.
    pub enough: usize,
    /// When to stop.
    pub deadline: Instant,
}

/// Records a failing test and asks the recording. What could not be done comes back as a problem.
pub fn ask(
    session: &Session,
    project: &Project,
    test: &Test,
    asking: &Asking<'_>,
    before: &[Answer],
) -> Result<Result<Answer, Problem>, Failure> {
    let &Asking { formulas, suspicion, enough, deadline } = asking;
    let name = test.name().to_string();
    let unable = |reason: String| Ok(Err(Problem::new(format!("test {name}: {reason}"))));
    let store = session.store()?;
    let task = session.progress.task(&format!("recording {name}"), None);
    let run = project.record_test(test, &Recordings::of(&store), interrupts()).or_fail(findings::Exit::Usage)?;
    drop(task);
    if !run.result.iter().any(|result| result.outcome.is_failure()) {
        return unable("it passes when it is run again: a flaky test has nothing to locate".into());
    }
    let Some(recorded) = run.recordings.first() else {
        return unable("nothing of its run could be recorded".into());
    };
    let opened = session.open_recording(&store, &recorded.path)?;
    let expected = session.expected(&opened.recording);
    let expected = Expected { stdout: expected.stdout, status: expected.status };
    let hangs = matches!(opened.recording.end(), RunEnd::Killed { .. });
    let mut machine = Machine::new(opened.program.clone(), &opened.recording).or_fail(findings::Exit::Usage)?;
    let task = session.progress.task(&format!("replaying {name}"), None);
    let started = Instant::now();
    let found = find(&mut machine, &expected, hangs).or_fail(findings::Exit::Usage)?;
    let found = match found {
        Ok(found) => found,
        Err(reason) => return unable(reason),
    };
    let mut machine = Machine::new(opened.program.clone(), &opened.recording).or_fail(findings::Exit::Usage)?;
    let arguments = opened.recording.head().args.iter().map(|arg| arg.0.clone()).collect();
    let recall =
        Recall::of(&mut machine, arguments, if hangs { HANGS } else { u64::MAX }).or_fail(findings::Exit::Usage)?;
    let mut machine = Machine::new(opened.program, &opened.recording).or_fail(findings::Exit::Usage)?;
    machine.set_recall(Arc::new(recall));
    let start = match hangs {
        true => Some(machine.snapshot()),
        false => {
            let segments = Segments::divide(&mut machine, 64, WINDOW / 8).or_fail(findings::Exit::Usage)?;
            let first = segments.segment_of(found.failing.point.instruction.saturating_sub(WINDOW));
            segments.start(first).cloned()
        }
    };
    let Some(start) = start else { return unable("its recording is empty".into()) };
    let failing = found.from(start.instructions());
    let replay = started.elapsed();
    drop(task);
    let task = session.progress.task(&format!("locating {name}"), None);
    let mut knowledge = Knowledge::default();
    let order = |statement: &Statement| {
        cost(suspicion, &(convert::relative(&session.project, &statement.file), statement.line))
    };
    let costs = |statement: &Statement| match formulas.weighted {
        true => order(statement),
        false => 1,
    };
    let progress = |looked: usize, found: usize| {
        task.detail(&format!("{looked} statements looked at, {found} could make it pass"));
    };
    // What explains one failing test only is not what is asked for.
    let before: Vec<HashSet<(&str, u32)>> = before.iter().map(Answer::possible).collect();
    let candidate = |statement: &Statement| {
        before.iter().all(|possible| possible.contains(&(statement.file.as_str(), statement.line)))
    };
    let settings = Settings {
        candidate: &candidate,
        method: if formulas.bug_assist { Method::BugAssist { bound: 8 } } else { Method::OnDemand },
        cost: &costs,
        order: &order,
        most_statements: 3,
        enough,
        few: FEW,
        most_sets: 100,
        most_iterations: 40,
        most_candidates: 300,
        deadline,
        trials: (!formulas.bug_assist).then_some(TRIALS),
        patience: PATIENCE,
        question: Question { conflicts: 200, time: Duration::from_millis(100) },
        bounds: Bounds { terms: if formulas.bug_assist { 4_000_000 } else { TERMS }, ..Bounds::default() },
        solver: &|| Box::new(Cadical::new()),
        progress: &progress,
    };
    let located = locate(&mut machine, &start, &mut knowledge, &failing, &settings).or_fail(findings::Exit::Usage)?;
    Ok(Ok(Answer { located, knowledge, replay }))
}

//! A failing test is recorded, and its recording says where it fails.

use std::time::Duration;

use whydunit_causes::failure::Told;
use whydunit_findings::{Problem, RunErrors, TestFailure};
use whydunit_locate::{Found, HANGS, NotFound, find};
use whydunit_memcheck::MemoryError;
use whydunit_process::Cancel;
use whydunit_recording::RunEnd;
use whydunit_replay::{Position, ReplayError};
use whydunit_suite::Test;
use whydunit_symbolic::Moment;
use whydunit_undefined::{Kind, UndefinedBehaviour};
use whydunit_workbench::{self as workbench, Project, Recorded, Recorder, Recordings};

use crate::Error;
use crate::processes::LOOKED_AT;
use whydunit_desk::Desk;
use whydunit_desk::convert;
use whydunit_desk::recordings::Opened;

/// So many values that nobody gave are told of one test.
const TOLD: usize = 3;

/// A recorded test with its failure point.
pub struct Failed {
    /// The recording.
    pub opened: Opened,
    /// Where it fails.
    pub found: Found,
    /// A limit ended it.
    pub hangs: bool,
    /// The failure as it is told.
    pub failure: TestFailure,
    /// What should be known besides.
    pub notes: Vec<Problem>,
}

/// A failing test that cannot be looked at.
pub struct NotLooked {
    /// Why, and what should be known besides.
    pub problems: Vec<Problem>,
    /// Where it fails, where that is known.
    pub failure: Option<TestFailure>,
    /// The recording and the operation at which it fails, where it can be walked back from there.
    pub walkable: Option<Box<(Opened, Moment)>>,
}

impl From<Vec<Problem>> for NotLooked {
    fn from(problems: Vec<Problem>) -> Self {
        Self { problems, failure: None, walkable: None }
    }
}

/// Records a test that has failed and finds where it does; or what stands against looking at it. It is not replayed to its end when
/// `patience` is cancelled before; the run is recorded for at most `most`, where that is less than its suite allows.
pub fn record(
    desk: &Desk,
    project: &Project,
    test: &Test,
    (most, patience): (Option<Duration>, &Cancel),
) -> Result<Result<Failed, NotLooked>, Error> {
    let name = test.name();
    let problem = |reason: &str| Problem::new(format!("test {name}: {reason}"));
    let store = desk.store()?;
    let task = desk.task(&format!("recording {name}"), None);
    let how = Recorder { time: most, ..Recorder::default() };
    let run = match project.record_test_as(test, &Recordings::of(&store), &desk.cancel, how) {
        Err(
            error @ (workbench::Error::NothingRecorded { .. }
            | workbench::Error::NoLog { .. }
            | workbench::Error::NotRun { .. }),
        ) => {
            return Ok(Err(vec![problem(&error.to_string())].into()));
        }
        run => run?,
    };
    drop(task);
    let fails = run.result.iter().any(|result| result.outcome.is_failure());
    let Some(recorded) = run.recordings.first() else {
        let reasons: Vec<String> = run.notes().cloned().collect();
        let reasons = if reasons.is_empty() { vec!["no log was left".into()] } else { reasons };
        let told = |reason: &String| problem(&format!("nothing of its run could be recorded: {reason}"));
        return Ok(Err(reasons.iter().map(told).collect::<Vec<_>>().into()));
    };
    let opened = desk.open_recording(&store, &recorded.path)?;
    let task = desk.task(&format!("replaying {name}"), None);
    let (opened, found, hangs) =
        in_some_process(desk, opened, if fails { &run.recordings[1..] } else { &[] }, patience)?;
    drop(task);
    if patience.is_cancelled() {
        let reason = "time was up before its run was replayed to where it fails";
        let problem =
            problem(reason).help("`--time-limit` gives it more; `whydunit show` tells where the recorded run failed");
        return Ok(Err(vec![problem].into()));
    }
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(Err(vec![diverged(desk, name, &error)].into())),
    };
    match found {
        Ok(found) => {
            let mut notes = uninitialised(desk, name, &found.uninitialised);
            if !fails {
                let text = "it has failed, and passes when it is run again; but what it does to memory is wrong";
                notes.push(problem(text));
            }
            let failure = told(desk, name, &found.told(), &found.position);
            Ok(Ok(Failed { opened, found, hangs, failure, notes }))
        }
        Err(NotFound::Passes(reads)) => {
            let mut notes = uninitialised(desk, name, &reads);
            notes.push(if fails {
                problem("the captured program does what is expected: the test fails in another process, or by what else it looks at")
                    .help(look_at(run.recordings.len()))
            } else {
                problem("it has failed, and passes when it is recorded: there is no failing run to look at").help(format!(
                    "`whydunit test {name} --again 10` tells how often it fails; see what differs from run to run"
                ))
            });
            Ok(Err(notes.into()))
        }
        Err(NotFound::Outside(reason)) => Ok(Err(vec![problem(&reason)].into())),
        Err(NotFound::Threads(point)) => {
            let (found, position, moment) = *point;
            let reason = "it has several threads, whose order a trial run or a formula does not know";
            let failure = Some(told(desk, name, &found, &position));
            let walkable = Some(Box::new((opened, moment)));
            Ok(Err(NotLooked { problems: vec![problem(reason)], failure, walkable }))
        }
    }
}

/// What to do where the processes of a test, so many of which were recorded, do what is expected.
fn look_at(recordings: usize) -> String {
    match recordings {
        0 | 1 => "`whydunit show` tells what the recorded run did".into(),
        runs => format!(
            "it runs captured programs {runs} times: `whydunit cases -- COMMAND`, where the command is the suite's, makes a test of each run"
        ),
    }
}

/// What a failing run does before its failure that the language leaves undefined, and that passing runs do not do at that place.
pub fn undefined(desk: &Desk, name: &str, found: &Found, passing: &RunErrors) -> Vec<Problem> {
    let told = |found: &UndefinedBehaviour| {
        let told = convert::undefined_behaviour(&desk.project, found);
        let same = |other: &whydunit_findings::UndefinedBehaviour| {
            (&other.kind, &other.location) == (&told.kind, &told.location)
        };
        let problem =
            Problem::new(format!("test {name}: undefined behaviour: {}", told.message)).help(advice(found.kind));
        (!passing.undefined.iter().any(same)).then(|| told.location.into_iter().fold(problem, Problem::at))
    };
    workbench::certain(found.undefined.clone()).iter().filter_map(told).take(TOLD).collect()
}

/// What to see to, so that a kind of undefined behaviour does not happen.
fn advice(kind: Kind) -> &'static str {
    use Kind::*;
    match kind {
        SignedOverflow => "see that the result fits, or compute with a wider type or an unsigned one",
        Shift => "see that the amount is less than the number of bits",
        Division => "see that the divisor is not 0, and not -1 of the lowest number",
        FloatToInteger => "see that it fits before it is converted",
        Misaligned => "copy such bytes instead of reading them through a pointer of the type",
        Null => "see that the pointer is not null before",
        ArrayIndex => "see that the index lies inside the array before",
        ArrayLength => "see that the length is more than 0",
        InvalidBool => "give it a value first, and write nothing else over it",
        Builtin => "see that the number is not 0 before",
        Unreachable => "what comes here was thought to be impossible",
        MissingReturn => "return a value on each way through the function",
    }
}

/// Where a run fails, or why that is not found; an error of the replay.
type Searched = Result<Result<Found, NotFound>, ReplayError>;

/// The process that failed, where it does, and whether a limit ended it: the one that was started, or the first of the others that failed
/// by what it did itself.
fn in_some_process(
    desk: &Desk,
    first: Opened,
    others: &[Recorded],
    patience: &Cancel,
) -> Result<(Opened, Searched, bool), Error> {
    let (found, hangs) = point(desk, &first, patience)?;
    let store = desk.store()?;
    for other in others.iter().take(LOOKED_AT).filter(|_| may_be_passed_on(&found)) {
        let opened = desk.open_recording(&store, &other.path)?;
        let (found, hangs) = point(desk, &opened, patience)?;
        if patience.is_cancelled() {
            break;
        }
        if found.as_ref().is_ok_and(|found| found.as_ref().is_ok_and(|found| !found.kind.may_be_passed_on())) {
            return Ok((opened, found, hangs));
        }
    }
    Ok((first, found, hangs))
}

/// Whether the failure of a process may be that of another one, or it does not fail.
fn may_be_passed_on(found: &Searched) -> bool {
    match found {
        Ok(Ok(found)) => found.kind.may_be_passed_on(),
        Ok(Err(NotFound::Passes(_) | NotFound::Outside(_))) => true,
        Ok(Err(NotFound::Threads(_))) | Err(_) => false,
    }
}

/// Replays a recording to where the run fails: the failure, or why there is none, and whether a limit ended the run. What it says is
/// without meaning once `patience` is cancelled.
fn point(desk: &Desk, opened: &Opened, patience: &Cancel) -> Result<(Searched, bool), Error> {
    let expected = desk.expected(&opened.recording);
    let mut hangs = matches!(opened.recording.end(), RunEnd::Killed { .. });
    let machine = || {
        let mut machine = opened.machine()?;
        machine.set_patience(Some(patience.clone()));
        Ok::<_, Error>(machine)
    };
    let mut found = find(&mut machine()?, &expected, hangs);
    // A recursion without end is as long as the stack is large: its beginning tells as much.
    if let Ok(Ok(whole)) = &found
        && whole.overflows
        && whole.failing.point.instruction > HANGS
        && let Ok(Ok(mut start)) = find(&mut machine()?, &expected, true)
    {
        hangs = true;
        start.kind = whole.kind;
        start.message.clone_from(&whole.message);
        start.predicate.clone_from(&whole.predicate);
        start.position.clone_from(&whole.position);
        found = Ok(Ok(start));
    }
    Ok((found, hangs))
}

/// What should be known of values that were read before they were given.
fn uninitialised(desk: &Desk, name: &str, reads: &[MemoryError]) -> Vec<Problem> {
    let told = reads.iter().take(TOLD).map(|error| {
        let told = convert::memory_error(&desk.project, error);
        let problem = Problem::new(format!("test {name}: {}", told.message))
            .help("what it is may differ from run to run; give it a value first");
        match told.location {
            Some(location) => problem.at(location),
            None => problem,
        }
    });
    told.collect()
}

/// That a replay parted from its recording.
pub fn diverged(desk: &Desk, name: &str, error: &ReplayError) -> Problem {
    let problem = Problem::new(format!("test {name}: {error}"));
    let problem = match error {
        ReplayError::Divergence(divergence) => match convert::divergence(&desk.project, divergence).location {
            Some(location) => problem.at(location),
            None => problem,
        },
        _ => problem,
    };
    problem.help("this is a fault of whydunit: please report it with the recording")
}

/// A failure point as findings tell it.
fn told(desk: &Desk, name: &str, found: &Told, position: &Position) -> TestFailure {
    TestFailure {
        test: name.to_string(),
        kind: found.kind.name().into(),
        location: convert::location(&desk.project, position),
        function: position.function.clone(),
        message: found.message.clone(),
        predicate: found.predicate.clone(),
    }
}

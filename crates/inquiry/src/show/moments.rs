//! The moments of a run that a page goes through: what the failure comes from, what the run did wrong, its calls, and the last lines
//! before it failed. What is seen at each is what a debugger shows there.

use std::collections::{BTreeSet, HashMap};

use whydunit_causes::outline::EntryKind;
use whydunit_causes::walk::When;
use whydunit_debugger::{
    DebugError, EventKind, Execution, LineAt, Located, Position, Session, ShownFrame, Sought, seek,
};
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, convert};
use whydunit_findings::{Location, Moment, MomentCall, MomentVariable, Moments, Problem, Why};
use whydunit_replay::FuncId;
use whydunit_workbench::Shown;

use crate::errors::{failed, of_memory, of_undefined};
use crate::{Error, why};

/// So many steps of the way back are told.
const STEPS: usize = 20;
/// Of so many errors and events of each kind the moments are kept.
const MOST_EVENTS: usize = 50;
/// So many calls under way are shown of a moment.
const CALLS: usize = 40;
/// So many variables.
const VARIABLES: usize = 60;
/// Longer values are cut off.
const LONGEST: usize = 200;

/// Where each of what is told of a run is in it.
struct Places {
    steps: Vec<Option<LineAt>>,
    memory: Vec<Option<Position>>,
    undefined: Vec<Option<Position>>,
    outline: Vec<Option<Position>>,
    located: Located,
}

/// The moments of a run that was told; `None`, with a remark, where no captured code ran. `limits` are the depth of its outline and the
/// number of moments.
pub fn of(desk: &Desk, opened: &mut Opened, shown: &Shown, limits: (usize, usize)) -> Result<Option<Moments>, Error> {
    let (walk, no_walk, whens) = walk(desk, opened, shown)?;
    let task = desk.task("looking over the run", None);
    let expected = desk.expected(&opened.recording);
    let told = |position| task.detail(&format!("{:.1} million operations", position as f64 / 1e6));
    let mut session = match Session::open(opened.machine()?, expected, desk.cancel.clone(), told) {
        Ok(session) => session,
        Err(DebugError::Empty) => {
            opened.problems.push(Problem::new(DebugError::Empty.to_string()));
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    let places = places(desk, opened, shown, (&session, &whens, limits))?;
    drop(task);
    let chosen = chosen(&mut session, &places, limits.1).map_err(failed)?;
    let moments = captured(desk, &mut session, &chosen)?;
    let index = |position: Position| chosen.binary_search(&position).ok();
    let all = |positions: &[Option<Position>]| positions.iter().map(|it| it.and_then(index)).collect();
    let failure = session.failure().and_then(|event| index(event.position));
    let step = |place: &Option<LineAt>| {
        (place.and_then(|place| index(place.line)), place.and_then(|place| place.next).and_then(index))
    };
    let located = &places.located;
    let error = places.memory.iter().chain(&places.undefined).flatten().copied().filter_map(index).min();
    let all_before = located.before.iter().all(|position| chosen.binary_search(position).is_ok());
    Ok(Some(Moments {
        lines: located.lines,
        whole: all_before && located.before.len() as u64 == located.lines,
        cut: located.cut,
        begin: failure.or(error).unwrap_or(moments.len().saturating_sub(1)),
        failure,
        outline: all(&places.outline),
        memory: all(&places.memory),
        undefined: all(&places.undefined),
        walk,
        no_walk,
        steps: places.steps.iter().map(step).collect(),
        moments,
    }))
}

/// The way back from the failure with when each step was executed; or why there is none.
#[expect(clippy::type_complexity, reason = "one of both, and the times")]
fn walk(
    desk: &Desk,
    opened: &Opened,
    shown: &Shown,
) -> Result<(Option<Why>, Option<String>, Vec<Option<When>>), Error> {
    let Some(failure) = &shown.failure else {
        return Ok((None, Some("the run did not fail, as far as is known".into()), Vec::new()));
    };
    let question = why::Question {
        recording: None,
        variable: None,
        place: None,
        execution: why::Execution::Failing,
        steps: STEPS,
        library: false,
    };
    match why::walked(desk, opened, Some(failure), &question) {
        Ok((walk, whens)) => Ok((Some(walk), None, whens)),
        Err(error) if error.is_cut_short() => Err(error),
        Err(Error::NoFailure) => Ok((None, Some("it failed nowhere in the program's own code".into()), Vec::new())),
        Err(error) => Ok((None, Some(error.line()), Vec::new())),
    }
}

/// Looks in the run for what is told of it.
fn places(
    desk: &Desk,
    opened: &Opened,
    shown: &Shown,
    (session, whens, (depth, most)): (&Session, &[Option<When>], (usize, usize)),
) -> Result<Places, Error> {
    let of_step = |when: &Option<When>| {
        when.map(|When { instruction, function, pc }| Execution {
            instruction,
            pc,
            function: (function != FuncId::NONE).then_some(function),
        })
    };
    let steps: Vec<Option<Execution>> = whens.iter().map(of_step).collect();
    let memory = shown.memory_errors.iter().map(of_memory);
    let undefined = shown.undefined.iter().map(|found| Some(of_undefined(found)));
    let all: Vec<Option<Execution>> = steps.into_iter().chain(memory).chain(undefined).collect();
    let entries = shown.outline.iter().filter(|entry| entry.kind != EntryKind::LeftOut);
    let sought = Sought {
        executions: all.iter().flatten().copied().collect(),
        entries: entries.map(|entry| entry.number).collect(),
        depth,
        lines: most,
        until: session.failure().map_or(session.last(), |event| event.position),
    };
    let located = seek(&mut opened.machine()?, &sought, &desk.cancel).map_err(failed)?;
    let mut found = located.executions.iter();
    let mut found: Vec<Option<LineAt>> = all.iter().map(|it| it.and_then(|_| *found.next()?)).collect();
    let mut rest = found.split_off(whens.len());
    let line = |place: Option<LineAt>| place.map(|place| place.line);
    let undefined = rest.split_off(shown.memory_errors.len()).into_iter().map(line).collect();
    let entry = |entry: &whydunit_causes::outline::OutlineEntry| match entry.kind {
        EntryKind::LeftOut => None,
        _ => located.entries.get(&entry.number).copied(),
    };
    Ok(Places {
        steps: found,
        memory: rest.into_iter().map(line).collect(),
        undefined,
        outline: shown.outline.iter().map(entry).collect(),
        located,
    })
}

/// The positions of the moments, in order: so many at most, what the failure depends on first.
fn chosen(session: &mut Session, places: &Places, most: usize) -> Result<Vec<Position>, DebugError> {
    let failure = session.failure().map(|event| event.position);
    let mut wanted: Vec<Position> = failure.into_iter().collect();
    wanted.extend(places.steps.iter().flatten().flat_map(|place| [Some(place.line), place.next]).flatten());
    wanted.extend(places.memory.iter().chain(&places.undefined).flatten().take(MOST_EVENTS));
    wanted.extend(session.events_of_run().iter().map(|event| event.position).take(MOST_EVENTS));
    if let Some(failure) = failure {
        session.goto(failure)?;
        let frames = session.frames(session.running(), 0, CALLS)?;
        wanted.extend(frames.iter().filter_map(|frame| session.line_of(frame.id)).map(|(line, _)| line));
    }
    wanted.extend(places.outline.iter().flatten());
    wanted.extend(places.located.before.iter().rev());
    // What stands behind the end of the run is not seen.
    wanted.retain(|position| (session.start()..=session.last()).contains(position));
    if wanted.is_empty() {
        wanted.push(session.last());
    }
    let mut chosen = BTreeSet::new();
    for position in wanted {
        if chosen.len() < most.max(1) {
            chosen.insert(position);
        }
    }
    Ok(chosen.into_iter().collect())
}

/// What is seen at each of some positions, in order.
fn captured(desk: &Desk, session: &mut Session, chosen: &[Position]) -> Result<Vec<Moment>, Error> {
    let task = desk.task("looking at moments", Some(chosen.len() as u64));
    session.goto(session.last()).map_err(failed)?;
    let several = session.threads().len() > 1;
    let mut known: HashMap<(u32, Position, usize), Vec<MomentVariable>> = HashMap::new();
    let mut moments = Vec::new();
    for &position in chosen {
        session.goto(position).map_err(failed)?;
        let mut moment = moment(desk, session, chosen).map_err(failed)?;
        if !several {
            moment.thread = None;
        }
        compare(session, &mut moment, &mut known).map_err(failed)?;
        moments.push(moment);
        task.step("");
    }
    Ok(moments)
}

/// The frames of the running thread from the innermost of the program's own on, and how many there are in all.
fn frames(session: &Session) -> Result<(Vec<ShownFrame>, usize), DebugError> {
    let running = session.running();
    let depth = session.threads().iter().find(|thread| thread.running).map_or(0, |thread| thread.frames);
    let mut frames = session.frames(running, 0, CALLS)?;
    let own = frames.iter().position(|frame| !frame.library && frame.line != 0).unwrap_or(0);
    frames.drain(..own);
    Ok((frames, depth))
}

/// What is seen where the session stands.
fn moment(desk: &Desk, session: &Session, chosen: &[Position]) -> Result<Moment, DebugError> {
    let (frames, depth) = frames(session)?;
    let position = session.position();
    let call = |(index, frame): (usize, &ShownFrame)| {
        let line = session.line_of(frame.id).filter(|_| index > 0);
        MomentCall {
            function: frame.function.clone(),
            location: location(desk, frame),
            moment: line.and_then(|(line, _)| chosen.binary_search(&line).ok()),
        }
    };
    let (mut variables, mut more) = (Vec::new(), 0);
    if let Some(innermost) = frames.first() {
        let view = session.view(innermost.id)?;
        let found = view.in_scope();
        more = found.len().saturating_sub(VARIABLES);
        variables.extend(found.into_iter().take(VARIABLES).map(|found| MomentVariable {
            value: cut(found.text(view.module(), view.at.memory())),
            name: found.name,
            changed: false,
        }));
    }
    let events = session.events_of_run().iter().filter(|event| event.position == position);
    Ok(Moment {
        number: position,
        permille: (session.share(position) * 1000.0) as u32,
        thread: Some(session.running()),
        more_calls: depth.saturating_sub(CALLS),
        stack: frames.iter().enumerate().map(call).collect(),
        variables,
        more_variables: more,
        events: events.filter(|event| event.kind != EventKind::Failure).map(|event| event.text.clone()).collect(),
    })
}

/// Marks the variables that have another value than at the moment before of the same call.
fn compare(
    session: &Session,
    moment: &mut Moment,
    known: &mut HashMap<(u32, Position, usize), Vec<MomentVariable>>,
) -> Result<(), DebugError> {
    let innermost = frames(session)?.0.into_iter().next();
    let entered = |frame: &ShownFrame| session.line_of(frame.id).map(|(_, entered)| entered);
    let Some((frame, entered)) = innermost.and_then(|frame| Some((frame.id, entered(&frame)?))) else { return Ok(()) };
    let call = (frame.thread, entered, frame.depth);
    if let Some(before) = known.get(&call) {
        for variable in &mut moment.variables {
            let same = before.iter().find(|it| it.name == variable.name).is_some_and(|it| it.value == variable.value);
            variable.changed = !same;
        }
    }
    known.insert(call, moment.variables.clone());
    Ok(())
}

fn location(desk: &Desk, frame: &ShownFrame) -> Option<Location> {
    let known = frame.line > 0 && !frame.file.is_empty();
    known.then(|| Location::point(convert::relative(&desk.project, &frame.file), frame.line, frame.column))
}

fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

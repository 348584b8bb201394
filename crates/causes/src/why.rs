//! Why a variable has the value it has at a line, and why a line ran or did not: finds the moment, then walks back.

mod line;
mod until;

use std::collections::HashSet;

use whydunit_model::Op;
use whydunit_recording::Recording;
use whydunit_replay::{At, Code, Divergence, End, FuncId, Machine, Nothing, Observer, Program, ReplayError, Segments};

use crate::trace::{Before, Trace};
use crate::value::Known;
use crate::walk::{Cause, Dependence, Walk, When};

use line::Branches;
use until::{Piece, Until};

/// A trace covers so many instructions; memory grows with it.
const TRACED: u64 = 2_000_000;
/// How many snapshots divide a long run.
const SEGMENTS: usize = 192;
/// How many lines near the one asked for a message names.
const NEAR: usize = 6;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// A variable, or a member or element of one; none: why the line ran, or did not.
    pub variable: Option<String>,
    /// Source file, or the end of its path.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Which of the line's executions.
    pub execution: Execution,
    /// What the statement at the line read is followed, too, as it is where the run failed.
    pub failed: bool,
    /// Most steps.
    pub steps: usize,
}

/// One of a line's executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Execution {
    /// The last one.
    #[default]
    Last,
    /// That with this number, from 1.
    Number(u64),
    /// The last one before so many instructions of the run are executed.
    Before(u64),
    /// No execution of a line, but a moment of the run.
    At(Moment),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The replay failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// No code stands there.
    #[error("no statement stands at {file}:{line}; statements stand at the lines {near}")]
    NoStatement {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
        /// Lines near it.
        near: String,
    },
    /// No such file.
    #[error("no captured source file ends with `{file}`; there are {files}")]
    NoFile {
        /// As asked.
        file: String,
        /// Some of those that exist.
        files: String,
    },
    /// The line was not executed.
    #[error("{file}:{line} was not executed in this run")]
    NotExecuted {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
    },
    /// The line was not executed as often.
    #[error("{file}:{line} was executed {times} times in this run, and not {asked}")]
    NotAsOften {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
        /// How often it was.
        times: u64,
        /// The number asked for.
        asked: u64,
    },
    /// The line was not executed, as its function was not called.
    #[error("{file}:{line} was not executed in this run: `{function}` was not called")]
    NotCalled {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
        /// The function.
        function: String,
    },
    /// The variable is not there.
    #[error("{0}")]
    NoVariable(String),
}

/// The moment asked about: before an operation is executed. For a line, the last operation of its last execution, or the one
/// right after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The instructions executed, the present block included as a whole.
    pub instruction: u64,
    /// The operation.
    pub pc: u32,
    /// Index of its frame.
    pub depth: usize,
    /// Index of the frame that the variable is looked for in.
    pub frame: usize,
}

/// Finds the last execution of a line.
struct Finder {
    file: String,
    line: u32,
    /// Operations at the line, by function (filled as functions are met).
    at_line: Vec<Option<HashSet<u32>>>,
    last: Option<Moment>,
    after: Option<Moment>,
    open: bool,
    /// Functions that the line stands in and that were executed.
    entered: HashSet<FuncId>,
    /// The thread that executed the line, while another one runs.
    away: Option<u32>,
    execution: Execution,
    /// How often the line was executed.
    times: u64,
    /// Where it is asked why the line ran.
    branches: Option<Branches>,
}

/// The causes of a value, and how the run went on.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// The causes, the value asked for first.
    pub causes: Vec<Cause>,
    /// Whether the line was executed.
    pub ran: bool,
    /// How the run ended, or where the replay parted from the recording: then the value is that of the last time before.
    pub end: Result<End, Box<Divergence>>,
}

/// Walks back from a value.
pub fn why(program: &Program, recording: &Recording, question: &Question) -> Result<Answered, WhyError> {
    let mut machine = Machine::new(program.clone(), recording)?;
    let mut finder = Finder {
        file: question.file.clone(),
        line: question.line,
        at_line: Vec::new(),
        last: match question.execution {
            Execution::At(moment) => Some(moment),
            _ => None,
        },
        after: None,
        open: false,
        entered: HashSet::new(),
        away: None,
        execution: question.execution,
        times: 0,
        branches: question.variable.is_none().then(Branches::default),
    };
    let divided = Segments::divide_watched(&mut machine, SEGMENTS, TRACED, &mut finder);
    // A second machine at the end of the run lends its code, as the first one goes back and forth.
    let mut whole = Machine::new(program.clone(), recording)?;
    let (segments, end) = match divided {
        Ok(segments) => (segments, Ok(whole.run(&mut Nothing)?)),
        Err(ReplayError::Divergence(divergence)) if finder.last.is_some() || question.variable.is_none() => {
            whole.run(&mut Nothing).err();
            machine = Machine::new(program.clone(), recording)?;
            let mut up_to = UpTo(divergence.instruction);
            (Segments::divide_watched(&mut machine, usize::MAX, TRACED, &mut up_to)?, Err(divergence))
        }
        Err(other) => return Err(other.into()),
    };
    let pieces = Pieces { segments, parts: None, segment: 0, part: 0, parted: end.is_err() };
    if let Execution::Number(asked) = question.execution
        && (1..asked).contains(&finder.times)
    {
        let (file, line, times) = (question.file.clone(), question.line, finder.times);
        return Err(WhyError::NotAsOften { file, line, times, asked });
    }
    let Some(variable) = &question.variable else {
        return of_line(machine, whole.code(), pieces, &finder, question).map(|(causes, ran)| Answered {
            causes,
            ran,
            end,
        });
    };
    let Some(last) = finder.last else { return Err(no_moment(whole.code(), question)) };
    let causes = of_value(machine, whole.code(), pieces, (&finder, last), (variable, question.steps))?;
    Ok(Answered { causes, ran: true, end })
}

/// The causes of a value at the last execution of the line.
fn of_value(
    mut machine: Machine,
    code: &Code,
    mut pieces: Pieces,
    (finder, last): (&Finder, Moment),
    (variable, steps): (&str, usize),
) -> Result<Vec<Cause>, WhyError> {
    let mut answer = Err(WhyError::NoVariable(String::new()));
    for moment in finder.after.into_iter().chain([last]) {
        pieces.seek(&mut machine, moment.instruction)?;
        let mut until = Until::new(moment, Some(variable.to_owned()));
        pieces.replay(&mut machine, &mut until)?;
        match until.found {
            Some(Ok(found)) => {
                answer = Ok((found, until.trace));
                break;
            }
            Some(Err(message)) => answer = Err(WhyError::NoVariable(message)),
            None => answer = Err(WhyError::NoVariable("the moment was not reached again".into())),
        }
    }
    let (found, mut trace) = answer?;
    let asked = code.position(found.function, last.pc);
    let mut walk = Walk::new(code, steps.max(1));
    let same = last.frame == last.depth && found.position.function == asked.function;
    let position = Some(if same { asked } else { found.position });
    let first = walk.note(Cause {
        position,
        variable: found.name.clone(),
        value: found.text,
        kind: Dependence::Data,
        note: Some("asked for".into()),
        condition: None,
        is_branch: false,
        tested: None,
        from: None,
        thread: found.thread,
        when: same.then_some(When { instruction: last.instruction, function: found.function, pc: last.pc }),
    });
    for Piece { name, before, value } in found.pieces {
        walk.start(before, name, found.function, value, Some(first));
    }
    back(walk, machine, &mut trace, pieces)
}

/// Walks back to the beginning, or as far as is asked for.
fn back(
    mut walk: Walk<'_>,
    mut machine: Machine,
    trace: &mut Trace,
    mut pieces: Pieces,
) -> Result<Vec<Cause>, WhyError> {
    walk.through(trace, pieces.is_first());
    while !walk.is_done() && pieces.back(&mut machine)? {
        trace.clear();
        pieces.replay(&mut machine, trace)?;
        walk.through(trace, pieces.is_first());
    }
    walk.finish();
    Ok(walk.into_causes())
}

/// Why the line ran when it ran last, or why it did not; and whether it did.
fn of_line(
    mut machine: Machine,
    code: &Code,
    mut pieces: Pieces,
    finder: &Finder,
    question: &Question,
) -> Result<(Vec<Cause>, bool), WhyError> {
    let ran = finder.last;
    let operations =
        || (0..code.functions()).map(FuncId).flat_map(|id| finder.operations(code, id).map(move |pc| (id, pc)));
    let decided = || finder.branches.as_ref()?.decision(code, operations());
    let not_run = if ran.is_some() { None } else { decided() };
    let Some(moment) = ran.or(not_run.map(|decision| decision.moment)) else {
        return Err(match (no_moment(code, question), operations().next()) {
            (WhyError::NotExecuted { file, line }, Some((id, _))) if !finder.entered.contains(&id) => {
                let model = code.model(id);
                let function = model.source_name.as_ref().unwrap_or(&model.name).clone();
                WhyError::NotCalled { file, line, function }
            }
            (other, _) => other,
        });
    };
    pieces.seek(&mut machine, moment.instruction)?;
    let mut until = Until { past: ran.is_none(), ..Until::new(moment, None) };
    pieces.replay(&mut machine, &mut until)?;
    let Some(base) = until.base else { return Err(WhyError::NoVariable("the moment was not reached again".into())) };
    let (function, thread) = until.place;
    let place = not_run.map_or(moment.pc, |decision| decision.pc);
    let own = || finder.operations(code, function).next().unwrap_or(place);
    let mut walk = Walk::new(code, question.steps.max(1));
    let first = walk.note(Cause {
        position: Some(code.position(function, if ran.is_some() { place } else { own() })),
        variable: String::new(),
        value: String::new(),
        kind: Dependence::Control,
        note: Some(if ran.is_some() { "ran last here" } else { "did not run" }.into()),
        condition: None,
        is_branch: false,
        tested: None,
        from: None,
        thread,
        when: Some(When { instruction: moment.instruction, function, pc: place }),
    });
    if question.failed {
        for (operand, value) in std::mem::take(&mut until.read) {
            if let Some(name) = walk.name(function, place, operand) {
                let index = base + operand.index() as usize;
                walk.start(Before::Slot(index), name, function, Known::Word(value), Some(first));
            }
        }
    }
    walk.start_control(Before::Control { base: base as u32, function, pc: place }, function, first);
    let causes = back(walk, machine, &mut until.trace, pieces)?;
    Ok((causes, ran.is_some()))
}

/// The pieces of a run that are traced one by one: parts of segments, or short segments where a run parts from its
/// recording.
struct Pieces {
    segments: Segments,
    parts: Option<Segments>,
    segment: usize,
    part: usize,
    parted: bool,
}

impl Pieces {
    /// Goes to the piece of an instruction.
    fn seek(&mut self, machine: &mut Machine, instruction: u64) -> Result<(), ReplayError> {
        self.segment = self.segments.segment_of(instruction);
        self.divide(machine)?;
        self.part = self.parts.as_ref().map_or(0, |parts| parts.segment_of(instruction));
        Ok(())
    }

    /// Goes to the piece before; false where there is none.
    fn back(&mut self, machine: &mut Machine) -> Result<bool, ReplayError> {
        if self.part > 0 {
            self.part -= 1;
        } else if self.segment > 0 {
            self.segment -= 1;
            self.divide(machine)?;
            self.part = self.parts.as_ref().map_or(0, |parts| parts.len() - 1);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether none is before the piece.
    fn is_first(&self) -> bool {
        (self.segment, self.part) == (0, 0)
    }

    fn divide(&mut self, machine: &mut Machine) -> Result<(), ReplayError> {
        if !self.parted {
            self.parts = Some(self.segments.inside(machine, self.segment, TRACED)?);
        }
        Ok(())
    }

    fn replay<O: Observer>(&self, machine: &mut Machine, observer: &mut O) -> Result<(), ReplayError> {
        let replayed = match &self.parts {
            Some(parts) => parts.replay(machine, self.part, observer),
            None => self.segments.replay(machine, self.segment, observer),
        };
        match replayed {
            // The last piece goes up to there.
            Err(ReplayError::Divergence(_)) if self.parted => Ok(()),
            other => other.map(drop),
        }
    }
}

/// Stops a run at an instruction.
struct UpTo(u64);

impl Observer for UpTo {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.0
    }
}

/// Says why no moment was found.
fn no_moment(code: &Code, question: &Question) -> WhyError {
    let Question { file, line, .. } = question;
    let (mut lines, mut files) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for loaded in code.modules() {
        files.extend(loaded.model.files.iter().filter(|path| path.ends_with(".c")).cloned());
        for function in &loaded.model.functions {
            for loc in &function.locs {
                if loaded.model.files.get(loc.file as usize).is_some_and(|path| file_matches(path, file))
                    && loc.line > 0
                {
                    lines.insert(loc.line);
                }
            }
        }
    }
    if lines.is_empty() {
        let files: Vec<String> = files.into_iter().take(NEAR).collect();
        return WhyError::NoFile { file: file.clone(), files: files.join(", ") };
    }
    if lines.contains(line) {
        return WhyError::NotExecuted { file: file.clone(), line: *line };
    }
    let mut near: Vec<u32> = lines.into_iter().collect();
    near.sort_by_key(|known| known.abs_diff(*line));
    near.truncate(NEAR);
    near.sort_unstable();
    let near = near.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    WhyError::NoStatement { file: file.clone(), line: *line, near }
}

fn file_matches(path: &str, asked: &str) -> bool {
    path == asked || path.strip_suffix(asked).is_some_and(|rest| rest.ends_with('/') || asked.starts_with('/'))
}

impl Finder {
    /// The operations of a function that stand in the line.
    fn operations<'a>(&'a self, code: &'a Code, function: FuncId) -> impl Iterator<Item = u32> + 'a {
        let (model, files) = (code.model(function), &code.module_of(function).files);
        let here = move |pc: &u32| {
            let loc = model.loc(*pc as usize);
            loc.line == self.line && files.get(loc.file as usize).is_some_and(|path| file_matches(path, &self.file))
        };
        (0..model.code.len() as u32).filter(here)
    }

    /// Whether the run is at the line, and whether it is in a function that the line stands in.
    fn is_at(&mut self, at: &At<'_>) -> (bool, bool) {
        let index = at.function.0 as usize;
        if self.at_line.len() <= index {
            self.at_line.resize(index + 1, None);
        }
        if self.at_line[index].is_none() {
            let lines: HashSet<u32> = self.operations(at.code, at.function).collect();
            if !lines.is_empty() {
                self.entered.insert(at.function);
            }
            self.at_line[index] = Some(lines);
        }
        let lines = self.at_line[index].as_ref();
        lines.map_or((false, false), |lines| (lines.contains(&at.pc), !lines.is_empty()))
    }
}

impl Observer for Finder {
    const OPS: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        let moment = || Moment { instruction: at.instruction(), pc: at.pc, depth: at.depth, frame: at.depth };
        match self.execution {
            Execution::Before(end) if at.instruction() > end => return,
            Execution::At(_) => return,
            _ => {}
        }
        let (here, inside) = self.is_at(at);
        if let Some(branches) = self.branches.as_mut().filter(|_| inside) {
            branches.note(at, op, moment());
        }
        if here {
            let goes_on = self.open && self.away.is_none() && self.last.is_some_and(|last| at.depth <= last.depth);
            self.times += u64::from(!goes_on);
            if matches!(self.execution, Execution::Number(number) if self.times > number) {
                return;
            }
            self.last = Some(moment());
            self.after = None;
            self.open = true;
            self.away = None;
        } else if self.open
            && self.away.is_none()
            && let Some(last) = self.last
        {
            // Calls made by the line are part of it.
            if at.depth == last.depth {
                self.after = Some(moment());
                self.open = false;
            } else if at.depth < last.depth {
                self.open = false;
            }
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        let line = self.away.unwrap_or(from);
        self.away = (line != to).then_some(line);
    }
}

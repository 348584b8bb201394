//! Where a recorded run fails, and what should have held there (the table of failure points and predicates).

use std::collections::{HashMap, HashSet};

use whydunit_causes::failure::{Expected, FailureKind, Told};
use whydunit_causes::{check, panic};
use whydunit_library::{Ending, lookup};
use whydunit_memcheck::{Kind, Memcheck, MemoryError};
use whydunit_model::names::panics;
use whydunit_model::{Block, Op};
use whydunit_replay::{
    At, End, External, FuncId, HeapBlock, Machine, Observer, OutputEvent, Position, ReplayError, Stream,
};
use whydunit_symbolic::{Failing, FailurePoint, Moment, Predicate, Range};
use whydunit_undefined::{Undefined, UndefinedBehaviour};

/// Follows a run to where it goes wrong.
struct Finder<const LIMITED: bool> {
    expected: Expected,
    printed: usize,
    /// Instruction counts at which something was printed, and the bytes printed until then.
    prints: Vec<(u64, usize)>,
    /// All that captured code has printed so far is what the process printed, and should have.
    as_printed: bool,
    /// Standard output first differs at this call, after so many bytes.
    differs: Option<(Point, usize)>,
    /// Where to stop.
    until: u64,
    /// Where the program last could have ended: the outermost function's return, or a call of `exit`.
    last: Option<(Moment, Position)>,
    /// `main` has returned, or `exit` was called: what runs then does not decide with which status the program ends.
    is_ending: bool,
    /// Where blocks were freed, by address.
    freed: HashMap<u64, Moment>,
    /// The last panic.
    panic: Option<Point>,
    /// The first check of a test framework that fails.
    check: Option<Point>,
}

/// Where a run fails.
#[derive(Clone)]
struct Point {
    moment: Moment,
    position: Position,
    told: Told,
}

fn moment(at: &At<'_>) -> Moment {
    Moment { instruction: at.instruction(), pc: at.pc }
}

/// Where a run stands, for people: what a library finds or prints is the matter of who called it.
fn place(at: &At<'_>) -> Position {
    at.own_position().unwrap_or_default()
}

impl<const LIMITED: bool> Observer for Finder<LIMITED> {
    const FRAMES: bool = true;
    const STOPS: bool = LIMITED;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.until
    }

    fn enter(&mut self, at: &At<'_>, _: &whydunit_replay::Entry<'_>) {
        if self.check.is_none()
            && let Some(told) = check::entered(at)
        {
            // It stands before its first operation.
            let position = place(&at.caller().unwrap_or(*at));
            self.check = Some(Point { moment: moment(at), position, told });
        }
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(whydunit_model::Opnd, u8)>) {
        if at.depth == 0 && !self.is_ending {
            self.last = Some((moment(at), place(at)));
            self.is_ending = at.model.name == "main";
        }
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        let ending = lookup(call.name).and_then(|known| known.function.ending);
        if let Some(Ending::Exit { .. }) = ending {
            self.last = Some((moment(at), place(at)));
            self.is_ending = true;
        }
        if panics(call.name) && at.in_frame() {
            let told = panic::told(call.name, self.expected.panic.as_deref());
            // What a library finds wrong is the fault of who called it.
            self.panic = Some(Point { moment: moment(at), position: place(at), told });
        }
        if self.check.is_none()
            && at.in_frame()
            && let Some(told) = check::external(at, call)
        {
            self.check = Some(Point { moment: moment(at), position: place(at), told });
        }
    }

    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if block.is_some() && at.in_frame() {
            self.freed.insert(address, moment(at));
        }
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream != Stream::Descriptor(1) || !at.in_frame() {
            return;
        }
        let from = self.printed;
        self.printed += output.bytes.len();
        self.prints.push((at.instruction(), self.printed));
        if let Some(all) = &self.expected.printed {
            self.as_printed &= all.get(from..).is_some_and(|rest| rest.starts_with(&output.bytes));
        }
        if let Some(expected) = &self.expected.stdout
            && self.differs.is_none()
            && let Some(told) = Told::of_output(expected, from, &output.bytes)
        {
            self.differs = Some((Point { moment: moment(at), position: place(at), told }, from));
        }
    }
}

/// A failing run, as far as formulas can speak of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The failure.
    pub failing: Failing,
    /// Bytes of standard output before the failure point.
    pub printed: usize,
    /// What fails there.
    pub kind: FailureKind,
    /// In words.
    pub message: String,
    /// What should have held, in words.
    pub predicate: Option<String>,
    /// Where.
    pub position: Position,
    /// Values that nobody gave and that decided something before. Who looks at them may be at fault, or whoever should have
    /// given them: such a failure is where it shows.
    pub uninitialised: Vec<MemoryError>,
    /// What it does before that the language leaves undefined, other than to memory.
    pub undefined: Vec<UndefinedBehaviour>,
    /// All that the run does wrong to memory.
    pub errors: Vec<MemoryError>,
    /// The stack overflows.
    pub overflows: bool,
    /// The run ends as it should: what fails is its memory.
    pub passes: bool,
    prints: Vec<(u64, usize)>,
}

impl Found {
    /// The failure in words.
    pub fn told(&self) -> Told {
        Told::new(self.kind, self.predicate.clone(), self.message.clone())
    }

    /// The failure as it is seen from an instruction on: what should be printed from there.
    pub fn from(&self, instruction: u64) -> Failing {
        let before = self.prints.partition_point(|print| print.0 < instruction);
        let printed = before.checked_sub(1).map_or(0, |last| self.prints[last].1);
        let rest = |expected: &Vec<u8>| expected.get(printed..).unwrap_or_default().to_vec();
        Failing { expected: self.failing.expected.as_ref().map(rest), ..self.failing.clone() }
    }
}

const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;

/// A run that does not end is followed for so many instructions behind the last time that it did something new.
pub const HANGS: u64 = 300_000;

/// What it does behind so many safepoints, which are about ten times as many instructions, is not looked at.
const FOLLOWED: u64 = 2_000_000;

/// Finds when a run does something new for the last time: prints, or comes to a block of code where it has not been.
#[derive(Default)]
struct News {
    seen: HashSet<(FuncId, u32)>,
    last: u64,
}

impl Observer for News {
    const BLOCKS: bool = true;

    fn block(&mut self, at: &At<'_>, _: Option<u32>, to: u32, _: &Block) {
        if self.seen.insert((at.function, to)) {
            self.last = at.instruction();
        }
    }

    fn output(&mut self, at: &At<'_>, _: &OutputEvent) {
        self.last = at.instruction();
    }
}

/// Why a run has no failure point.
#[derive(Clone, PartialEq, Debug)]
pub enum NotFound {
    /// It does what is expected, though these values that nobody gave decide something.
    Passes(Vec<MemoryError>),
    /// It fails where formulas do not reach: why.
    Outside(String),
    /// It fails here, at this operation, and has several threads, whose order a trial run or a formula does not know.
    Threads(Box<(Told, Position, Moment)>),
}

/// Replays a run to its end and finds its failure point: the first memory error, or where it visibly goes wrong. A run that was
/// ended by a limit (`hangs`) is only followed for [`HANGS`] instructions behind the last time that it did something new: it should
/// not have come there.
pub fn find(machine: &mut Machine, expected: &Expected, hangs: bool) -> Result<Result<Found, NotFound>, ReplayError> {
    if !hangs {
        return follow::<false>(machine, expected, u64::MAX);
    }
    let (start, mut news) = (machine.snapshot(), News::default());
    machine.run_until(FOLLOWED, &mut news)?;
    machine.restore(&start)?;
    follow::<true>(machine, expected, news.last + HANGS)
}

fn follow<const LIMITED: bool>(
    machine: &mut Machine,
    expected: &Expected,
    until: u64,
) -> Result<Result<Found, NotFound>, ReplayError> {
    let finder = Finder::<LIMITED> {
        expected: expected.clone(),
        printed: 0,
        prints: Vec::new(),
        as_printed: true,
        differs: None,
        until,
        last: None,
        is_ending: false,
        freed: HashMap::new(),
        panic: None,
        check: None,
    };
    let mut observers = ((finder, Undefined::new()), Memcheck::new());
    let end = machine.run(&mut observers)?;
    let ((finder, undefined), memcheck) = observers;
    let errors = memcheck.into_errors();
    let visible = finder.visible(&machine.at(), &end);
    let until = match &visible {
        Ok(Some((point, ..))) => point.moment.instruction,
        _ => u64::MAX,
    };
    let error = errors.iter().filter(|error| error.instruction <= until).find_map(|error| finder.memory(error));
    let undecided = errors.iter().filter(|error| error.kind == Kind::Uninitialised && error.instruction <= until);
    let uninitialised = undecided.cloned().collect();
    let overflows = end.overflows(&machine.at()) && error.is_none();
    let passes = matches!(visible, Ok(None));
    let (point, predicate) = match (error, visible) {
        (Some(found), _) | (None, Ok(Some(found))) => found,
        (None, Ok(None)) => return Ok(Err(NotFound::Passes(uninitialised))),
        (None, Err(reason)) => return Ok(Err(NotFound::Outside(reason))),
    };
    if machine.core.threads.several() {
        return Ok(Err(NotFound::Threads(Box::new((point.told, point.position, point.moment)))));
    }
    let Moment { instruction, pc } = point.moment;
    let printed = finder.prints.partition_point(|print| print.0 < instruction);
    let printed = printed.checked_sub(1).map_or(0, |last| finder.prints[last].1);
    let failing = Failing {
        point: FailurePoint { instruction, pc, predicate },
        expected: finder.should_print(),
        status: expected.status,
        signal: expected.signal,
        ..Failing::default()
    };
    Ok(Ok(Found {
        failing,
        printed,
        kind: point.told.kind,
        message: point.told.message,
        predicate: point.told.predicate,
        position: point.position,
        uninitialised,
        undefined: undefined.into_found().into_iter().filter(|found| found.instruction <= until).collect(),
        errors,
        overflows,
        passes,
        prints: finder.prints,
    }))
}

/// What should have held where a check of a test framework fails.
fn of_check(told: &Told) -> Predicate {
    told.check.filter(|check| check.is_asked()).map_or(Predicate::NotReached, Predicate::Check)
}

impl<const LIMITED: bool> Finder<LIMITED> {
    /// What captured code should print in all; `None` where nobody says, or where others print a part of it.
    fn should_print(&self) -> Option<Vec<u8>> {
        let alone = |all: &&Vec<u8>| self.as_printed && self.printed == all.len();
        self.expected.stdout.as_ref().or(self.expected.printed.as_ref().filter(alone)).cloned()
    }

    /// Where the run, which ended at `at`, visibly goes wrong; none where it ends as it should.
    fn visible(&self, at: &At<'_>, end: &End) -> Result<Option<(Point, Predicate)>, String> {
        if let (Some((point, from)), Some(stdout)) = (&self.differs, &self.expected.stdout) {
            let rest = stdout.get(*from..).unwrap_or_default().to_vec();
            return Ok(Some((point.clone(), Predicate::Prints(rest))));
        }
        let here = |told| Point { moment: moment(at), position: place(at), told };
        if LIMITED && at.in_frame() {
            let message = "the run does not end within its limits";
            let predicate = Some("the run ends before".into());
            let told = Told::new(FailureKind::TimeLimit, predicate, message);
            return Ok(Some((here(told), Predicate::NotReached)));
        }
        let told = Told::of_end(at, end, &self.expected, self.printed);
        match *end {
            // What is missing then should have come before.
            End::Fault { signal, .. } if self.expected.signal == Some(signal) && told.is_none() => Ok(None),
            End::Fault { signal, .. } => {
                let Some(told) = told else { return Ok(None) };
                if !at.in_frame() {
                    let message = told.message;
                    return Err(format!("it fails in code that was not captured: {message}"));
                }
                let predicate = match (signal, at.op()) {
                    (SIGFPE, Op::Int { .. } | Op::Wide { .. }) => Predicate::Division,
                    (SIGSEGV | SIGBUS, _) if !end.overflows(at) && self.expected.signal != Some(signal) => {
                        Predicate::Pointer
                    }
                    _ => Predicate::NotReached,
                };
                Ok(Some((here(told), predicate)))
            }
            End::Exited { status } => {
                let Some(told) = told else {
                    if let Some(point) = self.check.as_ref().filter(|_| self.expected.check_tells(end)) {
                        return Ok(Some((point.clone(), of_check(&point.told))));
                    }
                    return match status {
                        Some(_) => Ok(None),
                        None => Err("the program ends in code that was not captured".into()),
                    };
                };
                if let (FailureKind::ExitStatus, Some(point)) = (told.kind, &self.check) {
                    return Ok(Some((point.clone(), of_check(&point.told))));
                }
                if status.is_none() {
                    return match &self.panic {
                        Some(point) => Ok(Some((point.clone(), Predicate::NotReached))),
                        None => Err(format!("{}; the program ends in code that was not captured", told.message)),
                    };
                }
                let Some((moment, position)) = self.last.clone() else {
                    return Err(format!("{}; the program ends in code that was not captured", told.message));
                };
                let predicate = match (told.kind, self.expected.status) {
                    (FailureKind::ExitStatus, Some(wanted)) => Predicate::Status(wanted),
                    _ => Predicate::NotReached,
                };
                Ok(Some((Point { moment, position, told }, predicate)))
            }
            End::Killed { .. } => Err("the run was killed from outside".into()),
            End::Exec => Err("the run became another program".into()),
            End::RecordingEnds { ref reason } => Err(format!("its recording ends before the run: {reason}")),
        }
    }

    /// A memory error as the failure point.
    fn memory(&self, error: &MemoryError) -> Option<(Point, Predicate)> {
        let start = error.object.as_ref().map_or(error.address, |object| object.start);
        let range = Range {
            start,
            size: error.object.as_ref().map_or(error.size, |object| object.size),
            address: error.address,
            bytes: error.size,
            write: error.write,
            function: error.function,
            freed: self.freed.get(&start).copied(),
        };
        let predicate = match error.kind {
            Kind::OutOfBounds => Predicate::Inside(range),
            Kind::UseAfterFree | Kind::UseAfterReturn => Predicate::Alive(range),
            Kind::DoubleFree | Kind::InvalidFree => Predicate::Freeable(range),
            // These killed the run: it is told by its end.
            Kind::NullPointer | Kind::WildPointer => return None,
            // What is lost is no access.
            Kind::Uninitialised | Kind::Leak(_) => return None,
        };
        let told = Told::new(FailureKind::MemoryError, error.predicate(), error.message());
        let moment = Moment { instruction: error.instruction, pc: error.position.pc };
        Some((Point { moment, position: error.position.clone(), told }, predicate))
    }
}

//! The failure point of a run: where it went wrong, the predicate that failed there, and the variables in scope.

pub mod check;
pub mod panic;

use whydunit_library::{Ending, lookup};
use whydunit_model::checks::Check;
use whydunit_model::names::panics;
use whydunit_model::{Callee, Op, Opnd};
use whydunit_process::signal_name;
use whydunit_replay::{At, End, External, Observer, OutputEvent, Position, Stream};

use crate::branch;
use crate::variables::{Found, Watch, in_scope};

/// So many calls at each end of a stack are kept: a recursion without end has a hundred thousand.
pub const KEPT: usize = 64;

/// What kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// `assert`.
    Assertion,
    /// A panic of Rust: an assertion, a check that the compiler puts in, or one that the program calls for.
    Panic,
    /// `abort`.
    Abort,
    /// A signal of the hardware.
    Signal,
    /// A memory error that nothing else told.
    MemoryError,
    /// The exit status is not the expected one.
    ExitStatus,
    /// Standard output is not the expected one.
    Output,
    /// Ended by the test's time limit.
    TimeLimit,
    /// Killed from outside.
    Killed,
}

impl FailureKind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Panic => "panic",
            FailureKind::Abort => "abort",
            FailureKind::Signal => "signal",
            FailureKind::MemoryError => "memory-error",
            FailureKind::ExitStatus => "exit-status",
            FailureKind::Output => "output",
            FailureKind::TimeLimit => "time-limit",
            FailureKind::Killed => "killed",
        }
    }

    /// Whether it may be what another process did that is passed on: a test program exits with a status that tells of its children, waits
    /// for them, or kills them.
    pub const fn may_be_passed_on(self) -> bool {
        matches!(self, FailureKind::ExitStatus | FailureKind::TimeLimit | FailureKind::Killed)
    }
}

/// A variable and its value as text.
pub type Shown = (String, String);

/// A failure point.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Kind.
    pub kind: FailureKind,
    /// Where; none outside captured code.
    pub position: Option<Position>,
    /// What should have held there.
    pub predicate: Option<String>,
    /// Where a branch decided that a test framework says that a check fails, often in its own code; or, in a library, that it panics.
    pub decided: Option<Position>,
    /// Where the exception was thrown that made a check fail, and the instructions executed by then.
    pub thrown: Option<(Position, u64)>,
    /// In words.
    pub message: String,
    /// The calls under way, innermost first; of very many those at both ends.
    pub stack: Vec<Position>,
    /// How many calls are left out in the middle of the stack.
    pub left_out: usize,
    /// Variables in scope.
    pub variables: Vec<Shown>,
    /// Number of the thread, in a run with several.
    pub thread: Option<u32>,
    /// Instructions executed when it failed.
    pub instruction: u64,
}

/// What the run should have done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// Standard output.
    pub stdout: Option<Vec<u8>>,
    /// Standard output, where the process as a whole printed all of it as it should, by whatever code and whenever that was.
    pub printed: Option<Vec<u8>>,
    /// Exit status.
    pub status: Option<i32>,
    /// The run may end with this signal.
    pub signal: Option<i32>,
    /// The exit status that the run had, where code that was not captured chose it.
    pub had: Option<i32>,
    /// What Rust said of the last panic.
    pub panic: Option<String>,
}

impl Expected {
    /// Whether a failing check is what a run that ends so failed by, where nothing says which status it should have: it is a child of
    /// a test's process, or no test.
    pub fn check_tells(&self, end: &End) -> bool {
        self.status.is_none() && self.signal.is_none() && matches!(end, End::Exited { status } if *status != Some(0))
    }
}

/// Follows a run to its failure point.
pub struct FailurePoint {
    /// Which value each variable has.
    pub watch: Watch,
    expected: Expected,
    printed: u64,
    failure: Option<Failure>,
    /// The last panic.
    panic: Option<Failure>,
    /// The first check of a test framework that fails.
    check: Option<Failure>,
    /// Where `main` returned something else than 0.
    returned: Option<Failure>,
    /// Where the program itself threw last.
    thrown: Option<(Position, u64)>,
}

impl FailurePoint {
    /// For a run that should have done `expected`.
    pub fn new(expected: Expected) -> Self {
        Self {
            watch: Watch::default(),
            expected,
            printed: 0,
            failure: None,
            panic: None,
            check: None,
            returned: None,
            thrown: None,
        }
    }

    /// Whether the failure is known before the run has ended: output was another than is expected.
    pub fn is_decided(&self) -> bool {
        self.failure.is_some()
    }

    /// The failure, once the run has ended: `at` is where it stands.
    pub fn finish(mut self, at: &At<'_>, end: &End) -> Option<Failure> {
        if let Some(failure) = self.failure.take() {
            return Some(failure);
        }
        let printed = self.printed as usize;
        let Some(told) = Told::of_end(at, end, &self.expected, printed) else {
            return self.check.filter(|_| self.expected.check_tells(end));
        };
        match self.panic.take() {
            // What nobody caught ends the program, or the test.
            Some(panic) if told.kind == FailureKind::ExitStatus && matches!(end, End::Exited { status: None }) => {
                Some(panic)
            }
            _ if told.kind == FailureKind::ExitStatus && self.check.is_some() => self.check,
            _ => Some(match self.returned.take().filter(|_| told.kind == FailureKind::ExitStatus && !at.in_frame()) {
                Some(returned) => {
                    Failure { kind: told.kind, predicate: told.predicate, message: told.message, ..returned }
                }
                None => self.here(at, told),
            }),
        }
    }

    /// That a check fails, for which its framework calls a function, at `at`; the run stands at `now`.
    fn failing_check(&self, at: &At<'_>, now: &At<'_>, told: Told) -> Failure {
        let thrown = self.thrown.clone().filter(|_| told.thrown);
        let mut failure = Failure { decided: branch::decided(now), thrown, ..self.here(at, told) };
        if failure.thrown.is_some() {
            failure.message += ": an exception leaves it";
        }
        failure
    }

    fn here(&self, at: &At<'_>, told: Told) -> Failure {
        let Told { kind, predicate, message, .. } = told;
        let threads = &at.core.threads;
        let thread = threads.several().then(|| threads.running());
        let mut failure = Failure {
            kind,
            position: None,
            predicate,
            decided: None,
            thrown: None,
            message,
            stack: Vec::new(),
            left_out: 0,
            variables: Vec::new(),
            thread,
            instruction: at.instruction(),
        };
        if !at.in_frame() {
            return failure;
        }
        // What a library finds wrong is the fault of who called it.
        let own = |position: &Position| !position.in_library();
        let depth = at.frames().find(|frame| frame.positions().any(|position| own(&position))).map(|frame| frame.depth);
        failure.stack = at.stack().collect();
        if depth.is_some() {
            failure.stack.retain(own);
        }
        if let Some(more) = failure.stack.len().checked_sub(2 * KEPT).filter(|more| *more > 0) {
            failure.stack.drain(KEPT..KEPT + more);
            failure.left_out = more;
        }
        failure.position = failure.stack.first().cloned();
        failure.variables = shown(at, in_scope(at, &self.watch, depth.unwrap_or(at.depth)));
        failure
    }
}

/// A failure in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Kind.
    pub kind: FailureKind,
    /// What should have held.
    pub predicate: Option<String>,
    /// What happened.
    pub message: String,
    /// An exception made a check fail.
    pub thrown: bool,
    /// The check of a test framework that fails.
    pub check: Option<&'static Check>,
}

impl Told {
    /// Of no exception.
    pub fn new(kind: FailureKind, predicate: Option<String>, message: impl Into<String>) -> Self {
        Self { kind, predicate, message: message.into(), thrown: false, check: None }
    }

    /// Of a run that has ended at `at`, after so many bytes of standard output, all as expected. None where it ended as it
    /// should.
    pub fn of_end(at: &At<'_>, end: &End, expected: &Expected, printed: usize) -> Option<Self> {
        match end {
            End::Fault { signal, .. } if expected.signal == Some(*signal) => Self::of_missing(expected, printed),
            End::Fault { signal, address, .. } => {
                Some(Self::of_fault(at, *signal, *address, end.overflows(at), expected))
            }
            End::Killed { .. } => Some(Self::new(FailureKind::Killed, None, "the run was killed here")),
            End::Exited { status } => {
                let got = status.or(expected.had)?;
                if let Some(signal) = expected.signal {
                    let signal = signal_name(signal);
                    let predicate = Some(format!("the program is killed by {signal}"));
                    let message = format!("the program exited with {got}; that {signal} kills it is expected");
                    return Some(Self::new(FailureKind::ExitStatus, predicate, message));
                }
                if let Some(wanted) = expected.status.filter(|wanted| *wanted != got) {
                    let predicate = Some(format!("exit status = {wanted}"));
                    let message = format!("the program exited with {got}; {wanted} is expected");
                    return Some(Self::new(FailureKind::ExitStatus, predicate, message));
                }
                Self::of_missing(expected, printed)
            }
            End::Exec | End::RecordingEnds { .. } => None,
        }
    }

    /// Of output that is missing at the end.
    fn of_missing(expected: &Expected, printed: usize) -> Option<Self> {
        let stdout = expected.stdout.as_ref()?;
        let missing = &stdout[printed.min(stdout.len())..];
        (!missing.is_empty()).then(|| {
            let predicate = Some(format!("{} is printed before the end", excerpt(missing)));
            let message = format!("the output ends early; {} is missing", excerpt(missing));
            Self::new(FailureKind::Output, predicate, message)
        })
    }

    /// Of a signal that ended the run at `at`.
    fn of_fault(at: &At<'_>, signal: i32, address: u64, overflows: bool, expected: &Expected) -> Self {
        const SIGABRT: i32 = 6;
        const SIGFPE: i32 = 8;
        if overflows {
            let predicate = Some("the recursion ends before".into());
            return Self::new(FailureKind::Signal, predicate, "the stack overflows (recursion without end?)");
        }
        if signal == SIGABRT
            && at.in_frame()
            && let Op::Call { call } = at.op()
        {
            let call = &at.model.calls[*call as usize];
            let name = match call.callee {
                Callee::Direct(callee) => at.module().functions.get(callee as usize).map(|f| f.name.as_str()),
                _ => None,
            };
            let ending = name.and_then(lookup).and_then(|known| known.function.ending);
            if let Some(Ending::Assertion { text: Some(text) }) = ending
                && let Some(text) = call.args.get(text)
            {
                let text = at.memory().read_string(at.value(text.value), 1000);
                let predicate = String::from_utf8_lossy(&text).into_owned();
                let message = format!("the assertion `{predicate}` does not hold");
                return Self::new(FailureKind::Assertion, Some(predicate), message);
            }
            if name.is_some_and(panics) {
                return panic::told(name.unwrap_or_default(), expected.panic.as_deref());
            }
            let branch = branch::deciding(at).filter(|branch| branch.loc.line > 0);
            let predicate = branch.map(|branch| format!("the branch in line {} goes another way", branch.loc.line));
            return Self::new(FailureKind::Abort, predicate, "the program aborts");
        }
        let (predicate, message) = match signal {
            SIGFPE => (Some("the divisor is not 0".to_string()), "division by zero".to_string()),
            11 | 7 if address < 4096 => (
                Some("the pointer points to an object".into()),
                format!("access through a null pointer (address {address:#x})"),
            ),
            11 | 7 => (
                Some("the pointer points to an object".into()),
                format!("access to address {address:#x}, where nothing is mapped"),
            ),
            other => (None, signal_name(other)),
        };
        Self::new(FailureKind::Signal, predicate, message)
    }

    /// Of `printed`, which follows on `from` bytes of standard output; none where that is expected.
    pub fn of_output(expected: &[u8], from: usize, printed: &[u8]) -> Option<Self> {
        let wanted = expected.get(from..).unwrap_or(&[]);
        let same = printed.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        if same == printed.len() {
            return None;
        }
        let before = &expected[..(from + same).min(expected.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.len() - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) + 1;
        let line_of = |bytes: &[u8]| {
            let start = bytes[..same.min(bytes.len())].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
            let rest = &bytes[start..];
            match rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()) {
                0 if rest.is_empty() => "nothing".to_string(),
                0 => "the end of the line".to_string(),
                end => excerpt(&rest[..end]),
            }
        };
        let (got, want) = (line_of(printed), line_of(wanted));
        let message =
            format!("standard output differs at line {line}, column {column}: {got} is printed, {want} is expected");
        // A call that prints as much as is expected of the line prints all of it; one that prints less only its part.
        let whole = printed.len() >= wanted.len() || printed[same..].contains(&b'\n');
        let part = if whole { want } else { line_of(&wanted[..printed.len()]) };
        Some(Self::new(FailureKind::Output, Some(format!("this prints {part}")), message))
    }
}

/// Variables as text.
pub fn shown(at: &At<'_>, found: Vec<Found>) -> Vec<Shown> {
    found.into_iter().map(|found| (found.name.clone(), found.text(at.module(), at.memory()))).collect()
}

/// The beginning of bytes as text; what is no text in them is shown byte by byte.
pub fn excerpt(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    for part in bytes[..bytes.len().min(4 * MOST)].utf8_chunks() {
        text.extend(part.valid().chars().flat_map(char::escape_debug));
        part.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

impl Observer for FailurePoint {
    const OPS: bool = true;
    const FRAMES: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        self.watch.follow(at);
    }

    fn enter(&mut self, at: &At<'_>, _: &whydunit_replay::Entry<'_>) {
        self.watch.enter(at);
        if self.check.is_none()
            && let Some(told) = check::entered(at)
        {
            self.check = Some(self.failing_check(&at.caller().unwrap_or(*at), at, told));
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        if at.depth == 0
            && at.model.name == "main"
            && let Some((status, _)) = result
            && at.value(status) as u32 != 0
        {
            self.returned = Some(self.here(at, Told::new(FailureKind::ExitStatus, None, "")));
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.watch.switched(from, to);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        if panics(call.name) && at.in_frame() {
            let told = panic::told(call.name, self.expected.panic.as_deref());
            // `unwrap` and its like decide about it.
            let decided = branch::decided(at).filter(Position::in_library);
            self.panic = Some(Failure { decided, ..self.here(at, told) });
        }
        if self.check.is_none()
            && at.in_frame()
            && let Some(told) = check::external(at, call)
        {
            self.check = Some(self.failing_check(at, at, told));
        }
        if lookup(call.name).is_some_and(|known| known.function.ending == Some(Ending::Throw))
            && let Some(position) = at.stack().find(|position| !position.in_library())
        {
            self.thrown = Some((position, at.instruction()));
        }
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream != Stream::Descriptor(1) {
            return;
        }
        let from = self.printed as usize;
        self.printed += output.bytes.len() as u64;
        let Some(expected) = self.expected.stdout.as_ref().filter(|_| self.failure.is_none()) else { return };
        if let Some(told) = Told::of_output(expected, from, &output.bytes) {
            self.failure = Some(self.here(at, told));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_can_be_told_apart() {
        let told = Told::of_output(b"a\n\xffb\n", 2, b"\xfeb\n").expect("they differ");
        assert_eq!(
            told.message,
            r#"standard output differs at line 2, column 1: "\xfeb" is printed, "\xffb" is expected"#
        );
        assert_eq!(excerpt(&[b'x'; 100]), format!("\"{}…\"", "x".repeat(60)));
    }
}

//! The failure point of a run: where it went wrong, the predicate that failed there, and the variables in scope.

use whydunit_model::{Callee, Op};
use whydunit_replay::{At, End, Observer, OutputEvent, Position, Stream};

use crate::variables::{Found, Watch, in_scope};

/// What kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// `assert`.
    Assertion,
    /// `abort`.
    Abort,
    /// A signal of the hardware.
    Signal,
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
            FailureKind::Abort => "abort",
            FailureKind::Signal => "signal",
            FailureKind::ExitStatus => "exit-status",
            FailureKind::Output => "output",
            FailureKind::TimeLimit => "time-limit",
            FailureKind::Killed => "killed",
        }
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
    /// In words.
    pub message: String,
    /// The calls under way, innermost first.
    pub stack: Vec<Position>,
    /// Variables in scope.
    pub variables: Vec<Shown>,
}

/// What the run should have done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// Standard output.
    pub stdout: Option<Vec<u8>>,
    /// Exit status.
    pub status: Option<i32>,
    /// The run may end with this signal.
    pub signal: Option<i32>,
}

/// Follows a run to its failure point.
pub struct FailurePoint {
    /// Which value each variable has.
    pub watch: Watch,
    expected: Expected,
    printed: u64,
    failure: Option<Failure>,
}

impl FailurePoint {
    /// For a run that should have done `expected`.
    pub fn new(expected: Expected) -> Self {
        Self { watch: Watch::default(), expected, printed: 0, failure: None }
    }

    /// The failure, once the run has ended: `at` is where it stands.
    pub fn finish(mut self, at: &At<'_>, end: &End) -> Option<Failure> {
        if let Some(failure) = self.failure.take() {
            return Some(failure);
        }
        match end {
            End::Fault { signal, address, near } => Some(self.fault(at, *signal, *address, *near)),
            End::Killed { .. } => Some(self.here(at, FailureKind::Killed, None, "the run was killed here".into())),
            End::Exited { status } => {
                let got = (*status)?;
                if let Some(wanted) = self.expected.status.filter(|wanted| *wanted != got) {
                    let predicate = Some(format!("exit status = {wanted}"));
                    let message = format!("the program exited with {got}; {wanted} is expected");
                    return Some(self.here(at, FailureKind::ExitStatus, predicate, message));
                }
                let stdout = self.expected.stdout.as_ref()?;
                let missing = &stdout[(self.printed as usize).min(stdout.len())..];
                if missing.is_empty() {
                    return None;
                }
                let message = format!("the output ends early; {} is missing", excerpt(missing));
                Some(self.here(at, FailureKind::Output, None, message))
            }
            End::Exec | End::RecordingEnds { .. } => None,
        }
    }

    fn fault(&self, at: &At<'_>, signal: i32, address: u64, near: bool) -> Failure {
        const SIGABRT: i32 = 6;
        const SIGFPE: i32 = 8;
        if signal == SIGABRT
            && at.in_frame()
            && let Op::Call { call } = at.op()
        {
            let call = &at.model.calls[*call as usize];
            let name = match call.callee {
                Callee::Direct(callee) => at.module().functions.get(callee as usize).map(|f| f.name.as_str()),
                _ => None,
            };
            if name == Some("__assert_fail")
                && let Some(first) = call.args.first()
            {
                let text = at.memory().read_string(at.value(first.value), 1000);
                let predicate = String::from_utf8_lossy(&text).into_owned();
                let message = format!("the assertion `{predicate}` does not hold");
                return self.here(at, FailureKind::Assertion, Some(predicate), message);
            }
            return self.here(at, FailureKind::Abort, None, "the program aborts".into());
        }
        let (predicate, message) = match signal {
            SIGFPE => (Some("the divisor is not 0".to_string()), "division by zero".to_string()),
            11 | 7 if near => (None, "the stack overflows (recursion without end?)".into()),
            11 | 7 if address < 4096 => (
                Some("the pointer points to an object".into()),
                format!("access through a null pointer (address {address:#x})"),
            ),
            11 | 7 => (
                Some("the pointer points to an object".into()),
                format!("access to address {address:#x}, where nothing is mapped"),
            ),
            other => (None, format!("signal {other}")),
        };
        self.here(at, FailureKind::Signal, predicate, message)
    }

    fn here(&self, at: &At<'_>, kind: FailureKind, predicate: Option<String>, message: String) -> Failure {
        let mut failure =
            Failure { kind, position: None, predicate, message, stack: Vec::new(), variables: Vec::new() };
        if !at.in_frame() {
            return failure;
        }
        failure.position = Some(at.position());
        failure.stack = stack(at);
        failure.variables = shown(at, in_scope(at, &self.watch, at.depth));
        failure
    }
}

/// The calls under way, innermost first.
pub fn stack(at: &At<'_>) -> Vec<Position> {
    let place = |(depth, frame): (usize, &whydunit_replay::Frame)| {
        at.code.position(frame.function, if depth == at.depth { at.pc } else { frame.pc })
    };
    at.core.frames.iter().enumerate().rev().map(place).collect()
}

/// Variables as text.
pub fn shown(at: &At<'_>, found: Vec<Found>) -> Vec<Shown> {
    found.into_iter().map(|found| (found.name.clone(), found.text(at.module(), at.memory()))).collect()
}

fn excerpt(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().take(60).flat_map(|c| c.escape_debug()).collect();
    format!("\"{text}{}\"", if bytes.len() > 60 { "…" } else { "" })
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
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream != Stream::Descriptor(1) {
            return;
        }
        let from = self.printed as usize;
        self.printed += output.bytes.len() as u64;
        let Some(expected) = self.expected.stdout.as_ref().filter(|_| self.failure.is_none()) else { return };
        let wanted = expected.get(from..).unwrap_or(&[]);
        let same = output.bytes.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        if same == output.bytes.len() {
            return;
        }
        let before = &expected[..(from + same).min(expected.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.len() - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) + 1;
        let line_of = |bytes: &[u8]| {
            let start = bytes[..same.min(bytes.len())].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
            let rest = &bytes[start..];
            excerpt(&rest[..rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())])
        };
        let (got, want) = (line_of(&output.bytes), line_of(wanted));
        let message =
            format!("standard output differs at line {line}, column {column}: {got} is printed, {want} is expected");
        let predicate = Some(format!("this prints {want}"));
        self.failure = Some(self.here(at, FailureKind::Output, predicate, message));
    }
}

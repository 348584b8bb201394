//! Where a recorded run fails, and what should have held there (the table of failure points and predicates).

use whydunit_model::Op;
use whydunit_replay::{At, End, External, Machine, Observer, OutputEvent, ReplayError, Stream};
use whydunit_symbolic::{Failing, FailurePoint, Predicate};

/// What the run should have done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// Standard output.
    pub stdout: Option<Vec<u8>>,
    /// Exit status.
    pub status: Option<i32>,
}

/// Follows a run to where it goes wrong.
struct Finder<const LIMITED: bool> {
    expected: Expected,
    printed: usize,
    /// Instruction counts at which something was printed, and the bytes printed until then.
    prints: Vec<(u64, usize)>,
    /// Standard output first differs at this call: instruction count, operation, bytes printed before.
    differs: Option<(u64, u32, usize)>,
    /// Where to stop.
    until: u64,
    /// Where the program last could have ended: the outermost function's return, or a call of `exit`.
    last: Option<(u64, u32)>,
}

impl<const LIMITED: bool> Observer for Finder<LIMITED> {
    const FRAMES: bool = true;
    const STOPS: bool = LIMITED;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.until
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(whydunit_model::Opnd, u8)>) {
        if at.depth == 0 {
            self.last = Some((at.instruction(), at.pc));
        }
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        if matches!(call.name, "exit" | "_exit" | "_Exit" | "quick_exit") {
            self.last = Some((at.instruction(), at.pc));
        }
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream != Stream::Descriptor(1) || !at.in_frame() {
            return;
        }
        let from = self.printed;
        self.printed += output.bytes.len();
        self.prints.push((at.instruction(), self.printed));
        if let Some(expected) = &self.expected.stdout
            && self.differs.is_none()
            && !expected.get(from..).unwrap_or_default().starts_with(&output.bytes)
        {
            self.differs = Some((at.instruction(), at.pc, from));
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
    /// In words.
    pub text: String,
    prints: Vec<(u64, usize)>,
}

impl Found {
    /// The failure as it is seen from an instruction on: what should be printed from there.
    pub fn from(&self, instruction: u64) -> Failing {
        let before = self.prints.partition_point(|print| print.0 < instruction);
        let printed = before.checked_sub(1).map_or(0, |last| self.prints[last].1);
        let rest = |expected: &Vec<u8>| expected.get(printed..).unwrap_or_default().to_vec();
        Failing { expected: self.failing.expected.as_ref().map(rest), ..self.failing.clone() }
    }
}

const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;

/// A run that does not end is followed for so many instructions.
pub const HANGS: u64 = 300_000;

/// Replays a run to its end and finds its failure point. None where it does what is expected, or fails outside captured
/// code; the text says which. A run that was ended by a limit (`hangs`) is only followed for [`HANGS`] instructions: it should
/// not have come there.
pub fn find(machine: &mut Machine, expected: &Expected, hangs: bool) -> Result<Result<Found, String>, ReplayError> {
    if hangs { follow::<true>(machine, expected) } else { follow::<false>(machine, expected) }
}

fn follow<const LIMITED: bool>(
    machine: &mut Machine,
    expected: &Expected,
) -> Result<Result<Found, String>, ReplayError> {
    let mut finder = Finder::<LIMITED> {
        expected: expected.clone(),
        printed: 0,
        prints: Vec::new(),
        differs: None,
        until: HANGS,
        last: None,
    };
    let end = machine.run(&mut finder)?;
    let at = machine.at();
    let failing = |(instruction, pc), predicate| Failing {
        point: FailurePoint { instruction, pc, predicate },
        expected: expected.stdout.clone(),
        status: expected.status,
        ..Failing::default()
    };
    let prints = std::mem::take(&mut finder.prints);
    let found = |failing, printed, text: String| Ok(Ok(Found { failing, printed, text, prints }));
    let stdout = expected.stdout.as_deref();
    if let (Some((instruction, pc, from)), Some(stdout)) = (finder.differs, stdout) {
        let rest = stdout.get(from..).unwrap_or_default().to_vec();
        return found(failing((instruction, pc), Predicate::Prints(rest)), from, "standard output differs".into());
    }
    if LIMITED && at.in_frame() {
        let failing = failing((at.instruction(), at.pc), Predicate::NotReached);
        return found(failing, finder.printed, "the run does not end within its limits".into());
    }
    if let End::Fault { signal, .. } = end {
        if !at.in_frame() {
            return Ok(Err(format!("signal {signal} came while external code ran")));
        }
        let predicate = match (signal, at.op()) {
            (SIGFPE, Op::Int { .. } | Op::Wide { .. }) => Predicate::Division,
            (SIGSEGV | SIGBUS, Op::Load { .. } | Op::Store { .. }) => Predicate::Pointer,
            _ => Predicate::NotReached,
        };
        let text = if signal == SIGABRT { "the program aborts".into() } else { format!("signal {signal}") };
        return found(failing((at.instruction(), at.pc), predicate), finder.printed, text);
    }
    let End::Exited { status } = end else { return Ok(Err("the run has no end of its own".into())) };
    let Some(last) = finder.last else { return Ok(Err("the program ends outside captured code".into())) };
    if let (Some(got), Some(wanted)) = (status, expected.status)
        && got != wanted
    {
        let text = format!("the exit status is {got}, {wanted} is expected");
        return found(failing(last, Predicate::Status(wanted)), finder.printed, text);
    }
    if stdout.is_some_and(|stdout| stdout.len() > finder.printed) {
        let text = "the output ends early".into();
        return found(failing(last, Predicate::NotReached), finder.printed, text);
    }
    Ok(Err("the run does what is expected".into()))
}

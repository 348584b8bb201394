//! Following a recorded run to a place.

use whydunit_replay::{At, FuncId, Machine, Observer, OutputEvent, Stop, Stream};
use whydunit_symbolic::{Free, FreeKind};

use super::judge::Judge;
use crate::Error;

/// Where to stop.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// Where a value is made.
    Value(&'a Free),
    /// Before the first execution of an operation from an instruction count on.
    Operation(FuncId, u32, u64),
}

/// Follows a run to a place. The bytes printed until then, where `printed` were before; none where it does not come there
/// before instruction `until`.
pub(crate) fn arrive(
    machine: &mut Machine,
    judge: &Judge,
    place: Place<'_>,
    until: u64,
    printed: usize,
) -> Result<Option<usize>, Error> {
    let mut arrive = Arrive { place, before: Before::new(judge, until, printed) };
    let there = machine.go_on(&mut arrive)? == Stop::Asked && !arrive.before.late;
    Ok(there.then_some(arrive.before.printed))
}

/// Follows a run up to where it fails: what is executed behind that, be it in the same block, cannot mend it.
pub(super) struct Before<'a> {
    judge: &'a Judge,
    until: u64,
    /// The failure point: instruction count and operation.
    point: (u64, u32),
    /// The failure point has been executed, or something wrong printed.
    failed: bool,
    /// The run stands behind where it should not be followed.
    pub late: bool,
    /// Bytes printed.
    pub printed: usize,
}

impl<'a> Before<'a> {
    /// Up to instruction `until`, from where `printed` bytes were printed.
    pub fn new(judge: &'a Judge, until: u64, printed: usize) -> Self {
        Self { judge, until, point: judge.point(), failed: false, late: false, printed }
    }

    /// Whether an operation comes too late.
    #[inline(always)]
    fn is_late(&mut self, at: &At<'_>) -> bool {
        self.late = self.failed || at.instruction() > self.until;
        self.failed |= (at.instruction(), at.pc) == self.point;
        self.late
    }

    fn output(&mut self, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.failed |= !self.judge.prints(self.printed, &output.bytes);
            self.printed += output.bytes.len();
        }
    }
}

struct Arrive<'a> {
    place: Place<'a>,
    before: Before<'a>,
}

impl Observer for Arrive<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.before.is_late(at) || self.is_there(at)
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        self.before.output(output);
    }
}

impl Arrive<'_> {
    #[inline(always)]
    fn is_there(&self, at: &At<'_>) -> bool {
        let free = match self.place {
            Place::Operation(function, pc, instruction) => {
                return at.pc == pc && at.function == function && at.instruction() >= instruction;
            }
            Place::Value(free) => free,
        };
        match free.kind {
            FreeKind::Argument => {
                let caller = at.depth.checked_sub(1).map(|caller| at.core.frames[caller]);
                caller.is_some_and(|caller| caller.function == free.function && caller.pc == free.pc)
                    && at.instruction() >= free.instruction
            }
            FreeKind::Result => {
                at.function == free.function && at.pc == free.pc + 1 && at.instruction() >= free.instruction
            }
            _ => at.function == free.function && at.pc == free.pc && at.instruction() == free.instruction,
        }
    }
}

/// Stops where one of several operations is executed for the first time.
pub(super) struct First<'a> {
    pub sites: &'a [(FuncId, u32)],
    pub before: Before<'a>,
}

impl Observer for First<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.before.is_late(at) || self.sites.iter().any(|site| site.1 == at.pc && site.0 == at.function)
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        self.before.output(output);
    }
}

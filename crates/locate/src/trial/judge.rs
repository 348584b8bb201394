//! Whether a trial run passes: it prints what is expected, all of it, and ends as expected.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use whydunit_model::names::readable;
use whydunit_replay::{Expectation, Limits, Machine, Nothing, Stop, WhatIfStop};
use whydunit_symbolic::Failing;

use super::stray::Stray;
use crate::Error;

/// What a trial run comes to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Outcome {
    pub passes: bool,
    /// It went to its end, or printed something else than is expected, and so fails.
    pub fails: bool,
    /// How far the first number that is printed wrong is off.
    pub off: Option<f64>,
    /// Bytes of the whole run's output that are right, where something else than expected was printed.
    pub right: usize,
}

/// What trial runs are judged by.
#[derive(Clone)]
pub(crate) struct Judge {
    /// The failure, but for what should be printed.
    failing: Failing,
    expected: Option<Arc<[u8]>>,
    /// How many runs said nothing, by what ended them.
    lost: RefCell<BTreeMap<String, u64>>,
}

impl Judge {
    pub fn new(failing: &Failing) -> Self {
        let expected = failing.expected.as_deref().map(Arc::from);
        Self { failing: Failing { expected: None, ..failing.clone() }, expected, lost: RefCell::default() }
    }

    /// Where the run fails: instruction count and operation.
    pub fn point(&self) -> (u64, u32) {
        (self.failing.point.instruction, self.failing.point.pc)
    }

    /// Whether these bytes are expected, where so many were printed before.
    pub fn prints(&self, printed: usize, bytes: &[u8]) -> bool {
        self.expected
            .as_deref()
            .is_none_or(|expected| expected.get(printed..).is_some_and(|rest| rest.starts_with(bytes)))
    }

    /// A run of which so much was printed goes on free of its recording.
    pub fn leave_recording(&self, machine: &mut Machine, printed: usize, instructions: u64) {
        machine.leave_recording(Limits { instructions, depth: 10_000, output: 1 << 20 });
        if let Some(text) = self.expected.clone() {
            machine.expect_output(Expectation { text, printed });
        }
    }

    /// Goes on to the end of a what-if run that began after so many instructions.
    pub fn end(&self, machine: &mut Machine, begin: u64) -> Result<Outcome, Error> {
        let stop = match Stray::of(&self.failing, begin) {
            Some(mut stray) => {
                let (function, pc) = stray.place();
                let at = machine.break_at(function, pc);
                let stop = machine.go_on(&mut stray);
                machine.unbreak(at);
                stop?
            }
            None => machine.go_on(&mut Nothing)?,
        };
        Ok(match stop {
            Stop::WhatIf(stop) => self.outcome(machine, &stop),
            // It strays.
            Stop::Asked => Outcome { fails: true, ..Outcome::default() },
            _ => Outcome::default(),
        })
    }

    /// What a what-if run came to that stopped so.
    pub fn outcome(&self, machine: &Machine, stop: &WhatIfStop) -> Outcome {
        match stop {
            WhatIfStop::Exited { status } => {
                let passes = self.failing.accepts_status(*status) && machine.printed_all();
                Outcome { passes, fails: !passes, ..Outcome::default() }
            }
            WhatIfStop::OtherOutput { bytes, printed } => {
                let rest = self.expected.as_deref().and_then(|expected| expected.get(*printed..)).unwrap_or_default();
                let right = printed + bytes.iter().zip(rest).take_while(|(a, b)| a == b).count();
                Outcome { fails: true, off: difference(bytes, rest), right, ..Outcome::default() }
            }
            WhatIfStop::Trap { signal, .. } => {
                let passes = self.failing.signal == Some(*signal) && machine.printed_all();
                Outcome { passes, fails: !passes, ..Outcome::default() }
            }
            WhatIfStop::External { name } | WhatIfStop::BackInExternal { name } => {
                let name = readable(name).unwrap_or_else(|| name.clone());
                self.lose(match &*name {
                    "" if !machine.at().in_frame() => "the system, before or behind `main`".into(),
                    "" => {
                        let place = machine.at().position();
                        let file = place.file.rsplit('/').next().unwrap_or_default();
                        format!("calls of code that has no name, in line {} of {file}", place.loc.line)
                    }
                    name => format!("calls of `{name}`, of which is not known what it would do"),
                })
            }
            WhatIfStop::UnknownMemory { .. } => {
                let name = machine.at().model.name.clone();
                let name = readable(&name).unwrap_or(name);
                self.lose(format!("memory of which is not known what is there, in `{name}`"))
            }
            WhatIfStop::Limit { what } => self.lose(format!("a limit ({what})")),
            _ => Outcome::default(),
        }
    }

    /// A run that says nothing, by what ended it.
    pub fn lose(&self, why: String) -> Outcome {
        *self.lost.borrow_mut().entry(why).or_default() += 1;
        Outcome::default()
    }

    /// What ended runs that say nothing, and how many; what ended most of them first, and not more than a few.
    pub fn lost(&self) -> Vec<(String, u64)> {
        const TOLD: usize = 4;
        let mut lost: Vec<(String, u64)> =
            self.lost.borrow().iter().map(|(why, times)| (why.clone(), *times)).collect();
        lost.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        lost.truncate(TOLD);
        lost
    }
}

/// How far the number at which two texts begin to differ is off in the first one.
fn difference(printed: &[u8], expected: &[u8]) -> Option<f64> {
    let first = printed.iter().zip(expected).position(|(a, b)| a != b)?;
    Some(number_at(printed, first)? - number_at(expected, first)?)
}

/// The decimal number around a position of a text.
fn number_at(text: &[u8], at: usize) -> Option<f64> {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e');
    let start = text[..at].iter().rposition(|byte| !part(byte)).map_or(0, |before| before + 1);
    let length = text[start..].iter().take_while(|byte| part(byte)).count();
    std::str::from_utf8(&text[start..start + length]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_where_texts_begin_to_differ() {
        assert_eq!(difference(b"a 1.25, b", b"a 1.75, b"), Some(-0.5));
        assert_eq!(difference(b"x -12\n", b"x 7\n"), Some(-19.0));
        assert_eq!(difference(b"same", b"same too"), None);
        assert_eq!(difference(b"up", b"down"), None);
    }
}

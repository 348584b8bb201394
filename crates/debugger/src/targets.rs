//! The calls that a line still makes: a step can go into one of them.

use whydunit_model::{Callee, Op, names};
use whydunit_replay::{At, FuncId};

use crate::course::Course;
use crate::going::Halts;
use crate::inspect::FrameId;
use crate::resume::{Reason, Stopped};
use crate::session::Session;
use crate::{DebugError, Position};

/// A function that the rest of a line calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallAhead {
    /// The function.
    pub function: FuncId,
    /// Its name.
    pub name: String,
    /// The line of the call, from 1.
    pub line: u32,
    /// The column of the call, from 1; 0 where it is not known.
    pub column: u32,
}

/// Where a step into one function ends: at its first line, or where the frame has left its line.
struct Into {
    function: FuncId,
    from: Position,
    thread: u32,
    depth: usize,
    entered: Option<Position>,
}

impl Halts for Into {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        if course.position <= self.from || at.core.threads.running() != self.thread || at.depth > self.depth + 1 {
            return false;
        }
        if at.depth == self.depth + 1 {
            return at.function == self.function && course.arrives(at).is_some();
        }
        let line = course.line(at);
        let is_other = course.running(at).map(|frame| frame.entered) != self.entered;
        line.is_own() && (is_other || course.arrives(at).is_some())
    }
}

impl Session {
    /// The functions of the program's own that a frame calls by the rest of its line, in the order of the code; none in frames that wait
    /// for another. What is called through pointers is not among them.
    pub fn calls_ahead(&self, frame: FrameId) -> Result<Vec<CallAhead>, DebugError> {
        let view = self.view(frame)?;
        let (code, model, id) = (self.at().code, view.model(), view.frame.function);
        let is_innermost = self.depth_of(frame.thread) == Some(frame.depth);
        let Some(module) = code.loaded_module_of(id).filter(|_| is_innermost) else { return Ok(Vec::new()) };
        let lines = crate::lines::codes(code, id);
        let here = lines.get(view.pc as usize).copied().unwrap_or(0);
        let mut calls: Vec<CallAhead> = Vec::new();
        for (pc, op) in model.code.iter().enumerate().skip(view.pc as usize) {
            let Op::Call { call } = op else { continue };
            let Callee::Direct(index) = model.calls[*call as usize].callee else { continue };
            let called = FuncId(module.first.0 + index);
            // Where it is defined elsewhere its name leads there.
            let found = match code.model(called).is_defined() {
                true => Some(called),
                false => code.find(&code.model(called).name).filter(|found| code.model(*found).is_defined()),
            };
            let Some(function) = found.filter(|_| here != 0 && lines[pc] == here) else { continue };
            let in_library = code.function(function).library == Some(true);
            if !in_library && !calls.iter().any(|known| known.function == function) {
                let model_name = &code.model(function).name;
                let loc = model.loc(pc);
                let name = names::readable(model_name).unwrap_or_else(|| model_name.clone());
                calls.push(CallAhead { function, name, line: loc.line, column: loc.column });
            }
        }
        Ok(calls)
    }

    /// Steps into a function that the rest of a thread's line calls; where it does not call it the step ends at the next line.
    pub fn step_into(&mut self, thread: u32, function: FuncId) -> Result<Stopped, DebugError> {
        let depth = self.depth_of(thread).ok_or(DebugError::NoThread(thread))?;
        let at = self.at();
        let entered =
            self.course().thread(&at, thread).and_then(|course| course.frame(depth)).map(|frame| frame.entered);
        let from = self.position();
        self.forward(Into { function, from, thread, depth, entered }, Reason::Step)
    }
}

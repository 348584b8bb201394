//! Exceptions of C++ in what-if runs (Itanium C++ ABI: Exception Handling): thrown by the program or by what the library checks,
//! they clean up and land where the program catches them.

use whydunit_model::{BlockId, Clause, Op, names};

use super::stop;
use crate::machine::{Flow, Machine, pad_of, unwinds_to};
use crate::observer::Observer;
use crate::role::Exceptional;
use crate::run::{After, FIRST_TYPE, Thrown, Type, WhatIfStop};
use crate::signals::SIGABRT;
use crate::state::FrameKind;

/// What the unwinder keeps before the object that is thrown.
const HEADER: u64 = 32;
/// What the library keeps before that.
const BEFORE: u64 = 96;

const UNCAUGHT: &str = "an exception that nobody catches";

/// Where an exception goes on.
enum Way {
    /// To the landing pad of the call in a frame, with a selector; and the object as the type that catches it.
    Land { depth: usize, block: BlockId, selector: u64, caught: Option<u64> },
    /// Nobody catches it.
    Nowhere,
    /// Out of the function in this frame, which was called for inspection.
    Out { depth: usize },
    /// Into external code, or what catches it is not known.
    Unknown,
}

impl Machine {
    /// Follows what a recorded run does with exceptions: a what-if run may leave it at any place.
    pub(crate) fn follow_exceptions(&mut self, call: Exceptional, args: &[u64]) {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let exceptions = &mut self.run.exceptions;
        match call {
            Exceptional::Throw => exceptions.throw(arg(0), Type::At(arg(1)), arg(2)),
            Exceptional::Begin => _ = exceptions.begin(arg(0).wrapping_add(HEADER)),
            Exceptional::End => {
                if let Some(ended) = exceptions.end() {
                    self.run.errors.retain(|error| error.object != ended.object);
                }
            }
            Exceptional::Current => _ = exceptions.keep(),
            Exceptional::SetTerminate => exceptions.terminate = arg(0),
            _ => {}
        }
    }

    pub(super) fn exceptional<O: Observer>(&mut self, observer: &mut O, call: Exceptional, args: &[u64]) -> Flow {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let unknown = |machine: &Machine| stop(WhatIfStop::External { name: machine.external_name() });
        let words = match call {
            Exceptional::Allocate => {
                let block = self.what_if_allocate(observer, arg(0).saturating_add(BEFORE + HEADER), false);
                vec![if block == 0 { 0 } else { block + BEFORE + HEADER }]
            }
            Exceptional::Free => vec![],
            Exceptional::Throw => {
                self.run.exceptions.throw(arg(0), Type::At(arg(1)), arg(2));
                return self.unwind(observer, arg(0), self.core.frames.len());
            }
            Exceptional::Library { ty, text } => return self.throw_of_library(observer, ty, text, arg(0)),
            Exceptional::Begin | Exceptional::Object => {
                let object = arg(0).wrapping_add(HEADER);
                let exceptions = &mut self.run.exceptions;
                let caught = match call {
                    Exceptional::Begin => exceptions.begin(object),
                    _ => exceptions.find(object).map(|thrown| thrown.caught),
                };
                match caught {
                    Some(caught) => vec![caught],
                    None => return unknown(self),
                }
            }
            Exceptional::End => match self.run.exceptions.end() {
                Some(Thrown { object, destructor, .. }) if destructor != 0 => {
                    return match self.function_at(destructor) {
                        Some(id) => self.call_captured(observer, id, &[object], After::Nothing),
                        None => self.what_if_returns(observer, args, &[]),
                    };
                }
                _ => vec![],
            },
            Exceptional::Rethrow => {
                let exceptions = &mut self.run.exceptions;
                let handled = exceptions.handled.last().copied();
                let Some(object) = handled.filter(|&object| exceptions.find(object).is_some()) else {
                    return unknown(self);
                };
                exceptions.find(object).into_iter().for_each(|thrown| thrown.again = true);
                return self.unwind(observer, object, self.core.frames.len());
            }
            Exceptional::Current => {
                let object = self.run.exceptions.keep();
                self.written(observer, &[(arg(0), object.to_le_bytes().to_vec())]);
                vec![]
            }
            Exceptional::CopyPointer => {
                let object = self.core.memory.read_vec(arg(1), 8);
                self.written(observer, &[(arg(0), object)]);
                vec![]
            }
            Exceptional::CountPointer => vec![],
            Exceptional::RethrowPointer => {
                let object = self.core.memory.read_word(arg(0));
                if self.run.exceptions.find(object).is_none() {
                    return unknown(self);
                }
                return self.unwind(observer, object, self.core.frames.len());
            }
            Exceptional::TypeFor => match self.selected(arg(0)) {
                Some(selector) => vec![selector],
                None => return unknown(self),
            },
            Exceptional::Uncaught => {
                let under_way = |thrown: &&Thrown| thrown.handlers == 0 || thrown.again;
                vec![self.run.exceptions.thrown.iter().filter(under_way).count() as u64]
            }
            Exceptional::SetTerminate => vec![std::mem::replace(&mut self.run.exceptions.terminate, arg(0))],
            Exceptional::Terminate => return self.terminate(observer, "the program is terminated"),
            Exceptional::Cast if arg(0) == 0 => vec![0],
            Exceptional::Cast => match self.dynamic_cast(arg(0), arg(2)) {
                Some(part) => vec![part],
                None => return unknown(self),
            },
        };
        self.what_if_returns(observer, args, &words)
    }

    /// The selector of a clause that catches a type, for the code of a landing pad. A recorded landing has the selector that
    /// the C++ library gave it; none where it is not known what was thrown then.
    fn selected(&mut self, ty: u64) -> Option<u64> {
        let [exception, selector] = self.core.landed;
        if selector == 0 || selector >= FIRST_TYPE {
            return Some(self.run.exceptions.number(ty));
        }
        let Thrown { object, ty: thrown, .. } = *self.run.exceptions.find(exception.wrapping_add(HEADER))?;
        let Some(offset) = self.catches(ty, thrown)? else { return Some(self.run.exceptions.number(ty)) };
        let caught = self.caught_as(object, thrown, offset);
        self.run.exceptions.find(object).into_iter().for_each(|thrown| thrown.caught = caught);
        Some(selector)
    }

    /// The library throws an exception of its own, with the text of the program or one of its own.
    fn throw_of_library<O: Observer>(
        &mut self,
        observer: &mut O,
        ty: &'static str,
        text: Option<&'static str>,
        given: u64,
    ) -> Flow {
        let block = self.what_if_allocate(observer, BEFORE + HEADER + 16, false);
        if block == 0 {
            return stop(WhatIfStop::External { name: self.external_name() });
        }
        let object = block + BEFORE + HEADER;
        let text = match text {
            Some(text) => text.as_bytes().to_vec(),
            None => self.core.memory.read_string(given, 1 << 16),
        };
        self.make_error(observer, object, &text);
        self.run.exceptions.throw(object, Type::Named(ty), 0);
        self.unwind(observer, object, self.core.frames.len())
    }

    /// Code that has cleaned up hands the exception on.
    pub(crate) fn what_if_resume<O: Observer>(&mut self, observer: &mut O) -> Flow {
        let at = self.at();
        let Op::Resume { a } = *at.op() else { return Flow::Continue };
        let object = at.value(a).wrapping_add(HEADER);
        let depth = at.depth;
        if self.run.exceptions.find(object).is_none() {
            return stop(WhatIfStop::External { name: "_Unwind_Resume".into() });
        }
        let called = self.core.frames[depth].kind == FrameKind::Call;
        if self.core.frames[depth].kind == FrameKind::Inspect {
            return self.leaves(observer, object, depth);
        }
        match depth {
            _ if called || self.is_called_by_free(depth) => self.unwind(observer, object, depth),
            0 => self.terminate(observer, UNCAUGHT),
            _ => stop(WhatIfStop::External { name: "_Unwind_RaiseException".into() }),
        }
    }

    /// The program ends, by a function that it has set for that or by SIGABRT.
    fn terminate<O: Observer>(&mut self, observer: &mut O, what: &str) -> Flow {
        let handler = std::mem::take(&mut self.run.exceptions.terminate);
        match self.function_at(handler) {
            Some(id) => self.call_captured(observer, id, &[], After::Abort),
            None => stop(WhatIfStop::Trap { signal: SIGABRT, what: what.into() }),
        }
    }

    /// The exception with this object goes to where the innermost of so many frames lead it.
    fn unwind<O: Observer>(&mut self, observer: &mut O, object: u64, frames: usize) -> Flow {
        let Some(thrown) = self.run.exceptions.find(object).copied() else {
            return stop(WhatIfStop::External { name: "_Unwind_RaiseException".into() });
        };
        match self.way(thrown, frames) {
            Way::Nowhere => self.terminate(observer, UNCAUGHT),
            Way::Out { depth } => self.leaves(observer, object, depth),
            Way::Unknown => stop(WhatIfStop::External { name: "_Unwind_RaiseException".into() }),
            Way::Land { depth, block, selector, caught } => {
                if let (Some(caught), Some(thrown)) = (caught, self.run.exceptions.find(object)) {
                    thrown.caught = caught;
                }
                self.core.landed = [object.wrapping_sub(HEADER), selector];
                let usp = self.core.frames.get(depth + 1).map_or(self.core.usp, |above| above.usp_before);
                self.drop_pending(depth + 1);
                self.land_at(observer, depth, block, usp);
                Flow::Continue
            }
        }
    }

    /// The exception with this object leaves the function that was called for inspection.
    fn leaves<O: Observer>(&mut self, observer: &mut O, object: u64, depth: usize) -> Flow {
        let ty = self.run.exceptions.find(object).map(|thrown| thrown.ty);
        let mangled = ty.map(|ty| self.name_of_type(ty)).filter(|name| !name.is_empty());
        let complete = mangled.and_then(|name| names::complete(&format!("_ZTI{name}"))).unwrap_or_default();
        let text = complete.strip_prefix("typeinfo for ").unwrap_or_default().to_owned();
        observer.unwind(&self.at(), depth);
        stop(WhatIfStop::Thrown { panic: false, text })
    }

    /// Where an exception goes on: to the first frame that cleans up or catches it, where one catches it at all.
    fn way(&mut self, thrown: Thrown, frames: usize) -> Way {
        let mut first = None;
        for depth in (0..frames).rev() {
            let frame = self.core.frames[depth];
            let model = self.code.model(frame.function);
            let pad = unwinds_to(model, frame.pc).and_then(|block| Some((block, pad_of(model, block)?)));
            if let Some((block, pc)) = pad
                && let Op::LandingPad { pad, .. } = model.code[pc as usize]
            {
                let pad = model.pads[pad as usize].clone();
                for clause in &pad.clauses {
                    let Clause::Catch(ty) = *clause else { return Way::Unknown };
                    let ty = if ty.is_const() { self.code.consts(frame.function)[ty.index() as usize] } else { 0 };
                    match self.catches(ty, thrown.ty) {
                        None => return Way::Unknown,
                        Some(None) => {}
                        Some(Some(offset)) => {
                            let selector = self.run.exceptions.number(ty);
                            let caught = Some(self.caught_as(thrown.object, thrown.ty, offset));
                            return first.unwrap_or(Way::Land { depth, block, selector, caught });
                        }
                    }
                }
                if pad.cleanup && first.is_none() {
                    first = Some(Way::Land { depth, block, selector: 0, caught: None });
                }
            }
            if frame.kind == FrameKind::Inspect {
                return first.unwrap_or(Way::Out { depth });
            }
            if frame.kind != FrameKind::Call {
                let outermost = depth == 0;
                let passes = self.is_called_by_free(depth);
                if outermost {
                    return Way::Nowhere;
                }
                if !passes {
                    return Way::Unknown;
                }
            }
        }
        Way::Nowhere
    }
}

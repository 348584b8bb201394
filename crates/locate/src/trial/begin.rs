//! What is changed where a trial run begins.

use std::ops::Range;

use whydunit_replay::{At, Change as Step, Machine, Observer, Stop, WhatIfStop};

use crate::Error;

/// What is changed where a trial run begins.
pub(crate) enum Begin {
    /// Nothing.
    AsItIs,
    /// The operation there, or the state before it.
    With(Step),
    /// The state behind the operation there.
    Behind(Step),
    /// It does not fit there.
    Unfit,
}

/// What a change puts in its place, from nowhere.
#[derive(Default)]
pub(super) struct Put {
    /// Slots, by their indices in [`Core::slots`](whydunit_replay::Core::slots).
    pub slots: Range<usize>,
    /// Memory: address and bytes.
    pub memory: Option<(u64, u64)>,
}

impl Begin {
    /// Changes it; why the run stops with that, if it does.
    pub fn apply<O: Observer>(&self, machine: &mut Machine, observer: &mut O) -> Result<Option<WhatIfStop>, Error> {
        let unfit = || Some(WhatIfStop::NoChange { reason: "no other value fits there".to_string() });
        let step = match self {
            Begin::AsItIs => return Ok(None),
            Begin::Unfit => return Ok(unfit()),
            Begin::With(step) => step,
            Begin::Behind(step) => {
                let mut one = (OneStep { done: false }, &mut *observer);
                if !matches!(machine.go_on(&mut one)?, Stop::Asked) {
                    return Ok(unfit());
                }
                step
            }
        };
        Ok(machine.change(step, observer)?)
    }

    /// What it puts where the machine stands, before it is applied.
    pub(super) fn put(&self, at: &At<'_>) -> Put {
        let (Begin::With(step) | Begin::Behind(step)) = self else { return Put::default() };
        let of = |first: usize, words: usize| Put { slots: first..first + words, memory: None };
        match step {
            Step::Slot { depth, slot, .. } => {
                of(at.core.frames.get(*depth).map_or(0, |frame| frame.base + *slot as usize), 1)
            }
            Step::Memory { address, bytes } => Put { memory: Some((*address, bytes.len() as u64)), ..Put::default() },
            Step::SkipOp { .. } => {
                whydunit_model::destination(at.op()).map_or_else(Put::default, |slot| of(at.base + slot as usize, 1))
            }
            Step::SkipCall { words } => called(at).map_or_else(Put::default, |slot| of(slot, words.len())),
            Step::Return { words } => {
                let slot = at.caller().and_then(|caller| called(&caller));
                slot.map_or_else(Put::default, |slot| of(slot, words.len()))
            }
            Step::Branch { .. } => Put::default(),
        }
    }
}

/// Where the result of the call at which a frame stands comes.
fn called(at: &At<'_>) -> Option<usize> {
    let call = match *at.model.code.get(at.pc as usize)? {
        whydunit_model::Op::Call { call } => at.model.calls.get(call as usize)?,
        _ => return None,
    };
    Some(at.base + call.dst as usize)
}

/// Stops after one operation.
struct OneStep {
    done: bool,
}

impl Observer for OneStep {
    const STOPS: bool = true;

    fn stop(&mut self, _: &At<'_>) -> bool {
        std::mem::replace(&mut self.done, true)
    }
}

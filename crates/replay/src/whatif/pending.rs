//! Captured functions that are called by library functions which a what-if run computes: the call of those is done when they have
//! returned.

use super::stop;
use crate::function_id::FuncId;
use crate::machine::{Flow, Machine};
use crate::observer::Observer;
use crate::run::{After, Pending, WhatIfStop};
use crate::signals::SIGABRT;
use crate::state::{FrameKind, Waits};

impl Machine {
    /// The library function under way calls a captured one.
    pub(super) fn call_captured<O: Observer>(
        &mut self,
        observer: &mut O,
        id: FuncId,
        words: &[u64],
        after: After,
    ) -> Flow {
        let depth = self.core.frames.len() - 1;
        let Some(what_if) = self.what_if.as_mut() else { return stop(WhatIfStop::Limit { what: "the recording" }) };
        if depth >= what_if.base_depth + what_if.limits.depth {
            return stop(WhatIfStop::Limit { what: "depth" });
        }
        what_if.pending.push(Pending { depth, after });
        self.core.frames[depth].waits = Waits::External;
        let usp = self.core.usp.wrapping_sub(256) & !15;
        self.enter_from_outside(observer, id, words, FrameKind::Callback, usp);
        Flow::Continue
    }

    /// The captured function that the innermost frame's library function had called has returned, if there is one.
    pub(super) fn finish_pending<O: Observer>(&mut self, observer: &mut O) -> Option<Flow> {
        let depth = self.core.frames.len().checked_sub(1)?;
        let what_if = self.what_if.as_mut()?;
        let pending = what_if.pending.pop_if(|pending| pending.depth == depth)?;
        let result = what_if.left.map_or(0, |left| left.value);
        let args = self.arguments();
        let words = match pending.after {
            After::Nothing => vec![],
            After::Same => vec![result],
            After::Abort => {
                let what = "the program is terminated".to_string();
                return Some(stop(WhatIfStop::Trap { signal: SIGABRT, what }));
            }
            After::Order(ordering) => return Some(self.go_on_ordering(observer, ordering, Some(result as i32))),
            After::Formatted { result } => vec![0; usize::from(result)],
            After::Place { buffer, bytes } => vec![buffer, u64::from(result != bytes)],
        };
        Some(self.what_if_returns(observer, &args, &words))
    }

    /// Whether a library function that is computed has called the function of a frame.
    pub(super) fn is_called_by_free(&self, depth: usize) -> bool {
        self.what_if.as_ref().is_some_and(|what_if| what_if.pending.iter().any(|pending| pending.depth + 1 == depth))
    }

    /// So many frames are left: what the others had called is under way no more.
    pub(super) fn drop_pending(&mut self, frames: usize) {
        if let Some(what_if) = &mut self.what_if {
            what_if.pending.retain(|pending| pending.depth + 1 < frames);
        }
    }
}

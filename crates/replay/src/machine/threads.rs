//! Switches between threads, as the recording has them.

use whydunit_recording::Switch;

use super::{Flow, Machine};
use crate::divergence::Result;
use crate::observer::Observer;

impl Machine {
    /// The running thread ends.
    pub(crate) fn thread_ends<O: Observer>(&mut self, observer: &mut O) {
        self.core.end_thread();
        observer.unwind(&self.at(), 0);
    }

    /// Another thread runs from here on.
    pub(crate) fn switch<O: Observer>(&mut self, observer: &mut O, switch: &Switch) -> Result<Flow> {
        let known = self.core.threads.has_run(switch.thread);
        if known == switch.new.is_some() {
            let expected = format!("a switch to thread {}", switch.thread);
            let got = if known { "that thread has run before" } else { "that thread has not begun" };
            return Err(self.divergence(expected, got));
        }
        let from = self.core.threads.running();
        let mode = self.core.switch_thread(switch, self.run.rounding.thread_mode());
        self.run.rounding.set_mode(mode);
        if let Some(track) = self.track.as_mut().filter(|_| O::TRACKS) {
            track.switched(from, switch.thread);
        }
        observer.switched(&self.at(), from, switch.thread);
        Ok(Flow::Continue)
    }
}

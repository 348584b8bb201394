//! A machine whose run is followed at the speed of pre-decoded code.

use crate::function_id::FuncId;
use crate::machine::Machine;
use crate::marks::Tracked;
use crate::observer::Observer;
use crate::track::{LineCodes, Track, TrackedThread};

impl Machine {
    /// From here on a run that is watched by an observer with [`Observer::TRACKS`](crate::Observer::TRACKS) is followed. The machine stands
    /// at the start of its run.
    pub fn track(&mut self, lines: LineCodes) {
        self.core.begun = 0;
        self.track = Some(Box::new(Track::new(lines)));
    }

    /// The run is followed no more.
    pub fn untrack(&mut self) {
        self.track = None;
        self.code.forget_tracked();
    }

    /// What was followed of each thread that has run; none where nothing is.
    pub fn tracked(&self) -> Vec<TrackedThread> {
        self.track.as_ref().map_or_else(Vec::new, |track| track.threads())
    }

    /// The first position at which a frame came to a line of the program's own; `None`: none has.
    pub fn first_own(&self) -> Option<u64> {
        self.track.as_ref().and_then(|track| track.first_own())
    }

    /// The lines that frames came to since that was asked last: functions, and codes of lines.
    pub fn take_passed(&mut self) -> Vec<(FuncId, u64)> {
        let functions = (0..self.code.functions()).map(FuncId);
        let tracked = functions.filter_map(|id| Some((id, self.code.function(id).tracked.as_ref()?)));
        tracked.flat_map(|(id, tracked)| tracked.take_passed().map(move |line| (id, line))).collect()
    }

    /// Makes the innermost function's code with marks, where it lacks it.
    #[inline]
    pub(crate) fn make_tracked(&mut self) {
        let Machine { core, code, track, .. } = self;
        if let (Some(track), Some(frame)) = (track, core.frames.last())
            && code.function(frame.function).tracked.is_none()
        {
            let tracked = Tracked::of(code.model(frame.function), &(track.lines)(code, frame.function));
            code.function_mut(frame.function).tracked = Some(Box::new(tracked));
            // Calls that are known whom they call are kept there.
            code.prepare(frame.function);
        }
    }

    /// The innermost frame was entered.
    pub(crate) fn track_entry<O: Observer>(&mut self) {
        if O::TRACKS
            && let Some(track) = &mut self.track
        {
            track.entered(&self.code, &self.core.frames, self.core.begun);
        }
    }
}

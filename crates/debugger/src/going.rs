//! A movement through a run, and what may end it before its goal.

use whydunit_model::Op;
use whydunit_process::Cancel;
use whydunit_replay::{At, Entry, Observer};

use crate::Position;
use crate::course::Course;

/// The end of a request is looked for each so many operations.
pub(crate) const PATIENCE: u64 = 1 << 14;

/// Where a movement may end before its goal.
pub(crate) trait Halts {
    /// Asked before each operation, the first and the last one of a movement included.
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool;
}

/// Nowhere.
pub(crate) struct Nowhere;

impl Halts for Nowhere {
    #[inline(always)]
    fn halts(&mut self, _: &At<'_>, _: &mut Course) -> bool {
        false
    }
}

/// Follows a run to where its movement ends.
pub(crate) struct Going<'a, H> {
    pub course: &'a mut Course,
    pub halts: &'a mut H,
    pub until: Position,
    pub cancel: &'a Cancel,
}

impl<H: Halts> Observer for Going<'_, H> {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    #[inline]
    fn stop(&mut self, at: &At<'_>) -> bool {
        let halts = self.halts.halts(at, self.course);
        let position = self.course.position;
        halts || position >= self.until || position.is_multiple_of(PATIENCE) && self.cancel.is_cancelled()
    }

    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        self.course.op(at);
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        self.course.enter(at);
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.course.switched(from, to);
    }
}

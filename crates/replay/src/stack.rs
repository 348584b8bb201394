//! The calls under way, and which of them are the program's own.

use whydunit_model::paths;

use crate::divergence::Position;
use crate::observer::At;

impl Position {
    /// Whether it is in the source of a library, or of a test framework.
    pub fn in_library(&self) -> bool {
        paths::is_library(&self.file) || paths::is_framework(&self.file)
    }
}

impl<'a> At<'a> {
    /// Where the run stands in the frame below the present one; none below the outermost.
    pub fn caller(&self) -> Option<At<'a>> {
        let depth = self.depth.checked_sub(1)?;
        let frame = self.core.frames.get(depth)?;
        let (function, pc, base) = (frame.function, frame.pc, frame.base);
        let (model, consts) = (self.code.model(function), self.code.consts(function));
        Some(At { model, consts, depth, function, pc, base, ..*self })
    }

    /// Where the run stands in each frame, the present one first; none outside captured code.
    pub fn frames(&self) -> impl Iterator<Item = At<'a>> {
        std::iter::successors(self.in_frame().then_some(*self), At::caller)
    }

    /// The present position, then those of the calls in whose place its code stands.
    pub fn positions(&self) -> impl Iterator<Item = Position> + use<'a> {
        self.code.positions(self.function, self.pc)
    }

    /// The positions of all frames, innermost first.
    pub fn stack(&self) -> impl Iterator<Item = Position> {
        self.frames().flat_map(|frame| frame.positions())
    }

    /// The positions of all frames, innermost first, from the innermost that is in no library on; all where there is none. What a
    /// library does wrong is the fault of who called it.
    pub fn own_stack(&self) -> Vec<Position> {
        let mut stack: Vec<Position> = self.stack().collect();
        let own = stack.iter().position(|position| !position.in_library()).unwrap_or(0);
        stack.drain(..own);
        stack
    }

    /// The innermost position that is in no library, or else the present one; none outside captured code. What a library
    /// does is the matter of who called it.
    pub fn own_position(&self) -> Option<Position> {
        self.stack().find(|position| !position.in_library()).or_else(|| self.stack().next())
    }
}

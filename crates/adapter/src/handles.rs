//! Numbers by which a client names frames and values of one stop. No number is used twice in a session.

use whydunit_causes::variables::Found;
use whydunit_debugger::FrameId;

use crate::refusal::Refusal;

/// What has variables.
#[derive(Clone, Debug)]
pub enum Reference {
    /// The variables in scope.
    Locals(FrameId),
    /// The globals of a frame's module.
    Globals(FrameId),
    /// The parts of a value, and what it comes from.
    Value(FrameId, Found),
    /// What a value comes from: of a frame, by an expression.
    Cause(FrameId, String),
}

/// The numbers of a stop.
#[derive(Default)]
pub struct Handles {
    first: u64,
    frames: Vec<FrameId>,
    references: Vec<Reference>,
}

impl Handles {
    /// From here on all numbers are unknown.
    pub fn clear(&mut self) {
        self.first += self.frames.len().max(self.references.len()) as u64;
        self.frames.clear();
        self.references.clear();
    }

    /// The number of a frame.
    pub fn frame(&mut self, frame: FrameId) -> u64 {
        let known = self.frames.iter().position(|known| *known == frame);
        let index = known.unwrap_or_else(|| {
            self.frames.push(frame);
            self.frames.len() - 1
        });
        self.first + index as u64 + 1
    }

    /// The frame of a number.
    pub fn frame_of(&self, number: u64) -> Result<FrameId, Refusal> {
        let index = number.checked_sub(self.first + 1).and_then(|index| usize::try_from(index).ok());
        let frame = index.and_then(|index| self.frames.get(index));
        frame.copied().ok_or_else(|| Refusal::new(format!("there is no frame {number} at this stop")))
    }

    /// The number of what has variables.
    pub fn reference(&mut self, reference: Reference) -> u64 {
        self.references.push(reference);
        self.first + self.references.len() as u64
    }

    /// What has variables, by its number.
    pub fn reference_of(&self, number: u64) -> Result<&Reference, Refusal> {
        let index = number.checked_sub(self.first + 1).and_then(|index| usize::try_from(index).ok());
        let reference = index.and_then(|index| self.references.get(index));
        reference.ok_or_else(|| Refusal::new(format!("there are no variables {number} at this stop")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_an_earlier_stop_are_unknown() {
        let frame = FrameId { thread: 0, depth: 1, place: 0 };
        let mut handles = Handles::default();
        let (number, again) = (handles.frame(frame), handles.frame(frame));
        assert_eq!((number, handles.frame_of(number)), (again, Ok(frame)));
        let variables = handles.reference(Reference::Locals(frame));
        assert!(handles.reference_of(variables).is_ok() && handles.reference_of(0).is_err());
        handles.clear();
        assert!(handles.frame_of(number).is_err() && handles.reference_of(variables).is_err());
        assert!(handles.frame_of(u64::MAX).is_err());
        assert_ne!(handles.frame(frame), number);
    }
}

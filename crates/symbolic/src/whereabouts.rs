//! Which object of the program an address lies in.

use whydunit_replay::At;

use crate::effects::Analysis;

/// Finds the live objects of a run.
#[derive(Default)]
pub struct Whereabouts {
    analysis: Analysis,
}

impl Whereabouts {
    /// The global, stack object or heap block that an address lies in: its start and its bytes.
    pub fn object(&mut self, at: &At<'_>, address: u64) -> Option<(u64, u64)> {
        self.analysis.global_at(at.code, address).or_else(|| live_object(at, address))
    }
}

/// The object of the stack or the heap that an address lies in: its start and its bytes.
pub(crate) fn live_object(at: &At<'_>, address: u64) -> Option<(u64, u64)> {
    let inside = |&(start, size): &(u64, u64)| address.wrapping_sub(start) < size;
    stack_objects(at).find(inside).or_else(|| at.core.heap.live().find(inside))
}

/// The live objects of the stack: their starts and their bytes.
pub(crate) fn stack_objects<'a>(at: &'a At<'_>) -> impl Iterator<Item = (u64, u64)> + 'a {
    let fixed = at.core.frames.iter().flat_map(|frame| {
        let objects = at.code.model(frame.function).stack.iter();
        objects.filter(|object| !object.dynamic).map(|object| (frame.stack_base + object.offset, object.size))
    });
    fixed.chain(at.core.dynamic.iter().map(|object| (object.address, object.size)))
}

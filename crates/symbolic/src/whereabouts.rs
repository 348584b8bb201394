//! Which object of the program an address lies in.

use whydunit_replay::At;

use crate::access::live_object;
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

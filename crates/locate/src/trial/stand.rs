//! Places of a recorded run that trial runs start from.

use whydunit_replay::{FuncId, Machine, Snapshot};

/// Where a run stands.
#[derive(Clone)]
pub(crate) struct Stand {
    pub here: Snapshot,
    /// At which operation.
    pub site: (FuncId, u32),
    /// Bytes printed before.
    pub printed: usize,
}

impl Stand {
    /// Where the machine stands, after so many bytes were printed.
    pub fn here(machine: &mut Machine, printed: usize) -> Self {
        let site = (machine.at().function, machine.at().pc);
        Self { here: machine.snapshot(), site, printed }
    }
}

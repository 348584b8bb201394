//! What a what-if run may touch: memory of which the replay knows what is there.

use super::stop;
use crate::machine::{Flow, Machine, accessed};
use crate::role::{Model, Print};
use crate::run::{PRIVATE_HEAP, WhatIfStop};
use crate::signals::SIGSEGV;
use crate::state::is_on_stack;

/// In accesses larger than this every page must be known.
const LARGE_ACCESS: u64 = 16 << 20;
const PAGE_STEP: usize = 4096;
/// So many bytes that are copied or filled count as one instruction.
const BYTES_OF_INSTRUCTION: u64 = 64;

impl Machine {
    /// Whether the operation at which a what-if run stands touches memory that is unknown.
    pub(crate) fn check_what_if_access(&mut self) -> Flow {
        let ranges = accessed(&self.at());
        for &(address, size) in &ranges {
            if let Some(flow) = self.what_if_range(address, size) {
                return flow;
            }
        }
        self.charge(ranges.iter().map(|range| range.1)).map_or(Flow::Continue, stop)
    }

    /// Counts the bytes that one operation or call touches as instructions: a length that went wrong would fill all memory, at
    /// no price. Why the run ends, where that is too many.
    pub(super) fn charge(&mut self, sizes: impl Iterator<Item = u64>) -> Option<WhatIfStop> {
        let bytes = sizes.fold(0, u64::saturating_add);
        let core = &mut self.core;
        core.instructions = core.instructions.saturating_add(bytes / BYTES_OF_INSTRUCTION);
        self.what_if_limit()
    }

    /// Why a call of a function that is computed cannot be made.
    pub(super) fn check_model(&mut self, model: Model, args: &[u64]) -> Option<WhatIfStop> {
        let ranges = model.accesses(&self.core.memory, args);
        let unknown = ranges.iter().find(|&&(start, size)| size > 0 && !self.what_if_knows(start));
        match unknown {
            Some(&(address, _)) => Some(WhatIfStop::UnknownMemory { address }),
            None => self.charge(ranges.iter().map(|range| range.1)),
        }
    }

    /// Why a call that prints cannot be made.
    pub(super) fn check_print(&self, print: Print, args: &[u64]) -> Option<WhatIfStop> {
        let (address, size) = print.reads(args).filter(|range| range.1 > 0)?;
        let most = self.what_if.as_ref().map_or(0, |what_if| what_if.limits.output);
        if !self.what_if_knows(address) {
            return Some(WhatIfStop::UnknownMemory { address });
        }
        (size > most as u64).then_some(WhatIfStop::Limit { what: "output" })
    }

    fn what_if_range(&self, address: u64, size: u64) -> Option<Flow> {
        if size == 0 {
            return None;
        }
        if address < 0x10000 || address >> 47 != 0 {
            let what = format!("access to address {address:#x}");
            return Some(stop(WhatIfStop::Trap { signal: SIGSEGV, what }));
        }
        let last = address.saturating_add(size - 1);
        // A length that went wrong leads from one object far over the gap to the next one.
        let within = if size > LARGE_ACCESS { address..last } else { 0..0 };
        let places = [address, last].into_iter().chain(within.step_by(PAGE_STEP));
        let unknown = places.into_iter().find(|&at| !self.what_if_knows(at));
        unknown.map(|address| stop(WhatIfStop::UnknownMemory { address }))
    }

    /// Whether the replay knows what is at an address, or may make it up.
    pub(crate) fn what_if_knows(&self, address: u64) -> bool {
        self.is_private(address)
            || is_on_stack(address)
            || self.core.memory.is_written(address)
            || self.recall.as_ref().is_some_and(|recall| recall.zeros.contains(&(address & !7)))
            || self.is_known_object(address)
            || self.is_place_of_result(address)
    }

    /// Whether an address lies in the heap of the what-if run.
    pub(super) fn is_private(&self, address: u64) -> bool {
        let end = self.what_if.as_ref().map_or(PRIVATE_HEAP, |what_if| what_if.bump);
        (PRIVATE_HEAP..end).contains(&address)
    }

    /// Whether an address lies in a global of a loaded module (zero and never written) or a heap block.
    fn is_known_object(&self, address: u64) -> bool {
        let modules = &self.code.modules()[..self.run.symbols.loaded as usize];
        modules.iter().any(|module| {
            let globals = module.model.globals.iter().zip(&module.globals);
            globals.into_iter().any(|(global, &at)| {
                at != 0 && global.linkage != whydunit_model::Linkage::Declared && address.wrapping_sub(at) < global.size
            })
        }) || self.core.heap.live().any(|(at, size)| address.wrapping_sub(at) < size)
    }
}

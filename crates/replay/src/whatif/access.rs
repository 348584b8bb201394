//! What a what-if run may touch: memory of which the replay knows what is there.

use whydunit_model::Op;

use super::stop;
use crate::machine::{Flow, Machine, accessed};
use crate::memory::page_of;
use crate::observer::{At, Observer};
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
        let (moves, written) = effect(&self.at());
        if let Some(address) = if moves { None } else { self.first_hidden(&ranges, written) } {
            return stop(WhatIfStop::UnknownMemory { address });
        }
        self.writes(moves, written, &ranges);
        self.charge(ranges.iter().map(|range| range.1)).map_or(Flow::Continue, stop)
    }

    /// What is written is known from here on: the range that begins at `written`, to which another one is moved or not.
    fn writes(&mut self, moves: bool, written: Option<u64>, ranges: &[(u64, u64)]) {
        let Some(&(to, size)) = ranges.iter().find(|range| Some(range.0) == written) else { return };
        match ranges.iter().find(|range| range.0 != to) {
            Some(&(from, _)) if moves => self.carry(to, from, size),
            // Moved to where it is already.
            None if moves => {}
            _ => self.know(to, size),
        }
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
        let unknown = ranges.iter().find(|&&(start, size)| size > 0 && !self.is_there(start)).map(|range| range.0);
        let moves = model.moves();
        let all_known = moves || !self.core.memory.has_partly();
        let needs = || if all_known { Vec::new() } else { model.needs(&self.core.memory, args) };
        let unknown = unknown.or_else(|| self.first_hidden(&needs(), model.overwrites(args)));
        if let Some(address) = unknown {
            return Some(WhatIfStop::UnknownMemory { address });
        }
        self.writes(moves, model.overwrites(args), &ranges);
        self.charge(ranges.iter().map(|range| range.1))
    }

    /// Why a call that prints cannot be made.
    pub(super) fn check_print(&self, print: Print, args: &[u64]) -> Option<WhatIfStop> {
        let (address, size) = print.reads(args).filter(|range| range.1 > 0)?;
        let most = self.what_if.as_ref().map_or(0, |what_if| what_if.limits.output);
        if size > most as u64 {
            return Some(WhatIfStop::Limit { what: "output" });
        }
        self.what_if_lacks(address, size).map(|address| WhatIfStop::UnknownMemory { address })
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
        let unknown = places.into_iter().find(|&at| !self.is_there(at));
        unknown.map(|address| stop(WhatIfStop::UnknownMemory { address }))
    }

    /// Whether the replay knows what is at an address, or may make it up.
    pub(crate) fn what_if_knows(&self, address: u64) -> bool {
        self.is_there(address) && self.hidden_in(address, 1).next().is_none()
    }

    /// The first byte of a range that the replay does not know; of places of which it knows nothing at all only where the range begins.
    pub(crate) fn what_if_lacks(&self, address: u64, size: u64) -> Option<u64> {
        let start = Some(address).filter(|&start| size > 0 && !self.is_there(start));
        start.or_else(|| self.hidden_in(address, size).next())
    }

    /// Whether the replay knows something of the place of an address, or may make it up.
    fn is_there(&self, address: u64) -> bool {
        self.is_private(address)
            || is_on_stack(address)
            || self.core.memory.is_written(address)
            || self.recall.as_ref().is_some_and(|recall| recall.zeros.contains(&(address & !7)))
            || self.is_known_object(address)
            || self.is_place_of_result(address)
    }

    /// The first byte of these ranges that is not known, but for the range that begins at `written`, which is overwritten.
    fn first_hidden(&self, ranges: &[(u64, u64)], written: Option<u64>) -> Option<u64> {
        let mut read = ranges.iter().filter(|range| Some(range.0) != written);
        read.find_map(|&(address, size)| self.hidden_in(address, size).next())
    }

    /// The bytes of a range that are not known, in pages that are known in part.
    fn hidden_in(&self, address: u64, size: u64) -> impl Iterator<Item = u64> + '_ {
        let known = self.recall.as_ref().zip(self.what_if.as_ref());
        known.into_iter().flat_map(move |(recall, what_if)| {
            let hides = |word: u64| recall.later.hides(word, what_if.first_instruction) && !self.is_known_object(word);
            let parts = self.core.memory.partly_in(address, size);
            parts.flat_map(move |(start, bytes)| what_if.knowledge.unknown(start, bytes, hides))
        })
    }

    /// The run moves bytes: of those that are not known the copies are not known either.
    fn carry(&mut self, to: u64, from: u64, size: u64) {
        if !self.core.memory.has_partly() {
            return;
        }
        let lost: Vec<u64> = self.hidden_in(from, size).map(|address| address.wrapping_sub(from)).collect();
        self.know(to, size);
        let Some(what_if) = &mut self.what_if else { return };
        for copy in lost.into_iter().map(|offset| to.wrapping_add(offset)) {
            what_if.knowledge.forget(copy, 1);
            self.core.memory.doubt_page(page_of(copy));
        }
    }

    /// What is in these bytes is not known any more.
    pub(super) fn doubt(&mut self, address: u64, size: u64) {
        let Some(what_if) = &mut self.what_if else { return };
        what_if.knowledge.forget(address, size);
        self.core.memory.doubt_page(page_of(address));
    }

    /// Copies bytes that a library function moves to a place of its own.
    pub(super) fn copy_block<O: Observer>(&mut self, observer: &mut O, to: u64, from: u64, size: u64) {
        observer.moved(&self.at(), to, from, size);
        self.core.memory.copy(to, from, size);
        self.carry(to, from, size);
    }

    /// What is in these bytes is known from here on: the run has written them.
    pub(crate) fn know(&mut self, address: u64, size: u64) {
        let parts: Vec<(u64, u64)> = self.core.memory.partly_in(address, size).collect();
        for (start, bytes) in parts {
            let Some(what_if) = &mut self.what_if else { return };
            let page = page_of(start);
            let others = self.recall.as_ref().is_some_and(|recall| recall.later.pages.contains(&page));
            if what_if.knowledge.write(start, bytes, others) {
                self.core.memory.know_page(page);
            }
        }
    }

    /// Whether an address lies in the heap of the what-if run.
    pub(super) fn is_private(&self, address: u64) -> bool {
        let end = self.what_if.as_ref().map_or(PRIVATE_HEAP, |what_if| what_if.bump);
        (PRIVATE_HEAP..end).contains(&address)
    }

    /// Whether an address lies in a global of a loaded module (zero and never written) or a heap block.
    pub(super) fn is_known_object(&self, address: u64) -> bool {
        let modules = &self.code.modules()[..self.run.symbols.loaded as usize];
        modules.iter().any(|module| {
            let globals = module.model.globals.iter().zip(&module.globals);
            globals.into_iter().any(|(global, &at)| {
                at != 0 && global.linkage != whydunit_model::Linkage::Declared && address.wrapping_sub(at) < global.size
            })
        }) || self.core.heap.live().any(|(at, size)| address.wrapping_sub(at) < size)
    }
}

/// Whether an operation moves a range to another place, and where the range begins that it only writes, all of it.
fn effect(at: &At<'_>) -> (bool, Option<u64>) {
    match *at.op() {
        Op::MemMove { dst, .. } | Op::ByvalCopy { dst, .. } | Op::VaCopy { dst, .. } => (true, Some(at.value(dst))),
        Op::Store { addr, .. } => (false, Some(at.value(addr))),
        Op::MemSet { dst, .. } => (false, Some(at.value(dst))),
        Op::VaStart { list } => (false, Some(at.value(list))),
        _ => (false, None),
    }
}

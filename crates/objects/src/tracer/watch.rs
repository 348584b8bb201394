//! The tracer as an observer of a replay.

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, End, Entry, External, HeapBlock, Observer, Writer};

use super::Tracer;

impl Observer for Tracer<'_> {
    const OPS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        match *op {
            Op::Store { ty, value, addr } => {
                self.stored(at, at.value(addr), u64::from(ty.bytes()), Some(value));
                self.writes(at, at.value(addr), true);
            }
            Op::Load { ty, addr, .. } => self.reads(at.value(addr), u64::from(ty.bytes())),
            Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => {
                self.reads(at.value(addr), u64::from(ty.bytes()));
                self.stored(at, at.value(addr), u64::from(ty.bytes()), None);
                self.writes(at, at.value(addr), true);
            }
            _ => {}
        }
    }

    fn enter(&mut self, at: &At<'_>, _entry: &Entry<'_>) {
        self.clock += 1;
        self.frame_begins(at);
        if let Some(method) = self.info(at) {
            self.entered(at, method);
        }
        self.given(at);
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.left_function(at, result);
        self.reads.gone(at.depth);
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.unwound(at, depth);
        self.reads.gone(depth);
    }

    fn read(&mut self, _at: &At<'_>, address: u64, size: u64) {
        self.reads(address, size);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.reads(from, size);
        if !matches!(at.op(), Op::ByvalCopy { .. }) && size > 0 {
            self.writes(at, to, true);
        }
        self.overwritten(to, size);
        let moved = self.moved_range(at, to, from, size);
        self.range_copied(at, (to, from, size), &moved);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        let zero = matches!(*at.op(), Op::MemSet { value, .. } if at.value(value) & 0xff == 0);
        self.range_written(at, address, size, zero);
        if size > 0 {
            self.writes(at, address, true);
        }
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        if writer == Writer::External {
            self.writes(at, address, false);
        }
        if self.places.may_touch(address, size) {
            self.range_written(at, address, size, false);
        }
    }

    fn allocated(&mut self, _at: &At<'_>, block: HeapBlock) {
        self.clock += 1;
        self.block_begins(block);
    }

    fn external_done(&mut self, _at: &At<'_>, call: &External<'_>, result: &[u64]) {
        if call.name == "__errno_location" {
            self.origins.errno = result.first().copied().unwrap_or(0);
        }
    }

    fn freed(&mut self, _at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if let Some(block) = block {
            self.block_freed(address, address + block.size);
            self.origins.blocks.remove(&address);
        }
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        match call.name {
            "__cxa_throw" => {
                self.thrown = call.args.get(1).map(|&address| type_name(at, address));
                self.failing();
            }
            // Whatever leaves a method from here on is another exception.
            "__cxa_begin_catch" => self.thrown = None,
            name if self.thrown.is_none() && (name.contains("panic") || name == "_Unwind_RaiseException") => {
                self.thrown = Some(String::new());
                self.failing();
            }
            _ => {}
        }
    }

    fn switched(&mut self, _at: &At<'_>, from: u32, to: u32) {
        self.stack.switch(from, to, Vec::new);
        self.origins.frames.switch(from, to, Vec::new);
        self.reads.given.switch(from, to, Vec::new);
        self.thread = to;
    }

    fn end(&mut self, at: &At<'_>, end: &End) {
        if let End::Fault { signal, .. } = end {
            let reason = whydunit_process::signal_name(*signal);
            self.killed(at, &reason);
        }
    }
}

/// The name of the type whose description lies at an address.
fn type_name(at: &At<'_>, address: u64) -> String {
    let symbol = at.code.modules().iter().find_map(|module| {
        let mut globals = module.model.globals.iter().zip(&module.globals);
        globals.find(|(_, known)| **known == address).map(|(global, _)| global.name.clone())
    });
    let complete = symbol.and_then(|symbol| whydunit_model::names::complete(&symbol)).unwrap_or_default();
    complete.strip_prefix("typeinfo for ").unwrap_or_default().to_owned()
}

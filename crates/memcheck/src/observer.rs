//! What the checker does at each hook of the replay.

use whydunit_model::{Call, Linkage, Op, Opnd, Scalar};
use whydunit_replay::{
    At, End, Entry, External, ExternalKind, FrameKind, HeapBlock, Observer, VariadicWord, Writer, is_on_stack,
};

use crate::checker::{Fault, Memcheck, words};
use crate::object::{Chain, What};
use crate::outside::pointers_in;
use crate::report::Kind;
use crate::slots::Known;
use crate::tag::Tag;

const NULL_PAGE: u64 = 4096;

impl Memcheck {
    /// The arguments of a call of captured code come into the callee's parameters.
    fn arguments(&mut self, at: &At<'_>, caller: &At<'_>, call: &Call) {
        for (number, param) in at.model.params.iter().enumerate() {
            let (arg, taken) = (call.args.get(number), words(&param.leaves));
            let passed = arg.map_or(0, |arg| words(&arg.leaves));
            for word in 0..taken {
                let known = match arg {
                    Some(arg) if word < passed => self.whole(caller, arg.value.word(word)),
                    _ => Known::default(),
                };
                self.set(at, param.slot + word, known);
            }
        }
    }

    /// The variadic arguments of such a call come into memory.
    fn variadic(&mut self, caller: &At<'_>, call: &Call, variadic: &[VariadicWord]) {
        for word in variadic {
            let Some(arg) = call.args.get(word.arg as usize) else { continue };
            if let Some(from) = word.from {
                self.shadow.moved(word.address, from, word.size);
                continue;
            }
            let known = self.whole(caller, arg.value.word(word.word));
            self.shadow.store(word.address, word.size.min(8) as u32, known.undefined, known.tag);
        }
    }

    /// A call's results come into the caller's slots; `result` gives the words that there are.
    fn results(&mut self, base: usize, call: &Call, mut result: impl FnMut(&mut Self, u32) -> Option<Known>) {
        for word in 0..words(&call.ret) {
            let known = result(self, word).unwrap_or_default();
            self.slots.set(base + (call.dst + word) as usize, known);
        }
    }

    /// Ranges are checked against the objects of the operands of their operation or, in an external function, against those
    /// of its arguments.
    fn object_written(&mut self, at: &At<'_>, address: u64) -> Tag {
        match *at.op() {
            Op::MemMove { dst, .. } | Op::ByvalCopy { dst, .. } | Op::VaCopy { dst, .. } => self.whole(at, dst).tag,
            Op::MemSet { dst, .. } => self.whole(at, dst).tag,
            Op::VaStart { list } => self.whole(at, list).tag,
            Op::Call { .. } => self.base(address),
            _ => Tag::NONE,
        }
    }

    fn object_read(&mut self, at: &At<'_>, address: u64) -> Tag {
        match *at.op() {
            Op::MemMove { src, .. } | Op::ByvalCopy { src, .. } | Op::VaCopy { src, .. } => self.whole(at, src).tag,
            Op::Call { .. } => self.base(address),
            _ => Tag::NONE,
        }
    }
}

/// The captured caller of the function that is about to return, and the call.
fn call_below<'a>(at: &At<'a>) -> Option<(At<'a>, &'a Call)> {
    let caller = at.caller().filter(|_| at.frame().kind == FrameKind::Call)?;
    let Op::Call { call } = *caller.model.code.get(caller.pc as usize)? else { return None };
    Some((caller, caller.model.calls.get(call as usize)?))
}

impl Observer for Memcheck {
    const OPS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        self.follow(at, op);
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.slots.grow(at.core.slots.len());
        self.objects.stack.leave_to(at.depth);
        if !matches!(entry, Entry::Call { .. }) {
            self.called_back(at);
        }
        let statics = at.model.stack.iter().enumerate().filter(|(_, object)| !object.dynamic);
        for (number, object) in statics {
            let start = at.frame().stack_base.wrapping_add(object.offset);
            self.stack_object_alive(at, number as u32, start, object.size);
        }
        match (entry, at.caller()) {
            (Entry::Call { call, variadic, .. }, Some(caller)) => {
                self.arguments(at, &caller, call);
                self.variadic(&caller, call, variadic);
            }
            _ => {
                // What is called for inspection is given pointers as they are.
                let inspected = at.frame().kind == FrameKind::Inspect;
                for param in &at.model.params {
                    let pointer = inspected && param.leaves.first() == Some(&Scalar::Ptr);
                    for word in 0..words(&param.leaves) {
                        let tag = if pointer { self.objects.at(at.slot(param.slot + word)) } else { Tag::NONE };
                        self.set(at, param.slot + word, Known { undefined: 0, tag });
                    }
                }
            }
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        let shadow = &mut self.shadow;
        let unwritten = |address: u64, size: u64| shadow.is_undefined(address, size);
        self.wrappers.returns(at, result.map(|(operand, _)| at.value(operand)), unwritten);
        if let Some((caller, call)) = call_below(at) {
            self.results(caller.base, call, |checker, word| {
                let (operand, words) = result?;
                (word < u32::from(words)).then(|| checker.whole(at, operand.word(word)))
            });
        }
        if let Some((operand, _)) = result
            && !matches!(at.frame().kind, FrameKind::Call | FrameKind::Inspect)
        {
            // External code has called, and may keep the result.
            let given = self.objects.at(at.value(operand));
            self.give_objects(&[given]);
            self.escapes(given);
        }
        self.objects.stack.leave_to(at.depth);
    }

    fn unwind(&mut self, _: &At<'_>, depth: usize) {
        self.objects.stack.leave_to(depth);
        self.wrappers.forget();
        self.bases.clear();
    }

    fn stack_object(&mut self, at: &At<'_>, object: u32, address: u64, size: u64) {
        let tag = self.stack_object_alive(at, object, address, size);
        if let Op::Alloca { dst, .. } = *at.op() {
            self.slots.set_defined(at, dst, tag);
        }
    }

    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        let tag = self.object_read(at, address);
        self.access(at, tag, address, size, false);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.read(at, from, size);
        let tag = self.object_written(at, to);
        self.access(at, tag, to, size, true);
        self.copied(tag, from, size);
        self.shadow.moved(to, from, size);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        let tag = self.object_written(at, address);
        self.access(at, tag, address, size, true);
        self.shadow.fill(address, size, false);
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        self.shadow.fill(address, size, false);
        if matches!(writer, Writer::External | Writer::Found) {
            let known = writer == Writer::External && self.calls_known(at);
            self.handed_out(pointers_in(at.memory(), address, size), known);
        }
        // A buffer handed to external code starts where the argument points; other writes may be anywhere.
        if writer == Writer::External
            && let Some(base) = self.bases.iter().find(|base| base.address == address)
        {
            self.access(at, base.tag, address, size, true);
        }
    }

    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {
        self.rust.told = true;
        let place = if at.in_frame() { self.calls.here(at) } else { Chain::default() };
        self.placed(What::Heap, block.address, block.size, place);
        self.wrappers.allocated(at, block.address, block.size, block.defined);
        self.shadow.fill(block.address, block.size, !block.defined);
    }

    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if address == 0 {
            return;
        }
        self.rust.told = true;
        if let Some(block) = block {
            let place = self.calls.here(at);
            self.objects.free(address, place);
            // Whoever gets the place next without our seeing it has filled it.
            self.shadow.fill(address, block.size, false);
            return;
        }
        // A block that external code allocated is unknown here: only what is certainly wrong is reported, by a pointer that
        // was made from the block before it was freed.
        let freed = self.objects.find_freed(address).filter(|object| object.start == address);
        let given = self.objects.get(self.given);
        if let Some(object) = freed.filter(|object| given.is_some_and(|given| given.start == object.start)) {
            self.error(at, Kind::DoubleFree, true, address, 0, Some(object));
        } else if let Some(object) = self.objects.get(self.objects.find(address))
            && address < object.start + object.size
        {
            self.error(at, Kind::InvalidFree, true, address, 0, Some(object));
        }
    }

    fn resized(&mut self, at: &At<'_>, address: u64, before: Option<u64>, size: u64) {
        let place = if at.in_frame() { self.calls.here(at) } else { Chain::default() };
        let Some(before) = before.filter(|_| self.objects.resize(address, size, place)) else {
            return self.allocated(at, HeapBlock { address, size, defined: true });
        };
        if size > before {
            self.shadow.fill(address + before, size - before, true);
        }
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.take_bases(at, call.call);
        self.given = self.bases.first().map(|base| base.tag).unwrap_or_default();
        self.give(call.name);
        self.rust.told = false;
        match call.kind {
            // The allocator moves what a block can hold, which may be more than was asked for.
            ExternalKind::Heap => self.bases.clear(),
            ExternalKind::Modelled => {}
            ExternalKind::Recorded | ExternalKind::Asm => self.believe(at, call.name),
        }
    }

    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        self.printed(at, call);
        let pointer = call.call.ret.first() == Some(&Scalar::Ptr);
        if pointer && call.kind == ExternalKind::Recorded {
            let known = self.calls_known(at);
            self.handed_out(result.first().copied().into_iter(), known);
        }
        // A what-if run makes such calls itself, and has told of the blocks.
        if let Some(does) = whydunit_library::rust_heap(call.name).filter(|_| !self.rust.told) {
            self.rust_heap(at, does, call.args, result.first().copied().unwrap_or(0));
        }
        if call.kind == ExternalKind::Recorded {
            // Callbacks may have called other external code.
            self.take_bases(at, call.call);
        }
        let known = call.kind != ExternalKind::Recorded || whydunit_library::lookup(call.name).is_some();
        self.results(at.base, call.call, |checker, word| {
            let value = *result.get(word as usize)?;
            let tag = if pointer { checker.handed(value, known) } else { Tag::NONE };
            Some(Known { undefined: 0, tag })
        });
        if call.kind == ExternalKind::Recorded {
            self.believe(at, call.name);
        }
        self.bases.clear();
    }

    fn module_loaded(&mut self, at: &At<'_>, index: u32) {
        let Some(loaded) = at.code.modules().get(index as usize) else { return };
        self.constants.clear();
        for (number, (global, &address)) in loaded.model.globals.iter().zip(&loaded.globals).enumerate() {
            // Of a weak or declared one the size here may not be the real one.
            let own = matches!(global.linkage, Linkage::Strong | Linkage::Internal);
            if own && global.size > 0 && address != 0 {
                self.placed(What::Global(index, number as u32), address, global.size, Chain::default());
            }
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.objects.stack.switch(from, to);
        self.wrappers.forget();
        self.bases.switch(from, to, Vec::new);
    }

    fn fault(&mut self, at: &At<'_>, signal: u32, address: u64) {
        // SIGSEGV and SIGBUS in captured code; the access itself stands in the operation.
        if !at.in_frame() || !matches!(signal, 11 | 7) {
            return;
        }
        let (write, size) = match *at.op() {
            Op::Store { ty, .. } => (true, u64::from(ty.bytes())),
            Op::Load { ty, .. } => (false, u64::from(ty.bytes())),
            // Of a range the fault shows one end; the whole of it tells which object it was to lie in.
            Op::MemSet { dst, len, .. } => {
                self.range(at, dst, at.value(len), true);
                (true, at.value(len))
            }
            Op::MemMove { dst, src, len } => {
                self.range(at, dst, at.value(len), true);
                self.range(at, src, at.value(len), false);
                (true, at.value(len))
            }
            Op::Call { call } => return self.faulted_call(at, &at.model.calls[call as usize]),
            _ => return,
        };
        // The stack's overflow is told by the run's end.
        if is_on_stack(at, address) {
            return;
        }
        let kind = if address < NULL_PAGE { Kind::NullPointer } else { Kind::WildPointer };
        if !self.is_reported(at, &[Kind::OutOfBounds, Kind::UseAfterFree, Kind::UseAfterReturn]) {
            self.faulted = Some(Fault { kind, write, address, size });
        }
    }

    fn end(&mut self, at: &At<'_>, end: &End) {
        // A program that handles the signal and goes on meant it.
        if let (End::Fault { .. }, Some(fault)) = (end, self.faulted.take()) {
            self.error(at, fault.kind, fault.write, fault.address, fault.size, None);
        }
        if matches!(end, End::Exited { .. }) {
            self.exits(at);
        }
    }
}

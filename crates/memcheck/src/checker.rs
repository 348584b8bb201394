//! The observer: objects coming and going, accesses, calls.

use std::collections::HashSet;

use whydunit_model::{Callee, Const, Linkage, Op, Opnd, Scalar, Symbol};
use whydunit_replay::{At, Code, End, Entry, External, ExternalKind, FuncId, HeapBlock, Observer, Writer};

use crate::objects::{Object, Objects, Place, Tag, What};
use crate::report::{self, Kind, MemoryError};
use crate::shadow::Shadow;

/// How many errors are kept.
const MOST: usize = 50;
const NULL_PAGE: u64 = 4096;
/// How far beyond the emulated stack an overflowing frame reaches.
const STACK_GUARD: u64 = 1 << 20;

/// What is known of a slot: its undefined bits, and the object that it points to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    pub undefined: u64,
    pub tag: Tag,
}

/// A pointer that the present operation or external call works from.
#[derive(Clone, Copy)]
struct Base {
    address: u64,
    tag: Tag,
}

/// Watches a replay for memory errors.
#[derive(Default)]
pub struct Memcheck {
    pub(crate) slots: Vec<Known>,
    pub(crate) shadow: Shadow,
    objects: Objects,
    /// Result words of the call that returns.
    returned: Vec<Known>,
    bases: Vec<Base>,
    errors: Vec<MemoryError>,
    /// A fault that is an error unless the program handles it.
    faulted: Option<(Kind, bool, u64, u64)>,
    reported: HashSet<(Place, Kind)>,
}

impl Memcheck {
    /// A checker that has seen nothing yet. It must watch from the start of the run.
    pub fn new() -> Self {
        Self::default()
    }

    /// The errors found so far, in the order of the run, one for each place and kind.
    pub fn errors(&self) -> &[MemoryError] {
        &self.errors
    }

    /// The errors found.
    pub fn into_errors(self) -> Vec<MemoryError> {
        self.errors
    }

    pub(crate) fn known(&self, at: &At<'_>, operand: Opnd) -> Known {
        match at.slot_index(operand) {
            Some(index) => self.slots.get(index).copied().unwrap_or_default(),
            None => Known::default(),
        }
    }

    pub(crate) fn set(&mut self, at: &At<'_>, slot: u32, known: Known) {
        if let Some(entry) = self.slots.get_mut(at.base + slot as usize) {
            *entry = known;
        }
    }

    fn place(at: &At<'_>) -> Place {
        Place { function: at.function, pc: at.pc }
    }

    #[cold]
    pub(crate) fn error(
        &mut self,
        at: &At<'_>,
        kind: Kind,
        write: bool,
        address: u64,
        size: u64,
        object: Option<Object>,
    ) {
        if !at.in_frame() || self.errors.len() >= MOST || !self.reported.insert((Self::place(at), kind)) {
            return;
        }
        let frames = at.core.frames[..=at.depth.min(at.core.frames.len().saturating_sub(1))].iter().rev();
        let stack = frames.skip(1).map(|frame| at.code.position(frame.function, frame.pc)).collect();
        self.errors.push(MemoryError {
            kind,
            position: at.position(),
            stack,
            write,
            address,
            size,
            object: object.map(|object| report::describe(at, &object)),
            counter: at.counter(),
            instruction: at.instruction(),
        });
    }

    /// Checks an access through a pointer made from the object `tag`.
    pub(crate) fn access(&mut self, at: &At<'_>, tag: Tag, address: u64, size: u64, write: bool) {
        if size == 0 {
            return;
        }
        if tag.is_none() {
            return self.access_unknown(at, address, size, write);
        }
        match self.objects.get(tag) {
            Some(object) if !object.live => {
                let object = *object;
                self.error(at, Kind::UseAfterFree, write, address, size, Some(object));
            }
            Some(object) => {
                let end = object.start.wrapping_add(object.size);
                if address < object.start || address.wrapping_add(size) > end || address.wrapping_add(size) < address {
                    let object = *object;
                    self.error(at, Kind::OutOfBounds, write, address, size, Some(object));
                }
            }
            // Forgotten objects are locals that are gone, and blocks freed long ago.
            None => match self.objects.find_freed(address) {
                Some(object) => {
                    let object = *object;
                    self.error(at, Kind::UseAfterFree, write, address, size, Some(object));
                }
                None if self.objects.find(address).is_none() => {
                    let object = self.objects.get_dead(tag);
                    self.error(at, Kind::UseAfterReturn, write, address, size, object);
                }
                None => {}
            },
        }
    }

    fn access_unknown(&mut self, at: &At<'_>, address: u64, size: u64, write: bool) {
        if let Some(object) = self.objects.find_freed(address)
            && self.objects.find(address).is_none()
        {
            let object = *object;
            self.error(at, Kind::UseAfterFree, write, address, size, Some(object));
        }
    }

    /// The object of a pointer operand; a constant pointer is looked up by its address.
    pub(crate) fn pointer(&self, at: &At<'_>, operand: Opnd) -> Tag {
        if operand.is_const() {
            self.constant(at.code, at.function, operand, at.value(operand))
        } else {
            self.known(at, operand).tag
        }
    }

    /// The object that a constant of a function points to. A name that is only declared may be the linker's, for the
    /// start of a section: then it is no object of its own.
    fn constant(&self, code: &Code, function: FuncId, operand: Opnd, address: u64) -> Tag {
        let symbol = match code.model(function).consts.get(operand.index() as usize) {
            Some(Const::Addr(Symbol::Global(index), _)) => *index,
            Some(Const::Addr(Symbol::Function(_), _)) => return Tag::NONE,
            _ if address <= u64::from(u32::MAX) => return Tag::NONE,
            _ => return self.objects.find(address),
        };
        let tag = self.objects.find(address);
        let Some(global) = code.module_of(function).globals.get(symbol as usize) else { return tag };
        if global.linkage != Linkage::Declared {
            return tag;
        }
        let named = match self.objects.get(tag).map(|object| object.what) {
            Some(What::Global(module, number)) => {
                let module = code.modules().get(module as usize);
                module.and_then(|module| module.model.globals.get(number as usize)).map(|own| &own.name)
            }
            _ => None,
        };
        if named == Some(&global.name) { tag } else { Tag::NONE }
    }

    /// The object that a frame's stack address means.
    pub(crate) fn object_at(&self, address: u64) -> Tag {
        self.objects.find(address)
    }

    pub(crate) fn decides(&mut self, at: &At<'_>, undefined: u64) {
        if undefined != 0 {
            self.error(at, Kind::Uninitialised, false, 0, 0, None);
        }
    }

    pub(crate) fn restore_stack(&mut self, usp: u64) {
        self.objects.restore_stack(usp);
    }

    /// The object that a range at `address` is meant to lie in: the one of the pointer that the operation or function was
    /// given for it, or from whose object it starts.
    fn base(&self, address: u64) -> Tag {
        if let Some(base) = self.bases.iter().find(|base| base.address == address) {
            return base.tag;
        }
        let holds = |base: &&Base| {
            let object = self.objects.get(base.tag);
            object.is_some_and(|object| object.start <= address && address - object.start <= object.size)
        };
        self.bases.iter().find(holds).map(|base| base.tag).unwrap_or_default()
    }

    fn work_from(&mut self, at: &At<'_>, operands: &[Opnd]) {
        self.bases.clear();
        for &operand in operands {
            let base = Base { address: at.value(operand), tag: self.pointer(at, operand) };
            self.bases.push(base);
        }
    }

    /// A memory function that the hardware stopped: what it was to write and read.
    fn faulted_call(&mut self, at: &At<'_>, call: &whydunit_model::Call) {
        let Callee::Direct(callee) = call.callee else { return };
        let name = at.module().functions.get(callee as usize).map_or("", |function| &function.name);
        let (reads, writes) = match name {
            "memcpy" | "memmove" | "mempcpy" => (Some(1), true),
            "memset" => (None, true),
            _ => return,
        };
        let (Some(dst), Some(len)) = (call.args.first(), call.args.get(2)) else { return };
        let size = at.value(len.value);
        self.access(at, self.pointer(at, dst.value), at.value(dst.value), size, writes);
        if let Some(src) = reads.and_then(|index: usize| call.args.get(index)) {
            self.access(at, self.pointer(at, src.value), at.value(src.value), size, false);
        }
    }

    fn arguments_start(&mut self, at: &At<'_>, call: &whydunit_model::Call) {
        let pointers: Vec<Opnd> =
            call.args.iter().filter(|arg| arg.leaves.first() == Some(&Scalar::Ptr)).map(|arg| arg.value).collect();
        self.work_from(at, &pointers);
    }

    /// External code that no table describes may have written whatever it can reach.
    fn believe(&mut self, tag: Tag, depth: u32) {
        let Some(&object) = self.objects.get(tag) else { return };
        if !object.live {
            return;
        }
        let inner = if depth > 0 { self.shadow.tags_in(object.start, object.size) } else { Vec::new() };
        let tags: Vec<(u64, Tag)> = (object.start.next_multiple_of(8)..object.start + object.size)
            .step_by(8)
            .filter_map(|word| Some((word, self.shadow.tag(word))).filter(|(_, tag)| !tag.is_none()))
            .collect();
        self.shadow.fill(object.start, object.size, false);
        for (word, tag) in tags {
            self.shadow.set_tag(word, tag);
        }
        for tag in inner {
            self.believe(tag, depth - 1);
        }
    }
}

impl Observer for Memcheck {
    const OPS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        match op {
            Op::Call { call } => {
                self.returned.clear();
                self.arguments_start(at, &at.model.calls[*call as usize]);
            }
            Op::MemMove { dst, src, .. } | Op::VaCopy { dst, src } => self.work_from(at, &[*dst, *src]),
            Op::ByvalCopy { dst, src, .. } => self.work_from(at, &[*dst, *src]),
            Op::MemSet { dst, .. } => self.work_from(at, &[*dst]),
            Op::VaStart { list } => self.work_from(at, &[*list]),
            _ => self.operation(at, op),
        }
    }

    #[inline]
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        match op {
            Op::Call { call } => {
                let call = &at.model.calls[*call as usize];
                let words: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
                for word in 0..words {
                    let known = self.returned.get(word as usize).copied().unwrap_or_default();
                    self.set(at, call.dst + word, known);
                }
                self.bases.clear();
            }
            // The object came alive meanwhile.
            Op::Alloca { dst, .. } => {
                let tag = self.objects.find(at.slot(*dst));
                self.set(at, *dst, Known { undefined: 0, tag });
            }
            Op::MemMove { .. } | Op::MemSet { .. } | Op::ByvalCopy { .. } | Op::VaCopy { .. } | Op::VaStart { .. } => {
                self.bases.clear();
            }
            _ => {}
        }
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        let size = at.core.slots.len();
        if self.slots.len() < size {
            self.slots.resize(size, Known::default());
        }
        let (base, slots) = (at.base, at.model.slots as usize);
        let end = (base + slots).min(self.slots.len());
        self.slots[base.min(end)..end].fill(Known::default());
        self.objects.leave_to(at.depth);
        self.objects.enter();
        for (number, object) in at.model.stack.iter().enumerate().filter(|(_, object)| !object.dynamic) {
            let start = at.frame().stack_base.wrapping_add(object.offset);
            self.shadow.fill(start, object.size, true);
            self.objects.push_stack(Object {
                what: What::Stack(at.function, number as u32),
                start,
                size: object.size,
                allocated: None,
                freed: None,
                live: true,
            });
        }
        if let Entry::Call { caller_base, caller, call, variadic } = entry {
            let consts = at.code.consts(*caller);
            let from = |operand: Opnd| {
                if operand.is_const() {
                    let address = consts.get(operand.index() as usize).copied().unwrap_or(0);
                    Known { undefined: 0, tag: self.constant(at.code, *caller, operand, address) }
                } else {
                    self.slots.get(caller_base + operand.index() as usize).copied().unwrap_or_default()
                }
            };
            let mut incoming = Vec::new();
            for (arg, param) in call.args.iter().zip(&at.model.params) {
                let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                for word in 0..words {
                    incoming.push((param.slot + word, from(arg.value.word(word))));
                }
            }
            let mut words = Vec::new();
            for word in variadic.iter() {
                if let Some(arg) = call.args.get(word.arg as usize)
                    && arg.byval == 0
                {
                    words.push((word.address, word.size, from(arg.value.word(word.word))));
                }
            }
            for (slot, known) in incoming {
                self.set(at, slot, known);
            }
            for (address, size, known) in words {
                self.shadow.set_undefined(address, size.min(8) as u32, known.undefined);
                if size == 8 {
                    self.shadow.set_tag(address, known.tag);
                }
            }
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.returned.clear();
        if let Some((operand, words)) = result {
            for word in 0..u32::from(words) {
                let operand = operand.word(word);
                let known = if operand.is_const() {
                    Known { undefined: 0, tag: self.pointer(at, operand) }
                } else {
                    self.known(at, operand)
                };
                self.returned.push(known);
            }
        }
        self.objects.leave_to(at.depth);
    }

    fn unwind(&mut self, _: &At<'_>, depth: usize) {
        self.objects.leave_to(depth);
        self.returned.clear();
        self.bases.clear();
    }

    fn stack_object(&mut self, at: &At<'_>, object: u32, address: u64, size: u64) {
        self.shadow.fill(address, size, true);
        let what = What::Stack(at.function, object);
        self.objects.push_stack(Object { what, start: address, size, allocated: None, freed: None, live: true });
    }

    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.access(at, self.base(address), address, size, false);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.access(at, self.base(from), from, size, false);
        self.access(at, self.base(to), to, size, true);
        self.shadow.moved(to, from, size);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.access(at, self.base(address), address, size, true);
        self.shadow.fill(address, size, false);
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        self.shadow.fill(address, size, false);
        // A buffer handed to external code starts where the argument points; other writes may be anywhere.
        if writer == Writer::External
            && let Some(base) = self.bases.iter().find(|base| base.address == address)
        {
            self.access(at, base.tag, address, size, true);
        }
    }

    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {
        let place = Self::place(at);
        self.objects.place(Object {
            what: What::Heap,
            start: block.address,
            size: block.size,
            allocated: at.in_frame().then_some(place),
            freed: None,
            live: true,
        });
        self.shadow.fill(block.address, block.size, !block.zeroed);
    }

    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if address == 0 {
            return;
        }
        if block.is_some() {
            self.objects.free(address, Self::place(at));
            return;
        }
        // A block that external code allocated is unknown here: only what is certainly wrong is reported.
        let again = self.objects.find_freed(address).filter(|object| object.start == address).copied();
        if let Some(object) = again {
            self.error(at, Kind::DoubleFree, true, address, 0, Some(object));
        } else if let Some(object) = self.objects.get(self.objects.find(address)).copied()
            && address < object.start + object.size
        {
            self.error(at, Kind::InvalidFree, true, address, 0, Some(object));
        }
    }

    fn resized(&mut self, at: &At<'_>, address: u64, before: Option<u64>, size: u64) {
        let Some(before) = before.filter(|_| self.objects.resize(address, size)) else {
            return self.allocated(at, HeapBlock { address, size, zeroed: false });
        };
        if size > before {
            self.shadow.fill(address + before, size - before, true);
        }
    }

    fn external(&mut self, _: &At<'_>, call: &External<'_>) {
        // The allocator moves what a block can hold, which may be more than was asked for.
        if call.kind == ExternalKind::Heap {
            self.bases.clear();
        }
        if matches!(call.kind, ExternalKind::Recorded | ExternalKind::Asm) {
            for base in self.bases.clone() {
                self.believe(base.tag, 1);
            }
        }
    }

    fn external_done(&mut self, _: &At<'_>, call: &External<'_>, result: &[u64]) {
        self.returned.clear();
        for &word in result {
            let tag = if call.call.ret.first() == Some(&Scalar::Ptr) { self.objects.find(word) } else { Tag::NONE };
            self.returned.push(Known { undefined: 0, tag });
        }
        if call.kind == ExternalKind::Recorded {
            for base in self.bases.clone() {
                self.believe(base.tag, 1);
            }
        }
    }

    fn module_loaded(&mut self, at: &At<'_>, index: u32) {
        let Some(loaded) = at.code.modules().get(index as usize) else { return };
        for (number, (global, &address)) in loaded.model.globals.iter().zip(&loaded.globals).enumerate() {
            // Of a weak or declared one the size here may not be the real one.
            let own = matches!(global.linkage, Linkage::Strong | Linkage::Internal);
            if own && global.size > 0 && address != 0 {
                self.objects.place(Object {
                    what: What::Global(index, number as u32),
                    start: address,
                    size: global.size,
                    allocated: None,
                    freed: None,
                    live: true,
                });
            }
        }
    }

    fn fault(&mut self, at: &At<'_>, signal: u32, address: u64) {
        // SIGSEGV and SIGBUS in captured code; the access itself stands in the operation.
        if !at.in_frame() || !matches!(signal, 11 | 7) {
            return;
        }
        let (write, size) = match at.op() {
            Op::Store { ty, .. } => (true, u64::from(ty.bytes())),
            Op::Load { ty, .. } => (false, u64::from(ty.bytes())),
            // Of a range the fault shows one end; the whole of it tells which object it was to lie in.
            Op::MemSet { dst, len, .. } => {
                self.access(at, self.pointer(at, *dst), at.value(*dst), at.value(*len), true);
                (true, at.value(*len))
            }
            Op::MemMove { dst, src, len } => {
                self.access(at, self.pointer(at, *dst), at.value(*dst), at.value(*len), true);
                self.access(at, self.pointer(at, *src), at.value(*src), at.value(*len), false);
                (true, at.value(*len))
            }
            Op::Call { call } => return self.faulted_call(at, &at.model.calls[*call as usize]),
            _ => return,
        };
        // The stack's overflow is told by the run's end.
        if address.abs_diff(at.core.usp) < STACK_GUARD {
            return;
        }
        let kind = if address < NULL_PAGE { Kind::NullPointer } else { Kind::WildPointer };
        let place = Self::place(at);
        let known = [Kind::OutOfBounds, Kind::UseAfterFree, Kind::UseAfterReturn];
        if !known.iter().any(|&kind| self.reported.contains(&(place, kind))) {
            self.faulted = Some((kind, write, address, size));
        }
    }

    fn end(&mut self, at: &At<'_>, end: &End) {
        // A program that handles the signal and goes on meant it.
        if let (End::Fault { .. }, Some((kind, write, address, size))) = (end, self.faulted) {
            self.error(at, kind, write, address, size, None);
        }
    }
}

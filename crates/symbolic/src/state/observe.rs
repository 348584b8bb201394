//! What the machine shows while it runs: every operation with a symbolic operand gives a term.

use whydunit_library::prints;
use whydunit_model::{Block, Callee, Function, Op};
use whydunit_replay::{At, Entry, External, ExternalKind, Observer, OutputEvent, Stream, Writer};
use whydunit_terms::{BvOp, Term};

use super::followed::reads_input;
use super::{Kept, Request, State, fit};
use crate::frame::{FrameState, Given};
use crate::free::{FreeKind, Returning};
use crate::question::Mode;
use crate::region::mix;
use crate::semantics::{atomic, width_of};
use crate::statement::NO_STATEMENT;

/// A function that is called with the program's arguments instead of `main`.
pub const ENTRY: &str = "whydunit_entry";

/// The name of a function without what it is in.
fn own_name(model: &Function) -> Option<&str> {
    model.source_name.as_deref()?.rsplit("::").next()
}

impl Observer for State<'_> {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        if self.request.is_some() {
            return true;
        }
        if std::mem::take(&mut self.passed) {
            return false;
        }
        if self.frames.len() != at.depth + 1 {
            self.align(at);
        }
        if self.followed.is_some() {
            return self.is_long(at);
        }
        let point = &self.failing.point;
        if self.level == 0 && at.pc == point.pc && at.instruction() == point.instruction {
            self.request = Some(Request::Failure);
            return true;
        }
        if self.level == 0
            && let Some(freed) = self.failing.point.predicate.freed()
            && at.pc == freed.pc
            && at.instruction() == freed.instruction
        {
            self.freed = Some(self.reach());
        }
        if let op @ (Op::Branch { .. } | Op::Switch { .. }) = at.op()
            && self.prepare(at, op)
        {
            return true;
        }
        false
    }

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if let Some(followed) = &mut self.followed {
            followed.at = (at.function, at.pc);
        }
        match *op {
            Op::Branch { .. } | Op::Switch { .. } if self.followed.is_some() => self.turn(at, op),
            Op::Load { ty, dst, addr } => self.load(at, ty, dst, addr),
            Op::Store { ty, value, addr } => self.store(at, ty, value, addr),
            Op::Branch { .. } | Op::Switch { .. } => self.branch(at, op),
            Op::Call { .. } => {
                self.returned.clear();
                self.computed = None;
                self.note(self.statement(at.pc));
            }
            Op::Return { n, a } => {
                if n > 0 {
                    self.note(self.statement(at.pc));
                }
                self.returned.clear();
                let before = self.free.len();
                for word in 0..u32::from(n) {
                    let operand = a.word(word);
                    let term = self.slot(at, operand);
                    let term = self.relaxed(at, FreeKind::Returned, 64, at.value(operand), term, None);
                    self.returned.push(term);
                }
                if self.free.len() > before
                    && let Some(given) = self.frames.last().and_then(|frame| frame.given.clone())
                {
                    self.returns.push(Returning { free: before, given });
                }
            }
            Op::AtomicRmw { op, ty, dst, addr, value } => {
                self.load(at, ty, dst, addr);
                let width = width_of(ty);
                if width > 64 {
                    return;
                }
                let old = self.slots[at.base + dst as usize];
                let new = self.slot(at, value);
                let stored = (old.is_some() || new.is_some()).then(|| {
                    let (old, new) = (self.loaded_word(at, addr, dst, width), self.word(at, value, width));
                    atomic(&mut self.pool, op, old, new)
                });
                self.store_words(at, ty, at.value(addr), &[stored]);
            }
            Op::CmpXchg { ty, dst, addr, expected, new } => {
                self.load(at, ty, dst, addr);
                let width = width_of(ty);
                let old = self.slots[at.base + dst as usize];
                let symbolic = old.or(self.slot(at, expected)).or(self.slot(at, new)).is_some();
                let (mut stored, mut done) = (None, None);
                if symbolic && width <= 64 {
                    let old = self.loaded_word(at, addr, dst, width);
                    let (expected, new) = (self.word(at, expected, width), self.word(at, new, width));
                    let same = self.pool.eq(old, expected);
                    stored = Some(self.pool.ite(same, new, old));
                    done = Some(self.pool.from_bool(same));
                }
                self.slots[at.base + (dst + ty.slots()) as usize] = done;
                self.store_words(at, ty, at.value(addr), &[stored]);
            }
            Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                for operand in [dst, src, len] {
                    self.pin_operand(at, operand, "the place or length of a copy depends on what may change");
                }
            }
            Op::MemSet { dst, len, .. } => {
                for operand in [dst, len] {
                    self.pin_operand(at, operand, "the place or length of a fill depends on what may change");
                }
            }
            Op::Jump { .. } | Op::Safepoint | Op::Trap { .. } | Op::Resume { .. } => {}
            _ => self.plain(at, op),
        }
    }

    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        let Op::Call { call } = *op else {
            if self.listing.is_some() {
                self.list_result(at, op);
            }
            return;
        };
        if self.frames.len() != at.depth + 1 {
            self.align(at);
        }
        let call = &at.model.calls[call as usize];
        let words: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
        for word in 0..words {
            let term = self.returned.get(word as usize).copied().flatten();
            self.slots[at.base + (call.dst + word) as usize] = term;
        }
        self.returned.clear();
        if std::mem::take(&mut self.joined_at_return) {
            let slots = call.dst..call.dst + words;
            self.joined = slots.map(|slot| (slot, at.slot(slot), self.slots[at.base + slot as usize])).collect();
            self.request = Some(Request::Joined);
            return;
        }
        for fork in std::mem::take(&mut self.returning) {
            let now: Vec<_> = (call.dst..call.dst + words)
                .map(|slot| (slot, at.slot(slot), self.slots[at.base + slot as usize]))
                .collect();
            self.merge_slots(at, &fork, &now);
            self.merge_memory(at, fork);
        }
        if self.facts().is_some_and(|facts| facts.leaves[at.pc as usize]) {
            for word in 0..words {
                let slot = call.dst + word;
                let current = self.slots[at.base + slot as usize];
                let width = if words == 1 { call.ret.first().map_or(64, |leaf| width_of(*leaf).min(64)) } else { 64 };
                let term = self.relaxed(at, FreeKind::Result, width, at.slot(slot), current, Some(slot));
                self.slots[at.base + slot as usize] = term;
            }
        }
    }

    #[inline]
    fn block(&mut self, at: &At<'_>, _: Option<u32>, to: u32, _: &Block) {
        if let Some(listing) = &mut self.listing
            && listing.enters(at.function, to, at.model.blocks.len(), at.instruction())
        {
            self.request = Some(Request::Checkpoint);
        }
        if self.regions.as_ref().is_some_and(|region| region.depth == at.depth && region.join == to) {
            self.leave_regions(at, to);
        }
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        let call = at.depth.checked_sub(1).map(|caller| (caller, at.core.frames[caller].pc));
        let from = call.map_or(0, |(caller, pc)| mix(self.place(caller), pc.into()));
        let from = match entry {
            Entry::Call { .. } => from,
            _ => {
                self.callbacks += 1;
                mix(from, self.callbacks)
            }
        };
        let statement = match (entry, call) {
            (Entry::Call { .. }, Some((caller, pc))) => {
                self.frames.get(caller).map_or(NO_STATEMENT, |frame| frame.facts.statements[pc as usize])
            }
            _ => NO_STATEMENT,
        };
        self.frames.truncate(at.depth);
        if self.frames.len() < at.depth {
            self.align(at);
            self.frames.truncate(at.depth);
        }
        let facts = self.knowledge.facts(at, at.function);
        let activation = mix(from, at.function.0.into());
        let all_free = facts.statements.iter().all(|&statement| self.mode(statement) == Mode::Free);
        self.frames.push(FrameState { function: at.function, activation, facts, given: None });
        if let (0, Entry::Callback { words }, Some(followed)) = (at.depth, entry, &mut self.followed)
            && (at.model.name == "main" || own_name(at.model) == Some(ENTRY))
        {
            followed.outside.begins(words.get(1).copied().unwrap_or(0));
        }
        self.grow(at);
        let first = at.base;
        self.slots[first..first + at.model.slots as usize].fill(None);
        if let Entry::Call { caller_base, call, variadic, caller } = entry {
            let pc = at.core.frames[at.depth - 1].pc;
            for (arg, param) in call.args.iter().zip(&at.model.params) {
                let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                for word in 0..words {
                    let operand = arg.value.word(word);
                    let mut term =
                        if operand.is_const() { None } else { self.slots[caller_base + operand.index() as usize] };
                    if arg.byval == 0 {
                        let width = match words {
                            1 => param.leaves.first().map_or(64, |leaf| width_of(*leaf).min(64)),
                            _ => 64,
                        };
                        let value = at.slot(param.slot + word);
                        term =
                            self.relaxed_argument(at, (*caller, pc, statement), width, value, term, param.slot + word);
                    }
                    self.slots[at.base + (param.slot + word) as usize] = term;
                }
            }
            if at.frame().variadic != 0 {
                self.open_list(at);
            }
            for word in variadic.iter() {
                if let Some(from) = word.from {
                    self.moved(at, word.address, from, word.size);
                    continue;
                }
                let Some(arg) = call.args.get(word.arg as usize) else { continue };
                let operand = arg.value.word(word.word);
                let term = if operand.is_const() { None } else { self.slots[caller_base + operand.index() as usize] };
                let size = word.size as usize;
                let term = term.map(|term| fit(&mut self.pool, Some(term), 0, 8 * size as u32));
                let log = self.open > 0;
                self.marks.store(at.memory(), word.address, size, term, log);
            }
        }
        if all_free && let Some(frame) = self.frames.last_mut() {
            let slots = at.model.params.iter().flat_map(|param| {
                let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                param.slot..param.slot + words
            });
            let given = |slot: u32| Given { term: self.slots[at.base + slot as usize], value: at.slot(slot) };
            frame.given = Some(slots.map(given).collect());
        }
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(whydunit_model::Opnd, u8)>) {
        self.leave_function(at);
        self.frames.truncate(at.depth);
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.drop_regions(depth);
        self.frames.truncate(depth);
        self.align(at);
    }

    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        // What is passed by value is copied where the function is captured; else `external` looks at it.
        if let Op::CheckRange { .. } = at.op() {
            return;
        }
        // Of a function that is computed: its result is the replay's only for the replay's bytes.
        if self.computed.is_none() && !self.followed.as_ref().is_some_and(|followed| followed.outside.said) {
            self.pin_range(at, address, size);
        }
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.pointers_moved(to, from, size);
        let log = self.open > 0;
        if !log && !self.marks.touches(from, size) && !self.marks.touches(to, size) {
            return;
        }
        let mut terms = Vec::new();
        for offset in (0..size).step_by(8) {
            let piece = (size - offset).min(8) as usize;
            let term = self.marks.load(&mut self.pool, at.memory(), from.wrapping_add(offset), piece, log);
            // What the bytes will be is known only after the move: a concrete piece that differs from what the machine will
            // have cannot be.
            terms.push((offset, piece, term));
        }
        for (offset, piece, term) in terms {
            self.marks.store(at.memory(), to.wrapping_add(offset), piece, term, log);
        }
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.pointers_written(address, size);
        let log = self.open > 0;
        let value = match *at.op() {
            Op::MemSet { value, .. } => self.slot(at, value),
            _ => None,
        };
        if !log && value.is_none() && !self.marks.touches(address, size) {
            return;
        }
        let byte = value.map(|term| fit(&mut self.pool, Some(term), 0, 8));
        for offset in (0..size).step_by(8) {
            let piece = (size - offset).min(8) as usize;
            let term = byte.map(|byte| (1..piece).fold(byte, |whole, _| self.pool.concat(whole, byte)));
            self.marks.store(at.memory(), address.wrapping_add(offset), piece, term, log);
        }
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        if writer == Writer::Found && self.followed.is_some() {
            if self.marks.touches(address, size) {
                self.found(at, address, size);
            }
            return;
        }
        self.overwritten(at, address, size);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        call.name.clone_into(&mut self.called);
        for arg in call.call.args.iter().filter(|arg| arg.byval > 0) {
            self.pin_range(at, at.value(arg.value), arg.byval);
        }
        self.reads(at, call);
        if let Some(term) = self.number_given(at, call).or_else(|| self.of_character(at, call)) {
            self.computed = Some(term);
            return;
        }
        let said = self.searches(at, call);
        if let Some(followed) = &mut self.followed {
            followed.outside.said = said;
        }
        if said {
            return;
        }
        if matches!(call.kind, ExternalKind::Modelled | ExternalKind::Heap) {
            self.computed = self.compute(at, call);
            if call.kind == ExternalKind::Heap {
                self.sized(at, call);
            } else if self.computed.is_none() {
                for arg in &call.call.args {
                    self.pin_argument(at, arg.value, call.name);
                }
            }
        } else {
            self.external_results(at, call);
            self.keep_output(at, call);
            self.formats(at, call);
        }
    }

    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        self.formatted(at);
        self.has_read(at, call, result.first().copied().unwrap_or(0));
        if let Some(followed) = &mut self.followed {
            followed.outside.said = false;
        }
        if let (Some(size), Some(&block)) = (self.size.take(), result.first()) {
            self.sizes.insert(block, size);
        }
        self.returned.clear();
        if let Some(term) = self.computed.take() {
            self.returned.push(Some(term));
        }
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) && self.failing.expected.is_some() {
            self.printed.extend_from_slice(&output.bytes);
            if self.terminal && self.level > 0 {
                self.request = Some(Request::Printed);
            }
        }
    }
}

impl State<'_> {
    /// A function is entered that takes any number of arguments: where they go, the replay has zeros by now.
    fn open_list(&mut self, at: &At<'_>) {
        let frame = at.frame();
        self.overwritten(at, frame.variadic, frame.usp_before.saturating_sub(frame.variadic));
    }

    /// Memory has what the replay has there, and nothing that may change.
    fn overwritten(&mut self, at: &At<'_>, address: u64, size: u64) {
        let log = self.open > 0;
        if !log && !self.marks.touches(address, size) {
            return;
        }
        for offset in (0..size).step_by(8) {
            let piece = (size - offset).min(8) as usize;
            self.marks.store(at.memory(), address.wrapping_add(offset), piece, None, log);
        }
    }

    /// External code is given what may change: what it gives stays what it was.
    fn external_results(&mut self, at: &At<'_>, call: &External<'_>) {
        let unused = call.call.ret.is_empty() && call.kind == ExternalKind::Recorded;
        if unused || prints(call.name).is_some() || self.followed.is_some() && reads_input(call.name) {
            return;
        }
        if call.call.args.iter().any(|arg| self.slot(at, arg.value).is_some()) {
            self.notes.insert(match call.kind {
                ExternalKind::Asm => "what inline assembly gives".into(),
                _ if call.name.is_empty() => "what a function without a name gives, called by its address".into(),
                _ => format!("what `{}` gives", call.name),
            });
            // Assembly computes from its operands alone, so that other operands would give something else.
            self.pinned |= call.kind == ExternalKind::Asm;
        }
    }

    /// A statement was executed, on the run or beside it.
    pub(crate) fn note(&mut self, statement: crate::statement::StatementId) {
        if statement != NO_STATEMENT {
            let index = statement as usize;
            if index >= self.executed.len() {
                self.executed.resize(index + 1, false);
            }
            self.executed[index] = true;
        }
    }

    fn relaxed_argument(
        &mut self,
        at: &At<'_>,
        (caller, pc, statement): (whydunit_replay::FuncId, u32, u32),
        width: u32,
        value: u64,
        current: Option<Term>,
        slot: u32,
    ) -> Option<Term> {
        let leaves = at.model.params.iter().find(|param| param.slot == slot).map(|param| &param.leaves[..]);
        let scalar = match leaves {
            Some(&[leaf]) => leaf,
            _ => whydunit_model::Scalar::Int(width.min(64) as u8),
        };
        let kept = Kept { kind: FreeKind::Argument, width, scalar, value, current, slot: Some(slot) };
        self.relaxed_at(at, (caller, pc, statement), kept)
    }

    /// The name of a call's function, where it is called by name.
    pub(crate) fn callee<'c>(at: &At<'c>, op: &Op) -> Option<&'c str> {
        let Op::Call { call } = op else { return None };
        let Callee::Direct(index) = at.model.calls[*call as usize].callee else { return None };
        at.code.module_of(at.function).functions.get(index as usize).map(|function| function.name.as_str())
    }

    pub(crate) fn add(&mut self, a: Term, b: u64) -> Term {
        let width = self.pool.width(a);
        let b = self.pool.constant(width, b.into());
        self.pool.bv(BvOp::Add, a, b)
    }
}

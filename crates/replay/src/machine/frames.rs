//! Calls of captured functions, and returns from them.

use whydunit_model::{Call, Callee, Op, Opnd, Scalar};
use whydunit_numerics::arith;

use super::external::Target;
use super::{Flow, Machine, Stop, at};
use crate::code::{Code, Place, Registers, element_bytes};
use crate::divergence::Result;
use crate::function_id::FuncId;
use crate::observer::{Entry, Observer, VariadicWord};
use crate::role::Role;
use crate::run::{Left, WhatIfStop};
use crate::state::{Core, Frame, FrameKind, Waits, place_frame};

/// Bytes of the register save area.
pub(crate) const SAVE_AREA: u64 = 176;

/// Clears the slots of a new frame: what was there depends on the way to the present moment, and a variable's slot is looked at
/// before it is defined.
pub(crate) fn clear(core: &mut Core, code: &Code, id: FuncId, base: usize) {
    let count = code.function(id).slots as usize;
    core.slots[base..base + count].fill(0);
}

/// Puts a frame for `id` on top; its stack objects lie below `usp`, and `overflow` bytes of variadic arguments are kept.
pub(crate) fn push_frame(core: &mut Core, code: &Code, id: FuncId, kind: FrameKind, usp: u64, overflow: u64) -> usize {
    let model = code.model(id);
    let below = core.frames.last();
    let below = below.map(|below| (below.base, below.base + code.function(below.function).frame_slots()));
    let loaded = code.function(id);
    let base = place_frame(core, below, loaded.frame_slots());
    let top = base + loaded.frame_slots();
    core.slots[base + loaded.slots as usize..top].copy_from_slice(&loaded.consts);
    core.frames.push(Frame {
        function: id,
        pc: model.blocks[0].start,
        kind,
        base,
        stack_base: 0,
        usp_before: core.usp,
        variadic: 0,
        serial: 0,
        waits: Waits::No,
        result: u32::MAX,
    });
    lay_out(core, code, usp, overflow);
    core.instructions += u64::from(model.blocks[0].instructions);
    base
}

/// Places the variadic area and the static stack objects of the innermost frame below `usp`.
pub(crate) fn lay_out(core: &mut Core, code: &Code, usp: u64, overflow: u64) {
    let depth = core.frames.len() - 1;
    let model = code.model(core.frames[depth].function);
    let mut usp = usp;
    if model.variadic {
        let bytes = SAVE_AREA + ((overflow + 15) & !15);
        usp = usp.wrapping_sub(bytes) & !15;
        core.frames[depth].variadic = usp;
        core.memory.fill(usp, 0, bytes);
    }
    if model.frame_size != 0 {
        usp = usp.wrapping_sub(model.frame_size) & u64::from(model.frame_align.max(16)).wrapping_neg();
    }
    core.frames[depth].stack_base = usp;
    core.usp = usp;
}

/// Drops the innermost frame.
pub(crate) fn pop(core: &mut Core, usp: u64) {
    core.frames.pop();
    core.usp = usp;
    core.forget_frames(core.frames.len());
}

impl Machine {
    /// Who is called by a call of the innermost frame's function.
    pub(crate) fn target(&self, call: &Call) -> Target {
        let here = self.at();
        let loaded = self.code.function(here.function);
        let module = &self.code.modules()[loaded.module as usize];
        match call.callee {
            Callee::Direct(index) => {
                let id = FuncId(module.first.0 + index);
                if module.calls_own(index) {
                    return Target::Captured(id);
                }
                match self.run.symbols.function_at(module.functions[index as usize]) {
                    Some(id) => Target::Captured(id),
                    None => Target::External(self.code.function(id).role),
                }
            }
            Callee::Indirect(operand) => match self.run.symbols.function_at(here.value(operand)) {
                Some(id) => Target::Captured(id),
                None => Target::External(self.role_at(here.value(operand))),
            },
            Callee::Asm(_) => Target::External(Role::OTHER),
        }
    }

    /// The call at the innermost frame's operation.
    pub(crate) fn call<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let here = self.at();
        let Op::Call { call } = *here.op() else {
            return Err(self.divergence("a call", "another operation"));
        };
        let target = self.target(&here.model.calls[call as usize]);
        if self.what_if.is_some()
            && let Some(flow) = self.what_if_before_call(observer, &target)
        {
            return Ok(flow);
        }
        match target {
            Target::Captured(id) => {
                self.enter(observer, id);
                Ok(Flow::Continue)
            }
            Target::External(role) => self.external_call(observer, role),
        }
    }

    fn enter<O: Observer>(&mut self, observer: &mut O, id: FuncId) {
        let Machine { core, code, track, .. } = self;
        let caller = core.frames[core.frames.len() - 1];
        let caller_model = code.model(caller.function);
        let Op::Call { call } = caller_model.code[caller.pc as usize] else { return };
        let call = &caller_model.calls[call as usize];
        let consts = code.consts(caller.function);
        let callee = code.model(id);
        let (places, overflow) =
            if callee.variadic { place_variadic(call, callee.params.len()) } else { (Vec::new(), 0) };
        let usp = core.usp;
        let base = push_frame(core, code, id, FrameKind::Call, usp, overflow);
        if O::FRAMES || O::TRACKS {
            clear(core, code, id, base);
        }
        let value = |core: &Core, operand: Opnd| {
            let index = operand.index() as usize;
            if operand.is_const() { consts[index] } else { core.slots[caller.base + index] }
        };
        for (arg, param) in call.args.iter().zip(&callee.params) {
            let words: u32 = arg.leaves.iter().map(|leaf| leaf.slots()).sum();
            let taken: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
            for word in 0..taken {
                let value = if word < words { value(core, arg.value.word(word)) } else { 0 };
                core.slots[base + (param.slot + word) as usize] = value;
            }
            // A caller with another idea of the type may pass more bits than the callee looks at.
            if let ([Scalar::Int(w)], true) = (&param.leaves[..], arg.leaves != param.leaves) {
                core.slots[base + param.slot as usize] &= arith::mask(*w);
            }
        }
        let area = core.frames[core.frames.len() - 1].variadic;
        let mut variadic = Vec::new();
        for place in places {
            let operand = call.args[place.arg as usize].value;
            let address = area + place.offset;
            let from = place.byval.then(|| value(core, operand));
            match from {
                Some(from) => core.memory.copy(address, from, place.size),
                None => {
                    let word = value(core, operand.word(place.word));
                    core.memory.write_uint(address, place.size as u32, word);
                }
            }
            if O::FRAMES || O::TRACKS {
                variadic.push(VariadicWord { arg: place.arg, word: place.word, address, size: place.size, from });
            }
        }
        if O::TRACKS
            && let Some(track) = track
        {
            track.entered(code, &core.frames, core.begun);
        }
        if O::FRAMES || O::TRACKS {
            let entry = Entry::Call { caller_base: caller.base, caller: caller.function, call, variadic: &variadic };
            observer.enter(&at(core, code), &entry);
        }
        if O::BLOCKS {
            observer.block(&at(core, code), None, 0, &callee.blocks[0]);
        }
    }

    /// External code, or the delivery of a signal, calls a captured function.
    pub(crate) fn enter_from_outside<O: Observer>(
        &mut self,
        observer: &mut O,
        id: FuncId,
        words: &[u64],
        kind: FrameKind,
        usp: u64,
    ) {
        let Machine { core, code, track, .. } = self;
        let model = code.model(id);
        // Which registers such a call used is not known: the recorder takes all of them and so many stack bytes.
        let base = push_frame(core, code, id, kind, usp, 256);
        if O::FRAMES || O::TRACKS {
            clear(core, code, id, base);
        }
        let mut given = words.iter().copied();
        for param in &model.params {
            let mut slot = base + param.slot as usize;
            for leaf in &param.leaves {
                for word in 0..leaf.slots() {
                    let value = given.next().unwrap_or(0);
                    core.slots[slot] = match leaf {
                        Scalar::Int(w) if word == 0 => value & arith::mask(*w),
                        Scalar::F32 => value & 0xffff_ffff,
                        Scalar::F16 => value & 0xffff,
                        Scalar::F80 if word == 1 => value & 0xffff,
                        _ => value,
                    };
                    slot += 1;
                }
            }
        }
        if O::TRACKS
            && let Some(track) = track
        {
            track.entered(code, &core.frames, core.begun);
        }
        if O::FRAMES || O::TRACKS {
            let entry = if kind == FrameKind::Signal { Entry::Signal { words } } else { Entry::Callback { words } };
            observer.enter(&at(core, code), &entry);
        }
        if O::BLOCKS {
            observer.block(&at(core, code), None, 0, &model.blocks[0]);
        }
    }

    /// The return at the innermost frame's operation.
    pub(crate) fn return_from<O: Observer>(&mut self, observer: &mut O, n: u8, a: Opnd) -> Result<Flow> {
        if O::FRAMES || O::TRACKS {
            observer.leave(&self.at(), (n > 0).then_some((a, n)));
        }
        let Machine { core, code, run, what_if, patched, .. } = self;
        let depth = core.frames.len() - 1;
        let frame = core.frames[depth];
        if let Some(what_if) = what_if
            && code.function(frame.function).body
            && what_if.expectation.is_none()
            && frame.kind != FrameKind::Inspect
        {
            return Ok(Flow::Stop(Stop::WhatIf(WhatIfStop::Exited { status: 0 })));
        }
        let result = |core: &Core, word: u32| at(core, code).value(a.word(word));
        match frame.kind {
            FrameKind::Call => {
                let caller = core.frames[depth - 1];
                let model = code.model(caller.function);
                let here = |patched: &&(FuncId, u32, Op)| (patched.0, patched.1) == (caller.function, caller.pc);
                let op = match &model.code[caller.pc as usize] {
                    call @ Op::Call { .. } => call,
                    other => patched.iter().find(here).map_or(other, |patched| &patched.2),
                };
                let Op::Call { call } = *op else {
                    return Err(self.divergence("a call below the returning frame", "another operation"));
                };
                let call = &model.calls[call as usize];
                let taken: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
                for word in 0..taken {
                    let value = if word < u32::from(n) { result(core, word) } else { 0 };
                    core.slots[caller.base + (call.dst + word) as usize] = value;
                }
                if let [Scalar::Int(w)] = call.ret[..] {
                    core.slots[caller.base + call.dst as usize] &= arith::mask(w);
                }
                pop(core, frame.usp_before);
                if O::OPS {
                    observer.op_done(&at(core, code), op);
                }
                core.frames[depth - 1].pc += 1;
            }
            FrameKind::Callback | FrameKind::Signal => {
                let value = if n > 0 { result(core, 0) } else { 0 };
                if let Some(what_if) = what_if {
                    let first = code.model(frame.function).params.first();
                    let first = first.map_or(0, |param| core.slots[frame.base + param.slot as usize]);
                    what_if.left = Some(Left { value, first });
                }
                pop(core, frame.usp_before);
                match core.frames.last_mut() {
                    Some(below) if matches!(below.waits, Waits::Signal | Waits::Fault) => below.waits = Waits::No,
                    Some(_) => {}
                    None if code.model(frame.function).name == "main" => run.status = Some(value as i32 & 0xff),
                    None => {}
                }
            }
            FrameKind::Inspect => {
                let words = (0..u32::from(n)).map(|word| result(core, word)).collect();
                if let Some(what_if) = what_if {
                    return Ok(Flow::Stop(Stop::WhatIf(what_if.finished(words))));
                }
            }
        }
        Ok(Flow::Continue)
    }
}

/// Where a word of a variadic argument goes, from the start of the area.
struct Placed {
    arg: u32,
    word: u32,
    offset: u64,
    size: u64,
    byval: bool,
}

/// System V: where the arguments from number `fixed` on go, and how many bytes of them lie on the stack.
fn place_variadic(call: &Call, fixed: usize) -> (Vec<Placed>, u64) {
    let mut placed = Vec::new();
    let mut registers = Registers::default();
    // What is variadic starts behind what is fixed, and keeps its alignment.
    let mut first = None;
    for (index, argument) in call.args.iter().enumerate() {
        let is_variadic = index >= fixed;
        if is_variadic && first.is_none() {
            first = Some(registers.stack);
        }
        let shifted = |at: u64| SAVE_AREA + at - first.map_or(0, |first| first - first % 16);
        let arg = index as u32;
        if argument.byval != 0 {
            if let Place::Stack(at) = registers.on_stack(argument.byval, argument.align.into())
                && is_variadic
            {
                placed.push(Placed { arg, word: 0, offset: shifted(at), size: argument.byval, byval: true });
            }
            continue;
        }
        let offset_of = |place: Place| match place {
            Place::General(number) => 8 * u64::from(number),
            Place::Vector(number) => 48 + 16 * u64::from(number),
            Place::Stack(at) => shifted(at),
        };
        let mut word = 0;
        if argument.vector {
            let mut offset = offset_of(registers.whole(&argument.leaves));
            for &leaf in &argument.leaves {
                let size = element_bytes(leaf);
                if is_variadic {
                    placed.push(Placed { arg, word, offset, size, byval: false });
                }
                (word, offset) = (word + leaf.slots(), offset + size);
            }
            continue;
        }
        for &leaf in &argument.leaves {
            let offset = offset_of(registers.leaf(leaf));
            for n in 0..leaf.slots() {
                if is_variadic {
                    let size = if leaf == Scalar::F80 && n == 1 { 2 } else { 8 };
                    placed.push(Placed { arg, word: word + n, offset: offset + 8 * u64::from(n), size, byval: false });
                }
            }
            word += leaf.slots();
        }
    }
    let first = first.unwrap_or(registers.stack);
    (placed, registers.stack - first + first % 16)
}

//! The executor of the model's operations, one by one: with observers, near signals, in what-if runs, and wherever fused
//! code cannot be entered. It defines what every operation means.

use whydunit_model::{BlockId, Op, Opnd, Scalar, Slot, TrapKind};
use whydunit_numerics::arith;
use whydunit_numerics::float;
use whydunit_numerics::rounding;

use super::frames::SAVE_AREA;
use super::{Flow, Machine, Stop};
use crate::code::Registers;
use crate::divergence::Result;
use crate::events::{Kind, Next};
use crate::memory::Memory;
use crate::observer::{At, Observer};
use crate::signals::SIGFPE;
use crate::state::{Core, DynamicObject, Waits};

/// Why the inner loop was left.
enum Leave {
    /// The observer asked for it.
    Stopped,
    /// Pre-decoded code can go on.
    Fast,
    /// An event concerns the operation, or a what-if run must look at its accesses.
    Check,
    Call,
    Safepoint,
    Return {
        n: u8,
        a: Opnd,
    },
    /// The processor traps: division.
    Divide,
    Trap(TrapKind),
    Resume,
}

/// Loads a scalar as words, low first.
#[inline(always)]
pub(crate) fn load_scalar(core: &Core, ty: Scalar, address: u64) -> u128 {
    match ty {
        Scalar::Int(64) | Scalar::Ptr | Scalar::F64 => core.memory.read_word(address).into(),
        Scalar::Int(32) | Scalar::F32 => u32::from_le_bytes(core.memory.read(address)).into(),
        Scalar::Int(8) => core.memory.read::<1>(address)[0].into(),
        _ => load_other(core, ty, address),
    }
}

#[inline(never)]
fn load_other(core: &Core, ty: Scalar, address: u64) -> u128 {
    match ty.bytes() {
        n @ 1..=8 => {
            let value = core.memory.read_uint(address, n);
            match ty {
                Scalar::Int(w) => (value & arith::mask(w)).into(),
                _ => value.into(),
            }
        }
        n => {
            let mut bytes = [0; 16];
            core.memory.read_into(address, &mut bytes[..n as usize]);
            let value = u128::from_le_bytes(bytes);
            if let Scalar::Int(w) = ty { value & arith::wide_mask(w) } else { value }
        }
    }
}

/// Stores a scalar.
#[inline(always)]
pub(crate) fn store_scalar(core: &mut Core, ty: Scalar, address: u64, value: u128) {
    match ty {
        Scalar::Int(64) | Scalar::Ptr | Scalar::F64 => core.memory.write(address, (value as u64).to_le_bytes()),
        Scalar::Int(32) | Scalar::F32 => core.memory.write(address, (value as u32).to_le_bytes()),
        Scalar::Int(8) => core.memory.write(address, [value as u8]),
        _ => store_other(core, ty, address, value),
    }
}

#[inline(never)]
fn store_other(core: &mut Core, ty: Scalar, address: u64, value: u128) {
    match ty.bytes() {
        n @ 1..=8 => core.memory.write_uint(address, n, value as u64),
        n => core.memory.write_from(address, &value.to_le_bytes()[..n as usize]),
    }
}

impl Machine {
    /// Executes operations of the innermost frame until something else has to be done.
    pub(crate) fn run_ops<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let mut checked = false;
        loop {
            if O::TRACKS {
                self.make_tracked();
            }
            let leave = self.run_ops_inner(observer, checked);
            checked = false;
            let flow = match leave {
                Leave::Fast => Flow::Continue,
                Leave::Stopped => Flow::Stop(Stop::Asked),
                Leave::Check => {
                    checked = true;
                    self.check_op(observer)?
                }
                Leave::Call => self.call(observer)?,
                Leave::Safepoint => self.safepoint(observer)?,
                Leave::Return { n, a } => self.return_from(observer, n, a)?,
                Leave::Divide => self.trap(observer, SIGFPE, "a division traps")?,
                Leave::Trap(kind) => self.trap_op(observer, kind)?,
                Leave::Resume => self.resume(observer),
            };
            match flow {
                Flow::Continue => {}
                stop => return Ok(stop),
            }
            if self.core.frames.last().is_none_or(|frame| frame.waits != Waits::No) {
                return Ok(Flow::Continue);
            }
            if !O::WATCHED && !checked {
                // Back to the dispatcher, which may choose fused code.
                return Ok(Flow::Continue);
            }
        }
    }

    fn run_ops_inner<O: Observer>(&mut self, observer: &mut O, mut checked: bool) -> Leave {
        let code = &self.code;
        let core = &mut self.core;
        let mut track = self.track.as_deref_mut().filter(|_| O::TRACKS);
        let next = self.events.next;
        let what_if = self.what_if.is_some();
        let limit = self.limit;
        let round = self.run.rounding.mode();
        let depth = core.frames.len() - 1;
        let frame = core.frames[depth];
        let (function, base) = (frame.function, frame.base);
        let loaded = code.function(function);
        let model = code.model(function);
        let consts = &loaded.consts[..];
        let site_base = code.modules()[loaded.module as usize].site_base;
        let ops = &model.code[..];
        let mut pc = frame.pc as usize;
        // Where pre-decoded code can go on, after one operation at least.
        let fast = if O::WATCHED || round.is_some() || next.kind == Kind::Fault && !what_if {
            None
        } else if O::TRACKS {
            loaded.tracked.as_deref().map(|tracked| &tracked.prepared)
        } else {
            loaded.prepared.as_deref()
        };
        let first = pc;
        let mut block = 0;
        if O::BLOCKS {
            // Blocks stand in the order of their operations.
            block = model.blocks.partition_point(|other| other.start <= frame.pc).saturating_sub(1) as u32;
        }

        macro_rules! here {
            () => {
                At { core: &*core, code, model, consts, depth, function, pc: pc as u32, base }
            };
        }
        macro_rules! val {
            ($operand:expr) => {{
                let operand: Opnd = $operand;
                let index = operand.index() as usize;
                if operand.is_const() { consts[index] } else { core.slots[base + index] }
            }};
        }
        macro_rules! wide {
            ($operand:expr) => {{
                let operand: Opnd = $operand;
                u128::from(val!(operand)) | u128::from(val!(operand.word(1))) << 64
            }};
        }
        // A value of up to 128 bits of this width.
        macro_rules! sized {
            ($w:expr, $operand:expr) => {
                if $w > 64 { wide!($operand) } else { u128::from(val!($operand)) }
            };
        }
        macro_rules! scalar {
            ($ty:expr, $operand:expr) => {
                if $ty.slots() == 2 { wide!($operand) } else { u128::from(val!($operand)) }
            };
        }
        macro_rules! rounded {
            ($function:ident, $($argument:expr),*) => {
                match round {
                    None => float::$function($($argument),*),
                    Some(round) => rounding::$function(round, $($argument),*),
                }
            };
        }
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value: u64 = $value;
                let dst: Slot = $dst;
                core.slots[base + dst as usize] = value;
            }};
        }
        macro_rules! set_wide {
            ($two:expr, $dst:expr, $value:expr) => {{
                let value: u128 = $value;
                set!($dst, value as u64);
                if $two {
                    set!($dst + 1, (value >> 64) as u64);
                }
            }};
        }
        macro_rules! go {
            ($to:expr) => {{
                let to: BlockId = $to;
                let target = &model.blocks[to as usize];
                core.instructions += u64::from(target.instructions);
                pc = target.start as usize;
                if O::BLOCKS {
                    observer.block(&here!(), Some(block), to, target);
                    block = to;
                }
                continue;
            }};
        }
        macro_rules! leave {
            ($why:expr) => {{
                core.frames[depth].pc = pc as u32;
                return $why;
            }};
        }

        loop {
            if let Some(fast) = fast
                && pc != first
                && fast.starts_at(pc as u32)
            {
                leave!(Leave::Fast);
            }
            if (O::STOPS || O::BREAKS) && !checked && observer.stop(&here!()) {
                leave!(Leave::Stopped);
            }
            let op = &ops[pc];
            if (next.counter == core.counter || what_if) && !checked {
                let site = || model.sites[pc] + site_base;
                if must_check(op, &next, what_if, &core.memory, site, |operand| val!(operand)) {
                    leave!(Leave::Check);
                }
            }
            checked = false;
            if O::TRACKS
                && let Some(track) = track.as_deref_mut()
            {
                track.op(code, &core.frames, pc as u32, core.begun);
                core.begun += 1;
            }
            if O::OPS {
                observer.op(&here!(), op);
            }
            match *op {
                Op::Int { op, w, dst, a, b, .. } => match arith::int(op, w, val!(a), val!(b)) {
                    Some(value) => set!(dst, value),
                    None => leave!(Leave::Divide),
                },
                Op::Wide { op, w, dst, a, b, .. } => match arith::wide(op, w, wide!(a), wide!(b)) {
                    Some(value) => set_wide!(true, dst, value),
                    None => leave!(Leave::Divide),
                },
                Op::IntUnary { op, w, dst, a } => set_wide!(w > 64, dst, arith::unary(op, w, sized!(w, a))),
                Op::Overflow { op, w, dst, a, b } => {
                    let (value, bit) = arith::overflow(op, w, sized!(w, a), sized!(w, b));
                    set_wide!(w > 64, dst, value);
                    set!(dst + 1 + u32::from(w > 64), bit.into());
                }
                Op::Funnel { left, w, dst, a, b, amount } => {
                    set!(dst, arith::funnel(left, w, val!(a), val!(b), val!(amount)));
                }
                Op::ICmp { pred, w, dst, a, b } => {
                    let holds = if w > 64 {
                        arith::compare_wide(pred, w, wide!(a), wide!(b))
                    } else {
                        arith::compare(pred, w, val!(a), val!(b))
                    };
                    set!(dst, holds.into());
                }
                Op::Trunc { to, dst, a } => {
                    if to > 64 {
                        set_wide!(true, dst, wide!(a) & arith::wide_mask(to));
                    } else {
                        set!(dst, val!(a) & arith::mask(to));
                    }
                }
                Op::ZExt { from, to, dst, a } => {
                    let value = sized!(from, a);
                    set_wide!(to > 64, dst, value);
                }
                Op::SExt { from, to, dst, a } => {
                    if to > 64 {
                        let value = arith::wide_sext(sized!(from, a), from) as u128 & arith::wide_mask(to);
                        set_wide!(true, dst, value);
                    } else {
                        set!(dst, arith::sext(val!(a), from) as u64 & arith::mask(to));
                    }
                }
                Op::Copy { n, dst, a } => {
                    for word in 0..u32::from(n) {
                        set!(dst + word, val!(a.word(word)));
                    }
                }
                Op::Select { n, dst, cond, a, b } => {
                    let from = if val!(cond) & 1 == 1 { a } else { b };
                    for word in 0..u32::from(n) {
                        set!(dst + word, val!(from.word(word)));
                    }
                }
                Op::PtrAdd { dst, base: pointer, offset } => set!(dst, val!(pointer).wrapping_add(offset as u64)),
                Op::PtrIndex { w, dst, base: pointer, index, scale } => {
                    let offset = arith::sext(val!(index), w).wrapping_mul(scale);
                    set!(dst, val!(pointer).wrapping_add(offset as u64));
                }
                Op::Float { op, ty, dst, a, b } => {
                    let value = rounded!(binary, op, ty, scalar!(ty, a), scalar!(ty, b));
                    set_wide!(ty.slots() == 2, dst, value);
                }
                Op::FloatUnary { op, ty, dst, a } => {
                    let value = rounded!(unary, op, ty, scalar!(ty, a));
                    set_wide!(ty.slots() == 2, dst, value);
                }
                Op::Fma { ty, dst, a, b, c } => {
                    let value = rounded!(fma, ty, scalar!(ty, a), scalar!(ty, b), scalar!(ty, c));
                    set_wide!(ty.slots() == 2, dst, value);
                }
                Op::FCmp { pred, ty, dst, a, b } => {
                    set!(dst, float::compare(pred, ty, scalar!(ty, a), scalar!(ty, b)).into());
                }
                Op::FConv { from, to, dst, a } => {
                    let value = rounded!(conversion, from, to, scalar!(from, a));
                    set_wide!(to.slots() == 2, dst, value);
                }
                Op::FToInt { from, signed, w, dst, a } => {
                    let value = float::to_int(from, signed, w, scalar!(from, a));
                    set_wide!(w > 64, dst, value);
                }
                Op::IntToF { to, signed, w, dst, a } => {
                    let value = rounded!(from_int, to, signed, w, sized!(w, a));
                    set_wide!(to.slots() == 2, dst, value);
                }
                Op::Load { ty, dst, addr } => {
                    let value = load_scalar(core, ty, val!(addr));
                    set_wide!(ty.slots() == 2, dst, value);
                }
                Op::Store { ty, value, addr } => {
                    let (value, address) = (scalar!(ty, value), val!(addr));
                    store_scalar(core, ty, address, value);
                }
                Op::AtomicRmw { op, ty, dst, addr, value } => {
                    let (address, value) = (val!(addr), scalar!(ty, value));
                    let old = load_scalar(core, ty, address);
                    store_scalar(core, ty, address, atomic(op, ty, old, value));
                    set_wide!(ty.slots() == 2, dst, old);
                }
                Op::CmpXchg { ty, dst, addr, expected, new } => {
                    let address = val!(addr);
                    let old = load_scalar(core, ty, address);
                    let success = old == scalar!(ty, expected);
                    if success {
                        let new = scalar!(ty, new);
                        store_scalar(core, ty, address, new);
                    }
                    set_wide!(ty.slots() == 2, dst, old);
                    set!(dst + ty.slots(), success.into());
                }
                Op::StackAddr { dst, offset, .. } => set!(dst, frame_base(core, depth).wrapping_add(offset)),
                Op::Alloca { dst, count, size, align, object } => {
                    let bytes = val!(count).wrapping_mul(size);
                    let align = u64::from(align.max(16));
                    core.usp = core.usp.wrapping_sub(bytes) & align.wrapping_neg();
                    let address = core.usp;
                    core.dynamic.push(DynamicObject { depth, object, address, size: bytes });
                    set!(dst, address);
                    observer.stack_object(&here!(), object, address, bytes);
                }
                Op::StackSave { dst } => set!(dst, core.usp),
                Op::StackRestore { a } => {
                    let usp = val!(a);
                    core.usp = usp;
                    while core.dynamic.last().is_some_and(|object| object.depth == depth && object.address < usp) {
                        core.dynamic.pop();
                    }
                }
                Op::ThreadLocal { dst, global } => {
                    let usual = code.modules()[loaded.module as usize].globals[global as usize];
                    set!(dst, core.threads.local(loaded.module, global).unwrap_or(usual));
                }
                Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                    let (to, from, len) = (val!(dst), val!(src), val!(len));
                    if O::RANGES && len > 0 {
                        observer.moved(&here!(), to, from, len);
                    }
                    core.memory.copy(to, from, len);
                }
                Op::MemSet { dst, value, len } => {
                    let (to, value, len) = (val!(dst), val!(value), val!(len));
                    if O::RANGES && len > 0 {
                        observer.filled(&here!(), to, len);
                    }
                    core.memory.fill(to, value as u8, len);
                }
                Op::CheckRange { addr, len } => {
                    if O::RANGES {
                        observer.read(&here!(), val!(addr), val!(len));
                    }
                }
                Op::VaStart { list } => {
                    let list = val!(list);
                    if O::RANGES {
                        observer.filled(&here!(), list, 24);
                    }
                    write_va_list(core, depth, loaded.fixed, list);
                }
                Op::VaCopy { dst, src } => {
                    let (to, from) = (val!(dst), val!(src));
                    if O::RANGES {
                        observer.moved(&here!(), to, from, 24);
                    }
                    core.memory.copy(to, from, 24);
                }
                Op::Call { .. } => leave!(Leave::Call),
                Op::LandingPad { dst, .. } => {
                    let [exception, selector] = core.landed;
                    set!(dst, exception);
                    set!(dst + 1, selector);
                }
                Op::Resume { .. } => leave!(Leave::Resume),
                Op::Safepoint => {
                    if core.counter >= limit {
                        leave!(Leave::Safepoint);
                    }
                    count_safepoint(core, depth);
                    if O::BLOCKS {
                        observer.safepoint(&here!());
                    }
                }
                Op::Jump { to } => go!(to),
                Op::Branch { cond, then, els } => go!(if val!(cond) & 1 == 1 { then } else { els }),
                Op::Switch { w, value, table } => {
                    let value = val!(value) & arith::mask(w);
                    let table = &model.switches[table as usize];
                    let at = table.cases.partition_point(|case| case.0 < value);
                    go!(match table.cases.get(at) {
                        Some(&(found, to)) if found == value => to,
                        _ => table.default,
                    })
                }
                Op::Return { n, a } => leave!(Leave::Return { n, a }),
                Op::Trap { kind } => leave!(Leave::Trap(kind)),
            }
            if O::OPS {
                observer.op_done(&here!(), op);
            }
            pc += 1;
        }
    }
}

/// Whether an event or a what-if run has to be looked at before an operation takes effect; `next` is the next event, which
/// may come now, `site` gives the operation's number, and `value` the value of an operand.
#[inline(always)]
fn must_check(
    op: &Op,
    next: &Next,
    what_if: bool,
    memory: &Memory,
    site: impl Fn() -> u32,
    value: impl Fn(Opnd) -> u64,
) -> bool {
    let concerned = match next.kind {
        _ if what_if => true,
        Kind::Load | Kind::Fix => site() == next.site && !matches!(op, Op::Call { .. }),
        Kind::Fault => true,
        _ => false,
    };
    let touches = match *op {
        // What is written is known.
        Op::Load { ty, addr, .. } | Op::Store { ty, addr, .. } if what_if => {
            !memory.is_known_from(value(addr), ty.bytes())
        }
        _ => touches_memory(op),
    };
    concerned && touches
}

/// Counts a safepoint; a frame is named by the first one that it passes.
#[inline(always)]
fn count_safepoint(core: &mut Core, depth: usize) {
    core.counter += 1;
    let counter = core.counter;
    let frame = &mut core.frames[depth];
    if frame.serial == 0 {
        frame.serial = counter;
    }
}

/// Base of the static stack objects of the frame at `depth`.
fn frame_base(core: &Core, depth: usize) -> u64 {
    core.frames[depth].stack_base
}

pub(crate) fn atomic(op: whydunit_model::AtomicOp, ty: Scalar, old: u128, value: u128) -> u128 {
    arith::atomic(op, if let Scalar::Int(w) = ty { w } else { (ty.bytes() * 8) as u8 }, old, value)
}

/// Writes a System V `va_list` for the frame at `depth`.
pub(crate) fn write_va_list(core: &mut Core, depth: usize, fixed: Registers, list: u64) {
    let area = core.frames[depth].variadic;
    core.memory.write(list, (8 * fixed.general).to_le_bytes());
    core.memory.write(list + 4, (48 + 16 * fixed.vector).to_le_bytes());
    core.memory.write(list + 8, (area + SAVE_AREA + fixed.stack % 16).to_le_bytes());
    core.memory.write(list + 16, area.to_le_bytes());
}

/// Whether events can concern an operation before it takes effect.
fn touches_memory(op: &Op) -> bool {
    matches!(
        op,
        Op::Load { .. }
            | Op::Store { .. }
            | Op::AtomicRmw { .. }
            | Op::CmpXchg { .. }
            | Op::MemMove { .. }
            | Op::MemSet { .. }
            | Op::ByvalCopy { .. }
            | Op::CheckRange { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
    )
}

//! The executor of pre-decoded code, for runs that nobody watches.
//!
//! It knows nothing of events but two numbers: the safepoint count from which on safepoints are looked at closely, and
//! the one operation at which the next event waits. Everything unusual is left to the other executor, which comes back
//! here at the next operation that can be entered.

use whydunit_numerics::arith::{self, mask, sext};
use whydunit_numerics::float;

use super::{Flow, Machine};
use crate::code::Code;
use crate::divergence::Result;
use crate::events::Kind;
use crate::function_id::FuncId;
use crate::marks::Tracked;
use crate::memory::Memory;
use crate::observer::Observer;
use crate::prepare::{Fast, FastCall, NONE, Prepared, Size};
use crate::state::{Core, Frame, FrameKind, Waits, place_frame};
use crate::track::Track;

/// Why the inner loop was left.
enum Leave {
    /// The other executor takes over at this operation.
    Other,
    /// A call; its callee is known and takes fixed arguments.
    Call(u32),
    Return {
        n: u8,
        a: u32,
    },
}

#[inline(always)]
fn load(memory: &Memory, size: Size, address: u64) -> u64 {
    match size {
        Size::B1 => u64::from(memory.read::<1>(address)[0]),
        Size::B2 => u64::from(u16::from_le_bytes(memory.read(address))),
        Size::B4 => u64::from(u32::from_le_bytes(memory.read(address))),
        Size::B8 => u64::from_le_bytes(memory.read(address)),
    }
}

#[inline(always)]
fn store(memory: &mut Memory, size: Size, address: u64, value: u64) {
    match size {
        Size::B1 => memory.write(address, [value as u8]),
        Size::B2 => memory.write(address, (value as u16).to_le_bytes()),
        Size::B4 => memory.write(address, (value as u32).to_le_bytes()),
        Size::B8 => memory.write(address, value.to_le_bytes()),
    }
}

/// Whether something was written where an access goes.
#[inline(always)]
fn known(memory: &Memory, size: Size, address: u64) -> bool {
    let bytes = match size {
        Size::B1 => 1,
        Size::B2 => 2,
        Size::B4 => 4,
        Size::B8 => 8,
    };
    memory.is_known_from(address, bytes)
}

#[inline(always)]
fn scaled(a: u64, index: i64, scale: u16) -> u64 {
    a.wrapping_add(index.wrapping_mul(i64::from(scale)) as u64)
}

impl Machine {
    /// Makes the innermost function's pre-decoded code; false where the run stands inside a fused operation.
    pub(crate) fn enter_fast<O: Observer>(&mut self) -> bool {
        // Pre-decoded code rounds to nearest.
        if self.run.rounding.mode().is_some() {
            return false;
        }
        let Some(frame) = self.core.frames.last() else { return false };
        let (id, pc) = (frame.function, frame.pc);
        if O::TRACKS {
            self.make_tracked();
            return self.code.function(id).tracked.as_ref().is_some_and(|tracked| tracked.prepared.starts_at(pc));
        }
        self.code.prepare(id).starts_at(pc)
    }

    /// The operation of this function that the next event concerns, if the event is at the present safepoint count.
    fn watched(&self, id: FuncId, prepared: &Prepared) -> u32 {
        let waits = matches!(self.events.next.kind, Kind::Load | Kind::Fix) && self.event_is_now();
        if !waits || self.what_if.is_some() {
            return NONE;
        }
        let Some((function, site)) = self.code.find_site(self.events.next.site) else { return NONE };
        if function != id {
            return NONE;
        }
        match prepared.loads.binary_search_by_key(&site, |load| load.0) {
            Ok(at) => prepared.loads[at].1,
            Err(_) => NONE,
        }
    }

    /// Executes pre-decoded code until something else has to be done. [`Machine::enter_fast`] has said that it can.
    pub(crate) fn run_fast<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        loop {
            match self.run_fast_frames::<O>() {
                Leave::Call(_) => {
                    if let stop @ Flow::Stop(_) = self.call(observer)? {
                        return Ok(stop);
                    }
                }
                Leave::Other | Leave::Return { .. } => return self.run_ops(observer),
            }
            let inside = self.core.frames.last().is_some_and(|frame| frame.waits == Waits::No);
            if !inside || self.events_are_near() || !self.enter_fast::<O>() {
                return Ok(Flow::Continue);
            }
        }
    }

    /// Whether a synchronous signal is due in this stretch.
    pub(crate) fn events_are_near(&self) -> bool {
        self.events.next.kind == Kind::Fault && self.event_is_now() && self.what_if.is_none()
    }

    fn run_fast_frames<O: Observer>(&mut self) -> Leave {
        let limit = self.limit;
        let generation = self.run.symbols.generation;
        loop {
            let depth = self.core.frames.len() - 1;
            let frame = self.core.frames[depth];
            if O::TRACKS {
                self.make_tracked();
            }
            let loaded = self.code.function(frame.function);
            let tracked = loaded.tracked.as_deref().filter(|_| O::TRACKS);
            let prepared = tracked.map(|tracked| &tracked.prepared).or(loaded.prepared.as_deref());
            let Some(prepared) = prepared else { return Leave::Other };
            let Some(first) = prepared.at(frame.pc) else { return Leave::Other };
            let watch = self.watched(frame.function, prepared);
            let core = &mut self.core;
            let leave = match (self.what_if.is_some(), tracked, &mut self.track) {
                (false, Some(tracked), Some(track)) => {
                    track.goes_on(&self.code, &core.frames, core.begun);
                    if track.is_unsure(depth) {
                        return Leave::Other;
                    }
                    let mut following = Following { track, tracked, depth };
                    run_frame::<false, _>(core, prepared, frame, first, watch, limit, &mut following)
                }
                (false, ..) => run_frame::<false, _>(core, prepared, frame, first, watch, limit, &mut Alone),
                (true, ..) => run_frame::<true, _>(core, prepared, frame, first, watch, limit, &mut Alone),
            };
            match leave {
                Leave::Call(call) => {
                    if O::TRACKS {
                        self.begins(depth);
                    }
                    let known = &prepared_calls(&self.code, frame.function)[call as usize];
                    if O::FRAMES
                        || (known.generation != generation && !self.resolve_call(frame.function, call, generation))
                    {
                        return Leave::Call(call);
                    }
                    if !self.call_known::<O>(frame, call) {
                        return Leave::Call(call);
                    }
                    self.track_entry::<O>();
                }
                Leave::Return { n, a } => {
                    if O::FRAMES || frame.result == NONE {
                        return leave;
                    }
                    if O::TRACKS {
                        self.begins(depth);
                    }
                    self.return_known(frame, n, a);
                }
                Leave::Other => return Leave::Other,
            }
        }
    }

    /// The call or return of frame `depth` is begun.
    fn begins(&mut self, depth: usize) {
        if let Some(track) = &mut self.track {
            track.executed(depth, self.core.begun);
        }
        self.core.begun += 1;
    }

    /// Finds out whom a call calls; false where the general way has to be taken.
    fn resolve_call(&mut self, id: FuncId, number: u32, generation: u64) -> bool {
        let caller = self.code.model(id);
        let call = &caller.calls[number as usize];
        let whydunit_model::Callee::Direct(index) = call.callee else { return false };
        let Some(module) = self.code.loaded_module_of(id) else { return false };
        let callee = if module.calls_own(index) {
            FuncId(module.first.0 + index)
        } else {
            match self.run.symbols.function_at(module.functions[index as usize]) {
                Some(callee) => callee,
                None => return false,
            }
        };
        let loaded = self.code.function(callee);
        if loaded.check.is_some() || loaded.body {
            // A what-if run may end there.
            return false;
        }
        let model = self.code.model(callee);
        let same = call.args.len() == model.params.len()
            && call.args.iter().zip(&model.params).all(|(arg, param)| arg.leaves == param.leaves);
        if model.variadic || !same || call.ret != model.ret {
            return false;
        }
        let mut moves = Vec::new();
        for (arg, param) in call.args.iter().zip(&model.params) {
            let words: u32 = arg.leaves.iter().map(|leaf| leaf.slots()).sum();
            for word in 0..words {
                let operand = arg.value.word(word);
                let from = if operand.is_const() { caller.slots + operand.index() } else { operand.index() };
                moves.push((from, param.slot + word));
            }
        }
        let known = FastCall { generation, callee: callee.0, dst: call.dst, moves: moves.into() };
        self.code.prepare(callee);
        self.code.prepare(id).calls[number as usize] = known;
        true
    }

    /// Enters the function that a resolved call calls.
    fn call_known<O: Observer>(&mut self, caller: Frame, number: u32) -> bool {
        let Machine { core, code, .. } = self;
        let from = code.function(caller.function);
        let Some(known) = from.prepared.as_ref().map(|prepared| &prepared.calls[number as usize]) else { return false };
        let id = FuncId(known.callee);
        let loaded = code.function(id);
        let below = (caller.base, caller.base + from.frame_slots());
        let base = place_frame(core, Some(below), loaded.frame_slots());
        let top = base + loaded.frame_slots();
        if O::TRACKS {
            super::frames::clear(core, code, id, base);
        }
        for &(from, to) in &known.moves {
            core.slots[base + to as usize] = core.slots[caller.base + from as usize];
        }
        core.slots[base + loaded.slots as usize..top].copy_from_slice(&loaded.consts);
        let usp = core.usp;
        let stack_base = if loaded.frame_size == 0 {
            usp
        } else {
            usp.wrapping_sub(loaded.frame_size) & loaded.frame_align.wrapping_neg()
        };
        core.usp = stack_base;
        core.instructions += u64::from(loaded.entry_instructions);
        core.frames.push(Frame {
            function: id,
            pc: loaded.entry_pc,
            kind: FrameKind::Call,
            base,
            stack_base,
            usp_before: usp,
            variadic: 0,
            serial: 0,
            waits: Waits::No,
            result: u32::try_from(caller.base + known.dst as usize).unwrap_or(NONE),
        });
        true
    }

    /// Returns from a function that a resolved call called.
    fn return_known(&mut self, frame: Frame, n: u8, a: u32) {
        let core = &mut self.core;
        let first = frame.base + a as usize;
        for word in 0..usize::from(n) {
            core.slots[frame.result as usize + word] = core.slots[first + word];
        }
        super::frames::pop(core, frame.usp_before);
        if let Some(caller) = core.frames.last_mut() {
            caller.pc += 1;
        }
    }
}

/// The calls of a function whose code is made; none of others.
fn prepared_calls(code: &Code, function: FuncId) -> &[FastCall] {
    code.function(function).prepared.as_deref().map_or(&[], |prepared| &prepared.calls[..])
}

/// What follows a frame's operations.
trait Follower {
    /// Operations are counted, and marks are passed.
    const ON: bool;
    /// A mark is passed, at a position.
    fn mark(&mut self, mark: u32, position: u64);
    /// This was the last operation.
    fn executed(&mut self, last: u64);
}

/// Nothing is followed.
struct Alone;

impl Follower for Alone {
    const ON: bool = false;
    #[inline(always)]
    fn mark(&mut self, _: u32, _: u64) {}
    #[inline(always)]
    fn executed(&mut self, _: u64) {}
}

/// A frame is followed.
struct Following<'a> {
    track: &'a mut Track,
    tracked: &'a Tracked,
    depth: usize,
}

impl Follower for Following<'_> {
    const ON: bool = true;
    #[inline(always)]
    fn mark(&mut self, mark: u32, position: u64) {
        self.track.mark(self.tracked, mark, self.depth, position);
    }
    #[inline(always)]
    fn executed(&mut self, last: u64) {
        self.track.executed(self.depth, last);
    }
}

/// Executes one frame's operations until it calls, returns, or leaves. In a what-if run it leaves where memory is accessed of
/// which nothing is known.
fn run_frame<const WHAT_IF: bool, F: Follower>(
    core: &mut Core,
    prepared: &Prepared,
    frame: Frame,
    first: u32,
    watch: u32,
    limit: u64,
    follower: &mut F,
) -> Leave {
    let Core { memory, slots, frames, counter, instructions, begun, .. } = core;
    // The first of the model's operations that is not counted yet.
    let mut uncounted = frame.pc;
    let begun_before = *begun;
    let depth = frames.len() - 1;
    let slots = &mut slots[frame.base..];
    let code = &prepared.code[..];
    let targets = &prepared.targets[..];
    let mut pc = first as usize;
    let mut executed = 0u64;

    macro_rules! get {
        ($operand:expr) => {
            slots[$operand as usize]
        };
    }
    macro_rules! set {
        ($slot:expr, $value:expr) => {{
            let value: u64 = $value;
            slots[$slot as usize] = value;
        }};
    }
    macro_rules! jumped {
        () => {
            if F::ON {
                *begun += u64::from(prepared.behind[pc] - uncounted);
            }
        };
    }
    macro_rules! starts {
        () => {
            if F::ON {
                uncounted = prepared.model_pc[pc];
            }
        };
    }
    macro_rules! go {
        ($t:expr) => {{
            let target = targets[$t as usize];
            executed += u64::from(target.count);
            jumped!();
            pc = target.pc as usize;
            starts!();
            continue;
        }};
    }
    macro_rules! leave {
        ($why:expr) => {{
            *instructions += executed;
            frames[depth].pc = prepared.model_pc[pc];
            if F::ON {
                *begun += u64::from(prepared.model_pc[pc] - uncounted);
                if *begun > begun_before {
                    follower.executed(*begun - 1);
                }
            }
            return $why;
        }};
    }
    macro_rules! low32 {
        ($value:expr) => {
            u64::from($value as u32)
        };
    }

    loop {
        match code[pc] {
            Fast::Add64 { d, a, b } => set!(d, get!(a).wrapping_add(get!(b))),
            Fast::Add32 { d, a, b } => set!(d, low32!(get!(a).wrapping_add(get!(b)))),
            Fast::Sub64 { d, a, b } => set!(d, get!(a).wrapping_sub(get!(b))),
            Fast::Sub32 { d, a, b } => set!(d, low32!(get!(a).wrapping_sub(get!(b)))),
            Fast::Mul64 { d, a, b } => set!(d, get!(a).wrapping_mul(get!(b))),
            Fast::Mul32 { d, a, b } => set!(d, low32!(get!(a).wrapping_mul(get!(b)))),
            Fast::And { d, a, b } => set!(d, get!(a) & get!(b)),
            Fast::Or { d, a, b } => set!(d, get!(a) | get!(b)),
            Fast::Xor { d, a, b } => set!(d, get!(a) ^ get!(b)),
            Fast::Shl64 { d, a, b } => set!(d, get!(a) << (get!(b) & 63)),
            Fast::Shl32 { d, a, b } => set!(d, low32!(get!(a) << (get!(b) & 31))),
            Fast::LShr64 { d, a, b } => set!(d, get!(a) >> (get!(b) & 63)),
            Fast::LShr32 { d, a, b } => set!(d, get!(a) >> (get!(b) & 31)),
            Fast::AShr64 { d, a, b } => set!(d, (get!(a) as i64 >> (get!(b) & 63)) as u64),
            Fast::AShr32 { d, a, b } => set!(d, low32!(get!(a) as i32 >> (get!(b) & 31))),
            Fast::Int { op, w, d, a, b } => match arith::int(op, w, get!(a), get!(b)) {
                Some(value) => set!(d, value),
                None => leave!(Leave::Other),
            },
            Fast::Eq { d, a, b } => set!(d, (get!(a) == get!(b)).into()),
            Fast::Ne { d, a, b } => set!(d, (get!(a) != get!(b)).into()),
            Fast::Ult { d, a, b } => set!(d, (get!(a) < get!(b)).into()),
            Fast::Ule { d, a, b } => set!(d, (get!(a) <= get!(b)).into()),
            Fast::Slt32 { d, a, b } => set!(d, ((get!(a) as i32) < get!(b) as i32).into()),
            Fast::Sle32 { d, a, b } => set!(d, (get!(a) as i32 <= get!(b) as i32).into()),
            Fast::Slt64 { d, a, b } => set!(d, ((get!(a) as i64) < get!(b) as i64).into()),
            Fast::Sle64 { d, a, b } => set!(d, (get!(a) as i64 <= get!(b) as i64).into()),
            Fast::ICmp { pred, w, d, a, b } => set!(d, arith::compare(pred, w, get!(a), get!(b)).into()),
            Fast::IfEq { t, a, b } => go!(t + u32::from(get!(a) == get!(b))),
            Fast::IfNe { t, a, b } => go!(t + u32::from(get!(a) != get!(b))),
            Fast::IfUlt { t, a, b } => go!(t + u32::from(get!(a) < get!(b))),
            Fast::IfUle { t, a, b } => go!(t + u32::from(get!(a) <= get!(b))),
            Fast::IfSlt32 { t, a, b } => go!(t + u32::from((get!(a) as i32) < get!(b) as i32)),
            Fast::IfSle32 { t, a, b } => go!(t + u32::from(get!(a) as i32 <= get!(b) as i32)),
            Fast::IfSlt64 { t, a, b } => go!(t + u32::from((get!(a) as i64) < get!(b) as i64)),
            Fast::IfSle64 { t, a, b } => go!(t + u32::from(get!(a) as i64 <= get!(b) as i64)),
            Fast::If { t, a } => go!(t + (get!(a) & 1) as u32),
            Fast::Jump { t } => go!(t),
            Fast::CopyJump { d, a, t } => {
                set!(d, get!(a));
                go!(t);
            }
            Fast::Switch { w, a, table } => {
                let target = prepared.switches[table as usize].target(get!(a) & mask(w));
                executed += u64::from(target.count);
                jumped!();
                pc = target.pc as usize;
                starts!();
                continue;
            }
            Fast::Sext32To64 { d, a } => set!(d, get!(a) as i32 as i64 as u64),
            Fast::Sext { from, to, d, a } => set!(d, sext(get!(a), from) as u64 & mask(to)),
            Fast::Trunc { to, d, a } => set!(d, get!(a) & mask(to)),
            Fast::Copy { d, a } => set!(d, get!(a)),
            Fast::Copy2 { d, a } => {
                set!(d, get!(a));
                set!(d + 1, get!(a + 1));
            }
            Fast::PtrAdd { d, a, offset } => set!(d, get!(a).wrapping_add(offset as i64 as u64)),
            Fast::Index64 { scale, d, a, i } => set!(d, scaled(get!(a), get!(i) as i64, scale)),
            Fast::Index32 { scale, d, a, i } => set!(d, scaled(get!(a), i64::from(get!(i) as i32), scale)),
            Fast::Load { size, d, a, offset } => {
                let address = get!(a).wrapping_add(offset as i64 as u64);
                if pc as u32 == watch || WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                set!(d, load(memory, size, address));
            }
            Fast::LoadIndex64 { size, scale, d, a, i } => {
                let address = scaled(get!(a), get!(i) as i64, scale);
                if pc as u32 == watch || WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                set!(d, load(memory, size, address));
            }
            Fast::LoadIndex32 { size, scale, d, a, i } => {
                let address = scaled(get!(a), i64::from(get!(i) as i32), scale);
                if pc as u32 == watch || WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                set!(d, load(memory, size, address));
            }
            Fast::Store { size, v, a, offset } => {
                let address = get!(a).wrapping_add(offset as i64 as u64);
                if WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                store(memory, size, address, get!(v));
            }
            Fast::StoreIndex64 { size, scale, v, a, i } => {
                let address = scaled(get!(a), get!(i) as i64, scale);
                if WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                store(memory, size, address, get!(v));
            }
            Fast::StoreIndex32 { size, scale, v, a, i } => {
                let address = scaled(get!(a), i64::from(get!(i) as i32), scale);
                if WHAT_IF && !known(memory, size, address) {
                    leave!(Leave::Other);
                }
                store(memory, size, address, get!(v));
            }
            Fast::Float64 { op, d, a, b } => {
                set!(d, float::binary(op, whydunit_model::Scalar::F64, get!(a).into(), get!(b).into()) as u64);
            }
            Fast::Float32 { op, d, a, b } => {
                set!(d, float::binary(op, whydunit_model::Scalar::F32, get!(a).into(), get!(b).into()) as u64);
            }
            Fast::FCmp64 { pred, d, a, b } => {
                let holds = float::compare(pred, whydunit_model::Scalar::F64, get!(a).into(), get!(b).into());
                set!(d, holds.into());
            }
            Fast::Safepoint => {
                if *counter >= limit {
                    leave!(Leave::Other);
                }
                *counter += 1;
                if frames[depth].serial == 0 {
                    frames[depth].serial = *counter;
                }
            }
            Fast::Call { call } => leave!(Leave::Call(call)),
            Fast::Return { n, a } => leave!(Leave::Return { n, a }),
            Fast::Plain | Fast::Leave => leave!(Leave::Other),
            Fast::Mark { mark } => {
                // What an event comes before may not be begun yet: the other executor passes its mark.
                if pc as u32 + 1 == watch {
                    leave!(Leave::Other);
                }
                follower.mark(mark, *begun + u64::from(prepared.model_pc[pc].wrapping_sub(uncounted)))
            }
        }
        pc += 1;
    }
}

//! The events: surprises at operations, faults, safepoints with signals, what external code does until it returns, the
//! end of the run.

use whydunit_model::{Op, TrapKind};
use whydunit_recording::{Event, RetValue, RunEnd};

use super::frames::{SAVE_AREA, lay_out};
use super::{Flow, Machine, Stop};
use crate::divergence::Result;
use crate::end::End;
use crate::events::Kind;
use crate::observer::{At, Observer, Writer};
use crate::output::Stream;
use crate::role::Model;
use crate::signals::{SIGABRT, SIGBUS, SIGILL, SIGSEGV, SIGTRAP};
use crate::state::{FrameKind, JumpTarget, Waits};

impl Machine {
    /// Takes FIX events of the present operation.
    pub(crate) fn take_fixes<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        if self.events.next.kind != Kind::Fix || !self.event_is_now() {
            return Ok(());
        }
        let site = self.global_site();
        while self.events.next.kind == Kind::Fix && self.event_is_now() && self.events.next.site == site {
            if let Event::Fix { address, bytes, .. } = self.take_event()?.event {
                self.found(observer, address, &bytes)?;
            }
        }
        Ok(())
    }

    /// Memory turned out to be changed from outside.
    fn found<O: Observer>(&mut self, observer: &mut O, address: u64, bytes: &[u8]) -> Result<()> {
        if self.core.memory.read_vec(address, bytes.len()) == bytes {
            let got = format!("the same {} bytes at {address:#x} already", bytes.len());
            return Err(self.divergence("memory that was changed from outside", got));
        }
        self.core.memory.write_from(address, bytes);
        observer.external_write(&self.at(), address, bytes.len() as u64, Writer::Found);
        Ok(())
    }

    /// An event may concern the innermost frame's operation, which reads or writes memory.
    pub(crate) fn check_op<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        if self.what_if.is_some() {
            return Ok(self.check_what_if_access());
        }
        let at = self.at();
        let load = match at.op() {
            Op::Load { ty, addr, .. } | Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => {
                Some((at.value(*addr), ty.bytes() as usize))
            }
            _ => None,
        };
        let ranges = accessed(&at);
        if let (Some((address, size)), Kind::Load, true) = (load, self.events.next.kind, self.event_is_now())
            && self.events.next.site == self.global_site()
            && let Event::Load { value, .. } = self.take_event()?.event
        {
            if value.size() != size {
                let expected = format!("a load of {} bytes", value.size());
                return Err(self.divergence(expected, format!("one of {size} bytes")));
            }
            // The compiled copy may compare with an older load of the shadow and log a value that is known by now.
            if self.core.memory.read_vec(address, size) != value.bytes() {
                self.found(observer, address, value.bytes())?;
            }
        }
        self.take_fixes(observer)?;
        if self.events.next.kind == Kind::Fault && self.event_is_now() {
            let (signal, address) = self.pending_fault();
            if matches!(signal, SIGSEGV | SIGBUS) && ranges.iter().any(|&range| is_hit(range, address)) {
                return self.fault(observer);
            }
        }
        Ok(Flow::Continue)
    }

    /// Signal and address of the next event, when it is a FAULT.
    pub(crate) fn pending_fault(&mut self) -> (i32, u64) {
        match self.events.peek() {
            Ok(Some(entry)) => match entry.event {
                Event::Fault { signal, address } => (signal as i32, address),
                _ => (0, 0),
            },
            _ => (0, 0),
        }
    }

    /// Takes the FAULT event, which concerns the present operation or external call.
    pub(crate) fn fault<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let Event::Fault { signal, address } = self.take_event()?.event else { return Ok(Flow::Continue) };
        observer.fault(&self.at(), signal, address);
        if let (Some(track), Some(frame)) = (self.track.as_ref().filter(|_| O::TRACKS), self.core.frames.last()) {
            track.faults(&self.code, frame, self.core.frames.len() - 1);
        }
        if self.events.next.kind == Kind::End {
            return Ok(Flow::Stop(Stop::End(End::Fault { signal: signal as i32, address, near: false })));
        }
        if let Some(frame) = self.core.frames.last_mut()
            && frame.waits == Waits::No
        {
            frame.waits = Waits::Fault;
        }
        Ok(Flow::Continue)
    }

    /// Whether a modelled function touches the memory at fault.
    pub(crate) fn fault_in_model<O: Observer>(
        &mut self,
        observer: &mut O,
        model: Model,
        args: &[u64],
    ) -> Result<Option<Flow>> {
        if self.events.next.kind != Kind::Fault || !self.event_is_now() {
            return Ok(None);
        }
        let (signal, address) = self.pending_fault();
        let hit = model.accesses(&self.core.memory, args).iter().any(|&range| is_hit(range, address));
        if matches!(signal, SIGSEGV | SIGBUS) && hit {
            return self.fault(observer).map(Some);
        }
        Ok(None)
    }

    /// Whether freeing a block that is none was the end (glibc aborts).
    pub(crate) fn abort_in_heap<O: Observer>(&mut self, observer: &mut O) -> Result<Option<Flow>> {
        if self.events.next.kind == Kind::Fault && self.event_is_now() {
            let (signal, _) = self.pending_fault();
            if matches!(signal, SIGABRT | SIGSEGV) {
                return self.fault(observer).map(Some);
            }
        }
        Ok(None)
    }

    /// The present operation traps.
    pub(crate) fn trap<O: Observer>(&mut self, observer: &mut O, signal: i32, what: &str) -> Result<Flow> {
        if self.what_if.is_some() {
            return Ok(self.what_if_trap(signal, what));
        }
        if self.events.next.kind == Kind::Fault && self.event_is_now() && self.pending_fault().0 == signal {
            return self.fault(observer);
        }
        Err(self.diverged(what))
    }

    /// The present operation is a trap.
    pub(crate) fn trap_op<O: Observer>(&mut self, observer: &mut O, kind: TrapKind) -> Result<Flow> {
        let text = match kind {
            TrapKind::Unreachable => "code that cannot be reached".to_string(),
            TrapKind::Trap => "a trap".to_string(),
            TrapKind::Unsupported(index) => {
                let text = self.at().model.unsupported.get(index as usize).cloned().unwrap_or_default();
                format!("an instruction that the replay does not support: {text}")
            }
        };
        let signal = if self.pending_fault().0 == SIGTRAP { SIGTRAP } else { SIGILL };
        self.trap(observer, signal, &text)
    }

    /// The safepoint at the innermost frame's operation, at a count where something may happen.
    pub(crate) fn safepoint<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let before = if self.what_if.is_some() { self.what_if_step() } else { self.before_count(observer)? };
        if let Some(flow) = before {
            return Ok(flow);
        }
        self.core.counter += 1;
        let counter = self.core.counter;
        let depth = self.core.frames.len() - 1;
        let entry = self.core.frames[depth].serial == 0;
        if entry {
            self.core.frames[depth].serial = counter;
        }
        if self.what_if.is_none()
            && entry
            && self.events.next.kind == Kind::Variadic
            && self.event_is_now()
            && self.at().model.variadic
        {
            self.take_variadic(observer)?;
        }
        if O::BLOCKS {
            observer.safepoint(&self.at());
        }
        if O::OPS {
            observer.op_done(&self.at(), &Op::Safepoint);
        }
        self.core.frames[depth].pc += 1;
        if self.what_if.is_some() {
            return Ok(Flow::Continue);
        }
        if let (Kind::End, RunEnd::Killed { counter: last }) = (self.events.next.kind, self.events.end())
            && counter >= *last
        {
            return Ok(Flow::Stop(Stop::End(End::Killed { counter })));
        }
        Ok(if counter >= self.until { Flow::Stop(Stop::Reached) } else { Flow::Continue })
    }

    /// What happens before a safepoint is counted.
    fn before_count<O: Observer>(&mut self, observer: &mut O) -> Result<Option<Flow>> {
        if self.event_is_now() {
            match self.events.next.kind {
                Kind::Signal => return self.deliver(observer).map(Some),
                Kind::Switch => return self.take_switch(observer).map(Some),
                Kind::Fault => return self.fault_nearby(observer).map(Some),
                _ => return Err(self.diverged("the next safepoint")),
            }
        }
        if self.events.next.counter < self.core.counter {
            return Err(self.diverged("an event passed by"));
        }
        if self.events.next.kind == Kind::End {
            match self.events.end() {
                RunEnd::Killed { counter } => {
                    let counter = *counter;
                    if self.core.counter >= counter {
                        return Ok(Some(Flow::Stop(Stop::End(End::Killed { counter }))));
                    }
                }
                RunEnd::Stopped { .. } | RunEnd::Cut { .. } => return self.run_out().map(Some),
                _ => {
                    if self.events.last_counter().is_some_and(|last| self.core.counter >= last) {
                        return Err(self.diverged("a safepoint after the last one of the run"));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The signal was raised since the last safepoint by no operation that the model has: the native stack overflowed on
    /// entry of this function, or a library call without events failed. A handler that is not captured (Rust's tells of the
    /// overflow) can end the run by another signal.
    fn fault_nearby<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let (first, address) = self.pending_fault();
        let mut signal = first;
        while self.events.next.kind == Kind::Fault && self.event_is_now() {
            signal = self.pending_fault().0;
            self.take_event()?;
            observer.fault(&self.at(), signal as u32, address);
        }
        if self.events.next.kind == Kind::End {
            return Ok(Flow::Stop(Stop::End(End::Fault { signal, address, near: true })));
        }
        let signal = first;
        let expected = format!("signal {signal} with address {address:#x} before this safepoint");
        Err(self.divergence(expected, "no operation that raises it"))
    }

    /// The recorder could not know what a variadic function was passed and logged it: the frame is laid out anew.
    fn take_variadic<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Event::Variadic { bytes } = self.take_event()?.event else { return Ok(()) };
        let depth = self.core.frames.len() - 1;
        let frame = self.core.frames[depth];
        let overflow = (bytes.len() as u64).saturating_sub(SAVE_AREA);
        lay_out(&mut self.core, &self.code, frame.usp_before, overflow);
        let (area, stack_base) = (self.core.frames[depth].variadic, self.core.frames[depth].stack_base);
        self.core.memory.write_from(area, &bytes);
        // Addresses of stack objects were taken before the safepoint.
        let model = self.code.model(frame.function);
        for op in &model.code[model.blocks[0].start as usize..frame.pc as usize] {
            if let Op::StackAddr { dst, offset, .. } = op {
                self.core.slots[frame.base + *dst as usize] = stack_base.wrapping_add(*offset);
            }
        }
        observer.external_write(&self.at(), area, bytes.len() as u64, Writer::Variadic);
        Ok(())
    }

    /// Another thread runs from this safepoint on.
    fn take_switch<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let Event::Switch(switch) = self.take_event()?.event else { return Ok(Flow::Continue) };
        self.switch(observer, &switch)
    }

    /// Delivers the signal that the next event tells of.
    fn deliver<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let Event::Signal { function, words } = self.take_event()?.event else { return Ok(Flow::Continue) };
        let Some(id) = self.run.symbols.function_at(function) else {
            return Err(self.divergence("a captured signal handler", format!("nothing known at {function:#x}")));
        };
        let depth = self.core.frames.len() - 1;
        let frame = &mut self.core.frames[depth];
        frame.waits = Waits::Signal;
        // Before the count of its entry safepoint a function has no stack objects yet.
        let usp = if frame.serial == 0 { frame.usp_before } else { self.core.usp };
        self.enter_from_outside(observer, id, &words, FrameKind::Signal, usp);
        Ok(Flow::Continue)
    }

    /// Takes events while external code is at work.
    pub(crate) fn outside<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        loop {
            if !self.event_is_now() {
                if self.events.next.kind == Kind::End {
                    return self.run_out();
                }
                let got = format!("external code ({}) that does not come to it", self.external_name());
                return Err(self.diverged(got));
            }
            if self.events.next.kind == Kind::Fault {
                self.abort_through_pointer(observer);
                if let stop @ Flow::Stop(_) = self.fault(observer)? {
                    return Ok(stop);
                }
                continue;
            }
            let entry = self.take_event()?;
            if let Some(flow) = self.follow_external(observer, entry.event)? {
                return Ok(flow);
            }
        }
    }

    /// Does what external code did by an event. How the replay goes on, where that is not with the next event of external
    /// code.
    fn follow_external<O: Observer>(&mut self, observer: &mut O, event: Event) -> Result<Option<Flow>> {
        match event {
            Event::Write { address, bytes } => {
                self.print_before(observer);
                self.core.memory.write_from(address, &bytes);
                observer.external_write(&self.at(), address, bytes.len() as u64, Writer::External);
            }
            Event::Zeroed { address, length } => {
                self.core.memory.fill(address, 0, length);
                observer.external_write(&self.at(), address, length, Writer::External);
            }
            Event::Fix { site, address, bytes } if site == self.global_site() => {
                self.found(observer, address, &bytes)?;
            }
            Event::Output { fd, bytes } => self.emit(observer, Stream::Descriptor(fd), bytes.into()),
            // Of the latter the models say so that are replayed.
            Event::Note { .. } | Event::OneTest { .. } => {}
            Event::Start(start) => {
                self.core.usp = start.usp;
                self.run.start = Some(*start);
            }
            Event::Module(module) => {
                let number = self.load_module(&module)?;
                observer.module_loaded(&self.at(), number);
            }
            Event::Unload { index } => {
                if !self.code.unload(&mut self.run.symbols, index) {
                    return Err(self.divergence("a loaded module", format!("number {index}, which is not loaded")));
                }
            }
            Event::Callback { function, words } => {
                let Some(id) = self.run.symbols.function_at(function) else {
                    let got = format!("nothing known at {function:#x}");
                    return Err(self.divergence("a captured function that external code calls", got));
                };
                let usp = self.core.usp;
                self.enter_from_outside(observer, id, &words, FrameKind::Callback, usp);
                return Ok(Some(Flow::Continue));
            }
            Event::Landed { site, usp, exception, selector } => {
                self.core.landed = [exception, u64::from(selector as u32)];
                return self.land(observer, site, usp).map(Some);
            }
            Event::ThreadEnd => self.thread_ends(observer),
            Event::Switch(switch) => return self.switch(observer, &switch).map(Some),
            Event::Unwound { function } => self.leave_callback(observer, function)?,
            Event::Setjmp { site, serial, value } => {
                return self.setjmp_returns(observer, site, serial, value).map(Some);
            }
            Event::Ret { site, value } => return self.call_returns(observer, site, &value).map(Some),
            other => {
                let expected = match other.site() {
                    Some(site) => format!("{} at {}", other.name(), self.code.describe_site(site)),
                    None => other.name().to_string(),
                };
                return Err(self.divergence(expected, format!("an external call ({})", self.external_name())));
            }
        }
        Ok(None)
    }

    /// The innermost frame's external call returned.
    fn call_returns<O: Observer>(&mut self, observer: &mut O, site: u32, value: &RetValue) -> Result<Flow> {
        let waits = self.core.frames.last().map(|frame| frame.waits);
        if waits != Some(Waits::External) || site != self.global_site() {
            let expected = format!("the return of {}", self.code.describe_site(site));
            return Err(self.divergence(expected, format!("the call of {}", self.external_name())));
        }
        let words = self.result_words(value);
        let args = self.arguments();
        self.external_returns(observer, &args, &words);
        Ok(Flow::Continue)
    }

    /// The operation that called setjmp; none where the site is that of another operation.
    pub(crate) fn setjmp_at(&self, target: JumpTarget) -> Option<u32> {
        let model = self.code.model(self.core.frames.get(target.depth)?.function);
        let mut calls = model.sites.iter().zip(&model.code);
        calls.position(|(at, op)| *at == target.site && matches!(op, Op::Call { .. })).map(|pc| pc as u32)
    }

    /// Makes the frame that called setjmp, by its operation `pc`, the innermost one, with the stack as it was then.
    pub(crate) fn return_to_setjmp<O: Observer>(&mut self, observer: &mut O, target: JumpTarget, pc: u32) {
        let depth = target.depth;
        let dropped = depth + 1 < self.core.frames.len();
        self.core.frames.truncate(depth + 1);
        self.core.forget_frames(depth + 1);
        self.core.usp = target.usp;
        while self.core.dynamic.last().is_some_and(|object| object.depth == depth && object.address < target.usp) {
            self.core.dynamic.pop();
        }
        self.core.frames[depth].pc = pc;
        if let Some(track) = self.track.as_mut().filter(|_| O::TRACKS) {
            track.jumped(depth);
        }
        if dropped {
            observer.unwind(&self.at(), depth + 1);
        }
    }

    fn setjmp_returns<O: Observer>(&mut self, observer: &mut O, site: u32, serial: u64, value: i64) -> Result<Flow> {
        let found = self.code.find_site(site).and_then(|(function, local)| {
            let depth = self.core.frames.iter().rposition(|f| f.serial == serial && f.function == function)?;
            self.core.jumps.iter().rfind(|jump| jump.depth == depth && jump.site == local).copied()
        });
        let Some(target) = found else {
            let expected = format!("a frame that called setjmp at {}", self.code.describe_site(site));
            return Err(self.divergence(expected, "none"));
        };
        let Some(pc) = self.setjmp_at(target) else {
            return Err(self.divergence("a call of setjmp", "another operation"));
        };
        self.return_to_setjmp(observer, target, pc);
        let args = self.arguments();
        self.external_returns(observer, &args, &[value as u64]);
        Ok(Flow::Continue)
    }

    /// There are no more events.
    fn run_out(&mut self) -> Result<Flow> {
        let end = match self.events.end().clone() {
            RunEnd::Orderly => End::Exited { status: self.run.status },
            RunEnd::Exec => End::Exec,
            RunEnd::Fault { signal, address } => {
                return Err(self.divergence(format!("signal {signal} with address {address:#x}"), "no such event"));
            }
            RunEnd::Killed { counter } if counter == self.core.counter => End::Killed { counter },
            RunEnd::Killed { counter } => {
                let got = format!("external code ({}) that does not return", self.external_name());
                return Err(self.divergence(format!("the run to be killed at safepoint {counter}"), got));
            }
            RunEnd::Stopped { message, .. } => {
                End::RecordingEnds { reason: format!("the recording was stopped: {message}") }
            }
            RunEnd::Cut { detail } => End::RecordingEnds { reason: format!("the recording is cut off: {detail}") },
        };
        Ok(Flow::Stop(Stop::End(end)))
    }
}

/// Whether an access can have raised a signal with this address. Addresses that no pointer can have are reported as 0.
fn is_hit((start, size): (u64, u64), address: u64) -> bool {
    let impossible = start >> 47 != 0;
    size > 0 && (address.wrapping_sub(start) < size || (address == 0 && impossible))
}

/// The ranges that an operation reads or writes.
pub(crate) fn accessed(at: &At<'_>) -> Vec<(u64, u64)> {
    match *at.op() {
        Op::Load { ty, addr, .. }
        | Op::Store { ty, addr, .. }
        | Op::AtomicRmw { ty, addr, .. }
        | Op::CmpXchg { ty, addr, .. } => vec![(at.value(addr), ty.bytes().into())],
        Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
            vec![(at.value(src), at.value(len)), (at.value(dst), at.value(len))]
        }
        Op::MemSet { dst, len, .. } => vec![(at.value(dst), at.value(len))],
        Op::CheckRange { addr, len } => vec![(at.value(addr), at.value(len))],
        Op::VaStart { list } => vec![(at.value(list), 24)],
        Op::VaCopy { dst, src } => vec![(at.value(src), 24), (at.value(dst), 24)],
        _ => Vec::new(),
    }
}

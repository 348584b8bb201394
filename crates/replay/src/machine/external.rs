//! External calls: what is known about their functions, how they start and return, what they print.

use whydunit_model::{Callee, Op, Scalar};
use whydunit_numerics::arith;
use whydunit_recording::{Event, RetValue};

use super::{Flow, Machine};
use crate::divergence::Result;
use crate::events::Kind;
use crate::function_id::FuncId;
use crate::observer::{External, ExternalKind, Observer};
use crate::output::{OutputEvent, Stream};
use crate::role::{HeapCall, Places, Print, Role, RoleKind, SpecificCall, made_up_name};
use crate::state::{JumpTarget, Waits};
use crate::streams;

/// Who is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Captured(FuncId),
    External(Role),
}

impl Machine {
    /// The site of the innermost frame's operation, as events have it.
    pub(crate) fn global_site(&self) -> u32 {
        let at = self.at();
        self.code.loaded_module_of(at.function).map_or(0, |module| module.site_base) + at.site()
    }

    /// First words of the arguments of the call under way.
    pub(crate) fn arguments(&self) -> Vec<u64> {
        let at = self.at();
        match at.model.code.get(at.pc as usize) {
            Some(Op::Call { call }) => {
                at.model.calls[*call as usize].args.iter().map(|arg| at.value(arg.value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Shows the external call under way to `show`.
    pub(crate) fn with_external<R>(&self, args: &[u64], show: impl FnOnce(&External<'_>) -> R) -> Option<R> {
        let at = self.at();
        let Some(Op::Call { call }) = at.model.code.get(at.pc as usize) else { return None };
        let call = &at.model.calls[*call as usize];
        let (name, address, kind) = match call.callee {
            Callee::Direct(index) => {
                let module = self.code.loaded_module_of(at.function)?;
                let kind = match self.code.function(FuncId(module.first.0 + index)).role.kind {
                    RoleKind::Modelled(_) => ExternalKind::Modelled,
                    RoleKind::Heap(_) => ExternalKind::Heap,
                    _ => ExternalKind::Recorded,
                };
                (&module.model.functions[index as usize].name[..], module.functions[index as usize], kind)
            }
            Callee::Indirect(operand) => {
                let address = at.value(operand);
                let name = self.pointed_name(address);
                let kind = match Role::of(name).kind {
                    RoleKind::Heap(_) => ExternalKind::Heap,
                    RoleKind::Modelled(_) if self.what_if.is_some() => ExternalKind::Modelled,
                    _ => ExternalKind::Recorded,
                };
                (name, address, kind)
            }
            Callee::Asm(_) => ("", 0, ExternalKind::Asm),
        };
        Some(show(&External { name, address, kind, call, args }))
    }

    /// The name of the external function at an address that is called through a pointer, as far as it is known.
    fn pointed_name(&self, address: u64) -> &str {
        match self.code.name_at(&self.run.symbols, address) {
            "" if self.what_if.is_some() && !made_up_name(address).is_empty() => made_up_name(address),
            "" => streams::called_virtually(&self.at().model.name),
            name => name,
        }
    }

    /// The role of the external function at an address that is called through a pointer: the recording has its results.
    pub(crate) fn role_at(&self, address: u64) -> Role {
        let name = self.pointed_name(address);
        if name.is_empty() {
            return Role::OTHER;
        }
        let role = Role::of(name);
        match self.what_if.is_some() {
            true => role,
            false => Role { kind: RoleKind::Recorded, ..role },
        }
    }

    /// The name of the external function under way; empty when there is none.
    pub(crate) fn external_name(&self) -> String {
        self.with_external(&[], |external| external.name.to_string()).unwrap_or_default()
    }

    /// Captured code calls external code.
    pub(crate) fn external_call<O: Observer>(&mut self, observer: &mut O, role: Role) -> Result<Flow> {
        self.run.printed.take_if(|depth| *depth == self.core.frames.len());
        if let RoleKind::Modelled(_) = role.kind {
            // Who looks at the call sees the memory that it reads.
            self.take_fixes(observer)?;
        }
        let args = self.arguments();
        self.with_external(&args, |external| observer.external(&self.at(), external));
        match role.kind {
            RoleKind::Modelled(model) => {
                if let Some(flow) = self.fault_in_model(observer, model, &args)? {
                    return Ok(flow);
                }
                let result = self.run_model(observer, model, &args);
                self.external_returns(observer, &args, &[result]);
                Ok(Flow::Continue)
            }
            RoleKind::Heap(call) => self.heap_call(observer, call, &args),
            RoleKind::Allocator(call) => self.allocator_call(observer, call, &args),
            RoleKind::Constant => self.constant_call(observer, &args),
            RoleKind::Recorded => {
                if role.exits {
                    self.run.status = args.first().map(|status| *status as i32 & 0xff);
                }
                if role.releases {
                    self.run.guards.extend(args.first());
                }
                if let (Some(call), Some(mutex)) = (role.mutex, args.first()) {
                    self.run.locked.follow(call, *mutex);
                }
                if let Some(call) = role.exceptional {
                    self.follow_exceptions(call, &args);
                }
                if let Some(call) = role.error {
                    self.follow_error(call, &args);
                }
                self.remember_setjmp(&args);
                Ok(self.wait_for_external())
            }
        }
    }

    /// What happens in the call under way comes with the next events.
    pub(crate) fn wait_for_external(&mut self) -> Flow {
        if let Some(frame) = self.core.frames.last_mut() {
            frame.waits = Waits::External;
        }
        Flow::Continue
    }

    /// The recorded call of a function of values of the thread's own has returned.
    fn follow_specific(&mut self, call: SpecificCall, key: u64, args: &[u64], result: u64) {
        match call {
            SpecificCall::Create if result as u32 == 0 => self.run.specific.follow_create(),
            SpecificCall::Get => self.run.specific.follow(key as u32, result),
            SpecificCall::Set if result as u32 == 0 => {
                self.run.specific.follow(key as u32, args.get(1).copied().unwrap_or(0));
            }
            SpecificCall::Create | SpecificCall::Set => {}
        }
    }

    /// Notes where a call of setjmp may return to.
    fn remember_setjmp(&mut self, args: &[u64]) {
        let at = self.at();
        let Op::Call { call } = at.op() else { return };
        if !at.model.calls[*call as usize].returns_twice {
            return;
        }
        let buffer = args.first().copied().unwrap_or(0);
        let target = JumpTarget { depth: at.depth, site: at.site(), usp: self.core.usp, buffer };
        let jumps = &mut self.core.jumps;
        match jumps.iter_mut().find(|known| known.depth == target.depth && known.site == target.site) {
            Some(known) => *known = target,
            None => jumps.push(target),
        }
    }

    /// A function whose result is logged only when it is another one than before.
    fn constant_call<O: Observer>(&mut self, observer: &mut O, args: &[u64]) -> Result<Flow> {
        let site = self.global_site();
        let name = self.external_name();
        if self.event_is_now() && self.events.next.kind == Kind::Outside && self.events.next.site == site {
            let event = self.take_event()?.event;
            let Event::Ret { value: RetValue::Int(value), .. } = event else {
                return Err(self.divergence(event.name(), format!("the call of {name}")));
            };
            match self.run.constants.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = value,
                None => self.run.constants.push((name.clone(), value)),
            }
        }
        let value = self.run.constants.iter().find(|(known, _)| *known == name).map_or(0, |known| known.1);
        self.external_returns(observer, args, &[value]);
        Ok(Flow::Continue)
    }

    /// Puts the words of a call's result in their slots.
    fn set_result(&mut self, words: &[u64]) {
        let depth = self.core.frames.len() - 1;
        let frame = self.core.frames[depth];
        let model = self.code.model(frame.function);
        let Op::Call { call } = &model.code[frame.pc as usize] else { return };
        let call = &model.calls[*call as usize];
        let dst = frame.base + call.dst as usize;
        let taken: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
        for word in 0..taken as usize {
            self.core.slots[dst + word] = words.get(word).copied().unwrap_or(0);
        }
        if let [Scalar::Int(w)] = call.ret[..] {
            self.core.slots[dst] &= arith::mask(w);
        }
    }

    /// The call under way is skipped, with this result.
    pub(crate) fn returns_silently<O: Observer>(&mut self, observer: &mut O, words: &[u64]) {
        self.set_result(words);
        self.call_done(observer);
    }

    /// Whether what external code does comes from the recording, call by call.
    fn waits_for_external(&self) -> bool {
        self.core.frames.last().is_some_and(|frame| frame.waits == Waits::External)
    }

    fn call_done<O: Observer>(&mut self, observer: &mut O) {
        if O::OPS {
            let at = self.at();
            observer.op_done(&at, at.op());
        }
        if let Some(frame) = self.core.frames.last_mut() {
            frame.waits = Waits::No;
            frame.pc += 1;
        }
    }

    /// The external call under way returns these words.
    pub(crate) fn external_returns<O: Observer>(&mut self, observer: &mut O, args: &[u64], words: &[u64]) {
        self.set_result(words);
        let role = self.role_of_call();
        let result = words.first().copied().unwrap_or(0);
        if let Some(print) = role.print
            && self.run.printed.take_if(|depth| *depth == self.core.frames.len()).is_none()
        {
            self.print(observer, print, args, result);
        }
        if let Some(call) = role.rust_output
            && let Some((stream, bytes)) = self.recorded_rust_output(call, args, words)
        {
            self.emit(observer, stream, bytes);
        }
        if let (Some(call), Some(&key), false) = (role.specific, args.first(), self.core.threads.several()) {
            self.follow_specific(call, key, args, result);
        }
        if let Some(environment) = role.environment {
            self.run.rounding.follow(environment, args, result);
        }
        if role.kind == RoleKind::Heap(HeapCall::New) && self.waits_for_external() {
            self.adopt_new(observer, result, args.first().copied().unwrap_or(0));
        }
        if role.allocates {
            let name = self.external_name();
            self.adopt_block(observer, &name, args, result);
        }
        if self.waits_for_external() {
            self.heap_through_pointer(observer, args, result);
        }
        if let Some(standard) = role.standard {
            self.know_block(standard, args, result);
        }
        self.with_external(args, |external| observer.external_done(&self.at(), external, words));
        self.call_done(observer);
    }

    fn print<O: Observer>(&mut self, observer: &mut O, print: Print, args: &[u64], result: u64) {
        let places = Places { start: self.run.start.as_ref(), streams: &mut self.run.streams };
        if let Some((stream, bytes)) = print.bytes(&self.core.memory, args, result, places) {
            self.emit(observer, stream, bytes);
        }
    }

    /// External code writes something before the call under way returns: what tells how a number is printed is used up then.
    pub(crate) fn print_before<O: Observer>(&mut self, observer: &mut O) {
        let frame = Some(self.core.frames.len());
        if self.run.printed != frame
            && let Some(print @ Print::Number(_)) = self.role_of_call().print
        {
            let args = self.arguments();
            self.print(observer, print, &args, 0);
            self.run.printed = frame;
        }
    }

    /// The words of a recorded result of the call under way.
    pub(crate) fn result_words(&self, value: &RetValue) -> Vec<u64> {
        let bytes = match value {
            RetValue::Void => return Vec::new(),
            RetValue::Int(value) => return vec![*value],
            RetValue::Bytes(bytes) => bytes,
        };
        let at = self.at();
        let Op::Call { call } = at.op() else { return Vec::new() };
        // One word for each scalar, two over 64 bits.
        let mut words: Vec<u64> = bytes
            .chunks(8)
            .map(|piece| {
                let mut word = [0; 8];
                word[..piece.len()].copy_from_slice(piece);
                u64::from_le_bytes(word)
            })
            .collect();
        let mut at_word = 0;
        for leaf in &at.model.calls[*call as usize].ret {
            // The topmost word may hold more than the type.
            let (bits, last) = (bits_of(*leaf), at_word + leaf.slots() as usize - 1);
            if let Some(word) = words.get_mut(last) {
                *word &= arith::mask(if bits > 64 { bits - 64 } else { bits });
            }
            at_word = last + 1;
        }
        words
    }

    /// What is known about the external function of the call under way.
    fn role_of_call(&self) -> Role {
        let at = self.at();
        let Some(Op::Call { call }) = at.model.code.get(at.pc as usize) else { return Role::OTHER };
        match at.model.calls[*call as usize].callee {
            Callee::Direct(index) => match self.code.loaded_module_of(at.function) {
                Some(module) => self.code.function(FuncId(module.first.0 + index)).role,
                None => Role::OTHER,
            },
            Callee::Indirect(operand) => self.role_at(at.value(operand)),
            Callee::Asm(_) => Role::OTHER,
        }
    }

    /// Reports output of the call under way.
    pub(crate) fn emit<O: Observer>(&mut self, observer: &mut O, stream: Stream, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let at = self.at();
        let event = OutputEvent {
            stream,
            bytes,
            instruction: at.instruction(),
            function: at.function,
            pc: at.pc,
            depth: at.depth,
        };
        observer.output(&at, &event);
        if let Some(what_if) = &mut self.what_if {
            what_if.output.push(event);
        }
    }
}

/// Width of a scalar.
fn bits_of(leaf: Scalar) -> u8 {
    match leaf {
        Scalar::Int(w) => w,
        other => (other.bytes() * 8) as u8,
    }
}

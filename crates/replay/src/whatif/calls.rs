//! What a what-if run calls outside captured code: library functions that can be computed, a heap of its own, and what calls gave
//! when recorded.

use whydunit_library::{canonical, lookup};
use whydunit_model::checks::{self, Called, Check};

use super::library::{self, Answer};
use super::stop;
use crate::machine::{Flow, Machine, Target};
use crate::mathematics;
use crate::memory::PAGE;
use crate::observer::{ExternalKind, HeapBlock, Observer, Writer};
use crate::recall::{is_of_thread, may_set_unknown};
use crate::role::{HeapCall, Model, NO_MEMORY, Role, RoleKind};
use crate::run::{After, WhatIfStop};
use crate::signals::{SIGABRT, SIGSEGV};
use crate::state::{JumpTarget, is_on_stack};

/// Below this address there is no code.
const NO_CODE: u64 = 0x10000;
/// Addresses of programs are below this one (x86-64).
const USER_SPACE: u64 = 1 << 47;

/// Gives the place of `errno`.
const ERRNO: &str = "__errno_location";

/// No block is larger.
const LARGEST: u64 = 1 << 32;

/// The call under way, of a function of a test framework.
struct CalledCheck<'a> {
    machine: &'a Machine,
    args: Vec<u64>,
}

impl Called for CalledCheck<'_> {
    fn argument(&self, number: usize) -> u64 {
        self.args.get(number).copied().unwrap_or(0)
    }

    fn word(&self, address: u64) -> u64 {
        self.machine.core.memory.read_word(address)
    }

    fn text(&self, address: u64, most: u64) -> String {
        String::from_utf8_lossy(&self.machine.core.memory.read_string(address, most.min(LARGEST))).into_owned()
    }
}

impl Machine {
    /// Before a call in a what-if run: whether it can be made.
    pub(crate) fn what_if_before_call<O: Observer>(&mut self, observer: &mut O, target: &Target) -> Option<Flow> {
        let what_if = self.what_if.as_ref()?;
        match target {
            Target::Captured(_) if self.core.frames.len() >= what_if.base_depth + what_if.limits.depth => {
                Some(stop(WhatIfStop::Limit { what: "depth" }))
            }
            Target::Captured(id) => self.failing_check(self.code.function(*id).check?).map(stop),
            Target::External(role) => Some(self.what_if_call(observer, *role)),
        }
    }

    fn what_if_call<O: Observer>(&mut self, observer: &mut O, role: Role) -> Flow {
        let args = self.arguments();
        let name = self.external_name();
        let callee = self.with_external(&args, |external| {
            observer.external(&self.at(), external);
            (external.kind, external.address)
        });
        if callee.is_some_and(|(kind, _)| kind == ExternalKind::Asm) {
            return stop(WhatIfStop::External { name: "assembly".into() });
        }
        let is_no_code = |address: u64| !(NO_CODE..USER_SPACE).contains(&address);
        if name.is_empty() && callee.is_some_and(|(_, address)| is_no_code(address)) {
            return self.what_if_trap(SIGSEGV, "a call through a pointer to no code");
        }
        if name.is_empty()
            && let Some(result) = self.facet_of_characters(&args)
        {
            return self.what_if_returns(observer, &args, &[result]);
        }
        if checks::is_note(&name) {
            return self.what_if_returns(observer, &args, &[0]);
        }
        if let Some(flow) = checks::of(&name).and_then(|check| self.check(observer, check, &args)) {
            return flow;
        }
        if let Some(flow) = self.what_if_special(observer, role, &name, &args) {
            return flow;
        }
        match self.what_if_result(observer, role, &name, &args) {
            Ok(result) => self.what_if_returns(observer, &args, &[result]),
            Err(flow) => flow,
        }
    }

    /// That the test has failed, where the call under way says so of a check.
    fn failing_check(&self, check: &Check) -> Option<WhatIfStop> {
        let called = CalledCheck { machine: self, args: self.arguments() };
        check.fails(&called).then_some(WhatIfStop::Exited { status: 1 })
    }

    /// A call of a test framework that does nothing but say whether a check holds; `None` where it does more.
    fn check<O: Observer>(&mut self, observer: &mut O, check: &Check, args: &[u64]) -> Option<Flow> {
        if let Some(failed) = self.failing_check(check) {
            return Some(stop(failed));
        }
        if check.is_asked() {
            return Some(self.what_if_returns(observer, args, &[1]));
        }
        let place = *args.first().filter(|_| check.makes_result())?;
        // It holds, and there is no message.
        self.written(observer, &[(place, 1_u64.to_le_bytes().to_vec()), (place.wrapping_add(8), vec![0; 8])]);
        self.external_returns(observer, args, &[place]);
        Some(Flow::Continue)
    }

    /// What the compiled part of libstdc++ gives where its header asks a facet for a character the first time, by a virtual function of
    /// its own: in the C locale characters are what they are. None where the machine stands elsewhere.
    fn facet_of_characters(&self, args: &[u64]) -> Option<u64> {
        let at = self.at();
        let (_, function) = at.model.places(at.pc as usize).next()?;
        let asks = ["std::ctype::widen", "std::ctype::narrow"].contains(&function);
        args.get(1).copied().filter(|_| asks)
    }

    /// Makes a call of what is computed as a whole: exceptions, the compiled parts of the libraries of C++ and Rust, and what
    /// calls captured code. `None` where it is none of these.
    fn what_if_special<O: Observer>(&mut self, observer: &mut O, role: Role, name: &str, args: &[u64]) -> Option<Flow> {
        if let Some(call) = role.exceptional {
            return Some(self.exceptional(observer, call, args));
        }
        if let Some(call) = role.error {
            return Some(self.standard_error(observer, call, args));
        }
        if let Some(call) = role.rust_output {
            return Some(self.rust_output(observer, call, args));
        }
        if let Some(call) = role.extraction
            && let Some(flow) = self.extraction(observer, call, args)
        {
            return Some(flow);
        }
        if let Some(call) = role.buffer
            && let Some(flow) = self.buffer_call(observer, call, args)
        {
            return Some(flow);
        }
        if let Some(call) = role.rust_input
            && let Some(flow) = self.rust_input(observer, call, args)
        {
            return Some(flow);
        }
        if let Some(call) = role.compiled {
            return Some(self.compiled(observer, call, args));
        }
        if let Some(call) = role.standard {
            return Some(match self.standard_call(observer, call, args) {
                Ok(words) => {
                    self.external_returns(observer, args, &words);
                    Flow::Continue
                }
                Err(stopped) => stop(stopped),
            });
        }
        if let RoleKind::Heap(HeapCall::New | HeapCall::Free) = role.kind
            && let Some(id) = self.run.operators.called(name)
        {
            return Some(self.call_captured(observer, id, args, After::Same));
        }
        if let (Some(call), Some(mutex), false) = (role.mutex, args.first(), self.core.threads.several()) {
            return Some(match self.run.locked.make(call, *mutex) {
                true => self.what_if_returns(observer, args, &[0]),
                false => stop(WhatIfStop::External { name: name.into() }),
            });
        }
        if let (Some(call), [key, more @ ..], false) = (role.specific, args, self.core.threads.several())
            && let Some(value) = self.run.specific.make(call, *key as u32, more.first().copied().unwrap_or(0))
        {
            return Some(self.what_if_returns(observer, args, &[value]));
        }
        self.order(observer, name, args)
    }

    /// What any other call returns; how the run goes on where that is all done or ends it.
    fn what_if_result<O: Observer>(
        &mut self,
        observer: &mut O,
        role: Role,
        name: &str,
        args: &[u64],
    ) -> std::result::Result<u64, Flow> {
        if role.kind == RoleKind::Recorded {
            self.doubt_errno(name);
        }
        Ok(match role.kind {
            RoleKind::Heap(HeapCall::New)
                if args.first().is_some_and(|size| *size > LARGEST) && !name.contains("nothrow") =>
            {
                return Err(self.exceptional(observer, NO_MEMORY, args));
            }
            RoleKind::Modelled(model) => {
                if let Some(stopped) = self.check_model(model, args) {
                    return Err(stop(stopped));
                }
                self.run_model(observer, model, args)
            }
            RoleKind::Heap(call) => match self.what_if_heap(observer, call, args) {
                Ok(result) => result,
                Err(stopped) => return Err(stop(stopped)),
            },
            RoleKind::Constant => match self.run.constants.iter().find(|(known, _)| known == name) {
                Some((_, value)) => *value,
                None => match self.table(observer, name).or_else(|| self.errno(observer, name)) {
                    Some(address) => address,
                    None => return Err(stop(WhatIfStop::External { name: name.into() })),
                },
            },
            // Computed above, as all of Rust's library is.
            RoleKind::Allocator(_) => return Err(stop(WhatIfStop::External { name: name.into() })),
            RoleKind::Recorded if whydunit_model::names::panics(name) => {
                let panic = self.what_if_panic(name, args);
                return Err(stop(panic.unwrap_or_else(|| WhatIfStop::External { name: name.into() })));
            }
            RoleKind::Recorded if role.exits => {
                let status = args.first().map_or(0, |status| *status as i32 & 0xff);
                return Err(stop(WhatIfStop::Exited { status }));
            }
            RoleKind::Recorded => match role.print {
                Some(print) => match self.check_print(print, args) {
                    Some(stopped) => return Err(stop(stopped)),
                    None => return Err(self.what_if_returns(observer, args, &print.success(args))),
                },
                None => match self.input(observer, name, args) {
                    Some(words) => {
                        self.external_returns(observer, args, &words);
                        return Err(Flow::Continue);
                    }
                    None => self.library_call(observer, name, args)?,
                },
            },
        })
    }

    /// A call that may have printed something returns these words.
    pub(super) fn what_if_returns<O: Observer>(&mut self, observer: &mut O, args: &[u64], words: &[u64]) -> Flow {
        self.external_returns(observer, args, words);
        match self.what_if.as_mut().and_then(|what_if| what_if.judge_output()) {
            Some(stopped) => stop(stopped),
            None => Flow::Continue,
        }
    }

    /// A call of a library function that is computed: its result, or how the run goes on without one.
    fn library_call<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64]) -> Result<u64, Flow> {
        // A form of a function that every replay computes under other names.
        if let Some(known) = lookup(name)
            && let Some(model) = Model::computing(known.name())
        {
            let args = known.plain(args);
            return match self.check_model(model, &args) {
                Some(stopped) => Err(stop(stopped)),
                None => Ok(self.run_model(observer, model, &args)),
            };
        }
        Ok(match library::call(self, name, args) {
            Some(Answer::Value(value)) => value,
            Some(Answer::Written { writes, result }) => {
                self.written(observer, &writes);
                result
            }
            Some(Answer::Text { stream, bytes, result }) => {
                self.emit(observer, stream, bytes);
                result
            }
            Some(Answer::Abort) => {
                return Err(stop(WhatIfStop::Trap { signal: SIGABRT, what: format!("{name} is called") }));
            }
            Some(Answer::Setjmp { buffer }) => {
                let at = self.at();
                let serial = at.frame().serial;
                let target = JumpTarget { depth: at.depth, site: at.pc, usp: self.core.usp, buffer };
                let function = at.function;
                if let Some(what_if) = &mut self.what_if {
                    what_if.jumps.retain(|jump| jump.0 != buffer);
                    what_if.jumps.push((buffer, target, function, serial));
                }
                0
            }
            Some(Answer::Longjmp { buffer, value }) => return Err(self.what_if_longjmp(observer, buffer, value)),
            Some(Answer::Unknown { address }) => return Err(stop(WhatIfStop::UnknownMemory { address })),
            None => match self.emulated(observer, name, args) {
                Some(result) => result,
                None => return Err(stop(WhatIfStop::External { name: name.to_string() })),
            },
        })
    }

    /// A table of character classes, in a block of its own: what `__ctype_b_loc` and its like give.
    fn table<O: Observer>(&mut self, observer: &mut O, name: &str) -> Option<u64> {
        let (_, table) = super::characters::TABLES.iter().find(|table| table.0 == name)?;
        let address = self.what_if_allocate(observer, 8 + table.len() as u64, true);
        let middle = address + 8 + 128 * (table.len() as u64 / 384);
        self.core.memory.write_from(address, &middle.to_le_bytes());
        self.core.memory.write_from(address + 8, table);
        self.run.constants.push((name.to_string(), address));
        Some(address)
    }

    /// Where `errno` is, as far as the run has asked for it: in the only thread.
    pub(super) fn known_errno(&self) -> Option<u64> {
        let known = self.run.constants.iter().find(|(known, _)| known == ERRNO);
        known.filter(|_| !self.core.threads.several()).map(|(_, address)| *address)
    }

    /// Where `errno` is in a run that asks for it first: in a block of its own. Until something may have set it, it is zero.
    fn errno<O: Observer>(&mut self, observer: &mut O, name: &str) -> Option<u64> {
        if name != ERRNO || self.core.threads.several() {
            return None;
        }
        // In a page of its own: where something is not known in one, all of it is looked up slowly.
        let block = self.what_if_allocate(observer, 2 * PAGE as u64, true);
        let address = block.next_multiple_of(PAGE as u64);
        self.run.constants.push((name.to_string(), address));
        let what_if = self.what_if.as_ref()?;
        let was_zero = self.recall.as_ref().is_some_and(|recall| recall.errno_is_zero(what_if.first_instruction));
        if !was_zero || what_if.errno_set {
            self.doubt(address, 4);
        }
        Some(address)
    }

    /// A call may change `errno` to what is not known.
    fn doubt_errno(&mut self, name: &str) {
        if !may_set_unknown(name) {
            return;
        }
        if let Some(what_if) = &mut self.what_if {
            what_if.errno_set = true;
        }
        if let Some(address) = self.known_errno() {
            self.doubt(address, 4);
        }
    }

    /// `strtok`: the next piece of a text between separators.
    fn token<O: Observer>(&mut self, observer: &mut O, text: u64, separators: u64) -> u64 {
        let before = self
            .recall
            .as_ref()
            .map(|recall| recall.tokens(self.what_if.as_ref().map_or(0, |what_if| what_if.first_instruction)));
        let known = self.what_if.as_ref().and_then(|what_if| what_if.tokens).or(before).unwrap_or(0);
        let start = if text != 0 { text } else { known };
        if start == 0 {
            return 0;
        }
        let separators = self.core.memory.read_string(separators, 1 << 12);
        let rest = self.core.memory.read_string(start, 1 << 20);
        let first = rest.iter().position(|byte| !separators.contains(byte));
        let (result, next) = match first {
            None => (0, start + rest.len() as u64),
            Some(first) => match rest[first..].iter().position(|byte| separators.contains(byte)) {
                None => (start + first as u64, start + rest.len() as u64),
                Some(length) => {
                    let end = start + (first + length) as u64;
                    self.written(observer, &[(end, vec![0])]);
                    (start + first as u64, end + 1)
                }
            },
        };
        if let Some(what_if) = &mut self.what_if {
            what_if.tokens = Some(next);
        }
        result
    }

    /// The result of a call as the recorded run had it, its writes done.
    fn emulated<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64]) -> Option<u64> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match canonical(name) {
            "strtok" => Some(self.token(observer, arg(0), arg(1))),
            "strdup" => {
                let text = self.core.memory.read_string(arg(0), 1 << 20);
                let size = text.len() as u64 + 1;
                let copy = self.what_if_allocate(observer, size, false);
                self.copy_block(observer, copy, arg(0), size);
                Some(copy)
            }
            "sscanf" => {
                let memory = &self.core.memory;
                let (text, format) = (memory.read_string(arg(0), 1 << 20), memory.read_string(arg(1), 1 << 16));
                let scanned = crate::scan::scan(&text, &format)?;
                for crate::scan::Assigned { argument, bytes, .. } in &scanned.assigned {
                    let address = *args.get(2 + argument)?;
                    self.written(observer, &[(address, bytes.clone())]);
                }
                Some(u64::from(scanned.result as u32))
            }
            _ => mathematics::saturated(name, args).or_else(|| mathematics::approximate(name, args)),
        }
    }

    /// What a call gives that gave something when the run was recorded.
    fn input<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64]) -> Option<Vec<u64>> {
        if is_of_thread(name) && self.core.threads.several() {
            return None;
        }
        if let Some(words) = self.line_of_input(observer, name, args) {
            return Some(words);
        }
        let recall = self.recall.clone()?;
        let what_if = self.what_if.as_mut()?;
        let (first, memory) = (what_if.first_instruction, &self.core.memory);
        let Some(recalled) = recall.call(&mut what_if.made, first, (name, args), memory) else {
            // Keys of hash tables are others in each run: all will do.
            return name.contains("hashmap_random_keys").then(|| vec![0, 0]);
        };
        self.written(observer, &recalled.writes);
        Some(recalled.words)
    }

    /// What a call writes.
    pub(super) fn written<O: Observer>(&mut self, observer: &mut O, writes: &[(u64, Vec<u8>)]) {
        for (address, bytes) in writes {
            if O::RANGES {
                observer.external_write(&self.at(), *address, bytes.len() as u64, Writer::External);
            }
            self.core.memory.write_from(*address, bytes);
            self.know(*address, bytes.len() as u64);
        }
    }

    fn what_if_longjmp<O: Observer>(&mut self, observer: &mut O, buffer: u64, value: u64) -> Flow {
        let since =
            self.what_if.as_ref().and_then(|what_if| what_if.jumps.iter().find(|jump| jump.0 == buffer).copied());
        // One that the recorded run called before this run began; those of frames that have returned are forgotten.
        let before = || self.core.jumps.iter().rfind(|target| target.buffer == buffer).copied();
        let (target, pc) = match since {
            Some((_, target, function, serial)) => {
                let frame = self.core.frames.get(target.depth);
                if !frame.is_some_and(|frame| frame.function == function && frame.serial == serial) {
                    let what = "longjmp to a function that has returned".into();
                    return stop(WhatIfStop::Trap { signal: SIGSEGV, what });
                }
                (target, Some(target.site))
            }
            None => match before() {
                Some(target) => (target, self.setjmp_at(target)),
                None => return stop(WhatIfStop::External { name: "longjmp".into() }),
            },
        };
        let Some(pc) = pc else { return stop(WhatIfStop::External { name: "longjmp".into() }) };
        self.drop_pending(target.depth + 1);
        self.return_to_setjmp(observer, target, pc);
        let args = self.arguments();
        self.external_returns(observer, &args, &[value]);
        Flow::Continue
    }

    pub(super) fn what_if_heap<O: Observer>(
        &mut self,
        observer: &mut O,
        call: HeapCall,
        args: &[u64],
    ) -> std::result::Result<u64, WhatIfStop> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        Ok(match call {
            HeapCall::Malloc | HeapCall::New => self.what_if_allocate(observer, arg(0), false),
            HeapCall::Calloc => self.what_if_allocate(observer, arg(0).saturating_mul(arg(1)), true),
            HeapCall::Free | HeapCall::Realloc => {
                let old = arg(0);
                let size = self.core.heap.get(old).map(|live| live.size).or_else(|| self.core.heap.foreign(old));
                if old != 0 && size.is_none() {
                    return Err(self.no_block(old));
                }
                let mut new = 0;
                if call == HeapCall::Realloc && (arg(1) > 0 || old == 0) {
                    new = self.what_if_allocate(observer, arg(1), false);
                    let n = size.unwrap_or(0).min(arg(1));
                    if let Some(stopped) = self.charge([n].into_iter()) {
                        return Err(stopped);
                    }
                    if new != 0 && n > 0 {
                        self.copy_block(observer, new, old, n);
                    }
                }
                if old != 0 && (call == HeapCall::Free || new != 0 || arg(1) == 0) {
                    if self.core.heap.free(old).is_none() {
                        self.core.heap.free_foreign(old);
                    }
                    let block = size.map(|size| HeapBlock { address: old, size, defined: false });
                    observer.freed(&self.at(), old, block);
                }
                new
            }
        })
    }

    /// What a call comes to that frees what is no live block that the replay knows: it may be one of external code.
    pub(super) fn no_block(&self, address: u64) -> WhatIfStop {
        let is_freed = || self.is_private(address) || self.core.heap.was_freed(address);
        if is_freed() || is_on_stack(address) || self.is_known_object(address) {
            let what = format!("{address:#x} is freed and is no live block");
            return WhatIfStop::Trap { signal: SIGABRT, what };
        }
        WhatIfStop::External { name: self.external_name() }
    }

    /// A block of the private heap.
    pub(crate) fn what_if_allocate<O: Observer>(&mut self, observer: &mut O, size: u64, zeroed: bool) -> u64 {
        let Some(what_if) = &mut self.what_if else { return 0 };
        if size > LARGEST {
            return 0;
        }
        let address = what_if.bump;
        what_if.bump += (size.max(1) + 31) & !15;
        self.core.heap.adopt(address, size);
        observer.allocated(&self.at(), HeapBlock { address, size, defined: zeroed });
        address
    }
}

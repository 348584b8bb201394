//! Library functions that the replay computes: memory and strings, the heap. The definitions are those of the runtime
//! (docs/engine.md, section 4).

use whydunit_library::{Allocation, wrapped};
use whydunit_model::{Callee, Op};
use whydunit_recording::Event;

use super::{Flow, Machine};
use crate::divergence::Result;
use crate::events::Kind;
use crate::heap::{class_of, usable};
use crate::observer::{HeapBlock, Observer};
use crate::role::{HeapCall, LONGEST, Model};

/// The classes of ALLOC events that announce a call of new or delete as an external one; the second: because the program
/// has operators of its own.
const AS_EXTERNAL: u64 = u64::MAX;
const AS_REPLACED: u64 = u64::MAX - 1;

impl Machine {
    /// Computes a modelled function. Its memory effects are shown to the observer.
    pub(crate) fn run_model<O: Observer>(&mut self, observer: &mut O, model: Model, args: &[u64]) -> u64 {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let (a, b, n) = (arg(0), arg(1), arg(2));
        let string = |machine: &Machine, at: u64| machine.core.memory.read_string(at, LONGEST);
        macro_rules! read {
            ($at:expr, $n:expr) => {
                if O::RANGES {
                    observer.read(&self.at(), $at, $n as u64);
                }
            };
        }
        match model {
            Model::Memmove | Model::Mempcpy => {
                self.move_range(observer, a, b, n);
                if model == Model::Memmove { a } else { a.wrapping_add(n) }
            }
            Model::Bcopy => {
                self.move_range(observer, b, a, n);
                0
            }
            Model::Memset => {
                self.fill_range(observer, a, b as u8, n);
                a
            }
            Model::Bzero => {
                self.fill_range(observer, a, 0, b);
                0
            }
            Model::Memcmp => self.compare_bytes(observer, a, b, n.min(LONGEST)) as u64,
            Model::Memchr => {
                let found = self.find_byte(a, b as u8, n.min(LONGEST));
                read!(a, found.map_or(n, |at| at + 1));
                found.map_or(0, |at| a + at)
            }
            Model::Memrchr => {
                let bytes = self.core.memory.read_vec(a, n.min(1 << 32) as usize);
                let found = bytes.iter().rposition(|byte| *byte == b as u8);
                let start = found.unwrap_or(0) as u64;
                read!(a + start, n - start);
                found.map_or(0, |at| a + at as u64)
            }
            Model::Strlen => {
                let n = string(self, a).len() as u64;
                read!(a, n + 1);
                n
            }
            Model::Strnlen => {
                let n = self.core.memory.read_string(a, b).len() as u64;
                read!(a, if n < b { n + 1 } else { n });
                n
            }
            Model::Strcmp { fold, limited } => {
                let limit = if limited { n } else { u64::MAX };
                self.compare_strings(observer, (a, b), limit, fold) as u64
            }
            Model::Strchr | Model::Strchrnul => {
                let text = string(self, a);
                let wanted = b as u8;
                let at = text.iter().position(|byte| *byte == wanted).unwrap_or(text.len());
                read!(a, at + 1);
                let found = at < text.len() || wanted == 0 || model == Model::Strchrnul;
                if found { a + at as u64 } else { 0 }
            }
            Model::Strrchr => {
                let mut text = string(self, a);
                text.push(0);
                read!(a, text.len());
                text.iter().rposition(|byte| *byte == b as u8).map_or(0, |at| a + at as u64)
            }
            Model::Strstr => {
                let (text, what) = (string(self, a), string(self, b));
                read!(b, what.len() + 1);
                read!(a, text.len() + 1);
                if what.is_empty() {
                    return a;
                }
                text.windows(what.len()).position(|window| window == what).map_or(0, |at| a + at as u64)
            }
            Model::Strspn | Model::Strcspn | Model::Strpbrk => {
                let (at, ended) = self.span(observer, a, b, model == Model::Strspn);
                match model {
                    Model::Strpbrk if ended => 0,
                    Model::Strpbrk => a + at,
                    _ => at,
                }
            }
            Model::Strcpy | Model::Stpcpy => {
                let n = string(self, b).len() as u64;
                self.move_range(observer, a, b, n + 1);
                if model == Model::Strcpy { a } else { a + n }
            }
            Model::Strncpy => {
                let len = self.core.memory.read_string(b, n).len() as u64;
                self.move_range(observer, a, b, len);
                self.fill_range(observer, a + len, 0, n - len);
                a
            }
            Model::Strcat => {
                let (at, n) = (string(self, a).len() as u64, string(self, b).len() as u64);
                read!(a, at + 1);
                self.move_range(observer, a + at, b, n + 1);
                a
            }
            Model::Strncat => {
                let at = string(self, a).len() as u64;
                let len = self.core.memory.read_string(b, n).len() as u64;
                read!(a, at + 1);
                self.move_range(observer, a + at, b, len);
                self.fill_range(observer, a + at + len, 0, 1);
                a
            }
            Model::Abs { bits: 32 } => u64::from((a as i32).wrapping_abs() as u32),
            Model::Abs { .. } => (a as i64).wrapping_abs() as u64,
        }
    }

    /// malloc and its like, by prediction.
    pub(crate) fn heap_call<O: Observer>(&mut self, observer: &mut O, call: HeapCall, args: &[u64]) -> Result<Flow> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let result = match call {
            HeapCall::New if self.is_announced() => return self.waits_as_external(),
            HeapCall::Malloc | HeapCall::New => self.allocate(observer, arg(0), false)?,
            HeapCall::Calloc => {
                let size = arg(0).saturating_mul(arg(1));
                self.allocate(observer, size, true)?
            }
            HeapCall::Realloc if arg(0) == 0 => self.allocate(observer, arg(1), false)?,
            HeapCall::Realloc => {
                if let Some(flow) = self.abort_of_unknown(observer, arg(0))? {
                    return Ok(flow);
                }
                self.reallocate(observer, arg(0), arg(1))?
            }
            HeapCall::Free => {
                let announced = self.is_announced();
                if !announced && let Some(flow) = self.abort_of_unknown(observer, arg(0))? {
                    return Ok(flow);
                }
                // The program's own operators free by themselves what they made of blocks.
                if !announced || self.core.heap.get(arg(0)).is_some() {
                    self.release(observer, arg(0));
                }
                if announced {
                    return self.waits_as_external();
                }
                0
            }
        };
        self.external_returns(observer, args, &[result]);
        Ok(Flow::Continue)
    }

    /// Whether the recording announces the present call of the heap as an external one.
    pub(crate) fn is_announced(&mut self) -> bool {
        let now = self.event_is_now() && self.events.next.site == self.global_site();
        now && matches!(self.events.peek(), Ok(Some(entry)) if matches!(entry.event, Event::Alloc { class: AS_REPLACED.., .. }))
    }

    /// What the present call of the heap does comes with the next events.
    fn waits_as_external(&mut self) -> Result<Flow> {
        if let Event::Alloc { class, .. } = self.take_event()?.event {
            self.run.own_operators = class != AS_EXTERNAL;
        }
        Ok(self.wait_for_external())
    }

    /// A call of operator new that was announced as external returns a block.
    pub(crate) fn adopt_new<O: Observer>(&mut self, observer: &mut O, address: u64, size: u64) {
        // What own operators give lies in a block that they got in some way.
        if address == 0 || self.run.own_operators {
            return;
        }
        self.core.heap.adopt(address, size);
        observer.allocated(&self.at(), HeapBlock { address, size, defined: false });
    }

    /// What of the heap is called here through a pointer.
    fn heap_call_through_pointer(&self) -> Option<HeapCall> {
        let here = self.at();
        if !here.in_frame() {
            return None;
        }
        let Op::Call { call } = here.op() else { return None };
        let Callee::Indirect(operand) = here.model.calls[*call as usize].callee else { return None };
        HeapCall::of(self.code.name_at(&self.run.symbols, here.value(operand)))
    }

    /// The run is about to end in such a call: a block that was not known is given back.
    pub(crate) fn abort_through_pointer<O: Observer>(&mut self, observer: &mut O) {
        let gives_back = matches!(self.heap_call_through_pointer(), Some(HeapCall::Free | HeapCall::Realloc));
        let address = self.arguments().first().copied().unwrap_or(0);
        let heap = &self.core.heap;
        if gives_back && address != 0 && heap.get(address).is_none() && heap.foreign(address).is_none() {
            observer.freed(&self.at(), address, None);
        }
    }

    /// The heap was called through a pointer, and the recording has what it gave: the prediction knows nothing of that.
    pub(crate) fn heap_through_pointer<O: Observer>(&mut self, observer: &mut O, args: &[u64], result: u64) {
        let Some(call) = self.heap_call_through_pointer() else { return };
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let (old, size) = match call {
            HeapCall::Malloc | HeapCall::New => (0, arg(0)),
            HeapCall::Calloc => (0, arg(0).saturating_mul(arg(1))),
            HeapCall::Realloc => (arg(0), arg(1)),
            HeapCall::Free => (arg(0), 0),
        };
        let known =
            |address: u64| self.core.heap.get(address).map(|live| live.size).or(self.core.heap.foreign(address));
        let before = known(old);
        let moves = old != 0 && result != old && (call == HeapCall::Free || result != 0 || size == 0);
        if moves {
            self.core.heap.free_foreign(old);
            let block = before.map(|size| HeapBlock { address: old, size, defined: false });
            observer.freed(&self.at(), old, block);
        }
        if result == 0 || call == HeapCall::Free {
            return;
        }
        self.core.heap.adopt(result, size);
        match result == old {
            true => observer.resized(&self.at(), result, before, size),
            // What a block was before it moved is known.
            false => {
                let defined = call == HeapCall::Calloc || old != 0;
                observer.allocated(&self.at(), HeapBlock { address: result, size, defined });
            }
        }
    }

    /// A block that was not known is given back, and the run ended there.
    fn abort_of_unknown<O: Observer>(&mut self, observer: &mut O, address: u64) -> Result<Option<Flow>> {
        let due = self.events.next.kind == Kind::Fault && self.event_is_now();
        if address == 0 || !due || self.core.heap.get(address).is_some() {
            return Ok(None);
        }
        let flow = self.abort_in_heap(observer)?;
        if flow.is_some() {
            observer.freed(&self.at(), address, None);
        }
        Ok(flow)
    }

    /// Address and class of an allocation: as predicted, unless the recording says otherwise.
    fn take_allocation(&mut self, predicted: u64, class: u64) -> Result<(u64, u64)> {
        let site = self.global_site();
        if self.event_is_now() && self.events.next.site == site {
            let is_alloc = matches!(self.events.peek(), Ok(Some(entry)) if matches!(entry.event, Event::Alloc { .. }));
            if is_alloc && let Event::Alloc { delta, class, .. } = self.take_event()?.event {
                return Ok((predicted.wrapping_add(delta as u64), class));
            }
        }
        Ok((predicted, class))
    }

    fn allocate<O: Observer>(&mut self, observer: &mut O, size: u64, zeroed: bool) -> Result<u64> {
        let class = class_of(size);
        let (address, real) = self.take_allocation(self.core.heap.predict(class), class)?;
        if address == 0 {
            return Ok(0);
        }
        self.core.heap.allocate(address, size, class, real);
        if zeroed {
            self.core.memory.fill(address, 0, size);
        }
        observer.allocated(&self.at(), HeapBlock { address, size, defined: zeroed });
        Ok(address)
    }

    fn reallocate<O: Observer>(&mut self, observer: &mut O, old: u64, size: u64) -> Result<u64> {
        if size == 0 {
            self.release(observer, old);
            return Ok(0);
        }
        let known = self.core.heap.get(old);
        let class = class_of(size);
        let predicted = match known {
            Some(live) if live.class == class => old,
            _ => self.core.heap.predict(class),
        };
        let (address, real) = self.take_allocation(predicted, class)?;
        if address == 0 {
            return Ok(0);
        }
        if address == old {
            let before = known.map(|live| live.size).or_else(|| self.core.heap.foreign(old));
            self.core.heap.resize(old, size, real);
            observer.resized(&self.at(), old, before, size);
            return Ok(old);
        }
        self.core.heap.allocate(address, size, class, real);
        // What lies in a block that external code gave is not followed: it counts as defined.
        let defined = known.is_none() && old != 0;
        observer.allocated(&self.at(), HeapBlock { address, size, defined });
        if let Some(live) = known {
            self.move_range(observer, address, old, usable(live.class).min(size));
        }
        self.release(observer, old);
        Ok(address)
    }

    /// free.
    fn release<O: Observer>(&mut self, observer: &mut O, address: u64) {
        if address == 0 {
            return;
        }
        let size = match self.core.heap.free(address) {
            Some(live) => Some(live.size),
            None => self.core.heap.free_foreign(address),
        };
        let block = size.map(|size| HeapBlock { address, size, defined: false });
        observer.freed(&self.at(), address, block);
    }

    /// External code gave the program a block: the functions that are known to do so.
    pub(crate) fn adopt_block<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64], result: u64) {
        let Some(known) = wrapped(name).filter(|known| known.allocation() == Allocation::Block) else { return };
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let memory = &self.core.memory;
        let text = |at: u64| memory.read_string(at, LONGEST).len() as u64 + 1;
        let (address, size) = match known.name() {
            "aligned_alloc" => (result, arg(1)),
            "valloc" | "_ZnwmSt11align_val_t" | "_ZnamSt11align_val_t" => (result, arg(0)),
            "reallocarray" => (result, arg(1).saturating_mul(arg(2))),
            "posix_memalign" => (if result as u32 == 0 { memory.read_word(arg(0)) } else { 0 }, arg(2)),
            "getline" | "getdelim" => (memory.read_word(arg(0)), memory.read_word(arg(1))),
            "asprintf" | "vasprintf" => {
                let printed = result as i32;
                (if printed < 0 { 0 } else { memory.read_word(arg(0)) }, u64::from(printed.unsigned_abs()) + 1)
            }
            // What was copied is known, what lies in the copy need not be yet.
            "strdup" => (result, text(arg(0))),
            "strndup" => (result, (text(arg(0)) - 1).min(arg(1)) + 1),
            // What else gives a block gives a string.
            _ => (result, if result == 0 { 0 } else { text(result) }),
        };
        if address == 0 {
            return;
        }
        let before = self.core.heap.get(address).map(|live| live.size).or_else(|| self.core.heap.foreign(address));
        if before != Some(size) {
            self.core.heap.adopt(address, size);
            match before {
                Some(_) => observer.resized(&self.at(), address, before, size),
                None => observer.allocated(&self.at(), HeapBlock { address, size, defined: false }),
            }
        }
        match known.name() {
            // As they come.
            "aligned_alloc" | "valloc" | "posix_memalign" | "_ZnwmSt11align_val_t" | "_ZnamSt11align_val_t" => {}
            "reallocarray" => self.replaced(observer, arg(0), address, size),
            _ if O::RANGES => observer.external_write(&self.at(), address, size, crate::observer::Writer::External),
            _ => {}
        }
    }

    /// External code moved a block. The recording's heap does not learn of it, and neither does the prediction.
    fn replaced<O: Observer>(&mut self, observer: &mut O, old: u64, address: u64, size: u64) {
        if old == 0 || old == address {
            return;
        }
        let before = self.core.heap.get(old).map(|live| live.size).or_else(|| self.core.heap.free_foreign(old));
        if O::RANGES && before.is_some_and(|before| before.min(size) > 0) {
            observer.moved(&self.at(), address, old, before.unwrap_or(0).min(size));
        }
        observer.freed(&self.at(), old, before.map(|size| HeapBlock { address: old, size, defined: false }));
    }
}

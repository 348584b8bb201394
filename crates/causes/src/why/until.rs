//! A trace up to a moment, and the value that is asked for there.

use whydunit_model::{DebugType, Module, Op, Opnd, for_each_read};
use whydunit_replay::{At, Entry, FuncId, Observer, Position};

use super::Moment;
use crate::access::Named;
use crate::expression::evaluate;
use crate::trace::{Before, Trace};
use crate::value::{Known, is_char, size_of, underlying};
use crate::variables::{Found, Store, Watch};

/// So many bytes of a value are followed.
const LARGEST: u32 = 4096;
/// So many members or elements of a value are followed each for itself.
const PIECES: usize = 16;

/// Stops the trace at a moment.
pub(super) struct Until {
    pub trace: Trace,
    /// Which debug values hold, for naming.
    pub watch: Watch,
    pub moment: Moment,
    /// The variable; none where only the moment is looked for.
    pub question: Option<String>,
    /// Stops when the operation of the moment is done.
    pub past: bool,
    /// The first slot of the moment's frame, once it is reached; its function, and the thread.
    pub base: Option<usize>,
    pub place: (FuncId, u32),
    pub done: bool,
    /// What the operation reads, and the values.
    pub read: Vec<(Opnd, u64)>,
    pub found: Option<Result<Answer, String>>,
}

pub(super) struct Answer {
    pub name: String,
    pub pieces: Vec<Piece>,
    pub text: String,
    pub function: FuncId,
    pub position: Position,
    pub thread: u32,
}

/// What is followed for itself: a value, or a member or element of one.
pub(super) struct Piece {
    pub name: Named,
    pub before: Before,
    pub value: Known,
}

impl Piece {
    fn of(module: &Module, found: &Found) -> Option<Self> {
        let (before, value) = match found.store {
            Store::Memory(address) => {
                let mut size = (found.bytes.len() as u32).clamp(1, LARGEST);
                let mut value = Known::Bytes(found.bytes.as_slice().into());
                if let Some(DebugType::Array { element, .. }) = module.types.get(underlying(module, found.ty) as usize)
                    && is_char(module, *element)
                {
                    // What stands behind the end of a text is of no interest.
                    let end = found.bytes.iter().position(|&byte| byte == 0).unwrap_or(found.bytes.len());
                    size = size.min(end.max(1) as u32);
                    value = Known::Text(found.bytes[..end].into());
                }
                (Before::Memory(address, size), value)
            }
            Store::Slot(index) => (Before::Slot(index), Known::Bytes(found.bytes.as_slice().into())),
            Store::Constant(_) => return None,
        };
        Some(Self { name: Named { text: found.name.clone(), ty: found.ty }, before, value })
    }

    /// The members or elements of a value, each for itself; the value as a whole where it has too many or none.
    fn split(module: &Module, found: &Found) -> Vec<Self> {
        let count = match module.types.get(underlying(module, found.ty) as usize) {
            Some(DebugType::Struct { members, union: false, .. }) => members.len(),
            Some(DebugType::Array { element, .. }) if !is_char(module, *element) => {
                found.bytes.len() / size_of(module, *element).max(1) as usize
            }
            _ => 0,
        };
        let parts: Vec<Found> =
            if count > PIECES { Vec::new() } else { (0..count).filter_map(|n| found.part(module, n)).collect() };
        if parts.is_empty() {
            Self::of(module, found).into_iter().collect()
        } else {
            parts.iter().filter_map(|part| Self::of(module, part)).collect()
        }
    }
}

impl Until {
    /// Nothing was seen yet.
    pub fn new(moment: Moment, question: Option<String>) -> Self {
        Self {
            trace: Trace::default().timed().with_left_out(),
            watch: Watch::default(),
            moment,
            question,
            past: false,
            base: None,
            place: (FuncId::NONE, 0),
            done: false,
            read: Vec::new(),
            found: None,
        }
    }

    fn look(&mut self, at: &At<'_>) {
        self.done = true;
        let Some(question) = &self.question else { return };
        // The frame of the moment is left by the operation after it, at most.
        let depth = if self.moment.frame < self.moment.depth { self.moment.frame } else { at.depth };
        let Some(frame) = at.core.frames.get(depth) else { return };
        let (function, pc) = (frame.function, if depth == at.depth { at.pc } else { frame.pc });
        let module = at.code.module_of(function);
        let found = evaluate(at, &self.watch, depth, question);
        self.found = Some(found.map(|found| Answer {
            text: found.text(module, at.memory()),
            pieces: Piece::split(module, &found),
            name: found.name,
            function,
            position: at.code.position(function, pc),
            thread: at.core.threads.running(),
        }));
    }
}

impl Observer for Until {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if !self.done {
            self.watch.follow(at);
            if self.base.is_some() {
                return self.look(at);
            }
            if at.instruction() == self.moment.instruction && at.pc == self.moment.pc && at.depth == self.moment.depth {
                self.base = Some(at.base);
                self.place = (at.function, at.core.threads.running());
                let read = &mut self.read;
                for_each_read(at.model, op, |slot| read.push((Opnd::slot(slot), at.slot(slot))));
                if !self.past {
                    return self.look(at);
                }
            }
            self.trace.op(at, op);
        }
    }
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        if !self.done {
            self.trace.op_done(at, op);
        }
    }
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &whydunit_model::Block) {
        if !self.done {
            self.trace.block(at, from, to, block);
        }
    }
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        if !self.done {
            self.watch.enter(at);
            self.trace.enter(at, entry);
        }
    }
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        if !self.done {
            self.watch.switched(from, to);
            self.trace.switched(at, from, to);
        }
    }
    fn leave(&mut self, at: &At<'_>, result: Option<(whydunit_model::Opnd, u8)>) {
        if !self.done {
            self.trace.leave(at, result);
        }
    }
    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        if !self.done {
            self.trace.unwind(at, depth);
        }
    }
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        if !self.done {
            self.trace.read(at, address, size);
        }
    }
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        if !self.done {
            self.trace.moved(at, to, from, size);
        }
    }
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        if !self.done {
            self.trace.filled(at, address, size);
        }
    }
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: whydunit_replay::Writer) {
        if !self.done {
            self.trace.external_write(at, address, size, writer);
        }
    }
    fn external(&mut self, at: &At<'_>, call: &whydunit_replay::External<'_>) {
        if !self.done {
            self.trace.external(at, call);
        }
    }
    fn external_done(&mut self, at: &At<'_>, call: &whydunit_replay::External<'_>, result: &[u64]) {
        if !self.done {
            self.trace.external_done(at, call, result);
        }
    }
}

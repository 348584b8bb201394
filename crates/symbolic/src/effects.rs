//! What memory code may write, found without running it.

use std::collections::{HashMap, HashSet};

use whydunit_library::Ending;
use whydunit_model::{BlockId, Callee, Linkage, Op, Opnd};
use whydunit_replay::{Code, FuncId, destination};

/// Ranges of memory, or all of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Anything may be written.
    pub anything: bool,
    /// Absolute ranges: address and bytes.
    pub absolute: Vec<(u64, u64)>,
    /// Ranges of the function's own frame: offset from its base, and bytes.
    pub frame: Vec<(u64, u64)>,
}

impl Effects {
    /// Whether it may write any of these bytes, where the frame lies at `frame`.
    pub fn may_write(&self, frame: u64, address: u64, size: u64) -> bool {
        let meets =
            |start: u64, bytes: u64| address < start.saturating_add(bytes) && start < address.saturating_add(size);
        self.anything
            || self.absolute.iter().any(|&(start, bytes)| meets(start, bytes))
            || self.frame.iter().any(|&(offset, bytes)| meets(frame.wrapping_add(offset), bytes))
    }

    /// Whether it writes nothing at all.
    pub fn is_empty(&self) -> bool {
        !self.anything && self.absolute.is_empty() && self.frame.is_empty()
    }

    fn add(&mut self, other: &Effects) {
        self.anything |= other.anything;
        self.absolute.extend(&other.absolute);
        self.frame.extend(&other.frame);
    }

    fn tidy(&mut self) {
        for ranges in [&mut self.absolute, &mut self.frame] {
            ranges.sort_unstable();
            ranges.dedup();
        }
    }
}

/// The analysis, with what it has found already.
#[derive(Default)]
pub struct Analysis {
    functions: HashMap<FuncId, Effects>,
    /// Globals by address: start and bytes.
    globals: Vec<(u64, u64)>,
    modules: usize,
}

enum Place {
    Absolute(u64),
    /// Offset in the frame, and the object there.
    Frame(u64, u32),
    /// Somewhere in the object.
    InObject(u32),
    InGlobal(u64),
    Unknown,
}

impl Analysis {
    /// What these blocks of a function may write, calls included.
    pub fn of_blocks(&mut self, code: &Code, function: FuncId, blocks: &[BlockId]) -> Effects {
        self.learn_globals(code);
        let mut effects = Effects::default();
        let mut called = HashSet::new();
        self.local(code, function, blocks, &mut effects, &mut called);
        for callee in called {
            let callee = self.of_function(code, callee);
            effects.add(&callee);
        }
        effects.tidy();
        effects
    }

    /// What a call of a function may write besides its own frame.
    pub fn of_function(&mut self, code: &Code, function: FuncId) -> Effects {
        if let Some(known) = self.functions.get(&function) {
            return known.clone();
        }
        self.learn_globals(code);
        // All that it can reach; recursion does not matter to a union.
        let (mut effects, mut seen, mut todo) = (Effects::default(), HashSet::new(), vec![function]);
        while let Some(function) = todo.pop() {
            if !seen.insert(function) {
                continue;
            }
            let blocks: Vec<BlockId> = (0..code.model(function).blocks.len() as BlockId).collect();
            let mut called = HashSet::new();
            self.local(code, function, &blocks, &mut effects, &mut called);
            effects.frame.clear();
            if effects.anything {
                break;
            }
            todo.extend(called);
        }
        effects.tidy();
        self.functions.insert(function, effects.clone());
        effects
    }

    fn learn_globals(&mut self, code: &Code) {
        if self.modules == code.modules().len() {
            return;
        }
        self.modules = code.modules().len();
        self.globals = code
            .modules()
            .iter()
            .flat_map(|module| module.model.globals.iter().zip(&module.globals))
            .filter(|(global, address)| **address != 0 && global.linkage != Linkage::Declared && global.size > 0)
            .map(|(global, &address)| (address, global.size))
            .collect();
        self.globals.sort_unstable();
    }

    /// The global that an address lies in: start and bytes.
    pub fn global_at(&mut self, code: &Code, address: u64) -> Option<(u64, u64)> {
        self.learn_globals(code);
        self.known_global(address)
    }

    /// All globals: start and bytes.
    pub fn globals(&mut self, code: &Code) -> Vec<(u64, u64)> {
        self.learn_globals(code);
        self.globals.clone()
    }

    fn known_global(&self, address: u64) -> Option<(u64, u64)> {
        let index = self.globals.partition_point(|&(start, _)| start <= address).checked_sub(1)?;
        self.globals.get(index).copied().filter(|&(start, size)| address - start < size)
    }

    fn local(
        &self,
        code: &Code,
        function: FuncId,
        blocks: &[BlockId],
        effects: &mut Effects,
        called: &mut HashSet<FuncId>,
    ) {
        let model = code.model(function);
        for &block in blocks {
            let bounds = &model.blocks[block as usize];
            for pc in bounds.start..bounds.end {
                let write = match &model.code[pc as usize] {
                    Op::Store { ty, addr, .. } | Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => {
                        (*addr, u64::from(ty.bytes()))
                    }
                    Op::MemMove { dst, .. } | Op::ByvalCopy { dst, .. } | Op::VaCopy { dst, .. } => (*dst, 0),
                    Op::MemSet { dst, .. } | Op::VaStart { list: dst } => (*dst, 0),
                    Op::Call { call } => {
                        self.call(code, function, &model.calls[*call as usize].callee, effects, called);
                        continue;
                    }
                    _ => continue,
                };
                self.write(code, function, (bounds.start, pc), write, effects);
            }
        }
    }

    /// A write of so many bytes (0: of an unknown number, in the object).
    fn write(
        &self,
        code: &Code,
        function: FuncId,
        at: (u32, u32),
        (address, bytes): (Opnd, u64),
        effects: &mut Effects,
    ) {
        let model = code.model(function);
        let object = |index: u32| model.stack.get(index as usize).map(|object| (object.offset, object.size));
        match self.place(code, function, at, address, 8) {
            Place::Absolute(address) if bytes > 0 => effects.absolute.push((address, bytes)),
            Place::Absolute(address) | Place::InGlobal(address) => match self.known_global(address) {
                Some(global) => effects.absolute.push(global),
                None => effects.anything = true,
            },
            Place::Frame(offset, _) if bytes > 0 => effects.frame.push((offset, bytes)),
            Place::Frame(_, index) | Place::InObject(index) => match object(index) {
                Some(range) => effects.frame.push(range),
                None => effects.anything = true,
            },
            Place::Unknown => effects.anything = true,
        }
    }

    /// Where an operand points, as far as its block tells.
    fn place(&self, code: &Code, function: FuncId, (start, pc): (u32, u32), operand: Opnd, depth: u32) -> Place {
        if operand.is_const() {
            return match code.consts(function).get(operand.index() as usize) {
                Some(&address) => Place::Absolute(address),
                None => Place::Unknown,
            };
        }
        let model = code.model(function);
        let defines = |&pc: &u32| destination(&model.code[pc as usize]) == Some(operand.index());
        let Some(pc) = (start..pc).rev().find(defines).filter(|_| depth > 0) else { return Place::Unknown };
        let base = |operand| self.place(code, function, (start, pc), operand, depth - 1);
        match model.code[pc as usize] {
            Op::StackAddr { offset, object, .. } => Place::Frame(offset, object),
            Op::PtrAdd { base: from, offset, .. } => match base(from) {
                Place::Absolute(address) => Place::Absolute(address.wrapping_add(offset as u64)),
                Place::Frame(at, object) => Place::Frame(at.wrapping_add(offset as u64), object),
                other => other,
            },
            Op::PtrIndex { base: from, .. } => match base(from) {
                Place::Absolute(address) => Place::InGlobal(address),
                Place::Frame(_, object) => Place::InObject(object),
                other => other,
            },
            Op::Copy { a, .. } => base(a),
            _ => Place::Unknown,
        }
    }

    fn call(&self, code: &Code, caller: FuncId, callee: &Callee, effects: &mut Effects, called: &mut HashSet<FuncId>) {
        let Callee::Direct(index) = callee else {
            effects.anything = true;
            return;
        };
        let Some(module) = code.loaded_module_of(caller) else { return };
        let Some(function) = module.model.functions.get(*index as usize) else { return };
        if function.is_defined() {
            called.insert(FuncId(module.first.0 + index));
        } else if let Some(found) = code.find(&function.name) {
            called.insert(found);
        } else {
            effects.anything |= whydunit_library::lookup(&function.name)
                // Rust's allocator may be the program's own, behind rustc's shim; a jump goes on elsewhere.
                .is_none_or(|known| {
                    let jumps = known.function.ending == Some(Ending::Jump);
                    known.wants_itself() || jumps || !known.writes_nothing()
                });
        }
    }
}

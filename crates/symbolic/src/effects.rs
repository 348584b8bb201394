//! What memory code may write, found without running it, at the addresses of a run.

use std::sync::Arc;

use whydunit_dataflow::{self as dataflow, CallGraph, FunctionId, MayWrite, Object, Offset, Program, Subject, World};
use whydunit_model::{BlockId, Linkage};
use whydunit_replay::{Code, FuncId};

use crate::externals::KnownLibrary;

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
}

/// The analysis, with what it has found already.
#[derive(Default)]
pub struct Analysis {
    loaded: Option<Loaded>,
    /// Globals by address: start and bytes.
    globals: Vec<(u64, u64)>,
    modules: usize,
}

/// The analysis of the modules that are loaded.
struct Loaded {
    program: Program,
    graph: CallGraph,
    writes: MayWrite,
}

impl Loaded {
    fn of(code: &Code) -> Self {
        let modules = code.modules().iter().map(|module| Arc::clone(&module.model)).collect();
        let program = Program::new(modules, World::Closed);
        let graph = CallGraph::new(&program, &KnownLibrary);
        Self { program, graph, writes: MayWrite::default() }
    }

    /// Whether these are the modules of `code` as they are now.
    fn is_of(&self, code: &Code) -> bool {
        let known = self.program.modules();
        known.len() == code.modules().len()
            && known.iter().zip(code.modules()).all(|(known, module)| Arc::ptr_eq(known, &module.model))
    }
}

impl Analysis {
    /// What these blocks of a function may write, calls included.
    pub fn of_blocks(&mut self, code: &Code, function: FuncId, blocks: &[BlockId]) -> Effects {
        if self.loaded.as_ref().is_none_or(|loaded| !loaded.is_of(code)) {
            self.loaded = None;
        }
        let Loaded { program, graph, writes } = self.loaded.get_or_insert_with(|| Loaded::of(code));
        let subject = Subject { program, graph, library: &KnownLibrary };
        // Both number functions in the order of the modules.
        let found = writes.of_blocks(subject, FunctionId(function.0), blocks);
        at_addresses(program, code, function, &found)
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
        let index = self.globals.partition_point(|&(start, _)| start <= address).checked_sub(1)?;
        self.globals.get(index).copied().filter(|&(start, size)| address - start < size)
    }

    /// All globals: start and bytes.
    pub fn globals(&mut self, code: &Code) -> Vec<(u64, u64)> {
        self.learn_globals(code);
        self.globals.clone()
    }
}

/// What a function may write, where things lie in a run. What lies nowhere in particular may be anything.
fn at_addresses(program: &Program, code: &Code, function: FuncId, found: &dataflow::Effects) -> Effects {
    let mut effects = Effects { anything: found.anything, ..Effects::default() };
    for (&object, places) in &found.writes {
        let (ranges, start, size) = match object {
            Object::Global(id) => {
                let (module, global) = (program.module_of_global(id), program.global(id));
                let index = id.0 - program.global_id(module, 0).0;
                let address = code.modules()[module].globals[index as usize];
                if address == 0 || global.thread_local {
                    effects.anything = true;
                    continue;
                }
                (&mut effects.absolute, address, global.size)
            }
            Object::Stack(of, index) if of.0 == function.0 => {
                match code.model(function).stack.get(index as usize).filter(|object| !object.dynamic) {
                    Some(object) => (&mut effects.frame, object.offset, object.size),
                    None => {
                        effects.anything = true;
                        continue;
                    }
                }
            }
            _ => {
                effects.anything = true;
                continue;
            }
        };
        ranges.extend(places.iter().map(|&(offset, bytes)| range(start, size, offset, bytes)));
    }
    for ranges in [&mut effects.absolute, &mut effects.frame] {
        ranges.sort_unstable();
        ranges.dedup();
    }
    effects
}

/// A place in an object that lies at `start`; all of the object where it is not known exactly.
fn range(start: u64, size: u64, offset: Offset, bytes: u64) -> (u64, u64) {
    match offset.exact() {
        Some(offset) if bytes != dataflow::TO_THE_END => (start.wrapping_add(offset as u64), bytes),
        _ => (start, size),
    }
}

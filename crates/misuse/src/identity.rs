//! What stays of functions and globals when a program is compiled again: names for them that do not hang on their numbers, and
//! keys for all that the analysis of a function depends on.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::variables::structures;
use rustc_hash::FxHashMap;
use whydunit_dataflow::{CallGraph, CallKind, CallSite, FunctionId, GlobalId, Program};
use whydunit_model::{Const, Function, Global, Linkage, Module, Op, Symbol as Named};

/// A function of a program: by its unit and name, and by all that its analysis depends on. Whatever is known of it holds in any program
/// that has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FunctionKey(u64);

/// A global of a program: by its name, one of a unit's own by its unit, too; a constant that the compiler has named, by what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct GlobalKey(u64);

/// What the code of a unit says for itself, function by function.
pub(crate) type Bodies = Arc<Vec<Body>>;

/// What a function says for itself.
pub(crate) struct Body {
    /// Without positions, and numbers of other functions and globals.
    hash: u64,
    /// Globals of threads, by their numbers in the unit.
    thread_locals: Vec<u32>,
}

/// The functions and globals of a program.
pub(crate) struct Identities {
    functions: Vec<FunctionKey>,
    numbers: FxHashMap<FunctionKey, FunctionId>,
    names: Names,
}

impl Identities {
    /// `bodies` are those of the program's units, `held` says what else analyses depend on.
    pub fn of(program: &Program, graph: &CallGraph, bodies: &[Bodies], held: &impl Hash) -> Self {
        let names = Names::of(program);
        let closures = closures(program, graph, &names, bodies);
        let mut unique = Unique::default();
        let key = |(name, closure): (&AddressKey, u64)| FunctionKey(unique.of(hashed(&(name, closure, held))));
        let functions: Vec<FunctionKey> = names.functions.iter().zip(closures).map(key).collect();
        let numbers = functions.iter().copied().zip((0..).map(FunctionId)).collect();
        Self { functions, numbers, names }
    }

    pub fn function(&self, id: FunctionId) -> FunctionKey {
        self.functions[id.0 as usize]
    }

    /// The number that a function has now; `None` where there is no such function any more.
    pub fn number(&self, key: FunctionKey) -> Option<FunctionId> {
        self.numbers.get(&key).copied()
    }

    /// What the address of a function is called, whatever its code is.
    pub fn address(&self, id: FunctionId) -> AddressKey {
        self.names.functions[id.0 as usize]
    }

    pub fn global(&self, id: GlobalId) -> GlobalKey {
        self.names.globals[id.0 as usize]
    }
}

/// The address of a function, by the function's unit and name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct AddressKey(u64);

/// What functions and globals are called.
struct Names {
    functions: Vec<AddressKey>,
    globals: Vec<GlobalKey>,
}

/// Of several that are alike in all that is known of them, the order tells.
#[derive(Default)]
struct Unique(FxHashMap<u64, u32>);

impl Unique {
    fn of(&mut self, hash: u64) -> u64 {
        let count = self.0.entry(hash).or_default();
        *count += 1;
        if *count == 1 { hash } else { hashed(&(hash, *count)) }
    }
}

impl Names {
    fn of(program: &Program) -> Self {
        let mut unique = Unique::default();
        let functions = program.functions().map(|id| {
            let source = &program.modules()[program.module_of(id)].source;
            AddressKey(unique.of(hashed(&(0u8, source, &program.function(id).name))))
        });
        let functions = functions.collect();
        let globals = program.globals().map(|id| {
            let (source, global) = (&program.modules()[program.module_of_global(id)].source, program.global(id));
            GlobalKey(match global.linkage {
                Linkage::Internal if is_nameless(global) => {
                    unique.of(hashed(&(1u8, source, postcard::to_stdvec(&global.init).unwrap_or_default())))
                }
                Linkage::Internal => unique.of(hashed(&(2u8, source, &global.name))),
                // Whichever unit it is taken from.
                _ => hashed(&(3u8, &global.name)),
            })
        });
        let globals = globals.collect();
        Self { functions, globals }
    }
}

/// Whether the compiler has numbered a constant of a unit's own: texts are called after their order in it.
fn is_nameless(global: &Global) -> bool {
    global.constant && global.source_name.is_none()
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What each function of a unit says for itself.
pub(crate) fn bodies(module: &Module) -> Bodies {
    Arc::new(module.functions.iter().map(|function| body(module, function)).collect())
}

fn body(module: &Module, function: &Function) -> Body {
    let mut hasher = DefaultHasher::new();
    structures(module, function).hash(&mut hasher);
    let mut part = |bytes: Result<Vec<u8>, postcard::Error>| bytes.unwrap_or_default().hash(&mut hasher);
    part(postcard::to_stdvec(&(&function.code, &function.switches, &function.pads, &function.params, &function.ret)));
    let blocks: Vec<(u32, u32)> = function.blocks.iter().map(|block| (block.start, block.end)).collect();
    part(postcard::to_stdvec(&(blocks, function.slots, function.calls_setjmp, function.variadic)));
    for call in &function.calls {
        part(postcard::to_stdvec(&(&call.args, call.dst, &call.ret, call.noreturn, call.unwind, call.fixed)));
    }
    let thread_local = |op: &Op| if let Op::ThreadLocal { global, .. } = op { Some(*global) } else { None };
    Body { hash: hasher.finish(), thread_locals: function.code.iter().filter_map(thread_local).collect() }
}

/// What the analysis of each function depends on: its own code, what it calls and refers to, and so on with what that calls.
/// Functions that call each other in a circle depend on all of it.
fn closures(program: &Program, graph: &CallGraph, names: &Names, bodies: &[Bodies]) -> Vec<u64> {
    let mut first = Vec::new();
    let mut count = 0;
    for module in program.modules() {
        first.push(count);
        count += module.functions.len();
    }
    let mut closures = vec![0u64; count];
    for component in graph.bottom_up() {
        let mut keys: Vec<u64> = Vec::new();
        for &id in component {
            let module = program.module_of(id);
            let body = &bodies[module][id.0 as usize - first[module]];
            let own = (
                body.hash,
                names.functions[id.0 as usize],
                &program.function(id).name,
                program.function(id).linkage as u8,
            );
            let mut hasher = DefaultHasher::new();
            own.hash(&mut hasher);
            constants(program, names, id, &mut hasher);
            for &index in &body.thread_locals {
                let global = program.meant_global(program.global_id(module, index));
                names.globals[global.0 as usize].hash(&mut hasher);
            }
            for call in 0..program.function(id).calls.len() as u32 {
                calls(program, graph, (names, &closures), CallSite { caller: id, call }, &mut hasher);
            }
            keys.push(hasher.finish());
        }
        keys.sort_unstable();
        let whole = hashed(&keys);
        for &id in component {
            closures[id.0 as usize] = hashed(&(whole, names.functions[id.0 as usize]));
        }
    }
    closures
}

/// What the constants of a function refer to.
fn constants(program: &Program, names: &Names, id: FunctionId, hasher: &mut DefaultHasher) {
    let module = program.module_of(id);
    for constant in &program.function(id).consts {
        match *constant {
            Const::Bits(bits) => (0u8, bits).hash(hasher),
            Const::Addr(Named::Global(index), offset) => {
                let global = program.meant_global(program.global_id(module, index));
                (1u8, names.globals[global.0 as usize], offset).hash(hasher);
            }
            Const::Addr(Named::Function(index), offset) => {
                let function = program.function_id(module, index);
                let meant = program.meant(function).first().copied().unwrap_or(function);
                (2u8, names.functions[meant.0 as usize], offset).hash(hasher);
            }
            Const::Expr(_) => 3u8.hash(hasher),
        }
    }
}

/// What a call may run. Of functions in the same circle the key is not there yet, and is a part of the circle's.
fn calls(
    program: &Program,
    graph: &CallGraph,
    (names, closures): (&Names, &[u64]),
    site: CallSite,
    hasher: &mut DefaultHasher,
) {
    let callees = graph.callees(site);
    let kind = match callees.kind {
        CallKind::Direct => 0u8,
        CallKind::Virtual => 1,
        CallKind::Indirect => 2,
        CallKind::Assembly => 3,
    };
    (kind, callees.outside, callees.functions.len(), callees.callbacks.len()).hash(hasher);
    for &callee in callees.functions.iter().chain(&callees.callbacks) {
        names.functions[callee.0 as usize].hash(hasher);
        if graph.component_of(callee) != graph.component_of(site.caller) {
            closures[callee.0 as usize].hash(hasher);
        }
    }
    for &external in &callees.externals {
        program.function(external).name.hash(hasher);
    }
}

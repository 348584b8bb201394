//! What stays of functions and globals when a program is compiled again: names for them that do not hang on their numbers, and
//! keys for all that the analysis of a function depends on.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use whydunit_dataflow::{CallGraph, CallKind, CallSite, FunctionId, GlobalId, Program};
use whydunit_model::{Const, Function, Global, Linkage, Module, Op, Symbol as Named};

/// A function of a program, by its unit and name.
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
    globals: Vec<GlobalKey>,
}

impl Identities {
    pub fn of(program: &Program) -> Self {
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        // Of several that are alike in all that, the order tells.
        let mut unique = |hash: u64| {
            let count = seen.entry(hash).or_default();
            *count += 1;
            if *count == 1 { hash } else { hashed(&(hash, *count)) }
        };
        let mut functions = Vec::new();
        for id in program.functions() {
            let source = &program.modules()[program.module_of(id)].source;
            functions.push(FunctionKey(unique(hashed(&(0u8, source, &program.function(id).name)))));
        }
        let mut global = |id: GlobalId| {
            let (source, global) = (&program.modules()[program.module_of_global(id)].source, program.global(id));
            match global.linkage {
                Linkage::Internal if is_nameless(global) => {
                    unique(hashed(&(1u8, source, postcard::to_stdvec(&global.init).unwrap_or_default())))
                }
                Linkage::Internal => unique(hashed(&(2u8, source, &global.name))),
                // Whichever unit it is taken from.
                _ => hashed(&(3u8, &global.name)),
            }
        };
        let globals = program.globals().map(|id| GlobalKey(global(id))).collect();
        let numbers = functions.iter().copied().zip((0..).map(FunctionId)).collect();
        Self { functions, numbers, globals }
    }

    pub fn function(&self, id: FunctionId) -> FunctionKey {
        self.functions[id.0 as usize]
    }

    /// The number that a function has now; `None` where there is no such function any more.
    pub fn number(&self, key: FunctionKey) -> Option<FunctionId> {
        self.numbers.get(&key).copied()
    }

    pub fn global(&self, id: GlobalId) -> GlobalKey {
        self.globals[id.0 as usize]
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
    Arc::new(module.functions.iter().map(body).collect())
}

fn body(function: &Function) -> Body {
    let mut hasher = DefaultHasher::new();
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
pub(crate) fn closures(program: &Program, graph: &CallGraph, identities: &Identities, bodies: &[Bodies]) -> Vec<u64> {
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
            let own =
                (body.hash, identities.function(id), &program.function(id).name, program.function(id).linkage as u8);
            let mut hasher = DefaultHasher::new();
            own.hash(&mut hasher);
            constants(program, identities, id, &mut hasher);
            for &index in &body.thread_locals {
                identities.global(program.meant_global(program.global_id(module, index))).hash(&mut hasher);
            }
            for call in 0..program.function(id).calls.len() as u32 {
                calls(program, graph, (identities, &closures), CallSite { caller: id, call }, &mut hasher);
            }
            keys.push(hasher.finish());
        }
        keys.sort_unstable();
        let whole = hashed(&keys);
        for &id in component {
            closures[id.0 as usize] = hashed(&(whole, identities.function(id)));
        }
    }
    closures
}

/// What the constants of a function refer to.
fn constants(program: &Program, identities: &Identities, id: FunctionId, hasher: &mut DefaultHasher) {
    let module = program.module_of(id);
    for constant in &program.function(id).consts {
        match *constant {
            Const::Bits(bits) => (0u8, bits).hash(hasher),
            Const::Addr(Named::Global(index), offset) => {
                let global = program.meant_global(program.global_id(module, index));
                (1u8, identities.global(global), offset).hash(hasher);
            }
            Const::Addr(Named::Function(index), offset) => {
                let function = program.function_id(module, index);
                let meant = program.meant(function).first().copied().unwrap_or(function);
                (2u8, identities.function(meant), offset).hash(hasher);
            }
            Const::Expr(_) => 3u8.hash(hasher),
        }
    }
}

/// What a call may run. Of functions in the same circle the key is not there yet, and is a part of the circle's.
fn calls(
    program: &Program,
    graph: &CallGraph,
    (identities, closures): (&Identities, &[u64]),
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
        identities.function(callee).hash(hasher);
        if graph.component_of(callee) != graph.component_of(site.caller) {
            closures[callee.0 as usize].hash(hasher);
        }
    }
    for &external in &callees.externals {
        program.function(external).name.hash(hasher);
    }
}

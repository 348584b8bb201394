//! Safepoints: the places that the recording counts, and where asynchronous signals are delivered.

use std::collections::{HashMap, HashSet};

use whydunit_llvm::{Block, Builder, Module, Opcode, Value};

use crate::{
    SAFEPOINT, bodies,
    byval::after_allocas,
    instructions,
    layout::{self, is_marker},
};

pub(crate) fn insert(module: &Module) {
    let builder = Builder::new(module);
    builder.set_location(None);
    let ty = module.function_type(module.void_type(), &[], false);
    let marker = module.get_or_declare(SAFEPOINT, ty);
    let nested = may_nest(module);
    for function in bodies(module) {
        let place = |before: Value| {
            builder.before(before);
            builder.call(ty, marker, &[]);
        };
        let (targets, sources) = cycle_places(function);
        for block in function.blocks() {
            // What follows a setjmp is executed again after a longjmp.
            for call in block.instructions().filter(|call| call.is_call() && layout::is_setjmp(*call)) {
                call.next_instruction().into_iter().for_each(place);
            }
            // Landing pads may run in one activation after the other, with nothing between that counts.
            let landing = block.instructions().find(|instruction| instruction.is_landing_pad());
            if let Some(after) = landing.and_then(Value::next_instruction) {
                place(after);
            } else if targets.contains(&block) {
                block.instructions().find(|instruction| !instruction.is_phi()).into_iter().for_each(place);
            }
            if sources.contains(&block) {
                block.terminator().into_iter().for_each(place);
            }
            let returns = block.terminator().filter(|terminator| terminator.opcode() == Opcode::LLVMRet);
            if nested.contains(&function) {
                returns.into_iter().for_each(place);
            }
        }
        after_allocas(function).into_iter().for_each(place);
    }
}

/// What a function calls.
#[derive(Default)]
struct Calls {
    /// Functions of the module, whose definitions here are the ones.
    own: Vec<Value>,
    /// Something that may call any captured function.
    unknown: bool,
    /// Something that is neither intrinsic nor log-free.
    any: bool,
}

/// The functions that may be active twice, one activation below another, and go on after a call: they count a
/// safepoint when they return, so that the activation above does not repeat sites at the same count. That is all that
/// call anything, but for those that reach only functions of their own module, without recursion, and library functions that
/// never call back.
fn may_nest(module: &Module) -> HashSet<Value> {
    let functions: Vec<Value> = bodies(module).collect();
    let calls: HashMap<Value, Calls> = functions.iter().map(|&function| (function, calls_of(function))).collect();
    let reach = |start: Value| {
        let (mut seen, mut open) = (HashSet::new(), vec![start]);
        while let Some(function) = open.pop() {
            let Some(calls) = calls.get(&function) else { return true };
            if calls.unknown || calls.own.contains(&start) {
                return true;
            }
            open.extend(calls.own.iter().copied().filter(|&callee| seen.insert(callee)));
        }
        false
    };
    functions
        .into_iter()
        .filter(|function| calls.get(function).is_some_and(|calls| calls.any))
        .filter(|&function| escapes(function) || reach(function))
        .collect()
}

/// Whether a function is used for anything but being called directly.
pub(crate) fn escapes(function: Value) -> bool {
    function.users().into_iter().any(|user| {
        !user.is_instruction()
            || !user.calls()
            || user.called() != Some(function)
            || user.args().any(|arg| arg == function)
    })
}

fn calls_of(function: Value) -> Calls {
    let mut calls = Calls::default();
    for call in instructions(function).filter(|instruction| instruction.calls()) {
        let Some(callee) = call.called_function() else {
            calls.any = true;
            calls.unknown = true;
            continue;
        };
        let name = callee.name();
        if name.starts_with("llvm.") || is_marker(&name) {
            continue;
        }
        if layout::is_defined(callee) {
            calls.any = true;
            calls.unknown |= callee.is_interposable();
            calls.own.push(callee);
        } else {
            let known = whydunit_library::wrapped(&name);
            calls.any |= !known.is_some_and(|known| known.log_free());
            calls.unknown |= !known.is_some_and(|known| known.never_calls_back() || known.never_returns());
        }
    }
    calls
}

/// Where the cycles of a function count: the targets of retreating edges that count after their phis, and the sources of
/// such edges that count before they go back. Sources are better: a loop that is never repeated counts nothing.
fn cycle_places(function: Value) -> (HashSet<Block>, HashSet<Block>) {
    let edges = retreating_edges(function);
    let goes_elsewhere = |&&(source, _): &&(Block, Block)| source.successors().len() != 1;
    let targets: HashSet<Block> = edges.iter().filter(goes_elsewhere).map(|&(_, target)| target).collect();
    let sources = edges.iter().filter(|(_, target)| !targets.contains(target)).map(|&(source, _)| source).collect();
    (targets, sources)
}

/// The edges that go back to a block on the path of the depth-first walk.
fn retreating_edges(function: Value) -> Vec<(Block, Block)> {
    let mut edges = Vec::new();
    let Some(entry) = function.entry_block() else { return edges };
    let (mut seen, mut open) = (HashSet::from([entry]), HashSet::from([entry]));
    let mut path = vec![(entry, entry.successors().into_iter())];
    while let Some((block, successors)) = path.last_mut() {
        match successors.next() {
            Some(next) if seen.insert(next) => {
                open.insert(next);
                path.push((next, next.successors().into_iter()));
            }
            Some(next) => {
                if open.contains(&next) {
                    edges.push((*block, next));
                }
            }
            None => {
                open.remove(block);
                path.pop();
            }
        }
    }
    edges
}

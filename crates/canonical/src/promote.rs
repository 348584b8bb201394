//! Promotion of variables to registers: those that are certainly assigned before every read, and only those.
//!
//! A variable that may be read before it is assigned stays in memory, where the read is a recorded load of whatever
//! the stack held.

use std::collections::{HashMap, HashSet};

use whydunit_llvm::{Block, Builder, Error, Module, Opcode, Value};

use crate::{bodies, calls_setjmp, instructions, is_inlined_library, layout::is_static};

pub(crate) fn promote(module: &Module) -> Result<(), Error> {
    let builder = Builder::new(module);
    builder.set_location(None);
    let ty = module.function_type(module.void_type(), &[module.ptr_type(0)], false);
    let pin = module.add_function("wd.pin", ty);
    let mut pins = Vec::new();
    for function in bodies(module) {
        let keep = if calls_setjmp(function) { HashSet::new() } else { promotable(function) };
        keep_assignments(function, &keep, &builder);
        builder.set_location(None);
        for alloca in instructions(function).filter(|&instruction| instruction.is_alloca()) {
            if !keep.contains(&alloca) {
                // A use that mem2reg does not understand.
                let Some(next) = alloca.next_instruction() else { continue };
                builder.before_with_records(next);
                pins.push(builder.call(ty, pin, &[alloca]));
            }
        }
    }
    module.run_passes("function(mem2reg)")?;
    pins.into_iter().for_each(Value::erase);
    pin.delete_function();
    Ok(())
}

/// Gives an instruction of its own to each assignment that promotion would leave without one (`a = b;`, `i = 0;`): a
/// `freeze` of what is assigned, at the assignment's position. So every assigned value is the result of an instruction of
/// the statement that assigns it.
fn keep_assignments(function: Value, promoted: &HashSet<Value>, builder: &Builder) {
    let stores: Vec<Value> = instructions(function)
        .filter(|store| {
            store.opcode() == Opcode::LLVMStore && store.operand(1).is_some_and(|address| promoted.contains(&address))
        })
        .collect();
    for store in stores {
        let (Some(value), Some(location)) = (store.operand(0), store.debug_location()) else { continue };
        if is_inlined_library(location) {
            continue;
        }
        let of_the_statement = value.is_instruction()
            && value.block() == store.block()
            && value.debug_location().is_some_and(|other| other.line() == location.line())
            && !(value.opcode() == Opcode::LLVMLoad
                && value.operand(0).is_some_and(|address| promoted.contains(&address)));
        if !of_the_statement {
            builder.before(store);
            builder.set_location(Some(location));
            store.set_operand(0, builder.freeze(value));
        }
    }
}

/// The allocas of a function that can live in registers.
fn promotable(function: Value) -> HashSet<Value> {
    let candidates: Vec<Value> = instructions(function).filter(|&alloca| is_candidate(alloca)).collect();
    if candidates.is_empty() {
        return HashSet::new();
    }
    let unassigned = read_before_assigned(function, &candidates);
    candidates.into_iter().zip(unassigned).filter(|(_, read)| !read).map(|(alloca, _)| alloca).collect()
}

/// A scalar of the frame that is only loaded and stored, whole and plainly.
fn is_candidate(alloca: Value) -> bool {
    if !is_static(alloca) || alloca.operand(0).and_then(Value::int_value) != Some(1) {
        return false;
    }
    let ty = alloca.allocated_type();
    let plain = |user: Value| user.is_instruction() && !user.is_volatile() && !user.is_atomic();
    ty.is_scalar()
        && alloca.users().into_iter().all(|user| match user.is_instruction().then(|| user.opcode()) {
            Some(Opcode::LLVMLoad) => plain(user) && user.ty() == ty,
            Some(Opcode::LLVMStore) => {
                let value = user.operand(0);
                plain(user) && value != Some(alloca) && value.is_some_and(|value| value.ty() == ty)
            }
            _ => false,
        })
}

/// For each candidate whether some path reads it before it is assigned: a forward analysis over sets of certainly
/// assigned variables, met by intersection.
fn read_before_assigned(function: Value, candidates: &[Value]) -> Vec<bool> {
    let number: HashMap<Value, usize> = candidates.iter().enumerate().map(|(index, &alloca)| (alloca, index)).collect();
    let words = candidates.len().div_ceil(64);
    let blocks = reverse_postorder(function);
    let position: HashMap<Block, usize> = blocks.iter().enumerate().map(|(index, &block)| (block, index)).collect();

    // Per block: what it assigns, and what it reads before assigning it.
    let mut assigns = vec![0u64; words * blocks.len()];
    let mut reads = vec![0u64; words * blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for instruction in block.instructions() {
            let store = match instruction.opcode() {
                Opcode::LLVMLoad => false,
                Opcode::LLVMStore => true,
                _ => continue,
            };
            let address = instruction.operand(store.into());
            let Some(&index) = address.and_then(|address| number.get(&address)) else { continue };
            let (word, bit) = (at * words + index / 64, 1u64 << (index % 64));
            if store {
                assigns[word] |= bit;
            } else if assigns[word] & bit == 0 {
                reads[word] |= bit;
            }
        }
    }

    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.successors().iter().filter_map(|next| position.get(next).copied()).collect())
        .collect();
    let mut assigned = vec![u64::MAX; words * blocks.len()];
    assigned[..words].fill(0);
    let mut changed = true;
    while changed {
        changed = false;
        for (at, next) in successors.iter().enumerate() {
            for &to in next {
                for word in 0..words {
                    let out = assigned[at * words + word] | assigns[at * words + word];
                    let target = &mut assigned[to * words + word];
                    changed |= *target & !out != 0;
                    *target &= out;
                }
            }
        }
    }
    (0..candidates.len())
        .map(|index| {
            let bit = 1u64 << (index % 64);
            (0..blocks.len()).map(|at| at * words + index / 64).any(|word| reads[word] & !assigned[word] & bit != 0)
        })
        .collect()
}

/// Reachable blocks, each before its successors but for loops.
fn reverse_postorder(function: Value) -> Vec<Block> {
    let Some(entry) = function.entry_block() else { return Vec::new() };
    let (mut seen, mut order) = (HashSet::from([entry]), Vec::new());
    let mut path = vec![(entry, entry.successors().into_iter())];
    while let Some((block, successors)) = path.last_mut() {
        match successors.next() {
            Some(next) if seen.insert(next) => path.push((next, next.successors().into_iter())),
            Some(_) => {}
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

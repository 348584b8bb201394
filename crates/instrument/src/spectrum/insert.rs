//! Puts the stores that set flags into the code.

use std::collections::HashMap;

use whydunit_llvm::{Block, Builder, Module, Opcode, Value};

use super::graph::{Graph, Place, joins};
use super::plan::Plan;

/// Sets each flag of the plan at its point.
pub(crate) fn insert(module: &Module, function: Value, graph: &Graph, plan: &Plan, array: Value) {
    let builder = Builder::new(module);
    builder.set_location(None);
    let one = module.int_type(8).constant(1);
    let set = |flag: u32| {
        builder.store(one, builder.offset(array, flag.into()), 1).set_volatile(true);
    };
    let joins = joins(function);
    let blocks: Vec<Block> = function.blocks().collect();
    // (target, block that branched) -> the block now between them.
    let mut between: HashMap<(Block, Block), Block> = HashMap::new();
    for (&point, &flag) in &plan.flags {
        let before = match &graph.points[point].place {
            Place::Entry => blocks.first().and_then(|entry| entry.instructions().find(|first| !first.is_alloca())),
            Place::After(call) => call.next_instruction(),
            Place::Label(block) => head(*block),
            Place::Outcome { target, .. } if !joins.contains(target) => head(*target),
            Place::Outcome { from, target, .. } => {
                let Some(terminator) = from.terminator() else { continue };
                let edge = builder.append_block(function, "");
                edge.move_after(*from);
                builder.at_end(edge);
                set(flag);
                builder.jump(*target);
                for (index, to) in terminator.successors().into_iter().enumerate() {
                    if to == *target {
                        terminator.set_successor(index as u32, edge);
                    }
                }
                between.insert((*target, *from), edge);
                continue;
            }
        };
        if let Some(before) = before {
            builder.before(before);
            set(flag);
        }
    }
    if !between.is_empty() {
        blocks.iter().for_each(|&block| redirect(&builder, block, &between));
    }
}

/// The first instruction of a block that others may stand before.
fn head(block: Block) -> Option<Value> {
    let fixed = |first: &Value| first.is_phi() || first.opcode() == Opcode::LLVMLandingPad;
    block.instructions().find(|first| !fixed(first))
}

/// Phis of a block name the blocks that were put on the edges to it, each once.
fn redirect(builder: &Builder, block: Block, between: &HashMap<(Block, Block), Block>) {
    for phi in block.instructions().take_while(|phi| phi.is_phi()).collect::<Vec<_>>() {
        let incoming = phi.incoming();
        if incoming.iter().all(|(_, from)| !between.contains_key(&(block, *from))) {
            continue;
        }
        builder.before(phi);
        let fresh = builder.phi(phi.ty());
        let mut seen = Vec::new();
        for (value, from) in incoming {
            match between.get(&(block, from)) {
                Some(&edge) if !seen.contains(&edge) => {
                    seen.push(edge);
                    fresh.add_incoming(value, edge);
                }
                Some(_) => {}
                None => fresh.add_incoming(value, from),
            }
        }
        phi.replace_all_uses_with(fresh);
        phi.erase();
    }
}

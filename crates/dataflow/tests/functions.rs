//! Analyses of one function, on functions made by hand.

use std::collections::BTreeSet;

use proptest::prelude::*;
use whydunit_dataflow::flow::{Flow, NO_BLOCK};
use whydunit_dataflow::{Definition, ReachingDefinitions, Shape, live_at_starts, unassigned_at_starts};
use whydunit_model::{Block, Const, Function, Op, Opnd, Slot, TrapKind, defined, for_each_read};

/// A function of these blocks, with `slots` slots.
fn function(slots: u32, blocks: Vec<Vec<Op>>) -> Function {
    let mut function = Function::declared("f".into());
    function.slots = slots;
    function.consts.push(Const::Bits(1));
    for (source, ops) in (0..).zip(blocks) {
        let start = function.code.len() as u32;
        function.code.extend(ops);
        let end = function.code.len() as u32;
        function.blocks.push(Block { start, end, instructions: end - start, source, edge: false });
    }
    function
}

fn copy(dst: Slot, from: Slot) -> Op {
    Op::Copy { n: 1, dst, a: Opnd::slot(from) }
}

fn constant(dst: Slot) -> Op {
    Op::Copy { n: 1, dst, a: Opnd::constant(0) }
}

fn branch(slot: Slot, then: u32, els: u32) -> Op {
    Op::Branch { cond: Opnd::slot(slot), then, els }
}

fn give(slot: Slot) -> Op {
    Op::Return { n: 1, a: Opnd::slot(slot) }
}

#[test]
fn values_live_from_where_they_are_made_to_where_they_are_read() {
    let f = function(
        3,
        vec![
            vec![constant(1), branch(0, 1, 2)],
            vec![copy(1, 0), Op::Jump { to: 3 }],
            vec![copy(2, 1), Op::Jump { to: 3 }],
            vec![give(1)],
        ],
    );
    let flow = Flow::of(&f);
    let live = live_at_starts(&f, &flow);
    let live: Vec<Vec<Slot>> = live.iter().map(|set| set.iter().collect()).collect();
    assert_eq!(live, [vec![0], vec![0], vec![1], vec![1]]);
    let reaching = ReachingDefinitions::of(&f, &flow);
    assert_eq!(reaching.at(3, 6, 1), BTreeSet::from([Definition::At(0), Definition::At(2)]));
    assert_eq!(reaching.at(1, 2, 0), BTreeSet::from([Definition::Entry]));
    assert_eq!(reaching.at(1, 3, 1), BTreeSet::from([Definition::At(2)]));
}

#[test]
fn slots_are_unassigned_where_one_way_has_not_written_them() {
    let f = function(
        4,
        vec![
            vec![constant(1), branch(0, 1, 2)],
            vec![constant(2), constant(3), Op::Jump { to: 3 }],
            vec![constant(3), Op::Jump { to: 3 }],
            vec![give(2)],
        ],
    );
    let unassigned = unassigned_at_starts(&f, &Flow::of(&f));
    let unassigned: Vec<Vec<Slot>> = unassigned.iter().map(|set| set.iter().collect()).collect();
    assert_eq!(unassigned, [vec![0, 1, 2, 3], vec![0, 2, 3], vec![0, 2, 3], vec![0, 2]]);
}

#[test]
fn branches_join_where_the_ways_that_return_meet() {
    // 0 -> 1 | 2; 1 dies; 2 -> 3; 3 returns.
    let f = function(
        1,
        vec![
            vec![branch(0, 1, 2)],
            vec![Op::Trap { kind: TrapKind::Trap }],
            vec![constant(0), Op::Jump { to: 3 }],
            vec![give(0)],
        ],
    );
    let shape = Shape::of(&f);
    assert_eq!(shape.returns, [true, false, true, true]);
    assert_eq!((shape.join_of(0), shape.join_of(2), shape.join_of(3)), (2, 3, NO_BLOCK));
    assert_eq!(shape.region(2, NO_BLOCK), [2, 3]);
    assert!(shape.may_write(&[2, 3], 0) && !shape.may_write(&[0, 1, 3], 0));
    assert_eq!(shape.blocks, [0, 1, 2, 2, 3]);
}

/// Some blocks of copies between four slots, that end in a branch or a return.
fn functions() -> impl Strategy<Value = Function> {
    let block = (prop::collection::vec((0u32..4, 0u32..4), 0..4), 0u32..4, 0u32..7, 0u32..7);
    prop::collection::vec(block, 1..7).prop_map(|blocks| {
        let count = blocks.len() as u32;
        let ops = blocks.into_iter().map(|(copies, slot, then, els)| {
            let mut ops: Vec<Op> = copies.into_iter().map(|(dst, from)| copy(dst, from)).collect();
            ops.push(if then < count { branch(slot, then, els % count) } else { give(slot) });
            ops
        });
        function(4, ops.collect())
    })
}

/// Follows paths by brute force: whether `found` holds at a place that is reached from the start of a block with no operation
/// before it for which `stops` holds.
fn on_a_path(f: &Function, flow: &Flow, block: u32, found: &dyn Fn(u32) -> bool, stops: &dyn Fn(u32) -> bool) -> bool {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![block]);
    'blocks: while let Some(block) = todo.pop() {
        if !seen.insert(block) {
            continue;
        }
        for pc in f.blocks[block as usize].start..f.blocks[block as usize].end {
            if found(pc) {
                return true;
            }
            if stops(pc) {
                continue 'blocks;
            }
        }
        todo.extend(&flow.successors[block as usize]);
    }
    false
}

proptest! {
    /// A slot is live where some path reads it before it writes it.
    #[test]
    fn liveness_agrees_with_paths(f in functions()) {
        let flow = Flow::of(&f);
        let live = live_at_starts(&f, &flow);
        for block in 0..f.blocks.len() as u32 {
            for slot in 0..4 {
                let reads = |pc: u32| {
                    let mut reads = false;
                    for_each_read(&f, &f.code[pc as usize], |read| reads |= read == slot);
                    reads
                };
                let writes = |pc: u32| defined(&f, &f.code[pc as usize]).is_some_and(|(dst, _)| dst == slot);
                let expected = on_a_path(&f, &flow, block, &reads, &writes);
                prop_assert_eq!(live[block as usize].has(slot), expected, "block {} slot {}", block, slot);
            }
        }
    }

    /// A definition reaches an operation when some path leads there that writes the slot no more.
    #[test]
    fn reaching_definitions_agree_with_paths(f in functions()) {
        let flow = Flow::of(&f);
        let reaching = ReachingDefinitions::of(&f, &flow);
        let reached = flow.reverse_postorder();
        let writes = |pc: u32, slot: Slot| defined(&f, &f.code[pc as usize]).is_some_and(|(dst, _)| dst == slot);
        for &block in &reached {
            let bounds = &f.blocks[block as usize];
            for slot in 0..4 {
                for &from in &reached {
                    let other = &f.blocks[from as usize];
                    let Some(last) = (other.start..other.end).rev().find(|&pc| writes(pc, slot)) else { continue };
                    // From behind the last write of a block to the start of this one.
                    let mut expected = false;
                    for &next in &flow.successors[from as usize] {
                        let found = |pc: u32| pc == bounds.start;
                        let stops = |pc: u32| writes(pc, slot);
                        expected |= on_a_path(&f, &flow, next, &found, &stops);
                    }
                    let found = reaching.at(block, bounds.start, slot);
                    prop_assert_eq!(found.contains(&Definition::At(last)), expected);
                }
            }
        }
    }
}
